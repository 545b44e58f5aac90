"""``tengen analyze``."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tengen import Position, records

BY_GAME = {"gomoku": (["sgf", "psq", "txt"], "h8i9j8h10"), "othello": (["sgf", "ggf", "txt", "wtb"], "f5d6c3d3")}


def test_json_has_the_documented_keys(invoke):
    result = invoke("analyze", "h8i9j8", "--depth", "3", "--lines", "2", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (data["game"], data["to_move"], data["depth"]) == ("gomoku", "white", 3)
    assert len(data["lines"]) == 2
    assert set(data["lines"][0]) == {"moves", "depth", "value", "score", "proof", "distance"}
    assert {line["depth"] for line in data["lines"]} == {3}
    assert "setup" not in data


def test_a_proven_win_is_marked(invoke):
    result = invoke("analyze", "h8a1i8a3j8c1", "--time", "0.2", "--lines", "1")
    assert result.exit_code == 0
    assert "won in 3" in result.stdout


@pytest.mark.parametrize("name", ["alphazero:playouts=60", "mcts:playouts=500", "alphabeta:depth=2"])
def test_other_players_can_search(invoke, name):
    result = invoke("analyze", "h8i9j8", "--player", name, "--lines", "3", "--threads", "2", "--json")
    lines = json.loads(result.stdout)["lines"]
    assert result.exit_code == 0
    assert len({line["moves"][0] for line in lines}) == 3
    if "playouts" in name:
        assert lines[0]["score"] >= lines[1]["score"] >= lines[2]["score"] > 0  # visits


def test_a_move_without_visits_has_no_value(invoke):
    moves = "h8i9g9h10i8g10k9f10e10h11d12c13b14"  # a win that is proven before all is tried
    arguments = ("analyze", moves, "--player", "alphazero:playouts=100", "--lines", "12")
    lines = json.loads(invoke(*arguments, "--json").stdout)["lines"]
    assert (lines[0]["proof"], lines[-1]["value"]) == ("won", None)
    result = invoke(*arguments)
    assert result.exit_code == 0
    assert "won in" in result.stdout
    assert "value  visits  proven" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--player", "greedy"], "'greedy' has no lines to show; alphabeta, alphazero, mcts, dqn and evolved have"),
        (["--player", "alphazero", "--game", "gomoku:size=6"], "alphazero does not play gomoku:size=6: no net"),
        (["--player", "stockfish"], "unknown player"),
    ],
)
def test_players_that_cannot_are_told(invoke, arguments, message):
    result = invoke("analyze", "c3", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_files_and_plies(invoke, tmp_path):
    path = tmp_path / "game.sgf"
    records.dump(records.Record.from_position(Position("othello", "f5d6c3")), path)
    result = invoke("analyze", str(path), "--ply", "2", "--depth", "4", "--json")
    assert json.loads(result.stdout)["moves"] == ["f5", "d6"]


@pytest.mark.parametrize(
    ("game", "extension"), [(game, each) for game, (extensions, _) in BY_GAME.items() for each in extensions]
)
def test_every_format_is_read(invoke, tmp_path, game, extension):
    moves = BY_GAME[game][1]
    path = tmp_path / f"game.{extension}"
    position = Position(game, moves)
    while extension == "wtb" and not position.is_over:  # which holds finished games only
        position.play(position.legal_moves()[0])
    records.dump(records.Record.from_position(position), path)
    result = invoke("analyze", str(path), "--ply", "4", "--depth", "2", "--json")
    assert result.exit_code == 0
    assert (data := json.loads(result.stdout))["game"] == game
    assert "".join(data["moves"]) == moves


def test_renlib_is_read_too(invoke, tmp_path):
    path = tmp_path / "book.lib"
    path.write_bytes(b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + bytes([0x78, 0x00, 0x79, 0x40]))
    result = invoke("analyze", str(path), "--depth", "2", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["moves"][0] == "h8"


def test_one_game_of_several(invoke, tmp_path):
    path = tmp_path / "games.sgf"
    games = ["h8i9", "h8h9j8", "h8"]
    records.dump([records.Record.from_position(Position("gomoku", moves)) for moves in games], path)
    for number, moves in enumerate(games, start=1):
        data = json.loads(invoke("analyze", str(path), "--number", str(number), "--depth", "2", "--json").stdout)
        assert "".join(data["moves"]) == moves
    assert "holds 3 games, not 4" in invoke("analyze", str(path), "--number", "4").stderr


def test_a_position_that_was_set_up_says_so(invoke, tmp_path):
    path = tmp_path / "setup.sgf"
    position = Position.from_stones("gomoku", black=["c3", "d3", "e3", "f3"], white=["d8", "e8", "f8", "g8"])
    records.dump(records.Record.from_position(position), path)
    data = json.loads(invoke("analyze", str(path), "--depth", "2", "--json").stdout)
    assert data["setup"]["black"] == ["c3", "d3", "e3", "f3"]
    assert data["lines"][0]["proof"] == "won"


def test_lines_are_shown_live_on_a_terminal_and_cut_at_its_width(environment):
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tengen", "analyze", "h8i9j8", "--depth", "6", "--lines", "2", "--json"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=theirs, env={**environment, "COLUMNS": "40"}, timeout=60, check=True
    )
    os.close(theirs)
    shown = b""
    while piece := _read(ours):
        shown += piece
    os.close(ours)
    assert len(json.loads(done.stdout)["lines"]) == 2
    frames = shown.decode().split("\x1b[J")
    assert len(frames) >= 5
    for frame in frames[:-1]:
        rows = frame.replace("\r\n", "\n").partition("\r")[0].split("\n")
        assert len(rows) == 4  # a header, two lines, the counts
        assert all(len(row) < 40 for row in rows)
    assert frames[-1] == ""  # and gone at the end


def _read(descriptor):
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""


def test_bad_input_is_one_line(invoke, tmp_path):
    over = tmp_path / "over.sgf"
    records.dump(records.Record.from_position(Position("gomoku", "h8a1i8b1j8c1k8d1l8")), over)
    text, picture, broken = (tmp_path / name for name in ("notes.md", "board.png", "broken.sgf"))
    text.write_text("# Notes\n")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    broken.write_text("(;GM[4]SZ[15];B[zz])")
    for arguments, says in (
        (("analyze", "h8h8"), "move 2: h8 is illegal"),
        (("analyze", "no-such-file.sgf"), "neither a file nor a move string"),
        (("analyze", str(tmp_path)), "neither a file nor a move string"),
        (("analyze", "h8a1i8b1j8c1k8d1l8"), "the game is over"),
        (("analyze", str(over)), "--ply goes back, to 8 at most"),
        (("analyze", str(text)), f"{text} is no record of a game; what is read: moves, sgf"),
        (("analyze", str(picture)), f"{picture} is a picture; `tengen see {picture}` reads"),
        (("analyze", str(broken)), f"{broken}: sgf"),
        (("analyze", "h8", "--ply", "1"), "--ply and --number go with a file"),
        (("analyze", "h8", "--time", "nan"), "a limit of nan seconds"),
    ):
        result = invoke(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert says in result.stderr
