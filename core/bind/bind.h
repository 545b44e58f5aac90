// Shared by the binding files, one of which exists per subsystem.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>

#include "games/planes.h"

namespace tengen {

namespace nb = nanobind;

void bind_games(nb::module_& m);
void bind_envs(nb::module_& m);
void bind_nets(nb::module_& m);
void bind_search(nb::module_& m);
void bind_alphabeta(nb::module_& m);
void bind_uct(nb::module_& m);
void bind_minimax(nb::module_& m);
void bind_puct(nb::module_& m);
void bind_selfplay(nb::module_& m);
void bind_othello_search(nb::module_& m);
void bind_line_moves(nb::module_& m);

// A numpy array that owns its data.
template <class T>
using NumpyArray = nb::ndarray<nb::numpy, T>;

template <class T>
NumpyArray<T> new_array(std::initializer_list<std::size_t> shape, T** data) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    auto buffer = std::make_unique<T[]>(count);
    *data = buffer.get();
    nb::capsule owner(buffer.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return NumpyArray<T>(buffer.release(), shape, owner);
}

inline Encoding parse_encoding(const std::string& name) {
    std::string known;
    for (const EncodingInfo& info : encodings) {
        if (info.name == name) return info.encoding;
        known += (known.empty() ? "" : ", ") + std::string(info.name);
    }
    throw GameError("unknown encoding '" + name + "'; the encodings are " + known);
}

inline Rule parse_rule(const std::string& rule) {
    if (rule == "freestyle") return Rule::freestyle;
    if (rule == "standard") return Rule::standard;
    if (rule == "renju") return Rule::renju;
    if (rule == "caro") return Rule::caro;
    throw GameError("unknown rule '" + rule + "'; the rules are freestyle, standard, renju, caro");
}

inline Side parse_side(int side) {
    if (side != 0 && side != 1) throw GameError("a side is 0 (black) or 1 (white), not " + std::to_string(side));
    return static_cast<Side>(side);
}

}  // namespace tengen
