#include "bind/bind.h"

NB_MODULE(_core, m) {
    m.doc() = "The C++ core of Tengen. Use it through the tengen package, whose names are stable.";
    tengen::bind_games(m);
    tengen::bind_envs(m);
}
