"""The errors that Tengen raises for bad input; all of them are ``ValueError``."""

from __future__ import annotations

from collections.abc import Iterable


class TengenError(ValueError):
    """Bad input; the message says what is wrong, and nothing has changed.

    ``code`` names the reason for programs, and ``details`` are what the message says of it (a move, a name): so that
    a page can say the same in another language. Where a reason has no code of its own it is that of the class.
    """

    code = "other"

    def __init__(self, message: str = "", *, code: str | None = None, details: Iterable[object] = ()) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.details = tuple(str(detail) for detail in details)


class GameNameError(TengenError):
    """A text that names no game; the message lists what is valid."""

    code = "game_name"


class PlayerNameError(TengenError):
    """A text that names no player; the message lists what is valid."""

    code = "player_name"


class NotationError(TengenError):
    """A text or number that names no move of the game."""

    code = "notation"


class IllegalMoveError(TengenError):
    """A move that the rules do not allow in this position; the message says why."""

    code = "illegal_move"


class PositionError(TengenError):
    """An arrangement of stones, or a serialised position, that cannot be."""

    code = "position"


class RecordError(TengenError):
    """A game record that cannot be read or written.

    ``format`` is the record format, ``place`` says where the trouble is ("line 3", "byte 17"), or is empty.
    """

    code = "record"

    def __init__(self, message: str, *, format: str = "", place: str = "") -> None:  # noqa: A002 - the public word
        self.format = format
        self.place = place
        where = " ".join(part for part in (format, f"({place})" if place else "") if part)
        super().__init__(f"{where}: {message}" if where else message, details=(format, place))
