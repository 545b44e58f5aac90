"""GGF games of the GGS server."""

from __future__ import annotations

import pytest

from tengen.errors import RecordError
from tengen.games import Position, Reason, Side
from tengen.games import records as rec
from tengen.games.records import Record, Result, Verdict

START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
GAME = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[one]PW[two]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]"
    f"RE[-40.000:r]BO[{START}]B[F5/-1.50/0.01]W[d6//2.5]B[C3/3]W[D3];)"
)


def one(text: str | bytes, game: str | None = None) -> Record:
    (record,) = rec.loads(text, "ggf", game=game)
    return record


def line(record: Record) -> str:
    return " ".join(str(move) for move in record.moves)


def test_everything_of_a_game() -> None:
    record = one(GAME)
    assert record.game.name == "othello"
    assert record.setup is None
    assert line(record) == "f5 d6 c3 d3"
    assert record.headers == {
        "place": "GGS/os",
        "date": "2003.12.15_13:24:03.MST",
        "black": "one",
        "white": "two",
        "black_rank": "2197.01",
        "white_rank": "2199.72",
        "time": "05:00//02:00",
    }
    assert record.result == Result(Verdict.WHITE, Reason.RESIGNATION, (12, 52))
    assert [(node.eval, node.time_ms) for node in record.root.line()] == [
        (-1.5, 10),
        (None, 2500),
        (3.0, None),
        (None, None),
    ]
    assert rec.loads(GAME) == [record]


def test_written_text() -> None:
    assert rec.dumps(one(GAME), "ggf").decode() == (
        "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[one]PW[two]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]"
        f"RE[-40.000:r]BO[{START}]B[F5/-1.5/0.010]W[D6//2.500]B[C3/3]W[D3];)\n"
    )


def test_several_games_with_a_count_before_them() -> None:
    games = rec.loads(f"2 {GAME}{GAME}\r\n{GAME}\n\n")
    assert games == [one(GAME)] * 3
    assert rec.loads(rec.dumps(games, "ggf")) == games


BEFORE_PASS = "B[d3]W[c3]B[e6]W[d2]B[d1]W[e1]B[b2]W[c1]"


@pytest.mark.parametrize("passed", ["B[PA]", "B[pass//1.67]", "B[PASS]", "B[--]", "B[]", ""])
def test_passes(passed: str) -> None:
    record = one(f"(;GM[Othello]{BEFORE_PASS}{passed}W[a3];)")
    assert line(record).endswith("c1 pass a3")
    assert b"B[PA" in rec.dumps(record, "ggf")
    assert one(rec.dumps(record, "ggf")) == record


def test_passes_behind_the_end_are_dropped() -> None:
    over = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]"
    record = one(f"(;GM[Othello]RE[?]{over}W[PA]B[PA];)")
    assert len(record.moves) == 9
    assert record.result == Result(Verdict.BLACK, score=(64, 0))
    assert record.headers == {}


def test_board_set_up_with_and_without_spaces() -> None:
    cells = "--O--O--*-*OO---****OO-**O*O*OOO**O***O****O*O*---**O*----****--"
    record = one(f"(;GM[Othello]TY[s8r18]BO[8 {cells} O];)")
    spaced = " ".join(cells[i : i + 8] for i in range(0, 64, 8))
    assert one(f"(;GM[Othello]TY[s8r18]BO[8 {spaced}\nO];)") == record
    start = record.start()
    assert start.to_move is Side.WHITE
    assert start.score() == (cells.count("*"), cells.count("O"))
    assert start.stone("c1") is Side.WHITE
    assert start.stone("a2") is Side.BLACK
    assert record.headers == {"type": "s8r18"}
    assert one(rec.dumps(record, "ggf")) == record


@pytest.mark.parametrize(("kind", "size"), [("10", 10), ("6", 6), ("s10r44", 10), ("0", 8), ("", 8)])
def test_size_from_the_type_where_no_board_is_given(kind: str, size: int) -> None:
    assert one(f"(;GM[Othello]TY[{kind}];)").game.size == size


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("+10.000", Result(Verdict.BLACK, None, (37, 27))),
        ("-64.00:t", Result(Verdict.WHITE, Reason.TIME, (0, 64))),
        ("+0.000", Result(Verdict.DRAW, None, (32, 32))),
        ("0:s", Result(Verdict.DRAW, Reason.AGREEMENT, (32, 32))),
        ("2", Result(Verdict.BLACK, None, (33, 31))),
        ("+0.5", Result(Verdict.BLACK)),
        ("?", rec.UNKNOWN),
        ("nonsense", rec.UNKNOWN),
    ],
)
def test_results(said: str, result: Result) -> None:
    record = one(f"(;GM[Othello]RE[{said}];)")
    assert record.result == result
    if result.is_known:
        assert one(rec.dumps(record, "ggf")) == record


def test_a_win_without_a_score_stays_a_win() -> None:
    record = Record.from_position(Position("othello", "f5"))
    record.result = Result.won(Side.WHITE, Reason.RESIGNATION)
    assert one(rec.dumps(record, "ggf")).result == record.result


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nothing", "no game"),
        ("(;GM[Chess];)", "only Othello"),
        ("(;GM[Othello]TY[8a];)", "anti-Othello"),
        ("(;GM[Othello]TY[7];)", "4, 6, 8, 10"),
        ("(;GM[Othello]BO[8 --- *];)", "BO holds 3 squares"),
        ("(;GM[Othello]BO[x];)", "BO holds 0 squares"),
        ("(;GM[Othello]BO[99 *];)", "BO holds 0 squares"),
        (f"(;GM[Othello]BO[{START.replace('O', 'Q')}];)", "'Q' on square 28 is no disc"),
        (f"(;GM[Othello]BO[{START[:-1]}-];)", "names no side"),
        ("(;GM[Othello]B[f5]W[f5];)", r"move 2 \(f5\)"),
        ("(;GM[Othello]B[a1];)", r"move 1 \(a1\).*turns no disc"),
        ("(;GM[Othello]B[i9];)", "move 1: 'i9' is no square"),
        ("(;GM[Othello]B[f5]B[d6];)", r"move 2 \(d6\): it is black's"),
        ("(;GM[Othello]B[f5]W[PA];)", r"move 2 \(pass\)"),
        ("(;GM[Othello]B[f5]", "ends inside"),
        ("(;GM[Othello](;B[f5]);)", "unexpected"),
        ("(;GM[Othello]B", "no value"),
    ],
)
def test_errors(text: str, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        rec.loads(text, "ggf")


def test_errors_name_game_and_line() -> None:
    with pytest.raises(RecordError) as caught:
        rec.loads(f"{GAME}\n{GAME}\n(;GM[Othello]\nB[f5]\nW[f5];)")
    assert caught.value.place == "game 3, line 5"
