// The board that Gomoku searches think on: every empty point knows what each
// side would make of it, and the evaluation is a sum that moves keep up to date.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "games/gomoku.h"
#include "games/renju.h"

namespace tengen {

// The four shapes of one side at one point, three bits a direction.
using Shapes4 = std::uint16_t;
inline constexpr int shapes4_count = 4096;

// What those four shapes amount to, weakest first. The names say what playing
// there makes; `winning_four` is an open four or two fours at once, which only
// a five of the rival's can answer.
enum class Threat : std::uint8_t { none, two, three, double_three, four, four_three, winning_four, five };

// The evaluation does not ask which direction has which shape: it tells apart
// only the 330 ways to pick four shapes of eight.
inline constexpr int shape_picks = 330;
int shape_pick(Shapes4 shapes);

// Weights of the evaluation, indexed by Shapes4: what a point is worth to the
// side to move and to the side that waits, and how early a move there is tried.
struct EvaluationWeights {
    std::array<std::int16_t, shapes4_count> moving{};
    std::array<std::int16_t, shapes4_count> waiting{};
    std::array<std::int16_t, shapes4_count> attack{};
    std::array<std::int16_t, shapes4_count> defence{};
    int tempo = 0;

    // The fitted ones (search/evaluation_weights.h).
    static const EvaluationWeights& standard();
};

const std::array<Threat, shapes4_count>& threat_table();

// A set of points; iterate with for_each, lowest index first.
class PointSet {
public:
    static constexpr int words = (max_cells + 63) / 64;

    static PointSet of(int point) {
        PointSet set;
        set.add(point);
        return set;
    }

    void add(int point) { bits_[point >> 6] |= std::uint64_t{1} << (point & 63); }
    void remove(int point) { bits_[point >> 6] &= ~(std::uint64_t{1} << (point & 63)); }
    bool has(int point) const { return bits_[point >> 6] >> (point & 63) & 1; }
    bool any() const {
        std::uint64_t all = 0;
        for (const std::uint64_t w : bits_) all |= w;
        return all != 0;
    }
    int count() const {
        int total = 0;
        for (const std::uint64_t w : bits_) total += std::popcount(w);
        return total;
    }
    int first() const {
        for (int i = 0; i < words; ++i)
            if (bits_[i]) return 64 * i + std::countr_zero(bits_[i]);
        return -1;
    }
    template <class F>
    void for_each(F&& f) const {
        for (int i = 0; i < words; ++i)
            for (std::uint64_t w = bits_[i]; w; w &= w - 1) f(64 * i + std::countr_zero(w));
    }
    PointSet& operator|=(const PointSet& o) {
        for (int i = 0; i < words; ++i) bits_[i] |= o.bits_[i];
        return *this;
    }
    PointSet& operator&=(const PointSet& o) {
        for (int i = 0; i < words; ++i) bits_[i] &= o.bits_[i];
        return *this;
    }
    friend PointSet operator|(PointSet a, const PointSet& b) { return a |= b; }

private:
    std::array<std::uint64_t, words> bits_{};
};

class ThreatBoard {
public:
    explicit ThreatBoard(const GomokuBoard& board, const EvaluationWeights& weights = EvaluationWeights::standard());
    // For those who never call `evaluate`: moves cost less.
    struct Unrated {};
    ThreatBoard(const GomokuBoard& board, Unrated);

    const GomokuRules& rules() const { return *rules_; }
    int size() const { return rules_->size; }
    int cells() const { return rules_->size * rules_->size; }
    Side to_move() const { return to_move_; }
    int ply() const { return static_cast<int>(played_.size()); }
    int stones() const { return stones_; }
    bool full() const { return stones_ == cells(); }
    int last_move() const { return played_.empty() ? -1 : played_.back().point; }
    std::uint64_t hash() const { return hash_; }
    bool is_empty(int point) const { return lines_.at(rules_->point(point)) == empty; }

    Shapes4 shapes(Side side, int point) const { return shapes_[index_of(side)][point]; }
    Threat threat(Side side, int point) const { return (*threats_)[shapes_[index_of(side)][point]]; }

    // Points where the side would make five, a winning four, any four, an open three. Fouls are in
    // them: under renju ask may_play for black.
    const PointSet& fives(Side side) const { return sets_[index_of(side)][0]; }
    const PointSet& winning_fours(Side side) const { return sets_[index_of(side)][1]; }
    const PointSet& fours(Side side) const { return sets_[index_of(side)][2]; }
    const PointSet& threes(Side side) const { return sets_[index_of(side)][3]; }

    bool may_foul(Side side) const { return rules_->rule == Rule::renju && side == Side::black; }
    // Whether the rules let `side` play the empty point.
    bool may_play(Side side, int point) const {
        return !may_foul(side) || renju_foul(lines_, rules_->table, rules_->point(point), rules_->size) == Foul::none;
    }

    // The evaluation from the mover's side, in the weights' unit.
    int evaluate() const {
        const int own = index_of(to_move_);
        return sums_[own][0] - sums_[1 - own][1] + weights_->tempo;
    }
    int attack_score(Side side, int point) const { return weights_->attack[shapes_[index_of(side)][point]]; }
    int defence_score(Side side, int point) const { return weights_->defence[shapes_[index_of(side)][point]]; }

    // Empty points within two steps of a stone (all on boards up to 6x6); the centre of an empty board.
    template <class F>
    void for_each_candidate(F&& f) const {
        near_.back().for_each([&](int point) {
            if (is_empty(point)) f(point);
        });
    }

    // `point` must be empty; whether it wins or is a foul is the caller's business.
    void play(int point);
    void undo();

    // The side passes: only whose turn it is changes. For asking what the other threatens.
    void switch_side();

private:
    ThreatBoard(const GomokuBoard& board, const EvaluationWeights& weights, bool rated);

    struct Change {
        std::int16_t point;
        std::array<Shapes4, 2> before;
    };
    struct Played {
        std::int16_t point;
        std::uint32_t changes;  // how many changes there were before this move
    };

    void refresh_lines(int point);
    void set_shapes(int point, std::array<Shapes4, 2> now);
    void record_and_set(int point, std::array<Shapes4, 2> now);

    const GomokuRules* rules_;
    const EvaluationWeights* weights_;
    bool rated_;  // the sums are kept up to date
    const std::array<Threat, shapes4_count>* threats_;
    const std::vector<PointSet>* neighbours_;
    Lines lines_;
    std::uint64_t hash_;
    Side to_move_;
    int stones_;
    std::array<std::array<Shapes4, max_cells>, 2> shapes_{};
    std::array<std::array<PointSet, 4>, 2> sets_{};
    std::array<std::array<int, 2>, 2> sums_{};  // [side][moving, waiting]
    std::vector<Change> changes_;
    std::vector<Played> played_;
    std::vector<PointSet> near_;
};

// Plays a move and takes it back at the end of the scope.
class Played {
public:
    Played(ThreatBoard& board, int point) : board_(board) { board_.play(point); }
    ~Played() { board_.undo(); }
    Played(const Played&) = delete;
    Played& operator=(const Played&) = delete;

private:
    ThreatBoard& board_;
};

}  // namespace tengen
