// Gomoku: five-in-a-row and its relatives on square boards. Rules only; line
// shapes that follow a game are in patterns/.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "games/game.h"
#include "games/line_table.h"
#include "games/lines.h"

namespace tengen {

enum class Foul : std::uint8_t { none, double_three, double_four, overline };

// Everything about a game of Gomoku that does not change while it is played.
// Shared by all boards of the same game and never freed.
class GomokuRules {
public:
    // Throws GameError for a size outside 3..22, a line longer than the board
    // or shorter than 3, or renju with lines other than five.
    static const GomokuRules& get(Rule rule, int size, int win);

    const Rule rule;
    const int size;
    const int win;
    const LineTable& table;

    Point point(int action) const { return points_[action]; }
    // The point in the middle; of the four in the middle of an even board the last.
    int centre() const { return size / 2 * size + size / 2; }
    const Lines& empty_lines() const { return empty_lines_; }

private:
    GomokuRules(Rule rule, int size, int win, const LineTable& table);

    std::array<Point, max_cells> points_{};
    Lines empty_lines_;
};

// Calls f(direction, action, word, offset) for every point on the four lines
// through `action` that a stone there can matter to, the point itself four times.
template <class F>
void for_each_in_reach(const GomokuRules& rules, const Lines& lines, int action, F&& f) {
    const Point p = rules.point(action);
    const int n = rules.size, radius = rules.table.radius();
    // How far each of the four lines goes from p before the board ends.
    const int left = p.column, right = n - 1 - p.column, up = p.row, down = n - 1 - p.row;
    const std::array<int, directions> back{left, up, std::min(left, up), std::min(left, down)};
    const std::array<int, directions> ahead{right, down, std::min(right, down), std::min(right, up)};
    for (int d = 0; d < directions; ++d) {
        const std::uint64_t word = lines.word(d, p);
        const int offset = Lines::offset(d, p), stride = row_step[d] * n + column_step[d];
        const int first = -std::min(back[d], radius), last = std::min(ahead[d], radius);
        for (int i = first; i <= last; ++i) f(d, action + i * stride, word, offset + i);
    }
}

class GomokuBoard {
public:
    explicit GomokuBoard(const GomokuRules& rules) : GomokuBoard(rules, {}, Side::black) {}

    // Any arrangement: `cells` holds size * size of 0, 1, 2 (empty means an
    // empty board). A side that already has a line has won; if both have, the
    // one that is not to move.
    GomokuBoard(const GomokuRules& rules, const std::vector<std::uint8_t>& cells, Side to_move);

    const GomokuRules& rules() const { return *rules_; }
    const Lines& lines() const { return lines_; }
    int size() const { return rules_->size; }
    int actions() const { return rules_->size * rules_->size; }
    int ply() const { return ply_; }
    int stones() const { return stones_; }
    Side to_move() const { return to_move_; }
    Outcome outcome() const { return outcome_; }
    std::uint64_t hash() const { return hash_; }
    int cell(int action) const { return lines_.at(rules_->point(action)); }
    int move_at(int ply) const { return history_[ply]; }

    bool is_legal(int action) const;
    int count_legal() const;
    void legal_mask(std::uint8_t* mask) const;
    void advance_mask(std::uint8_t* mask) const;

    // Why black may not play there under renju; `none` for a point that is
    // occupied, or under another rule.
    Foul foul(int action) const;

    void play_unchecked(int action);
    void undo();

    // The cells of the longest line that won, in order; empty if none did.
    std::vector<int> winning_line() const;

private:
    bool wins_at(int action, Side side) const;
    bool mover_can_foul() const { return rules_->rule == Rule::renju && to_move_ == Side::black; }
    bool any_legal() const;
    void judge_setup();

    const GomokuRules* rules_;
    Lines lines_;
    std::uint64_t hash_;
    std::int16_t ply_ = 0;
    std::int16_t stones_ = 0;
    Side to_move_;
    Outcome outcome_;
    std::array<std::int16_t, max_cells> history_;
};

static_assert(Board<GomokuBoard>);

}  // namespace tengen
