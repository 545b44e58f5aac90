"""Running the command line, within this process and as one of its own."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tengen
from tengen.cli import cli

Invoke = Callable[..., Result]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def invoke() -> Invoke:
    """Call the command line in this process; an exception that would be a traceback fails the test."""

    def call(*arguments: str, typed: str = "") -> Result:
        result = CliRunner().invoke(cli, list(arguments), input=typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return call


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The environment for a process: this package, UTF-8, no colours forced either way."""
    kept = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "PYTHONIOENCODING"}}
    search = [str(Path(tengen.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**kept, "PYTHONPATH": os.pathsep.join(search), "PYTHONUTF8": "1", "TERM": "xterm"}


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """Run ``python -m tengen`` to its end."""

    def call(*arguments: str, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tengen", *arguments],
            input=typed,
            env={**environment, **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return call


@pytest.fixture(scope="session")
def moves_to_a_pass() -> list[str]:
    """Moves of a 4x4 Othello game that end with its first pass, after which the game goes on."""
    for seed in range(1000):
        generator = random.Random(seed)
        position = tengen.Position("othello:size=4")
        while not position.is_over:
            move = position.play(generator.choice(position.legal_moves()))
            if move.is_pass:
                return [str(each) for each in position.moves]
    raise AssertionError("no game has a pass")
