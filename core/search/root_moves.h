// The moves at the root of a search tree, and which of them is best.
#pragma once

#include <cstdint>
#include <vector>

#include "search/search.h"

namespace tengen {

// A move at the root and what the playouts say about it, from the mover's side.
struct RootMove {
    int action = 0;
    std::uint64_t visits = 0;
    double value = 0;
    Proof proof = Proof::none;
    int distance = 0;  // plies to the end, where proven
    double prior = 0;  // what a network thought of it at first sight, where one was asked
};

// Best first: proven wins, the quickest before the others; then by visits; then
// proven losses, the slowest first. A sure draw goes before a move that looks worse.
void put_in_order(std::vector<RootMove>& moves);

// Whether `before` is a position on the way to `after`, or the same.
template <class B>
bool leads_to(const B& before, B after) {
    if (before.size() != after.size() || after.ply() < before.ply()) return false;
    while (after.ply() > before.ply()) after.undo();
    return after.hash() == before.hash();
}

}  // namespace tengen
