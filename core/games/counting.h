// Exact counts of move sequences, and random games to their end.
#pragma once

#include <cstdint>

#include "games/game.h"
#include "games/gomoku.h"
#include "games/othello.h"
#include "games/random.h"

namespace tengen {

// The leaves of the game tree cut `depth` plies from here: sequences of that
// many moves, and games that ended sooner. A pass is a ply. Blocks until counted.
std::uint64_t perft(GomokuBoard board, int depth);
template <int N>
std::uint64_t perft(const OthelloBoard<N>& board, int depth);

struct Playouts {
    std::uint64_t games = 0;
    std::uint64_t moves = 0;
    std::uint64_t black_wins = 0;
    std::uint64_t white_wins = 0;
    std::uint64_t draws = 0;
};

// Plays `games` games from `start` to the end, every move uniform among the
// legal ones. The same seed gives the same games.
Playouts random_playouts(const GomokuBoard& start, std::uint64_t games, std::uint64_t seed);
template <int N>
Playouts random_playouts(const OthelloBoard<N>& start, std::uint64_t games, std::uint64_t seed);

// One legal action, uniformly; the game must not be over.
int random_action(const GomokuBoard& board, Random& random);
template <int N>
int random_action(const OthelloBoard<N>& board, Random& random);

}  // namespace tengen
