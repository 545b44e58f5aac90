// The four lines through a point, as words of two-bit cells.
//
// Every row, column and diagonal of a Gomoku board is one 64-bit word: cell i
// of the line sits at bits 2 * (i + pad). Cells outside the board hold `edge`,
// so that a scan along a line stops by itself. 22 cells and two pads of five
// fill the word exactly, which is why boards end at 22.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/game.h"

namespace tengen {

inline constexpr int max_size = 22;
inline constexpr int max_cells = max_size * max_size;
inline constexpr int directions = 4;  // along the row, along the column, down-right, up-right
inline constexpr std::array<int, directions> row_step{0, 1, 1, -1}, column_step{1, 0, 1, 1};

enum Cell : std::uint8_t { empty = 0, black_stone = 1, white_stone = 2, edge = 3 };

constexpr Cell stone_of(Side side) { return side == Side::black ? black_stone : white_stone; }

struct Point {
    std::uint8_t row;
    std::uint8_t column;
};

// A run of stones of one side through a point, and the cells at its two ends.
struct Run {
    int length;
    Cell before;
    Cell after;
};

class Lines {
public:
    static constexpr int pad = 5;

    explicit Lines(int size);

    // The word of the line through `p` in `direction`, and p's cell in it.
    std::uint64_t word(int direction, Point p) const { return words_[direction][line(direction, p)]; }
    static int offset(int direction, Point p) { return direction == 1 ? p.row : p.column; }

    Cell at(Point p) const { return cell(words_[0][p.row], p.column); }
    static Cell cell(std::uint64_t word, int offset) { return static_cast<Cell>((word >> (2 * (offset + pad))) & 3); }

    // Sets an empty cell, or clears one that holds `stone`: the same operation.
    void flip(Point p, Cell stone) {
        for (int d = 0; d < directions; ++d)
            words_[d][line(d, p)] ^= std::uint64_t{stone} << (2 * (offset(d, p) + pad));
    }

    // The run of `stone` through `p`, where a stone of that kind must stand.
    Run run(int direction, Point p, Cell stone) const {
        const std::uint64_t w = word(direction, p);
        const int at = 2 * (offset(direction, p) + pad);
        const std::uint64_t same = both_bits_where(w, stone);
        const int up = std::countr_one(same >> at);           // bits from p upwards
        const int down = std::countl_one(same << (62 - at));  // bits from p downwards, p included
        return {(up + down) / 2 - 1, static_cast<Cell>((w >> (at - down)) & 3),
                static_cast<Cell>((w >> (at + up)) & 3)};
    }

    // Whether `stone` has `length` or more in a row anywhere on the four lines
    // through `p`.
    bool has_run(Point p, Cell stone, int length) const {
        for (int d = 0; d < directions; ++d) {
            std::uint64_t left = one_bit_where(word(d, p), stone);
            int have = 1;
            while (2 * have <= length) left &= left >> (2 * have), have *= 2;
            left &= left >> (2 * (length - have));
            if (left) return true;
        }
        return false;
    }

private:
    static constexpr std::uint64_t low_bits = 0x5555555555555555u;

    static std::uint64_t one_bit_where(std::uint64_t w, Cell stone) {
        const std::uint64_t low = w & low_bits, high = (w >> 1) & low_bits;
        return stone == black_stone ? low & ~high : high & ~low;
    }
    static std::uint64_t both_bits_where(std::uint64_t w, Cell stone) { return one_bit_where(w, stone) * 3; }

    int line(int direction, Point p) const {
        switch (direction) {
            case 0: return p.row;
            case 1: return p.column;
            case 2: return p.column - p.row + size_ - 1;
            default: return p.column + p.row;
        }
    }

    int size_;
    std::array<std::array<std::uint64_t, 2 * max_size - 1>, directions> words_;
};

}  // namespace tengen
