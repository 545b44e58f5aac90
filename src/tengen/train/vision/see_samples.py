"""What the nets that read pictures learn from: samples cut from drawn pictures, whose truth is known.

From one picture come a view of the whole (where are the corners?), a frame around the board with its corners somewhat
off (where do lines cross?), and the board from above (what is on its places?), also by a lattice that is not its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.drawing import Truth, draw_other, draw_photo, draw_screenshot
from tengen.vision.drawing.themes import find_theme
from tengen.vision.geometry import FRAME_SIDE, STEP, VIEW_SIDE, Image, Points
from tengen.vision.grid import SIZES, Kind
from tengen.vision.points import NO_POINT, RING, background

#: Cells of the map of corners, and of the map of points, along a side.
CORNER_CELLS, HEAT_CELLS = VIEW_SIDE // 4, FRAME_SIDE // 2
ANYTHING = -100  # the label of a place, or the kind of a board, of which nothing is said
#: A place of a lattice is one of the board's up to here from it, in steps, and none beyond.
_IS_PLACE, _IS_NONE = 0.15, 0.3
_PARTS = 0.15  # chance that the lattice which is not the board's own is a part of it, cut out of the picture


@dataclass(frozen=True)
class Board:
    """A board image with its ring, the board's usual colour, what is on each place [places, places], and the kind."""

    image: Image
    background: NDArray[np.float32]
    labels: NDArray[np.int8]
    kind: int


@dataclass(frozen=True)
class Sample:
    """What one picture teaches; ``corners`` [4, 2] are in cells of the map and None where there is no board."""

    view: Image
    corners: NDArray[np.float32] | None
    frame: Image
    heat: NDArray[np.uint8]  # [HEAT_CELLS, HEAT_CELLS], 255 where a point is
    boards: list[Board]


def draw_sample(rng: np.random.Generator, *, others: float, photos: float) -> Sample:
    """A sample of a new picture, which with these chances shows no board, or is a photo."""
    chance = rng.random()
    if chance < others:
        return _sample_of_other(rng, recoloured(draw_other(rng), rng))
    draw = draw_photo if chance < others + (1 - others) * photos else draw_screenshot
    picture = draw(rng)
    # Where hue alone tells black from white, it stays.
    image = picture.image if find_theme(picture.truth.theme).by_hue else recoloured(picture.image, rng)
    return _sample_of_board(rng, image, picture.truth)


def _sample_of_board(rng: np.random.Generator, image: Image, truth: Truth) -> Sample:
    kind = Kind.OTHELLO if truth.game == "othello" else Kind.SQUARES if truth.in_squares else Kind.POINTS
    crossings = geometry.outset(truth.corners, truth.size) if kind is Kind.SQUARES else truth.corners
    lines = truth.size + (kind is not Kind.POINTS)
    cut, corners = _cropped(rng, image, crossings)
    view, to_view = geometry.view(cut)
    seen = geometry.mapped(corners, to_view)
    guess = _off(rng, corners, lines)
    frame, to_frame = geometry.frame(cut, guess)
    points = geometry.mapped(geometry.lattice(lines, corners), to_frame)
    places = geometry.inset(corners, truth.size) if kind is not Kind.POINTS else corners
    wrong = _part_board if truth.size > SIZES.start and rng.random() < _PARTS else _wrong_board
    return Sample(
        view=view,
        corners=((seen + 0.5) / 4 - 0.5).astype(np.float32),
        frame=frame,
        heat=heat_map(points),
        boards=[_right_board(rng, cut, places, truth.cells, kind), wrong(rng, cut, places, truth.cells)],
    )


def _sample_of_other(rng: np.random.Generator, image: Image) -> Sample:
    view, _ = geometry.view(image)
    corners = _any_corners(rng, image)
    frame, _ = geometry.frame(image, corners)
    size = int(rng.integers(SIZES.start, SIZES.stop))
    labels = np.full((size + 2 * RING, size + 2 * RING), NO_POINT, np.int8)
    return Sample(
        view=view,
        corners=None,
        frame=frame,
        heat=np.zeros((HEAT_CELLS, HEAT_CELLS), np.uint8),
        boards=[_board(image, corners, labels, Kind.NO_BOARD)],
    )


def heat_map(points: Points) -> NDArray[np.uint8]:
    """Where points [size, size, 2] of the frame are: a hill on each, a ninth of the way to the next wide."""
    cells = ((points + 0.5) / 2 - 0.5).astype(np.float32)
    across = np.linalg.norm(np.diff(cells, axis=1), axis=2).mean()
    width = max(0.8, 0.11 * float(across))
    reach = int(np.ceil(3 * width))
    heat = np.zeros((HEAT_CELLS + 2 * reach + 2,) * 2, np.float32)
    offsets = np.arange(-reach, reach + 1)
    for x, y in cells.reshape(-1, 2):
        column, row = round(float(x)), round(float(y))
        if not (0 <= column < HEAT_CELLS and 0 <= row < HEAT_CELLS):
            continue
        hill = np.exp(-((offsets + row - y)[:, None] ** 2 + (offsets + column - x)[None] ** 2) / (2 * width**2))
        place = heat[row : row + 2 * reach + 1, column : column + 2 * reach + 1]
        np.maximum(place, hill, out=place)
    return (255 * heat[reach : reach + HEAT_CELLS, reach : reach + HEAT_CELLS]).astype(np.uint8)


def _off(rng: np.random.Generator, corners: Points, size: int) -> Points:
    """Corners as a first guess might have them: some noise each, and at times a whole step too far out or in."""
    guess = corners.copy()
    to_picture = geometry.homography(geometry.square(0, 1), corners)
    unit = geometry.square(0, 1)
    if rng.random() < 0.4:
        step = float(rng.uniform(0.3, 1.2)) / size
        low, high = rng.choice([-step, 0, step], 2), rng.choice([-step, 0, step], 2)
        unit = np.where(unit == 0, low, 1 + high)
    unit = unit + rng.normal(0, float(rng.choice([0.004, 0.012, 0.03])), (4, 2))
    guess = geometry.mapped(unit, to_picture)
    return guess if geometry.is_convex(guess) else corners


def _cropped(rng: np.random.Generator, image: Image, corners: Points) -> tuple[Image, Points]:
    """The picture, or a part of it with the whole board in it; and the corners there."""
    if rng.random() < 0.4:
        return image, corners
    height, width = image.shape[:2]
    low = np.clip(corners.min(0) - 3, 0, None)
    high = np.clip(corners.max(0) + 4, None, (width, height))
    left, top = (low * rng.random(2)).astype(int)
    right, bottom = (high + ((width, height) - high) * rng.random(2)).astype(int)
    return np.ascontiguousarray(image[top:bottom, left:right]), corners - (left, top)


def _any_corners(rng: np.random.Generator, image: Image) -> Points:
    """Corners in a picture without a board: around what there is to see, as a net would guess, or anywhere."""
    height, width = image.shape[:2]
    if rng.random() < 0.3:
        side = rng.uniform(0.3, 0.95) * min(height, width)
        low = rng.random(2) * (width - side, height - side)
        high = low + side
    else:
        grey = image.mean(2)
        across, down = np.abs(np.diff(grey, axis=1)).sum(0), np.abs(np.diff(grey, axis=0)).sum(1)
        spans = [_middle_part(across, rng), _middle_part(down, rng)]
        low, high = np.array([span[0] for span in spans]), np.array([span[1] for span in spans])
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]], float)
    corners += rng.normal(0, 0.02, (4, 2)) * (high - low)
    return corners if geometry.is_convex(corners) else geometry.square(0, min(height, width) - 1)


def _middle_part(amounts: NDArray[np.float64], rng: np.random.Generator) -> tuple[float, float]:
    """From where to where most of what there is lies."""
    total = np.cumsum(amounts) / max(float(amounts.sum()), 1e-9)
    low, high = np.searchsorted(total, (rng.uniform(0, 0.1), rng.uniform(0.9, 1)))
    return (float(low), float(high)) if high - low > 24 else (0.0, float(len(amounts)))


def _board(image: Image, corners: Points, labels: NDArray[np.int8], kind: int) -> Board:
    seen = geometry.board_image(image, corners, len(labels) - 2 * RING, ring=RING)
    return Board(seen, background(seen), labels, kind)


def _right_board(rng: np.random.Generator, image: Image, corners: Points, cells: NDArray[np.int8], kind: Kind) -> Board:
    """The board by its own lattice, as well as that is found in the end."""
    size = len(cells)
    to_picture = geometry.homography(geometry.square(0, 1), corners)
    found = geometry.mapped(geometry.square(0, 1) + rng.normal(0, 0.06 / size, (4, 2)), to_picture)
    return _board(image, found, np.pad(cells, RING, constant_values=NO_POINT), kind)


def _wrong_board(rng: np.random.Generator, image: Image, corners: Points, cells: NDArray[np.int8]) -> Board:
    """The board by a lattice that is not its own: shifted by half a step or a whole one, or with lines too many."""
    last = len(cells) - 1
    unit = geometry.square(0, last)
    size = len(cells)
    chance = rng.random()
    if chance < 0.3:  # crossings for squares, or squares for crossings
        shift = 0.5 * rng.choice([-1, 1], 2)
    elif chance < 0.5:
        shift = rng.permutation([0.0, rng.choice([-1, 1]) * rng.uniform(0.38, 0.5)])
    elif chance < 0.75:
        shift = rng.choice([-1, 0, 1], 2).astype(float)
    else:
        shift = np.zeros(2)
        size = int(np.clip(size + rng.choice([-2, -1, 1, 2]), SIZES.start, SIZES.stop - 1))
    unit = unit + shift
    if size == len(cells) and chance < 0.5 and rng.random() < 0.5:  # one line more or less: as many squares as lines
        size = int(np.clip(size + rng.choice([-1, 1]), SIZES.start, SIZES.stop - 1))
        unit = unit[0] + geometry.square(0, size - 1)
    found = geometry.mapped(unit + rng.normal(0, 0.05, (4, 2)), geometry.homography(geometry.square(0, last), corners))
    if not geometry.is_convex(found):
        found, size = corners, len(cells)
    return _board(image, found, _labels(found, size, corners, cells), ANYTHING)


def _part_board(rng: np.random.Generator, image: Image, corners: Points, cells: NDArray[np.int8]) -> Board:
    """A corner of the board in a picture that ends between two lines: its places are such, but it is no whole board."""
    size = len(cells)
    part = int(rng.integers(SIZES.start, size))
    top, left = (rng.integers(0, 2, 2) * (size - part)).tolist()
    to_picture = geometry.homography(geometry.square(0, size - 1), corners)
    found = geometry.mapped(geometry.square(0, part - 1) + np.array([left, top]), to_picture)
    seen = geometry.board_image(image, found, part, ring=RING)
    labels = np.pad(cells[top : top + part, left : left + part], RING, constant_values=NO_POINT)
    for axis, start in ((0, top), (1, left)):
        # The part as if it began at the board's first line; then the picture ends after its last one.
        lies, names = (np.moveaxis(array if start == 0 else np.flip(array, axis), axis, 0) for array in (seen, labels))
        end = int(STEP * (RING + part - 0.5 + rng.uniform(0.03, 0.9)))
        lies[end:] = lies[end - 1]
        names[-RING:] = ANYTHING
    return Board(seen, background(seen), labels, Kind.NO_BOARD)


def _labels(lattice: Points, size: int, corners: Points, cells: NDArray[np.int8]) -> NDArray[np.int8]:
    """What is on the places of some lattice, and around them, on a board with these places and cells."""
    last = len(cells) - 1
    wide = np.arange(-RING, size + RING, dtype=float)
    to_board = geometry.homography(corners, geometry.square(0, last)) @ geometry.homography(
        geometry.square(0, size - 1), lattice
    )
    at = geometry.mapped(np.stack(np.meshgrid(wide, wide), -1), to_board)
    nearest = np.rint(at).clip(0, last).astype(int)
    away = np.abs(at - nearest).max(-1)
    labels = np.asarray(cells[nearest[..., 1], nearest[..., 0]], np.int8)
    labels[away > _IS_PLACE] = ANYTHING
    labels[away > _IS_NONE] = NO_POINT
    return labels


def recoloured(image: Image, rng: np.random.Generator) -> Image:
    """The picture in somewhat other colours; what is darker stays darker."""
    if rng.random() < 0.3:
        return image
    gamma = float(np.exp(rng.normal(0, 0.4)))
    curve = 255 * (np.arange(256) / 255) ** gamma
    low, high = rng.uniform(0, 40), rng.uniform(170, 255)
    table = (low + curve * (high - low) / 255).astype(np.uint8)
    changed = np.asarray(cv2.LUT(image, table), np.uint8)
    if rng.random() < 0.5:
        changed = changed[..., rng.permutation(3)]
    if rng.random() < 0.3:
        grey = changed.mean(2, keepdims=True)
        changed = (grey + (changed - grey) * rng.uniform(0, 1)).astype(np.uint8)
    return np.ascontiguousarray(changed)
