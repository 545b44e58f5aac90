"""Swap and swap2: agreeing on an opening, and on who gets which colour, before the game proper."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Self

from tengen.errors import IllegalMoveError, TengenError
from tengen.games._game import Game, Move, MoveLike, Side
from tengen.games._position import Position


class Seat(StrEnum):
    """A person at the board, before colours are settled: ``first`` places the opening stones."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> Seat:
        """The person opposite."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST


PROTOCOLS: Final = ("swap", "swap2")
_PLACE_TWO: Final = "place two"


class Opening:
    """A swap or swap2 opening as it goes on.

    The first person places three stones (black, white, black). Under ``swap`` the second then takes black or white.
    Under ``swap2`` the second may instead place two more (white, black), and then the first takes a colour. White moves
    next, in ``position``, and the game goes on from there as any other.
    """

    def __init__(self, protocol: str = "swap2", game: str | Game = "gomoku") -> None:
        self._game = Game.parse(game)
        if protocol not in PROTOCOLS:
            raise TengenError(f"unknown opening protocol {protocol!r}; the protocols are {', '.join(PROTOCOLS)}")
        if self._game.kind != "gomoku" or self._game.win < 4:
            raise TengenError(f"{protocol} is for five in a row, not for {self._game}")
        self.protocol = protocol
        self.position = Position(self._game)
        self._choices: list[str] = []

    @property
    def phase(self) -> str:
        """``place`` (a stone is due), ``choose`` (a choice is due) or ``done``."""
        if self._choices and self._choices[-1] != _PLACE_TWO:
            return "done"
        return "place" if self.position.ply < self._stones_due else "choose"

    @property
    def _stones_due(self) -> int:
        return 5 if _PLACE_TWO in self._choices else 3

    @property
    def to_act(self) -> Seat | None:
        """Who places or chooses next; None when the opening is done."""
        if self.phase == "done":
            return None
        added = _PLACE_TWO in self._choices
        return Seat.SECOND if (self.phase == "place") is added else Seat.FIRST

    @property
    def remaining(self) -> int:
        """How many stones the placing side still has to put down."""
        return self._stones_due - self.position.ply if self.phase == "place" else 0

    def choices(self) -> tuple[str, ...]:
        """What may be chosen now: ``black``, ``white`` and, for the second person of swap2, ``place two``."""
        if self.phase != "choose":
            return ()
        colours = (str(Side.BLACK), str(Side.WHITE))
        return (*colours, _PLACE_TWO) if self.protocol == "swap2" and not self._choices else colours

    def place(self, move: MoveLike) -> Move:
        """Place the next opening stone; raises ``IllegalMoveError`` if none is due or the point is taken."""
        if self.phase != "place":
            raise IllegalMoveError("no opening stone is due")
        return self.position.play(move)

    def choose(self, choice: str) -> None:
        """Take a colour, or decide to place two more; raises ``IllegalMoveError`` that lists the choices."""
        if choice not in self.choices():
            raise IllegalMoveError(f"{choice!r} cannot be chosen now; choices: {', '.join(self.choices()) or 'none'}")
        self._choices.append(choice)

    def seat_of(self, side: Side | str) -> Seat:
        """Who plays a colour; raises ``TengenError`` while that is open."""
        if self.phase != "done":
            raise TengenError("the colours are not settled yet")
        chooser = Seat.FIRST if _PLACE_TWO in self._choices else Seat.SECOND
        return chooser if Side.parse(side) == self._choices[-1] else chooser.other

    def __repr__(self) -> str:
        return f"<Opening {self.protocol} of {self._game}, {self.phase}: {self.position!r}>"

    def to_dict(self) -> dict[str, Any]:
        """The opening as plain JSON values."""
        return {"protocol": self.protocol, "position": self.position.to_dict(), "choices": list(self._choices)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote, by going through it again; raises ``TengenError`` if it cannot be."""
        if not isinstance(data, Mapping) or set(data) != {"protocol", "position", "choices"}:
            raise TengenError("an opening has the keys protocol, position and choices")
        played = Position.from_dict(data["position"])
        choices = data["choices"]
        if played.setup or not isinstance(choices, list):
            raise TengenError("an opening starts from the empty board, and its choices are a list")
        self = cls(data["protocol"], played.game)
        due = list(choices)
        for move in played.moves:
            if self.phase == "choose" and due:
                self.choose(due.pop(0))
            if self.phase == "done":
                self.position.play(move)
            else:
                self.place(move)
        for choice in due:
            self.choose(choice)
        return self
