// The network's search with networks made up here: what it proves is true, what it must see it sees, and nothing that
// a network does can break it.
#include "search/puct.h"

#include <cmath>
#include <map>
#include <numeric>
#include <thread>

#include "check.h"
#include "games/counting.h"
#include "made_up_nets.h"
#include "positions.h"
#include "search/puct_position.h"

using namespace tengen;
using namespace made_up;

namespace {

SearchLimits playouts(std::uint64_t count, int lines = 1) {
    SearchLimits limits;
    limits.nodes = count;
    limits.lines = lines;
    return limits;
}

PuctOptions options_of(int threads = 1, int batch = 8, PuctCounts counts = PuctCounts::unobserved) {
    PuctOptions o;
    o.threads = threads;
    o.batch = batch;
    o.counts = counts;
    o.memory = 64;
    return o;
}

PuctOptions othello_options(int effort) {
    PuctOptions o = options_of();
    o.encoding = NetEncoding::othello;
    o.effort = effort;
    return o;
}

constexpr PuctCounts all_counts[] = {PuctCounts::unobserved, PuctCounts::virtual_loss, PuctCounts::none};

GomokuBoard random_board(const GomokuRules& rules, Random& random) {
    while (true) {
        GomokuBoard board(rules, random_cells(rules.size, random), random.below(2) ? Side::black : Side::white);
        if (!board.outcome().over()) return board;
    }
}

// After so many random moves, none of which ended the game; near each other if there is room.
GomokuBoard random_midgame(const GomokuRules& rules, Random& random, int stones) {
    while (true) {
        GomokuBoard board(rules);
        for (int tries = 0; tries < 2000 && board.ply() < stones && !board.outcome().over(); ++tries) {
            const int n = board.size(), anchor = board.ply()
                ? board.move_at(board.ply() - 1 - static_cast<int>(random.below(2)) % board.ply()) : n * n / 2;
            const int row = anchor / n + static_cast<int>(random.below(7)) - 3,
                column = anchor % n + static_cast<int>(random.below(7)) - 3;
            if (row >= 0 && row < n && column >= 0 && column < n && board.is_legal(row * n + column))
                board.play_unchecked(row * n + column);
        }
        if (board.ply() == stones && !board.outcome().over()) return board;
    }
}

// The value with best play on both sides, from the mover's: 1, 0 or -1.
template <class B>
int solve(const B& board, std::map<std::uint64_t, int>& known) {
    if (board.outcome().over()) {
        const Result result = board.outcome().result;
        return result == Result::draw ? 0 : result == win_for(board.to_move()) ? 1 : -1;
    }
    if (const auto at = known.find(board.hash()); at != known.end()) return at->second;
    int best = -1;
    for (int action = 0; action < board.actions() && best < 1; ++action) {
        if (!board.is_legal(action)) continue;
        B next = board;
        next.play_unchecked(action);
        best = std::max(best, -solve(next, known));
    }
    return known[board.hash()] = best;
}

// Whether `side` can force a win in at most so many plies.
bool wins_within(GomokuBoard& board, Side side, int plies, std::map<std::pair<std::uint64_t, int>, bool>& known) {
    if (board.outcome().over()) return board.outcome().result == win_for(side);
    if (plies <= 0) return false;
    const auto key = std::pair(board.hash(), plies);
    if (const auto at = known.find(key); at != known.end()) return at->second;
    const bool mine = board.to_move() == side;
    bool won = !mine;
    for (int action = 0; action < board.actions() && won != mine; ++action) {
        if (!board.is_legal(action)) continue;
        board.play_unchecked(action);
        won = wins_within(board, side, plies - 1, known);
        board.undo();
    }
    return known[key] = won;
}

bool wins_now(GomokuBoard board, int action) {
    if (!board.is_legal(action)) return false;
    board.play_unchecked(action);
    return board.outcome().reason == Reason::line;
}

bool loses_next(GomokuBoard board, int action) {
    board.play_unchecked(action);
    for (int reply = 0; reply < board.actions(); ++reply)
        if (wins_now(board, reply)) return true;
    return false;
}

// Whether the mover, having played `action`, wins by threats of a kind against every legal reply.
bool wins_by_threats(GomokuBoard board, int action, ThreatKind kind) {
    const Side side = board.to_move();
    board.play_unchecked(action);
    if (board.outcome().over()) return board.outcome().result == win_for(side);
    ThreatSearch search(1 << 12);
    for (int reply = 0; reply < board.actions(); ++reply) {
        if (!board.is_legal(reply)) continue;
        board.play_unchecked(reply);
        if (board.outcome().over()) return false;
        ThreatBoard threats(board);
        if (search.search(threats, kind, 100, 1'000'000) != ThreatVerdict::win) return false;
        board.undo();
    }
    return true;
}

template <class B>
std::uint64_t visits_of(const Puct<B>& puct) {
    const std::vector<RootMove> moves = puct.root_moves();
    return std::accumulate(moves.begin(), moves.end(), std::uint64_t{0},
        [](std::uint64_t sum, const RootMove& m) { return sum + m.visits; });
}

int claimed(Proof proof) { return proof == Proof::won ? 1 : proof == Proof::lost ? -1 : 0; }

}  // namespace

TEST(small_games_are_solved) {
    for (const PuctCounts counts : all_counts)
        for (const int threads : {1, 3}) {
            if (check::rounds(10) < 10 && counts != PuctCounts::unobserved) continue;
            PuctOptions o = options_of(threads, 8, counts);
            o.effort = 0;
            Puct<GomokuBoard> toe(std::make_shared<Net>(), o);
            const SearchReport draw = toe.search(GomokuBoard(GomokuRules::get(Rule::freestyle, 3, 3)), playouts(100'000));
            CHECK_NOTE(draw.lines[0].proof == Proof::exact && draw.lines[0].value == 0, std::to_string(draw.nodes));
            CHECK(toe.root_moves().size() == 9);
            o.encoding = NetEncoding::othello;
            Puct<OthelloBoard<4>> four(std::make_shared<Net>(5, true), o);
            const SearchReport lost = four.search(OthelloBoard<4>(), playouts(200'000));
            CHECK_NOTE(lost.lines[0].proof == Proof::lost && lost.lines[0].value == -1, std::to_string(lost.nodes));
        }
    // Four cells square and four in a row: nobody wins.
    Puct<GomokuBoard> four(std::make_shared<Net>(), options_of());
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 4, 4));
    CHECK(four.search(board, playouts(100)).lines[0].proof == Proof::none && four.root_moves().size() == 16);
    for (const int action : {5, 6, 10, 9, 0, 15}) board.play_unchecked(action);
    if (check::rounds(10) < 10) board.play_unchecked(12);
    const SearchReport draw = four.search(board, playouts(400'000));
    CHECK_NOTE(draw.lines[0].proof == Proof::exact, std::to_string(draw.nodes));
    // At a glance.
    Puct<OthelloBoard<4>> glance(std::make_shared<Net>(5, true), othello_options(12));
    const SearchReport lost = glance.search(OthelloBoard<4>(), playouts(1));
    CHECK(lost.lines.size() == 1 && lost.lines[0].proof == Proof::lost && lost.nodes == 0 && glance.evaluations() == 0);
}

TEST(unlikely_moves_are_tried_when_there_are_no_others) {
    // Few moves get an edge at first, and the network is wrong about which: all the same nothing stays open.
    std::map<std::uint64_t, int> known;
    Random random(21);
    std::array<int, 3> seen{};
    for (int round = 0; round < check::rounds(60); ++round) {
        GomokuBoard board(GomokuRules::get(Rule::freestyle, 4, round % 2 ? 3 : 4));
        while (board.stones() < (round % 2 ? 4 : 8) && !board.outcome().over())
            board.play_unchecked(random_action(board, random));
        if (board.outcome().over()) continue;
        PuctOptions o = options_of(1 + round % 3, 1 + round % 8);
        o.moves = 1 + round % 4;
        o.effort = o.vct = 0;
        Puct<GomokuBoard> puct(std::make_shared<Moody>(), o);
        const SearchReport report = puct.search(board, playouts(100'000));
        CHECK(report.lines[0].proof != Proof::none && report.nodes < 100'000);
        CHECK(solve(board, known) == claimed(report.lines[0].proof));
        ++seen[static_cast<std::size_t>(1 + claimed(report.lines[0].proof))];
    }
    CHECK((seen[0] > 0 && seen[1] > 0 && seen[2] > 0) || check::rounds(60) < 60);
    // A lost game on a large board, where most moves have no edge at first.
    Puct<GomokuBoard> puct(std::make_shared<Net>(), options_of());
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    // h8 g9 g10 f9 h9 e9 h10 d9 c9 h11 g8: whatever white does, black makes two threats.
    for (const int action : {112, 96, 81, 95, 97, 94, 82, 93, 92, 67, 111}) board.play_unchecked(action);
    const SearchReport lost = puct.search(board, playouts(30'000));
    CHECK_NOTE(lost.lines[0].proof == Proof::lost && lost.nodes < 30'000, std::to_string(lost.nodes));
}

TEST(what_is_proven_is_true_and_in_time) {
    std::map<std::uint64_t, int> known;
    std::map<std::pair<std::uint64_t, int>, bool> within;
    Random random(8);
    int proven = 0, won = 0, lost = 0, drawn = 0;
    for (const auto& [size, win, stones] : {std::tuple{3, 3, 0}, {4, 3, 3}, {4, 4, 5}, {5, 4, 13}, {5, 5, 12}, {6, 5, 24}})
        for (const Rule rule : all_rules)
            for (int round = 0; round < check::rounds(24); ++round) {
                if (rule == Rule::renju && win != 5) continue;
                GomokuBoard board(GomokuRules::get(rule, size, win));
                while (board.stones() < stones && !board.outcome().over())
                    board.play_unchecked(random_action(board, random));
                if (board.outcome().over()) continue;
                PuctOptions o = options_of(1, 1 + round % 8);
                o.effort = round % 3 ? 100 : 0;
                o.moves = round % 4 ? 64 : 3;
                Puct<GomokuBoard> puct(std::make_shared<Moody>(), o);
                const SearchReport report = puct.search(board, playouts(1000, 100));
                for (const SearchLine& line : report.lines) {
                    if (line.proof == Proof::none) continue;
                    GomokuBoard after = board;
                    after.play_unchecked(line.moves[0]);
                    CHECK_NOTE(-solve(after, known) == claimed(line.proof), rule_name(rule));
                    ++proven;
                    if (line.proof == Proof::exact) {
                        ++drawn;
                        continue;
                    }
                    const Side winner = line.proof == Proof::won ? board.to_move() : other(board.to_move());
                    ++(line.proof == Proof::won ? won : lost);
                    CHECK(line.distance % 2 == (line.proof == Proof::won));
                    CHECK_NOTE(wins_within(after, winner, line.distance - 1, within), rule_name(rule));
                }
            }
    CHECK_NOTE((won > 20 && lost > 20 && drawn > 20) || check::rounds(24) < 24,
               std::to_string(won) + " " + std::to_string(lost) + " " + std::to_string(drawn));
    CHECK(proven > 0);
}

TEST(othello_endings_are_true) {
    std::map<std::uint64_t, int> known;
    Random random(9);
    for (int round = 0; round < check::rounds(60); ++round) {
        OthelloBoard<6> board;
        while (!board.outcome().over() && board.count(Side::black) + board.count(Side::white) < 28)
            board.play_unchecked(random_action(board, random));
        if (board.outcome().over()) continue;
        Puct<OthelloBoard<6>> puct(std::make_shared<Moody>(5, true), othello_options(round % 3 * 4));
        const SearchReport report = puct.search(board, playouts(3000, 100));
        for (const SearchLine& line : report.lines) {
            OthelloBoard<6> after = board;
            if (!CHECK(after.is_legal(line.moves[0]))) continue;
            after.play_unchecked(line.moves[0]);
            if (line.proof != Proof::none) CHECK(-solve(after, known) == claimed(line.proof));
        }
        if (round % 3 == 2) CHECK(report.lines.size() == 1 && report.lines[0].proof != Proof::none);
    }
}

TEST(a_glance_at_othello_tells_no_lies) {
    std::map<std::uint64_t, int> known;
    Random random(13);
    PuctSolver<OthelloBoard<4>> solver(12);
    PuctLook look;
    int results[3] = {};
    for (int game = 0; game < check::rounds(300); ++game)
        for (OthelloBoard<4> board; !board.outcome().over(); board.play_unchecked(random_action(board, random))) {
            PuctPosition<OthelloBoard<4>>(board).look(solver, look);
            OthelloBoard<4> after = board;
            if (!CHECK(look.verdict.settled() && look.moves.size() == 1 && board.is_legal(look.moves[0]))) continue;
            after.play_unchecked(look.moves[0]);
            CHECK(solve(board, known) == claimed(look.verdict.proof) && -solve(after, known) == claimed(look.verdict.proof));
            ++results[1 + claimed(look.verdict.proof)];
        }
    CHECK(check::rounds(10) < 10 || (results[0] && results[1] && results[2]));
}

TEST(wins_by_fours_are_proven_and_true) {
    int wins = 0;
    for (int round = 0; round < check::rounds(400); ++round) {
        Random random(static_cast<std::uint64_t>(round));
        const GomokuBoard board = random_midgame(GomokuRules::get(all_rules[round % 4], 15, 5), random,
            10 + static_cast<int>(random.below(16)));
        ThreatBoard threats(board);
        ThreatSearch search;
        const bool won = search.search(threats, ThreatKind::vcf, 100, 5'000) == ThreatVerdict::win;
        Puct<GomokuBoard> puct(std::make_shared<Net>(), options_of());
        const SearchReport report = puct.search(board, playouts(1));
        const SearchLine& line = report.lines[0];
        const bool must_answer = threats.fives(other(board.to_move())).any();
        if (won && !must_answer) CHECK_NOTE(line.proof == Proof::won && report.nodes == 0, rule_name(board.rules().rule));
        if (line.proof != Proof::won) continue;
        ++wins;
        CHECK_NOTE(board.is_legal(line.moves[0]) && wins_by_threats(board, line.moves[0], ThreatKind::vcf),
            rule_name(board.rules().rule));
        // No defence lasts longer than was said.
        ThreatBoard again(board);
        CHECK(search.search(again, ThreatKind::vcf, line.distance, 100'000) == ThreatVerdict::win);
    }
    CHECK(wins > check::rounds(400) / 20);
}

TEST(wins_by_threes_are_proven_where_the_search_dwells) {
    int wins = 0, answered = 0;
    for (int round = 0; round < check::rounds(400); ++round) {
        Random random(static_cast<std::uint64_t>(round));
        const GomokuBoard board = random_midgame(GomokuRules::get(all_rules[round % 4], 15, 5), random,
            8 + static_cast<int>(random.below(12)));
        ThreatBoard threats(board);
        ThreatSearch search;
        if (search.search(threats, ThreatKind::vcf, 100, 20'000) == ThreatVerdict::win) continue;
        if (search.search(threats, ThreatKind::vct, 100, 100) != ThreatVerdict::win) continue;
        ++wins;
        // Sixteen visits of the root, with up to four walks at a time that do not know of each other's results.
        PuctOptions o = options_of(1, 4);
        Puct<GomokuBoard> puct(std::make_shared<Net>(), o);
        const SearchLine line = puct.search(board, playouts(24)).lines[0];
        CHECK_NOTE(line.proof == Proof::won && wins_by_threats(board, line.moves[0], ThreatKind::vct),
            rule_name(board.rules().rule));
        o.vct = 0;
        Puct<GomokuBoard> blind(std::make_shared<Net>(), o);
        CHECK(blind.search(board, playouts(24)).lines[0].proof != Proof::won);
        // Found below the root, it is a move to play when the root gets there.
        GomokuBoard before = board;
        before.undo();
        puct.clear();
        puct.search(before, playouts(4000));
        const std::vector<RootMove> moves = puct.root_moves();
        const int last = board.move_at(board.ply() - 1);
        const auto at = std::find_if(moves.begin(), moves.end(), [&](const RootMove& move) { return move.action == last; });
        if (at == moves.end() || at->proof != Proof::lost) continue;
        ++answered;
        const SearchReport answer = puct.search(board, playouts(1));
        CHECK(answer.nodes == 0 && answer.lines[0].proof == Proof::won && answer.lines[0].distance + 1 == at->distance);
        CHECK(wins_by_threats(board, answer.lines[0].moves[0], ThreatKind::vct));
    }
    CHECK_NOTE((wins > 10 && answered > 3) || check::rounds(400) < 400,
               std::to_string(wins) + " " + std::to_string(answered));
}

TEST(wins_and_forced_blocks_in_one_need_one_playout) {
    Random random(10);
    int wins = 0, blocks = 0, lost = 0;
    for (int round = 0; round < check::rounds(400); ++round) {
        const Rule rule = all_rules[round % 4];
        const GomokuBoard board = random_board(GomokuRules::get(rule, 9 + 6 * (round / 4 % 2), 5), random);
        Puct<GomokuBoard> puct(std::make_shared<Rogue>(), options_of());
        const SearchReport report = puct.search(board, playouts(1));
        const int move = report.lines[0].moves[0];
        CHECK(board.is_legal(move) && report.nodes <= 1);
        bool can_win = false, can_hold = false;
        for (int i = 0; i < board.actions(); ++i) can_win = can_win || wins_now(board, i);
        for (int i = 0; i < board.actions() && !can_win; ++i)
            if (board.is_legal(i)) can_hold = can_hold || !loses_next(board, i);
        if (can_win) CHECK_NOTE(wins_now(board, move) && report.lines[0].distance == 1, rule_name(rule)), ++wins;
        if (can_hold) {
            // Of the moves that look like stops, under caro one may not be: it takes playouts to see which.
            if (rule == Rule::caro) puct.search(board, playouts(50));
            const int now = puct.root_moves()[0].action;
            CHECK_NOTE(!loses_next(board, now), rule_name(rule)), ++blocks;
        }
        if (!can_win && !can_hold && rule != Rule::caro)
            CHECK_NOTE(report.lines[0].proof == Proof::lost && report.lines[0].distance == 2 &&
                report.lines[0].value == -1, rule_name(rule)), ++lost;
    }
    CHECK(wins > 0 && blocks > 0 && (lost > 0 || check::rounds(400) < 400));
}

TEST(two_threats_are_no_proof_under_caro) {
    // x . o o o o . x: whoever stops one five closes the other.
    std::vector<std::uint8_t> cells(225);
    cells[15] = cells[22] = 1;
    for (std::size_t i = 17; i < 21; ++i) cells[i] = 2;
    for (const Rule rule : all_rules) {
        const GomokuBoard board(GomokuRules::get(rule, 15, 5), cells, Side::black);
        Puct<GomokuBoard> puct(std::make_shared<Net>(), options_of());
        const SearchLine line = puct.search(board, playouts(300)).lines[0];
        CHECK_NOTE((line.proof == Proof::lost) == (rule != Rule::caro), rule_name(rule));
        // Whether it helps or not, the answer is one of the two points.
        CHECK_NOTE(line.moves[0] == 16 || line.moves[0] == 21, rule_name(rule));
        // So to make that four is no win there, and to let it be made is no loss.
        std::vector<std::uint8_t> before = cells;
        before[20] = 0;
        const auto glance = [&](Side side) {
            return Puct<GomokuBoard>(std::make_shared<Net>(), options_of()).search(GomokuBoard(GomokuRules::get(rule,
                15, 5), before, side), playouts(1), {});
        };
        CHECK_NOTE((glance(Side::white).lines[0].proof == Proof::won) == (rule != Rule::caro), rule_name(rule));
        CHECK_NOTE((glance(Side::black).lines[0].moves[0] == 0) == (rule == Rule::caro), rule_name(rule));  // anything goes
    }
}

TEST(a_glance_tells_no_lies) {
    // Crowded boards, where everything can be played out.
    Random random(11);
    std::map<std::uint64_t, int> known;
    std::map<std::pair<std::uint64_t, int>, bool> within;
    PuctSolver<GomokuBoard> solvers[] = {PuctSolver<GomokuBoard>(0), PuctSolver<GomokuBoard>(300)};
    PuctLook look;
    int won = 0, lost = 0, narrowed = 0;
    for (int round = 0; round < check::rounds(6000); ++round) {
        const Rule rule = all_rules[round % 4];
        const int win = rule == Rule::renju || round % 8 < 4 ? 5 : 4, size = win + static_cast<int>(random.below(4));
        const GomokuRules& rules = GomokuRules::get(rule, size, win);
        // A full board without a line, then holes, near each other so that they matter to each other.
        std::vector<std::uint8_t> cells(static_cast<std::size_t>(size * size));
        const std::uint32_t blackness = 3 + random.below(5);
        for (auto& cell : cells) cell = random.below(10) < blackness ? 1 : 2;
        const int holes = 4 + static_cast<int>(random.below(5)),
            row = static_cast<int>(random.below(static_cast<std::uint32_t>(size)));
        for (int i = 0; i < holes; ++i) {
            const int r = std::clamp(row + static_cast<int>(random.below(3)) - 1, 0, size - 1);
            cells[static_cast<std::size_t>(r * size) + random.below(static_cast<std::uint32_t>(size))] = 0;
        }
        const GomokuBoard filled(rules, cells, Side::black);
        for (const int cell : filled.winning_line()) cells[static_cast<std::size_t>(cell)] = 3 - filled.cell(cell) == 1 && cell % 2 ? 1 : 2;
        GomokuBoard board(rules, cells, random.below(2) ? Side::black : Side::white);
        if (board.outcome().over()) continue;
        PuctPosition<GomokuBoard>(board).look(solvers[round / 8 % 2], look);
        CHECK(!look.moves.empty() && look.complete);
        for (const int action : look.moves) CHECK_NOTE(board.is_legal(action), rule_name(rule));
        if (look.verdict.settled()) {
            CHECK_NOTE(solve(board, known) == claimed(look.verdict.proof), rule_name(rule));
            const bool mine = look.verdict.proof == Proof::won;
            const Side winner = mine ? board.to_move() : other(board.to_move());
            CHECK_NOTE(wins_within(board, winner, look.verdict.distance, within), rule_name(rule));
            if (mine) {
                GomokuBoard after = board;
                after.play_unchecked(look.moves[0]);
                CHECK_NOTE(wins_within(after, winner, look.verdict.distance - 1, within), rule_name(rule));
            }
            ++(mine ? won : lost);
            continue;
        }
        // Whatever it leaves out loses.
        narrowed += static_cast<int>(look.moves.size()) < board.count_legal();
        for (int action = 0; action < board.actions(); ++action) {
            if (!board.is_legal(action) || std::count(look.moves.begin(), look.moves.end(), action)) continue;
            GomokuBoard after = board;
            after.play_unchecked(action);
            CHECK_NOTE(solve(after, known) == 1, rule_name(rule));
        }
    }
    CHECK_NOTE(check::rounds(10) < 10 || (won > 100 && lost > 100 && narrowed > 100),
               std::to_string(won) + " " + std::to_string(lost) + " " + std::to_string(narrowed));
}

TEST(a_black_without_moves_has_drawn) {
    // A full board but for three points in a row, . O O O . . , all of them overlines for black: when white makes its
    // open four, black cannot move, and that is a draw.
    std::vector<std::uint8_t> cells(225);
    for (std::size_t i = 0; i < 225; ++i) cells[i] = (i / 15 / 2 + i % 15) % 2 ? 1 : 2;
    for (const std::size_t column : {3, 7, 8}) {
        for (const std::size_t row : {4, 5, 6, 8, 9}) cells[row * 15 + column] = 1;
        for (const std::size_t row : {3, 10}) cells[row * 15 + column] = 2;
        cells[7 * 15 + column] = 0;
    }
    for (const std::size_t column : {4, 5, 6}) cells[7 * 15 + column] = 2;
    for (const std::size_t column : {2, 9}) cells[7 * 15 + column] = 1;
    const GomokuBoard board(GomokuRules::get(Rule::renju, 15, 5), cells, Side::white);
    const ThreatBoard threats(board);
    std::map<std::uint64_t, int> known;
    CHECK(!board.outcome().over() && has_legal_winning_four(threats, Side::white) && solve(board, known) == 0);
    Puct<GomokuBoard> puct(std::make_shared<Net>(), options_of());
    CHECK(puct.search(board, playouts(100)).lines[0].proof == Proof::exact);
}

TEST(one_thread_gives_the_same_search) {
    // Golden: changes only when the rule of the search does.
    struct Golden {
        Rule rule;
        std::vector<int> moves;
        std::vector<std::pair<int, std::uint64_t>> best;
    };
    const std::vector<Golden> golden{{Rule::freestyle, {112, 96}, {{97, 112}, {111, 112}, {113, 112}, {127, 112}}},
                                     {Rule::renju, {112, 113, 98, 126}, {{96, 1691}, {97, 19}, {111, 19}, {127, 19}}},
                                     {Rule::caro, {112, 97, 98, 82}, {{128, 880}, {126, 439}, {84, 247}, {140, 142}}}};
    for (const Golden& g : golden) {
        GomokuBoard board(GomokuRules::get(g.rule, 15, 5));
        for (const int action : g.moves) board.play_unchecked(action);
        Puct<GomokuBoard> puct(std::make_shared<Central>(), options_of());
        puct.search(board, playouts(2000));
        std::vector<std::pair<int, std::uint64_t>> best;
        std::string text;
        for (const RootMove& move : puct.root_moves()) {
            if (best.size() == 4) break;
            best.push_back({move.action, move.visits});
            text.append(std::to_string(move.action)).append(": ").append(std::to_string(move.visits)).append(", ");
        }
        CHECK_NOTE(best == g.best, text);
    }
    const auto same = [](auto board, auto net, PuctOptions o) {
        using B = decltype(board);
        std::vector<std::vector<RootMove>> seen;
        Puct<B> one(net, o), two(net, o);
        for (Puct<B>* puct : {&one, &two, &one}) {
            puct->clear();
            B at = board;
            for (int ply = 0; ply < 4 && !at.outcome().over(); ++ply) at.play_unchecked(puct->search(at,
                playouts(300)).lines[0].moves[0]);
            seen.push_back(puct->root_moves());
        }
        const auto equal = [](const std::vector<RootMove>& a, const std::vector<RootMove>& b) {
            return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RootMove& x, const RootMove& y) {
                return x.action == y.action && x.visits == y.visits && x.value == y.value && x.proof == y.proof &&
                    x.prior == y.prior;
            });
        };
        CHECK(!seen[0].empty() && equal(seen[0], seen[1]) && equal(seen[0], seen[2]));
    };
    for (const PuctCounts counts : all_counts) {
        same(GomokuBoard(GomokuRules::get(Rule::renju, 15, 5)), std::make_shared<Moody>(), options_of(1, 16, counts));
        same(OthelloBoard<8>(), std::make_shared<Moody>(5, true), othello_options(8));
    }
}

TEST(results_add_up_and_limits_are_exact) {
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    for (const int action : {112, 96, 113}) board.play_unchecked(action);
    for (const PuctCounts counts : all_counts)
        for (const int threads : {1, 2, 4})
            for (const int batch : {1, 7, 32}) {
                const auto net = std::make_shared<Moody>();
                Puct<GomokuBoard> puct(net, options_of(threads, batch, counts));
                for (const int count : {1, 2, 20 + check::rounds(280)}) {
                    puct.clear();
                    net->positions = 0;
                    const SearchReport report = puct.search(board, playouts(static_cast<std::uint64_t>(count)));
                    const auto exactly = static_cast<std::uint64_t>(count);
                    CHECK_NOTE(report.nodes == exactly, std::to_string(report.nodes));
                    CHECK_NOTE(visits_of(puct) == exactly - 1,
                        std::to_string(visits_of(puct)));  // the root itself was the first
                    CHECK(puct.evaluations() == net->positions && puct.evaluations() <= exactly && puct.evaluations() > 0);
                    for (const RootMove& move : puct.root_moves()) CHECK(std::abs(move.value) <= 1 &&
                        board.is_legal(move.action));
                    GomokuBoard end = board;
                    for (const int action : report.lines[0].moves)
                        if (CHECK(end.is_legal(action))) end.play_unchecked(action);
                    CHECK(report.selective_depth >= report.depth && report.depth >= 1);
                }
            }
}

TEST(threads_reach_the_same_proofs) {
    int proven = 0;
    for (int round = 0; round < check::rounds(12); ++round) {
        Random random(50 + static_cast<std::uint64_t>(round));
        GomokuBoard board(GomokuRules::get(round % 2 ? Rule::caro : Rule::freestyle, 5, 4));
        while (board.stones() < 14 && !board.outcome().over()) board.play_unchecked(random_action(board, random));
        if (board.outcome().over()) continue;
        std::map<std::uint64_t, int> known;
        for (const PuctCounts counts : all_counts)
            for (const int threads : {2, 4}) {
                Puct<GomokuBoard> puct(std::make_shared<Moody>(), options_of(threads, 4, counts));
                const SearchLine line = puct.search(board, playouts(300'000)).lines[0];
                CHECK(line.proof != Proof::none && solve(board, known) == claimed(line.proof));
                ++proven;
            }
    }
    CHECK(proven > 0);
}

TEST(the_tree_is_kept_between_moves) {
    for (const int threads : {1, 3}) {
        Puct<GomokuBoard> puct(std::make_shared<Moody>(), options_of(threads));
        GomokuBoard board(GomokuRules::get(Rule::freestyle, 9, 5));
        board.play_unchecked(40);
        const SearchReport first = puct.search(board, playouts(3000));
        const std::uint64_t nodes = puct.tree_nodes();
        if (!CHECK(first.lines[0].moves.size() >= 2)) continue;
        const std::uint64_t visits = puct.root_moves()[0].visits;
        board.play_unchecked(first.lines[0].moves[0]);
        puct.search(board, playouts(1));
        CHECK_NOTE(visits_of(puct) + 1 >= visits && visits_of(puct) <= visits + 1, std::to_string(visits_of(puct)));
        CHECK(puct.tree_nodes() < nodes && puct.tree_nodes() > 100);
        // Two plies on; then back, which is no descendant; then another game.
        board.play_unchecked(puct.root_moves()[0].action);
        const std::uint64_t below = puct.root_moves()[0].visits;
        puct.search(board, playouts(1));
        CHECK(visits_of(puct) + 1 >= below && below > 0);
        board.undo();
        puct.search(board, playouts(1));
        CHECK(visits_of(puct) == 0);
        puct.search(board, playouts(100));
        GomokuBoard other(GomokuRules::get(Rule::standard, 9, 5));
        other.play_unchecked(40);
        other.play_unchecked(board.move_at(1));
        puct.search(other, playouts(1));
        CHECK(visits_of(puct) == 0);
    }
}

TEST(openings_are_played_near_the_stones) {
    PuctOptions o = options_of();
    o.moves = 225;
    for (const int first : {0, 40, 112, 224}) {
        Puct<GomokuBoard> puct(std::make_shared<Moody>(), o);
        GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
        board.play_unchecked(first);
        puct.search(board, playouts(400));
        std::size_t near = 0;
        for (int action = 0; action < 225; ++action)
            near += action != first && std::abs(action / 15 - first / 15) <= 3 && std::abs(action % 15 - first % 15) <= 3;
        CHECK(puct.root_moves().size() == near);
        for (const RootMove& move : puct.root_moves())
            CHECK(std::abs(move.action / 15 - first / 15) <= 3 && std::abs(move.action % 15 - first % 15) <= 3);
    }
}

TEST(memory_bounds_the_tree) {
    for (const int moves : {8, 225}) {
        PuctOptions o = options_of(2, 8);
        o.memory = 1;
        o.moves = moves;
        o.effort = 0;
        Puct<GomokuBoard> puct(std::make_shared<Moody>(), o);
        GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
        for (const int action : {0, 14, 210, 224, 7, 217}) board.play_unchecked(action);  // no opening any more
        for (int ply = 0; ply < 3; ++ply) {
            const SearchReport report = puct.search(board, playouts(8000));
            // Some leaves still get their moves once it is full.
            const std::uint64_t most = (1u
                << 19) / (sizeof(PuctNode) + sizeof(PuctEdge) * static_cast<std::uint64_t>(moves) * 9 / 10) + 32;
            CHECK_NOTE(puct.tree_nodes() <= most, std::to_string(puct.tree_nodes()) + " of " + std::to_string(most));
            CHECK(!report.lines.empty() && report.nodes < 8000);
            board.play_unchecked(report.lines[0].moves[0]);
        }
    }
}

TEST(every_rule_size_and_length_can_be_played) {
    Random random(12);
    for (int round = 0; round < check::rounds(60); ++round) {
        const Rule rule = all_rules[round % 4];
        const int win = rule == Rule::renju ? 5 : 3 + static_cast<int>(random.below(4)),
            size = win + static_cast<int>(random.below(static_cast<std::uint32_t>(max_size - win + 1)));
        PuctOptions o = options_of(1 + round % 2);
        o.encoding = std::array{NetEncoding::gomoku, NetEncoding::s3, NetEncoding::s4}[static_cast<std::size_t>(round % 3)];
        o.moves = 1 + static_cast<int>(random.below(100));
        std::shared_ptr<Net> net = std::make_shared<Moody>(plane_count(o.encoding));
        if (o.encoding == NetEncoding::gomoku) net = std::make_shared<Rogue>();
        Puct<GomokuBoard> puct(net, o);
        GomokuBoard board = random_board(GomokuRules::get(rule, size, win), random);
        for (int ply = 0; ply < 6 && !board.outcome().over(); ++ply) {
            const SearchReport report = puct.search(board, playouts(40, 1000));
            for (const SearchLine& line : report.lines) CHECK_NOTE(board.is_legal(line.moves[0]), rule_name(rule));
            board.play_unchecked(report.lines[0].moves[0]);
        }
    }
    const auto whole_game = [](auto board) {
        Puct<decltype(board)> puct(std::make_shared<Moody>(5, true), othello_options(6));
        while (!board.outcome().over()) {
            const SearchReport report = puct.search(board, playouts(20));
            if (!CHECK(!report.lines.empty() && board.is_legal(report.lines[0].moves[0]))) return;
            board.play_unchecked(report.lines[0].moves[0]);
        }
        CHECK(puct.search(board, playouts(20)).lines.empty() && puct.root_moves().empty());
    };
    whole_game(OthelloBoard<4>());
    whole_game(OthelloBoard<6>());
    whole_game(OthelloBoard<8>());
    whole_game(OthelloBoard<10>());
}

TEST(numbers_that_are_none_do_no_harm) {
    GomokuBoard board(GomokuRules::get(Rule::standard, 15, 5));
    board.play_unchecked(112);
    for (const int threads : {1, 3}) {
        Puct<GomokuBoard> puct(std::make_shared<Broken>(), options_of(threads));
        const SearchReport report = puct.search(board, playouts(1000));
        CHECK(report.nodes == 1000 && visits_of(puct) == 999);
        for (const RootMove& move : puct.root_moves())
            CHECK(std::abs(move.value) <= 1 && move.prior >= 0 && move.prior <= 1 && board.is_legal(move.action));
    }
}

TEST(what_a_network_throws_comes_out_once) {
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    board.play_unchecked(112);
    for (const int threads : {1, 4})
        for (const std::int64_t good : {0, 1, 60}) {
            const auto net = std::make_shared<Failing>();
            Puct<GomokuBoard> puct(net, options_of(threads));
            for (int again = 0; again < 2; ++again) {
                net->left = good;
                int thrown = 0;
                try {
                    puct.search(board);
                } catch (const EvaluatorError& error) {
                    thrown += std::string(error.what()) == "no more";
                }
                CHECK(thrown == 1 && visits_of(puct) == 0);
            }
            net->left = 1'000'000;
            CHECK(puct.search(board, playouts(200)).nodes == 200 && visits_of(puct) == 199);
        }
}

TEST(stop_time_and_observers) {
    const GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    for (const int threads : {1, 3}) {
        Puct<GomokuBoard> puct(std::make_shared<Slow>(), options_of(threads));
        std::thread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            puct.stop();
        });
        const SearchReport stopped = puct.search(board);
        stopper.join();
        CHECK(stopped.nodes > 0 && stopped.seconds < 5);
        SearchLimits brief;
        brief.seconds = 0.05;
        const SearchReport timed = puct.search(board, brief);
        CHECK_NOTE(timed.seconds >= 0.05 && timed.seconds < 1 && !timed.lines.empty(), std::to_string(timed.seconds));
        brief.seconds = 0;
        puct.clear();
        CHECK(puct.search(board, brief).lines[0].moves.size() == 1);
        int reports = 0;
        brief.seconds = 0.6;
        puct.search(board, brief, [&](const SearchReport& report) {
            reports += !report.lines.empty() && !puct.root_moves().empty() && puct.tree_nodes() > 0;
        });
        CHECK_NOTE(reports >= 1 && reports <= 3, std::to_string(reports));
        bool thrown = false;
        try {
            puct.search(board, {}, [](const SearchReport&) { throw GameError("enough"); });
        } catch (const GameError&) {
            thrown = true;
        }
        CHECK(thrown && puct.search(board, playouts(10)).nodes == 10);
    }
    // However much is looked for at each leaf, the clock is obeyed.
    PuctOptions o = options_of(1, 1024);
    o.effort = 1'000'000;
    Puct<GomokuBoard> puct(std::make_shared<Net>(), o);
    SearchLimits brief;
    brief.seconds = 0.1;
    for (int round = 0; round < 4; ++round) {
        Random random(static_cast<std::uint64_t>(round));
        const GomokuBoard dense = random_midgame(GomokuRules::get(Rule::freestyle, 19, 5), random, 40);
        CHECK(puct.search(dense, brief).seconds < 2);
    }
}

TEST(bad_options_are_refused) {
    const auto refused = [](auto change) {
        PuctOptions o;
        std::shared_ptr<Net> net = std::make_shared<Net>();
        change(o, net);
        try {
            Puct<GomokuBoard> puct(net, o);
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    using Given = std::shared_ptr<Net>;
    CHECK(!refused([](PuctOptions&, Given&) {}));
    CHECK(refused([](PuctOptions& o, Given&) { o.threads = 0; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.threads = 257; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.batch = 0; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.batch = 1024, o.threads = 64; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.exploration = std::nan(""); }));
    CHECK(refused([](PuctOptions& o, Given&) { o.first_play = -1; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.moves = 0; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.effort = -1; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.vct = -1; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.memory = 0; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.encoding = NetEncoding::othello; }));
    CHECK(refused([](PuctOptions& o, Given&) { o.encoding = NetEncoding::s3; }));
    CHECK(refused([](PuctOptions&, Given& net) { net = std::make_shared<Net>(16, true); }));
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
