"""A part of a board is not taken for a whole one, small boards are found, and what is barely a board is refused."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pytest.importorskip("onnxruntime")
pytest.importorskip("PIL")

import cv2
from plain_boards import plain_board, plain_othello, some_cells

import tengen
from tengen.vision import NotABoardError, reading, see
from tengen.vision.beyond import going_on
from tengen.vision.drawing import draw_other, draw_photo, draw_screenshot
from tengen.vision.geometry import square
from tengen.vision.models import shipped_models


def parts_of_nineteen():
    """The upper left 13x13 of 19x19 boards, cut so many steps beyond the outermost line that is left."""
    rng = np.random.default_rng(5)
    for beyond in (0.0, 0.06, 0.1, 0.14, 0.3, 0.5, 0.7):
        cells = some_cells(rng, 19, 60)
        image, _ = plain_board(cells)
        end = 32 + round((12 + beyond) * 32) + 1
        yield image[:end, :end], square(32, 32 + 12 * 32).astype(float), cells[:13, :13]


def test_lines_that_go_on_are_seen():
    rng = np.random.default_rng(1)
    for size in (9, 15, 19):
        cells = some_cells(rng, size)
        image, corners = plain_board(cells)
        assert going_on(image, corners, cells == 0) is None
        for margin in (0, 2, 8, 16):  # cut on all sides alike: a whole board
            cut = image[32 - margin : len(image) - 32 + margin, 32 - margin : len(image) - 32 + margin]
            assert going_on(np.ascontiguousarray(cut), corners - 32 + margin, cells == 0) is None
    for image, corners, cells in parts_of_nineteen():
        words = going_on(image, corners, cells == 0)
        assert words is not None
        assert "larger" in words


def test_the_least_that_is_seen_beyond_a_line_is_looked_at():
    """Between a picture that ends at a line and one that shows much beyond it there is no gap."""
    rng = np.random.default_rng(7)
    for step in (20, 32, 48):
        cells = some_cells(rng, 19, 60)
        image, _ = plain_board(cells, step=step, margin=step)
        for pixels in range(step // 2):
            end = step + 12 * step + pixels + 1
            part = image[:end, :end], square(step, step + 12 * step).astype(float), cells[:13, :13]
            assert "larger" in (going_on(part[0], part[1], part[2] == 0) or ""), (step, pixels)


def test_a_whole_board_may_be_cut_by_hand():
    """Some ground on one side and little on another, as long as there is room for lines to be seen to end."""
    rng = np.random.default_rng(8)
    for step in (20, 32, 48):
        cells = some_cells(rng, 15)
        image, corners = plain_board(cells, step=step, margin=step)
        for pixels in range(-(-step // 16), step // 2):
            cut = step - pixels
            assert going_on(image[cut:, cut:], corners - cut, cells == 0) is None, (step, pixels)


def test_a_part_of_a_board_is_not_sure():
    seen = 0
    for image, _, _ in parts_of_nineteen():
        try:
            sighting = see(image)
        except NotABoardError:
            continue
        seen += 1
        assert not sighting.is_sure
        assert sighting.confidence <= 0.5
        assert any("larger" in remark for remark in sighting.remarks)
    assert seen >= 2


def test_whole_boards_are_not_called_parts():
    draws = [(draw_screenshot, seed) for seed in range(200, 212)] + [(draw_photo, seed) for seed in range(200, 206)]
    for draw, seed in draws:
        picture = draw(np.random.default_rng(seed), held_out=True)
        truth = picture.truth
        if truth.game == "gomoku" and not truth.in_squares:
            assert going_on(picture.image, truth.corners, truth.cells == 0) is None, seed


def test_counts_that_cannot_be_lower_the_confidence():
    rng = np.random.default_rng(2)
    cells = some_cells(rng, 15, 20)
    image, _ = plain_board(cells)
    assert see(image).confidence > 0.9
    cells[cells == 2] *= rng.random((cells == 2).sum()) < 0.4
    image, _ = plain_board(cells)
    odd = see(image)
    assert np.array_equal(odd.cells, cells)
    assert not odd.is_sure
    assert odd.confidence <= 0.5


@pytest.mark.parametrize("off", [0.3, 0.5])
def test_given_corners_are_put_right(off):
    rng = np.random.default_rng(3)
    right = 0
    for size in (9, 13, 15, 19):
        cells = some_cells(rng, size, 20)
        image, corners = plain_board(cells)
        found = see(image, corners=corners + rng.uniform(-off, off, (4, 2)) * 32)
        right += np.array_equal(found.cells, cells) and np.abs(found.corners - corners).max() < 4
    assert right >= 3


def test_a_board_that_is_small_on_its_page_is_found():
    rng = np.random.default_rng(4)
    cells = some_cells(rng, 15, 20)
    board, corners = plain_board(cells, step=20, margin=20)
    page = np.full((1080, 1920, 3), 245, np.uint8)
    for line in range(25):
        cv2.putText(page, f"{line}. some text of a page", (1500, 60 + 34 * line), cv2.FONT_HERSHEY_PLAIN, 1.2, 0)
    page[600 : 600 + len(board), 900 : 900 + len(board)] = board
    found = see(page)
    assert np.array_equal(found.cells, cells)
    assert np.abs(found.corners - corners - (900, 600)).max() < 3
    page[100 : 100 + len(board), 300 : 300 + len(board)] = board
    with pytest.raises(NotABoardError, match="several"):
        see(page)


def draughts(pitch=50):
    image = np.empty((8 * pitch, 8 * pitch, 3), np.uint8)
    for row, column in np.ndindex(8, 8):
        square_of = image[row * pitch : (row + 1) * pitch, column * pitch : (column + 1) * pitch]
        square_of[:] = (209, 139, 71) if (row + column) % 2 else (255, 206, 158)
        if (row + column) % 2 and row not in (3, 4):
            grey = 20 if row < 4 else 250
            cv2.circle(image, (round((column + 0.5) * pitch), round((row + 0.5) * pitch)), 20, (grey,) * 3, -1, 16)
            cv2.circle(image, (round((column + 0.5) * pitch), round((row + 0.5) * pitch)), 20, (90,) * 3, 1, 16)
    return image


def xiangqi(pitch=60):
    """Nine lines by ten, discs with signs."""
    image = np.full((11 * pitch, 10 * pitch, 3), (230, 190, 120), np.uint8)
    for row in range(10):
        cv2.line(image, (pitch, pitch * (row + 1)), (9 * pitch, pitch * (row + 1)), (60, 30, 0), 2)
    for column in range(9):
        for top, bottom in ((1, 5), (6, 10)):
            cv2.line(image, (pitch * (column + 1), top * pitch), (pitch * (column + 1), bottom * pitch), (60, 30, 0), 2)
    for row, columns in (
        (0, range(9)),
        (2, (1, 7)),
        (3, range(0, 9, 2)),
        (6, range(0, 9, 2)),
        (7, (1, 7)),
        (9, range(9)),
    ):
        for column in columns:
            middle = (pitch * (column + 1), pitch * (row + 1))
            cv2.circle(image, middle, 26, (250, 235, 200), -1, cv2.LINE_AA)
            cv2.circle(image, middle, 26, (150, 0, 0) if row > 4 else (0, 0, 0), 3, cv2.LINE_AA)
            cv2.putText(image, "KR"[row % 2], (middle[0] - 10, middle[1] + 10), cv2.FONT_HERSHEY_PLAIN, 2, 0, 3)
    return image


def test_other_games_are_refused():
    for picture in (draughts(), xiangqi()):
        with pytest.raises(NotABoardError):
            see(picture)


@pytest.mark.parametrize(("black", "white", "is_board"), [(0, 8, True), (12, 40, True), (0, 30, False), (29, 2, False)])
def test_stones_of_one_colour_are_no_game(black, white, is_board):
    rng = np.random.default_rng(3)
    cells = np.zeros(81, np.int8)
    cells[: black + white] = [1] * black + [2] * white
    picture = plain_board(rng.permutation(cells).reshape(9, 9))[0]
    if is_board:
        assert int((see(picture).cells > 0).sum()) == black + white
        return
    with pytest.raises(NotABoardError):
        see(picture)


def test_the_second_net_is_believed_where_the_first_is_not_sure(monkeypatch):
    models = shipped_models()
    picture = draw_screenshot(np.random.default_rng([51, False, 64]), held_out=True, overlays=True)
    assert np.array_equal(see(picture.image).cells, picture.truth.cells)
    monkeypatch.setattr(models, "marked", None)
    alone = see(picture.image)
    assert not np.array_equal(alone.cells, picture.truth.cells)
    assert not alone.is_sure


@pytest.mark.parametrize("opacity", [0.43, 0.5])
def test_a_half_transparent_stone_is_contradicted(opacity, monkeypatch):
    """As under a pointer, in the colour of the side to move: nothing else is odd about such a board."""
    monkeypatch.setattr(reading, "faded_stone", lambda board, cells: None)  # what the second net sees by itself
    models = shipped_models()
    cells = some_cells(np.random.default_rng(9), 15, 20)
    row, column = np.argwhere(cells == 0)[100]
    assert see(plain_board(cells)[0]).is_sure
    image, _ = plain_board(cells)
    cells[row, column] = 1
    faded = cv2.addWeighted(plain_board(cells)[0], opacity, image, 1 - opacity, 0)
    cells[row, column] = 0
    found = see(faded)
    assert not found.is_sure
    assert found.doubts == [found.game.moves[15 * row + column]]
    assert found.confidence <= found.confidence_by_point[row, column] < 0.9
    assert np.sort(found.confidence_by_point.ravel())[1] > 0.9
    monkeypatch.setattr(models, "marked", None)
    alone = see(faded)
    assert alone.is_sure
    assert alone.cells[row, column] == 1


def test_what_the_second_net_sees_otherwise_is_no_doubt_where_the_first_had_one_itself(monkeypatch):
    picture = draw_screenshot(np.random.default_rng([51, False, 64]), held_out=True, overlays=True)
    found = see(picture.image)
    assert (found.cells == picture.truth.cells).all()
    monkeypatch.setattr(shipped_models(), "marked", None)
    alone = see(picture.image)
    wrong = alone.cells != found.cells
    assert (alone.confidence_by_point[wrong] < 0.9).all()
    assert (found.confidence_by_point[wrong] > 0.9).all()


@pytest.mark.parametrize("name", ["analyse", "analyse-heat", "analyse-phone"])
def test_what_analysis_draws_on_a_board_of_wood_is_no_stone(name):
    found = see(Path(__file__).parents[2] / f"docs/images/{name}.png")
    assert np.array_equal(found.cells, tengen.Position("gomoku", "h8i9g9h10i8g10k9f10e10").board())


def test_the_second_net_may_refuse_what_the_first_is_not_sure_of(monkeypatch):
    picture = draw_other(np.random.default_rng([51, 5]), held_out=False, kind="minesweeper")
    with pytest.raises(NotABoardError, match="is no board"):
        see(picture)
    monkeypatch.setattr(shipped_models(), "marked", None)
    assert not see(picture).is_sure


@pytest.mark.parametrize(("seed", "rim"), [(2, 150), (4, 150), (5, 160)])
def test_the_second_net_may_have_doubts_of_a_board_that_the_first_sees(seed, rim):
    """White discs with faint rims on white paper."""
    rng = np.random.default_rng(seed)
    position = tengen.Position("othello")
    for _ in range(41):
        moves = position.legal_moves()
        position.play(moves[int(rng.integers(len(moves)))])
    found = see(plain_othello(position.board(), pitch=60, ground=(255, 255, 255), rim=rim, line=2))
    assert np.array_equal(found.cells, position.board())
    assert not found.is_sure


def test_the_second_net_does_not_refuse_a_board_for_being_empty():
    picture = draw_screenshot(np.random.default_rng([51, False, 85]), held_out=True)
    other = reading._looked_at_closely(
        reading._find(picture.image, shipped_models(), None, None), picture.image, shipped_models().marked
    )
    assert not other.is_board()
    found = see(picture.image)
    assert np.array_equal(found.cells, picture.truth.cells)
    assert not found.is_sure


def test_the_second_net_may_see_that_there_is_no_stone():
    picture = draw_screenshot(np.random.default_rng([53, False, 31]), held_out=True, overlays=True)
    found = see(picture.image)  # the first net takes something for a stone, and has a doubt
    assert not found.cells.any()
    assert not picture.truth.cells.any()


def test_corners_of_nothing_are_refused():
    rng = np.random.default_rng(6)
    noise = rng.integers(0, 256, (400, 400, 3), np.uint8)
    for image in (noise, np.full((400, 400, 3), 200, np.uint8)):
        with pytest.raises(NotABoardError, match="between these corners"):
            see(image, corners=square(30, 370))
