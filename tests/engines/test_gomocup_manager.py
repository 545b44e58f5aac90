"""A scripted Gomocup manager against ``tengen engine`` as a program of its own."""

from __future__ import annotations

import random
import re
import time

import pytest

import tengen
from tengen import Position

POINT = re.compile(r"([0-9]+),([0-9]+)\Z")
RULES = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8}


class Manager:
    """Knows the rules, keeps the game, and takes no excuses."""

    def __init__(self, program, game):
        self.program = program
        self.position = Position(game)
        self.slowest = 0.0

    def begin(self):
        game = self.position.game
        self.program.send(
            f"START {game.size}", "INFO timeout_turn 2000", "INFO timeout_match 0", "INFO time_left 2147483647"
        )
        self.program.send("INFO game_type 1", f"INFO rule {RULES[game.rule]}", f"INFO max_memory {350 << 20}")
        assert self.program.read() == "OK"

    def ask(self, *lines):
        """Send lines that call for a move, and play the answer, which must be legal."""
        began = time.monotonic()
        answer = self.program.ask(*lines)
        self.slowest = max(self.slowest, time.monotonic() - began)
        found = POINT.match(answer)
        assert found, answer
        self.position.play(self.position.game.at(int(found[2]), int(found[1])))

    def turn(self, move):
        self.position.play(move)
        if not self.position.is_over:
            self.ask(f"TURN {move.column},{move.row}")

    def board(self):
        stones = []
        for number, move in enumerate(self.position.moves):
            own = number % 2 == self.position.ply % 2
            stones.append(f"{move.column},{move.row},{1 if own else 2}")
        self.ask("BOARD", *stones, "DONE")

    def sync(self):
        """All lines that were said before this."""
        self.program.send("ABOUT")
        said = []
        while not (line := self.program.read()).startswith("name="):
            said.append(line)
        return said


def nonsense(generator, count, busy):
    """Lines that no manager should send, as bytes; ``busy`` is an occupied point."""
    words = ["TURN", "BOARD", "START", "TAKEBACK", "INFO", "SWAP2BOARD", "", "\0", "BEGIN", "GO", "yxnbest", "{}", "😀"]
    wrong = [
        "TURN",
        f"TURN {busy}",
        "TURN 99,99",
        "TURN -1,-1",
        "TURN 1;1",
        "BEGIN",
        "START 4",
        "START 100",
        "START fifteen",
        "RECTSTART 10,20",
        "RECTSTART 5",
        "TAKEBACK 98,1",
        "TAKEBACK",
        "INFO",
        "INFO rule",
        "INFO rule x",
        "INFO timeout_turn soon",
        "INFO unheard of",
        "DONE",
        "7,7,1",
        "BOARD\r\n7,7,9\r\nDONE",
        "BOARD\r\n7,7,1\r\n7,7,1\r\nDONE",
        "BOARD\r\n7,7,1\r\nFOO\r\nDONE",
        "SWAP2BOARD\r\n7,7\r\nDONE",
        "yxboard\r\n1,1\r\ndone",
        "yxblock\r\n99,99\r\ndone",
        "yxshowforbid please",
        "",
        " ",
        "\t",
    ]
    for _ in range(count):
        draw = generator.random()
        if draw < 0.6:
            yield generator.choice(wrong).encode()
        elif draw < 0.8:
            length = generator.randrange(1, 60)
            line = bytes(generator.randrange(256) for _ in range(length))
            yield b"?" + line.translate(None, b"\r\n")
        elif draw < 0.99:
            yield " ".join(generator.choice(words) + generator.choice("!,9x") for _ in range(5)).encode()
        else:
            yield generator.choice([b"A", b"TURN ", b"7,", b"\0"]) * generator.randrange(1000, 30_000)


@pytest.mark.parametrize("rule", RULES)
def test_whole_games(start, rule):
    program = start("engine", "--player", "greedy", "--seed", "3")
    rival = tengen.player("greedy", seed=4)
    for number in range(4):
        manager = Manager(program, f"gomoku:rule={rule},size={(15, 20, 12, 15)[number]}")
        manager.begin()
        if number % 2 == 0:
            manager.ask("BEGIN")
        while not manager.position.is_over:
            move = rival.choose(manager.position).move
            if number == 3 and manager.position.ply:
                manager.position.play(move)
                if not manager.position.is_over:
                    manager.board()
            else:
                manager.turn(move)
        assert manager.slowest < 3
    program.send("END")
    assert program.ended() == 0


def test_two_thousand_lines_of_nonsense_change_nothing(start):
    def game(with_nonsense):
        program = start("engine", "--player", "greedy", "--seed", "5")
        rival, generator = tengen.player("greedy", seed=6), random.Random(7)
        manager = Manager(program, "renju")
        manager.begin()
        manager.ask("BEGIN")
        complaints = sent = 0
        while not manager.position.is_over and manager.position.ply < 60:
            if with_nonsense and sent < 2000:
                last = manager.position.last_move
                lines = list(nonsense(generator, 400, f"{last.column},{last.row}"))
                sent += len(lines)
                program.send_bytes(b"".join(line + generator.choice([b"\n", b"\r\n", b"\r"]) for line in lines))
                said = manager.sync()
                assert {line.split()[0] for line in said} <= {"ERROR", "UNKNOWN", "FORBID"}, said
                complaints += len(said)
            manager.turn(rival.choose(manager.position).move)
        assert sent == 0 or (sent >= 2000 and complaints > 1500)
        return manager.position.moves

    assert game(with_nonsense=True) == game(with_nonsense=False)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(start, end):
    program = start("engine", "--player", "greedy")
    program.send("start 15", end=end)
    assert program.read() == "OK"
    program.send("begin", end=end)
    assert POINT.match(program.read())
    program.send("end", end=end)
    assert program.ended() == 0
    assert program.lines.empty()


@pytest.mark.parametrize("last", ["END\r\n", "END", ""])
def test_the_end_of_input_is_the_end(start, last):
    program = start("engine", "--player", "greedy")
    program.send_bytes(f"START 15\r\nBEGIN\r\nTURN 0,0\r\n{last}".encode())
    program.process.stdin.close()
    assert program.ended() == 0
    assert program.read() == "OK"
    assert POINT.match(program.read())


SLOW = """
import sys, threading, time
from tengen.cli.engine import engine_command
from tengen.players import PlayerKind, register
from tengen.players.random import RandomPlayer

class Slow(RandomPlayer):
    '''Thinks for all its time, unless it is stopped; a deaf one cannot be.'''
    def choose(self, position, *, limit=None):
        self.event = threading.Event() if sys.argv[1] == 'stoppable' else None
        self.event.wait(limit.seconds) if self.event else time.sleep(limit.seconds)
        return super().choose(position)
    def stop(self):
        if getattr(self, 'event', None): self.event.set()

register(PlayerKind('slow', '', Slow, {}))
engine_command(['--player', 'slow'], prog_name='pbrain-slow')
"""


@pytest.fixture
def slow(environment):
    import sys

    from .conftest import Program

    programs = []

    def begin(kind):
        programs.append(Program([sys.executable, "-c", SLOW, kind], environment))
        assert programs[-1].ask("INFO timeout_turn 60000", "START 15") == "OK"
        return programs[-1]

    yield begin
    for program in programs:
        program.kill()


def test_yxstop_is_heard_while_it_thinks(slow):
    program = slow("stoppable")
    program.send("BEGIN")
    time.sleep(0.2)
    began = time.monotonic()
    program.send("yxstop")
    point = program.read()
    assert POINT.match(point)
    assert time.monotonic() - began < 10
    free = "0,0" if point != "0,0" else "1,1"
    program.send(f"TURN {free}", "YXSTOP", "ABOUT")  # all at once: the thought may not have begun
    assert POINT.match(program.read())
    assert program.read().startswith("name=")


@pytest.mark.parametrize("kind", ["stoppable", "deaf"])
@pytest.mark.parametrize("how", ["END", "end of input"])
def test_it_ends_while_it_thinks(slow, kind, how):
    program = slow(kind)
    program.send("BEGIN")
    time.sleep(0.2)
    began = time.monotonic()
    if how == "END":
        program.send("END")
    else:
        program.process.stdin.close()
    program.ended()
    assert time.monotonic() - began < 10


def test_a_turn_is_answered_in_its_time(slow):
    program = slow("stoppable")
    program.send("INFO timeout_turn 1500")
    began = time.monotonic()
    assert POINT.match(program.ask("BEGIN"))
    assert 0.9 < time.monotonic() - began < 5


def test_a_wrong_player_is_refused_at_the_start(start):
    program = start("engine", "--player", "grandmaster")
    assert program.ended() == 2
    time.sleep(0.1)
    assert b"unknown player" in program.errors
