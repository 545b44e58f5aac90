#include "search/othello/midgame.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

constexpr int infinite = 127;
constexpr int endgame_empties = 13;  // up to here exact searches do without the evaluation
constexpr int probe_children = 4;    // from this depth on: children are looked up before any is searched

// How deep to look before ordering the moves: the more there is to lose, the deeper. -1: not at all.
constexpr int look_ahead(int depth) { return depth >= 9 ? 2 : depth >= 6 ? 1 : depth >= 3 ? 0 : -1; }
constexpr int look_to_end(int empties) { return empties >= 22 ? 3 : empties >= 18 ? 2 : empties >= 15 ? 1 : 0; }

}  // namespace

template <int N>
struct OthelloMidgame<N>::Move {
    Node node;  // after it
    std::uint64_t key;
    int at;
    int rank;
};

// The exact score within (alpha, beta) by null windows, beginning where the evaluation expects it.
template <int N>
int OthelloMidgame<N>::solve(const Node& node, int alpha, int beta) {
    if (beta - alpha == 1) return endgame_.solve(node.own, node.rival, alpha);
    int low = -infinite, high = infinite;
    int test = evaluation_.value<N>(node);
    while (low < high && low < beta && high > alpha) {
        test = std::clamp(test, std::max(low, alpha), std::min(high, beta) - 1);
        const int score = endgame_.solve(node.own, node.rival, test);
        if (work_.aborted) return 0;
        if (score > test)
            test = low = score;
        else
            high = score, test = score - 1;
    }
    return low >= beta ? low : high;
}

template <int N>
int OthelloMidgame<N>::one_ply(const Node& node, Word moves, int beta) {
    int best = -infinite;
    for (const Word group : {moves & Discs::corners, moves & ~Discs::corners})
        for (Word left = group; left; left &= left - 1) {
            const int at = lowest_bit(left);
            ++work_.nodes;
            const Node next = evaluation_.after<N>(node, at, Bits::flips(at, node.own, node.rival));
            best = std::max(best, -evaluation_.value<N>(next));
            if (best >= beta) return best;
        }
    return best;
}

// Whether a shallow search makes it probable that the score lies outside the window on one side.
template <int N>
bool OthelloMidgame<N>::probable_cut(const Node& node, int depth, int empties, int alpha, int selectivity, int nested,
                                     int* score) {
    const bool to_end = depth == empties;
    int shallow = 2 * (depth / 4) + (depth & 1);
    if (to_end) shallow = std::max(2, empties / 4 * 2 - 4 + (empties & 1));
    if (shallow >= depth) return false;
    const OthelloErrors& errors = evaluation_.errors();
    const double sigma = to_end ? errors.endgame(empties, shallow) : errors.middlegame(empties, depth, shallow);
    const int margin = static_cast<int>(std::ceil(Selectivity::margins[selectivity] * sigma));
    const int guess = evaluation_.value<N>(node);
    const int high = alpha + 1 + margin, low = alpha - margin;
    // The static value must point the same way, or the shallow search is not worth its nodes.
    if (high < Discs::cells && guess >= alpha + 1 + margin / 3) {
        if (visit<false>(node, shallow, high - 1, high, selectivity, nested + 1) >= high && !work_.aborted) {
            *score = alpha + 1;
            return true;
        }
    } else if (low > -Discs::cells && guess <= alpha - margin / 3) {
        if (visit<false>(node, shallow, low, low + 1, selectivity, nested + 1) <= low && !work_.aborted) {
            *score = alpha;
            return true;
        }
    }
    return false;
}

// The moves with their ranks: remembered ones, then by a look ahead and the replies left.
template <int N>
int OthelloMidgame<N>::generate(const Node& node, Word moves, int depth, int empties, const OthelloEntry* hint,
                                Move* list) {
    int count = 0;
    const unsigned parity = Discs::parity_of(Bits::board & ~(node.own | node.rival));
    const int first = hint ? hint->move : OthelloEntry::no_move, second = hint ? hint->second : OthelloEntry::no_move;
    const bool to_end = depth == empties;
    const int look = to_end ? look_to_end(empties) : look_ahead(depth);
    for (; moves; moves &= moves - 1) {
        Move& move = list[count++];
        move.at = lowest_bit(moves);
        move.node = evaluation_.after<N>(node, move.at, Bits::flips(move.at, node.own, node.rival));
        if (move.at == first || move.at == second) {
            move.rank = move.at == first ? 1 << 20 : 1 << 19;
            continue;
        }
        const Word replies = Bits::moves(move.node.own, move.node.rival);
        move.rank = -(to_end ? 12 : 6) * (bit_count(replies) + bit_count(replies & Discs::corners));
        if (to_end && parity & Discs::quarter[static_cast<std::size_t>(move.at)]) move.rank += 4;
        if (Word{1} << move.at & Discs::corners) move.rank += 8;
        if (look < 0) continue;
        const int value = look == 0 ? evaluation_.value<N>(move.node)
                                    : visit<true>(move.node, look, -infinite, infinite, 0, 9);
        move.rank -= 16 * value;
    }
    return count;
}

template <int N>
template <bool pv>
int OthelloMidgame<N>::visit(const Node& node, int depth, int alpha, int beta, int selectivity, int nested) {
    const int empties = node.empties();
    if (depth >= empties) {
        depth = empties;
        if (empties <= endgame_empties) return solve(node, alpha, beta);
    }
    ++work_.nodes;
    if (depth == 0) return evaluation_.value<N>(node);
    if (work_.poll()) return 0;
    if (int bound; stable_cut<N>(node.own, node.rival, empties, alpha, &bound)) return bound;
    const Word moves = Bits::moves(node.own, node.rival);
    if (!moves) {
        if (!Bits::moves(node.rival, node.own)) return Discs::final_score(node.own, node.rival);
        return -visit<pv>(evaluation_.after_pass<N>(node), depth, -beta, -alpha, selectivity, nested);
    }
    if (depth == 1) return one_ply(node, moves, beta);
    return visit_moves<pv>(node, moves, depth, alpha, beta, selectivity, nested);
}

template <int N>
template <bool pv>
int OthelloMidgame<N>::visit_moves(const Node& node, Word moves, int depth, int alpha, int beta, int selectivity,
                                   int nested) {
    const int empties = node.empties();
    // 1. What is known already.
    const std::uint64_t key = position_key(node.own, node.rival);
    const OthelloEntry* hint = work_.table.find(key);
    OthelloEntry known;
    if (hint) {
        known = *hint;  // searches below may overwrite it
        hint = &known;
        if (!pv && known.depth >= depth && known.selectivity >= selectivity) {
            if (known.lower > alpha) return known.lower;
            if (known.upper <= alpha) return known.upper;
        }
    }
    // 2. What is probable enough.
    if (!pv && selectivity < Selectivity::exact && nested < 2 && depth >= 4)
        if (int score; probable_cut(node, depth, empties, alpha, selectivity, nested, &score)) return score;

    // 3. The moves; one that leads to a known position may settle it.
    Move list[Discs::cells];
    const int count = generate(node, moves, depth, empties, hint, list);
    if (work_.aborted) return 0;
    for (int i = 0; i < count; ++i)
        if (!list[i].node.own) return Discs::cells;
    if (!pv && depth >= probe_children)
        for (int i = 0; i < count; ++i) {
            const OthelloEntry* child = work_.table.find(position_key(list[i].node.own, list[i].node.rival));
            if (child && child->depth >= depth - 1 && child->selectivity >= selectivity && -child->upper > alpha)
                return -child->upper;
        }

    // 4. The best first, the others against a null window.
    const auto lower_rank = [](const Move& a, const Move& b) { return a.rank < b.rank; };
    const std::uint64_t before = work_.nodes;
    int best = -infinite, best_move = OthelloEntry::no_move, low = alpha;
    for (int i = 0; i < count; ++i) {
        std::swap(list[i], *std::max_element(list + i, list + count, lower_rank));
        const Node& child = list[i].node;
        int score;
        if (!pv) {
            score = -visit<false>(child, depth - 1, -low - 1, -low, selectivity, nested);
        } else {
            if (i > 0) score = -visit<false>(child, depth - 1, -low - 1, -low, selectivity, nested);
            if (i == 0 || (score > low && score < beta && !work_.aborted))
                score = -visit<true>(child, depth - 1, -beta, -low, selectivity, nested);
        }
        if (work_.aborted) return 0;
        if (score > best) {
            best = score, best_move = list[i].at;
            low = std::max(low, best);
            if (best >= beta) break;
        }
    }
    work_.table.store(key, depth, selectivity, std::bit_width(work_.nodes - before), alpha, beta, best, best_move);
    return best;
}

template class OthelloMidgame<4>;
template class OthelloMidgame<6>;
template class OthelloMidgame<8>;
template class OthelloMidgame<10>;

}  // namespace tengen
