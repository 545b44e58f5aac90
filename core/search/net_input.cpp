#include "search/net_input.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "games/planes.h"

namespace tengen {
namespace {

// One plane of a board inside a larger square.
class Plane {
public:
    Plane(int size, int stride, std::uint8_t* at) : size_(size), stride_(stride), at_(at) {}

    void set(int action) { at_[action / size_ * stride_ + action % size_] = 1; }
    void fill() {
        for (int row = 0; row < size_; ++row) std::fill_n(at_ + row * stride_, size_, std::uint8_t{1});
    }
    void add(const PointSet& points) {
        points.for_each([this](int point) { set(point); });
    }

private:
    int size_, stride_;
    std::uint8_t* at_;
};

// S3's and S4's planes by way of floats: their networks are not in a hurry.
template <class B>
void write_source_planes(const B& board, Encoding encoding, int stride, std::uint8_t* out) {
    const int n = board.size(), planes = plane_count(encoding);
    std::vector<float> floats(static_cast<std::size_t>(planes * n * n));
    write_planes(board, encoding, floats.data());
    for (int i = 0; i < planes * n * n; ++i) {
        const int plane = i / (n * n), cell = i % (n * n);
        out[(plane * stride + cell / n) * stride + cell % n] = floats[static_cast<std::size_t>(i)] != 0;
    }
}

template <class B>
bool write_if_source(const B& board, NetEncoding encoding, int stride, std::uint8_t* out) {
    if (encoding == NetEncoding::s3) write_source_planes(board, Encoding::s3, stride, out);
    if (encoding == NetEncoding::s4) write_source_planes(board, Encoding::s4, stride, out);
    return encoding == NetEncoding::s3 || encoding == NetEncoding::s4;
}

}  // namespace

void write_input(const GomokuBoard& board, const ThreatBoard& threats, NetEncoding encoding, int stride, std::uint8_t* out) {
    std::fill_n(out, plane_count(encoding) * stride * stride, std::uint8_t{0});
    if (write_if_source(board, encoding, stride, out)) return;
    const int n = board.size();
    const Side own = board.to_move(), rival = other(own);
    const auto plane = [&](int i) { return Plane(n, stride, out + i * stride * stride); };
    plane(0).fill();
    Plane own_stones = plane(1), rival_stones = plane(2);
    const std::uint32_t own_stone = stone_of(own), rival_stone = stone_of(rival);
    for (int row = 0; row < n; ++row) {
        std::uint64_t cells = board.lines().word(0, {static_cast<std::uint8_t>(row), 0}) >> (2 * Lines::pad);
        for (int column = 0; column < n; ++column, cells >>= 2) {
            if ((cells & 3) == own_stone) own_stones.set(row * n + column);
            if ((cells & 3) == rival_stone) rival_stones.set(row * n + column);
        }
    }
    int at = 3;
    for (const Side side : {own, rival}) {
        plane(at++).add(threats.fives(side));
        plane(at++).add(threats.winning_fours(side));
        plane(at++).add(threats.fours(side));
        plane(at++).add(threats.threes(side));
    }
    if (board.rules().rule == Rule::renju) {
        Plane forbidden = plane(11);
        threats.for_each_candidate([&](int point) {
            if (!threats.may_play(Side::black, point)) forbidden.set(point);
        });
    }
    if (own == Side::black) plane(12).fill();
    switch (board.rules().rule) {
        case Rule::freestyle: break;
        case Rule::standard: plane(13).fill(); break;
        case Rule::renju: plane(14).fill(); break;
        case Rule::caro: plane(15).fill(); break;
    }
}

template <int N>
void write_input(const OthelloBoard<N>& board, NetEncoding encoding, int stride, std::uint8_t* out) {
    using Bits = OthelloBits<N>;
    std::fill_n(out, plane_count(encoding) * stride * stride, std::uint8_t{0});
    if (write_if_source(board, encoding, stride, out)) return;
    const auto own = board.discs(board.to_move()), rival = board.discs(other(board.to_move()));
    const std::array sets{own, rival, Bits::moves(own, rival), Bits::moves(rival, own)};
    Plane(N, stride, out).fill();
    for (std::size_t i = 0; i < sets.size(); ++i) {
        Plane plane(N, stride, out + (i + 1) * static_cast<std::size_t>(stride * stride));
        for (int cell = 0; cell < N * N; ++cell)
            if (sets[i] & Bits::bit_of(cell)) plane.set(cell);
    }
}

template <class B>
void check_encoding(NetEncoding encoding) {
    constexpr bool is_gomoku = std::is_same_v<B, GomokuBoard>;
    if (encoding == (is_gomoku ? NetEncoding::othello : NetEncoding::gomoku))
        throw GameError("a network that reads '" + std::string(net_encodings[static_cast<std::size_t>(encoding)].name) +
                        "' planes cannot play " + (is_gomoku ? "Gomoku" : "Othello"));
}

template void write_input(const OthelloBoard<4>&, NetEncoding, int, std::uint8_t*);
template void write_input(const OthelloBoard<6>&, NetEncoding, int, std::uint8_t*);
template void write_input(const OthelloBoard<8>&, NetEncoding, int, std::uint8_t*);
template void write_input(const OthelloBoard<10>&, NetEncoding, int, std::uint8_t*);
template void check_encoding<GomokuBoard>(NetEncoding);
template void check_encoding<OthelloBoard<4>>(NetEncoding);
template void check_encoding<OthelloBoard<6>>(NetEncoding);
template void check_encoding<OthelloBoard<8>>(NetEncoding);
template void check_encoding<OthelloBoard<10>>(NetEncoding);

}  // namespace tengen
