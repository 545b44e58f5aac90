#include "games/planes.h"

#include <memory>

#include "check.h"
#include "games/counting.h"

using namespace tengen;

namespace {

// Each encoding once more, straight from its definition: what plane `plane`
// holds at `cell`, with the positions of the game at hand in `past`.
template <class B>
float expected(const std::vector<B>& past, Encoding encoding, int plane, int cell) {
    const B& now = past.back();
    const int own = 1 + index_of(now.to_move()), rival = 3 - own, stone = now.cell(cell);
    const bool first = now.to_move() == Side::black;
    switch (encoding) {
        case Encoding::s0: return stone == (plane == 0 ? own : rival);
        case Encoding::s1: return stone == own ? 1.0F : stone == rival ? -1.0F : 0.0F;
        case Encoding::s2: return stone == (plane == 0 ? 2 : plane == 1 ? 0 : 1);
        case Encoding::s3:
            if (plane < 2) return stone == (plane == 0 ? own : rival);
            if (plane == 2) return now.ply() > 0 && now.move_at(now.ply() - 1) == cell;
            return first;
        case Encoding::s4: {
            if (plane == 12) return first;
            const auto back = static_cast<std::size_t>(plane / 2);
            if (back >= past.size()) return 0;
            return past[past.size() - 1 - back].cell(cell) == (plane % 2 == 0 ? own : rival);
        }
    }
    return -1;
}

template <class B>
void check_games(const B& start, int games, std::uint64_t seed) {
    Random random(seed);
    for (int game = 0; game < games; ++game) {
        std::vector<B> past{start};
        while (!past.back().outcome().over()) {
            for (const EncodingInfo& info : encodings) {
                const int cells = start.size() * start.size();
                // Exactly as large as promised, so that the address sanitizer sees a float too many.
                const auto planes = std::make_unique<float[]>(static_cast<std::size_t>(info.planes * cells));
                write_planes(past.back(), info.encoding, planes.get());
                bool same = true;
                for (int i = 0; i < info.planes * cells; ++i)
                    same &= planes[static_cast<std::size_t>(i)] == expected(past, info.encoding, i / cells, i % cells);
                CHECK_NOTE(same, std::string(info.name) + " at ply " + std::to_string(past.back().ply()));
            }
            B next = past.back();
            next.play_unchecked(random_action(next, random));
            past.push_back(next);
        }
    }
}

}  // namespace

TEST(gomoku_planes_follow_their_definition) {
    for (const int size : {5, 9, 15, 16, 17, 22})
        check_games(GomokuBoard(GomokuRules::get(Rule::freestyle, size, 5)), check::rounds(3), static_cast<std::uint64_t>(size));
}

TEST(othello_planes_follow_their_definition) {
    check_games(OthelloBoard<4>(), check::rounds(20), 1);
    check_games(OthelloBoard<6>(), check::rounds(20), 2);
    check_games(OthelloBoard<8>(), check::rounds(20), 3);
    check_games(OthelloBoard<10>(), check::rounds(5), 4);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
