// Moves by the values of lines, against the same written plainly.
#include "envs/line_moves.h"

#include <cmath>
#include <vector>

#include "check.h"
#include "games/lines.h"
#include "games/random.h"

using namespace tengen;

namespace {

constexpr int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};

struct Boards {
    int games, size;
    std::vector<float> planes;
    std::vector<std::uint8_t> mask;
};

Boards random_boards(int games, int size, Random& random) {
    Boards b{games, size, std::vector<float>(static_cast<std::size_t>(games * 2 * size * size)), {}};
    const int cells = size * size;
    for (int g = 0; g < games; ++g)
        for (int cell = 0; cell < cells; ++cell) {
            const int dice = static_cast<int>(random.below(4));
            const bool stone = dice < 2 && cell != 0;  // a point is always free
            if (stone) b.planes[static_cast<std::size_t>((2 * g + dice) * cells + cell)] = 1;
            b.mask.push_back(!stone);
        }
    return b;
}

// The number of the half that starts next to a cell and goes in one direction.
int half_at(const float* planes, int size, int row, int column, int down, int right) {
    for (int half = 0; half < line_halves; ++half) {
        bool same = true;
        for (int i = 0; i < line_reach && same; ++i) {
            const int r = row + (i + 1) * down, c = column + (i + 1) * right;
            Neighbour here = Neighbour::off;
            if (r >= 0 && r < size && c >= 0 && c < size)
                here = planes[r * size + c] != 0             ? Neighbour::own
                       : planes[(size + r) * size + c] != 0 ? Neighbour::rival
                                                            : Neighbour::empty;
            same = half_cells[static_cast<std::size_t>(half)][static_cast<std::size_t>(i)] == here;
        }
        if (same) return half;
    }
    return -1;
}

// Lines are the same read either way only if the table says so: ours is any table, so the order of halves counts.
float slow_value(const float* planes, int size, int row, int column, const float* table) {
    float value = 0;
    for (const auto& [down, right] : steps) {
        const int below = half_at(planes, size, row, column, -down, -right);
        const int above = half_at(planes, size, row, column, down, right);
        // The core reads a line by rising columns, the column itself by rising rows.
        value += table[below * line_halves + above];
    }
    return value;
}

std::vector<float> random_tables(int count, Random& random) {
    std::vector<float> tables(static_cast<std::size_t>(count) * line_codes);
    for (float& value : tables) value = static_cast<float>(random.unit());
    return tables;
}

}  // namespace

TEST(halves_are_all_there_once) {
    for (int a = 0; a < line_halves; ++a)
        for (int b = 0; b < a; ++b)
            CHECK(half_cells[static_cast<std::size_t>(a)] != half_cells[static_cast<std::size_t>(b)]);
    CHECK(half_cells[0][0] == Neighbour::empty);
}

TEST(values_are_those_of_the_plain_way) {
    Random random(1);
    const std::vector<float> table = random_tables(1, random);
    for (const int size : {1, 3, 5, 9, 15, max_size}) {
        const Boards b = random_boards(check::rounds(6), size, random);
        for (int g = 0; g < b.games; ++g) {
            const float* planes = &b.planes[static_cast<std::size_t>(g * 2 * size * size)];
            std::vector<float> values(static_cast<std::size_t>(size * size));
            line_values(planes, size, table.data(), values.data());
            for (int cell = 0; cell < size * size; ++cell) {
                const float slow = slow_value(planes, size, cell / size, cell % size, table.data());
                CHECK(std::abs(values[static_cast<std::size_t>(cell)] - slow) < 1e-5F);
            }
        }
    }
}

TEST(the_best_legal_move_is_chosen_by_any_number_of_threads) {
    Random random(2);
    constexpr int individuals = 3, size = 9, cells = size * size;
    const std::vector<float> tables = random_tables(individuals, random);
    const Boards b = random_boards(check::rounds(300), size, random);
    std::vector<std::int64_t> which;
    for (int g = 0; g < b.games; ++g) which.push_back(static_cast<std::int64_t>(random.below(individuals + 1)) - 1);
    const LineGames in{b.games, size, b.planes.data(), b.mask.data(), which.data(), tables.data()};
    std::vector<std::int64_t> chosen(which.size()), again(which.size());
    LineMover(1).choose(in, 5, chosen.data());
    LineMover(3).choose(in, 5, again.data());
    CHECK(chosen == again);
    for (int g = 0; g < b.games; ++g) {
        const auto at = static_cast<std::size_t>(g);
        CHECK(b.mask[at * cells + static_cast<std::size_t>(chosen[at])] == 1);
        if (which[at] < 0) {
            CHECK(chosen[at] == 0);
            continue;
        }
        std::vector<float> values(cells);
        line_values(&b.planes[at * 2 * cells], size, &tables[static_cast<std::size_t>(which[at]) * line_codes], values.data());
        for (std::size_t cell = 0; cell < cells; ++cell)
            CHECK(!b.mask[at * cells + cell] || values[cell] <= values[static_cast<std::size_t>(chosen[at])]);
    }
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
