"""A game's clock, and the one time manager: how much of what is left a move is worth."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tengen.errors import TengenError
from tengen.games import Position

#: What is left unused of a move's time, for the way there and back.
RESERVE = 0.08

#: A game of Gomoku is played as if this many moves of one's own were always to come.
MOVES_AHEAD = 20

_SHORT = 0.32  # below this a quarter of the time is the reserve
_FEWEST_MOVES = 3  # however near the end is: what is left is never staked on one move
_LAST_SECONDS = 2.0  # of a game are kept, for moves that take longer than they should
_KEPT_SHARE = 20  # of short games this part is
_MOST_SECONDS = 1e6
_NOTATION = re.compile(r"([0-9]{1,7}(?:\.[0-9]{0,6})?)(?:\+([0-9]{1,7}(?:\.[0-9]{0,6})?))?\Z")


@dataclass(frozen=True)
class TimeControl:
    """``base`` seconds for a whole game, and ``increment`` seconds more before each move, the first one too.

    Raises ``TengenError`` for numbers that leave no time at all, or no end to it.
    """

    base: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        for seconds in (self.base, self.increment):
            if not 0 <= seconds < _MOST_SECONDS:
                raise TengenError(f"a clock of {self} makes no sense: both are seconds from 0 to {_MOST_SECONDS:,.0f}")
        if self.base + self.increment <= 0:
            raise TengenError(f"a clock of {self} leaves no time to move")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read ``60+1`` (60 s a game and 1 s a move) or ``60``; raises ``TengenError``."""
        found = _NOTATION.match(text.strip())
        if not found:
            raise TengenError(f"a clock is BASE+INC in seconds, such as 60+1 or 60, not {text[:40]!r}")
        return cls(float(found[1]), float(found[2] or 0))

    def __str__(self) -> str:
        return f"{self.base:.12g}+{self.increment:.12g}"


@dataclass(frozen=True)
class Clock:
    """What a clock shows when a player is to move: the seconds ``left``, this move's increment among them."""

    left: float
    control: TimeControl

    def seconds_for_move(self, position: Position) -> float:
        """How long to think about this position, by :func:`seconds_for_move`."""
        control = self.control
        return seconds_for_move(self.left, base=control.base, increment=control.increment, moves=moves_ahead(position))


def usable(seconds: float) -> float:
    """The part of a move's time that can be spent on thinking."""
    return max(0.0, seconds - (RESERVE if seconds >= _SHORT else seconds / 4))


def moves_ahead(position: Position) -> int:
    """Among how many moves of one's own the time that is left is shared out.

    Othello fills its board, so half the empty cells; Gomoku is over long before, at a moment that nobody knows.
    """
    own = (position.size**2 - sum(position.score())) // 2 + 1
    return max(_FEWEST_MOVES, own if position.game.kind == "othello" else min(own, MOVES_AHEAD))


def seconds_for_move(
    left: float, *, base: float | None = None, increment: float = 0.0, moves: int = MOVES_AHEAD
) -> float:
    """How long to think now, with ``left`` seconds on the clock, this move's increment among them.

    Never more than is left, whatever happens later: whoever thinks this long before each move, and is back within the
    reserve, does not lose on time. ``base`` is what the game began with, as far as it is known.
    """
    left = max(0.0, left)
    # 1. Something is kept, because moves take longer than they should.
    kept = min(_LAST_SECONDS, (left if base is None else base + increment) / _KEPT_SHARE)
    saved = left - increment
    # 2. The increment comes back with every move and can be spent, unless what was kept has to be filled up again.
    fresh = increment if saved >= kept else increment / 2
    # 3. The savings have to last for all moves to come.
    share = max(0.0, saved - kept) / max(1, moves)
    return usable(min(left, fresh + share)) if math.isfinite(left) else left
