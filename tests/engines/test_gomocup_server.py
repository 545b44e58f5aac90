"""The Gomocup server, command by command, in this process."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass

import pytest

import tengen
from tengen import Decision, Game, Position
from tengen.engines import swap2
from tengen.engines.gomocup_server import GomocupServer
from tengen.engines.timing import GomocupClock, GtpClock, usable
from tengen.players import PlayerKind, PlayerOption, register
from tengen.players.random import RandomPlayer
from tengen.players.strongest import strongest_player

from .conftest import Talk

POINT = re.compile(r"[0-9]+,[0-9]+\Z")


def talk(name="greedy", seed=1, **options):
    return Talk(lambda write: GomocupServer(write, name=name, seed=seed, **options))


def started(size=15, *more, **options):
    made = talk(**options)
    assert made.one(f"START {size}") == "OK"
    made.say(*more)
    return made


def position_of(made):
    return made.server._position


@dataclass
class FoundLine:
    moves: list[int]
    value: float
    score: int


@dataclass
class Found:
    lines: list[FoundLine]
    nodes: int = 50
    seconds: float = 0.1
    depth: int = 3
    selective_depth: int = 5


class Watched(RandomPlayer):
    """Remembers how it was made and what it was given; thinks as long as it may, unless stopped."""

    made: list[Watched] = []  # noqa: RUF012 - the tests look here

    def __init__(self, *, name, seed=None, memory=None, value=None):
        super().__init__(name=name, seed=seed)
        self.memory, self.value, self.limits, self.stopped = memory, value, [], threading.Event()
        Watched.made.append(self)

    def choose(self, position, *, limit=None):
        self.limits.append(limit)
        self.stopped.clear()
        self.stopped.wait(min(limit.seconds, 20))
        return Decision(super().choose(position).move, value=self.value)

    def stop(self):
        self.stopped.set()


class Searching(Watched):
    """Finds the first legal moves the best, and reports that once on the way."""

    def search(self, position, *, limit=None, lines=1, on_report=None):
        best = position.legal_moves()[:lines]
        found = Found([FoundLine([int(move)], self.value - n / 1000, 7) for n, move in enumerate(best)])
        if on_report:
            on_report(found)
        self.stopped.wait(min(limit.seconds, 20))
        return found


class Broken(RandomPlayer):
    def choose(self, position, *, limit=None):
        raise RuntimeError("a mistake")


OPTIONS = {"memory": PlayerOption(int, ""), "value": PlayerOption(float, "")}
register(PlayerKind("test-searching", "for tests", Searching, OPTIONS))
register(PlayerKind("test-watched", "for tests", Watched, OPTIONS))
register(PlayerKind("test-broken", "for tests", Broken, {}))


@pytest.mark.parametrize("size", [5, 15, 20, 22])
def test_sizes_it_does(size):
    assert talk().one(f"START {size}") == "OK"
    assert talk().one(f"RECTSTART {size},{size}") == "OK"


@pytest.mark.parametrize(
    "line", ["START 4", "START 23", "START", "START x", "START -5", "RECTSTART 10,12", "RECTSTART 10"]
)
def test_sizes_it_does_not(line):
    made = started(15, "BEGIN")
    before = position_of(made).copy()
    assert made.one(line).startswith("ERROR ")
    assert position_of(made) == before


def test_letter_case_does_not_matter():
    made = talk()
    assert made.one("start 15") == "OK"
    assert POINT.match(made.one("Begin"))
    assert made.one("About").startswith('name="Tengen", version="')


def test_coordinates_are_column_then_row_from_the_top():
    made = started(15, "TURN 3,1")
    assert position_of(made).moves[0] == Game.parse("gomoku").at(row=1, column=3)


@pytest.mark.parametrize(
    ("number", "rule"),
    [(0, "freestyle"), (1, "standard"), (2, "freestyle"), (3, "standard"), (4, "renju"), (6, "renju"), (8, "caro")],
)
def test_rules(number, rule):
    made = started(15, "BEGIN")
    assert made.say(f"INFO rule {number}") == []
    assert position_of(made).game.rule == rule
    assert position_of(made).ply == 1
    assert made.one("RESTART") == "OK"
    assert position_of(made) == Position(Game.parse(f"gomoku:rule={rule}"))
    assert talk().say(f"INFO rule {number}", "START 20") == ["OK"]


def test_begin_needs_an_empty_board():
    made = started(15, "BEGIN")
    assert made.one("BEGIN").startswith("ERROR")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("TURN 99,99", "ERROR"),
        ("TURN -1,0", "ERROR"),
        ("TURN 15,0", "ERROR"),
        ("TURN 7", "ERROR"),
        ("TURN 7,7,7", "ERROR"),
        ("TURN seven,eight", "ERROR"),
        ("TURN", "ERROR"),
        ("TURN 7,7", "ERROR"),  # occupied
        ("TAKEBACK 0,0", "ERROR"),  # empty
        ("TAKEBACK 40,0", "ERROR"),
        ("FLY", "UNKNOWN"),
        ("DONE", "UNKNOWN"),
        ("7,7", "UNKNOWN"),
        ("", "UNKNOWN"),
        ("   ", "UNKNOWN"),
        ("\x00\x01\xff", "UNKNOWN"),
        ("TURN ٣,٣", "ERROR"),
        ("BOARD now", "ERROR"),
        ("yxnbest", "ERROR"),
        ("yxbalanceone x", "ERROR"),
    ],
)
def test_bad_input_changes_nothing(line, answer):
    made = started(15, "TURN 7,7")
    before = position_of(made).copy()
    said = made.one(line)
    assert said.startswith(answer + " ")
    assert said.isascii()
    assert position_of(made) == before
    assert POINT.match(made.one("TURN 0,14"))


@pytest.mark.parametrize(
    "line", ["BEGIN", "TURN 7,7", "RESTART", "TAKEBACK 7,7", "yxnbest 1", "yxshowforbid", "yxbalanceone 0"]
)
def test_no_game_yet(line):
    assert talk().one(line).startswith("ERROR no game")


@pytest.mark.parametrize("block", ["BOARD", "SWAP2BOARD", "yxboard", "yxblock"])
def test_no_game_yet_in_a_block(block):
    assert talk().one(block, "7,7,1", "DONE").startswith("ERROR")


@pytest.mark.parametrize(
    "lines",
    [
        ["7,7,4"],
        ["7,7,0"],
        ["7,7"],
        ["7,7,1", "7,7,2"],
        ["7,7,1", "77,7,2"],
        ["7,7,1", "hello", "8,8,2"],
        ["7,7,1,1"],
        ["3,3,2", "4,4,2", "5,5,2", "6,6,2", "7,7,2", "0,0,1", "0,2,1", "0,4,1", "0,6,1"],  # it is over
    ],
)
def test_a_wrong_board_is_one_error_and_changes_nothing(lines):
    made = started(15, "TURN 7,7")
    before = position_of(made).copy()
    assert made.one("BOARD", *lines, "DONE").startswith("ERROR")
    assert position_of(made) == before


def test_a_block_without_an_end():
    made = started(15)
    assert made.say("BOARD", "7,7,1", "ABOUT")[0].startswith("ERROR")
    assert POINT.match(made.one("BEGIN"))
    assert len(made.say("BOARD", *["7,7,1"] * 1001)) == 1
    assert POINT.match(made.one("TURN 0,0"))


def test_a_board_is_played_on():
    made = started(15)
    own = ["3,3,1", "4,3,1", "5,3,1", "6,3,1"]
    assert made.one("BOARD", *own, "0,0,2", "0,2,2", "0,4,2", "0,6,2", "DONE") in {"2,3", "7,3"}
    assert position_of(made).outcome().winner == "black"
    assert made.one("BOARD", *own, "0,0,2", "", "0,2,2", "0,4,2", "0,6,2", "0,8,2", "DONE") in {"2,3", "7,3"}
    assert position_of(made).outcome().winner == "white"
    assert made.one("TURN 14,14").startswith("ERROR")  # that game is over
    assert POINT.match(made.one("BOARD", "DONE"))


def test_a_turn_that_ends_the_game_cannot_be_answered_and_changes_nothing():
    made = started(15)
    rival = ["3,3,2", "4,3,2", "5,3,2", "6,3,2"]
    blocked = made.one("BOARD", *rival, "0,0,1", "0,2,1", "0,4,1", "0,6,1", "DONE")
    before = position_of(made).copy()
    assert made.one(f"TURN {'7,3' if blocked == '2,3' else '2,3'}").startswith("ERROR the game is over")
    assert position_of(made) == before
    assert POINT.match(made.one("TURN 14,14"))


def test_a_board_keeps_its_order_where_it_is_one():
    made = started(15, "INFO rule 4")
    moves = ["7,7,2", "8,6,1", "9,5,2", "6,8,1", "5,5,2"]
    made.say("BOARD", *moves, "DONE")
    played = [f"{move.column},{move.row}" for move in position_of(made).moves]
    assert played[:5] == [move[:-2] for move in moves]
    assert position_of(made).setup is None


def test_lines_of_continuous_games_are_not_played_on():
    made = started(5)
    cells = [f"{x},{y},3" for x in range(5) for y in range(5) if (x, y) not in {(1, 1), (3, 3), (2, 0)}]
    assert made.one("BOARD", *cells, "3,3,2", "DONE") in {"1,1", "2,0"}


def test_takeback():
    made = started(15, "TURN 7,7")
    answer = position_of(made).last_move
    assert made.one(f"TAKEBACK {answer.column},{answer.row}") == "OK"
    assert made.one("TAKEBACK 7,7") == "OK"
    assert position_of(made) == Position("gomoku")
    made.say("BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE")
    assert made.one("TAKEBACK 7,7") == "OK"  # not the last one
    assert position_of(made).stone("h8") is None
    assert position_of(made).to_move == "black"
    assert sum(position_of(made).score()) == 3


@pytest.mark.parametrize("key", ["timeout_turn", "evaluate", "folder", "nonsense", "rule", "max_memory", ""])
@pytest.mark.parametrize("value", ["", "x", "7,7", "-1", "99999999999999999999999", "1 2", "C:\\folder x"])
def test_info_is_never_answered(key, value):
    made = started(15)
    assert made.say(f"INFO {key} {value}") == []
    assert POINT.match(made.one("INFO timeout_turn 100", "BEGIN"))


def test_info_comes_before_start_and_in_a_block_too():
    made = talk()
    assert made.say("INFO timeout_turn 100", "INFO rule 1", "START 15") == ["OK"]
    assert position_of(made).game.rule == "standard"
    assert POINT.match(made.one("BOARD", "7,7,2", "INFO time_left 1000", "DONE"))


# Time.


def test_a_turn_is_used_but_for_a_reserve():
    assert [usable(seconds) for seconds in (0, 0.1, 0.5, 5)] == pytest.approx([0, 0.075, 0.42, 4.92])
    assert 0.05 <= 30 - GomocupClock(5, timeout_turn=30_000).seconds <= 0.1
    assert GomocupClock(5).seconds == pytest.approx(4.92)
    assert GomocupClock(5, timeout_turn=0).seconds == 0


def test_a_match_is_not_lost_on_time():
    clock = GomocupClock(5, timeout_turn=5000, timeout_match=120_000)
    left = 120.0
    for _ in range(180):
        clock.time_left = int(left * 1000)
        left -= clock.seconds + 0.01
    assert left > 0
    assert GomocupClock(5, timeout_turn=5000, timeout_match=1000, time_left=-30).seconds == 0
    for unlimited in (2147483647, 0):
        clock = GomocupClock(5, timeout_turn=5000, timeout_match=0, time_left=unlimited)
        assert clock.seconds == pytest.approx(4.92)


def test_an_increment_is_there_to_be_used():
    clock = GomocupClock(5, timeout_turn=30_000, timeout_match=60_000, time_left=3000, time_increment=2000)
    assert clock.seconds == pytest.approx(0.92)  # of the increment half, as there are no savings
    clock.time_left = 22_000
    assert clock.seconds == pytest.approx((20 - 2) / 20 + 2 - 0.08)
    clock.timeout_turn = 1000
    assert clock.seconds == pytest.approx(0.92)
    assert GomocupClock(5, timeout_turn=30_000, timeout_match=60_000, time_increment=-7).typical == 6


def test_the_increment_and_the_depth_are_heard():
    made = started(15, "INFO timeout_turn 60000", "INFO timeout_match 1000", name="test-watched")
    made.say("INFO time_left 200", "INFO time_increment 100", "INFO max_depth 7", "BEGIN")
    assert 0.02 < Watched.made[-1].limits[-1].seconds < 0.1
    assert Watched.made[-1].limits[-1].depth == 7
    made.say("INFO max_depth 999999999999", "TURN 0,0")
    assert Watched.made[-1].limits[-1].depth == 22 * 22
    made.say("INFO max_depth 0", "TURN 0,2")
    assert Watched.made[-1].limits[-1].depth is None


def test_the_time_of_gtp():
    clock = GtpClock(2)
    assert clock.seconds(None, 30) == 2
    clock.settings(300, 0, 0)
    assert clock.seconds(None, 30) == pytest.approx(298 / 30 - 0.08)
    assert clock.seconds((30, 0), 14) == pytest.approx(1.92)
    assert clock.seconds((10, 5), 14) == pytest.approx(1.92)
    assert clock.seconds((1, 0), 14) == 0  # the last seconds are kept
    clock.settings(0, 10, 1)
    assert clock.seconds(None, 14) == pytest.approx(9.92)
    clock.settings(60, 5, 1)
    assert clock.seconds((60, 0), 10) == pytest.approx(5.8 - 0.08)
    assert clock.seconds((1, 0), 10) == pytest.approx(4.92)  # then comes the overtime
    clock.settings(10, 5, 0)  # no limit
    assert clock.seconds(None, 14) == 2


def test_the_player_gets_its_time_memory_and_nodes():
    made = started(
        15, "INFO timeout_turn 1000", f"INFO max_memory {350 << 20}", "INFO max_node 70", name="test-watched"
    )
    began = time.monotonic()
    made.one("BEGIN")
    assert 0.7 < time.monotonic() - began < 5
    player = Watched.made[-1]
    assert 0.5 < player.limits[0].seconds < 0.95
    assert player.limits[0].nodes == 70
    assert player.memory == 350 - 96
    made.one("INFO timeout_turn 0", "TURN 0,0")
    assert player.limits[1].seconds < 0.05
    assert Watched.made[-1] is player  # not made anew for each move
    assert made.one("INFO max_memory 1000", "TURN 0,14")
    assert Watched.made[-1].memory == 8


def test_a_player_that_takes_too_long_is_stopped():
    made = started(15, "INFO timeout_turn 200", name="test-watched")
    player = made.server._session.player_for(Game.parse("gomoku"), 1)
    player.choose = lambda position, limit: Watched.choose(player, position, limit=tengen.Limit(seconds=20))
    began = time.monotonic()
    assert POINT.match(made.one("BEGIN"))
    assert time.monotonic() - began < 10


def test_a_player_that_fails_is_stood_in_for(capsys):
    made = started(15, name="test-broken")
    message, answer = made.say("BEGIN")
    assert message == "MESSAGE test-broken failed, greedy moves instead: RuntimeError: a mistake"
    assert POINT.match(answer)
    assert "Traceback" in capsys.readouterr().err


def test_an_engine_behind_that_fails_is_complained_about_without_a_traceback(capsys):
    message, answer = started(15, name="engine:cmd=false").say("BEGIN")
    assert message.startswith("MESSAGE engine:cmd=false failed, greedy moves instead: EngineError: ")
    assert POINT.match(answer)
    assert capsys.readouterr().err == ""


def test_a_player_that_does_not_play_the_game_says_so():
    made = started(15, name="gtp:cmd=false")
    assert POINT.match(started(15, name="greedy").one("INFO rule 4", "BEGIN"))
    assert "does not play renju" in made.one("INFO rule 4", "BEGIN")


# Swap2.


def test_proposals_are_three_different_points_and_vary():
    proposals = {started(20, seed=seed).one("SWAP2BOARD", "DONE") for seed in range(20)}
    assert len(proposals) > 10
    for proposal in proposals:
        assert len({point for point in proposal.split(" ") if POINT.match(point)}) == 3
    for size in range(5, 23):
        assert len(started(size).one("SWAP2BOARD", "DONE").split()) == 3


def test_after_a_proposal_white_moves():
    made = started(15)
    points = made.one("SWAP2BOARD", "DONE").split()
    assert position_of(made).to_move == "white"
    free = next(f"{n},{n}" for n in range(15) if f"{n},{n}" not in points)
    assert POINT.match(made.one(f"TURN {free}"))
    assert position_of(made).ply == 5


@pytest.mark.parametrize(("value", "swaps"), [("0.5", False), ("-0.5", True)])
@pytest.mark.parametrize("stones", [["0,0", "7,7", "14,3"], ["0,0", "7,7", "14,3", "5,9", "2,11"]])
def test_a_value_decides_on_the_colour(value, swaps, stones):
    made = started(15, "INFO timeout_turn 50", name=f"test-watched:value={value}")
    answer = made.one("SWAP2BOARD", *stones, "DONE")
    assert (answer == "SWAP") is swaps
    assert position_of(made).ply == len(stones) + (not swaps)
    assert position_of(made).to_move == ("white" if swaps else "black")


def test_without_a_value_the_stones_decide():
    assert started(15).one("SWAP2BOARD", "7,7", "0,0", "8,7", "DONE") == "SWAP"
    assert POINT.match(started(15).one("SWAP2BOARD", "7,7", "0,0", "13,2", "DONE"))
    far = Position("gomoku", "h8a1o2")
    assert [swap2.wants_black(far, value) for value in (None, 0.9, -0.9)] == [False, False, True]


@pytest.mark.parametrize(
    "stones", [["7,7"], ["7,7", "7,7", "8,8"], ["7,7,1", "8,8,2", "9,9,1"], ["7,7", "99,9", "8,8"]]
)
def test_wrong_openings(stones):
    made = started(15)
    assert made.one("SWAP2BOARD", *stones, "DONE").startswith("ERROR")
    assert position_of(made) == Position("gomoku")


# Yixin-Board.


def test_yixin_info():
    threads, memory = talk().say("yxshowinfo")
    assert re.match(r"MESSAGE INFO MAX_THREAD_NUM [1-9]", threads)
    assert memory == "MESSAGE INFO MAX_HASH_SIZE 20"


def test_yixin_points_are_row_then_column():
    made = talk()
    assert made.one("START 15 15") == "OK"
    assert made.say("yxboard", "1,3,2", "done") == []
    assert position_of(made).moves == [Game.parse("gomoku").at(row=1, column=3)]
    answer = made.say("yxnbest 1")[-1]
    last = position_of(made).last_move
    assert answer == f"{last.row},{last.column}"
    assert made.one("START 15 14").startswith("ERROR")


def test_yixin_rule_two_is_renju_and_forbidden_points_are_shown():
    made = talk()
    made.say("yxshowinfo", "START 15", "INFO rule 2")
    stones = ["7,5,1", "0,0,2", "7,6,1", "0,2,2", "6,7,1", "0,4,2", "5,7,1", "0,6,2"]
    assert made.say("yxboard", *stones, "done") == []
    assert made.one("yxshowforbid") == "FORBID 0707."
    assert position_of(made).game.name == "renju"
    assert started(15).one("yxshowforbid") == "FORBID ."


def test_blocked_points_are_not_played():
    made = started(15)
    own = ["3,3,1", "4,3,1", "5,3,1", "6,3,1", "0,0,2", "0,2,2", "0,4,2", "0,6,2"]
    assert made.say("yxblock", "2,3", "done") == []
    assert {made.one("BOARD", *own, "DONE") for _ in range(10)} == {"7,3"}
    made.say("yxblockundo", "2,3", "done", "yxblock", "7,3", "done")
    assert {made.one("BOARD", *own, "DONE") for _ in range(10)} == {"2,3"}
    made.say("yxblock", "2,3", "done")
    assert made.one("BOARD", *own, "DONE") not in {"2,3", "7,3"}
    made.say("yxblockreset")
    assert made.one("BOARD", *own, "DONE") in {"2,3", "7,3"}
    every = [f"{x},{y}" for x in range(15) for y in range(15)]
    made.say("yxblock", *every, "done")
    assert made.one("BOARD", *own, "DONE").startswith("ERROR")


def test_live_output():
    made = talk(name="test-searching:value=0.25")
    made.say("yxshowinfo", "START 15", "INFO timeout_turn 50")
    answers = made.say("yxnbest 3")
    assert answers[-1] == "0,0"
    assert POINT.match(answers[-1])
    talked = answers[:-1]
    assert "MESSAGE REALTIME REFRESH" in talked
    assert f"MESSAGE REALTIME BEST {answers[-1]}" in talked
    assert {"MESSAGE REALTIME VAL 250", "INFO EVAL 250", "INFO WINRATE 0.6250", "INFO DEPTH 3", "INFO NODES 50"} <= set(
        talked
    )
    assert {"INFO TOTALTIME 100", "INFO SPEED 500", "INFO SELDEPTH 5", "INFO BESTLINE 0,2"} <= set(talked)
    assert [line for line in talked[-40:] if line.startswith("INFO PV") and "DONE" not in line][-3:] == [
        "INFO PV 0",
        "INFO PV 1",
        "INFO PV 2",
    ]
    assert talked.count("MESSAGE REALTIME REFRESH") == 2  # once on the way, once at the end


def test_no_live_output_for_those_who_did_not_ask():
    made = started(15, "INFO timeout_turn 50", name="test-searching:value=0.25")
    assert POINT.match(made.one("BEGIN"))
    assert len(made.say("INFO show_detail 1", "TURN 14,14")) > 5


def test_balance():
    made = started(15, "INFO timeout_turn 50", name="test-searching:value=0")
    assert made.one("yxbalanceone 0") == "0,0"  # its values are -n / 1000
    assert made.one("yxbalanceone -7") == "8,0"
    made = started(15, "INFO timeout_turn 50", name="test-watched:value=0.3")
    assert POINT.match(made.one("yxbalanceone 0"))  # by looking at some moves
    assert POINT.match(started(15).one("yxbalanceone 0"))


def test_there_is_a_strongest_player():
    for game in ("gomoku", "renju", "othello"):
        for seconds in (0, 1, 30):
            assert tengen.player(strongest_player(game, seconds)).supports(Game.parse(game))
    assert strongest_player("gomoku", 1) == strongest_player("gomoku:size=19", 1) == "alphazero"
    for game, seconds in (("gomoku", 0.02), ("gomoku:rule=caro", 1), ("gomoku:size=8", 1), ("othello", 1)):
        assert strongest_player(game, seconds) == "alphabeta"
