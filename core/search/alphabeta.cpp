#include "search/alphabeta.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "games/random.h"
#include "search/alphabeta_worker.h"

namespace tengen {
namespace {

int checked(const char* what, int value, int low, int high) {
    if (value < low || value > high)
        throw GameError(std::string(what) + " must be " + std::to_string(low) + ".." + std::to_string(high) + ", not " +
                        std::to_string(value));
    return value;
}

}  // namespace

AlphaBeta::AlphaBeta(const AlphaBetaOptions& options)
    : options_(options), table_(static_cast<std::size_t>(checked("hash_mb", options.hash_mb, 1, 65536))) {
    checked("threads", options.threads, 1, 64);
    checked("vct_plies", options.vct_plies, 0, 40);
    for (int i = 0; i < options.threads; ++i)
        workers_.push_back(std::make_unique<AlphaBetaWorker>(options_, table_, control_, i));
}

AlphaBeta::~AlphaBeta() = default;

void AlphaBeta::clear() {
    table_.clear();
    for (const auto& worker : workers_) worker->clear();
}

// The helpers search the same position beside the first thread and leave what
// they find in the table; the first one's result counts.
SearchReport AlphaBeta::search(const GomokuBoard& board, const SearchLimits& limits, const OnReport& on_report) {
    if (board.outcome().over()) return {};
    control_.begin(limits);
    for (const auto& worker : workers_) worker->begin(board);
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < workers_.size(); ++i) helpers.emplace_back([&, i] { workers_[i]->run({}, {}); });
    const auto all_nodes = [&] {
        std::uint64_t nodes = 0;
        for (const auto& worker : workers_) nodes += worker->nodes();
        return nodes;
    };
    SearchReport report = workers_[0]->run(on_report, all_nodes);
    control_.stop();
    for (std::thread& helper : helpers) helper.join();
    report.nodes = all_nodes();
    report.seconds = control_.seconds();
    return report;
}

}  // namespace tengen
