// One thread's share of a UCT search, and the team that plays random games for
// it when the leaves are what runs in parallel.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "search/uct_position.h"

namespace tengen {

// Threads that each play a random game from the leaf they are shown.
template <class B>
class RolloutTeam {
public:
    RolloutTeam(const B& root, const UctOptions& options, std::vector<Random>& randoms) {
        for (std::size_t i = 1; i < randoms.size(); ++i) positions_.emplace_back(root, options);
        try {
            for (std::size_t i = 0; i < positions_.size(); ++i)
                threads_.emplace_back([this, i, &random = randoms[i + 1]] { serve(i, random); });
        } catch (...) {  // no more threads to be had: those that run must not be waited for in vain
            dismiss();
            throw;
        }
    }
    ~RolloutTeam() { dismiss(); }

    // The sum of `games` results from the position, whose own thread plays one of them.
    double play(UctPosition<B>& leaf, Random& random, std::uint32_t games) {
        path_ = leaf.path();
        wanted_ = games - 1;
        sum_.store(0, std::memory_order_relaxed);
        running_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
        const double own = leaf.rollout(random);
        while (running_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
        return own + sum_.load(std::memory_order_relaxed);
    }

private:
    void dismiss() {
        quit_.store(true, std::memory_order_relaxed);
        round_.fetch_add(1, std::memory_order_release);
    }

    void serve(std::size_t index, Random& random) {
        UctPosition<B>& position = positions_[index];
        for (std::uint32_t seen = 0;; ++seen) {
            // Asleep, a thread would take longer to wake than the game takes.
            for (int spins = 0; round_.load(std::memory_order_acquire) == seen; ++spins)
                if (spins > 1000) std::this_thread::yield();
            if (quit_.load(std::memory_order_relaxed)) return;
            if (index < wanted_) {
                for (const int action : path_) position.play(action);
                sum_.fetch_add(static_cast<int>(position.rollout(random)), std::memory_order_relaxed);
                position.rewind();
            }
            running_.fetch_sub(1, std::memory_order_release);
        }
    }

    // Written between two rounds, read during one.
    std::vector<std::int16_t> path_;
    std::uint32_t wanted_ = 0;
    std::atomic<std::uint32_t> round_{0};
    std::atomic<int> running_{0};
    std::atomic<int> sum_{0};
    std::atomic<bool> quit_{false};
    std::vector<UctPosition<B>> positions_;
    std::vector<std::jthread> threads_;  // last: joined before anything else goes
};

template <class B>
class UctWorker {
public:
    UctWorker(UctTree& tree, const B& root, const UctOptions& options, Random& random, RolloutTeam<B>* team = nullptr)
        : tree_(tree),
          position_(root, options),
          random_(random),
          team_(team),
          rule_{options.exploration, options.counts == UctCounts::virtual_loss},
          expert_(options.leaf == UctLeaf::expert) {
        path_.reserve(static_cast<std::size_t>(2 * root.actions()) + 1);
    }

    // Gives the root its children, if it has none.
    void grow_root() {
        UctNode& root = tree_[UctTree::root];
        if (root.growth() == UctGrowth::grown) return;
        root.set_verdict({});  // proven without children, perhaps, but a root needs moves
        expand(root);
    }

    // One walk down the tree and back, with up to `games` random games at its end; how many there were.
    std::uint32_t playout(std::uint32_t games);

    // The longest walk yet.
    int deepest() const { return deepest_; }

private:
    struct Leaf {
        double sum = 0;  // of the results, from the side of the leaf's mover
        std::uint32_t results = 1;
        bool proven = false;  // just now, by this walk
    };

    Leaf descend(std::uint32_t games);
    bool settle_or_grow(UctNode& node, Leaf& leaf);
    bool expand(UctNode& node);
    void back_up(Leaf leaf);

    UctTree& tree_;
    UctPosition<B> position_;
    Random& random_;
    RolloutTeam<B>* team_;
    UctRule rule_;
    bool expert_;
    int deepest_ = 0;
    std::vector<std::uint32_t> path_;
    UctCandidates candidates_;
};

template <class B>
std::uint32_t UctWorker<B>::playout(std::uint32_t games) {
    path_.assign(1, UctTree::root);
    tree_[UctTree::root].enter();
    const Leaf leaf = descend(games);
    deepest_ = std::max(deepest_, static_cast<int>(path_.size()) - 1);
    position_.rewind();
    back_up(leaf);
    return leaf.results;
}

template <class B>
auto UctWorker<B>::descend(std::uint32_t games) -> Leaf {
    Leaf leaf;
    while (true) {
        UctNode& node = tree_[path_.back()];
        // 1. Proven: nothing to find out below.
        if (const Verdict verdict = node.verdict(); verdict.settled()) {
            leaf.sum = verdict.value();
            return leaf;
        }
        // 2. Inside the tree: on to a child. Where all that are tried are proven, so is the node, as far as we know.
        if (node.growth() == UctGrowth::grown) {
            const std::uint32_t next = tree_.select(node, rule_);
            if (next == UctTree::none) {
                leaf.sum = node.can_draw() ? 0 : -1;
                return leaf;
            }
            UctNode& child = tree_[next];
            const bool is_new = child.visits() == 0;
            child.enter();
            path_.push_back(next);
            position_.play(child.action());
            if (!is_new || !position_.over()) continue;
            child.set_verdict(position_.result());
            leaf.sum = child.verdict().value();
            leaf.proven = true;
            return leaf;
        }
        // 3. At a leaf: grow it, unless this is the first visit, or another thread is at it, or there is no room.
        if (settle_or_grow(node, leaf)) {
            if (leaf.proven) return leaf;
            continue;
        }
        if (expert_) return leaf;
        // 4. Play on at random.
        leaf.results = team_ ? games : 1;
        leaf.sum = team_ ? team_->play(position_, random_, games) : position_.rollout(random_);
        return leaf;
    }
}

// True if the leaf has children now or is proven; otherwise it is to be evaluated, which the expert has done.
template <class B>
bool UctWorker<B>::settle_or_grow(UctNode& node, Leaf& leaf) {
    bool may_grow = node.visits() > 0;
    if (expert_) {
        const UctOpinion opinion = position_.opinion();
        if (opinion.verdict.settled()) {
            node.set_verdict(opinion.verdict);
            leaf.sum = opinion.value;
            leaf.proven = true;
            return true;
        }
        leaf.sum = opinion.value;
        may_grow = may_grow || opinion.forced;
    }
    if (!may_grow || node.growth() != UctGrowth::leaf || !tree_.claim(node) || !expand(node)) return false;
    leaf.proven = node.verdict().settled();
    leaf.sum = node.verdict().value();
    return true;
}

// The node must be claimed, or the root before the search.
template <class B>
bool UctWorker<B>::expand(UctNode& node) {
    position_.candidates(random_, candidates_);
    if (!tree_.grow(node, candidates_.actions.data(), candidates_.count, candidates_.complete)) return false;
    if (candidates_.wins) {
        tree_[node.first_child()].set_verdict({Proof::lost, 0});
        node.set_verdict({Proof::won, 1});
    }
    return true;
}

template <class B>
void UctWorker<B>::back_up(Leaf leaf) {
    double sum = leaf.sum;
    for (std::size_t i = path_.size(); i-- > 0; sum = -sum) {
        UctNode& node = tree_[path_[i]];
        if (leaf.proven && i + 1 < path_.size()) {
            if (tree_[path_[i + 1]].verdict().proof == Proof::exact) node.set_can_draw();
            const Verdict verdict = tree_.conclude(node);
            leaf.proven = verdict.settled();
            if (leaf.proven) {
                node.set_verdict(verdict);
                sum = verdict.value() * leaf.results;
            }
        }
        if (sum < 0 && node.can_draw()) sum = 0;
        node.leave(leaf.results, -sum);
    }
}

}  // namespace tengen
