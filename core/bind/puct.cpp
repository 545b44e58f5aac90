// A network's search: one class per board type, made by puct(), and the planes that networks read.
#include "search/puct.h"

#include <nanobind/stl/shared_ptr.h>

#include <utility>

#include "bind/net.h"
#include "bind/search.h"
#include "patterns/shapes.h"
#include "search/puct_position.h"

namespace tengen {
namespace {

PuctCounts parse_counts(const std::string& word) {
    if (word == "wu") return PuctCounts::unobserved;
    if (word == "vloss") return PuctCounts::virtual_loss;
    if (word == "none") return PuctCounts::none;
    throw GameError("alphazero: counts cannot be '" + word + "'; it is one of wu, vloss, none");
}

// `B`: the board of the search; `Given`: the one that Python holds.
template <class B, class Given>
void bind_board(nb::module_& m, const char* name) {
    const PuctOptions standard;
    nb::class_<Puct<B>> c(m, name);
    c.def("search", [](Puct<B>& self, const Given& board, std::optional<double> seconds,
                       std::optional<std::uint64_t> nodes, int lines, nb::object on_report) {
        const SearchLimits limits = make_limits(seconds, nodes, std::nullopt, lines);
        const OnReport observer = make_observer(std::move(on_report));
        const B root = board;  // the caller may play on it while we search
        nb::gil_scoped_release release;
        return self.search(root, limits, observer);
    }, nb::arg("board"), nb::arg("seconds") = nb::none(), nb::arg("nodes") = nb::none(), nb::arg("lines") = 1,
       nb::arg("on_report") = nb::none(), "Nodes are playouts.");
    c.def("stop", &Puct<B>::stop, "From any thread: ends the search that runs now.");
    c.def("clear", &Puct<B>::clear, "Forgets the tree.");
    c.def("root_moves", [](const Puct<B>& self) {
        std::vector<std::tuple<int, std::uint64_t, double, double>> moves;
        for (const RootMove& move : self.root_moves()) moves.emplace_back(move.action, move.visits, move.value, move.prior);
        return moves;
    }, "(action, visits, value, prior) of the last search, best first.");
    c.def_prop_ro("tree_nodes", &Puct<B>::tree_nodes);
    c.def_prop_ro("evaluations", &Puct<B>::evaluations, "Positions that the network judged in the last search.");
    m.def("puct", [](const Given&, std::shared_ptr<Evaluator> evaluator, const std::string& encoding, int threads, int batch,
                     const std::string& counts, double c, double first_play, int moves, int effort, int vct,
                     int memory) {
        PuctOptions o;
        o.encoding = parse_net_encoding(encoding);
        o.threads = threads;
        o.batch = batch;
        o.counts = parse_counts(counts);
        o.exploration = c;
        o.first_play = first_play;
        o.moves = moves;
        o.effort = effort;
        o.vct = vct;
        o.memory = memory;
        return std::make_unique<Puct<B>>(std::move(evaluator), o);
    }, nb::arg("board"), nb::arg("evaluator"), nb::arg("encoding"), nb::arg("threads") = standard.threads,
       nb::arg("batch") = standard.batch, nb::arg("counts") = "wu", nb::arg("c") = standard.exploration,
       nb::arg("first_play") = standard.first_play, nb::arg("moves") = standard.moves,
       nb::arg("effort") = std::is_same_v<B, GomokuBoard> ? standard.effort : 10, nb::arg("vct") = standard.vct, nb::arg("memory") = standard.memory,
       "A search for boards like this one.");
    m.def("net_planes", [](const Given& board, const std::string& encoding) {
        const NetEncoding parsed = parse_net_encoding(encoding);
        check_encoding<B>(parsed);
        std::uint8_t* planes = nullptr;
        const auto size = static_cast<std::size_t>(board.size());
        auto array = new_array<std::uint8_t>({static_cast<std::size_t>(plane_count(parsed)), size, size}, &planes);
        PuctPosition<B>(board).write_input(parsed, board.size(), planes);
        return array;
    }, nb::arg("board"), nb::arg("encoding"), "The planes [planes, size, size] that a network of this encoding reads.");
}

}  // namespace

void bind_puct(nb::module_& m) {
    bind_board<GomokuBoard, ShapedGomoku>(m, "GomokuPuct");
    bind_board<OthelloBoard<4>, OthelloBoard<4>>(m, "OthelloPuct4");
    bind_board<OthelloBoard<6>, OthelloBoard<6>>(m, "OthelloPuct6");
    bind_board<OthelloBoard<8>, OthelloBoard<8>>(m, "OthelloPuct8");
    bind_board<OthelloBoard<10>, OthelloBoard<10>>(m, "OthelloPuct10");
    m.def("net_plane_count", [](const std::string& encoding) { return plane_count(parse_net_encoding(encoding)); },
          nb::arg("encoding"));
}

}  // namespace tengen
