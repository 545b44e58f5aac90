#include "patterns/shapes.h"

#include <algorithm>

namespace tengen {

ShapedGomoku::ShapedGomoku(const GomokuBoard& board) : GomokuBoard(board) {
    for (int action = 0; action < actions(); ++action) {
        const Point p = rules().point(action);
        for (int d = 0; d < directions; ++d) refresh(d, action, lines().word(d, p), Lines::offset(d, p));
    }
}

Shape ShapedGomoku::best_shape(Side side, int action) const {
    Shape best = Shape::none;
    for (const LineEntry e : entries_[action]) best = std::max(best, e.shape(side));
    return best;
}

void ShapedGomoku::refresh(int direction, int action, std::uint64_t word, int offset) {
    const LineEntry e = rules().table.at(word, offset);
    switch (Lines::cell(word, offset)) {
        case black_stone: entries_[action][direction] = e.only(Side::black); break;
        case white_stone: entries_[action][direction] = e.only(Side::white); break;
        default: entries_[action][direction] = e;
    }
}

void ShapedGomoku::refresh_around(int action) {
    const Point p = rules().point(action);
    const int n = size(), radius = rules().table.radius();
    // How far each of the four lines goes from p before the board ends.
    const int left = p.column, right = n - 1 - p.column, up = p.row, down = n - 1 - p.row;
    const std::array<int, directions> back{left, up, std::min(left, up), std::min(left, down)};
    const std::array<int, directions> ahead{right, down, std::min(right, down), std::min(right, up)};
    for (int d = 0; d < directions; ++d) {
        const std::uint64_t word = lines().word(d, p);
        const int offset = Lines::offset(d, p), stride = row_step[d] * n + column_step[d];
        const int first = -std::min(back[d], radius), last = std::min(ahead[d], radius);
        for (int i = first; i <= last; ++i) refresh(d, action + i * stride, word, offset + i);
    }
}

}  // namespace tengen
