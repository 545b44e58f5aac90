#include "patterns/shapes.h"

#include "check.h"
#include "games/counting.h"
#include "patterns/greedy.h"
#include "positions.h"

using namespace tengen;

namespace {

// Every point, player and direction against brute force.
void check_all_shapes(const ShapedGomoku& board, const std::string& note) {
    const reference::Board slow = same_board(board);
    for (int i = 0; i < board.actions(); ++i)
        for (int d = 0; d < directions; ++d)
            for (const Side side : {Side::black, Side::white}) {
                const int fast = static_cast<int>(board.shape(side, d, i));
                const int right = reference::shape(slow, 1 + index_of(side), d, i);
                CHECK_NOTE(fast == right, note + " point " + std::to_string(i) + " direction " + std::to_string(d) + " side " +
                                              std::to_string(index_of(side)) + ": " + std::to_string(fast) + " for " +
                                              std::to_string(right));
            }
}

bool same_shapes(const ShapedGomoku& a, const ShapedGomoku& b) {
    for (int i = 0; i < a.actions(); ++i)
        for (int d = 0; d < directions; ++d)
            if (a.entry(d, i).bits() != b.entry(d, i).bits()) return false;
    return true;
}

}  // namespace

TEST(shapes_agree_with_brute_force_after_any_play_and_undo) {
    Random random(9);
    for (int size = 5; size <= 22; ++size)
        for (const Rule rule : all_rules)
            for (int round = 0; round < check::rounds(4); ++round) {
                ShapedGomoku board(GomokuBoard(GomokuRules::get(rule, size, 5)));
                for (int step = 0; step < 2 * size * size; ++step) {
                    const bool back = board.ply() > 0 && (board.outcome().over() || random.below(3) == 0);
                    if (back)
                        board.undo();
                    else
                        board.play_unchecked(random_action(board, random));
                }
                check_all_shapes(board, std::string(rule_name(rule)) + " size " + std::to_string(size));
            }
}

TEST(shapes_of_setups_agree_with_brute_force) {
    Random random(10);
    for (int round = 0; round < check::rounds(120); ++round) {
        const Rule rule = all_rules[round % 4];
        const int size = 5 + static_cast<int>(random.below(18));
        check_all_shapes(ShapedGomoku(GomokuBoard(GomokuRules::get(rule, size, 5), random_cells(size, random), Side::black)),
                         rule_name(rule));
    }
}

TEST(other_line_lengths_agree_with_brute_force) {
    Random random(12);
    for (int round = 0; round < check::rounds(60); ++round)
        for (const Rule rule : {Rule::freestyle, Rule::standard, Rule::caro})
            for (const int win : {3, 4, 6, 7, 8}) {
                const int size = win + static_cast<int>(random.below(5));
                const std::vector<std::uint8_t> cells = random_cells(size, random);
                check_all_shapes(ShapedGomoku(GomokuBoard(GomokuRules::get(rule, size, win), cells, Side::white)),
                                 std::string(rule_name(rule)) + " win " + std::to_string(win));
            }
}

TEST(long_lines_follow_play_and_undo) {
    // Lengths without a table, and rows longer than the line, which once took seconds each.
    Random random(14);
    for (const auto& [rule, win] : {std::pair{Rule::standard, 6}, std::pair{Rule::standard, 7}, std::pair{Rule::caro, 7},
                                    std::pair{Rule::freestyle, 9}}) {
        ShapedGomoku board(GomokuBoard(GomokuRules::get(rule, 12, win)));
        for (int step = 0; step < 120; ++step) {
            if (board.ply() > 0 && (board.outcome().over() || random.below(4) == 0))
                board.undo();
            else
                board.play_unchecked(random_action(board, random));
        }
        check_all_shapes(board, rule_name(rule));
    }
    ShapedGomoku row(GomokuBoard(GomokuRules::get(Rule::standard, 22, 7)));
    for (const int column : {4, 0, 7, 2, 10, 4, 13, 6}) row.play_unchecked(row.to_move() == Side::black ? 220 + column : column);
    check_all_shapes(row, "a row of gaps");
}

TEST(undo_brings_back_the_same_entries) {
    Random random(13);
    for (int round = 0; round < check::rounds(100); ++round) {
        const int size = 5 + static_cast<int>(random.below(18));
        ShapedGomoku board(GomokuBoard(GomokuRules::get(all_rules[round % 4], size, 5)));
        std::vector<ShapedGomoku> past;
        while (!board.outcome().over() && board.ply() < 40) {
            past.push_back(board);
            board.play_unchecked(random_action(board, random));
        }
        while (board.ply() > 0) {
            board.undo();
            CHECK(same_shapes(board, past.back()));
            past.pop_back();
        }
    }
}

TEST(rival_stones_and_edges_block) {
    // S0 matched its shapes on the own plane alone; a shut-in row of four must be no four.
    const auto shape = [](const char* black, const char* white, const char* point) {
        const reference::Board slow = reference::board_of(black, white, reference::Rule::freestyle);
        const ShapedGomoku board(GomokuBoard(GomokuRules::get(Rule::freestyle, 15, 5),
                                             std::vector<std::uint8_t>(slow.cell.begin(), slow.cell.end()), Side::black));
        return board.shape(Side::black, 0, reference::point_of(point));
    };
    CHECK(shape("e8 f8 g8", "", "h8") == Shape::open_four);
    CHECK(shape("e8 f8 g8", "d8", "h8") == Shape::rush_four);
    CHECK(shape("e8 f8 g8", "d8 i8", "h8") == Shape::none);
    CHECK(shape("a8 b8 c8", "", "d8") == Shape::rush_four);
    CHECK(shape("a8 b8 c8", "e8", "d8") == Shape::none);
    CHECK(shape("f8 g8", "", "h8") == Shape::open_three);
    CHECK(shape("f8 g8", "e8", "h8") == Shape::sleeping_three);
    CHECK(shape("g8", "", "h8") == Shape::open_two);
    CHECK(shape("g8", "f8", "h8") == Shape::sleeping_two);
    CHECK(shape("", "", "h8") == Shape::none);
    CHECK(shape("d8 e8 f8 g8", "c8", "h8") == Shape::five);
}

TEST(greedy_follows_its_order) {
    const auto candidates = [](const char* black, const char* white) {
        const reference::Board slow = reference::board_of(black, white, reference::Rule::freestyle);
        return greedy_candidates(ShapedGomoku(GomokuBoard(GomokuRules::get(Rule::freestyle, 15, 5),
                                                          std::vector<std::uint8_t>(slow.cell.begin(), slow.cell.end()),
                                                          Side::black)));
    };
    const auto points = [](std::initializer_list<const char*> texts) {
        std::vector<int> all;
        for (const char* text : texts) all.push_back(reference::point_of(text));
        std::sort(all.begin(), all.end());
        return all;
    };
    CHECK(candidates("", "").size() == 25);
    // 1. Five before stopping a five.
    CHECK(candidates("d8 e8 f8 g8", "d10 e10 f10 g10") == points({"c8", "h8"}));
    // 2. Stop a five before making a four.
    CHECK(candidates("d8 e8 f8", "d10 e10 f10 g10") == points({"c10", "h10"}));
    // 3. Make a four before stopping one.
    CHECK(candidates("d8 e8 f8", "d10 e10 f10") == points({"b8", "c8", "g8", "h8"}));
    // 4. Stop a four before making a three.
    CHECK(candidates("e8 f8", "k12 l12 m12") == points({"i12", "j12", "n12", "o12"}));
    // 5. Make a three before a two.
    for (const int action : candidates("e8 f8 m3", "a1")) CHECK(action / 15 == 15 - 8);
    // 6. Make a two.
    CHECK(candidates("h8", "").size() == 8 * 4);
    // 7. Nothing to build on.
    CHECK(candidates("", "h8").size() == 224);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
