#include "search/threat_search.h"

#include <algorithm>

namespace tengen {
namespace {

// The empty points that could change the five at `point`: those within the
// table's reach on the lines where the side has it there, and the point.
PointSet reach_of(const ThreatBoard& board, Side side, int point) {
    PointSet found;
    found.add(point);
    const int n = board.size(), radius = board.rules().table.radius();
    const Point p = board.rules().point(point);
    for (int d = 0; d < directions; ++d) {
        if (static_cast<Shape>(board.shapes(side, point) >> (3 * d) & 7) != Shape::five) continue;
        for (int i = -radius; i <= radius; ++i) {
            const int row = p.row + i * row_step[d], column = p.column + i * column_step[d];
            if (row < 0 || row >= n || column < 0 || column >= n) continue;
            if (board.is_empty(row * n + column)) found.add(row * n + column);
        }
    }
    return found;
}

PointSet empty_points(const ThreatBoard& board) {
    PointSet all;
    for (int i = 0; i < board.cells(); ++i)
        if (board.is_empty(i)) all.add(i);
    return all;
}

// Points in the order in which to try them; kept on the stack, for it is made at every node.
class Ordered {
public:
    template <class Score>
    Ordered(const PointSet& set, Score&& score) {
        set.for_each([&](int point) {
            // The highest score first, of equal ones the lowest point: few enough to put each where it belongs.
            const std::int64_t key = std::int64_t{score(point)} * max_cells + (max_cells - point);
            int at = count_++;
            for (; at > 0 && keys_[at - 1] < key; --at) keys_[at] = keys_[at - 1], points_[at] = points_[at - 1];
            keys_[at] = key, points_[at] = static_cast<std::int16_t>(point);
        });
    }
    const std::int16_t* begin() const { return points_; }
    const std::int16_t* end() const { return points_ + count_; }

private:
    std::int64_t keys_[max_cells];
    std::int16_t points_[max_cells];
    int count_ = 0;
};

// What the attacker tries.
Ordered attacking_moves(const ThreatBoard& board, ThreatKind kind) {
    const Side me = board.to_move();
    PointSet set = board.fours(me);
    if (kind == ThreatKind::vct) set |= board.threes(me);
    if (board.fives(other(me)).any()) {
        // Stopping a counter-four costs nothing while a threat of ours still stands: `defend` looks whether one does.
        const PointSet forced = answers_to_fives(board, other(me));
        if (kind == ThreatKind::vct) return Ordered(forced, [](int) { return 0; });
        set &= forced;
    }
    return Ordered(set, [&](int p) { return board.attack_score(me, p) + board.defence_score(other(me), p); });
}

}  // namespace

bool has_legal_winning_four(const ThreatBoard& board, Side side) {
    const PointSet& points = board.winning_fours(side);
    if (!board.may_foul(side)) return points.any();
    bool found = false;
    points.for_each([&](int point) { found = found || board.may_play(side, point); });
    return found;
}

PointSet answers_to_fives(const ThreatBoard& board, Side attacker) {
    const PointSet& fives = board.fives(attacker);
    if (board.rules().rule != Rule::caro) return fives.count() == 1 ? fives : PointSet{};
    PointSet answers = empty_points(board);
    fives.for_each([&](int point) { answers &= reach_of(board, attacker, point); });
    return answers;
}

// Only a stone inside a five can stop it, and every such point is one where the
// attacker would make a four itself. There are two exceptions: under renju a
// stone far away can turn black's point into a foul, and under caro a four is
// stopped from outside. Then nothing may be left out.
PointSet answers_to_winning_fours(const ThreatBoard& board, Side attacker) {
    if (board.may_foul(attacker) || board.rules().rule == Rule::caro) return empty_points(board);
    return board.fours(attacker);
}

ThreatSearch::ThreatSearch(std::size_t table_entries) : table_(std::bit_ceil(std::max<std::size_t>(table_entries, 2))) {}

void ThreatSearch::clear() { std::fill(table_.begin(), table_.end(), Entry{}); }

bool ThreatSearch::out_of_budget() {
    ++nodes_;
    if (nodes_ >= limit_ || (control_ && nodes_ % 256 == 0 && (control_->stopped() || control_->out_of_budget(0)))) cut_ = true;
    return cut_;
}

ThreatVerdict ThreatSearch::search(ThreatBoard& board, ThreatKind kind, int plies, std::uint64_t nodes, std::vector<int>* line,
                                   SearchControl* control) {
    nodes_ = 0;
    limit_ = nodes;
    control_ = control;
    cut_ = false;
    ThreatVerdict verdict = ThreatVerdict::unknown;
    // Threes branch, so look for short wins first; fours hardly do.
    const int first = kind == ThreatKind::vct ? std::min(plies, 5) : plies;
    for (int depth = first; depth <= plies && !cut_; depth += 2) {
        verdict = attack(board, kind, depth);
        if (verdict != ThreatVerdict::unknown) {
            if (verdict == ThreatVerdict::win && line) {
                limit_ = ~std::uint64_t{0};
                control_ = nullptr;
                const int distance = distance_;
                collect_line(board, kind, depth, *line);
                distance_ = distance;
            }
            break;
        }
    }
    return verdict;
}

// The attacker to move.
ThreatVerdict ThreatSearch::attack(ThreatBoard& board, ThreatKind kind, int plies) {
    if (out_of_budget()) return ThreatVerdict::unknown;
    const Side me = board.to_move(), foe = other(me);
    // 1. Won or answered at once.
    if (board.fives(me).any()) return win_in(1, plies);
    if (!threats_decide(board, me)) return ThreatVerdict::unknown;
    if (!board.fives(foe).any() && board.rules().rule != Rule::caro && has_legal_winning_four(board, me))
        return win_in(3, plies);
    // 2. Seen before.
    const std::uint64_t key = board.hash();
    if (const Entry& known = slot(key); known.key == key && known.kind == kind) {
        if (known.verdict == ThreatVerdict::none) return ThreatVerdict::none;
        if (known.verdict == ThreatVerdict::win && known.plies <= plies) return win_in(known.plies, plies);
        if (known.verdict == ThreatVerdict::unknown && known.plies >= plies) return ThreatVerdict::unknown;
    }
    // 3. Every threat.
    ThreatVerdict verdict = ThreatVerdict::none;
    int winner = -1;
    for (const int point : attacking_moves(board, kind)) {
        if (!board.may_play(me, point)) continue;
        const ThreatVerdict v = plies < 3 ? ThreatVerdict::unknown : try_move(board, kind, point, plies);
        if (v == ThreatVerdict::win) {
            verdict = v, winner = point;
            break;
        }
        if (v == ThreatVerdict::unknown) verdict = v;
        if (cut_) return ThreatVerdict::unknown;
    }
    const int reach = verdict == ThreatVerdict::win ? distance_ : plies;
    slot(key) = {key, static_cast<std::int16_t>(reach), static_cast<std::int16_t>(winner), verdict, kind};
    return verdict;
}

ThreatVerdict ThreatSearch::try_move(ThreatBoard& board, ThreatKind kind, int point, int plies) {
    const Played move(board, point);
    const ThreatVerdict verdict = defend(board, kind, plies - 1);
    ++distance_;
    return verdict;
}

// The defender to move; the attacker has just played.
ThreatVerdict ThreatSearch::defend(ThreatBoard& board, ThreatKind kind, int plies) {
    const Side me = board.to_move(), attacker = other(me);
    if (board.fives(me).any()) return ThreatVerdict::none;
    PointSet replies;
    if (board.fives(attacker).any()) {
        replies = answers_to_fives(board, attacker);
        if (!replies.any()) return win_in(2, plies);
    } else {
        if (!has_legal_winning_four(board, attacker)) return ThreatVerdict::none;  // no threat after all
        replies = answers_to_winning_fours(board, attacker) | board.fours(me);
    }
    ThreatVerdict verdict = ThreatVerdict::win;
    int longest = 1;  // no legal reply: the five comes next
    for (const int point : Ordered(replies, [&](int p) { return board.attack_score(me, p) + board.defence_score(attacker, p); })) {
        if (!board.may_play(me, point)) continue;
        const Played move(board, point);
        const ThreatVerdict v = attack(board, kind, plies - 1);
        if (v == ThreatVerdict::none) return v;
        if (v == ThreatVerdict::unknown) verdict = v;
        longest = std::max(longest, distance_);
        if (cut_) return ThreatVerdict::unknown;
    }
    distance_ = longest + 1;
    return verdict;
}

// Follows a win that `attack` has just proven: the moves are in the table, or
// are found again.
void ThreatSearch::collect_line(ThreatBoard& board, ThreatKind kind, int plies, std::vector<int>& line) {
    int played = 0;
    const auto play = [&](int point) { board.play(point), line.push_back(point), ++played; };
    while (plies > 0) {
        const Side me = board.to_move();
        // 1. The attacker's move.
        if (board.fives(me).any()) {
            play(board.fives(me).first());
            break;
        }
        int move = -1;
        if (!board.fives(other(me)).any() && board.rules().rule != Rule::caro)
            board.winning_fours(me).for_each([&](int p) { move = move < 0 && board.may_play(me, p) ? p : move; });
        if (move < 0) {
            cut_ = false;
            attack(board, kind, plies);
            const Entry& entry = slot(board.hash());
            if (entry.key != board.hash() || entry.verdict != ThreatVerdict::win) break;
            move = entry.move;
        }
        play(move);
        // 2. A reply: the forced one, else the one that looks best.
        const Side defender = board.to_move();
        const PointSet replies = board.fives(me).any() ? answers_to_fives(board, me)
                                                       : answers_to_winning_fours(board, me) | board.fours(defender);
        if (!replies.any()) {  // two fives at once: stop one, lose to the other
            play(board.fives(me).first());
            plies -= 2;
            continue;
        }
        int reply = -1, best = 0;
        replies.for_each([&](int p) {
            const int score = board.attack_score(defender, p) + board.defence_score(me, p);
            if ((reply < 0 || score > best) && board.may_play(defender, p)) reply = p, best = score;
        });
        if (reply < 0) break;
        play(reply);
        plies -= 2;
    }
    while (played-- > 0) board.undo();
}

}  // namespace tengen
