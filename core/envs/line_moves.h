// The moves of many individuals in many games, each of which rates a point by
// the four lines through it.
#pragma once

#include <cstdint>

#include "patterns/line_codes.h"
#include "selfplay/team.h"

namespace tengen {

// An individual is a table of `line_codes` floats: what a line is worth whose
// two halves are a and b stands at a * line_halves + b. A point is worth the sum
// of its four lines.
struct LineGames {
    int games = 0;
    int size = 0;                          // of the boards
    const float* planes = nullptr;         // [games, 2, size, size]: the mover's stones, the rival's
    const std::uint8_t* mask = nullptr;    // [games, size * size]: 1 = legal
    const std::int64_t* which = nullptr;   // [games]: whose move it is; below 0: anybody's, the first legal one
    const float* tables = nullptr;         // [individuals, line_codes]
};

// Writes what each point is worth, size * size floats, stones included.
void line_values(const float* planes, int size, const float* table, float* out);

// Chooses moves with a team of threads. One call at a time.
class LineMover {
public:
    explicit LineMover(int threads) : team_(threads) {}

    // The legal move of the highest value in each game, into out [games]; among
    // equals one is drawn, by the seed and the game's number alone.
    void choose(const LineGames& in, std::uint64_t seed, std::int64_t* out);

private:
    Team team_;
};

}  // namespace tengen
