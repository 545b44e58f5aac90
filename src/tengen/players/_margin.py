"""Moves near the stones, as S0 limits them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tengen.games import Move, Position


def within_margin(position: Position, moves: Sequence[Move], margin: int) -> list[Move]:
    """Those of the moves within the stones' bounding box grown by so much, as in :class:`tengen.envs.DuelEnv`.

    On an empty board those in the central 5x5; where there is none, all.
    """
    rows, columns = np.nonzero(position.board())
    if not len(rows):
        side = min(position.size, 5)
        first = (position.size - side) // 2
        rows = columns = np.array([first, first + side - 1])
        margin = 0
    tall = range(int(rows.min()) - margin, int(rows.max()) + margin + 1)
    wide = range(int(columns.min()) - margin, int(columns.max()) + margin + 1)
    return [move for move in moves if move.row in tall and move.column in wide] or list(moves)
