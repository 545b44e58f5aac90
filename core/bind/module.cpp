#include "bind/bind.h"

NB_MODULE(_core, m) {
    m.doc() = "The C++ core of Tengen. Use it through the tengen package, whose names are stable.";
    // Objects that live until the interpreter ends are no news to a user.
    nanobind::set_leak_warnings(false);
    tengen::bind_games(m);
    tengen::bind_envs(m);
    tengen::bind_nets(m);
    tengen::bind_search(m);
    tengen::bind_alphabeta(m);
    tengen::bind_uct(m);
    tengen::bind_minimax(m);
    tengen::bind_puct(m);
    tengen::bind_selfplay(m);
    tengen::bind_othello_search(m);
    tengen::bind_line_moves(m);
}
