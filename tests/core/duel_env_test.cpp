// Duels: beside the environment every game is played again by hand, with rewards from the slow reference, and every
// reply must be one that its rival would draw.
#include "envs/duel_env.h"

#include <cmath>
#include <string>

#include "check.h"
#include "games/counting.h"
#include "patterns/greedy.h"
#include "positions.h"

using namespace tengen;

namespace {

ShapedGomoku gomoku(int size, int win = 5, Rule rule = Rule::freestyle) {
    return ShapedGomoku(GomokuBoard(GomokuRules::get(rule, size, win)));
}

// ---------------------------------------------------------------- rewards once more, slow and plain

// S0's table, by the reference's number of a shape.
constexpr double worth[] = {0, 5, 10, 20, 30, 60, 100, 200};

double slow_made_at(const ShapedGomoku& board, Side side, int action) {
    const reference::Board slow = same_board(board);
    if (side == Side::black && board.rules().rule == Rule::renju && board.foul(action) != Foul::none) return 0;
    int best = 0;
    for (int d = 0; d < directions; ++d) best = std::max<int>(best, reference::shape(slow, 1 + index_of(side), d, action));
    return worth[best];
}

int slow_longest(const ShapedGomoku& board, Side side) {
    const reference::Board slow = same_board(board);
    int longest = 0;
    for (int point = 0; point < board.actions(); ++point)
        for (int d = 0; d < directions; ++d) {
            int own = 0;
            for (int i = 0; i < slow.win; ++i) {
                const int stone = reference::stone_at(slow, point, d, i);
                if (stone != reference::empty && stone != 1 + index_of(side)) own = -100;  // the edge too
                own += stone == 1 + index_of(side);
            }
            longest = std::max(longest, own);
        }
    return longest;
}

// `answer` is -1 if there was none.
double slow_reward(DuelReward kind, const ShapedGomoku& before, int action, int answer, Result result) {
    const Side own = before.to_move(), rival = other(own);
    const bool lost = result == win_for(rival), drawn = result == Result::draw, won = result == win_for(own);
    if (kind == DuelReward::win) return won - lost;
    ShapedGomoku after = before;
    after.play_unchecked(action);
    if (kind == DuelReward::s1) {
        if (won || lost) return won ? 1 : -1;
        return 0.6 * (slow_longest(after, own) > slow_longest(before, own)) +
               0.4 * (slow_longest(after, rival) < slow_longest(before, rival));
    }
    if (won || lost || drawn) return won ? 800 : lost ? -200 : -20;
    const double made = slow_made_at(before, own, action), broken = slow_made_at(before, rival, action);
    const double theirs = answer < 0 ? 0 : slow_made_at(after, rival, answer);
    return made - theirs * (theirs <= made ? 0.3 : theirs <= 60 ? 0.5 : 0.8) +
           broken * (broken <= 20 ? 0.3 : broken <= 60 ? 0.5 : 1.0);
}
template <int N>
double slow_reward(DuelReward, const OthelloBoard<N>& before, int, int, Result result) {
    return (result == win_for(before.to_move())) - (result == win_for(other(before.to_move())));
}

// ---------------------------------------------------------------- what a rival draws from

std::vector<int> legal_actions(const auto& board) {
    std::vector<int> found;
    for (int i = 0; i < board.actions(); ++i)
        if (board.is_legal(i)) found.push_back(i);
    return found;
}

std::vector<int> candidates(const ShapedGomoku& board, const Rival& rival) {
    if (rival.kind == RivalKind::greedy) return greedy_candidates(board);
    if (rival.kind == RivalKind::random) return legal_actions(board);
    Minimax search({rival.depth, 0});
    search.search(board);
    return search.best_moves();
}
template <int N>
std::vector<int> candidates(const OthelloBoard<N>& board, const Rival& rival) {
    std::vector<int> found = legal_actions(board);
    if (rival.kind == RivalKind::random || found[0] == OthelloBoard<N>::pass) return found;
    int most = 0;
    const auto turned = [&](int action) {
        OthelloBoard<N> after = board;
        after.play_unchecked(action);
        return after.count(board.to_move()) - board.count(board.to_move()) - 1;
    };
    for (const int action : found) most = std::max(most, turned(action));
    std::erase_if(found, [&](int action) { return turned(action) < most; });
    return found;
}

bool among(const std::vector<int>& all, int one) { return std::find(all.begin(), all.end(), one) != all.end(); }

// ---------------------------------------------------------------- the environment beside boards by hand

std::vector<std::uint8_t> slow_mask(const auto& board, std::optional<int> margin) {
    std::vector<std::uint8_t> legal(static_cast<std::size_t>(board.actions())), inside = legal;
    board.legal_mask(legal.data());
    if (!margin) return legal;
    const int n = board.size(), first = (n - std::min(n, 5)) / 2;
    bool any = false;
    for (int i = 0; i < n * n; ++i) {
        bool near = board.ply() == 0 && std::min(i / n, i % n) >= first && std::max(i / n, i % n) < first + 5;
        int above = 0, below = 0, left = 0, right = 0;
        for (int stone = 0; stone < n * n; ++stone) {
            if (!board.cell(stone)) continue;
            above |= stone / n - *margin <= i / n, below |= stone / n + *margin >= i / n;
            left |= stone % n - *margin <= i % n, right |= stone % n + *margin >= i % n;
        }
        near |= above && below && left && right;
        const auto at = static_cast<std::size_t>(i);
        inside[at] = legal[at] && near;
        any |= inside[at];
    }
    return any ? inside : legal;
}

struct Counts {
    int ended = 0, won = 0, lost = 0, passes = 0;
};

template <class B>
class Follower {
public:
    Follower(const B& start, const DuelOptions& options) : start_(start), options_(options), env_(start, options) {
        for (int i = 0; i < options.games; ++i) {
            boards_.push_back(env_.board(i));
            openings_.push_back(next_opening());
            check_begun(i);
            check_shown(i);
        }
    }

    void step(bool greedy) {
        env_.explore(greedy ? Exploring::greedy : Exploring::random);
        const std::vector<std::int64_t> chosen = env_.action;
        const std::vector<std::uint8_t> rivals = env_.rival, sides = env_.to_move, alone = env_.self_play;
        env_.step(env_.action.data());
        for (int i = 0; i < env_.games(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            CHECK(env_.stepped_rival[at] == rivals[at] && env_.stepped_self_play[at] == alone[at]);
            CHECK(env_.last_side[at] == sides[at]);
            check_step(i, static_cast<int>(chosen[at]));
            boards_[at] = env_.board(i);
            if (env_.ended[at]) {
                openings_[at] = next_opening();
                check_begun(i);
            }
            check_shown(i);
        }
    }

    Counts counts;

private:
    int next_opening() { return options_.openings.empty() ? -1 : turn_++ % static_cast<int>(options_.openings.size()); }
    const Rival& rival(int i) const { return options_.rivals[env_.rival[static_cast<std::size_t>(i)]]; }

    void check_step(int i, int action) {
        const auto at = static_cast<std::size_t>(i);
        const B& before = boards_[at];
        const Rival& who = options_.rivals[env_.stepped_rival[at]];
        CHECK(before.is_legal(action));
        B after = before;
        after.play_unchecked(action);
        const bool answered = !after.outcome().over() && who.kind != RivalKind::self;
        int answer = -1;
        if (answered && !env_.ended[at]) {
            answer = env_.board(i).move_at(before.ply() + 1);
            CHECK(among(candidates(after, who), answer));
            counts.passes += answer == before.size() * before.size();
        } else if (answered) {
            // The game is gone, but a move that the rival would play must end it this way.
            for (const int candidate : candidates(after, who)) {
                B end = after;
                end.play_unchecked(candidate);
                if (static_cast<int>(end.outcome().result) == env_.result[at]) answer = candidate;
            }
            CHECK(answer >= 0);
        }
        if (answer >= 0) after.play_unchecked(answer);
        const Result result = after.outcome().result;
        CHECK(env_.result[at] == static_cast<std::uint8_t>(result) && (env_.ended[at] != 0) == after.outcome().over());
        CHECK(env_.length[at] == (after.outcome().over() ? after.ply() : 0));
        CHECK(env_.opening[at] == (after.outcome().over() ? openings_[at] : -1));
        CHECK(std::abs(env_.reward[at] - slow_reward(options_.reward, before, action, answer, result)) < 1e-4);
        if (!after.outcome().over()) CHECK(after.hash() == env_.board(i).hash() && after.ply() == env_.board(i).ply());
        counts.ended += after.outcome().over();
        counts.won += result == win_for(before.to_move());
        counts.lost += result == win_for(other(before.to_move()));
    }

    void check_begun(int i) {
        const B& board = env_.board(i);
        const int given = openings_[static_cast<std::size_t>(i)];
        const std::vector<int> opening = given < 0 ? std::vector<int>{} : options_.openings[static_cast<std::size_t>(given)];
        const int plies = given < 0 ? options_.opening_plies : static_cast<int>(opening.size());
        CHECK(board.ply() == plies || board.ply() == plies + 1);
        B begun = start_;
        for (int ply = 0; ply < plies; ++ply) {
            if (given >= 0) CHECK(board.move_at(ply) == opening[static_cast<std::size_t>(ply)]);
            CHECK(begun.is_legal(board.move_at(ply)));
            begun.play_unchecked(board.move_at(ply));
        }
        if (board.ply() == plies) return;
        CHECK(rival(i).kind != RivalKind::self);
        CHECK(among(candidates(begun, rival(i)), board.move_at(plies)));
    }

    void check_shown(int i) {
        const auto at = static_cast<std::size_t>(i);
        const B& board = env_.board(i);
        CHECK(!board.outcome().over() && env_.to_move[at] == static_cast<std::uint8_t>(board.to_move()));
        CHECK((env_.self_play[at] != 0) == (rival(i).kind == RivalKind::self));
        if (options_.side && !env_.self_play[at]) CHECK(board.to_move() == *options_.side);
        const std::vector<std::uint8_t> mask = slow_mask(board, options_.margin);
        CHECK(std::equal(mask.begin(), mask.end(), env_.mask.begin() + static_cast<std::ptrdiff_t>(at * env_.actions())));
        if (!options_.encoding) return;
        const auto cells = static_cast<std::size_t>(board.size() * board.size());
        std::vector<float> planes(static_cast<std::size_t>(plane_count(*options_.encoding)) * cells);
        if constexpr (std::is_same_v<B, ShapedGomoku>)
            write_planes<GomokuBoard>(board, *options_.encoding, planes.data());
        else
            write_planes(board, *options_.encoding, planes.data());
        const auto shown = env_.planes.begin() + static_cast<std::ptrdiff_t>(at * planes.size());
        CHECK(std::equal(planes.begin(), planes.end(), shown));
    }

    B start_;
    DuelOptions options_;
    DuelEnv<B> env_;
    std::vector<B> boards_;
    std::vector<int> openings_;
    int turn_ = 0;
};

template <class B>
Counts follow(const B& start, const DuelOptions& options, int steps) {
    Follower<B> follower(start, options);
    for (int step = 0; step < steps; ++step) follower.step(step % 4 != 0);
    CHECK(follower.counts.ended > 0);
    return follower.counts;
}

DuelOptions duel(int games, std::vector<Rival> rivals, DuelReward reward = DuelReward::win) {
    DuelOptions o;
    o.games = games;
    o.rivals = std::move(rivals);
    o.reward = reward;
    o.encoding = Encoding::s0;
    o.seed = 5;
    return o;
}

const std::vector<Rival> everyone{
    {RivalKind::random}, {RivalKind::greedy}, {RivalKind::minimax, 1}, {RivalKind::minimax, 2, 2.5}, {RivalKind::self}};
const std::vector<Rival> in_othello{{RivalKind::random}, {RivalKind::greedy}, {RivalKind::self}};

template <class B>
bool refused(const B& start, const DuelOptions& options, const std::string& why) {
    try {
        const DuelEnv<B> env(start, options);
    } catch (const GameError& error) {
        return std::string(error.what()).find(why) != std::string::npos;
    }
    return false;
}

}  // namespace

TEST(gomoku_duels_agree_with_boards_by_hand) {
    for (const DuelReward reward : {DuelReward::win, DuelReward::s0, DuelReward::s1}) {
        DuelOptions o = duel(8, everyone, reward);
        const Counts free = follow(gomoku(7), o, check::rounds(120) + 30);
        CHECK(free.won > 0 && free.lost > 0);
        o.margin = 1, o.side = Side::white, o.encoding = Encoding::s4;
        follow(gomoku(9), o, check::rounds(60) + 20);
        o.margin = 0, o.side = Side::black, o.opening_plies = 3, o.encoding.reset();
        follow(gomoku(6, 4), o, check::rounds(60) + 20);
        o = duel(6, everyone, reward);
        o.openings = {{}, {112}, {112, 113, 97}, {112, 0, 111, 1}}, o.margin = 3, o.threads = 3;
        follow(gomoku(15), o, check::rounds(30) + 25);
    }
}

TEST(every_rule_has_duels) {
    for (const Rule rule : all_rules) {
        DuelOptions o = duel(6, everyone, DuelReward::s0);
        o.margin = 2, o.opening_plies = 4;
        follow(gomoku(9, 5, rule), o, check::rounds(60) + 25);
    }
}

TEST(othello_duels_pass_on_both_sides) {
    DuelOptions o = duel(8, in_othello);
    o.encoding = Encoding::s2;
    const Counts small = follow(OthelloBoard<4>(), o, check::rounds(200) + 30);
    CHECK(small.passes > 0 && small.won > 0 && small.lost > 0);
    o.openings = {{19}, {19, 18, 17}}, o.threads = 2;
    follow(OthelloBoard<8>(), o, check::rounds(60) + 40);
    o.openings.clear(), o.opening_plies = 5;
    follow(OthelloBoard<6>(), o, check::rounds(60) + 40);
    follow(OthelloBoard<10>(), o, check::rounds(60) + 60);
}

TEST(a_board_too_small_for_an_opening_goes_without) {
    DuelOptions o = duel(4, {{RivalKind::random}});
    o.opening_plies = 9;
    const DuelEnv<ShapedGomoku> env(gomoku(3, 3), o);
    for (int i = 0; i < 4; ++i) CHECK(env.board(i).ply() <= 1);
}

TEST(threads_change_nothing) {
    DuelOptions o = duel(40, everyone, DuelReward::s0);
    o.margin = 2, o.openings = {{}, {24}, {24, 17, 23}};
    DuelEnv<ShapedGomoku> one(gomoku(7), o);
    o.threads = 4;
    DuelEnv<ShapedGomoku> four(gomoku(7), o);
    for (int step = 0; step < check::rounds(150) + 20; ++step) {
        const auto how = static_cast<Exploring>(step % 3);
        one.explore(how), four.explore(how);
        CHECK(one.action == four.action);
        one.step(one.action.data()), four.step(four.action.data());
        CHECK(one.planes == four.planes && one.mask == four.mask && one.reward == four.reward);
        CHECK(one.to_move == four.to_move && one.rival == four.rival && one.opening == four.opening);
        CHECK(one.result == four.result && one.length == four.length && one.last_side == four.last_side);
        if (step == 10) one.reset(), four.reset();
    }
}

TEST(exploring_changes_no_game) {
    DuelOptions o = duel(10, everyone);
    DuelEnv<ShapedGomoku> asked(gomoku(7), o), unasked(gomoku(7), o);
    for (int step = 0; step < 60; ++step) {
        std::vector<std::int64_t> first(10);
        for (std::size_t i = 0; i < 10; ++i)
            first[i] = std::find(asked.mask.begin() + static_cast<std::ptrdiff_t>(49 * i), asked.mask.end(), 1) -
                       asked.mask.begin() - static_cast<std::ptrdiff_t>(49 * i);
        asked.explore(Exploring::greedy), asked.explore(Exploring::random), asked.explore(Exploring::threats);
        asked.step(first.data()), unasked.step(first.data());
        CHECK(asked.mask == unasked.mask && asked.reward == unasked.reward);
    }
}

TEST(an_action_outside_the_mask_moves_nothing) {
    DuelOptions o = duel(4, {{RivalKind::greedy}});
    o.margin = 1, o.openings = {{24}}, o.side = Side::white;
    DuelEnv<ShapedGomoku> env(gomoku(7), o);
    std::vector<std::int64_t> chosen{16, 17, 18, 16};
    for (const std::int64_t bad : {0L, 24L, -1L, 49L, 1L << 40}) {
        chosen[2] = bad;
        bool named = false;
        try {
            env.step(chosen.data());
        } catch (const GameError& error) {
            named = std::string(error.what()).find("game 2") != std::string::npos;
        }
        CHECK(named);
        for (int i = 0; i < 4; ++i) CHECK(env.board(i).ply() == 1);
    }
}

TEST(options_that_cannot_be) {
    const auto with = [](auto change) {
        DuelOptions o = duel(2, {{RivalKind::random}});
        change(o);
        return o;
    };
    const ShapedGomoku board = gomoku(7);
    CHECK(refused(board, with([](auto& o) { o.games = 0; }), "games"));
    CHECK(refused(board, with([](auto& o) { o.games = (1 << 20) + 1; }), "games"));
    CHECK(refused(board, with([](auto& o) { o.rivals.clear(); }), "rivals"));
    CHECK(refused(board, with([](auto& o) { o.rivals[0].weight = 0; }), "weight"));
    CHECK(refused(board, with([](auto& o) { o.rivals[0].weight = std::nan(""); }), "weight"));
    CHECK(refused(board, with([](auto& o) { o.rivals = {{RivalKind::minimax, 0}}; }), "depth"));
    CHECK(refused(board, with([](auto& o) { o.rivals = {{RivalKind::minimax, 4}}; }), "depth"));
    CHECK(refused(board, with([](auto& o) { o.threads = 0; }), "threads"));
    CHECK(refused(board, with([](auto& o) { o.margin = -1; }), "margin"));
    CHECK(refused(board, with([](auto& o) { o.opening_plies = 65; }), "opening_plies"));
    CHECK(refused(board, with([](auto& o) { o.opening_plies = 1, o.openings = {{}}; }), "not both"));
    CHECK(refused(board, with([](auto& o) { o.openings = {{}, {3, 3}}; }), "opening 1: action 3"));
    CHECK(refused(board, with([](auto& o) { o.openings = {{0, 7, 1, 8, 2, 9, 3, 10, 4}}; }), "over"));
    // Black has four and is to move: fair if the learner is black, or plays itself.
    const std::vector<std::vector<int>> four{{0, 7, 1, 8, 2, 9, 3, 20}};
    CHECK(refused(board, with([&](auto& o) { o.openings = four; }), "before the learner"));
    CHECK(refused(board, with([&](auto& o) { o.openings = four, o.side = Side::white; }), "before the learner"));
    CHECK(!refused(board, with([&](auto& o) { o.openings = four, o.side = Side::black; }), ""));
    CHECK(!refused(board, with([&](auto& o) { o.openings = four, o.rivals = {{RivalKind::self}}; }), ""));
    const OthelloBoard<4> othello;
    CHECK(refused(othello, with([](auto& o) { o.rivals = {{RivalKind::minimax, 2}}; }), "Gomoku"));
    CHECK(refused(othello, with([](auto& o) { o.reward = DuelReward::s0; }), "Gomoku"));
    CHECK(refused(othello, with([](auto& o) { o.margin = 3; }), "Gomoku"));
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
