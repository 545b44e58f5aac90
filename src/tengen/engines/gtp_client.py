"""Another program's engine, spoken to in GTP 2."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from tengen.engines.client import EngineClient
from tengen.engines.gtp_vertex import GAME_NAMES, parse_vertex, vertex
from tengen.engines.process import ChildProcess, EngineError, Fault
from tengen.errors import TengenError
from tengen.games import Game, Move, Position
from tengen.search import Clock

_LONGEST_ANSWER = 2000  # lines


class GtpEngine(EngineClient):
    """An engine that speaks GTP 2, and the moves it has been told."""

    _FAREWELL = "quit"

    def __init__(self, command: Sequence[str], *, grace: float = 1.0, start_seconds: float = 30.0) -> None:
        super().__init__(command, grace=grace, start_seconds=start_seconds)
        self._game: Game | None = None
        self._commands: frozenset[str] = frozenset()
        self._played: list[Move] = []
        self._has_pass = True  # some Othello engines have no word for a pass, and take it for granted when forced
        self._settings = ""  # the time settings that it was told last

    def new_game(self) -> None:
        """The next question starts a game."""
        self._game = None

    def name(self) -> str:
        """The engine's name and version."""
        with self._ending_on_failure():
            return " ".join(self._command_answer(word, self._start_seconds) for word in ("name", "version"))

    def _forget(self) -> None:
        self._game = None
        self._settings = ""

    def _begun(self, game: Game) -> ChildProcess:
        child = self._running()
        if self._game != game:
            self._start(game)
        return child

    def _choose(self, position: Position, seconds: float, clock: Clock | None) -> tuple[Move | None, dict[str, float]]:
        if position.setup is not None:
            raise TengenError("GTP cannot set up a position; it must be reached by moves")
        self._begun(position.game)
        if position.is_legal("pass"):  # in Othello then the only move, and not every engine would say so
            return position.game.move("pass"), {"seconds": 0.0}
        self._catch_up(position)
        self._tell_time(position, seconds, clock)
        started = time.monotonic()
        answer = self._command_answer(f"genmove {position.to_move}", self._patience(seconds, clock))
        stats = {"seconds": time.monotonic() - started}
        if answer.strip().lower() == "resign":
            return None, stats
        try:
            move = parse_vertex(position.game, answer.strip())
        except TengenError:
            raise EngineError(Fault.PROTOCOL, f"{self._name}: {answer[:200]!r} is no move") from None
        try:
            position.copy().play(move)
        except TengenError as trouble:
            raise EngineError(Fault.ILLEGAL, f"{self._name}: {trouble}") from None
        self._played.append(move)
        return move, stats

    @property
    def _name(self) -> str:
        return self._child.name if self._child else " ".join(self._command)

    def _start(self, game: Game) -> None:
        self._commands = frozenset(self._command_answer("list_commands", self._start_seconds).lower().split())
        if "set_game" in self._commands:
            self._command_answer(f"set_game {GAME_NAMES[game.kind]}", self._start_seconds)
        self._command_answer(f"boardsize {game.size}", self._start_seconds)
        self._command_answer("clear_board", self._start_seconds)
        self._game, self._played, self._settings, self._has_pass = game, [], "", True

    def _catch_up(self, position: Position) -> None:
        """Bring the engine's game to ``position``: undo what is not in it, play what is missing."""
        moves = position.moves
        shared = 0
        while shared < min(len(moves), len(self._played)) and moves[shared] == self._played[shared]:
            shared += 1
        if shared < len(self._played) and "undo" not in self._commands:
            self._command_answer("clear_board", self._start_seconds)
            self._played, shared = [], 0
        while len(self._played) > shared:
            if self._has_pass or not self._played[-1].is_pass:
                self._command_answer("undo", self._start_seconds)
            self._played.pop()
        line = Position(position.game, moves[:shared])
        for move in moves[shared:]:
            self._tell(line, move)
            line.play(move)
            self._played.append(move)

    def _tell(self, before: Position, move: Move) -> None:
        if move.is_pass and not self._has_pass:
            return
        try:
            self._command_answer(f"play {before.to_move} {vertex(before.game, move)}", self._start_seconds)
        except EngineError as trouble:
            if not move.is_pass or trouble.kind is not Fault.PROTOCOL:
                raise
            self._has_pass = False

    def _tell_time(self, position: Position, seconds: float, clock: Clock | None) -> None:
        settings, left = _time_in_words(seconds, clock)
        if self._settings != settings and "time_settings" in self._commands:
            self._command_answer(f"time_settings {settings}", self._start_seconds)
            self._settings = settings
        if "time_left" in self._commands:
            self._command_answer(f"time_left {position.to_move} {left}", self._start_seconds)

    def _command_answer(self, command: str, seconds: float) -> str:
        """Send a command and return its answer; raises ``EngineError`` if the engine refuses it."""
        child = self._child or self._running()  # one that has died is found out by whoever waits for its answer
        child.send(command)
        answer: list[str] = []
        for line in child.lines(seconds):
            if not answer:
                if line[:1] in {"=", "?"}:
                    answer.append(line)
                elif line.strip():
                    raise EngineError(Fault.PROTOCOL, f"{child.name}: {command!r} was answered with {line[:200]!r}")
            elif line.strip():
                answer.append(line)
            else:
                break
            if len(answer) > _LONGEST_ANSWER:
                raise EngineError(Fault.PROTOCOL, f"{child.name}: {command!r} has an answer without end")
        text = "\n".join([answer[0][1:].lstrip("0123456789").strip(), *answer[1:]]).strip()
        if answer[0].startswith("?"):
            raise EngineError(Fault.PROTOCOL, f"{child.name}: {command!r} was refused: {text[:200]}")
        return text


def _time_in_words(seconds: float, clock: Clock | None) -> tuple[str, str]:
    """What ``time_settings`` and ``time_left`` say, in the whole seconds that GTP has.

    GTP knows no increment: savings are told as the main time, and the increment as the time for each move after it,
    which promises less than there is.
    """
    if clock is None:
        whole = max(1, math.floor(seconds))
        return f"0 {whole} 1", f"{whole} 1"
    base, each = math.floor(clock.control.base), math.floor(clock.control.increment)
    if each == 0:
        return f"{max(1, base)} 0 0", f"{math.floor(clock.left)} 0"
    savings = math.floor(clock.left - clock.control.increment)
    return f"{base} {each} 1", f"{savings} 0" if savings > 0 else f"{math.floor(clock.left)} 1"
