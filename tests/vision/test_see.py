"""A picture of a board becomes the position that was drawn."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pytest.importorskip("onnxruntime")
pytest.importorskip("PIL")

import cv2
from click.testing import CliRunner
from PIL import Image
from plain_boards import cells_of, plain_board, plain_othello

import tengen
from tengen.cli import cli
from tengen.games import Game, Side
from tengen.vision import NotABoardError, PictureError, geometry, reading, see
from tengen.vision.drawing import draw_other, draw_photo, draw_screenshot
from tengen.vision.overlay import draw_overlay
from tengen.vision.turn import marked_stone, side_to_move


def drawn(seed, draw=draw_screenshot, **options):
    return draw(np.random.default_rng(seed), **options)


@pytest.fixture(scope="module")
def screenshot():
    return drawn(14, theme="wood-classic", size=15)


@pytest.fixture(scope="module")
def sighting(screenshot):
    return see(screenshot.image)


def test_a_screenshot_is_read(screenshot, sighting):
    truth = screenshot.truth
    assert sighting.game.name == "gomoku"
    assert np.array_equal(sighting.cells, truth.cells)
    assert np.array_equal(sighting.position.board(), truth.cells)
    assert sighting.to_move == truth.to_move
    assert sighting.confidence_by_point.shape == (15, 15)
    assert 0.5 < sighting.confidence <= sighting.confidence_by_point.min()
    step = np.linalg.norm(truth.corners[1] - truth.corners[0]) / 14
    assert np.abs(sighting.corners - truth.corners).max() < 0.2 * step


@pytest.mark.parametrize("name", ["play-renju", "play-dark", "play"])
def test_numbers_on_stones_are_no_marks(name):
    sighting = see(Path(__file__).parents[2] / f"docs/images/{name}.png")
    assert sighting.is_sure, sighting.remarks
    assert sighting.to_move is Side.BLACK


def test_most_held_out_pictures_are_read():
    # The figures are those of benchmarks/vision.py; a few of each tell whether anything is broken.
    pictures = [drawn(seed, held_out=True) for seed in range(100, 112)]
    pictures += [drawn(seed, draw_photo, held_out=True) for seed in range(100, 108)]
    right = 0
    for picture in pictures:
        try:
            found = see(picture.image)
        except NotABoardError:
            continue
        right += found.game.kind == picture.truth.game and np.array_equal(found.cells, picture.truth.cells)
    assert right >= 18


def test_other_pictures_are_refused():
    taken = 0
    for seed in range(12):
        try:
            see(draw_other(np.random.default_rng(seed), held_out=True))
            taken += 1
        except NotABoardError:
            pass
    assert taken <= 1
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3), np.uint8)
    for plain in (np.zeros((300, 300, 3), np.uint8), noise):
        with pytest.raises(NotABoardError, match="corners"):
            see(plain)


def test_help_is_taken(screenshot):
    truth = screenshot.truth
    by_corners = see(screenshot.image, corners=truth.corners)
    assert np.array_equal(by_corners.cells, truth.cells)
    step = np.linalg.norm(truth.corners[1] - truth.corners[0]) / 14
    assert np.abs(by_corners.corners - truth.corners).max() < 0.1 * step
    renju = see(screenshot.image, game="renju", size=15)
    assert renju.game == Game.parse("renju")
    signs = drawn(7, theme="brush-signs", size=11)
    assert np.array_equal(see(signs.image, corners=signs.truth.corners).cells, signs.truth.cells)
    othello = drawn(5, theme="othello-crimson", size=8)
    found = see(othello.image, corners=othello.truth.corners, game="othello")
    assert np.array_equal(found.cells, othello.truth.cells)
    square = np.linalg.norm(othello.truth.corners[1] - othello.truth.corners[0]) / 8
    assert np.abs(found.corners - othello.truth.corners).max() < 0.1 * square


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "wrong",
    [
        {"corners": [(0, 0), (1, 1)]},
        {"corners": [(10, 10), (10, 300), (300, 300), (300, 10)]},
        {"corners": [(10, 10), (float("nan"), 10), (300, 300), (10, 300)]},
        {"corners": [(10, 10), (90_000, 10), (90_000, 300), (10, 300)]},
        {"corners": [(1e308, 1e308), (-1e308, 1e308), (1e308, -1e308), (10, 300)]},
        {"corners": [(10, 10), (15, 10), (15, 15), (10, 15)]},
        {"corners": "nonsense"},
        {"size": 5},
        {"size": 21},
        {"game": "chess"},
        {"game": "othello", "size": 7},
        {"game": "gomoku:size=9", "size": 15},
        {"game": "gomoku:win=19"},  # on 15x15
        {"game": "gomoku:win=10", "size": 9},
        {"game": "gomoku:win=21"},
        {"game": "gomoku:seize=15"},
        {"game": 7},
    ],
)
def test_help_that_cannot_be_is_refused(screenshot, wrong):
    with pytest.raises(tengen.TengenError):
        see(screenshot.image, **wrong)


@pytest.fixture(scope="module")
def won_at_five():
    """A Go-style board of 19x19 on which black has five in a row."""
    cells = cells_of(["d4", "e4", "f4", "g4", "h4", "q16", "k10"], ["d16", "q4", "r6", "c6", "f17", "o3", "l11"], 19)
    return cells, plain_board(cells)[0]


@pytest.mark.parametrize(
    "help_",
    [
        {"game": "gomoku:size=19,win=19"},
        {"game": "gomoku:win=19"},
        {"game": "gomoku:win=19", "size": 19},
        {"game": Game.parse("gomoku:size=19,win=19")},
    ],
)
def test_a_row_longer_than_the_usual_board_is_no_hindrance(won_at_five, help_):
    cells, image = won_at_five
    assert see(image).to_move is None
    found = see(image, **help_)
    assert found.game.name == "gomoku:size=19,win=19"
    assert np.array_equal(found.cells, cells)
    assert found.to_move is Side.BLACK


def test_a_row_longer_than_the_board_is_refused(screenshot):
    for help_, words in (
        ({"game": "gomoku:win=19"}, "19 in a row do not fit on 15x15"),
        ({"game": "gomoku:win=10", "size": 9}, "10 in a row do not fit on 9x9"),
        ({"game": "gomoku:size=19,win=19"}, "a gomoku board of size 15 is seen, not a gomoku board of size 19"),
    ):
        with pytest.raises(tengen.TengenError, match=words):
            see(screenshot.image, **help_)


def test_a_go_style_board_on_the_command_line(won_at_five, tmp_path):
    path = tmp_path / "go.png"
    Image.fromarray(won_at_five[1]).save(path)
    assert "the game is over" in CliRunner().invoke(cli, ["see", str(path)]).stdout
    result = CliRunner().invoke(cli, ["see", str(path), "--game", "gomoku:size=19,win=19"])
    assert result.exit_code == 0, result.output
    assert "gomoku:size=19,win=19, black to move" in result.stdout


@pytest.mark.parametrize("size", [9, 15, 19])
def test_a_board_without_a_stone_is_not_sure(size):
    sighting = see(plain_board(np.zeros((size, size), np.int8))[0])
    assert sighting.size == size
    assert not sighting.cells.any()
    assert sighting.to_move is Side.BLACK
    assert sighting.remarks == ["there is not one stone: an empty grid may be no board"]
    assert not sighting.is_sure
    assert 0.4 < sighting.confidence <= 0.5


@pytest.mark.parametrize("given_corners", [False, True])
def test_help_that_is_wrong_is_named(screenshot, given_corners):
    corners = {"corners": screenshot.truth.corners} if given_corners else {}
    for wrong, words in (
        ({"size": 13}, "a board of size 15 is seen, not a board of size 13"),
        ({"game": "othello"}, "a gomoku board of size 15 is seen, not an othello board"),
        ({"game": "renju", "size": 9}, "a gomoku board of size 15 is seen, not a renju board of size 9"),
    ):
        with pytest.raises(NotABoardError) as refusal:
            see(screenshot.image, **corners, **wrong)
        assert str(refusal.value) == words
    plain = np.zeros((300, 300, 3), np.uint8)
    corners = {"corners": geometry.square(30, 270)} if given_corners else {}
    with pytest.raises(NotABoardError, match=r"^a renju board of size 13 was looked for: .*no board is seen"):
        see(plain, **corners, game="renju", size=13)
    with pytest.raises(NotABoardError, match=r"^(no|between these corners no) board is seen"):
        see(plain, **corners)


def test_a_board_as_it_was_asked_for_is_never_said_to_be_another(screenshot, monkeypatch):
    find = reading._find

    def seen_only_without_help(image, models, othello, size):
        if othello is not None or size is not None:
            raise NotABoardError("none")
        return find(image, models, othello, size)

    monkeypatch.setattr(reading, "_find", seen_only_without_help)
    for help_, words in (
        ({"size": 15}, "a board of size 15 was looked for: none"),
        ({"game": "renju"}, "a renju board was looked for: none"),
        ({"game": "othello"}, "a gomoku board of size 15 is seen, not an othello board"),
    ):
        with pytest.raises(NotABoardError) as refusal:
            see(screenshot.image, **help_)
        assert str(refusal.value) == words


LARGE = {  # each is shrunk in another way before it is looked at
    "JPEG": ("JPEG", lambda picture: picture, {}),
    "JPEG, turned": ("JPEG", lambda picture: picture.transpose(Image.Transpose.ROTATE_90), {}),
    "transparent": ("PNG", lambda picture: picture.convert("RGBA"), {}),
    "transparent, in a palette": ("PNG", lambda picture: picture.quantize(32), {"transparency": 31}),
}


@pytest.mark.parametrize("name", LARGE)
def test_corners_are_those_of_the_picture_as_it_was(name):
    cells = cells_of(["h8", "i9", "c3", "n14"], ["g7", "j9", "d12"])
    small, corners = plain_board(cells)
    page = np.full((600, 540, 3), 250, np.uint8)
    page[50 : 50 + len(small), 20 : 20 + len(small)] = small
    kind, made, options = LARGE[name]
    exif = Image.Exif()
    exif[0x0112] = 6 if name == "JPEG, turned" else 1
    file = io.BytesIO()
    large = Image.fromarray(cv2.resize(page, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST))
    made(large).save(file, kind, exif=exif, **options)
    truth = (corners + (20, 50) + 0.5) * 8 - 0.5
    for help_ in ({}, {"corners": truth}):
        found = see(file.getvalue(), **help_)
        assert np.array_equal(found.cells, cells)
        assert np.abs(found.corners - truth).max() < 16  # 4,800 pixels high


def test_the_same_picture_is_read_the_same(screenshot, sighting, tmp_path):
    path = tmp_path / "board.png"
    Image.fromarray(screenshot.image).save(path)
    data = path.read_bytes()
    for source in (path, str(path), data, bytearray(data), memoryview(data)):
        again = see(source)
        assert np.array_equal(again.cells, sighting.cells)
        assert np.array_equal(again.confidence_by_point, sighting.confidence_by_point)


def board_of(cells, marked=None):
    """A board image with flat stones and, on one of them, a dot."""
    step, size = geometry.STEP, len(cells)
    image = np.full((step * size, step * size, 3), 150, np.uint8)
    for row, column in np.argwhere(cells):
        grey = 20 if cells[row, column] == 1 else 240
        centre = (step * column + step // 2, step * row + step // 2)
        cv2.circle(image, centre, 7, (grey,) * 3, -1)
        if (row, column) == marked:
            cv2.circle(image, centre, 2, (220, 40, 40), -1)
    return image


def test_the_mark_on_the_last_move_is_seen():
    rng = np.random.default_rng(3)
    for _ in range(20):
        cells = rng.choice([0, 1, 2], (8, 8)).astype(np.int8)
        place = tuple(rng.permutation(np.argwhere(cells))[0].tolist())
        assert marked_stone(board_of(cells), cells) is None
        assert marked_stone(board_of(cells, place), cells) == place


def test_the_side_to_move():
    gomoku, othello = Game.parse("gomoku:size=8"), Game.parse("othello")
    cells = np.zeros((8, 8), np.int8)
    assert side_to_move(gomoku, cells, board_of(cells)) == (Side.BLACK, [])
    cells[2, 2] = 1
    assert side_to_move(gomoku, cells, board_of(cells)) == (Side.WHITE, [])
    cells[3, 3] = cells[4, 4] = 1
    side, remarks = side_to_move(gomoku, cells, board_of(cells))
    assert side is None
    assert "3 black and 0 white" in remarks[0]
    rng = np.random.default_rng(4)
    for _ in range(20):
        position = tengen.Position(othello)
        passed = False
        for _ in range(int(rng.integers(1, 40))):
            moves = position.legal_moves()
            if not moves:
                break
            move = moves[int(rng.integers(len(moves)))]
            passed |= move.is_pass
            position.play(move)
        if position.is_over or passed:
            continue
        cells = position.board()
        assert side_to_move(othello, cells, board_of(cells))[0] == position.to_move
        last = position.last_move
        assert side_to_move(othello, cells, board_of(cells, (last.row, last.column)))[0] == position.to_move


@pytest.mark.parametrize(
    ("black", "white", "remark"),
    [
        (["d4", "e5", "c4"], ["e4"], "the middle"),  # d5 is empty
        (["d4", "e5", "c4", "a1"], ["d5", "e4"], "hang together"),
        (["d4", "e5", "c3"], ["d5", "e4"], None),  # by a corner
        (["d4", "e5"], ["d5", "e4"], None),
    ],
)
def test_discs_that_no_game_comes_to_are_remarked_upon(black, white, remark):
    cells = cells_of(black, white, size=8)
    _, remarks = side_to_move(Game.parse("othello"), cells, board_of(cells))
    assert len(remarks) == (remark is not None)
    assert all(remark in words for words in remarks)


def test_discs_that_no_game_comes_to_are_not_sure():
    position = tengen.Position("othello", "f5d6c3d3c4f4c5b3c2")
    sighting = see(plain_othello(position.board()))
    assert sighting.is_sure
    assert np.array_equal(sighting.cells, position.board())
    cells = position.board().copy()
    cells[7, 7] = 1
    odd = see(plain_othello(cells))
    assert odd.game.name == "othello"
    assert np.array_equal(odd.cells, cells)
    assert not odd.is_sure
    assert odd.confidence <= 0.5


def test_a_mark_that_contradicts_the_counts_is_remarked_upon():
    gomoku = Game.parse("gomoku:size=8")
    cells = np.zeros((8, 8), np.int8)
    cells[2, 1:5], cells[4, 1:5] = 1, 2
    assert side_to_move(gomoku, cells, board_of(cells, (4, 2))) == (Side.BLACK, [])
    side, remarks = side_to_move(gomoku, cells, board_of(cells, (2, 3)))
    assert side is Side.BLACK
    assert remarks == ["by the mark on d6 it is white's turn, by the numbers of stones black's"]


FIVE = ["d4", "e4", "f4", "g4", "h4"]
ROW_OF_WHITE = ["d9", "e9", "f9", "g9", "h9"]
APART = ["a15", "c13", "o1", "m3", "k12"]


@pytest.mark.parametrize(
    ("black", "white", "over", "remark"),
    [
        (FIVE[:4], ROW_OF_WHITE[:4], False, None),
        (FIVE, APART[:4], True, None),
        (APART, ROW_OF_WHITE, True, None),
        (FIVE, ROW_OF_WHITE, True, "both black and white have 5 in a row"),
        ([*FIVE, "a1"], ROW_OF_WHITE, True, "both black and white have 5 in a row"),
        (FIVE, APART, True, "black has 5 in a row, but by the numbers of stones white moved last"),
        ([*APART, "a1"], ROW_OF_WHITE, True, "white has 5 in a row, but by the numbers of stones black moved last"),
        (FIVE, APART[:2], True, "5 black and 2 white stones do not come from moves in turn"),
    ],
)
def test_a_game_that_is_over(black, white, over, remark, tmp_path):
    image, _ = plain_board(cells_of(black, white))
    path, record = tmp_path / "board.png", tmp_path / "board.sgf"
    Image.fromarray(image).save(path)
    sighting = see(image)
    assert sighting.position.is_over == over
    assert (sighting.to_move is None) == over
    assert sighting.remarks == ([] if remark is None else [remark])
    assert sighting.is_sure == (remark is None)
    assert (sighting.confidence > 0.9) == (remark is None)
    said = CliRunner().invoke(cli, ["see", str(path), "--record", str(record)]).stdout
    assert ("game is over" in said) == over
    assert ("to move" in said) == (not over)
    assert (" wins: " in said) == (over and remark is None)
    assert (b"RE[" in record.read_bytes()) == (over and remark is None)
    seen = json.loads(CliRunner().invoke(cli, ["see", str(path), "--json"]).stdout)
    assert (seen["over"], seen["to_move"]) == (over, None if over else "black")


def test_a_game_of_othello_that_is_over():
    cells = np.random.default_rng(3).integers(1, 3, (6, 6)).astype(np.int8)
    sighting = see(plain_othello(cells))
    assert sighting.game.name == "othello:size=6"
    assert np.array_equal(sighting.cells, cells)
    assert (sighting.to_move, sighting.remarks) == (None, [])
    assert sighting.to_dict()["over"] is True


def test_the_overlay_shows_the_board(screenshot, sighting):
    over = draw_overlay(screenshot.image, sighting)
    assert over.shape == screenshot.image.shape
    changed = (over != screenshot.image).any(2)
    points = np.rint(geometry.lattice(15, sighting.corners)).astype(int)
    on_stones = changed[points[..., 1], points[..., 0]]
    assert on_stones[sighting.cells > 0].all()
    assert not on_stones[1:-1, 1:-1][sighting.cells[1:-1, 1:-1] == 0].any()


@pytest.fixture
def picture_file(screenshot, tmp_path):
    path = tmp_path / "board.png"
    Image.fromarray(screenshot.image).save(path)
    return path


def test_the_command(screenshot, picture_file, tmp_path):
    overlay, record = tmp_path / "over.png", tmp_path / "board.sgf"
    result = CliRunner().invoke(cli, ["see", str(picture_file), "--overlay", str(overlay), "--record", str(record)])
    assert result.exit_code == 0, result.output
    assert "to move" in result.output
    assert Image.open(overlay).size == screenshot.image.shape[1::-1]
    (read,) = tengen.records.load(record)
    assert np.array_equal(read.position().board(), screenshot.truth.cells)
    result = CliRunner().invoke(cli, ["see", str(picture_file), "--json"])
    seen = json.loads(result.output)
    assert seen["size"] == 15
    assert len(seen["black"]) == (screenshot.truth.cells == 1).sum()
    rebuilt = tengen.Position.from_stones(seen["game"], black=seen["black"], white=seen["white"])
    assert np.array_equal(rebuilt.board(), screenshot.truth.cells)
    corners = [f"{x},{y}" for x, y in screenshot.truth.corners]
    assert CliRunner().invoke(cli, ["see", str(picture_file), "--corners", *corners]).exit_code == 0


def test_the_command_refuses(tmp_path, picture_file):
    plain = tmp_path / "plain.png"
    Image.new("RGB", (200, 200)).save(plain)
    (tmp_path / "empty.png").write_bytes(b"")
    refusals = (
        ("plain.png", 1, "four corners (--corners)"),
        ("empty.png", 1, "empty"),
        ("missing.png", 2, "not exist"),
    )
    for name, status, words in refusals:
        result = CliRunner().invoke(cli, ["see", str(tmp_path / name), "--json"])
        assert result.exit_code == status
        assert words in result.output
        assert "Traceback" not in result.output
    assert CliRunner().invoke(cli, ["see", str(picture_file), "--corners", "1,2", "3", "4,5", "6,7"]).exit_code == 2


@pytest.fixture
def untold_file(tmp_path):
    """A board with three black stones: whose turn it is cannot be told."""
    image = np.full((480, 480, 3), (220, 179, 92), np.uint8)
    for at in range(32, 481 - 32, 32):
        cv2.line(image, (at, 32), (at, 448), (0, 0, 0), 1)
        cv2.line(image, (32, at), (448, at), (0, 0, 0), 1)
    for column, row in ((5, 5), (6, 7), (9, 4)):
        cv2.circle(image, (32 * column, 32 * row), 14, (10, 10, 10), -1, cv2.LINE_AA)
    path = tmp_path / "untold.png"
    Image.fromarray(image).save(path)
    return path


def test_an_unknown_turn_is_not_called_blacks(untold_file, tmp_path):
    record = tmp_path / "untold.sgf"
    result = CliRunner().invoke(cli, ["see", str(untold_file), "--record", str(record)])
    assert result.exit_code == 0, result.output
    assert "cannot be told" in result.stdout
    assert "to move" not in result.stdout
    assert "untold.sgf says black" in result.stderr


def test_many_doubts_are_not_all_named(sighting, capsys):
    from dataclasses import replace

    from tengen.cli.see import _show

    _show(replace(sighting, doubts=list(sighting.game.moves[:200])))
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("and 190 more")
    assert len(last) < 80
    _show(replace(sighting, doubts=list(sighting.game.moves[:2])))
    assert "more" not in capsys.readouterr().out


def test_the_overlay_is_what_its_name_says(picture_file, tmp_path):
    for name, kind in (("o.jpg", "JPEG"), ("o.webp", "WEBP"), ("o", "PNG")):
        assert CliRunner().invoke(cli, ["see", str(picture_file), "--overlay", str(tmp_path / name)]).exit_code == 0
        assert Image.open(tmp_path / name).format == kind


@pytest.mark.parametrize("option", ["--overlay", "--record", "--json"])
def test_the_picture_itself_is_never_written_over(picture_file, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    before = picture_file.read_bytes()
    (tmp_path / "plain").write_bytes(before)  # a name without an ending may be that of a record
    (tmp_path / "linked.png").symlink_to(picture_file)
    pairs = [("plain", "plain"), ("plain", "./plain")]
    if option != "--record":
        pairs += [("board.png", str(picture_file)), ("board.png", "linked.png"), ("linked.png", "board.png")]
    for image, target in pairs:
        result = CliRunner().invoke(cli, ["see", image, option, target])
        assert result.exit_code == 2, result.output
        assert "would write over the picture" in result.output
    assert picture_file.read_bytes() == (tmp_path / "plain").read_bytes() == before


@pytest.mark.parametrize("option", ["--overlay", "--record"])
def test_standard_output_is_no_file(picture_file, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["see", str(picture_file), option, "-"])
    assert result.exit_code == 2
    assert "standard output is for --json" in result.output
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("wrong", [("--record", "board.xyz"), ("--record", "board.lib"), ("--overlay", "seen.txt")])
def test_names_that_cannot_be_are_refused_before_the_work(picture_file, tmp_path, wrong):
    overlay = tmp_path / "over.png"
    option, name = wrong
    words = ["see", str(picture_file), "--overlay", str(overlay), option, str(tmp_path / name)]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert "is written as one of" in result.output
    assert not overlay.exists()


def test_errors_are_of_the_house():
    assert issubclass(NotABoardError, PictureError)
    assert issubclass(PictureError, tengen.TengenError)
