// Black's fouls in renju.
#pragma once

#include "games/gomoku.h"

namespace tengen {

// Why black may not play at the empty point `p`. In this order: an exact five
// is never a foul; two fours are; two threes are, if each could really become
// a straight four; six or more in a row is.
Foul renju_foul(const Lines& lines, const LineTable& table, Point p, int size);

}  // namespace tengen
