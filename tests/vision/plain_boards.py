"""Boards of points drawn plainly, to the pixel: for what a drawn theme leaves to chance."""

import cv2
import numpy as np

from tengen.vision.geometry import Image, Points, square

WOOD = (220, 179, 92)


def plain_board(cells, step=32, margin=32) -> tuple[Image, Points]:
    """A board of points with flat stones, and its corners."""
    size = len(cells)
    side = 2 * margin + step * (size - 1) + 1
    image = np.full((side, side, 3), WOOD, np.uint8)
    for at in range(margin, side - margin, step):
        cv2.line(image, (at, margin), (at, side - margin - 1), (0, 0, 0), 1)
        cv2.line(image, (margin, at), (side - margin - 1, at), (0, 0, 0), 1)
    for row, column in np.argwhere(cells):
        grey = 10 if cells[row, column] == 1 else 245
        cv2.circle(
            image,
            (margin + step * int(column), margin + step * int(row)),
            round(0.44 * step),
            (grey,) * 3,
            -1,
            cv2.LINE_AA,
        )
    return image, square(margin, side - margin - 1).astype(float)


def some_cells(rng, size, stones=30):
    """Stones anywhere, as many of each colour."""
    cells = np.zeros((size, size), np.int8)
    places = rng.permutation(size * size)[:stones]
    cells.flat[places] = 1 + np.arange(stones) % 2
    return cells


def cells_of(black, white=(), size=15):
    """Stones on named points, such as ``h8``."""
    cells = np.zeros((size, size), np.int8)
    for code, points in ((1, black), (2, white)):
        for point in points:
            cells[size - int(point[1:]), ord(point[0]) - ord("a")] = code
    return cells
