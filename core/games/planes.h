// Positions as planes of floats, the way the networks of S0..S4 read them.
#pragma once

#include <array>
#include <string_view>

#include "games/gomoku.h"
#include "games/othello.h"

namespace tengen {

// Each plane is size * size floats, row 0 at the top. "Own" is the mover's.
//   s0  2: own stones, rival stones
//   s1  1: own +1, rival -1
//   s2  3: white, empty, black, whoever is to move
//   s3  4: own, rival, the last move, ones if black is to move
//   s4 13: own and rival now, one move ago, ... five moves ago (from the view
//          of the mover now; zeros before the start), ones if black is to move
enum class Encoding : std::uint8_t { s0, s1, s2, s3, s4 };

struct EncodingInfo {
    Encoding encoding;
    std::string_view name;
    int planes;
};

inline constexpr std::array<EncodingInfo, 5> encodings{{{Encoding::s0, "s0", 2},
                                                        {Encoding::s1, "s1", 1},
                                                        {Encoding::s2, "s2", 3},
                                                        {Encoding::s3, "s3", 4},
                                                        {Encoding::s4, "s4", 13}}};

constexpr int plane_count(Encoding encoding) { return encodings[static_cast<std::size_t>(encoding)].planes; }

// Writes plane_count(encoding) * size * size floats.
template <class B>
void write_planes(const B& board, Encoding encoding, float* out);

}  // namespace tengen
