#include "search/uct.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "search/uct_worker.h"

namespace tengen {
namespace {

// How often a search that is observed reports.
constexpr double seconds_between_reports = 0.25;

template <class T>
void require(bool fine, const char* name, const char* range, T value) {
    if (!fine) throw GameError(std::string("mcts: ") + name + " must be " + range + ", not " + std::to_string(value));
}

RootMove move_to(const UctNode& child) {
    const Verdict v = child.verdict().before();
    return {child.action(), child.visits(), child.mean(), v.proof, v.distance};
}

}  // namespace

void check(const UctOptions& o) {
    require(o.threads >= 1 && o.threads <= 256, "threads", "1..256", o.threads);
    require(o.exploration >= 0 && o.exploration <= 100, "c", "0..100", o.exploration);
    require(o.near >= 0 && o.near < max_size, "near", "0..21", o.near);
    require(o.memory >= 1 && o.memory <= 65536, "memory", "1..65536 megabytes", o.memory);
    if (o.threads > 1 && o.parallel == UctParallel::none)
        throw GameError("mcts: " + std::to_string(o.threads) + " threads need parallel=leaf, root or tree");
    if (o.parallel == UctParallel::leaf && o.leaf == UctLeaf::expert)
        throw GameError("mcts: parallel=leaf plays several random games at a leaf, so leaf=expert cannot use it");
}

template <class B>
class Uct<B>::Search {
public:
    explicit Search(const UctOptions& options) : options_(options) { clear(); }

    void clear() {
        trees_.clear();
        root_.reset();
        randoms_.clear();
        for (int i = 0; i < options_.threads; ++i)
            randoms_.emplace_back(splitmix64(options_.seed) + static_cast<std::uint64_t>(i));
    }
    void stop() { control_.stop(); }

    SearchReport run(const B& board, const SearchLimits& limits, const OnReport& on_report);
    std::vector<RootMove> moves() const;
    std::uint64_t tree_nodes() const {
        std::uint64_t sum = 0;
        for (const auto& tree : trees_) sum += tree->used();
        return sum;
    }

private:
    void move_root(const B& board);
    void work(UctWorker<B>& worker, const UctTree& tree, std::uint32_t games, const OnReport& on_report);
    SearchReport report() const;
    SearchLine line_of(const RootMove& move) const;

    UctOptions options_;
    SearchControl control_;
    std::vector<std::unique_ptr<UctTree>> trees_;
    std::optional<B> root_;  // the position at the root of the trees
    std::vector<Random> randoms_;
    std::atomic<std::uint64_t> begun_{0};
    std::atomic<std::uint64_t> done_{0};
    std::atomic<int> deepest_{0};
};

// The trees go on from the last search where they can.
template <class B>
void Uct<B>::Search::move_root(const B& board) {
    const auto count = static_cast<std::size_t>(options_.parallel == UctParallel::root ? options_.threads : 1);
    while (trees_.size() < count)
        trees_.push_back(std::make_unique<UctTree>((static_cast<std::size_t>(options_.memory) << 20) / count));
    const bool follows = root_ && leads_to(*root_, board);
    for (const auto& tree : trees_) {
        std::uint32_t at = follows ? UctTree::root : UctTree::none;
        for (int ply = follows ? root_->ply() : board.ply(); ply < board.ply() && at != UctTree::none; ++ply)
            at = tree->child_by_action((*tree)[at], board.move_at(ply));
        if (at == UctTree::none)
            tree->reset();
        else
            tree->keep(at);
    }
    root_ = board;
}

template <class B>
void Uct<B>::Search::work(UctWorker<B>& worker, const UctTree& tree, std::uint32_t games, const OnReport& on_report) {
    const std::uint64_t limit = control_.limits().nodes;
    double next_report = seconds_between_reports;
    for (std::uint32_t walks = 1; !control_.stopped(); ++walks) {
        const std::uint64_t begun = begun_.fetch_add(games, std::memory_order_relaxed);
        if (begun >= limit) break;
        const std::uint64_t left = limit - begun;
        const std::uint32_t played = worker.playout(left < games ? static_cast<std::uint32_t>(left) : games);
        if (left >= games) begun_.fetch_sub(games - played, std::memory_order_relaxed);  // a proven leaf needs no games
        done_.fetch_add(played, std::memory_order_relaxed);
        if (tree[UctTree::root].verdict().settled()) control_.stop();
        if (walks % 16) continue;
        control_.out_of_budget(0);
        if (on_report && control_.seconds() >= next_report) {
            on_report(report());
            next_report = control_.seconds() + seconds_between_reports;
        }
    }
    int seen = deepest_.load();
    while (seen < worker.deepest() && !deepest_.compare_exchange_weak(seen, worker.deepest())) {}
}

template <class B>
SearchReport Uct<B>::Search::run(const B& board, const SearchLimits& limits, const OnReport& on_report) {
    control_.begin(limits);
    if (board.outcome().over()) return {};
    move_root(board);
    begun_ = done_ = 0;
    deepest_ = 0;
    // 1. Everything that allocates or can fail happens before the threads start.
    std::optional<RolloutTeam<B>> team;
    if (options_.parallel == UctParallel::leaf) team.emplace(board, options_, randoms_);
    const auto tree_of = [&](std::size_t i) -> UctTree& { return *trees_[i % trees_.size()]; };
    const std::size_t count = team ? 1 : randoms_.size();
    std::vector<std::unique_ptr<UctWorker<B>>> workers;
    for (std::size_t i = 0; i < count; ++i) {
        workers.push_back(
            std::make_unique<UctWorker<B>>(tree_of(i), board, options_, randoms_[i], team ? &*team : nullptr));
        if (i < trees_.size()) workers.back()->grow_root();
    }
    const bool settled = std::any_of(trees_.begin(), trees_.end(),
                                     [](const auto& tree) { return (*tree)[UctTree::root].verdict().settled(); });
    // 2. The first worker is this thread, which also reports; the others end with it.
    if (!settled) {
        struct StopAtEnd {
            SearchControl& control;
            ~StopAtEnd() { control.stop(); }
        };
        std::vector<std::jthread> threads;
        std::optional<StopAtEnd> stop_at_end(std::in_place, control_);
        for (std::size_t i = 1; i < count; ++i)
            threads.emplace_back([this, &workers, &tree_of, i] { work(*workers[i], tree_of(i), 1, {}); });
        work(*workers[0], tree_of(0), team ? static_cast<std::uint32_t>(options_.threads) : 1, on_report);
    }
    return report();
}

template <class B>
std::vector<RootMove> Uct<B>::Search::moves() const {
    if (!root_) return {};
    std::vector<RootMove> merged;
    for (const auto& tree : trees_) {
        const UctNode& root = (*tree)[UctTree::root];
        if (root.growth() != UctGrowth::grown) continue;
        for (int i = 0; i < root.count(); ++i) {
            const RootMove move = move_to((*tree)[root.first_child() + static_cast<std::uint32_t>(i)]);
            const auto same = [&](const RootMove& m) { return m.action == move.action; };
            auto at = std::find_if(merged.begin(), merged.end(), same);
            if (at == merged.end()) at = merged.insert(at, RootMove{.action = move.action});
            at->value += move.value * static_cast<double>(move.visits);  // a sum, until all are in
            at->visits += move.visits;
            if (move.proof != Proof::none) at->proof = move.proof, at->distance = move.distance;
        }
    }
    for (RootMove& move : merged) {
        if (move.visits) move.value /= static_cast<double>(move.visits);
        if (move.proof != Proof::none) move.value = move.proof == Proof::won ? 1 : move.proof == Proof::lost ? -1 : 0;
    }
    put_in_order(merged);
    return merged;
}

// The move, and then the most visited ones in the tree that knows it best.
template <class B>
SearchLine Uct<B>::Search::line_of(const RootMove& move) const {
    const UctTree* tree = nullptr;
    std::uint32_t at = UctTree::none, most = 0;
    for (const auto& candidate : trees_) {
        const std::uint32_t child = candidate->child_by_action((*candidate)[UctTree::root], move.action);
        if (child == UctTree::none || (at != UctTree::none && (*candidate)[child].visits() <= most)) continue;
        tree = candidate.get(), at = child, most = (*tree)[child].visits();
    }
    SearchLine line;
    while (at != UctTree::none) {
        const UctNode& node = (*tree)[at];
        line.moves.push_back(node.action());
        at = UctTree::none;
        if (node.growth() != UctGrowth::grown) break;
        std::vector<RootMove> replies;
        for (int i = 0; i < node.count(); ++i) {
            const RootMove reply = move_to((*tree)[node.first_child() + static_cast<std::uint32_t>(i)]);
            if (reply.visits || reply.proof != Proof::none) replies.push_back(reply);
        }
        put_in_order(replies);
        if (!replies.empty()) at = tree->child_by_action(node, replies[0].action);
    }
    line.value = std::clamp(move.value, -1.0, 1.0);
    line.score = static_cast<int>(std::min<std::uint64_t>(move.visits, std::numeric_limits<int>::max()));
    line.proof = move.proof;
    line.distance = move.distance;
    line.depth = static_cast<int>(line.moves.size());
    return line;
}

template <class B>
SearchReport Uct<B>::Search::report() const {
    SearchReport report;
    const std::vector<RootMove> all = moves();
    const auto lines = static_cast<std::size_t>(std::max(1, control_.limits().lines));
    for (std::size_t i = 0; i < all.size() && i < lines; ++i) report.lines.push_back(line_of(all[i]));
    report.nodes = done_.load();
    report.seconds = control_.seconds();
    report.depth = report.lines.empty() ? 0 : report.lines[0].depth;
    report.selective_depth = std::max(deepest_.load(), report.depth);
    return report;
}

template <class B>
Uct<B>::Uct(const UctOptions& options) {
    check(options);
    search_ = std::make_unique<Search>(options);
}

template <class B>
Uct<B>::~Uct() = default;

template <class B>
SearchReport Uct<B>::search(const B& board, const SearchLimits& limits, const OnReport& on_report) {
    return search_->run(board, limits, on_report);
}

template <class B>
void Uct<B>::stop() {
    search_->stop();
}

template <class B>
void Uct<B>::clear() {
    search_->clear();
}

template <class B>
std::vector<RootMove> Uct<B>::root_moves() const {
    return search_->moves();
}

template <class B>
std::uint64_t Uct<B>::tree_nodes() const {
    return search_->tree_nodes();
}

template class Uct<GomokuBoard>;
template class Uct<OthelloBoard<4>>;
template class Uct<OthelloBoard<6>>;
template class Uct<OthelloBoard<8>>;
template class Uct<OthelloBoard<10>>;

}  // namespace tengen
