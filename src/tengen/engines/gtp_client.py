"""Another program's engine, spoken to in GTP 2."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from tengen.engines.gtp_vertex import GAME_NAMES, parse_vertex, vertex
from tengen.engines.process import ChildProcess, EngineError, Fault
from tengen.errors import TengenError
from tengen.games import Game, Move, Position

_LONGEST_ANSWER = 2000  # lines


class GtpEngine:
    """An engine process and the moves it has been told; failures end the process as :class:`GomocupEngine`'s do."""

    def __init__(self, command: Sequence[str], *, grace: float = 1.0, start_seconds: float = 30.0) -> None:
        self._command = list(command)
        self._grace = grace
        self._start_seconds = start_seconds
        self._child: ChildProcess | None = None
        self._game: Game | None = None
        self._commands: frozenset[str] = frozenset()
        self._played: list[Move] = []
        self._has_pass = True  # some Othello engines have no word for a pass, and take it for granted when forced
        self._seconds: float | None = None

    def choose(self, position: Position, seconds: float) -> tuple[Move | None, dict[str, float]]:
        """Ask for a move within ``seconds`` and the grace; None means that the engine resigns."""
        try:
            return self._choose(position, seconds)
        except BaseException:
            self.kill()
            raise

    def new_game(self) -> None:
        """The next question starts a game."""
        self._game = None

    def name(self) -> str:
        """The engine's name and version."""
        try:
            return " ".join(self._command_answer(word, self._start_seconds) for word in ("name", "version"))
        except BaseException:
            self.kill()
            raise

    def close(self) -> None:
        """End the engine in a friendly way, and then for certain."""
        if self._child is not None:
            self._child.close("quit")
        self.kill()

    def kill(self) -> None:
        """End the engine at once."""
        if self._child is not None:
            self._child.close()
        self._child = self._game = self._seconds = None

    @property
    def pid(self) -> int | None:
        """The process id, while there is a process."""
        return self._child.pid if self._child else None

    def _choose(self, position: Position, seconds: float) -> tuple[Move | None, dict[str, float]]:
        if position.setup is not None:
            raise TengenError("GTP cannot set up a position; it must be reached by moves")
        if self._child is None or not self._child.is_alive or self._game != position.game:
            self._start(position.game)
        if position.is_legal("pass"):  # in Othello then the only move, and not every engine would say so
            return position.game.move("pass"), {"seconds": 0.0}
        self._catch_up(position)
        self._set_time(position, seconds)
        started = time.monotonic()
        answer = self._command_answer(f"genmove {position.to_move}", seconds + self._grace)
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
        if self._child is None or not self._child.is_alive:
            self.kill()
        self._commands = frozenset(self._command_answer("list_commands", self._start_seconds).lower().split())
        if "set_game" in self._commands:
            self._command_answer(f"set_game {GAME_NAMES[game.kind]}", self._start_seconds)
        self._command_answer(f"boardsize {game.size}", self._start_seconds)
        self._command_answer("clear_board", self._start_seconds)
        self._game, self._played, self._seconds, self._has_pass = game, [], None, True

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

    def _set_time(self, position: Position, seconds: float) -> None:
        """The time for each move, in the whole seconds that GTP has."""
        whole = max(1, math.floor(seconds))
        if self._seconds != seconds and "time_settings" in self._commands:
            self._command_answer(f"time_settings 0 {whole} 1", self._start_seconds)
            self._seconds = seconds
        if "time_left" in self._commands:
            self._command_answer(f"time_left {position.to_move} {whole} 1", self._start_seconds)

    def _command_answer(self, command: str, seconds: float) -> str:
        """Send a command and return its answer; raises ``EngineError`` if the engine refuses it."""
        if self._child is None:
            self._child = ChildProcess(self._command)
        child = self._child
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
