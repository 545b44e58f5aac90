"""One game at one table: who sits where, whose turn it is, the clocks, and how it ended.

Nothing here waits or thinks: a :class:`Table` is told what happened, and says who is to act.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, Self

from tengen.errors import IllegalMoveError, TengenError
from tengen.games import Game, Opening, Outcome, Position, Reason, Seat, Side
from tengen.search.clock import Clock, TimeControl
from tengen.search.limit import Limit
from tengen.web.view import outcome_view, view

HUMAN: Final = "human"
_SEATS: Final = {Side.BLACK: Seat.FIRST, Side.WHITE: Seat.SECOND}
_MOST_SECONDS_A_MOVE: Final = 60.0
_MOST_PLIES: Final = 1000  # of any game
_KEPT: Final = frozenset({"terms", "moves", "choices", "ended", "left"})


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What was agreed on before a game: ``first`` and ``second`` are players' names, black and white if no
    ``protocol`` settles the colours. A move has ``seconds``, or the game a ``clock``, or neither. Where stones were set
    up, ``start`` is that position.
    """

    game: Game
    first: str = HUMAN
    second: str = HUMAN
    protocol: str | None = None
    seconds: float | None = None
    clock: TimeControl | None = None
    start: Position | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.protocol is not None:
            raise TengenError("a game from a position has no opening protocol")
        if self.seconds is not None and self.clock is not None:
            raise TengenError("a game has seconds for a move or a clock, not both")
        if self.seconds is not None and not 0.01 <= self.seconds <= _MOST_SECONDS_A_MOVE:
            raise TengenError(
                f"a move has from 0.01 to {_MOST_SECONDS_A_MOVE:g} seconds, not {self.seconds!r}",
                code="seconds",
                details=[0.01, f"{_MOST_SECONDS_A_MOVE:g}"],
            )

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        return self.first if seat is Seat.FIRST else self.second

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "game": self.game.name,
            "first": self.first,
            "second": self.second,
            "protocol": self.protocol,
            "seconds": self.seconds,
            "clock": None if self.clock is None else str(self.clock),
            "setup": None if self.start is None else self.start.to_dict()["setup"],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_dict`, from a stranger; raises ``TengenError``."""
        unknown = set(data) - {"game", "first", "second", "protocol", "seconds", "clock", "setup"}
        if unknown:
            raise TengenError(f"a game has no {', '.join(sorted(map(str, unknown)))}")
        texts = {key: data.get(key) for key in ("game", "first", "second", "protocol", "clock")}
        for key, text in texts.items():
            if text is not None and not (isinstance(text, str) and len(text) <= 200):
                raise TengenError(f"{key} is a short text")
        seconds = data.get("seconds")
        if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float)):
            raise TengenError(f"seconds are a number, not {seconds!r}")
        game = Game.parse(texts["game"] or "gomoku")
        setup = data.get("setup")
        return cls(
            game=game,
            first=HUMAN if texts["first"] is None else texts["first"].strip(),
            second=HUMAN if texts["second"] is None else texts["second"].strip(),
            protocol=texts["protocol"],
            seconds=seconds,
            clock=None if texts["clock"] is None else TimeControl.parse(texts["clock"]),
            start=None if setup is None else Position.from_dict({"game": game.name, "setup": setup}),
        )

    def position(self, moves: Any) -> Position:
        """Where moves lead from the start; raises ``TengenError`` if they cannot be played."""
        start = {"game": self.game.name} if self.start is None else self.start.to_dict()
        return Position.from_dict({**start, "moves": moves})


class Table:
    """A game and how it stands. Every change is checked, and one that is refused changes nothing.

    ``now`` tells the time in seconds; tests give their own.
    """

    def __init__(self, terms: Terms, *, now: Callable[[], float] = monotonic) -> None:
        self.terms = terms
        self.opening = Opening(terms.protocol, terms.game) if terms.protocol else None
        self.position = self.opening.position if self.opening else terms.position([])
        self._ended: Outcome | None = None  # but for games decided on the board
        self._now = now
        base = 0.0 if terms.clock is None else terms.clock.base
        self._left = dict.fromkeys(Side, base)
        self._began = now()  # the turn that is going on
        self._last_granted = -1  # the last ply before which an increment was added
        self._paused = False
        self._is_held = False  # the clock
        self._taken: list[list[str]] = []  # moves that were taken back together, the last ones last
        self._start_turn()

    @classmethod
    def going_on(cls, terms: Terms, moves: Any, *, now: Callable[[], float] = monotonic) -> Self:
        """A game that begins after some moves; raises ``TengenError`` if they cannot be played, or end the game."""
        if terms.protocol is not None:
            raise TengenError("a game from a position has no opening protocol")
        table = cls(terms, now=now)
        table.position = terms.position(moves)
        table._left = dict.fromkeys(Side, 0.0 if terms.clock is None else terms.clock.base)
        table._last_granted = -1
        table._require_going()
        table._start_turn()
        return table

    # --- how it stands ---

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._ended or self.position.outcome()

    @property
    def is_opening(self) -> bool:
        """Whether the colours are not settled yet."""
        return self.opening is not None and self.opening.phase != "done"

    def player_of(self, side: Side) -> str | None:
        """Who plays a colour; None while that is open."""
        if self.opening is None:
            return self.terms.player(_SEATS[side])
        return None if self.is_opening else self.terms.player(self.opening.seat_of(side))

    @property
    def to_act(self) -> str | None:
        """The player who is to act; None when the game is over."""
        if self.outcome is not None:
            return None
        if self.opening is not None and self.opening.to_act is not None:
            return self.terms.player(self.opening.to_act)
        return self.player_of(self.position.to_move)

    @property
    def has_people(self) -> bool:
        """Whether a person plays at all."""
        return HUMAN in (self.terms.first, self.terms.second)

    @property
    def is_paused(self) -> bool:
        """Whether a game of two programs waits to be gone on with."""
        return self._paused and self.outcome is None

    @property
    def can_draw(self) -> bool:
        """Whether a draw can be offered: by a person who is to move."""
        return self.to_act == HUMAN and not self.is_opening

    def limit(self) -> Limit:
        """What the player who is to move may spend."""
        if self.terms.clock is not None and not self.is_opening:
            clock = Clock(max(0.0, self._left_now(self.position.to_move)), self.terms.clock)
            return Limit(seconds=clock.seconds_for_move(self.position), clock=clock)
        return Limit(seconds=self.terms.seconds)

    def seconds_to_flag(self) -> float | None:
        """How long the player who is to move has at most; None if there is no clock, or it stands still."""
        if not self._is_ticking():
            return None
        return max(0.0, self._left_now(self.position.to_move))

    # --- what happens ---

    def play(self, move: str) -> None:
        """A move, or a stone of the opening; raises ``TengenError`` if it cannot be."""
        self._require_going()
        if self.is_opening:
            assert self.opening is not None
            self.opening.place(move)
            return
        left = self._left_now(self.position.to_move)
        mover = self.position.to_move
        self.position.play(move)
        self._left[mover] = left
        self._taken.clear()
        self._start_turn()

    def choose(self, choice: str) -> None:
        """What swap and swap2 let one choose; raises ``TengenError`` if it cannot be."""
        self._require_going()
        if self.opening is None:
            raise IllegalMoveError("there is nothing to choose", code="no_choice")
        self.opening.choose(choice)
        self._start_turn()

    def undo(self) -> None:
        """Take moves back until a person is to move again; raises ``TengenError`` if none can be.

        A choice of colour stands, and so do the stones before it; while stones of an opening are placed, it is one of
        one's own. A resignation or an agreed draw is taken back alone. A game that is over goes on, but not if it was
        lost on time: time that was used stays used. :meth:`redo` plays again what was taken back.
        """
        self.flag()
        taken = self._to_take_back()
        if taken is None:
            raise IllegalMoveError("there is no move of yours to take back", code="nothing_to_undo")
        self._charge()
        if taken and not self.is_opening:
            self._taken.append([str(move) for move in self.position.moves[-taken:]])
        for _ in range(taken):
            self.position.undo()
        self._ended = None
        self._start_turn()

    def redo(self) -> None:
        """Play again what was taken back last; raises ``TengenError`` if nothing was, or another move was played."""
        self._require_going()
        if not self._taken:
            raise IllegalMoveError("there is no move to play again", code="nothing_to_redo")
        self._charge()
        for move in self._taken.pop():
            self.position.play(move)
        self._start_turn()

    def _to_take_back(self) -> int | None:
        """How many moves :meth:`undo` takes back; None if there is nothing to take back."""
        if self._ended is not None:
            return None if self._ended.reason is Reason.TIME else 0
        choices = [] if self.opening is None else self.opening.to_dict()["choices"]
        if self.is_opening:
            assert self.opening is not None
            is_own = self.opening.phase == "place" and self.to_act == HUMAN
            return 1 if is_own and self.position.ply > (3 if choices else 0) else None
        fixed = (0, 3, 5)[len(choices)]
        trial = self.position.copy()
        while trial.ply > fixed:
            trial.undo()
            if not self.has_people or self.player_of(trial.to_move) == HUMAN:
                return self.position.ply - trial.ply
        return None

    def resign(self, side: Side) -> None:
        """A side gives up."""
        self._require_settled()
        self._end(Outcome(side.other, Reason.RESIGNATION))

    def require_drawable(self) -> None:
        """Raises ``TengenError`` unless a draw can be offered."""
        self._require_settled()
        if not self.can_draw:
            raise IllegalMoveError("only a person who is to move offers a draw", code="no_draw")

    def agree_draw(self) -> None:
        """Both agree on a draw; raises ``TengenError`` if none can be offered."""
        self.require_drawable()
        self._end(Outcome(None, Reason.AGREEMENT))

    def pause(self) -> None:
        """Two programs stop, and so do their clocks; raises ``TengenError`` if people play, or the game is over."""
        self._require_going()
        if self.has_people:
            raise IllegalMoveError("only a game of two programs is paused", code="no_pause")
        self.hold_clock()
        self._paused = True

    def resume(self) -> None:
        """The game goes on; raises ``TengenError`` if it was not paused."""
        if not self.is_paused:
            raise IllegalMoveError("the game is not paused", code="no_pause")
        self._paused = self._is_held = False
        self._began = self._now()

    def flag(self) -> bool:
        """End the game if the time of the player to move is up; whether it was."""
        if not self._is_ticking() or self._left_now(self.position.to_move) > 0:
            return False
        self._end(Outcome(self.position.to_move.other, Reason.TIME))
        return True

    def _end(self, outcome: Outcome) -> None:
        self._charge()
        self._ended = outcome

    def _require_going(self) -> None:
        if self.flag() or self.outcome is not None:
            raise IllegalMoveError(f"the game is over: {self.outcome}", code="over")

    def _require_settled(self) -> None:
        self._require_going()
        if self.is_opening:
            raise IllegalMoveError("nobody has a colour yet", code="no_colour")

    # --- the clocks ---

    def hold_clock(self) -> None:
        """The clock stands still until the turn ends: what is waited for from now on is not the mover's doing."""
        self._charge()
        self._is_held = True

    def _is_timed(self) -> bool:
        return self.terms.clock is not None and self.outcome is None and not self.is_opening

    def _is_ticking(self) -> bool:
        return self._is_timed() and not self._is_held

    def _left_now(self, side: Side) -> float:
        running = self._is_ticking() and side is self.position.to_move
        return self._left[side] - (self._now() - self._began if running else 0.0)

    def _charge(self) -> None:
        """Take the time of the turn so far from the mover's."""
        self._left[self.position.to_move] = self._left_now(self.position.to_move)
        self._began = self._now()

    def _start_turn(self) -> None:
        self._began = self._now()
        self._is_held = self._paused
        if self._is_timed() and self.position.ply > self._last_granted:  # else the turn is taken again
            assert self.terms.clock is not None
            self._left[self.position.to_move] += self.terms.clock.increment
            self._last_granted = self.position.ply

    # --- what is shown and kept ---

    def to_view(self) -> dict[str, Any]:
        """Everything the page shows of the game, and the ``snapshot`` that brings it back."""
        opening = None
        if self.opening is not None:
            opening = {
                "protocol": self.opening.protocol,
                "phase": self.opening.phase,
                "seat": None if self.opening.to_act is None else str(self.opening.to_act),
                "remaining": self.opening.remaining,
                "choices": list(self.opening.choices()),
            }
        clocks = None
        if self.terms.clock is not None:
            clocks = {
                **{str(side): round(max(0.0, self._left_now(side)), 3) for side in Side},
                "running": str(self.position.to_move) if self._is_ticking() else None,
            }
        return {
            **view(self.position, self._ended),
            "players": {str(side): self.player_of(side) for side in Side},
            "opening": opening,
            "clocks": clocks,
            "can_undo": self._to_take_back() is not None,
            "can_redo": bool(self._taken) and self.outcome is None,
            "can_draw": self.can_draw,
            "paused": self.is_paused,
            "snapshot": self.snapshot(),
        }

    def snapshot(self) -> dict[str, Any]:
        """The game as plain JSON values; :meth:`restored` goes on with it."""
        return {
            "terms": self.terms.to_dict(),
            "moves": [str(move) for move in self.position.moves],
            "choices": self.opening.to_dict()["choices"] if self.opening else [],
            "ended": None if self._ended is None else outcome_view(self._ended),
            "left": [round(self._left_now(side), 3) for side in Side],
            "granted": self._last_granted,
            "paused": self.is_paused,
        }

    @classmethod
    def restored(cls, data: Mapping[str, Any], *, now: Callable[[], float] = monotonic) -> Self:
        """Go on with what :meth:`snapshot` wrote, by playing it again; raises ``TengenError`` if it cannot be.

        Clocks stood still meanwhile.
        """
        if not isinstance(data, Mapping) or set(data) - {"granted", "paused"} != _KEPT:
            raise TengenError(f"a kept game has the keys {', '.join(sorted(_KEPT))}")
        if not isinstance(data["terms"], Mapping):
            raise TengenError("the terms of a kept game are an object")
        table = cls(Terms.from_dict(data["terms"]), now=now)
        if table.opening is not None:
            played = {"game": table.terms.game.name, "moves": data["moves"]}
            again = {"protocol": table.opening.protocol, "position": played, "choices": data["choices"]}
            table.opening = Opening.from_dict(again)
            table.position = table.opening.position
        else:
            table.position = table.terms.position(data["moves"])
        table._ended = _outcome(data["ended"])
        if table._ended and table.position.is_over:
            raise TengenError("a game that was decided on the board does not end twice")
        begun = -1 if table.is_opening else table.position.ply - table.position.is_over
        table._restore_clocks(data["left"], data.get("granted", begun))
        table._paused = table._is_held = data.get("paused") is True and not table.has_people
        return table

    def _restore_clocks(self, left: Any, granted: Any) -> None:
        if not isinstance(left, list) or len(left) != 2 or any(type(each) not in (int, float) for each in left):
            raise TengenError("the clocks of a kept game are two numbers of seconds")
        if type(granted) is not int or not -1 <= granted <= _MOST_PLIES:
            raise TengenError(f"the last increment of a kept game was before a ply from -1 to {_MOST_PLIES}")
        if self.terms.clock is not None:
            most = self.terms.clock.base + self.terms.clock.increment * (granted + 1)
            # A whole number may be too large for a float, until it is bounded.
            self._left = {side: float(min(max(0.0, each), most)) for side, each in zip(Side, left, strict=True)}
        self._last_granted = granted
        self._began = self._now()


def _outcome(data: Any) -> Outcome | None:
    if data is None:
        return None
    try:
        winner, reason = data["winner"], Reason(data["reason"])
        if reason not in (Reason.RESIGNATION, Reason.TIME, Reason.AGREEMENT):
            raise ValueError
        return Outcome(None if winner is None else Side.parse(winner), reason)
    except (KeyError, TypeError, ValueError):
        raise TengenError("a kept game ended by resignation, on time or by agreement, or not at all") from None
