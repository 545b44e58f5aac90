"""Another program's engine, spoken to in the Gomocup (Piskvork) protocol."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest

from tengen.engines.client import EngineClient
from tengen.engines.process import ChildProcess, EngineError, Fault
from tengen.errors import TengenError
from tengen.games import Game, Move, Position, Side
from tengen.search import Clock

RULE_BITS = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8}

_UNLIMITED_MS = 2147483647
_TURN_SHARE = 4  # of the savings on a clock, the most that one turn may cost: some engines know no match time
_ABOUT_SECONDS = 5.0
_MESSAGES_KEPT = 200
_POINT = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\Z")
_TALK = ("MESSAGE", "DEBUG", "SUGGEST", "INFO")
_COUNT = re.compile(r"\b(depth|nodes?)\b\W{0,3}([0-9]+(?:\.[0-9]+)?)\s?([KMG]?)", re.IGNORECASE)
_UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9}


def supports(game: Game) -> bool:
    """Whether the protocol has words for a game: five in a row, on a board that engines know."""
    return game.kind == "gomoku" and game.win == 5 and game.size >= 5


def stones_in_order(position: Position) -> list[tuple[Move, Side]]:
    """All stones with their sides: those set up first, black and white in turns, then the moves in their order."""
    stones: list[tuple[Move, Side]] = []
    side = Side.BLACK
    if position.setup:
        side = position.setup.to_move
        for black, white in zip_longest(position.setup.black, position.setup.white):
            stones += [(move, of) for move, of in ((black, Side.BLACK), (white, Side.WHITE)) if move is not None]
    for move in position.moves:
        stones.append((move, side))
        side = side.other
    return stones


class GomocupEngine(EngineClient):
    """An engine that speaks the Gomocup protocol; ``memory`` is in MiB."""

    _FAREWELL = "END"

    def __init__(
        self, command: Sequence[str], *, memory: int | None = None, grace: float = 1.0, start_seconds: float = 30.0
    ) -> None:
        super().__init__(command, grace=grace, start_seconds=start_seconds)
        self._memory = memory
        self._known: Position | None = None  # what stands on the engine's board; None if it has to be told
        self._told: dict[str, int] = {}
        self._thinking = threading.Event()
        self._excused = 0  # complaints that stop() may have caused
        #: The last things that the engine said beside its answers.
        self.messages: deque[str] = deque(maxlen=_MESSAGES_KEPT)
        self._said: deque[str] = deque(maxlen=_MESSAGES_KEPT)  # for the move in hand

    def new_game(self) -> None:
        """The next question starts a game: the engine will be sent START again."""
        self._known = None

    def stop(self) -> None:
        """Ask for the move at once, in the one word that some engines know; any thread may."""
        child = self._child
        if child is not None and self._thinking.is_set():
            self._excused += 1
            with contextlib.suppress(EngineError):  # whoever waits for the answer will learn of it
                child.send("YXSTOP")

    def about(self) -> str:
        """What the engine says about itself."""
        with self._ending_on_failure():
            child = self._running()
            child.send("ABOUT")
            for line in child.lines(_ABOUT_SECONDS):
                if "=" in line and not line.upper().startswith(_TALK):
                    return line.strip()
        raise AssertionError("lines() does not end")

    def _forget(self) -> None:
        self._known = None
        self._told.clear()
        self._excused = 0

    # Telling it the position.

    def _begun(self, game: Game) -> ChildProcess:
        child = self._running()
        self._listen_back(child)
        if self._known is None or self._known.game != game:
            self._start(child, game)
        return child

    def _choose(self, position: Position, seconds: float, clock: Clock | None) -> tuple[Move, dict[str, float]]:
        child = self._begun(position.game)
        self._tell_time(seconds, clock)
        self._said.clear()
        started = time.monotonic()
        self._thinking.set()
        try:
            self._show(child, position)
            move = self._answer(child, position, self._patience(seconds, clock))
        finally:
            self._thinking.clear()
        stats = {"seconds": time.monotonic() - started, **_counts(self._said)}
        self._known = position.copy()
        self._known.play(move)
        return move, stats

    def _start(self, child: ChildProcess, game: Game) -> None:
        if not supports(game):
            raise TengenError(f"the Gomocup protocol has no words for {game}")
        child.send(f"START {game.size}")
        # Engines greet, load their nets and say so: only OK or ERROR ends this.
        for line in child.lines(self._start_seconds):
            word = line.strip().upper()
            if word.startswith("OK"):
                break
            if word.startswith(("ERROR", "UNKNOWN")):
                raise EngineError(Fault.PROTOCOL, f"{child.name}: START {game.size} was answered with {line[:200]!r}")
            self.messages.append(line)
        self._known = Position(game)
        self._told.clear()
        self._tell("max_memory", (self._memory or 0) << 20)
        self._tell("game_type", 1)
        self._tell("rule", RULE_BITS[game.rule])

    def _tell_time(self, seconds: float, clock: Clock | None) -> None:
        """The time for this turn, or the clock: what the match began with, what is left of it, and the increment."""
        if clock is None:
            self._tell("timeout_match", 0)
            self._tell("timeout_turn", _milliseconds(seconds))
            self._tell("time_left", _UNLIMITED_MS)
            return
        control = clock.control
        if control.increment or "time_increment" in self._told:  # a word of Yixin-Board's, ignored by most
            self._tell("time_increment", _milliseconds(control.increment))
        self._tell("timeout_match", _milliseconds(control.base + control.increment))
        savings = max(0.0, clock.left - control.increment)
        self._tell("timeout_turn", _milliseconds(min(clock.left, control.increment + savings / _TURN_SHARE)))
        self._tell("time_left", _milliseconds(clock.left))

    def _tell(self, key: str, value: int) -> None:
        assert self._child is not None
        if self._told.get(key) != value:
            self._told[key] = value
            self._child.send(f"INFO {key} {value}")

    def _show(self, child: ChildProcess, position: Position) -> None:
        assert self._known is not None
        stones = stones_in_order(position)
        if not stones and self._known == position:
            child.send("BEGIN")
        elif stones and stones[:-1] == stones_in_order(self._known) and position.moves:
            child.send(f"TURN {stones[-1][0].column},{stones[-1][0].row}")
        else:
            child.send("BOARD")
            for move, side in stones:
                child.send(f"{move.column},{move.row},{1 if side is position.to_move else 2}")
            child.send("DONE")

    # Hearing its answer.

    def _listen_back(self, child: ChildProcess) -> None:
        """Take what was said since the last answer out of the way; none of it is an answer."""
        self.messages.extend(line for line in child.waiting_lines() if line.strip())

    def _answer(self, child: ChildProcess, position: Position, seconds: float) -> Move:
        for line in self._without_talk(child.lines(seconds)):
            point = _POINT.match(line)
            if point is None:
                raise EngineError(Fault.PROTOCOL, f"{child.name}: {line[:200]!r} is no move")
            column, row = int(point[1]), int(point[2])
            try:
                return position.copy().play(position.game.at(row, column))
            except TengenError as trouble:
                raise EngineError(Fault.ILLEGAL, f"{child.name}: it played {column},{row}; {trouble}") from None
        raise AssertionError("lines() does not end")

    def _without_talk(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            word = line.strip().upper()
            if not word or word == "OK":
                continue
            if word.startswith(_TALK):
                self.messages.append(line)
                self._said.append(line)
            elif word.startswith(("UNKNOWN", "ERROR")) and self._excused:
                self._excused -= 1
            else:
                yield line


def _milliseconds(seconds: float) -> int:
    return max(0, round(seconds * 1000))


def _counts(messages: Collection[str]) -> dict[str, float]:
    """How deep the engine says it looked, and how many nodes, as far as that can be told; the last word counts."""
    stats: dict[str, float] = {"messages": len(messages)}
    for message in messages:
        for key, number, unit in _COUNT.findall(message):
            stats["depth" if key.lower() == "depth" else "nodes"] = float(number) * _UNITS[unit.upper()]
    return stats
