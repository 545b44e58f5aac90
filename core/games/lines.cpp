#include "games/lines.h"

namespace tengen {

Lines::Lines(int size) : size_(size) {
    for (auto& direction : words_) direction.fill(~std::uint64_t{0});  // edge everywhere, then the board
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column)
            flip({static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column)}, edge);
}

}  // namespace tengen
