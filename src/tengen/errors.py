"""The errors that Tengen raises for bad input; all of them are ``ValueError``."""

from __future__ import annotations


class TengenError(ValueError):
    """Bad input; the message says what is wrong, and nothing has changed."""


class GameNameError(TengenError):
    """A text that names no game; the message lists what is valid."""


class PlayerNameError(TengenError):
    """A text that names no player; the message lists what is valid."""


class NotationError(TengenError):
    """A text or number that names no move of the game."""


class IllegalMoveError(TengenError):
    """A move that the rules do not allow in this position; the message says why."""


class PositionError(TengenError):
    """An arrangement of stones, or a serialised position, that cannot be."""


class RecordError(TengenError):
    """A game record that cannot be read or written.

    ``format`` is the record format, ``place`` says where the trouble is ("line 3", "byte 17"), or is empty.
    """

    def __init__(self, message: str, *, format: str = "", place: str = "") -> None:  # noqa: A002 - the public word
        self.format = format
        self.place = place
        where = " ".join(part for part in (format, f"({place})" if place else "") if part)
        super().__init__(f"{where}: {message}" if where else message)
