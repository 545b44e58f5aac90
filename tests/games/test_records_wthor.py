"""WTHOR databases, byte by byte."""

from __future__ import annotations

import random
import struct

import pytest

from tengen.errors import RecordError
from tengen.games import Position
from tengen.games import records as rec
from tengen.games.records import Record, Result, Verdict


def header(games: int, *, year: int = 2001, size: int = 8) -> bytes:
    return bytes([20, 1, 12, 31]) + struct.pack("<ihh", games, 0, year) + bytes([size, 0, 22, 0])


def game(
    moves: list[int], *, ids: tuple[int, int, int] = (1, 2, 3), black: int = 40, perfect: int = 38, room: int = 60
) -> bytes:
    return struct.pack("<hhh", *ids) + bytes([black, perfect]) + bytes(moves).ljust(room, b"\0")


F5, D6, C3, D3, C4 = 56, 64, 33, 34, 43


def play_out(name: str, seed: int) -> Position:
    rng = random.Random(seed)
    position = Position(name)
    while not position.is_over:
        position.play(rng.choice(position.legal_moves()))
    return position


def line(record: Record) -> str:
    return " ".join(str(move) for move in record.moves)


def test_everything_of_a_file() -> None:
    data = header(2) + game([F5, D6, C3, D3, C4]) + game([D3], ids=(0, 0, 0), black=32, perfect=0)
    first, second = rec.loads(data)
    assert first.game.name == "othello"
    assert line(first) == "f5 d6 c3 d3 c4"
    assert first.headers == {"event_id": "1", "black_id": "2", "white_id": "3", "perfect": "38", "date": "2001"}
    assert first.result == Result(Verdict.BLACK, score=(40, 24))
    assert line(second) == "d3"
    assert second.headers == {"perfect": "0", "date": "2001"}
    assert second.result == Result(Verdict.DRAW, score=(32, 32))


def test_size_zero_means_eight_and_bytes_behind_the_games_are_skipped() -> None:
    data = header(1, size=0) + game([F5]) + b"tail"
    assert line(rec.loads(data, "wthor")[0]) == "f5"
    assert rec.loads(header(0), "wthor") == []


def test_passes_are_not_stored() -> None:
    moves = [34, 33, 65, 24, 14, 15, 22, 13, 31]  # d3 c3 e6 d2 d1 e1 b2 c1, black passes, a3
    (record,) = rec.loads(header(1) + game(moves))
    assert line(record) == "d3 c3 e6 d2 d1 e1 b2 c1 pass a3"


def test_written_bytes() -> None:
    position = Position("othello", "e6f4e3f6g5d6e7f5c5")
    record = Record.from_position(
        position, date="1999-05-01", black_id="7", white_id="-2", event_id="300", perfect="64"
    )
    expected = bytes(4) + struct.pack("<ihh", 1, 0, 1999) + bytes([8, 0, 0, 0])
    expected += struct.pack("<hhhBB", 300, 7, -2, 64, 64) + bytes([65, 46, 35, 66, 57, 64, 75, 56, 53]).ljust(60, b"\0")
    assert rec.dumps(record, "wthor") == expected


@pytest.mark.parametrize("name", ["othello", "othello:size=10"])
def test_finished_games_come_back(name: str) -> None:
    records = [Record.from_position(play_out(name, seed), perfect="0") for seed in range(20)]
    data = rec.dumps(records, "wthor")
    assert len(data) == 16 + 20 * (68 if name == "othello" else 104)
    assert rec.detect(data) == "wthor"
    assert rec.loads(data) == records
    assert any("pass" in line(record) for record in records)


def test_corners_of_the_big_board() -> None:
    (record,) = rec.loads(header(1, size=10) + game([], room=96, black=50))
    assert record.game.size == 10
    position = next(p for p in (play_out("othello:size=10", s) for s in range(50)) if {0, 9, 90, 99} <= set(p.moves))
    data = rec.dumps(Record.from_position(position), "wthor")
    assert {11, 20, 101, 110} <= set(data[24:])
    assert rec.loads(data)[0].moves == position.moves


@pytest.mark.parametrize(
    ("data", "place", "why"),
    [
        (b"", "byte 0", "16-byte header"),
        (bytes(15), "byte 15", "16-byte header"),
        (header(1), "byte 4", "claims 1 games, the file has room for 0"),
        (header(2**31 - 1) + game([F5]), "byte 4", "claims 2147483647 games, the file has room for 1"),
        (header(-1), "byte 4", "claims -1 games"),
        (header(0, size=9), "byte 12", "board size 9"),
        (header(1) + game([F5, F5]), "game 1, byte 25", r"move 2 \(f5\)"),
        (header(1) + game([F5, 19]), "game 1, byte 25", "move 2: 19 is no square"),
        (header(1) + game([F5, 91]), "game 1, byte 25", "move 2: 91 is no square"),
        (header(1) + game([255]), "game 1, byte 24", "move 1: 255 is no square"),
        (header(1) + game([5]), "game 1, byte 24", "move 1: 5 is no square"),
        (header(2) + game([F5]) + game([11]), "game 2, byte 92", r"move 1 \(a1\).*turns no disc"),
        (header(1) + game([F5], black=65), "game 1, byte 22", "65 discs of 64"),
    ],
)
def test_errors_have_a_byte(data: bytes, place: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        rec.loads(data, "wthor")
    assert caught.value.place == place


def test_text_is_refused() -> None:
    with pytest.raises(RecordError, match="binary"):
        rec.loads("f5d6", "wthor")


def test_one_size_a_file_and_one_year_or_none() -> None:
    games = [Record.from_position(play_out(name, 1)) for name in ("othello", "othello:size=10")]
    with pytest.raises(RecordError, match="one board size"):
        rec.dumps(games, "wthor")
    two = [Record.from_position(play_out("othello", 1), date=year) for year in ("1999", "2000")]
    assert struct.unpack_from("<h", rec.dumps(two, "wthor"), 10) == (0,)
