// The end of an Othello game, exactly: null-window search of positions with few empty cells.
//
// Scores are final disc differences from the mover's side, empty cells going
// to the winner. Every function answers "is the score above alpha?": a result
// above alpha is a lower bound, one at or below it an upper bound.
#pragma once

#include "search/othello/discs.h"
#include "search/othello/table.h"
#include "search/search.h"

namespace tengen {

// How much a search may skip: each level skips less, and at `exact` nothing.
struct Selectivity {
    static constexpr int exact = 5;
    // Standard errors of margin that a shallow search must show before its verdict is taken.
    static constexpr double margins[exact] = {1.1, 1.5, 2.0, 2.6, 3.3};
};

// What all parts of one search share.
struct OthelloWork {
    OthelloTable& table;
    SearchControl& control;
    std::uint64_t nodes = 0;
    std::uint64_t next_poll = 0;
    bool aborted = false;

    // True when the search has to end; its results so far must not be stored.
    bool poll() {
        if (nodes >= next_poll) {
            next_poll = nodes + 512;
            if (control.out_of_budget(nodes)) aborted = true;
        }
        return aborted;
    }
};

template <int N>
class OthelloEndgame {
public:
    using Bits = OthelloBits<N>;
    using Discs = OthelloDiscs<N>;
    using Word = typename Bits::Word;

    explicit OthelloEndgame(OthelloWork& work) : work_(work) {}

    // Any number of empty cells, though beyond 14 or so a search that looks ahead does better.
    // Meaningless once the search is aborted.
    int solve(Word own, Word rival, int alpha);

private:
    struct Move;

    int last1(Word own, int x) const;
    int last2(Word own, Word rival, int alpha, int x1, int x2);
    int last3(Word own, Word rival, int alpha, Word empty);
    int last4(Word own, Word rival, int alpha, Word empty, unsigned parity);
    int shallow(Word own, Word rival, int alpha, int empties, unsigned parity);
    int ordered(Word own, Word rival, int alpha, int empties, unsigned parity);
    int next(Word own, Word rival, int alpha, int empties, unsigned parity);
    int generate(Word own, Word rival, Word moves, unsigned parity, const OthelloEntry* hint, Move* list) const;

    OthelloWork& work_;
};

// Whether the rival's stable discs already keep the mover at or below alpha.
// Asked only where alpha is high enough to make that likely.
template <int N>
bool stable_cut(typename OthelloBits<N>::Word own, typename OthelloBits<N>::Word rival, int empties, int alpha,
                int* bound) {
    constexpr int cells = N * N;
    if (alpha < 2 * empties - 2 || alpha >= cells || empties > cells - 10) return false;
    if (cells - 2 * bit_count(rival) > alpha) return false;
    const int most = cells - 2 * count_stable<N>(rival, own);
    *bound = most;
    return most <= alpha;
}

extern template class OthelloEndgame<4>;
extern template class OthelloEndgame<6>;
extern template class OthelloEndgame<8>;
extern template class OthelloEndgame<10>;

}  // namespace tengen
