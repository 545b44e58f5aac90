#include "search/othello/othello_search.h"

#include <cmath>
#include <cstring>
#include <map>
#include <thread>

#include "check.h"
#include "games/random.h"
#include "reference.h"
#include "search/othello/endgame.h"
#include "search/othello/selfplay.h"

using namespace tengen;

namespace {

// The final difference for the mover, by trying everything; empty cells go to the winner.
int exhaust(const reference::Othello& game) {
    if (game.over()) {
        const int mine = game.discs(game.to_move), theirs = game.discs(reference::rival(game.to_move));
        const int empty = game.size * game.size - mine - theirs;
        return mine > theirs ? mine - theirs + empty : mine < theirs ? mine - theirs - empty : 0;
    }
    int best = -1000;
    for (const int move : game.legal()) {
        reference::Othello next = game;
        next.play(move);
        best = std::max(best, -exhaust(next));
    }
    return best;
}

template <int N>
reference::Othello same_board(const OthelloBoard<N>& board) {
    reference::Othello slow = reference::Othello::start(N);
    for (int i = 0; i < N * N; ++i) slow.cell[static_cast<std::size_t>(i)] = board.cell(i);
    slow.to_move = 1 + index_of(board.to_move());
    return slow;
}

template <int N>
int random_move(const OthelloBoard<N>& board, Random& random) {
    std::vector<std::uint8_t> mask(N * N + 1);
    board.legal_mask(mask.data());
    auto chosen = static_cast<int>(random.below(static_cast<std::uint32_t>(board.count_legal())));
    for (int action = 0;; ++action)
        if (mask[static_cast<std::size_t>(action)] && chosen-- == 0) return action;
}

// A random game up to `empties` empty cells, or a new try if it ends before.
template <int N>
OthelloBoard<N> random_board(int empties, Random& random) {
    while (true) {
        OthelloBoard<N> board;
        while (!board.outcome().over() && N * N - board.count(Side::black) - board.count(Side::white) > empties)
            board.play_unchecked(random_move(board, random));
        if (!board.outcome().over()) return board;
    }
}

template <int N>
void check_endgames(int positions, int most_empties) {
    Random random(N * 100);
    OthelloTable table(1);
    SearchControl control;
    control.begin(SearchLimits{});
    OthelloWork work{table, control};
    OthelloEndgame<N> endgame(work);
    for (int i = 0; i < positions; ++i) {
        const int empties = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(most_empties)));
        const OthelloBoard<N> board = random_board<N>(empties, random);
        const auto own = board.discs(board.to_move()), rival = board.discs(other(board.to_move()));
        const int right = exhaust(same_board(board));
        for (const int alpha : {-N * N, right - 7, right - 2, right - 1, right, right + 1, right + 5, N * N - 1}) {
            const int score = endgame.solve(own, rival, alpha);
            CHECK_NOTE((score > alpha) == (right > alpha), std::to_string(score) + " for " + std::to_string(right));
            CHECK(score > alpha ? score <= right : score >= right);
        }
    }
}

// Tables of plausible size, so that searches with them behave like real ones.
std::vector<std::uint8_t> random_tables(std::uint64_t seed) {
    Random random(seed);
    OthelloTablesHeader header;
    header.weights_per_phase = static_cast<std::uint32_t>(othello_weights_per_phase());
    std::vector<std::int16_t> weights(header.weights_per_phase * std::size_t{othello_phases});
    for (std::int16_t& w : weights) w = static_cast<std::int16_t>(static_cast<int>(random.below(129)) - 64);
    const auto* body = reinterpret_cast<const std::uint8_t*>(weights.data());
    header.checksum = othello_checksum({body, 2 * weights.size()});
    std::vector<std::uint8_t> bytes(sizeof header + 2 * weights.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, body, 2 * weights.size());
    return bytes;
}

bool refused(const std::vector<std::uint8_t>& tables) {
    try {
        OthelloSearch search({.hash_mb = 1}, tables);
    } catch (const GameError&) {
        return true;
    }
    return false;
}

template <int N>
void check_lines(const OthelloBoard<N>& board, const SearchReport& report) {
    for (const SearchLine& line : report.lines) {
        OthelloBoard<N> after = board;
        CHECK(!line.moves.empty());
        for (const int move : line.moves) {
            if (!CHECK(after.is_legal(move))) return;
            after.play_unchecked(move);
        }
        if (line.proof == Proof::none) continue;
        CHECK(line.distance == static_cast<int>(line.moves.size()) || line.proof == Proof::exact);
        if (!CHECK(after.outcome().over())) continue;
        const int mine = after.count(board.to_move()), theirs = after.count(other(board.to_move()));
        const int empty = N * N - mine - theirs;
        CHECK(100 * (mine > theirs ? mine - theirs + empty : mine < theirs ? mine - theirs - empty : 0) == line.score);
    }
}

template <int N>
void check_exact_search(int positions, int empties, std::span<const std::uint8_t> tables) {
    Random random(N * 7);
    OthelloSearch search({.hash_mb = 1}, tables);
    for (int i = 0; i < positions; ++i) {
        const OthelloBoard<N> board = random_board<N>(empties, random);
        SearchLimits limits;
        limits.lines = N * N;
        const SearchReport report = search.search(board, limits);
        CHECK(static_cast<int>(report.lines.size()) == board.count_legal());
        check_lines(board, report);
        std::map<int, int> scores;
        int last = 100 * N * N;
        for (const SearchLine& line : report.lines) {
            scores[line.moves[0]] = line.score;
            CHECK(line.score <= last);
            last = line.score;
            CHECK(line.proof == (line.score > 0 ? Proof::won : line.score < 0 ? Proof::lost : Proof::exact));
        }
        const reference::Othello slow = same_board(board);
        for (const int move : slow.legal()) {
            reference::Othello next = slow;
            next.play(move);
            CHECK_NOTE(scores.count(move) && scores[move] == -100 * exhaust(next), std::to_string(scores[move]));
        }
    }
}

const char* const ffo40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------";

OthelloBoard<8> board_from(const std::string& text, Side to_move) {
    std::vector<std::uint8_t> cells;
    for (const char c : text) cells.push_back(c == 'X' ? 1 : c == 'O' ? 2 : 0);
    return OthelloBoard<8>(cells, to_move);
}

}  // namespace

TEST(endgame_matches_exhaustion) {
    check_endgames<8>(check::rounds(600), 7);
    check_endgames<6>(check::rounds(300), 7);
    check_endgames<4>(check::rounds(300), 8);
    check_endgames<10>(check::rounds(60), 5);
}

TEST(endgame_with_table_matches_exhaustion) {
    check_endgames<8>(check::rounds(12), 9);
    check_endgames<6>(check::rounds(12), 9);
}

TEST(stable_discs_are_never_turned) {
    Random random(3);
    long stable_seen = 0;
    for (int game = 0; game < check::rounds(200); ++game) {
        OthelloBoard<8> board = random_board<8>(10 + static_cast<int>(random.below(30)), random);
        const int least = count_stable<8>(board.discs(Side::black), board.discs(Side::white));
        stable_seen += least;
        while (!board.outcome().over()) {
            board.play_unchecked(random_move(board, random));
            CHECK(board.count(Side::black) >= least);
        }
    }
    CHECK(stable_seen > 0);
    // A full edge and a corner with its neighbours.
    CHECK(count_stable<8>(0xff, 0) == 8);
    CHECK(count_stable<8>(0x0103, 0) == 3);
    CHECK(count_stable<8>(0x3c000000, 0) == 0);
    CHECK(count_stable<6>(0x3f, 0) == 6);
    CHECK(count_stable<8>(~std::uint64_t{0}, 0) == 64);
}

TEST(search_scores_every_move_exactly) {
    const std::vector<std::uint8_t> tables = random_tables(1);
    check_exact_search<8>(check::rounds(40), 7, {});
    check_exact_search<8>(check::rounds(40), 7, tables);
    check_exact_search<6>(check::rounds(30), 7, {});
    check_exact_search<4>(check::rounds(30), 7, {});
    check_exact_search<10>(check::rounds(20), 5, {});
}

// From 11 empty cells on the search goes through depths and probable cuts before it proves.
TEST(proofs_agree_with_the_solver) {
    Random random(17);
    const std::vector<std::uint8_t> tables = random_tables(2);
    OthelloTable table(1);
    SearchControl control;
    control.begin(SearchLimits{});
    OthelloWork work{table, control};
    OthelloEndgame<8> endgame(work);
    for (int i = 0; i < check::rounds(20); ++i) {
        const OthelloBoard<8> board = random_board<8>(14, random);
        const auto own = board.discs(board.to_move()), rival = board.discs(other(board.to_move()));
        OthelloSearch search({.hash_mb = 1}, std::span(tables).first(i % 2 ? tables.size() : 0));
        const SearchReport report = search.search(board, SearchLimits{});
        const int score = report.lines[0].score / 100;
        CHECK(report.lines[0].proof != Proof::none);
        CHECK(endgame.solve(own, rival, score - 1) >= score && endgame.solve(own, rival, score) <= score);
        check_lines(board, report);
    }
}

TEST(known_values) {
    // 4x4 is lost for the first player, 3 discs to 11 with two cells empty.
    OthelloSearch search({.hash_mb = 8});
    const SearchReport small = search.search(OthelloBoard<4>(), SearchLimits{});
    CHECK(small.lines[0].score == -1000 && small.lines[0].proof == Proof::lost);
    check_lines(OthelloBoard<4>(), small);
    OthelloBoard<4> end;
    for (const int move : small.lines[0].moves) end.play_unchecked(move);
    CHECK(end.count(Side::black) == 3 && end.count(Side::white) == 11);
    if (check::rounds(10) < 10) return;
    const OthelloBoard<8> board = board_from(ffo40, Side::black);
    const SearchReport large = search.search(board, SearchLimits{});
    CHECK(large.lines[0].score == 3800 && large.lines[0].moves[0] == 8 && large.lines[0].proof == Proof::won);
    check_lines(board, large);
}

TEST(features_follow_the_game) {
    const OthelloEvaluation evaluation(random_tables(3));
    Random random(5);
    for (int game = 0; game < check::rounds(30); ++game) {
        OthelloBoard<8> board;
        OthelloNode<8> node = evaluation.node<8>(board.discs(Side::black), board.discs(Side::white));
        while (!board.outcome().over()) {
            const int action = random_move(board, random);
            node = action == 64 ? evaluation.after_pass<8>(node)
                                : evaluation.after<8>(node, action, board.flips(action));
            board.play_unchecked(action);
            const auto own = board.discs(board.to_move()), rival = board.discs(other(board.to_move()));
            const OthelloNode<8> fresh = evaluation.node<8>(own, rival);
            CHECK(node.own == own && node.rival == rival);
            CHECK(std::equal(node.features.index, node.features.index + othello_features, fresh.features.index));
        }
    }
}

TEST(evaluation_knows_no_direction) {
    const OthelloEvaluation evaluation(random_tables(4));
    Random random(6);
    const auto turn = [](std::uint64_t discs, int symmetry) {
        std::uint64_t out = 0;
        for (; discs; discs &= discs - 1) {
            int row = lowest_bit(discs) / 8, column = lowest_bit(discs) % 8;
            if (symmetry & 1) column = 7 - column;
            if (symmetry & 2) row = 7 - row;
            if (symmetry & 4) std::swap(row, column);
            out |= std::uint64_t{1} << (row * 8 + column);
        }
        return out;
    };
    std::map<int, int> seen;
    for (int i = 0; i < check::rounds(100); ++i) {
        const OthelloBoard<8> board = random_board<8>(5 + static_cast<int>(random.below(50)), random);
        const auto own = board.discs(Side::black), rival = board.discs(Side::white);
        const int value = evaluation.value<8>(evaluation.node<8>(own, rival));
        ++seen[value];
        for (int s = 1; s < 8; ++s)
            CHECK(evaluation.value<8>(evaluation.node<8>(turn(own, s), turn(rival, s))) == value);
    }
    CHECK(seen.size() > 10 || check::rounds(100) < 100);
}

TEST(damaged_tables_are_refused) {
    std::vector<std::uint8_t> tables = random_tables(5);
    CHECK(!refused(tables));
    const std::size_t size = tables.size();
    for (const std::size_t at : std::vector<std::size_t>{0, 4, 6, 8, 17, size / 2, size - 1}) {
        tables[at] ^= 0x40;
        CHECK(refused(tables));
        tables[at] ^= 0x40;
    }
    tables.pop_back();
    CHECK(refused(tables));
    tables.resize(20);
    CHECK(refused(tables));
}

TEST(limits_hold) {
    const OthelloBoard<8> start;
    OthelloSearch search({.hash_mb = 4});
    SearchLimits limits;
    limits.depth = 6;
    const SearchReport by_depth = search.search(start, limits);
    CHECK(by_depth.depth == 6 && by_depth.lines[0].depth == 6 && by_depth.lines[0].proof == Proof::none);
    CHECK(std::abs(by_depth.lines[0].value) < 1);
    // From a cleared memory the same limits give the same result.
    limits = {};
    limits.nodes = 30000;
    search.clear();
    const SearchReport once = search.search(start, limits);
    search.clear();
    const SearchReport again = search.search(start, limits);
    CHECK(once.nodes == again.nodes && once.nodes < 32000 && once.lines[0].moves == again.lines[0].moves);
    limits = {};
    limits.seconds = 0.05;
    CHECK(search.search(start, limits).seconds < 1);
    limits.seconds = 0;
    const SearchReport hurried = search.search(start, limits);
    CHECK(hurried.lines.size() == 1 && start.is_legal(hurried.lines[0].moves[0]));
    std::thread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        search.stop();
    });
    const SearchReport stopped = search.search(OthelloBoard<10>(), SearchLimits{});
    stopper.join();
    CHECK(!stopped.lines.empty() && stopped.depth >= 1);
}

TEST(reports_and_odd_roots) {
    OthelloSearch search({.hash_mb = 1});
    SearchLimits limits;
    limits.depth = 5;
    limits.lines = 3;
    int reports = 0;
    const OthelloBoard<6> start;
    const SearchReport report = search.search(start, limits, [&](const SearchReport& r) {
        ++reports;
        CHECK(r.lines.size() == 3);
    });
    CHECK(reports == 15);
    check_lines(start, report);
    // A pass at the root, and a game that is over.
    Random random(9);
    int passes = 0;
    while (passes < 3) {
        OthelloBoard<8> board;
        while (!board.outcome().over() && !board.is_legal(64)) board.play_unchecked(random_move(board, random));
        limits = {};
        limits.depth = 4;
        const SearchReport odd = search.search(board, limits);
        CHECK(odd.lines.empty() == board.outcome().over());
        if (board.outcome().over()) continue;
        CHECK(odd.lines.size() == 1 && odd.lines[0].moves[0] == 64);
        check_lines(board, odd);
        ++passes;
    }
    bool threw = false;
    try {
        OthelloSearch bad({.hash_mb = 0});
    } catch (const GameError&) {
        threw = true;
    }
    CHECK(threw);
}

TEST(self_play_repeats_and_ends_right) {
    const OthelloEvaluation evaluation(random_tables(6));
    OthelloSelfPlay options;
    options.games = check::rounds(12);
    options.depth = 2;
    options.exact_empties = 8;
    const OthelloSamples once = othello_self_play(evaluation, options);
    // A game depends on its number, not on the games before it.
    options.first_game = 1;
    options.games -= 1;
    const OthelloSamples tail = othello_self_play(evaluation, options);
    CHECK(tail.own.size() < once.own.size());
    CHECK(std::equal(tail.own.rbegin(), tail.own.rend(), once.own.rbegin()));
    CHECK(std::equal(tail.score.rbegin(), tail.score.rend(), once.score.rbegin()));
    CHECK(std::equal(tail.foreseen.rbegin(), tail.foreseen.rend(), once.foreseen.rbegin()));
    int checked = 0;
    for (std::size_t i = 0; i < once.own.size(); ++i) {
        const std::uint64_t own = once.own[i], rival = once.rival[i];
        CHECK((own & rival) == 0 && OthelloBits<8>::moves(own, rival) != 0);
        if (64 - bit_count(own | rival) > 6) continue;
        reference::Othello slow = reference::Othello::start(8);
        for (int c = 0; c < 64; ++c) slow.cell[static_cast<std::size_t>(c)] = own >> c & 1 ? 1 : rival >> c & 1 ? 2 : 0;
        slow.to_move = 1;
        CHECK(exhaust(slow) == once.score[i] && once.foreseen[i] == once.score[i]);
        ++checked;
    }
    CHECK(checked > 0);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
