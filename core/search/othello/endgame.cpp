#include "search/othello/endgame.h"

#include <algorithm>

namespace tengen {
namespace {

constexpr int infinite = 127;
constexpr int shallow_empties = 6;  // up to here: parity order and no table
constexpr int table_empties = 9;    // from here on: the table
constexpr int probe_children = 10;  // from here on: children are looked up before any is searched

}  // namespace

template <int N>
struct OthelloEndgame<N>::Move {
    Word own, rival;  // the position after it, from the next mover's side
    std::uint64_t key;
    int at;
    int rank;
};

// One cell left: whoever can, plays there.
template <int N>
int OthelloEndgame<N>::last1(Word own, int x) const {
    const int mine = bit_count(own);
    if (const int turned = Discs::last_turns(x, own)) return 2 * (mine + turned + 1) - Discs::cells;
    const Word rival = Bits::board & ~own & ~(Word{1} << x);
    if (const int turned = Discs::last_turns(x, rival)) return 2 * (mine - turned) - Discs::cells;
    return mine > Discs::cells / 2 - 1 ? 2 * mine + 2 - Discs::cells : 2 * mine - Discs::cells;
}

template <int N>
int OthelloEndgame<N>::last2(Word own, Word rival, int alpha, int x1, int x2) {
    ++work_.nodes;
    const bool near1 = (Discs::around[static_cast<std::size_t>(x1)] & rival) != 0;
    const bool near2 = (Discs::around[static_cast<std::size_t>(x2)] & rival) != 0;
    int best = -infinite;
    if (near1)
        if (const Word turned = Bits::flips(x1, own, rival)) {
            best = -last1(rival ^ turned, x2);
            if (best > alpha) return best;
        }
    if (near2)
        if (const Word turned = Bits::flips(x2, own, rival)) return std::max(best, -last1(rival ^ turned, x1));
    if (best > -infinite) return best;
    // A pass.
    int least = infinite;
    if (const Word turned = Bits::flips(x1, rival, own)) {
        least = last1(own ^ turned, x2);
        if (least <= alpha) return least;
    }
    if (const Word turned = Bits::flips(x2, rival, own)) return std::min(least, last1(own ^ turned, x1));
    return least < infinite ? least : Discs::final_score(own, rival);
}

// Cells alone in their quarter come first: who plays there also moves last there.
template <int N>
int OthelloEndgame<N>::last3(Word own, Word rival, int alpha, Word empty) {
    ++work_.nodes;
    int x1 = lowest_bit(empty);
    empty &= empty - 1;
    int x2 = lowest_bit(empty);
    int x3 = lowest_bit(empty & (empty - 1));
    const auto q1 = Discs::quarter[static_cast<std::size_t>(x1)], q2 = Discs::quarter[static_cast<std::size_t>(x2)],
               q3 = Discs::quarter[static_cast<std::size_t>(x3)];
    if (q1 == q2) {
        if (q2 != q3) std::swap(x1, x3);
    } else if (q1 == q3) {
        std::swap(x1, x2);
    }
    for (int passes = 0, sign = 1;; ++passes) {
        int best = -infinite;
        if (const Word turned = Discs::around[static_cast<std::size_t>(x1)] & rival ? Bits::flips(x1, own, rival) : 0) {
            best = -last2(rival ^ turned, own | turned | Word{1} << x1, -alpha - 1, x2, x3);
            if (best > alpha) return sign * best;
        }
        if (const Word turned = Discs::around[static_cast<std::size_t>(x2)] & rival ? Bits::flips(x2, own, rival) : 0) {
            best = std::max(best, -last2(rival ^ turned, own | turned | Word{1} << x2, -alpha - 1, x1, x3));
            if (best > alpha) return sign * best;
        }
        if (const Word turned = Discs::around[static_cast<std::size_t>(x3)] & rival ? Bits::flips(x3, own, rival) : 0)
            best = std::max(best, -last2(rival ^ turned, own | turned | Word{1} << x3, -alpha - 1, x1, x2));
        if (best > -infinite) return sign * best;
        std::swap(own, rival);
        if (passes) return Discs::final_score(own, rival);
        alpha = -alpha - 1;
        sign = -1;
    }
}

template <int N>
int OthelloEndgame<N>::last4(Word own, Word rival, int alpha, Word empty, unsigned parity) {
    ++work_.nodes;
    const Word groups[2] = {empty & Discs::odd_cells[parity], empty & ~Discs::odd_cells[parity]};
    for (int passes = 0, sign = 1;; ++passes) {
        int best = -infinite;
        for (const Word group : groups)
            for (Word left = group; left; left &= left - 1) {
                const int x = lowest_bit(left);
                if (!(Discs::around[static_cast<std::size_t>(x)] & rival)) continue;
                const Word turned = Bits::flips(x, own, rival);
                if (!turned) continue;
                const Word bit = Word{1} << x;
                best = std::max(best, -last3(rival ^ turned, own | turned | bit, -alpha - 1, empty ^ bit));
                if (best > alpha) return sign * best;
            }
        if (best > -infinite) return sign * best;
        std::swap(own, rival);
        if (passes) return Discs::final_score(own, rival);
        alpha = -alpha - 1;
        sign = -1;
    }
}

template <int N>
int OthelloEndgame<N>::shallow(Word own, Word rival, int alpha, int empties, unsigned parity) {
    ++work_.nodes;
    if (int bound; stable_cut<N>(own, rival, empties, alpha, &bound)) return bound;
    const Word moves = Bits::moves(own, rival);
    if (!moves) {
        if (!Bits::moves(rival, own)) return Discs::final_score(own, rival);
        return -shallow(rival, own, -alpha - 1, empties, parity);
    }
    const Word empty = Bits::board & ~(own | rival);
    int best = -infinite;
    const Word odd = Discs::odd_cells[parity];
    for (const Word group : {moves & odd & Discs::corners, moves & odd & ~Discs::corners, moves & ~odd})
        for (Word left = group; left; left &= left - 1) {
            const int x = lowest_bit(left);
            const Word turned = Bits::flips(x, own, rival), bit = Word{1} << x, mine = own | turned | bit;
            const unsigned rest = parity ^ Discs::quarter[static_cast<std::size_t>(x)];
            const int score = empties == 5 ? -last4(rival ^ turned, mine, -alpha - 1, empty ^ bit, rest)
                                           : -shallow(rival ^ turned, mine, -alpha - 1, empties - 1, rest);
            best = std::max(best, score);
            if (best > alpha) return best;
        }
    return best;
}

// Ranks moves by how few replies they leave, then by parity, corners and the frontier they open.
template <int N>
int OthelloEndgame<N>::generate(Word own, Word rival, Word moves, unsigned parity, const OthelloEntry* hint,
                                Move* list) const {
    int count = 0;
    for (; moves; moves &= moves - 1) {
        Move& move = list[count++];
        move.at = lowest_bit(moves);
        const Word turned = Bits::flips(move.at, own, rival);
        move.own = rival ^ turned;
        move.rival = own | turned | Word{1} << move.at;
        if (hint && hint->move == move.at) {
            move.rank = 1 << 20;
            continue;
        }
        if (hint && hint->second == move.at) {
            move.rank = 1 << 19;
            continue;
        }
        const Word replies = Bits::moves(move.own, move.rival);
        move.rank = -16 * (bit_count(replies) + bit_count(replies & Discs::corners));
        if (parity & Discs::quarter[static_cast<std::size_t>(move.at)]) move.rank += 8;
        if (Word{1} << move.at & Discs::corners) move.rank += 16;
    }
    return count;
}

template <int N>
int OthelloEndgame<N>::next(Word own, Word rival, int alpha, int empties, unsigned parity) {
    return empties <= shallow_empties ? shallow(own, rival, alpha, empties, parity)
                                      : ordered(own, rival, alpha, empties, parity);
}

template <int N>
int OthelloEndgame<N>::ordered(Word own, Word rival, int alpha, int empties, unsigned parity) {
    ++work_.nodes;
    if (work_.poll()) return 0;
    if (int bound; stable_cut<N>(own, rival, empties, alpha, &bound)) return bound;

    // 1. What is known already.
    const bool use_table = empties >= table_empties;
    const std::uint64_t key = use_table ? position_key(own, rival) : 0;
    const OthelloEntry* hint = use_table ? work_.table.find(key) : nullptr;
    if (hint && hint->depth == empties && hint->selectivity == Selectivity::exact) {
        if (hint->lower > alpha) return hint->lower;
        if (hint->upper <= alpha) return hint->upper;
    }

    // 2. The moves.
    const Word moves = Bits::moves(own, rival);
    if (!moves) {
        if (!Bits::moves(rival, own)) return Discs::final_score(own, rival);
        return -ordered(rival, own, -alpha - 1, empties, parity);
    }
    Move list[Discs::cells];
    const int count = generate(own, rival, moves, parity, hint, list);
    for (int i = 0; i < count; ++i)
        if (!list[i].own) return Discs::cells;
    if (empties >= probe_children) {
        for (int i = 0; i < count; ++i) work_.table.prefetch(list[i].key = position_key(list[i].own, list[i].rival));
        for (int i = 0; i < count; ++i) {
            const OthelloEntry* child = work_.table.find(list[i].key);
            if (!child || child->depth != empties - 1 || child->selectivity != Selectivity::exact) continue;
            if (-child->upper > alpha) return -child->upper;
        }
    }

    // 3. The best first.
    const auto lower_rank = [](const Move& a, const Move& b) { return a.rank < b.rank; };
    const std::uint64_t before = work_.nodes;
    int best = -infinite, best_move = OthelloEntry::no_move;
    for (int i = 0; i < count; ++i) {
        std::swap(list[i], *std::max_element(list + i, list + count, lower_rank));
        const int score = -next(list[i].own, list[i].rival, -alpha - 1, empties - 1,
                                parity ^ Discs::quarter[static_cast<std::size_t>(list[i].at)]);
        if (work_.aborted) return 0;
        if (score > best) {
            best = score, best_move = list[i].at;
            if (best > alpha) break;
        }
    }
    if (use_table)
        work_.table.store(key, empties, Selectivity::exact, std::bit_width(work_.nodes - before), alpha, alpha + 1,
                          best, best_move);
    return best;
}

template <int N>
int OthelloEndgame<N>::solve(Word own, Word rival, int alpha) {
    const Word empty = Bits::board & ~(own | rival);
    const unsigned parity = Discs::parity_of(empty);
    switch (const int empties = bit_count(empty)) {
        case 0: return Discs::final_score(own, rival);
        case 1: return last1(own, lowest_bit(empty));
        case 2: return last2(own, rival, alpha, lowest_bit(empty), lowest_bit(empty & (empty - 1)));
        case 3: return last3(own, rival, alpha, empty);
        case 4: return last4(own, rival, alpha, empty, parity);
        default: return next(own, rival, alpha, empties, parity);
    }
}

template class OthelloEndgame<4>;
template class OthelloEndgame<6>;
template class OthelloEndgame<8>;
template class OthelloEndgame<10>;

}  // namespace tengen
