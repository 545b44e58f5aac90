// Gomoku's alpha-beta and threat search.
#include "bind/search.h"
#include "patterns/shapes.h"
#include "search/alphabeta.h"
#include "search/threat_search.h"

namespace tengen {
namespace {

SearchReport run(AlphaBeta& self, const ShapedGomoku& board, std::optional<double> seconds, std::optional<std::uint64_t> nodes,
                 std::optional<int> depth, int lines, nb::object on_report) {
    const SearchLimits limits = make_limits(seconds, nodes, depth, lines);
    const OnReport observer = make_observer(std::move(on_report));
    const GomokuBoard root = board;  // the caller may play on while we search
    const nb::gil_scoped_release release;
    return self.search(root, limits, observer);
}

std::tuple<int, std::vector<int>, std::uint64_t> solve(const ShapedGomoku& board, const std::string& kind, int plies,
                                                       std::uint64_t nodes, std::optional<double> seconds) {
    if (kind != "vcf" && kind != "vct") throw GameError("the threat searches are vcf and vct, not '" + kind + "'");
    if (plies < 1 || plies > 400) throw GameError("plies must be 1..400, not " + std::to_string(plies));
    SearchControl control;
    control.begin(make_limits(seconds, nodes, {}, 1));
    const GomokuBoard root = board;
    const nb::gil_scoped_release release;
    if (root.outcome().over()) return {static_cast<int>(ThreatVerdict::none), {}, 0};
    ThreatBoard threats(root);
    ThreatSearch search(1 << 20);
    std::vector<int> line;
    const ThreatVerdict verdict =
        search.search(threats, kind == "vcf" ? ThreatKind::vcf : ThreatKind::vct, plies, nodes, &line, &control);
    return {static_cast<int>(verdict), line, search.nodes()};
}

// What the evaluation adds up, for fitting it: how often each pick of shapes
// stands at a point, for the side to move and for the other.
std::tuple<std::vector<int>, std::vector<int>, int, bool> features(const ShapedGomoku& board) {
    const ThreatBoard threats(board);
    const Side me = board.to_move(), foe = other(me);
    std::vector<int> moving(shape_picks), waiting(shape_picks);
    for (int point = 0; point < threats.cells(); ++point) {
        if (!threats.is_empty(point)) continue;
        ++moving[static_cast<std::size_t>(shape_pick(threats.shapes(me, point)))];
        ++waiting[static_cast<std::size_t>(shape_pick(threats.shapes(foe, point)))];
    }
    const bool settled = threats.fives(me).any() || threats.fives(foe).any() || has_legal_winning_four(threats, me);
    return {moving, waiting, threats.evaluate(), settled};
}

}  // namespace

void bind_alphabeta(nb::module_& m) {
    nb::class_<AlphaBeta>(m, "AlphaBeta")
        .def("__init__", [](AlphaBeta* self, int threads, int hash_mb, bool plain, int vct_plies, std::uint64_t seed) {
            new (self) AlphaBeta({threads, hash_mb, plain, vct_plies, seed});
        }, nb::arg("threads") = 1, nb::arg("hash_mb") = 64, nb::arg("plain") = false, nb::arg("vct_plies") = 0, nb::arg("seed") = 0)
        .def("search", &run, nb::arg("board"), nb::arg("seconds") = nb::none(), nb::arg("nodes") = nb::none(),
             nb::arg("depth") = nb::none(), nb::arg("lines") = 1, nb::arg("on_report") = nb::none())
        .def("stop", &AlphaBeta::stop, "From any thread: ends the search that runs now.")
        .def("clear", &AlphaBeta::clear, "Forgets what earlier searches found.");
    m.def("gomoku_features", &features, nb::arg("board"),
          "(counts for the mover, counts for the other, evaluation, whether fours settle it)");
    m.def("gomoku_shape_picks", [] {
        std::vector<std::vector<int>> picks(shape_picks);
        for (int i = 0; i < shapes4_count; ++i)
            picks[static_cast<std::size_t>(shape_pick(static_cast<Shapes4>(i)))] = {i & 7, i >> 3 & 7, i >> 6 & 7, i >> 9 & 7};
        return picks;
    }, "The four shapes of each pick, in some order.");
    m.def("solve_threats", &solve, nb::arg("board"), nb::arg("kind"), nb::arg("plies"), nb::arg("nodes"),
          nb::arg("seconds") = nb::none(), "(verdict: 0 none, 1 win, 2 unknown; winning line; nodes)");
}

}  // namespace tengen
