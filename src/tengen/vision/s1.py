"""S1's pictures: 15x15 boards as its own program draws them, always the same to the pixel but for the stones.

680 x 680 pixels, of which the middle 600 x 600 fall into 15 x 15 blocks of 40 x 40, one around each point. A reader of
these learns nothing about any other picture; that is what ``tengen.vision.see`` is for.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

SIZE = 15
SIDE = 680
CROPPED = 600
BLOCK = CROPPED // SIZE

_MARGIN = (SIDE - (SIZE - 1) * BLOCK) // 2
_GROUND, _BLACK, _WHITE, _LINES = (238, 154, 73), (0, 0, 0), (255, 255, 255), (0, 0, 0)
_RADIUS = 18


def random_cells(rng: np.random.Generator, boards: int) -> NDArray[np.int8]:
    """Stones anywhere, black and white in turn, from none to a full board: ``[boards, 15, 15]``."""
    cells = np.zeros((boards, SIZE * SIZE), np.int8)
    for board in cells:
        places = rng.permutation(SIZE * SIZE)[: int(rng.integers(SIZE * SIZE + 1))]
        board[places] = 1 + np.arange(len(places)) % 2
    return cells.reshape(boards, SIZE, SIZE)


def draw_board(cells: NDArray[np.int8]) -> NDArray[np.uint8]:
    """The picture of a position ``[15, 15]``: ``[680, 680, 3]``, red, green, blue."""
    image = np.empty((SIDE, SIDE, 3), np.uint8)
    image[:] = _GROUND
    last = _MARGIN + (SIZE - 1) * BLOCK
    for at in range(_MARGIN, last + 1, BLOCK):
        cv2.line(image, (at, _MARGIN), (at, last), _LINES, 1)
        cv2.line(image, (_MARGIN, at), (last, at), _LINES, 1)
    for row, column in ((3, 3), (3, 11), (11, 3), (11, 11), (7, 7)):
        cv2.circle(image, (_MARGIN + column * BLOCK, _MARGIN + row * BLOCK), 4, _LINES, -1)
    for row, column in np.argwhere(cells).tolist():
        colour = _BLACK if cells[row, column] == 1 else _WHITE
        cv2.circle(image, (_MARGIN + column * BLOCK, _MARGIN + row * BLOCK), _RADIUS, colour, -1)
    return image


def cropped(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The middle of pictures ``[..., 680, 680, 3]``: ``[..., 600, 600, 3]``."""
    edge = (SIDE - CROPPED) // 2
    return images[..., edge : edge + CROPPED, edge : edge + CROPPED, :]


def save_boards(folder: Path, cells: NDArray[np.int8]) -> None:
    """Write S1's data set: a picture of each board, and the positions as ``labels.npy``."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, board in enumerate(cells):
        _, coded = cv2.imencode(".png", draw_board(board)[..., ::-1])
        (folder / f"{number:03d}.png").write_bytes(coded.tobytes())
    np.save(folder / "labels.npy", cells)
