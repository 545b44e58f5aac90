// The results of every searcher.
#include "bind/search.h"

namespace tengen {

void bind_search(nb::module_& m) {
    nb::class_<SearchLine>(m, "SearchLine")
        .def_ro("moves", &SearchLine::moves, "Actions, the move itself first.")
        .def_ro("value", &SearchLine::value, "-1 (lost) .. 1 (won), from the mover's side.")
        .def_ro("score", &SearchLine::score, "In the evaluation's own unit; for Othello discs * 100.")
        .def_prop_ro("proof", [](const SearchLine& line) { return static_cast<int>(line.proof); },
                     "0 none, 1 won, 2 lost, 3 exact.")
        .def_ro("distance", &SearchLine::distance, "Plies to the end, where proven won or lost.")
        .def_ro("depth", &SearchLine::depth, "Plies searched in full.");
    nb::class_<SearchReport>(m, "SearchReport")
        .def_ro("lines", &SearchReport::lines, "Best first; empty only if the game is over.")
        .def_ro("nodes", &SearchReport::nodes)
        .def_ro("seconds", &SearchReport::seconds)
        .def_ro("depth", &SearchReport::depth)
        .def_ro("selective_depth", &SearchReport::selective_depth, "The deepest ply looked at.");
}

}  // namespace tengen
