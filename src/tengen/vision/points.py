"""What is on each point of a board that was found: a net sees the whole board from above, and says it of each place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.geometry import STEP, Image, Points
from tengen.vision.models import Model, image_planes

#: What a place can show, in the order of the net's outputs: the first three are the codes of a board's cells.
EMPTY, BLACK, WHITE, NO_POINT = range(4)
#: Rows of places around the board that the net is shown too: it should say that they are none.
RING = 1


def background(board: Image) -> NDArray[np.float32]:
    """The usual colour of a board image with its ring: most of a board is not stones, and stones differ."""
    own = board[RING * STEP : -RING * STEP : 4, RING * STEP : -RING * STEP : 4]
    return np.asarray(np.median(own.reshape(-1, 3), axis=0), np.float32)


@dataclass(frozen=True)
class Contents:
    """What is on the points of a board: chances of EMPTY, BLACK, WHITE and NO_POINT, [size, size, 4].

    ``outside`` [4 * size + 4] is how likely each place around the board is none, and ``kinds`` [4] how likely each
    `Kind` of board.
    """

    chances: NDArray[np.float64]
    outside: NDArray[np.float64]
    kinds: NDArray[np.float64]


def classify(image: Image, corners: Points, size: int, net: Model, *, looks: int = 1) -> Contents:
    """What a net for points sees on a lattice in a picture, whose corners are the outermost of them.

    With several ``looks``, up to 8, the board is also looked at turned and mirrored, which is slower and surer.
    """
    board = geometry.board_image(image, corners, size, ring=RING)
    usual = background(board)[None]
    places, kinds = np.zeros((size + 2 * RING, size + 2 * RING, 4)), np.zeros(4)
    for look in range(looks):
        turned = np.rot90(board, look % 4)
        turned = turned[:, ::-1] if look >= 4 else turned
        seen, votes = net.run(image_planes(turned), background=usual)
        maps = seen[0].transpose(1, 2, 0)
        maps = maps[:, ::-1] if look >= 4 else maps
        places += np.rot90(maps, -(look % 4)) / looks
        kinds += votes[0] / looks
    chances = softmax(places)
    is_outside = np.ones(chances.shape[:2], bool)
    is_outside[RING:-RING, RING:-RING] = False
    return Contents(chances[RING:-RING, RING:-RING], chances[is_outside][:, NO_POINT], softmax(kinds))


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logits [..., k] as chances."""
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(shares / shares.sum(-1, keepdims=True), float)
