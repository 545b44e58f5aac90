#include <cstring>

#include "check.h"
#include "positions.h"
#include "renju_cases.h"

using namespace tengen;

namespace {

const char* foul_name(Foul foul) { return reference::name(static_cast<reference::Foul>(foul)); }

}  // namespace

TEST(named_cases) {
    for (const RenjuCase& c : renju_cases) {
        const reference::Board slow = reference::board_of(c.black, c.white, reference::Rule::renju);
        const GomokuBoard board(GomokuRules::get(Rule::renju, 15, 5),
                                std::vector<std::uint8_t>(slow.cell.begin(), slow.cell.end()), Side::black);
        const Foul foul = board.foul(reference::point_of(c.point));
        CHECK_NOTE(std::strcmp(foul_name(foul), c.foul) == 0, std::string(c.name) + ": " + foul_name(foul));
    }
}

// The oracle of this file: the plain reference on 20,000 random positions, every empty point of each.
TEST(fouls_agree_with_the_reference) {
    Random random(2026);
    long seen[4] = {};
    const int wanted = check::rounds(20000);
    for (int positions = 0; positions < wanted;) {
        const GomokuBoard board(GomokuRules::get(Rule::renju, 15, 5), random_cells(15, random, 5 + random.below(4)), Side::black);
        if (board.outcome().reason == Reason::line) continue;
        ++positions;
        const reference::Board slow = same_board(board);
        for (int i = 0; i < board.actions(); ++i) {
            if (board.cell(i) != 0) continue;
            const Foul foul = board.foul(i);
            ++seen[static_cast<int>(foul)];
            CHECK_NOTE(static_cast<int>(foul) == static_cast<int>(reference::foul(slow, i)),
                       "position " + std::to_string(positions) + " point " + std::to_string(i));
        }
    }
    // The positions must be such that every foul is common among them.
    for (const long count : seen) CHECK_NOTE(count >= wanted / 20, std::to_string(count));
}

TEST(other_sizes_agree_too) {
    Random random(77);
    for (int round = 0; round < check::rounds(2000); ++round) {
        const int size = 5 + static_cast<int>(random.below(18));
        const GomokuBoard board(GomokuRules::get(Rule::renju, size, 5), random_cells(size, random, 7), Side::black);
        if (board.outcome().reason == Reason::line) continue;
        const reference::Board slow = same_board(board);
        for (int i = 0; i < board.actions(); ++i)
            if (board.cell(i) == 0) CHECK(static_cast<int>(board.foul(i)) == static_cast<int>(reference::foul(slow, i)));
    }
}

TEST(fouls_bind_black_alone) {
    Random random(5);
    int fouls = 0;
    for (int round = 0; round < check::rounds(300); ++round) {
        const std::vector<std::uint8_t> cells = random_cells(15, random, 7);
        const GomokuBoard black(GomokuRules::get(Rule::renju, 15, 5), cells, Side::black);
        const GomokuBoard white(GomokuRules::get(Rule::renju, 15, 5), cells, Side::white);
        const GomokuBoard freestyle(GomokuRules::get(Rule::freestyle, 15, 5), cells, Side::black);
        if (black.outcome().over() || freestyle.outcome().over()) continue;
        for (int i = 0; i < 225; ++i) {
            if (black.cell(i) != 0) continue;
            CHECK(black.is_legal(i) == (black.foul(i) == Foul::none));
            CHECK(white.is_legal(i) && freestyle.is_legal(i) && freestyle.foul(i) == Foul::none);
            fouls += !black.is_legal(i);
        }
    }
    CHECK(fouls > 0);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
