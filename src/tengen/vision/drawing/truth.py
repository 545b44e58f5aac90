"""What a drawn picture shows: the truth that a reader of pictures is trained on and held against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Truth:
    """The position in a picture, and where it lies."""

    #: ``gomoku`` (stones on points, Go-style boards too; X and O on points or in squares) or ``othello``.
    game: str
    #: Points a side: 6..20, for Othello 6, 8 or 10.
    size: int
    #: ``[size, size]``, row 0 at the top of the board as a person would hold it: 0 empty, 1 black (X), 2 white (O).
    cells: NDArray[np.int8]
    #: ``black`` or ``white`` as the picture tells by counts, a last-move mark or numbers; None where it cannot.
    to_move: str | None
    #: ``[4, 2]``, x and y in pixels (a pixel's centre is a whole number): top left, top right, bottom right, bottom
    #: left. Gomoku: the outermost points, that is crossings of the grid, or centres of the corner squares for X and O
    #: in squares; Othello: the outer corners of the corner squares.
    corners: NDArray[np.float64]
    theme: str
    #: Whether stones lie in squares: always in Othello, never in Gomoku but for some X and O.
    in_squares: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture of a board, with its truth."""

    #: ``[height, width, 3]``, red, green, blue.
    image: NDArray[np.uint8]
    truth: Truth
