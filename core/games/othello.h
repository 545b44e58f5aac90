// Othello on 4x4, 6x6, 8x8 and 10x10.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "games/game.h"
#include "games/othello_bits.h"

namespace tengen {

// A game with its history. `pass` is an action of its own, legal exactly when
// the mover has no other and the game goes on.
template <int N>
class OthelloBoard {
public:
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;

    OthelloBoard();
    // Any arrangement: N * N cells of 0, 1, 2.
    OthelloBoard(const std::vector<std::uint8_t>& cells, Side to_move);

    static constexpr int pass = N * N;

    int size() const { return N; }
    int actions() const { return N * N + 1; }
    int ply() const { return ply_; }
    Side to_move() const { return to_move_; }
    Outcome outcome() const { return outcome_; }
    std::uint64_t hash() const;
    int cell(int action) const;
    int move_at(int ply) const { return history_[ply].action; }
    Word discs(Side side) const { return discs_[index_of(side)]; }
    int count(Side side) const { return bit_count(discs_[index_of(side)]); }

    bool is_legal(int action) const;
    int count_legal() const;
    void legal_mask(std::uint8_t* mask) const;
    void advance_mask(std::uint8_t* mask) const { legal_mask(mask); }

    // The discs that `to_move` would turn by playing there.
    Word flips(int action) const;

    void play_unchecked(int action);
    void undo();

private:
    void judge();

    struct Played {
        Word flips;
        std::int16_t action;
    };
    // A pass is followed by a move, so at most every second ply is one.
    static constexpr int max_plies = 2 * N * N;

    std::array<Word, 2> discs_{};
    Word mobility_ = 0;
    Side to_move_ = Side::black;
    Outcome outcome_;
    std::int16_t ply_ = 0;
    std::array<Played, max_plies> history_;
};

extern template class OthelloBoard<4>;
extern template class OthelloBoard<6>;
extern template class OthelloBoard<8>;
extern template class OthelloBoard<10>;

static_assert(Board<OthelloBoard<8>>);

}  // namespace tengen
