"""Talking to servers, within this process and as programs of their own."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

import tengen
from tengen.engines.lines import Line
from tengen.engines.session import Heard, Server

PATIENCE = 20.0  # seconds; no test is about times as long as this


class Talk:
    """A server without its process: lines go in one after another, and what they were answered comes out."""

    def __init__(self, make: Callable[[Callable[[str], None]], Server]) -> None:
        self.written: list[str] = []
        self.server = make(self.written.append)
        self.number = 0
        self.left = False

    def say(self, *lines: str) -> list[str]:
        """The answers to these lines."""
        self.written.clear()
        for text in lines:
            heard = Heard(Line(text), self.number, time.monotonic())
            self.number += 1
            self.server.overhear(heard)
            self.left = not self.server.obey(heard)
        return list(self.written)

    def one(self, *lines: str) -> str:
        """The answer to these lines, of which there must be one."""
        answers = self.say(*lines)
        assert len(answers) == 1, answers
        return answers[0]


class Program:
    """A program that is sent lines and whose lines are read, each within a limit."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        self.lines: Queue[str] = Queue()
        for target in (self._read, self._read_errors):
            threading.Thread(target=target, daemon=True).start()
        self.errors = b""

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\r\n"))

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def send(self, *lines: str, end: str = "\r\n") -> None:
        self.send_bytes("".join(line + end for line in lines).encode())

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self, seconds: float = PATIENCE) -> str:
        try:
            return self.lines.get(timeout=seconds)
        except Empty:
            raise AssertionError(f"no line within {seconds} s; stderr: {self.errors.decode()[-500:]}") from None

    def ask(self, *lines: str) -> str:
        self.send(*lines)
        return self.read()

    def ended(self, seconds: float = PATIENCE) -> int:
        return self.process.wait(seconds)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    places = [str(Path(tengen.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places)), "PYTHONUTF8": "1"}


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Callable[..., Program]]:
    """Start ``python -m tengen ...``; it is killed at the end of the test."""
    programs: list[Program] = []

    def begin(*arguments: str) -> Program:
        programs.append(Program([sys.executable, "-m", "tengen", *arguments], environment))
        return programs[-1]

    yield begin
    for program in programs:
        program.kill()


@pytest.fixture
def double(tmp_path: Path) -> Callable[[str], str]:
    """A test double: the command of an engine written in a few lines of Python, which may use ``say`` and ``lines``."""
    preamble = (
        "import os, sys, time\n"
        "def say(text): sys.stdout.write(text + chr(10)); sys.stdout.flush()\n"
        "lines = (line.strip() for line in sys.stdin)\n"
    )

    def write(code: str) -> str:
        path = tmp_path / f"engine{len(list(tmp_path.iterdir()))}.py"
        path.write_text(preamble + code)
        return shlex.join([sys.executable, "-S", "-E", str(path)])

    return write
