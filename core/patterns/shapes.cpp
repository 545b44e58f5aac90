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
    for_each_in_reach(rules(), lines(), action,
                      [&](int d, int at, std::uint64_t word, int offset) { refresh(d, at, word, offset); });
}

}  // namespace tengen
