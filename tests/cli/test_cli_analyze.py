"""``tengen analyze``."""

import json

from tengen import Position, records


def test_json_has_the_documented_keys(invoke):
    result = invoke("analyze", "h8i9j8", "--depth", "3", "--lines", "2", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (data["game"], data["to_move"], data["depth"]) == ("gomoku", "white", 3)
    assert len(data["lines"]) == 2
    assert set(data["lines"][0]) == {"moves", "value", "score", "proof", "distance"}


def test_a_proven_win_is_marked(invoke):
    result = invoke("analyze", "h8a1i8a3j8c1", "--time", "0.2", "--lines", "1")
    assert result.exit_code == 0
    assert "won in 3" in result.stdout


def test_files_and_plies(invoke, tmp_path):
    path = tmp_path / "game.sgf"
    records.dump(records.Record.from_position(Position("othello", "f5d6c3")), path)
    result = invoke("analyze", str(path), "--ply", "2", "--depth", "4", "--json")
    assert json.loads(result.stdout)["moves"] == ["f5", "d6"]


def test_bad_input_is_one_line(invoke):
    for arguments, says in (
        (("analyze", "h8h8"), "move 2: h8 is illegal"),
        (("analyze", "no-such-file.sgf"), "is no move"),
        (("analyze", "h8a1i8b1j8c1k8d1l8"), "the game is over"),
        (("analyze", "h8", "--ply", "1"), "--ply goes with a file"),
    ):
        result = invoke(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert says in result.stderr
