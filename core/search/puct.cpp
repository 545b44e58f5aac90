#include "search/puct.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include "search/puct_position.h"

namespace tengen {
namespace {

constexpr double seconds_between_reports = 0.25;
// At the root more is worth knowing for sure.
constexpr std::uint64_t root_effort = 50;
// A walk that meets another one's leaf gives up; after so many, the batch goes as it is.
constexpr int patience = 4;
// So many walks that needed no network end a batch too: else a tree of proofs would have nothing to report.
constexpr int most_settled = 256;

template <class T>
void require(bool fine, const char* name, const char* range, T value) {
    if (!fine) throw GameError(std::string("alphazero: ") + name + " must be " + range + ", not " + std::to_string(value));
}

}  // namespace

void check(const PuctOptions& o) {
    require(o.threads >= 1 && o.threads <= 256, "threads", "1..256", o.threads);
    require(o.batch >= 1 && o.batch <= 1024, "batch", "1..1024", o.batch);
    require(o.exploration >= 0 && o.exploration <= 100, "c", "0..100", o.exploration);
    require(o.first_play >= 0 && o.first_play <= 2, "first_play", "0..2", o.first_play);
    require(o.moves >= 1 && o.moves <= max_cells, "moves", "1..484", o.moves);
    require(o.effort >= 0 && o.effort <= 1000000, "effort", "0..1000000", o.effort);
    require(o.vct >= 0 && o.vct <= 1000000, "vct", "0..1000000", o.vct);
    require(o.threads * o.batch < 65536, "threads times batch", "below 65536", o.threads * o.batch);  // PuctNode::pending
    require(o.memory >= 1 && o.memory <= 65536, "memory", "1..65536 megabytes", o.memory);
}

template <class B>
class Puct<B>::Search {
public:
    Search(std::shared_ptr<Evaluator> evaluator, const PuctOptions& options)
        : evaluator_(std::move(evaluator)), options_(options), tree_(tree_bytes(options)) {
        rule_.exploration = options.exploration;
        rule_.first_play = options.first_play;
        rule_.counts = options.counts;
    }

    void clear() {
        tree_.reset();
        root_.reset();
    }
    void stop() { control_.stop(); }
    SearchReport run(const B& board, const SearchLimits& limits, const OnReport& on_report);
    // An observer may ask while other threads search.
    std::vector<RootMove> moves() const {
        const std::lock_guard lock(mutex_);
        return root_ ? tree_.moves() : std::vector<RootMove>{};
    }
    std::uint64_t tree_nodes() const {
        const std::lock_guard lock(mutex_);
        return tree_.size();
    }
    std::uint64_t evaluations() const { return evaluations_.load(); }

private:
    // A position that waits for the network.
    struct Leaf {
        PuctPath path;
        std::vector<int> moves;
        bool complete;
    };
    enum class Walk { leaf, done, collided };
    struct Worker;

    // Vectors leave as much room free as they grow.
    static std::size_t tree_bytes(const PuctOptions& o) { return (static_cast<std::size_t>(o.memory) << 20) / 2; }

    void move_root(const B& board);
    void look_at_root(Worker& worker);
    void work(Worker& worker, const OnReport& on_report);
    void collect(Worker& worker);
    Walk walk(Worker& worker, std::unique_lock<std::mutex>& lock);
    void judge(Worker& worker);
    std::size_t batch_now() const;
    bool take_playout() { return begun_.fetch_add(1, std::memory_order_relaxed) < control_.limits().nodes; }
    void give_back_playout() { begun_.fetch_sub(1, std::memory_order_relaxed); }
    SearchReport report();

    std::shared_ptr<Evaluator> evaluator_;
    PuctOptions options_;
    PuctRule rule_;
    SearchControl control_;
    mutable std::mutex mutex_;  // guards the tree while threads search, and `error_`
    PuctTree tree_;
    std::optional<B> root_;  // the position at the root of the tree
    std::atomic<std::uint64_t> begun_{0};
    std::atomic<std::uint64_t> done_{0};
    std::atomic<std::uint64_t> evaluations_{0};
    int deepest_ = 0;
    std::exception_ptr error_;
};

template <class B>
struct Puct<B>::Search::Worker {
    Worker(const B& root, const PuctOptions& options, const Evaluator& evaluator, SearchControl& control)
        : position(root), solver(static_cast<std::uint64_t>(options.effort), &control), size(root.size()) {
        const auto batch = static_cast<std::size_t>(options.batch);
        leaves.resize(batch);
        planes.resize(batch * plane_bytes(options));
        policy.resize(batch * static_cast<std::size_t>(evaluator.actions(size)));
        wdl.resize(batch * 3);
    }
    std::size_t plane_bytes(const PuctOptions& options) const {
        return static_cast<std::size_t>(plane_count(options.encoding) * size * size);
    }

    PuctPosition<B> position;
    PuctSolver<B> solver;
    int size;
    std::vector<Leaf> leaves;  // the first `count` wait
    std::size_t count = 0;
    std::vector<std::uint8_t> planes;
    std::vector<float> policy;
    std::vector<float> wdl;
    void list_legal_moves() {
        legal.clear();
        const B& board = position.board();
        for (int action = 0; action < board.actions(); ++action)
            if (board.is_legal(action)) legal.push_back(action);
    }
    PuctPath path;
    PuctLook look;
    std::vector<int> legal;
    std::vector<float> logits;
    std::vector<PuctMove> chosen;
};

template <class B>
void Puct<B>::Search::move_root(const B& board) {
    if (root_ && leads_to(*root_, board)) {
        for (int ply = root_->ply(); ply < board.ply(); ++ply) tree_.advance(board.move_at(ply));
    } else {
        tree_.reset();
    }
    root_ = board;
}

// Many leaves at once are cheap to judge but found with less knowledge: let the batch grow with the tree.
template <class B>
std::size_t Puct<B>::Search::batch_now() const {
    const std::uint32_t visits = tree_[PuctTree::root].visits;
    return std::clamp<std::size_t>(visits / (16 * static_cast<std::size_t>(options_.threads)), 1,
                                   static_cast<std::size_t>(options_.batch));
}

// One walk from the root. The tree is locked on entry and on return, but not
// while the position at the end is looked at.
template <class B>
typename Puct<B>::Search::Walk Puct<B>::Search::walk(Worker& w, std::unique_lock<std::mutex>& lock) {
    w.path.assign(1, PuctTree::root);
    tree_.enter(PuctTree::root);
    for (;;) {
        const std::uint32_t at = w.path.back();
        const PuctNode& node = tree_[at];
        if (node.settled()) {
            tree_.back_up(w.path, node.verdict().value());
            return Walk::done;
        }
        if (node.state == PuctState::waiting) {
            tree_.withdraw(w.path);
            return Walk::collided;
        }
        if (node.state == PuctState::fresh) {
            tree_.set_waiting(at);
            lock.unlock();
            w.position.look(w.solver, w.look);
            const bool needs_network = !w.look.verdict.settled() && !w.look.forced();
            if (needs_network)
                w.position.write_input(options_.encoding, w.size, w.planes.data() + w.count * w.plane_bytes(options_));
            lock.lock();
            deepest_ = std::max(deepest_, static_cast<int>(w.path.size()) - 1);
            if (needs_network) return Walk::leaf;
            w.chosen.clear();
            if (!w.look.moves.empty()) w.chosen.push_back({w.look.moves[0], 1.0F});
            tree_.grow(at, w.chosen, true);
            if (!w.look.verdict.settled()) continue;  // one reply: it is as if it had been played
            tree_.settle(w.path, w.look.verdict);
            return Walk::done;
        }
        if (options_.vct && tree_.deserves_a_look(at)) {
            const std::uint64_t nodes = static_cast<std::uint64_t>(options_.vct) << 2 * tree_.count_look(at);
            lock.unlock();
            const bool won = w.position.look_closer(w.solver, nodes, w.look);
            lock.lock();
            if (won && !tree_[at].settled()) {
                w.chosen.assign(1, {w.look.moves[0], 1.0F});
                tree_.grow(at, w.chosen, true);  // other walks may be below the moves that it had; nothing is moved
                tree_.settle(w.path, w.look.verdict);
                return Walk::done;
            }
            continue;
        }
        const std::uint32_t edge = tree_.select(at, rule_);
        // All its moves are settled, and the others were thought worse: but now they are all that is left to look at.
        if (!node.complete && (edge == PuctTree::none || (edge < node.opened && tree_[tree_.child(at, edge)].settled()))) {
            w.list_legal_moves();
            tree_.widen(at, w.legal);
            continue;
        }
        const int action = tree_.edges(at)[edge].action;
        const std::uint32_t next = tree_.child(at, edge);
        if (next == PuctTree::none) {  // no room: end here, with what is known
            tree_.back_up(w.path, tree_[at].mean());
            control_.stop();
            return Walk::done;
        }
        tree_.enter(next);
        w.path.push_back(next);
        w.position.play(action);
    }
}

template <class B>
void Puct<B>::Search::collect(Worker& w) {
    w.count = 0;
    std::unique_lock lock(mutex_);
    const std::size_t wanted = batch_now();
    int collisions = 0, settled = 0;
    while (w.count < wanted && collisions < patience && settled < most_settled && !control_.stopped()) {
        if (!take_playout()) {
            give_back_playout();
            break;
        }
        const Walk walked = walk(w, lock);
        w.position.rewind();
        switch (walked) {
            case Walk::leaf: {
                Leaf& leaf = w.leaves[w.count++];
                leaf.path = w.path;
                leaf.moves = w.look.moves;
                leaf.complete = w.look.complete && leaf.moves.size() <= static_cast<std::size_t>(options_.moves);
                break;
            }
            case Walk::done:
                ++done_;
                ++settled;
                if (tree_[PuctTree::root].settled()) control_.stop();
                break;
            case Walk::collided:
                give_back_playout();
                ++collisions;
                break;
        }
        control_.out_of_budget(0);  // the clock: walks that look for wins are slow, and a tree can be all proofs
    }
}

template <class B>
void Puct<B>::Search::judge(Worker& w) {
    if (w.count == 0) return std::this_thread::yield();
    const auto count = static_cast<int>(w.count);
    const auto actions = static_cast<std::size_t>(evaluator_->actions(w.size));
    try {
        evaluator_->evaluate(count, w.size, w.planes.data(), w.policy.data(), w.wdl.data());
    } catch (...) {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i < w.count; ++i) tree_.withdraw(w.leaves[i].path);
        throw;
    }
    evaluations_ += w.count;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < w.count; ++i) {
        const Leaf& leaf = w.leaves[i];
        const float* const policy = w.policy.data() + i * actions;
        w.logits.clear();
        for (const int action : leaf.moves) w.logits.push_back(policy[action]);
        choose_moves(leaf.moves, w.logits, static_cast<std::size_t>(options_.moves), w.chosen);
        const float value = value_of(w.wdl.data() + 3 * i);
        const std::uint32_t at = leaf.path.back();
        tree_.grow(at, w.chosen, leaf.complete);
        tree_.set_value(at, value);
        tree_.back_up(leaf.path, value);
    }
    done_ += w.count;
}

template <class B>
void Puct<B>::Search::work(Worker& worker, const OnReport& on_report) {
    double next_report = seconds_between_reports;
    try {
        while (!control_.stopped()) {
            collect(worker);
            judge(worker);
            if (control_.out_of_budget(done_.load())) break;
            if (on_report && control_.seconds() >= next_report) {
                on_report(report());
                next_report = control_.seconds() + seconds_between_reports;
            }
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        control_.stop();
    }
}

// The root gets a closer look than other nodes and, whatever the limits, its moves.
template <class B>
void Puct<B>::Search::look_at_root(Worker& w) {
    constexpr bool by_positions = std::is_same_v<B, GomokuBoard>;
    if (tree_[PuctTree::root].settled()) return;
    PuctSolver<B> solver((by_positions ? root_effort : 1) * static_cast<std::uint64_t>(options_.effort), &control_);
    w.position.look(solver, w.look);
    const bool settled = w.look.verdict.settled();
    if (!settled && tree_[PuctTree::root].state == PuctState::grown) return;
    tree_.reset();
    tree_.enter(PuctTree::root);
    if (settled || w.look.forced()) {
        w.chosen.assign(1, {w.look.moves[0], 1.0F});
        tree_.grow(PuctTree::root, w.chosen, true);
        if (settled)
            tree_.settle({PuctTree::root}, w.look.verdict);
        else
            tree_.withdraw({PuctTree::root});
        return;
    }
    w.position.write_input(options_.encoding, w.size, w.planes.data());
    const bool complete = w.look.complete && w.look.moves.size() <= static_cast<std::size_t>(options_.moves);
    w.leaves[0] = {{PuctTree::root}, w.look.moves, complete};
    w.count = 1;
    judge(w);
    ++begun_;
}

template <class B>
SearchReport Puct<B>::Search::run(const B& board, const SearchLimits& limits, const OnReport& on_report) {
    control_.begin(limits);
    begun_ = done_ = evaluations_ = 0;
    deepest_ = 0;
    error_ = nullptr;
    if (board.outcome().over()) {
        clear();
        return {};
    }
    move_root(board);
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < options_.threads; ++i)
        workers.push_back(std::make_unique<Worker>(board, options_, *evaluator_, control_));
    Worker& first = *workers[0];
    look_at_root(first);
    // The first worker is this thread, which also reports; the others end with it.
    if (!tree_[PuctTree::root].settled()) {
        struct StopAtEnd {
            SearchControl& control;
            ~StopAtEnd() { control.stop(); }
        };
        std::vector<std::jthread> threads;
        std::optional<StopAtEnd> stop_at_end(std::in_place, control_);
        for (std::size_t i = 1; i < workers.size(); ++i)
            threads.emplace_back([this, &workers, i] { work(*workers[i], {}); });
        work(first, on_report);
        stop_at_end.reset();
        threads.clear();
    }
    if (error_) {
        clear();  // some nodes still wait
        std::rethrow_exception(error_);
    }
    return report();
}

template <class B>
SearchReport Puct<B>::Search::report() {
    const std::lock_guard lock(mutex_);
    SearchReport report;
    const std::vector<RootMove> all = tree_.moves();
    const auto lines = static_cast<std::size_t>(std::max(1, control_.limits().lines));
    for (std::size_t i = 0; i < all.size() && i < lines; ++i) {
        SearchLine line;
        line.moves.push_back(all[i].action);
        const std::uint32_t child = tree_.child_by_action(PuctTree::root, all[i].action);
        if (child != PuctTree::none) tree_.best_line(child, line.moves);
        line.value = std::clamp(all[i].value, -1.0, 1.0);
        line.score = static_cast<int>(std::min<std::uint64_t>(all[i].visits, std::numeric_limits<int>::max()));
        line.proof = all[i].proof;
        line.distance = all[i].distance;
        line.depth = static_cast<int>(line.moves.size());
        report.lines.push_back(std::move(line));
    }
    report.nodes = done_.load();
    report.seconds = control_.seconds();
    report.depth = report.lines.empty() ? 0 : report.lines[0].depth;
    report.selective_depth = std::max(deepest_, report.depth);
    return report;
}

template <class B>
Puct<B>::Puct(std::shared_ptr<Evaluator> evaluator, const PuctOptions& options) {
    check(options);
    check_encoding<B>(options.encoding);
    if (evaluator->plane_count() != plane_count(options.encoding))
        throw GameError("alphazero: the network reads " + std::to_string(evaluator->plane_count()) + " planes, but '" +
                        std::string(net_encodings[static_cast<std::size_t>(options.encoding)].name) + "' has " +
                        std::to_string(plane_count(options.encoding)));
    if (evaluator->passes() == std::is_same_v<B, GomokuBoard>)
        throw GameError("alphazero: the network is for another game");
    search_ = std::make_unique<Search>(std::move(evaluator), options);
}

template <class B>
Puct<B>::~Puct() = default;

template <class B>
SearchReport Puct<B>::search(const B& board, const SearchLimits& limits, const OnReport& on_report) {
    return search_->run(board, limits, on_report);
}

template <class B>
void Puct<B>::stop() {
    search_->stop();
}

template <class B>
void Puct<B>::clear() {
    search_->clear();
}

template <class B>
std::vector<RootMove> Puct<B>::root_moves() const {
    return search_->moves();
}

template <class B>
std::uint64_t Puct<B>::tree_nodes() const {
    return search_->tree_nodes();
}

template <class B>
std::uint64_t Puct<B>::evaluations() const {
    return search_->evaluations();
}

template class Puct<GomokuBoard>;
template class Puct<OthelloBoard<4>>;
template class Puct<OthelloBoard<6>>;
template class Puct<OthelloBoard<8>>;
template class Puct<OthelloBoard<10>>;

}  // namespace tengen
