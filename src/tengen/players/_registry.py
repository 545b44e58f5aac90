"""The registry that turns a player's name into a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from tengen.errors import PlayerNameError
from tengen.naming import join_name, split_name
from tengen.players._player import Player


@dataclass(frozen=True)
class PlayerOption:
    """One key of a player's name: how its text is read, and what it means."""

    parse: Callable[[str], Any]
    meaning: str
    default: str = ""


@dataclass(frozen=True)
class PlayerKind:
    """One kind of player. ``build`` gets the options as keyword arguments, and ``name`` and ``seed``."""

    name: str
    summary: str
    build: Callable[..., Player]
    options: Mapping[str, PlayerOption]


# The kinds that come with Tengen, by the module that registers each; loaded when first asked for.
_SHIPPED = {
    "random": "tengen.players.random",
    "greedy": "tengen.players.greedy",
    "human": "tengen.players.human",
    "alphabeta": "tengen.players.alphabeta",
    "alphazero": "tengen.players.alphazero",
    "dqn": "tengen.players.dqn",
    "evolved": "tengen.players.evolved",
    "mcts": "tengen.players.mcts",
    "minimax": "tengen.players.minimax",
    "engine": "tengen.players.engine",
    "gtp": "tengen.players.engine",
}
_KINDS: dict[str, PlayerKind] = {}


def register(kind: PlayerKind) -> None:
    """Add a kind of player; raises ``PlayerNameError`` if the name is taken or is no name.

    It is known to this process from then on. The command line learns of it by ``tengen --import MODULE ...``, or by
    itself when a package names the module under the entry point ``tengen.players``.
    """
    if not kind.name.replace("-", "").isidentifier():
        raise PlayerNameError(f"{kind.name!r} cannot name a kind of player: letters, digits and dashes do")
    if kind.name in _KINDS or (kind.name in _SHIPPED and _SHIPPED[kind.name] != kind.build.__module__):
        raise PlayerNameError(f"there is a player kind {kind.name!r} already")
    _KINDS[kind.name] = kind


def player_kinds() -> dict[str, PlayerKind]:
    """Every kind of player by name."""
    for module in _SHIPPED.values():
        import_module(module)
    _load_plugins()
    return {name: _KINDS[name] for name in sorted(_KINDS)}


@cache
def _load_plugins() -> None:
    """Import what installed packages offer under the entry point ``tengen.players``; importing it registers it."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    for entry in entry_points(group="tengen.players"):
        entry.load()


def _whole(text: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdecimal() and len(text) < 100):
        raise ValueError("it is a whole number")
    return int(text)


def player(name: str, *, seed: int | None = None) -> Player:
    """Make the player that a name such as ``greedy`` or ``random:seed=7`` stands for.

    ``seed`` fixes its random choices; every kind also takes it as a key, which then counts. Raises ``PlayerNameError``
    that lists the valid kinds, keys or values.
    """
    kind_name, given = split_name(name, what="player", error=PlayerNameError)
    if seed is not None and not isinstance(seed, int):
        raise PlayerNameError(f"a seed is a whole number, not {seed!r}")
    if kind_name in _SHIPPED:
        import_module(_SHIPPED[kind_name])
    if kind_name not in _KINDS:
        raise PlayerNameError(f"unknown player {kind_name!r}; the kinds are {', '.join(player_kinds())}")
    kind = _KINDS[kind_name]
    options: dict[str, Any] = {}
    for key, text in given.items():
        if key != "seed" and key not in kind.options:
            known = ", ".join([*kind.options, "seed"])
            raise PlayerNameError(f"{name!r}: {kind_name} has no key {key!r}; its keys are {known}")
        try:
            options[key] = _whole(text) if key == "seed" else kind.options[key].parse(text)
        except ValueError as trouble:
            raise PlayerNameError(f"{name!r}: {key} cannot be {text!r} ({trouble})") from None
    own_seed = options.pop("seed", None)
    named = join_name(kind_name, {key: text for key, text in given.items() if key != "seed"})
    return kind.build(name=named, seed=seed if own_seed is None else own_seed, **options)
