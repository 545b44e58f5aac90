// The contract of a search: what goes in, what comes out, who may call what.
//
// A searcher is an object with options and memory (tables, trees) of its own;
// two of them never meet. `search` blocks until a limit is reached, the
// position is settled, or another thread calls `stop`. One thread at a time
// calls `search`; `stop` may come from any thread at any time. On one thread,
// with limits other than time, and from a cleared memory, the same position
// gives the same result.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace tengen {

// A search ends at whichever limit comes first. `depth` counts plies.
struct SearchLimits {
    double seconds = std::numeric_limits<double>::infinity();
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    int depth = std::numeric_limits<int>::max();
    int lines = 1;  // how many best moves to report, each searched with an exact value
};

// How sure a value is. `won` and `lost` are proofs, from the mover's side;
// `exact` is a known final result that is neither (a draw, a disc difference).
enum class Proof : std::uint8_t { none, won, lost, exact };

// What is proven about a position, from the side of its mover, and in how many plies it ends.
struct Verdict {
    Proof proof = Proof::none;
    int distance = 0;

    bool settled() const { return proof != Proof::none; }
    double value() const { return proof == Proof::won ? 1 : proof == Proof::lost ? -1 : 0; }
    // The same, seen from the position one move earlier.
    Verdict before() const {
        const Proof turned = proof == Proof::won ? Proof::lost : proof == Proof::lost ? Proof::won : proof;
        return {turned, settled() ? distance + 1 : 0};
    }
};

// One best move and what is expected after it.
struct SearchLine {
    std::vector<int> moves;  // actions, the move itself first
    double value = 0;        // -1 (lost) .. 1 (won), from the mover's side
    int score = 0;           // in the evaluation's own unit; for Othello discs * 100
    Proof proof = Proof::none;
    int distance = 0;  // plies to the end, where proven won or lost
    int depth = 0;     // plies searched in full
};

struct SearchReport {
    std::vector<SearchLine> lines;  // best first; empty only if the game is over
    std::uint64_t nodes = 0;
    double seconds = 0;
    int depth = 0;
    int selective_depth = 0;  // the deepest ply looked at
};

// Called from the searching thread whenever a better line or a new depth is there.
using OnReport = std::function<void(const SearchReport&)>;

// The clock and the stop flag of one search, polled by all its threads.
class SearchControl {
public:
    // Starts the clock. Call it on the thread that asked for the search, before any other use.
    void begin(const SearchLimits& limits) {
        limits_ = limits;
        start_ = std::chrono::steady_clock::now();
        stopped_.store(false, std::memory_order_relaxed);
    }
    void stop() { stopped_.store(true, std::memory_order_relaxed); }
    bool stopped() const { return stopped_.load(std::memory_order_relaxed); }
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }
    // To be asked every thousand nodes or so: looks at the clock and at the node count.
    bool out_of_budget(std::uint64_t nodes) {
        if (!stopped() && (nodes >= limits_.nodes || seconds() >= limits_.seconds)) stop();
        return stopped();
    }
    const SearchLimits& limits() const { return limits_; }

private:
    SearchLimits limits_;
    std::chrono::steady_clock::time_point start_;
    std::atomic<bool> stopped_{false};
};

}  // namespace tengen
