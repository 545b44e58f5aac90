#include "search/alphabeta_worker.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "games/random.h"

namespace tengen {
namespace {

// Scores: an evaluation stays within +-evaluation_limit; beyond lie wins and
// losses, nearer to `mate` the sooner they come.
constexpr int mate = 30000;
constexpr int proven = mate - 1000;
constexpr int evaluation_limit = 20000;
constexpr int infinite = 32000;

constexpr int win_at(int ply) { return mate - ply; }
constexpr int loss_at(int ply) { return -mate + ply; }

// In the table a proven score counts from its own position, not from the root.
int to_table(int score, int ply) { return score > proven ? score + ply : score < -proven ? score - ply : score; }
int from_table(int score, int ply) { return score > proven ? score - ply : score < -proven ? score + ply : score; }

const auto reductions = [] {
    std::array<std::array<std::int8_t, 64>, 64> table{};
    for (int depth = 1; depth < 64; ++depth)
        for (int count = 1; count < 64; ++count)
            table[static_cast<std::size_t>(depth)][static_cast<std::size_t>(count)] =
                static_cast<std::int8_t>(0.4 + std::log(depth) * std::log(count) / 1.9);
    return table;
}();

int reduction(int depth, int count) {
    return reductions[static_cast<std::size_t>(std::min(depth, 63))][static_cast<std::size_t>(std::min(count, 63))];
}

bool has_legal_move(const ThreatBoard& board) {
    for (int point = 0; point < board.cells(); ++point)
        if (board.is_empty(point) && board.may_play(board.to_move(), point)) return true;
    return false;
}

}  // namespace

AlphaBetaWorker::AlphaBetaWorker(const AlphaBetaOptions& options, TranspositionTable& table, SearchControl& control, int index)
    : options_(options), table_(table), control_(control), index_(index), threats_(1 << 16) {}

void AlphaBetaWorker::clear() {
    threats_.clear();
    for (auto& side : history_) side.fill(0);
    for (auto& pair : killers_) pair.fill(-1);
}

void AlphaBetaWorker::begin(const GomokuBoard& board) {
    board_ = std::make_unique<ThreatBoard>(board);
    poll_every_ = board.rules().win == 5 ? 512 : 64;  // other lines are not in the tables: a node takes longer
    nodes_.store(0, std::memory_order_relaxed);
    deepest_ = 0;
    for (auto& side : history_)
        for (int& value : side) value /= 8;
    for (auto& pair : killers_) pair.fill(-1);
    root_moves();
}

bool AlphaBetaWorker::poll() {
    const std::uint64_t n = nodes_.load(std::memory_order_relaxed) + 1;
    nodes_.store(n, std::memory_order_relaxed);
    if (n % poll_every_ == 0) control_.out_of_budget(n);
    return control_.stopped();
}

// The moves worth a look at the root: all legal ones near a stone, or the ones
// that answer what the rival threatens. Never empty while a legal move exists.
void AlphaBetaWorker::root_moves() {
    root_.clear();
    MoveList moves;
    const Side me = board_->to_move(), foe = other(me);
    if (board_->fives(me).any()) {
        board_->fives(me).for_each([&](int p) { add_move(moves, p, -1, 0); });
    } else if (board_->fives(foe).any()) {
        answers_to_fives(*board_, foe).for_each([&](int p) { add_move(moves, p, -1, 0); });
        if (moves.empty()) board_->fives(foe).for_each([&](int p) { add_move(moves, p, -1, 0); });
    } else {
        list_moves(moves, -1, 0);
    }
    std::erase_if(moves, [&](const ScoredMove& m) { return !board_->may_play(me, m.point); });
    if (moves.empty())
        for (int p = 0; p < board_->cells(); ++p)
            if (board_->is_empty(p) && board_->may_play(me, p)) add_move(moves, p, -1, 0);
    // Equal moves come in the order of the seed, the rest by promise.
    Random random(options_.seed);
    for (ScoredMove& m : moves) m.score = m.score * 8 + (options_.seed ? static_cast<int>(random.below(8)) : 0);
    std::stable_sort(moves.begin(), moves.end(), [](const ScoredMove& a, const ScoredMove& b) { return a.score > b.score; });
    for (const ScoredMove& m : moves) root_.push_back({m.point, -infinite, {m.point}});
}

SearchReport AlphaBetaWorker::run(const OnReport& on_report, const std::function<std::uint64_t()>& all_nodes) {
    SearchReport last;
    const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(1, control_.limits().lines)), root_.size());
    if (board_->fives(board_->to_move()).any()) {  // no search below looks for a five that is already on the board
        for (RootMove& move : root_) move.score = win_at(1);
        return report(1, wanted);
    }
    if (root_vct_wins()) return report(1, 1);
    for (int depth = 1; depth <= std::min(control_.limits().depth, 99); ++depth) {
        if (index_ > 0 && depth % 2 == index_ % 2 && depth > 2) continue;  // helpers spread over the depths
        const std::size_t done = search_lines(depth);
        const bool finished = !control_.stopped();
        // A pass that the clock cut short may have found a better move; but several lines are to be of one depth.
        if (done > 0 && (finished || wanted == 1 || last.lines.empty())) {
            last = report(finished ? depth : depth - 1, std::min(wanted, done));
            std::stable_sort(last.lines.begin(), last.lines.end(),
                             [](const SearchLine& a, const SearchLine& b) { return a.score > b.score; });
            if (all_nodes) last.nodes = all_nodes();
            last.seconds = control_.seconds();
            if (on_report && finished) on_report(last);
        }
        if (!finished) break;
        if (index_ == 0 && std::abs(root_[0].score) > proven && wanted == 1) break;  // settled
        if (index_ == 0 && root_.size() == 1 && depth >= 6 && wanted == 1) break;     // nothing to choose
    }
    if (last.lines.empty()) last = report(0, wanted);  // stopped at once: the most promising move
    return last;
}

// One depth, once per line; returns how many lines have a result.
std::size_t AlphaBetaWorker::search_lines(int depth) {
    const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(1, control_.limits().lines)), root_.size());
    std::size_t done = 0;
    for (std::size_t line = 0; line < wanted; ++line) {
        int window = 60, alpha = -infinite, beta = infinite;
        const int guess = root_[line].score;
        if (depth >= 4 && std::abs(guess) < evaluation_limit && !options_.plain) {
            alpha = std::max(guess - window, -infinite);
            beta = std::min(guess + window, infinite);
        }
        while (true) {
            const int score = search_root(alpha, beta, depth, line);
            // The best so far is first even when the clock stopped the pass.
            std::stable_sort(root_.begin() + static_cast<std::ptrdiff_t>(line), root_.end(),
                             [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
            if (control_.stopped()) return line > 0 || root_[0].score > -infinite ? line + 1 : 0;
            window *= 3;
            if (score <= alpha && alpha > -infinite)
                alpha = window > 2000 ? -infinite : std::max(score - window, -infinite);
            else if (score >= beta && beta < infinite)
                beta = window > 2000 ? infinite : std::min(score + window, infinite);
            else
                break;
        }
        ++done;
    }
    // A later line may turn out better than an earlier one after all.
    std::stable_sort(root_.begin(), root_.begin() + static_cast<std::ptrdiff_t>(done),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    return done;
}

int AlphaBetaWorker::search_root(int alpha, int beta, int depth, std::size_t line) {
    int best = -infinite;
    std::vector<int> before;
    for (std::size_t i = line; i < root_.size(); ++i) before.push_back(root_[i].score);
    for (std::size_t i = line; i < root_.size(); ++i) {
        RootMove& move = root_[i];
        lines_[1].clear();
        int score;
        {
            const Played played(*board_, move.point);
            const bool full = i == line || options_.plain;
            const int less = full || depth < 3 ? 0 : reduction(depth, static_cast<int>(i - line)) / 2;
            score = full ? -search(-beta, -alpha, depth - 1, 1, false) : -search(-alpha - 1, -alpha, depth - 1 - less, 1, true);
            if (!full && score > alpha && !control_.stopped() && (less > 0 || score < beta))
                score = -search(-beta, -alpha, depth - 1, 1, false);
        }
        if (control_.stopped()) {
            // What this pass has not reached keeps its old place below what it has.
            if (i == line) move.score = before[0];
            for (std::size_t k = std::max(i, line + 1); k < root_.size(); ++k) root_[k].score = -infinite;
            return best;
        }
        if (i == line || score > alpha) {
            move.score = score;
            move.line.assign(1, move.point);
            move.line.insert(move.line.end(), lines_[1].begin(), lines_[1].end());
        } else {
            move.score = -infinite;
        }
        best = std::max(best, score);
        if (score > alpha) {
            alpha = score;
            if (alpha >= beta) {
                for (std::size_t k = i + 1; k < root_.size(); ++k) root_[k].score = -infinite;
                break;
            }
        }
    }
    return best;
}

int AlphaBetaWorker::search(int alpha, int beta, int depth, int ply, bool cut_node) {
    if (poll()) return 0;
    deepest_ = std::max(deepest_, ply);
    lines_[static_cast<std::size_t>(ply)].clear();
    ThreatBoard& board = *board_;
    const Side me = board.to_move(), foe = other(me);
    const bool caro = board.rules().rule == Rule::caro;

    // 1. Decided on the spot. (The last move did not win: whoever played it looked first.)
    if (board.fives(me).any()) {
        update_line(ply, board.fives(me).first());
        return win_at(ply + 1);
    }
    if (board.full()) return 0;
    if (ply >= max_ply) return board.evaluate();
    const bool must_stop_five = board.fives(foe).any();
    if (!must_stop_five && !caro && has_legal_winning_four(board, me) && threats_decide(board, me)) return win_at(ply + 3);

    // 2. No line can beat a win that is nearer already.
    alpha = std::max(alpha, loss_at(ply + 2));
    beta = std::min(beta, win_at(ply + 3));
    if (alpha >= beta) return alpha;

    // 3. Five to stop: usually one move, and it costs no depth.
    MoveList& moves = lists_[static_cast<std::size_t>(ply)];
    moves.clear();
    if (must_stop_five) {
        answers_to_fives(board, foe).for_each([&](int p) {
            if (board.may_play(me, p)) add_move(moves, p, -1, ply);
        });
        if (moves.empty()) return threats_decide(board, foe) || has_legal_move(board) ? loss_at(ply + 2) : 0;
        return search_moves(alpha, beta, std::max(depth, 0) + 1, ply, cut_node, board.evaluate(), true, moves, -1);
    }

    // 4. Known from before.
    const bool pv = beta - alpha > 1;
    Stored known;
    const bool hit = table_.probe(board.hash(), known);
    if (hit && !pv && known.depth >= depth) {
        const int score = from_table(known.score, ply);
        if (known.bound == Bound::exact || (known.bound == Bound::lower && score >= beta) ||
            (known.bound == Bound::upper && score <= alpha))
            return score;
    }
    const int table_move = hit ? known.move : -1;

    // 5. Leaves: a win by fours, else the evaluation.
    if (depth <= 0) return leaf(ply);
    const int evaluation = std::clamp(board.evaluate(), -evaluation_limit, evaluation_limit);
    if (!options_.plain) {
        int score;
        if (!hit && vcf_wins(ply, 30, static_cast<std::uint64_t>(30 + 20 * depth), score)) return score;
        // 6. Hopeless or won by a margin, with little depth left to change that.
        const bool threatened = board.winning_fours(foe).any();
        if (!pv && !threatened && depth <= 3 && evaluation - 120 * depth >= beta && std::abs(beta) < proven) return evaluation;
        if (!pv && depth <= 2 && evaluation + 250 * depth <= alpha && std::abs(alpha) < proven) return leaf(ply);
        // Without a move to start with, a shallower search is the better spent depth.
        if (table_move < 0 && depth >= 5) --depth;
    }

    // 7. The rival would make a winning four: only answers and own fours make sense.
    const bool defending = !caro && has_legal_winning_four(board, foe) && threats_decide(board, foe);
    if (defending)
        list_defences(moves, table_move, ply);
    else
        list_moves(moves, table_move, ply);
    return search_moves(alpha, beta, depth, ply, cut_node, evaluation, defending, moves, table_move);
}

int AlphaBetaWorker::search_moves(int alpha, int beta, int depth, int ply, bool cut_node, int evaluation, bool defending,
                                  MoveList& moves, int table_move) {
    ThreatBoard& board = *board_;
    const Side me = board.to_move(), foe = other(me);
    const std::uint64_t key = board.hash();
    const bool pv = beta - alpha > 1;
    const int old_alpha = alpha;
    int best = -infinite, best_move = -1, count = 0;
    bool left_out = false;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        // 1. The most promising of those left.
        std::size_t pick = i;
        for (std::size_t k = i + 1; k < moves.size(); ++k)
            if (moves[k].score > moves[pick].score) pick = k;
        std::swap(moves[i], moves[pick]);
        const int point = moves[i].point;
        const Threat own = board.threat(me, point), stops = board.threat(foe, point);
        const bool quiet = own < Threat::three && stops < Threat::four && point != table_move;
        // 2. Late quiet moves in a position that is not being lost are left out.
        if (!options_.plain && !pv && !defending && quiet && best > -proven) {
            if (count >= 5 + depth * depth * 2 || (depth <= 4 && count >= 2 && evaluation + 60 + 110 * depth <= alpha)) {
                left_out = true;
                continue;
            }
        }
        if (!board.may_play(me, point)) continue;
        ++count;
        // 3. Depth: fours force the reply, so they cost half; late moves get less.
        const int next = depth - 1;
        int less = 0;
        if (!options_.plain && depth >= 3 && count > 3 && !defending && own < Threat::four) {
            less = reduction(depth, count);
            if (pv) less -= 1;
            if (cut_node) less += 1;
            if (!quiet) less -= 1;
            less = std::clamp(less, 0, depth - 2);
        }
        // 4. Principal variation search.
        int score;
        {
            const Played played(board, point);
            table_.prefetch(board.hash());
            if (count == 1 || options_.plain) {
                score = -search(-beta, -alpha, next, ply + 1, !cut_node && !pv);
            } else {
                score = -search(-alpha - 1, -alpha, next - less, ply + 1, true);
                if (score > alpha && less > 0) score = -search(-alpha - 1, -alpha, next, ply + 1, !cut_node);
                if (score > alpha && score < beta) score = -search(-beta, -alpha, next, ply + 1, false);
            }
        }
        if (control_.stopped()) return 0;
        // 5. Bookkeeping.
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                best_move = point;
                update_line(ply, point);
                if (alpha >= beta) {
                    reward(point, depth, ply, moves, i);
                    break;
                }
            }
        }
    }
    if (count == 0) {
        if (!left_out) return defending ? loss_at(ply + 4) : 0;  // nothing legal near: far points change nothing
        return evaluation;
    }
    // A loss is proven only when every reply was tried.
    if (left_out && best < -proven) best = std::max(best, -evaluation_limit);
    const Bound bound = best >= beta ? Bound::lower : best > old_alpha ? Bound::exact : Bound::upper;
    table_.store(key, {static_cast<std::int16_t>(best_move), static_cast<std::int16_t>(to_table(best, ply)),
                       static_cast<std::int16_t>(evaluation), static_cast<std::int8_t>(std::min(depth, 120)), bound});
    return best;
}

int AlphaBetaWorker::leaf(int ply) {
    int score;
    if (!options_.plain && vcf_wins(ply, 30, 60, score)) return score;
    if (options_.vct_plies > 0 && vcf_wins(ply, options_.vct_plies, 100, score)) return score;
    return std::clamp(board_->evaluate(), -evaluation_limit, evaluation_limit);
}

bool AlphaBetaWorker::vcf_wins(int ply, int plies, std::uint64_t nodes, int& score) {
    if (!board_->fours(board_->to_move()).any()) return false;
    const bool won = threats_.search(*board_, ThreatKind::vcf, plies, nodes) == ThreatVerdict::win;
    nodes_.fetch_add(threats_.nodes(), std::memory_order_relaxed);
    score = win_at(ply + threats_.distance());
    return won;
}

// The yardstick's threat search: a win by fours and threes, found before the
// search of fixed depth starts.
bool AlphaBetaWorker::root_vct_wins() {
    if (options_.vct_plies == 0 || index_ > 0) return false;
    std::vector<int> line;
    const auto verdict = threats_.search(*board_, ThreatKind::vct, options_.vct_plies, 100000, &line, &control_);
    nodes_.fetch_add(threats_.nodes(), std::memory_order_relaxed);
    if (verdict != ThreatVerdict::win || line.empty()) return false;
    root_.assign(1, {line[0], win_at(static_cast<int>(line.size())), line});
    return true;
}

void AlphaBetaWorker::add_move(MoveList& moves, int point, int table_move, int ply) const {
    const Side me = board_->to_move();
    int score = 4 * (board_->attack_score(me, point) + board_->defence_score(other(me), point)) +
                history_[static_cast<std::size_t>(index_of(me))][static_cast<std::size_t>(point)] / 64;
    const auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (point == killers[0]) score += 120;
    if (point == killers[1]) score += 80;
    if (point == table_move) score = 1 << 30;
    moves.push_back({static_cast<std::int16_t>(point), score});
}

void AlphaBetaWorker::list_moves(MoveList& moves, int table_move, int ply) const {
    board_->for_each_candidate([&](int point) { add_move(moves, point, table_move, ply); });
}

void AlphaBetaWorker::list_defences(MoveList& moves, int table_move, int ply) const {
    const Side me = board_->to_move();
    (answers_to_winning_fours(*board_, other(me)) | board_->fours(me)).for_each([&](int p) { add_move(moves, p, table_move, ply); });
}

void AlphaBetaWorker::reward(int point, int depth, int ply, const MoveList& tried, std::size_t count) {
    const Side me = board_->to_move();
    auto& history = history_[static_cast<std::size_t>(index_of(me))];
    const int bonus = std::min(depth * depth * 16, 1600);
    const auto shift = [&](int p, int by) {
        int& value = history[static_cast<std::size_t>(p)];
        value += by - value * std::abs(by) / 16384;
    };
    shift(point, bonus);
    for (std::size_t i = 0; i < count; ++i) shift(tried[i].point, -bonus / 2);
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != point) killers[1] = std::exchange(killers[0], static_cast<std::int16_t>(point));
}

void AlphaBetaWorker::update_line(int ply, int point) {
    auto& line = lines_[static_cast<std::size_t>(ply)];
    const auto& rest = lines_[static_cast<std::size_t>(ply) + 1];
    line.assign(1, static_cast<std::int16_t>(point));
    line.insert(line.end(), rest.begin(), rest.end());
}

SearchReport AlphaBetaWorker::report(int depth, std::size_t lines) const {
    SearchReport r;
    r.nodes = nodes();
    r.depth = depth;
    r.selective_depth = deepest_;
    for (std::size_t i = 0; i < std::min(lines, root_.size()); ++i) {
        if (i > 0 && root_[i].score == -infinite) break;
        SearchLine line;
        line.moves = root_[i].line;
        line.score = root_[i].score == -infinite ? 0 : root_[i].score;
        line.depth = depth;
        const bool to_the_end = options_.plain && board_->size() <= 6 && depth >= board_->cells() - board_->stones();
        line.proof = line.score > proven ? Proof::won : line.score < -proven ? Proof::lost : to_the_end ? Proof::exact : Proof::none;
        line.distance = line.proof == Proof::won || line.proof == Proof::lost ? mate - std::abs(line.score) : 0;
        line.value = line.proof == Proof::won ? 1 : line.proof == Proof::lost ? -1 : std::tanh(line.score / 600.0);
        r.lines.push_back(std::move(line));
    }
    return r;
}

}  // namespace tengen
