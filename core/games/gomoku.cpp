#include "games/gomoku.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "games/renju.h"
#include "games/zobrist.h"

namespace tengen {
namespace {

const LineTable& line_table(Rule rule, int win) {
    static std::mutex mutex;
    // Never freed, here and below: a thread may still be reading when the process exits.
    static auto& tables = *new std::map<std::pair<Rule, int>, std::unique_ptr<LineTable>>;
    const std::lock_guard lock(mutex);
    auto& table = tables[{rule, win}];
    if (!table) table = std::make_unique<LineTable>(rule, win);
    return *table;
}

}  // namespace

GomokuRules::GomokuRules(Rule rule_, int size_, int win_, const LineTable& table_)
    : rule(rule_), size(size_), win(win_), table(table_), empty_lines_(size_) {
    for (int i = 0; i < size * size; ++i)
        points_[i] = {static_cast<std::uint8_t>(i / size), static_cast<std::uint8_t>(i % size)};
}

const GomokuRules& GomokuRules::get(Rule rule, int size, int win) {
    if (size < 3 || size > max_size)
        throw GameError("size must be 3.." + std::to_string(max_size) + ", not " + std::to_string(size));
    if (win < 3 || win > size)
        throw GameError("win must be 3.." + std::to_string(size) + " on this board, not " + std::to_string(win));
    if (rule == Rule::renju && win != 5) throw GameError("renju is played with lines of five, not " + std::to_string(win));
    const LineTable& table = line_table(rule, win);
    static std::mutex mutex;
    static auto& known = *new std::map<std::tuple<Rule, int, int>, std::unique_ptr<GomokuRules>>;
    const std::lock_guard lock(mutex);
    auto& rules = known[{rule, size, win}];
    if (!rules) rules.reset(new GomokuRules(rule, size, win, table));
    return *rules;
}

GomokuBoard::GomokuBoard(const GomokuRules& rules, const std::vector<std::uint8_t>& cells, Side to_move)
    : rules_(&rules), lines_(rules.empty_lines()), to_move_(to_move) {
    hash_ = game_key(rules.rule, rules.size, rules.win);
    if (to_move == Side::white) hash_ ^= white_to_move_key;
    if (cells.empty()) return;
    if (static_cast<int>(cells.size()) != actions())
        throw GameError("a set-up needs " + std::to_string(actions()) + " cells, not " + std::to_string(cells.size()));
    for (const std::uint8_t cell : cells)
        if (cell > white_stone) throw GameError("a cell is 0 (empty), 1 (black) or 2 (white), not " + std::to_string(cell));
    for (int i = 0; i < actions(); ++i) {
        if (cells[i] == empty) continue;
        lines_.flip(rules.point(i), static_cast<Cell>(cells[i]));
        hash_ ^= stone_keys[cells[i] - 1][i];
        ++stones_;
    }
    judge_setup();
}

void GomokuBoard::judge_setup() {
    for (const Side side : {other(to_move_), to_move_})
        for (int i = 0; i < actions(); ++i)
            if (cell(i) == stone_of(side) && wins_at(i, side)) {
                outcome_ = {win_for(side), Reason::line};
                return;
            }
    if (stones_ == actions())
        outcome_ = {Result::draw, Reason::board_full};
    else if (!any_legal())
        outcome_ = {Result::draw, Reason::no_moves};
}

bool GomokuBoard::wins_at(int action, Side side) const {
    const Point p = rules_->point(action);
    for (int d = 0; d < directions; ++d)
        if (run_wins(rules_->rule, rules_->win, side, lines_.run(d, p, stone_of(side)))) return true;
    return false;
}

bool GomokuBoard::is_legal(int action) const {
    if (action < 0 || action >= actions() || outcome_.over() || cell(action) != empty) return false;
    return !mover_can_foul() || foul(action) == Foul::none;
}

bool GomokuBoard::any_legal() const {
    for (int i = 0; i < actions(); ++i)
        if (cell(i) == empty && (!mover_can_foul() || foul(i) == Foul::none)) return true;
    return false;
}

int GomokuBoard::count_legal() const {
    if (outcome_.over()) return 0;
    if (!mover_can_foul()) return actions() - stones_;
    int count = 0;
    for (int i = 0; i < actions(); ++i) count += cell(i) == empty && foul(i) == Foul::none;
    return count;
}

void GomokuBoard::legal_mask(std::uint8_t* mask) const {
    if (outcome_.over()) {
        std::fill_n(mask, actions(), std::uint8_t{0});
        return;
    }
    for (int i = 0; i < actions(); ++i) mask[i] = cell(i) == empty;
    if (mover_can_foul())
        for (int i = 0; i < actions(); ++i)
            if (mask[i] && foul(i) != Foul::none) mask[i] = 0;
}

// Without fouls a move only takes its own point away.
void GomokuBoard::advance_mask(std::uint8_t* mask) const {
    if (outcome_.over() || rules_->rule == Rule::renju)
        legal_mask(mask);
    else
        mask[history_[ply_ - 1]] = 0;
}

Foul GomokuBoard::foul(int action) const {
    if (rules_->rule != Rule::renju || cell(action) != empty) return Foul::none;
    return renju_foul(lines_, rules_->table, rules_->point(action), rules_->size);
}

void GomokuBoard::play_unchecked(int action) {
    const Point p = rules_->point(action);
    const Side side = to_move_;
    const Cell stone = stone_of(side);
    lines_.flip(p, stone);
    hash_ ^= stone_keys[index_of(side)][action] ^ white_to_move_key;
    history_[ply_++] = static_cast<std::int16_t>(action);
    ++stones_;
    to_move_ = other(side);
    // Nearly every move has no line long enough, and that much is quick to see.
    if (lines_.has_run(p, stone, rules_->win) && (rules_->rule == Rule::freestyle || wins_at(action, side)))
        outcome_ = {win_for(side), Reason::line};
    else if (stones_ == actions())
        outcome_ = {Result::draw, Reason::board_full};
    else if (mover_can_foul() && !any_legal())
        outcome_ = {Result::draw, Reason::no_moves};
}

void GomokuBoard::undo() {
    const int action = history_[--ply_];
    to_move_ = other(to_move_);
    lines_.flip(rules_->point(action), stone_of(to_move_));
    hash_ ^= stone_keys[index_of(to_move_)][action] ^ white_to_move_key;
    --stones_;
    outcome_ = {};  // the game went on from here
}

std::vector<int> GomokuBoard::winning_line() const {
    if (outcome_.reason != Reason::line) return {};
    const Side side = outcome_.result == Result::black_wins ? Side::black : Side::white;
    std::vector<int> best;
    for (int action = 0; action < actions(); ++action) {
        if (cell(action) != stone_of(side)) continue;
        const Point p = rules_->point(action);
        for (int d = 0; d < directions; ++d) {
            const Run run = lines_.run(d, p, stone_of(side));
            if (!run_wins(rules_->rule, rules_->win, side, run) || run.length <= static_cast<int>(best.size())) continue;
            int row = p.row, column = p.column;
            const auto is_own = [&](int r, int c) {
                return r >= 0 && r < size() && c >= 0 && c < size() && cell(r * size() + c) == stone_of(side);
            };
            while (is_own(row - row_step[d], column - column_step[d])) row -= row_step[d], column -= column_step[d];
            best.clear();
            for (int i = 0; i < run.length; ++i) best.push_back((row + i * row_step[d]) * size() + column + i * column_step[d]);
        }
    }
    return best;
}

}  // namespace tengen
