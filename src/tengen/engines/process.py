"""A child process that speaks in lines: every wait has a limit, memory is bounded, and it never outlives us."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import IO, Any

from tengen.engines.lines import LineSplitter
from tengen.errors import TengenError

_LONGEST_LINE = 1 << 16
_MOST_UNREAD = 1 << 18  # bytes of lines that wait to be read; beyond this the child has to wait
_MOST_PER_ANSWER = 1 << 24  # bytes of lines before an answer; beyond this it is no answer but a flood
_MOST_UNSENT = 1 << 20
_STDERR_KEPT = 2048
_FAREWELL_SECONDS = 0.5


class Fault(StrEnum):
    """What an engine did wrong."""

    CRASH = "crash"  #: it could not be started, or ended by itself
    TIMEOUT = "timeout"  #: it did not answer in time
    ILLEGAL = "illegal"  #: it played a move that the rules refuse
    PROTOCOL = "protocol"  #: it said something that is no answer


class EngineError(TengenError):
    """An engine failed; ``kind`` says how, and the message what happened."""

    def __init__(self, kind: Fault, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, str(self))


def split_command(text: str) -> list[str]:
    """Split a command line as a shell would, without running one; raises ``ValueError`` if that cannot be done.

    On Windows a backslash is an ordinary character, as paths need it there.
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if os.name == "nt":
        lexer.escape = ""
    words = list(lexer)
    if not words:
        raise ValueError("the command is empty")
    return words


class _Inbox:
    """The lines that the reading thread has for the one that waits; a full one makes the child wait."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self._unread = 0
        self._closed = False
        self._changed = threading.Condition()
        self.trouble = ""

    def put(self, line: str) -> bool:
        """Add a line, waiting for room; False when nobody will read it."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._unread < _MOST_UNREAD)
            if self._closed:
                return False
            self._lines.append(line)
            self._unread += len(line) + 1
            self._changed.notify_all()
            return True

    def close(self, trouble: str = "") -> None:
        """No more lines will come (``trouble`` says why, if that is the child's fault) or be read."""
        with self._changed:
            self._closed = True
            self.trouble = self.trouble or trouble
            self._changed.notify_all()

    def get(self, deadline: float) -> str | None:
        """The next line; None at the end. Raises ``TimeoutError`` at the deadline."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._lines or self._closed, max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._unread -= len(line) + 1
            self._changed.notify_all()
            return line


class _Outbox:
    """Bytes on their way to the child; adding some never blocks."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.unsent = 0


class ChildProcess:
    """A program that reads and writes lines.

    Its process group is killed by :meth:`close`, when this object is forgotten, when Python exits, and (where there is
    ``/bin/sh``) by a watchdog when this process dies in any other way. The watchdog waits on a pipe rather than the
    child on ``PR_SET_PDEATHSIG``, which fires when the *thread* that started the child ends, misses the child's own
    children and needs code between fork and exec. What the child writes to stderr is read and the last of it kept.
    One thread uses it, except for :meth:`send`.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.name = shlex.join(command)
        try:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as trouble:
            reason = getattr(trouble, "strerror", None) or trouble
            raise EngineError(Fault.CRASH, f"{self.name}: cannot be started ({reason})") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._inbox, self._outbox = _Inbox(), _Outbox()
        self._stderr: deque[bytes] = deque()
        # The finalizer comes first, so that nothing can fail between the start and it.
        watchdog = _watch(process.pid)
        self._end = weakref.finalize(self, _end, process, watchdog, self._inbox, self._outbox)
        threads = [
            threading.Thread(target=target, args=arguments, name=f"{target.__name__} {process.pid}", daemon=True)
            for target, arguments in (
                (_read_lines, (process.stdout, self._inbox)),
                (_drain, (process.stderr, self._stderr)),
                (_write, (process.stdin, self._outbox)),
            )
        ]
        self._drainer = threads[1]
        for thread in threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The child's process id, which is also that of its process group."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the child runs."""
        return self._end.alive and self._process.poll() is None

    def send(self, line: str) -> None:
        """Send a line without ever blocking; any thread may. Raises ``EngineError`` if the child does not read."""
        data = line.encode() + b"\n"
        self._outbox.unsent += len(data)
        if self._outbox.unsent > _MOST_UNSENT:
            raise EngineError(Fault.PROTOCOL, f"{self.name}: it does not read what it is sent")
        self._outbox.queue.put(data)

    def lines(self, seconds: float) -> Iterator[str]:
        """The child's lines as they come, for ``seconds`` at most.

        Never ends by itself: raises ``EngineError`` of kind ``timeout`` at the limit, ``crash`` when the child has
        ended, ``protocol`` for a line too long, binary output or a flood.
        """
        deadline = time.monotonic() + seconds
        budget = _MOST_PER_ANSWER
        while True:
            try:
                line = self._inbox.get(deadline)
            except TimeoutError:
                raise EngineError(Fault.TIMEOUT, f"{self.name}: no answer within {seconds:.3g} s") from None
            if line is None:
                raise self._ended()
            budget -= len(line) + 1
            if budget < 0:
                raise EngineError(Fault.PROTOCOL, f"{self.name}: {_MOST_PER_ANSWER} bytes of output and no answer")
            yield line

    def waiting_lines(self) -> list[str]:
        """The lines that have come and were not read; never waits. Stops after a flood's worth."""
        lines, budget = [], _MOST_UNREAD
        while budget > 0:
            try:
                line = self._inbox.get(0)
            except TimeoutError:
                break
            if line is None:
                break
            lines.append(line)
            budget -= len(line) + 1
        return lines

    def _ended(self) -> EngineError:
        if self._inbox.trouble:
            return EngineError(Fault.PROTOCOL, f"{self.name}: {self._inbox.trouble}")
        try:
            status = f"ended with status {self._process.wait(_FAREWELL_SECONDS)}"
        except subprocess.TimeoutExpired:
            status = "closed its output"
        self._drainer.join(_FAREWELL_SECONDS)  # what it said last may still be on its way
        said = b"".join(self._stderr).decode("utf-8", errors="replace").strip()
        return EngineError(Fault.CRASH, f"{self.name}: it {status}" + (f"; {said[-300:]}" if said else ""))

    def close(self, farewell: str = "") -> None:
        """Say ``farewell``, give the child half a second to go, and kill what is left of its process group."""
        if not self._end.alive:
            return
        if farewell and self._process.poll() is None:
            self._outbox.queue.put(farewell.encode() + b"\n")
            self._outbox.queue.put(None)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_FAREWELL_SECONDS)
        self._end()


def _watch(pid: int) -> subprocess.Popen[bytes] | None:
    """A shell that kills the process group when its input ends without a line, which is when this process dies."""
    if os.name != "posix":
        return None
    script = 'read line || kill -s KILL -- "-$1"'
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", script, "sh", str(pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # or Ctrl-C at the terminal would take it away
        )
    except OSError:
        return None


def _end(
    process: subprocess.Popen[bytes], watchdog: subprocess.Popen[bytes] | None, inbox: _Inbox, outbox: _Outbox
) -> None:
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nothing is left of the group
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)
    inbox.close()
    outbox.queue.put(None)
    if watchdog is not None and watchdog.stdin is not None:
        try:
            watchdog.stdin.write(b"\n")
            watchdog.stdin.close()
        except OSError:
            pass
        watchdog.wait()


def _read_lines(pipe: IO[bytes], inbox: _Inbox) -> None:
    splitter = LineSplitter(_LONGEST_LINE)
    with pipe:
        while data := _read(pipe):
            if b"\0" in data:
                inbox.close("binary output")
                return
            lines = splitter.feed(data)
            if splitter.overflows or any(line.too_long for line in lines):
                inbox.close(f"a line of more than {_LONGEST_LINE} bytes")
                return
            if not all(inbox.put(line.text) for line in lines):
                return
        for line in splitter.end():
            inbox.put(line.text)
    inbox.close()


def _drain(pipe: IO[bytes], kept: deque[bytes]) -> None:
    with pipe:
        while data := _read(pipe):
            kept.append(data[-_STDERR_KEPT:])
            while sum(map(len, kept)) - len(kept[0]) >= _STDERR_KEPT:
                kept.popleft()


def _read(pipe: IO[bytes]) -> bytes:
    try:
        return os.read(pipe.fileno(), 1 << 16)
    except OSError:
        return b""


def _write(pipe: IO[bytes], outbox: _Outbox) -> None:
    try:
        with pipe:
            while (data := outbox.queue.get()) is not None:
                view = memoryview(data)
                while view:
                    view = view[os.write(pipe.fileno(), view) :]
                outbox.unsent -= len(data)
    except OSError:
        pass  # the child is gone, which whoever waits for its answer will be told
