"""What is drawn upon stones and empty points: last-move marks, numbers, hints, labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tengen.vision.drawing.canvas import Colour, Image, blend, brightness, disc, polygon_mask, strokes_mask, write
from tengen.vision.drawing.lettering import letters

_VIVID: tuple[Colour, ...] = (
    (220, 30, 30),
    (30, 90, 230),
    (20, 170, 70),
    (240, 190, 20),
    (240, 120, 20),
    (180, 40, 180),
)


def mark_colour(rng: np.random.Generator, under: Sequence[float]) -> Colour:
    """A colour that stands out from what is under it."""
    if rng.random() < 0.4:
        return (255, 255, 255) if brightness(under) < 128 else (0, 0, 0)
    return vivid_colour(rng, under)


def vivid_colour(rng: np.random.Generator, under: Sequence[float]) -> Colour:
    """Likewise, neither black nor white."""
    vivid = [colour for colour in _VIVID if np.abs(np.subtract(colour, under)).max() > 90]
    return vivid[int(rng.integers(len(vivid)))] if vivid else (0, 0, 0)


def paint_mark(image: Image, kind: str, x: float, y: float, radius: float, colour: Colour, share: float) -> None:
    """Draw a mark of ``share`` of the stone's radius, around its centre."""
    reach = radius * share
    mask = _mark(kind, reach, max(1.0, radius * 0.14), radius)
    blend(image, mask, colour, round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)


def _mark(kind: str, reach: float, width: float, radius: float) -> NDArray[np.float32]:
    if kind == "dot":
        return disc(max(1.5, reach * 0.7))
    if kind in ("ring", "halo"):
        outer = radius * 1.08 if kind == "halo" else max(2.5, reach)
        return _ring(outer, max(1.2, width))
    side = 2 * int(reach + width + 2) + 1
    middle = side // 2
    turns = {"square": (4, 0.785), "triangle": (3, -1.571), "diamond": (4, 0.0), "star": (5, -1.571)}
    if kind in turns:
        count, start = turns[kind]
        turn = start + np.arange(count) * 2 * np.pi / count
        corners = middle + reach * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        if kind == "star":
            corners = corners[[0, 2, 4, 1, 3]]
        outlined = kind in ("triangle", "square") and reach > 6
        return strokes_mask(side, [corners], width, closed=True) if outlined else polygon_mask(side, corners)
    if kind == "wedge":
        return polygon_mask(side, middle + reach * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    if kind == "blot":
        return polygon_mask(side, middle + reach * _blot(reach))
    angle = 0.785 if kind == "cross" else 0.0
    lines = []
    for way in (angle, angle + np.pi / 2):
        arm = reach * np.array([np.cos(way), np.sin(way)])
        lines.append(np.stack([middle - arm, middle + arm]))
    return strokes_mask(side, lines, width)


def _blot(reach: float) -> NDArray[np.float64]:
    """A figure of some corners; which, follows from its size."""
    seed = np.random.default_rng(int(1000 * reach))
    count = int(seed.integers(3, 9))
    turn = np.sort(seed.uniform(0, 2 * np.pi, count)) + np.arange(count)
    turn = turn * 2 * np.pi / (turn[-1] + 1)
    return np.asarray(seed.uniform(0.45, 0.8, (count, 1)) * np.stack([np.cos(turn), np.sin(turn)], axis=1))


def _ring(radius: float, width: float) -> NDArray[np.float32]:
    outer = disc(radius)
    inner = disc(max(0.5, radius - width))
    edge = (outer.shape[0] - inner.shape[0]) // 2
    ring = outer.copy()
    ring[edge : edge + inner.shape[0], edge : edge + inner.shape[1]] -= inner
    return np.clip(ring, 0, 1)


def paint_number(
    image: Image, number: int, x: float, y: float, radius: float, under: Sequence[float], font: str
) -> None:
    """Write a move number on a stone."""
    text = str(number)
    height = radius * (1.0, 0.85, 0.66)[len(text) - 1]
    colour = (255, 255, 255) if brightness(under) < 128 else (0, 0, 0)
    write(image, text, (x, y), round(height), colour, font)


def paint_hint(image: Image, kind: str, x: float, y: float, pitch: float, colour: Colour, strength: float) -> None:
    """Show that a square may be played, whose sides are ``pitch`` long."""
    mask = {
        "dot": lambda: disc(max(1.5, pitch * 0.1)),
        "ring": lambda: _ring(pitch * 0.26, max(1.0, pitch * 0.04)),
        "plus": lambda: _mark("plus", pitch * 0.14, max(1.0, pitch * 0.05), pitch),
        "cross": lambda: _mark("cross", pitch * 0.14, max(1.0, pitch * 0.05), pitch),
        "triangle": lambda: _mark("triangle", pitch * 0.16, max(1.0, pitch * 0.05), pitch),
        "blot": lambda: _mark("blot", pitch * 0.18, max(1.0, pitch * 0.05), pitch),
        "number": lambda: _number(int(x + 3 * y) % 13, pitch * 0.3),
        "square": lambda: polygon_square(pitch * 0.16),
    }[kind]()
    mask = mask * np.float32(strength)
    blend(image, mask, colour, round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)


def paint_advice(
    image: Image, x: float, y: float, radius: float, colour: Colour, strength: float, text: str, font: str
) -> None:
    """A coloured disc on an empty point, with a number or without: what a program thinks of a move."""
    mask = disc(radius) * np.float32(strength)
    blend(image, mask, colour, round(x) - mask.shape[1] // 2, round(y) - mask.shape[0] // 2)
    if text:
        ink = (255, 255, 255) if brightness(colour) < 140 and strength > 0.5 else (0, 0, 0)
        write(image, text, (x, y), round(radius * (1.1, 0.85, 0.6)[min(len(text), 3) - 1]), ink, font)


def polygon_square(reach: float) -> NDArray[np.float32]:
    """A filled square as a mask."""
    side = 2 * max(1, round(reach)) + 1
    return np.ones((side, side), np.float32)


def _number(number: int, height: float) -> NDArray[np.float32]:
    return np.asarray(letters(str(number), "bold", max(5, round(height))) / np.float32(255), np.float32)
