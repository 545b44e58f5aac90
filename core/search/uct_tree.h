// The tree that UCT grows: nodes in one arena, shared by the threads of a search.
//
// The children of a node are one block of the arena, made when the node is
// visited for the second time. Every field that changes while threads search is
// atomic and there are no locks: who wins the race to expand a node does so, and
// the others take it as a leaf meanwhile. Statistics may be read a little stale.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "search/search.h"

namespace tengen {

enum class UctGrowth : std::uint8_t { leaf, growing, grown, stuck };  // stuck: there was no room

class UctNode {
public:
    // Values are summed as integers, so that a sum does not depend on the order of the threads.
    static constexpr double unit = 1 << 20;

    explicit UctNode(int action = 0) : action_(static_cast<std::uint16_t>(action)) {}

    // The move that leads here.
    int action() const { return action_; }
    std::uint32_t visits() const { return visits_.load(std::memory_order_relaxed); }
    // Playouts that went through here and are not over.
    std::uint32_t pending() const { return pending_.load(std::memory_order_relaxed); }
    // The sum of all results, from the side that moved here, in units.
    std::int64_t total() const { return total_.load(std::memory_order_relaxed); }
    double mean() const { return visits() ? static_cast<double>(total()) / unit / visits() : 0; }

    void enter() { pending_.fetch_add(1, std::memory_order_relaxed); }
    void leave(std::uint32_t results, double sum) {
        total_.fetch_add(static_cast<std::int64_t>(sum * unit), std::memory_order_relaxed);
        visits_.fetch_add(results, std::memory_order_relaxed);
        pending_.fetch_sub(1, std::memory_order_relaxed);
    }

    Verdict verdict() const {
        const std::uint16_t v = verdict_.load();
        return {static_cast<Proof>(v & 3), v >> 2};
    }
    void set_verdict(Verdict v) {
        verdict_.store(static_cast<std::uint16_t>(static_cast<int>(v.proof) | v.distance << 2));
    }

    UctGrowth growth() const { return static_cast<UctGrowth>(shape_.load(std::memory_order_acquire) & 3); }
    // To be asked of grown nodes only. `complete`: every legal move that does not lose at once is a child.
    int count() const { return shape_.load(std::memory_order_relaxed) >> 3 & 511; }
    bool complete() const { return shape_.load(std::memory_order_relaxed) & complete_bit; }
    std::uint32_t first_child() const { return first_child_; }
    // Whether a child is a proven draw: the mover need not do worse.
    bool can_draw() const { return shape_.load(std::memory_order_relaxed) & draw_bit; }
    void set_can_draw() { shape_.fetch_or(draw_bit, std::memory_order_relaxed); }

private:
    friend class UctTree;
    static constexpr std::uint16_t complete_bit = 1 << 2, draw_bit = 1 << 12;

    std::atomic<std::int64_t> total_{0};
    std::atomic<std::uint32_t> visits_{0};
    std::uint32_t first_child_ = 0;
    std::atomic<std::uint16_t> shape_{0};  // growth, complete and count, published together, and the draw
    std::uint16_t action_;
    std::atomic<std::uint16_t> pending_{0};
    std::atomic<std::uint16_t> verdict_{0};
};
static_assert(sizeof(UctNode) == 24);

// How a child is chosen among its siblings.
struct UctRule {
    double exploration;
    bool virtual_loss;  // pending playouts count as lost; otherwise (WU-UCT) as visits without a result
};

class UctTree {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Room for as many nodes as fit into `bytes`, half of which is for moving a
    // subtree. Memory is taken from the system only as it is used.
    explicit UctTree(std::size_t bytes);

    static constexpr std::uint32_t root = 0;
    UctNode& operator[](std::uint32_t index) { return nodes_[index]; }
    const UctNode& operator[](std::uint32_t index) const { return nodes_[index]; }
    std::uint32_t used() const { return used_.load(std::memory_order_relaxed); }
    std::uint32_t capacity() const { return capacity_; }

    // Only a root that knows nothing. Not while a search runs; nor is `keep`.
    void reset();
    // Makes a node the root and forgets all that is not below it.
    void keep(std::uint32_t node);

    // Expanding takes two steps: exactly one thread gets true from `claim`, and then calls `grow`.
    bool claim(UctNode& node);
    // Gives the node its children; false if there was no room.
    bool grow(UctNode& node, const std::uint16_t* actions, int count, bool complete);

    // The child of a grown node to visit next; `none` if the result of each is proven.
    std::uint32_t select(const UctNode& parent, const UctRule& rule) const;
    std::uint32_t child_by_action(const UctNode& parent, int action) const;

    // What the verdicts of its children say about a grown node.
    Verdict conclude(const UctNode& parent) const;

private:
    struct Free {
        void operator()(UctNode* p) const { ::operator delete(static_cast<void*>(p)); }
    };
    using Arena = std::unique_ptr<UctNode[], Free>;
    static Arena allocate(std::size_t nodes);

    std::uint32_t capacity_;
    Arena nodes_;
    Arena spare_;
    std::atomic<std::uint32_t> used_{0};
};

}  // namespace tengen
