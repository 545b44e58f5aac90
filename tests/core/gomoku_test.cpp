#include "games/counting.h"
#include "check.h"
#include "positions.h"

using namespace tengen;

namespace {

std::vector<std::uint8_t> mask_of(const GomokuBoard& board) {
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(board.actions()));
    board.legal_mask(mask.data());
    return mask;
}

}  // namespace

TEST(perft_agrees_with_the_reference_for_every_rule) {
    struct Case { int size, win, depth; };
    for (const Rule rule : all_rules)
        for (const Case c : {Case{3, 3, 6}, Case{4, 3, 4}, Case{4, 4, 4}, Case{5, 5, 3}, Case{6, 5, 3}, Case{7, 5, 2}}) {
            if (rule == Rule::renju && c.win != 5) continue;
            const GomokuBoard board(GomokuRules::get(rule, c.size, c.win));
            for (int depth = 0; depth <= c.depth; ++depth)
                CHECK_NOTE(perft(board, depth) == static_cast<std::uint64_t>(reference::perft(same_board(board), depth)),
                           std::string(rule_name(rule)) + " size " + std::to_string(c.size) + " depth " + std::to_string(depth));
        }
}

TEST(perft_of_crowded_positions_agrees_with_the_reference) {
    // Nearly full boards, where games end by lines, by a full board and, under renju, among forbidden points.
    Random random(11);
    std::uint64_t finished_early = 0;
    for (int round = 0; round < check::rounds(400); ++round)
        for (const Rule rule : all_rules) {
            const int size = 5 + static_cast<int>(random.below(3));
            std::vector<std::uint8_t> cells(static_cast<std::size_t>(size * size));
            for (auto& cell : cells) cell = random.below(10) < 7 ? static_cast<std::uint8_t>(1 + random.below(2)) : 0;
            const GomokuBoard board(GomokuRules::get(rule, size, 5), cells, random.below(2) ? Side::white : Side::black);
            const reference::Board slow = same_board(board);
            CHECK(board.outcome().over() == reference::legal(slow).empty());
            if (board.outcome().over()) ++finished_early;
            CHECK_NOTE(perft(board, 2) == static_cast<std::uint64_t>(reference::perft(slow, 2)), rule_name(rule));
        }
    CHECK(finished_early > 0);
}

TEST(tic_tac_toe_has_its_known_number_of_games) {
    CHECK(perft(GomokuBoard(GomokuRules::get(Rule::freestyle, 3, 3)), 9) == 255168);
}

TEST(wins_agree_with_the_reference_in_random_games) {
    Random random(3);
    for (int round = 0; round < check::rounds(1500); ++round) {
        const Rule rule = all_rules[round % 4];
        const int size = 5 + static_cast<int>(random.below(18));
        const int win = rule == Rule::renju ? 5 : 3 + static_cast<int>(random.below(static_cast<std::uint32_t>(std::min(size, 9) - 2)));
        GomokuBoard board(GomokuRules::get(rule, size, win));
        while (!board.outcome().over()) {
            const int action = random_action(board, random);
            CHECK(board.is_legal(action));
            board.play_unchecked(action);
            const int owner = reference::winner_by(same_board(board), action);
            const bool won = board.outcome().reason == Reason::line;
            CHECK_NOTE(won == (owner != 0), rule_name(rule));
            if (won) CHECK(static_cast<int>(board.winning_line().size()) >= win);
        }
    }
}

TEST(undo_restores_everything) {
    Random random(4);
    for (int round = 0; round < check::rounds(400); ++round) {
        const int size = 5 + static_cast<int>(random.below(18));
        GomokuBoard board(GomokuRules::get(all_rules[round % 4], size, 5));
        std::vector<std::uint64_t> hashes{board.hash()};
        std::vector<std::vector<std::uint8_t>> masks{mask_of(board)};
        while (!board.outcome().over() && board.ply() < 60) {
            board.play_unchecked(random_action(board, random));
            hashes.push_back(board.hash());
            masks.push_back(mask_of(board));
        }
        while (board.ply() > 0) {
            CHECK(board.hash() == hashes[static_cast<std::size_t>(board.ply())]);
            CHECK(mask_of(board) == masks[static_cast<std::size_t>(board.ply())]);
            board.undo();
            CHECK(!board.outcome().over());
        }
        CHECK(board.hash() == hashes[0] && board.stones() == 0 && board.to_move() == Side::black);
    }
}

TEST(the_hash_tells_games_and_sides_apart) {
    const auto hash = [](Rule rule, int size, int win) { return GomokuBoard(GomokuRules::get(rule, size, win)).hash(); };
    CHECK(hash(Rule::freestyle, 15, 5) != hash(Rule::renju, 15, 5));
    CHECK(hash(Rule::freestyle, 15, 5) != hash(Rule::freestyle, 14, 5));
    CHECK(hash(Rule::freestyle, 15, 5) != hash(Rule::freestyle, 15, 6));
    const GomokuRules& rules = GomokuRules::get(Rule::freestyle, 15, 5);
    CHECK(GomokuBoard(rules, {}, Side::white).hash() != GomokuBoard(rules).hash());
}

TEST(caro_wins_need_an_open_end_or_six) {
    const GomokuRules& rules = GomokuRules::get(Rule::caro, 15, 5);
    const auto wins = [&](const char* black, const char* white, const char* point) {
        const reference::Board slow = reference::board_of(black, white, reference::Rule::caro);
        GomokuBoard board(rules, std::vector<std::uint8_t>(slow.cell.begin(), slow.cell.end()), Side::black);
        board.play_unchecked(reference::point_of(point));
        return board.outcome().result == Result::black_wins;
    };
    CHECK(wins("d8 e8 f8 g8", "", "h8"));
    CHECK(wins("d8 e8 f8 g8", "c8", "h8"));
    CHECK(!wins("d8 e8 f8 g8", "c8 i8", "h8"));
    CHECK(wins("a8 b8 c8 d8", "f8", "e8"));             // the edge does not block
    CHECK(wins("d8 e8 f8 h8 i8", "c8 j8", "g8"));       // six, though blocked at both ends
}

TEST(a_side_whose_every_point_is_a_foul_draws) {
    // Renju, 5x5, all but one point taken and that one an overline for black cannot be on 5 points; use 6x6.
    const GomokuRules& rules = GomokuRules::get(Rule::renju, 6, 5);
    std::vector<std::uint8_t> cells(36, 0);
    for (int i = 0; i < 36; ++i) cells[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((i / 6 + (i % 6) / 2) % 2 ? 1 : 2);
    for (int column = 0; column < 6; ++column) cells[static_cast<std::size_t>(column)] = 1;
    cells[2] = 0;  // filling it makes six in the top row
    const GomokuBoard board(rules, cells, Side::black);
    CHECK(board.foul(2) == Foul::overline);
    CHECK((board.outcome() == Outcome{Result::draw, Reason::no_moves}));
    CHECK(board.count_legal() == 0 && !board.is_legal(2));
    const GomokuBoard for_white(rules, cells, Side::white);
    CHECK(!for_white.outcome().over() && for_white.is_legal(2));
}

TEST(bad_games_and_setups_are_refused) {
    const auto refused = [](auto&& make) {
        try {
            make();
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    CHECK(refused([] { GomokuRules::get(Rule::freestyle, 2, 3); }));
    CHECK(refused([] { GomokuRules::get(Rule::freestyle, 23, 5); }));
    CHECK(refused([] { GomokuRules::get(Rule::freestyle, 4, 5); }));
    CHECK(refused([] { GomokuRules::get(Rule::freestyle, 9, 2); }));
    CHECK(refused([] { GomokuRules::get(Rule::renju, 15, 6); }));
    const GomokuRules& rules = GomokuRules::get(Rule::freestyle, 5, 5);
    CHECK(refused([&] { GomokuBoard(rules, std::vector<std::uint8_t>(24), Side::black); }));
    CHECK(refused([&] { GomokuBoard(rules, std::vector<std::uint8_t>(25, 3), Side::black); }));
}

TEST(playouts_are_reproducible_and_end) {
    for (const Rule rule : all_rules) {
        const GomokuBoard board(GomokuRules::get(rule, 9, 5));
        const Playouts a = random_playouts(board, 300, 5), b = random_playouts(board, 300, 5), c = random_playouts(board, 300, 6);
        CHECK(a.games == 300 && a.black_wins + a.white_wins + a.draws == 300);
        CHECK(a.moves == b.moves && a.black_wins == b.black_wins);
        CHECK(a.moves != c.moves);
    }
}

TEST(playouts_are_uniform) {
    // Random tic-tac-toe has known odds: 737/1260 for the first player, 121/420 for the second.
    const Playouts p = random_playouts(GomokuBoard(GomokuRules::get(Rule::freestyle, 3, 3)), 200000, 3);
    CHECK(std::abs(static_cast<double>(p.black_wins) / 200000 - 737.0 / 1260) < 0.005);
    CHECK(std::abs(static_cast<double>(p.white_wins) / 200000 - 121.0 / 420) < 0.005);
}

TEST(playouts_keep_the_rules) {
    // Black may play only one of the two points left: the other makes six. Then white fills it and draws.
    const GomokuRules& rules = GomokuRules::get(Rule::renju, 6, 5);
    std::vector<std::uint8_t> cells(36, 0);
    for (int i = 0; i < 36; ++i) cells[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((i / 6 + (i % 6) / 2) % 2 ? 1 : 2);
    for (int column = 0; column < 6; ++column) cells[static_cast<std::size_t>(column)] = 1;
    cells[2] = cells[35] = 0;
    GomokuBoard board(rules, cells, Side::black);
    CHECK(!board.outcome().over() && board.count_legal() == 1 && board.is_legal(35));
    const Playouts p = random_playouts(board, 50, 1);
    CHECK(p.draws == 50 && p.moves == 100);
    // The same end in play: once white has moved elsewhere, black has no legal point left.
    cells[35] = 0;
    GomokuBoard play(rules, cells, Side::white);
    play.play_unchecked(35);
    CHECK((play.outcome() == Outcome{Result::draw, Reason::no_moves}));
}

TEST(a_set_up_with_two_lines_was_won_by_the_side_that_waits) {
    const reference::Board slow = reference::board_of("d8 e8 f8 g8 h8", "d10 e10 f10 g10 h10", reference::Rule::freestyle);
    const std::vector<std::uint8_t> cells(slow.cell.begin(), slow.cell.end());
    const GomokuRules& rules = GomokuRules::get(Rule::freestyle, 15, 5);
    CHECK(GomokuBoard(rules, cells, Side::black).outcome().result == Result::white_wins);
    CHECK(GomokuBoard(rules, cells, Side::white).outcome().result == Result::black_wins);
}

TEST(random_actions_are_uniform) {
    // Few points left, so that both ways of drawing are used; chi-squared with 8 degrees of freedom.
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5), [] {
        std::vector<std::uint8_t> cells(225);
        for (int i = 0; i < 225; ++i) cells[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>((i / 15 + (i % 15) / 2) % 2 + 1);
        for (int i = 0; i < 9; ++i) cells[static_cast<std::size_t>(25 * i)] = 0;
        return cells;
    }(), Side::black);
    CHECK(!board.outcome().over());
    Random random(8);
    std::vector<int> hits(225);
    for (int i = 0; i < 90000; ++i) ++hits[static_cast<std::size_t>(random_action(board, random))];
    double chi_squared = 0;
    for (int i = 0; i < 9; ++i) {
        const double off = hits[static_cast<std::size_t>(25 * i)] - 10000.0;
        chi_squared += off * off / 10000.0;
    }
    CHECK_NOTE(chi_squared < 26.1, std::to_string(chi_squared));  // p = 0.001, and the seed is fixed
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
