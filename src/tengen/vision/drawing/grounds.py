"""What boards are made of: wood, paper, felt, plain colours."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tengen.vision.drawing.canvas import Colour, Image, filled, mixed, texture, tinted


def draw_ground(rng: np.random.Generator, kind: str, height: int, width: int, colour: Colour) -> Image:
    """A surface of a kind: plain, gradient, wood, paper or felt."""
    image = filled(height, width, colour)
    if kind == "gradient":
        return tinted(image, 22 * texture(rng, height, width, (2, 2)))
    if kind == "wood":
        return _wood(rng, image)
    if kind in ("paper", "squared"):
        return tinted(image, 5 * texture(rng, height, width, (5, 5)) + rng.uniform(0, 4) * _grain(rng, height, width))
    if kind == "felt":
        return tinted(image, 9 * texture(rng, height, width, (4, 4)) + rng.uniform(2, 9) * _grain(rng, height, width))
    return image


def _wood(rng: np.random.Generator, image: Image) -> Image:
    """Streaks along one side, slightly bent, with a few wide bands."""
    height, width = image.shape[:2]
    strength = rng.uniform(4, 16)
    upright = rng.random() < 0.5
    tall, wide = (width, height) if upright else (height, width)
    fine = texture(rng, tall, wide, (max(8, tall // 3), int(rng.integers(2, 6))))
    broad = texture(rng, tall, wide, (int(rng.integers(8, 30)), 3))
    streaks = strength * (0.6 * fine + 0.9 * broad)
    return tinted(image, streaks.T if upright else streaks)


def _grain(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """Noise of single pixels, about normal."""
    return np.asarray(grain(rng, height, width)[..., 0].astype(np.float32) / 32 - 4, np.float32)


def grain(rng: np.random.Generator, height: int, width: int) -> Image:
    """Normal noise of single pixels, 128 its mean and 32 its deviation.

    It comes from a fixed supply, each time from another place: drawing millions of random numbers for a picture would
    cost more than all the rest.
    """
    top, left = rng.integers(0, _GRAIN, 2).tolist()
    supply = _grain_supply(-(-(max(height, width) + _GRAIN) // _GRAIN))
    return supply[top : top + height, left : left + width]


_GRAIN = 509  # pixels of a tile of noise


@lru_cache(maxsize=4)
def _grain_supply(tiles: int) -> Image:
    tile = np.random.default_rng(20240601).normal(128.5, 32, (_GRAIN, _GRAIN, 3))
    supply = np.tile(np.asarray(np.clip(tile, 0, 255), np.uint8), (tiles, tiles, 1))
    supply.setflags(write=False)  # shared by all who ask
    return supply


def checkered(image: Image, origin: tuple[int, int], pitch: float, size: int, rng: np.random.Generator) -> Image:
    """Every other square of a board in another shade."""
    height, width = image.shape[:2]
    columns = np.floor((np.arange(width) - origin[0]) / pitch)
    rows = np.floor((np.arange(height) - origin[1]) / pitch)
    inside = ((rows >= 0) & (rows < size))[:, None] & ((columns >= 0) & (columns < size))[None, :]
    odd = ((rows[:, None] + columns[None, :]) % 2 == 1) & inside
    return tinted(image, np.where(odd, rng.uniform(8, 26) * rng.choice([-1, 1]), 0).astype(np.float32))


def frame_colour(rng: np.random.Generator, frames: tuple[Colour, ...], board: Colour) -> Colour:
    """The colour around the board: one of the theme's, or a darker shade of the board itself."""
    if frames and rng.random() < 0.8:
        return frames[int(rng.integers(len(frames)))]
    return mixed(board, (0, 0, 0), float(rng.uniform(0.0, 0.35)))
