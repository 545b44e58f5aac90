"""Pictures of boards, drawn from a seed, with the truth about each: screenshots, photos, and pictures of other things.

The same generator state gives the same picture. Needs OpenCV and Pillow: ``pip install tengen[vision]``.
"""

from __future__ import annotations

import numpy as np

from tengen.errors import TengenError
from tengen.vision.drawing.board import draw_board
from tengen.vision.drawing.other import draw_other
from tengen.vision.drawing.page import on_page, resampled
from tengen.vision.drawing.photo import photographed
from tengen.vision.drawing.themes import Theme, find_theme, theme_names, with_overlays
from tengen.vision.drawing.truth import Picture, Truth

__all__ = ["Picture", "Truth", "draw_other", "draw_photo", "draw_screenshot", "theme_names"]

#: Pixels between points, at least and at most, and pixels of the longest board.
_PITCHES = (14.0, 60.0)
_LONGEST = 900


def draw_screenshot(
    rng: np.random.Generator,
    *,
    held_out: bool = False,
    theme: str | None = None,
    size: int | None = None,
    overlays: bool = False,
) -> Picture:
    """A screenshot of a board with some position on it: upright and sharp, alone or with a page around it.

    Themes are those for training, or with ``held_out`` those kept for tests; ``theme`` names one. All points are in the
    picture. ``overlays`` gives held-out themes what they have not: half-transparent stones, discs and crosses on empty
    points, lines through a row, larger hints and labels. Raises ``TengenError`` for a theme that there is not or a size
    that its game does not have.
    """
    chosen, points = _chosen(rng, held_out, theme, size, overlays)
    pitch = _pitch(rng, points)
    board = draw_board(rng, chosen, points, pitch)
    return resampled(rng, on_page(rng, chosen, board, pitch))


def draw_photo(
    rng: np.random.Generator,
    *,
    held_out: bool = False,
    theme: str | None = None,
    size: int | None = None,
    overlays: bool = False,
) -> Picture:
    """A photo of a board: leaning up to 35 degrees, turned up to 25, shadows, blur, noise, things around it.

    As for :func:`draw_screenshot` otherwise.
    """
    chosen, points = _chosen(rng, held_out, theme, size, overlays)
    pitch = float(np.clip(rng.uniform(560, 760) / points, 28, 60))
    return photographed(rng, draw_board(rng, chosen, points, pitch))


def _chosen(
    rng: np.random.Generator, held_out: bool, theme: str | None, size: int | None, overlays: bool
) -> tuple[Theme, int]:
    names = theme_names(held_out=held_out)
    chosen = find_theme(theme if theme is not None else names[int(rng.integers(len(names)))])
    if overlays and chosen.held_out:
        chosen = with_overlays(chosen)
    othello = chosen.game == "othello"
    if size is None:
        usual = (
            (8, 8, 8, 6, 10) if othello else (15, 15, 15, 19, 13, 9, int(rng.integers(6, 21)), int(rng.integers(6, 21)))
        )
        size = usual[int(rng.integers(len(usual)))]
    elif size not in ((6, 8, 10) if othello else range(6, 21)):
        sizes = "6, 8 or 10" if othello else "6 to 20"
        raise TengenError(f"the theme {chosen.name!r} is drawn with {sizes} points a side, not {size}")
    return chosen, size


def _pitch(rng: np.random.Generator, size: int) -> float:
    least, most = _PITCHES
    most = min(most, _LONGEST / size)
    return float(least + (most - least) * rng.random() ** 1.3)
