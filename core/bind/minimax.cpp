// S1's minimax.
#include "search/minimax.h"

#include "bind/search.h"
#include "patterns/shapes.h"

namespace tengen {

void bind_minimax(nb::module_& m) {
    nb::class_<Minimax> c(m, "Minimax");
    c.def("__init__", [](Minimax* self, int depth, std::uint64_t seed, bool draws) { new (self) Minimax({depth, seed, draws}); },
          nb::arg("depth") = MinimaxOptions{}.depth, nb::arg("seed") = 0, nb::arg("draws") = true);
    c.def("search", [](Minimax& self, const ShapedGomoku& board, std::optional<double> seconds,
                       std::optional<std::uint64_t> nodes, std::optional<int> depth, int lines, nb::object on_report) {
        const SearchLimits limits = make_limits(seconds, nodes, depth, lines);
        const OnReport observer = make_observer(std::move(on_report));
        const GomokuBoard root = board;  // the caller may play on it while we search
        nb::gil_scoped_release release;
        return self.search(root, limits, observer);
    }, nb::arg("board"), nb::arg("seconds") = nb::none(), nb::arg("nodes") = nb::none(), nb::arg("depth") = nb::none(),
       nb::arg("lines") = 1, nb::arg("on_report") = nb::none());
    c.def("stop", &Minimax::stop, "From any thread: ends the search that runs now.");
    c.def("clear", &Minimax::clear, "Starts the generator anew from the seed.");
    c.def_prop_ro("best_moves", &Minimax::best_moves, "The moves of equal value that the last search chose from.");
    m.def("window_total", [](const ShapedGomoku& board, int side) { return window_total(board, parse_side(side)); },
          nb::arg("board"), nb::arg("side"), "S1's evaluation of the stones of one side.");
}

}  // namespace tengen
