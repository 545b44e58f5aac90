"""Ten levels from beginner to strongest, for each game."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import tengen
from tengen.games import Game
from tengen.players import player

#: Rating and 95 % bounds by game and player, as ``benchmarks/levels.py`` writes them.
RATINGS: Final = Path(tengen.__file__).parent / "data" / "levels.json"


@dataclass(frozen=True)
class Level:
    """A program that plays about so well: ``number`` from 1 (beginner) to 10 (strongest).

    ``rating`` is on the arena's scale, where ``greedy`` has 1000; None where it was not measured.
    """

    number: int
    player: str
    rating: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"number": self.number, "player": self.player, "rating": self.rating}


# Each must beat the one two below it: benchmarks/levels.py measures that, docs/web.md has the table.
_GOMOKU = (
    "random",
    "mcts:playouts=30",
    "greedy:margin=1",
    "minimax:depth=2",
    "alphabeta:depth=2",
    "alphabeta:depth=4",
    "alphazero:playouts=16",
    "alphazero:playouts=100",
    "alphazero:time=1",
    "alphazero:time=5",
)
_OTHELLO = (
    "random",
    "mcts:playouts=5",  # greedy is hardly better than random: the most discs early are the fewest late
    "mcts:playouts=15",
    "mcts:playouts=60",
    "alphabeta:depth=1",
    "alphabeta:depth=2",
    "alphabeta:depth=4",
    "alphabeta:depth=6",
    "alphabeta:depth=9",
    "alphabeta:time=3",
)
# Where no net is shipped for the rule or the size.
_WITHOUT_NET = {
    "alphazero:playouts=16": "alphabeta:depth=6,time=0.1",  # without a time it may think longer than the strongest
    "alphazero:playouts=100": "alphabeta:time=0.2",
    "alphazero:time=1": "alphabeta:time=1",
    "alphazero:time=5": "alphabeta:time=5",
}


def levels(game: Game) -> list[Level]:
    """The levels of a game, the weakest first."""
    names: tuple[str, ...] = _OTHELLO if game.kind == "othello" else _GOMOKU
    if not player("alphazero").supports(game):
        names = tuple(_WITHOUT_NET.get(name, name) for name in names)
    rated = _ratings().get(game.name, {})
    return [Level(number, name, rated.get(name, [None])[0]) for number, name in enumerate(names, start=1)]


@cache
def _ratings() -> dict[str, dict[str, list[int]]]:
    if not RATINGS.exists():  # before they are measured for the first time
        return {}
    ratings: dict[str, dict[str, list[int]]] = json.loads(RATINGS.read_text("utf-8"))
    return ratings
