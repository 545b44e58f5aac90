// Othello on bitboards: the moves of a side and the discs that a move turns.
//
// Boards up to 8x8 live in the top left corner of an 8x8 word; the cells
// outside are never occupied, so lines end there by themselves. 10x10 takes
// 128 bits. Bit row * stride + column is the cell at that row and column.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace tengen {

using Word128 = unsigned __int128;

inline int bit_count(std::uint64_t w) { return std::popcount(w); }
inline int bit_count(Word128 w) {
    return std::popcount(static_cast<std::uint64_t>(w)) + std::popcount(static_cast<std::uint64_t>(w >> 64));
}
inline int lowest_bit(std::uint64_t w) { return std::countr_zero(w); }
inline int lowest_bit(Word128 w) {
    const auto low = static_cast<std::uint64_t>(w);
    return low ? std::countr_zero(low) : 64 + std::countr_zero(static_cast<std::uint64_t>(w >> 64));
}

template <int N>
struct OthelloBits {
    static_assert(N == 4 || N == 6 || N == 8 || N == 10);
    using Word = std::conditional_t<N <= 8, std::uint64_t, Word128>;
    static constexpr int stride = N <= 8 ? 8 : N;

    static constexpr Word bit(int row, int column) { return Word{1} << (row * stride + column); }
    static constexpr Word bit_of(int cell) { return bit(cell / N, cell % N); }
    static constexpr int cell_of(int bit_index) { return bit_index / stride * N + bit_index % stride; }

    static constexpr Word board = [] {
        Word all = 0;
        for (int i = 0; i < N * N; ++i) all |= bit_of(i);
        return all;
    }();
    // Without the first and last column: a line along a row or diagonal that
    // stays inside these cannot wrap to the next row.
    static constexpr Word inner = [] {
        Word all = 0;
        for (int row = 0; row < N; ++row)
            for (int column = 1; column < stride - 1; ++column)
                if (column < N) all |= bit(row, column);
        return all;
    }();

    // Every empty cell where `own` turns at least one disc of `rival`.
    static Word moves(Word own, Word rival) {
#if defined(__AVX2__)
        if constexpr (N <= 8) return moves_avx2(own, rival) & board & ~(own | rival);
#endif
        return moves_plain(own, rival);
    }

    // The same without special instructions, for machines that lack them.
    static Word moves_plain(Word own, Word rival) {
        Word found = along<1>(own, rival & inner) | along<stride - 1>(own, rival & inner) |
                     along<stride + 1>(own, rival & inner) | along<stride>(own, rival);
        return found & board & ~(own | rival);
    }

    // The discs of `rival` that a disc of `own` at the empty `bit_index` turns.
    static Word flips(int bit_index, Word own, Word rival) {
#if defined(__AVX2__)
        if constexpr (N <= 8) return flips_avx2(bit_index, own, rival);
#endif
        return flips_plain(bit_index, own, rival);
    }

    static Word flips_plain(int bit_index, Word own, Word rival) {
        const Word move = Word{1} << bit_index;
        return between<1>(move, own, rival & inner) | between<stride - 1>(move, own, rival & inner) |
               between<stride + 1>(move, own, rival & inner) | between<stride>(move, own, rival);
    }

private:
    // Both ways along one direction: own discs, then rival discs, then one step more.
    template <int Step>
    static Word along(Word own, Word rival) {
        Word up = rival & (own << Step), down = rival & (own >> Step);
        for (int i = 0; i < N - 3; ++i) {
            up |= rival & (up << Step);
            down |= rival & (down >> Step);
        }
        return up << Step | down >> Step;
    }

    template <int Step>
    static Word between(Word move, Word own, Word rival) {
        Word up = rival & (move << Step), down = rival & (move >> Step);
        for (int i = 0; i < N - 3; ++i) {
            up |= rival & (up << Step);
            down |= rival & (down >> Step);
        }
        return ((up << Step) & own ? up : 0) | ((down >> Step) & own ? down : 0);
    }

#if defined(__AVX2__)
    // The four directions side by side in the lanes of one register.
    static std::uint64_t fold(__m256i v) {
        const __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
    }

    static std::uint64_t moves_avx2(std::uint64_t own, std::uint64_t rival) {
        const __m256i step = _mm256_set_epi64x(7, 9, 8, 1), step2 = _mm256_set_epi64x(14, 18, 16, 2);
        constexpr auto no_wrap = static_cast<long long>(0x7e7e7e7e7e7e7e7eu);
        const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(own));
        const __m256i theirs = _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(rival)),
                                                _mm256_set_epi64x(no_wrap, no_wrap, -1, no_wrap));
        __m256i up = _mm256_and_si256(theirs, _mm256_sllv_epi64(mine, step));
        __m256i down = _mm256_and_si256(theirs, _mm256_srlv_epi64(mine, step));
        up = _mm256_or_si256(up, _mm256_and_si256(theirs, _mm256_sllv_epi64(up, step)));
        down = _mm256_or_si256(down, _mm256_and_si256(theirs, _mm256_srlv_epi64(down, step)));
        // Pairs of rival discs carry the fill two cells at a time.
        const __m256i pairs_up = _mm256_and_si256(theirs, _mm256_sllv_epi64(theirs, step));
        const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, step);
        for (int i = 0; i < 2; ++i) {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
        }
        return fold(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)));
    }

    // The rays from each cell: towards higher bits in [0..3], lower in [4..7],
    // in the lane order of `step` (row, column, down-right, down-left).
    struct alignas(32) Rays {
        std::uint64_t lane[8];
    };
    static constexpr std::array<Rays, 64> rays = [] {
        std::array<Rays, 64> all{};
        constexpr int row_of[4] = {0, 1, 1, 1}, column_of[4] = {1, 0, 1, -1};
        for (int at = 0; at < 64; ++at)
            for (int way = 0; way < 8; ++way) {
                const int sign = way < 4 ? 1 : -1;
                int row = at / 8, column = at % 8;
                while (true) {
                    row += sign * row_of[way % 4], column += sign * column_of[way % 4];
                    if (row < 0 || row > 7 || column < 0 || column > 7) break;
                    all[at].lane[way] |= std::uint64_t{1} << (row * 8 + column);
                }
            }
        return all;
    }();

    static std::uint64_t flips_avx2(int at, std::uint64_t own, std::uint64_t rival) {
        const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(own));
        const __m256i theirs = _mm256_set1_epi64x(static_cast<long long>(rival));
        const auto* ray = reinterpret_cast<const __m256i*>(rays[static_cast<std::size_t>(at)].lane);
        const __m256i zero = _mm256_setzero_si256(), ones = _mm256_cmpeq_epi64(zero, zero);
        // Upwards: the first cell on the ray that is not a rival's is its lowest bit.
        const __m256i ray_up = _mm256_load_si256(ray);
        const __m256i stop_up = _mm256_andnot_si256(theirs, ray_up);
        const __m256i end_up = _mm256_and_si256(_mm256_and_si256(stop_up, _mm256_sub_epi64(zero, stop_up)), mine);
        const __m256i before_end = _mm256_and_si256(_mm256_add_epi64(end_up, ones), ray_up);
        const __m256i up = _mm256_andnot_si256(_mm256_cmpeq_epi64(end_up, zero), before_end);
        // Downwards it is the highest bit: smear it to the end of the ray; what is left over lies before it.
        const __m256i ray_down = _mm256_load_si256(ray + 1);
        const __m256i step = _mm256_set_epi64x(7, 9, 8, 1), step2 = _mm256_set_epi64x(14, 18, 16, 2),
                      step4 = _mm256_set_epi64x(28, 36, 32, 4);
        __m256i beyond = _mm256_andnot_si256(theirs, ray_down);
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step2));
        beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step4));
        beyond = _mm256_and_si256(beyond, ray_down);
        const __m256i end_down = _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(beyond, step), beyond), mine);
        const __m256i down =
            _mm256_andnot_si256(_mm256_cmpeq_epi64(end_down, zero), _mm256_andnot_si256(beyond, ray_down));
        return fold(_mm256_or_si256(up, down));
    }
#endif
};

}  // namespace tengen
