// Boards belong to one thread each, but rules and line tables are shared and
// made when first asked for. The thread sanitizer watches.
#include <thread>

#include "check.h"
#include "envs/vector_env.h"
#include "games/counting.h"
#include "patterns/shapes.h"
#include "positions.h"

using namespace tengen;

TEST(many_threads_ask_for_the_same_rules_at_once) {
    std::vector<const GomokuRules*> seen(16);
    std::vector<Playouts> results(16);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < seen.size(); ++i)
        threads.emplace_back([&, i] {
            const GomokuRules& rules = GomokuRules::get(all_rules[i % 4], 9, 5);
            seen[i] = &rules;
            results[i] = random_playouts(GomokuBoard(rules), 50, 1);
            Random random(i);
            ShapedGomoku board{GomokuBoard(rules)};
            for (int step = 0; step < 20 && !board.outcome().over(); ++step) board.play_unchecked(random_action(board, random));
            VectorEnv<GomokuBoard> env(GomokuBoard(rules), 8, Encoding::s0, i);
            for (int step = 0; step < 30; ++step) env.sample(), env.step(env.action.data());
        });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 4; i < seen.size(); ++i) {
        CHECK(seen[i] == seen[i % 4]);
        CHECK(results[i].moves == results[i % 4].moves);
    }
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
