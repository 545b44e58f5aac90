// The tree that a network's search grows. It knows no game and no network: it
// chooses where to look next, and keeps what was learned there.
//
// A node is made when a walk first reaches it. Its moves become edges, likeliest
// first, when its evaluation arrives; an edge is opened, that is, gets a child,
// when a walk first takes it, and always in that order, so the children of a node
// are its first `opened` edges. Not thread-safe: whoever shares a tree locks it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/root_moves.h"
#include "search/search.h"

namespace tengen {

// What keeps walks apart that are under way at the same time: each counts as a
// visit without a result (WU-UCT), as a loss (virtual loss), or not at all.
enum class PuctCounts : std::uint8_t { unobserved, virtual_loss, none };

struct PuctRule {
    double exploration = 1.2;       // c at few visits; it grows with the logarithm of the visits
    double exploration_base = 4000;  // visits at which it has grown by about 0.7
    double first_play = 0.25;       // how much worse than its siblings an untried move is taken to be, at most
    PuctCounts counts = PuctCounts::unobserved;
};

// A move and the probability that the network gives it.
struct PuctMove {
    int action;
    float prior;
};

struct PuctEdge {
    std::uint32_t child;
    std::uint16_t action;
    std::uint16_t prior;  // in 65535ths
};

enum class PuctState : std::uint8_t {
    fresh,    // nobody has looked at it
    waiting,  // its evaluation is under way
    grown,    // it has its moves
};

struct PuctNode {
    double total = 0;  // the sum of all results, from the side of its mover
    std::uint32_t visits = 0;
    std::uint32_t first_edge = 0;
    std::uint16_t edges = 0;
    std::uint16_t opened = 0;
    std::uint16_t pending = 0;  // walks that went through here and have no result yet
    std::uint16_t distance = 0;
    Proof proof = Proof::none;
    PuctState state = PuctState::fresh;
    bool complete : 1 = false;  // every legal move that is not an edge loses
    bool safe : 1 = false;      // its mover is sure of a draw at least
    bool capped : 1 = false;    // its mover gets a draw at most
    std::uint8_t looks : 4 = 0;  // how often it was looked at more closely
    float value = 0;            // what the network thought of it

    double mean() const { return visits ? total / visits : value; }
    bool settled() const { return proof != Proof::none; }
    Verdict verdict() const { return {proof, distance}; }
};
static_assert(sizeof(PuctNode) == 32);

// The nodes from the root to where a walk has come.
using PuctPath = std::vector<std::uint32_t>;

class PuctTree {
public:
    static constexpr std::uint32_t root = 0;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // Once its nodes and moves take up so many bytes, it makes no more nodes. (Nor where their numbers would not fit.)
    explicit PuctTree(std::size_t max_bytes = most_bytes) : max_bytes_(std::min(max_bytes, most_bytes)) { reset(); }

    const PuctNode& operator[](std::uint32_t node) const { return nodes_[node]; }
    std::size_t size() const { return nodes_.size(); }
    std::size_t bytes() const { return nodes_.size() * sizeof(PuctNode) + edges_.size() * sizeof(PuctEdge); }
    bool full() const { return bytes() >= max_bytes_; }
    const PuctEdge* edges(std::uint32_t node) const { return edges_.data() + nodes_[node].first_edge; }

    // Only a root that knows nothing.
    void reset();
    // Makes the child of the root by this action the root, and forgets all that is
    // not below it; a child that is not there makes a new tree.
    void advance(int action);

    // The edge that a walk should take from a grown node: never a proven loss, and where the mover is sure of a draw,
    // none that cannot be more, unless there is no other. `none` if every move that it has is a proven loss.
    std::uint32_t select(std::uint32_t node, const PuctRule& rule) const;
    // The child of an edge, made if need be; `none` if the tree is full.
    std::uint32_t child(std::uint32_t node, std::uint32_t edge);
    std::uint32_t child_by_action(std::uint32_t node, int action) const;

    // A walk that enters a node, and one that gives up on its whole way.
    void enter(std::uint32_t node) { ++nodes_[node].pending; }
    void withdraw(const PuctPath& path);

    void set_waiting(std::uint32_t node) { nodes_[node].state = PuctState::waiting; }
    // Gives a node its moves. They come likeliest first; at most 65535 of them.
    void grow(std::uint32_t node, const std::vector<PuctMove>& moves, bool complete);
    // Adds those of all its legal moves that a grown node does not have; untried, and equally unlikely.
    void widen(std::uint32_t node, const std::vector<int>& legal);
    void set_value(std::uint32_t node, float value) { nodes_[node].value = value; }
    // Whether a node has been seen so often, 16 times, then 64, 256 and so on, that it deserves another, closer look.
    bool deserves_a_look(std::uint32_t node) const { return nodes_[node].visits >= 16ULL << 2 * nodes_[node].looks; }
    // Counts that look.
    int count_look(std::uint32_t node) { return nodes_[node].looks++; }

    // The end of a walk: `value`, from the side of the mover at its last node, is added all the way up, no lower and no
    // higher than what is sure on the way.
    void back_up(const PuctPath& path, double value);
    // The same for a result that is certain, and what follows from it on the way up.
    void settle(const PuctPath& path, Verdict verdict);

    // Replaces the priors of the root's moves; untried moves are put in order again.
    void set_root_priors(const std::vector<float>& priors);

    // The root's moves, best first.
    std::vector<RootMove> moves(std::uint32_t node = root) const;
    // The moves that follow `node` if both sides play best.
    void best_line(std::uint32_t node, std::vector<int>& line) const;

private:
    static constexpr std::size_t most_bytes = (std::size_t{none} - 65536) * sizeof(PuctEdge);

    bool conclude(PuctNode& node) const;

    std::size_t max_bytes_;
    std::vector<PuctNode> nodes_;
    std::vector<PuctEdge> edges_;
    std::vector<PuctNode> spare_nodes_;
    std::vector<PuctEdge> spare_edges_;
};

// Turns logits over some moves into the moves worth an edge, likeliest first, at most `most` of them. What is no
// number is taken for a very unlikely move.
void choose_moves(const std::vector<int>& actions, const std::vector<float>& logits, std::size_t most,
                  std::vector<PuctMove>& chosen);
// The value, -1 to 1, of a network's win, draw and loss; 0 if they are no numbers.
float value_of(const float* wdl);

}  // namespace tengen
