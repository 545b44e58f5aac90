// What a network's search asks of a game: a position that walks down from the
// root and back, what can be settled there without the network, and its planes.
//
// One class per board type with the same members; each belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "games/gomoku.h"
#include "games/othello.h"
#include "search/net_input.h"
#include "search/othello/endgame.h"
#include "search/search.h"
#include "search/threat_board.h"
#include "search/threat_search.h"

namespace tengen {

// What a first look at a position finds. If it is settled and not over, `moves`
// holds one move that keeps the result. Otherwise `moves` holds the legal moves
// that do not lose at once, as far as that is easy to see; all of them if it is
// `complete`.
struct PuctLook {
    Verdict verdict;
    std::vector<int> moves;
    bool complete = true;

    bool forced() const { return !verdict.settled() && moves.size() == 1; }
};

template <class B>
class PuctPosition;

// What settling needs that is too big to be made for each position; for one thread.
template <class B>
class PuctSolver;

template <>
class PuctSolver<GomokuBoard> {
public:
    // `effort`: how many positions a look may search for a win by fours. `control`, if given, ends that early.
    explicit PuctSolver(std::uint64_t effort, SearchControl* control = nullptr)
        : effort_(effort), control_(control), search_(std::clamp<std::uint64_t>(2 * effort, 1 << 9, 1 << 16)) {}

private:
    friend class PuctPosition<GomokuBoard>;
    std::uint64_t effort_;
    SearchControl* control_;
    ThreatSearch search_;
    std::optional<ThreatSearch> closer_;  // larger, and made when it is first needed
    std::vector<int> line_;
};

// Whether a point has a stone on it or so near.
template <class B>
bool has_stone_within(const B& board, int point, int distance) {
    const int n = board.size(), row = point / n, column = point % n;
    for (int r = std::max(0, row - distance); r <= std::min(n - 1, row + distance); ++r)
        for (int c = std::max(0, column - distance); c <= std::min(n - 1, column + distance); ++c)
            if (board.cell(r * n + c)) return true;
    return false;
}

template <>
class PuctPosition<GomokuBoard> {
public:
    explicit PuctPosition(const GomokuBoard& root) : board_(root), threats_(root, ThreatBoard::Unrated{}), root_ply_(root.ply()) {}

    const GomokuBoard& board() const { return board_; }
    void play(int action) {
        board_.play_unchecked(action);
        threats_.play(action);
    }
    // Back to the root.
    void rewind() {
        while (board_.ply() > root_ply_) board_.undo(), threats_.undo();
    }
    // The position now is the root.
    void settle_root() { root_ply_ = board_.ply(); }

    void look(PuctSolver<GomokuBoard>& solver, PuctLook& found);
    // Searches `nodes` positions for a win by threes and fours. If there is one, it and its first move are in `found`.
    bool look_closer(PuctSolver<GomokuBoard>& solver, std::uint64_t nodes, PuctLook& found);
    void write_input(NetEncoding encoding, int stride, std::uint8_t* out) const {
        tengen::write_input(board_, threats_, encoding, stride, out);
    }
    // The point that the rival wants most, among those the mover may play; -1 if there is none.
    int rivals_wish() const;

private:
    GomokuBoard board_;
    ThreatBoard threats_;
    int root_ply_;
};

template <int N>
class PuctSolver<OthelloBoard<N>> {
public:
    // `effort`: up to how many empty cells a look plays to the end; never more than `most_effort`, for it cannot be
    // stopped (its limits count other nodes than a search's) and must not take seconds.
    explicit PuctSolver(std::uint64_t effort, SearchControl* = nullptr)
        : effort_(static_cast<int>(std::min(effort, most_effort))), table_(1), work_{table_, control_} {
        control_.begin({});
    }

private:
    static constexpr std::uint64_t most_effort = 14;

    friend class PuctPosition<OthelloBoard<N>>;
    int effort_;
    SearchControl control_;
    OthelloTable table_;
    OthelloWork work_;
};

template <int N>
class PuctPosition<OthelloBoard<N>> {
public:
    explicit PuctPosition(const OthelloBoard<N>& root) : board_(root), root_ply_(root.ply()) {}

    const OthelloBoard<N>& board() const { return board_; }
    void play(int action) { board_.play_unchecked(action); }
    void rewind() {
        while (board_.ply() > root_ply_) board_.undo();
    }
    void settle_root() { root_ply_ = board_.ply(); }

    void look(PuctSolver<OthelloBoard<N>>& solver, PuctLook& found);
    bool look_closer(PuctSolver<OthelloBoard<N>>&, std::uint64_t, PuctLook&) { return false; }
    void write_input(NetEncoding encoding, int stride, std::uint8_t* out) const {
        tengen::write_input(board_, encoding, stride, out);
    }
    int rivals_wish() const { return -1; }  // a move of the rival's is seldom one of ours

private:
    OthelloBoard<N> board_;
    int root_ply_;
};

}  // namespace tengen
