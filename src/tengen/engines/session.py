"""What is behind every server's parser: a session with a player; lines read on one thread and obeyed on another."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple, Protocol

from tengen.engines.lines import Line, LineSplitter
from tengen.engines.thought import OnThought, Report, Searcher, Thought
from tengen.errors import PlayerNameError, TengenError
from tengen.games import Game, Position
from tengen.naming import join_name, split_name
from tengen.players import Player, player, player_kinds
from tengen.players._player import require_plays
from tengen.players.strongest import strongest_player
from tengen.search import Limit

_LONGEST_LINE = 1024
_LONGEST_COMPLAINT = 300
_MOST_LINES_AHEAD = 10_000
_AT_ONCE = 0.01  # seconds; a player asked to move at once is given this much
_OVERRUN = 0.02  # what a player may take beyond its limit before it is told to stop
_LAST_SECOND = 1.0  # how long the answers to what was said before the end may take


class Heard(NamedTuple):
    """A line with its number in the session and the moment (monotonic clock) at which it came."""

    line: Line
    number: int
    at: float


class Session:
    """A player that thinks about positions, within limits, and can be told to stop.

    ``think`` is called by the thread that obeys; ``stop`` by any. ``complain`` gets a line of text when the player
    fails, for whoever is at the other end. Two sessions share nothing.
    """

    def __init__(self, name: str | None, complain: Callable[[str], None], *, seed: int | None = None) -> None:
        self._wanted = name
        self._complain = complain
        self._seed = seed
        self.memory: int | None = None  #: MiB that the player may use; None leaves it to the player
        self.threads: int | None = None  #: how many it may think with; None leaves it to the player
        self._player: Player | None = None
        self._player_name = ""
        self._lock = threading.Lock()
        self._now = 0
        self._stop_before = 0
        self._stop_asked = threading.Event()

    def player_for(self, game: Game, seconds: float) -> Player:
        """The player for a game: the one that was named, or the strongest for ``seconds`` a move.

        Raises ``TengenError`` if it does not play that game.
        """
        name = self._name_for(game, seconds)
        if self._player is None or name != self._player_name:
            self.close()
            self._player = player(name, seed=self._seed)
            self._player_name = name
        require_plays(self._player, game)
        return self._player

    def _name_for(self, game: Game, seconds: float) -> str:
        name = self._wanted or strongest_player(game, seconds)
        kind, options = split_name(name, what="player", error=PlayerNameError)
        for key, value in (("memory", self.memory), ("hash", self.memory), ("threads", self.threads)):
            if value is not None and kind in (known := player_kinds()) and key in known[kind].options:
                options.setdefault(key, str(value))
        return join_name(kind, options)

    def new_game(self) -> None:
        """A new game begins."""
        if self._player is not None:
            self._player.new_game()

    def prepare(self, game: Game, seconds: float) -> None:
        """Get the player ready, so that its first move takes no longer than others; a failure shows at that move."""
        with contextlib.suppress(Exception):
            prepare = getattr(self.player_for(game, seconds), "prepare", None)
            if prepare is not None:
                prepare(game)

    def close(self) -> None:
        """Let the player go, and the process it may hold."""
        close = getattr(self._player, "close", None)
        if close is not None:
            close()
        self._player = None

    def obeying(self, number: int) -> None:
        """The line with this number is obeyed from now on."""
        with self._lock:
            self._now = number

    def stop(self, before: int) -> None:
        """Whatever lines with a lower number make the player think about is to be answered at once."""
        with self._lock:
            self._stop_before = max(self._stop_before, before)
            if self._now < self._stop_before:
                self._stop_asked.set()

    def think(
        self,
        position: Position,
        seconds: float,
        *,
        typical: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        lines: int = 1,
        on_thought: OnThought | None = None,
    ) -> Thought:
        """Think for ``seconds`` at most and return a decision with a legal move, and ``lines`` lines if there are.

        ``typical`` is the most that a move may usually take, by which a player is picked where none was named.
        ``nodes`` and ``depth`` are limits too. Players that can tell what they think while they do call
        ``on_thought``. A player that fails is stood in for by greedy, and that is complained about. Raises
        ``TengenError`` if the player does not play this game.
        """
        began = time.monotonic()
        thinker = self.player_for(position.game, seconds if typical is None else typical)
        seconds -= time.monotonic() - began
        with self._lock:
            stopped = self._now < self._stop_before
            if stopped:
                self._stop_asked.set()
            else:
                self._stop_asked.clear()
        seconds = _AT_ONCE if stopped else max(seconds, _AT_ONCE)
        done = threading.Event()
        guard = threading.Thread(target=self._guard, args=(thinker, seconds + _OVERRUN, done), daemon=True)
        guard.start()
        try:
            limit = Limit(seconds=seconds, nodes=nodes, depth=depth)
            thought = _ask(thinker, position.copy(), limit, lines, on_thought)
            if not position.is_legal(thought.decision.move):
                raise TengenError(f"{thinker.name} played {thought.decision.move}, which is illegal")
            return thought
        except Exception as trouble:
            if not isinstance(trouble, TengenError):  # those say what is wrong; others are somebody's mistake
                traceback.print_exc(file=sys.stderr)
            what = " ".join(f"{type(trouble).__name__}: {trouble}".split())
            self._complain(f"{thinker.name} failed, greedy moves instead: {what[:_LONGEST_COMPLAINT]}")
            return Thought.of_decision(player("greedy", seed=self._seed).choose(position), lines)
        finally:
            done.set()
            self._stop_asked.set()  # lets the guard go
            guard.join()

    def _guard(self, thinker: Player, seconds: float, done: threading.Event) -> None:
        """Tell the player to stop when it is asked for or late; again and again, as it may not have begun yet."""
        self._stop_asked.wait(seconds)
        while not done.wait(0.01):
            thinker.stop()


def _ask(thinker: Player, position: Position, limit: Limit, lines: int, on_thought: OnThought | None) -> Thought:
    if not isinstance(thinker, Searcher) or getattr(thinker, "draws_moves", False):
        return Thought.of_decision(thinker.choose(position, limit=limit), lines)

    def tell(report: Report) -> None:
        if on_thought is not None and report.lines:
            on_thought(Thought.of_report(position, report))

    report = thinker.search(position, limit=limit, lines=lines, on_report=tell if on_thought else None)
    return Thought.of_report(position, report)


class Server(Protocol):
    """A protocol's parser."""

    def overhear(self, heard: Heard) -> bool:
        """Look at a line as it is read, on the reading thread; False if nothing after it will matter."""

    def obey(self, heard: Heard) -> bool:
        """Do what a line says, on the thread that serves; False to leave."""

    def input_ended(self, number: int) -> bool:
        """The input has ended after ``number`` lines; called on the reading thread. False: leave soon."""

    def failed(self, heard: Heard, trouble: Exception) -> None:
        """Say that a line could not be obeyed because of a mistake in here."""


def serve(server: Server, read: Callable[[], bytes], *, leave: Callable[[], None] | None = None) -> None:
    """Read lines with ``read`` (empty bytes: the end) and have them obeyed until the server or the input is done.

    ``leave`` is called from another thread if, a second after the server wants no more input, its answers to what came
    before are not out.
    """
    lines: queue.Queue[Heard | None] = queue.Queue(_MOST_LINES_AHEAD)
    reader = threading.Thread(target=_read, args=(server, read, lines, leave), name="reader", daemon=True)
    reader.start()
    while (heard := lines.get()) is not None:
        try:
            if not server.obey(heard):
                break
        except BrokenPipeError:
            break  # nobody listens any more
        except Exception as trouble:
            traceback.print_exc(file=sys.stderr)
            server.failed(heard, trouble)


def _read(
    server: Server, read: Callable[[], bytes], lines: queue.Queue[Heard | None], leave: Callable[[], None] | None
) -> None:
    splitter = LineSplitter(_LONGEST_LINE)
    number = 0
    more = True
    while more:
        data = read()
        came = splitter.feed(data) if data else splitter.end()
        for line in came:
            heard = Heard(line, number, time.monotonic())
            number += 1
            more = server.overhear(heard)
            if not more:
                _leave_soon(leave)
            lines.put(heard)
            if not more:
                break
        if not data and more:
            if not server.input_ended(number):
                _leave_soon(leave)
            break
    lines.put(None)


def _leave_soon(leave: Callable[[], None] | None) -> None:
    if leave is not None:
        timer = threading.Timer(_LAST_SECOND, leave)
        timer.daemon = True
        timer.start()


def read_stdin() -> bytes:
    """Whatever is there on standard input, as soon as something is."""
    try:
        return os.read(0, 1 << 16)
    except OSError:
        return b""


class Writer:
    """Lines to standard output, each out at once; any thread may write."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __call__(self, text: str) -> None:
        """Write a text and a line end."""
        data = memoryview(text.encode() + b"\n")
        with self._lock:
            while data:
                data = data[os.write(1, data) :]
