// The tree of the network's search by itself: random walks with a second set of books, and trees made by hand.
#include "search/puct_tree.h"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "check.h"
#include "games/random.h"

using namespace tengen;

namespace {

constexpr PuctCounts all_counts[] = {PuctCounts::unobserved, PuctCounts::virtual_loss, PuctCounts::none};

// Everything known below a node, in words.
void write_words(const PuctTree& tree, std::uint32_t at, std::ostream& out) {
    const PuctNode& node = tree[at];
    out << '(' << node.visits << ' ' << node.total << ' ' << node.value << ' ' << static_cast<int>(node.proof)
        << ' ' << node.distance
        << ' ' << static_cast<int>(node.state) << node.complete << node.safe << node.capped;
    for (std::uint32_t i = 0; i < node.edges; ++i) {
        const PuctEdge& edge = tree.edges(at)[i];
        out << ' ' << edge.action << ':' << edge.prior;
        if (i < node.opened) write_words(tree, edge.child, out);
    }
    out << ')';
}

std::string words(const PuctTree& tree, std::uint32_t at) {
    std::ostringstream out;
    write_words(tree, at, out);
    return out.str();
}

// Calls f(index, node) for a node and all below it.
template <class F>
void for_all(const PuctTree& tree, std::uint32_t at, F&& f) {
    f(at, tree[at]);
    for (std::uint32_t i = 0; i < tree[at].opened; ++i) for_all(tree, tree.edges(at)[i].child, f);
}

// What the settled nodes below a node say about it, from its mover's side: at least, at most.
std::pair<int, int> bounds(const PuctTree& tree, std::uint32_t at) {
    const PuctNode& node = tree[at];
    if (node.edges == 0) {
        const int value = static_cast<int>(node.verdict().value());
        return node.settled() ? std::pair(value, value) : std::pair(-1, 1);
    }
    int low = -1, high = node.complete && node.opened == node.edges ? -1 : 1;
    for (std::uint32_t i = 0; i < node.opened; ++i) {
        const auto [child_low, child_high] = bounds(tree, tree.edges(at)[i].child);
        low = std::max(low, -child_high), high = std::max(high, -child_low);
    }
    return {low, high};
}

std::vector<PuctMove> some_moves(Random& random, int most) {
    std::vector<int> actions;
    std::vector<float> logits;
    for (int i = 0, count = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(most))); i < count; ++i)
        actions.push_back(10 * i + static_cast<int>(random.below(10))),
            logits.push_back(static_cast<float>(3 * random.unit()));
    std::vector<PuctMove> chosen;
    choose_moves(actions, logits, 1000, chosen);
    return chosen;
}

// Grows a tree by random walks, several under way at a time, and keeps the books beside it.
struct Gardener {
    PuctTree tree;
    PuctRule rule;
    Random random;
    std::map<std::uint32_t, std::pair<std::uint32_t, double>> seen;  // visits and results of each node
    std::vector<PuctPath> under_way;

    explicit Gardener(std::uint64_t seed,
        PuctCounts counts = PuctCounts::unobserved) : random(seed) { rule.counts = counts; }

    void end(const PuctPath& path, double value) {
        for (std::size_t i = path.size(); i-- > 0; value = -value) {
            if (tree[path[i]].safe) value = std::max(value, 0.0);
            if (tree[path[i]].capped) value = std::min(value, 0.0);
            auto& [visits, total] = seen[path[i]];
            ++visits, total += value;
        }
    }
    void begin_walk() {
        PuctPath path{PuctTree::root};
        tree.enter(PuctTree::root);
        while (true) {
            const std::uint32_t at = path.back();
            if (tree[at].settled()) {
                end(path, tree[at].verdict().value());
                return tree.back_up(path, tree[at].verdict().value());
            }
            if (tree[at].state == PuctState::waiting) return tree.withdraw(path);
            if (tree[at].state == PuctState::fresh) break;
            const std::uint32_t edge = tree.select(at, rule);
            if (edge == PuctTree::none) {
                end(path, -1);
                return tree.back_up(path, -1);
            }
            const std::uint32_t next = tree.child(at, edge);
            if (next == PuctTree::none) return tree.withdraw(path);
            tree.enter(next);
            path.push_back(next);
        }
        if (path.size() > 1 && random.unit() < 0.1) {
            const Verdict verdict{std::array{Proof::won, Proof::lost, Proof::exact}[random.below(3)],
                static_cast<int>(random.below(20))};
            tree.grow(path.back(), {}, true);
            end(path, verdict.value());
            return tree.settle(path, verdict);
        }
        tree.set_waiting(path.back());
        under_way.push_back(path);
    }
    void end_walk() {
        const std::size_t which = random.below(static_cast<std::uint32_t>(under_way.size()));
        const PuctPath path = under_way[which];
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
        const double value = 2 * random.unit() - 1;
        tree.grow(path.back(), some_moves(random, 6), random.below(4) != 0);
        tree.set_value(path.back(), static_cast<float>(value));
        end(path, value);
        tree.back_up(path, value);
    }
    void steps(int count) {
        for (int i = 0; i < count; ++i) under_way.size() > random.below(6) ? end_walk() : begin_walk();
    }
    void work(int count) {
        steps(count);
        while (!under_way.empty()) end_walk();
    }
};

}  // namespace

TEST(results_add_up_and_nothing_stays_under_way) {
    for (int seed = 0; seed < check::rounds(60); ++seed) {
        Gardener g(static_cast<std::uint64_t>(seed), all_counts[seed % 3]);
        g.work(50 + 20 * seed);
        std::size_t nodes = 0;
        for_all(g.tree, PuctTree::root, [&](std::uint32_t at, const PuctNode& node) {
            ++nodes;
            CHECK(node.pending == 0 && node.state == PuctState::grown && node.opened <= node.edges);
            CHECK(node.visits == g.seen[at].first && std::abs(node.total - g.seen[at].second) < 1e-6);
        });
        CHECK(nodes == g.tree.size());
    }
}

TEST(proofs_are_what_follows_from_the_children) {
    int settled = 0;
    for (int seed = 0; seed < check::rounds(100); ++seed) {
        Gardener g(1000 + static_cast<std::uint64_t>(seed));
        g.work(400);
        for_all(g.tree, PuctTree::root, [&](std::uint32_t at, const PuctNode& node) {
            if (node.edges == 0) return;
            const auto [low, high] = bounds(g.tree, at);
            const Proof expected = low == 1 ? Proof::won : high == -1 ? Proof::lost : low == high
                ? Proof::exact : Proof::none;
            CHECK(node.proof == expected);
            if (expected == Proof::none) {
                CHECK(node.safe == (low >= 0) && node.capped == (high <= 0));
                return;
            }
            ++settled;
            int soonest = 1000, latest = 0;
            for (std::uint32_t i = 0; i < node.opened; ++i) {
                const PuctNode& child = g.tree[g.tree.edges(at)[i].child];
                if (child.proof == Proof::lost) soonest = std::min<int>(soonest, child.distance);
                if (child.proof == Proof::won) latest = std::max<int>(latest, child.distance);
            }
            if (expected != Proof::exact) CHECK(node.distance == 1 + (expected == Proof::won ? soonest : latest));
        });
    }
    CHECK(settled > 0);
}

TEST(hand_made_proofs) {
    const auto grown = [](bool complete) {
        PuctTree tree;
        tree.grow(PuctTree::root, {{7, 0.5F}, {3, 0.3F}, {9, 0.2F}}, complete);
        return tree;
    };
    const auto settle = [](PuctTree& tree, std::uint32_t edge, Verdict verdict) {
        const PuctPath path{PuctTree::root, tree.child(PuctTree::root, edge)};
        for (const std::uint32_t at : path) tree.enter(at);
        tree.settle(path, verdict);
    };
    const PuctRule rule;
    // 1. Lost, drawn, lost: a draw; the best move is the draw, of the losses the slower one is better.
    PuctTree tree = grown(true);
    settle(tree, 0, {Proof::won, 3});
    CHECK(tree.select(PuctTree::root, rule) == 1 && !tree[PuctTree::root].settled());
    settle(tree, 1, {Proof::exact, 8});
    settle(tree, 2, {Proof::won, 5});
    CHECK(tree[PuctTree::root].proof == Proof::exact && tree[PuctTree::root].distance == 9);
    std::vector<RootMove> moves = tree.moves();
    CHECK(moves[0].action == 3 && moves[0].proof == Proof::exact && moves[1].action == 9 && moves[2].action == 7);
    CHECK(moves[1].proof == Proof::lost && moves[1].distance == 6 && moves[1].value == -1);
    // 2. All lost, but not all moves looked at: nothing is proven, and there is nowhere to go.
    tree = grown(false);
    for (std::uint32_t i = 0; i < 3; ++i) settle(tree, i, {Proof::won, 3});
    CHECK(!tree[PuctTree::root].settled() && tree.select(PuctTree::root, rule) == PuctTree::none);
    // Then with all moves it has others to try; what it knew stays.
    const std::vector<PuctEdge> known(tree.edges(PuctTree::root), tree.edges(PuctTree::root) + 3);
    tree.widen(PuctTree::root, {1, 3, 7, 8, 9});
    CHECK(tree[PuctTree::root].complete && tree[PuctTree::root].edges == 5 && tree[PuctTree::root].opened == 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        const PuctEdge& edge = tree.edges(PuctTree::root)[i];
        CHECK(edge.action == known[i].action && edge.child == known[i].child && edge.prior == known[i].prior);
    }
    CHECK(tree.edges(PuctTree::root)[3].action == 1 && tree.edges(PuctTree::root)[4].action == 8);
    for (std::uint32_t i = 3; i < 5; ++i) {
        CHECK(!tree[PuctTree::root].settled() && tree.select(PuctTree::root, rule) == i);
        settle(tree, i, {Proof::won, 7});
    }
    CHECK(tree[PuctTree::root].proof == Proof::lost && tree[PuctTree::root].distance == 8);
    // 3. A win is a win even so.
    tree = grown(false);
    settle(tree, 0, {Proof::won, 3});
    settle(tree, 1, {Proof::lost, 6});
    CHECK(tree[PuctTree::root].proof == Proof::won && tree[PuctTree::root].distance == 7);
    moves = tree.moves();
    CHECK(moves[0].action == 3 && moves[0].distance == 7 && moves[0].value == 1 && moves.back().action == 7);
    // 4. A node settled at a glance has one move, which has its verdict, whatever that is.
    for (const Proof proof : {Proof::won, Proof::lost, Proof::exact}) {
        PuctTree glance;
        glance.grow(PuctTree::root, {{4, 1.0F}}, true);
        glance.enter(PuctTree::root);
        glance.settle({PuctTree::root}, {proof, 4});
        moves = glance.moves();
        CHECK(moves.size() == 1 && moves[0].proof == proof && moves[0].distance == 4 &&
            moves[0].value == glance[PuctTree::root].verdict().value());
        std::vector<int> line;
        glance.best_line(PuctTree::root, line);
        CHECK(line == std::vector<int>{4});
    }
}

TEST(select_takes_the_highest_score_and_no_lost_move) {
    Random random(5);
    for (int seed = 0; seed < check::rounds(60); ++seed) {
        Gardener g(2000 + static_cast<std::uint64_t>(seed), all_counts[seed % 3]);
        g.rule.exploration = 3 * random.unit(), g.rule.first_play = random.unit();
        g.steps(400);
        for_all(g.tree, PuctTree::root, [&](std::uint32_t at, const PuctNode& node) {
            if (node.state != PuctState::grown || node.settled() || node.edges == 0) return;
            const bool counted = g.rule.counts != PuctCounts::none;
            const double visits = node.visits + (counted ? node.pending : 0);
            const double c = (g.rule.exploration + std::log((visits + g.rule.exploration_base) / g.rule.exploration_base)) * std::sqrt(std::max(1.0, visits));
            std::vector<double> scores;
            double tried = 0;
            for (std::uint32_t i = 0; i < node.edges; ++i) {
                const PuctEdge& edge = g.tree.edges(at)[i];
                const double prior = edge.prior / 65535.0;
                if (i >= node.opened) {
                    scores.push_back(node.mean() - g.rule.first_play * std::sqrt(tried) + c * prior);
                    continue;
                }
                const PuctNode& child = g.tree[edge.child];
                const double pending = counted ? child.pending : 0, all = child.visits + pending;
                double value = child.visits ? -child.total / child.visits : node.mean();
                if (g.rule.counts == PuctCounts::virtual_loss && all > 0) value = (-child.total - pending) / all;
                const bool lost = child.proof == Proof::won, idle = child.proof == Proof::exact || (node.safe && child.safe);
                scores.push_back(lost ? -1e9 : idle ? -1e8 : value + c * prior / (1 + all));
                if (!lost && !idle) tried += prior;
            }
            const double best = *std::max_element(scores.begin(), scores.end());
            const std::uint32_t chosen = g.tree.select(at, g.rule);
            if (best < -2e8)
                CHECK(chosen == PuctTree::none);
            else if (CHECK(chosen < node.edges))
                CHECK_NOTE(scores[chosen] > best - 1e-4, std::to_string(scores[chosen]) + " < " + std::to_string(best));
        });
        while (!g.under_way.empty()) g.end_walk();
    }
}

TEST(advance_keeps_exactly_what_is_below) {
    int kept = 0;
    for (int seed = 0; seed < check::rounds(60); ++seed) {
        Gardener g(3000 + static_cast<std::uint64_t>(seed));
        g.work(600);
        while (true) {
            const PuctNode root = g.tree[PuctTree::root];
            if (root.edges == 0) break;
            const std::uint32_t which = g.random.below(root.edges);
            const int action = g.tree.edges(PuctTree::root)[which].action;
            const bool opened = which < root.opened;
            CHECK((g.tree.child_by_action(PuctTree::root, action) != PuctTree::none) == opened);
            std::size_t below = 0;
            if (opened) for_all(g.tree, g.tree.edges(PuctTree::root)[which].child,
                [&](std::uint32_t, const PuctNode&) { ++below; });
            const std::string before = opened ? words(g.tree,
                g.tree.edges(PuctTree::root)[which].child) : words(PuctTree{}, PuctTree::root);
            g.tree.advance(action);
            CHECK(words(g.tree, PuctTree::root) == before);
            CHECK(g.tree.size() == std::max<std::size_t>(below, 1));
            kept += opened;
            // And it grows on.
            if (!g.tree[PuctTree::root].settled()) {
                g.seen.clear();
                g.work(50);
            }
        }
        g.tree.advance(12345);
        CHECK(g.tree.size() == 1 && g.tree[PuctTree::root].state == PuctState::fresh);
    }
    CHECK(kept > 0);
}

TEST(root_priors_are_replaced_and_untried_moves_reordered) {
    for (int seed = 0; seed < check::rounds(60); ++seed) {
        Gardener g(4000 + static_cast<std::uint64_t>(seed));
        g.begin_walk();
        g.end_walk();
        g.work(seed % 8);
        const PuctNode root = g.tree[PuctTree::root];
        std::vector<PuctEdge> before(g.tree.edges(PuctTree::root), g.tree.edges(PuctTree::root) + root.edges);
        std::vector<float> priors(root.edges);
        std::map<int, float> wanted;
        for (std::size_t i = 0; i < priors.size();
            ++i) wanted[before[i].action] = priors[i] = static_cast<float>(g.random.unit());
        g.tree.set_root_priors(priors);
        const PuctEdge* const edges = g.tree.edges(PuctTree::root);
        for (std::size_t i = 0; i < root.edges; ++i) {
            CHECK(std::abs(edges[i].prior / 65535.0F - wanted[edges[i].action]) < 1e-5F);
            if (i < root.opened) CHECK(edges[i].action == before[i].action && edges[i].child == before[i].child);
            if (i > root.opened) CHECK(edges[i - 1].prior >= edges[i].prior);
        }
        CHECK(g.tree[PuctTree::root].opened == root.opened && g.tree[PuctTree::root].edges == root.edges);
    }
}

TEST(a_full_tree_makes_no_nodes) {
    PuctTree tree(600);
    Random random(6);
    std::vector<std::uint32_t> nodes{PuctTree::root};
    while (!tree.full()) {
        const std::uint32_t at = nodes[random.below(static_cast<std::uint32_t>(nodes.size()))];
        if (tree[at].state == PuctState::fresh) tree.grow(at, {{1, 0.6F}, {2, 0.4F}}, true);
        if (tree[at].opened < 2 && !tree.full()) nodes.push_back(tree.child(at, tree[at].opened));
    }
    CHECK(tree.bytes() >= 600 && tree.bytes() < 600 + sizeof(PuctNode) + 2 * sizeof(PuctEdge));
    const std::string before = words(tree, PuctTree::root);
    for (const std::uint32_t at : nodes)
        for (std::uint32_t i = 0; i < tree[at].edges; ++i) CHECK((tree.child(at,
            i) == PuctTree::none) == (i >= tree[at].opened));
    CHECK(words(tree, PuctTree::root) == before);
    tree.reset();
    CHECK(!tree.full());
}

TEST(chosen_moves_are_the_likeliest_and_a_distribution) {
    Random random(7);
    constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<PuctMove> chosen;
    for (int round = 0; round < check::rounds(300); ++round) {
        std::vector<int> actions;
        std::vector<float> logits;
        for (int i = 0; i < 1 + static_cast<int>(random.below(200)); ++i) {
            actions.push_back(3 * i);
            logits.push_back(random.below(4)
                ? static_cast<float>(20 * random.unit() - 10) : static_cast<float>(random.below(3)));
        }
        const std::size_t most = 1 + random.below(100);
        choose_moves(actions, logits, most, chosen);
        CHECK(chosen.size() == std::min(most, actions.size()));
        std::vector<std::pair<float, int>> order;
        for (std::size_t i = 0; i < actions.size(); ++i) order.push_back({-logits[i], actions[i]});
        std::sort(order.begin(), order.end());
        double sum = 0, all = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) all += std::exp(static_cast<double>(-order[i].first));
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            CHECK(chosen[i].action == order[i].second &&
                std::abs(chosen[i].prior - std::exp(static_cast<double>(-order[i].first)) / all) < 1e-5);
            sum += static_cast<double>(chosen[i].prior);
        }
        CHECK(std::abs(sum - 1) < 1e-5);
    }
    choose_moves({1, 2, 3, 4, 5}, {nan, -inf, 2, inf, 3e38F}, 5, chosen);
    CHECK(chosen[0].action == 5 && chosen[0].prior == 1 && chosen[1].prior == 0);
    choose_moves({1, 2}, {nan, inf}, 5, chosen);
    CHECK(chosen.size() == 2 && chosen[0].prior == 0.5F && chosen[1].prior == 0.5F);
    choose_moves({}, {}, 5, chosen);
    CHECK(chosen.empty());
    for (const auto& [win, loss, value] : {std::tuple{0.5F, 0.25F, 0.25F}, {0.0F, 1.0F, -1.0F}, {nan, 0.0F, 0.0F},
        {inf, inf, 0.0F}, {inf, 0.0F, 0.0F}, {9.0F, 1.0F, 1.0F}}) {
        const float wdl[] = {win, 0, loss};
        CHECK(value_of(wdl) == value);
    }
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
