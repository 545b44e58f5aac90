// The rules of the games once more, slow and plain, as something to hold the fast core against.
//
// Written from the rules' text, on purpose without the core's tables, bit boards or incremental state: a mistake would
// have to be made twice, in two different ways, to go unseen. Everything is a loop over cells; nothing is meant to be
// quick.
// No function blocks, keeps state or throws; all of them may be called from any thread.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace reference {

// ---------------------------------------------------------------- the board and its lines

enum class Rule { freestyle, standard, renju, caro };

constexpr int empty = 0;
constexpr int black = 1;
constexpr int white = 2;

inline int rival(int player) { return player == black ? white : black; }

struct Board {
    int size = 15;
    int win = 5;  // the length of a winning line
    Rule rule = Rule::freestyle;
    std::vector<int> cell = std::vector<int>(15 * 15, empty);  // 0 empty, 1 black, 2 white; index row * size + column
    int to_move = black;
};

inline Board new_board(int size, int win, Rule rule) {
    return Board{size, win, rule, std::vector<int>(static_cast<size_t>(size * size), empty), black};
}

// Directions: 0 along a row, 1 along a column, 2 row and column both grow, 3 the row falls while the column grows.
constexpr int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}};

// The point `steps` away from `point` (backwards when negative), or -1 outside the board.
inline int point_at(const Board& board, int point, int direction, int steps) {
    const int row = point / board.size + steps * directions[direction][0];
    const int column = point % board.size + steps * directions[direction][1];
    const bool inside = row >= 0 && row < board.size && column >= 0 && column < board.size;
    return inside ? row * board.size + column : -1;
}

// What lies there: 0, 1, 2, or -1 outside the board.
inline int stone_at(const Board& board, int point, int direction, int steps) {
    const int there = point_at(board, point, direction, steps);
    return there < 0 ? -1 : board.cell[static_cast<size_t>(there)];
}

// How many stones like the one at `point` follow it without a gap, looking one way (sign +1 or -1).
inline int stones_beyond(const Board& board, int point, int direction, int sign) {
    const int owner = stone_at(board, point, direction, 0);
    int count = 0;
    while (stone_at(board, point, direction, sign * (count + 1)) == owner) ++count;
    return count;
}

// The length of the unbroken row through the stone at `point`; 0 when there is no stone.
inline int run(const Board& board, int point, int direction) {
    if (stone_at(board, point, direction, 0) == empty) return 0;
    return stones_beyond(board, point, direction, -1) + 1 + stones_beyond(board, point, direction, +1);
}

// The same board with one more stone; whose turn it is stays as it was.
inline Board with_stone(Board board, int point, int player) {
    board.cell[static_cast<size_t>(point)] = player;
    return board;
}

// ---------------------------------------------------------------- winning lines

// Whether the unbroken row through the stone at `point` in this direction wins for its owner.
inline bool line_wins(const Board& board, int point, int direction) {
    const int owner = stone_at(board, point, direction, 0);
    if (owner == empty) return false;
    const int length = run(board, point, direction);
    switch (board.rule) {
        case Rule::freestyle: return length >= board.win;
        case Rule::standard: return length == board.win;
        case Rule::renju: return owner == black ? length == board.win : length >= board.win;
        case Rule::caro: break;
    }
    if (length != board.win) return length > board.win;
    // The cells just past both ends; the edge (-1) is not a rival stone and so does not block.
    const int before = stone_at(board, point, direction, -(stones_beyond(board, point, direction, -1) + 1));
    const int after = stone_at(board, point, direction, stones_beyond(board, point, direction, +1) + 1);
    return !(before == rival(owner) && after == rival(owner));
}

// The owner of the stone at `point` when that stone is part of a winning line, else 0.
inline int winner_by(const Board& board, int point) {
    for (int direction = 0; direction < 4; ++direction)
        if (line_wins(board, point, direction)) return board.cell[static_cast<size_t>(point)];
    return empty;
}

// Whether `player` wins by a stone at the empty `point`; fouls are not asked about.
inline bool wins_at(const Board& board, int point, int player) {
    return winner_by(with_stone(board, point, player), point) == player;
}

// ---------------------------------------------------------------- renju fouls

enum class Foul { none, double_three, double_four, overline };

inline const char* name(Foul foul) {
    switch (foul) {
        case Foul::double_three: return "double-three";
        case Foul::double_four: return "double-four";
        case Foul::overline: return "overline";
        case Foul::none: break;
    }
    return "none";
}

// Whether the stone at `point` stands in an unbroken row of exactly the winning length, in any direction.
inline bool makes_exact_five(const Board& board, int point) {
    for (int direction = 0; direction < 4; ++direction)
        if (run(board, point, direction) == board.win) return true;
    return false;
}

// The fours through the black stone at `point` in one direction, each as the set of its stones. A straight four has two
// completing points but one set of stones, so it is one four; X.XXX.X has two sets and so is two.
inline std::set<std::set<int>> fours(const Board& board, int point, int direction) {
    std::set<std::set<int>> found;
    for (int steps = -board.win; steps <= board.win; ++steps) {
        const int x = point_at(board, point, direction, steps);
        if (x < 0 || board.cell[static_cast<size_t>(x)] != empty) continue;
        const Board after = with_stone(board, x, black);
        if (run(after, point, direction) != board.win) continue;
        std::set<int> stones;
        const int first = -stones_beyond(after, point, direction, -1);
        for (int i = first; i < first + board.win; ++i) stones.insert(point_at(after, point, direction, i));
        stones.erase(x);
        found.insert(stones);
    }
    return found;
}

// Whether the unbroken row through the black stone at `point` is a straight four: one stone short of five, and an empty
// point at each end that completes it to exactly five (so a black stone just behind either of them spoils it).
inline bool straight_four(const Board& board, int point, int direction) {
    if (run(board, point, direction) != board.win - 1) return false;
    for (int sign : {-1, +1}) {
        const int end = point_at(board, point, direction, sign * (stones_beyond(board, point, direction, sign) + 1));
        if (end < 0 || board.cell[static_cast<size_t>(end)] != empty) return false;
        if (run(with_stone(board, end, black), point, direction) != board.win) return false;
    }
    return true;
}

constexpr int all_the_way = INT_MAX;

inline Foul foul(const Board& board, int point, int depth = all_the_way);

// Whether the black stone already at `point` is part of a legal three in this direction: some empty x makes a straight
// four of it, makes no five anywhere, and is no foul itself. Only asked where no four was made.
inline bool legal_three(const Board& board, int point, int direction, int depth) {
    for (int steps = -board.win; steps <= board.win; ++steps) {
        const int x = point_at(board, point, direction, steps);
        if (x < 0 || board.cell[static_cast<size_t>(x)] != empty) continue;
        const Board after = with_stone(board, x, black);
        if (!straight_four(after, point, direction)) continue;
        if (makes_exact_five(after, x)) continue;
        if (depth == 0 || foul(board, x, depth - 1) == Foul::none) return true;
    }
    return false;
}

// Which foul black would commit by a stone at the empty `point`. The order of the steps is the rule's.
//
// `depth` is for proving that a test case needs the recursion it claims: that many levels down it stops asking whether
// a straight-four point is a foul itself. Every answer that counts is given with the default, all the way.
inline Foul foul(const Board& before, int point, int depth) {
    if (before.cell[static_cast<size_t>(point)] != empty) return Foul::none;
    const Board board = with_stone(before, point, black);

    // 1. An exact five wins, whatever else the stone makes.
    if (makes_exact_five(board, point)) return Foul::none;

    // 2. Two fours or more, on different lines or on one.
    size_t four_count = 0;
    for (int direction = 0; direction < 4; ++direction) four_count += fours(board, point, direction).size();
    if (four_count >= 2) return Foul::double_four;

    // 3. Two legal threes or more. A line with a four on it is a four, not a three.
    int three_count = 0;
    for (int direction = 0; direction < 4; ++direction)
        if (fours(board, point, direction).empty() && legal_three(board, point, direction, depth)) ++three_count;
    if (three_count >= 2) return Foul::double_three;

    // 4. More than five in a row.
    for (int direction = 0; direction < 4; ++direction)
        if (run(board, point, direction) > board.win) return Foul::overline;
    return Foul::none;
}

// ---------------------------------------------------------------- the seven line shapes

enum Shape {
    none = 0,
    sleeping_two = 1,
    open_two = 2,
    sleeping_three = 3,
    open_three = 4,
    rush_four = 5,
    open_four = 6,
    five = 7
};

// The empty points of the line within a winning length of `point`, nearest the line's start first.
inline std::vector<int> empties_near(const Board& board, int direction, int point) {
    std::vector<int> found;
    for (int steps = -board.win; steps <= board.win; ++steps)
        if (stone_at(board, point, direction, steps) == empty)
            found.push_back(point_at(board, point, direction, steps));
    return found;
}

// Where one more stone of `player` puts the player's stone at `point` into a winning line of this direction.
inline std::vector<int> completing_points(Board& board, int player, int direction, int point) {
    std::vector<int> found;
    for (int x : empties_near(board, direction, point)) {
        board.cell[static_cast<size_t>(x)] = player;
        if (line_wins(board, point, direction)) found.push_back(x);
        board.cell[static_cast<size_t>(x)] = empty;
    }
    return found;
}

// Whether two completing points lie a winning length apart with nothing but the player's stones between them.
inline bool has_straight_four(Board& board, int player, int direction, int point) {
    const std::vector<int> points = completing_points(board, player, direction, point);
    for (int x : points) {
        bool filled = true;
        for (int i = 1; i < board.win; ++i) filled = filled && stone_at(board, x, direction, i) == player;
        const int other = point_at(board, x, direction, board.win);
        if (filled && std::find(points.begin(), points.end(), other) != points.end()) return true;
    }
    return false;
}

// The shape at `point`, where the player already has a stone, looking `more` stones ahead; the board is left unchanged.
inline Shape shape_within(Board& board, int player, int direction, int point, int more) {
    if (line_wins(board, point, direction)) return five;
    const size_t ways = completing_points(board, player, direction, point).size();
    if (ways >= 2) return open_four;
    if (ways == 1) return rush_four;
    if (more < 2) return none;
    const bool must_be_straight = board.rule == Rule::renju && player == black;
    Shape best = none;
    for (int x : empties_near(board, direction, point)) {
        board.cell[static_cast<size_t>(x)] = player;
        const Shape next = shape_within(board, player, direction, point, more - 1);
        Shape now = none;
        if (next == rush_four || next == open_four) now = sleeping_three;
        if (next == open_four && (!must_be_straight || has_straight_four(board, player, direction, point)))
            now = open_three;
        if (next == sleeping_three) now = sleeping_two;
        if (next == open_three) now = open_two;
        best = std::max(best, now);
        board.cell[static_cast<size_t>(x)] = empty;
    }
    return best;
}

// The shape of one line at `point`, taking the point as the player's stone; none when the rival stands there.
inline Shape shape(const Board& board, int player, int direction, int point) {
    if (board.cell[static_cast<size_t>(point)] == rival(player)) return none;
    Board copy = with_stone(board, point, player);
    return shape_within(copy, player, direction, point, 3);
}

// ---------------------------------------------------------------- playing gomoku

// Whether a winning line or a full board has ended the game.
inline bool finished(const Board& board) {
    bool full = true;
    for (int point = 0; point < board.size * board.size; ++point) {
        if (winner_by(board, point) != empty) return true;
        full = full && board.cell[static_cast<size_t>(point)] != empty;
    }
    return full;
}

// The points the side to move may play, in index order; none once the game is over.
inline std::vector<int> legal(const Board& board) {
    std::vector<int> points;
    if (finished(board)) return points;
    for (int point = 0; point < board.size * board.size; ++point) {
        if (board.cell[static_cast<size_t>(point)] != empty) continue;
        if (board.rule == Rule::renju && board.to_move == black && foul(board, point) != Foul::none) continue;
        points.push_back(point);
    }
    return points;
}

inline Board play(const Board& board, int point) {
    Board next = with_stone(board, point, board.to_move);
    next.to_move = rival(board.to_move);
    return next;
}

// The leaves of the game tree cut this many plies down: a game that ends sooner is one of them.
inline long long perft(const Board& board, int depth) {
    const std::vector<int> points = legal(board);
    if (depth == 0 || points.empty()) return 1;
    long long count = 0;
    for (int point : points) count += perft(play(board, point), depth - 1);
    return count;
}

// ---------------------------------------------------------------- othello

struct Othello {
    int size = 8;
    std::vector<int> cell = std::vector<int>(8 * 8, empty);  // row * size + column, row 0 at the top: a1 is index 0
    int to_move = black;

    static Othello start(int size = 8) {
        Othello game{size, std::vector<int>(static_cast<size_t>(size * size), empty), black};
        const int low = size / 2 - 1;
        const int high = size / 2;
        game.cell[static_cast<size_t>(low * size + low)] = white;    // d4
        game.cell[static_cast<size_t>(low * size + high)] = black;   // e4
        game.cell[static_cast<size_t>(high * size + low)] = black;   // d5
        game.cell[static_cast<size_t>(high * size + high)] = white;  // e5
        return game;
    }

    int pass() const { return size * size; }

    int stone(int row, int column) const {
        if (row < 0 || row >= size || column < 0 || column >= size) return -1;
        return cell[static_cast<size_t>(row * size + column)];
    }

    // The discs a disc of the side to move at `point` would turn, in no particular order; none on an occupied point.
    std::vector<int> flips(int point) const {
        std::vector<int> turned;
        if (point < 0 || point >= size * size || cell[static_cast<size_t>(point)] != empty) return turned;
        for (int down = -1; down <= 1; ++down)
            for (int right = -1; right <= 1; ++right) {
                if (down == 0 && right == 0) continue;
                std::vector<int> between;
                int row = point / size + down;
                int column = point % size + right;
                while (stone(row, column) == rival(to_move)) {
                    between.push_back(row * size + column);
                    row += down;
                    column += right;
                }
                if (stone(row, column) == to_move) turned.insert(turned.end(), between.begin(), between.end());
            }
        return turned;
    }

    std::vector<int> turning_moves() const {
        std::vector<int> points;
        for (int point = 0; point < size * size; ++point)
            if (!flips(point).empty()) points.push_back(point);
        return points;
    }

    // Over when neither side can turn anything, which covers the full board too.
    bool over() const {
        Othello other_side = *this;
        other_side.to_move = rival(to_move);
        return turning_moves().empty() && other_side.turning_moves().empty();
    }

    // In index order; `pass` alone when the side to move can turn nothing and the game is not over.
    std::vector<int> legal() const {
        if (over()) return {};
        const std::vector<int> points = turning_moves();
        return points.empty() ? std::vector<int>{pass()} : points;
    }

    // The move must be one of legal().
    void play(int move) {
        if (move != pass()) {
            for (int disc : flips(move)) cell[static_cast<size_t>(disc)] = to_move;
            cell[static_cast<size_t>(move)] = to_move;
        }
        to_move = rival(to_move);
    }

    int discs(int player) const { return static_cast<int>(std::count(cell.begin(), cell.end(), player)); }
};

// The same for Othello, where a pass is a ply.
inline long long perft(const Othello& game, int depth) {
    if (depth == 0 || game.over()) return 1;
    long long count = 0;
    for (int move : game.legal()) {
        Othello next = game;
        next.play(move);
        count += perft(next, depth - 1);
    }
    return count;
}

// ---------------------------------------------------------------- notation

// A gomoku point such as "h8": column letter, row number from the bottom.
inline int point_of(const std::string& text, int size = 15) {
    return (size - std::atoi(text.c_str() + 1)) * size + (text[0] - 'a');
}

// A gomoku board from two lists of points such as "h8 i9 j10".
inline Board board_of(const std::string& black_points, const std::string& white_points, Rule rule, int size = 15) {
    Board board = new_board(size, 5, rule);
    std::string text;
    for (std::istringstream words(black_points); words >> text;)
        board.cell[static_cast<size_t>(point_of(text, size))] = black;
    for (std::istringstream words(white_points); words >> text;)
        board.cell[static_cast<size_t>(point_of(text, size))] = white;
    return board;
}

}  // namespace reference
