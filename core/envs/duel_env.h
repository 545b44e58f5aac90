// Many games stepped together in which a learner meets built-in rivals, or
// itself: one call plays its moves and the rivals' replies, starts finished
// games anew and writes what a learner reads, all without Python.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "envs/minimax_rival.h"
#include "games/game.h"
#include "games/othello.h"
#include "games/planes.h"
#include "games/random.h"
#include "patterns/shapes.h"
#include "search/net_input.h"
#include "search/threat_search.h"
#include "selfplay/team.h"

namespace tengen {

// Who answers. `random`: any legal move. `greedy`: S0's greedy player, in
// Othello the most discs. `minimax`: S1's, Gomoku only. `self`: nobody, the
// learner moves for both sides.
enum class RivalKind : std::uint8_t { random, greedy, minimax, self };

struct Rival {
    RivalKind kind = RivalKind::random;
    int depth = 0;      // of minimax, 1..3
    double weight = 1;  // how often it is met, above 0, as a share of all weights
    bool draws = true;  // minimax, among moves of equal value; else it plays the first, in reading order
};

// What a step is worth to the learner that moved, the rival's reply included.
//   win  1 won, -1 lost, 0 otherwise
//   s0   800 won, -200 lost, -20 drawn; otherwise what shapes are worth: the
//        best that the move makes, less a share of the best that the reply
//        makes, plus a share of the best that the rival would have made there
//   s1   1 won, -1 lost; otherwise 0.6 if the move made the longest own line
//        longer, plus 0.4 if it made the rival's shorter. A line is the stones
//        in `win` cells in a row that hold none of the other side
// s0 and s1 are for Gomoku. Where the learner plays itself no reply is known,
// and s0 leaves it out.
enum class DuelReward : std::uint8_t { win, s0, s1 };

// How a move is drawn that is not the learner's own choice, always from the mask as far as it has any such move.
//   random   any of them
//   greedy   the greedy player's
//   threats  Gomoku only: the first of a win by threats, or what stops the rival's five, where a short search finds
//            one; else any. A learner that never wins learns nothing from winning, and chance alone seldom wins
enum class Exploring : std::uint8_t { random, greedy, threats };

struct DuelOptions {
    int games = 1;                     // 1..1048576
    std::vector<Rival> rivals{{}};     // 1..255 of them, one of which each game draws at its start
    std::optional<Side> side;          // the learner's; drawn by each game where it is left open
    std::optional<Encoding> encoding;  // no planes without one or the other
    std::optional<NetEncoding> input;  // as Tengen's networks see it, instead of `encoding`
    DuelReward reward = DuelReward::win;
    // Games take these in turn, by their number where several start at once.
    std::vector<std::vector<int>> openings;
    // Where there are none: so many random moves, in Gomoku from a square in the middle as long as it has room; 0..64.
    // Each game draws how many, from `opening_least` on; without that it is always `opening_plies`.
    int opening_plies = 0;
    std::optional<int> opening_least;
    // Points a side of that square for openings of one move, of two, and so on, the last for all longer ones: 1..22
    // each. A board that is smaller is taken whole.
    std::vector<int> opening_boxes{5};
    // S0's limit, Gomoku only: the learner keeps to the bounding box of the stones grown by so much, on an empty board
    // to the central 5x5. Where no legal move is left there, any will do.
    std::optional<int> margin;
    int threads = 1;  // 1..256
    std::uint64_t seed = 0;
};

// It is always the learner's turn: where the rival begins, it has moved
// already. A pass is a move, the learner's as well as the rival's.
//
// The buffers belong to the environment and are overwritten by the next call;
// game i owns row i of each. Not thread-safe: one thread steps one DuelEnv,
// whose own threads share the games. Every game has generators of its own, so
// the number of threads changes nothing.
template <class B>
class DuelEnv {
public:
    // Throws GameError for options that cannot be, and for an opening that is
    // illegal, over, or that a rival could end before the learner has moved.
    // `start` is the empty board of the game.
    DuelEnv(const B& start, DuelOptions options);

    int games() const { return options_.games; }
    std::size_t actions() const { return static_cast<std::size_t>(start_.actions()); }
    int size() const { return start_.size(); }
    int plane_count() const;
    const B& board(int game) const { return games_[static_cast<std::size_t>(game)].board; }

    // Starts every game anew; generators and the turn of the openings go on.
    void reset();

    // Plays chosen[i] in game i, and the replies. An action outside the mask
    // throws GameError naming the first such game, and then no game has moved.
    void step(const std::int64_t* chosen);

    // One action of the mask per game, into `action`; with `where`, [games], only in the games that it marks.
    void explore(Exploring how, const std::uint8_t* where = nullptr);

    // The game now shown.
    std::vector<float> planes;            // [games, planes, size, size], empty without an encoding
    std::vector<std::uint8_t> mask;       // [games, actions], 1 = legal and within the margin
    std::vector<std::uint8_t> to_move;    // [games], the learner's side: 0 black, 1 white
    std::vector<std::uint8_t> rival;      // [games], its index in the options
    std::vector<std::uint8_t> self_play;  // [games], 1 where that is the learner itself
    // The step just made.
    std::vector<float> reward;                    // [games], for the learner that moved
    std::vector<std::uint8_t> ended;              // [games], 1 where the game ended and was started anew
    std::vector<std::uint8_t> result;             // [games], the Result it left
    std::vector<std::int32_t> length;             // [games], plies of the game that ended, those of its opening too; else 0
    std::vector<std::int32_t> opening;            // [games], the given opening of the game that ended, else -1
    std::vector<std::uint8_t> last_side;          // [games], the side that the learner moved for
    std::vector<std::uint8_t> stepped_rival;      // [games], as `rival`, of the game that was stepped
    std::vector<std::uint8_t> stepped_self_play;  // [games]

    std::vector<std::int64_t> action;  // [games], filled by explore()

private:
    struct Game {
        B board;
        Random chance;     // everything that happens in the game
        Random exploring;  // apart, so that asking for actions changes no game
        Side side = Side::black;
        std::uint8_t rival = 0;
        std::int32_t opening = -1;
    };

    std::size_t plane_size() const;
    void share(const Team::Task& task);
    void hand_out_openings(bool to_all);
    const Rival& rival_of(const Game& game) const { return options_.rivals[game.rival]; }
    bool awaits_rival(const Game& game) const;
    void begin(Game& game, int member);
    void open_at_random(Game& game);
    int reply(Game& game, int member);
    std::vector<int> exploring_moves(std::size_t i, Exploring how, int member);
    void advance(std::size_t i, int member);
    void observe(std::size_t i);

    B start_;
    DuelOptions options_;
    double total_weight_ = 0;
    std::size_t next_opening_ = 0;
    std::vector<Game> games_;
    std::vector<std::deque<MinimaxRival>> minimax_;  // by member of the team, then by depth - 1
    std::vector<ThreatSearch> threats_;              // by member of the team
    std::vector<std::int64_t> chosen_;
    Team team_;
};

extern template class DuelEnv<ShapedGomoku>;
extern template class DuelEnv<OthelloBoard<4>>;
extern template class DuelEnv<OthelloBoard<6>>;
extern template class DuelEnv<OthelloBoard<8>>;
extern template class DuelEnv<OthelloBoard<10>>;

}  // namespace tengen
