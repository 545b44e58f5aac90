"""Whether one of the stones is half-transparent, as programs draw the one under the pointer: it is not on the board."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.geometry import STEP, Image

#: Pixels of a board image around a place where no number or mark in a stone's middle reaches, and no ground around it.
_INNER, _OUTER = 2.6, 5.9
#: So many of the nearest stones of its colour, and of the nearest empty points, are what a stone is compared with; with
#: fewer of them on the whole board than the second numbers nothing is said.
_STONES, _LEAST_STONES = 7, 4
_EMPTY, _LEAST_EMPTY = 9, 9
#: Levels, 0 to 255, by which lines and stones must differ from the ground.
_LEAST_LINE, _LEAST_STONE = 5.0, 25.0
#: How strong the lines may be on a half-transparent stone, as a share of their strength on empty points.
_LEAST_SEEN, _MOST_SEEN = 0.12, 0.9
#: Where its colour may lie on the way from the ground (0) to other stones (1), and how far beside it as a share of it.
_LEAST_MIX, _MOST_MIX, _BESIDE = 0.15, 0.95, 0.25
#: So many times farther from other stones' colour than stones usually are: light and grain change stones, too.
_STANDS_OUT = 8.0

_ROWS, _COLUMNS = np.mgrid[:STEP, :STEP] - (STEP - 1) / 2
_RING = (np.hypot(_ROWS, _COLUMNS) > _INNER) & (np.hypot(_ROWS, _COLUMNS) < _OUTER)
#: The pixels of a block that lie between the lines, and those on each of the four that end in its middle.
_BETWEEN = _RING & (np.abs(_ROWS) > 2) & (np.abs(_COLUMNS) > 2)
_ARMS = [
    _RING & (np.abs(across) < 1) & (sign * along > 0)
    for along, across in ((_ROWS, _COLUMNS), (_COLUMNS, _ROWS))
    for sign in (-1, 1)
]


def faded_stone(board: Image, cells: NDArray[np.int8]) -> tuple[int, int] | None:
    """Row and column of the one half-transparent stone in an image of a board of points; None if it has none, or more.

    The lines show through it, and its colour lies between those of the ground and of other stones. Either alone occurs
    on whole stones: marks are drawn on them, and shadows and light fall on them.
    """
    blocks = geometry.blocks(board).astype(np.float32)
    colours = np.median(blocks[:, :, _BETWEEN], axis=2)
    empty = np.argwhere(cells == 0)
    if len(empty) < _LEAST_EMPTY:
        return None
    shows_lines = _shows_lines(blocks, colours, cells == 0)
    found: list[tuple[int, int]] = []
    for code in (1, 2):
        stones = np.argwhere(cells == code)
        if len(stones) >= _LEAST_STONES:
            is_mixed = _is_mixed(colours, stones, empty)
            found += [(int(row), int(column)) for row, column in stones[is_mixed] if shows_lines[row, column]]
    return found[0] if len(found) == 1 else None


def _shows_lines(blocks: NDArray[np.float32], colours: NDArray[np.float32], empty: NDArray[np.bool_]) -> NDArray[Any]:
    """Which places [size, size] show all of the board's lines that meet there."""
    arms = np.stack([blocks[:, :, arm].mean(2) - colours for arm in _ARMS], axis=2)  # [size, size, 4, 3]
    there = np.ones(arms.shape[:3], bool)
    there[0, :, 0] = there[-1, :, 1] = there[:, 0, 2] = there[:, -1, 3] = False
    line = np.median(arms[there & empty[..., None]], axis=0)
    length = float(np.linalg.norm(line))
    if length < _LEAST_LINE:
        return np.zeros_like(empty)
    strength = arms @ line / length**2
    return np.asarray(((strength > _LEAST_SEEN) & (strength < _MOST_SEEN) | ~there).all(2))


def _is_mixed(colours: NDArray[np.float32], stones: NDArray[np.intp], empty: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of the stones of one colour have one between those of the ground and of other stones nearby."""
    own = colours[stones[:, 0], stones[:, 1]]
    ground = _usual_nearby(colours, stones, empty, slice(_EMPTY))
    way = _usual_nearby(colours, stones, stones, slice(1, 1 + _STONES)) - ground  # the nearest is the stone itself
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-3)
    mix = ((own - ground) * way).sum(1) / length**2
    beside = np.linalg.norm(own - ground - mix[:, None] * way, axis=1) / length
    usual = float(np.median(np.abs(1 - mix))) + 1e-3
    return np.asarray(
        (length > _LEAST_STONE)
        & (mix > _LEAST_MIX)
        & (mix < _MOST_MIX)
        & (beside < _BESIDE)
        & (1 - mix > _STANDS_OUT * usual)
    )


def _usual_nearby(
    colours: NDArray[np.float32], places: NDArray[np.intp], among: NDArray[np.intp], which: slice
) -> NDArray[np.float32]:
    """The usual colour at those of some places that are near each place: ``which``, counted from the nearest."""
    distance = ((places[:, None] - among[None]) ** 2).sum(2)
    near = among[np.argsort(distance, axis=1, kind="stable")[:, which]]
    return np.asarray(np.median(colours[near[..., 0], near[..., 1]], axis=1), np.float32)
