#include "search/othello/discs.h"

namespace tengen {
namespace {

// The cells of the board from which a line along `Step` meets an empty cell.
template <int N, int Step>
auto open_lines(typename OthelloBits<N>::Word empty) {
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;
    // A step that changes the column must not wrap: arrivals in the first (last) column came from the row's other end.
    constexpr Word first = [] {
        Word all = 0;
        for (int row = 0; row < N; ++row) all |= Bits::bit(row, 0);
        return all;
    }();
    constexpr Word last = first << (N - 1);
    constexpr Word none = 0, edge_up = Step == Bits::stride ? none : Step == Bits::stride - 1 ? last : first;
    constexpr Word edge_down = Step == Bits::stride ? none : Step == Bits::stride - 1 ? first : last;
    constexpr Word up_ok = Bits::board & ~edge_up, down_ok = Bits::board & ~edge_down;
    Word up = empty, down = empty;
    for (int i = 0; i < N - 1; ++i) {
        up |= (up << Step) & up_ok;
        down |= (down >> Step) & down_ok;
    }
    return up | down;
}

}  // namespace

template <int N>
int count_stable(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival) {
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;
    constexpr int stride = Bits::stride;
    constexpr Word rim_columns = [] {
        Word all = 0;
        for (int row = 0; row < N; ++row) all |= Bits::bit(row, 0) | Bits::bit(row, N - 1);
        return all;
    }();
    constexpr Word rim_rows = [] {
        Word all = 0;
        for (int column = 0; column < N; ++column) all |= Bits::bit(0, column) | Bits::bit(N - 1, column);
        return all;
    }();
    // A disc is safe along a direction if the line is full, ends here, or has a safe disc of its own colour beside it.
    const Word empty = Bits::board & ~(own | rival);
    const Word row = (Bits::board & ~open_lines<N, 1>(empty)) | rim_columns;
    const Word column = (Bits::board & ~open_lines<N, stride>(empty)) | rim_rows;
    const Word falling = (Bits::board & ~open_lines<N, stride + 1>(empty)) | rim_columns | rim_rows;
    const Word rising = (Bits::board & ~open_lines<N, stride - 1>(empty)) | rim_columns | rim_rows;
    Word stable = own & row & column & falling & rising;
    while (true) {
        // A wrapped neighbour lands on a rim cell, which is safe along that direction anyway.
        const Word next = own & (row | stable << 1 | stable >> 1) & (column | stable << stride | stable >> stride) &
                          (falling | stable << (stride + 1) | stable >> (stride + 1)) &
                          (rising | stable << (stride - 1) | stable >> (stride - 1));
        if (next == stable) return bit_count(stable);
        stable = next;
    }
}

template int count_stable<4>(OthelloBits<4>::Word, OthelloBits<4>::Word);
template int count_stable<6>(OthelloBits<6>::Word, OthelloBits<6>::Word);
template int count_stable<8>(OthelloBits<8>::Word, OthelloBits<8>::Word);
template int count_stable<10>(OthelloBits<10>::Word, OthelloBits<10>::Word);

}  // namespace tengen
