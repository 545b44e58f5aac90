// Boards, counts and playouts. Sides are 0 (black) and 1 (white), cells 0
// (empty), 1 and 2; the package turns them into types.
#include "bind/bind.h"
#include "games/counting.h"
#include "patterns/greedy.h"
#include "patterns/shapes.h"

namespace tengen {
namespace {

int checked_action(int action, int actions) {
    if (action < 0 || action >= actions)
        throw GameError("there is no action " + std::to_string(action) + " in 0.." + std::to_string(actions - 1));
    return action;
}

int checked_depth(int depth) {
    if (depth < 0 || depth > 60) throw GameError("depth must be 0..60, not " + std::to_string(depth));
    return depth;
}

// Counts and planes need no shapes.
const GomokuBoard& plain(const ShapedGomoku& board) { return board; }
template <int N>
const OthelloBoard<N>& plain(const OthelloBoard<N>& board) {
    return board;
}

// What every board offers, in the words of games/game.h.
template <Board B>
nb::class_<B> bind_board(nb::module_& m, const char* name) {
    nb::class_<B> c(m, name);
    c.def_prop_ro("size", &B::size);
    c.def_prop_ro("actions", &B::actions);
    c.def_prop_ro("ply", &B::ply);
    c.def_prop_ro("to_move", [](const B& b) { return index_of(b.to_move()); });
    c.def_prop_ro("result", [](const B& b) { return static_cast<int>(b.outcome().result); });
    c.def_prop_ro("reason", [](const B& b) { return static_cast<int>(b.outcome().reason); });
    c.def_prop_ro("hash", &B::hash);
    c.def("copy", [](const B& b) { return B(b); });
    c.def("cell", [](const B& b, int action) { return b.cell(checked_action(action, b.actions())); }, nb::arg("action"));
    c.def("cells", [](const B& b) {
        const auto n = static_cast<std::size_t>(b.size());
        std::int8_t* data;
        auto array = new_array<std::int8_t>({n, n}, &data);
        for (std::size_t i = 0; i < n * n; ++i) data[i] = static_cast<std::int8_t>(b.cell(static_cast<int>(i)));
        return array;
    });
    c.def("history", [](const B& b) {
        std::vector<int> moves(static_cast<std::size_t>(b.ply()));
        for (int i = 0; i < b.ply(); ++i) moves[static_cast<std::size_t>(i)] = b.move_at(i);
        return moves;
    });
    c.def("last_action", [](const B& b) { return b.ply() ? b.move_at(b.ply() - 1) : -1; }, "-1 before the first move.");
    c.def("is_legal", &B::is_legal, nb::arg("action"));
    c.def("count_legal", &B::count_legal);
    c.def("legal_mask", [](const B& b) {
        bool* data;
        auto array = new_array<bool>({static_cast<std::size_t>(b.actions())}, &data);
        b.legal_mask(reinterpret_cast<std::uint8_t*>(data));
        return array;
    });
    c.def("legal_actions", [](const B& b) {
        std::vector<std::uint8_t> mask(static_cast<std::size_t>(b.actions()));
        b.legal_mask(mask.data());
        std::vector<int> found;
        for (int i = 0; i < b.actions(); ++i)
            if (mask[static_cast<std::size_t>(i)]) found.push_back(i);
        return found;
    });
    c.def("play", [](B& b, int action) {
        if (!b.is_legal(action)) throw GameError("action " + std::to_string(action) + " is not legal");
        b.play_unchecked(action);
    }, nb::arg("action"));
    c.def("undo", [](B& b) {
        if (b.ply() == 0) throw GameError("there is no move to undo");
        b.undo();
    });
    c.def("planes", [](const B& b, const std::string& encoding) {
        const Encoding e = parse_encoding(encoding);
        const auto n = static_cast<std::size_t>(b.size());
        float* data;
        auto array = new_array<float>({static_cast<std::size_t>(plane_count(e)), n, n}, &data);
        write_planes(plain(b), e, data);
        return array;
    }, nb::arg("encoding"));
    // Both work on a copy: the board may be played on as soon as the GIL is gone.
    c.def("perft", [](const B& b, int depth) {
        const auto start = plain(b);
        checked_depth(depth);
        const nb::gil_scoped_release release;
        return perft(start, depth);
    }, nb::arg("depth"));
    c.def("playouts", [](const B& b, std::uint64_t games, std::uint64_t seed) {
        const auto start = plain(b);
        const nb::gil_scoped_release release;
        const Playouts p = random_playouts(start, games, seed);
        return std::make_tuple(p.games, p.moves, p.black_wins, p.white_wins, p.draws);
    }, nb::arg("games"), nb::arg("seed"), "Random games: (games, moves, black wins, white wins, draws).");
    return c;
}

void bind_gomoku(nb::module_& m) {
    auto c = bind_board<ShapedGomoku>(m, "GomokuBoard");
    c.def("__init__", [](ShapedGomoku* self, const std::string& rule, int size, int win,
                         const std::vector<std::uint8_t>& cells, int to_move) {
        new (self) ShapedGomoku(GomokuBoard(GomokuRules::get(parse_rule(rule), size, win), cells, parse_side(to_move)));
    }, nb::arg("rule"), nb::arg("size"), nb::arg("win"), nb::arg("cells") = std::vector<std::uint8_t>{}, nb::arg("to_move") = 0);
    c.def("foul", [](const ShapedGomoku& b, int action) { return static_cast<int>(b.foul(checked_action(action, b.actions()))); },
          nb::arg("action"), "0 none, 1 double three, 2 double four, 3 overline.");
    c.def("fouls", [](const ShapedGomoku& b) {
        std::vector<int> found;
        for (int i = 0; i < b.actions(); ++i)
            if (b.foul(i) != Foul::none) found.push_back(i);
        return found;
    }, "Every point that black may not play.");
    c.def("winning_line", &ShapedGomoku::winning_line);
    c.def("shapes", [](const ShapedGomoku& b, int side) {
        const Side who = parse_side(side);
        const auto n = static_cast<std::size_t>(b.size());
        std::uint8_t* data;
        auto array = new_array<std::uint8_t>({directions, n, n}, &data);
        for (int d = 0; d < directions; ++d)
            for (int i = 0; i < b.actions(); ++i) *data++ = static_cast<std::uint8_t>(b.shape(who, d, i));
        return array;
    }, nb::arg("side"), "[4, size, size] codes of the seven shapes, 0 none .. 7 five.");
    c.def("greedy_candidates", [](const ShapedGomoku& b) { return greedy_candidates(b); });
}

template <int N>
void bind_othello(nb::module_& m, const char* name) {
    using B = OthelloBoard<N>;
    auto c = bind_board<B>(m, name);
    c.def("__init__", [](B* self, const std::vector<std::uint8_t>& cells, int to_move) {
        if (cells.empty())
            new (self) B();
        else
            new (self) B(cells, parse_side(to_move));
    }, nb::arg("cells") = std::vector<std::uint8_t>{}, nb::arg("to_move") = 0);
    c.def("count", [](const B& b, int side) { return b.count(parse_side(side)); }, nb::arg("side"), "Discs on the board.");
    c.def("flips", [](const B& b, int action) {
        std::vector<int> cells;
        if (!b.is_legal(action)) return cells;
        for (auto left = b.flips(action); left; left &= left - 1) cells.push_back(OthelloBits<N>::cell_of(lowest_bit(left)));
        return cells;
    }, nb::arg("action"), "Cells that a legal action would turn.");
}

}  // namespace

void bind_games(nb::module_& m) {
    bind_gomoku(m);
    bind_othello<4>(m, "OthelloBoard4");
    bind_othello<6>(m, "OthelloBoard6");
    bind_othello<8>(m, "OthelloBoard8");
    bind_othello<10>(m, "OthelloBoard10");
    m.def("encodings", [] {
        std::vector<std::tuple<std::string, int>> known;
        for (const EncodingInfo& info : encodings) known.emplace_back(std::string(info.name), info.planes);
        return known;
    }, "The encodings by name, with their number of planes.");
}

}  // namespace tengen
