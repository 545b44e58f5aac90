#include "search/alphabeta.h"

#include "check.h"
#include "games/counting.h"
#include "positions.h"

using namespace tengen;

namespace {

GomokuBoard board_of(const char* black, const char* white, Rule rule, Side to_move) {
    const reference::Board slow = reference::board_of(black, white, static_cast<reference::Rule>(rule));
    return GomokuBoard(GomokuRules::get(rule, 15, 5), std::vector<std::uint8_t>(slow.cell.begin(), slow.cell.end()), to_move);
}

SearchLimits depth_of(int depth, int lines = 1) {
    SearchLimits limits;
    limits.depth = depth;
    limits.lines = lines;
    return limits;
}

// The value of a small game by plain exhaustion: 1, 0, -1 for the mover.
int exhaust(GomokuBoard& board) {
    if (board.outcome().over()) return board.outcome().result == Result::draw ? 0 : -1;
    int best = -1;
    for (int action = 0; action < board.actions() && best < 1; ++action) {
        if (!board.is_legal(action)) continue;
        board.play_unchecked(action);
        best = std::max(best, -exhaust(board));
        board.undo();
    }
    return best;
}

}  // namespace

TEST(small_games_have_their_known_values) {
    AlphaBeta search({.plain = true});
    for (const auto& [size, win] : {std::pair{3, 3}, std::pair{4, 4}}) {
        const SearchReport report = search.search(GomokuBoard(GomokuRules::get(Rule::freestyle, size, win)), depth_of(size * size));
        CHECK(report.lines[0].proof == Proof::exact && report.lines[0].value == 0);
    }
    const SearchReport won = search.search(GomokuBoard(GomokuRules::get(Rule::freestyle, 4, 3)), depth_of(16));
    CHECK(won.lines[0].proof == Proof::won);
}

TEST(values_agree_with_exhaustion_on_tic_tac_toe) {
    Random random(5);
    AlphaBeta plain({.hash_mb = 1, .plain = true}), strong({.hash_mb = 1});
    for (int round = 0; round < check::rounds(300); ++round) {
        GomokuBoard board(GomokuRules::get(Rule::freestyle, 3, 3));
        for (int i = static_cast<int>(random.below(6)); i > 0 && !board.outcome().over(); --i)
            board.play_unchecked(random_action(board, random));
        if (board.outcome().over()) continue;
        const int truth = exhaust(board);
        for (AlphaBeta* search : {&plain, &strong}) {
            const SearchLine line = search->search(board, depth_of(12)).lines[0];
            CHECK((line.proof == Proof::won) == (truth == 1) && (line.proof == Proof::lost) == (truth == -1));
        }
    }
}

TEST(it_wins_blocks_and_counts_the_distance) {
    AlphaBeta search({});
    const auto best = [&](const char* black, const char* white, Rule rule, Side side) {
        return search.search(board_of(black, white, rule, side), depth_of(6)).lines[0];
    };
    SearchLine line = best("d8 e8 f8 g8", "d10 e10 f10 a1", Rule::freestyle, Side::black);
    CHECK(line.proof == Proof::won && line.distance == 1);
    CHECK(line.moves[0] == reference::point_of("h8") || line.moves[0] == reference::point_of("c8"));
    line = best("d8 e8 f8 g8", "c8 a1 a3", Rule::freestyle, Side::white);
    CHECK(line.moves[0] == reference::point_of("h8"));
    line = best("e8 f8 g8", "a1 a3", Rule::freestyle, Side::black);
    CHECK(line.proof == Proof::won && line.distance == 3);
    line = best("d8 e8 f8 g8", "a1 a3 c1", Rule::freestyle, Side::white);
    CHECK(line.proof == Proof::lost && line.distance == 2);
    // Under renju black may not play the point that would block: a double three there.
    line = best("f8 g8 h9 h10", "d5 e6 f7 c8", Rule::renju, Side::black);
    CHECK(line.moves[0] != reference::point_of("h8"));
}

TEST(the_first_stone_goes_to_the_middle) {
    for (int size = 7; size <= 22; ++size) {
        AlphaBeta search({.hash_mb = 4});
        const int move = search.search(GomokuBoard(GomokuRules::get(Rule::standard, size, 5)), depth_of(2)).lines[0].moves[0];
        for (const int at : {move / size, move % size}) CHECK(at == size / 2 || at == (size - 1) / 2);
    }
}

TEST(one_thread_repeats_itself) {
    Random random(9);
    for (const Rule rule : all_rules)
        for (int round = 0; round < 3; ++round) {
            GomokuBoard board(GomokuRules::get(rule, 15, 5));
            board.play_unchecked(112);
            for (int i = 0; i < 7; ++i) board.play_unchecked(random_action(board, random));
            AlphaBeta a({.hash_mb = 4}), b({.hash_mb = 4});
            const SearchReport first = a.search(board, depth_of(6)), second = b.search(board, depth_of(6));
            CHECK(first.nodes == second.nodes && first.lines[0].moves == second.lines[0].moves && first.lines[0].score == second.lines[0].score);
            a.clear();
            CHECK(a.search(board, depth_of(6)).nodes == first.nodes);
        }
}

TEST(lines_are_distinct_legal_and_in_order) {
    AlphaBeta search({.hash_mb = 4});
    GomokuBoard board = board_of("h8 i9 j8", "h9 i8 g7", Rule::freestyle, Side::black);
    const SearchReport report = search.search(board, depth_of(5, 4));
    CHECK(report.lines.size() == 4);
    for (std::size_t i = 0; i < report.lines.size(); ++i) {
        if (i > 0) CHECK(report.lines[i].score <= report.lines[i - 1].score);
        for (std::size_t k = 0; k < i; ++k) CHECK(report.lines[i].moves[0] != report.lines[k].moves[0]);
        int played = 0;
        for (const int move : report.lines[i].moves) {
            CHECK(board.is_legal(move));
            board.play_unchecked(move);
            ++played;
        }
        while (played-- > 0) board.undo();
    }
}

// Whenever the search is stopped, its lines are of one depth, the best first.
TEST(lines_are_in_order_when_a_pass_is_cut_short) {
    const GomokuBoard board = board_of("h8 j10", "i9", Rule::freestyle, Side::white);
    for (std::uint64_t nodes = 300; nodes < 400000; nodes = nodes * 5 / 4) {
        AlphaBeta search({.hash_mb = 4});
        SearchLimits limits = depth_of(20, 3);
        limits.nodes = nodes;
        const SearchReport report = search.search(board, limits);
        CHECK(!report.lines.empty());
        for (std::size_t i = 1; i < report.lines.size(); ++i) {
            CHECK(report.lines[i].score <= report.lines[i - 1].score);
            CHECK(report.lines[i].depth == report.lines[0].depth);
        }
        if (report.depth > 1) CHECK(report.lines.size() == 3);
    }
}

TEST(every_position_gets_a_legal_move) {
    Random random(17);
    for (int round = 0; round < check::rounds(120); ++round) {
        const Rule rule = all_rules[round % 4];
        const int size = 5 + static_cast<int>(random.below(18));
        const int win = rule == Rule::renju ? 5 : 3 + static_cast<int>(random.below(4));
        if (win > size) continue;
        GomokuBoard board(GomokuRules::get(rule, size, win));
        AlphaBeta search({.hash_mb = 1});
        for (int i = static_cast<int>(random.below(static_cast<std::uint32_t>(size * size))); i > 0 && !board.outcome().over(); --i)
            board.play_unchecked(random_action(board, random));
        if (board.outcome().over()) continue;
        SearchLimits limits = depth_of(3);
        limits.nodes = 200;
        const SearchReport report = search.search(board, limits);
        CHECK(!report.lines.empty() && board.is_legal(report.lines[0].moves[0]));
    }
}

TEST(threads_stop_and_limits_hold) {
    AlphaBeta search({.threads = 3, .hash_mb = 4});
    const GomokuBoard board = board_of("h8 i9 j8", "h9 i8 g7", Rule::freestyle, Side::black);
    SearchLimits limits;
    limits.seconds = 0.1;
    const SearchReport report = search.search(board, limits);
    CHECK(!report.lines.empty() && board.is_legal(report.lines[0].moves[0]) && report.seconds < 5);
    limits.seconds = 0;
    CHECK(!search.search(board, limits).lines.empty());
    CHECK(search.search(board_of("d8 e8 f8 g8 h8", "", Rule::freestyle, Side::white), limits).lines.empty());
}

TEST(bad_options_are_refused) {
    for (const AlphaBetaOptions& bad : {AlphaBetaOptions{.threads = 0}, AlphaBetaOptions{.hash_mb = 0}, AlphaBetaOptions{.vct_plies = -1}}) {
        bool refused = false;
        try {
            AlphaBeta search(bad);
        } catch (const GameError&) {
            refused = true;
        }
        CHECK(refused);
    }
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
