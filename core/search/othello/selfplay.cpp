#include "search/othello/selfplay.h"

#include <algorithm>
#include <utility>
#include <string>

#include "games/othello.h"
#include "games/random.h"
#include "search/othello/midgame.h"

namespace tengen {
namespace {

constexpr int infinite = 127;
constexpr int table_mb = 1;

// One player for both sides, whose table is emptied before each game so that a game depends on its number alone.
class Players {
public:
    explicit Players(const OthelloEvaluation& evaluation)
        : evaluation_(evaluation), table_(table_mb), work_{table_, control_}, midgame_(work_, evaluation) {
        control_.begin(SearchLimits{});
    }

    void new_game() { table_.clear(); }

    int score(std::uint64_t own, std::uint64_t rival, int depth, int selectivity) {
        return midgame_.search(evaluation_.node<8>(own, rival), depth, -infinite, infinite, selectivity);
    }

    // The move and its score.
    std::pair<int, int> choose(const OthelloBoard<8>& board, int depth) {
        const std::uint64_t own = board.discs(board.to_move()), rival = board.discs(other(board.to_move()));
        const OthelloNode<8> node = evaluation_.node<8>(own, rival);
        int best = -infinite, chosen = OthelloBoard<8>::pass;
        for (std::uint64_t left = OthelloBits<8>::moves(own, rival); left; left &= left - 1) {
            const int at = lowest_bit(left);
            const OthelloNode<8> next = evaluation_.after<8>(node, at, OthelloBits<8>::flips(at, own, rival));
            const int score = -midgame_.search(next, depth - 1, -infinite, -best, Selectivity::exact);
            if (score > best) best = score, chosen = at;
        }
        if (chosen == OthelloBoard<8>::pass) best = evaluation_.value<8>(node);
        return {chosen, best};
    }

private:
    const OthelloEvaluation& evaluation_;
    OthelloTable table_;
    SearchControl control_;
    OthelloWork work_;
    OthelloMidgame<8> midgame_;
};

int random_move(const OthelloBoard<8>& board, Random& random) {
    std::vector<std::uint8_t> mask(65);
    board.legal_mask(mask.data());
    auto chosen = static_cast<int>(random.below(static_cast<std::uint32_t>(board.count_legal())));
    for (int action = 0;; ++action)
        if (mask[static_cast<std::size_t>(action)] && chosen-- == 0) return action;
}

// A game while it is played: what was recorded of it waits for its scores.
struct Pending {
    std::size_t sample;
    Side mover;
};

// Gives the first `count` of the waiting samples the score that `side` has.
void settle(std::vector<Pending>& waiting, std::size_t count, Side side, int score, std::vector<std::int8_t>& scores) {
    for (std::size_t i = 0; i < count; ++i)
        scores[waiting[i].sample] = static_cast<std::int8_t>(waiting[i].mover == side ? score : -score);
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
}

void play_game(Players& players, const OthelloSelfPlay& options, std::uint64_t number, OthelloSamples* samples) {
    Random random(splitmix64(options.seed) ^ number);
    players.new_game();
    OthelloBoard<8> board;
    const auto span = static_cast<std::uint32_t>(options.random_max - options.random_min + 1);
    // The smaller of two draws: early positions are the harder ones to learn.
    const int opening = options.random_min + static_cast<int>(std::min(random.below(span), random.below(span)));
    std::vector<Pending> unsettled, unforeseen;
    const auto foresight = static_cast<std::size_t>(options.foresight);
    while (!board.outcome().over()) {
        if (board.ply() < opening) {
            board.play_unchecked(random_move(board, random));
            continue;
        }
        // 1. Record the position.
        const Side mover = board.to_move();
        const std::uint64_t own = board.discs(mover), rival = board.discs(other(mover));
        const int empties = 64 - bit_count(own | rival);
        if (OthelloBits<8>::moves(own, rival)) {
            unsettled.push_back({samples->own.size(), mover});
            unforeseen.push_back(unsettled.back());
            samples->own.push_back(own);
            samples->rival.push_back(rival);
            samples->score.push_back(0);
            samples->foreseen.push_back(0);
        }
        // 2. Near the end, solve it: this settles all that came before.
        if (empties <= options.exact_empties) {
            const int score = players.score(own, rival, 64, Selectivity::exact);
            settle(unsettled, unsettled.size(), mover, score, samples->score);
            settle(unforeseen, unforeseen.size(), mover, score, samples->foreseen);
            if (empties <= 3) return;
            // Each position has a score of its own from here on, so that play may wander.
            board.play_unchecked(random.below(4) == 0 ? random_move(board, random) : players.choose(board, 2).first);
            continue;
        }
        // 3. Else search it: what came `foresight` plies before learns the result.
        const auto [action, score] = players.choose(board, options.depth);
        if (unforeseen.size() > foresight)
            settle(unforeseen, unforeseen.size() - foresight, mover, score, samples->foreseen);
        board.play_unchecked(action);
    }
    // Over before its end was solved: by the discs.
    const int score = OthelloDiscs<8>::final_score(board.discs(Side::black), board.discs(Side::white));
    settle(unsettled, unsettled.size(), Side::black, score, samples->score);
    settle(unforeseen, unforeseen.size(), Side::black, score, samples->foreseen);
}

}  // namespace

OthelloSamples othello_self_play(const OthelloEvaluation& evaluation, const OthelloSelfPlay& options) {
    if (options.games < 0 || options.depth < 1 || options.foresight < 0 || options.random_min < 0 ||
        options.random_max < options.random_min || options.random_max > 50 || options.exact_empties < 4 ||
        options.exact_empties > 20)
        throw GameError("self-play needs games >= 0, depth >= 1, foresight >= 0, 0 <= random_min <= random_max <= 50 "
                        "and exact_empties in 4..20");
    OthelloSamples samples;
    Players players(evaluation);
    for (int game = 0; game < options.games; ++game)
        play_game(players, options, static_cast<std::uint64_t>(options.first_game + game), &samples);
    return samples;
}

std::vector<std::int8_t> othello_depth_scores(const OthelloEvaluation& evaluation, std::span<const std::uint64_t> own,
                                              std::span<const std::uint64_t> rival, int depth) {
    if (own.size() != rival.size()) throw GameError("own and rival must be of one length");
    if (depth < 0) throw GameError("depth must be 0 or more, not " + std::to_string(depth));
    std::vector<std::int8_t> scores(own.size());
    Players players(evaluation);
    for (std::size_t i = 0; i < own.size(); ++i)
        scores[i] = static_cast<std::int8_t>(players.score(own[i], rival[i], depth, Selectivity::exact));
    return scores;
}

}  // namespace tengen
