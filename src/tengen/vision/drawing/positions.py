"""Positions worth drawing: games as they stand after any number of moves, from the empty board to the full one."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.games import Position


@dataclass(frozen=True)
class Scene:
    """A position, with what a picture may show of how it came about."""

    cells: NDArray[np.int8]
    #: Row and column of the moves in order; empty where the order is not known.
    moves: list[tuple[int, int]]
    #: Othello: where the side to move may play.
    legal: list[tuple[int, int]]
    #: Othello: who is to move. Gomoku: None, since the stones tell it.
    to_move: str | None = None

    @property
    def last(self) -> tuple[int, int] | None:
        """The last move, if known."""
        return self.moves[-1] if self.moves else None

    def mover_by_counts(self) -> str | None:
        """Whose turn it is in Gomoku by the number of stones; None if they cannot come from alternate moves."""
        lead = int((self.cells == 1).sum()) - int((self.cells == 2).sum())
        return {0: "black", 1: "white"}.get(lead)

    def mover_after_last(self) -> str | None:
        """Whose turn it is by the colour of the last move."""
        return None if self.last is None else ("white" if self.cells[self.last] == 1 else "black")


def gomoku_scene(rng: np.random.Generator, size: int, *, crowded: float = 0.1) -> Scene:
    """A position of stones on points: mostly of a game in progress, sometimes empty, crowded or impossible."""
    kind = rng.random()
    if kind < 0.04:
        return Scene(np.zeros((size, size), np.int8), [], [])
    if kind < 0.90 - crowded:
        return _local_game(rng, size, _number_of_moves(rng, size))
    if kind < 0.90:
        return _local_game(rng, size, int(size * size * rng.uniform(0.6, 1.0)))
    return _regions(rng, size)


def _number_of_moves(rng: np.random.Generator, size: int) -> int:
    most = min(size * size, 120)
    return 1 + int(most * rng.random() ** 1.7)


def _local_game(rng: np.random.Generator, size: int, length: int) -> Scene:
    """Moves near earlier ones, as people play them, black and white in turn."""
    cells = np.zeros((size, size), np.int8)
    moves: list[tuple[int, int]] = []
    spread = rng.uniform(0.9, 2.0)
    draws = rng.normal(0, spread, (4 * length + 8, 2))
    chosen = rng.random(4 * length + 8)
    for offset, share in zip(draws, chosen, strict=True):
        if len(moves) == length:
            break
        if moves and share > 0.03:
            base = moves[int(share * len(moves))]
            row, column = round(base[0] + offset[0]), round(base[1] + offset[1])
        else:
            row, column = round(size / 2 + offset[0] * size / 8), round(size / 2 + offset[1] * size / 8)
        if 0 <= row < size and 0 <= column < size and not cells[row, column]:
            cells[row, column] = 1 + len(moves) % 2
            moves.append((row, column))
    if len(moves) < length:  # crowded: the rest goes anywhere
        empty = np.argwhere(cells == 0)
        for row, column in rng.permutation(empty)[: length - len(moves)].tolist():
            cells[row, column] = 1 + len(moves) % 2
            moves.append((row, column))
    return Scene(cells, moves, [])


def _regions(rng: np.random.Generator, size: int) -> Scene:
    """Black and white regions, as in Go, with any number of stones of each; only the last move is known."""
    coarse = rng.normal(0, 1, (4, 4)).astype(np.float32)
    height = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC)
    noisy = np.asarray(height) + rng.normal(0, 0.5, (size, size))
    filled = rng.random((size, size)) < rng.uniform(0.08, 0.85)
    cells = np.where(filled, np.where(noisy > 0, 1, 2), 0).astype(np.int8)
    stones = np.argwhere(cells)
    if len(stones) == 0:
        return Scene(cells, [], [])
    row, column = stones[rng.integers(len(stones))].tolist()
    return Scene(cells, [(row, column)], [])


def othello_scene(rng: np.random.Generator, size: int) -> Scene:
    """A position of random legal play, from the first move to the last."""
    position = Position(f"othello:size={size}")
    length = int(rng.integers(0, size * size - 3))
    passing = size * size
    for share in rng.random(length):
        legal = np.flatnonzero(position.legal_mask())
        if position.is_over or len(legal) == 0:
            break
        position.play(int(legal[int(share * len(legal))]))
    cells = position.board().astype(np.int8)
    placed = [divmod(int(move), size) for move in position.moves if int(move) != passing]
    legal_now = [] if position.is_over else np.flatnonzero(position.legal_mask()).tolist()
    options = [divmod(cell, size) for cell in legal_now if cell != passing]
    return Scene(cells, placed, options, None if position.is_over else str(position.to_move))
