// The eight neighbours of a point on a line, four to either side, as a number.
//
// A neighbour is empty, an own stone, a rival's stone or off the board, and
// beyond a cell that is off the board all are. So four cells outwards make
// 1 + 3 + 9 + 27 + 81 = 121 cases, a *half*, and a line 121 * 121. The order of
// halves is the one of `half_cells`, which the Python side reads as well.
#pragma once

#include <array>
#include <cstdint>

namespace tengen {

inline constexpr int line_reach = 4;
inline constexpr int line_halves = 121;
inline constexpr int line_codes = line_halves * line_halves;

// What a neighbour is, to the side that is to move.
enum class Neighbour : std::uint8_t { empty, own, rival, off };

// The cells of each half, the nearest first.
constexpr std::array<std::array<Neighbour, line_reach>, line_halves> make_half_cells() {
    std::array<std::array<Neighbour, line_reach>, line_halves> halves{};
    int count = 0;
    for (int key = 0; key < 1 << (2 * line_reach); ++key) {
        std::array<Neighbour, line_reach> cells{};
        bool possible = true, outside = false;
        for (int i = 0; i < line_reach; ++i) {
            cells[static_cast<std::size_t>(i)] = static_cast<Neighbour>(key >> (2 * i) & 3);
            const bool off = cells[static_cast<std::size_t>(i)] == Neighbour::off;
            possible = possible && (off || !outside);
            outside = off;
        }
        if (possible) halves[static_cast<std::size_t>(count++)] = cells;
    }
    return halves;
}

inline constexpr auto half_cells = make_half_cells();

}  // namespace tengen
