"""The few things that all drawing is made of: colours blended through masks, lines and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.vision.drawing.lettering import letters

#: ``[height, width, 3]``, red, green, blue.
Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
T = TypeVar("T")
_LARGE = 20_000  # pixels


def pick(rng: np.random.Generator, among: Sequence[T]) -> T:
    """One of several, all alike."""
    return among[int(rng.random() * len(among))]


def jittered(rng: np.random.Generator, colour: Colour, by: float) -> Colour:
    """A colour close to another."""
    red, green, blue = np.clip(np.array(colour) + rng.normal(0, by, 3) + rng.normal(0, by), 0, 255)
    return int(red), int(green), int(blue)


def any_colour(rng: np.random.Generator, low: int = 0, high: int = 255) -> Colour:
    """Any colour, its channels within limits."""
    red, green, blue = rng.integers(low, high + 1, 3)
    return int(red), int(green), int(blue)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """``share`` of the other colour in one."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def brightness(colour: Sequence[float]) -> float:
    """How bright a colour looks, 0 to 255."""
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]


def filled(height: int, width: int, colour: Colour) -> Image:
    """A picture of one colour."""
    image = np.empty((height, width, 3), np.uint8)
    image.reshape(height, width * 3)[:] = np.tile(np.array(colour, np.uint8), width)  # whole rows: much quicker
    return image


def blend(image: Image, mask: NDArray[np.floating], colour: Sequence[float] | Image, x: int, y: int) -> None:
    """Lay a colour (or colours ``[h, w, 3]``) over the image through a mask of 0..1 whose top left is at (x, y)."""
    left, top = max(0, x), max(0, y)
    right, bottom = min(image.shape[1], x + mask.shape[1]), min(image.shape[0], y + mask.shape[0])
    if right <= left or bottom <= top:
        return
    if mask.size > _LARGE and not isinstance(colour, np.ndarray):
        red, green, blue = (int(channel) for channel in colour)
        part = mask[top - y : bottom - y, left - x : right - x]
        _blend_large(image[top:bottom, left:right], part, (red, green, blue))
        return
    part = mask[top - y : bottom - y, left - x : right - x, None].astype(np.float32, copy=False)
    over = np.asarray(colour, np.float32)
    if over.ndim == 3:
        over = over[top - y : bottom - y, left - x : right - x]
    below = image[top:bottom, left:right]
    below[:] = (below + (over - below) * part + 0.5).astype(np.uint8)


def _blend_large(image: Image, mask: NDArray[np.floating], colour: Colour) -> None:
    """As ``blend``, in one pass: for masks as large as a board's grid."""
    share = np.ascontiguousarray(mask, np.float32)
    over = filled(image.shape[0], image.shape[1], colour)
    image[:] = cv2.blendLinear(np.ascontiguousarray(image), over, 1 - share, share)


def write(
    image: Image, text: str, centre: tuple[float, float], height: int, colour: Sequence[float], font: str
) -> None:
    """Write a word around a point."""
    mask = letters(text, font, max(4, height))
    x, y = round(centre[0] - mask.shape[1] / 2), round(centre[1] - mask.shape[0] / 2)
    blend(image, mask / np.float32(255), colour, x, y)


def write_from(image: Image, text: str, left: float, middle: float, height: int, colour: Colour, font: str) -> int:
    """Write a word that begins at ``left``; returns its width."""
    mask = letters(text, font, max(4, height))
    blend(image, mask / np.float32(255), colour, round(left), round(middle - mask.shape[0] / 2))
    return int(mask.shape[1])


def disc(radius: float, *, fringe: float = 1.0) -> NDArray[np.float32]:
    """A disc as a mask of odd width, its edge ``fringe`` pixels soft; the centre pixel is its centre."""
    reach = int(np.ceil(radius + fringe))
    span = np.arange(-reach, reach + 1, dtype=np.float32)
    distance = np.sqrt(span[:, None] ** 2 + span[None, :] ** 2)
    return np.asarray(np.clip((radius - distance) / max(fringe, 1e-3) + 0.5, 0, 1), np.float32)


def strokes_mask(
    side: int, lines: Sequence[NDArray[np.floating]], width: float, *, closed: bool = False
) -> NDArray[np.float32]:
    """Polylines ``[k, 2]`` within a square of ``side`` pixels, as a mask; widths below a pixel are paler."""
    mask = np.zeros((side, side), np.uint8)
    for line in lines:
        cv2.polylines(mask, [np.asarray(line * 16, np.int32)], closed, 255, max(1, round(width)), cv2.LINE_AA, 4)
    return np.asarray(mask * np.float32(min(1.0, max(width, 0.4)) / 255), np.float32)


def polygon_mask(side: int, corners: NDArray[np.floating]) -> NDArray[np.float32]:
    """A filled polygon within a square of ``side`` pixels, as a mask."""
    mask = np.zeros((side, side), np.uint8)
    cv2.fillPoly(mask, [np.asarray(corners * 16, np.int32)], 255, cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def texture(rng: np.random.Generator, height: int, width: int, cells: tuple[int, int]) -> NDArray[np.float32]:
    """Smooth noise, about -1..1: ``cells`` random values down and across, with curves between."""
    coarse = rng.uniform(-1, 1, cells).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def tinted(image: Image, by: NDArray[np.floating]) -> Image:
    """The picture made brighter or darker by ``[h, w]`` steps of grey."""
    steps = np.asarray(np.clip(by + 128.5, 0, 255), np.uint8)
    return np.asarray(cv2.addWeighted(image, 1, cv2.cvtColor(steps, cv2.COLOR_GRAY2RGB), 1, -128), np.uint8)


def darkened(image: Image, by: NDArray[np.floating]) -> Image:
    """The picture with ``[h, w]`` shares of its light taken away."""
    left = np.asarray(255.5 - 255 * by, np.uint8)
    return np.asarray(cv2.multiply(image, cv2.cvtColor(left, cv2.COLOR_GRAY2RGB), scale=1 / 255), np.uint8)
