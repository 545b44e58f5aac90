#include "games/counting.h"

#include <array>
#include <utility>

namespace tengen {
namespace {

void tally(Playouts& total, Result result) {
    ++total.games;
    total.black_wins += result == Result::black_wins;
    total.white_wins += result == Result::white_wins;
    total.draws += result == Result::draw;
}

std::uint64_t perft_from(GomokuBoard& board, int depth) {
    if (depth == 0 || board.outcome().over()) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(board.count_legal());
    std::uint64_t leaves = 0;
    for (int action = 0; action < board.actions(); ++action) {
        if (!board.is_legal(action)) continue;
        board.play_unchecked(action);
        leaves += perft_from(board, depth - 1);
        board.undo();
    }
    return leaves;
}

// The bare bitboards, own side first: nothing else is needed to count.
template <int N>
std::uint64_t perft_bits(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival, int depth) {
    using Bits = OthelloBits<N>;
    auto moves = Bits::moves(own, rival);
    if (!moves) {
        if (!Bits::moves(rival, own)) return 1;
        return depth == 1 ? 1 : perft_bits<N>(rival, own, depth - 1);
    }
    if (depth == 1) return static_cast<std::uint64_t>(bit_count(moves));
    std::uint64_t leaves = 0;
    for (; moves; moves &= moves - 1) {
        const int at = lowest_bit(moves);
        const auto turned = Bits::flips(at, own, rival);
        leaves += perft_bits<N>(rival & ~turned, own | turned | typename Bits::Word{1} << at, depth - 1);
    }
    return leaves;
}

template <class Word>
int nth_bit(Word w, int n) {
    while (n--) w &= w - 1;
    return lowest_bit(w);
}

}  // namespace

std::uint64_t perft(GomokuBoard board, int depth) { return perft_from(board, depth); }

template <int N>
std::uint64_t perft(const OthelloBoard<N>& board, int depth) {
    if (depth == 0) return 1;
    return perft_bits<N>(board.discs(board.to_move()), board.discs(other(board.to_move())), depth);
}

int random_action(const GomokuBoard& board, Random& random) {
    // Most points are free for most of a game, so a blind draw nearly always hits.
    const auto cells = static_cast<std::uint32_t>(board.actions());
    for (int tries = 0; tries < 8; ++tries) {
        const auto action = static_cast<int>(random.below(cells));
        if (board.is_legal(action)) return action;
    }
    auto left = random.below(static_cast<std::uint32_t>(board.count_legal()));
    for (int action = 0;; ++action)
        if (board.is_legal(action) && left-- == 0) return action;
}

template <int N>
int random_action(const OthelloBoard<N>& board, Random& random) {
    using Bits = OthelloBits<N>;
    const auto moves = Bits::moves(board.discs(board.to_move()), board.discs(other(board.to_move())));
    if (!moves) return OthelloBoard<N>::pass;
    return Bits::cell_of(nth_bit(moves, static_cast<int>(random.below(static_cast<std::uint32_t>(bit_count(moves))))));
}

// Drawing without replacement from the list of free points is uniform over
// them; a point that is a foul just now stays in the list for later.
Playouts random_playouts(const GomokuBoard& start, std::uint64_t games, std::uint64_t seed) {
    Random random(seed);
    Playouts total;
    std::array<std::int16_t, max_cells> free_points{};
    int free_at_start = 0;
    for (int action = 0; action < start.actions(); ++action)
        if (start.cell(action) == empty) free_points[free_at_start++] = static_cast<std::int16_t>(action);
    GomokuBoard board = start;
    while (total.games < games) {
        for (int left = free_at_start; !board.outcome().over();) {
            // 1. Draw until the point is legal, setting refused ones aside at the end.
            int candidates = left, pick;
            do {
                pick = static_cast<int>(random.below(static_cast<std::uint32_t>(candidates)));
                std::swap(free_points[pick], free_points[--candidates]);
            } while (board.rules().rule == Rule::renju && !board.is_legal(free_points[candidates]));
            // 2. Play it and drop it from the list.
            std::swap(free_points[candidates], free_points[--left]);
            board.play_unchecked(free_points[left]);
        }
        tally(total, board.outcome().result);
        total.moves += static_cast<std::uint64_t>(board.ply() - start.ply());
        while (board.ply() > start.ply()) board.undo();
    }
    return total;
}

template <int N>
Playouts random_playouts(const OthelloBoard<N>& start, std::uint64_t games, std::uint64_t seed) {
    Random random(seed);
    Playouts total;
    while (total.games < games) {
        OthelloBoard<N> board = start;
        while (!board.outcome().over()) board.play_unchecked(random_action(board, random));
        tally(total, board.outcome().result);
        total.moves += static_cast<std::uint64_t>(board.ply() - start.ply());
    }
    return total;
}

#define TENGEN_OTHELLO(N)                                                                                 \
    template std::uint64_t perft<N>(const OthelloBoard<N>&, int);                                         \
    template int random_action<N>(const OthelloBoard<N>&, Random&);                                       \
    template Playouts random_playouts<N>(const OthelloBoard<N>&, std::uint64_t games, std::uint64_t seed);
TENGEN_OTHELLO(4)
TENGEN_OTHELLO(6)
TENGEN_OTHELLO(8)
TENGEN_OTHELLO(10)
#undef TENGEN_OTHELLO

}  // namespace tengen
