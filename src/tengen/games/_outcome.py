"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tengen.games._game import Move, Side


class Reason(StrEnum):
    """Why a game is over."""

    LINE = "line"  #: a winning line
    BOARD_FULL = "board_full"  #: no empty point is left
    NO_MOVES = "no_moves"  #: nobody can move (Othello), or every point left is a foul (renju)
    FOUL = "foul"  #: a move that the rules forbid; only records, matches and environments know this one
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"


@dataclass(frozen=True)
class Outcome:
    """The result of a finished game: who won, why, and the line that did it."""

    winner: Side | None
    reason: Reason
    line: tuple[Move, ...] = ()

    @property
    def is_draw(self) -> bool:
        """Whether nobody won."""
        return self.winner is None

    def value(self, side: Side | str) -> int:
        """1, 0 or -1: the result as ``side`` sees it; raises ``TengenError`` for anything but a side."""
        seen_by = Side.parse(side)
        return 0 if self.winner is None else 1 if self.winner is seen_by else -1

    def __str__(self) -> str:
        who = f"{self.winner} wins" if self.winner else "draw"
        if self.line:
            return f"{who}: {'-'.join(str(move) for move in self.line)}"
        return f"{who} ({self.reason.replace('_', ' ')})"
