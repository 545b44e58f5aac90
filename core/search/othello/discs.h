// Small facts about Othello positions that the searches ask for all the time:
// final scores, parity of the quarters, the discs that the last move turns.
#pragma once

#include <array>
#include <cstdint>

#include "games/othello_bits.h"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace tengen {

template <int N>
struct OthelloDiscs {
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;
    static constexpr int cells = N * N;
    static constexpr int bits = N <= 8 ? 64 : N * N;

    static constexpr Word corners =
        Bits::bit(0, 0) | Bits::bit(0, N - 1) | Bits::bit(N - 1, 0) | Bits::bit(N - 1, N - 1);

    // The final difference when nobody can move: empty cells go to the winner.
    static int final_score(Word own, Word rival) {
        const int mine = bit_count(own), theirs = bit_count(rival), empty = cells - mine - theirs;
        return mine > theirs ? mine - theirs + empty : mine < theirs ? mine - theirs - empty : 0;
    }

    // Bit q of a parity is set while quarter q of the board has an odd number of empty cells.
    static constexpr std::array<std::uint8_t, bits> quarter = [] {
        std::array<std::uint8_t, bits> all{};
        for (int row = 0; row < N; ++row)
            for (int column = 0; column < N; ++column)
                all[static_cast<std::size_t>(row * Bits::stride + column)] =
                    static_cast<std::uint8_t>(1 << ((row >= N / 2) * 2 + (column >= N / 2)));
        return all;
    }();
    static constexpr std::array<Word, 16> odd_cells = [] {
        std::array<Word, 16> all{};
        for (std::size_t parity = 0; parity < 16; ++parity)
            for (int cell = 0; cell < cells; ++cell) {
                const int at = cell / N * Bits::stride + cell % N;
                if (quarter[static_cast<std::size_t>(at)] & parity) all[parity] |= Word{1} << at;
            }
        return all;
    }();
    static unsigned parity_of(Word empty) {
        unsigned parity = 0;
        for (unsigned q = 1; q < 16; q <<= 1) parity |= bit_count(empty & odd_cells[q]) & 1 ? q : 0;
        return parity;
    }

    // The cells next to each cell: a move there can only turn something if a rival's disc is among them.
    static constexpr std::array<Word, bits> around = [] {
        std::array<Word, bits> all{};
        for (int row = 0; row < N; ++row)
            for (int column = 0; column < N; ++column)
                for (int r = row - 1; r <= row + 1; ++r)
                    for (int c = column - 1; c <= column + 1; ++c)
                        if (r >= 0 && r < N && c >= 0 && c < N && (r != row || c != column))
                            all[static_cast<std::size_t>(row * Bits::stride + column)] |= Bits::bit(r, c);
        return all;
    }();

    // How many discs a move turns at `at`, the only empty cell of the board.
    static int last_turns(int at, Word own) {
#if defined(__BMI2__)
        if constexpr (N == 8) return last_turns_by_line(at, own);
#endif
        return bit_count(Bits::flips(at, own, Bits::board & ~own & ~(Word{1} << at)));
    }

private:
#if defined(__BMI2__)
    // turned[place][line]: on a line that is full but for `place`, our discs the set bits: what a move there turns.
    static constexpr auto turned = [] {
        std::array<std::array<std::uint8_t, 256>, 8> all{};
        for (std::size_t place = 0; place < 8; ++place)
            for (std::size_t line = 0; line < 256; ++line) {
                std::size_t count = 0;
                for (std::size_t i = place + 1; i < 8; ++i)
                    if (line >> i & 1) {
                        count += i - place - 1;
                        break;
                    }
                for (std::size_t i = place; i-- > 0;)
                    if (line >> i & 1) {
                        count += place - 1 - i;
                        break;
                    }
                all[place][line] = static_cast<std::uint8_t>(count);
            }
        return all;
    }();
    struct Lines {
        std::uint64_t falling, rising;  // the diagonals through a cell
        std::uint8_t on_falling, on_rising;  // and its place on each, counted from the lowest bit
    };
    static constexpr auto diagonals = [] {
        std::array<Lines, 64> all{};
        for (int at = 0; at < 64; ++at) {
            Lines& lines = all[static_cast<std::size_t>(at)];
            for (int i = 0; i < 64; ++i) {
                const std::uint64_t bit = std::uint64_t{1} << i;
                if (i / 8 - i % 8 == at / 8 - at % 8) lines.falling |= bit, lines.on_falling += i < at;
                if (i / 8 + i % 8 == at / 8 + at % 8) lines.rising |= bit, lines.on_rising += i < at;
            }
        }
        return all;
    }();
    static int last_turns_by_line(int at, std::uint64_t own) {
        const Lines& lines = diagonals[static_cast<std::size_t>(at)];
        const auto row = static_cast<std::size_t>(at >> 3), column = static_cast<std::size_t>(at & 7);
        return turned[column][own >> (row * 8) & 0xff] + turned[row][_pext_u64(own, 0x0101010101010101u << column)] +
               turned[lines.on_falling][_pext_u64(own, lines.falling)] +
               turned[lines.on_rising][_pext_u64(own, lines.rising)];
    }
#endif
};

// Discs of `own` that can never be turned: a lower bound, from full lines and from the corners inwards.
template <int N>
int count_stable(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival);

}  // namespace tengen
