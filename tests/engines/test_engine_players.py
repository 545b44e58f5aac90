"""Other programs as players: whole games, and every way in which they can fail."""

from __future__ import annotations

import sys
import threading
import time

import pytest

import tengen
from tengen import PlayerNameError, Position, TengenError
from tengen.arena import play_game
from tengen.engines import EngineError, Fault
from tengen.players.engine import GomocupPlayer, GtpPlayer
from tengen.players.human import Resigned
from tengen.search import Clock, TimeControl
from tengen.testing import check_player

TENGEN = f"{sys.executable} -m tengen"
ANSWER = "for line in lines:\n    if line.startswith('START'): say('OK')\n"
ASKED = "    elif line == 'BEGIN' or line == 'DONE' or line.startswith('TURN'):\n"


@pytest.fixture(autouse=True)
def _find_tengen(monkeypatch, environment):
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])


@pytest.fixture
def made():
    """Make players that are closed at the end."""
    players = []

    def make(name):
        players.append(tengen.player(name))
        return players[-1]

    yield make
    for player in players:
        player.close()


def play(game, black, white, position=None):
    position = position or Position(game)
    while not position.is_over:
        position.play((black if position.to_move == "black" else white).choose(position).move)
    return position


def test_we_beat_random_through_our_own_protocol(made):
    engine = made(f"engine:cmd={TENGEN} engine --player greedy --seed 1,time=5")
    pids = set()
    for number, game in enumerate(["gomoku", "gomoku:rule=standard", "renju", "gomoku:rule=caro", "gomoku:size=9"]):
        engine.new_game()
        rival = tengen.player("random", seed=number)
        position = play(game, *((engine, rival) if number % 2 == 0 else (rival, engine)))
        assert position.outcome().winner == ("black" if number % 2 == 0 else "white")
        pids.add(engine.engine.pid)
    assert len(pids) == 1  # one process for all games
    assert 'name="Tengen"' in engine.engine.about()


def test_the_engine_sees_the_position_whatever_came_before(made):
    # Greedy completes the five: only if it was told all stones, and whose they are.
    engine = made(f"engine:cmd={TENGEN} engine --player greedy,time=5")
    won = Position("gomoku", "c3c5d3d5e3e5f3f5")
    assert str(engine.choose(won).move) in {"b3", "g3"}
    assert str(engine.choose(Position("gomoku", "a1c5c3d5d3e5e3f5h15")).move) in {"b5", "g5"}
    set_up = Position.from_stones("renju", black=["c3", "d3", "e3", "f3"], white=["a1", "a3", "a5", "b10"])
    assert str(engine.choose(set_up).move) in {"b3", "g3"}
    assert engine.choose(Position("renju")).move is not None


@pytest.mark.parametrize(("kind", "game"), [("engine:cmd={} engine", "renju:size=9"), ("gtp:cmd={} gtp", "othello")])
def test_they_keep_the_promises_of_players(made, kind, game):
    command = kind.format(TENGEN)
    check_player(
        lambda seed: made(f"{command} --player greedy --seed {seed},time=5"), [game], limit=tengen.Limit(seconds=5)
    )


def test_two_engines_play_each_other(made):
    one, two = (made(f"engine:cmd={TENGEN} engine --player greedy --seed {seed},time=5") for seed in (1, 2))
    assert play("gomoku:size=9", one, two).is_over


def test_othello_over_gtp(made):
    engine = made(f"gtp:cmd={TENGEN} gtp --player greedy --seed 1,time=5")
    for number in range(3):
        engine.new_game()
        rival = tengen.player("random", seed=number)
        assert play("othello", *((engine, rival) if number else (rival, engine))).is_over
    assert engine.engine.name() == f"Tengen {tengen.__version__}"
    assert engine.choose(Position("othello", "f5d6c3")).move in Position("othello", "f5d6c3").legal_moves()


def test_gomoku_over_gtp_has_no_letter_i(made):
    engine = made(f"gtp:cmd={TENGEN} gtp --game gomoku --player greedy,time=5")
    assert str(engine.choose(Position("gomoku", "i3c5j3d5k3e5l3f5")).move) in {"h3", "m3"}


def test_gtp_cannot_set_up(made):
    engine = made(f"gtp:cmd={TENGEN} gtp --player greedy")
    with pytest.raises(TengenError, match="reached by moves"):
        engine.choose(Position.from_stones("othello", black=["d4"], white=["d5"]))


PASSLESS = """
moves = []
for line in lines:
    words = line.split()
    if words[0] == 'play' and words[2].lower() == 'pass': print('? syntax error\\n', flush=True); continue
    if words[0] == 'play': moves.append(words[2])
    if words[0] == 'undo': moves.pop()
    if words[0] == 'genmove': print('=', ANSWERS.pop(0) + '\\n', flush=True); moves.append('?'); continue
    if words[0] == 'clear_board': moves = []
    print('= play genmove undo ' + ' '.join(moves) + '\\n', flush=True)
"""


def test_engines_without_a_word_for_pass(made, double, moves_to_a_pass):
    after = Position("othello", moves_to_a_pass)  # the last move is the pass
    engine = made(f"gtp:cmd={double(f'ANSWERS = {[str(after.legal_moves()[0])] * 3!r}' + PASSLESS)},time=5")
    before = Position("othello", moves_to_a_pass[:-1])
    assert engine.choose(before).move.is_pass  # not asked
    assert engine.choose(after).move == after.legal_moves()[0]
    assert engine.choose(after).move == after.legal_moves()[0]  # after taking its own move back
    told = engine.engine._command_answer("list_commands", 5).split()[3:]
    assert told[:-1] == [vertex.upper() for vertex in moves_to_a_pass[:-1]]


@pytest.fixture
def moves_to_a_pass():
    for seed in range(100):
        position, rival = Position("othello"), tengen.player("random", seed=seed)
        while not position.is_over:
            if position.play(rival.choose(position).move).is_pass:
                return [str(move) for move in position.moves]
    raise AssertionError("no game has a pass")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("sys.exit(1)", Fault.CRASH),
        (ANSWER + ASKED + "        os._exit(0)", Fault.CRASH),
        (ANSWER + ASKED + "        os.kill(os.getpid(), 11)", Fault.CRASH),
        (ANSWER + ASKED + "        time.sleep(60)", Fault.TIMEOUT),
        (ANSWER + ASKED + "        say('7,7')", Fault.ILLEGAL),
        (ANSWER + ASKED + "        say('99,99')", Fault.ILLEGAL),
        (ANSWER + ASKED + "        say('-1,3')", Fault.PROTOCOL),
        (ANSWER + ASKED + "        say('I think h8')", Fault.PROTOCOL),
        (ANSWER + ASKED + "        say('ERROR no idea')", Fault.PROTOCOL),
        (ANSWER + ASKED + "        os.write(1, os.urandom(5000) + bytes(10))", Fault.PROTOCOL),
        (ANSWER + ASKED + "        os.write(1, b'7' * 10**6)", Fault.PROTOCOL),
        ("for line in lines: say('ERROR I do not do that size')", Fault.PROTOCOL),
    ],
)
def test_faults_have_kinds_and_leave_no_process(made, double, code, kind):
    engine = made(f"engine:cmd={double(code)},time=0.3")
    with pytest.raises(EngineError) as caught:
        engine.choose(Position("gomoku", "h8"))
    assert caught.value.kind == kind
    assert engine.engine.pid is None


def test_an_engine_can_be_asked_again_after_it_failed(made, double, tmp_path):
    flag = tmp_path / "flag"
    code = (
        ANSWER
        + ASKED
        + f"        if os.path.exists({str(flag)!r}): say('3,4')\n        else: open({str(flag)!r}, 'w'); "
        "os._exit(1)"
    )
    engine = made(f"engine:cmd={double(code)},time=2")
    position = Position("gomoku", "h8")
    with pytest.raises(EngineError):
        engine.choose(position)
    assert str(engine.choose(position).move) == "d11"


def test_talk_is_kept_and_is_no_answer(made, double):
    code = (
        "say('Some Engine 1.0, loading...')\n"
        + ANSWER
        + ASKED
        + """        for n in range(20000): say(f'MESSAGE depth {n} nodes 5K')
        say('DEBUG 3,3'); say(''); say('SUGGEST 2,2'); sys.stderr.write('x' * 10**6); say('1,2'); say('MESSAGE late')
"""
    )
    engine = made(f"engine:cmd={double(code)},time=15")
    decision = engine.choose(Position("gomoku", "h8"))
    assert str(decision.move) == "b13"
    assert decision.stats["depth"] == 19999
    assert decision.stats["nodes"] == 5000
    assert decision.stats["messages"] == 200  # the last of them
    assert "DEBUG 3,3" in engine.engine.messages
    with pytest.raises(EngineError, match="b13"):  # the same answer again, which is now illegal
        engine.choose(Position("gomoku", ["h8", "b13", "a1"]))


def test_it_is_told_the_game_the_time_and_the_memory(made, double, tmp_path):
    log = tmp_path / "log"
    code = f"log = open({str(log)!r}, 'w')\n" + ANSWER.replace(
        "lines:", "lines:\n    print(line, file=log, flush=True)"
    )
    code += ASKED + "        say('0,0') if line != 'TURN 1,1' else say('0,1')"
    engine = made(f"engine:cmd={double(code)},time=2,memory=350")
    engine.choose(Position("renju", "h8i9j10"))
    engine.choose(Position("renju", ["h8", "i9", "j10", "a15", "b14"]), limit=tengen.Limit(seconds=1))
    said = log.read_text().split("\n")
    assert said[0] == "START 15"
    assert {"INFO rule 4", "INFO timeout_turn 2000", "INFO timeout_match 0", f"INFO max_memory {350 << 20}"} <= set(
        said
    )
    at = said.index("BOARD")
    assert said[at : at + 5] == ["BOARD", "7,7,2", "8,6,1", "9,5,2", "DONE"]
    assert said[at + 5 :] == ["INFO timeout_turn 1000", "TURN 1,1", ""]


def test_it_is_told_the_clock(made, double, tmp_path):
    log = tmp_path / "log"
    code = f"log = open({str(log)!r}, 'w')\n" + ANSWER.replace(
        "lines:", "lines:\n    print(line, file=log, flush=True)"
    )
    code += ASKED + "        say('0,0') if line != 'TURN 1,1' else say('0,1')"
    engine = made(f"engine:cmd={double(code)}")
    control = TimeControl(60, 1)
    engine.choose(Position("gomoku", "h8"), limit=tengen.Limit(seconds=3, clock=Clock(61, control)))
    said = log.read_text().splitlines()
    times = {"time_increment 1000", "timeout_match 61000", "timeout_turn 16000", "time_left 61000"}
    assert {f"INFO {each}" for each in times} <= set(said)
    limit = tengen.Limit(seconds=2, clock=Clock(41.5, control))
    engine.choose(Position("gomoku", ["h8", "a15", "b14"]), limit=limit)
    assert log.read_text().splitlines()[len(said) :] == ["INFO timeout_turn 11125", "INFO time_left 41500", "TURN 1,1"]
    named = made(f"engine:cmd={double(code)},time=2")  # the name settles it, and the clock bounds it
    named.choose(Position("gomoku", "h8"), limit=tengen.Limit(seconds=1.5, clock=Clock(41.5, control)))
    said = log.read_text().splitlines()
    assert {"INFO timeout_turn 1500", "INFO timeout_match 0"} <= set(said)
    assert not any("time_increment" in line for line in said)


def test_an_engine_past_its_clock_is_not_waited_for(made, double):
    engine = made(f"engine:cmd={double(ANSWER + ASKED + '        time.sleep(60)')}")
    engine.prepare(tengen.Game.parse("gomoku"))
    began = time.monotonic()
    with pytest.raises(EngineError) as caught:
        engine.choose(Position("gomoku"), limit=tengen.Limit(seconds=0.1, clock=Clock(0.4, TimeControl(5))))
    assert caught.value.kind == Fault.TIMEOUT
    assert 0.4 <= time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("control", "left", "settings", "told"),
    [
        ("60", 60, "60 0 0", "60 0"),
        ("60", 0.7, "60 0 0", "0 0"),
        ("60+2", 62, "60 2 1", "60 0"),
        ("60+2", 12.6, "60 2 1", "10 0"),
        ("60+2", 2.9, "60 2 1", "2 1"),
        ("0.5+0.5", 1, "1 0 0", "1 0"),
        (None, None, "0 3 1", "3 1"),
    ],
)
def test_the_clock_over_gtp(made, double, tmp_path, control, left, settings, told):
    log = tmp_path / "log"
    code = f"""
log = open({str(log)!r}, 'w')
answers = {{'list_commands': '= time_settings time_left', 'genmove white': '= D6'}}
for line in lines:
    print(line, file=log, flush=True)
    print(answers.get(line, '='), end='\\n\\n', flush=True)
"""
    engine = made(f"gtp:cmd={double(code)}")
    clock = control and Clock(left, TimeControl.parse(control))
    engine.choose(Position("othello", "f5"), limit=tengen.Limit(seconds=3.5, clock=clock))
    said = log.read_text().splitlines()
    assert said[-3:] == [f"time_settings {settings}", f"time_left white {told}", "genmove white"]
    engine.choose(Position("othello", "f5"), limit=tengen.Limit(seconds=3.5, clock=clock))
    assert log.read_text().splitlines()[len(said) :][-2:] == [f"time_left white {told}", "genmove white"]


@pytest.mark.parametrize("kind", ["engine:cmd={} engine", "gtp:cmd={} gtp --game gomoku"])
def test_two_of_us_play_by_the_clock(kind):
    name = kind.format(TENGEN) + " --seed 1"
    result = play_game(name, "greedy", "gomoku", clock="3+1", seed=1)
    assert result.fault is None, result.detail
    assert result.winner == "black"
    assert result.seconds[0] > 0.5  # it used what it had


def test_stop_ends_a_long_thought(made, double):
    code = (
        ANSWER
        + ASKED
        + """        for more in lines:
            if more == 'YXSTOP': say('4,4'); say('UNKNOWN command'); break
"""
    )
    engine = made(f"engine:cmd={double(code)},time=60")
    timer = threading.Timer(0.3, engine.stop)
    timer.start()
    started = time.monotonic()
    assert str(engine.choose(Position("gomoku")).move) == "e11"
    assert time.monotonic() - started < 15
    engine.stop()  # nothing is running


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        ("= A1", EngineError, "turns no disc"),
        ("= Z9", EngineError, "is no move"),
        ("= resign", Resigned, "white resigns"),
        ("? cannot", EngineError, "was refused: cannot"),
        ("what", EngineError, "was answered with 'what'"),
    ],
)
def test_answers_over_gtp(made, double, answer, error, says):
    code = f"""for line in lines: print({answer!r} if line.startswith('genmove') else '=', end='\\n\\n', flush=True)"""
    engine = made(f"gtp:cmd={double(code)},time=5")
    with pytest.raises(error, match=says):
        engine.choose(Position("othello", "f5"))


def test_an_answer_without_end_over_gtp(made, double):
    engine = made(f"gtp:cmd={double('for line in lines:' + chr(10) + '    while True: say(chr(61) + chr(32) + line)')}")
    with pytest.raises(EngineError, match="without end"):
        engine.choose(Position("othello"))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("engine", "say which engine"),
        ("gtp", "say which engine"),
        ("engine:cmd=sh,time=-1", "a number from 0.001"),
        ("engine:cmd=sh,time=nan", "a number from 0.001"),
        ("engine:cmd=sh,time=soon", "a number from 0.001"),
        ("engine:cmd=sh,memory=0", "a whole number from 1"),
        ("engine:cmd=sh,memory=1e9", "a whole number from 1"),
        ("engine:cmd=/nonexistent/pbrain-x", "there is no program '/nonexistent/pbrain-x' that can be run"),
        ("gtp:cmd=/ -x", "there is no program '/' that can be run"),
        ("engine:cmd='x", "quotation|quote"),
        ("engine:level=3", "its keys are cmd, time, memory, seed"),
    ],
)
def test_bad_names(name, says):
    with pytest.raises(PlayerNameError, match=says):
        tengen.player(name)


def test_what_they_play():
    engine, gtp = GomocupPlayer(cmd=["x"]), GtpPlayer(cmd=["x"])
    games = ["gomoku", "renju:size=20", "gomoku:size=3,win=3", "gomoku:size=9,win=4", "othello"]
    assert [engine.supports(tengen.Game.parse(game)) for game in games] == [True, True, False, False, False]
    assert [gtp.supports(tengen.Game.parse(game)) for game in games] == [True, False, False, False, True]
    with pytest.raises(EngineError, match="cannot be started"):
        GomocupPlayer(cmd=["/nonexistent/pbrain"]).choose(Position("gomoku"))
    with pytest.raises(TengenError, match="over"):
        engine.choose(Position("gomoku:size=5", "a1a2b1b2c1c2d1d2e1"))
