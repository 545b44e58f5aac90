#include "envs/vector_env.h"

#include "check.h"
#include "games/counting.h"

using namespace tengen;

namespace {

// Steps the environment and, beside it, one board per game by hand.
template <class B>
void follow(const B& start, int games, int steps, std::optional<Encoding> encoding) {
    VectorEnv<B> env(start, games, encoding, 7);
    std::vector<B> boards(static_cast<std::size_t>(games), start);
    const auto actions = static_cast<std::size_t>(start.actions());
    const auto cells = static_cast<std::size_t>(start.size() * start.size());
    int ended = 0;
    for (int step = 0; step < steps; ++step) {
        env.sample();
        env.step(env.action.data());
        for (std::size_t i = 0; i < boards.size(); ++i) {
            B& board = boards[i];
            const Side mover = board.to_move();
            CHECK(board.is_legal(static_cast<int>(env.action[i])));
            board.play_unchecked(static_cast<int>(env.action[i]));
            const Result result = board.outcome().result;
            CHECK(env.result[i] == static_cast<std::uint8_t>(result) && (env.ended[i] != 0) == board.outcome().over());
            const float reward = result == Result::ongoing || result == Result::draw ? 0.0F : result == win_for(mover) ? 1.0F : -1.0F;
            CHECK(env.reward[i] == reward);
            if (board.outcome().over()) board = start, ++ended;
            std::vector<std::uint8_t> mask(actions);
            board.legal_mask(mask.data());
            CHECK(std::equal(mask.begin(), mask.end(), env.mask.begin() + static_cast<std::ptrdiff_t>(i * actions)));
            CHECK(env.to_move[i] == static_cast<std::uint8_t>(board.to_move()));
            if (!encoding) continue;
            std::vector<float> planes(static_cast<std::size_t>(plane_count(*encoding)) * cells);
            write_planes(board, *encoding, planes.data());
            CHECK(std::equal(planes.begin(), planes.end(), env.planes.begin() + static_cast<std::ptrdiff_t>(i * planes.size())));
        }
    }
    CHECK(ended > 0);
}

}  // namespace

TEST(stepping_agrees_with_single_boards) {
    for (const Rule rule : {Rule::freestyle, Rule::standard, Rule::renju, Rule::caro})
        follow(GomokuBoard(GomokuRules::get(rule, 7, 5)), 9, check::rounds(400) + 60, Encoding::s4);
    follow(GomokuBoard(GomokuRules::get(Rule::freestyle, 15, 5)), 5, check::rounds(500) + 200, Encoding::s0);
    follow(GomokuBoard(GomokuRules::get(Rule::freestyle, 3, 3)), 17, 100, std::nullopt);
    follow(OthelloBoard<4>(), 5, 200, Encoding::s2);
    follow(OthelloBoard<6>(), 5, 200, Encoding::s3);
    follow(OthelloBoard<8>(), 5, 200, Encoding::s1);
    follow(OthelloBoard<10>(), 5, 200, Encoding::s2);
}

TEST(an_illegal_action_moves_nothing) {
    VectorEnv<GomokuBoard> env(GomokuBoard(GomokuRules::get(Rule::freestyle, 9, 5)), 4, Encoding::s0, 1);
    std::vector<std::int64_t> chosen{0, 1, 2, 3};
    env.step(chosen.data());
    for (const std::int64_t bad : {std::int64_t{3}, std::int64_t{-1}, std::int64_t{81}, std::int64_t{1} << 40}) {
        chosen = {10, 11, 12, bad};
        bool refused = false;
        try {
            env.step(chosen.data());
        } catch (const GameError& error) {
            refused = std::string(error.what()).find("game 3") != std::string::npos;
        }
        CHECK(refused);
        for (int i = 0; i < 4; ++i) CHECK(env.board(i).ply() == 1);
    }
}

TEST(the_callers_array_may_be_our_own) {
    // Playing game 0 rewrites the planes, and with them what stands in this array for game 1.
    VectorEnv<GomokuBoard> env(GomokuBoard(GomokuRules::get(Rule::freestyle, 4, 4)), 2, Encoding::s0, 1);
    const auto* inside = reinterpret_cast<const std::int64_t*>(env.planes.data() + 14);
    CHECK(inside[0] == 0 && inside[1] == 0);
    env.step(inside);
    CHECK(env.board(0).cell(0) == 1 && env.board(1).cell(0) == 1);
}

TEST(the_number_of_games_is_bounded) {
    for (const int games : {0, -1, (1 << 20) + 1}) {
        bool refused = false;
        try {
            VectorEnv<GomokuBoard> env(GomokuBoard(GomokuRules::get(Rule::freestyle, 9, 5)), games, std::nullopt, 1);
        } catch (const GameError&) {
            refused = true;
        }
        CHECK(refused);
    }
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
