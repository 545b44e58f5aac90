// A minimax that remembers its answers: learners that prefer the same lines
// bring it the same positions again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "search/minimax.h"

namespace tengen {

class MinimaxRival {
public:
    MinimaxRival(int depth, std::size_t remembered) : search_(MinimaxOptions{.depth = depth}), remembered_(remembered) {}

    // The moves of equal value in a position whose game is not over; valid until the next call.
    const std::vector<int>& best_moves(const GomokuBoard& board) {
        if (answers_.empty()) answers_.resize(remembered_);  // not before it plays: most depths never do
        const std::uint64_t key = board.hash();
        // Hash and depth are all that an answer depends on: a rival plays one game under one rule.
        Answer& answer = answers_[key % answers_.size()];
        if (answer.moves.empty() || answer.key != key) {
            search_.search(board);
            answer = {key, search_.best_moves()};
        }
        return answer.moves;
    }

private:
    struct Answer {
        std::uint64_t key = 0;
        std::vector<int> moves;  // empty: none yet
    };

    Minimax search_;
    std::size_t remembered_;
    std::vector<Answer> answers_;
};

}  // namespace tengen
