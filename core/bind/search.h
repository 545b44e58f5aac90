// What the bindings of all searchers share.
#pragma once

#include <nanobind/stl/function.h>

#include <cmath>

#include "bind/bind.h"
#include "search/search.h"

namespace tengen {

// Limits from a call's optional arguments. Throws GameError on senseless ones.
inline SearchLimits make_limits(std::optional<double> seconds, std::optional<std::uint64_t> nodes,
                                std::optional<int> depth, int lines) {
    SearchLimits limits;
    if (seconds) {
        if (!(*seconds >= 0)) throw GameError("seconds must be 0 or more");
        limits.seconds = *seconds;
    }
    if (nodes) limits.nodes = *nodes;
    if (depth) {
        if (*depth < 1) throw GameError("depth must be 1 or more, not " + std::to_string(*depth));
        limits.depth = *depth;
    }
    if (lines < 1) throw GameError("lines must be 1 or more, not " + std::to_string(lines));
    limits.lines = lines;
    return limits;
}

// A Python callable as the observer of a search that runs without the GIL; what it raises ends the search.
inline OnReport make_observer(nb::object callable) {
    if (callable.is_none()) return {};
    return [callable = std::make_shared<nb::object>(std::move(callable))](const SearchReport& report) {
        nb::gil_scoped_acquire gil;
        (*callable)(report);
    };
}

}  // namespace tengen
