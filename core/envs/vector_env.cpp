#include "envs/vector_env.h"

#include <algorithm>
#include <string>

#include "games/counting.h"

namespace tengen {
namespace {

std::size_t checked_count(int games) {
    if (games < 1 || games > 1 << 20)
        throw GameError("the number of games must be 1..1048576, not " + std::to_string(games));
    return static_cast<std::size_t>(games);
}

}  // namespace

template <class B>
VectorEnv<B>::VectorEnv(const B& start, int games, std::optional<Encoding> encoding, std::uint64_t seed)
    : start_(start), encoding_(encoding), random_(seed), boards_(checked_count(games), start) {
    const auto count = boards_.size();
    mask.resize(count * actions());
    reward.resize(count);
    result.resize(count);
    ended.resize(count);
    to_move.resize(count);
    action.resize(count);
    if (encoding_) planes.resize(count * plane_size());
    start_mask_.resize(actions());
    start_.legal_mask(start_mask_.data());
    reset();
}

template <class B>
std::size_t VectorEnv<B>::plane_size() const {
    return static_cast<std::size_t>(plane_count() * start_.size() * start_.size());
}

template <class B>
void VectorEnv<B>::restart(std::size_t i) {
    boards_[i] = start_;
    std::copy(start_mask_.begin(), start_mask_.end(), mask.begin() + static_cast<std::ptrdiff_t>(i * actions()));
}

template <class B>
void VectorEnv<B>::observe(std::size_t i) {
    to_move[i] = static_cast<std::uint8_t>(boards_[i].to_move());
    if (encoding_) write_planes(boards_[i], *encoding_, &planes[i * plane_size()]);
}

template <class B>
void VectorEnv<B>::reset() {
    for (std::size_t i = 0; i < boards_.size(); ++i) {
        restart(i);
        reward[i] = 0;
        result[i] = static_cast<std::uint8_t>(Result::ongoing);
        ended[i] = 0;
        observe(i);
    }
}

template <class B>
void VectorEnv<B>::step(const std::int64_t* chosen) {
    // Checked and played from one copy: the caller's array may be one of our own buffers, or change meanwhile.
    chosen_.assign(chosen, chosen + boards_.size());
    for (std::size_t i = 0; i < boards_.size(); ++i)
        if (chosen_[i] < 0 || chosen_[i] >= static_cast<std::int64_t>(actions()) ||
            !mask[i * actions() + static_cast<std::size_t>(chosen_[i])])
            throw GameError("game " + std::to_string(i) + ": action " + std::to_string(chosen_[i]) + " is not legal");
    for (std::size_t i = 0; i < boards_.size(); ++i) {
        B& board = boards_[i];
        const Side mover = board.to_move();
        board.play_unchecked(static_cast<int>(chosen_[i]));
        const Outcome outcome = board.outcome();
        result[i] = static_cast<std::uint8_t>(outcome.result);
        ended[i] = outcome.over();
        reward[i] = 0;
        if (outcome.over()) {
            if (outcome.result != Result::draw) reward[i] = outcome.result == win_for(mover) ? 1.0F : -1.0F;
            restart(i);
        } else {
            board.advance_mask(&mask[i * actions()]);
        }
        observe(i);
    }
}

template <class B>
void VectorEnv<B>::sample() {
    for (std::size_t i = 0; i < boards_.size(); ++i) action[i] = random_action(boards_[i], random_);
}

template class VectorEnv<GomokuBoard>;
template class VectorEnv<OthelloBoard<4>>;
template class VectorEnv<OthelloBoard<6>>;
template class VectorEnv<OthelloBoard<8>>;
template class VectorEnv<OthelloBoard<10>>;

}  // namespace tengen
