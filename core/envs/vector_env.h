// Many games stepped together: one call plays one move in each, starts
// finished games anew and writes what a learner reads, all without Python.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "games/game.h"
#include "games/gomoku.h"
#include "games/othello.h"
#include "games/planes.h"
#include "games/random.h"

namespace tengen {

// The buffers belong to the environment and are overwritten by the next call;
// game i owns row i of each. Not thread-safe: one thread steps one VectorEnv.
template <class B>
class VectorEnv {
public:
    VectorEnv(const B& start, int games, std::optional<Encoding> encoding, std::uint64_t seed);

    int games() const { return static_cast<int>(boards_.size()); }
    std::size_t actions() const { return static_cast<std::size_t>(start_.actions()); }
    int size() const { return start_.size(); }
    int plane_count() const { return encoding_ ? tengen::plane_count(*encoding_) : 0; }
    const B& board(int game) const { return boards_[static_cast<std::size_t>(game)]; }

    void reset();

    // Plays chosen[i] in game i. An illegal action anywhere throws GameError
    // naming the first such game, and then no game has moved.
    void step(const std::int64_t* chosen);

    // One uniformly random legal action per game, into `action`.
    void sample();

    std::vector<float> planes;          // [games, planes, size, size], empty without an encoding
    std::vector<std::uint8_t> mask;     // [games, actions], 1 = legal
    std::vector<float> reward;          // [games], for the side that just moved: 1 won, -1 lost, 0 otherwise
    std::vector<std::uint8_t> result;   // [games], the Result of the move just played
    std::vector<std::uint8_t> ended;    // [games], 1 where the game ended and was started anew
    std::vector<std::uint8_t> to_move;  // [games], 0 black, 1 white
    std::vector<std::int64_t> action;   // [games], filled by sample()

private:
    std::size_t plane_size() const;
    void restart(std::size_t i);
    void observe(std::size_t i);

    B start_;
    std::optional<Encoding> encoding_;
    Random random_;
    std::vector<B> boards_;
    std::vector<std::uint8_t> start_mask_;
    std::vector<std::int64_t> chosen_;
};

extern template class VectorEnv<GomokuBoard>;
extern template class VectorEnv<OthelloBoard<4>>;
extern template class VectorEnv<OthelloBoard<6>>;
extern template class VectorEnv<OthelloBoard<8>>;
extern template class VectorEnv<OthelloBoard<10>>;

}  // namespace tengen
