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

import pytest
from click.testing import CliRunner
from small import SMALL_CHANGES, sit

from tengen.cli import cli
from tengen.nets import load
from tengen.train.run import read_checkpoint

if sys.platform == "win32":
    pytest.skip("signals are not the same there", allow_module_level=True)


def newest_games(folder: Path) -> int:
    whole = sorted(path for path in folder.glob("checkpoints/*") if path.name.isdecimal())
    return int(whole[-1].name) if whole else 0


def wait_until(condition, seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def test_killed_five_times(tmp_path: Path) -> None:
    """Counters never fall behind the last checkpoint, and every file is whole."""
    folder = tmp_path / "run"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tengen.train.alphazero.trainer"])  # torch is imported once
    generator = random.Random(time.time_ns())
    before = 0
    for _ in range(5):
        process = context.Process(target=sit, args=(str(folder),))
        process.start()
        wait_until(lambda process=process, before=before: newest_games(folder) > before or not process.is_alive())
        time.sleep(generator.random() * 0.7)
        assert process.is_alive(), "it ended by itself"
        process.kill()
        process.join()
        now = newest_games(folder)
        assert now > before
        before = now
        for checkpoint in folder.glob("checkpoints/*"):
            if checkpoint.name.isdecimal():
                state = read_checkpoint(checkpoint)
                assert state["counters"]["games"] == int(checkpoint.name)
                load(checkpoint / "net.safetensors")
    from tengen.train.alphazero.trainer import resumed_trainer

    trainer = resumed_trainer(str(folder), (f"run.games={before + 20}",))
    assert trainer.counters.games == before
    assert trainer.train().games >= before + 20
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    for key in ("step", "minutes", "rows", "steps", "evaluations"):
        assert [line[key] for line in lines] == sorted(line[key] for line in lines), key
    assert not list(folder.rglob("*.part*"))


def test_control_c_saves(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "tengen", "train", "alphazero", "--preset", "laptop-8x8", "--out", str(folder)]
    changes = [*SMALL_CHANGES, "--set", "run.games=0", "--set", "run.save_minutes=60"]
    process = subprocess.Popen([*command, *changes], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: (folder / "metrics.jsonl").exists() and (folder / "metrics.jsonl").stat().st_size > 0)
    process.send_signal(signal.SIGINT)
    said, wrong = process.communicate(timeout=30)
    assert process.returncode == 130, wrong
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
    assert newest_games(tmp_path / "run") >= 40


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give --out DIR for a new run, or --resume DIR"),
        (["--out", "a", "--resume", "b"], "give --out DIR for a new run, or --resume DIR"),
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
