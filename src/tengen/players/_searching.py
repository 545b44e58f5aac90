"""What the players have in common that search in the core."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from tengen import _core
from tengen.errors import IllegalMoveError
from tengen.games import Move, Position
from tengen.players._player import Decision
from tengen.search import Limit


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Make the parser of an option that is a whole number in ``low..high``; it raises ``ValueError``."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 30 and low <= int(text) <= high):
            raise ValueError(f"it is a whole number from {low} to {high}")
        return int(text)

    return parse


def number(low: float, high: float) -> Callable[[str], float]:
    """Make the parser of an option that is a number in ``low..high``; it raises ``ValueError``."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"it is a number from {low:g} to {high:g}")
        return value

    return parse


def word(*known: str) -> Callable[[str], str]:
    """Make the parser of an option that is one of some words; it raises ``ValueError``."""

    def parse(text: str) -> str:
        if text not in known:
            raise ValueError(f"it is one of {', '.join(known)}")
        return text

    return parse


def core_seed(seed: int | None) -> int:
    """Turn a player's seed into the core's 64 bits; None gives a new one each time."""
    return random.SystemRandom().getrandbits(64) if seed is None else seed & (1 << 64) - 1


def playouts_within(limit: Limit, default: int) -> int | None:
    """How many playouts a limit allows: ``default`` if it bounds neither them nor the time, None if only the time."""
    if limit.nodes is not None:
        return max(1, limit.nodes)
    return default if limit.seconds is None else None


def require_going(position: Position) -> None:
    """Raise ``IllegalMoveError`` if the game is over."""
    if position.is_over:
        raise IllegalMoveError("the game is over; there is no move to choose")


def decision_of(position: Position, report: _core.SearchReport, scores: Mapping[Move, float] | None = None) -> Decision:
    """Put a search's report into a player's words; without scores, those of the report's lines."""
    moves, best = position.game.moves, report.lines[0]
    if scores is None:
        scores = {moves[line.moves[0]]: line.value for line in report.lines}
    return Decision(
        moves[best.moves[0]],
        value=best.value,
        pv=tuple(moves[action] for action in best.moves),
        scores=scores,
        stats={
            "nodes": report.nodes,
            "depth": report.depth,
            "seconds": report.seconds,
            "nodes_per_second": report.nodes / report.seconds if report.seconds > 0 else 0.0,
        },
    )
