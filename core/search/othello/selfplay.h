// Games that the Othello search plays against itself, as material for its evaluation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/othello/evaluation.h"

namespace tengen {

struct OthelloSelfPlay {
    std::uint64_t seed = 0;  // with the number of the game: the game
    int first_game = 0;
    int games = 1;
    int depth = 4;           // plies that each move is searched
    int random_min = 8, random_max = 24;  // random plies at the start, none of which is recorded
    int foresight = 8;
    int exact_empties = 14;  // from here on every position is solved
};

// Positions from the mover's side with two scores, both for the mover: the final disc difference (of the best
// play from `exact_empties` on, of the game as it was played before that), and what the search thought of the
// game `foresight` plies later. The second has less chance in it, the first no prejudice.
struct OthelloSamples {
    std::vector<std::uint64_t> own, rival;
    std::vector<std::int8_t> score, foreseen;
};

OthelloSamples othello_self_play(const OthelloEvaluation& evaluation, const OthelloSelfPlay& options);

// The scores of positions searched to `depth` plies without any probable cuts; 64: to the end.
std::vector<std::int8_t> othello_depth_scores(const OthelloEvaluation& evaluation, std::span<const std::uint64_t> own,
                                              std::span<const std::uint64_t> rival, int depth);

}  // namespace tengen
