"""Move strings."""

from __future__ import annotations

import pytest

from tengen.errors import RecordError
from tengen.games import Position
from tengen.games import records as rec
from tengen.games.records import Record


def moves(data: bytes | str, game: str | None = None) -> str:
    (record,) = rec.loads(data, "moves", game=game)
    return " ".join(str(move) for move in record.moves)


@pytest.mark.parametrize(
    "text",
    [
        "h8h9i8",
        "H8H9I8",
        "h8 h9 i8",
        "h8,h9,i8",
        " h8, h9\n i8 \r\n",
        "1. h8 2. h9 3. i8",
        "\ufeffh8h9i8",
        "h8\r\nh9\r\ni8",
        "h8;h9;i8;",
    ],
)
def test_separators_case_and_numbers(text: str) -> None:
    assert moves(text, "gomoku") == "h8 h9 i8"
    assert moves(text.encode(), "gomoku") == "h8 h9 i8"
    assert moves(text) == "h8 h9 i8"


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("h8h9", "gomoku"),
        ("f5d6c3", "othello"),
        ("F5D6C3", "othello"),
        ("f5f4", "othello"),
        ("f5g1", "gomoku"),
        ("a1", "gomoku"),
        ("p16", "gomoku:size=19"),
        ("a20", "gomoku:size=20"),
        ("v22", "gomoku:size=22"),
    ],
)
def test_the_game_is_guessed_where_none_is_named(text: str, game: str) -> None:
    assert rec.loads(text)[0].game.name == game


def test_two_digit_rows() -> None:
    assert moves("a10j10a1", "gomoku") == "a10 j10 a1"
    assert moves("g6", "othello:size=10") == "g6"


# After this line black has no move: white plays twice in a row.
BEFORE_PASS = "d3c3e6d2d1e1b2c1"


def test_passes_are_inferred_and_left_out() -> None:
    position = Position("othello", BEFORE_PASS)
    assert [str(move) for move in position.legal_moves()] == ["pass"]
    position.play("pass")
    position.play(position.legal_moves()[0])
    record = Record.from_position(position)
    text = rec.dumps(record, "moves")
    assert b"pass" not in text
    assert rec.loads(text) == [record]
    last = str(position.last_move)
    for written in ("pass", "--", "ps", "PA", " Pass "):
        assert rec.loads(BEFORE_PASS + written + last, "moves") == [record]


def test_a_last_pass_is_written() -> None:
    position = Position("othello", BEFORE_PASS)
    position.play("pass")
    record = Record.from_position(position)
    assert rec.dumps(record, "moves") == BEFORE_PASS.encode() + b"pass\n"
    assert rec.loads(BEFORE_PASS + "pass") == [record]


def test_blank_lines_separate_games_and_lines_do_not_unless_they_must() -> None:
    assert len(rec.loads("h8h9\ni8i9", "moves", game="gomoku")) == 1
    assert len(rec.loads("h8h9\n\ni8i9", "moves", game="gomoku")) == 2
    two = rec.loads("h8h9\nh8i9\n", "moves", game="gomoku")
    assert [len(record.moves) for record in two] == [2, 2]
    mixed = rec.loads("f5d6c3\nf5f6\n \nh8h9\nh8i9")
    assert [record.game.name for record in mixed] == ["othello", "othello", "gomoku", "gomoku"]


def test_written_games_are_read_back_one_each() -> None:
    records = [Record.from_position(Position("gomoku", line)) for line in ("a1b2", "c3d4", "e5f6g7")]
    assert rec.dumps(records, "moves") == b"a1b2\n\nc3d4\n\ne5f6g7\n"
    assert rec.loads(rec.dumps(records, "moves"), game="gomoku") == records


def test_a_game_without_moves_stands_alone() -> None:
    empty = Record.from_position(Position("gomoku"))
    assert rec.loads(rec.dumps(empty, "moves"), "moves", game="gomoku") == [empty]
    with pytest.raises(RecordError, match="cannot stand among others"):
        rec.dumps([empty, empty], "moves")


@pytest.mark.parametrize(
    ("text", "game", "place", "why"),
    [
        ("h8h8", "gomoku", "line 1", r"move 2 \(h8\)"),
        ("h8\ni8h99", "gomoku", "line 2", "move 3: h99 is no move"),
        ("h8 z9", "gomoku", "line 1", "move 2: z9 is no move"),
        ("h8 what", "gomoku", "line 1", "is no move"),
        ("h8 8", "gomoku", "line 1", "is no move"),
        ("h8pass", "gomoku", "line 1", "pass is no move"),
        ("f5f5", "othello", "line 1", r"move 2 \(f5\)"),
        ("f5a1", "othello", "line 1", r"move 2 \(a1\).*turns no disc"),
        ("f5pass", "othello", "line 1", r"move 2 \(pass\)"),
        ("a1a2b1b2c1c2d1d2e1e2", "gomoku", "line 1", r"move 10 \(e2\).*over"),
        ("a1b2\n\nc3d4\ne5c3", "gomoku", "line 4", r"move 4 \(c3\)"),
        ("h8h9\nh8h9h9", "gomoku", "line 2", r"move 3 \(h9\)"),
    ],
)
def test_errors_name_the_move_and_the_line(text: str, game: str, place: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        rec.loads(text, "moves", game=game)
    assert caught.value.place == place


def test_the_result_is_what_the_board_shows() -> None:
    assert rec.loads("a1a2b1b2c1c2d1d2e1")[0].result.winner == "black"
    assert not rec.loads("a1a2")[0].result.is_known
