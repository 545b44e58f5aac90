// UCT: what it proves is true, what it must see it sees, and threads change nothing but the order.
#include "search/uct.h"

#include <cmath>
#include <map>
#include <thread>

#include "check.h"
#include "games/counting.h"
#include "positions.h"
#include "search/uct_position.h"

using namespace tengen;

namespace {

SearchLimits playouts(std::uint64_t count, int lines = 1) {
    SearchLimits limits;
    limits.nodes = count;
    limits.lines = lines;
    return limits;
}

GomokuBoard random_board(const GomokuRules& rules, Random& random) {
    while (true) {
        GomokuBoard board(rules, random_cells(rules.size, random), random.below(2) ? Side::black : Side::white);
        if (!board.outcome().over()) return board;
    }
}

// The value with best play on both sides, from the mover's: 1, 0 or -1.
template <class B>
int solve(const B& board, std::map<std::uint64_t, int>& known) {
    if (board.outcome().over()) {
        const Result result = board.outcome().result;
        return result == Result::draw ? 0 : result == win_for(board.to_move()) ? 1 : -1;
    }
    const auto at = known.find(board.hash());
    if (at != known.end()) return at->second;
    int best = -1;
    for (int action = 0; action < board.actions() && best < 1; ++action) {
        if (!board.is_legal(action)) continue;
        B next = board;
        next.play_unchecked(action);
        best = std::max(best, -solve(next, known));
    }
    return known[board.hash()] = best;
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

struct Kind {
    UctParallel parallel;
    int threads;
    UctCounts counts;
};
constexpr Kind kinds[] = {
    {UctParallel::none, 1, UctCounts::unobserved}, {UctParallel::leaf, 3, UctCounts::unobserved},
    {UctParallel::root, 3, UctCounts::unobserved}, {UctParallel::tree, 3, UctCounts::unobserved},
    {UctParallel::tree, 1, UctCounts::unobserved}, {UctParallel::tree, 3, UctCounts::virtual_loss},
};

UctOptions options_of(const Kind& kind, UctLeaf leaf = UctLeaf::random) {
    UctOptions o;
    o.parallel = kind.parallel;
    o.threads = kind.threads;
    o.counts = kind.counts;
    o.leaf = leaf;
    o.memory = 8;
    o.seed = 5;
    return o;
}

}  // namespace

TEST(tic_tac_toe_and_small_othello_are_solved) {
    for (const Kind& kind : kinds) {
        UctOptions o = options_of(kind);
        o.near = 0;
        Uct<GomokuBoard> toe(o);
        const SearchReport draw = toe.search(GomokuBoard(GomokuRules::get(Rule::freestyle, 3, 3)), playouts(300'000));
        CHECK_NOTE(draw.lines[0].proof == Proof::exact && draw.lines[0].value == 0 && draw.nodes < 300'000,
                   std::to_string(draw.nodes));
        Uct<OthelloBoard<4>> four(o);
        const SearchReport lost = four.search(OthelloBoard<4>(), playouts(2'000'000));
        CHECK(lost.lines[0].proof == Proof::lost && lost.lines[0].value == -1);
    }
}

TEST(what_is_proven_is_true) {
    std::map<std::uint64_t, int> known;
    Random random(1);
    int proven = 0;
    for (const auto& [size, win, stones] : {std::tuple{3, 3, 0}, {4, 3, 4}, {4, 4, 4}, {5, 4, 12}})
        for (const Rule rule : {Rule::freestyle, Rule::standard, Rule::caro})
            for (int round = 0; round < check::rounds(20); ++round) {
                GomokuBoard board(GomokuRules::get(rule, size, win));
                while (board.stones() < stones && !board.outcome().over())
                    board.play_unchecked(random_action(board, random));
                if (board.outcome().over()) continue;
                for (const UctLeaf leaf : {UctLeaf::random, UctLeaf::expert}) {
                    UctOptions o = options_of(kinds[0], leaf);
                    o.near = static_cast<int>(random.below(3));
                    Uct<GomokuBoard> uct(o);
                    const SearchReport report = uct.search(board, playouts(3000, 100));
                    for (const SearchLine& line : report.lines) {
                        if (line.proof == Proof::none) continue;
                        GomokuBoard after = board;
                        after.play_unchecked(line.moves[0]);
                        const int value = -solve(after, known);
                        const int claimed = line.proof == Proof::won ? 1 : line.proof == Proof::lost ? -1 : 0;
                        CHECK_NOTE(value == claimed, rule_name(rule));
                        ++proven;
                    }
                }
            }
    CHECK(proven > 0);
}

TEST(wins_and_forced_blocks_in_one_are_always_seen) {
    Random random(2);
    int wins = 0, blocks = 0;
    for (int round = 0; round < check::rounds(400); ++round) {
        const Rule rule = all_rules[round % 4];
        const GomokuBoard board = random_board(GomokuRules::get(rule, 9 + 6 * (round / 4 % 2), 5), random);
        for (const UctLeaf leaf : {UctLeaf::random, UctLeaf::expert}) {
            Uct<GomokuBoard> uct(options_of(kinds[0], leaf));
            const int move = uct.search(board, playouts(100)).lines[0].moves[0];
            CHECK(board.is_legal(move));
            bool can_win = false, can_hold = false;
            for (int i = 0; i < board.actions(); ++i) can_win = can_win || wins_now(board, i);
            for (int i = 0; i < board.actions() && !can_win; ++i)
                if (board.is_legal(i)) can_hold = can_hold || !loses_next(board, i);
            if (can_win) CHECK_NOTE(wins_now(board, move), rule_name(rule)), ++wins;
            if (can_hold) CHECK_NOTE(!loses_next(board, move), rule_name(rule)), ++blocks;
        }
    }
    CHECK(wins > 0 && blocks > 0);
}

TEST(candidates_are_what_they_say) {
    Random random(4);
    UctCandidates found;
    const auto actions = [&] {
        std::vector<int> all(found.actions.begin(), found.actions.begin() + found.count);
        std::sort(all.begin(), all.end());
        return all;
    };
    // 1. Near a stone, or everywhere; only the latter leaves nothing out.
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    board.play_unchecked(112);
    for (const auto& [near, count] : {std::pair{0, 224}, {1, 8}, {2, 24}, {21, 224}}) {
        UctOptions o;
        o.near = near;
        UctPosition<GomokuBoard>(board, o).candidates(random, found);
        CHECK(found.count == count && found.complete == (count == 224) && !found.wins);
    }
    // 2. A four that is closed on one side: the other end stops it, under caro also the point behind.
    std::vector<std::uint8_t> cells(225);
    cells[16] = 1;
    for (std::size_t i = 17; i < 21; ++i) cells[i] = 2;
    for (const Rule rule : all_rules) {
        const GomokuBoard four(GomokuRules::get(rule, 15, 5), cells, Side::black);
        UctPosition<GomokuBoard>(four, {}).candidates(random, found);
        const std::vector<int> stops = actions();
        CHECK_NOTE(found.complete && std::count(stops.begin(), stops.end(), 21) == 1, rule_name(rule));
        CHECK_NOTE(std::count(stops.begin(), stops.end(), 22) == (rule == Rule::caro), rule_name(rule));
        CHECK_NOTE(rule == Rule::caro || stops.size() == 1, rule_name(rule));
        const GomokuBoard five(GomokuRules::get(rule, 15, 5), cells, Side::white);
        UctPosition<GomokuBoard>(five, {}).candidates(random, found);
        CHECK(found.wins && actions() == std::vector<int>{21});
    }
}

TEST(two_threats_are_no_proof_under_caro) {
    // x . o o o o . x: whoever stops one five closes the other.
    std::vector<std::uint8_t> cells(225);
    cells[15] = cells[22] = 1;
    for (std::size_t i = 17; i < 21; ++i) cells[i] = 2;
    UctOptions o = options_of(kinds[0], UctLeaf::expert);
    for (const Rule rule : all_rules) {
        const GomokuBoard board(GomokuRules::get(rule, 15, 5), cells, Side::black);
        CHECK(UctPosition<GomokuBoard>(board, o).opinion().verdict.settled() == (rule != Rule::caro));
        Uct<GomokuBoard> uct(o);
        const SearchLine line = uct.search(board, playouts(300)).lines[0];
        CHECK_NOTE((line.proof == Proof::lost) == (rule != Rule::caro), rule_name(rule));
        CHECK(rule == Rule::caro ? line.moves[0] == 16 || line.moves[0] == 21 : line.distance == 2);
    }
}

TEST(results_add_up_for_every_kind) {
    Random random(3);
    for (const Kind& kind : kinds)
        for (const UctLeaf leaf : {UctLeaf::random, UctLeaf::expert}) {
            if (kind.parallel == UctParallel::leaf && leaf == UctLeaf::expert) continue;
            Uct<GomokuBoard> uct(options_of(kind, leaf));
            GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
            for (const int action : {112, 96, 113}) board.play_unchecked(action);
            const SearchReport report = uct.search(board, playouts(3001));
            CHECK(report.nodes == 3001);
            std::uint64_t visits = 0;
            double value = 2;
            for (const RootMove& move : uct.root_moves()) {
                visits += move.visits;
                CHECK(std::abs(move.value) <= 1 && board.is_legal(move.action));
                value = std::min(value, move.value);
            }
            CHECK_NOTE(visits == 3001, std::to_string(visits));
            CHECK(report.lines[0].score > 3001 / 60 && value < report.lines[0].value);
            GomokuBoard end = board;
            for (const int action : report.lines[0].moves)
                if (CHECK(end.is_legal(action))) end.play_unchecked(action);
        }
}

TEST(one_thread_and_a_seed_give_the_same_search) {
    OthelloBoard<8> othello;
    GomokuBoard gomoku(GomokuRules::get(Rule::renju, 15, 5));
    const auto same = [](auto board) {
        using B = decltype(board);
        std::vector<std::vector<RootMove>> seen;
        Uct<B> one(options_of(kinds[0])), two(options_of(kinds[0]));
        UctOptions other = options_of(kinds[0]);
        other.seed = 6;
        Uct<B> three(other);
        for (Uct<B>* uct : {&one, &two, &three, &one}) {
            uct->clear();
            B at = board;
            for (int ply = 0; ply < 4; ++ply) at.play_unchecked(uct->search(at, playouts(500)).lines[0].moves[0]);
            seen.push_back(uct->root_moves());
        }
        const auto equal = [](const std::vector<RootMove>& a, const std::vector<RootMove>& b) {
            return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const RootMove& x, const RootMove& y) {
                return x.action == y.action && x.visits == y.visits && x.value == y.value;
            });
        };
        CHECK(equal(seen[0], seen[1]) && equal(seen[0], seen[3]) && !equal(seen[0], seen[2]));
    };
    same(othello);
    same(gomoku);
}

TEST(the_tree_is_kept_between_moves) {
    for (const Kind& kind : kinds) {
        Uct<GomokuBoard> uct(options_of(kind));
        GomokuBoard board(GomokuRules::get(Rule::freestyle, 9, 5));
        board.play_unchecked(40);
        const SearchReport first = uct.search(board, playouts(20'000));
        const std::uint64_t nodes = uct.tree_nodes();
        CHECK(first.lines[0].moves.size() >= 2);
        if (first.lines[0].moves.size() < 2) continue;
        const int reply = first.lines[0].moves[1];
        board.play_unchecked(first.lines[0].moves[0]);
        board.play_unchecked(reply);
        uct.search(board, playouts(1));
        std::uint64_t visits = 0;
        for (const RootMove& move : uct.root_moves()) visits += move.visits;
        CHECK_NOTE(visits > 100, std::to_string(visits));
        CHECK(uct.tree_nodes() < nodes);
        // Another game is no descendant, and neither is an earlier position.
        board.undo();
        uct.search(board, playouts(1));
        visits = 0;
        for (const RootMove& move : uct.root_moves()) visits += move.visits;
        CHECK_NOTE(visits <= static_cast<std::uint64_t>(kind.threads), std::to_string(visits));
    }
}

TEST(a_full_tree_grows_no_more) {
    UctOptions o = options_of(kinds[3]);
    o.memory = 1;
    Uct<GomokuBoard> uct(o);
    GomokuBoard board(GomokuRules::get(Rule::freestyle, 15, 5));
    const SearchReport report = uct.search(board, playouts(static_cast<std::uint64_t>(check::rounds(40'000))));
    CHECK(report.nodes == static_cast<std::uint64_t>(check::rounds(40'000)));
    CHECK(uct.tree_nodes() <= (1u << 20) / 2 / sizeof(UctNode));
    CHECK(check::rounds(20) < 20 || uct.tree_nodes() > 20'000);
    board.play_unchecked(report.lines[0].moves[0]);
    if (report.lines[0].moves.size() > 1) board.play_unchecked(report.lines[0].moves[1]);
    CHECK(board.is_legal(uct.search(board, playouts(1000)).lines[0].moves[0]));
}

TEST(random_games_end_like_those_of_the_rules) {
    // The share of wins in rollouts is that of plain random games, up to chance.
    const auto agree = [](const auto& board, const char* note) {
        using B = std::decay_t<decltype(board)>;
        const int games = 40'000;
        const Playouts all = random_playouts(board, games, 1);
        UctPosition<B> position(board, {});
        Random random(2);
        int black = 0, white = 0;
        for (int i = 0; i < games; ++i) {
            const double result = position.rollout(random) * (board.to_move() == Side::black ? 1 : -1);
            black += result > 0, white += result < 0;
        }
        const auto near = [&](int a, std::uint64_t b) {
            return std::abs(a - static_cast<double>(b)) < 5 * std::sqrt(games / 2.0);
        };
        CHECK_NOTE(near(black, all.black_wins) && near(white, all.white_wins), note);
    };
    for (const Rule rule : all_rules) agree(GomokuBoard(GomokuRules::get(rule, 7, 5)), rule_name(rule));
    GomokuBoard four(GomokuRules::get(Rule::caro, 6, 4));
    four.play_unchecked(0);
    agree(four, "lines of four");
    agree(OthelloBoard<6>(), "othello 6");
    agree(OthelloBoard<8>(), "othello 8");
    agree(OthelloBoard<10>(), "othello 10");
}

TEST(stop_and_time_are_obeyed_by_every_kind) {
    for (const Kind& kind : kinds) {
        Uct<OthelloBoard<8>> uct(options_of(kind));
        std::thread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(60));
            uct.stop();
        });
        const SearchReport stopped = uct.search(OthelloBoard<8>());
        stopper.join();
        CHECK(stopped.nodes > 0 && stopped.seconds < 5);
        SearchLimits brief;
        brief.seconds = 0.05;
        const SearchReport timed = uct.search(OthelloBoard<8>(), brief);
        CHECK(timed.seconds >= 0.05 && timed.seconds < 5 && !timed.lines.empty());
        int reports = 0;
        brief.seconds = 0.6;
        uct.search(OthelloBoard<8>(), brief, [&](const SearchReport& report) { reports += !report.lines.empty(); });
        CHECK(reports >= 1 && reports <= 3);
        // An observer that throws ends the search, and the next one works.
        bool thrown = false;
        try {
            uct.search(OthelloBoard<8>(), {}, [](const SearchReport&) { throw GameError("enough"); });
        } catch (const GameError&) {
            thrown = true;
        }
        CHECK(thrown && uct.search(OthelloBoard<8>(), playouts(10)).nodes == 10);
    }
}

TEST(bad_options_are_refused) {
    const auto refused = [](auto change) {
        UctOptions o;
        change(o);
        try {
            Uct<GomokuBoard> uct(o);
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    CHECK(!refused([](UctOptions&) {}));
    CHECK(refused([](UctOptions& o) { o.threads = 0, o.parallel = UctParallel::tree; }));
    CHECK(refused([](UctOptions& o) { o.threads = 2; }));
    CHECK(refused([](UctOptions& o) { o.exploration = -1; }));
    CHECK(refused([](UctOptions& o) { o.exploration = std::nan(""); }));
    CHECK(refused([](UctOptions& o) { o.near = 22; }));
    CHECK(refused([](UctOptions& o) { o.memory = 0; }));
    CHECK(refused([](UctOptions& o) { o.leaf = UctLeaf::expert, o.parallel = UctParallel::leaf; }));
    GomokuBoard over(GomokuRules::get(Rule::freestyle, 3, 3));
    for (const int action : {0, 3, 1, 4, 2}) over.play_unchecked(action);
    CHECK(Uct<GomokuBoard>(UctOptions{}).search(over, playouts(10)).lines.empty());
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
