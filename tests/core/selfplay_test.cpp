// Self-play: every game is replayed on the rules' own board, every claim about it is checked, and chance comes from the
// seed alone.
#include "selfplay/pool.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "check.h"
#include "positions.h"
#include "search/puct_position.h"
#include "search/threat_search.h"
#include "selfplay/team.h"

using namespace tengen;

namespace {

// ---------------------------------------------------------------- networks and pools

// One position, as the pool wrote it.
struct Question {
    const std::uint8_t* planes;
    int cells;  // of a plane
    int count;  // of planes
    float* policy;
    int actions;
    float* wdl;

    bool black_to_move() const { return planes[12 * cells] != 0; }  // the mask's first cell is on every board
    void say(float value) const { wdl[0] = (1 + value) / 2, wdl[1] = 0, wdl[2] = (1 - value) / 2; }
};
using Judge = std::function<void(const Question&)>;

void moody(const Question& q) {
    std::uint64_t key = 0;
    for (int i = 0; i < q.count * q.cells; ++i) key = splitmix64(key ^ q.planes[i]);
    Random random(key);
    for (int i = 0; i < q.actions; ++i) q.policy[i] = static_cast<float>(4 * random.unit());
    q.say(static_cast<float>(random.unit() - 0.5));
}

// Sure that black wins.
void for_black(const Question& q) {
    moody(q);
    q.say(q.black_to_move() ? 0.9F : -0.9F);
}

struct Play {
    std::vector<SelfPlayGame> games;
    SelfPlayCounts counts;
};

template <class B>
Play play(const SelfPlayOptions& options, int steps, const Judge& judge = moody, const Opposition& opposition = {}) {
    SelfPlayPool<B> pool(options);
    pool.set_opposition(opposition);
    const auto games = static_cast<std::size_t>(pool.games()), actions = static_cast<std::size_t>(pool.actions());
    const auto cells = static_cast<std::size_t>(pool.stride() * pool.stride()),
        bytes = static_cast<std::size_t>(pool.planes()) * cells;
    // Exactly as large as promised.
    const auto planes = std::make_unique<std::uint8_t[]>(games * bytes);
    const auto policy = std::make_unique<float[]>(games * actions), wdl = std::make_unique<float[]>(games * 3);
    pool.step(nullptr, nullptr, planes.get());
    for (int step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < games; ++i)
            judge({planes.get() + i * bytes, static_cast<int>(cells), pool.planes(), policy.get() + i * actions,
                pool.actions(), wdl.get() + i * 3});
        pool.step(policy.get(), wdl.get(), planes.get());
    }
    return {pool.take_games(), pool.counts()};
}

SelfPlayOptions gomoku_options() {
    SelfPlayOptions o;
    o.variants = {{Rule::freestyle, 7, 1}, {Rule::standard, 8, 2}, {Rule::renju, 9, 1}, {Rule::caro, 6, 1},
        {Rule::renju, 6, 1}};
    o.stride = 10;
    o.games = 12;
    o.full_visits = 24;
    o.cheap_visits = 8;
    o.full_share = 0.5;
    o.seed = 3;
    return o;
}

SelfPlayOptions othello_options(int size) {
    SelfPlayOptions o = gomoku_options();
    o.variants = {{Rule::freestyle, size, 1}};
    o.encoding = NetEncoding::othello;
    o.stride = size + 1;
    o.effort = 6;
    return o;
}

bool same(const SelfPlayGame& a, const SelfPlayGame& b) {
    const auto rows = [](const SelfPlayRow& x, const SelfPlayRow& y) {
        return x.ply == y.ply && x.value == y.value &&
               std::equal(x.visits.begin(), x.visits.end(), y.visits.begin(), y.visits.end(),
                          [](const auto& v, const auto& w) { return v.action == w.action && v.count == w.count; });
    };
    return a.variant == b.variant && a.result == b.result && a.opening == b.opening && a.distance == b.distance &&
           a.resigned == b.resigned && a.moves == b.moves && std::equal(a.rows.begin(), a.rows.end(), b.rows.begin(),
               b.rows.end(), rows);
}

bool same(const Play& a, const Play& b) {
    return a.counts.evaluations == b.counts.evaluations && a.counts.moves == b.counts.moves &&
        a.counts.settled == b.counts.settled &&
           std::equal(a.games.begin(), a.games.end(), b.games.begin(), b.games.end(),
               [](const auto& x, const auto& y) { return same(x, y); });
}

// ---------------------------------------------------------------- what is true of a game

int sign_of(Result result) { return result == Result::draw ? 0 : result == Result::black_wins ? 1 : -1; }

// The result with best play on both sides: 1 if black wins, -1 if white does.
template <class B>
int solve(const B& board, std::map<std::uint64_t, int>& known) {
    if (board.outcome().over()) return sign_of(board.outcome().result);
    if (const auto at = known.find(board.hash()); at != known.end()) return at->second;
    const int sign = board.to_move() == Side::black ? 1 : -1;
    int best = -sign;
    for (int action = 0; action < board.actions() && best != sign; ++action) {
        if (!board.is_legal(action)) continue;
        B next = board;
        next.play_unchecked(action);
        const int result = solve(next, known);
        if (result * sign > best * sign) best = result;
    }
    return known[board.hash()] = best;
}

struct Claims {
    int confirmed = 0, open = 0, drawn = 0;
};

// Whether the mover has a win by threats in at most so many plies.
bool wins_by_threats(const GomokuBoard& board, int plies) {
    ThreatBoard threats(board);
    ThreatSearch search(1 << 12);
    return search.search(threats, ThreatKind::vcf, plies, 20'000) == ThreatVerdict::win ||
           search.search(threats, ThreatKind::vct, plies, 20'000) == ThreatVerdict::win;
}

// A game that ended by proof: the side that is said to win does, within the plies that were said.
void check_claim(GomokuBoard board, const SelfPlayGame& game, Claims& claims) {
    const int sign = board.to_move() == Side::black ? 1 : -1;
    if (board.actions() - board.stones() <= 9) {
        std::map<std::uint64_t, int> known;
        CHECK_NOTE(solve(board, known) == game.result, rule_name(board.rules().rule));
        ++(game.result ? claims.confirmed : claims.drawn);
        return;
    }
    if (game.result == 0) return void(++claims.open);
    CHECK(game.distance % 2 == (game.result == sign));
    bool won = true;
    if (game.result == sign) {
        won = wins_by_threats(board, game.distance);
    } else {
        for (int reply = 0; won && reply < board.actions(); ++reply) {
            if (!board.is_legal(reply)) continue;
            board.play_unchecked(reply);
            won = !board.outcome().over() && wins_by_threats(board, game.distance - 1);
            board.undo();
        }
    }
    ++(won ? claims.confirmed : claims.open);
}

template <int N>
void check_claim(const OthelloBoard<N>& board, const SelfPlayGame& game, Claims& claims) {
    std::map<std::uint64_t, int> known;
    CHECK(solve(board, known) == game.result);
    ++(game.result ? claims.confirmed : claims.drawn);
}

template <class B>
void check_game(const SelfPlayGame& game, const SelfPlayOptions& o, Claims& claims) {
    if (!CHECK(game.variant < o.variants.size())) return;
    B board = starting_board<B>(o.variants[game.variant]);
    const bool plain = o.plain_share > 0 && game.opening == 0;
    CHECK((plain || game.opening >= o.opening_least) && game.opening <= o.opening_most && game.opening <= game.moves.size());
    std::size_t row = 0;
    for (std::size_t ply = 0; ply <= game.moves.size(); ++ply) {
        if (row < game.rows.size() && game.rows[row].ply == ply) {
            const SelfPlayRow& r = game.rows[row++];
            CHECK(ply >= game.opening && !r.visits.empty() && std::abs(r.value) <= 1);
            std::set<int> actions;
            int total = 0;
            for (const auto& [action, count] : r.visits) {
                CHECK(board.is_legal(action) && count > 0 && actions.insert(action).second);
                total += count;
            }
            CHECK_NOTE(total <= o.full_visits + 2, std::to_string(total));
        }
        if (ply < game.moves.size()) {
            if (!CHECK(!board.outcome().over() && board.is_legal(game.moves[ply]))) return;
            board.play_unchecked(game.moves[ply]);
        }
    }
    CHECK(row == game.rows.size());  // in order, and none beyond the end
    if (board.outcome().over()) {
        CHECK(game.result == sign_of(board.outcome().result) && game.distance == 0 && !game.resigned);
    } else if (game.resigned) {
        CHECK(game.result == (board.to_move() == Side::black ? -1 : 1) && game.distance == 0);
    } else {
        CHECK(game.distance > 0);
        check_claim(board, game, claims);
    }
}

template <class B>
Claims check_games(const Play& played, const SelfPlayOptions& o) {
    Claims claims;
    std::uint64_t moves = 0;
    for (const SelfPlayGame& game : played.games) {
        check_game<B>(game, o, claims);
        moves += game.moves.size() - game.opening;
    }
    CHECK(played.counts.games == played.games.size() && played.counts.moves >= moves);
    return claims;
}

}  // namespace

// ================================================================ games

TEST(gomoku_games_are_legal_and_their_results_right) {
    SelfPlayOptions o = gomoku_options();
    for (int round = 0; round < 3; ++round) {
        o.seed = static_cast<std::uint64_t>(round);
        o.threads = 1 + round;
        o.effort = 50 * round;
        o.moves = 8 << round;
        const Play played = play<GomokuBoard>(o, check::rounds(1200));
        const Claims claims = check_games<GomokuBoard>(played, o);
        if (check::rounds(10) < 10) continue;
        CHECK_NOTE(played.games.size() > 30, std::to_string(played.games.size()));
        CHECK_NOTE(claims.confirmed > 10 && claims.open * 5 <= claims.confirmed,
            std::to_string(claims.confirmed) + ", open " + std::to_string(claims.open));
        std::set<int> variants, results;
        for (const SelfPlayGame& game : played.games) variants.insert(game.variant), results.insert(game.result);
        CHECK(variants.size() == o.variants.size() && results.size() == 3);
    }
}

TEST(othello_games_are_legal_and_their_results_right) {
    const auto check_size = [](auto board) {
        SelfPlayOptions o = othello_options(board.size());
        const Play played = play<decltype(board)>(o, check::rounds(1200));
        const Claims claims = check_games<decltype(board)>(played, o);
        CHECK(check::rounds(10) < 10 || (played.games.size() > 10 && claims.confirmed > 5));
        // Solving costs the same however much is asked for, within reason.
        o.effort = 100, o.games = 2;
        play<decltype(board)>(o, 2);
    };
    check_size(OthelloBoard<6>());
    check_size(OthelloBoard<8>());
}

TEST(games_depend_on_the_seed_alone) {
    const auto check_pool = [](auto board, SelfPlayOptions o) {
        using B = decltype(board);
        o.games = 40;  // more than one piece of work
        o.balance = 1;
        o.resign = 0.4;
        const Judge judge = moody;
        const Opposition opposition{0.5, 0.1};
        const Play one = play<B>(o, check::rounds(300), judge, opposition);
        CHECK(same(one, play<B>(o, check::rounds(300), judge, opposition)));
        o.threads = 3;
        CHECK(same(one, play<B>(o, check::rounds(300), judge, opposition)));
        ++o.seed;
        const Play other = play<B>(o, check::rounds(300), judge, opposition);
        // After a few steps no game is over, and nothing tells one seed from another.
        CHECK(check::rounds(10) < 10 || (!one.games.empty() && !same(one, other)));
    };
    check_pool(GomokuBoard(GomokuRules::get(Rule::freestyle, 9, 5)), gomoku_options());
    check_pool(OthelloBoard<6>(), othello_options(6));
}

TEST(planes_are_padded_and_of_the_variants) {
    SelfPlayOptions o = gomoku_options();
    o.games = 40;
    std::set<std::pair<int, int>> seen;
    play<GomokuBoard>(o, check::rounds(100), [&](const Question& q) {
        int size = 0;
        while (size < o.stride && q.planes[size]) ++size;
        int rule = 0;
        for (int i = 1; i < 4; ++i)
            if (q.planes[(12 + i) * q.cells]) rule = i;
        seen.insert({rule, size});
        bool clean = true;
        for (int i = 0; i < q.count * q.cells; ++i) {
            const int row = i % q.cells / o.stride, column = i % o.stride;
            const bool inside = row < size && column < size;
            clean = clean && q.planes[i] <= 1 && (inside || !q.planes[i]) && (i >= q.cells || q.planes[i] == inside);
        }
        CHECK(clean);
        moody(q);
    });
    for (const auto& [rule, size] : seen) {
        bool known = false;
        for (const SelfPlayVariant& v : o.variants) known = known || (static_cast<int>(v.rule) == rule && v.size == size);
        CHECK(known);
    }
    CHECK(check::rounds(10) < 10 || seen.size() == o.variants.size());
}

TEST(openings_are_as_long_as_asked) {
    for (const auto& [least, most] : {std::pair{0, 0}, {2, 2}, {1, 6}, {16, 16}}) {
        SelfPlayOptions o = gomoku_options();
        o.variants = {{Rule::freestyle, 10, 1}, {Rule::renju, 7, 1}};
        o.opening_least = least, o.opening_most = most;
        const Play played = play<GomokuBoard>(o, check::rounds(600));
        std::map<int, int> lengths;
        for (const SelfPlayGame& game : played.games) {
            ++lengths[game.opening];
            if (game.opening == 0) continue;
            // The first in the middle, the others near a stone.
            const int n = o.variants[game.variant].size, row = game.moves[0] / n, column = game.moves[0] % n;
            CHECK(row >= n / 3 && row < n - n / 3 && column >= n / 3 && column < n - n / 3);
        }
        check_games<GomokuBoard>(played, o);
        CHECK_NOTE(check::rounds(10) < 10 || lengths.size() == static_cast<std::size_t>(most - least + 1),
            std::to_string(lengths.size()));
    }
}

TEST(unfair_openings_are_refused_but_not_for_ever) {
    SelfPlayOptions o = gomoku_options();
    const Play fair = play<GomokuBoard>(o, check::rounds(400), for_black);
    CHECK(fair.counts.openings_refused == 0);
    o.balance = 10;
    const Play refused = play<GomokuBoard>(o, check::rounds(400), for_black);
    check_games<GomokuBoard>(refused, o);
    // Nearly all are unfair: some twenty refusals to a game.
    const std::uint64_t begun = refused.counts.games + static_cast<std::uint64_t>(o.games);
    CHECK(refused.counts.openings_refused > 0 && refused.counts.openings_refused <= 20 * begun);
    CHECK(check::rounds(10) < 10 || (refused.counts.games > 0 &&
        refused.counts.openings_refused > 10 * refused.counts.games));
}

TEST(some_games_begin_plainly_fair_or_not) {
    SelfPlayOptions o = gomoku_options();
    o.opening_least = 2;
    o.balance = 10;
    o.plain_share = 0.5;
    const Play half = play<GomokuBoard>(o, check::rounds(400), for_black);
    check_games<GomokuBoard>(half, o);
    const auto is_plain = [](const SelfPlayGame& game) { return game.opening == 0; };
    const auto plain = std::count_if(half.games.begin(), half.games.end(), is_plain);
    CHECK(std::all_of(half.games.begin(), half.games.end(), [](const SelfPlayGame& g) { return g.opening != 1; }));
    CHECK(check::rounds(10) < 10 || (plain > 0 && plain < static_cast<std::ptrdiff_t>(half.games.size())));
    o.plain_share = 1;
    const Play all = play<GomokuBoard>(o, check::rounds(400), for_black);
    CHECK(std::all_of(all.games.begin(), all.games.end(), is_plain));
    CHECK(all.counts.openings_refused == 0);
}

// ================================================================ searches and moves

TEST(full_searches_become_rows) {
    for (const double share : {0.0, 0.5, 1.0}) {
        SelfPlayOptions o = gomoku_options();
        o.full_share = share;
        const Play played = play<GomokuBoard>(o, check::rounds(600));
        std::size_t rows = 0, moves = 0, full = 0;
        for (const SelfPlayGame& game : played.games) {
            rows += game.rows.size(), moves += game.moves.size() - game.opening + 1;
            for (const SelfPlayRow& row : game.rows) {
                int total = 0;
                for (const auto& visits : row.visits) total += visits.count;
                full += total > o.cheap_visits;
            }
        }
        CHECK((rows == 0) == (share == 0) || played.games.empty());
        if (check::rounds(10) < 10) continue;
        if (share == 0.5) CHECK(rows > moves / 5 && rows < moves * 7 / 10);
        if (share == 1) CHECK_NOTE(rows > moves / 2 && full > rows / 2,
            std::to_string(rows) + " " + std::to_string(moves) + " " + std::to_string(full));
    }
}

TEST(without_temperature_the_most_visited_move_is_played) {
    SelfPlayOptions o = gomoku_options();
    o.full_share = 1;
    o.temperature_start = 0, o.temperature_end = 0;
    const auto share_of_best = [&](int from, int to) {
        int best = 0, all = 0, most_visited = 0;
        for (const SelfPlayGame& game : play<GomokuBoard>(o, check::rounds(600)).games)
            for (const SelfPlayRow& row : game.rows) {
                const int done = row.ply - game.opening;
                if (row.ply >= game.moves.size() || done < from || done >= to) continue;
                int most = 0;
                for (const auto& visits : row.visits) most = std::max<int>(most, visits.count);
                ++all, best += row.visits[0].action == game.moves[row.ply];
                most_visited += row.visits[0].count == most;
            }
        CHECK(most_visited >= all * 95 / 100);  // now and then a sure draw goes first
        return std::pair(best, all);
    };
    const auto [best, all] = share_of_best(0, 1000);
    CHECK_NOTE(best == all, std::to_string(best) + " of " + std::to_string(all));
    // It falls from the start to the end over the moves given.
    o.temperature_start = 100, o.temperature_moves = 3;
    const auto [early, early_all] = share_of_best(0, 2);
    const auto [late, late_all] = share_of_best(3, 1000);
    CHECK(late == late_all && (early < early_all || check::rounds(10) < 10));
    o.temperature_moves = 0;
    const auto [none, none_all] = share_of_best(0, 1000);
    CHECK(none == none_all);
}

TEST(noise_spreads_the_visits_of_full_searches_only) {
    // A network that knows only one move.
    const Judge stubborn = [](const Question& q) {
        moody(q);
        for (int i = 0; i < q.actions; ++i) q.policy[i] *= 30;
        q.say(0);
    };
    const auto looked_at = [&](double weight) {
        SelfPlayOptions o = gomoku_options();
        o.full_share = 1;
        o.noise_weight = weight;
        o.variants = {{Rule::freestyle, 10, 1}};
        std::size_t moves = 0, rows = 0;
        for (const SelfPlayGame& game : play<GomokuBoard>(o, check::rounds(600), stubborn).games)
            for (const SelfPlayRow& row : game.rows) moves += row.visits.size(), ++rows;
        return static_cast<double>(moves) / static_cast<double>(std::max<std::size_t>(rows, 1));
    };
    const double none = looked_at(0), some = looked_at(0.25), all = looked_at(1);
    CHECK_NOTE(check::rounds(10) < 10 || (none < some && some < all),
        std::to_string(none) + " " + std::to_string(some) + " " + std::to_string(all));
}

TEST(giving_up_and_checking_it) {
    SelfPlayOptions o = gomoku_options();
    o.opening_least = 2, o.opening_most = 4;
    o.resign = 0.5;
    for (const double checked : {0.0, 0.5, 1.0}) {
        o.resign_check = checked;
        const Play played = play<GomokuBoard>(o, check::rounds(500), for_black);
        check_games<GomokuBoard>(played, o);
        std::uint64_t resigned = 0, wrong = 0;
        for (const SelfPlayGame& game : played.games) {
            resigned += game.resigned, wrong += game.result != 1;
            if (game.resigned) CHECK(game.result == 1 && game.moves.size() <= game.opening + 6u);
        }
        CHECK(played.counts.resign_checks + resigned <= played.counts.games &&
            played.counts.resign_errors <= played.counts.resign_checks);
        // Only white ever gives up, so whatever black did not win in a checked game was an error.
        CHECK(played.counts.resign_errors <= wrong);
        if (checked == 0) CHECK(played.counts.resign_checks == 0 && (resigned > 0 || played.games.empty()));
        if (checked == 1) CHECK(resigned == 0);
        if (check::rounds(10) < 10) continue;
        if (checked > 0) CHECK(played.counts.resign_checks > 0 && played.counts.resign_errors > 0);
        if (checked == 0.5) CHECK(resigned > 0);
    }
    o.resign = 2;
    for (const SelfPlayGame& game : play<GomokuBoard>(o, check::rounds(200), for_black).games) CHECK(!game.resigned);
}

TEST(opposition_takes_the_rivals_points) {
    SelfPlayOptions o = gomoku_options();
    const Play without = play<GomokuBoard>(o, check::rounds(400), for_black, {0, 0});
    const Play with = play<GomokuBoard>(o, check::rounds(400), for_black, {1, 0.5});
    check_games<GomokuBoard>(with, o);
    CHECK(without.counts.opposed == 0 && (check::rounds(10) < 10 || with.counts.opposed > 0));
    CHECK(play<GomokuBoard>(o, check::rounds(400), for_black, {1, 1}).counts.opposed == 0);
    bool refused = false;
    try {
        SelfPlayPool<GomokuBoard>(o).set_opposition({2, 0});
    } catch (const GameError&) {
        refused = true;
    }
    CHECK(refused);
}

TEST(numbers_that_are_none_do_no_harm) {
    SelfPlayOptions o = gomoku_options();
    std::uint64_t asked = 0;
    const Play played = play<GomokuBoard>(o, check::rounds(300), [&](const Question& q) {
        moody(q);
        constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
        for (int i = 0; i < q.actions; ++i)
            if (++asked % 3 == 0) q.policy[i] = asked % 2 ? nan : inf;
        if (asked % 5 == 0) q.wdl[0] = nan;
        if (asked % 5 == 1) q.wdl[2] = inf;
    });
    check_games<GomokuBoard>(played, o);
}

// ================================================================ rows

TEST(rows_become_what_the_network_saw) {
    const auto check_rows = [](auto start, const SelfPlayOptions& o, int stride) {
        using B = decltype(start);
        int checked = 0;
        for (const SelfPlayGame& game : play<B>(o, check::rounds(800)).games) {
            const std::size_t rows = game.rows.size(), cells = static_cast<std::size_t>(stride * stride);
            const std::size_t bytes = cells * static_cast<std::size_t>(plane_count(o.encoding)),
                actions = cells + !std::is_same_v<B, GomokuBoard>;
            const auto planes = std::make_unique<std::uint8_t[]>(rows * bytes);
            const auto policy = std::make_unique<float[]>(rows * actions);
            const auto reply = std::make_unique<std::int16_t[]>(rows);
            const auto result = std::make_unique<std::int8_t[]>(rows);
            write_rows<B>(game, o.variants, o.encoding, stride, planes.get(), policy.get(), reply.get(), result.get());
            B board = starting_board<B>(o.variants[game.variant]);
            for (std::size_t i = 0; i < rows; ++i, ++checked) {
                const SelfPlayRow& row = game.rows[i];
                while (board.ply() < row.ply) board.play_unchecked(game.moves[static_cast<std::size_t>(board.ply())]);
                const int n = board.size();
                const auto place = [&](int action) { return static_cast<std::size_t>(action == n * n
                    ? stride * stride : action / n * stride + action % n); };
                std::vector<std::uint8_t> seen(bytes);
                PuctPosition<B>(board).write_input(o.encoding, stride, seen.data());
                CHECK(std::equal(seen.begin(), seen.end(), planes.get() + i * bytes));
                std::vector<float> wanted(actions);
                float total = 0;
                for (const auto& visits : row.visits) total += visits.count;
                for (const auto& visits : row.visits) wanted[place(visits.action)] = visits.count / total;
                CHECK(std::equal(wanted.begin(), wanted.end(), policy.get() + i * actions));
                const float sum = std::accumulate(wanted.begin(), wanted.end(), 0.0F);
                CHECK(std::abs(sum - 1) < 1e-5F);
                CHECK(result[i] == game.result * (board.to_move() == Side::black ? 1 : -1));
                const std::size_t next = row.ply + 1u;
                CHECK(reply[i] == (next < game.moves.size() ? static_cast<int>(place(game.moves[next])) : -1));
            }
        }
        CHECK(checked > 0 || check::rounds(10) < 10);
    };
    check_rows(GomokuBoard(GomokuRules::get(Rule::renju, 9, 5)), gomoku_options(), 9);
    check_rows(GomokuBoard(GomokuRules::get(Rule::renju, 9, 5)), gomoku_options(), 13);
    check_rows(OthelloBoard<6>(), othello_options(6), 6);
    check_rows(OthelloBoard<8>(), othello_options(8), 11);
}

TEST(broken_games_are_refused) {
    const std::vector<SelfPlayVariant> variants{{Rule::freestyle, 9, 1}};
    const auto refused = [&](auto change, int stride = 9) {
        SelfPlayGame game;
        game.moves = {40, 41, 42};
        game.rows = {{1, 0, {{30, 2}, {31, 1}}}, {3, 0, {{50, 1}}}};
        change(game);
        std::vector<std::uint8_t> planes(2 * 16 * 22 * 22);
        std::vector<float> policy(2 * 22 * 22);
        std::int16_t reply[2];
        std::int8_t result[2];
        try {
            write_rows<GomokuBoard>(game, variants, NetEncoding::gomoku, stride, planes.data(), policy.data(), reply,
                result);
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    CHECK(!refused([](SelfPlayGame&) {}));
    CHECK(refused([](SelfPlayGame&) {}, 8));
    CHECK(refused([](SelfPlayGame& g) { g.variant = 1; }));
    CHECK(refused([](SelfPlayGame& g) { g.moves[1] = 40; }));
    CHECK(refused([](SelfPlayGame& g) { g.moves[2] = 65535; }));
    CHECK(refused([](SelfPlayGame& g) { g.moves[2] = 81, g.rows.pop_back(); }));  // only ever somebody's reply
    CHECK(refused([](SelfPlayGame& g) { g.rows[1].ply = 4; }));
    CHECK(refused([](SelfPlayGame& g) { g.rows[1].ply = 0; }));
    CHECK(refused([](SelfPlayGame& g) { g.rows[0].visits[0].action = 40; }));
    CHECK(refused([](SelfPlayGame& g) { g.rows[0].visits[0].action = 81; }));
    CHECK(refused([](SelfPlayGame& g) { g.rows[0].visits.clear(); }));
    CHECK(refused([](SelfPlayGame& g) { g.rows[1].visits[0].count = 0; }));
}

// ================================================================ pools and teams

TEST(a_pool_is_stepped_in_turn) {
    SelfPlayPool<GomokuBoard> pool(gomoku_options());
    std::vector<std::uint8_t> planes(static_cast<std::size_t>(pool.games() * pool.planes() * pool.stride() * pool.stride()));
    std::vector<float> policy(static_cast<std::size_t>(pool.games() * pool.actions())),
        wdl(static_cast<std::size_t>(pool.games() * 3));
    const auto refused = [&](const float* given) {
        try {
            pool.step(given, given ? wdl.data() : nullptr, planes.data());
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    CHECK(refused(policy.data()));
    CHECK(!refused(nullptr));
    CHECK(refused(nullptr));
    CHECK(!refused(policy.data()));
    CHECK(pool.counts().evaluations == static_cast<std::uint64_t>(pool.games()) && pool.actions() == 100 &&
        pool.planes() == 16);
}

TEST(bad_options_are_refused) {
    const auto refused = [](auto change) {
        SelfPlayOptions o = gomoku_options();
        change(o);
        try {
            SelfPlayPool<GomokuBoard> pool(o);
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    CHECK(!refused([](SelfPlayOptions&) {}));
    CHECK(refused([](SelfPlayOptions& o) { o.variants.clear(); }));
    CHECK(refused([](SelfPlayOptions& o) { o.variants[0].size = 11; }));
    CHECK(refused([](SelfPlayOptions& o) { o.variants[0].size = 4; }));
    CHECK(refused([](SelfPlayOptions& o) { o.variants[0].weight = std::nan(""); }));
    CHECK(refused([](SelfPlayOptions& o) { o.encoding = NetEncoding::othello; }));
    CHECK(refused([](SelfPlayOptions& o) { o.games = 0; }));
    CHECK(refused([](SelfPlayOptions& o) { o.threads = 0; }));
    CHECK(refused([](SelfPlayOptions& o) { o.stride = 23; }));
    CHECK(refused([](SelfPlayOptions& o) { o.full_visits = 65536; }));
    CHECK(refused([](SelfPlayOptions& o) { o.cheap_visits = 1; }));
    CHECK(refused([](SelfPlayOptions& o) { o.full_share = 1.1; }));
    CHECK(refused([](SelfPlayOptions& o) { o.noise_total = 0; }));
    CHECK(refused([](SelfPlayOptions& o) { o.temperature_start = std::nan(""); }));
    CHECK(refused([](SelfPlayOptions& o) { o.opening_least = 7; }));
    CHECK(refused([](SelfPlayOptions& o) { o.opening_most = 17; }));
    CHECK(refused([](SelfPlayOptions& o) { o.resign = 0; }));
    bool threw = false;
    try {
        SelfPlayPool<OthelloBoard<6>> pool(othello_options(8));
    } catch (const GameError&) {
        threw = true;
    }
    CHECK(threw);
}

TEST(a_team_does_every_piece_once) {
    for (const int threads : {1, 2, 4}) {
        Team team(threads);
        CHECK(team.size() == threads);
        for (int round = 0; round < check::rounds(2000); ++round) {
            const int count = round % 50, piece = 1 + round % 7;
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
            std::atomic<bool> fine{true};
            team.run(count, piece, [&](int first, int last, int member) {
                if (first >= last || last - first > piece || member < 0 || member >= threads) fine = false;
                for (int i = first; i < last; ++i) ++done[static_cast<std::size_t>(i)];
            });
            for (const std::atomic<int>& times : done) fine = fine && times == 1;
            CHECK(fine);
        }
        // What one of them throws comes out, once all are back, and the team goes on.
        for (int round = 0; round < check::rounds(200); ++round) {
            std::atomic<int> inside{0};
            bool thrown = false;
            try {
                team.run(20, 1, [&](int first, int, int) {
                    ++inside;
                    if (first % 7 == round % 7) {
                        --inside;
                        throw GameError("mine");
                    }
                    --inside;
                });
            } catch (const GameError&) {
                thrown = true;
            }
            CHECK(thrown && inside == 0);
            std::atomic<int> sum{0};
            team.run(10, 3, [&](int first, int last, int) { sum += last - first; });
            CHECK(sum == 10);
        }
    }
    for (int round = 0; round < check::rounds(200); ++round) Team idle(3);  // ended before it was ever used
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
