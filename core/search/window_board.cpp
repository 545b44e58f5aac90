#include "search/window_board.h"

#include <algorithm>

namespace tengen {
namespace {

constexpr int cube(int n) { return n * n * n; }

// Whether `win` cells from (row, column) in `direction` lie on the board.
bool fits(int size, int win, int direction, int row, int column) {
    const int end_row = row + (win - 1) * row_step[direction], end_column = column + (win - 1) * column_step[direction];
    return std::min(row, end_row) >= 0 && std::max(row, end_row) < size && column >= 0 && end_column < size;
}

}  // namespace

int window_total(const GomokuBoard& board, Side side) {
    const int n = board.size(), win = board.rules().win;
    int total = 0;
    for (int point = 0; point < board.actions(); ++point) {
        if (board.cell(point) != stone_of(side)) continue;
        for (int d = 0; d < directions; ++d)
            for (int back = 0; back < win; ++back) {
                const int row = point / n - back * row_step[d], column = point % n - back * column_step[d];
                if (!fits(n, win, d, row, column)) continue;
                int own = 0, rival = 0;
                for (int i = 0; i < win; ++i) {
                    const int cell = board.cell((row + i * row_step[d]) * n + column + i * column_step[d]);
                    own += cell == stone_of(side);
                    rival += cell == stone_of(other(side));
                }
                total += rival ? -rival : own * own;
            }
    }
    return total;
}

WindowBoard::WindowBoard(const GomokuBoard& board)
    : rules_(&board.rules()), lines_(board.lines()), to_move_(board.to_move()), empties_(cells()) {
    const int win = rules_->win, codes = (win + 1) * (win + 1);
    worth_.resize(static_cast<std::size_t>(codes));
    for (auto& table : gains_) table.resize(static_cast<std::size_t>(codes));
    const auto code = [&](int black, int white) { return static_cast<std::size_t>(black * (win + 1) + white); };
    for (int black = 0; black <= win; ++black)
        for (int white = 0; black + white <= win; ++white)
            worth_[code(black, white)] = white == 0 ? cube(black) : black == 0 ? -cube(white) : 0;
    for (int black = 0; black <= win; ++black)
        for (int white = 0; black + white < win; ++white) {
            const std::size_t at = code(black, white);
            gains_[0][at] = worth_[code(black + 1, white)] - worth_[at] + (black + 1 == win ? fills : 0);
            gains_[1][at] = worth_[at] - worth_[code(black, white + 1)] + (white + 1 == win ? fills : 0);
        }
    find_windows();
    for (int point = 0; point < cells(); ++point)
        if (const int cell = board.cell(point); cell != empty) {
            stones_[static_cast<std::size_t>(point)] = static_cast<std::uint8_t>(cell);
            count(point, cell == black_stone ? Side::black : Side::white, 1);
            --empties_;
        }
}

void WindowBoard::find_windows() {
    const int n = rules_->size, win = rules_->win;
    std::vector<std::vector<std::uint16_t>> of_point(static_cast<std::size_t>(cells()));
    std::uint16_t found = 0;
    for (int d = 0; d < directions; ++d)
        for (int point = 0; point < cells(); ++point) {
            if (!fits(n, win, d, point / n, point % n)) continue;
            for (int i = 0; i < win; ++i)
                of_point[static_cast<std::size_t>(point + i * (row_step[d] * n + column_step[d]))].push_back(found);
            ++found;
        }
    codes_.assign(found, 0);
    for (std::size_t point = 0; point < of_point.size(); ++point) {
        starts_[point] = static_cast<std::uint16_t>(through_.size());
        through_.insert(through_.end(), of_point[point].begin(), of_point[point].end());
        starts_[point + 1] = static_cast<std::uint16_t>(through_.size());
    }
}

void WindowBoard::count(int point, Side side, int sign) {
    const int step = sign * (side == Side::black ? rules_->win + 1 : 1);
    for (const std::uint16_t* w = first(point); w != last(point); ++w) {
        std::uint16_t& code = codes_[*w];
        value_ -= worth_[code];
        code = static_cast<std::uint16_t>(code + step);
        value_ += worth_[code];
    }
}

bool WindowBoard::would_win(Side side, int point) const {
    if (gain_of(side, point) < fills) return false;
    if (rules_->rule == Rule::freestyle) return true;
    Lines after = lines_;
    const Point p = rules_->point(point);
    after.flip(p, stone_of(side));
    for (int d = 0; d < directions; ++d)
        if (run_wins(rules_->rule, rules_->win, side, after.run(d, p, stone_of(side)))) return true;
    return false;
}

void WindowBoard::play(int point) {
    stones_[static_cast<std::size_t>(point)] = stone_of(to_move_);
    lines_.flip(rules_->point(point), stone_of(to_move_));
    count(point, to_move_, 1);
    --empties_;
    to_move_ = other(to_move_);
}

void WindowBoard::undo(int point) {
    to_move_ = other(to_move_);
    ++empties_;
    count(point, to_move_, -1);
    lines_.flip(rules_->point(point), stone_of(to_move_));
    stones_[static_cast<std::size_t>(point)] = empty;
}

}  // namespace tengen
