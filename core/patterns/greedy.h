// S0's greedy move algorithm: which moves it draws from.
#pragma once

#include <vector>

#include "patterns/shapes.h"

namespace tengen {

// The first of these sets that is not empty, as S0 orders them: moves that
// make five; moves that stop a five; that make a four; that stop a four; that
// make a three; that make a two; all legal moves. On an empty board, the
// central 5x5. Unlike S0's listing, rival stones block, and under renju a
// black foul is neither a move nor a threat. Empty only when the game is over.
std::vector<int> greedy_candidates(const ShapedGomoku& board);

}  // namespace tengen
