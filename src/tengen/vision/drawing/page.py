"""What stands around a board on a screen: bars, buttons, clocks, lists, text; and what screenshots go through after."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tengen.vision.drawing.canvas import (
    Colour,
    Image,
    any_colour,
    blend,
    brightness,
    disc,
    filled,
    mixed,
    pick,
    write_from,
)
from tengen.vision.drawing.themes import Theme
from tengen.vision.drawing.truth import Picture

_TEXT = """
the move game black white board play new undo resign draw next level time settings online player guest rating hint pass
start analysis chat send hello good luck thanks win lose match round table score 12 7 0:45 15:00 1450 menu file edit
view help about home profile friends puzzle lesson review copy share export import sound theme of a to and in for is it
you that was on are with his they at be this have from or one had by word but not what
"""
_WORDS = tuple(_TEXT.split())
_HEIGHTS = (7, 8, 9, 10, 12, 15, 19)
Box = tuple[int, int, int, int]


def on_page(rng: np.random.Generator, theme: Theme, board: Picture, pitch: float) -> Picture:
    """The board on a page or in a window; sometimes alone, sometimes cut close."""
    kind = rng.random()
    if kind < 0.2:
        return board
    if kind < 0.4:
        return cut_close(rng, board, pitch)
    height, width = board.image.shape[:2]
    side, above = int(rng.uniform(0, 0.55) * width), int(rng.uniform(0, 0.22) * height)
    left = int(side * rng.choice([0.0, 0.1, 0.5, 1.0]))
    below = int(rng.uniform(0, 0.2) * height) if rng.random() < 0.6 else int(rng.integers(0, 12))
    page = pick(rng, theme.page)
    image = filled(above + height + below, side + width, page)
    image[above : above + height, left : left + width] = board.image
    _furnish(rng, image, page, (left, above, left + width, above + height))
    return moved(board, image, (left, above))


def moved(picture: Picture, image: Image, by: tuple[float, float]) -> Picture:
    """The same truth in another image, in which everything lies elsewhere."""
    return Picture(image, replace(picture.truth, corners=picture.truth.corners + np.array(by)))


def cut_close(rng: np.random.Generator, board: Picture, pitch: float) -> Picture:
    """Cut margins off, at most up to the outermost lines: every point stays in the picture."""
    outermost = board.truth.corners
    if board.truth.in_squares and board.truth.game == "gomoku":  # corners are centres of squares
        outermost = outermost + pitch / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    height, width = board.image.shape[:2]
    least = max(2.0, 0.06 * pitch)
    keep = np.maximum(least, pitch * rng.uniform(-0.05, 0.9, 4) * (rng.random(4) < 0.8))
    left, top = np.maximum(0, np.floor(outermost[0] - keep[:2])).astype(int)
    right, bottom = np.minimum((width, height), np.ceil(outermost[2] + keep[2:]) + 1).astype(int)
    return moved(board, np.ascontiguousarray(board.image[top:bottom, left:right]), (-left, -top))


def resampled(rng: np.random.Generator, picture: Picture) -> Picture:
    """What happens to screenshots on their way: another scale, compression."""
    image, corners = picture.image, picture.truth.corners
    if rng.random() < 0.35:
        factor = float(rng.uniform(0.7, 1.5))
        height, width = image.shape[:2]
        wide, tall = max(40, round(width * factor)), max(40, round(height * factor))
        how = cv2.INTER_AREA if factor < 1 else pick(rng, (cv2.INTER_LINEAR, cv2.INTER_CUBIC))
        image = np.asarray(cv2.resize(image, (wide, tall), interpolation=how), np.uint8)
        corners = (corners + 0.5) * (wide / width, tall / height) - 0.5
    if rng.random() < 0.4:
        image = compressed(image, int(rng.integers(35, 96)))
    return Picture(image, replace(picture.truth, corners=corners))


def compressed(image: Image, quality: int) -> Image:
    """The image after JPEG has been at it."""
    _, coded = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.ascontiguousarray(np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)[..., ::-1])


# --- furniture ---


def _furnish(rng: np.random.Generator, image: Image, page: Colour, board: Box) -> None:
    height, width = image.shape[:2]
    left, top, right, bottom = board
    font = pick(rng, ("plain", "plain", "bold", "narrow"))
    if top > 12:
        paint_bar(rng, image, page, (0, 0, width, top), font)
    for box in ((0, top, left, height), (right, top, width, height)):
        if box[2] - box[0] > 40:
            paint_panel(rng, image, page, box, font)
    if height - bottom > 20:
        paint_buttons(rng, image, page, (left, bottom, right, height), font)


def ink_on(page: Colour, share: float = 0.15) -> Colour:
    """A colour to write with on a page."""
    return mixed((0, 0, 0) if brightness(page) > 120 else (255, 255, 255), page, share)


def paint_bar(rng: np.random.Generator, image: Image, page: Colour, box: Box, font: str) -> None:
    """A title bar, a browser's tabs or a page's head."""
    left, top, right, bottom = box
    colour = pick(rng, (mixed(page, (0, 0, 0), 0.12), mixed(page, (255, 255, 255), 0.2), any_colour(rng), page))
    image[top : top + max(8, int((bottom - top) * rng.uniform(0.4, 1.0))), left:right] = colour
    middle, tall = top + (bottom - top) * 0.3, _fitting((bottom - top) * 0.25)
    write_line(rng, image, left + 10, middle, right - 60, tall, ink_on(colour), font)
    for index in range(int(rng.integers(0, 4))):
        mask = disc(max(2.0, tall * 0.45))
        blend(image, mask, pick(rng, ((230, 80, 70), (240, 190, 60), (90, 200, 90), ink_on(colour))),
              right - 16 - index * (tall + 8), round(middle) - mask.shape[0] // 2)  # fmt: skip


def _fitting(height: float) -> int:
    return max((h for h in _HEIGHTS if h <= height), default=7)


def write_line(
    rng: np.random.Generator,
    image: Image,
    left: float,
    middle: float,
    right: float,
    height: int,
    ink: Colour,
    font: str,
) -> None:
    """Words until the line is full or enough."""
    words = int(rng.integers(1, 9))
    x = left
    for index in rng.integers(0, len(_WORDS), words):
        if x + len(_WORDS[index]) * height * 0.75 > right:
            break
        x += write_from(image, _WORDS[index], x, middle, height, ink, font) + height * 0.5


def paint_panel(rng: np.random.Generator, image: Image, page: Colour, box: Box, font: str) -> None:
    """A side of the page: text, lists of moves, players, clocks, buttons, one under another."""
    left, top, right, bottom = box
    y = top + int(rng.integers(4, 30))
    while y < bottom - 12:
        kind = pick(rng, ("text", "text", "list", "player", "clock", "buttons", "gap", "box"))
        tall = int(rng.integers(18, 90))
        area = (left + 6, y, right - 6, min(y + tall, bottom - 2))
        if area[3] - area[1] > 12 and area[2] - area[0] > 24:
            _paint_item(rng, image, page, area, font, kind)
        y += tall + int(rng.integers(2, 16))


def _paint_item(rng: np.random.Generator, image: Image, page: Colour, box: Box, font: str, kind: str) -> None:
    left, top, right, bottom = box
    height = pick(rng, _HEIGHTS[1:5])
    if kind in ("text", "list"):
        for middle in range(top + height, bottom - height // 2, int(height * 1.8)):
            write_line(
                rng, image, left, middle, right if kind == "text" else left + 90, height, ink_on(page, 0.3), font
            )
    elif kind == "player":
        radius = min(16.0, (bottom - top) / 2.5)
        mask = disc(radius)
        colour = pick(rng, ((15, 15, 15), (245, 245, 245), any_colour(rng)))
        blend(image, mask, colour, left, (top + bottom) // 2 - mask.shape[0] // 2)
        write_line(rng, image, left + 2 * radius + 8, (top + bottom) / 2, right, height, ink_on(page), font)
    elif kind == "clock":
        colour = pick(rng, ((20, 20, 20), (250, 250, 250), mixed(page, (128, 128, 128), 0.3)))
        image[top:bottom, left : min(right, left + 110)] = colour
        text = f"{rng.integers(0, 30)}:{rng.integers(0, 60):02d}"
        write_from(image, text, left + 8, (top + bottom) / 2, _fitting((bottom - top) * 0.6), ink_on(colour), font)
    elif kind == "buttons":
        paint_buttons(rng, image, page, box, font)
    elif kind == "box":
        cv2.rectangle(image, (left, top), (right - 1, bottom - 1), mixed(page, ink_on(page), 0.25), 1)
        write_line(rng, image, left + 5, (top + bottom) / 2, right, height, ink_on(page, 0.3), font)


def paint_buttons(rng: np.random.Generator, image: Image, page: Colour, box: Box, font: str) -> None:
    """A row of buttons."""
    left, top, right, bottom = box
    colour = pick(rng, (mixed(page, (128, 128, 128), 0.3), any_colour(rng), mixed(page, ink_on(page), 0.12)))
    tall, middle = min(34, bottom - top - 4), (top + bottom) // 2
    x = left + int(rng.integers(2, 20))
    while x < right - 30 and rng.random() < 0.85:
        wide = min(int(rng.integers(28, 100)), right - x - 2)
        image[middle - tall // 2 : middle + tall // 2, x : x + wide] = colour
        if rng.random() < 0.7:
            write_line(rng, image, x + 5, middle, x + wide - 3, _fitting(tall * 0.4), ink_on(colour), font)
        x += wide + int(rng.integers(4, 20))


def paint_text(rng: np.random.Generator, image: Image, page: Colour, box: Box, height: int, font: str) -> None:
    """Paragraphs."""
    left, top, right, bottom = box
    for middle in np.arange(top + height, bottom - height, height * 1.9):
        if rng.random() < 0.1:
            continue
        x: float = left
        end = right if rng.random() < 0.85 else left + (right - left) * rng.random()
        while x < end:
            word = pick(rng, _WORDS)
            if x + len(word) * height * 0.75 > end:
                break
            x += write_from(image, word, x, middle, height, ink_on(page), font) + height * 0.5
