"""Games in the terminal, with typed lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen import Position, TengenError
from tengen.games import records

TIC_TAC_TOE = "gomoku:size=3,win=3"
TWO = ("play", "--terminal", "--black", "human", "--white", "human")


def test_two_people_play_to_a_win(invoke):
    result = invoke(*TWO, "--game", TIC_TAC_TOE, typed="a1\na2\nb1\nb2\nc1\n")
    assert result.exit_code == 0
    assert result.stdout.endswith("black wins: a1-b1-c1\nmoves: a1a2b1b2c1\n")
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
        ("", "Type a move (such as"),
        ("pass", "'pass' is no point of gomoku"),
        ("save", "say where"),
        ("save game.png", "one of .txt, .moves, .sgf, .psq"),
        ("save ~nobody-of-that-name/game.sgf", "there is no directory"),
        ("save a\0b.sgf", "null"),
        ("undo undo", "undo takes nothing after it, or a number of turns from 1 on"),
        ("undo 0", "undo takes nothing after it"),
        ("undo 2", "only 1 can be taken back"),
        ("undo " + "9" * 10_000, "undo takes nothing after it"),
        ("resign now", "resign takes nothing after it"),
        ("HINT please", "hint takes nothing after it"),
        ("quit 8", "quit takes nothing after it"),
        ("q 8", "'q 8' is no point"),
        ("x" * 100_000, "neither a move nor a command"),
        ("h8 i9", "'h8 i9' is no point"),
        ("☃", "'☃' is no point"),
    ],
)
def test_nonsense_gets_an_answer_and_the_game_goes_on(invoke, line, says):
    result = invoke(*TWO, typed=f"h8\n{line}\nquit\n")
    assert result.exit_code == 0
    assert says in result.stdout
    assert result.stdout.endswith("The game is left unfinished.\nmoves: h8\n")
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


def test_undo_takes_back_several_turns(invoke):
    result = invoke(*TWO, "--json", typed="h8\ni9\nj9\nundo 2\nj8\nquit\n")
    assert json.loads(result.stdout)["moves"] == ["h8", "j8"]
    result = invoke("play", "--terminal", "--seed", "1", "--json", typed="h8\na1\nundo 2\nquit\n")
    assert json.loads(result.stdout)["moves"] == []


def test_a_person_without_a_move_passes_unasked(invoke, moves_to_a_pass):
    typed = "".join(f"{move}\n" for move in moves_to_a_pass[:-1])
    result = invoke(*TWO, "--game", "othello:size=4", "--json", typed=typed + "undo\nquit\n")
    assert "has no move and passes" in result.stderr
    played = json.loads(result.stdout)["moves"]
    assert played == moves_to_a_pass[:-2], "one undo takes back the pass and the move before it"


def test_hint_is_what_alphabeta_plays(invoke):
    four = "a1\nh8\nb1\nh9\nc1\nh10\nd1\nh12\n"
    result = invoke(*TWO, typed=f"{four}hint\nhint\nquit\n")
    assert result.stdout.count("alphabeta would play e1\n") == 2


def test_the_same_position_gets_the_same_hint(invoke):
    hints = [
        line for line in invoke(*TWO, typed="hint\nhint\nhint\nquit\n").stdout.splitlines() if "alphabeta would" in line
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


def test_save_replaces_only_what_it_wrote_in_this_game(invoke, tmp_path: Path):
    mine, other = tmp_path / "mine.sgf", tmp_path / "other.sgf"
    other.write_text("precious")
    result = invoke(*TWO, typed=f"h8\nsave {other}\nsave {mine}\ni9\nsave {mine}\nquit\n")
    assert f"'{other}' exists already" in result.stdout
    assert other.read_text() == "precious"
    assert len(records.load(mine)[0].moves) == 2


def test_the_option_save_replaces_nothing_unless_told_to(invoke, tmp_path: Path):
    target = tmp_path / "game.sgf"
    target.write_text("precious")
    refused = invoke(*TWO, "--save", str(target), typed="h8\nquit\n")
    assert refused.exit_code == 2
    assert refused.stderr == f"Error: '{target}' exists already; --overwrite replaces it\n"
    assert target.read_text() == "precious"
    result = invoke(*TWO, "--save", str(target), "--overwrite", typed="h8\nquit\n")
    assert result.stdout.endswith(f"moves: h8\nsaved {target}\n")
    assert len(records.load(target)[0].moves) == 1


def test_a_game_that_its_format_cannot_hold_is_not_lost(invoke, tmp_path: Path):
    target = tmp_path / "game.wtb"
    arguments = ("--game", "othello", "--save", str(target), "--json")
    result = invoke(*TWO, *arguments, typed="f5\nd6\nquit\n")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["moves"] == ["f5", "d6"]
    assert result.stderr.splitlines()[-1] == (
        f"Error: cannot write '{target}': wthor (game 1): the format needs a final score, and the game is not over; "
        "the game was f5d6"
    )


def test_save_that_fails_says_why_and_loses_nothing(invoke, tmp_path: Path):
    (tmp_path / "taken.sgf").mkdir()
    result = invoke(*TWO, "--json", typed=f"h8\nsave {tmp_path / 'taken.sgf'}\nquit\n")
    assert "cannot write" in result.stderr
    assert json.loads(result.stdout)["moves"] == ["h8"]


def test_help_lists_every_command(invoke):
    text = invoke(*TWO, typed="help\nquit\n").stdout
    for command in ("a move", "undo [N]", "hint", "values", "resign", "save FILE", "moves", "help", "quit"):
        assert f"\n  {command} " in text


def test_input_that_ends_is_status_1_and_still_gives_the_game(invoke):
    result = invoke(*TWO, "--json", typed="h8\n")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["moves"] == ["h8"]
    assert json.loads(result.stdout)["outcome"] is None
    assert result.stderr.endswith("\nError: the input ended before the game did\n")


def test_a_program_that_fails_does_not_take_the_game_with_it(invoke, tmp_path: Path, monkeypatch):
    def fail(self, position, *, limit=None):
        raise TengenError("the program has crashed")

    monkeypatch.setattr("tengen.players.random.RandomPlayer.choose", fail)
    target = tmp_path / "game.sgf"
    result = invoke("play", "--terminal", "--white", "random", "--save", str(target), typed="h8\n")
    assert (result.exit_code, result.stderr) == (2, "Error: the program has crashed\n")
    assert result.stdout.endswith(f"moves: h8\nsaved {target}\n")
    assert len(records.load(target)[0].moves) == 1


@pytest.mark.parametrize("options", [("--white", "greedy"), ("--json",), ("--save", "x.sgf")])
def test_what_is_for_the_terminal_says_so(invoke, options):
    result = invoke("play", *options)
    assert result.exit_code == 2
    assert f"{options[0]}: only with --terminal" in result.stderr


def test_what_is_for_the_page_says_so(invoke):
    result = invoke("play", "--terminal", "--port", "8000")
    assert result.exit_code == 2
    assert "--port: only without --terminal" in result.stderr


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
        "2",
    )
    full, quiet = invoke(*command).stdout, invoke(*command, "--quiet").stdout
    assert "  1. black (random) plays " in full
    assert "plays" not in quiet
    assert quiet.startswith("    a b c d\n")
    board, _, moves = full.rpartition("moves: ")
    assert board.endswith(quiet)
    assert Position("othello:size=4", moves.strip()).is_over
    assert moves.count("pass") == full.count(" passes\n") > 0
    assert "plays pass" not in full


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
        assert "'perhaps' is neither a choice nor a command" in result.stderr
        assert "choose black, white or place two> " in result.stderr
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

    def test_commands_work_or_are_refused_with_a_sentence(self, invoke, tmp_path: Path):
        target = tmp_path / "stones.sgf"
        typed = f"h8\nhelp\nhint\nresign\nmoves\nnonsense\nsave {target}\nhelp me\ni9\nj10\nhelp\nquit\n"
        text = invoke(*TWO, "--opening", "swap2", typed=typed).stdout
        placing, choosing = text.split("\n  help ")[:2]
        assert "2 to place (a point, or help)" in placing
        assert "\n  a point    such as " in placing
        assert "\n  a choice   black, white or place two\n" in choosing
        assert "\n  resign " not in text, "what is refused is not listed"
        assert "there are no hints in the opening\n" in text
        assert "nobody has a colour yet, so nobody can resign; quit leaves the game\n" in text
        assert "'nonsense' is neither a point nor a command; help lists the commands\n" in text
        assert "help takes nothing after it" in text
        assert len(records.load(target)[0].moves) == 1

    @pytest.mark.parametrize(
        ("typed", "moves"),
        [
            ("h8 undo h9", "h9"),
            ("h8 i9 undo|2 h9", "h9"),
            ("h8 i9 j10 undo k10", "h8i9k10"),
            ("h8 i9 j10 two undo", "h8i9j10"),
            ("h8 i9 j10 two k11 undo|2 undo l12", "h8i9j10l12"),
            ("h8 i9 j10 two k11 l12 undo undo", "h8i9j10"),
            ("undo", ""),
        ],
    )
    def test_undo_takes_back_stones_but_no_choice(self, invoke, typed, moves):
        lines = "".join(f"{word.replace('|', ' ')}\n" for word in typed.split())
        result = invoke(*TWO, "--opening", "swap2", "--json", typed=f"{lines}quit\n")
        assert "".join(json.loads(result.stdout)["moves"]) == moves

    def test_undo_leaves_the_stones_of_a_program(self, invoke):
        arguments = ("play", "--terminal", "--black", "random", "--white", "human", "--opening", "swap", "--json")
        result = invoke(*arguments, typed="undo\nquit\n")
        assert "there is no stone of yours to take back" in result.stderr
        assert len(json.loads(result.stdout)["moves"]) == 3

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
