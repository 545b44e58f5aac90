// The Othello search, and what its evaluation is fitted from.
#include "bind/search.h"
#include "search/othello/othello_search.h"
#include "search/othello/selfplay.h"

namespace tengen {
namespace {

using Positions = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::uint8_t> as_span(const std::optional<nb::bytes>& bytes) {
    if (!bytes) return {};
    // A given but empty object is no table either: let the reader say so.
    static constexpr std::uint8_t nothing = 0;
    if (bytes->size() == 0) return {&nothing, 1};
    return {reinterpret_cast<const std::uint8_t*>(bytes->c_str()), bytes->size()};
}

OthelloEvaluation make_evaluation(const std::optional<nb::bytes>& tables) {
    return tables ? OthelloEvaluation(as_span(tables)) : OthelloEvaluation();
}

template <class T>
NumpyArray<T> to_array(const std::vector<T>& values) {
    T* data;
    auto array = new_array<T>({values.size()}, &data);
    std::copy(values.begin(), values.end(), data);
    return array;
}

template <int N>
void bind_size(nb::class_<OthelloSearch>& c) {
    c.def("search", [](OthelloSearch& self, const OthelloBoard<N>& board, std::optional<double> seconds,
                       std::optional<std::uint64_t> nodes, std::optional<int> depth, int lines, nb::object on_report) {
        const SearchLimits limits = make_limits(seconds, nodes, depth, lines);
        const OnReport observer = make_observer(std::move(on_report));
        // The board is the caller's, who may play on it while we search.
        const OthelloBoard<N> root = board;
        nb::gil_scoped_release release;
        return self.search(root, limits, observer);
    }, nb::arg("board"), nb::arg("seconds") = nb::none(), nb::arg("nodes") = nb::none(), nb::arg("depth") = nb::none(),
       nb::arg("lines") = 1, nb::arg("on_report") = nb::none());
}

using Weights = nb::ndarray<const std::int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::bytes make_tables(const Weights& weights, const std::vector<float>& middle, const std::vector<float>& end) {
    OthelloTablesHeader header;
    header.weights_per_phase = static_cast<std::uint32_t>(othello_weights_per_phase());
    if (weights.shape(0) != othello_phases || weights.shape(1) != header.weights_per_phase || middle.size() != 4 ||
        end.size() != 4)
        throw GameError("tables need weights [" + std::to_string(othello_phases) + ", " +
                        std::to_string(header.weights_per_phase) + "] and two times four coefficients");
    std::copy_n(middle.begin(), 4, header.errors.middle.begin());
    std::copy_n(end.begin(), 4, header.errors.end.begin());
    const auto* body = reinterpret_cast<const std::uint8_t*>(weights.data());
    header.checksum = othello_checksum({body, weights.nbytes()});
    std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
    bytes.append(reinterpret_cast<const char*>(body), weights.nbytes());
    return nb::bytes(bytes.data(), bytes.size());
}

// For tengen.fit.othello_eval.
void bind_fitting(nb::module_& m) {
    m.def("othello_self_play", [](std::optional<nb::bytes> evaluation, std::uint64_t seed, int first_game, int games,
                                  int depth, int random_min, int random_max, int foresight, int exact_empties) {
        const OthelloEvaluation tables = make_evaluation(evaluation);
        const OthelloSelfPlay plan{seed, first_game, games, depth, random_min, random_max, foresight, exact_empties};
        OthelloSamples samples;
        {
            nb::gil_scoped_release release;
            samples = othello_self_play(tables, plan);
        }
        return std::make_tuple(to_array(samples.own), to_array(samples.rival), to_array(samples.score),
                               to_array(samples.foreseen));
    }, nb::arg("evaluation") = nb::none(), nb::arg("seed") = 0, nb::arg("first_game") = 0, nb::arg("games") = 1,
       nb::arg("depth") = 4, nb::arg("random_min") = 8, nb::arg("random_max") = 24, nb::arg("foresight") = 8,
       nb::arg("exact_empties") = 14,
       "Positions (own, rival, final score, score some plies later) of games that the search plays itself.");
    m.def("othello_depth_scores", [](std::optional<nb::bytes> evaluation, const Positions& own, const Positions& rival,
                                     int depth) {
        const OthelloEvaluation tables = make_evaluation(evaluation);
        std::vector<std::int8_t> scores;
        {
            nb::gil_scoped_release release;
            scores = othello_depth_scores(tables, {own.data(), own.size()}, {rival.data(), rival.size()}, depth);
        }
        return to_array(scores);
    }, nb::arg("evaluation").none(), nb::arg("own"), nb::arg("rival"), nb::arg("depth"),
       "Scores in discs of a search to `depth` plies; 64: to the end.");
    m.def("othello_weight_ids", [](const Positions& own, const Positions& rival) {
        if (own.size() != rival.size()) throw GameError("own and rival must be of one length");
        std::uint32_t* ids;
        auto array = new_array<std::uint32_t>({own.size(), othello_features}, &ids);
        for (std::size_t i = 0; i < own.size(); ++i, ids += othello_features)
            othello_weight_ids(own.data()[i], rival.data()[i], ids);
        return array;
    }, nb::arg("own"), nb::arg("rival"), "[n, features] the weights of its phase that each position uses.");
    m.def("othello_tables", &make_tables, nb::arg("weights"), nb::arg("middle"), nb::arg("end"),
          "The bytes that OthelloSearch takes as its evaluation.");
    m.def("othello_tables_shape", [] {
        return std::make_tuple(othello_phases, othello_weights_per_phase(), int{OthelloTablesHeader{}.units_per_disc});
    }, "(phases, weights per phase, units per disc).");
}

}  // namespace

void bind_othello_search(nb::module_& m) {
    nb::class_<OthelloSearch> c(m, "OthelloSearch");
    c.def("__init__", [](OthelloSearch* self, int hash_mb, std::optional<nb::bytes> evaluation) {
        new (self) OthelloSearch(OthelloSearchOptions{.hash_mb = hash_mb}, as_span(evaluation));
    }, nb::arg("hash_mb") = 32, nb::arg("evaluation") = nb::none());
    bind_size<4>(c);
    bind_size<6>(c);
    bind_size<8>(c);
    bind_size<10>(c);
    c.def("stop", &OthelloSearch::stop, "From any thread: ends the search that runs now.");
    c.def("clear", &OthelloSearch::clear, "Forgets what earlier searches found.");
    bind_fitting(m);
}

}  // namespace tengen
