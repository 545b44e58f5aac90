"""Frames: a board in a picture, seen from above in a square image of known measures.

Points of a picture are pixel coordinates (x, y); whole numbers are the middles of pixels. *Corners* are
four points from the top left clockwise: the outermost crossings of a board's lines, or the outermost places of stones,
which are the middles of the corner squares where stones lie in squares.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Points = NDArray[np.float64]

#: Side of the whole picture as the finder of corners sees it, and what is left free around the picture in it.
VIEW_SIDE, VIEW_BORDER = 192, 6
#: Side of the frame in which the lattice is looked for, and the share of it that is left around the board.
FRAME_SIDE, FRAME_MARGIN = 256, 0.16
#: Pixels from point to point in a board image.
STEP = 16


def square(low: float, high: float) -> Points:
    """The corners of an upright square, [4, 2]."""
    return np.array([[low, low], [high, low], [high, high], [low, high]], float)


#: The corners of the board in the frame.
FRAME_CORNERS = square(FRAME_SIDE * FRAME_MARGIN, FRAME_SIDE * (1 - FRAME_MARGIN))


def homography(source: Points, target: Points) -> Points:
    """The projective map [3, 3] that takes four points to four others."""
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)), float)


def mapped(points: Points, transform: Points) -> Points:
    """Points [..., 2] under a projective map."""
    flat = np.asarray(points, float).reshape(-1, 2)
    homogeneous = np.column_stack([flat, np.ones(len(flat))]) @ transform.T
    return np.asarray((homogeneous[:, :2] / homogeneous[:, 2:]).reshape(np.shape(points)), float)


def inverse(transform: Points) -> Points:
    """The way back of a map."""
    return np.asarray(np.linalg.inv(transform), float)


def is_convex(corners: Points) -> bool:
    """Whether four corners go round clockwise (as pictures count, downwards) without a dent."""
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    return bool((edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0).all())


def warped(image: Image, transform: Points, side: int) -> Image:
    """A picture under a projective map into a square image; where there is no picture, its edge goes on.

    The picture is shrunk first where the map shrinks it, so that fine lines are averaged and not skipped.
    """
    corners = mapped(square(0, side - 1), inverse(transform))
    longest = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max())
    shrink = longest / side
    if shrink > 1.3:
        height, width = image.shape[:2]
        small = (max(1, round(width / shrink)), max(1, round(height / shrink)))
        image = np.asarray(cv2.resize(image, small, interpolation=cv2.INTER_AREA), np.uint8)
        transform = transform @ _resizing(small[0] / width, small[1] / height, back=True)
    flags = cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(image, transform, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _resizing(across: float, down: float, *, back: bool = False) -> Points:
    """The map from a picture to its resized self, pixel middles to pixel middles; or the way back."""
    there = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1]], float)
    return inverse(there) if back else there


def view(image: Image) -> tuple[Image, Points]:
    """The whole picture in a small square image, and the map [3, 3] from the picture to it."""
    height, width = image.shape[:2]
    scale = (VIEW_SIDE - 2 * VIEW_BORDER) / max(height, width)
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = cv2.resize(image, small, interpolation=method)
    left, top = (VIEW_SIDE - small[0]) // 2, (VIEW_SIDE - small[1]) // 2
    canvas = np.empty((VIEW_SIDE, VIEW_SIDE, 3), np.uint8)
    canvas[:] = resized.reshape(-1, 3).mean(0).astype(np.uint8)
    canvas[top : top + small[1], left : left + small[0]] = resized
    moved = np.array([[1, 0, left], [0, 1, top], [0, 0, 1]], float)
    return canvas, moved @ _resizing(small[0] / width, small[1] / height)


def frame(image: Image, corners: Points) -> tuple[Image, Points]:
    """The board with these corners from above, with a margin, and the map [3, 3] from the picture to the frame."""
    transform = homography(corners, FRAME_CORNERS)
    return warped(image, transform, FRAME_SIDE), transform


def lattice(size: int, corners: Points) -> Points:
    """Where stones lie on a board with these corners: [size, size, 2]."""
    steps = np.arange(size) / (size - 1)
    unit = np.stack(np.meshgrid(steps, steps), axis=-1)
    return mapped(unit, homography(square(0, 1), corners))


def outset(corners: Points, size: int) -> Points:
    """The outer corners of the corner squares, from the middles of those."""
    return mapped(square(-0.5, size - 0.5), homography(square(0, size - 1), corners))


def inset(corners: Points, size: int) -> Points:
    """The middles of the corner squares, from their outer corners."""
    return mapped(square(0.5, size - 0.5), homography(square(0, size), corners))


def board_image(image: Image, corners: Points, size: int, *, ring: int = 0) -> Image:
    """The board from above, each place of a stone in the middle of a block of ``STEP`` x ``STEP`` pixels.

    ``ring`` more blocks are taken in on each side.
    """
    first = STEP * (0.5 + ring) - 0.5
    target = square(first, first + STEP * (size - 1))
    return warped(image, homography(corners, target), STEP * (size + 2 * ring))


def blocks(board: NDArray[Any]) -> NDArray[Any]:
    """The blocks of a board image, [rows, columns, STEP, STEP, channels]; a view, not a copy."""
    size = len(board) // STEP
    return board.reshape(size, STEP, size, STEP, -1).swapaxes(1, 2)
