// One game of a pool: its tree, its search, its record.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "games/random.h"
#include "search/puct_position.h"
#include "search/puct_tree.h"
#include "selfplay/pool.h"

namespace tengen {

// What the thread that advances games brings along.
template <class B>
struct SelfPlayHand {
    explicit SelfPlayHand(const SelfPlayOptions& options) : solver(static_cast<std::uint64_t>(options.effort)) {}

    PuctSolver<B> solver;
    PuctLook look;
    std::vector<float> logits;
    std::vector<PuctMove> chosen;
    std::vector<float> priors;
    SelfPlayCounts counts;
};

template <class B>
class SelfPlaySlot {
public:
    using Hand = SelfPlayHand<B>;

    SelfPlaySlot(const SelfPlayOptions& options, std::uint64_t seed)
        : options_(&options), random_(seed), position_(starting_board<B>(options.variants[0])) {
        rule_.exploration = options.exploration;
        rule_.first_play = options.first_play;
    }

    // Takes the network's answer (null before the first) and goes on until it is needed again.
    void advance(Hand& hand, const Opposition& opposition, const float* policy, const float* wdl, std::uint8_t* planes) {
        if (policy)
            take_answer(hand, policy, wdl);
        else
            begin_game(hand);
        for (;;) {
            if (root_is_ready(hand) && search_is_done())
                finish_move(hand, opposition);
            else if (walk(hand, planes))
                return;
        }
    }

    // The games that ended since the last call go to the end of `games`.
    void take_games(std::vector<SelfPlayGame>& games) {
        std::move(finished_.begin(), finished_.end(), std::back_inserter(games));
        finished_.clear();
    }

private:
    // After so many openings in a row that were refused as unfair, the next one is played.
    static constexpr int most_refusals = 20;
    // Unfair ones are not refused always: the network has to know them too.
    static constexpr double unfair_share = 0.02;
    // After so many openings in a row that came out decided, they are made one move shorter.
    static constexpr int most_decided = 50;

    const PuctNode& root() const { return tree_[PuctTree::root]; }

    void begin_game(Hand& hand) {
        record_ = {};
        record_.variant = static_cast<std::uint8_t>(draw_variant());
        // Not drawn again after a refusal, or there would be more of them than asked for.
        if (refused_ == 0) plain_ = options_->plain_share > 0 && random_.unit() < options_->plain_share;
        int decided = 0;
        do {
            position_ = PuctPosition<B>(starting_board<B>(options_->variants[record_.variant]));
            record_.moves.clear();
        } while (!play_opening(hand, decided++ / most_decided));
        record_.opening = static_cast<std::uint16_t>(record_.moves.size());
        position_.settle_root();
        tree_.reset();
        checking_ = random_.unit() < options_->resign_check;
        resigned_by_ = 0;
        is_new_ = true;
        begin_move();
    }

    std::size_t draw_variant() {
        double total = 0;
        for (const SelfPlayVariant& variant : options_->variants) total += variant.weight;
        double at = random_.unit() * total;
        for (std::size_t i = 0; i + 1 < options_->variants.size(); ++i)
            if ((at -= options_->variants[i].weight) < 0) return i;
        return options_->variants.size() - 1;
    }

    // False if it came out decided at a glance.
    bool play_opening(Hand& hand, int shorter) {
        if (plain_) return true;
        const int span = options_->opening_most - options_->opening_least + 1;
        int left = options_->opening_least + static_cast<int>(random_.below(static_cast<std::uint32_t>(span))) - shorter;
        for (; left > 0; --left) {
            position_.look(hand.solver, hand.look);
            if (hand.look.verdict.settled()) return false;
            play(draw_opening_move(hand.look.moves));
        }
        position_.look(hand.solver, hand.look);
        return !hand.look.verdict.settled();
    }

    // Anywhere in Othello. In Gomoku near the stones that are there; the first in the middle part.
    int draw_opening_move(const std::vector<int>& moves) {
        const B& board = position_.board();
        const int n = board.size();
        if (board.ply() == 0 && board.actions() == n * n) {
            const auto third = static_cast<std::uint32_t>(std::max(1, n / 3));
            const int margin = (n - static_cast<int>(third)) / 2;
            return (margin + static_cast<int>(random_.below(third))) * n + margin + static_cast<int>(random_.below(third));
        }
        for (int tries = 0; tries < 200; ++tries) {
            const int action = moves[random_.below(static_cast<std::uint32_t>(moves.size()))];
            if (board.actions() != n * n || has_stone_within(board, action, 2)) return action;
        }
        return moves[0];
    }

    void begin_move() {
        full_ = random_.unit() < options_->full_share;
        ready_ = false;
    }
    bool search_is_done() const {
        const int goal = full_ ? options_->full_visits : options_->cheap_visits;
        const bool no_choice = root().state == PuctState::grown && root().edges == 1;
        return root().settled() || no_choice || root().visits >= static_cast<std::uint32_t>(goal);
    }

    // Once the root has its moves: is the opening fair, and the noise of a full search.
    bool root_is_ready(Hand& hand) {
        if (ready_) return true;
        if (root().settled()) return ready_ = true;
        if (root().state != PuctState::grown) return false;
        if (is_new_) {
            is_new_ = false;
            const double fair = std::pow(1 - std::min(1.0, std::abs(root().mean())), options_->balance);
            if (!plain_ && refused_ < most_refusals && random_.unit() >= std::max(fair, unfair_share)) {
                ++hand.counts.openings_refused;
                ++refused_;
                begin_game(hand);
                return false;
            }
            refused_ = 0;
        }
        if (full_ && options_->noise_weight > 0 && root().edges > 1) add_noise(hand);
        return ready_ = true;
    }

    void add_noise(Hand& hand) {
        const std::size_t count = root().edges;
        const double alpha = options_->noise_total / static_cast<double>(count);
        hand.priors.resize(count);
        double sum = 0;
        for (float& noise : hand.priors) sum += noise = static_cast<float>(draw_gamma(alpha));
        const PuctEdge* const edges = tree_.edges(PuctTree::root);
        const auto weight = static_cast<float>(sum > 0 ? options_->noise_weight : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const float prior = static_cast<float>(edges[i].prior) / 65535.0F;
            hand.priors[i] = (1 - weight) * prior + (sum > 0 ? weight * hand.priors[i] / static_cast<float>(sum) : 0);
        }
        tree_.set_root_priors(hand.priors);
    }

    // Marsaglia and Tsang's method.
    double draw_gamma(double alpha) {
        const double boost = alpha < 1 ? std::pow(random_.unit(), 1 / alpha) : 1;
        const double d = (alpha < 1 ? alpha + 1 : alpha) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
        for (;;) {
            const double x = std::sqrt(-2 * std::log(1 - random_.unit())) * std::cos(6.283185307179586 * random_.unit());
            const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
            if (v > 0 && std::log(1 - random_.unit()) < x * x / 2 + d - d * v + d * std::log(v)) return boost * d * v;
        }
    }

    // Down the tree. True if the network is needed: then its planes are written.
    bool walk(Hand& hand, std::uint8_t* planes) {
        path_.assign(1, PuctTree::root);
        tree_.enter(PuctTree::root);
        for (;;) {
            const std::uint32_t at = path_.back();
            const PuctNode& node = tree_[at];
            if (node.settled()) {
                tree_.back_up(path_, node.verdict().value());
                break;
            }
            if (node.state == PuctState::fresh) {
                position_.look(hand.solver, hand.look);
                const bool settled = hand.look.verdict.settled();
                if (!settled && !hand.look.forced()) {
                    position_.write_input(options_->encoding, options_->stride, planes);
                    moves_ = hand.look.moves;
                    complete_ = hand.look.complete && moves_.size() <= static_cast<std::size_t>(options_->moves);
                    return true;  // the position stays where it is
                }
                hand.chosen.clear();
                if (!hand.look.moves.empty()) hand.chosen.push_back({hand.look.moves[0], 1.0F});
                tree_.grow(at, hand.chosen, true);
                if (!settled) continue;  // one reply: it is as if it had been played
                tree_.settle(path_, hand.look.verdict);
                break;
            }
            const std::uint32_t edge = tree_.select(at, rule_);
            if (edge == PuctTree::none) {
                tree_.back_up(path_, -1);
                break;
            }
            const int action = tree_.edges(at)[edge].action;
            const std::uint32_t next = tree_.child(at, edge);
            tree_.enter(next);
            path_.push_back(next);
            position_.play(action);
        }
        ++hand.counts.settled;
        position_.rewind();
        return false;
    }

    void take_answer(Hand& hand, const float* policy, const float* wdl) {
        ++hand.counts.evaluations;
        const B& board = position_.board();
        hand.logits.clear();
        for (const int action : moves_) hand.logits.push_back(policy[net_action(board, options_->stride, action)]);
        choose_moves(moves_, hand.logits, static_cast<std::size_t>(options_->moves), hand.chosen);
        const float value = value_of(wdl);
        tree_.grow(path_.back(), hand.chosen, complete_);
        tree_.set_value(path_.back(), value);
        tree_.back_up(path_, value);
        position_.rewind();
    }

    void finish_move(Hand& hand, const Opposition& opposition) {
        const std::vector<RootMove> moves = tree_.moves();
        const Verdict verdict = root().verdict();
        const double value = verdict.settled() ? verdict.value() : root().mean();
        if (full_ && verdict.proof != Proof::lost) record_row(moves, verdict, value);
        if (verdict.settled()) {
            record_.distance = static_cast<std::uint16_t>(verdict.distance);
            return end_game(hand, static_cast<int>(verdict.value()) * sign_of(position_.board().to_move()));
        }
        const int sign = sign_of(position_.board().to_move());
        if (value < -options_->resign && resigned_by_ == 0) {
            resigned_by_ = sign;
            if (!checking_) {
                record_.resigned = true;
                return end_game(hand, -sign);
            }
        }
        int action = draw_move(moves);
        if (value < -opposition.threshold && random_.unit() < opposition.probability) {
            const int wish = position_.rivals_wish();
            if (wish >= 0) action = wish, ++hand.counts.opposed;
        }
        ++hand.counts.moves;
        tree_.advance(action);
        play(action);
        position_.settle_root();
        if (position_.board().outcome().over()) {
            const Result result = position_.board().outcome().result;
            return end_game(hand, result == Result::draw ? 0 : result == Result::black_wins ? 1 : -1);
        }
        begin_move();
    }

    static int sign_of(Side side) { return side == Side::black ? 1 : -1; }

    void play(int action) {
        position_.play(action);
        record_.moves.push_back(static_cast<std::uint16_t>(action));
    }

    // Who is sure of a draw has also looked at worse moves, only to see whether they were.
    bool is_worth_playing(const RootMove& move) const {
        return move.visits && move.proof != Proof::lost && (move.value >= 0 || !root().safe);
    }

    void record_row(const std::vector<RootMove>& moves, Verdict verdict, double value) {
        SelfPlayRow row{static_cast<std::uint16_t>(record_.moves.size()), static_cast<float>(value), {}};
        if (verdict.proof == Proof::won) {
            row.visits.push_back({static_cast<std::uint16_t>(moves[0].action), 1});
        } else {
            for (const RootMove& move : moves)
                if (is_worth_playing(move))
                    row.visits.push_back({static_cast<std::uint16_t>(move.action),
                                          static_cast<std::uint16_t>(std::min<std::uint64_t>(move.visits, 65535))});
        }
        if (!row.visits.empty()) record_.rows.push_back(std::move(row));
    }

    int draw_move(const std::vector<RootMove>& moves) {
        const int done = static_cast<int>(record_.moves.size()) - record_.opening;
        const int falls = options_->temperature_moves;
        const double left = done < falls ? 1 - static_cast<double>(done) / falls : 0;
        const double temperature =
            options_->temperature_end + (options_->temperature_start - options_->temperature_end) * left;
        if (temperature < 0.01 || moves[0].visits == 0) return moves[0].action;
        std::uint64_t most = 0;
        for (const RootMove& move : moves) most = std::max(most, move.visits);
        const auto weight = [&](const RootMove& move) {
            if (!is_worth_playing(move)) return 0.0;
            return std::pow(static_cast<double>(move.visits) / static_cast<double>(most), 1 / temperature);
        };
        double total = 0;
        for (const RootMove& move : moves) total += weight(move);
        double at = random_.unit() * total;
        for (const RootMove& move : moves)
            if ((at -= weight(move)) < 0) return move.action;
        return moves[0].action;
    }

    void end_game(Hand& hand, int result) {
        record_.result = static_cast<std::int8_t>(result);
        if (resigned_by_ != 0 && !record_.resigned) {
            ++hand.counts.resign_checks;
            hand.counts.resign_errors += result != -resigned_by_;
        }
        ++hand.counts.games;
        finished_.push_back(std::move(record_));
        begin_game(hand);
    }

    const SelfPlayOptions* options_;
    Random random_;
    PuctRule rule_;
    PuctPosition<B> position_;
    PuctTree tree_;
    PuctPath path_;
    std::vector<int> moves_;  // of the position that waits for the network
    bool complete_ = false;   // and whether all others lose
    SelfPlayGame record_;
    std::vector<SelfPlayGame> finished_;
    bool full_ = false;
    bool ready_ = false;
    bool is_new_ = false;
    int refused_ = 0;
    bool plain_ = false;
    bool checking_ = false;
    int resigned_by_ = 0;  // 1: black would have given up, -1: white
};

}  // namespace tengen
