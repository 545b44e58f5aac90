"""Games in the terminal, with typed lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen import Position
from tengen.games import records

TIC_TAC_TOE = "gomoku:size=3,win=3"
TWO = ("play", "--terminal", "--black", "human", "--white", "human")


def test_two_people_play_to_a_win(invoke):
    result = invoke(*TWO, "--game", TIC_TAC_TOE, typed="a1\na2\nb1\nb2\nc1\n")
    assert result.exit_code == 0
    assert result.stdout.endswith("black wins: a1-b1-c1\n")
    assert result.stderr == ""


def test_json_holds_the_finished_game_and_nothing_else_is_on_stdout(invoke):
    result = invoke(*TWO, "--game", TIC_TAC_TOE, "--json", typed="a1\na2\nb1\nb2\nc1\n")
    assert json.loads(result.stdout) == {
        "game": TIC_TAC_TOE,
        "players": {"black": "human", "white": "human"},
        "opening": None,
        "moves": ["a1", "a2", "b1", "b2", "c1"],
        "score": [3, 2],
        "outcome": {"winner": "black", "reason": "line", "line": ["a1", "b1", "c1"]},
    }
    assert "black wins" in result.stderr


def test_a_draw_has_no_winner(invoke):
    result = invoke(*TWO, "--game", TIC_TAC_TOE, "--json", typed="a1\nb1\nc1\nb2\na2\na3\nb3\nc2\nc3\n")
    assert json.loads(result.stdout)["outcome"] == {"winner": None, "reason": "board_full", "line": []}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("h8", "h8 is illegal: there is a black stone"),
        ("z99", "'z99' is no point of gomoku; points are a1..o15"),
        ("frobnicate", "'frobnicate' is neither a move nor a command; help lists the commands"),
        ("", "Type a move such as"),
        ("pass", "'pass' is no point of gomoku"),
        ("save", "say where"),
        ("save game.png", "one of .txt, .moves, .sgf, .psq"),
        ("save ~nobody-of-that-name/game.sgf", "there is no directory"),
        ("save a\0b.sgf", "null"),
        ("undo undo", None),
        ("x" * 100_000, "neither a move nor a command"),
        ("h8 i9", "'h8 i9' is no point"),
        ("☃", "'☃' is no point"),
    ],
)
def test_nonsense_gets_an_answer_and_the_game_goes_on(invoke, line, says):
    result = invoke(*TWO, typed=f"h8\n{line}\nquit\n")
    assert result.exit_code == 0
    if says:
        assert says in result.stdout
    assert result.stdout.endswith("The game is left unfinished.\n")
    assert max(map(len, result.stdout.replace(line, "").splitlines())) < 200


def test_undo_takes_back_the_programs_move_and_the_persons(invoke):
    result = invoke("play", "--terminal", "--seed", "1", typed="h8\nmoves\nundo\nmoves\nundo\nquit\n")
    asked = result.stdout.split("black> ")
    assert asked[2].splitlines()[1].startswith("h8")
    assert asked[4].splitlines()[1] == "no moves yet"
    assert "there is no move of yours to take back" in asked[5]


def test_undo_between_people_takes_back_one_move(invoke):
    result = invoke(*TWO, "--json", typed="h8\ni9\nundo\nj9\nquit\n")
    assert json.loads(result.stdout)["moves"] == ["h8", "j9"]


def test_a_person_without_a_move_passes_unasked(invoke, moves_to_a_pass):
    typed = "".join(f"{move}\n" for move in moves_to_a_pass[:-1])
    result = invoke(*TWO, "--game", "othello:size=4", "--json", typed=typed + "undo\nquit\n")
    assert "has no move and passes" in result.stderr
    played = json.loads(result.stdout)["moves"]
    assert played == moves_to_a_pass[:-2], "one undo takes back the pass and the move before it"


def test_hint_is_what_greedy_plays(invoke):
    four = "a1\nh8\nb1\nh9\nc1\nh10\nd1\nh12\n"
    result = invoke(*TWO, typed=f"{four}hint\nhint\nquit\n")
    assert result.stdout.count("greedy would play e1\n") == 2


def test_the_same_position_gets_the_same_hint(invoke):
    hints = [
        line for line in invoke(*TWO, typed="hint\nhint\nhint\nquit\n").stdout.splitlines() if "greedy would" in line
    ]
    assert len(hints) == 3
    assert len(set(hints)) == 1


def test_resign_ends_the_game_for_the_other_side(invoke, tmp_path: Path):
    target = tmp_path / "game.sgf"
    result = invoke(*TWO, "--json", "--save", str(target), typed="h8\nresign\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["outcome"] == {"winner": "black", "reason": "resignation", "line": []}
    (record,) = records.load(target)
    assert record.result.winner == "black"
    assert record.result.reason == "resignation"


@pytest.mark.parametrize("name", ["game.sgf", "game.psq", "game.txt"])
def test_save_writes_a_record_that_reads_back(invoke, tmp_path: Path, name):
    target = tmp_path / name
    result = invoke(*TWO, typed=f"h8\ni9\nsave {target}\nquit\n")
    assert f"saved {target}" in result.stdout
    (record,) = records.load(target)
    assert [str(move) for move in record.moves] == ["h8", "i9"]


def test_save_that_fails_says_why_and_loses_nothing(invoke, tmp_path: Path):
    (tmp_path / "taken.sgf").mkdir()
    result = invoke(*TWO, "--json", typed=f"h8\nsave {tmp_path / 'taken.sgf'}\nquit\n")
    assert "cannot write" in result.stderr
    assert json.loads(result.stdout)["moves"] == ["h8"]


def test_help_lists_every_command(invoke):
    text = invoke(*TWO, typed="help\nquit\n").stdout
    for command in ("undo", "hint", "resign", "save FILE", "moves", "help", "quit"):
        assert f"\n  {command} " in text


def test_input_that_ends_is_status_1_and_still_gives_the_game(invoke):
    result = invoke(*TWO, "--json", typed="h8\n")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["moves"] == ["h8"]
    assert json.loads(result.stdout)["outcome"] is None
    assert result.stderr.endswith("\nError: the input ended before the game did\n")


def test_without_terminal_it_says_where_it_plays(invoke):
    result = invoke("play", typed="quit\n")
    assert result.exit_code == 0
    assert "playing in the terminal" in result.stderr
    assert invoke("play", "--quiet", typed="quit\n").stderr == ""


def test_programs_play_the_same_game_from_a_seed(invoke):
    command = ("play", "--terminal", "--black", "greedy", "--white", "random", "--json")
    first, again, other = (invoke(*command, "--seed", seed) for seed in ("5", "5", "6"))
    assert first.stderr == ""
    assert json.loads(first.stdout)["outcome"]["winner"] in {"black", "white"}
    assert first.stdout == again.stdout
    assert first.stdout != other.stdout


def test_programs_show_each_move_unless_quiet(invoke):
    command = (
        "play",
        "--terminal",
        "--game",
        "othello:size=4",
        "--black",
        "random",
        "--white",
        "random",
        "--seed",
        "1",
    )
    full, quiet = invoke(*command).stdout, invoke(*command, "--quiet").stdout
    assert "  1. black (random) plays " in full
    assert "plays" not in quiet
    assert quiet.startswith("    a b c d\n")
    assert full.endswith(quiet)


def test_renju_shows_and_refuses_forbidden_points(invoke):
    result = invoke(*TWO, "--game", "renju", typed="h8\na1\nj8\na3\ni9\na5\ni10\na7\ni8\nquit\n")
    assert "!" in result.stdout
    assert "i8 is illegal: it is forbidden to black, double three" in result.stdout


def test_othello_marks_legal_points(invoke):
    text = invoke(*TWO, "--game", "othello", typed="quit\n").stdout
    assert text.count("*") == 4


class TestOpening:
    def test_people_settle_swap2_with_two_more_stones(self, invoke):
        typed = "h8\ni9\nj10\nperhaps\ntwo\nh8\nh9\nh10\nb\nresign\n"
        result = invoke(*TWO, "--opening", "swap2", "--json", typed=typed)
        data = json.loads(result.stdout)
        assert data["opening"] == "swap2"
        assert data["moves"] == ["h8", "i9", "j10", "h9", "h10"]
        assert data["outcome"]["winner"] == "black", "white moved next, and resigned"
        assert "'perhaps' is no choice; answer black, white or place two, or quit" in result.stderr
        assert "h8 is illegal" in result.stderr

    @pytest.mark.parametrize(("choice", "black", "white"), [("black", "human", "random"), ("white", "random", "human")])
    def test_a_person_chooses_the_colour_against_a_program(self, invoke, choice, black, white):
        arguments = ("play", "--terminal", "--black", "random", "--white", "human", "--opening", "swap", "--seed", "3")
        result = invoke(*arguments, "--json", typed=f"{choice}\nquit\n")
        data = json.loads(result.stdout)
        assert data["players"] == {"black": black, "white": white}
        game = Position().game
        for move in map(game.move, data["moves"][:3]):
            assert max(abs(move.row - 7), abs(move.column - 7)) <= 2

    def test_undo_leaves_the_opening_stones(self, invoke):
        result = invoke(*TWO, "--opening", "swap", "--json", typed="h8\ni9\nj10\nwhite\nundo\nh7\nundo\nundo\nquit\n")
        assert json.loads(result.stdout)["moves"] == ["h8", "i9", "j10"]

    def test_programs_settle_it_from_the_seed(self, invoke):
        command = (
            "play",
            "--terminal",
            "--black",
            "greedy",
            "--white",
            "random",
            "--opening",
            "swap2",
            "--json",
            "--seed",
        )
        games = [json.loads(invoke(*command, str(seed)).stdout) for seed in range(8)]
        assert games[2] == json.loads(invoke(*command, "2").stdout)
        assert {game["players"]["black"] for game in games} == {"greedy", "random"}

    def test_leaving_during_the_opening(self, invoke):
        assert invoke(*TWO, "--opening", "swap2", typed="h8\nquit\n").exit_code == 0
        assert invoke(*TWO, "--opening", "swap2", typed="h8\n").exit_code == 1
