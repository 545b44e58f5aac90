"""The NBoard server."""

from __future__ import annotations

import re
import time

import pytest

import tengen
from tengen import Position
from tengen.engines.nboard_server import NBoardServer, depth_seconds
from tengen.games import records

from .conftest import Talk

GO = re.compile(r"=== [A-H][1-8]/[^/]*/[0-9.]+\Z")


def talk(name="greedy"):
    return Talk(lambda write: NBoardServer(write, name=name, seed=1))


def position_of(made):
    return made.server._position


def test_a_conversation():
    made = talk()
    assert made.one("nboard 2") == "set myname Tengen"
    assert made.say("set depth 6", "move F5//1.2", "move d6/0.5/3") == []
    assert position_of(made) == Position("othello", "f5d6")
    answer = made.say("go")[-1]
    assert GO.match(answer)
    assert position_of(made) == Position("othello", "f5d6")  # it says by `move` what was played
    assert made.one("ping 7") == "pong 7"
    hints = [line for line in made.say("hint 4") if line.startswith("search ")]
    assert len(hints) == 1  # greedy rates no moves
    assert re.match(r"search [A-H][1-8] -?[0-9.]+ 0 [0-9]+", hints[0])
    assert made.one("learn") == "learned"


def test_a_game_is_set():
    made = talk()
    game = Position("othello", "f5d6c3d3c4")
    ggf = records.dumps(records.Record.from_position(game), "ggf").decode().strip()
    assert made.say(f"set game {ggf}") == []
    assert position_of(made) == game


@pytest.mark.parametrize(
    "line", ["move a1", "move", "move Z9", "set game (;GM[Go];)", "set game", "hint", "hint x", "set game (;GM[Othello"]
)
def test_what_cannot_be_is_said_and_changes_nothing(line):
    made = talk()
    made.say("move f5")
    assert made.one(line).startswith("status ")
    assert position_of(made) == Position("othello", "f5")


@pytest.mark.parametrize("line", ["", "dance", "set", "set depth x", "set contempt 5", "\xff"])
def test_what_is_not_known_is_ignored(line):
    assert talk().say(line) == []


def test_passes():
    for seed in range(100):
        game, rival = Position("othello"), tengen.player("random", seed=seed)
        while not game.is_over and not game.is_legal("pass"):
            game.play(rival.choose(game).move)
        if not game.is_over:
            break
    made = talk()
    made.say(*(f"move {move}" for move in game.moves))
    assert made.one("go") == "=== PA"
    assert made.say("move PA") == []
    assert position_of(made).ply == game.ply + 1


def test_depth_is_a_depth_for_those_that_search_by_depth():
    made = talk("alphabeta")
    made.say("move f5")
    for depth in (1, 4, 7):
        hints = [line for line in made.say(f"set depth {depth}", "hint 2") if line.startswith("search ")]
        assert {line.split()[-1] for line in hints[-2:]} == {str(depth)}
        assert len({line.split()[1][:2] for line in hints[-2:]}) == 2
    assert GO.match(made.say("set depth 0", "go")[-1])


def test_a_move_and_a_hint_are_rated_alike():
    made = talk("alphabeta")
    made.say("set depth 4", "move f5", "move d6")
    hint = [line for line in made.say("hint 1") if line.startswith("search ")][-1].split()
    move, rating, _ = made.say("go")[-1].removeprefix("=== ").split("/")
    assert (move, rating) == (hint[1][:2], hint[2])  # in discs, both


def test_a_player_that_fails_is_complained_about():
    made = talk("gtp:cmd=false")
    said = made.say("go")
    assert any(line.startswith("status gtp:cmd=false failed, greedy moves") for line in said)
    assert GO.match(said[-1])


def test_depth_is_time_for_the_others():
    assert depth_seconds(0) < depth_seconds(8) < depth_seconds(20) < depth_seconds(40) <= 60
    assert depth_seconds(10**9) == 60


def test_as_a_program(start):
    program = start("nboard", "--player", "greedy")
    program.send("nboard 2", "move F5", "go", "ping 1")
    said = [program.read() for _ in range(5)]
    assert said[0] == "set myname Tengen"
    assert GO.match(said[3])
    assert said[4] == "pong 1"
    began = time.monotonic()
    program.process.stdin.close()
    assert program.ended() == 0
    assert time.monotonic() - began < 10
