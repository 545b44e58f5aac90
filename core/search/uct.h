// UCT: Monte Carlo tree search with random games, or an evaluation, at the leaves.
//
// A playout walks down the tree by S4's formula, mean + c * sqrt(ln(parent's
// visits) / visits), grows it by one step, plays a random game from there, and
// adds the result to every node on its way. Two things are exact: at a node that
// grows, wins in one and points that stop the rival's are found by looking, and
// whatever is proven about a node is backed up (MCTS-solver), so that proven
// losses are not walked into again and a proven root ends the search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "games/gomoku.h"
#include "games/othello.h"
#include "search/root_moves.h"
#include "search/search.h"

namespace tengen {

enum class UctLeaf : std::uint8_t {
    random,  // a random game to the end
    expert,  // an evaluation of the position, between -1 and 1
};

// S4's three ways to use several threads.
enum class UctParallel : std::uint8_t {
    none,
    leaf,  // one tree, one thread in it; every leaf gets a random game from each thread
    root,  // a tree for each thread, merged at the end
    tree,  // one tree, all threads in it
};

// What keeps the threads of one tree apart: playouts that are under way count
// as visits without a result (WU-UCT), or as losses (virtual loss).
enum class UctCounts : std::uint8_t { unobserved, virtual_loss };

struct UctOptions {
    UctLeaf leaf = UctLeaf::random;
    UctParallel parallel = UctParallel::none;
    int threads = 1;  // 1..256; more than one needs a parallel kind
    UctCounts counts = UctCounts::unobserved;
    double exploration = 0.5;  // S4's c, for results between -1 and 1; 0..100
    int near = 2;              // Gomoku: only points within this many steps of a stone are tried; 0: all; 0..21
    int memory = 256;          // megabytes for all trees together, 1..65536; a full tree grows no more
    std::uint64_t seed = 0;
};

// Throws GameError for options out of range, or that do not go together.
void check(const UctOptions& options);

// Obeys the contract of search/search.h; nodes are playouts, and a line's score
// is its visits. The tree is kept: a search from a position that follows the
// last one goes on with what is known of it.
template <class B>
class Uct {
public:
    explicit Uct(const UctOptions& options);
    ~Uct();
    Uct(const Uct&) = delete;
    Uct& operator=(const Uct&) = delete;

    SearchReport search(const B& board, const SearchLimits& limits = {}, const OnReport& on_report = {});
    void stop();
    // Forgets the trees and starts the generators anew from the seed.
    void clear();

    // The moves of the last search, best first, and the nodes that its trees hold.
    std::vector<RootMove> root_moves() const;
    std::uint64_t tree_nodes() const;

private:
    class Search;
    std::unique_ptr<Search> search_;
};

extern template class Uct<GomokuBoard>;
extern template class Uct<OthelloBoard<4>>;
extern template class Uct<OthelloBoard<6>>;
extern template class Uct<OthelloBoard<8>>;
extern template class Uct<OthelloBoard<10>>;

}  // namespace tengen
