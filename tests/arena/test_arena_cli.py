"""``tengen arena``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import tengen
from tengen.cli import cli
from tengen.games import records

HERE = Path(__file__).parent


def arena(*arguments):
    result = CliRunner().invoke(cli, ["arena", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_table_has_the_figures():
    result = arena("greedy", "random", "--games", "6")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "gomoku, 6 games, openings random, seed 0"
    assert lines[3].split()[:6] == ["greedy", "6", "6", "0", "0", "100.0"]
    assert "+3 =0 -0" in lines[3]
    assert "Elo of greedy against random: +" in result.stdout
    assert "+inf]" in result.stdout
    assert result.stderr == ""


def test_json_on_stdout_is_alone_there():
    result = arena("greedy", "random", "--games", "4", "--game", "othello", "--seed", "3", "--json")
    data = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (data["game"], data["games"], data["seed"]) == ("othello", 4, 3)
    assert len(data["wins"]) == len(data["faults"]) == len(data["seconds_per_move"]) == 2
    assert data["cross_table"] is None


def test_a_round_robin_with_files(tmp_path):
    sgf, db, out = tmp_path / "games.sgf", tmp_path / "arena.db", tmp_path / "result.json"
    arguments = ["greedy", "random", "random:seed=4", "--games", "2", "--records", str(sgf), "--db", str(db)]
    first = arena(*arguments, "--json", str(out))
    assert first.exit_code == 0
    assert "1 greedy" in first.stdout
    assert "rating" in first.stdout
    assert json.loads(out.read_text())["games"] == 6
    games = records.load(sgf)
    assert len(games) == 6
    assert {game.headers["black"] for game in games} == {"greedy", "random", "random:seed=4"}
    text = sgf.read_text()
    assert arena(*arguments).exit_code == 0  # read back from the file
    assert sgf.read_text() == text


def test_nothing_between_two_is_written_without_a_minus():
    result = arena("greedy", "random", "--games", "2", "--max-moves", "1")
    assert "Elo of greedy against random: +0 [" in result.stdout


def test_a_test_says_what_it_found():
    result = arena("greedy", "random", "--sprt", "0,100")
    assert "SPRT accepted: stronger by 100 rather than 0 Elo" in result.stdout


def test_faults_are_shown():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(tengen.__file__).parents[1]), str(HERE)])}
    command = [sys.executable, "-m", "tengen", "--import", "doubles_kinds", "arena", "crashing", "greedy", "-n", "2"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0
    assert "crashing: crash in 2 games, the first time: RuntimeError: out of ideas" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["greedy"], "two players"),
        (["greedy", "nobody"], "unknown player 'nobody'"),
        (["greedy", "random", "--sprt", "5"], "--sprt is ELO0,ELO1"),
        (["greedy", "random", "--sprt", "10,0"], "elo0 < elo1"),
        (["greedy", "random", "--sprt", "0,1e9"], "Elo from -2000 to 2000"),
        (["--json", "greedy", "random"], "--json took 'greedy' as its FILE"),
        (["greedy", "engine:cmd=/nonexistent/pbrain-x"], "there is no program '/nonexistent/pbrain-x'"),
        (["greedy", "random", "--openings", "best"], "unknown openings 'best'"),
        (["greedy", "random", "--records", "games.png"], "the extension says the format"),
        (["greedy", "random", "--records", "games.ggf"], "the extension says the format"),
        (["greedy", "random", "--records", "no/where/games.sgf"], "there is no directory"),
        (["greedy", "random", "--game", "chess"], "unknown game 'chess'"),
        (["greedy", "random", "--games", "0"], "0 is not in the range"),
        (["greedy", "random", "--time", "0"], "seconds above 0"),
        (["greedy", "random", "--openings", "renju26", "--game", "othello"], "renju openings need"),
        (["greedy", "random", "--db", "no/where/arena.db"], "cannot use"),
    ],
)
def test_bad_arguments(arguments, says):
    result = arena(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""
