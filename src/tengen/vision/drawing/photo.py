"""A board as a camera sees it: on a table among other things, tilted and turned, lit unevenly, a little blurred."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.vision.drawing.canvas import Image, any_colour, blend, darkened, disc, jittered, pick, texture
from tengen.vision.drawing.grounds import draw_ground, grain
from tengen.vision.drawing.page import compressed, paint_text
from tengen.vision.drawing.truth import Picture

_TABLES = ((120, 80, 50), (180, 150, 120), (90, 90, 95), (210, 205, 200), (60, 50, 45), (150, 110, 80), (70, 90, 110))
#: How far a photo's camera may lean from straight above, in degrees.
MOST_TILT = 35.0
_MOST_TURN = 25.0
_LEAST_PITCH = 15.0  # pixels between points on the board's shortest side


def photographed(rng: np.random.Generator, board: Picture) -> Picture:
    """A photo of a flat board; the truth's corners follow it."""
    tall, wide = board.image.shape[:2]
    height, width, view = _camera(rng, board)
    image = _table(rng, height, width)
    image = _lay_shadow(rng, image, view, board.image)
    image = _laid(image, board.image, view)
    _clutter(rng, image, view, wide, tall)
    corners = cv2.perspectiveTransform(board.truth.corners[None], view)[0]
    image = _sensed(rng, _lit(rng, image))
    return Picture(image, replace(board.truth, corners=np.asarray(corners, np.float64)))


def _camera(rng: np.random.Generator, board: Picture) -> tuple[int, int, NDArray[np.float64]]:
    """Height and width of the picture, and the homography to it; no two points come closer than a person could see."""
    tall, wide = board.image.shape[:2]
    long_side = int(rng.integers(640, 1000))
    upright = rng.random() < 0.35
    height, width = (long_side, int(long_side * 0.75)) if upright else (int(long_side * 0.75), long_side)
    view = _view(rng, wide, tall, width, height, board.truth.corners)
    seen = cv2.perspectiveTransform(board.truth.corners[None], view)[0]
    sides = np.linalg.norm(seen - np.roll(seen, 1, axis=0), axis=1)
    enlarge = max(1.0, _LEAST_PITCH * board.truth.size / float(sides.min()))
    return int(height * enlarge), int(width * enlarge), np.diag([enlarge, enlarge, 1.0]) @ view


def _view(
    rng: np.random.Generator, wide: int, tall: int, width: int, height: int, inner: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The homography of a camera that leans and turns, with all points of the board in the picture."""
    lean = np.radians(MOST_TILT * rng.random() ** 0.8)
    toward = rng.uniform(0, 2 * np.pi) if rng.random() < 0.4 else rng.normal(-np.pi / 2, 0.4)
    turn = np.radians(np.clip(rng.normal(0, 8), -_MOST_TURN, _MOST_TURN))
    if rng.random() < 0.2:
        turn = np.radians(rng.uniform(-_MOST_TURN, _MOST_TURN))
    span = max(wide, tall)
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], float) - (wide / 2, tall / 2)
    rotated = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axis = np.array([np.cos(toward), np.sin(toward)])
    along = rotated @ axis  # how far away along the lean
    distance = span * rng.uniform(1.6, 3.0)
    squeezed = rotated + np.outer(along * (np.cos(lean) - 1), axis)
    seen = squeezed * (distance / (distance + along * np.sin(lean)))[:, None]
    # Fit: mostly the whole board, sometimes cut close to its outermost points.
    square = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    rough = cv2.getPerspectiveTransform(square, seen.astype(np.float32))
    reach = seen if rng.random() < 0.85 else cv2.perspectiveTransform(_grown(inner)[None], rough)[0]
    low, high = reach.min(axis=0), reach.max(axis=0)
    room = np.array([width, height]) * rng.uniform(0.75, 0.99)
    scale = float((room / (high - low)).min())
    free = np.array([width, height]) - (high - low) * scale
    shift = free * rng.uniform(0.1, 0.9, 2) - low * scale
    placed = np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]])
    return np.asarray(placed @ rough, np.float64)


def _grown(inner: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners moved outward by about half a point, so that whole stones are seen."""
    middle = inner.mean(axis=0)
    return np.asarray(middle + (inner - middle) * 1.12, np.float64)


def _table(rng: np.random.Generator, height: int, width: int) -> Image:
    kind = pick(rng, ("wood", "plain", "felt", "gradient", "paper"))
    colour = jittered(rng, pick(rng, _TABLES), 12) if rng.random() < 0.85 else any_colour(rng, 40, 200)
    return draw_ground(rng, kind, height, width, colour)


def _outline(view: NDArray[np.float64], wide: int, tall: int) -> NDArray[np.float64]:
    box = np.array([[[0, 0], [wide, 0], [wide, tall], [0, tall]]], np.float64)
    return np.asarray(cv2.perspectiveTransform(box, view)[0], np.float64)


def _lay_shadow(rng: np.random.Generator, image: Image, view: NDArray[np.float64], board: Image) -> Image:
    """The board's own thickness and shadow on the table."""
    outline = _outline(view, board.shape[1], board.shape[0])
    away = rng.normal((0, 6), 8)
    small = np.zeros((image.shape[0] // 4, image.shape[1] // 4), np.uint8)
    cv2.fillConvexPoly(small, np.asarray((outline + away) / 4, np.int32), 255)
    soft = cv2.resize(cv2.blur(small, (5, 5)), image.shape[1::-1])
    image = darkened(image, np.asarray(soft, np.float32) * np.float32(rng.uniform(0.1, 0.6) / 255))
    edge = outline + np.array([0, rng.uniform(0, 10)])
    red, green, blue = (int(channel * 0.55) for channel in board[0, 0])
    cv2.fillConvexPoly(image, np.asarray(edge, np.int32), (red, green, blue), cv2.LINE_AA)
    return image


def _laid(image: Image, board: Image, view: NDArray[np.float64]) -> Image:
    """The board warped into the picture; shrunk first where it would lose lines."""
    height, width = image.shape[:2]
    tall, wide = board.shape[:2]
    outline = _outline(view, wide, tall)
    shrink = float(np.sqrt(cv2.contourArea(outline.astype(np.float32)) / (wide * tall)))
    if shrink < 0.8:
        board = np.asarray(cv2.GaussianBlur(board, (0, 0), 0.45 / shrink), np.uint8)
    left, top = np.maximum(0, np.floor(outline.min(axis=0))).astype(int).tolist()
    right, bottom = np.minimum((width, height), np.ceil(outline.max(axis=0)) + 1).astype(int).tolist()
    moved = np.array([[1.0, 0, -left], [0, 1, -top], [0, 0, 1]])
    part = image[top:bottom, left:right]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.asarray((outline - (left, top)) * 16, np.int32), 255, cv2.LINE_AA, 4)
    warped = cv2.warpPerspective(
        board, moved @ view, (right - left, bottom - top), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    image[top:bottom, left:right] = cv2.copyTo(warped, inside, np.ascontiguousarray(part))
    return image


def _clutter(rng: np.random.Generator, image: Image, view: NDArray[np.float64], wide: int, tall: int) -> None:
    """Bowls, pens, cups, papers and loose stones, none of them over the board."""
    height, width = image.shape[:2]
    outline = _outline(view, wide, tall).astype(np.float32)
    for _ in range(int(rng.integers(0, 9))):
        reach = float(rng.uniform(6, 0.13 * width))
        x, y = float(rng.uniform(0, width)), float(rng.uniform(0, height))
        if cv2.pointPolygonTest(outline, (x, y), True) > -reach * 1.3:
            continue
        _paint_thing(rng, image, x, y, reach)


def _paint_thing(rng: np.random.Generator, image: Image, x: float, y: float, reach: float) -> None:
    kind = pick(rng, ("bowl", "stone", "stone", "pen", "paper"))
    if kind in ("bowl", "stone"):
        radius = reach if kind == "bowl" else min(reach, 14.0)
        colour = any_colour(rng) if kind == "bowl" else pick(rng, ((20, 20, 20), (240, 240, 235)))
        mask = disc(radius, fringe=1.5)
        blend(image, mask, colour, round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)
        if kind == "bowl":
            inner = disc(radius * 0.8, fringe=2.0)
            dark = tuple(channel // 2 for channel in colour)
            blend(image, inner, dark, round(x) - inner.shape[1] // 2, round(y) - inner.shape[0] // 2)
        return
    angle = rng.uniform(0, np.pi)
    way = np.array([np.cos(angle), np.sin(angle)]) * reach
    if kind == "pen":
        ends = [np.asarray((x, y) + sign * way, np.int32).tolist() for sign in (-1, 1)]
        cv2.line(image, ends[0], ends[1], any_colour(rng), max(2, int(reach / 9)), cv2.LINE_AA)
        return
    side = int(reach)
    left, top = max(0, int(x - side * 0.7)), max(0, int(y - side * 0.7))
    sheet = image[top : top + int(side * 1.4), left : left + int(side * 1.4)]
    if min(sheet.shape[:2]) > 12:
        sheet[:] = pick(rng, ((250, 250, 245), (235, 235, 240), (250, 240, 200)))
        paint_text(rng, sheet, (250, 250, 245), (4, 3, sheet.shape[1] - 3, sheet.shape[0] - 3), 7, "plain")


# --- light and the camera ---


def _lit(rng: np.random.Generator, image: Image) -> Image:
    """Uneven light, a cast of colour, shadows of what stands around, sometimes a glare."""
    height, width = image.shape[:2]
    small_h, small_w = height // 4, width // 4
    light = rng.uniform(0.75, 1.12) + rng.uniform(0.0, 0.22) * texture(rng, small_h, small_w, (2, 2))
    light = light + rng.uniform(0.0, 0.1) * texture(rng, small_h, small_w, (4, 4))
    if rng.random() < 0.5:
        light = light * _cast_shadow(rng, small_h, small_w)
    cast = 1 + rng.normal(0, 0.05, 3)
    gain = np.asarray(np.clip(light[..., None] * cast, 0.25, 1.5) * 170, np.uint8)
    full = cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR)
    lit = np.asarray(cv2.multiply(image, full, scale=1 / 170), np.uint8)
    if rng.random() < 0.12:
        _add_glare(rng, lit)
    return lit


def _cast_shadow(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """A soft-edged shadow: of a hand, a head, a window's frame."""
    mask = np.zeros((height, width), np.uint8)
    centre = rng.uniform(0, 1, 2) * (width, height)
    turn = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 9))))
    reach = rng.uniform(0.2, 0.8, len(turn))[:, None] * width
    shape = centre + reach * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    cv2.fillPoly(mask, [np.asarray(shape, np.int32)], 255)
    soft = cv2.blur(mask, (2 * int(rng.integers(1, 10)) + 1,) * 2)
    return np.asarray(1 - rng.uniform(0.15, 0.5) * soft / 255, np.float32)


def _add_glare(rng: np.random.Generator, image: Image) -> None:
    radius = float(rng.uniform(0.06, 0.2)) * image.shape[1]
    mask = disc(radius * 0.5, fringe=radius) * np.float32(rng.uniform(0.1, 0.35))
    x, y = rng.uniform(0, 1, 2) * image.shape[1::-1]
    blend(image, mask, (255, 255, 250), round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)


def _sensed(rng: np.random.Generator, image: Image) -> Image:
    """Lens, motion, sensor and file: blur, noise, compression."""
    kind = rng.random()
    if kind < 0.5:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)
    elif kind < 0.7:
        image = _shaken(rng, image)
    if rng.random() < 0.8:
        image = _noisy(rng, image)
    return compressed(image, int(rng.integers(45, 96))) if rng.random() < 0.85 else image


def _shaken(rng: np.random.Generator, image: Image) -> Image:
    length = int(rng.integers(2, 5))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-1, 1, 9) * (length - 1) / 2:
        kernel[round((length - 1) / 2 + step * np.sin(angle)), round((length - 1) / 2 + step * np.cos(angle))] += 1
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _noisy(rng: np.random.Generator, image: Image) -> Image:
    strength = float(rng.uniform(1, 9)) / 32
    noise = grain(rng, *image.shape[:2])
    return np.asarray(cv2.addWeighted(image, 1, noise, strength, -128 * strength), np.uint8)


def empty_table(rng: np.random.Generator, height: int, width: int) -> Image:
    """A table with things on it and no board, photographed."""
    image = _table(rng, height, width)
    for _ in range(int(rng.integers(4, 16))):
        reach = float(rng.uniform(6, 0.15 * width))
        _paint_thing(rng, image, float(rng.uniform(0, width)), float(rng.uniform(0, height)), reach)
    return _sensed(rng, _lit(rng, image))
