// Principal-variation search on Othello positions, to a depth or to the end of the game.
//
// A depth that reaches the end gives the final disc difference: exactly at
// Selectivity::exact, very probably below it. Other depths end in the
// evaluation. Scores are whole discs from the mover's side.
#pragma once

#include "search/othello/endgame.h"
#include "search/othello/evaluation.h"

namespace tengen {

template <int N>
class OthelloMidgame {
public:
    using Bits = OthelloBits<N>;
    using Discs = OthelloDiscs<N>;
    using Word = typename Bits::Word;
    using Node = OthelloNode<N>;

    OthelloMidgame(OthelloWork& work, const OthelloEvaluation& evaluation)
        : work_(work), evaluation_(evaluation), endgame_(work) {}

    // Within (alpha, beta) the score, outside it a bound. Meaningless once the search is aborted.
    int search(const Node& node, int depth, int alpha, int beta, int selectivity) {
        return beta - alpha == 1 ? visit<false>(node, depth, alpha, beta, selectivity, 0)
                                 : visit<true>(node, depth, alpha, beta, selectivity, 0);
    }

private:
    struct Move;

    template <bool pv>
    int visit(const Node& node, int depth, int alpha, int beta, int selectivity, int nested);
    template <bool pv>
    int visit_moves(const Node& node, Word moves, int depth, int alpha, int beta, int selectivity, int nested);
    int solve(const Node& node, int alpha, int beta);
    int one_ply(const Node& node, Word moves, int beta);
    bool probable_cut(const Node& node, int depth, int empties, int alpha, int selectivity, int nested, int* score);
    int generate(const Node& node, Word moves, int depth, int empties, const OthelloEntry* hint, Move* list);

    OthelloWork& work_;
    const OthelloEvaluation& evaluation_;
    OthelloEndgame<N> endgame_;
};

extern template class OthelloMidgame<4>;
extern template class OthelloMidgame<6>;
extern template class OthelloMidgame<8>;
extern template class OthelloMidgame<10>;

}  // namespace tengen
