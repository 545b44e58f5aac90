#include "games/planes.h"

#include <algorithm>

namespace tengen {
namespace {

// Writes 1 to the cells where `side` has a stone and 0 to all others.
void write_stones(const GomokuBoard& board, Side side, float* plane) {
    const int n = board.size();
    const std::uint32_t stone = stone_of(side);
    for (int row = 0; row < n; ++row, plane += n) {
        // Sixteen cells to a 32-bit half, so that the compiler can take eight or sixteen at a time.
        const std::uint64_t cells = board.lines().word(0, {static_cast<std::uint8_t>(row), 0}) >> (2 * Lines::pad);
        const auto low = static_cast<std::uint32_t>(cells), high = static_cast<std::uint32_t>(cells >> 32);
        for (int i = 0; i < std::min(n, 16); ++i) plane[i] = (low >> (2 * i) & 3) == stone ? 1.0F : 0.0F;
        for (int i = 16; i < n; ++i) plane[i] = (high >> (2 * (i - 16)) & 3) == stone ? 1.0F : 0.0F;
    }
}

template <int N>
void write_stones(const OthelloBoard<N>& board, Side side, float* plane) {
    const auto discs = board.discs(side);
    for (int i = 0; i < N * N; ++i) plane[i] = discs & OthelloBits<N>::bit_of(i) ? 1.0F : 0.0F;
}

}  // namespace

template <class B>
void write_planes(const B& board, Encoding encoding, float* out) {
    const int cells = board.size() * board.size();
    const Side own = board.to_move(), rival = other(own);
    const auto plane = [&](int i) { return out + i * cells; };
    const auto fill = [&](int i, float value) { std::fill_n(plane(i), cells, value); };
    switch (encoding) {
        case Encoding::s0:
            write_stones(board, own, plane(0));
            write_stones(board, rival, plane(1));
            break;
        case Encoding::s1:
            for (int i = 0; i < cells; ++i)
                out[i] = static_cast<float>((board.cell(i) == 1 + index_of(own)) - (board.cell(i) == 1 + index_of(rival)));
            break;
        case Encoding::s2:
            write_stones(board, Side::white, plane(0));
            write_stones(board, Side::black, plane(2));
            for (int i = 0; i < cells; ++i) plane(1)[i] = board.cell(i) == 0;
            break;
        case Encoding::s3: {
            write_stones(board, own, plane(0));
            write_stones(board, rival, plane(1));
            fill(2, 0);
            const int last = board.ply() ? board.move_at(board.ply() - 1) : cells;
            if (last < cells) plane(2)[last] = 1;  // a pass leaves no mark
            fill(3, own == Side::black);
            break;
        }
        case Encoding::s4: {
            B past = board;
            std::fill_n(out, 12 * cells, 0.0F);
            for (int back = 0; back < 6; ++back) {
                write_stones(past, own, plane(2 * back));
                write_stones(past, rival, plane(2 * back + 1));
                if (past.ply() == 0) break;
                past.undo();
            }
            fill(12, own == Side::black);
            break;
        }
    }
}

template void write_planes(const GomokuBoard&, Encoding, float*);
template void write_planes(const OthelloBoard<4>&, Encoding, float*);
template void write_planes(const OthelloBoard<6>&, Encoding, float*);
template void write_planes(const OthelloBoard<8>&, Encoding, float*);
template void write_planes(const OthelloBoard<10>&, Encoding, float*);

}  // namespace tengen
