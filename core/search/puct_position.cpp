#include "search/puct_position.h"

#include <algorithm>

namespace tengen {
namespace {

Verdict verdict_of(Outcome outcome, Side mover) {
    if (outcome.result == Result::draw) return {Proof::exact, 0};
    return {outcome.result == win_for(mover) ? Proof::won : Proof::lost, 0};
}

// With so few stones, moves further from all of them are not worth a thought.
constexpr int opening_stones = 4, opening_reach = 3;

}  // namespace

void PuctPosition<GomokuBoard>::look(PuctSolver<GomokuBoard>& solver, PuctLook& found) {
    found.verdict = {};
    found.moves.clear();
    found.complete = true;
    const Side me = board_.to_move(), foe = other(me);
    if (board_.outcome().over()) {
        found.verdict = verdict_of(board_.outcome(), me);
        return;
    }
    const auto win = [&](int action, int distance) {
        found.verdict = {Proof::won, distance};
        found.moves.assign(1, action);
    };
    const auto add_legal = [&](const PointSet& points) {
        points.for_each([&](int point) {
            if (threats_.may_play(me, point)) found.moves.push_back(point);
        });
    };
    // Lost whatever is played: then rather one of `stops`, which make the rival look.
    const auto lose = [&](const PointSet& stops, int distance) {
        found.verdict = {Proof::lost, distance};
        add_legal(stops);
        for (int action = 0; found.moves.empty(); ++action)  // there is one, for the game goes on
            if (board_.is_legal(action)) found.moves.push_back(action);
        found.moves.resize(1);
    };
    // 1. A five, and the rival's. A five is never a foul.
    if (threats_.fives(me).any()) return win(threats_.fives(me).first(), 1);
    if (threats_.fives(foe).any()) {
        add_legal(answers_to_fives(threats_, foe));
        if (found.moves.empty()) lose(threats_.fives(foe), 2);
        return;
    }
    // 2. A win by fours.
    if (threats_.rules().rule != Rule::caro && threats_decide(threats_, me)) {
        int winner = -1;
        threats_.winning_fours(me).for_each([&](int point) {
            if (winner < 0 && threats_.may_play(me, point)) winner = point;
        });
        if (winner >= 0) return win(winner, 3);
    }
    if (solver.effort_ > 0 && threats_.fours(me).any()) {
        solver.search_.clear();  // so that the answer depends on the position alone
        solver.line_.clear();
        const ThreatVerdict fours =
            solver.search_.search(threats_, ThreatKind::vcf, 100, solver.effort_, &solver.line_, solver.control_);
        // The line follows one defence; another may last longer.
        if (fours == ThreatVerdict::win) return win(solver.line_.front(), solver.search_.distance());
    }
    // 3. The rival threatens a winning four: only what stops it, or a four, is worth a thought.
    if (has_legal_winning_four(threats_, foe) && threats_decide(threats_, foe)) {
        add_legal(answers_to_winning_fours(threats_, foe) | threats_.fours(me));
        if (found.moves.empty()) lose(threats_.winning_fours(foe), 4);
        return;
    }
    // 4. An empty board, unless it is small: the middle, without a thought.
    if (threats_.stones() == 0 && board_.size() > 6) {
        found.complete = false;
        found.moves.push_back(board_.rules().centre());
        return;
    }
    // 5. Anything; after the first stones, near them. A network that takes itself for lost would else play anywhere.
    const bool opening = threats_.stones() <= opening_stones && board_.size() > 6;
    const bool may_foul = threats_.may_foul(me);
    for (int action = 0; action < board_.actions(); ++action)
        if (threats_.is_empty(action) && (!may_foul || threats_.may_play(me, action))) {
            if (!opening || has_stone_within(board_, action, opening_reach))
                found.moves.push_back(action);
            else
                found.complete = false;
        }
}

bool PuctPosition<GomokuBoard>::look_closer(PuctSolver<GomokuBoard>& solver, std::uint64_t nodes, PuctLook& found) {
    if (solver.closer_)
        solver.closer_->clear();  // so that the answer depends on the position alone
    else
        solver.closer_.emplace();
    solver.line_.clear();
    if (solver.closer_->search(threats_, ThreatKind::vct, 100, nodes, &solver.line_, solver.control_) != ThreatVerdict::win)
        return false;
    found.verdict = {Proof::won, solver.closer_->distance()};
    found.moves.assign(1, solver.line_.front());
    return true;
}

int PuctPosition<GomokuBoard>::rivals_wish() const {
    const Side me = board_.to_move();
    int best = -1, most = 0;
    threats_.for_each_candidate([&](int point) {
        const int wish = threats_.attack_score(other(me), point);
        if ((best < 0 || wish > most) && threats_.may_play(me, point)) best = point, most = wish;
    });
    return best;
}

template <int N>
void PuctPosition<OthelloBoard<N>>::look(PuctSolver<OthelloBoard<N>>& solver, PuctLook& found) {
    found.verdict = {};
    found.moves.clear();
    found.complete = true;
    const Side me = board_.to_move();
    if (board_.outcome().over()) {
        found.verdict = verdict_of(board_.outcome(), me);
        return;
    }
    const int empties = N * N - board_.count(me) - board_.count(other(me));
    for (int action = 0; action < board_.actions(); ++action)
        if (board_.is_legal(action)) found.moves.push_back(action);
    if (empties > solver.effort_) return;
    // Few cells are left: won, drawn or lost, and a move that gets it.
    OthelloEndgame<N> endgame(solver.work_);
    const auto own = board_.discs(me), rival = board_.discs(other(me));
    const auto at_least = [&](auto mine, auto theirs, int score) {
        return endgame.solve(mine, theirs, score - 1) >= score;
    };
    const Proof proof = at_least(own, rival, 1) ? Proof::won : at_least(own, rival, 0) ? Proof::exact : Proof::lost;
    int kept = found.moves[0];
    if (proof != Proof::lost && found.moves.size() > 1) {
        const int most = proof == Proof::won ? -1 : 0;  // for the rival, after the move
        for (const int action : found.moves) {
            OthelloBoard<N> after = board_;
            after.play_unchecked(action);
            const auto mine = after.discs(me), theirs = after.discs(other(me));
            // `solve` lets the mover pass if it must; after a double pass it counts.
            if (!at_least(theirs, mine, most + 1)) {
                kept = action;
                break;
            }
        }
    }
    found.moves.assign(1, kept);
    found.verdict = {proof, empties};  // passes are not foreseen
}

template class PuctPosition<OthelloBoard<4>>;
template class PuctPosition<OthelloBoard<6>>;
template class PuctPosition<OthelloBoard<8>>;
template class PuctPosition<OthelloBoard<10>>;

}  // namespace tengen
