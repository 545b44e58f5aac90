#include "search/threat_board.h"

#include <algorithm>

#include "games/zobrist.h"

namespace tengen {
namespace {

constexpr Shape shape_in(int shapes4, int direction) { return static_cast<Shape>(shapes4 >> (3 * direction) & 7); }

Threat threat_of(int shapes4) {
    int fours = 0, threes = 0, twos = 0;
    bool open_four = false;
    for (int d = 0; d < directions; ++d) switch (shape_in(shapes4, d)) {
            case Shape::five: return Threat::five;
            case Shape::open_four: open_four = true; break;
            case Shape::rush_four: ++fours; break;
            case Shape::open_three: ++threes; break;
            case Shape::sleeping_three:
            case Shape::open_two: ++twos; break;
            default: break;
        }
    if (open_four || fours >= 2) return Threat::winning_four;
    if (fours && threes) return Threat::four_three;
    if (fours) return Threat::four;
    if (threes >= 2) return Threat::double_three;
    if (threes) return Threat::three;
    return twos ? Threat::two : Threat::none;
}

// Points within two steps of each point, for one board size; on small boards,
// where a search may see the end, every point.
const std::vector<PointSet>& neighbourhoods(int size) {
    using BySize = std::array<std::vector<PointSet>, max_size + 1>;
    static const BySize& all = *[] {  // never freed: a thread may still be reading at exit
        auto* made = new BySize;
        BySize& by_size = *made;
        for (int n = 3; n <= max_size; ++n)
            for (int i = 0; i < n * n; ++i) {
                PointSet set;
                const int reach = n <= 6 ? n : 2;
                for (int row = std::max(0, i / n - reach); row <= std::min(n - 1, i / n + reach); ++row)
                    for (int column = std::max(0, i % n - reach); column <= std::min(n - 1, i % n + reach); ++column)
                        set.add(row * n + column);
                by_size[static_cast<std::size_t>(n)].push_back(set);
            }
        return made;
    }();
    return all[static_cast<std::size_t>(size)];
}

}  // namespace

const std::array<Threat, shapes4_count>& threat_table() {
    static const auto table = [] {
        std::array<Threat, shapes4_count> all{};
        for (int i = 0; i < shapes4_count; ++i) all[static_cast<std::size_t>(i)] = threat_of(i);
        return all;
    }();
    return table;
}

ThreatBoard::ThreatBoard(const GomokuBoard& board, const EvaluationWeights& weights) : ThreatBoard(board, weights, true) {}

ThreatBoard::ThreatBoard(const GomokuBoard& board, Unrated) : ThreatBoard(board, EvaluationWeights::standard(), false) {}

ThreatBoard::ThreatBoard(const GomokuBoard& board, const EvaluationWeights& weights, bool rated)
    : rules_(&board.rules()),
      weights_(&weights),
      rated_(rated),
      threats_(&threat_table()),
      neighbours_(&neighbourhoods(board.size())),
      lines_(board.lines()),
      hash_(board.hash()),
      to_move_(board.to_move()),
      stones_(board.stones()) {
    changes_.reserve(static_cast<std::size_t>(cells()) * 16);
    played_.reserve(static_cast<std::size_t>(cells()));
    near_.reserve(static_cast<std::size_t>(cells()) + 1);
    PointSet near;
    if (stones_ == 0) near = size() <= 6 ? (*neighbours_)[0] : PointSet::of(rules_->centre());
    for (int point = 0; point < cells(); ++point) {
        if (!is_empty(point)) {
            near |= (*neighbours_)[static_cast<std::size_t>(point)];
            continue;
        }
        const Point p = rules_->point(point);
        std::array<Shapes4, 2> now{};
        for (int d = 0; d < directions; ++d) {
            const LineEntry e = rules_->table.at(lines_.word(d, p), Lines::offset(d, p));
            for (const Side side : {Side::black, Side::white})
                now[static_cast<std::size_t>(index_of(side))] |=
                    static_cast<Shapes4>(static_cast<int>(e.shape(side)) << (3 * d));
        }
        set_shapes(point, now);
    }
    near_.push_back(near);
}

void ThreatBoard::set_shapes(int point, std::array<Shapes4, 2> now) {
    for (std::size_t side = 0; side < 2; ++side) {
        const Shapes4 before = shapes_[side][static_cast<std::size_t>(point)], after = now[side];
        if (before == after) continue;
        shapes_[side][static_cast<std::size_t>(point)] = after;
        if (rated_) {
            sums_[side][0] += weights_->moving[after] - weights_->moving[before];
            sums_[side][1] += weights_->waiting[after] - weights_->waiting[before];
        }
        const Threat was = (*threats_)[before], is = (*threats_)[after];
        if (was == is || std::max(was, is) < Threat::three) continue;
        const auto update = [&](int set, bool had, bool has) {
            if (had && !has) sets_[side][static_cast<std::size_t>(set)].remove(point);
            if (has && !had) sets_[side][static_cast<std::size_t>(set)].add(point);
        };
        const auto four = [](Threat t) { return t >= Threat::four && t <= Threat::winning_four; };
        const auto three = [](Threat t) { return t == Threat::three || t == Threat::double_three; };
        update(0, was == Threat::five, is == Threat::five);
        update(1, was == Threat::winning_four, is == Threat::winning_four);
        update(2, four(was), four(is));
        update(3, three(was), three(is));
    }
}

void ThreatBoard::record_and_set(int point, std::array<Shapes4, 2> now) {
    const auto at = static_cast<std::size_t>(point);
    const std::array<Shapes4, 2> before{shapes_[0][at], shapes_[1][at]};
    if (before == now) return;
    changes_.push_back({static_cast<std::int16_t>(point), before});
    set_shapes(point, now);
}

// Only empty points on the four lines through the new stone can have changed,
// each in that one direction.
void ThreatBoard::refresh_lines(int point) {
    for_each_in_reach(*rules_, lines_, point, [&](int d, int at, std::uint64_t word, int offset) {
        if (Lines::cell(word, offset) != empty) return;
        const LineEntry e = rules_->table.at(word, offset);
        const auto keep = static_cast<Shapes4>(~(7 << (3 * d)));
        const auto put = [&](Side side) {
            const Shapes4 now = shapes_[static_cast<std::size_t>(index_of(side))][static_cast<std::size_t>(at)];
            return static_cast<Shapes4>((now & keep) | static_cast<int>(e.shape(side)) << (3 * d));
        };
        record_and_set(at, {put(Side::black), put(Side::white)});
    });
}

void ThreatBoard::play(int point) {
    played_.push_back({static_cast<std::int16_t>(point), static_cast<std::uint32_t>(changes_.size())});
    record_and_set(point, {0, 0});  // an occupied point threatens nothing
    lines_.flip(rules_->point(point), stone_of(to_move_));
    refresh_lines(point);
    near_.push_back(near_.back() | (*neighbours_)[static_cast<std::size_t>(point)]);
    hash_ ^= stone_keys[static_cast<std::size_t>(index_of(to_move_))][static_cast<std::size_t>(point)] ^ white_to_move_key;
    to_move_ = other(to_move_);
    ++stones_;
}

void ThreatBoard::undo() {
    const ThreatBoard::Played last = played_.back();
    played_.pop_back();
    --stones_;
    to_move_ = other(to_move_);
    hash_ ^= stone_keys[static_cast<std::size_t>(index_of(to_move_))][static_cast<std::size_t>(last.point)] ^ white_to_move_key;
    near_.pop_back();
    lines_.flip(rules_->point(last.point), stone_of(to_move_));
    while (changes_.size() > last.changes) {
        set_shapes(changes_.back().point, changes_.back().before);
        changes_.pop_back();
    }
}

void ThreatBoard::switch_side() {
    to_move_ = other(to_move_);
    hash_ ^= white_to_move_key;
}

}  // namespace tengen
