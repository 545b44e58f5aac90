#include "search/minimax.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tengen {
namespace {

constexpr int infinite = 1 << 30;
// A lead of this much is a value of tanh(1): about an open three and an open two ahead.
constexpr double value_scale = 300;

constexpr auto higher = [](const auto& a, const auto& b) { return a.score > b.score; };

}  // namespace

Minimax::Minimax(const MinimaxOptions& options) : options_(options), random_(options.seed) {
    if (options.depth < 1 || options.depth > max_depth)
        throw GameError("minimax: depth must be 1.." + std::to_string(max_depth) + ", not " +
                        std::to_string(options.depth));
}

// Every point that the rules let the mover play.
int Minimax::candidates(const WindowBoard& board, std::int16_t* points) {
    int count = 0;
    for (int point = 0; point < board.cells(); ++point)
        if (board.is_empty(point) && board.may_play(board.to_move(), point))
            points[count++] = static_cast<std::int16_t>(point);
    return count;
}

// S1 settles fours before it searches: win, else stop the rival's win, else anything.
std::vector<int> Minimax::root_moves(WindowBoard& board) {
    std::array<std::int16_t, max_cells> points;
    const int count = candidates(board, points.data());
    const Side own = board.to_move(), rival = other(own);
    std::vector<int> all(points.begin(), points.begin() + count), wins, losses, stops;
    for (const int point : all)
        if (board.would_win(own, point)) wins.push_back(point);
    if (!wins.empty()) return wins;
    for (int point = 0; point < board.cells(); ++point)
        if (board.is_empty(point) && board.would_win(rival, point)) losses.push_back(point);
    if (losses.empty()) return all;
    for (const int point : all) {
        board.play(point);
        // Not only by taking the point: under caro a stone at the end of a line can stop it.
        const bool stopped = std::any_of(losses.begin(), losses.end(),
                                         [&](int loss) { return loss == point || !board.would_win(rival, loss); });
        board.undo(point);
        if (stopped) stops.push_back(point);
    }
    return stops.empty() ? all : stops;
}

// The last ply needs no move made: a gain is the difference that it would make.
int Minimax::search_last_ply(const WindowBoard& board, int ply, int beta) {
    const Side side = board.to_move();
    const int value = board.value();
    const bool fouls = board.rules().rule == Rule::renju && side == Side::black;
    line_lengths_[static_cast<std::size_t>(ply)] = 0;
    int best = -infinite;
    for (int point = 0; point < board.cells(); ++point) {
        if (!board.is_empty(point)) continue;
        if (count_node()) break;
        const int gain = board.gain(point);
        int score;
        if (gain >= WindowBoard::fills && board.would_win(side, point)) {
            score = win_score - ply - 1;
        } else {
            score = board.empties() == 1 ? 0 : value + (gain & (WindowBoard::fills - 1));
            if (score <= best || (fouls && !board.may_play(side, point))) continue;
        }
        if (score <= best) continue;
        best = score;
        lines_[static_cast<std::size_t>(ply)][0] = static_cast<std::int16_t>(point);
        line_lengths_[static_cast<std::size_t>(ply)] = 1;
        if (best >= beta || best > win_score / 2) break;
    }
    return best == -infinite ? 0 : best;  // no move at all is a draw
}

int Minimax::search_node(WindowBoard& board, int depth, int ply, int alpha, int beta) {
    if (depth == 1) return search_last_ply(board, ply, beta);
    const auto here = static_cast<std::size_t>(ply);
    line_lengths_[here] = 0;
    if (board.empties() == 0) return 0;
    // 1. The moves, those that change the evaluation most first: sorting them is what alpha-beta lives on.
    std::array<std::int16_t, max_cells> points;
    std::array<std::int32_t, max_cells> order;
    const int count = candidates(board, points.data());
    if (count == 0) return 0;
    for (int i = 0; i < count; ++i) {
        const int gain = board.gain(points[static_cast<std::size_t>(i)]);
        if (gain >= WindowBoard::fills && board.would_win(board.to_move(), points[static_cast<std::size_t>(i)])) {
            lines_[here][0] = points[static_cast<std::size_t>(i)];
            line_lengths_[here] = 1;
            return win_score - ply - 1;
        }
        order[static_cast<std::size_t>(i)] =
            -(gain & (WindowBoard::fills - 1)) * 512 + points[static_cast<std::size_t>(i)];
    }
    std::sort(order.begin(), order.begin() + count);
    // 2. Each in turn.
    int best = -infinite;
    for (int i = 0; i < count; ++i) {
        const int point = order[static_cast<std::size_t>(i)] & 511;
        if (count_node() || (may_stop_ && control_.stopped())) break;
        board.play(point);
        const int score = -search_node(board, depth - 1, ply + 1, -beta, -std::max(alpha, best));
        board.undo(point);
        if (score <= best) continue;
        best = score;
        // 3. A better one: remember the line.
        lines_[here][0] = static_cast<std::int16_t>(point);
        std::copy_n(lines_[here + 1].begin(), line_lengths_[here + 1], lines_[here].begin() + 1);
        line_lengths_[here] = line_lengths_[here + 1] + 1;
        if (best >= beta) break;
    }
    return best;
}

// Fills in scores and lines, exact for the best `lines` moves and all that equal
// them; the others get an upper bound. False if it was stopped on the way.
bool Minimax::search_root(WindowBoard& board, int depth, int lines, std::vector<Choice>& choices) {
    for (std::size_t done = 0; done < choices.size(); ++done) {
        // One less than the worst score that still counts, so that an equal one comes out exact.
        int alpha = -infinite;
        if (done >= static_cast<std::size_t>(lines)) alpha = choices[static_cast<std::size_t>(lines) - 1].score - 1;
        Choice choice = std::move(choices[done]);
        choice.line.assign(1, choice.point);
        if (board.would_win(board.to_move(), choice.point)) {
            choice.score = win_score - 1;
        } else if (depth == 1) {
            ++nodes_;
            choice.score =
                board.empties() == 1 ? 0 : board.value() + (board.gain(choice.point) & (WindowBoard::fills - 1));
        } else {
            board.play(choice.point);
            choice.score = -search_node(board, depth - 1, 1, -infinite, -alpha);
            choice.line.insert(choice.line.end(), lines_[1].begin(), lines_[1].begin() + line_lengths_[1]);
            board.undo(choice.point);
        }
        if (may_stop_ && control_.stopped()) return false;
        // Kept sorted as far as searched; equals stay in the order of the search.
        const auto end = choices.begin() + static_cast<std::ptrdiff_t>(done);
        const auto place = std::upper_bound(choices.begin(), end, choice, higher);
        std::move_backward(place, end, end + 1);
        *place = std::move(choice);
    }
    return true;
}

SearchLine Minimax::line_of(const Choice& choice, int depth) {
    SearchLine line;
    line.moves = choice.line;
    line.depth = depth;
    line.score = choice.score;
    if (std::abs(choice.score) > win_score / 2) {
        line.proof = choice.score > 0 ? Proof::won : Proof::lost;
        line.distance = win_score - std::abs(choice.score);
        line.value = choice.score > 0 ? 1 : -1;
    } else {
        line.value = std::tanh(choice.score / value_scale);
    }
    return line;
}

SearchReport Minimax::report(const std::vector<Choice>& choices, int depth, int lines) const {
    SearchReport report;
    for (std::size_t i = 0; i < choices.size() && i < static_cast<std::size_t>(lines); ++i)
        report.lines.push_back(line_of(choices[i], depth));
    report.nodes = nodes_;
    report.seconds = control_.seconds();
    report.depth = report.selective_depth = depth;
    return report;
}

SearchReport Minimax::search(const GomokuBoard& start, const SearchLimits& limits, const OnReport& on_report) {
    control_.begin(limits);
    nodes_ = 0;
    best_moves_.clear();
    if (start.outcome().over()) return {};
    const int lines = std::max(1, limits.lines), deepest = std::clamp(limits.depth, 1, options_.depth);
    WindowBoard board(start);
    std::vector<Choice> choices;
    for (const int point : root_moves(board)) choices.push_back({point, board.gain(point), {point}});
    std::stable_sort(choices.begin(), choices.end(), higher);
    int completed = 0;
    for (int depth = 1; depth <= deepest; ++depth) {
        may_stop_ = depth > 1;
        std::vector<Choice> next = choices;
        if (!search_root(board, depth, lines, next)) break;
        choices = std::move(next);
        completed = depth;
        if (depth == deepest || choices[0].score == win_score - 1 || control_.out_of_budget(nodes_)) break;
        if (on_report) on_report(report(choices, depth, lines));
    }
    // One of the equals, to the front.
    for (const Choice& choice : choices)
        if (choice.score == choices[0].score) best_moves_.push_back(choice.point);
    std::sort(best_moves_.begin(), best_moves_.end());
    const std::size_t which = options_.draws ? random_.below(static_cast<std::uint32_t>(best_moves_.size())) : 0;
    const int chosen = best_moves_[which];
    const auto at = std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.point == chosen; });
    std::rotate(choices.begin(), at, at + 1);
    return report(choices, completed, lines);
}

}  // namespace tengen
