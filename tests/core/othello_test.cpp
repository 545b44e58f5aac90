#include "games/othello.h"

#include "check.h"
#include "games/counting.h"
#include "games/random.h"
#include "reference.h"

using namespace tengen;

namespace {

template <int N>
reference::Othello same_board(const OthelloBoard<N>& board) {
    reference::Othello slow = reference::Othello::start(N);
    for (int i = 0; i < N * N; ++i) slow.cell[static_cast<std::size_t>(i)] = board.cell(i);
    slow.to_move = 1 + index_of(board.to_move());
    return slow;
}

template <int N>
void check_position(const OthelloBoard<N>& board) {
    const reference::Othello slow = same_board(board);
    CHECK(board.outcome().over() == slow.over());
    const std::vector<int> right = slow.legal();
    std::vector<std::uint8_t> mask(N * N + 1);
    board.legal_mask(mask.data());
    for (int i = 0; i <= N * N; ++i) {
        const bool legal = std::find(right.begin(), right.end(), i) != right.end();
        CHECK(board.is_legal(i) == legal && (mask[static_cast<std::size_t>(i)] != 0) == legal);
        if (!legal || i == N * N) continue;
        std::vector<int> turned, expected = slow.flips(i);
        for (auto left = board.flips(i); left; left &= left - 1) turned.push_back(OthelloBits<N>::cell_of(lowest_bit(left)));
        std::sort(expected.begin(), expected.end());
        CHECK(turned == expected);
    }
    CHECK(board.count_legal() == static_cast<int>(right.size()));
}

template <int N>
void play_random_games(int games) {
    Random random(N);
    int passes = 0;
    for (int game = 0; game < games; ++game) {
        OthelloBoard<N> board;
        std::vector<std::uint64_t> hashes;
        while (!board.outcome().over()) {
            check_position(board);
            hashes.push_back(board.hash());
            const int action = random_action(board, random);
            passes += action == OthelloBoard<N>::pass;
            board.play_unchecked(action);
        }
        check_position(board);
        const int black = board.count(Side::black), white = board.count(Side::white);
        CHECK(board.outcome().result == (black > white ? Result::black_wins : white > black ? Result::white_wins : Result::draw));
        for (; board.ply() > 0; hashes.pop_back()) {
            board.undo();
            CHECK(board.hash() == hashes.back() && !board.outcome().over());
        }
        CHECK(board.count(Side::black) == 2 && board.count(Side::white) == 2);
    }
    if (N > 4 && games > 50) CHECK(passes > 0);
}

}  // namespace

TEST(perft_has_its_known_counts) {
    const std::uint64_t known[] = {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284};
    const OthelloBoard<8> board;
    const int deepest = check::rounds(100) < 100 ? 7 : 10;
    for (int depth = 0; depth <= deepest; ++depth) CHECK(perft(board, depth) == known[depth]);
}

TEST(perft_of_other_sizes_agrees_with_the_reference) {
    for (int depth = 0; depth <= 6; ++depth) {
        const auto right = [&](int size) {
            return static_cast<std::uint64_t>(reference::perft(reference::Othello::start(size), depth));
        };
        CHECK(perft(OthelloBoard<4>(), depth) == right(4));
        CHECK(perft(OthelloBoard<6>(), depth) == right(6));
        CHECK(perft(OthelloBoard<10>(), depth) == right(10));
    }
}

TEST(perft_counts_passes_and_finished_games) {
    // From late positions, where both are common.
    Random random(21);
    for (int round = 0; round < check::rounds(150); ++round) {
        OthelloBoard<6> board;
        while (!board.outcome().over() && board.ply() < 26) board.play_unchecked(random_action(board, random));
        CHECK(perft(board, 4) == static_cast<std::uint64_t>(reference::perft(same_board(board), 4)));
    }
}

TEST(random_games_agree_with_the_reference) {
    play_random_games<4>(check::rounds(200));
    play_random_games<6>(check::rounds(200));
    play_random_games<8>(check::rounds(200));
    play_random_games<10>(check::rounds(100));
}

TEST(random_setups_agree_with_the_reference) {
    Random random(31);
    for (int round = 0; round < check::rounds(3000); ++round) {
        std::vector<std::uint8_t> cells(64);
        const std::uint32_t density = 2 + random.below(8);
        for (auto& cell : cells) cell = random.below(10) < density ? static_cast<std::uint8_t>(1 + random.below(2)) : 0;
        check_position(OthelloBoard<8>(cells, random.below(2) ? Side::white : Side::black));
    }
}

TEST(plain_and_vector_code_agree) {
    Random random(41);
    for (int round = 0; round < check::rounds(20000); ++round) {
        const std::uint64_t taken = random.next() & (random.below(2) ? random.next() : ~std::uint64_t{0}), own = taken & random.next(),
                            rival = taken & ~own;
        using Bits = OthelloBits<8>;
        CHECK(Bits::moves(own, rival) == Bits::moves_plain(own, rival));
        for (std::uint64_t left = ~taken; left; left &= left - 1)
            CHECK(Bits::flips(lowest_bit(left), own, rival) == Bits::flips_plain(lowest_bit(left), own, rival));
    }
}

TEST(random_actions_are_uniform) {
    const OthelloBoard<8> board;
    Random random(5);
    std::array<int, 65> hits{};
    for (int i = 0; i < 40000; ++i) ++hits[static_cast<std::size_t>(random_action(board, random))];
    for (int i = 0; i < 65; ++i)
        CHECK(board.is_legal(i) ? std::abs(hits[static_cast<std::size_t>(i)] - 10000) < 450 : hits[static_cast<std::size_t>(i)] == 0);
}

int main(int argc, char** argv) { return check::run_all(argc, argv); }
