"""What was seen, drawn over the picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.geometry import Image
from tengen.vision.reading import SURE, Sighting

_GRID, _BLACK, _WHITE, _DOUBT = (0, 170, 255), (0, 90, 255), (255, 60, 200), (255, 0, 0)


def scaled(sighting: Sighting, factor: float | NDArray[np.float64]) -> Sighting:
    """The sighting as of the picture at another scale, or at other ones across and down."""
    return replace(sighting, corners=(sighting.corners + 0.5) * factor - 0.5)


def draw_overlay(image: Image, sighting: Sighting) -> Image:
    """A copy of the picture [h, w, 3] with the board's outline, a mark on each stone and a red square on each doubt.

    Black stones get blue marks, white ones pink: both are seen on either. The sighting must be of a picture of these
    measures.
    """
    drawn = image.copy()
    othello = sighting.game.kind == "othello"
    outermost = geometry.inset(sighting.corners, sighting.size) if othello else sighting.corners
    points = geometry.lattice(sighting.size, outermost)
    step = float(np.linalg.norm(points[0, -1] - points[0, 0])) / (sighting.size - 1)
    width = max(1, round(step / 20))
    outline = sighting.corners.round().astype(np.int32)
    cv2.polylines(drawn, [outline.reshape(-1, 1, 2)], True, _GRID, width, cv2.LINE_AA)
    for row, column in np.ndindex(sighting.size, sighting.size):
        x, y = (round(float(value)) for value in points[row, column])
        code = sighting.cells[row, column]
        if code:
            cv2.circle(drawn, (x, y), max(2, round(step / 6)), _BLACK if code == 1 else _WHITE, -1, cv2.LINE_AA)
        if sighting.confidence_by_point[row, column] < SURE:
            reach = max(3, round(0.45 * step))
            cv2.rectangle(drawn, (x - reach, y - reach), (x + reach, y + reach), _DOUBT, max(1, width))
    return drawn
