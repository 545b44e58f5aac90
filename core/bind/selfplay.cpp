// Pools of games that a network plays against itself.
#include <nanobind/stl/map.h>

#include <cstring>
#include <map>
#include <utility>

#include "bind/bind.h"
#include "bind/net.h"
#include "selfplay/pool.h"

namespace tengen {
namespace {

using Planes = nb::ndarray<std::uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Variants = std::vector<std::tuple<std::string, int, double>>;

// A game's line in the table of games.
enum Field { variant, result, opening, distance, resigned, move_count, row_count, fields };

std::vector<SelfPlayVariant> parse_variants(const Variants& given) {
    std::vector<SelfPlayVariant> variants;
    for (const auto& [rule, size, weight] : given)
        variants.push_back({rule.empty() ? Rule::freestyle : parse_rule(rule), size, weight});
    return variants;
}

// Numbers by name, as a configuration file has them.
SelfPlayOptions make_options(const Variants& variants, const std::string& encoding, int games, int threads, int stride,
                             std::uint64_t seed, const std::map<std::string, double>& settings) {
    SelfPlayOptions o;
    o.variants = parse_variants(variants);
    o.encoding = parse_net_encoding(encoding);
    o.games = games;
    o.threads = threads;
    o.stride = stride;
    o.seed = seed;
    const std::map<std::string, int*> whole{{"full_visits", &o.full_visits},
                                            {"cheap_visits", &o.cheap_visits},
                                            {"moves", &o.moves},
                                            {"effort", &o.effort},
                                            {"temperature_moves", &o.temperature_moves},
                                            {"opening_least", &o.opening_least},
                                            {"opening_most", &o.opening_most}};
    const std::map<std::string, double*> real{{"full_share", &o.full_share},
                                              {"exploration", &o.exploration},
                                              {"first_play", &o.first_play},
                                              {"noise_weight", &o.noise_weight},
                                              {"noise_total", &o.noise_total},
                                              {"temperature_start", &o.temperature_start},
                                              {"temperature_end", &o.temperature_end},
                                              {"balance", &o.balance},
                                              {"plain_share", &o.plain_share},
                                              {"resign", &o.resign},
                                              {"resign_check", &o.resign_check}};
    for (const auto& [name, value] : settings) {
        if (const auto at = whole.find(name); at != whole.end()) {
            if (!(value >= -1e9 && value <= 1e9) || value != static_cast<int>(value))
                throw GameError("self-play: " + name + " must be a whole number");
            *at->second = static_cast<int>(value);
        } else if (const auto place = real.find(name); place != real.end()) {
            *place->second = value;
        } else {
            throw GameError("self-play: there is no setting '" + name + "'");
        }
    }
    return o;
}

template <class T>
NumpyArray<T> to_array(const std::vector<T>& values) {
    T* data = nullptr;
    auto array = new_array<T>({values.size()}, &data);
    if (!values.empty()) std::memcpy(data, values.data(), values.size() * sizeof(T));
    return array;
}

// Many games as a few arrays: a table of games, and their moves, rows and visits one after the other.
nb::tuple to_arrays(const std::vector<SelfPlayGame>& games) {
    std::vector<std::uint16_t> moves, plies, visit_counts, actions, counts;
    std::vector<float> values;
    std::int32_t* table = nullptr;
    auto table_array = new_array<std::int32_t>({games.size(), std::size_t{fields}}, &table);
    for (const SelfPlayGame& game : games) {
        const std::int32_t line[fields] = {game.variant,  game.result, game.opening, game.distance, game.resigned,
                                           static_cast<std::int32_t>(game.moves.size()),
                                           static_cast<std::int32_t>(game.rows.size())};
        table = std::copy_n(line, int{fields}, table);
        moves.insert(moves.end(), game.moves.begin(), game.moves.end());
        for (const SelfPlayRow& row : game.rows) {
            plies.push_back(row.ply);
            values.push_back(row.value);
            visit_counts.push_back(static_cast<std::uint16_t>(row.visits.size()));
            for (const auto& visits : row.visits) actions.push_back(visits.action), counts.push_back(visits.count);
        }
    }
    return nb::make_tuple(std::move(table_array), to_array(moves), to_array(plies), to_array(values),
                          to_array(visit_counts), to_array(actions), to_array(counts));
}

// Takes values from an array in order. Throws GameError beyond its end, for the arrays may come from a file.
template <class T>
class Reader {
public:
    explicit Reader(const Column<T>& array) : at_(array.data()), left_(array.size()) {}
    T next() {
        if (left_ == 0) throw GameError("self-play: the games are cut short");
        --left_;
        return *at_++;
    }

private:
    const T* at_;
    std::size_t left_;
};

template <class B>
nb::tuple dense_rows(const Table& table, const Column<std::uint16_t>& moves, const Column<std::uint16_t>& plies,
                     const Column<float>& values, const Column<std::uint16_t>& visit_counts,
                     const Column<std::uint16_t>& actions, const Column<std::uint16_t>& counts, const Variants& given,
                     const std::string& encoding_name, int stride) {
    if (table.shape(1) != std::size_t{fields}) throw GameError("self-play: not a table of games");
    if (stride < 3 || stride > max_size) throw GameError("self-play: stride must be 3..22");
    const std::vector<SelfPlayVariant> variants = parse_variants(given);
    const NetEncoding encoding = parse_net_encoding(encoding_name);
    check_encoding<B>(encoding);
    const std::size_t rows = plies.size(), cells = static_cast<std::size_t>(stride * stride);
    const std::size_t policy_size = cells + !std::is_same_v<B, GomokuBoard>;
    const auto side = static_cast<std::size_t>(stride), planes_each = static_cast<std::size_t>(plane_count(encoding));
    std::uint8_t* planes = nullptr;
    float* policy = nullptr;
    std::int16_t* reply = nullptr;
    std::int8_t* result_of = nullptr;
    auto planes_array = new_array<std::uint8_t>({rows, planes_each, side, side}, &planes);
    auto policy_array = new_array<float>({rows, policy_size}, &policy);
    auto reply_array = new_array<std::int16_t>({rows}, &reply);
    auto result_array = new_array<std::int8_t>({rows}, &result_of);
    {
        const nb::gil_scoped_release release;
        Reader<std::uint16_t> next_move(moves), next_ply(plies), next_size(visit_counts), next_action(actions), next_count(counts);
        Reader<float> next_value(values);
        std::size_t done = 0;
        for (std::size_t i = 0; i < table.shape(0); ++i) {
            const std::int32_t* line = table.data() + i * std::size_t{fields};
            SelfPlayGame game;
            if (line[variant] < 0 || line[variant] > 255 || line[result] < -1 || line[result] > 1)
                throw GameError("self-play: not a game");
            game.variant = static_cast<std::uint8_t>(line[variant]);
            game.result = static_cast<std::int8_t>(line[result]);
            for (std::int32_t j = 0; j < line[move_count]; ++j) game.moves.push_back(next_move.next());
            for (std::int32_t j = 0; j < line[row_count]; ++j) {
                SelfPlayRow row{next_ply.next(), next_value.next(), {}};
                for (int left = next_size.next(); left > 0; --left) {
                    const std::uint16_t action = next_action.next();
                    row.visits.push_back({action, next_count.next()});
                }
                game.rows.push_back(std::move(row));
            }
            write_rows<B>(game, variants, encoding, stride, planes + done * planes_each * cells, policy + done * policy_size,
                          reply + done, result_of + done);
            done += game.rows.size();
        }
        if (done != rows) throw GameError("self-play: more rows than the games have");
    }
    return nb::make_tuple(std::move(planes_array), std::move(policy_array), std::move(reply_array), std::move(result_array));
}

constexpr auto games_signature =
    "def take_games(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.uint16], "
    "NDArray[numpy.float32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.uint16]]";
constexpr auto rows_signature =
    "def dense_rows(table: NDArray[numpy.int32], moves: NDArray[numpy.uint16], plies: NDArray[numpy.uint16], "
    "values: NDArray[numpy.float32], visit_sizes: NDArray[numpy.uint16], actions: NDArray[numpy.uint16], "
    "counts: NDArray[numpy.uint16], variants: Sequence[tuple[str, int, float]], encoding: str, stride: int) "
    "-> tuple[NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.int16], NDArray[numpy.int8]]";

template <class B>
void bind_board(nb::module_& m, const char* name) {
    using Pool = SelfPlayPool<B>;
    nb::class_<Pool> c(m, name);
    c.def("__init__",
          [](Pool* self, const Variants& variants, const std::string& encoding, int games, int threads, int stride,
             std::uint64_t seed, const std::map<std::string, double>& settings) {
              new (self) Pool(make_options(variants, encoding, games, threads, stride, seed, settings));
          },
          nb::arg("variants"), nb::arg("encoding"), nb::arg("games"), nb::arg("threads"), nb::arg("stride"), nb::arg("seed"),
          nb::arg("settings"), "`variants` are (rule, size, weight); `settings` are the numbers of core/selfplay/pool.h by name.");
    c.def("step", [](Pool& self, std::optional<Floats> policy, std::optional<Floats> wdl, Planes planes) {
        const auto games = static_cast<std::size_t>(self.games());
        const auto stride = static_cast<std::size_t>(self.stride());
        if (planes.shape(0) != games || planes.shape(1) != static_cast<std::size_t>(self.planes()) || planes.shape(2) != stride || planes.shape(3) != stride)
            throw GameError("self-play: planes has the wrong shape");
        if (policy.has_value() != wdl.has_value()) throw GameError("self-play: policy and wdl go together");
        if (policy && (policy->shape(0) != games || policy->shape(1) != static_cast<std::size_t>(self.actions())))
            throw GameError("self-play: policy has the wrong shape");
        if (wdl && (wdl->shape(0) != games || wdl->shape(1) != 3)) throw GameError("self-play: wdl has the wrong shape");
        nb::gil_scoped_release release;
        self.step(policy ? policy->data() : nullptr, wdl ? wdl->data() : nullptr, planes.data());
    }, nb::arg("policy").none(), nb::arg("wdl").none(), nb::arg("planes").noconvert(),
       "Takes the answers to the last planes (None in the first step) and fills in the next.");
    c.def("take_games", [](Pool& self) { return to_arrays(self.take_games()); }, nb::sig(games_signature),
          "The games that ended since the last call: (table, moves, plies, values, visit sizes, actions, counts).");
    c.def("counts", [](const Pool& self) {
        const SelfPlayCounts n = self.counts();
        return std::map<std::string, std::uint64_t>{{"evaluations", n.evaluations},
                                                    {"settled", n.settled},
                                                    {"moves", n.moves},
                                                    {"games", n.games},
                                                    {"openings_refused", n.openings_refused},
                                                    {"opposed", n.opposed},
                                                    {"resign_checks", n.resign_checks},
                                                    {"resign_errors", n.resign_errors}};
    });
    c.def("set_opposition", [](Pool& self, double probability, double threshold) {
        self.set_opposition({probability, threshold});
    }, nb::arg("probability"), nb::arg("threshold"));
    c.def_prop_ro("actions", &Pool::actions);
    c.def_static("dense_rows", &dense_rows<B>, nb::arg("table"), nb::arg("moves"), nb::arg("plies"), nb::arg("values"),
                 nb::arg("visit_sizes"), nb::arg("actions"), nb::arg("counts"), nb::arg("variants"), nb::arg("encoding"),
                 nb::arg("stride"), nb::sig(rows_signature),
                 "What a network learns from games: planes, policy, the rival's reply, the result for the mover.");
}

}  // namespace

void bind_selfplay(nb::module_& m) {
    bind_board<GomokuBoard>(m, "GomokuPool");
    bind_board<OthelloBoard<6>>(m, "OthelloPool6");
    bind_board<OthelloBoard<8>>(m, "OthelloPool8");
}

}  // namespace tengen
