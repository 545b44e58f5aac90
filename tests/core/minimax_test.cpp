// S1's evaluation and search, held against their plain definitions.
#include "search/minimax.h"

#include <thread>

#include "check.h"
#include "games/counting.h"
#include "positions.h"

using namespace tengen;

namespace {

int value_of(const GomokuBoard& board) {
    return window_total(board, board.to_move()) - window_total(board, other(board.to_move()));
}

// A board after some random moves, game not over; by chance denser in one corner.
GomokuBoard random_board(const GomokuRules& rules, Random& random) {
    while (true) {
        GomokuBoard board(rules, random_cells(rules.size, random), random.below(2) ? Side::black : Side::white);
        if (!board.outcome().over()) return board;
    }
}

constexpr int win_score = 1 << 28;

// Minimax without any cleverness, from the mover's side.
int plain_minimax(GomokuBoard& board, int depth, int ply) {
    if (board.outcome().reason == Reason::line) return -(win_score - ply);
    if (board.outcome().over()) return 0;
    if (depth == 0) return value_of(board);
    int best = -win_score;
    for (int action = 0; action < board.actions(); ++action) {
        if (!board.is_legal(action)) continue;
        board.play_unchecked(action);
        best = std::max(best, -plain_minimax(board, depth - 1, ply + 1));
        board.undo();
    }
    return best;
}

bool wins_now(GomokuBoard board, int action) {
    if (!board.is_legal(action)) return false;
    board.play_unchecked(action);
    return board.outcome().reason == Reason::line;
}

// Where `side` would win if it were to move.
std::vector<int> wins_of(const GomokuBoard& board, Side side) {
    std::vector<std::uint8_t> cells;
    for (int i = 0; i < board.actions(); ++i) cells.push_back(static_cast<std::uint8_t>(board.cell(i)));
    const GomokuBoard turned(board.rules(), cells, side);
    std::vector<int> wins;
    for (int i = 0; i < board.actions(); ++i)
        if (wins_now(turned, i)) wins.push_back(i);
    return wins;
}

// S1's moves at the root: wins, else what stops one of the rival's wins, else all.
std::vector<int> plain_root_moves(const GomokuBoard& board) {
    const std::vector<int> wins = wins_of(board, board.to_move()), losses = wins_of(board, other(board.to_move()));
    if (!wins.empty()) return wins;
    std::vector<int> all, stops;
    for (int i = 0; i < board.actions(); ++i) {
        if (!board.is_legal(i)) continue;
        all.push_back(i);
        GomokuBoard next = board;
        next.play_unchecked(i);
        if (!losses.empty() && wins_of(next, next.to_move()).size() < losses.size()) stops.push_back(i);
    }
    return stops.empty() ? all : stops;
}

}  // namespace

TEST(the_evaluation_by_hand) {
    const GomokuRules& rules = GomokuRules::get(Rule::freestyle, 15, 5);
    GomokuBoard board(rules);
    board.play_unchecked(7 * 15 + 7);  // alone in 5 windows of each direction: 20 windows of 1
    CHECK(window_total(board, Side::black) == 20);
    board.play_unchecked(0);  // in the corner: 3 windows
    CHECK(window_total(board, Side::white) == 3);
    board.play_unchecked(7 * 15 + 8);
    // Side by side: of each one's 5 windows along the row 4 hold both (4 points each), 1 itself alone; and 15 more.
    CHECK(window_total(board, Side::black) == 2 * (4 * 4 + 1 + 15));
    board.play_unchecked(7 * 15 + 9);
    // White takes the point beside them: it is in 4 of the windows of the nearer stone, in 3 of the farther one's.
    // h: windows f-j.. : d-h 1 (alone), e-i 4, f-j -1, g-k -1, h-l -1; i: e-i 4, four with white; and 15 each.
    CHECK(window_total(board, Side::black) == (1 + 4 - 3 + 15) + (4 - 4 + 15));
    // White: i-m 1 black, h-l 2, g-k 2, f-j 2; j-n alone; and 15; and the corner.
    CHECK(window_total(board, Side::white) == (-1 - 2 - 2 - 2 + 1 + 15) + 3);
}

TEST(the_running_evaluation_is_the_definition) {
    Random random(1);
    for (const Rule rule : all_rules)
        for (const auto& [size, win] : {std::pair{15, 5}, {7, 5}, {3, 3}, {9, 4}, {22, 11}}) {
            if (rule == Rule::renju && win != 5) continue;
            const GomokuRules& rules = GomokuRules::get(rule, size, win);
            for (int round = 0; round < check::rounds(20); ++round) {
                GomokuBoard board = random_board(rules, random);
                WindowBoard windows(board);
                CHECK(windows.value() == value_of(board));
                std::vector<int> played;
                while (!board.outcome().over() && played.size() < 12) {
                    const int action = random_action(board, random);
                    const int promised = windows.value() + (windows.gain(action) & (WindowBoard::fills - 1));
                    CHECK(windows.would_win(board.to_move(), action) == wins_now(board, action));
                    windows.play(action);
                    board.play_unchecked(action);
                    played.push_back(action);
                    CHECK(windows.value() == value_of(board));
                    CHECK(-windows.value() == promised);
                    CHECK(windows.empties() == board.actions() - board.stones());
                }
                for (; !played.empty(); played.pop_back()) {
                    windows.undo(played.back());
                    board.undo();
                    CHECK(windows.value() == value_of(board));
                }
            }
        }
}

TEST(alpha_beta_finds_what_plain_minimax_finds) {
    Random random(2);
    for (const Rule rule : all_rules)
        for (const auto& [size, depth, rounds] : {std::tuple{7, 1, 60}, {7, 2, 40}, {6, 3, 6}, {5, 4, 1}}) {
            const GomokuRules& rules = GomokuRules::get(rule, size, 5);
            for (int round = 0; round < check::rounds(rounds); ++round) {
                GomokuBoard board = random_board(rules, random);
                while (depth > 2 && board.actions() - board.stones() > 22 && !board.outcome().over())
                    board.play_unchecked(random_action(board, random));
                if (board.outcome().over()) continue;
                int best = -win_score;
                std::vector<int> moves;
                for (const int action : plain_root_moves(board)) {
                    board.play_unchecked(action);
                    const int score = -plain_minimax(board, depth - 1, 1);
                    board.undo();
                    if (score > best) best = score, moves.clear();
                    if (score == best) moves.push_back(action);
                }
                Minimax search({depth, static_cast<std::uint64_t>(round)});
                const SearchReport report = search.search(board);
                const std::string note = std::string(rule_name(rule)) + " depth " + std::to_string(depth);
                CHECK_NOTE(report.lines[0].score == best, note);
                CHECK_NOTE(search.best_moves() == moves, note);
                CHECK(std::count(moves.begin(), moves.end(), report.lines[0].moves[0]) == 1);
            }
        }
}

TEST(lines_are_legal_and_lead_to_the_score) {
    Random random(3);
    for (const Rule rule : all_rules) {
        const GomokuRules& rules = GomokuRules::get(rule, 9, 5);
        for (int round = 0; round < check::rounds(20); ++round) {
            GomokuBoard board = random_board(rules, random);
            const Side mover = board.to_move();
            SearchLimits limits;
            limits.lines = 4;
            const SearchReport report = Minimax({3, 1}).search(board, limits);
            for (std::size_t i = 0; i < report.lines.size(); ++i) {
                const SearchLine& line = report.lines[i];
                if (i) CHECK(report.lines[i - 1].score >= line.score);
                GomokuBoard end = board;
                for (const int action : line.moves) {
                    if (!CHECK(end.is_legal(action))) return;
                    end.play_unchecked(action);
                }
                if (line.proof == Proof::won)
                    CHECK(end.outcome().result == win_for(mover) && line.distance == end.ply());
                else if (line.proof == Proof::lost)
                    CHECK(end.outcome().result == win_for(other(mover)));
                else if (!end.outcome().over())
                    CHECK(line.score == (end.to_move() == mover ? 1 : -1) * value_of(end));
            }
        }
    }
}

TEST(fours_come_first) {
    const GomokuRules& rules = GomokuRules::get(Rule::freestyle, 15, 5);
    std::vector<std::uint8_t> cells(225);
    for (int column = 3; column < 7; ++column) cells[static_cast<std::size_t>(5 * 15 + column)] = 2;
    cells[5 * 15 + 2] = 1;
    for (int depth = 1; depth <= 3; ++depth)
        CHECK(Minimax({depth, 1}).search(GomokuBoard(rules, cells, Side::black)).lines[0].moves[0] == 5 * 15 + 7);
    for (int column = 3; column < 7; ++column) cells[static_cast<std::size_t>(9 * 15 + column)] = 1;
    for (int depth = 1; depth <= 3; ++depth) {
        const SearchReport report = Minimax({depth, 1}).search(GomokuBoard(rules, cells, Side::black));
        CHECK(report.lines[0].moves[0] == 9 * 15 + 2 || report.lines[0].moves[0] == 9 * 15 + 7);
        CHECK(report.lines[0].proof == Proof::won && report.lines[0].distance == 1);
    }
}

TEST(ties_are_drawn_by_the_seed) {
    const GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    std::vector<int> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Minimax search({1, seed});
        const int move = search.search(board).lines[0].moves[0];
        CHECK(search.best_moves().size() == 49);  // the points with all 20 windows on the board
        search.clear();
        CHECK(search.search(board).lines[0].moves[0] == move);
        seen.push_back(move);
    }
    std::sort(seen.begin(), seen.end());
    CHECK(std::unique(seen.begin(), seen.end()) - seen.begin() > 5);
}

TEST(without_draws_the_first_of_the_equals_is_played) {
    Random random(5);
    for (int round = 0; round < check::rounds(60); ++round) {
        const GomokuBoard board = random_board(GomokuRules::get(Rule::freestyle, 7, 5), random);
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            Minimax search({.depth = 2, .seed = seed, .draws = false});
            CHECK(search.search(board).lines[0].moves[0] == search.best_moves().front());
        }
    }
}

TEST(limits_stop_and_options) {
    const GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    SearchLimits few;
    few.nodes = 1;
    const SearchReport report = Minimax({6, 1}).search(board, few);
    CHECK(report.depth == 1 && report.lines.size() == 1 && report.nodes < 2000);
    Minimax search({6, 1});
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        search.stop();
    });
    const SearchReport stopped = search.search(board);
    stopper.join();
    CHECK(stopped.depth >= 1 && stopped.depth < 6 && board.is_legal(stopped.lines[0].moves[0]));
    for (const int depth : {0, 7, -1}) {
        bool refused = false;
        try {
            Minimax bad({depth, 0});
        } catch (const GameError&) {
            refused = true;
        }
        CHECK(refused);
    }
    GomokuBoard over(GomokuRules::get(Rule::freestyle, 3, 3));
    for (const int action : {0, 3, 1, 4, 2}) over.play_unchecked(action);
    CHECK(Minimax({2, 0}).search(over).lines.empty());
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
