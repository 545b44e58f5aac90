// Alpha-beta for Gomoku: any rule, size and line length.
#pragma once

#include <memory>
#include <vector>

#include "games/gomoku.h"
#include "search/search.h"
#include "search/transposition.h"

namespace tengen {

struct AlphaBetaOptions {
    int threads = 1;      // 1..64; more than one share the table and repeat nothing exactly
    int hash_mb = 64;     // 1..65536, the transposition table
    bool plain = false;   // fixed depth and full width: S4's yardstick, no pruning that could err
    int vct_plies = 0;    // 0..40: plies of threat search, fours and threes at the root, fours at the leaves
    std::uint64_t seed = 0;  // of the order among equal moves at the root; 0 keeps the usual order
};

class AlphaBetaWorker;

// Keeps its table between searches, so that the next move starts where the
// last one ended; `clear` makes it forget. See search.h for the contract.
class AlphaBeta {
public:
    // Throws GameError for an option out of its range.
    explicit AlphaBeta(const AlphaBetaOptions& options);
    ~AlphaBeta();

    SearchReport search(const GomokuBoard& board, const SearchLimits& limits, const OnReport& on_report = {});
    void stop() { control_.stop(); }
    void clear();

private:
    AlphaBetaOptions options_;
    TranspositionTable table_;
    SearchControl control_;
    std::vector<std::unique_ptr<AlphaBetaWorker>> workers_;
};

}  // namespace tengen
