// The board that S1's minimax thinks on: every window of `win` cells in a row
// counts its stones, and the evaluation is a sum over windows that moves keep
// up to date.
//
// S1 looks at each stone and each of the four directions: of the cells centred
// on it, the windows that hold it (five of five cells). A window without rival
// stones adds the square of its own stones, one with rival stones takes their
// number away; "own" is the stone's owner. The value of a position is the total
// of the mover's stones minus that of the rival's. Windows that leave the board
// can hold no line and do not count.
//
// Seen window by window that is simpler: one with only `n` stones of one side
// is met by each of them and gives n * n squared, the cube; in a mixed one with
// `a` and `b` stones each side loses a * b, which the difference cancels. So a
// move changes only the windows through its own point.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/gomoku.h"
#include "games/renju.h"

namespace tengen {

// S1's total for the stones of `side`, straight from its definition.
int window_total(const GomokuBoard& board, Side side);

class WindowBoard {
public:
    explicit WindowBoard(const GomokuBoard& board);

    const GomokuRules& rules() const { return *rules_; }
    int cells() const { return rules_->size * rules_->size; }
    Side to_move() const { return to_move_; }
    bool is_empty(int point) const { return stones_[static_cast<std::size_t>(point)] == empty; }
    int empties() const { return empties_; }

    // The evaluation from the mover's side.
    int value() const { return to_move_ == Side::black ? value_ : -value_; }

    // What playing the empty point adds to the mover's value; never negative.
    // A point that fills a window, and so may win, adds `fills` on top.
    static constexpr int fills = 1 << 24;
    int gain(int point) const { return gain_of(to_move_, point); }
    int gain_of(Side side, int point) const {
        const auto& table = gains_[static_cast<std::size_t>(index_of(side))];
        int sum = 0;
        for (const std::uint16_t* w = first(point); w != last(point); ++w) sum += table[codes_[*w]];
        return sum;
    }

    // Whether a stone of `side` on the empty point would win.
    bool would_win(Side side, int point) const;
    // Whether the rules let `side` play the empty point.
    bool may_play(Side side, int point) const {
        return rules_->rule != Rule::renju || side == Side::white ||
               renju_foul(lines_, rules_->table, rules_->point(point), rules_->size) == Foul::none;
    }

    // `point` must be empty. Wins are the caller's business.
    void play(int point);
    void undo(int point);

private:
    const std::uint16_t* first(int point) const { return through_.data() + starts_[static_cast<std::size_t>(point)]; }
    const std::uint16_t* last(int point) const { return first(point + 1); }
    void find_windows();
    void count(int point, Side side, int sign);

    const GomokuRules* rules_;
    Lines lines_;
    Side to_move_;
    int empties_ = 0;
    int value_ = 0;  // from black's side
    std::array<std::uint8_t, max_cells> stones_{};
    // A window's code is its black stones * (win + 1) + its white stones.
    std::vector<std::uint16_t> codes_;
    std::vector<std::uint16_t> through_;  // the windows through each point, one point after the other
    std::array<std::uint16_t, max_cells + 1> starts_{};
    std::vector<int> worth_;                 // by code, from black's side
    std::array<std::vector<int>, 2> gains_;  // by side and code
};

}  // namespace tengen
