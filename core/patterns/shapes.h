// Line shapes that follow a game of Gomoku, move by move.
#pragma once

#include <array>
#include <cstdint>

#include "games/gomoku.h"

namespace tengen {

// A Gomoku board that always knows, for every point, player and direction,
// the shape there (games/line_table.h): at an empty point the shape that the
// player would make by playing it, at an own stone the shape that it is part
// of, at a rival's stone none. Search, greedy play and shaped rewards read it;
// a move or its undoing updates only the points that can have changed.
class ShapedGomoku : public GomokuBoard {
public:
    explicit ShapedGomoku(const GomokuBoard& board);

    LineEntry entry(int direction, int action) const { return entries_[action][direction]; }
    Shape shape(Side side, int direction, int action) const { return entries_[action][direction].shape(side); }

    // The best of the four directions.
    Shape best_shape(Side side, int action) const;

    void play_unchecked(int action) {
        GomokuBoard::play_unchecked(action);
        refresh_around(action);
    }
    void undo() {
        const int action = move_at(ply() - 1);
        GomokuBoard::undo();
        refresh_around(action);
    }

private:
    void refresh(int direction, int action, std::uint64_t word, int offset);
    void refresh_around(int action);

    std::array<std::array<LineEntry, directions>, max_cells> entries_{};
};

static_assert(Board<ShapedGomoku>);

}  // namespace tengen
