"""Several worker processes that play games, and what happens when one of them dies or does not answer."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Any, Self

from tengen.arena._worker import CLOSING, IDLE, MAKING, Whiteboard, result_to_json
from tengen.arena.game import Fault, lost_by_fault
from tengen.errors import TengenError
from tengen.games import Position

# A worker judges a late move itself when it gets the chance; this much later it will not.
_SLACK = 0.25
_TICK = 0.05
_FAREWELL = 1.0  # how long a worker may take to leave
_MOST_RESTARTS = 3  # of workers that die without having played

# Two, so that a worker has its next game at hand when it finishes one.
_QUEUE = 2

# The path goes along because a worker must find the same packages, even those of a script's own folder.
_PROGRAM = (
    "import json, sys; path, line, board, imports = json.loads(sys.argv[1]); sys.path[:] = path; "
    "from tengen.arena._worker import main; main(line, board, imports)"
)

Task = dict[str, Any]
Answer = dict[str, Any]


class _Worker:
    """One process: its socket, its whiteboard, and the tasks it has been given."""

    def __init__(self, imports: Sequence[str]) -> None:
        self.tasks: deque[Task] = deque()
        self.answered = 0
        self._buffer = b""
        self.line, theirs = socket.socketpair()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the worker
        with theirs, tempfile.TemporaryFile() as shared:
            shared.truncate(Whiteboard.SIZE)
            self.whiteboard = Whiteboard(shared.fileno())
            path = [os.path.abspath(folder) for folder in [*sys.path, *([""] if imports else [])]]
            descriptors = theirs.fileno(), shared.fileno()
            self.process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, json.dumps([path, *descriptors, list(imports)])],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=descriptors,
            )

    def send(self, task: Task) -> None:
        """Give it one more task; a worker that has died is found out later."""
        self.tasks.append(task)
        with contextlib.suppress(OSError):
            self.line.sendall(json.dumps(task, separators=(",", ":")).encode() + b"\n")

    def receive(self) -> list[Answer] | None:
        """The answers that have come in; None once the line is closed."""
        try:
            data = self.line.recv(1 << 20)
        except OSError:
            data = b""
        if not data:
            return None
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        answers = [json.loads(line) for line in lines]
        for _ in answers:
            self.tasks.popleft()
        self.answered += len(answers)
        return answers

    def last_words(self) -> str:
        """The last line it wrote to its standard error."""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def leave(self) -> None:
        """Close the line, on which the worker ends itself and its players."""
        self.line.close()


class Pool:
    """Workers for the tasks of a match: `submit` while there is `room`, then `wait` for answers.

    A worker that dies, or whose player does not come back in time, costs that player its game and is replaced. Raises
    ``TengenError`` when workers cannot start at all. Leaving the context ends all workers.
    """

    def __init__(self, jobs: int, imports: Sequence[str] = ()) -> None:
        self._imports = tuple(imports)
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._leaving: list[tuple[_Worker, float]] = []
        self._again: deque[Task] = deque()  # tasks of a worker that died before it came to them
        self._restarts = 0
        for _ in range(jobs):
            self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._dismiss(worker)
        while self._leaving:
            self._reap()
            time.sleep(0.01)
        self._selector.close()

    @property
    def room(self) -> bool:
        """Whether another task can be taken without waiting."""
        return not self._again and any(len(worker.tasks) < _QUEUE for worker in self._workers)

    @property
    def busy(self) -> bool:
        """Whether answers are to come."""
        return bool(self._again) or any(worker.tasks for worker in self._workers)

    def submit(self, task: Task) -> None:
        """Give a task to the worker with the least to do."""
        min(self._workers, key=lambda worker: len(worker.tasks)).send(task)

    def wait(self) -> list[Answer]:
        """Wait a moment for answers; there may be none."""
        while self._again and any(len(worker.tasks) < _QUEUE for worker in self._workers):
            self.submit(self._again.popleft())
        answers: list[Answer] = []
        for key, _ in self._selector.select(_TICK):
            worker: _Worker = key.data
            received = worker.receive()
            if received is None:
                answers += self._bury(worker, f"the process ended: {_how_it_ended(worker)}")
            else:
                answers += received
        now = time.monotonic()
        for worker in self._workers.copy():
            if now > worker.whiteboard.deadline + _SLACK and worker.tasks:
                answers += self._bury(worker, "", late=now)
        self._reap()
        return answers

    def _start(self) -> None:
        worker = _Worker(self._imports)
        self._workers.append(worker)
        self._selector.register(worker.line, selectors.EVENT_READ, worker)

    def _dismiss(self, worker: _Worker) -> None:
        self._selector.unregister(worker.line)
        self._workers.remove(worker)
        worker.leave()
        self._leaving.append((worker, time.monotonic() + _FAREWELL))

    def _reap(self) -> None:
        """See off the workers that have left, and kill those that have not in time."""
        still: list[tuple[_Worker, float]] = []
        for worker, until in self._leaving:
            if worker.process.poll() is None:
                if time.monotonic() > until:
                    worker.process.kill()
                still.append((worker, until))
        self._leaving = still

    def _bury(self, worker: _Worker, detail: str, *, late: float | None = None) -> list[Answer]:
        """Replace a worker; the player whose turn it was loses, and tasks not begun go to others."""
        board, tasks = worker.whiteboard, worker.tasks
        answers: list[Answer] = []
        if tasks and board.game == tasks[0]["number"] and board.state not in (IDLE, CLOSING):
            task = tasks.popleft()
            answers = [_blamed(task, board, detail, late)]
        elif not worker.answered and late is None:
            self._restarts += 1
            if self._restarts > _MOST_RESTARTS:
                raise TengenError(f"the arena's worker processes do not start: {worker.last_words() or detail}")
        self._again.extendleft(reversed(tasks))
        self._dismiss(worker)
        self._start()
        return answers


def _how_it_ended(worker: _Worker) -> str:
    try:
        code = worker.process.wait(_FAREWELL)
    except subprocess.TimeoutExpired:
        return "the line was closed"
    how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
    words = worker.last_words()
    return f"{how}, {words}" if words else how


def _blamed(task: Task, board: Whiteboard, detail: str, late: float | None) -> Answer:
    """The answer for a task that its worker will not give."""
    if "check" in task:  # what a player does wrong shows in its games
        return {"number": task["number"], "error": "", "supports": True}
    start, seat = Position.from_dict(task["start"]), board.seat
    seconds, slowest = list(board.seconds), list(board.slowest)
    if late is None:
        fault = Fault.CRASH
    elif board.state == MAKING:
        fault, detail = Fault.TIMEOUT, "the player was not ready to play in time"
    else:
        spent, allowed = late - board.begun, board.deadline - board.begun
        seconds[seat] += spent
        slowest[seat] = max(slowest[seat], spent)
        words = "its flag fell: no move after {:.2f} s, {:.2f} s on the clock"
        if not task["clock"] or allowed == task["timeouts"][seat]:
            words = "no move after {:.2f} s, {:g} s allowed"
        fault, detail = Fault.TIMEOUT, words.format(spent, round(allowed, 6))
    result = lost_by_fault(start, seat, fault, detail, board.moves, (seconds[0], seconds[1]), (slowest[0], slowest[1]))
    return result_to_json(task["number"], result)
