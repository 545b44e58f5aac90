"""The command line as a process: at a terminal, in a pipe, interrupted."""

from __future__ import annotations

import codecs
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tengen.games import records

pty = pytest.importorskip("pty")

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def _heed_ctrl_c() -> None:
    """A job in the background of a shell, as these tests may be, ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Session:
    """The command line at a terminal of its own."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "tengen", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
            preexec_fn=_heed_ctrl_c,
        )
        os.close(slave)
        self.raw = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._read = 0

    def wait_for(self, text: str, seconds: float = 20) -> str:
        """What appeared up to and with ``text``, escapes removed."""
        deadline = time.monotonic() + seconds
        while True:
            seen = _ESCAPES.sub("", self.raw)
            found = seen.find(text, self._read)
            if found >= 0:
                start, self._read = self._read, found + len(text)
                return seen[start : self._read]
            ready, _, _ = select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"waited for {text!r}, got {seen[-400:]!r}"
            try:
                self.raw += self._decode(os.read(self.master, 65536))
            except OSError:  # the other end is closed
                pytest.fail(f"ended while waiting for {text!r}: {seen[-400:]!r}")

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def status(self, seconds: float = 20) -> int:
        """Read to the end and return the exit status."""
        deadline = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))[0]:
            try:
                chunk = os.read(self.master, 65536)
            except OSError:  # the other end is closed
                break
            self.raw += self._decode(chunk)
        return self.process.wait(timeout=max(0.1, deadline - time.monotonic()))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def session(environment) -> Iterator:
    opened: list[Session] = []

    def start(*arguments: str, **variables: str) -> Session:
        opened.append(Session(list(arguments), {**environment, **variables}))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def test_a_whole_game_at_a_terminal(session):
    game = session("play", "--terminal", "--white", "random", "--seed", "1")
    for move in ("h8", "i8", "j8", "k8"):
        game.wait_for("● black> ")
        game.type(f"{move}\r")
        game.wait_for("white (random) plays ")
    game.wait_for("● black> ")
    game.type("q8\r")
    game.wait_for("'q8' is no point of gomoku")
    game.wait_for("● black> ")
    game.type("l8\r")
    game.wait_for("black wins: h8-i8-j8-k8-l8")
    assert game.status() == 0
    assert _COLOUR.search(game.raw), "a terminal gets colours"


def test_no_color_is_obeyed(session):
    game = session("play", "--terminal", NO_COLOR="1")
    game.wait_for("black> ")
    game.type("quit\r")
    assert game.status() == 0
    assert not _COLOUR.search(game.raw)


def test_ctrl_c_leaves_with_130(session):
    game = session("play", "--terminal")
    game.wait_for("black> ")
    time.sleep(0.2)  # the prompt is there a moment before the wait for a key begins
    game.process.send_signal(signal.SIGINT)
    assert game.status() == 130
    assert "Traceback" not in game.raw


@pytest.mark.parametrize("opening", [(), ("--opening", "swap")])
def test_ctrl_c_keeps_the_game(session, tmp_path: Path, opening):
    record, data = tmp_path / "game.sgf", tmp_path / "game.json"
    game = session("play", "--terminal", *opening, "--white", "human", "--save", str(record), "--json", str(data))
    game.wait_for("black> ")
    game.type("h8\r")
    game.wait_for("white> ")
    time.sleep(0.2)
    game.process.send_signal(signal.SIGINT)
    game.wait_for("moves: h8\r\n")
    game.wait_for(f"saved {record}\r\n")
    assert game.status() == 130
    assert [str(move) for move in records.load(record)[0].moves] == ["h8"]
    assert json.loads(data.read_text())["moves"] == ["h8"]


def test_ctrl_d_is_the_end_of_input(session):
    game = session("play", "--terminal")
    game.wait_for("black> ")
    game.type("\x04")
    assert game.status() == 1
    assert "\nError: the input ended before the game did" in game.raw


def test_a_long_count_can_be_interrupted_and_shows_progress(session):
    count = session("perft", "othello", "--depth", "20")
    count.wait_for("first moves")
    start = time.monotonic()
    count.process.send_signal(signal.SIGINT)
    assert count.status() == 130
    assert time.monotonic() - start < 5
    assert "Traceback" not in count.raw


def test_quiet_shows_no_progress(session):
    count = session("perft", "othello", "--depth", "9", "--quiet")
    assert count.status() == 0
    assert "first moves" not in count.raw


def test_a_game_through_pipes(run):
    done = run("play", "--terminal", "--white", "random", "--seed", "1", typed="h8\ni8\nj8\nk8\nl8\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "black wins: h8-i8-j8-k8-l8\nmoves: h8" in done.stdout
    assert "\x1b" not in done.stdout


def test_stones_fit_the_encoding(run):
    done = run("play", "--terminal", "-q", typed="quit\n", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "X black> " in done.stdout


def test_bytes_that_are_no_text(environment):
    command = [sys.executable, "-m", "tengen", "play", "--terminal"]
    strict = {**environment, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(
        command, input=b"\xff\xfe\x80\nquit\n", env=strict, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert b"is no point of gomoku" in done.stdout


def test_no_input_at_all(environment):
    command = f"exec {sys.executable} -m tengen play --terminal <&-"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "Error: the input ended before the game did\n"


def test_a_reader_that_leaves_causes_no_traceback(environment):
    command = f"{sys.executable} -m tengen perft othello --depth 10 | head -n 1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    assert done.stdout.startswith("depth")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("arguments", ["games", "--help", "perft othello -d 3 --json"])
def test_a_full_disk_is_one_line_and_status_1(environment, arguments):
    command = f"{sys.executable} -m tengen {arguments} > /dev/full"
    buffered = {**environment, "PYTHONUNBUFFERED": ""}  # what is left in the buffer must not be complained about
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=buffered, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, "Error: cannot write the output: No space left on device\n")


def test_json_to_a_pipe_by_name(environment):
    play = f"{sys.executable} -m tengen play --terminal --black random --white random -q"
    command = f"{play} --json /dev/fd/3 3>&1 >/dev/null"
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert json.loads(done.stdout)["game"] == "gomoku"


def test_help_is_quick(environment):
    command = [sys.executable, "-X", "importtime", "-m", "tengen", "--help"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "tengen.cli" in loaded
    # What takes time to load, and what no help text needs.
    assert not loaded & {"torch", "gymnasium", "pettingzoo", "tengen.envs", "tengen.games.records", "readline"}


def test_the_installed_script_is_the_same_program(run, tmp_path: Path):
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    assert 'tengen = "tengen.cli:main"' in pyproject.read_text()
    from tengen import cli

    assert callable(cli.main)
    assert run("--version").stdout.startswith("tengen ")
