#include "games/line_table.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace tengen {
namespace {

// One side's view of a window of cells centred on its stone.
constexpr int max_radius = max_size;
using Window = std::array<Cell, 2 * max_radius + 1>;
using Cells = std::bitset<2 * max_radius + 1>;

struct Verdict {
    Shape shape = Shape::none;
    bool two_fours = false;
};

struct Classifier {
    Rule rule;
    int win;
    int radius;
    Side side;

    Cell own() const { return stone_of(side); }

    Run run_through_centre(const Window& cells) const {
        int left = radius, right = radius;
        while (left > 0 && cells[left - 1] == own()) --left;
        while (right < 2 * radius && cells[right + 1] == own()) ++right;
        return {right - left + 1, left > 0 ? cells[left - 1] : edge, right < 2 * radius ? cells[right + 1] : edge};
    }

    bool five(const Window& cells) const { return run_wins(rule, win, side, run_through_centre(cells)); }

    // Six cannot become five again.
    bool exact() const { return rule == Rule::standard || (rule == Rule::renju && side == Side::black); }

    // The empty cells that could be part of a five through the centre with at
    // most `more` further stones: those of every `win` cells in a row that hold
    // the centre, no rival, and few enough gaps. Other cells change nothing.
    Cells useful(const Window& cells, int more) const {
        Cells found;
        for (int start = std::max(0, radius - win + 1); start <= radius && start + win <= 2 * radius + 1; ++start) {
            if (exact() && ((start > 0 && cells[start - 1] == own()) || (start + win <= 2 * radius && cells[start + win] == own())))
                continue;
            Cells gaps;
            bool open = true;
            for (int i = start; i < start + win; ++i) {
                open &= cells[i] == own() || cells[i] == empty;
                if (cells[i] == empty) gaps.set(static_cast<std::size_t>(i));
            }
            if (open && static_cast<int>(gaps.count()) <= more) found |= gaps;
        }
        return found;
    }

    // What the line is, looking `more` stones ahead; `after(i)` is the verdict
    // once the empty cell i is filled.
    template <class After>
    Verdict judge(const Window& cells, int more, After&& after) const {
        if (five(cells)) return {Shape::five};
        if (more == 0) return {};
        const Cells candidates = useful(cells, more);
        int completions = 0, first = 0, last = 0;
        Shape best = Shape::none;
        for (int i = 0; i <= 2 * radius; ++i) {
            if (!candidates.test(static_cast<std::size_t>(i))) continue;
            const Verdict then = after(i);
            if (then.shape == Shape::five) {
                if (completions++ == 0) first = i;
                last = i;
            }
            best = std::max(best, one_move_before(then));
        }
        if (completions >= 2) return {Shape::open_four, !is_straight(cells, first, last)};
        if (completions == 1) return {Shape::rush_four};
        return {best};
    }

    // The weakest shape, a sleeping two, is three stones from five.
    static constexpr int farthest = 3;

    Verdict judge(Window& cells, int more = farthest) const {
        return judge(cells, more, [&](int i) {
            cells[i] = own();
            const Verdict then = judge(cells, more - 1);
            cells[i] = empty;
            return then;
        });
    }

    bool is_straight(const Window& cells, int first, int last) const {
        if (last - first != win) return false;
        return std::all_of(cells.begin() + first + 1, cells.begin() + last, [&](Cell c) { return c == own(); });
    }

    Shape one_move_before(const Verdict& then) const {
        switch (then.shape) {
            case Shape::open_four:
                if (rule == Rule::renju && side == Side::black && then.two_fours) return Shape::sleeping_three;
                return Shape::open_three;
            case Shape::rush_four: return Shape::sleeping_three;
            case Shape::open_three: return Shape::open_two;
            case Shape::sleeping_three: return Shape::sleeping_two;
            default: return Shape::none;
        }
    }
};

bool overline(const Classifier& black, const Window& cells) {
    return black.run_through_centre(cells).length > black.win;
}

}  // namespace

// A win of exactly n, or one that a rival's stone can spoil, depends on one
// cell beyond the farthest stone; five or more does not.
LineTable::LineTable(Rule rule, int win)
    : rule_(rule), win_(win), radius_(rule == Rule::freestyle ? win - 1 : win), mask_((std::uint64_t{1} << (2 * radius_)) - 1) {
    if (radius_ <= Lines::pad) build();
}

// Filling a cell makes the key larger (empty is 0), so going down through the
// keys finds every successor's entry in place.
void LineTable::build() {
    const int cells_in_key = 2 * radius_;
    table_.assign(std::size_t{1} << (2 * cells_in_key), 0);
    const Classifier black{rule_, win_, radius_, Side::black}, white{rule_, win_, radius_, Side::white};
    Window cells{};
    const auto shift_of = [&](int i) { return 2 * (i < radius_ ? i : i - 1); };
    const auto centred_on = [&](Cell stone) { return cells[radius_] = stone, cells; };
    for (std::size_t key = table_.size(); key-- > 0;) {
        bool real = true;  // beyond an edge there is only edge
        for (int i = 0; i <= 2 * radius_; ++i)
            if (i != radius_) cells[i] = static_cast<Cell>(key >> shift_of(i) & 3);
        for (int i = 1; i < radius_; ++i) real &= cells[i] != edge || cells[i - 1] == edge;
        for (int i = radius_ + 1; i < 2 * radius_; ++i) real &= cells[i] != edge || cells[i + 1] == edge;
        if (!real) continue;
        const auto after = [&](Side side) {
            return [&, side](int i) {
                const LineEntry then(table_[key | static_cast<std::size_t>(stone_of(side)) << shift_of(i)]);
                return Verdict{then.shape(side), side == Side::black && then.two_fours()};
            };
        };
        const Window with_black = centred_on(black_stone), with_white = centred_on(white_stone);
        const Verdict b = black.judge(with_black, Classifier::farthest, after(Side::black));
        const Verdict w = white.judge(with_white, Classifier::farthest, after(Side::white));
        table_[key] = LineEntry(b.shape, w.shape, overline(black, with_black), b.two_fours).bits();
    }
}

LineEntry LineTable::compute(std::uint64_t word, int offset) const {
    Window cells{};
    for (int i = 0; i <= 2 * radius_; ++i) {
        const int at = offset + i - radius_;
        cells[i] = at < 0 || at >= max_size ? edge : Lines::cell(word, at);
    }
    const Classifier black{rule_, win_, radius_, Side::black}, white{rule_, win_, radius_, Side::white};
    cells[radius_] = white_stone;
    const Verdict w = white.judge(cells);
    cells[radius_] = black_stone;
    const Verdict b = black.judge(cells);
    return LineEntry(b.shape, w.shape, overline(black, cells), b.two_fours);
}

}  // namespace tengen
