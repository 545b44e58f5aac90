// UCT: one class per board type, made by uct().
#include "search/uct.h"

#include <initializer_list>
#include <utility>

#include "bind/search.h"
#include "patterns/shapes.h"

namespace tengen {
namespace {

template <class E>
E parse_word(const std::string& word, const char* what, std::initializer_list<std::pair<const char*, E>> known) {
    std::string names;
    for (const auto& [name, value] : known) {
        if (word == name) return value;
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    throw GameError("mcts: " + std::string(what) + " cannot be '" + word + "'; it is one of " + names);
}

UctOptions make_options(const std::string& leaf, const std::string& parallel, int threads, const std::string& counts,
                        double c, int near, int memory, std::uint64_t seed) {
    UctOptions o;
    o.leaf = parse_word<UctLeaf>(leaf, "leaf", {{"random", UctLeaf::random}, {"expert", UctLeaf::expert}});
    o.parallel = parse_word<UctParallel>(parallel, "parallel",
                                         {{"none", UctParallel::none},
                                          {"leaf", UctParallel::leaf},
                                          {"root", UctParallel::root},
                                          {"tree", UctParallel::tree}});
    o.counts = parse_word<UctCounts>(counts, "counts",
                                     {{"wu", UctCounts::unobserved}, {"vloss", UctCounts::virtual_loss}});
    o.threads = threads;
    o.exploration = c;
    o.near = near;
    o.memory = memory;
    o.seed = seed;
    return o;
}

// `B`: the board of the search; `Given`: the one that Python holds.
template <class B, class Given>
void bind_board(nb::module_& m, const char* name) {
    const UctOptions standard;
    nb::class_<Uct<B>> c(m, name);
    c.def("search", [](Uct<B>& self, const Given& board, std::optional<double> seconds,
                       std::optional<std::uint64_t> nodes, int lines, nb::object on_report) {
        const SearchLimits limits = make_limits(seconds, nodes, std::nullopt, lines);
        const OnReport observer = make_observer(std::move(on_report));
        const B root = board;  // the caller may play on it while we search
        nb::gil_scoped_release release;
        return self.search(root, limits, observer);
    }, nb::arg("board"), nb::arg("seconds") = nb::none(), nb::arg("nodes") = nb::none(), nb::arg("lines") = 1,
       nb::arg("on_report") = nb::none(), "Nodes are playouts.");
    c.def("stop", &Uct<B>::stop, "From any thread: ends the search that runs now.");
    c.def("clear", &Uct<B>::clear, "Forgets the tree and starts the generators anew from the seed.");
    c.def("root_moves", [](const Uct<B>& self) {
        std::vector<std::tuple<int, std::uint64_t, double>> moves;
        for (const RootMove& move : self.root_moves()) moves.emplace_back(move.action, move.visits, move.value);
        return moves;
    }, "(action, visits, value) of the last search, best first.");
    c.def_prop_ro("tree_nodes", &Uct<B>::tree_nodes);
    m.def("uct", [](const Given&, const std::string& leaf, const std::string& parallel, int threads,
                    const std::string& counts, double c, int near, int memory, std::uint64_t seed) {
        return std::make_unique<Uct<B>>(make_options(leaf, parallel, threads, counts, c, near, memory, seed));
    }, nb::arg("board"), nb::arg("leaf") = "random", nb::arg("parallel") = "none",
       nb::arg("threads") = standard.threads, nb::arg("counts") = "wu",
       nb::arg("c") = standard.exploration, nb::arg("near") = standard.near, nb::arg("memory") = standard.memory,
       nb::arg("seed") = 0, "A search for boards like this one.");
}

}  // namespace

void bind_uct(nb::module_& m) {
    bind_board<GomokuBoard, ShapedGomoku>(m, "GomokuUct");
    bind_board<OthelloBoard<4>, OthelloBoard<4>>(m, "OthelloUct4");
    bind_board<OthelloBoard<6>, OthelloBoard<6>>(m, "OthelloUct6");
    bind_board<OthelloBoard<8>, OthelloBoard<8>>(m, "OthelloUct8");
    bind_board<OthelloBoard<10>, OthelloBoard<10>>(m, "OthelloUct10");
}

}  // namespace tengen
