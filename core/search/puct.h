// A network's search (PUCT): the policy says where to look, the value what was
// found there, and what is certain is never left to either.
//
// Each thread walks down the one tree until it holds a batch of positions that
// only the network can judge, has them judged together, and carries the results
// up. Wins at a glance, forced replies and wins by fours need no network; proven
// results are backed up exactly and end the search when they reach the root.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/gomoku.h"
#include "games/othello.h"
#include "nets/evaluator.h"
#include "search/net_input.h"
#include "search/puct_tree.h"
#include "search/search.h"

namespace tengen {

struct PuctOptions {
    NetEncoding encoding = NetEncoding::gomoku;
    int threads = 1;  // 1..256
    // Positions a thread has judged together, 1..1024, in all threads fewer than 65536; less while the tree is small.
    int batch = 8;
    PuctCounts counts = PuctCounts::unobserved;
    double exploration = 1.2;  // c, 0..100
    double first_play = 0.25;  // 0..2
    int moves = 64;            // a node looks at no more than so many of its likeliest moves, 1..484
    // Gomoku: positions searched for a win by fours at each leaf; Othello: empty cells played out, 14 at most.
    int effort = 200;
    // Gomoku: positions searched for a win by threes and fours at a node that was seen 16 times, four times as many at
    // 64, and so on; 0..1000000.
    int vct = 400;
    int memory = 512;  // megabytes for the tree, 1..65536; a full one ends the search
};

// Throws GameError for options out of range.
void check(const PuctOptions& options);

// Obeys the contract of search/search.h; nodes are playouts, and a line's score
// is its visits. The tree is kept: a search from a position that follows the
// last one goes on with what is known of it.
template <class B>
class Puct {
public:
    // The evaluator is shared with whoever else uses it.
    Puct(std::shared_ptr<Evaluator> evaluator, const PuctOptions& options);
    ~Puct();
    Puct(const Puct&) = delete;
    Puct& operator=(const Puct&) = delete;

    // Rethrows what an evaluator threw, once all threads are back.
    SearchReport search(const B& board, const SearchLimits& limits = {}, const OnReport& on_report = {});
    void stop();
    // Forgets the tree.
    void clear();

    // The moves of the last search, best first; these three may also be asked by the observer of a search.
    std::vector<RootMove> root_moves() const;
    std::uint64_t tree_nodes() const;
    // Positions that the network judged in the last search.
    std::uint64_t evaluations() const;

private:
    class Search;
    std::unique_ptr<Search> search_;
};

extern template class Puct<GomokuBoard>;
extern template class Puct<OthelloBoard<4>>;
extern template class Puct<OthelloBoard<6>>;
extern template class Puct<OthelloBoard<8>>;
extern template class Puct<OthelloBoard<10>>;

}  // namespace tengen
