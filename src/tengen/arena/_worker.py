"""The process that games of a match are played in: it reads tasks from a socket and answers with results.

A player may do anything here, even end the process or never answer: the parent sees on the whiteboard, a piece of
shared memory, whose turn it was. When the parent is gone, so is the worker, at once and with its players.
"""

from __future__ import annotations

import contextlib
import json
import math
import mmap
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from queue import SimpleQueue
from typing import Any

import tengen
from tengen.arena.game import GameResult, lost_by_exception, make_ready, referee
from tengen.arena.timekeeper import Terms
from tengen.games import Game, Position
from tengen.players import Player
from tengen.players._player import require_plays
from tengen.search import Limit, TimeControl

#: How long a player may take to be made and to get ready for a game, and to let go of what it holds after it.
MAKING_SECONDS = 120.0
CLOSING_SECONDS = 5.0

# Words of 8 bytes before the moves: floats (when the player began to think, until when it must be back, and by colour
# the seconds of its moves and of the longest of them), then integers (game, state, plies).
_FLOATS, _INTEGERS = 6, 3
_HEADER = 8 * (_FLOATS + _INTEGERS)
_MOST_MOVES = 2048

IDLE, MAKING, THINKING, CLOSING = 0, 1, 2, 3  # states; a seat is added in bit 8


class Whiteboard:
    """What a worker writes down as it goes, for the parent to read should the worker never speak again."""

    SIZE = _HEADER + 2 * _MOST_MOVES

    def __init__(self, descriptor: int) -> None:
        self._map = mmap.mmap(descriptor, self.SIZE)
        view = memoryview(self._map)
        self._times = view[: 8 * _FLOATS].cast("d")
        self._numbers = view[8 * _FLOATS : _HEADER].cast("q")
        self._moves = view[_HEADER:].cast("h")

    def begin(self, game: int) -> None:
        """A game starts."""
        for place in range(2, _FLOATS):
            self._times[place] = 0.0
        self._numbers[0], self._numbers[2] = game, 0

    def idle(self) -> None:
        """Nothing is going on."""
        self._numbers[1] = IDLE

    def closing(self) -> None:
        """The game is over and its result told; players let go of what they hold."""
        self._set(CLOSING, 0, time.monotonic(), CLOSING_SECONDS)

    def making(self, seat: int) -> None:
        """A player is being made."""
        self._set(MAKING, seat, time.monotonic(), MAKING_SECONDS)

    def thinking(self, seat: int, begun: float, deadline: float) -> None:
        """A player starts to think, until ``deadline``."""
        self._set(THINKING, seat, begun, deadline - begun)

    def _set(self, state: int, seat: int, begun: float, seconds: float) -> None:
        self._times[0], self._times[1] = begun, begun + seconds
        self._numbers[1] = state | seat << 8

    def moved(self, action: int, spent: float) -> None:
        """The player has moved."""
        seat, plies = self.seat, self._numbers[2]
        self._times[2 + seat] += spent
        self._times[4 + seat] = max(self._times[4 + seat], spent)
        if plies < _MOST_MOVES:
            self._moves[plies] = action
            self._numbers[2] = plies + 1

    @property
    def begun(self) -> float:
        """When the player began to think."""
        return self._times[0]

    @property
    def deadline(self) -> float:
        """Until when the player must be back; infinite when nobody has to."""
        return self._times[1] if self._numbers[1] != IDLE else math.inf

    @property
    def seconds(self) -> tuple[float, float]:
        """What black's and white's moves so far took together."""
        return self._times[2], self._times[3]

    @property
    def slowest(self) -> tuple[float, float]:
        """The longest of black's and of white's moves."""
        return self._times[4], self._times[5]

    @property
    def game(self) -> int:
        """The number of the game that was begun last."""
        return self._numbers[0]

    @property
    def state(self) -> int:
        """IDLE, MAKING, THINKING or CLOSING."""
        return self._numbers[1] & 0xFF

    @property
    def seat(self) -> int:
        """Whose turn it is: 0 black, 1 white."""
        return self._numbers[1] >> 8

    @property
    def moves(self) -> list[int]:
        """The moves of the game so far."""
        return self._moves[: self._numbers[2]].tolist()


def result_to_json(number: int, result: GameResult) -> dict[str, Any]:
    """A result as plain values, without the start, which the parent knows."""
    return {
        "number": number,
        "moves": [int(move) for move in result.moves],
        "winner": result.winner,
        "reason": result.reason,
        "fault": result.fault,
        "at_fault": result.at_fault,
        "detail": result.detail,
        "seconds": result.seconds,
        "slowest": result.slowest,
        "plies": result.plies,
    }


class _Table:
    """Where games are played: the players of the moment, and the parent at the other end of the line."""

    def __init__(self, line: socket.socket, whiteboard: Whiteboard) -> None:
        self._line = line
        self._whiteboard = whiteboard
        self._players: list[Player] = []

    def serve(self) -> None:
        """Do what comes in until the line is closed."""
        tasks: SimpleQueue[dict[str, Any]] = SimpleQueue()
        threading.Thread(target=self._listen, args=(tasks,), daemon=True).start()
        while True:
            task = tasks.get()
            if "check" in task:
                self._check(task)
            else:
                self._play(task)

    def _answer(self, answer: dict[str, Any]) -> None:
        self._line.sendall(json.dumps(answer, separators=(",", ":")).encode() + b"\n")

    def _listen(self, tasks: SimpleQueue[dict[str, Any]]) -> None:
        # A thread of its own, so that the end of the parent is noticed while a player thinks.
        with contextlib.suppress(OSError), self._line.makefile("rb") as lines:
            for line in lines:
                tasks.put(json.loads(line))
        with contextlib.suppress(BaseException):
            for player in self._players:
                player.stop()
            self._close()
        os._exit(0)

    def _check(self, task: dict[str, Any]) -> None:
        """Whether a player can be made at all; only an error of ours is an answer, the rest shows in the games."""
        self._whiteboard.begin(task["number"])
        with self._made([task["check"]], [0], None) as (players, trouble):
            error = trouble[1] if trouble is not None else None
            try:
                for player in players:
                    require_plays(player, Game.parse(task["game"]))
            except Exception as found:
                error = error or found
            known = str(error) if isinstance(error, tengen.TengenError) else ""
            self._answer({"number": task["number"], "error": known})

    def _play(self, task: dict[str, Any]) -> None:
        board = self._whiteboard
        board.begin(task["number"])
        start = Position.from_dict(task["start"])
        clock = TimeControl(*task["clock"]) if task["clock"] else None
        terms = [
            Terms(None if seconds is None else Limit(seconds=seconds), timeout, clock)
            for seconds, timeout in zip(task["seconds"], task["timeouts"], strict=True)
        ]
        with self._made(task["names"], task["seeds"], start.game) as (players, trouble):
            if trouble is None:
                result = referee(players, start, terms, max_moves=task["max_moves"], watcher=board)
            else:
                result = lost_by_exception(start, *trouble)
            board.closing()
            self._answer(result_to_json(task["number"], result))

    @contextlib.contextmanager
    def _made(
        self, names: Sequence[str], seeds: Sequence[int], game: Game | None
    ) -> Iterator[tuple[list[Player], tuple[int, BaseException] | None]]:
        """Make players and get them ready for a game; yields them, or which one failed and how. It closes them."""
        self._players = []
        trouble: tuple[int, BaseException] | None = None
        for seat, (name, seed) in enumerate(zip(names, seeds, strict=True)):
            self._whiteboard.making(seat)
            try:
                player = tengen.player(name, seed=seed)
                self._players.append(player)
                if game is not None:
                    make_ready(player, game)
            except (Exception, SystemExit) as error:
                trouble = (seat, error)
                break
        try:
            yield self._players, trouble
        finally:
            self._whiteboard.closing()
            self._close()
            self._whiteboard.idle()

    def _close(self) -> None:
        """Let go of what players hold (an engine's process): they may have a method ``close``."""
        for player in self._players:
            close = getattr(player, "close", None)
            if close is not None:
                with contextlib.suppress(Exception):
                    close()
        self._players = []


def main(line: int, whiteboard: int, imports: Sequence[str]) -> None:
    """Serve on the descriptors of a socket and of shared memory; ``imports`` may register kinds of player."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    for module in imports:
        import_module(module)
    _Table(socket.socket(fileno=line), Whiteboard(whiteboard)).serve()
