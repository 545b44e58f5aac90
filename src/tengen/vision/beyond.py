"""Whether a board goes on where its outermost lines are thought to be: then what was found is part of a larger one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.geometry import Image, Points

#: Pixels from line to line in the image that is looked at.
_STEP = 24
#: Pixels to either side of a line: where the line may be, and where the ground beside it is.
_LINE, _GROUND = 4, (6, 9)
#: Rows just inside of the outermost line, and beyond it, from near to far, in pairs: each must show the lines.
_INSIDE, _BEYOND = range(4, 11), ((1, 1), (2, 2), (3, 3), (4, 5), (6, 7), (8, 9))
_FAINTEST = 4.0  # what can be told from the ground, in levels 0 to 255
#: Lines that go on are as strong beyond the board as in it; a print under a drawn board is much weaker.
_AS_STRONG = 0.5
#: A picture that ends before the first of these rows shows nothing beyond the outermost line: what shows more has been
#: looked at. One with so much ground does.
_NOTHING, _GROUND_SEEN = _BEYOND[0][1] / _STEP, 0.4


def going_on(image: Image, corners: Points, free: NDArray[np.bool_]) -> str | None:
    """What speaks for a larger board than the one with these outermost crossings, in words; None if nothing does.

    ``free`` [lines, lines] says of each crossing whether it is seen, and not hidden by a stone. Either lines are seen
    to go on, or the picture ends at the outermost line on one side and not on another: who cuts out a whole board
    leaves as much on each side.
    """
    lines = len(free)
    to_board = geometry.homography(corners, geometry.square(_STEP, _STEP * lines))
    board = geometry.warped(image, to_board, _STEP * (lines + 1) + 1).astype(np.float32)
    for turn in range(4):
        turned = np.roll(corners, -turn, axis=0)
        strength = _strength_beyond(np.rot90(board, turn), np.rot90(free, turn)[0], image, turned)
        if strength is not None and strength > _AS_STRONG:
            return "the lines go on beyond the board, which may be part of a larger one"
    ground = [_ground_beyond(image, np.roll(corners, -turn, axis=0), lines) for turn in range(4)]
    if min(ground) < _NOTHING and max(ground) > _GROUND_SEEN:
        return "the picture ends at a line of the board, which may be part of a larger one"
    return None


def _strength_beyond(
    board: NDArray[np.float32], free: NDArray[np.bool_], image: Image, corners: Points
) -> float | None:
    """How strong lines are beyond the top side of a board image, as a share of their strength in it; None if unseen."""
    at = 1 + np.flatnonzero(free[1:-1])
    if len(at) < 3:
        return None
    wide = _GROUND[1]
    columns = _STEP * (at[:, None] + 1) + np.arange(-wide, wide + 1)
    band = board[: 2 * _STEP, columns].transpose(1, 0, 2, 3)  # [lines, rows, 2 * wide + 1, 3]
    beside = np.abs(np.arange(-wide, wide + 1)) >= _GROUND[0]
    off = band - np.median(band[:, :, beside], axis=2, keepdims=True)
    inside = off[:, _STEP + _INSIDE.start : _STEP + _INSIDE.stop].mean(1)
    near = slice(wide - _LINE, wide + _LINE + 1)
    middle = wide - _LINE + np.abs(inside[:, near]).sum(2).argmax(1)
    each = np.arange(len(at))
    colour = np.median(inside[each, middle], axis=0)
    length = float(np.linalg.norm(colour))
    if length < _FAINTEST:
        return None
    along = off @ (colour / length)
    # A pixel to either side: what is in perspective, or bent, goes on a little beside.
    strength = np.max([along[each, :, middle + shift] for shift in (-1, 0, 1)], axis=0)  # [lines, rows]
    usual = float(np.median(strength[:, _STEP + _INSIDE.start : _STEP + _INSIDE.stop].mean(1)))
    in_picture = _in_picture(image, corners, len(free), np.array([last for _, last in _BEYOND]) / _STEP)[:, at]
    seen = []
    for (first, last), there in zip(_BEYOND, in_picture, strict=True):
        if there.mean() < 0.6:
            break
        seen.append(float(np.median(strength[there, _STEP - last : _STEP - first + 1].mean(1))))
    return min(seen) / usual if seen else None


def _in_picture(image: Image, corners: Points, lines: int, beyond: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each line's place so many steps beyond the first side is in the picture: [len(beyond), lines]."""
    to_picture = geometry.homography(geometry.square(0, lines - 1), corners)
    places = np.stack(np.meshgrid(np.arange(float(lines)), -beyond), -1)
    ends = np.array(image.shape[1::-1]) - 1
    at = geometry.mapped(places, to_picture)
    return np.asarray(((at >= 0) & (at <= ends)).all(-1))


def _ground_beyond(image: Image, corners: Points, lines: int) -> float:
    """How much of the picture there is beyond the first side, in steps, up to one."""
    amounts = np.arange(2 * _STEP + 1) / (2 * _STEP)
    there = _in_picture(image, corners, lines, amounts)[:, 1:-1].mean(1) > 0.5
    return float(amounts[there].max(initial=0.0))
