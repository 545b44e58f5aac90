"""kill -9 at any moment, Ctrl-C, and the command line around a run."""

from __future__ import annotations

import json
import multiprocessing
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner
from safetensors.torch import load_file
from small import SMALL, SMALL_CHANGES, open_run, sit
from test_dqn import SMALL as SMALL_DQN
from test_evolution import SMALL as SMALL_EVOLUTION

from tengen.cli import cli
from tengen.nets import load
from tengen.train.run import read_checkpoint
from tengen.train.settings import merged

METHODS = ("alphazero", "dqn", "evolution")

if sys.platform == "win32":
    pytest.skip("signals are not the same there", allow_module_level=True)


def newest(folder: Path) -> int:
    whole = sorted(path for path in folder.glob("checkpoints/*") if path.name.isdecimal())
    return int(whole[-1].name) if whole else 0


def wait_until(condition, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def kill_often(
    method: str, folder: Path, values: dict[str, Any], *, times: int, pause: float = 0.0, counter: str = "games"
) -> int:
    """Kill a run at random moments, each time after it has got further; returns how far it was at the last one.

    It never falls behind its last checkpoint, and every file of its checkpoints is whole. ``counter`` is what they are
    named by.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([f"tengen.train.{name}.trainer" for name in METHODS])  # torch is imported once
    generator = random.Random(time.time_ns())
    before = 0
    for _ in range(times):
        process = context.Process(target=sit, args=(method, str(folder), values, pause))
        process.start()
        wait_until(lambda process=process, before=before: newest(folder) > before or not process.is_alive())
        time.sleep(generator.random() * 0.7)
        assert process.is_alive(), "it ended by itself"
        process.kill()
        process.join()
        now = newest(folder)
        assert now > before
        before = now
        for checkpoint in folder.glob("checkpoints/*"):
            if checkpoint.name.isdecimal():
                state = read_checkpoint(checkpoint)
                assert state["counters"][counter] == int(checkpoint.name)
                load(checkpoint / "net.safetensors")
    return before


def test_killed_five_times(tmp_path: Path) -> None:
    """Counters never fall behind the last checkpoint, and every file is whole."""
    folder, values = tmp_path / "run", merged(SMALL, {"run": {"games": 10**6}})
    before = kill_often("alphazero", folder, values, times=5)
    trainer = open_run("alphazero", str(folder), values, f"run.games={before + 20}")
    assert trainer.counters.games == before
    assert trainer.train().games >= before + 20
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    for key in ("step", "minutes", "rows", "steps", "evaluations"):
        assert [line[key] for line in lines] == sorted(line[key] for line in lines), key
    assert not list(folder.rglob("*.part*"))


LONG_DQN = merged(SMALL_DQN, {"run": {"games": 200, "save_games": 10, "evaluate_games": 60}})
LONG_EVOLUTION = merged(SMALL_EVOLUTION, {"run": {"generations": 30, "ladder_generations": 10}})


@pytest.mark.parametrize(
    ("method", "values", "pause", "counter"),
    [("dqn", LONG_DQN, 0.02, "games"), ("evolution", LONG_EVOLUTION, 0.15, "generations")],
    ids=["dqn", "evolution"],
)
def test_killed_is_never_killed(
    method: str, values: dict[str, Any], pause: float, counter: str, tmp_path: Path
) -> None:
    """Killed twice and gone on with, a run ends with the weights, the log and all else of one that was not."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    open_run(method, str(whole), values).train()
    before = kill_often(method, killed, values, times=2, pause=pause, counter=counter)
    assert before < newest(whole)
    open_run(method, str(killed), values).train()
    assert log_without_times(killed) == log_without_times(whole)
    mine, theirs = (sorted(folder.glob("checkpoints/*"))[-1] for folder in (killed, whole))
    files = sorted(path.name for path in theirs.glob("*.safetensors"))
    assert (mine.name, sorted(path.name for path in mine.glob("*.safetensors"))) == (theirs.name, files)
    assert len(files) > 1
    for name in files:  # the net, what learns, what it remembers; headers say how long it took
        tensors = [load_file(folder / name) for folder in (mine, theirs)]
        assert tensors[0].keys() == tensors[1].keys()
        for key, tensor in tensors[0].items():
            assert torch.equal(tensor, tensors[1][key]), f"{name}: {key}"


def log_without_times(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{k: v for k, v in line.items() if k != "minutes" and not k.endswith("_per_second")} for line in lines]


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_who_is_asked_to_stop_saves(kind: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "tengen", "train", "alphazero", "--preset", "laptop-8x8", "--out", str(folder)]
    changes = [*SMALL_CHANGES, "--set", "run.games=0", "--set", "run.save_minutes=60"]
    process = subprocess.Popen([*command, *changes], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: (folder / "metrics.jsonl").exists() and (folder / "metrics.jsonl").stat().st_size > 0)
    process.send_signal(kind)
    said, wrong = process.communicate(timeout=30)
    assert process.returncode == 128 + kind, wrong
    assert "stopping" in wrong
    assert "learning steps" in said
    assert f"weights: {folder}" in said
    assert json.loads((folder / "run.json").read_text())["state"] == "stopped"
    assert len(list(folder.glob("checkpoints/*/net.safetensors"))) == 1


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["train", "alphazero", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_a_run_from_the_command_line(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    status, said = invoke("--preset", "laptop-8x8", "--out", folder, *SMALL_CHANGES)
    assert (status, "weights: " in said) == (0, True)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["state"] == "finished"
    status, said = invoke("--resume", folder, "--set", "run.games=40", "--quiet")
    assert (status, said) == (0, "")
    assert newest(tmp_path / "run") >= 40


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give --out DIR for a new run, or --resume DIR"),
        (["--out", "a", "--resume", "b"], "or --resume DIR to go on with one, not both"),
        (["--out", "a"], "give --preset; there are gpu-15x15"),
        (["--resume", "a", "--preset", "s3"], "has its settings already"),
        (["--resume", "nowhere"], "there is no run to go on with in nowhere"),
        (["--out", "run", "--preset", "dqn-7x7"], "'dqn-7x7' is a preset of `tengen train dqn`"),
        (["--out", "a", "--preset", "s9"], "there is no preset 's9'"),
        (["--out", "a", "--preset", "s3", "--set", "learn.batch=x"], "learn.batch is a whole number"),
        (["--out", "a", "--preset", "s3", "--start", "nowhere.safetensors"], "cannot read 'nowhere.safetensors'"),
    ],
)
def test_mistakes_are_explained(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, said = invoke(*arguments)
    assert (status, says in said) == (2, True), said
    assert not list(tmp_path.iterdir())
