"""Swap2 for engines: which three stones to propose, and which colour to take."""

from __future__ import annotations

import random
from typing import Final

import numpy as np

from tengen.games import Game, Move, Position, Shape, Side

# Black, white, black, as (row, column) from a corner's sight; they lie near an edge, where black's first-move advantage
# is less, and black's two stones do not help each other at once. Each is used in the eight symmetries and all corners.
_PROPOSALS: Final[tuple[tuple[tuple[int, int], ...], ...]] = (
    ((1, 4), (2, 6), (4, 2)),
    ((0, 5), (3, 5), (2, 8)),
    ((1, 2), (3, 4), (2, 6)),
    ((2, 2), (3, 3), (1, 6)),
    ((0, 3), (2, 2), (3, 6)),
    ((1, 7), (3, 5), (1, 3)),
)

_CLEAR = 0.05  # a value nearer to 0 than this decides nothing


def propose(game: Game, generator: random.Random) -> list[Move]:
    """Three points (black, white, black), drawn from a small list, turned and mirrored."""
    rows = generator.choice(_PROPOSALS)
    last = game.size - 1
    # On small boards the list does not fit; there the middle is as good as any place.
    if max(max(point) for point in rows) > last - 1:
        middle = [game.at(row, column) for row in range(1, last) for column in range(1, last)]
        return generator.sample(middle, 3)
    points = [game.at(row, column) for row, column in rows]
    image = game.symmetry_maps()[generator.randrange(8)]
    return [game.moves[int(image[point])] for point in points]


def points_near(position: Position) -> list[Move]:
    """The legal moves within two points of a stone, or of the centre of an empty board."""
    stones = np.argwhere(position.board())
    if not len(stones):
        stones = np.array([[position.size // 2, position.size // 2]])
    near = np.zeros((position.size, position.size), dtype=bool)
    for row, column in stones:
        near[max(0, row - 2) : row + 3, max(0, column - 2) : column + 3] = True
    return [move for move in position.legal_moves() if near.flat[move]]


def wants_black(position: Position, value: float | None) -> bool:
    """Whether to take black (say SWAP) in a position with white to move.

    ``value`` is what a player expects as white. Without one, or with one near 0: black is worth taking when there are
    more points at which black could make a three (or better) than there are for white.
    """
    if value is not None and abs(value) >= _CLEAR:
        return value < 0
    counts = {side: int((position.shapes(side) >= Shape.SLEEPING_THREE).sum()) for side in Side}
    return counts[Side.BLACK] > counts[Side.WHITE]
