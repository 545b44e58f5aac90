// The networks' planes against the rules' text: every byte of every plane, on every rule and size, with and without
// a margin.
#include "search/net_input.h"

#include <memory>

#include "check.h"
#include "games/counting.h"
#include "games/planes.h"
#include "positions.h"
#include "search/puct_position.h"

using namespace tengen;

namespace {

using Planes = std::vector<std::uint8_t>;

// What write_input makes of a position. The buffer is as large as promised and full of rubbish before, so that a byte
// too many or too few is seen.
template <class Write>
Planes written(NetEncoding encoding, int stride, Write&& write) {
    const auto count = static_cast<std::size_t>(plane_count(encoding) * stride * stride);
    const auto buffer = std::make_unique<std::uint8_t[]>(count);
    std::fill_n(buffer.get(), count, std::uint8_t{0xaa});
    write(buffer.get());
    return {buffer.get(), buffer.get() + count};
}

Planes planes_of(const GomokuBoard& board, NetEncoding encoding, int stride) {
    const ThreatBoard threats(board);
    return written(encoding, stride, [&](std::uint8_t* out) { write_input(board, threats, encoding, stride, out); });
}

template <int N>
Planes planes_of(const OthelloBoard<N>& board, NetEncoding encoding, int stride) {
    return written(encoding, stride, [&](std::uint8_t* out) { write_input(board, encoding, stride, out); });
}

// The nth plane of a board, cell by cell, put into the corner of a larger square.
class Slow {
public:
    Slow(NetEncoding encoding, int size, int stride)
        : planes_(static_cast<std::size_t>(plane_count(encoding) * stride * stride)), size_(size), stride_(stride) {}
    void set(int plane, int cell) {
        planes_[static_cast<std::size_t>((plane * stride_ + cell / size_) * stride_ + cell % size_)] = 1;
    }
    const Planes& planes() const { return planes_; }

private:
    Planes planes_;
    int size_, stride_;
};

struct Makes {
    bool five = false, winning_four = false, four = false, three = false;
};

// What `player` makes of an empty point, by counting the ways to complete a line.
Makes makes_at(const reference::Board& board, int player, int point) {
    int fours = 0, open_fours = 0, threes = 0;
    Makes made;
    for (int d = 0; d < 4; ++d) {
        reference::Board after = reference::with_stone(board, point, player);
        switch (reference::shape_within(after, player, d, point, 2)) {
            case reference::five: made.five = true; break;
            case reference::open_four: ++open_fours; break;
            case reference::rush_four: ++fours; break;
            case reference::open_three: ++threes; break;
            default: break;
        }
    }
    if (made.five) return made;
    made.winning_four = open_fours || fours >= 2;
    made.four = open_fours || fours;
    made.three = threes && !made.four;
    return made;
}

Planes slow_planes(const GomokuBoard& board, int stride) {
    const reference::Board slow = same_board(board);
    Slow planes(NetEncoding::gomoku, board.size(), stride);
    for (int cell = 0; cell < board.actions(); ++cell) {
        planes.set(0, cell);
        const int stone = slow.cell[static_cast<std::size_t>(cell)];
        if (stone == slow.to_move) planes.set(1, cell);
        if (stone == reference::rival(slow.to_move)) planes.set(2, cell);
        if (stone == reference::empty) {
            for (const int player : {slow.to_move, reference::rival(slow.to_move)}) {
                const Makes made = makes_at(slow, player, cell);
                CHECK(made.five == reference::wins_at(slow, cell, player));
                const int first = player == slow.to_move ? 3 : 7;
                if (made.five) planes.set(first, cell);
                if (made.winning_four) planes.set(first + 1, cell);
                if (made.four) planes.set(first + 2, cell);
                if (made.three) planes.set(first + 3, cell);
            }
            if (slow.rule == reference::Rule::renju && reference::foul(slow, cell) != reference::Foul::none) {
                CHECK(board.foul(cell) != Foul::none);
                planes.set(11, cell);
            }
        }
        if (slow.to_move == reference::black) planes.set(12, cell);
        if (slow.rule == reference::Rule::standard) planes.set(13, cell);
        if (slow.rule == reference::Rule::renju) planes.set(14, cell);
        if (slow.rule == reference::Rule::caro) planes.set(15, cell);
    }
    return planes.planes();
}

GomokuBoard random_board(const GomokuRules& rules, Random& random) {
    while (true) {
        GomokuBoard board(rules, random_cells(rules.size, random), random.below(2) ? Side::black : Side::white);
        if (!board.outcome().over()) return board;
    }
}

// Where a cell goes when the board is turned (symmetry 0..3) and mirrored (4..7).
int turned(int cell, int size, int symmetry) {
    int row = cell / size, column = cell % size;
    for (int i = 0; i < symmetry % 4; ++i) std::tie(row, column) = std::pair(column, size - 1 - row);
    if (symmetry >= 4) column = size - 1 - column;
    return row * size + column;
}

Planes turned(const Planes& planes, int size, int symmetry) {
    Planes result(planes.size());
    for (std::size_t i = 0; i < planes.size(); ++i) {
        const std::size_t cells = static_cast<std::size_t>(size * size), plane = i / cells;
        result[plane * cells + static_cast<std::size_t>(turned(static_cast<int>(i % cells), size, symmetry))] = planes[i];
    }
    return result;
}

template <int N>
Planes slow_planes(const OthelloBoard<N>& board, int stride) {
    Slow planes(NetEncoding::othello, N, stride);
    reference::Othello slow{N, std::vector<int>(N * N), 1 + index_of(board.to_move())};
    for (int cell = 0; cell < N * N; ++cell) slow.cell[static_cast<std::size_t>(cell)] = board.cell(cell);
    for (int cell = 0; cell < N * N; ++cell) {
        planes.set(0, cell);
        if (board.cell(cell)) planes.set(board.cell(cell) == slow.to_move ? 1 : 2, cell);
    }
    for (const int cell : slow.turning_moves()) planes.set(3, cell);
    slow.to_move = reference::rival(slow.to_move);
    for (const int cell : slow.turning_moves()) planes.set(4, cell);
    return planes.planes();
}

// The planes of the papers are those of games/planes.h, in a corner.
template <class B>
Planes source_planes(const B& board, NetEncoding encoding, int stride) {
    const Encoding source = encoding == NetEncoding::s3 ? Encoding::s3 : Encoding::s4;
    const int n = board.size();
    std::vector<float> floats(static_cast<std::size_t>(plane_count(source) * n * n));
    write_planes(board, source, floats.data());
    Slow planes(encoding, n, stride);
    for (std::size_t i = 0; i < floats.size(); ++i)
        if (floats[i] != 0) planes.set(static_cast<int>(i) / (n * n), static_cast<int>(i) % (n * n));
    return planes.planes();
}

template <int N>
void check_othello(int games) {
    Random random(N);
    for (int game = 0; game < games; ++game) {
        OthelloBoard<N> board;
        while (!board.outcome().over()) {
            const int stride = N + static_cast<int>(random.below(static_cast<std::uint32_t>(max_size - N + 1)));
            CHECK(planes_of(board, NetEncoding::othello, stride) == slow_planes(board, stride));
            CHECK(planes_of(board, NetEncoding::s3, stride) == source_planes(board, NetEncoding::s3, stride));
            CHECK(planes_of(board, NetEncoding::s4, stride) == source_planes(board, NetEncoding::s4, stride));
            board.play_unchecked(random_action(board, random));
        }
        CHECK(planes_of(board, NetEncoding::othello, N) == slow_planes(board, N));
    }
}

}  // namespace

TEST(gomoku_planes_are_what_the_rules_say) {
    Random random(1);
    for (int round = 0; round < check::rounds(480); ++round) {
        const Rule rule = all_rules[round % 4];
        const int size = 5 + round / 4 % 18;
        const GomokuBoard board = random_board(GomokuRules::get(rule, size, 5), random);
        const int stride = size + static_cast<int>(random.below(static_cast<std::uint32_t>(max_size - size + 1)));
        CHECK_NOTE(planes_of(board, NetEncoding::gomoku, stride) == slow_planes(board, stride),
                   std::string(rule_name(rule)) + " " + std::to_string(size) + " in " + std::to_string(stride));
        CHECK(planes_of(board, NetEncoding::s3, stride) == source_planes(board, NetEncoding::s3, stride));
        CHECK(planes_of(board, NetEncoding::s4, stride) == source_planes(board, NetEncoding::s4, stride));
    }
}

TEST(lines_of_other_lengths_have_planes_too) {
    Random random(2);
    for (int round = 0; round < check::rounds(60); ++round) {
        const int win = 3 + round % 4, size = win + static_cast<int>(random.below(5));
        const Rule rule = std::array{Rule::freestyle, Rule::standard, Rule::caro}[static_cast<std::size_t>(round / 4 % 3)];
        GomokuBoard board(GomokuRules::get(rule, size, win));
        for (int left = static_cast<int>(random.below(12)); left > 0 && !board.outcome().over(); --left)
            board.play_unchecked(random_action(board, random));
        if (board.outcome().over()) board.undo();
        CHECK_NOTE(planes_of(board, NetEncoding::gomoku, size) == slow_planes(board, size), rule_name(rule));
    }
}

TEST(planes_follow_a_position_down_a_tree_and_back) {
    Random random(3);
    for (int round = 0; round < check::rounds(40); ++round) {
        const int size = 7 + round % 16;
        PuctPosition<GomokuBoard> position(GomokuBoard(GomokuRules::get(all_rules[round % 4], size, 5)));
        const auto planes = [&](NetEncoding encoding) {
            return written(encoding, size, [&](std::uint8_t* out) { position.write_input(encoding, size, out); });
        };
        for (int walk = 0; walk < 6; ++walk) {
            const Planes before = planes(NetEncoding::gomoku);
            for (int ply = 0; ply < 25 && !position.board().outcome().over(); ++ply)
                position.play(random_action(position.board(), random));
            for (const NetEncoding encoding : {NetEncoding::gomoku, NetEncoding::s3, NetEncoding::s4})
                CHECK(planes(encoding) == planes_of(position.board(), encoding, size));
            position.rewind();
            CHECK(planes(NetEncoding::gomoku) == before);
            position.play(random_action(position.board(), random));
            position.settle_root();
            if (position.board().outcome().over()) break;
        }
    }
}

TEST(a_turned_board_has_turned_planes) {
    Random random(4);
    for (int round = 0; round < check::rounds(80); ++round) {
        const int size = 5 + static_cast<int>(random.below(18)), symmetry = round % 8;
        const GomokuRules& rules = GomokuRules::get(all_rules[round / 8 % 4], size, 5);
        const GomokuBoard board = random_board(rules, random);
        std::vector<std::uint8_t> cells(static_cast<std::size_t>(size * size));
        for (int i = 0; i < size * size; ++i)
            cells[static_cast<std::size_t>(turned(i, size, symmetry))] = static_cast<std::uint8_t>(board.cell(i));
        const GomokuBoard other(rules, cells, board.to_move());
        CHECK(planes_of(other, NetEncoding::gomoku, size) == turned(planes_of(board, NetEncoding::gomoku, size), size,
            symmetry));
    }
    OthelloBoard<8> board;
    while (!board.outcome().over()) {
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            std::vector<std::uint8_t> cells(64);
            for (int i = 0; i < 64; ++i)
                cells[static_cast<std::size_t>(turned(i, 8, symmetry))] = static_cast<std::uint8_t>(board.cell(i));
            CHECK(planes_of(OthelloBoard<8>(cells, board.to_move()), NetEncoding::othello, 8) ==
                  turned(planes_of(board, NetEncoding::othello, 8), 8, symmetry));
        }
        board.play_unchecked(random_action(board, random));
    }
}

TEST(othello_planes_are_what_the_rules_say) {
    check_othello<4>(check::rounds(20));
    check_othello<6>(check::rounds(10));
    check_othello<8>(check::rounds(10));
    check_othello<10>(check::rounds(10));
}

TEST(a_network_of_another_game_is_refused) {
    const auto refused = [](auto call) {
        try {
            call();
        } catch (const GameError&) {
            return true;
        }
        return false;
    };
    CHECK(refused([] { check_encoding<GomokuBoard>(NetEncoding::othello); }));
    CHECK(refused([] { check_encoding<OthelloBoard<6>>(NetEncoding::gomoku); }));
    for (const NetEncoding source : {NetEncoding::s3, NetEncoding::s4}) {
        CHECK(!refused([&] { check_encoding<GomokuBoard>(source); }));
        CHECK(!refused([&] { check_encoding<OthelloBoard<10>>(source); }));
    }
    for (const NetEncodingInfo& info : net_encodings) CHECK(plane_count(info.encoding) == info.planes);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
