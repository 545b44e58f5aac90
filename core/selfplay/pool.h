// Many games that a network plays against itself, stepped together.
//
// In each step every game walks down its own tree to one position that only the
// network can judge, and waits: a pool of n games is a batch of n, always full,
// without any guessing about results that are under way. Two pools that take
// turns keep both the processor and the accelerator busy.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/gomoku.h"
#include "games/othello.h"
#include "search/net_input.h"

namespace tengen {

// One of the games that a pool plays, drawn with its weight when a game begins.
struct SelfPlayVariant {
    Rule rule = Rule::freestyle;  // Othello has none
    int size = 15;
    double weight = 1;
};

struct SelfPlayOptions {
    std::vector<SelfPlayVariant> variants{{}};
    NetEncoding encoding = NetEncoding::gomoku;
    int games = 256;  // in the pool
    int threads = 1;
    int stride = 15;  // the width of the planes; no board may be larger
    std::uint64_t seed = 0;

    // The search. A share of the moves gets a full search and becomes a row to learn from.
    int full_visits = 128;
    int cheap_visits = 24;
    double full_share = 0.25;
    double exploration = 1.2;
    double first_play = 0.25;
    int moves = 32;    // a node looks at no more than so many of its likeliest moves
    int effort = 100;  // as in PuctOptions
    double noise_weight = 0.25;  // of the Dirichlet noise at the root of a full search
    double noise_total = 10;     // its alpha, summed over the moves

    // Which move is played: visits to the power 1/temperature, which falls in a straight line.
    double temperature_start = 1;
    double temperature_end = 0.2;
    int temperature_moves = 10;

    // Openings: so many random moves near each other. With `balance` b, one that
    // the network values v is kept with probability (1 - |v|)^b.
    int opening_least = 1;
    int opening_most = 6;
    double balance = 0;
    double plain_share = 0;  // of games that begin as the rules have it, fair or not

    // A side that values its position below -resign gives up, except in a share
    // of the games, which are played on to see whether that would have been wrong.
    double resign = 2;  // above 1: never
    double resign_check = 0.1;
};

void check(const SelfPlayOptions& options);

// S4's p-opposition: a mover that values its position below -threshold plays,
// with this probability, the point that the rival wants most.
struct Opposition {
    double probability = 0;
    double threshold = 0.5;
};

struct SelfPlayRow {
    struct Visits {
        std::uint16_t action;
        std::uint16_t count;
    };
    std::uint16_t ply;           // the position before this move of the game
    float value;                 // what the search thought of it, from the mover's side
    std::vector<Visits> visits;  // where the search looked
};

struct SelfPlayGame {
    std::uint8_t variant = 0;
    std::int8_t result = 0;      // 1: black won, -1: white won, 0: a draw
    std::uint16_t opening = 0;   // how many of the moves were drawn at random
    std::uint16_t distance = 0;  // plies still to be played when the result was proven
    bool resigned = false;
    std::vector<std::uint16_t> moves;
    std::vector<SelfPlayRow> rows;
};

struct SelfPlayCounts {
    std::uint64_t evaluations = 0;
    std::uint64_t settled = 0;  // walks that needed no network
    std::uint64_t moves = 0;
    std::uint64_t games = 0;
    std::uint64_t openings_refused = 0;
    std::uint64_t opposed = 0;       // moves by p-opposition
    std::uint64_t resign_checks = 0;  // games played on after a resignation was due
    std::uint64_t resign_errors = 0;  // of those, the ones that were not lost
};

template <class B>
class SelfPlayPool {
public:
    explicit SelfPlayPool(const SelfPlayOptions& options);
    ~SelfPlayPool();
    SelfPlayPool(const SelfPlayPool&) = delete;
    SelfPlayPool& operator=(const SelfPlayPool&) = delete;

    int games() const;
    int stride() const;
    int planes() const;
    int actions() const;  // of the network: stride * stride and, in Othello, the pass

    // Takes the answers to the last step's positions (none in the first step: null)
    // and writes the next: `planes` holds games * plane_count * stride * stride
    // bytes, `policy` games * actions() logits, `wdl` games * 3 probabilities.
    void step(const float* policy, const float* wdl, std::uint8_t* planes);

    // The games that ended since the last call, in the order of their slots: however many threads there are, the same.
    std::vector<SelfPlayGame> take_games();
    SelfPlayCounts counts() const;
    void set_opposition(const Opposition& opposition);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// What a network learns from one row, as it would have seen the position.
// `policy` gets the shares of the visits over actions(), `reply` the move that the
// rival answered with (-1: none), `result` the game's, from the mover's side.
template <class B>
void write_rows(const SelfPlayGame& game, const std::vector<SelfPlayVariant>& variants, NetEncoding encoding, int stride,
                std::uint8_t* planes, float* policy, std::int16_t* reply, std::int8_t* result);

// The board that a game of a variant begins with.
template <class B>
B starting_board(const SelfPlayVariant& variant);
template <>
GomokuBoard starting_board(const SelfPlayVariant& variant);
template <>
OthelloBoard<6> starting_board(const SelfPlayVariant& variant);
template <>
OthelloBoard<8> starting_board(const SelfPlayVariant& variant);

// Where a board's action is in the network's, whose planes are `stride` wide.
template <class B>
int net_action(const B& board, int stride, int action) {
    const int n = board.size();
    return action == n * n ? stride * stride : action / n * stride + action % n;
}

extern template class SelfPlayPool<GomokuBoard>;
extern template class SelfPlayPool<OthelloBoard<6>>;
extern template class SelfPlayPool<OthelloBoard<8>>;

}  // namespace tengen
