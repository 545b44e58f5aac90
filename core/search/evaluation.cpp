// The Gomoku evaluation: from fitted weights to tables by Shapes4.
#include <algorithm>
#include <array>
#include <functional>

#include "search/evaluation_weights.h"
#include "search/threat_board.h"

namespace tengen {
namespace {

// Move ordering is by promise, not by value, and stays by hand: what one line
// through a point adds, by Shape, and what the point adds as a whole, by Threat.
struct Ordering {
    std::array<int, 8> shape;
    std::array<int, 8> threat;
};

constexpr Ordering attack_order{{0, 2, 12, 14, 40, 34, 60, 80}, {0, 0, 40, 300, 60, 900, 4000, 16000}};
constexpr Ordering defence_order{{0, 2, 10, 10, 32, 26, 50, 70}, {0, 0, 20, 160, 40, 500, 2000, 8000}};

std::int16_t order(const Ordering& by, int shapes4) {
    int total = by.threat[static_cast<std::size_t>(threat_table()[static_cast<std::size_t>(shapes4)])];
    for (int d = 0; d < directions; ++d) total += by.shape[static_cast<std::size_t>(shapes4 >> (3 * d) & 7)];
    return static_cast<std::int16_t>(total);
}

}  // namespace

// Picks are numbered in the order of their sorted shapes, largest first.
int shape_pick(Shapes4 shapes) {
    static const auto table = [] {
        std::array<std::int16_t, shapes4_count> picks{};
        std::array<std::int16_t, shapes4_count> number_of_sorted;
        number_of_sorted.fill(-1);
        std::int16_t next = 0;
        const auto sorted = [](int s) {
            std::array<int, 4> four{s & 7, s >> 3 & 7, s >> 6 & 7, s >> 9 & 7};
            std::sort(four.begin(), four.end(), std::greater<>());
            return static_cast<std::size_t>(four[0] << 9 | four[1] << 6 | four[2] << 3 | four[3]);
        };
        for (int i = 0; i < shapes4_count; ++i)
            if (const auto key = sorted(i); number_of_sorted[key] < 0 && key == static_cast<std::size_t>(i)) number_of_sorted[key] = next++;
        for (int i = 0; i < shapes4_count; ++i) picks[static_cast<std::size_t>(i)] = number_of_sorted[sorted(i)];
        return picks;
    }();
    return table[shapes];
}

const EvaluationWeights& EvaluationWeights::standard() {
    static const EvaluationWeights weights = [] {
        EvaluationWeights w;
        for (int i = 0; i < shapes4_count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const auto pick = static_cast<std::size_t>(shape_pick(static_cast<Shapes4>(i)));
            w.moving[at] = moving_weights[pick];
            w.waiting[at] = waiting_weights[pick];
            w.attack[at] = order(attack_order, i);
            w.defence[at] = order(defence_order, i);
        }
        w.tempo = tempo_weight;
        return w;
    }();
    return weights;
}

}  // namespace tengen
