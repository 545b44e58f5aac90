// What every game's board promises, and the few words that all games share.
//
// A board is a plain value: copying it copies the game, history included, and
// two boards never meet. Nothing here locks; one board belongs to one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace tengen {

enum class Side : std::uint8_t { black, white };  // black moves first in every game

constexpr Side other(Side side) { return side == Side::black ? Side::white : Side::black; }
constexpr int index_of(Side side) { return static_cast<int>(side); }

enum class Result : std::uint8_t { ongoing, black_wins, white_wins, draw };

constexpr Result win_for(Side side) { return side == Side::black ? Result::black_wins : Result::white_wins; }

// Why a game ended. `no_moves`: nobody (Othello) or the mover (renju, every
// empty point a foul) can move; `board_full`: no empty point is left.
enum class Reason : std::uint8_t { none, line, board_full, no_moves };

struct Outcome {
    Result result = Result::ongoing;
    Reason reason = Reason::none;

    bool over() const { return result != Result::ongoing; }
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Bad input from the caller; the message says what is wrong. Nothing changed.
struct GameError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// The contract of a board. Actions are indices in [0, actions()): the cell
// row * size + column with row 0 at the top and, in games that pass, one more.
// `legal_mask` writes actions() bytes, 1 = legal; a finished game has no legal
// action. `advance_mask` turns the mask of the position before the last move
// into that of the position now, which can be cheaper. `play_unchecked` needs
// a legal action, `undo` a move to take back (ply() > 0).
template <class B>
concept Board = std::copyable<B> && requires(B board, const B& view, int action, std::uint8_t* mask) {
    { view.size() } -> std::same_as<int>;
    { view.actions() } -> std::same_as<int>;
    { view.ply() } -> std::same_as<int>;
    { view.to_move() } -> std::same_as<Side>;
    { view.outcome() } -> std::same_as<Outcome>;
    { view.hash() } -> std::same_as<std::uint64_t>;
    { view.is_legal(action) } -> std::same_as<bool>;
    { view.count_legal() } -> std::same_as<int>;
    { view.cell(action) } -> std::same_as<int>;  // 0 empty, 1 black, 2 white
    { view.move_at(action) } -> std::same_as<int>;
    view.legal_mask(mask);
    view.advance_mask(mask);
    board.play_unchecked(action);
    board.undo();
};

}  // namespace tengen
