#include "search/uct_position.h"

#include <algorithm>
#include <cmath>

namespace tengen {
namespace {

constexpr std::uint64_t low_bits = 0x5555555555555555u;

// One bit for each cell of a line that would complete `win` stones in a row.
std::uint64_t completions(std::uint64_t own, std::uint64_t free, int win) {
    std::uint64_t found = 0, before = ~std::uint64_t{0};
    // `before`: the last i cells are own; what is still missing must follow.
    for (int i = 0; i < win; ++i) {
        std::uint64_t after = before & free;
        for (int j = 1; j < win - i && after; ++j) after &= own >> (2 * j);
        found |= after;
        before &= own << (2 * (i + 1));
    }
    return found;
}

void shuffle(UctCandidates& moves, Random& random) {
    for (int i = moves.count - 1; i > 0; --i)
        std::swap(moves.actions[static_cast<std::size_t>(i)],
                  moves.actions[random.below(static_cast<std::uint32_t>(i) + 1)]);
}

double squash(double score, double scale) { return std::tanh(score / scale); }

// A lead of this much in the evaluation's unit is a value of tanh(1).
constexpr double gomoku_scale = 300;
constexpr double othello_scale = 40;

}  // namespace

UctPosition<GomokuBoard>::UctPosition(const GomokuBoard& root, const UctOptions& options)
    : rules_(&root.rules()), board_(root) {
    const int n = root.size(), cells = root.actions();
    for (int i = 0; i < n; ++i) {
        const auto at = [&](int row, int column) { return rules_->point(row * n + column); };
        lines_.push_back({0, at(i, 0)});
        lines_.push_back({1, at(0, i)});
        lines_.push_back({2, at(i, 0)});
        lines_.push_back({3, at(i, 0)});
        if (i > 0) lines_.push_back({2, at(0, i)});
        if (i > 0) lines_.push_back({3, at(n - 1, i)});
    }
    path_.reserve(static_cast<std::size_t>(cells));
    near_.reserve(static_cast<std::size_t>(cells) + 1);
    for (int i = 0; i < cells; ++i) everywhere_.add(i);
    const int reach = options.near;
    if (reach > 0)
        for (int i = 0; i < cells; ++i) {
            PointSet set;
            for (int row = std::max(0, i / n - reach); row <= std::min(n - 1, i / n + reach); ++row)
                for (int column = std::max(0, i % n - reach); column <= std::min(n - 1, i % n + reach); ++column)
                    set.add(row * n + column);
            around_.push_back(set);
        }
    PointSet near;
    if (reach > 0 && root.stones() == 0) near.add(rules_->centre());  // the first stone goes to the centre
    for (int i = 0; i < cells; ++i) {
        if (root.cell(i) == empty)
            free_points_[static_cast<std::size_t>(free_++)] = static_cast<std::int16_t>(i);
        else if (reach > 0)
            near |= around_[static_cast<std::size_t>(i)];
    }
    near_.push_back(reach > 0 ? near : everywhere_);
    if (options.leaf == UctLeaf::expert) threats_.emplace(root);
}

void UctPosition<GomokuBoard>::play(int action) {
    board_.play_unchecked(action);
    path_.push_back(static_cast<std::int16_t>(action));
    if (!around_.empty()) near_.push_back(near_.back() | around_[static_cast<std::size_t>(action)]);
    if (threats_) threats_->play(action);
}

void UctPosition<GomokuBoard>::rewind() {
    for (; !path_.empty(); path_.pop_back()) {
        board_.undo();
        if (!around_.empty()) near_.pop_back();
        if (threats_) threats_->undo();
    }
}

Verdict UctPosition<GomokuBoard>::result() const {
    return {board_.outcome().result == Result::draw ? Proof::exact : Proof::lost, 0};
}

int UctPosition<GomokuBoard>::find_completions(Side side, PointSet& found) const {
    const Lines& lines = board_.lines();
    const int n = rules_->size, win = rules_->win;
    int count = 0;
    for (const Start& start : lines_) {
        const std::uint64_t word = lines.word(start.direction, start.point);
        const std::uint64_t low = word & low_bits, high = word >> 1 & low_bits;
        const std::uint64_t own = side == Side::black ? low & ~high : high & ~low;
        if (std::popcount(own) < win - 1) continue;
        for (std::uint64_t at = completions(own, low_bits & ~(low | high), win); at; at &= at - 1) {
            const int steps = std::countr_zero(at) / 2 - Lines::pad - Lines::offset(start.direction, start.point);
            const int point = (start.point.row + steps * row_step[start.direction]) * n + start.point.column +
                              steps * column_step[start.direction];
            if (found.has(point)) continue;
            if (rules_->rule != Rule::freestyle) {
                // Whether the line is one that wins is the rule's business.
                Lines after = lines;
                after.flip(rules_->point(point), stone_of(side));
                if (!wins(after, rules_->point(point), side)) continue;
            }
            found.add(point);
            ++count;
        }
    }
    return count;
}

// Where the lines end that `side` would make at `points`: under caro a line blocked at both ends does not win, so
// a stone there can stop it too.
PointSet UctPosition<GomokuBoard>::line_ends(Side side, const PointSet& points) const {
    PointSet ends;
    const int n = rules_->size;
    points.for_each([&](int point) {
        for (int d = 0; d < directions; ++d)
            for (const int sign : {1, -1}) {
                int row = point / n, column = point % n;
                const auto inside = [&] { return row >= 0 && row < n && column >= 0 && column < n; };
                do row += sign * row_step[d], column += sign * column_step[d];
                while (inside() && board_.cell(row * n + column) == stone_of(side));
                if (inside()) ends.add(row * n + column);
            }
    });
    return ends;
}

bool UctPosition<GomokuBoard>::wins(const Lines& lines, Point p, Side side) const {
    for (int d = 0; d < directions; ++d)
        if (run_wins(rules_->rule, rules_->win, side, lines.run(d, p, stone_of(side)))) return true;
    return false;
}

void UctPosition<GomokuBoard>::all_legal(const PointSet& among, UctCandidates& found) const {
    found.count = 0;
    among.for_each([&](int point) {
        if (board_.is_legal(point)) found.add(point);
    });
}

void UctPosition<GomokuBoard>::candidates(Random& random, UctCandidates& found) const {
    const Side own = board_.to_move();
    // 1. A win ends it. A five is never a foul.
    PointSet completing;
    found.wins = find_completions(own, completing) > 0;
    found.complete = true;
    if (found.wins) {
        found.actions[0] = static_cast<std::uint16_t>(completing.first());
        found.count = 1;
        return;
    }
    // 2. What does not stop a win of the rival's loses.
    PointSet stops;
    const bool threatened = find_completions(other(own), stops) > 0;
    if (threatened && rules_->rule == Rule::caro) stops |= line_ends(other(own), stops);
    found.count = 0;
    if (threatened) all_legal(stops, found);
    // 3. Otherwise the points near stones, or all.
    if (found.count == 0) {
        all_legal(near_.back(), found);
        if (found.count == 0) all_legal(everywhere_, found);
        found.complete = threatened || found.count == board_.count_legal();
    }
    // 4. Untried children are tried in this order: chance, or the expert's.
    shuffle(found, random);
    if (threats_)
        std::stable_sort(found.actions.begin(), found.actions.begin() + found.count, [&](int a, int b) {
            return threats_->attack_score(own, a) + threats_->defence_score(other(own), a) >
                   threats_->attack_score(own, b) + threats_->defence_score(other(own), b);
        });
}

// Moves the points of the path to the end of the list; returns how many are left before them.
int UctPosition<GomokuBoard>::drop_path() {
    int left = free_;
    for (const std::int16_t played : path_) {
        const auto at = std::find(free_points_.begin(), free_points_.begin() + left, played);
        std::swap(*at, free_points_[static_cast<std::size_t>(--left)]);
    }
    return left;
}

// Drawing without replacement from the list of free points is uniform over them.
template <bool Five, bool Freestyle>
double UctPosition<GomokuBoard>::roll(Random& random, int left) {
    const int win = Five ? 5 : rules_->win;
    Lines lines = board_.lines();
    const Side first = board_.to_move();
    for (Side side = first; left > 0; side = other(side)) {
        const std::uint32_t pick = random.below(static_cast<std::uint32_t>(left));
        std::swap(free_points_[pick], free_points_[static_cast<std::size_t>(--left)]);
        const Point p = rules_->point(free_points_[static_cast<std::size_t>(left)]);
        lines.flip(p, stone_of(side));
        if (lines.has_run(p, stone_of(side), win) && (Freestyle || wins(lines, p, side))) return side == first ? 1 : -1;
    }
    return 0;
}

// A point that is a foul just now stays in the list for later.
double UctPosition<GomokuBoard>::roll_renju(Random& random, int left) {
    Lines lines = board_.lines();
    const Side first = board_.to_move();
    for (Side side = first; left > 0; side = other(side)) {
        int candidates = left;
        Point p;
        do {
            if (candidates == 0) return 0;
            const std::uint32_t pick = random.below(static_cast<std::uint32_t>(candidates));
            std::swap(free_points_[pick], free_points_[static_cast<std::size_t>(--candidates)]);
            p = rules_->point(free_points_[static_cast<std::size_t>(candidates)]);
        } while (side == Side::black && renju_foul(lines, rules_->table, p, rules_->size) != Foul::none);
        std::swap(free_points_[static_cast<std::size_t>(candidates)], free_points_[static_cast<std::size_t>(--left)]);
        lines.flip(p, stone_of(side));
        if (lines.has_run(p, stone_of(side), 5) && wins(lines, p, side)) return side == first ? 1 : -1;
    }
    return 0;
}

double UctPosition<GomokuBoard>::rollout(Random& random) {
    const int left = drop_path();
    if (rules_->rule == Rule::renju) return roll_renju(random, left);
    const bool five = rules_->win == 5;
    if (rules_->rule == Rule::freestyle) return five ? roll<true, true>(random, left) : roll<false, true>(random, left);
    return five ? roll<true, false>(random, left) : roll<false, false>(random, left);
}

UctOpinion UctPosition<GomokuBoard>::opinion() const {
    const Side own = threats_->to_move(), rival = other(own);
    UctOpinion opinion;
    if (threats_->fives(own).any()) return {{Proof::won, 1}, 1, false};
    opinion.forced = threats_->fives(rival).any();
    // Under caro a stone that stops one five can spoil the other, so two threats prove nothing.
    if (rules_->rule != Rule::caro) {
        if (threats_->fives(rival).count() > 1) return {{Proof::lost, 2}, -1, false};
        bool wins = false;
        if (!opinion.forced)
            threats_->winning_fours(own).for_each([&](int point) { wins = wins || threats_->may_play(own, point); });
        if (wins) return {{Proof::won, 3}, 1, false};
    }
    opinion.value = squash(threats_->evaluate(), gomoku_scale);
    return opinion;
}

template <int N>
UctPosition<OthelloBoard<N>>::UctPosition(const OthelloBoard<N>& root, const UctOptions&)
    : root_{root.discs(root.to_move()), root.discs(other(root.to_move()))}, now_(root_) {
    path_.reserve(2 * N * N);
}

template <int N>
void UctPosition<OthelloBoard<N>>::play(int action) {
    path_.push_back(static_cast<std::int16_t>(action));
    if (action == OthelloBoard<N>::pass)
        now_.pass();
    else
        now_.play(lowest_bit(Bits::bit_of(action)));
}

template <int N>
Verdict UctPosition<OthelloBoard<N>>::result() const {
    const int lead = now_.lead();
    return {lead > 0 ? Proof::won : lead < 0 ? Proof::lost : Proof::exact, 0};
}

template <int N>
void UctPosition<OthelloBoard<N>>::candidates(Random& random, UctCandidates& found) const {
    found.count = 0;
    found.complete = true;
    found.wins = false;
    for (Word left = Bits::moves(now_.own, now_.rival); left; left &= left - 1)
        found.add(Bits::cell_of(lowest_bit(left)));
    if (found.count == 0) found.add(OthelloBoard<N>::pass);
    shuffle(found, random);
}

template <int N>
double UctPosition<OthelloBoard<N>>::rollout(Random& random) {
    Discs discs = now_;
    bool swapped = false, passed = false;
    while (true) {
        Word moves = Bits::moves(discs.own, discs.rival);
        if (moves) {
            auto skip = random.below(static_cast<std::uint32_t>(bit_count(moves)));
            for (; skip; --skip) moves &= moves - 1;
            discs.play(lowest_bit(moves));
            passed = false;
        } else {
            if (passed) break;
            discs.pass();
            passed = true;
        }
        swapped = !swapped;
    }
    const int lead = swapped ? -discs.lead() : discs.lead();
    return lead > 0 ? 1 : lead < 0 ? -1 : 0;
}

// Corners, the points diagonally beside empty corners, mobility, and towards the end the discs themselves.
template <int N>
UctOpinion UctPosition<OthelloBoard<N>>::opinion() const {
    constexpr Word corners = Bits::bit(0, 0) | Bits::bit(0, N - 1) | Bits::bit(N - 1, 0) | Bits::bit(N - 1, N - 1);
    const Word taken = now_.own | now_.rival;
    Word risky = 0;
    for (const int row : {0, N - 1})
        for (const int column : {0, N - 1})
            if (!(taken & Bits::bit(row, column))) risky |= Bits::bit(row ? N - 2 : 1, column ? N - 2 : 1);
    const auto lead = [&](Word among) { return bit_count(now_.own & among) - bit_count(now_.rival & among); };
    const int mobility = bit_count(Bits::moves(now_.own, now_.rival)) - bit_count(Bits::moves(now_.rival, now_.own));
    const int empties = N * N - bit_count(taken);
    double score = 25 * lead(corners) - 10 * lead(risky) + 3 * mobility;
    if (empties < N) score += now_.lead() * (N - empties);
    UctOpinion opinion;
    opinion.value = squash(score, othello_scale);
    return opinion;
}

template class UctPosition<OthelloBoard<4>>;
template class UctPosition<OthelloBoard<6>>;
template class UctPosition<OthelloBoard<8>>;
template class UctPosition<OthelloBoard<10>>;

}  // namespace tengen
