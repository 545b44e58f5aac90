"""The model of records and the functions around the formats."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tengen.errors import GameNameError, IllegalMoveError, RecordError
from tengen.games import Game, Position, Reason, Side
from tengen.games import records as rec
from tengen.games.records import FORMATS, Node, Record, Result, Verdict


def play_out(game: str, seed: int, plies: int = 1000) -> Position:
    rng = random.Random(seed)
    position = Position(game)
    while not position.is_over and position.ply < plies:
        position.play(rng.choice(position.legal_moves()))
    return position


def tree(game: str, *lines: str) -> Record:
    """A record whose variations are the given lines, shared beginnings merged."""
    record = Record(Game.parse(game))
    for line in lines:
        node = record.root
        for move in record.game.parse_moves(line):
            node = next((child for child in node.children if child.move == move), None) or node.add(move)
    return record


def test_from_position_keeps_game_moves_headers_and_result() -> None:
    position = Position("renju", "h8h9i8i9")
    record = Record.from_position(position, black="A", event="final")
    assert record.game is position.game
    assert [str(move) for move in record.moves] == ["h8", "h9", "i8", "i9"]
    assert record.headers == {"black": "A", "event": "final"}
    assert record.result == rec.UNKNOWN
    assert record.setup is None
    assert record.position() == position
    assert record.position(1) == Position("renju", "h8")
    assert record.position(0).ply == 0


@pytest.mark.parametrize("ply", [-1, 4, 100])
def test_position_refuses_a_ply_outside_the_main_line(ply: int) -> None:
    with pytest.raises(RecordError, match="the main line has 3 moves"):
        tree("gomoku", "a1b2c3").position(ply)


def test_position_raises_for_an_illegal_move_built_by_hand() -> None:
    record = tree("gomoku", "a1b2")
    next(record.root.line()).children[0].add(record.game.move("a1"))
    with pytest.raises(IllegalMoveError):
        record.position()


@pytest.mark.parametrize("move", ["k11", 7, 7.0])
def test_a_node_holds_moves_alone(move: object) -> None:
    root = tree("gomoku", "a1").root
    with pytest.raises(RecordError, match=r"a node holds a Move, as record\.game\.move\("):
        root.add(move)  # type: ignore[arg-type]
    assert len(root.children) == 1


def test_a_record_prints_in_one_line() -> None:
    record = Record.from_position(Position("renju", "h8h9i8"), black="A")
    assert repr(record) == str(record) == "<Record of renju, 3 moves, unknown>"
    assert str(Record.from_position(Position("gomoku", "a1a2b1b2c1c2d1d2e1"))).endswith(" 9 moves, black>")


def test_result_of_a_won_gomoku_game() -> None:
    record = Record.from_position(Position("gomoku", "a1a2b1b2c1c2d1d2e1"))
    assert record.result == Result(Verdict.BLACK)
    assert record.result.winner is Side.BLACK
    assert not record.result.is_draw


def test_result_of_an_othello_game_gives_empties_to_the_winner() -> None:
    position = Position("othello", "e6f4e3f6g5d6e7f5c5")  # black takes every disc in nine moves
    assert position.is_over
    assert position.score()[1] == 0
    assert Record.from_position(position).result == Result(Verdict.BLACK, score=(64, 0))


def test_result_tells_draw_from_unknown() -> None:
    assert Result(Verdict.DRAW).is_draw
    assert Result(Verdict.DRAW).is_known
    assert Result(Verdict.DRAW).winner is None
    assert not rec.UNKNOWN.is_known
    assert not rec.UNKNOWN.is_draw


def test_a_set_up_that_is_the_usual_start_is_no_set_up() -> None:
    start = Position.from_stones("othello", black=["e4", "d5"], white=["d4", "e5"])
    assert start.setup is not None
    assert Record.from_position(start).setup is None
    assert Record.from_position(Position.from_stones("gomoku")).setup is None
    white_first = Record.from_position(Position.from_stones("gomoku", to_move="white"))
    assert white_first.setup is not None
    assert white_first.position().to_move is Side.WHITE


def test_equality_sees_every_part() -> None:
    def record() -> Record:
        return tree("gomoku", "h8h9i8", "h8i9")

    assert record() == record()
    changed = []
    for change in ("comment", "label", "time_ms", "eval"):
        other = record()
        setattr(other.root.children[0].children[1], change, 1 if change in ("time_ms", "eval") else "x")
        changed.append(other)
    other = record()
    other.root.children[0].children[1].marks = (rec.Mark("circle", other.game.move("a1")),)
    changed.append(other)
    changed.append(tree("gomoku", "h8h9i8", "h8i9", "h8i9a1"))
    changed.append(tree("renju", "h8h9i8", "h8i9"))
    other = record()
    other.headers["black"] = "x"
    changed.append(other)
    other = record()
    other.result = Result.won(Side.WHITE, Reason.TIME)
    changed.append(other)
    for different in changed:
        assert different != record()


def test_walk_is_pre_order_and_needs_no_recursion() -> None:
    record = tree("gomoku", "h8h9i8", "h8i9j9", "a1")
    assert [(depth, str(node.move)) for depth, node in record.root.walk()] == [
        (0, "None"),
        (1, "h8"),
        (2, "h9"),
        (3, "i8"),
        (2, "i9"),
        (3, "j9"),
        (1, "a1"),
    ]
    deep = Node()
    node = deep
    for _ in range(50_000):
        node = node.add(record.game.move("a1"))
    assert sum(1 for _ in deep.walk()) == 50_001


def test_formats_table_names_kinds_and_extensions() -> None:
    assert list(FORMATS) == ["moves", "sgf", "psq", "ggf", "wthor", "renlib"]
    assert FORMATS["renlib"].write is None
    assert FORMATS["wthor"].extensions == (".wtb",)
    assert all(entry.title and entry.kinds for entry in FORMATS.values())


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"h8h9i8", "moves"),
        (b"  F5 D6, C3\r\n", "moves"),
        ("h8h9i8", "moves"),
        (b"(;GM[4]SZ[15];B[hh])", "sgf"),
        (b"\xef\xbb\xbf(;FF[4])", "sgf"),
        (b"mail header\n\n( ;FF[4])", "sgf"),
        (b"(;GM[Othello]BO[8 x];)", "ggf"),
        (b"2 (;GM[Othello];)(;GM[Othello];)", "ggf"),
        (b"Piskvorky 20x20, 11:11, 0\r\n1,1,0\r\n", "psq"),
        (b"\n\nPiskvorky 15x15,1:1,0\n", "psq"),
        (b"\xffRenLib\xff\x03\x04" + b"\xff" * 10, "renlib"),
        (bytes(16), "wthor"),
        (bytes(4) + b"\x01\0\0\0" + bytes(8) + bytes(68), "wthor"),
    ],
)
def test_detect(data: bytes | str, name: str) -> None:
    assert rec.detect(data) == name


@pytest.mark.parametrize("data", [b"", b"hello world", b"\0\0\0", b"<html>", "", "\ud800", b"h8h9 and so on"])
def test_detect_refuses_what_is_no_record(data: bytes | str) -> None:
    with pytest.raises(RecordError, match="looks like no format") as refused:
        rec.detect(data)
    assert refused.value.code == "no_format"


def test_unknown_format_and_unknown_game_are_errors() -> None:
    with pytest.raises(RecordError, match="there are moves, sgf"):
        rec.loads(b"h8", "pgn")
    with pytest.raises(RecordError, match="only read"):
        rec.dumps(tree("gomoku", "h8"), "renlib")
    with pytest.raises(GameNameError):
        rec.loads(b"h8", game="chess")


@pytest.mark.parametrize("data", [5, None, bytearray(b"h8"), Path("game.sgf")])
def test_loads_says_what_it_reads(data: object) -> None:
    with pytest.raises(RecordError, match=f"loads reads bytes or text, not {type(data).__name__}; load reads a file"):
        rec.loads(data)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name, entry in FORMATS.items() if entry.write])
def test_no_records_make_no_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="there is no record to write"):
        rec.dump([], tmp_path / f"empty{FORMATS[name].extensions[0]}")
    assert not os.listdir(tmp_path)


def test_a_file_that_cannot_be_written_is_called_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "taken.sgf").mkdir()
    for path, error in (
        (tmp_path / "missing" / "game.sgf", FileNotFoundError),
        (tmp_path / "file" / "game.sgf", NotADirectoryError),
        (tmp_path / "taken.sgf", IsADirectoryError),
    ):
        with pytest.raises(error) as caught:
            rec.dump(tree("gomoku", "h8"), path)
        assert caught.value.filename == str(path)


def test_error_carries_format_and_place() -> None:
    with pytest.raises(RecordError) as caught:
        rec.loads(b"h8h9\ni8 h8", "moves", game="gomoku")
    assert caught.value.format == "moves"
    assert caught.value.place == "line 2"
    assert "line 2" in str(caught.value)
    assert "move 4" in str(caught.value)


def test_limits_are_arguments() -> None:
    with pytest.raises(RecordError, match="longer than 3 bytes"):
        rec.loads(b"h8h9", max_bytes=3)
    with pytest.raises(RecordError, match="more than 2 nodes"):
        rec.loads(b"h8h9i9", max_nodes=2)
    assert len(rec.loads(b"h8h9i9", max_nodes=5)[0].moves) == 3


@pytest.mark.parametrize("name", [name for name, entry in FORMATS.items() if entry.write and name != "psq"])
def test_no_more_games_are_read_than_are_wanted(name: str, tmp_path: Path) -> None:
    record = Record.from_position(play_out("othello", 1))
    path = tmp_path / "games"
    path.write_bytes(rec.dumps([record] * 5, name))
    assert len(rec.load(path, name, game="othello")) == 5
    cost = 70  # nodes of a game
    for wanted in (1, 3, 5, 9):
        found = rec.load(path, name, game="othello", max_games=wanted, max_nodes=cost * min(wanted, 5))
        assert [each.moves for each in found] == [record.moves] * min(wanted, 5)


def test_dump_and_load_choose_the_format_by_extension(tmp_path: Path) -> None:
    record = Record.from_position(play_out("gomoku:size=20", 3), black="A", white="B")
    for name in ("game.sgf", "game.psq", "game.SGF"):
        rec.dump(record, tmp_path / name)
        again = rec.load(tmp_path / name)
        assert len(again) == 1
        assert again[0].moves == record.moves
        assert again[0].headers == record.headers
    assert sorted(os.listdir(tmp_path)) == ["game.SGF", "game.psq", "game.sgf"]
    with pytest.raises(RecordError, match=r"names no format; .* \.txt, \.moves, \.sgf, \.psq, \.ggf, \.wtb$"):
        rec.dump(record, tmp_path / "game.xyz")
    with pytest.raises(FileNotFoundError):
        rec.load(tmp_path / "absent.sgf")


def test_load_prefers_content_and_falls_back_on_the_extension(tmp_path: Path) -> None:
    (tmp_path / "wrong.psq").write_bytes(b"(;GM[4]SZ[15];B[hh])")
    assert [str(move) for move in rec.load(tmp_path / "wrong.psq")[0].moves] == ["h8"]
    (tmp_path / "bad.wtb").write_bytes(bytes(4) + b"\xff\xff\xff\x7f" + bytes(8))
    with pytest.raises(RecordError, match="claims 2147483647 games"):
        rec.load(tmp_path / "bad.wtb")
    (tmp_path / "big.sgf").write_bytes(b"(;GM[4])" + b" " * 100)
    with pytest.raises(RecordError, match="longer than 50 bytes"):
        rec.load(tmp_path / "big.sgf", max_bytes=50)


def test_a_failed_dump_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.psq"
    rec.dump(tree("gomoku", "h8"), path)
    before = path.read_bytes()
    with pytest.raises(RecordError):
        rec.dump(Record(Game.parse("othello")), path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["game.psq"]


@pytest.mark.parametrize(
    ("name", "record", "why"),
    [
        ("psq", Record(Game.parse("othello")), "Gomoku only"),
        ("ggf", Record(Game.parse("renju")), "Othello only"),
        ("wthor", Record(Game.parse("gomoku")), "Othello 8x8 and 10x10"),
        ("wthor", Record(Game.parse("othello:size=6")), "Othello 8x8 and 10x10"),
        ("wthor", Record(Game.parse("othello")), "final score"),
        ("moves", Record.from_position(Position.from_stones("gomoku", black=["a1"])), "set-up"),
        ("psq", Record.from_position(Position.from_stones("gomoku", black=["a1"])), "set-up"),
        ("psq", Record(Game.parse("gomoku"), headers={"black": "12"}), "read as a move or a result code"),
    ],
)
def test_what_a_format_cannot_hold_is_an_error_that_says_why(name: str, record: Record, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        rec.dumps(record, name)
    assert caught.value.format == name


FOUL = ["f8", "a1", "g8", "a15", "h9", "o1", "h10", "o15", "h8"]  # black's last move makes two threes
FOUL_SGF = "(;GM[4]SZ[15]RU[renju]" + "".join(f";{'BW'[index % 2]}[{move}]" for index, move in enumerate(FOUL))


@pytest.mark.parametrize("data", ["".join(FOUL), FOUL_SGF + ")"])
def test_a_foul_that_ends_a_renju_game_stays_in_the_tree(data: str) -> None:
    (record,) = rec.loads(data, game="renju")
    assert str(record.moves[-1]) == "h8"
    assert record.result == Result(Verdict.WHITE, Reason.FOUL)
    assert record.position().ply == 8
    assert rec.loads(data, game="gomoku")[0].result == rec.UNKNOWN
    again = rec.loads(rec.dumps(record, "sgf"))
    assert again == [record]


def test_a_foul_may_end_a_variation_but_nothing_may_follow_one() -> None:
    start = FOUL_SGF.removesuffix(";B[h8]")
    (record,) = rec.loads(start + "(;B[a8];W[b8])(;B[h8])(;B[c8]))")
    assert record.result == rec.UNKNOWN
    assert [str(node.move) for node in list(record.root.line())[7].children] == ["a8", "h8", "c8"]
    with pytest.raises(RecordError, match=r"move 10 \(b8\): it follows a foul"):
        rec.loads(FOUL_SGF + ";W[b8])")
    with pytest.raises(RecordError, match="follows a foul"):
        rec.loads("".join(FOUL) + "b8", game="renju")
