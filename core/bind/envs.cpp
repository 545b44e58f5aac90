// Vectorised environments: one class per board type, made by vector_env().
#include "bind/bind.h"
#include "envs/vector_env.h"
#include "patterns/shapes.h"

namespace tengen {
namespace {

using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class B>
struct Bound {
    using Env = VectorEnv<B>;

    // A view of a buffer that keeps the environment alive.
    template <class T>
    static NumpyArray<T> view(std::vector<T>& buffer, std::initializer_list<std::size_t> shape, nb::handle self) {
        return NumpyArray<T>(buffer.data(), shape, self);
    }
    static NumpyArray<bool> flags(std::vector<std::uint8_t>& buffer, std::initializer_list<std::size_t> shape, nb::handle self) {
        return NumpyArray<bool>(reinterpret_cast<bool*>(buffer.data()), shape, self);
    }
    static Env& env(nb::handle self) { return nb::cast<Env&>(self); }
    static std::size_t count(Env& e) { return static_cast<std::size_t>(e.games()); }

    template <class Start>
    static void bind(nb::module_& m, const char* name) {
        nb::class_<Env> c(m, name);
        c.def_prop_ro("games", &Env::games);
        c.def_prop_ro("planes", [](nb::handle self) {
            Env& e = env(self);
            const auto n = static_cast<std::size_t>(e.size());
            const auto planes = e.encoding() ? static_cast<std::size_t>(plane_count(*e.encoding())) : 0;
            return view(e.planes, {count(e), planes, n, n}, self);
        });
        c.def_prop_ro("mask", [](nb::handle self) { return flags(env(self).mask, {count(env(self)), env(self).actions()}, self); });
        c.def_prop_ro("reward", [](nb::handle self) { return view(env(self).reward, {count(env(self))}, self); });
        c.def_prop_ro("result", [](nb::handle self) { return view(env(self).result, {count(env(self))}, self); });
        c.def_prop_ro("ended", [](nb::handle self) { return flags(env(self).ended, {count(env(self))}, self); });
        c.def_prop_ro("to_move", [](nb::handle self) { return view(env(self).to_move, {count(env(self))}, self); });
        c.def_prop_ro("action", [](nb::handle self) { return view(env(self).action, {count(env(self))}, self); });
        c.def("reset", &Env::reset, nb::call_guard<nb::gil_scoped_release>());
        c.def("sample", &Env::sample, nb::call_guard<nb::gil_scoped_release>());
        c.def("step", [](Env& e, const Actions& actions) {
            if (actions.shape(0) != count(e))
                throw GameError("step needs " + std::to_string(e.games()) + " actions, not " + std::to_string(actions.shape(0)));
            const nb::gil_scoped_release release;
            e.step(actions.data());
        }, nb::arg("actions"));
        c.def("history", [](const Env& e, int game) {
            if (game < 0 || game >= e.games()) throw GameError("there is no game " + std::to_string(game));
            const B& b = e.board(game);
            std::vector<int> moves;
            for (int i = 0; i < b.ply(); ++i) moves.push_back(b.move_at(i));
            return moves;
        }, nb::arg("game"));
        m.def("vector_env", [](const Start& start, int games, const std::optional<std::string>& encoding, std::uint64_t seed) {
            std::optional<Encoding> e;
            if (encoding) e = parse_encoding(*encoding);
            if (start.outcome().over()) throw GameError("the starting position is over");
            return std::make_unique<Env>(B(start), games, e, seed);
        }, nb::arg("start"), nb::arg("games"), nb::arg("encoding").none(), nb::arg("seed"));
    }
};

}  // namespace

void bind_envs(nb::module_& m) {
    Bound<GomokuBoard>::bind<ShapedGomoku>(m, "GomokuVectorEnv");  // stepping needs no shapes
    Bound<OthelloBoard<4>>::bind<OthelloBoard<4>>(m, "OthelloVectorEnv4");
    Bound<OthelloBoard<6>>::bind<OthelloBoard<6>>(m, "OthelloVectorEnv6");
    Bound<OthelloBoard<8>>::bind<OthelloBoard<8>>(m, "OthelloVectorEnv8");
    Bound<OthelloBoard<10>>::bind<OthelloBoard<10>>(m, "OthelloVectorEnv10");
}

}  // namespace tengen
