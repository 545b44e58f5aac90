#include "envs/duel_env.h"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>
#include <utility>

#include "games/counting.h"
#include "patterns/greedy.h"

namespace tengen {
namespace {

template <class B>
constexpr bool is_gomoku = std::is_same_v<B, ShapedGomoku>;

// A short look, some microseconds a game.
constexpr int exploring_plies = 14;
constexpr std::uint64_t exploring_nodes = 200;
constexpr std::size_t exploring_table = 256;
// Of a rival by minimax, by all threads together.
constexpr std::size_t remembered_answers = 1 << 19;

template <class T>
void require(bool fine, const char* name, const char* range, T value) {
    if (!fine) throw GameError(std::string(name) + " must be " + range + ", not " + std::to_string(value));
}

template <class B>
DuelOptions checked(DuelOptions o) {
    require(o.games >= 1 && o.games <= 1 << 20, "the number of games", "1..1048576", o.games);
    require(!o.rivals.empty() && o.rivals.size() <= 255, "the number of rivals", "1..255", o.rivals.size());
    for (const Rival& rival : o.rivals) {
        require(rival.weight > 0 && rival.weight <= 1e9, "a rival's weight", "above 0, at most 1e9", rival.weight);
        if (rival.kind != RivalKind::minimax) continue;
        if (!is_gomoku<B>) throw GameError("minimax plays Gomoku only");
        require(rival.depth >= 1 && rival.depth <= 3, "minimax's depth", "1..3", rival.depth);
    }
    require(o.opening_plies >= 0 && o.opening_plies <= 64, "opening_plies", "0..64", o.opening_plies);
    if (o.opening_least)
        require(*o.opening_least >= 0 && *o.opening_least <= o.opening_plies, "opening_least", "0..opening_plies", *o.opening_least);
    require(!o.opening_boxes.empty() && o.opening_boxes.size() <= 64, "the number of opening_boxes", "1..64", o.opening_boxes.size());
    for (const int box : o.opening_boxes) require(box >= 1 && box <= max_size, "a side of opening_boxes", "1..22", box);
    if (o.opening_plies && !o.openings.empty()) throw GameError("openings are given or drawn (opening_plies), not both");
    if (o.margin) require(*o.margin >= 0 && *o.margin <= max_size, "margin", "0..22", *o.margin);
    require(o.threads >= 1 && o.threads <= 256, "threads", "1..256", o.threads);
    if (o.encoding && o.input) throw GameError("positions are shown in one encoding, not two");
    if (o.input) check_encoding<std::conditional_t<is_gomoku<B>, GomokuBoard, B>>(*o.input);
    if (is_gomoku<B>) return o;
    if (o.reward != DuelReward::win) throw GameError("the rewards s0 and s1 are for Gomoku; this game has win");
    if (o.margin) throw GameError("a margin is for Gomoku only");
    return o;
}

// Shapes would only cost time where a move is tried and taken back.
GomokuBoard without_shapes(const ShapedGomoku& board) { return board; }
template <int N>
OthelloBoard<N> without_shapes(const OthelloBoard<N>& board) {
    return board;
}

void write_bytes(const GomokuBoard& board, NetEncoding input, std::uint8_t* out) {
    write_input(board, ThreatBoard(board, ThreatBoard::Unrated{}), input, board.size(), out);
}
template <int N>
void write_bytes(const OthelloBoard<N>& board, NetEncoding input, std::uint8_t* out) {
    write_input(board, input, N, out);
}

template <class B>
bool mover_can_end(const B& board) {
    auto trial = without_shapes(board);
    for (int action = 0; action < trial.actions(); ++action) {
        if (!trial.is_legal(action)) continue;
        trial.play_unchecked(action);
        if (trial.outcome().over()) return true;
        trial.undo();
    }
    return false;
}

// ---------------------------------------------------------------- where moves may be

struct Box {
    int top, left, bottom, right;  // all four inside

    bool holds(Point p) const { return p.row >= top && p.row <= bottom && p.column >= left && p.column <= right; }
};

Box central_box(int size, int wanted = 5) {
    const int side = std::min(size, wanted), first = (size - side) / 2;
    return {first, first, first + side - 1, first + side - 1};
}

// The stones must have been played, not set up.
Box box_around_stones(const GomokuBoard& board, int margin) {
    Box box{max_size, max_size, -1, -1};
    for (int i = 0; i < board.ply(); ++i) {
        const Point p = board.rules().point(board.move_at(i));
        box.top = std::min<int>(box.top, p.row), box.bottom = std::max<int>(box.bottom, p.row);
        box.left = std::min<int>(box.left, p.column), box.right = std::max<int>(box.right, p.column);
    }
    return {box.top - margin, box.left - margin, box.bottom + margin, box.right + margin};
}

void keep_within(const GomokuBoard& board, int margin, std::uint8_t* mask) {
    const Box box = board.ply() ? box_around_stones(board, margin) : central_box(board.size());
    const auto inside = [&](int action) { return box.holds(board.rules().point(action)); };
    bool any = false;
    for (int action = 0; action < board.actions() && !any; ++action) any = mask[action] && inside(action);
    if (!any) return;
    for (int action = 0; action < board.actions(); ++action) mask[action] = mask[action] && inside(action);
}

std::vector<int> opening_moves(const GomokuBoard& board, int side) {
    const Box box = central_box(board.size(), side);
    std::vector<int> central;
    for (int row = box.top; row <= box.bottom; ++row)
        for (int column = box.left; column <= box.right; ++column)
            if (const int action = row * board.size() + column; board.is_legal(action)) central.push_back(action);
    return central;
}

// ---------------------------------------------------------------- the greedy player

template <int N>
std::vector<int> greedy_candidates(const OthelloBoard<N>& board) {
    std::vector<int> found;
    int most = -1;
    for (int action = 0; action < board.actions(); ++action) {
        if (!board.is_legal(action)) continue;
        const int turned = action == OthelloBoard<N>::pass ? 0 : bit_count(board.flips(action));
        if (turned > most) most = turned, found.clear();
        if (turned == most) found.push_back(action);
    }
    return found;
}

int draw(const std::vector<int>& from, Random& random) {
    return from[random.below(static_cast<std::uint32_t>(from.size()))];
}

// ---------------------------------------------------------------- rewards

// S0's table.
double value_of(Shape shape) {
    switch (shape) {
        case Shape::five: return 200;
        case Shape::open_four: return 100;
        case Shape::rush_four: return 60;
        case Shape::open_three: return 30;
        case Shape::sleeping_three: return 20;
        case Shape::open_two: return 10;
        case Shape::sleeping_two: return 5;
        case Shape::none: break;
    }
    return 0;
}

// What `side` would make at the empty point; a black foul under renju makes nothing.
double made_at(const ShapedGomoku& board, Side side, int action) {
    const double value = value_of(board.best_shape(side, action));
    return value > 0 && side == Side::black && board.foul(action) != Foul::none ? 0 : value;
}

// The most stones of `side` in `win` cells in a row without any of the other's.
int longest_line(const GomokuBoard& board, Side side) {
    constexpr std::uint64_t low_bits = 0x5555555555555555u;
    const int n = board.size(), win = board.rules().win;
    const std::uint64_t window = (std::uint64_t{1} << (2 * win)) - 1;
    int longest = 0;
    const auto look = [&](int d, int row, int column) {
        const Point p{static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column)};
        const std::uint64_t word = board.lines().word(d, p), low = word & low_bits, high = word >> 1 & low_bits;
        // An edge has both bits, and so stands in the way of either side.
        const std::uint64_t blocked = side == Side::black ? high : low, own = (side == Side::black ? low : high) & ~blocked;
        for (int at = 2 * (Lines::offset(d, p) + Lines::pad); (word >> at & 3) != edge; at += 2)
            if (!(blocked >> at & window)) longest = std::max(longest, std::popcount(own >> at & window));
    };
    // Every line from its first cell.
    for (int i = 0; i < n; ++i) {
        look(0, i, 0), look(1, 0, i);
        look(2, i, 0), look(3, i, 0);
        if (i) look(2, 0, i), look(3, n - 1, i);
    }
    return longest;
}

// What one step is worth; asked in the order of its functions.
template <class B>
class Reckoning {
public:
    Reckoning(DuelReward kind, const B& board, int action) : kind_(kind), side_(board.to_move()) {
        if constexpr (is_gomoku<B>) {
            const Side rival = other(side_);
            if (kind == DuelReward::s0) own_ = made_at(board, side_, action), broken_ = made_at(board, rival, action);
            if (kind == DuelReward::s1) own_line_ = longest_line(board, side_), rival_line_ = longest_line(board, rival);
        }
    }

    // The move has been played.
    void moved(const B& board) {
        if constexpr (is_gomoku<B>)
            if (kind_ == DuelReward::s1)
                shaped_ = (longest_line(board, side_) > own_line_ ? 0.6 : 0) +
                          (longest_line(board, other(side_)) < rival_line_ ? 0.4 : 0);
    }

    // The reply is about to be played.
    void answered(const B& board, int action) {
        if constexpr (is_gomoku<B>)
            if (kind_ == DuelReward::s0) reply_ = made_at(board, other(side_), action);
    }

    float total(Result result) const {
        const bool over = result != Result::ongoing, drawn = result == Result::draw;
        const bool won = result == win_for(side_);
        if (kind_ == DuelReward::s0 && over) return drawn ? -20.0F : won ? 800.0F : -200.0F;
        if (over && !drawn) return won ? 1.0F : -1.0F;
        if (kind_ != DuelReward::s0) return static_cast<float>(shaped_);
        const double rival_share = reply_ <= own_ ? 0.3 : reply_ <= 60 ? 0.5 : 0.8;
        const double break_share = broken_ <= 20 ? 0.3 : broken_ <= 60 ? 0.5 : 1.0;
        return static_cast<float>(own_ - rival_share * reply_ + break_share * broken_);
    }

private:
    DuelReward kind_;
    Side side_;
    double own_ = 0, broken_ = 0, reply_ = 0;  // s0
    int own_line_ = 0, rival_line_ = 0;        // s1
    double shaped_ = 0;                        // s1
};

}  // namespace

// ---------------------------------------------------------------- the games

template <class B>
DuelEnv<B>::DuelEnv(const B& start, DuelOptions options)
    : start_(start), options_(checked<B>(std::move(options))), team_(std::min(options_.threads, options_.games)) {
    const bool rivals_move = std::any_of(options_.rivals.begin(), options_.rivals.end(),
                                         [](const Rival& r) { return r.kind != RivalKind::self; });
    for (std::size_t k = 0; k < options_.openings.size(); ++k) {
        const std::string name = "opening " + std::to_string(k);
        B board = start_;
        for (const int played : options_.openings[k]) {
            if (!board.is_legal(played)) throw GameError(name + ": action " + std::to_string(played) + " is not legal");
            board.play_unchecked(played);
        }
        if (board.outcome().over()) throw GameError(name + ": the game is over");
        if (rivals_move && options_.side != board.to_move() && mover_can_end(board))
            throw GameError(name + ": a rival to move could end the game before the learner has moved");
    }
    for (const Rival& who : options_.rivals) total_weight_ += who.weight;
    minimax_.resize(static_cast<std::size_t>(team_.size()));
    if (is_gomoku<B>)
        for (auto& by_depth : minimax_)
            for (int depth = 1; depth <= 3; ++depth) by_depth.emplace_back(depth, remembered_answers / minimax_.size());
    threats_.assign(is_gomoku<B> ? static_cast<std::size_t>(team_.size()) : 0, ThreatSearch(exploring_table));
    const auto count = static_cast<std::size_t>(options_.games);
    games_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t seed = splitmix64(options_.seed) + 2 * i;
        games_.push_back({start_, Random(seed), Random(seed + 1)});
    }
    mask.resize(count * actions());
    planes.resize(count * plane_size());
    for (auto* column : {&to_move, &rival, &self_play, &ended, &result, &last_side, &stepped_rival, &stepped_self_play})
        column->resize(count);
    reward.resize(count);
    length.resize(count);
    opening.resize(count);
    action.resize(count);
    reset();
}

template <class B>
int DuelEnv<B>::plane_count() const {
    if (options_.input) return tengen::plane_count(*options_.input);
    return options_.encoding ? tengen::plane_count(*options_.encoding) : 0;
}

template <class B>
std::size_t DuelEnv<B>::plane_size() const {
    return static_cast<std::size_t>(plane_count() * start_.size() * start_.size());
}

// Pieces small enough that a slow game does not hold up the rest.
template <class B>
void DuelEnv<B>::share(const Team::Task& task) {
    team_.run(options_.games, std::clamp(options_.games / (8 * team_.size()), 1, 64), task);
}

// By the number of the game, so that it is the same whichever thread was first.
template <class B>
void DuelEnv<B>::hand_out_openings(bool to_all) {
    if (options_.openings.empty()) return;
    for (std::size_t i = 0; i < games_.size(); ++i)
        if (to_all || ended[i]) {
            games_[i].opening = static_cast<std::int32_t>(next_opening_);
            next_opening_ = (next_opening_ + 1) % options_.openings.size();
        }
}

template <class B>
bool DuelEnv<B>::awaits_rival(const Game& game) const {
    return rival_of(game).kind != RivalKind::self && game.board.to_move() != game.side;
}

template <class B>
void DuelEnv<B>::begin(Game& game, int member) {
    double left = game.chance.unit() * total_weight_;
    for (game.rival = 0; game.rival + std::size_t{1} < options_.rivals.size() && left >= rival_of(game).weight; ++game.rival)
        left -= rival_of(game).weight;
    const Side drawn = game.chance.below(2) ? Side::white : Side::black;
    game.side = options_.side.value_or(drawn);
    game.board = start_;
    if (game.opening >= 0)
        for (const int played : options_.openings[static_cast<std::size_t>(game.opening)]) game.board.play_unchecked(played);
    else
        open_at_random(game);
    if (awaits_rival(game)) game.board.play_unchecked(reply(game, member));
}

// An opening that is over, or that the rival could end at once, is drawn again;
// a board on which that is all there is (3x3) is begun without one.
template <class B>
void DuelEnv<B>::open_at_random(Game& game) {
    const int most = options_.opening_plies, least = options_.opening_least.value_or(most);
    const int plies = least == most ? most : least + static_cast<int>(game.chance.below(static_cast<std::uint32_t>(most - least + 1)));
    const std::vector<int>& boxes = options_.opening_boxes;
    const int box = boxes[std::min(boxes.size(), static_cast<std::size_t>(std::max(plies, 1))) - 1];
    for (int tries = 0; plies && tries < 100; ++tries) {
        for (int ply = 0; ply < plies && !game.board.outcome().over(); ++ply) {
            std::vector<int> central;
            if constexpr (is_gomoku<B>) central = opening_moves(game.board, box);
            game.board.play_unchecked(central.empty() ? random_action(game.board, game.chance) : draw(central, game.chance));
        }
        if (!game.board.outcome().over() && !(awaits_rival(game) && mover_can_end(game.board))) return;
        game.board = start_;
    }
}

template <class B>
int DuelEnv<B>::reply(Game& game, int member) {
    const Rival& who = rival_of(game);
    if (who.kind == RivalKind::greedy) return draw(greedy_candidates(game.board), game.chance);
    if constexpr (is_gomoku<B>)
        if (who.kind == RivalKind::minimax) {
            // Its own draw among the best is left unused: a search belongs to a thread, chance to a game.
            MinimaxRival& minimax = minimax_[static_cast<std::size_t>(member)][static_cast<std::size_t>(who.depth - 1)];
            const std::vector<int>& best = minimax.best_moves(game.board);
            return who.draws ? draw(best, game.chance) : best.front();
        }
    return random_action(game.board, game.chance);
}

template <class B>
void DuelEnv<B>::observe(std::size_t i) {
    const Game& game = games_[i];
    std::uint8_t* legal = &mask[i * actions()];
    game.board.legal_mask(legal);
    if constexpr (is_gomoku<B>)
        if (options_.margin) keep_within(game.board, *options_.margin, legal);
    if (options_.input) {
        std::vector<std::uint8_t> bytes(plane_size());
        write_bytes(game.board, *options_.input, bytes.data());
        std::copy(bytes.begin(), bytes.end(), &planes[i * plane_size()]);
    } else if (options_.encoding) {
        using Plain = std::conditional_t<is_gomoku<B>, GomokuBoard, B>;
        write_planes<Plain>(game.board, *options_.encoding, &planes[i * plane_size()]);
    }
    to_move[i] = static_cast<std::uint8_t>(game.board.to_move());
    rival[i] = game.rival;
    self_play[i] = rival_of(game).kind == RivalKind::self;
}

template <class B>
void DuelEnv<B>::reset() {
    hand_out_openings(true);
    share([&](int first, int last, int member) {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            begin(games_[i], member);
            observe(i);
            reward[i] = 0;
            ended[i] = 0;
            result[i] = static_cast<std::uint8_t>(Result::ongoing);
            length[i] = 0;
            opening[i] = -1;
            last_side[i] = to_move[i];
            stepped_rival[i] = rival[i];
            stepped_self_play[i] = self_play[i];
        }
    });
}

template <class B>
void DuelEnv<B>::advance(std::size_t i, int member) {
    Game& game = games_[i];
    const auto chosen = static_cast<int>(chosen_[i]);
    last_side[i] = static_cast<std::uint8_t>(game.board.to_move());
    stepped_rival[i] = game.rival;
    stepped_self_play[i] = rival_of(game).kind == RivalKind::self;
    Reckoning<B> reckoning(options_.reward, game.board, chosen);
    game.board.play_unchecked(chosen);
    reckoning.moved(game.board);
    if (!game.board.outcome().over() && awaits_rival(game)) {
        const int answer = reply(game, member);
        reckoning.answered(game.board, answer);
        game.board.play_unchecked(answer);
    }
    const Outcome outcome = game.board.outcome();
    reward[i] = reckoning.total(outcome.result);
    result[i] = static_cast<std::uint8_t>(outcome.result);
    ended[i] = outcome.over();
    length[i] = outcome.over() ? game.board.ply() : 0;
    opening[i] = outcome.over() ? game.opening : -1;
}

template <class B>
void DuelEnv<B>::step(const std::int64_t* chosen) {
    // 1. Checked and played from one copy: the caller's array may be one of our own buffers, or change meanwhile.
    chosen_.assign(chosen, chosen + games_.size());
    for (std::size_t i = 0; i < games_.size(); ++i)
        if (chosen_[i] < 0 || chosen_[i] >= static_cast<std::int64_t>(actions()) ||
            !mask[i * actions() + static_cast<std::size_t>(chosen_[i])])
            throw GameError("game " + std::to_string(i) + ": action " + std::to_string(chosen_[i]) + " is not legal");
    // 2. The moves and the replies.
    share([&](int first, int last, int member) {
        for (int i = first; i < last; ++i) advance(static_cast<std::size_t>(i), member);
    });
    // 3. New games, once it is known which ones end.
    hand_out_openings(false);
    share([&](int first, int last, int member) {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            if (ended[i]) begin(games_[i], member);
            observe(i);
        }
    });
}

// Moves to draw from that have something for them; none: all are alike.
template <class B>
std::vector<int> DuelEnv<B>::exploring_moves(std::size_t i, Exploring how, int member) {
    const B& board = games_[i].board;
    if (how == Exploring::greedy) return greedy_candidates(board);
    if constexpr (is_gomoku<B>)
        if (how == Exploring::threats) {
            // What other games have left in the table must not matter, or the number of threads would.
            ThreatSearch& search = threats_[static_cast<std::size_t>(member)];
            search.clear();
            ThreatBoard threats(board, ThreatBoard::Unrated{});
            std::vector<int> line;
            if (search.search(threats, ThreatKind::vct, exploring_plies, exploring_nodes, &line) == ThreatVerdict::win)
                return {line.front()};
            std::vector<int> stops;
            const PointSet answers = answers_to_fives(threats, other(board.to_move()));
            for (int action = 0; action < board.actions(); ++action)
                if (answers.has(action)) stops.push_back(action);
            return stops;
        }
    return {};
}

template <class B>
void DuelEnv<B>::explore(Exploring how, const std::uint8_t* where) {
    if (!is_gomoku<B> && how == Exploring::threats) throw GameError("exploring by threats is for Gomoku");
    share([&](int first, int last, int member) {
        for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
            if (where && !where[i]) continue;
            const std::uint8_t* allowed = &mask[i * actions()];
            std::vector<int> from = exploring_moves(i, how, member);
            std::erase_if(from, [&](int candidate) { return !allowed[candidate]; });
            if (from.empty())
                for (int candidate = 0; candidate < start_.actions(); ++candidate)
                    if (allowed[candidate]) from.push_back(candidate);
            action[i] = draw(from, games_[i].exploring);
        }
    });
}

template class DuelEnv<ShapedGomoku>;
template class DuelEnv<OthelloBoard<4>>;
template class DuelEnv<OthelloBoard<6>>;
template class DuelEnv<OthelloBoard<8>>;
template class DuelEnv<OthelloBoard<10>>;

}  // namespace tengen
