#include "search/othello/evaluation.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>

#include "games/game.h"

namespace tengen {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are stored little endian");

constexpr int units_per_disc = 32;
constexpr int most_cells = 10;

struct Family {
    int length;
    int cells[most_cells];  // row * 8 + column of one instance
    bool mirrored;          // its own mirror image: two readings share one weight
};
constexpr Family families[] = {
    {10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 14}, true},     // edge and the two cells diagonal to its corners
    {10, {0, 1, 2, 3, 4, 8, 9, 10, 11, 12}, false},  // 2x5 corner
    {9, {0, 1, 2, 8, 9, 10, 16, 17, 18}, true},      // 3x3 corner
    {8, {8, 9, 10, 11, 12, 13, 14, 15}, true},       // the lines inside the edge
    {8, {16, 17, 18, 19, 20, 21, 22, 23}, true},
    {8, {24, 25, 26, 27, 28, 29, 30, 31}, true},
    {8, {0, 9, 18, 27, 36, 45, 54, 63}, true},  // diagonals
    {7, {1, 10, 19, 28, 37, 46, 55}, true},
    {6, {2, 11, 20, 29, 38, 47}, true},
    {5, {3, 12, 21, 30, 39}, true},
    {4, {4, 13, 22, 31}, true},
};
constexpr int family_count = std::size(families);

constexpr int power3(int n) { return n ? 3 * power3(n - 1) : 1; }

// One of the eight symmetries of the board.
constexpr int turn(int cell, int symmetry) {
    int row = cell / 8, column = cell % 8;
    if (symmetry & 1) column = 7 - column;
    if (symmetry & 2) row = 7 - row;
    if (symmetry & 4) std::swap(row, column);
    return row * 8 + column;
}

struct Geometry {
    int family[othello_features];
    int centre[othello_features];              // where pattern number 0 of each feature lies in a phase's table
    alignas(32) std::int16_t place[64][OthelloFeatures::padded]{};  // what a disc on a cell adds to each feature
    int first[family_count + 1];               // where each family's table begins
    int reading[family_count][most_cells];     // the mirrored family's cells in the other order
};

constexpr Geometry make_geometry() {
    Geometry g{};
    int feature = 0, total = 0;
    for (int f = 0; f < family_count; ++f) {
        const Family& family = families[f];
        g.first[f] = total;
        std::uint64_t seen[8]{};
        int count = 0;
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            std::uint64_t mask = 0;
            for (int i = 0; i < family.length; ++i) mask |= std::uint64_t{1} << turn(family.cells[i], symmetry);
            bool known = false;
            for (int k = 0; k < count; ++k) known |= seen[k] == mask;
            if (known) {
                // The same cells read in another order: the mirror image, noted once.
                if (mask == seen[0])
                    for (int i = 0; i < family.length; ++i)
                        for (int j = 0; j < family.length; ++j)
                            if (turn(family.cells[i], symmetry) == family.cells[j]) g.reading[f][i] = j;
                continue;
            }
            seen[count++] = mask;
            for (int i = 0; i < family.length; ++i)
                g.place[turn(family.cells[i], symmetry)][feature] = static_cast<std::int16_t>(power3(i));
            g.family[feature] = f;
            g.centre[feature] = total + power3(family.length) / 2;
            ++feature;
        }
        total += power3(family.length);
    }
    g.first[family_count] = total;
    if (feature != othello_features) throw "the patterns must have as many instances as there are features";
    return g;
}
constexpr Geometry geometry = make_geometry();
constexpr int table_size = geometry.first[family_count];

// For each pattern number of a phase's table, the weight in the file that it uses.
struct Sharing {
    std::vector<std::uint32_t> weight = std::vector<std::uint32_t>(table_size);
    int count = 0;
    Sharing() {
        for (int f = 0; f < family_count; ++f)
            for (int number = 0; number < power3(families[f].length); ++number) {
                const int mirror = families[f].mirrored ? mirrored(f, number) : number;
                const auto at = static_cast<std::size_t>(geometry.first[f] + number);
                weight[at] = mirror < number ? weight[static_cast<std::size_t>(geometry.first[f] + mirror)]
                                             : static_cast<std::uint32_t>(count++);
            }
    }
    static int mirrored(int f, int number) {
        int result = 0;
        for (int i = 0; i < families[f].length; ++i, number /= 3) result += number % 3 * power3(geometry.reading[f][i]);
        return result;
    }
};
const Sharing& sharing() {
    static const Sharing once;
    return once;
}

constexpr int padded = OthelloFeatures::padded;
static_assert(padded >= othello_features);

OthelloFeatures features_of(std::uint64_t own, std::uint64_t rival) {
    int sums[padded]{};
    for (; own; own &= own - 1)
        for (int i = 0; i < padded; ++i) sums[i] += geometry.place[lowest_bit(own)][i];
    for (; rival; rival &= rival - 1)
        for (int i = 0; i < padded; ++i) sums[i] -= geometry.place[lowest_bit(rival)][i];
    OthelloFeatures f{};
    for (int i = 0; i < padded; ++i) f.index[i] = static_cast<std::int16_t>(sums[i]);
    return f;
}

// The cells beside any of `discs`.
template <int N>
auto spread(typename OthelloBits<N>::Word discs) {
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;
    constexpr Word first = [] {
        Word all = 0;
        for (int row = 0; row < N; ++row) all |= Bits::bit(row, 0);
        return all;
    }();
    constexpr Word last = first << (N - 1);
    const Word wide = discs | ((discs & ~last) << 1) | ((discs & ~first) >> 1);
    return (wide | wide << Bits::stride | wide >> Bits::stride) & Bits::board;
}

// Corners, the cells that give them away, replies and frontier. Late in the game discs begin to count.
template <int N>
int rule_of_thumb(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival) {
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;
    constexpr Word corners = OthelloDiscs<N>::corners;
    const Word empty = Bits::board & ~(own | rival);
    const int mobility = bit_count(Bits::moves(own, rival)) - bit_count(Bits::moves(rival, own));
    const int frontier = bit_count(spread<N>(empty) & rival) - bit_count(spread<N>(empty) & own);
    const int corner = bit_count(own & corners) - bit_count(rival & corners);
    const Word exposed = spread<N>(corners & empty) & ~corners;
    const int given = bit_count(rival & exposed) - bit_count(own & exposed);
    const int stable = count_stable<N>(own, rival) - count_stable<N>(rival, own);
    return (6 * mobility + 3 * frontier + 30 * corner + 8 * given + 8 * stable) / 8;
}

}  // namespace

double OthelloErrors::middlegame(int empties, int deep, int shallow) const {
    return std::max(0.7f, middle[0] + middle[1] * static_cast<float>(empties) + middle[2] * static_cast<float>(deep) +
                              middle[3] * static_cast<float>(shallow));
}

double OthelloErrors::endgame(int empties, int shallow) const {
    return std::max(1.0f, end[0] + end[1] * static_cast<float>(empties) + end[2] * static_cast<float>(shallow));
}

int othello_weights_per_phase() { return sharing().count; }

int othello_phase(int empties) { return std::clamp((60 - empties) / 4, 0, othello_phases - 1); }

void othello_weight_ids(std::uint64_t own, std::uint64_t rival, std::uint32_t* ids) {
    const OthelloFeatures f = features_of(own, rival);
    for (int i = 0; i < othello_features; ++i)
        ids[i] = sharing().weight[static_cast<std::size_t>(geometry.centre[i] + f.index[i])];
}

std::uint64_t othello_checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
    return hash;
}

OthelloEvaluation::OthelloEvaluation(std::span<const std::uint8_t> bytes) {
    OthelloTablesHeader header, expected;
    if (bytes.size() < sizeof header) throw GameError("Othello tables end inside their header");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.magic, expected.magic, 4) != 0 || header.version != expected.version)
        throw GameError("these bytes are no Othello tables of version 1");
    const auto per_phase = static_cast<std::size_t>(othello_weights_per_phase());
    if (header.phases != othello_phases || header.weights_per_phase != per_phase ||
        header.units_per_disc != units_per_disc || bytes.size() != sizeof header + 2 * per_phase * othello_phases)
        throw GameError("Othello tables of another shape than " + std::to_string(othello_phases) + " phases of " +
                        std::to_string(per_phase) + " weights");
    const auto body = bytes.subspan(sizeof header);
    if (othello_checksum(body) != header.checksum) throw GameError("Othello tables are damaged: the checksum is wrong");
    std::vector<std::int16_t> weights(per_phase * othello_phases);
    std::memcpy(weights.data(), body.data(), body.size());
    tables_.resize(static_cast<std::size_t>(table_size) * othello_phases);
    for (std::size_t phase = 0; phase < othello_phases; ++phase)
        for (std::size_t i = 0; i < table_size; ++i)
            tables_[phase * table_size + i] = weights[phase * per_phase + sharing().weight[i]];
    for (const auto* set : {&header.errors.middle, &header.errors.end})
        for (const float c : *set)
            if (!(c > -100 && c < 100)) throw GameError("Othello tables have senseless error coefficients");
    errors_ = header.errors;
}

template <int N>
OthelloNode<N> OthelloEvaluation::node(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival) const {
    if constexpr (N == 8)
        return {own, rival, features_of(own, rival)};
    else
        return {own, rival};
}

template <int N>
OthelloNode<N> OthelloEvaluation::after(const OthelloNode<N>& node, int at,
                                        typename OthelloBits<N>::Word turned) const {
    using Word = typename OthelloBits<N>::Word;
    OthelloNode<N> next;
    next.own = node.rival ^ turned;
    next.rival = node.own | turned | Word{1} << at;
    if constexpr (N == 8) {
        // The placed disc counts once, a turned one twice: it was a minus before.
        alignas(32) std::int16_t sum[padded]{};
        for (; turned; turned &= turned - 1) {
            const std::int16_t* add = geometry.place[lowest_bit(turned)];
            for (int i = 0; i < padded; ++i) sum[i] = static_cast<std::int16_t>(sum[i] + add[i]);
        }
        const std::int16_t* add = geometry.place[at];
        for (int i = 0; i < padded; ++i)
            next.features.index[i] = static_cast<std::int16_t>(-(node.features.index[i] + add[i] + 2 * sum[i]));
    }
    return next;
}

template <int N>
OthelloNode<N> OthelloEvaluation::after_pass(const OthelloNode<N>& node) const {
    OthelloNode<N> next;
    next.own = node.rival;
    next.rival = node.own;
    if constexpr (N == 8)
        for (int i = 0; i < padded; ++i) next.features.index[i] = static_cast<std::int16_t>(-node.features.index[i]);
    return next;
}

template <int N>
int OthelloEvaluation::value(const OthelloNode<N>& node) const {
    constexpr int limit = N * N - 2;
    if (!node.own) return -N * N;
    if constexpr (N == 8)
        if (has_tables()) {
            const auto phase = static_cast<std::size_t>(othello_phase(node.empties()));
            const std::int16_t* table = tables_.data() + phase * table_size;
            int sum = 0;
            for (int i = 0; i < othello_features; ++i) sum += table[geometry.centre[i] + node.features.index[i]];
            const int half = sum >= 0 ? units_per_disc / 2 : -units_per_disc / 2;
            return std::clamp((sum + half) / units_per_disc, -limit, limit);
        }
    return std::clamp(rule_of_thumb<N>(node.own, node.rival), -limit, limit);
}

#define TENGEN_OTHELLO_EVALUATION(N)                                                                             \
    template OthelloNode<N> OthelloEvaluation::node<N>(OthelloBits<N>::Word, OthelloBits<N>::Word) const;        \
    template OthelloNode<N> OthelloEvaluation::after<N>(const OthelloNode<N>&, int, OthelloBits<N>::Word) const; \
    template OthelloNode<N> OthelloEvaluation::after_pass<N>(const OthelloNode<N>&) const;                       \
    template int OthelloEvaluation::value<N>(const OthelloNode<N>&) const;
TENGEN_OTHELLO_EVALUATION(4)
TENGEN_OTHELLO_EVALUATION(6)
TENGEN_OTHELLO_EVALUATION(8)
TENGEN_OTHELLO_EVALUATION(10)
#undef TENGEN_OTHELLO_EVALUATION

}  // namespace tengen
