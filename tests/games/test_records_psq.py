"""PSQ files of the Piskvork manager."""

from __future__ import annotations

import pytest

from tengen.errors import RecordError
from tengen.games import Position, Reason
from tengen.games import records as rec
from tengen.games.records import Record, Result, Verdict

GAME = """Piskvorky 20x20, 11:11, 0
10,10,0
11,10,1520
1,1,7
20,20,12
pbrain-one
C:\\engines\\pbrain-two.exe
0
"""


def one(text: str | bytes, game: str | None = None) -> Record:
    (record,) = rec.loads(text, "psq", game=game)
    return record


def test_everything_of_a_file() -> None:
    record = one(GAME)
    assert record.game.name == "gomoku:size=20"
    assert [str(move) for move in record.moves] == ["j11", "k11", "a20", "t1"]
    assert [node.time_ms for node in record.root.line()] == [0, 1520, 7, 12]
    assert record.headers == {"black": "pbrain-one", "white": "C:\\engines\\pbrain-two.exe"}
    assert record.result == rec.UNKNOWN
    assert rec.loads(GAME) == [record]


def test_written_bytes() -> None:
    assert rec.dumps(one(GAME), "psq") == GAME.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    "header",
    [
        "Piskvorky 15x15, 11:11, 0",
        "Piskvorky 15x15, 11:11, 0\r",
        "piskvorky 15x15,0:3,0",
        "Piskvorky 15x15",
        "Piskvorky 15 x 15, 1:1, 0, 1",
        "\ufeff\n\nPiskvorky 15X15, 11:11, 0",
    ],
)
def test_header_variants(header: str) -> None:
    record = one(f"{header}\n8,8,0\n")
    assert record.game.size == 15
    assert [str(move) for move in record.moves] == ["h8"]


def test_lines_with_spaces_without_times_and_blank_ones() -> None:
    record = one("Piskvorky 15x15, 11:11, 0\n\n 8 , 8 \n9,9\n\n10,10,-5\n\n\n")
    assert [str(move) for move in record.moves] == ["h8", "i7", "j6"]
    assert [node.time_ms for node in record.root.line()] == [None, None, 0]


def test_unknown_lines_behind_the_code_are_skipped() -> None:
    assert one(GAME + "freestyle\n1\n,,,\n\x1a\n") == one(GAME)
    assert one(GAME.replace("\n", "\r\n") + "\r\n\r\n") == one(GAME)


def test_player_two_may_have_moved_first() -> None:
    record = one(GAME.replace("11:11, 0", "11:11, 1"))
    assert record.headers == {"white": "pbrain-one", "black": "C:\\engines\\pbrain-two.exe"}


def test_names_may_be_missing() -> None:
    assert one("Piskvorky 15x15, 0:0, 0\n8,8,0\n0\n").headers == {}
    record = Record.from_position(Position("gomoku", "h8"), white="only")
    assert one(rec.dumps(record, "psq")).headers == {"white": "only"}


def test_codes() -> None:
    timeout = one("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n15\n")
    assert timeout.result == Result(Verdict.BLACK, Reason.TIME)
    assert rec.dumps(timeout, "psq").endswith(b"\r\n15\r\n")
    odd = one("Piskvorky 15x15, 11:11, 0\n8,8,0\na\nb\n-1\n")
    assert odd.headers["code"] == "-1"
    assert one(rec.dumps(odd, "psq")) == odd


def test_the_rule_comes_from_the_caller_and_the_size_from_the_file() -> None:
    assert one(GAME, "gomoku:rule=standard").game.name == "gomoku:rule=standard,size=20"
    with pytest.raises(RecordError, match="of gomoku, not of othello"):
        one(GAME, "othello")


def test_a_finished_game_has_its_winner() -> None:
    moves = "\n".join(f"{x},{y},1" for x in range(1, 5) for y in (1, 2)) + "\n5,1,1\n"
    assert one(f"Piskvorky 20x20, 11:11, 0\n{moves}").result == Result(Verdict.BLACK)


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("", "line 1", "first line"),
        ("hello\n1,1,0", "line 1", "first line"),
        ("Piskvorky 20x19, 11:11, 0\n", "line 1", "not square"),
        ("Piskvorky 0x0, 11:11, 0\n", "line 1", "3..22"),
        ("Piskvorky 9999x9999, 11:11, 0\n", "line 1", "3..22"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "line 3", r"move 2 \(h8\)"),
        ("Piskvorky 15x15, 11:11, 0\n0,8,0\n", "line 2", "move 1: 0,8,0 is outside"),
        ("Piskvorky 15x15, 11:11, 0\n\n16,8,0\n", "line 3", "move 1: 16,8,0 is outside"),
        ("Piskvorky 5x5, 11:11, 0\n1,1\n1,2\n2,1\n2,2\n3,1\n3,2\n4,1\n4,2\n5,1\n5,2", "line 11", r"move 10 .*over"),
    ],
)
def test_errors_have_a_line(text: str, place: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        rec.loads(text, "psq")
    assert caught.value.place == place


def test_a_file_holds_one_game() -> None:
    with pytest.raises(RecordError, match="one game, not 2"):
        rec.dumps([one(GAME), one(GAME)], "psq")
