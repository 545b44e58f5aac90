"""What a manager says about time, turned into seconds for one move by the one time manager."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.search.clock import MOVES_AHEAD, seconds_for_move, usable

_UNLIMITED_MS = 2147483647
_UNUSUAL = 2  # a move may take so many times its even share of the game, when others took less


@dataclass
class GomocupClock:
    """The times of ``INFO``, in ms: ``timeout_turn``, ``timeout_match``, ``time_left``, Yixin's ``time_increment``."""

    default_seconds: float
    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None
    time_increment: int = 0

    @property
    def typical(self) -> float:
        """The most that a move may usually take, which stays the same during a game."""
        if not self.timeout_match:
            return self._turn
        return min(self._turn, _UNUSUAL * self.timeout_match / 1000 / MOVES_AHEAD + self._increment)

    @property
    def seconds(self) -> float:
        """For how long to think now: to the end of the turn, and of a match's time no more than its share."""
        turn, left = usable(self._turn), self._left()
        if left is None:
            return turn
        base = self.timeout_match / 1000 if self.timeout_match else None
        return min(turn, seconds_for_move(left, base=base, increment=self._increment))

    @property
    def _turn(self) -> float:
        return self.default_seconds if self.timeout_turn is None else max(0, self.timeout_turn) / 1000

    @property
    def _increment(self) -> float:
        return max(0, self.time_increment) / 1000

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
        """The most that a move may usually take."""
        if self.main is None:
            return self.default_seconds
        return max(_UNUSUAL * self.main / MOVES_AHEAD, self._each)

    def seconds(self, left: tuple[float, int] | None, moves: int) -> float:
        """For how long to think now, with ``moves`` to share the main time.

        ``left`` is the last ``time_left`` (seconds, moves; 0 moves: main time).
        """
        if self.main is None and left is None:
            return self.default_seconds
        seconds, stones = left if left is not None else (self.main or 0.0, 0)
        if stones:
            return usable(seconds / stones)
        # Overtime begins anew with each move and cannot be saved up, so it can be spent whole.
        return max(seconds_for_move(seconds, base=self.main, moves=moves), usable(self._each))

    @property
    def _each(self) -> float:
        return self.overtime / self.overtime_moves if self.overtime_moves else 0.0
