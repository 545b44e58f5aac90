"""Positions as text and as pictures, for the ``render`` of the environments."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.games import Position

RENDER_MODES: Final = ("ansi", "human", "rgb_array")

CELL: Final = 32  # pixels from one point to the next

_WOOD, _FELT = (222, 184, 120), (38, 120, 70)
_INK = (60, 48, 30)
_STONES = ((24, 24, 26), (244, 243, 238))  # black, white
_LAST, _LINE = (214, 60, 48), (40, 140, 230)


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode; raises ``TengenError`` that lists the known ones if it is none of them."""
    if mode is not None and mode not in RENDER_MODES:
        raise TengenError(f"unknown render mode {mode!r}; the modes are {', '.join(RENDER_MODES)}")
    return mode


def render(position: Position, mode: str) -> str | NDArray[np.uint8] | None:
    """``ansi`` returns the drawn board, ``human`` prints it, ``rgb_array`` returns a picture."""
    if mode == "rgb_array":
        return draw_picture(position)
    if mode == "ansi":
        return str(position)
    print(position, flush=True)
    return None


def draw_picture(position: Position) -> NDArray[np.uint8]:
    """The board as a picture, uint8 [size * CELL, size * CELL, 3]; the last move and a winning line are marked."""
    size = position.size
    on_points = position.game.kind == "gomoku"  # stones stand on the crossings there, inside the cells in Othello
    canvas = np.empty((size * CELL, size * CELL, 3), dtype=np.float32)
    canvas[:] = _WOOD if on_points else _FELT
    _draw_grid(canvas, size, on_points=on_points)
    outcome = position.outcome()
    line = set(outcome.line) if outcome else set()
    stone, dot = _disc(0.43 * CELL), _disc(0.13 * CELL)
    for index in np.flatnonzero(position.board()).tolist():
        move = position.game.moves[index]
        side = position.stone(move)
        assert side is not None
        _blend(canvas, index, size, stone, _STONES[side.index])
        if move in line:
            _blend(canvas, index, size, stone - _disc(0.36 * CELL), _LINE)
        if move == position.last_move:
            _blend(canvas, index, size, dot, _LAST)
    return canvas.round().astype(np.uint8)


def _draw_grid(canvas: NDArray[np.float32], size: int, *, on_points: bool) -> None:
    first, last = (CELL // 2, size * CELL - CELL // 2) if on_points else (0, size * CELL - 1)
    for at in np.linspace(first, last, size if on_points else size + 1).round().astype(int).tolist():
        canvas[at, first : last + 1] = _INK
        canvas[first : last + 1, at] = _INK


def _disc(radius: float) -> NDArray[np.float32]:
    """How much of each pixel of a cell a disc at its centre covers, [CELL, CELL] of 0..1."""
    away = np.arange(CELL, dtype=np.float32) - (CELL - 1) / 2
    distance: NDArray[np.float32] = np.hypot(away[:, None], away[None, :])
    return np.asarray(np.clip(radius - distance + 0.5, 0, 1), dtype=np.float32)


def _blend(
    canvas: NDArray[np.float32], index: int, size: int, cover: NDArray[np.float32], colour: tuple[int, int, int]
) -> None:
    row, column = divmod(index, size)
    cell = canvas[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
    cell += cover[..., None] * (np.array(colour, dtype=np.float32) - cell)
