// Positions as the networks see them: planes of bytes, 0 or 1.
//
// Tengen's own networks play many sizes, so a board may be written into a larger
// square (`stride` cells wide, the board in its top left corner); plane 0 says
// which cells are on the board. "Own" is the mover's.
//   gomoku 16: on board; own, rival stones; points where own makes five, a
//              winning four, any four, an open three and no four; the same for
//              the rival; black's forbidden points; ones if black is to move; ones
//              under standard, renju, caro
//   othello 5: on board; own, rival discs; own, rival legal moves
//   s3, s4     as games/planes.h has them
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "games/gomoku.h"
#include "games/othello.h"
#include "search/threat_board.h"

namespace tengen {

enum class NetEncoding : std::uint8_t { gomoku, othello, s3, s4 };

struct NetEncodingInfo {
    NetEncoding encoding;
    std::string_view name;
    int planes;
};

inline constexpr std::array<NetEncodingInfo, 4> net_encodings{{{NetEncoding::gomoku, "gomoku", 16},
                                                               {NetEncoding::othello, "othello", 5},
                                                               {NetEncoding::s3, "s3", 4},
                                                               {NetEncoding::s4, "s4", 13}}};

constexpr int plane_count(NetEncoding encoding) { return net_encodings[static_cast<std::size_t>(encoding)].planes; }

// Each writes plane_count(encoding) * stride * stride bytes; `threats` shows the same position as `board`.
void write_input(const GomokuBoard& board, const ThreatBoard& threats, NetEncoding encoding, int stride, std::uint8_t* out);
template <int N>
void write_input(const OthelloBoard<N>& board, NetEncoding encoding, int stride, std::uint8_t* out);

// Throws GameError if a board of this kind cannot be written that way.
template <class B>
void check_encoding(NetEncoding encoding);

}  // namespace tengen
