// Checks the reference rules against diagrams made by hand and figures known from elsewhere.
// Own program: g++ -O2 -std=c++20 reference_selftest.cpp && ./a.out; says what failed and exits with 1 if anything did.
#include "reference.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>

#include "renju_cases.h"

using namespace reference;

namespace {

int checks = 0;
int failures = 0;

void check(bool good, const std::string& what) {
    ++checks;
    if (good) return;
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
}

// ---------------------------------------------------------------- renju

int turned(int point, int symmetry, int size) {
    int row = point / size;
    int column = point % size;
    if (symmetry & 1) row = size - 1 - row;
    if (symmetry & 2) column = size - 1 - column;
    if (symmetry & 4) std::swap(row, column);
    return row * size + column;
}

Board turned(const Board& board, int symmetry) {
    Board other = board;
    for (int point = 0; point < board.size * board.size; ++point)
        other.cell[static_cast<size_t>(turned(point, symmetry, board.size))] = board.cell[static_cast<size_t>(point)];
    return other;
}

void test_renju_cases() {
    for (const RenjuCase& renju_case : renju_cases) {
        const Board board = board_of(renju_case.black, renju_case.white, Rule::renju);
        const int point = point_of(renju_case.point);
        check(board.cell[static_cast<size_t>(point)] == empty, std::string("point is empty: ") + renju_case.name);
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            const Foul found = foul(turned(board, symmetry), turned(point, symmetry, board.size));
            check(std::strcmp(name(found), renju_case.foul) == 0,
                  std::string(renju_case.name) + ": found " + name(found) + " in symmetry " + std::to_string(symmetry));
        }
    }
}

// A case that names its depth must be right from exactly that many looks on, and wrong with one look fewer.
void test_recursion_depth() {
    std::array<int, 6> cases_of_depth{};
    for (const RenjuCase& renju_case : renju_cases) {
        int claimed = 0;
        std::sscanf(renju_case.name, "recursion %d deep", &claimed);
        const Board board = board_of(renju_case.black, renju_case.white, Rule::renju);
        const int point = point_of(renju_case.point);
        int needed = 12;
        while (needed > 0 && std::strcmp(name(foul(board, point, needed - 1)), renju_case.foul) == 0) --needed;
        check(needed == claimed, std::string(renju_case.name) + ": needs depth " + std::to_string(needed));
        if (claimed < 6) ++cases_of_depth[static_cast<size_t>(claimed)];
    }
    for (int depth = 0; depth < 6; ++depth)
        check(cases_of_depth[static_cast<size_t>(depth)] > 0, "a case of depth " + std::to_string(depth));
}

void test_renju_wins() {
    const Board five_and_six = board_of("d8 e8 f8 g8 h5 h6 h7 h9 h10", "", Rule::renju);
    check(wins_at(five_and_six, point_of("h8"), black), "five wins although six is made too");
    const Board six = board_of("e8 f8 g8 i8 j8", "", Rule::renju);
    check(!wins_at(six, point_of("h8"), black), "six does not win for black");
    check(wins_at(board_of("", "e8 f8 g8 i8 j8", Rule::renju), point_of("h8"), white), "six wins for white");
    // Fouls are black's alone, and only under renju.
    const std::string cross = "f8 g8 h9 h10";
    Board board = board_of(cross, "", Rule::renju);
    const std::vector<int> for_black = legal(board);
    board.to_move = white;
    check(legal(board).size() == 221, "white may play everywhere");
    check(std::find(for_black.begin(), for_black.end(), point_of("h8")) == for_black.end(), "black may not play h8");
    check(legal(board_of(cross, "", Rule::standard)).size() == 221, "no fouls without renju");
}

// ---------------------------------------------------------------- lines: wins and shapes

// A line of 15 cells from its edge on: x black, o white, . empty, @ the point (black) or & the point (white).
struct Line {
    Board board;
    int point;
    int player;
};

Line laid(std::string text, int direction, Rule rule, bool reversed) {
    text.resize(15, '.');
    if (reversed) std::reverse(text.begin(), text.end());
    const int starts[4] = {7 * 15, 7, 0, 14 * 15};
    Line line{new_board(15, 5, rule), -1, black};
    for (int i = 0; i < 15; ++i) {
        const int there = point_at(line.board, starts[direction], direction, i);
        const char c = text[static_cast<size_t>(i)];
        if (c == '@' || c == '&') line.point = there;
        if (c == '&') line.player = white;
        if (c == 'x') line.board.cell[static_cast<size_t>(there)] = black;
        if (c == 'o') line.board.cell[static_cast<size_t>(there)] = white;
    }
    return line;
}

void check_win(Rule rule, const char* text, bool expected) {
    for (int direction = 0; direction < 4; ++direction)
        for (bool reversed : {false, true}) {
            const Line line = laid(text, direction, rule, reversed);
            check(wins_at(line.board, line.point, line.player) == expected,
                  std::string("win of ") + text + " under rule " + std::to_string(static_cast<int>(rule)));
        }
}

void test_wins() {
    for (Rule rule : {Rule::freestyle, Rule::standard, Rule::renju, Rule::caro}) {
        check_win(rule, "...xxx@.......", false);
        check_win(rule, "...xxx@x......", true);
        check_win(rule, "...xxx.@x.....", false);
        check_win(rule, "...xxx@ox.....", false);
        check_win(rule, "xx@xx.........", true);
        check_win(rule, "...oo&oo......", true);
        check_win(rule, "..oxx@xx......", true);
    }
    check_win(Rule::freestyle, "...xx@xxx.....", true);
    check_win(Rule::standard, "...xx@xxx.....", false);
    check_win(Rule::renju, "...xx@xxx.....", false);
    check_win(Rule::caro, "...xx@xxx.....", true);
    check_win(Rule::renju, "...oo&ooo.....", true);
    check_win(Rule::standard, "...oo&ooo.....", false);
    check_win(Rule::freestyle, "..oxx@xxo.....", true);
    check_win(Rule::standard, "..oxx@xxo.....", true);
    check_win(Rule::renju, "..oxx@xxo.....", true);
    check_win(Rule::caro, "..oxx@xxo.....", false);   // rival at both ends
    check_win(Rule::caro, "..xoo&oox.....", false);
    check_win(Rule::caro, "xx@xxo........", true);    // the edge does not block
    check_win(Rule::caro, "..oxx@xx.o....", true);    // one end free
    check_win(Rule::caro, "..oxx@xxxo....", true);    // six, blocked at both ends
    Board full_row = new_board(5, 5, Rule::caro);
    for (int column = 0; column < 4; ++column) full_row.cell[static_cast<size_t>(column)] = black;
    check(wins_at(full_row, 4, black), "five from edge to edge wins under caro");
}

void check_shape(Rule rule, const char* text, Shape expected) {
    for (int direction = 0; direction < 4; ++direction)
        for (bool reversed : {false, true}) {
            Line line = laid(text, direction, rule, reversed);
            for (bool own_stone : {false, true}) {
                if (own_stone) line.board.cell[static_cast<size_t>(line.point)] = line.player;
                const Shape found = shape(line.board, line.player, direction, line.point);
                const std::string where = " under rule " + std::to_string(static_cast<int>(rule));
                check(found == expected, std::string("shape of ") + text + where + ": found " + std::to_string(found));
            }
        }
}

void test_shapes_of_every_rule() {
    for (Rule rule : {Rule::freestyle, Rule::standard, Rule::renju, Rule::caro}) {
        check_shape(rule, "......@........", none);
        check_shape(rule, ".....xx@xx.....", five);
        check_shape(rule, "......xx@x.....", open_four);
        check_shape(rule, "...oxxx@.......", rush_four);
        check_shape(rule, "xxx@...........", rush_four);  // at the edge
        check_shape(rule, "...x.xx@.......", rush_four);
        check_shape(rule, "...x.x@x.x.....", open_four);  // two fours on one line
        check_shape(rule, "......xx@......", open_three);
        check_shape(rule, "......x.x@.....", open_three);
        check_shape(rule, "......&o.o.....", open_three);
        check_shape(rule, "....o.xx@..o...", open_three);
        check_shape(rule, "....oxx@.......", sleeping_three);
        check_shape(rule, "....x..x@......", sleeping_three);
        check_shape(rule, "xx@............", sleeping_three);
        check_shape(rule, "......x@.......", open_two);
        check_shape(rule, "......x.@......", open_two);
        check_shape(rule, "......x..@.....", open_two);
        check_shape(rule, "....o.x@....o..", open_two);
        check_shape(rule, "....ox@........", sleeping_two);
        check_shape(rule, "......x...@....", sleeping_two);
        check_shape(rule, "....ox@..o.....", none);  // no room for five
    }
    const Line line = laid("...oxxx@.......", 0, Rule::freestyle, false);
    const int rival_stone = point_at(line.board, line.point, 0, -4);
    check(shape(line.board, black, 0, rival_stone) == none, "no shape on the rival's stone");
    check(shape(line.board, black, 1, line.point) == none, "other lines are not looked at");
}

void test_shapes_by_rule() {
    const char* walled_four = "...oxxx@.o.....";  // only a five walled in on both sides is left
    check_shape(Rule::freestyle, walled_four, rush_four);
    check_shape(Rule::standard, walled_four, rush_four);
    check_shape(Rule::caro, walled_four, none);
    check_shape(Rule::caro, "xxx@.o.........", rush_four);  // the edge is no wall
    check_shape(Rule::caro, "...oxx@...o....", sleeping_three);
    check_shape(Rule::caro, "...oxx@x.x.....", rush_four);  // six

    const char* six_only = "...oxxx.x@o....";
    check_shape(Rule::freestyle, six_only, rush_four);
    check_shape(Rule::caro, six_only, rush_four);
    check_shape(Rule::standard, six_only, none);
    check_shape(Rule::renju, six_only, none);
    check_shape(Rule::renju, "...xooo.o&x....", rush_four);  // white may make six
    check_shape(Rule::standard, "...xxx.x@......", sleeping_two);
    check_shape(Rule::freestyle, "...x..xx@..x...", open_three);
    check_shape(Rule::standard, "...x..xx@..x...", sleeping_three);  // a straight four would end in six on one side

    // One stone makes x.xxx.x, never a straight four: that is an open three for everybody but black under renju.
    const char* double_four_ahead = "...ox.x@..x....";
    check_shape(Rule::freestyle, double_four_ahead, open_three);
    check_shape(Rule::standard, double_four_ahead, open_three);
    check_shape(Rule::caro, double_four_ahead, open_three);
    check_shape(Rule::renju, double_four_ahead, sleeping_three);
    check_shape(Rule::renju, "...xo.o&..o....", open_three);
}

// The fouls and the shapes were written apart; on black's lines they must tell the same story.
void test_fouls_against_shapes() {
    std::mt19937 random(20240613);
    for (int n = 0; n < 60; ++n) {
        Board board = new_board(15, 5, Rule::renju);
        for (int& cell : board.cell) {
            const auto draw = random() % 100;
            cell = draw < 30 ? black : draw < 42 ? white : empty;
        }
        for (int point = 0; point < 225; ++point) {
            if (board.cell[static_cast<size_t>(point)] != empty) continue;
            Board after = with_stone(board, point, black);
            bool five_made = false;
            size_t four_count = 0;
            for (int direction = 0; direction < 4; ++direction) {
                const Shape found = shape(board, black, direction, point);
                const size_t four_sets = fours(after, point, direction).size();
                five_made = five_made || found == five;
                if (found == rush_four) four_count += 1;
                if (found == open_four) four_count += has_straight_four(after, black, direction, point) ? 1 : 2;
                bool three = false;
                for (int x : empties_near(after, direction, point))
                    three = three || straight_four(with_stone(after, x, black), point, direction);
                if (found != five && four_sets == 0) check((found == open_three) == three, "three and open three");
            }
            check(five_made == makes_exact_five(after, point), "five and exact five");
            if (!five_made)
                check((four_count >= 2) == (foul(board, point, 0) == Foul::double_four), "fours and double four");
        }
    }
}

void print_shape_time() {
    const Line line = laid("....o.x@....o..", 2, Rule::renju, false);
    const auto start = std::chrono::steady_clock::now();
    int sum = 0;
    for (int i = 0; i < 2000; ++i) sum += shape(line.board, black, 2, line.point);
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
    std::printf("one shape takes %.1f us (checksum %d)\n", spent.count() / 2000, sum);
}

// ---------------------------------------------------------------- counting move sequences

void test_gomoku_perft() {
    // Noughts and crosses: 255,168 games, of which 1440, 5328, 47,952, 72,576 and 127,872 end at plies 5 to 9.
    const long long expected[] = {1, 9, 72, 504, 3024, 15120, 56160, 154944, 255168, 255168};
    for (int depth = 0; depth <= 9; ++depth)
        check(perft(new_board(3, 3, Rule::freestyle), depth) == expected[depth],
              "noughts and crosses, perft " + std::to_string(depth));
    check(perft(new_board(6, 5, Rule::renju), 3) == 36 * 35 * 34, "nothing is forbidden with two stones");
    Board won = new_board(3, 3, Rule::freestyle);
    won.cell = {1, 1, 1, 2, 2, 0, 0, 0, 0};
    check(perft(won, 0) == 1 && perft(won, 1) == 1, "no move after a win: one leaf");
    const Board cross = board_of("f8 g8 h9 h10", "", Rule::renju);
    long long fouls = 0;
    for (int point = 0; point < 225; ++point) fouls += foul(cross, point) != Foul::none;
    check(fouls > 0 && perft(cross, 1) == 221 - fouls, "black's fouls are no moves");
}

void test_othello() {
    const Othello start = Othello::start();
    check(start.legal() == std::vector<int>{2 * 8 + 3, 3 * 8 + 2, 4 * 8 + 5, 5 * 8 + 4}, "d3 c4 f5 e6 at the start");
    check(start.flips(2 * 8 + 3) == std::vector<int>{3 * 8 + 3}, "d3 turns d4");
    check(start.flips(0).empty() && start.flips(3 * 8 + 3).empty(), "nothing turned by a1 nor on d4");
    const long long expected[] = {1, 4, 12, 56, 244, 1396, 8200, 55092};
    for (int depth = 0; depth <= 7; ++depth)
        check(perft(start, depth) == expected[depth], "othello perft " + std::to_string(depth));

    Othello corner = start;  // a1 black, b1 white: white can turn nothing, black takes c1
    corner.cell.assign(64, empty);
    corner.cell[0] = black;
    corner.cell[1] = white;
    corner.to_move = white;
    check(corner.legal() == std::vector<int>{64} && !corner.over(), "white must pass");
    corner.play(corner.pass());
    check(corner.to_move == black && corner.legal() == std::vector<int>{2}, "black moves after the pass");
    corner.play(2);
    check(corner.over() && corner.legal().empty(), "over without white discs");
    check(corner.discs(black) == 3 && corner.discs(white) == 0, "three discs to none");
    check(perft(corner, 1) == 1, "a finished game is a leaf");
}

}  // namespace

int main() {
    test_renju_cases();
    test_recursion_depth();
    test_renju_wins();
    test_wins();
    test_shapes_of_every_rule();
    test_shapes_by_rule();
    test_fouls_against_shapes();
    test_gomoku_perft();
    test_othello();
    print_shape_time();
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures == 0 ? 0 : 1;
}
