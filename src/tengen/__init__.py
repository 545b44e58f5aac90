"""Tengen: play, study, train and measure five-in-a-row (Gomoku, Renju) and Othello programs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

try:
    from tengen import _core as _core
except ImportError as _trouble:
    raise ImportError(
        "the C++ core of Tengen is not built for this Python: run `make core` in the source folder, or install it with "
        "`pip install .`"
    ) from _trouble

from tengen import search
from tengen.errors import (
    GameNameError,
    IllegalMoveError,
    NotationError,
    PlayerNameError,
    PositionError,
    RecordError,
    TengenError,
)
from tengen.games import Foul, Game, Move, Opening, Outcome, Position, Reason, Seat, Setup, Shape, Side
from tengen.players import Decision, Player, player
from tengen.search import Limit, solve

if TYPE_CHECKING:
    from tengen import arena, envs, testing
    from tengen.games import records

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "Foul",
    "Game",
    "GameNameError",
    "IllegalMoveError",
    "Limit",
    "Move",
    "NotationError",
    "Opening",
    "Outcome",
    "Player",
    "PlayerNameError",
    "Position",
    "PositionError",
    "Reason",
    "RecordError",
    "Seat",
    "Setup",
    "Shape",
    "Side",
    "TengenError",
    "arena",
    "envs",
    "player",
    "records",
    "search",
    "solve",
    "testing",
]

# Parts that are loaded when first used, so that `import tengen` stays quick.
_LAZY = {
    "arena": "tengen.arena",
    "envs": "tengen.envs",
    "records": "tengen.games.records",
    "testing": "tengen.testing",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return import_module(_LAZY[name])
    raise AttributeError(f"module 'tengen' has no attribute {name!r}")
