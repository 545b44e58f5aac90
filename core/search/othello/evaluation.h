// What an Othello position is worth before the end, in discs for the mover.
//
// On 8x8: tables over patterns (edges, corners, lines, diagonals), one set per
// phase of the game, fitted on games the program played itself. A pattern is a
// number in balanced ternary, +1 for the mover's disc and -1 for the rival's,
// so the same position seen by the other side has the negated numbers, and a
// move adds constants to them. Elsewhere, and without tables: a formula over mobility, corners
// and frontier.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/othello/discs.h"

namespace tengen {

inline constexpr int othello_features = 46;
inline constexpr int othello_phases = 15;

// The pattern numbers of a position from the mover's side, padded to whole registers.
struct alignas(32) OthelloFeatures {
    static constexpr int padded = 48;
    std::int16_t index[padded];
};

// A position as the midgame search holds it; only 8x8 has features.
template <int N>
struct OthelloNode {
    typename OthelloBits<N>::Word own, rival;
    int empties() const { return N * N - bit_count(own | rival); }
};
template <>
struct OthelloNode<8> {
    std::uint64_t own, rival;
    OthelloFeatures features;
    int empties() const { return 64 - std::popcount(own | rival); }
};

// How far a search to `shallow` plies strays from one to `deep` plies: the standard deviation, in discs.
struct OthelloErrors {
    std::array<float, 4> middle{2.5f, 0.0f, 0.15f, -0.1f};  // constant, empties, deep, shallow
    std::array<float, 4> end{6.0f, 0.05f, -0.3f, 0.0f};     // constant, empties, shallow, unused
    double middlegame(int empties, int deep, int shallow) const;
    double endgame(int empties, int shallow) const;
};

class OthelloEvaluation {
public:
    OthelloEvaluation() = default;
    // Tables as `othello_weights_layout` describes them. Throws GameError on anything else.
    explicit OthelloEvaluation(std::span<const std::uint8_t> bytes);

    template <int N>
    OthelloNode<N> node(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival) const;
    // The position after a move that turns `turned`.
    template <int N>
    OthelloNode<N> after(const OthelloNode<N>& node, int at, typename OthelloBits<N>::Word turned) const;
    template <int N>
    OthelloNode<N> after_pass(const OthelloNode<N>& node) const;
    template <int N>
    int value(const OthelloNode<N>& node) const;

    bool has_tables() const { return !tables_.empty(); }
    const OthelloErrors& errors() const { return errors_; }

private:
    std::vector<std::int16_t> tables_;  // [phase][pattern number], symmetric numbers filled in
    OthelloErrors errors_;
};

// How many weights one phase has in a file, symmetric patterns sharing one.
int othello_weights_per_phase();
int othello_phase(int empties);
// Which weights of its phase a position uses.
void othello_weight_ids(std::uint64_t own, std::uint64_t rival, std::uint32_t* ids);

// The file's fixed front, little endian. Behind it: int16 weights [phases][weights per phase].
struct OthelloTablesHeader {
    char magic[4] = {'T', 'G', 'O', 'E'};
    std::uint16_t version = 1, phases = othello_phases;
    std::uint32_t weights_per_phase = 0;
    std::uint16_t units_per_disc = 32, reserved = 0;
    std::uint64_t checksum = 0;  // othello_checksum of the weights
    OthelloErrors errors;
};
static_assert(sizeof(OthelloTablesHeader) == 56);
std::uint64_t othello_checksum(std::span<const std::uint8_t> bytes);

}  // namespace tengen
