#include "games/renju.h"

namespace tengen {
namespace {

LineEntry entry(const Lines& lines, const LineTable& table, int direction, Point p) {
    return table.at(lines.word(direction, p), Lines::offset(direction, p));
}

bool makes_five(const Lines& lines, const LineTable& table, Point p) {
    for (int d = 0; d < directions; ++d)
        if (entry(lines, table, d, p).shape(Side::black) == Shape::five) return true;
    return false;
}

// Whether the three through `p`, already on the board, may really grow into a
// straight four: at some point that neither makes five nor is a foul itself.
bool is_legal_three(const Lines& lines, const LineTable& table, int d, Point p, int size) {
    for (const int sign : {1, -1}) {
        for (int step = 1; step < 4; ++step) {
            const int row = p.row + sign * step * row_step[d], column = p.column + sign * step * column_step[d];
            if (row < 0 || row >= size || column < 0 || column >= size) break;
            const Point x{static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column)};
            const Cell cell = lines.at(x);
            if (cell == black_stone) continue;
            // The four has no gap, so the first empty point on each side is the only candidate there.
            if (cell == empty) {
                const LineEntry four = entry(lines, table, d, x);
                if (four.shape(Side::black) == Shape::open_four && !four.two_fours() && !makes_five(lines, table, x) &&
                    renju_foul(lines, table, x, size) == Foul::none)
                    return true;
            }
            break;
        }
    }
    return false;
}

}  // namespace

Foul renju_foul(const Lines& lines, const LineTable& table, Point p, int size) {
    // 1. One look along each line settles everything but the threes.
    int fours = 0, threes = 0;
    bool overline = false;
    std::array<bool, directions> three{};
    for (int d = 0; d < directions; ++d) {
        const LineEntry e = entry(lines, table, d, p);
        const Shape shape = e.shape(Side::black);
        if (shape == Shape::five) return Foul::none;
        if (shape == Shape::rush_four || shape == Shape::open_four) fours += e.two_fours() ? 2 : 1;
        three[d] = shape == Shape::open_three;
        threes += three[d];
        overline |= e.overline();
    }
    if (fours >= 2) return Foul::double_four;
    // 2. A three counts only if black may complete it. Each level adds a stone, so this ends.
    if (threes >= 2) {
        Lines after = lines;
        after.flip(p, black_stone);
        int legal = 0;
        for (int d = 0; d < directions; ++d) legal += three[d] && is_legal_three(after, table, d, p, size);
        if (legal >= 2) return Foul::double_three;
    }
    return overline ? Foul::overline : Foul::none;
}

}  // namespace tengen
