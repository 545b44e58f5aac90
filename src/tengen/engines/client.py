"""What the clients of both protocols share: an engine's process, and how it is begun, asked and ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from tengen.engines.process import ChildProcess
from tengen.games import Game, Move, Position
from tengen.search import Clock


class EngineClient(ABC):
    """An engine process and what it has been told.

    It is started when it is first needed. Any failure is an ``EngineError``, ends the process, and leaves the next
    question to a fresh one. ``grace`` is what an answer may be late, by a time for the move (a game's clock has none);
    ``start_seconds`` is what the engine may take for whatever is no thinking.
    """

    _FAREWELL: ClassVar[str]  # the word on which an engine leaves

    def __init__(self, command: Sequence[str], *, grace: float = 1.0, start_seconds: float = 30.0) -> None:
        self._command = list(command)
        self._grace = grace
        self._start_seconds = start_seconds
        self._child: ChildProcess | None = None

    def prepare(self, game: Game) -> None:
        """Start the process and the game, so that the first question is only about the move."""
        with self._ending_on_failure():
            self._begun(game)

    def choose(
        self, position: Position, seconds: float, clock: Clock | None = None
    ) -> tuple[Move | None, dict[str, float]]:
        """Ask for a move, to be answered within ``seconds`` and the grace; returns it with the statistics.

        With a ``clock``, the engine is told that instead and shares out the time by itself. None means that it resigns.
        """
        with self._ending_on_failure():
            return self._choose(position, seconds, clock)

    @abstractmethod
    def new_game(self) -> None:
        """The next question starts a game."""

    def close(self) -> None:
        """End the engine in a friendly way, and then for certain."""
        if self._child is not None:
            self._child.close(self._FAREWELL)
        self.kill()

    def kill(self) -> None:
        """End the engine at once."""
        if self._child is not None:
            self._child.close()
        self._child = None
        self._forget()

    @property
    def pid(self) -> int | None:
        """The process id, while there is a process."""
        return self._child.pid if self._child else None

    @abstractmethod
    def _begun(self, game: Game) -> ChildProcess:
        """A process that has begun this game, the one there is or a fresh one."""

    @abstractmethod
    def _choose(self, position: Position, seconds: float, clock: Clock | None) -> tuple[Move | None, dict[str, float]]:
        """What :meth:`choose` promises; failures may leave the process behind."""

    @abstractmethod
    def _forget(self) -> None:
        """There is no process any more: whatever it was told does not count."""

    def _running(self) -> ChildProcess:
        if self._child is None or not self._child.is_alive:
            self.kill()
            self._child = ChildProcess(self._command)
        return self._child

    def _patience(self, seconds: float, clock: Clock | None) -> float:
        """How long to wait for a move."""
        return seconds + self._grace if clock is None else clock.left

    @contextmanager
    def _ending_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.kill()
            raise
