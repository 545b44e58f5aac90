#include "search/root_moves.h"

#include <algorithm>

namespace tengen {
namespace {

bool is_better(const RootMove& a, const RootMove& b) {
    const auto rank = [](const RootMove& m) { return m.proof == Proof::won ? 2 : m.proof == Proof::lost ? 0 : 1; };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (rank(a) == 2 && a.distance != b.distance) return a.distance < b.distance;
    if (rank(a) == 0 && a.distance != b.distance) return a.distance > b.distance;
    return a.visits != b.visits ? a.visits > b.visits : a.value > b.value;
}

}  // namespace

void put_in_order(std::vector<RootMove>& moves) {
    std::stable_sort(moves.begin(), moves.end(), is_better);
    // Rather a sure draw than a move that looks worse than one.
    if (moves.empty() || moves[0].proof != Proof::none || moves[0].value >= 0) return;
    const auto is_draw = [](const RootMove& move) { return move.proof == Proof::exact; };
    const auto draw = std::find_if(moves.begin(), moves.end(), is_draw);
    if (draw != moves.end()) std::rotate(moves.begin(), draw, draw + 1);
}

}  // namespace tengen
