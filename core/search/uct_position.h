// What UCT asks of a game: a position that walks down from the root and back,
// the moves worth a node, random games, and an evaluation.
//
// One class per board type with the same members; each belongs to one thread.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "games/gomoku.h"
#include "games/othello.h"
#include "games/random.h"
#include "search/threat_board.h"
#include "search/uct.h"
#include "search/uct_tree.h"

namespace tengen {

// The children that a node gets.
struct UctCandidates {
    std::array<std::uint16_t, max_cells> actions;
    int count = 0;
    bool complete = false;  // no move that is left out can be better than a loss
    bool wins = false;      // the only candidate ends the game at once, won

    void add(int action) { actions[static_cast<std::size_t>(count++)] = static_cast<std::uint16_t>(action); }
};

// The expert's view of a leaf, from the mover's side.
struct UctOpinion {
    Verdict verdict;
    double value = 0;
    bool forced = false;  // the rival threatens to win at once: look one ply further
};

template <class B>
class UctPosition;

template <>
class UctPosition<GomokuBoard> {
public:
    UctPosition(const GomokuBoard& root, const UctOptions& options);

    // Moves in a row; `rewind` goes back to the root.
    void play(int action);
    void rewind();
    const std::vector<std::int16_t>& path() const { return path_; }

    bool over() const { return board_.outcome().over(); }
    // Of a game that is over.
    Verdict result() const;

    void candidates(Random& random, UctCandidates& found) const;
    // Plays on at random and tells the result, from the side of the mover here. The position stays.
    double rollout(Random& random);
    // Only with leaf=expert.
    UctOpinion opinion() const;

private:
    struct Start {
        int direction;
        Point point;
    };

    template <bool Five, bool Freestyle>
    double roll(Random& random, int left);
    double roll_renju(Random& random, int left);
    bool wins(const Lines& lines, Point p, Side side) const;
    int drop_path();
    // Adds the points that complete a line of `side`, and says how many of them there are.
    int find_completions(Side side, PointSet& found) const;
    PointSet line_ends(Side side, const PointSet& points) const;
    void all_legal(const PointSet& among, UctCandidates& found) const;

    const GomokuRules* rules_;
    GomokuBoard board_;
    std::optional<ThreatBoard> threats_;
    std::vector<Start> lines_;  // where each line of the board begins
    std::vector<std::int16_t> path_;
    int free_ = 0;  // empty points at the root, in any order
    std::array<std::int16_t, max_cells> free_points_{};
    std::vector<PointSet> around_;  // points near each point; empty if all are tried
    std::vector<PointSet> near_;    // points near a stone, after each move of the path
    PointSet everywhere_;
};

template <int N>
class UctPosition<OthelloBoard<N>> {
public:
    using Bits = OthelloBits<N>;
    using Word = typename Bits::Word;

    UctPosition(const OthelloBoard<N>& root, const UctOptions& options);

    void play(int action);
    void rewind() { now_ = root_, path_.clear(); }
    const std::vector<std::int16_t>& path() const { return path_; }

    bool over() const { return !Bits::moves(now_.own, now_.rival) && !Bits::moves(now_.rival, now_.own); }
    Verdict result() const;

    void candidates(Random& random, UctCandidates& found) const;
    double rollout(Random& random);
    UctOpinion opinion() const;

private:
    struct Discs {
        Word own, rival;  // own: the mover's

        void play(int bit) {
            const Word turned = Bits::flips(bit, own, rival);
            const Word mine = own | turned | Word{1} << bit;
            own = rival & ~turned;
            rival = mine;
        }
        void pass() { std::swap(own, rival); }
        int lead() const { return bit_count(own) - bit_count(rival); }
    };

    Discs root_, now_;
    std::vector<std::int16_t> path_;
};

}  // namespace tengen
