#include "patterns/greedy.h"

#include <algorithm>
#include <array>

namespace tengen {
namespace {

// S0's attack value: how many stones the shape has of the five it needs.
int attack_value(Shape shape) {
    switch (shape) {
        case Shape::five: return 5;
        case Shape::open_four:
        case Shape::rush_four: return 4;
        case Shape::open_three:
        case Shape::sleeping_three: return 3;
        case Shape::open_two:
        case Shape::sleeping_two: return 2;
        case Shape::none: break;
    }
    return 0;
}

// 0 is drawn from first. A stop is named by what the rival would make there.
int tier(int attack, int threat) {
    if (attack == 5) return 0;
    if (threat == 5) return 1;
    if (attack == 4) return 2;
    if (threat == 4) return 3;
    if (attack == 3) return 4;
    if (attack == 2) return 5;
    return 6;
}

}  // namespace

std::vector<int> greedy_candidates(const ShapedGomoku& board) {
    const int n = board.size();
    std::vector<int> found;
    if (board.stones() == 0) {
        const int side = std::min(n, 5), first = (n - side) / 2;
        for (int row = first; row < first + side; ++row)
            for (int column = first; column < first + side; ++column) found.push_back(row * n + column);
        return found;
    }
    const Side own = board.to_move(), rival = other(own);
    const bool rival_can_foul = board.rules().rule == Rule::renju && rival == Side::black;
    int best = 6;
    for (int action = 0; action < board.actions(); ++action) {
        if (!board.is_legal(action)) continue;
        int threat = attack_value(board.best_shape(rival, action));
        if (threat && rival_can_foul && board.foul(action) != Foul::none) threat = 0;
        const int here = tier(attack_value(board.best_shape(own, action)), threat);
        if (here < best) best = here, found.clear();
        if (here == best) found.push_back(action);
    }
    return found;
}

}  // namespace tengen
