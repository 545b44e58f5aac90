"""A half-transparent stone is a doubt, and no whole stone is taken for one."""

import numpy as np
import pytest

pytest.importorskip("cv2")
pytest.importorskip("onnxruntime")
pytest.importorskip("PIL")

import cv2
from plain_boards import WOOD, plain_board, some_cells

from tengen.vision import see
from tengen.vision.drawing import draw_photo, draw_screenshot
from tengen.vision.faded import faded_stone
from tengen.vision.geometry import board_image

LOOKS = {
    "wood": {"ground": WOOD},
    "dark": {"ground": (40, 44, 52), "line": (110, 120, 130)},
    "white": {"ground": (255, 255, 255), "rim": 60},
    "green": {"ground": (60, 130, 80), "line": (20, 40, 20)},
}
IN_THE_MIDDLE, AT_THE_EDGE, IN_THE_CORNER = (6, 8), (0, 5), (14, 14)


def with_faded(cells, place, opacity, look):
    """A board with one more stone, half-transparent and of the side to move; its corners, and its cells with it."""
    image, corners = plain_board(cells, **LOOKS[look])
    more = cells.copy()
    more[place] = 1 + (cells > 0).sum() % 2
    return cv2.addWeighted(plain_board(more, **LOOKS[look])[0], opacity, image, 1 - opacity, 0), corners, more


def cells_of_a_game(stones):
    """With the three places empty."""
    return some_cells(np.random.default_rng(9), 15, stones)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("opacity", [0.3, 0.45, 0.6, 0.7, 0.8])
@pytest.mark.parametrize("place", [IN_THE_MIDDLE, AT_THE_EDGE, IN_THE_CORNER])
@pytest.mark.parametrize("stones", [20, 31])
def test_a_half_transparent_stone_is_told(look, opacity, place, stones):
    if look == "white":
        stones += stones % 2  # a white stone on white differs in nothing but its rim
    cells = cells_of_a_game(stones)
    image, corners, more = with_faded(cells, place, opacity, look)
    assert faded_stone(board_image(image, corners, 15), more) == place
    assert faded_stone(board_image(plain_board(more, **LOOKS[look])[0], corners, 15), more) is None


@pytest.mark.parametrize(
    ("look", "opacity", "stones"),
    [(look, opacity, 31) for look in ("wood", "dark", "green") for opacity in (0.6, 0.7, 0.8)]
    + [(look, opacity, 20) for look in ("wood", "dark", "white") for opacity in (0.65, 0.8)],
)
def test_a_half_transparent_stone_is_doubtful(look, opacity, stones):
    """As both nets take it for a stone, nothing else would say so."""
    cells = cells_of_a_game(stones)
    image, _, more = with_faded(cells, IN_THE_MIDDLE, opacity, look)
    whole = see(plain_board(cells, **LOOKS[look])[0])
    assert whole.is_sure
    found = see(image)
    assert np.array_equal(found.cells, more)
    assert not found.is_sure
    assert [(move.row, move.column) for move in found.doubts] == [IN_THE_MIDDLE]
    assert found.confidence == found.confidence_by_point[IN_THE_MIDDLE] == 0.5


def test_several_half_transparent_stones_are_none_under_a_pointer():
    cells = cells_of_a_game(30)
    both = cells.copy()
    both[IN_THE_MIDDLE], both[AT_THE_EDGE] = 1, 2
    image, corners = plain_board(cells)
    faded = cv2.addWeighted(plain_board(both)[0], 0.7, image, 0.3, 0)
    assert faded_stone(board_image(faded, corners, 15), both) is None


@pytest.mark.parametrize("mark", ["dot", "ring", "cross", "plus", "grey"])
def test_a_mark_is_drawn_on_a_whole_stone(mark):
    cells = cells_of_a_game(30)
    for row, column in np.argwhere(cells)[:8].tolist():
        image, corners = plain_board(cells)
        x, y = 32 + 32 * column, 32 + 32 * row
        if mark == "dot":
            cv2.circle(image, (x, y), 5, (200, 60, 60), -1, cv2.LINE_AA)
        elif mark == "ring":
            cv2.circle(image, (x, y), 9, (128, 128, 128), 2, cv2.LINE_AA)
        elif mark == "cross":
            cv2.drawMarker(image, (x, y), (200, 60, 60), cv2.MARKER_TILTED_CROSS, 14, 2)
        elif mark == "plus":
            cv2.drawMarker(image, (x, y), (200, 60, 60), cv2.MARKER_CROSS, 14, 2)
        else:  # a stone in a shadow, or lit
            cv2.circle(image, (x, y), 14, (90, 90, 90) if cells[row, column] == 1 else (190, 190, 190), -1, cv2.LINE_AA)
        assert faded_stone(board_image(image, corners, 15), cells) is None


def test_stones_of_plain_boards_are_whole():
    boards = told = 0
    for number in range(40):
        for draw in (draw_screenshot, draw_photo):
            picture = draw(np.random.default_rng([4, number]), held_out=True)
            truth = picture.truth
            if truth.game == "gomoku" and not truth.in_squares:
                boards += 1
                told += faded_stone(board_image(picture.image, truth.corners, truth.size), truth.cells) is not None
    assert boards > 40
    assert told <= 1


def test_a_board_of_few_stones_or_few_empty_points_has_nothing_to_compare_with():
    for cells in (np.zeros((9, 9), np.int8), np.ones((9, 9), np.int8)):
        image, corners = plain_board(cells)
        assert faded_stone(board_image(image, corners, 9), cells) is None
