// One thread of an alpha-beta search. Internal to search/alphabeta.cpp.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "search/alphabeta.h"
#include "search/threat_board.h"
#include "search/threat_search.h"

namespace tengen {

class AlphaBetaWorker {
public:
    AlphaBetaWorker(const AlphaBetaOptions& options, TranspositionTable& table, SearchControl& control, int index);

    void clear();
    void begin(const GomokuBoard& board);
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }

    // Deepens until a limit; reports every finished depth.
    SearchReport run(const OnReport& on_report, const std::function<std::uint64_t()>& all_nodes);

private:
    static constexpr int max_ply = 250;
    static constexpr int max_moves = max_cells;

    struct ScoredMove {
        std::int16_t point;
        std::int32_t score;
    };
    using MoveList = std::vector<ScoredMove>;
    struct RootMove {
        int point;
        int score;
        std::vector<int> line;
    };

    int search(int alpha, int beta, int depth, int ply, bool cut_node);
    int search_moves(int alpha, int beta, int depth, int ply, bool cut_node, int evaluation, bool defending, MoveList& moves,
                     int table_move);
    int leaf(int ply);
    bool vcf_wins(int ply, int plies, std::uint64_t nodes, int& score);
    bool root_vct_wins();
    int search_root(int alpha, int beta, int depth, std::size_t line);
    std::size_t search_lines(int depth);
    void root_moves();
    void list_moves(MoveList& moves, int table_move, int ply) const;
    void list_defences(MoveList& moves, int table_move, int ply) const;
    void add_move(MoveList& moves, int point, int table_move, int ply) const;
    void reward(int point, int depth, int ply, const MoveList& tried, std::size_t count);
    void update_line(int ply, int point);
    SearchReport report(int depth, std::size_t lines) const;
    bool poll();

    const AlphaBetaOptions& options_;
    TranspositionTable& table_;
    SearchControl& control_;
    int index_;
    std::unique_ptr<ThreatBoard> board_;
    ThreatSearch threats_;
    std::atomic<std::uint64_t> nodes_{0};
    std::uint64_t poll_every_ = 512;
    int deepest_ = 0;
    std::vector<RootMove> root_;
    std::array<std::array<int, max_cells>, 2> history_{};
    std::array<std::array<std::int16_t, 2>, max_ply + 4> killers_{};
    std::array<std::vector<std::int16_t>, max_ply + 4> lines_;
    std::array<MoveList, max_ply + 4> lists_;
};

}  // namespace tengen
