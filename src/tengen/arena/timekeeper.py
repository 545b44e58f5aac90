"""A player's time in one game: by the move, or by a clock for the whole of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tengen.games import Position
from tengen.search import Clock, Limit, TimeControl


@dataclass(frozen=True)
class Terms:
    """What one player may spend.

    ``limit`` is what it is told for each move, ``timeout`` when the referee ends the game. With a ``clock``, both
    follow from what is left on it, and ``timeout`` only bounds a single move.
    """

    limit: Limit | None = None
    timeout: float | None = None
    clock: TimeControl | None = None


class Timekeeper:
    """Keeps one player's time: call ``begin`` before each of its moves and ``end`` after it."""

    def __init__(self, terms: Terms) -> None:
        self._limit = terms.limit
        self._timeout = math.inf if terms.timeout is None else terms.timeout
        self._control = terms.clock
        self._left = math.inf if terms.clock is None else terms.clock.base

    def begin(self, position: Position) -> tuple[Limit | None, float]:
        """What to tell the player about this move, and the seconds after which it has lost."""
        if self._control is None:
            return self._limit, self._timeout
        self._left += self._control.increment
        clock = Clock(self._left, self._control)
        return Limit(seconds=clock.seconds_for_move(position), clock=clock), min(self._left, self._timeout)

    def end(self, spent: float) -> str:
        """Take off what the move took; says what is wrong with that, or nothing."""
        had = self._left
        self._left -= spent
        if spent > had:
            return f"its flag fell: {spent:.2f} s for a move, {had:.2f} s on the clock"
        if spent > self._timeout:
            return f"{spent:.2f} s for a move, {self._timeout:g} s allowed"
        return ""
