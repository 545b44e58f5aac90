"""How long to think: what a manager says about time, turned into seconds for one move."""

from __future__ import annotations

from dataclasses import dataclass

#: What is left unused of a move's time, for the way to and from the manager.
RESERVE = 0.08
_SHORT = 0.32  # below this a quarter of the time is the reserve
_MOVES_AHEAD = 20  # a match's time is spent as if this many moves were always to come
_LAST_SECONDS = 2.0  # of a match are kept: with only these left, every move is played at once
_UNLIMITED_MS = 2147483647


def usable(seconds: float) -> float:
    """The part of a move's time that can be spent on thinking."""
    return max(0.0, seconds - (RESERVE if seconds >= _SHORT else seconds / 4))


@dataclass
class GomocupClock:
    """The times of ``INFO timeout_turn``, ``timeout_match`` and ``time_left``, in milliseconds as they are sent."""

    default_seconds: float
    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None

    @property
    def typical(self) -> float:
        """The usual time for a move, which stays the same during a game."""
        turn = self.default_seconds if self.timeout_turn is None else max(0, self.timeout_turn) / 1000
        if self.timeout_match:
            turn = min(turn, self.timeout_match / 1000 / _MOVES_AHEAD)
        return turn

    @property
    def seconds(self) -> float:
        """For how long to think now: to the end of the turn, and of a match's time no more than its share."""
        turn = self.default_seconds if self.timeout_turn is None else max(0, self.timeout_turn) / 1000
        left = self._left()
        if left is not None:
            kept = min(_LAST_SECONDS, self.timeout_match / 1000 / _MOVES_AHEAD if self.timeout_match else left / 4)
            turn = min(turn, max(0.0, left - kept) / _MOVES_AHEAD)
        return usable(turn)

    def _left(self) -> float | None:
        """The seconds left of a match; None without a limit."""
        if self.time_left is not None and self.time_left != _UNLIMITED_MS:
            # Some managers send 0 along with "no limit on the match".
            return max(0, self.time_left) / 1000 if self.timeout_match != 0 or self.time_left > 0 else None
        return self.timeout_match / 1000 if self.timeout_match else None


@dataclass
class GtpClock:
    """The times of ``time_settings`` and ``time_left``: main time, then so many seconds for so many moves."""

    default_seconds: float
    main: float | None = None
    overtime: float = 0.0
    overtime_moves: int = 0

    def settings(self, main: float, overtime: float, moves: int) -> None:
        """Take a ``time_settings``; overtime without moves means no limit."""
        self.main = None if overtime > 0 and moves == 0 else main
        self.overtime, self.overtime_moves = overtime, moves

    @property
    def typical(self) -> float:
        """The usual time for a move."""
        if self.main is None:
            return self.default_seconds
        share = self.main / 30
        return max(share, self.overtime / self.overtime_moves if self.overtime_moves else 0.0)

    def seconds(self, left: tuple[float, int] | None, moves_to_come: int) -> float:
        """For how long to think now; ``left`` is the last ``time_left`` (seconds, moves; 0 moves: main time)."""
        if self.main is None and left is None:
            return self.default_seconds
        seconds, moves = left if left is not None else (self.main or 0.0, 0)
        if moves:
            return usable(seconds / moves)
        if seconds <= 0 and self.overtime_moves:
            return usable(self.overtime / self.overtime_moves)
        return usable(seconds / max(3, moves_to_come + 1))
