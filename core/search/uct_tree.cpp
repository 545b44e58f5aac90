#include "search/uct_tree.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace tengen {
namespace {

constexpr std::uint16_t shape_of(UctGrowth growth, bool complete = false, int count = 0) {
    return static_cast<std::uint16_t>(static_cast<int>(growth) | complete << 2 | count << 3);
}

}  // namespace

UctTree::UctTree(std::size_t bytes)
    : capacity_(static_cast<std::uint32_t>(std::clamp<std::size_t>(bytes / 2 / sizeof(UctNode), 1024, 1u << 30))),
      nodes_(allocate(capacity_)) {
    reset();
}

UctTree::Arena UctTree::allocate(std::size_t nodes) {
    // Nodes are made where they are used: an untouched page costs nothing.
    return Arena(static_cast<UctNode*>(::operator new(nodes * sizeof(UctNode))));
}

void UctTree::reset() {
    new (&nodes_[root]) UctNode();
    used_.store(1, std::memory_order_relaxed);
}

void UctTree::keep(std::uint32_t node) {
    if (node == root) return;
    if (!spare_) spare_ = allocate(capacity_);
    const auto copy = [&](const UctNode& from, std::uint32_t to) {
        UctNode& made = *new (&spare_[to]) UctNode(from.action_);
        made.total_.store(from.total(), std::memory_order_relaxed);
        made.visits_.store(from.visits(), std::memory_order_relaxed);
        made.first_child_ = from.first_child_;
        made.set_verdict(from.verdict());
        const std::uint16_t shape = from.shape_.load(std::memory_order_relaxed);
        // A node that found no room may try again.
        const bool grown = from.growth() == UctGrowth::grown;
        made.shape_.store(grown ? shape : shape_of(UctGrowth::leaf), std::memory_order_relaxed);
    };
    // Breadth first: what has been copied is itself the queue of blocks to copy.
    copy(nodes_[node], root);
    std::uint32_t used = 1;
    for (std::uint32_t at = 0; at < used; ++at) {
        UctNode& parent = spare_[at];
        if (parent.growth() != UctGrowth::grown) continue;
        const std::uint32_t old = std::exchange(parent.first_child_, used);
        const auto count = static_cast<std::uint32_t>(parent.count());
        for (std::uint32_t i = 0; i < count; ++i) copy(nodes_[old + i], used++);
    }
    std::swap(nodes_, spare_);
    used_.store(used, std::memory_order_relaxed);
}

bool UctTree::claim(UctNode& node) {
    std::uint16_t leaf = shape_of(UctGrowth::leaf);
    return node.shape_.compare_exchange_strong(leaf, shape_of(UctGrowth::growing), std::memory_order_acquire,
                                               std::memory_order_relaxed);
}

bool UctTree::grow(UctNode& node, const std::uint16_t* actions, int count, bool complete) {
    const auto size = static_cast<std::uint32_t>(count);
    const std::uint32_t at = used_.fetch_add(size, std::memory_order_relaxed);
    if (at > capacity_ - size) {  // capacity is at least 1024, a block at most 484
        used_.fetch_sub(size, std::memory_order_relaxed);
        node.shape_.store(shape_of(UctGrowth::stuck), std::memory_order_release);
        return false;
    }
    for (std::uint32_t i = 0; i < size; ++i) new (&nodes_[at + i]) UctNode(actions[i]);
    node.first_child_ = at;
    node.shape_.store(shape_of(UctGrowth::grown, complete, count), std::memory_order_release);
    return true;
}

std::uint32_t UctTree::select(const UctNode& parent, const UctRule& rule) const {
    constexpr float scale = 1 / static_cast<float>(UctNode::unit);
    const std::uint32_t first = parent.first_child(), last = first + static_cast<std::uint32_t>(parent.count());
    const auto tries = static_cast<float>(std::max(1u, parent.visits() + parent.pending()));
    const float explore = static_cast<float>(rule.exploration * rule.exploration) * std::log(tries);
    const auto usual = static_cast<float>(-parent.mean());
    std::uint32_t best = none;
    float best_score = 0;
    for (std::uint32_t at = first; at < last; ++at) {
        const UctNode& child = nodes_[at];
        const std::uint32_t visits = child.visits(), pending = child.pending();
        if (visits + pending == 0) return at;  // S4: while a child is untried, try it
        if (child.verdict().settled()) continue;  // there is nothing to learn
        const auto seen = static_cast<float>(visits), all = static_cast<float>(visits + pending);
        float value;
        if (rule.virtual_loss)
            value = (static_cast<float>(child.total()) * scale - static_cast<float>(pending)) / all;
        else
            value = visits ? static_cast<float>(child.total()) * scale / seen : usual;
        const float score = value + std::sqrt(explore / all);
        if (best == none || score > best_score) best = at, best_score = score;
    }
    return best;
}

std::uint32_t UctTree::child_by_action(const UctNode& parent, int action) const {
    if (parent.growth() != UctGrowth::grown) return none;
    const std::uint32_t first = parent.first_child(), last = first + static_cast<std::uint32_t>(parent.count());
    for (std::uint32_t at = first; at < last; ++at)
        if (nodes_[at].action() == action) return at;
    return none;
}

// A win needs one child that is lost for its mover; a loss or a draw needs all
// children, and that they are all there are.
Verdict UctTree::conclude(const UctNode& parent) const {
    int soonest = 1 << 14, latest = 0, drawn = 0;
    bool all = parent.complete(), draw = false;
    for (int i = 0; i < parent.count(); ++i) {
        const Verdict child = nodes_[parent.first_child() + static_cast<std::uint32_t>(i)].verdict();
        switch (child.proof) {
            case Proof::lost: soonest = std::min(soonest, child.distance); break;
            case Proof::won: latest = std::max(latest, child.distance); break;
            case Proof::exact: draw = true, drawn = std::max(drawn, child.distance); break;
            case Proof::none: all = false; break;
        }
    }
    if (soonest < 1 << 14) return {Proof::won, soonest + 1};
    if (!all) return {};
    return draw ? Verdict{Proof::exact, drawn + 1} : Verdict{Proof::lost, latest + 1};
}

}  // namespace tengen
