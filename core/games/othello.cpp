#include "games/othello.h"

#include <algorithm>
#include <string>

#include "games/random.h"

namespace tengen {
namespace {

std::uint64_t mix(std::uint64_t w, std::uint64_t salt) { return splitmix64(w ^ salt); }
std::uint64_t mix(Word128 w, std::uint64_t salt) {
    return splitmix64(splitmix64(static_cast<std::uint64_t>(w) ^ salt) ^ static_cast<std::uint64_t>(w >> 64));
}

}  // namespace

template <int N>
OthelloBoard<N>::OthelloBoard() {
    constexpr int low = N / 2 - 1, high = N / 2;
    discs_[0] = Bits::bit(low, high) | Bits::bit(high, low);
    discs_[1] = Bits::bit(low, low) | Bits::bit(high, high);
    judge();
}

template <int N>
OthelloBoard<N>::OthelloBoard(const std::vector<std::uint8_t>& cells, Side to_move) : to_move_(to_move) {
    if (cells.size() != N * N)
        throw GameError("a set-up needs " + std::to_string(N * N) + " cells, not " + std::to_string(cells.size()));
    for (int i = 0; i < N * N; ++i) {
        if (cells[i] > 2) throw GameError("a cell is 0 (empty), 1 (black) or 2 (white), not " + std::to_string(cells[i]));
        if (cells[i]) discs_[cells[i] - 1] |= Bits::bit_of(i);
    }
    judge();
}

// Brings `mobility_` and `outcome_` up to date with the discs and the mover.
template <int N>
void OthelloBoard<N>::judge() {
    const Word own = discs_[index_of(to_move_)], rival = discs_[index_of(other(to_move_))];
    mobility_ = Bits::moves(own, rival);
    outcome_ = {};
    if (mobility_ || Bits::moves(rival, own)) return;
    const int black = count(Side::black), white = count(Side::white);
    outcome_.reason = black + white == N * N ? Reason::board_full : Reason::no_moves;
    outcome_.result = black > white ? Result::black_wins : white > black ? Result::white_wins : Result::draw;
}

template <int N>
std::uint64_t OthelloBoard<N>::hash() const {
    return mix(discs_[0], 0x6f7468656c6c6f00u + N) ^ std::rotl(mix(discs_[1], 0x7265766572736900u + N), 21) ^
           (to_move_ == Side::white ? splitmix64(N) : 0);
}

template <int N>
int OthelloBoard<N>::cell(int action) const {
    if (action == pass) return 0;
    const Word bit = Bits::bit_of(action);
    return discs_[0] & bit ? 1 : discs_[1] & bit ? 2 : 0;
}

template <int N>
bool OthelloBoard<N>::is_legal(int action) const {
    if (action < 0 || action > pass || outcome_.over()) return false;
    return action == pass ? !mobility_ : (mobility_ & Bits::bit_of(action)) != 0;
}

template <int N>
int OthelloBoard<N>::count_legal() const {
    return outcome_.over() ? 0 : mobility_ ? bit_count(mobility_) : 1;
}

template <int N>
void OthelloBoard<N>::legal_mask(std::uint8_t* mask) const {
    std::fill_n(mask, actions(), std::uint8_t{0});
    for (Word left = mobility_; left; left &= left - 1) mask[Bits::cell_of(lowest_bit(left))] = 1;
    mask[pass] = !mobility_ && !outcome_.over();
}

template <int N>
auto OthelloBoard<N>::flips(int action) const -> Word {
    if (action == pass) return 0;
    return Bits::flips(lowest_bit(Bits::bit_of(action)), discs_[index_of(to_move_)], discs_[index_of(other(to_move_))]);
}

template <int N>
void OthelloBoard<N>::play_unchecked(int action) {
    const Word turned = flips(action);
    history_[ply_++] = {turned, static_cast<std::int16_t>(action)};
    if (action != pass) {
        discs_[index_of(to_move_)] |= turned | Bits::bit_of(action);
        discs_[index_of(other(to_move_))] &= ~turned;
    }
    to_move_ = other(to_move_);
    judge();
}

template <int N>
void OthelloBoard<N>::undo() {
    const Played last = history_[--ply_];
    to_move_ = other(to_move_);
    if (last.action != pass) {
        discs_[index_of(to_move_)] &= ~(last.flips | Bits::bit_of(last.action));
        discs_[index_of(other(to_move_))] |= last.flips;
    }
    judge();
}

template class OthelloBoard<4>;
template class OthelloBoard<6>;
template class OthelloBoard<8>;
template class OthelloBoard<10>;

}  // namespace tengen
