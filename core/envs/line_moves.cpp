#include "envs/line_moves.h"

#include <algorithm>
#include <array>

#include "games/lines.h"
#include "games/random.h"

namespace tengen {
namespace {

constexpr int key_bits = 2 * line_reach, keys = 1 << key_bits;

// From four cells of a word to the number of the half. Below a point the
// nearest cell is the highest of the four, above it the lowest.
struct HalfNumbers {
    std::array<std::uint8_t, keys> above{}, below{};
};

constexpr HalfNumbers make_half_numbers() {
    HalfNumbers numbers{};
    for (int half = 0; half < line_halves; ++half) {
        unsigned above = 0, below = 0;
        for (int i = 0; i < line_reach; ++i) {
            const auto cell = static_cast<unsigned>(half_cells[static_cast<std::size_t>(half)][static_cast<std::size_t>(i)]);
            above |= cell << (2 * i);
            below |= cell << (2 * (line_reach - 1 - i));
        }
        numbers.above[above] = numbers.below[below] = static_cast<std::uint8_t>(half);
    }
    return numbers;
}

constexpr HalfNumbers half_numbers = make_half_numbers();
static_assert(static_cast<int>(Neighbour::own) == black_stone && static_cast<int>(Neighbour::off) == edge);

// An empty board with the mover's stones as black ones.
Lines lines_of(const float* planes, int size, Lines lines) {
    const float* rival = planes + size * size;
    for (int cell = 0; cell < size * size; ++cell)
        if (planes[cell] != 0 || rival[cell] != 0)
            lines.flip({static_cast<std::uint8_t>(cell / size), static_cast<std::uint8_t>(cell % size)},
                       planes[cell] != 0 ? black_stone : white_stone);
    return lines;
}

float value_at(const Lines& lines, Point p, const float* table) {
    float value = 0;
    for (int d = 0; d < directions; ++d) {
        const std::uint64_t near = lines.word(d, p) >> (2 * (Lines::offset(d, p) + Lines::pad - line_reach));
        const auto below = half_numbers.below[near & (keys - 1)];
        const auto above = half_numbers.above[near >> (key_bits + 2) & (keys - 1)];
        value += table[below * line_halves + above];
    }
    return value;
}

std::int64_t choose_one(const LineGames& in, int game, const Lines& empty_board, std::uint64_t seed) {
    const int cells = in.size * in.size;
    const std::uint8_t* mask = in.mask + static_cast<std::ptrdiff_t>(game) * cells;
    if (in.which[game] < 0) return std::find(mask, mask + cells, 1) - mask;
    const Lines lines = lines_of(in.planes + static_cast<std::ptrdiff_t>(game) * 2 * cells, in.size, empty_board);
    const float* table = in.tables + in.which[game] * line_codes;
    std::array<std::int16_t, max_cells> best;
    std::uint32_t count = 0;
    float highest = 0;
    int cell = 0;
    for (int row = 0; row < in.size; ++row)
        for (int column = 0; column < in.size; ++column, ++cell) {
            if (!mask[cell]) continue;
            const float value = value_at(lines, {static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column)}, table);
            if (count && value < highest) continue;
            if (!count || value > highest) count = 0, highest = value;
            best[count++] = static_cast<std::int16_t>(cell);
        }
    if (count == 1) return best[0];
    Random random(splitmix64(seed) + static_cast<std::uint64_t>(game));
    return best[random.below(count)];
}

}  // namespace

void line_values(const float* planes, int size, const float* table, float* out) {
    const Lines lines = lines_of(planes, size, Lines(size));
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column)
            *out++ = value_at(lines, {static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column)}, table);
}

void LineMover::choose(const LineGames& in, std::uint64_t seed, std::int64_t* out) {
    const Lines empty_board(in.size);
    team_.run(in.games, 32, [&](int first, int last, int) {
        for (int game = first; game < last; ++game) out[game] = choose_one(in, game, empty_board, seed);
    });
}

}  // namespace tengen
