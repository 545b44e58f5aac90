"""The listings, help, and what bad names get."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import tengen
from tengen.cli import cli
from tengen.players import player_kinds


def test_version(invoke):
    result = invoke("--version")
    assert (result.exit_code, result.stdout) == (0, f"tengen {tengen.__version__}\n")


def test_help_names_every_command_and_fits_a_terminal():
    result = CliRunner().invoke(cli, ["--help"], terminal_width=78)  # what click leaves of 80
    assert result.exit_code == 0
    for command in ("play", "games", "players", "perft", "bench"):
        assert f"\n  {command} " in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 90
    assert "..." not in result.stdout.partition("Commands:")[2].partition("Examples:")[0], "a summary is cut off"


def test_games_lists_keys_values_and_defaults(invoke):
    lines = invoke("games").stdout.splitlines()
    header = lines[0]
    size = next(line for line in lines if "3..22" in line and "size" in line)
    assert size[header.index("default") :].startswith("15 ")
    assert size[header.index("values") :].startswith("3..22")
    renju = next(number for number, line in enumerate(lines) if line.startswith("renju"))
    assert "gomoku:rule=renju" in lines[renju]
    assert lines[renju + 1].split()[:3] == ["size", "5..22", "15"]
    assert "win" not in lines[renju + 2], "five in a row is settled"


def test_games_json_names_only_games_that_parse(invoke):
    data = json.loads(invoke("games", "--json").stdout)
    for game in data["games"]:
        assert tengen.Game.parse(game["name"]).kind == game["name"]
        for key, option in game["options"].items():
            assert option["default"] in option["values"]
            tengen.Game.parse(f"{game['name']}:{key}={option['default']}")
    for alias, name in data["aliases"].items():
        assert tengen.Game.parse(alias) == tengen.Game.parse(name)
    assert "renju" in data["examples"]


def test_players_lists_every_kind(invoke):
    text = invoke("players").stdout
    data = json.loads(invoke("players", "--json").stdout)
    assert [entry["name"] for entry in data["players"]] == list(player_kinds())
    for entry in data["players"]:
        assert entry["name"] in text
        assert entry["summary"] in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("play", "--terminal", "--game", "chess"), "unknown game 'chess'; the games are gomoku, othello, renju"),
        (("play", "--terminal", "--black", "nobody"), "unknown player 'nobody'; the kinds are"),
        (("play", "--terminal", "--white", "random:depth=3"), "random has no key 'depth'"),
        (("play", "--terminal", "--opening", "swap2", "--game", "othello"), "swap2 is for five in a row"),
        (("play", "--terminal", "--save", "game.png"), ".sgf"),
        (("play", "--terminal", "--save", "/no/such/place/game.sgf"), "no directory"),
        (("perft", "othello:size=7", "--depth", "2"), "it is one of 4, 6, 8, 10"),
        (("perft", "gomoku", "--depth", "2", "--moves", "h8zz"), "character 3"),
        (("perft", "gomoku", "--depth", "2", "--moves", "h8h8"), "h8 is illegal"),
        (("nonsense",), "the commands are play, analyze, see, arena, games, players, "),
    ],
)
def test_bad_names_are_one_line_and_status_2(invoke, arguments, says):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "gomoku"),
        ("perft", "gomoku", "--depth", "0"),
        ("bench", "--only", "nothing"),
        ("play", "--terminal", "--opening", "swap9"),
        ("games", "--json", "/no/such/place/x.json"),
        ("games", "--json", "/"),
        ("play", "--terminal", "--seed", "-1"),
    ],
)
def test_bad_options_end_with_status_2(invoke, arguments):
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [(("play", "--port", "abc"), "integer"), (("analyze", "h8", "--time", "abc"), "float")],
)
def test_what_is_no_number_is_refused_in_usual_words(invoke, arguments, kind):
    assert f"'abc' is not a valid {kind}." in invoke(*arguments).stderr


def test_a_word_that_json_took_is_looked_for_there(invoke):
    says = "Missing argument 'GAME'. --json took 'othello' as its FILE; put GAME first."
    assert says in invoke("perft", "--json", "othello").stderr
    assert says in invoke("perft", "-d", "2", "--json", "othello").stderr
    assert "--json took" not in invoke("perft", "-d", "2", "--json").stderr
    assert "--json took" not in invoke("perft", "othello", "--json", "x.json").stderr, "it is the depth that is missing"


def test_bench_lists_its_names_when_one_is_wrong(invoke):
    assert "playouts-renju" in invoke("bench", "--only", "nothing").stderr


def test_json_to_a_file_replaces_it_whole(invoke, tmp_path: Path):
    target = tmp_path / "games.json"
    target.write_text("old " * 10_000)
    result = invoke("games", "--json", str(target))
    assert result.exit_code == 0
    assert "gomoku" in result.stdout, "the table is still shown"
    assert "games" in json.loads(target.read_text())
    assert list(tmp_path.iterdir()) == [target], "the temporary file is gone"


def test_json_through_a_link_changes_what_it_points_to(invoke, tmp_path: Path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("{}")
    link.symlink_to(target)
    assert invoke("games", "--json", str(link)).exit_code == 0
    assert link.is_symlink()
    assert "games" in json.loads(target.read_text())


def test_a_module_may_bring_players(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from tengen.players import PlayerKind, register\n"
        "from tengen.players.random import RandomPlayer\n"
        "register(PlayerKind('of-mine', 'a test', RandomPlayer, {}))\n"
    )
    command = [sys.executable, "-m", "tengen", "--import", "mine", "players"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "of-mine" in done.stdout
    command[4] = "missing"
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--import missing" in done.stderr
