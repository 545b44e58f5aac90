"""A position as one side sees it, whoever is to move."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tengen.errors import IllegalMoveError, NotationError, TengenError
from tengen.games import ENCODINGS, Game, Move, Position, Side


def check_encoding(encoding: str) -> str:
    """Return the encoding; raises ``TengenError`` that lists the known ones if it is none of them."""
    if encoding not in ENCODINGS:
        raise TengenError(f"unknown encoding {encoding!r}; the encodings are {', '.join(ENCODINGS)}")
    return encoding


def check_action(game: Game, action: SupportsIndex) -> Move:
    """The move of an action; raises ``IllegalMoveError`` for a number outside the action space.

    Anything but a number is not an illegal action but no action at all: ``NotationError``.
    """
    try:
        return game.move(action)
    except NotationError as trouble:
        if hasattr(action, "__index__"):
            raise IllegalMoveError(str(trouble)) from None
        raise


def lowest_value(encoding: str) -> float:
    """The least number that the planes of an encoding hold; the greatest is 1."""
    return -1.0 if encoding == "s1" else 0.0


def planes_for(position: Position, side: Side, encoding: str) -> NDArray[np.float32]:
    """The planes as ``side`` would see them if it were to move, float32 [planes, size, size].

    A learner looks at a finished game, or at its rival's turn, with its own stones still in the plane of its own.
    """
    planes = position.planes(encoding)
    if position.to_move is side:
        return planes
    match encoding:
        case "s0":
            return planes[::-1].copy()
        case "s1":
            return np.float32(0) - planes  # unlike a bare minus, this makes no negative zeros
        case "s2":
            return planes
        case "s3":
            return np.concatenate((planes[1::-1], planes[2:3], 1 - planes[3:]))
        case "s4":
            pairs = planes[:12].reshape(6, 2, *planes.shape[1:])
            return np.concatenate((pairs[:, ::-1].reshape(planes[:12].shape), 1 - planes[12:]))
    raise TengenError(f"encoding {encoding!r} cannot be seen from the side that is not to move")
