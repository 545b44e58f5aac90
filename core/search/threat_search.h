// Winning by threats alone: VCF (every attacking move makes a four) and VCT
// (fours and open threes). Answers are proofs or "unknown", never guesses.
#pragma once

#include <cstdint>
#include <vector>

#include "search/search.h"
#include "search/threat_board.h"

namespace tengen {

enum class ThreatVerdict : std::uint8_t { none, win, unknown };  // `none`: no such win exists, also a proof

// What the attacker may do besides fours.
enum class ThreatKind : std::uint8_t { vcf, vct };

// Every reply that could stop `attacker`, who threatens five, for a defender
// who has no five; empty if nothing can. Usually the one point that completes
// it; under caro also a stone at the far end, which blocks the five itself.
PointSet answers_to_fives(const ThreatBoard& board, Side attacker);

// Every reply that could stop `attacker` from making a winning four next move,
// for a defender to move who has no five; a superset of the real answers, own
// counter-fours aside. Meaningful only if the attacker has a winning four.
PointSet answers_to_winning_fours(const ThreatBoard& board, Side attacker);

// Whether `side` has a winning four that the rules let it play. If it is to
// move, the rival has no five and `threats_decide`, it has won, except under
// caro, where one stone can stop two fives.
bool has_legal_winning_four(const ThreatBoard& board, Side side);

// Whether a threat of the attacker's that cannot be answered wins for certain.
// In renju black draws by having nothing but fouls to play: white's threats
// count only while there are far more points than can all be fouls.
inline bool threats_decide(const ThreatBoard& board, Side attacker) {
    return board.rules().rule != Rule::renju || attacker == Side::black || board.cells() - board.stones() > 32;
}

// Remembers positions between calls, so ask the same object again; it is for
// one thread. The board comes back as it was.
class ThreatSearch {
public:
    explicit ThreatSearch(std::size_t table_entries = 1 << 14);

    // Whether the mover wins by threats in at most `plies` moves of both sides,
    // looking at no more than `nodes` positions. `line`, if given, receives the
    // winning moves and the longest-resisting replies of a win. `control`, if
    // given, ends the search early with `unknown`.
    ThreatVerdict search(ThreatBoard& board, ThreatKind kind, int plies, std::uint64_t nodes, std::vector<int>* line = nullptr,
                         SearchControl* control = nullptr);

    std::uint64_t nodes() const { return nodes_; }  // of the last call
    // After a win: in how many plies it ends at the latest.
    int distance() const { return distance_; }
    void clear();

private:
    struct Entry {
        std::uint64_t key = 0;
        std::int16_t plies = 0;  // a win: its distance; otherwise how far was looked
        std::int16_t move = -1;
        ThreatVerdict verdict = ThreatVerdict::unknown;
        ThreatKind kind = ThreatKind::vcf;
    };

    ThreatVerdict attack(ThreatBoard& board, ThreatKind kind, int plies);
    ThreatVerdict try_move(ThreatBoard& board, ThreatKind kind, int point, int plies);
    ThreatVerdict defend(ThreatBoard& board, ThreatKind kind, int plies);
    bool out_of_budget();
    Entry& slot(std::uint64_t key) { return table_[key & (table_.size() - 1)]; }
    void collect_line(ThreatBoard& board, ThreatKind kind, int plies, std::vector<int>& line);

    std::vector<Entry> table_;
    ThreatVerdict win_in(int distance, int plies) {
        distance_ = distance;
        return distance <= plies ? ThreatVerdict::win : ThreatVerdict::unknown;
    }

    std::uint64_t nodes_ = 0;
    int distance_ = 0;  // of the win that was found last, from where it was found
    std::uint64_t limit_ = 0;
    SearchControl* control_ = nullptr;
    bool cut_ = false;  // the budget ran out
};

}  // namespace tengen
