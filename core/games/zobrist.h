// Keys that hash Gomoku positions: one per stone, one for the side to move,
// one per game. The same in every process, so hashes can be stored.
#pragma once

#include <array>
#include <cstdint>

#include "games/line_table.h"
#include "games/random.h"

namespace tengen {

inline constexpr auto stone_keys = [] {
    std::array<std::array<std::uint64_t, max_cells>, 2> keys{};
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < max_cells; ++i) keys[side][i] = splitmix64(static_cast<std::uint64_t>(1000 * side + i + 1));
    return keys;
}();
inline constexpr std::uint64_t white_to_move_key = splitmix64(5000);

constexpr std::uint64_t game_key(Rule rule, int size, int win) {
    return splitmix64(static_cast<std::uint64_t>(rule) << 16 | static_cast<std::uint64_t>(size) << 8 |
                      static_cast<std::uint64_t>(win));
}

}  // namespace tengen
