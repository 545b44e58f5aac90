"""The run folder: what is there after a kill at any moment."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.train.run import DamagedError, Run, RunError, read_checkpoint, write_text

CONFIG = {"games": ["gomoku"], "learn": {"batch": 3}}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run.create(tmp_path / "run", "alphazero", CONFIG, seed=5)


def writer(text: str = "x") -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / "weights.bin").write_text(text)
        (folder / "games.bin").write_text("games")

    return write


def names(run: Run) -> list[str]:
    return [path.name for path in run.checkpoints()]


def test_a_new_run_says_what_it_is(run: Run) -> None:
    about = json.loads((run.folder / "run.json").read_text())
    assert (about["method"], about["state"], about["seed"]) == ("alphazero", "running", 5)
    assert set(about["versions"]) == {"tengen", "python", "numpy"}
    run.set_state("stopped", why="a test")
    about = json.loads((run.folder / "run.json").read_text())
    assert (about["state"], about["why"], about["seed"]) == ("stopped", "a test", 5)


def test_opening_gives_the_settings_back(run: Run) -> None:
    run.close()
    again, config = Run.open(run.folder, "alphazero")
    assert config == CONFIG
    assert again.checkpoints() == []


def test_folders_that_will_not_do(run: Run, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"there is a run in .* already; go on with --resume"):
        Run.create(run.folder, "alphazero", CONFIG, seed=5)
    with pytest.raises(RunError, match="is one of 'alphazero', not of 'dqn'"):
        Run.open(run.folder, "dqn")
    with pytest.raises(RunError, match="there is no run to go on with"):
        Run.open(tmp_path, "alphazero")
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot make a run in"):
        Run.create(tmp_path / "file", "alphazero", CONFIG, seed=5)
    (run.folder / "run.json").write_text("{")
    with pytest.raises(RunError, match=r"there is no run to go on with in .*: run.json is damaged"):
        Run.open(run.folder, "alphazero")


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    for name in ("notes.txt", "config.toml", "checkpoints/0000000001"):
        folder = tmp_path / name.partition("/")[0].partition(".")[0]
        (folder / name).mkdir(parents=True)
        with pytest.raises(RunError, match="holds other things and no run"):
            Run.create(folder, "alphazero", CONFIG, seed=5)
        assert [path.name for path in folder.iterdir()] == [name.partition("/")[0]]


@pytest.mark.parametrize("left", [[], ["config.toml.part"], ["config.toml"], ["config.toml", "run.json.part"]])
def test_a_run_that_was_killed_while_it_was_made_is_made_again(left: list[str], tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    for name in left:
        (tmp_path / name).write_text("")
    assert Run.open(Run.create(tmp_path, "alphazero", CONFIG, seed=5).folder, "alphazero")[1] == CONFIG


def test_the_log_is_cut_back(run: Run) -> None:
    for step in (1, 2, 2, 3, 4):
        run.log(step, {"loss": step / 3})
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write('[]\n{"x": 1}\n{"step": 2, "lo')  # killed here
    run.trim_log(lambda line: line["step"] <= 2)
    run.log(3, {"loss": 9.0})
    lines = [json.loads(line) for line in (run.folder / "metrics.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [1, 2, 2, 3]
    assert lines[0]["loss"] == pytest.approx(1 / 3, abs=1e-6)


def test_only_the_newest_checkpoints_stay(run: Run) -> None:
    for step in (9, 10, 100, 1000):
        run.save(step, {"step": step}, writer(), keep=2)
    assert names(run) == ["0000000100", "0000001000"]
    assert read_checkpoint(run.checkpoints()[-1]) == {"step": 1000}


def test_the_same_step_again_replaces(run: Run) -> None:
    run.save(5, {"n": 1}, writer("one"), keep=3)
    run.save(5, {"n": 2}, writer("two"), keep=3)
    assert names(run) == ["0000000005"]
    assert read_checkpoint(run.checkpoints()[0]) == {"n": 2}
    assert sorted(path.name for path in (run.folder / "checkpoints").iterdir()) == ["0000000005"]


def test_killed_while_a_checkpoint_was_replaced(run: Run) -> None:
    final = run.save(5, {"n": 1}, writer(), keep=3)
    final.rename(final.with_suffix(".old"))
    run.close()
    again, _ = Run.open(run.folder, "alphazero")
    assert read_checkpoint(again.checkpoints()[0]) == {"n": 1}
    shutil.copytree(final, final.with_suffix(".old"))  # killed a moment later
    again, _ = Run.open(run.folder, "alphazero")
    assert names(again) == ["0000000005"]
    shutil.copytree(final, run.folder / "checkpoints" / "0000000004.gone")  # killed while it was deleted
    again.save(6, {"n": 2}, writer(), keep=3)
    assert sorted(path.name for path in (run.folder / "checkpoints").iterdir()) == ["0000000005", "0000000006"]


def test_half_of_a_checkpoint_is_none(run: Run) -> None:
    def fails(folder: Path) -> None:
        writer()(folder)
        raise KeyboardInterrupt

    run.save(5, {}, writer(), keep=3)
    with pytest.raises(KeyboardInterrupt):
        run.save(6, {}, fails, keep=3)
    assert (run.folder / "checkpoints" / "0000000006.part").exists()
    assert names(run) == ["0000000005"]
    run.save(7, {}, writer(), keep=3)  # sweeps it away
    assert sorted(path.name for path in (run.folder / "checkpoints").iterdir()) == ["0000000005", "0000000007"]


def refuse(*steps: int) -> Callable[[Path], None]:
    """What cannot go on from the checkpoints of some steps."""

    def resume(checkpoint: Path) -> None:
        if int(checkpoint.name) in steps:
            raise DamagedError(f"{checkpoint} is damaged")

    return resume


def test_damaged_checkpoints_are_set_aside_and_cost_no_good_one(run: Run) -> None:
    for step in (41, 60, 70):
        run.save(step, {"n": step}, writer(), keep=3)
    assert run.resume(refuse(60, 70))
    assert [remark.rpartition("/")[2] for remark in run.remarks] == ["0000000070 is damaged", "0000000060 is damaged"]
    assert names(run) == ["0000000041"]
    run.save(45, {"n": 45}, writer(), keep=1)
    assert names(run) == ["0000000045"]
    aside = {path.name for path in (run.folder / "checkpoints").iterdir()} - set(names(run))
    assert aside == {"0000000060.damaged", "0000000070.damaged"}  # for who would try to save something
    run.save(60, {"n": 60}, writer(), keep=1)
    run.save(61, {"n": 61}, writer(), keep=2)
    assert run.resume(refuse(61))
    assert names(run) == ["0000000060"]


def test_a_run_whose_checkpoints_are_gone_says_so(run: Run) -> None:
    assert not run.resume(refuse())
    assert run.remarks == []  # killed before there was anything
    run.log(41, {})
    run.save(41, {}, writer(), keep=3)
    run.close()
    shutil.rmtree(run.folder / "checkpoints")
    again, _ = Run.open(run.folder, "alphazero")
    assert not again.resume(refuse())
    assert again.remarks == [
        f"there is no checkpoint in {run.folder / 'checkpoints'}: the run begins again from nothing, its log too"
    ]


def test_where_all_are_damaged_they_stay(run: Run) -> None:
    for step in (41, 60):
        run.save(step, {"n": step}, writer(), keep=3)
    with pytest.raises(RunError, match="no checkpoint can be gone on from"):
        run.resume(refuse(41, 60))
    assert names(run) == ["0000000041", "0000000060"]


def test_a_run_belongs_to_one_process(run: Run) -> None:
    code = "import sys; from tengen.train.run import Run; Run.open(sys.argv[1], 'alphazero'); print('opened')"
    command = [sys.executable, "-c", code, str(run.folder)]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert f"the run in {run.folder} is going on already, in process {os.getpid()}" in refused.stderr
    run.close()
    assert subprocess.run(command, capture_output=True, text=True).stdout == "opened\n"


def test_what_is_no_number_is_not_logged(run: Run) -> None:
    run.log(1, {"loss": math.nan, "value": -math.inf, "games": 3})
    assert json.loads((run.folder / "metrics.jsonl").read_text()) == {"step": 1, "games": 3}


@pytest.mark.parametrize("harm", ["alter", "cut", "delete", "state", "empty state", "list", "elsewhere"])
def test_harm_is_seen(run: Run, harm: str) -> None:
    folder = run.save(5, {"n": 1}, writer(), keep=3)
    weights, state = folder / "weights.bin", folder / "state.json"
    match harm:
        case "alter":
            weights.write_text("y")
        case "cut":
            weights.write_text("")
        case "delete":
            weights.unlink()
        case "state":
            state.write_text("{")
        case "empty state":
            state.write_text("{}")
        case "list":
            state.write_text(json.dumps({"sha256": {}, "state": []}))
        case "elsewhere":
            state.write_text(json.dumps({"sha256": {"../../run.json": "0" * 64}, "state": {}}))
    with pytest.raises(RunError, match=r"damaged or was changed|is no checkpoint"):
        read_checkpoint(folder)


def test_large_files_may_stay_behind(run: Run) -> None:
    folder = run.save(5, {"n": 1}, writer(), keep=3)
    (folder / "games.bin").unlink()
    assert read_checkpoint(folder, optional=("games.bin",)) == {"n": 1}
    with pytest.raises(RunError, match="is no checkpoint"):
        read_checkpoint(folder)


def test_text_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "one")
    write_text(path, "two")
    assert path.read_text() == "two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_checkpoint_that_fails_leaves_nothing(run: Run) -> None:
    def fails(folder: Path) -> None:
        writer()(folder)
        raise RunError("no numbers")

    with pytest.raises(RunError, match="no numbers"):
        run.save(6, {}, fails, keep=3)
    assert not list((run.folder / "checkpoints").iterdir())


def test_why_it_failed_is_forgotten_when_it_goes_on(run: Run) -> None:
    run.set_state("failed", why="a test", sitting_began=3)
    run.go_on(CONFIG)
    about = json.loads((run.folder / "run.json").read_text())
    assert (about["state"], about["sitting_began"], "why" in about) == ("running", 3, False)


@pytest.mark.parametrize("text", ["[]", "3", "null", '"run"'])
def test_a_run_file_that_is_no_object(run: Run, text: str) -> None:
    (run.folder / "run.json").write_text(text)
    with pytest.raises(RunError, match="there is no run to go on with"):
        Run.open(run.folder, "alphazero")


@pytest.mark.parametrize("saved", [2, None])
def test_curves_are_cut_back_with_the_log(run: Run, saved: int | None) -> None:
    """Killed after step 4 and gone on with from step 2, or from nothing: TensorBoard shows each step once."""
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    for step in range(1, 5):
        run.log(step, {"loss": float(step)})
        if step == saved:
            run.save(step, {}, writer(), keep=3)
    run.close()
    time.sleep(1)  # the order of two files that TensorBoard writes within a second is that of "9" and "10"
    again, _ = Run.open(run.folder, "alphazero")
    assert again.resume(lambda _: None) == (saved is not None)
    begin = 1 + (saved or 0)
    for step in range(begin, 6):
        again.log(step, {"loss": 10.0 + step})
    again.close()
    board = accumulator.EventAccumulator(str(run.folder / "tensorboard")).Reload()
    expected = [(step, float(step)) for step in range(1, begin)] + [(step, 10.0 + step) for step in range(begin, 6)]
    assert [(event.step, event.value) for event in board.Scalars("loss")] == expected
