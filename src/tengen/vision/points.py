"""What is on each point of a board that was found: tiles cut from the picture, and a small net that looks at them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.vision import geometry
from tengen.vision.geometry import TILE_STEP, Image, Points
from tengen.vision.models import Models

#: What a tile can show, in the order of the net's outputs: the first three are the codes of a board's cells.
EMPTY, BLACK, WHITE, NO_POINT = range(4)
#: What the net is told of each pixel of a tile.
CHANNELS = 7
_VOTERS = 12  # tiles that say which kind of board it is
_VOTE = 0.3  # how much a vote counts: tiles overlap, and err together


def tile_planes(board: Image, *, inner: int = 0, chosen: NDArray[np.int64] | None = None) -> NDArray[np.float32]:
    """The tiles of a board image as the net reads them, float32 [rows * columns, CHANNELS, tile, tile].

    With ``chosen``, only those of these indices.

    Colours as they are, and measured from the board's own: its background is the median of all, its brightness goes
    from the darkest to the lightest. ``inner`` is the ring that is left out of those measures.
    """
    pixels = board.astype(np.float32) / 255
    skip = TILE_STEP * inner
    own = pixels[skip : len(pixels) - skip, skip : len(pixels) - skip]
    background = np.median(own[::4, ::4].reshape(-1, 3), axis=0).astype(np.float32)
    light = pixels.mean(2)
    dark, bright = np.quantile(own.mean(2)[::2, ::2], [0.02, 0.98])
    level = (light - np.float32(dark)) / np.float32(max(bright - dark, 0.1))
    planes = np.empty((*light.shape, CHANNELS), np.float32)
    planes[..., :3] = pixels - 0.5
    planes[..., 3:6] = 2 * (pixels - background)
    planes[..., 6] = level - 0.5
    cut = geometry.tiles(planes).transpose(0, 1, 4, 2, 3)
    if chosen is not None:
        return np.ascontiguousarray(cut[np.unravel_index(chosen, cut.shape[:2])])
    return np.ascontiguousarray(cut).reshape(-1, CHANNELS, 2 * TILE_STEP, 2 * TILE_STEP)


@dataclass(frozen=True)
class Contents:
    """What is on the points of a board: chances of EMPTY, BLACK, WHITE and NO_POINT, [size, size, 4].

    ``kinds`` are the chances of each `Kind` of board, as the tiles together say.
    """

    chances: NDArray[np.float64]
    kinds: NDArray[np.float64]


def classify(image: Image, corners: Points, size: int, models: Models, *, looks: int = 1) -> Contents:
    """What is on each point of a lattice in a picture, whose corners are the outermost of them.

    With several ``looks``, up to 8, each tile is also looked at turned and mirrored, which is slower and surer.
    """
    planes = tile_planes(geometry.board_image(image, corners, size))
    logits = np.mean([models.points.run(_turned(planes, look))[0] for look in range(looks)], axis=0, dtype=float)
    chances = softmax(logits[:, :4])
    # An empty tile tells little of the kind of board, so only the surest have a vote.
    shares = softmax(logits[:, 4:])
    surest = shares[np.argsort(shares.max(1))[-_VOTERS:]]
    votes = np.log(surest + 1e-3).sum(0) * _VOTE
    return Contents(chances.reshape(size, size, 4), softmax(votes[None])[0])


def _turned(planes: NDArray[np.float32], look: int) -> NDArray[np.float32]:
    turned = np.rot90(planes, look % 4, axes=(2, 3))
    return np.ascontiguousarray(turned[..., ::-1] if look >= 4 else turned)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logits [n, k] as chances."""
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(shares / shares.sum(1, keepdims=True), float)
