// Random boards for the core and the same board for the reference.
#pragma once

#include "games/gomoku.h"
#include "games/random.h"
#include "reference.h"

inline constexpr tengen::Rule all_rules[] = {tengen::Rule::freestyle, tengen::Rule::standard, tengen::Rule::renju,
                                             tengen::Rule::caro};

inline const char* rule_name(tengen::Rule rule) {
    constexpr const char* names[] = {"freestyle", "standard", "renju", "caro"};
    return names[static_cast<int>(rule)];
}

inline reference::Board same_board(const tengen::GomokuBoard& board) {
    reference::Board copy = reference::new_board(board.size(), board.rules().win,
                                                 static_cast<reference::Rule>(board.rules().rule));
    for (int i = 0; i < board.actions(); ++i) copy.cell[static_cast<std::size_t>(i)] = board.cell(i);
    copy.to_move = board.to_move() == tengen::Side::black ? reference::black : reference::white;
    return copy;
}

// Stones thrown into a random square of the board, dense enough that lines of
// all kinds come about; `blackness` of 10 stones are black. May hold a five.
inline std::vector<std::uint8_t> random_cells(int size, tengen::Random& random, std::uint32_t blackness = 5) {
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(size * size));
    const auto n = static_cast<std::uint32_t>(size);
    const std::uint32_t side = std::min(n, 5 + random.below(11)), density = 1 + random.below(6);
    const std::uint32_t top = random.below(n - side + 1), left = random.below(n - side + 1);
    for (std::uint32_t row = top; row < top + side; ++row)
        for (std::uint32_t column = left; column < left + side; ++column)
            if (random.below(10) < density) cells[row * n + column] = random.below(10) < blackness ? 1 : 2;
    return cells;
}
