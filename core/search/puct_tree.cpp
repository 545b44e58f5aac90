#include "search/puct_tree.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

constexpr float prior_unit = 65535;
constexpr float unlikely = 1e-3F;  // the prior of a move that was not worth an edge at first

std::uint16_t to_units(float prior) {
    return static_cast<std::uint16_t>(std::lround(std::clamp(prior, 0.0F, 1.0F) * prior_unit));
}

}  // namespace

void PuctTree::reset() {
    nodes_.assign(1, PuctNode{});
    edges_.clear();
}

void PuctTree::advance(int action) {
    const std::uint32_t from = child_by_action(root, action);
    if (from == none) return reset();
    spare_nodes_.assign(1, nodes_[from]);
    spare_edges_.clear();
    // Breadth first: what has been copied is itself the queue of nodes whose children follow.
    for (std::size_t at = 0; at < spare_nodes_.size(); ++at) {
        PuctNode& node = spare_nodes_[at];
        const std::uint32_t old = node.first_edge;
        const std::uint16_t count = node.edges, opened = node.opened;
        node.first_edge = static_cast<std::uint32_t>(spare_edges_.size());
        node.pending = 0;
        spare_edges_.insert(spare_edges_.end(), edges_.begin() + old, edges_.begin() + old + count);
        const std::uint32_t first = node.first_edge;
        for (std::uint32_t i = 0; i < opened; ++i) {  // no reference is kept: the vectors grow
            PuctEdge& edge = spare_edges_[first + i];
            spare_nodes_.push_back(nodes_[edge.child]);
            edge.child = static_cast<std::uint32_t>(spare_nodes_.size() - 1);
        }
    }
    nodes_.swap(spare_nodes_);
    edges_.swap(spare_edges_);
}

std::uint32_t PuctTree::select(std::uint32_t index, const PuctRule& rule) const {
    const PuctNode& node = nodes_[index];
    const auto pending_of = [&](const PuctNode& n) { return rule.counts == PuctCounts::none ? 0.0F : static_cast<float>(n.pending); };
    const auto visits = static_cast<float>(node.visits) + pending_of(node);
    const auto base = static_cast<float>(rule.exploration_base);
    const float explore = (static_cast<float>(rule.exploration) + std::log((visits + base) / base)) *
                          std::sqrt(std::max(1.0F, visits)) / prior_unit;
    const auto mean = static_cast<float>(node.mean());
    const PuctEdge* const edges = edges_.data() + node.first_edge;
    std::uint32_t best = none, draw = none;
    float best_score = 0, tried = 0;
    for (std::uint32_t i = 0; i < node.opened; ++i) {
        const PuctNode& child = nodes_[edges[i].child];
        if (child.proof == Proof::lost) return i;
        if (child.proof == Proof::won) continue;
        if (child.proof == Proof::exact || (node.safe && child.safe)) {
            if (draw == none || child.proof == Proof::exact) draw = i;
            continue;
        }
        const float pending = pending_of(child), seen = static_cast<float>(child.visits), all = seen + pending;
        float value = mean;  // while all its walks are under way
        if (rule.counts == PuctCounts::virtual_loss && all > 0)
            value = (static_cast<float>(-child.total) - pending) / all;
        else if (child.visits)
            value = static_cast<float>(-child.total) / seen;
        const auto prior = static_cast<float>(edges[i].prior);
        const float score = value + explore * prior / (1 + all);
        if (best == none || score > best_score) best = i, best_score = score;
        tried += prior;
    }
    if (node.opened < node.edges) {
        // Of the untried moves the first has the highest prior, so no other can score higher.
        const float value = mean - static_cast<float>(rule.first_play) * std::sqrt(tried / prior_unit);
        const float score = value + explore * static_cast<float>(edges[node.opened].prior);
        if (best == none || score > best_score) best = node.opened;
    }
    return best == none ? draw : best;
}

std::uint32_t PuctTree::child(std::uint32_t index, std::uint32_t edge) {
    PuctNode& node = nodes_[index];
    if (edge < node.opened) return edges_[node.first_edge + edge].child;
    if (full()) return none;
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    edges_[node.first_edge + edge].child = made;
    ++node.opened;
    nodes_.push_back({});  // `node` may be gone now
    return made;
}

std::uint32_t PuctTree::child_by_action(std::uint32_t index, int action) const {
    const PuctNode& node = nodes_[index];
    for (std::uint32_t i = 0; i < node.opened; ++i)
        if (edges_[node.first_edge + i].action == action) return edges_[node.first_edge + i].child;
    return none;
}

void PuctTree::withdraw(const PuctPath& path) {
    for (const std::uint32_t at : path) --nodes_[at].pending;
}

void PuctTree::grow(std::uint32_t index, const std::vector<PuctMove>& moves, bool complete) {
    PuctNode& node = nodes_[index];
    node.first_edge = static_cast<std::uint32_t>(edges_.size());
    node.edges = static_cast<std::uint16_t>(moves.size());
    node.opened = 0;
    node.complete = complete;
    node.state = PuctState::grown;
    for (const PuctMove& move : moves)
        edges_.push_back({none, static_cast<std::uint16_t>(move.action), to_units(move.prior)});
}

void PuctTree::widen(std::uint32_t index, const std::vector<int>& legal) {
    PuctNode& node = nodes_[index];
    const std::uint32_t had = node.first_edge, count = node.edges;
    const auto first = static_cast<std::uint32_t>(edges_.size());
    edges_.reserve(first + legal.size());
    for (std::uint32_t i = 0; i < count; ++i) edges_.push_back(edges_[had + i]);  // the children of a node stay together
    for (const int action : legal) {
        const auto known = edges_.begin() + first;
        if (std::none_of(known, known + count, [&](const PuctEdge& edge) { return edge.action == action; }))
            edges_.push_back({none, static_cast<std::uint16_t>(action), to_units(unlikely)});
    }
    node.first_edge = first;
    node.edges = static_cast<std::uint16_t>(edges_.size() - first);
    node.complete = true;
}

void PuctTree::back_up(const PuctPath& path, double value) {
    for (std::size_t i = path.size(); i-- > 0; value = -value) {
        PuctNode& node = nodes_[path[i]];
        if (node.safe) value = std::max(value, 0.0);
        if (node.capped) value = std::min(value, 0.0);
        node.total += value;
        ++node.visits;
        --node.pending;
    }
}

void PuctTree::settle(const PuctPath& path, Verdict verdict) {
    back_up(path, verdict.value());
    PuctNode& last = nodes_[path.back()];
    if (last.settled()) return;
    last.proof = verdict.proof;
    last.distance = static_cast<std::uint16_t>(verdict.distance);
    for (std::size_t i = path.size() - 1; i-- > 0;)
        if (!conclude(nodes_[path[i]])) return;
}

// What follows from the children, and whether any of it is new. A win needs one child that is lost for its mover; a
// loss or an upper bound needs all moves, and that no other move is better than a loss. Bounds prove draws long before
// every move is settled (score bounded Monte Carlo tree search, Cazenave and Saffidine 2010).
bool PuctTree::conclude(PuctNode& node) const {
    if (node.settled()) return false;
    constexpr int never = 1 << 15;
    int soonest = never, latest = 0, drawn = 0;
    bool safe = false, capped = node.complete && node.opened == node.edges, lost = capped;
    for (std::uint32_t i = 0; i < node.opened; ++i) {
        const PuctNode& child = nodes_[edges_[node.first_edge + i].child];
        lost = lost && child.proof == Proof::won;
        switch (child.proof) {
            case Proof::lost: soonest = std::min<int>(soonest, child.distance); break;
            case Proof::won: latest = std::max<int>(latest, child.distance); break;
            case Proof::exact: safe = true, drawn = std::max<int>(drawn, child.distance); break;
            case Proof::none: safe = safe || child.capped, capped = capped && child.safe; break;
        }
    }
    Verdict verdict;
    if (soonest < never)
        verdict = {Proof::won, soonest + 1};
    else if (lost)
        verdict = {Proof::lost, latest + 1};
    else if (safe && capped)
        verdict = {Proof::exact, drawn + 1};
    const bool is_new = verdict.settled() || safe != node.safe || capped != node.capped;
    node.proof = verdict.proof;
    node.distance = static_cast<std::uint16_t>(verdict.distance);
    node.safe = safe, node.capped = capped;
    return is_new;
}

void PuctTree::set_root_priors(const std::vector<float>& priors) {
    const PuctNode& node = nodes_[root];
    PuctEdge* const first = edges_.data() + node.first_edge;
    for (std::size_t i = 0; i < node.edges; ++i) first[i].prior = to_units(priors[i]);
    std::stable_sort(first + node.opened, first + node.edges,
                     [](const PuctEdge& a, const PuctEdge& b) { return a.prior > b.prior; });
}

std::vector<RootMove> PuctTree::moves(std::uint32_t index) const {
    const PuctNode& node = nodes_[index];
    std::vector<RootMove> moves;
    for (std::uint32_t i = 0; i < node.edges; ++i) {
        const PuctEdge& edge = edges_[node.first_edge + i];
        RootMove move{.action = edge.action, .value = node.value, .prior = static_cast<double>(edge.prior) / prior_unit};
        if (i < node.opened) {
            const PuctNode& child = nodes_[edge.child];
            const Verdict verdict = child.verdict().before();
            move.visits = child.visits;
            move.proof = verdict.proof;
            move.distance = verdict.distance;
            move.value = verdict.value();
            if (!child.settled()) move.value = std::clamp(-child.mean(), child.capped ? 0.0 : -1.0, child.safe ? 0.0 : 1.0);
            if (!child.settled() && child.capped && node.capped) move.proof = Proof::exact, move.value = 0;
        }
        moves.push_back(move);
    }
    // A node that was settled at a glance has one move, and nobody went on from there.
    if (moves.size() == 1 && node.settled())
        moves[0].proof = node.proof, moves[0].distance = node.distance, moves[0].value = node.verdict().value();
    put_in_order(moves);
    // Who is sure of a draw plays nothing that looks worse and, if there is no more to be had, what is sure to hold it.
    if (node.safe && node.proof != Proof::won)
        std::stable_partition(moves.begin(), moves.end(), [&](const RootMove& move) {
            return node.settled() ? move.proof == Proof::exact : move.value >= 0;
        });
    return moves;
}

void PuctTree::best_line(std::uint32_t at, std::vector<int>& line) const {
    while (at != none) {
        const std::vector<RootMove> known = moves(at);
        if (known.empty() || (known[0].visits == 0 && known[0].proof == Proof::none)) return;
        line.push_back(known[0].action);
        at = child_by_action(at, known[0].action);
    }
}

void choose_moves(const std::vector<int>& actions, const std::vector<float>& logits, std::size_t most,
                  std::vector<PuctMove>& chosen) {
    chosen.clear();
    for (std::size_t i = 0; i < actions.size(); ++i)
        chosen.push_back({actions[i], std::isfinite(logits[i]) ? logits[i] : -1e4F});
    const auto likelier = [](const PuctMove& a, const PuctMove& b) {
        return a.prior != b.prior ? a.prior > b.prior : a.action < b.action;
    };
    if (chosen.size() > most) {
        std::nth_element(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(most), chosen.end(), likelier);
        chosen.resize(most);
    }
    std::sort(chosen.begin(), chosen.end(), likelier);
    const float highest = chosen.empty() ? 0 : chosen[0].prior;
    float sum = 0;
    for (PuctMove& move : chosen) sum += move.prior = std::exp(move.prior - highest);
    for (PuctMove& move : chosen) move.prior /= sum;
}

float value_of(const float* wdl) {
    const float value = wdl[0] - wdl[2];
    return std::isfinite(value) ? std::clamp(value, -1.0F, 1.0F) : 0;
}

}  // namespace tengen
