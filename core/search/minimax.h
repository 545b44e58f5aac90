// S1's game search for Gomoku: minimax over every playable point, with S1's
// window evaluation (search/window_board.h) at the leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "games/random.h"
#include "search/search.h"
#include "search/window_board.h"

namespace tengen {

struct MinimaxOptions {
    int depth = 2;           // plies, 1..6; S1 tried 1, 2 and 3
    std::uint64_t seed = 0;  // draws among moves of equal value
    bool draws = true;       // else the first of them, in reading order: the same answer always, as S0's rival gives
};

// Obeys the contract of search/search.h. As in S1, fours never enter the
// search: a move that wins is played, and where the rival would win next turn,
// only the points that stop it are searched. Alpha-beta leaves the result of
// plain minimax as it is: the value, and the set of moves that reach it, one of
// which is drawn. Lower depths are searched first, so that a search which is
// stopped answers with the deepest one completed; depth 1 always completes.
class Minimax {
public:
    // Throws GameError for options outside their range.
    explicit Minimax(const MinimaxOptions& options);

    SearchReport search(const GomokuBoard& board, const SearchLimits& limits = {}, const OnReport& on_report = {});
    void stop() { control_.stop(); }
    // Starts the generator anew from the seed.
    void clear() { random_ = Random(options_.seed); }

    // The moves of equal value that the last search chose from, in reading order.
    const std::vector<int>& best_moves() const { return best_moves_; }

private:
    static constexpr int max_depth = 6;
    // Values beyond this are wins, less the plies they take.
    static constexpr int win_score = 1 << 28;

    struct Choice {
        int point;
        int score;
        std::vector<int> line;
    };
    using Line = std::array<std::int16_t, max_depth>;

    static std::vector<int> root_moves(WindowBoard& board);
    static int candidates(const WindowBoard& board, std::int16_t* points);
    bool search_root(WindowBoard& board, int depth, int lines, std::vector<Choice>& choices);
    int search_node(WindowBoard& board, int depth, int ply, int alpha, int beta);
    int search_last_ply(const WindowBoard& board, int ply, int beta);
    bool count_node() { return (++nodes_ & 1023) == 0 && may_stop_ && control_.out_of_budget(nodes_); }
    SearchReport report(const std::vector<Choice>& choices, int depth, int lines) const;
    static SearchLine line_of(const Choice& choice, int depth);

    MinimaxOptions options_;
    Random random_;
    SearchControl control_;
    bool may_stop_ = false;
    std::uint64_t nodes_ = 0;
    std::vector<int> best_moves_;
    // What is expected after each ply of the line being searched.
    std::array<Line, max_depth + 1> lines_{};
    std::array<int, max_depth + 1> line_lengths_{};
};

}  // namespace tengen
