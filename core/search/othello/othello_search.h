// The Othello player's search: iterative deepening, then the end of the game
// with less and less left to probability, until the limit or a proof.
#pragma once

#include <memory>
#include <span>

#include "games/othello.h"
#include "search/othello/evaluation.h"
#include "search/othello/table.h"
#include "search/search.h"

namespace tengen {

struct OthelloSearchOptions {
    int hash_mb = 32;  // 1 .. 65,536
};

// Keeps the contract of search/search.h. Scores are discs * 100; at the end of
// the game empty cells count for the winner. A position that is over gives no lines.
class OthelloSearch {
public:
    // `tables`: the 8x8 evaluation as in evaluation.h; none: a formula.
    explicit OthelloSearch(const OthelloSearchOptions& options = {}, std::span<const std::uint8_t> tables = {});

    template <int N>
    SearchReport search(const OthelloBoard<N>& board, const SearchLimits& limits, const OnReport& on_report = {});

    void stop() { control_.stop(); }
    // Forgets everything earlier searches found.
    void clear() { table_.clear(); }

    const OthelloEvaluation& evaluation() const { return evaluation_; }

private:
    OthelloEvaluation evaluation_;
    OthelloTable table_;
    SearchControl control_;
    int last_size_ = 0;
};

}  // namespace tengen
