"""Words as masks, in several hands.

Only fonts that come with the packages are used, and one of strokes that is defined here: the same seed must give the
same picture on every machine, whatever fonts it has.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]

#: Fonts that training pictures use, and those kept for held-out ones.
FONTS = ("plain", "bold", "oblique", "narrow", "stroke", "hand")
HELD_OUT_FONTS = ("pixel", "serif", "wide")

# Strokes on a grid of 5 columns and 7 rows: points as column and row, strokes apart by commas.
_GLYPHS = {
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26",
    "2": "01 10 30 41 42 06 46",
    "3": "00 40 22 32 43 45 36 16 05",
    "4": "30 04 44,32 36",
    "5": "40 00 03 32 43 45 36 16 05",
    "6": "40 10 02 05 16 36 45 44 33 13 04",
    "7": "00 40 16",
    "8": "10 30 41 42 33 13 02 01 10,13 04 05 16 36 45 44 33",
    "9": "42 33 13 02 01 10 30 41 44 36 06",
    "A": "06 20 46,14 34",
    "B": "00 30 41 42 33 03,33 44 45 36 06 00",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 30 41 45 36 06 00",
    "E": "40 00 06 46,03 33",
    "F": "40 00 06,03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06,40 46,03 43",
    "I": "20 26",
    "J": "30 35 26 16 05",
    "K": "00 06,40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10,24 46",
    "R": "06 00 30 41 42 33 03,23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40,20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 22 36 40",
    "X": "00 46,40 06",
    "Y": "00 23 40,23 26",
    "Z": "00 40 06 46",
}


@lru_cache(maxsize=4096)
def letters(text: str, font: str, height: int) -> Mask:
    """A mask of a word, capitals ``height`` pixels high, trimmed to the ink: 0 for none, 255 for full."""
    if font in ("stroke", "hand", "serif"):
        mask = _strokes(text.upper(), font, height)
    elif font == "pixel":
        small = _typeset(text, 9, 0)
        mask = np.where(_scaled(small, height / small.shape[0], nearest=True) > 110, 255, 0).astype(np.uint8)
    else:
        mask = _typeset(text, height, height // 16 + 1 if font == "bold" else 0)
        if font in ("narrow", "wide"):
            mask = _scaled(mask, 1.0, stretch=0.72 if font == "narrow" else 1.35)
        elif font == "oblique":
            mask = _sheared(mask, 0.22)
    mask.setflags(write=False)  # shared by all who ask
    return mask


def _typeset(text: str, height: int, weight: int) -> Mask:
    from PIL import Image, ImageDraw

    font = _typeface(max(4.0, height * 1.38))
    box = font.getbbox(text or " ", stroke_width=weight / 2)
    width, tall = int(box[2] - box[0]) + 4, int(box[3] - box[1]) + 4
    image = Image.new("L", (max(width, 1), max(tall, 1)), 0)
    ImageDraw.Draw(image).text((2 - box[0], 2 - box[1]), text, fill=255, font=font, stroke_width=weight / 2)
    return _trimmed(np.asarray(image, np.uint8))


@lru_cache(maxsize=128)
def _typeface(height: float) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(height)


def _strokes(text: str, font: str, height: int) -> Mask:
    """Draw four times as large as asked, so that thin strokes keep their weight."""
    unit = height * 4 / 6
    weight = {"stroke": 0.42, "hand": 0.5, "serif": 0.62}[font]
    step = 5.6 * unit * 0.86
    canvas = np.zeros((int(height * 4 + 3 * unit), int(step * len(text) + 3 * unit)), np.uint8)
    wobble = np.random.default_rng(zlib.crc32(text.encode()))
    for index, letter in enumerate(text):
        for stroke in filter(None, _GLYPHS.get(letter, "").split(",")):
            points = np.array([[int(pair[0]) * 0.86, int(pair[1])] for pair in stroke.split()], float)
            if font == "hand":
                points += wobble.normal(0, 0.28, points.shape)
            points = points * unit + (step * index + unit, unit)
            thick = max(1, round(weight * unit))
            cv2.polylines(canvas, [np.int32(points * 16)], False, 255, thick, cv2.LINE_AA, 4)  # type: ignore[list-item]
            if font == "serif":
                for x, y in points[[0, -1]]:
                    ends = np.array([[x - 0.7 * unit, y], [x + 0.7 * unit, y]])
                    cv2.polylines(canvas, [np.int32(ends * 16)], False, 255, thick // 2 + 1, cv2.LINE_AA, 4)  # type: ignore[list-item]
    return _trimmed(_scaled(canvas, 0.25))


def _trimmed(mask: Mask) -> Mask:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if len(rows) == 0:
        return np.zeros((1, max(1, mask.shape[0] // 3)), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _scaled(mask: Mask, factor: float, *, stretch: float = 1.0, nearest: bool = False) -> Mask:
    width, height = (max(1, round(side * factor)) for side in (mask.shape[1] * stretch, mask.shape[0]))
    how = cv2.INTER_NEAREST if nearest else cv2.INTER_AREA
    return np.asarray(cv2.resize(mask, (width, height), interpolation=how), np.uint8)


def _sheared(mask: Mask, slant: float) -> Mask:
    height, width = mask.shape
    matrix = np.array([[1, -slant, slant * height], [0, 1, 0]], np.float64)
    return np.asarray(cv2.warpAffine(mask, matrix, (int(width + slant * height) + 1, height)), np.uint8)
