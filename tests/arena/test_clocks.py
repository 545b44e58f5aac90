"""Games and matches by the clock."""

from __future__ import annotations

import json
import sys
import time

import pytest
from click.testing import CliRunner
from doubles import Double

from tengen import Decision, TengenError
from tengen.arena import Fault, TimeControl, play_game, play_match
from tengen.cli import cli

KINDS = ("doubles_kinds",)
SMALL = "gomoku:size=9"


class Spending(Double):
    """Takes exactly as long as it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.limits: list = []

    def choose(self, position, *, limit=None):
        self.limits.append(limit)
        time.sleep(limit.seconds)
        return super().choose(position, limit=limit)


class Steady(Double):
    """Takes a tenth of a second whatever it is told."""

    def choose(self, position, *, limit=None):
        time.sleep(0.1)
        return super().choose(position, limit=limit)


def test_players_are_told_a_share_of_their_clock():
    one, two = Spending(), Spending()
    result = play_game(one, two, SMALL, clock="1.2+0.06")
    assert result.fault is None
    assert result.reason == "line"
    for player in (one, two):
        lefts = [limit.clock.left for limit in player.limits]
        assert lefts[0] == pytest.approx(1.26)
        assert lefts[0] > lefts[3] > lefts[6]  # it spends more than the increment while there are savings
        assert all(limit.clock.control == TimeControl(1.2, 0.06) for limit in player.limits)
        assert all(0 < limit.seconds < limit.clock.left for limit in player.limits)


def test_what_one_thinks_is_taken_off_and_the_increment_added():
    steady, spending = Steady(), Spending()
    play_game(steady, spending, SMALL, clock="1+0.2", max_moves=6)
    first, second = spending.limits[:2]
    assert second.clock.left == pytest.approx(first.clock.left - first.seconds + 0.2, abs=0.06)


def test_a_flag_that_falls_is_a_time_out():
    result = play_game(Double(), Steady(), SMALL, clock="0.25")
    assert (result.fault, result.winner, result.reason) == (Fault.TIMEOUT, "black", "timeout")
    assert result.detail.startswith("its flag fell: 0.1")
    assert "on the clock" in result.detail
    assert result.plies == (3, 2)  # the third move was too much
    assert "time" in str(result.record().result)
    assert play_game(Double(), Steady(), SMALL, clock="0.1+0.2", max_moves=12).fault is None


def test_a_single_move_can_be_bounded_too():
    result = play_game(Double(), Steady(), SMALL, clock="10", timeout=0.05)
    assert "0.05 s allowed" in result.detail


def test_a_match_by_the_clock():
    result = play_match(["first", "late"], SMALL, games=2, clock="0.5", imports=KINDS, seed=1)
    assert result.faults == [0, 2]  # it takes 0.2 s a move
    assert all("flag fell" in game.result.detail for game in result.games)
    data = json.loads(json.dumps(result.to_dict()))
    assert (data["clock"], data["time"]) == ("0.5+0", None)
    again = play_match(["first", "late"], SMALL, games=2, clock="0.2+0.4", imports=KINDS, seed=1, max_moves=16)
    assert again.faults == [0, 0]


def test_one_that_does_not_come_back_is_ended_when_its_flag_falls():
    began = time.monotonic()
    result = play_match(["sleeping", "first"], SMALL, games=2, clock=TimeControl(0.5), imports=KINDS)
    assert time.monotonic() - began < 15
    assert result.faults == [2, 0]
    for game in result.games:
        seat = game.result.at_fault.index
        assert game.result.detail.startswith("its flag fell: no move after 0.")
        assert 0.5 < game.result.seconds[seat] == game.result.slowest[seat] < 5


def test_the_time_of_moves_before_a_kill_counts():
    result = play_match(["exiting", "pondering"], SMALL, games=2, imports=KINDS)
    assert result.faults == [2, 0]
    for game in result.games:
        pondering = 1 - game.result.at_fault.index
        assert game.result.seconds[pondering] >= 0.004 * game.result.plies[pondering] > 0
        assert 0.004 <= game.result.slowest[pondering] <= game.result.seconds[pondering]


def test_the_clock_runs_for_every_name():
    # Told what the manager says, whatever its name says about how much it thinks.
    result = play_match(["told:depth=3", "told:time=9"], SMALL, games=2, clock="20+1", imports=KINDS, openings="empty")
    for game in result.games:
        assert game.result.detail.startswith("RuntimeError: told 1.8")  # (20 - 1.05) / 20 + 1 - 0.08


def test_a_clock_makes_another_match(tmp_path):
    db = tmp_path / "arena.db"
    for clock in (None, "10+1", "10+2", "10+1"):
        play_match(["greedy", "random"], SMALL, games=2, db=db, clock=clock)
    from tengen.arena import Store

    with Store(db) as store:
        settings = [match["settings"] for match in store.matches()]
    assert sorted(each.get("clock", "") for each in settings) == ["", "10+1", "10+2"]
    assert "clock" not in next(each for each in settings if not each.get("clock"))  # older files go on


def test_a_time_and_a_clock_do_not_go_together():
    with pytest.raises(TengenError, match="do not go together"):
        play_match(["greedy", "random"], clock="5", seconds=1)
    with pytest.raises(TengenError, match="do not go together"):
        play_game("greedy", "random", clock="5", seconds=1)
    with pytest.raises(TengenError, match=r"BASE\+INC"):
        play_game("greedy", "random", clock="soon")


def test_on_the_command_line():
    result = CliRunner().invoke(cli, ["arena", "greedy", "random", "-n", "2", "--clock", "5+0.1"])
    assert result.exit_code == 0
    assert result.stdout.startswith("gomoku, 2 games, openings random, seed 0, clock 5+0.1\n")
    for bad, says in (("5+", "a clock is BASE+INC"), ("0", "leaves no time"), ("1e9", "a clock is BASE+INC")):
        result = CliRunner().invoke(cli, ["arena", "greedy", "random", "--clock", bad])
        assert (result.exit_code, result.stdout) == (2, "")
        assert says in result.stderr


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta:depth=60", "mcts:playouts=1000000000", "mcts:time=100"])
def test_the_strong_ones_keep_to_the_clock(name):
    result = play_game(name, "greedy", SMALL, clock="1.5+0.1", seed=1)
    assert result.fault is None, result.detail


class TestSlowStarters:
    """What is slow to start does so before anybody's time runs."""

    def test_a_player_may_prepare(self):
        class Loading(Double):
            loaded = 0.0

            def prepare(self, game):
                time.sleep(0.2)
                self.loaded = time.monotonic()

            def choose(self, position, *, limit=None):
                assert self.loaded
                return Decision(position.legal_moves()[0])

        assert play_game(Loading(), Double(), SMALL, clock="0.15").fault is None

    def test_one_that_cannot_has_lost(self):
        class Empty(Double):
            def prepare(self, game):
                raise RuntimeError("no weights")

        result = play_game(Double(), Empty(), SMALL)
        assert (result.winner, result.fault, result.detail) == ("black", Fault.CRASH, "RuntimeError: no weights")

    def test_an_engine_that_loads_for_long_keeps_its_clock(self, tmp_path):
        engine = tmp_path / "engine.py"
        engine.write_text(
            "import sys, time\n"
            "time.sleep(1.5)\n"
            "points = ((x, y) for x in range(15) for y in range(0, 15, 2))\n"
            "seen = set()\n"
            "for line in sys.stdin:\n"
            "    word = line.split()[0]\n"
            "    if word == 'START': print('OK', flush=True)\n"
            "    if ',' in line: seen.add(tuple(map(int, line.split()[-1].split(',')[:2])))\n"
            "    if word in ('BEGIN', 'TURN', 'DONE'):\n"
            "        point = next(each for each in points if each not in seen)\n"
            "        print('%d,%d' % point, flush=True)\n"
        )
        name = f"engine:cmd={sys.executable} -S -E {engine}"
        result = play_match([name, "greedy"], games=2, clock="1+0.1", jobs=1)
        assert result.faults == [0, 0], result.games[0].result.detail
