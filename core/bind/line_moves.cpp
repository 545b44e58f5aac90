// Moves by the values of lines, for evolution.
#include "envs/line_moves.h"

#include <algorithm>

#include "bind/bind.h"
#include "games/lines.h"

namespace tengen {
namespace {

template <class T, std::size_t N>
using Input = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

int checked_size(const Input<float, 4>& planes) {
    const std::size_t size = planes.shape(2);
    if (planes.shape(1) != 2 || planes.shape(3) != size || size < 1 || size > max_size)
        throw GameError("planes have the shape [games, 2, size, size], with a size up to " + std::to_string(max_size));
    return static_cast<int>(size);
}

void check_tables(const Input<float, 2>& tables) {
    if (tables.shape(1) != line_codes)
        throw GameError("a table has " + std::to_string(line_codes) + " values, not " + std::to_string(tables.shape(1)));
}

NumpyArray<std::int64_t> choose(LineMover& self, const Input<float, 4>& planes, const Input<bool, 2>& mask,
                                const Input<std::int64_t, 1>& which, const Input<float, 2>& tables, std::uint64_t seed) {
    const std::size_t games = planes.shape(0);
    LineGames in;
    in.games = static_cast<int>(games);
    in.size = checked_size(planes);
    check_tables(tables);
    const auto cells = static_cast<std::size_t>(in.size * in.size);
    if (mask.shape(0) != games || mask.shape(1) != cells || which.shape(0) != games)
        throw GameError("mask and which do not fit " + std::to_string(games) + " games on " + std::to_string(cells) + " cells");
    in.planes = planes.data();
    in.mask = reinterpret_cast<const std::uint8_t*>(mask.data());
    in.which = which.data();
    in.tables = tables.data();
    for (std::size_t i = 0; i < games; ++i) {
        if (in.which[i] >= static_cast<std::int64_t>(tables.shape(0)))
            throw GameError("there is no individual " + std::to_string(in.which[i]));
        if (std::find(in.mask + i * cells, in.mask + (i + 1) * cells, 1) == in.mask + (i + 1) * cells)
            throw GameError("game " + std::to_string(i) + " has no legal move");
    }
    std::int64_t* out = nullptr;
    auto chosen = new_array<std::int64_t>({games}, &out);
    {
        const nb::gil_scoped_release release;
        self.choose(in, seed, out);
    }
    return chosen;
}

}  // namespace

void bind_line_moves(nb::module_& m) {
    nb::class_<LineMover>(m, "LineMover", "Chooses moves by what lines are worth; one call at a time.")
        .def("__init__", [](LineMover* self, int threads) {
            if (threads < 1 || threads > 256) throw GameError("threads are 1..256, not " + std::to_string(threads));
            new (self) LineMover(threads);
        }, nb::arg("threads") = 1)
        .def("choose", &choose, nb::arg("planes"), nb::arg("mask"), nb::arg("which"), nb::arg("tables"), nb::arg("seed"),
             "The best legal move [games] of planes [games, 2, size, size] by the tables [individuals, 14641] of `which`.\n"
             "Equal moves are drawn by the seed and the game's number; where `which` is below 0 the first legal one counts.");
    m.def("line_values", [](const Input<float, 4>& planes, const Input<float, 2>& tables) {
        const int size = checked_size(planes);
        check_tables(tables);
        const std::size_t games = planes.shape(0), cells = static_cast<std::size_t>(size * size);
        if (tables.shape(0) != 1 && tables.shape(0) != games) throw GameError("there is one table, or one for each game");
        float* out = nullptr;
        auto values = new_array<float>({games, cells}, &out);
        const nb::gil_scoped_release release;
        for (std::size_t i = 0; i < games; ++i)
            line_values(planes.data() + i * 2 * cells, size,
                        tables.data() + (tables.shape(0) == 1 ? 0 : i * line_codes), out + i * cells);
        return values;
    }, nb::arg("planes"), nb::arg("tables"), "What each point is worth, [games, size * size].");
    m.def("line_half_cells", [] {
        std::uint8_t* out = nullptr;
        auto cells = new_array<std::uint8_t>({line_halves, line_reach}, &out);
        for (const auto& half : half_cells)
            for (const Neighbour cell : half) *out++ = static_cast<std::uint8_t>(cell);
        return cells;
    }, "The cells of each half of a line, the nearest first, [121, 4]: 0 empty, 1 own, 2 the rival's, 3 off the board.");
}

}  // namespace tengen
