"""Boards drawn plainly, to the pixel: for what a drawn theme leaves to chance."""

import cv2
import numpy as np

from tengen.vision.geometry import Image, Points, square

WOOD = (220, 179, 92)


def plain_board(cells, step=32, margin=32, *, ground=WOOD, line=(0, 0, 0), rim=None) -> tuple[Image, Points]:
    """A board of points with flat stones, which may have rims of some grey; and its corners."""
    size = len(cells)
    side = 2 * margin + step * (size - 1) + 1
    image = np.full((side, side, 3), ground, np.uint8)
    for at in range(margin, side - margin, step):
        cv2.line(image, (at, margin), (at, side - margin - 1), line, 1)
        cv2.line(image, (margin, at), (side - margin - 1, at), line, 1)
    for row, column in np.argwhere(cells).tolist():
        centre, grey = (margin + step * column, margin + step * row), 10 if cells[row, column] == 1 else 245
        cv2.circle(image, centre, round(0.44 * step), (grey,) * 3, -1, cv2.LINE_AA)
        if rim is not None:
            cv2.circle(image, centre, round(0.44 * step), (rim,) * 3, 1, cv2.LINE_AA)
    return image, square(margin, side - margin - 1).astype(float)


def plain_othello(cells, *, pitch=50, ground=(20, 120, 60), rim=10, line=1) -> Image:
    """A board of Othello with flat discs, which have rims of some grey."""
    side = pitch * len(cells) + 40
    image = np.full((side, side, 3), ground, np.uint8)
    for at in range(20, side, pitch):
        cv2.line(image, (at, 20), (at, side - 20), (0, 0, 0), line)
        cv2.line(image, (20, at), (side - 20, at), (0, 0, 0), line)
    for row, column in np.argwhere(cells).tolist():
        centre = (20 + pitch * column + pitch // 2, 20 + pitch * row + pitch // 2)
        grey = 10 if cells[row, column] == 1 else 245
        cv2.circle(image, centre, round(0.42 * pitch), (grey,) * 3, -1, cv2.LINE_AA)
        cv2.circle(image, centre, round(0.42 * pitch), (rim,) * 3, 1, cv2.LINE_AA)
    return image


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
