// The threat board against the rules core, and threat search against the
// exhaustion of the defender's replies.
#include <unordered_map>

#include "check.h"
#include "games/counting.h"
#include "patterns/shapes.h"
#include "positions.h"
#include "search/threat_search.h"

using namespace tengen;

namespace {

bool same(const ThreatBoard& a, const ThreatBoard& b) {
    for (int p = 0; p < a.cells(); ++p)
        for (const Side side : {Side::black, Side::white}) {
            if (a.shapes(side, p) != b.shapes(side, p)) return false;
            if (a.fives(side).has(p) != b.fives(side).has(p) || a.winning_fours(side).has(p) != b.winning_fours(side).has(p) ||
                a.fours(side).has(p) != b.fours(side).has(p) || a.threes(side).has(p) != b.threes(side).has(p))
                return false;
        }
    return a.evaluate() == b.evaluate() && a.hash() == b.hash() && a.to_move() == b.to_move();
}

// A random midgame: stones near each other, the game still going on.
GomokuBoard random_midgame(const GomokuRules& rules, Random& random, int stones) {
    while (true) {
        GomokuBoard board(rules);
        board.play_unchecked(board.actions() / 2);
        while (board.ply() < stones && !board.outcome().over()) {
            const int anchor = board.move_at(static_cast<int>(random.below(static_cast<std::uint32_t>(board.ply()))));
            const int row = anchor / board.size() + static_cast<int>(random.below(5)) - 2;
            const int column = anchor % board.size() + static_cast<int>(random.below(5)) - 2;
            if (row < 0 || row >= board.size() || column < 0 || column >= board.size()) continue;
            if (board.is_legal(row * board.size() + column)) board.play_unchecked(row * board.size() + column);
        }
        if (!board.outcome().over()) return board;
    }
}

// Proves a claimed win by playing every legal reply on the rules' own board;
// the attacker does what a fresh search says each time. `budget` bounds the work.
class Confirmation {
public:
    Confirmation(ThreatKind kind, int plies) : kind_(kind), plies_(plies), search_(1 << 12) {}

    bool confirm(GomokuBoard& board, int depth = 0) {
        if (const auto known = known_.find(board.hash()); known != known_.end()) return known->second;
        if (depth > 2 * plies_) return false;
        const Side attacker = board.to_move();
        ThreatBoard threats(board);
        int move = threats.fives(attacker).first();
        if (move < 0) {
            std::vector<int> line;
            if (search_.search(threats, kind_, plies_, 100000, &line) != ThreatVerdict::win || line.empty()) return false;
            move = line[0];
        }
        if (!board.is_legal(move)) return false;
        board.play_unchecked(move);
        bool won = true;
        if (board.outcome().over()) {
            won = board.outcome().result == win_for(attacker);
        } else {
            for (int reply = 0; won && reply < board.actions(); ++reply) {
                if (!board.is_legal(reply)) continue;
                board.play_unchecked(reply);
                won = !board.outcome().over() && confirm(board, depth + 2);
                board.undo();
            }
        }
        board.undo();
        return known_[board.hash()] = won;
    }

private:
    ThreatKind kind_;
    int plies_;
    ThreatSearch search_;
    std::unordered_map<std::uint64_t, bool> known_;
};

// VCF by plain exhaustion on the rules' board: is there a win with fours only?
bool slow_vcf(GomokuBoard& board, int plies) {
    const Side attacker = board.to_move();
    for (int move = 0; move < board.actions(); ++move) {
        if (!board.is_legal(move)) continue;
        board.play_unchecked(move);
        bool won = board.outcome().result == win_for(attacker);
        if (!won && !board.outcome().over() && plies >= 3) {
            // Does it threaten five? Then every reply must lose.
            bool four = false;
            const reference::Board slow = same_board(board);
            for (int x = 0; x < board.actions() && !four; ++x)
                four = board.cell(x) == 0 && reference::wins_at(slow, x, 1 + index_of(attacker));
            if (four) {
                won = true;
                for (int reply = 0; won && reply < board.actions(); ++reply) {
                    if (!board.is_legal(reply)) continue;
                    board.play_unchecked(reply);
                    won = !board.outcome().over() && slow_vcf(board, plies - 2);
                    board.undo();
                }
            }
        }
        board.undo();
        if (won) return true;
    }
    return false;
}

}  // namespace

TEST(the_threat_board_follows_play_and_undo) {
    Random random(1);
    for (int round = 0; round < check::rounds(60); ++round) {
        const int size = 5 + static_cast<int>(random.below(18));
        GomokuBoard board(GomokuRules::get(all_rules[round % 4], size, 5));
        ThreatBoard threats(board);
        for (int step = 0; step < 200; ++step) {
            if (board.outcome().over() || (board.ply() > 0 && random.below(3) == 0)) {
                board.undo();
                threats.undo();
            } else {
                const int action = random_action(board, random);
                board.play_unchecked(action);
                threats.play(action);
            }
            if (step % 10 == 0) CHECK(same(threats, ThreatBoard(board)));
        }
        const ShapedGomoku shaped(board);
        for (int p = 0; p < board.actions(); ++p)
            for (int d = 0; d < directions && board.cell(p) == 0; ++d)
                CHECK(static_cast<Shape>(threats.shapes(Side::white, p) >> (3 * d) & 7) == shaped.shape(Side::white, d, p));
    }
}

TEST(every_claimed_win_is_confirmed_by_exhausting_the_replies) {
    for (const Rule rule : all_rules) {
        Random random(100 + static_cast<std::uint64_t>(rule));
        const GomokuRules& rules = GomokuRules::get(rule, 15, 5);
        ThreatSearch search(1 << 12);
        int wins = 0;
        for (int round = 0; round < check::rounds(5000); ++round) {
            GomokuBoard board = random_midgame(rules, random, 8 + static_cast<int>(random.below(25)));
            const ThreatKind kind = round % 3 ? ThreatKind::vcf : ThreatKind::vct;
            const int plies = kind == ThreatKind::vcf ? 21 : 7;
            ThreatBoard threats(board);
            if (search.search(threats, kind, plies, 20000) != ThreatVerdict::win) continue;
            CHECK(same(threats, ThreatBoard(board)));
            ++wins;
            CHECK(search.distance() % 2 == 1 && search.distance() <= plies);
            CHECK_NOTE(Confirmation(kind, search.distance()).confirm(board), rule_name(rule));
        }
        CHECK_NOTE(wins >= check::rounds(5000) / 20, std::to_string(wins));
    }
}

TEST(no_win_means_that_exhaustion_finds_none) {
    int wins = 0, losses = 0;
    for (const Rule rule : all_rules) {
        Random random(7 + static_cast<std::uint64_t>(rule));
        for (int round = 0; round < check::rounds(60); ++round) {
            GomokuBoard board = random_midgame(GomokuRules::get(rule, 8, 5), random, 10 + static_cast<int>(random.below(14)));
            ThreatBoard threats(board);
            ThreatSearch search(1 << 12);
            const ThreatVerdict fast = search.search(threats, ThreatKind::vcf, 5, 100000);
            const bool slow = slow_vcf(board, 5);
            CHECK_NOTE((fast == ThreatVerdict::win) == slow, rule_name(rule));
            ++(slow ? wins : losses);
        }
    }
    CHECK(wins > 0 && losses > 0);
}

TEST(the_root_of_seven_by_seven_is_never_claimed_won) {
    for (const ThreatKind kind : {ThreatKind::vcf, ThreatKind::vct}) {
        ThreatBoard board(GomokuBoard(GomokuRules::get(Rule::freestyle, 7, 5)));
        ThreatSearch search;
        CHECK(search.search(board, kind, 30, 200000) != ThreatVerdict::win);
    }
}

TEST(a_budget_that_runs_out_is_unknown) {
    Random random(3);
    int unknown = 0;
    for (int round = 0; round < 200; ++round) {
        const GomokuBoard board = random_midgame(GomokuRules::get(Rule::freestyle, 15, 5), random, 20);
        ThreatBoard threats(board);
        ThreatSearch small, large;
        const ThreatVerdict first = small.search(threats, ThreatKind::vct, 9, 3), full = large.search(threats, ThreatKind::vct, 9, 100000);
        if (first == ThreatVerdict::unknown) ++unknown;
        CHECK(first == ThreatVerdict::unknown || full == ThreatVerdict::unknown || first == full);
    }
    CHECK(unknown > 0);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
