// Vectorised environments: one class per board type, made by vector_env() and duel_env().
#include "bind/bind.h"
#include "bind/net.h"
#include "envs/duel_env.h"
#include "envs/vector_env.h"
#include "patterns/shapes.h"

namespace tengen {
namespace {

using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A view of a buffer that keeps the environment alive.
template <class T>
NumpyArray<T> view(std::vector<T>& buffer, std::initializer_list<std::size_t> shape, nb::handle self) {
    return NumpyArray<T>(buffer.data(), shape, self);
}
NumpyArray<bool> flags(std::vector<std::uint8_t>& buffer, std::initializer_list<std::size_t> shape, nb::handle self) {
    return NumpyArray<bool>(reinterpret_cast<bool*>(buffer.data()), shape, self);
}

std::optional<Encoding> parse_wanted(const std::optional<std::string>& encoding) {
    return encoding ? std::optional(parse_encoding(*encoding)) : std::nullopt;
}

// What both kinds of environment have.
template <class Env>
struct Bound {
    static Env& env(nb::handle self) { return nb::cast<Env&>(self); }
    static std::size_t count(const Env& e) { return static_cast<std::size_t>(e.games()); }

    // One number or flag per game.
    template <class T>
    static void column(nb::class_<Env>& c, const char* name, std::vector<T> Env::* buffer) {
        c.def_prop_ro(name, [buffer](nb::handle self) { return view(env(self).*buffer, {count(env(self))}, self); });
    }
    static void flag(nb::class_<Env>& c, const char* name, std::vector<std::uint8_t> Env::* buffer) {
        c.def_prop_ro(name, [buffer](nb::handle self) { return flags(env(self).*buffer, {count(env(self))}, self); });
    }

    static void bind(nb::class_<Env>& c) {
        c.def_prop_ro("games", &Env::games);
        c.def_prop_ro("planes", [](nb::handle self) {
            Env& e = env(self);
            const auto n = static_cast<std::size_t>(e.size());
            return view(e.planes, {count(e), static_cast<std::size_t>(e.plane_count()), n, n}, self);
        });
        c.def_prop_ro("mask", [](nb::handle self) { return flags(env(self).mask, {count(env(self)), env(self).actions()}, self); });
        column(c, "reward", &Env::reward);
        column(c, "result", &Env::result);
        flag(c, "ended", &Env::ended);
        column(c, "to_move", &Env::to_move);
        column(c, "action", &Env::action);
        c.def("reset", &Env::reset, nb::call_guard<nb::gil_scoped_release>());
    }

    static void bind_steps(nb::class_<Env>& c) {
        c.def("step", [](Env& e, const Actions& actions) {
            if (actions.shape(0) != count(e))
                throw GameError("step needs " + std::to_string(e.games()) + " actions, not " + std::to_string(actions.shape(0)));
            const nb::gil_scoped_release release;
            e.step(actions.data());
        }, nb::arg("actions"));
        c.def("history", [](const Env& e, int game) {
            if (game < 0 || game >= e.games()) throw GameError("there is no game " + std::to_string(game));
            const auto& b = e.board(game);
            std::vector<int> moves;
            for (int i = 0; i < b.ply(); ++i) moves.push_back(b.move_at(i));
            return moves;
        }, nb::arg("game"));
    }
};

template <class B, class Start>
void bind_vector_env(nb::module_& m, const char* name) {
    using Env = VectorEnv<B>;
    nb::class_<Env> c(m, name);
    Bound<Env>::bind(c);
    c.def("sample", &Env::sample, nb::call_guard<nb::gil_scoped_release>());
    Bound<Env>::bind_steps(c);
    m.def("vector_env", [](const Start& start, int games, const std::optional<std::string>& encoding, std::uint64_t seed) {
        if (start.outcome().over()) throw GameError("the starting position is over");
        return std::make_unique<Env>(B(start), games, parse_wanted(encoding), seed);
    }, nb::arg("start"), nb::arg("games"), nb::arg("encoding").none(), nb::arg("seed"));
}

RivalKind parse_rival(const std::string& kind) {
    if (kind == "random") return RivalKind::random;
    if (kind == "greedy") return RivalKind::greedy;
    if (kind == "minimax") return RivalKind::minimax;
    if (kind == "self") return RivalKind::self;
    throw GameError("unknown rival '" + kind + "'; the rivals are random, greedy, minimax, self");
}

Exploring parse_exploring(const std::string& how) {
    if (how == "random") return Exploring::random;
    if (how == "greedy") return Exploring::greedy;
    if (how == "threats") return Exploring::threats;
    throw GameError("unknown way to explore '" + how + "'; there are random, greedy, threats");
}

DuelReward parse_reward(const std::string& reward) {
    if (reward == "win") return DuelReward::win;
    if (reward == "s0") return DuelReward::s0;
    if (reward == "s1") return DuelReward::s1;
    throw GameError("unknown reward '" + reward + "'; the rewards are win, s0, s1");
}

template <class B>
void bind_duel_env(nb::module_& m, const char* name) {
    using Env = DuelEnv<B>;
    nb::class_<Env> c(m, name);
    Bound<Env>::bind(c);
    Bound<Env>::column(c, "rival", &Env::rival);
    Bound<Env>::flag(c, "self_play", &Env::self_play);
    Bound<Env>::column(c, "length", &Env::length);
    Bound<Env>::column(c, "opening", &Env::opening);
    Bound<Env>::column(c, "last_side", &Env::last_side);
    Bound<Env>::column(c, "stepped_rival", &Env::stepped_rival);
    Bound<Env>::flag(c, "stepped_self_play", &Env::stepped_self_play);
    using Where = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    c.def("explore", [](Env& e, const std::string& how, const std::optional<Where>& where) {
        const Exploring kind = parse_exploring(how);
        if (where && where->shape(0) != Bound<Env>::count(e))
            throw GameError("there are " + std::to_string(e.games()) + " games, not " + std::to_string(where->shape(0)));
        const nb::gil_scoped_release release;
        e.explore(kind, where ? reinterpret_cast<const std::uint8_t*>(where->data()) : nullptr);
    }, nb::arg("how"), nb::arg("where").none());
    Bound<Env>::bind_steps(c);
    using Rivals = std::vector<std::tuple<std::string, int, bool, double>>;
    m.def("duel_env", [](const B& start, int games, const Rivals& rivals, std::optional<int> side,
                         const std::optional<std::string>& encoding, const std::string& reward,
                         const std::vector<std::vector<int>>& openings, int opening_plies,
                         std::optional<int> opening_least, std::vector<int> opening_boxes, std::optional<int> margin,
                         int threads, std::uint64_t seed) {
        if (start.ply() || start.outcome().over()) throw GameError("a duel starts from the start");
        DuelOptions o;
        o.games = games;
        o.rivals.clear();
        for (const auto& [kind, depth, draws, weight] : rivals)
            o.rivals.push_back({parse_rival(kind), depth, weight, draws});
        if (side) o.side = parse_side(*side);
        if (encoding == "gomoku" || encoding == "othello")
            o.input = parse_net_encoding(*encoding);
        else
            o.encoding = parse_wanted(encoding);
        o.reward = parse_reward(reward);
        o.openings = openings;
        o.opening_plies = opening_plies;
        o.opening_least = opening_least;
        o.opening_boxes = std::move(opening_boxes);
        o.margin = margin;
        o.threads = threads;
        o.seed = seed;
        const nb::gil_scoped_release release;
        return std::make_unique<Env>(start, std::move(o));
    }, nb::arg("start"), nb::arg("games"), nb::arg("rivals"), nb::arg("side").none(), nb::arg("encoding").none(),
       nb::arg("reward"), nb::arg("openings"), nb::arg("opening_plies"), nb::arg("opening_least").none(), nb::arg("opening_boxes"),
       nb::arg("margin").none(), nb::arg("threads"),
       nb::arg("seed"), "Rivals are (kind, minimax's depth, whether it draws among equals, weight).");
}

}  // namespace

void bind_envs(nb::module_& m) {
    bind_vector_env<GomokuBoard, ShapedGomoku>(m, "GomokuVectorEnv");  // stepping needs no shapes
    bind_vector_env<OthelloBoard<4>, OthelloBoard<4>>(m, "OthelloVectorEnv4");
    bind_vector_env<OthelloBoard<6>, OthelloBoard<6>>(m, "OthelloVectorEnv6");
    bind_vector_env<OthelloBoard<8>, OthelloBoard<8>>(m, "OthelloVectorEnv8");
    bind_vector_env<OthelloBoard<10>, OthelloBoard<10>>(m, "OthelloVectorEnv10");
    bind_duel_env<ShapedGomoku>(m, "GomokuDuelEnv");
    bind_duel_env<OthelloBoard<4>>(m, "OthelloDuelEnv4");
    bind_duel_env<OthelloBoard<6>>(m, "OthelloDuelEnv6");
    bind_duel_env<OthelloBoard<8>>(m, "OthelloDuelEnv8");
    bind_duel_env<OthelloBoard<10>>(m, "OthelloDuelEnv10");
}

}  // namespace tengen
