"""Runs of Q-learning: what they log, and how they go on, end and fail."""

from __future__ import annotations

import json
import math
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from test_dqn import SMALL, log_of, small_config

from tengen.cli import cli
from tengen.nets import read_header
from tengen.nets.shipped import find_net
from tengen.train.dqn.learner import Learner
from tengen.train.dqn.trainer import Ended, Progress, _of_games, new_trainer, resumed_trainer
from tengen.train.run import RunError
from tengen.train.settings import FOR_A_GPU, ConfigError, preset_names, to_toml

torch.set_num_threads(1)


# What games come to.


def test_games_against_itself_are_won_by_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # All moves explore, so that the games are the same whatever is learned.
    trainer = new_trainer(small_config(play={"draw": -0.5, "epsilon_end": 1.0}), str(tmp_path / "run"))
    said: list[Progress] = []
    results: list[int] = []
    count = trainer._count_ended

    def watch() -> None:
        results.extend(trainer.env.result[trainer.env.ended].tolist())
        count()

    monkeypatch.setattr(trainer, "_count_ended", watch)
    trainer.train(said.append)
    line = log_of(tmp_path / "run")[-1]
    assert not {"win_rate", "draw_rate", "loss_rate", "reward"} & line.keys()
    shares = [line[f"self_{what}_share"] for what in ("black", "white", "draw")]
    # The last mover has won every game that was not drawn; who it was is what is told.
    assert shares == pytest.approx([results.count(result) / len(results) for result in (1, 2, 3)], abs=1e-5)
    assert len(set(shares)) == 3
    assert 0 not in shares
    # A draw is worth nothing here, whatever it is worth against rivals.
    assert line["self_reward"] == pytest.approx(shares[0] + shares[1])
    assert "against itself black " in said[-1].in_words()
    assert ", won " not in said[-1].in_words()


@pytest.mark.parametrize("side", ["black", "white"])
def test_games_against_rivals_are_won_by_the_learner(side: str, tmp_path: Path) -> None:
    # All moves explore here too: about one game in eight is drawn.
    play = {"rivals": ["random"], "side": side, "draw": -0.5, "reward_scale": 10.0, "epsilon_end": 1.0}
    config = small_config(play=play)
    trainer = new_trainer(config, str(tmp_path / "run"))
    said: list[Progress] = []
    trainer.train(said.append)
    line = log_of(tmp_path / "run")[-1]
    assert not [key for key in line if key.startswith("self_")]
    assert line["win_rate"] + line["draw_rate"] + line["loss_rate"] == pytest.approx(1, abs=1e-5)
    assert line["draw_rate"] > 0
    # What it learns from is what is told: scaled, and a draw worth what was set.
    given = 10 * (line["win_rate"] - line["loss_rate"] - 0.5 * line["draw_rate"])
    assert line["reward"] == pytest.approx(given, abs=1e-4)
    rated = next(entry for entry in reversed(log_of(tmp_path / "run")) if "evaluate_black_wins" in entry)
    wins, draws = rated["evaluate_black_wins"], rated["evaluate_black_draws"]
    assert rated["evaluate_black_reward"] == pytest.approx(10 * (wins - (1 - wins - draws) - 0.5 * draws), abs=1e-4)
    assert ", won " in said[-1].in_words()


def test_games_of_both_kinds_are_counted_apart() -> None:
    alone = [Ended(True, 1, 10, 3.0), Ended(True, 1, 10, 5.0), Ended(True, -1, 10, 2.0), Ended(True, 0, 10, 6.0)]
    met = [Ended(False, -1, 20, -1.0), Ended(False, 1, 20, 1.0)]
    assert _of_games([*alone, *met]) == {
        "length": pytest.approx(80 / 6),
        "win_rate": 0.5,
        "draw_rate": 0.0,
        "loss_rate": 0.5,
        "reward": 0.0,
        "self_black_share": 0.5,
        "self_draw_share": 0.25,
        "self_white_share": 0.25,
        "self_reward": 4.0,
    }
    assert _of_games([]) == {}


# Going on.


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a few games that is over."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    new_trainer(small_config(), str(folder)).train()
    return folder


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    return shutil.copytree(run, tmp_path / "copy")


def test_a_run_goes_on_with_its_game(copy: Path) -> None:
    with pytest.raises(ConfigError, match=r"learns gomoku:size=3,win=3; start another one for gomoku:size=3"):
        resumed_trainer(str(copy), ("game=gomoku:size=3,win=3,rule=standard", "run.games=200"))
    assert resumed_trainer(str(copy), ("game=gomoku:win=3,size=3", "run.games=200")).counters.games >= 120  # the same


def test_priorities_may_come_later(copy: Path) -> None:
    trainer = resumed_trainer(str(copy), ("learn.priority=0.6", "run.games=160"))
    assert trainer.train().games >= 160
    without = resumed_trainer(str(copy), ("learn.priority=0", "run.games=200"))
    assert without.train().games >= 200


@pytest.mark.parametrize("change", [("channels = 16", "channels = 24"), ("pair = false", "pair = true")])
def test_settings_of_another_network_are_told_in_one_line(change: tuple[str, str], copy: Path) -> None:
    path = copy / "config.toml"
    assert change[0] in path.read_text()
    path.write_text(path.read_text().replace(*change))
    with pytest.raises(RunError, match=r"does not fit this run: .* the network that config.toml describes$"):
        resumed_trainer(str(copy))


def test_a_smaller_memory_is_refused_by_name(copy: Path) -> None:
    with pytest.raises(RunError, match=r"does not fit this run: it has 500 rows, more than learn.memory=100$"):
        resumed_trainer(str(copy), ("learn.memory=100", "run.games=200"))


def test_a_larger_memory_is_filled_up(copy: Path) -> None:
    trainer = resumed_trainer(str(copy), ("learn.memory=1000", "run.games=150"))
    trainer.train()
    replay = trainer.learners[0].replay
    assert 500 < replay.filled < 1000
    _, rows, _ = replay.sample(4000, torch.Generator().manual_seed(1))
    assert rows.mask.gather(1, rows.action[:, None]).all()  # no row but those that were lived through


def test_a_run_may_go_on_without_its_scouts(tmp_path: Path) -> None:
    play = {"rivals": ["random"], "scouts": 40, "side": "black"}
    scouted = new_trainer(small_config(play=play, learn={"won_share": 0.25}), str(tmp_path))
    scouted.train()
    assert scouted.learners[0].won.filled > 100
    without = ("play.scouts=0", "learn.won_share=0")
    alone = resumed_trainer(str(tmp_path), (*without, "run.games=160"))
    alone.train()
    assert (alone.scouts, alone.counters.scouted) == (None, scouted.counters.scouted)
    assert resumed_trainer(str(tmp_path), (*without, "run.games=200")).train().games >= 200
    # And with them again: what the first had won is forgotten by now.
    again = resumed_trainer(str(tmp_path), ("run.games=240",))
    assert (again.learners[0].won.filled, len(again.trails)) == (0, 0)
    again.train()
    assert again.learners[0].won.filled > 100


def test_a_run_goes_on_that_was_made_before_a_setting_was_refused(copy: Path) -> None:
    path = copy / "config.toml"
    path.write_text(path.read_text().replace("evaluate_openings = 10", "evaluate_openings = 1000"))
    with pytest.raises(ConfigError, match="at most 600"):
        resumed_trainer(str(copy))
    assert resumed_trainer(str(copy), ("run.evaluate_openings=600",)).counters.games >= 120


def test_the_same_seed_gives_the_same_curve(tmp_path: Path) -> None:
    for name, seed in (("first", 3), ("again", 3), ("other", 4)):
        new_trainer(small_config(run={"seed": seed}), str(tmp_path / name)).train()
    first, again, other = (log_of(tmp_path / name) for name in ("first", "again", "other"))
    assert first == again
    assert [line.get("loss") for line in first] != [line.get("loss") for line in other]


# The end.


def test_the_network_at_the_end_is_the_one_that_is_evaluated(run: Path, copy: Path, tmp_path: Path) -> None:
    lines = log_of(run)
    assert "evaluate_black_wins" in lines[-1]
    trainer = resumed_trainer(str(copy), ("run.games=1000", "run.evaluate_games=1000"))
    assert trainer.summary().splitlines()[1].endswith(f", after {lines[-1]['games']} games")
    trainer.stop()
    trainer.train()  # who stops a run does not wait for an evaluation
    assert trainer.summary().splitlines()[1].endswith(f", after {lines[-1]['games']} games")
    quiet = new_trainer(small_config(run={"evaluate_games": 0}), str(tmp_path / "quiet"))
    quiet.train()
    assert not [key for line in log_of(tmp_path / "quiet") for key in line if key.startswith("evaluate")]


def train(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["train", "dqn", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def about(folder: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return said


@pytest.fixture
def preset(tmp_path: Path) -> str:
    """The settings of a small run as a file."""
    path = tmp_path / "small.toml"
    path.write_text(to_toml(SMALL))
    return str(path)


@pytest.mark.parametrize("log_seconds", [0.0, 60.0], ids=["at the log", "at a checkpoint"])
def test_a_run_that_diverges_stops(
    log_seconds: float, preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    learn = Learner.learn

    def learn_too_much(learner: Learner, rate: float, correction: float, ahead: int) -> None:
        learn(learner, math.nan if learner.steps == 60 else rate, correction, ahead)

    monkeypatch.setattr(Learner, "learn", learn_too_much)
    changes = ("--set", "run.games=400", "--set", f"run.log_seconds={log_seconds}", "--set", "run.evaluate_games=0")
    status, said = train("--preset", preset, "--out", str(folder), "--quiet", *changes)
    [kept] = (folder / "checkpoints").iterdir()  # no part of another
    assert (status, "diverged at step " in said) == (1, True), said
    assert f"the last good checkpoint is {kept} " in said
    assert about(folder)["state"] == "failed"
    assert about(folder)["why"] in said
    for line in (folder / "metrics.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=lambda word: pytest.fail(f"{word} in the log"))
    monkeypatch.undo()
    assert train("--resume", str(folder), "--quiet", "--set", "run.games=80")[0] == 0
    assert about(folder)["state"] == "finished"
    assert "why" not in about(folder)


# Mistakes.


def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gigabyte is all that can be had, whatever this machine has."""

    def limit(module: Any, error: type[Exception]) -> None:
        zeros = module.zeros

        def limited(shape: Any, *more: Any, **options: Any) -> Any:
            if math.prod(shape if isinstance(shape, tuple) else (shape,)) > 1e9:
                raise error("no memory")
            return zeros(shape, *more, **options)

        monkeypatch.setattr(module, "zeros", limited)

    limit(torch, RuntimeError)
    limit(np, MemoryError)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (["learn.rate_end=inf"], "learn.rate_end is 0 to 10, not inf"),
        (["learn.priority_correction=2"], "learn.priority_correction is 0 to 1, not 2"),
        (["run.minutes=inf"], "run.minutes has finite numbers only, not inf"),
        (["run.log_seconds=1e999"], "run.log_seconds has finite numbers only, not inf"),
        ([f"run.minutes={10**400}"], "run.minutes has finite numbers only, not inf"),
        ([f"run.minutes={'9' * 5000}"], "run.minutes is a number, not '999"),
        (["play.weights=[nan]"], "play.weights has finite numbers only"),
        (["learn.memory=100000000", "game=gomoku:size=22"], "learn.memory: 100000000 rows take "),
        (
            ["play.scout_positions=16777216", "game=gomoku:size=22", "play.rivals=['random']", "play.scouts=4"],
            "play.scout_positions: 16777216 take 65.0 GB",
        ),
    ],
)
def test_settings_that_cannot_be(
    changes: list[str], says: str, preset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "GB" in says or "rows take" in says:
        no_memory(monkeypatch)
    share = ["learn.won_share=0.5"] if "play.scouts=4" in changes else []
    words = [word for change in [*changes, *share] for word in ("--set", change)]
    status, said = train("--preset", preset, "--out", str(tmp_path / "run"), *words)
    assert (status, says in said) == (2, True), said
    assert not (tmp_path / "run").exists()


def test_a_run_file_that_is_no_object(copy: Path) -> None:
    (copy / "run.json").write_text("[]")
    status, said = train("--resume", str(copy))
    assert (status, "there is no run to go on with" in said) == (2, True), said


# Beginning.


@pytest.mark.parametrize("preset_name", ["dqn-15x15", "dqn-7x7"])
def test_a_preset_for_a_gpu_says_so_without_one(preset_name: str, tmp_path: Path) -> None:
    small = ("play.games=4", "learn.memory=100", "run.games=1", "run.evaluate_games=0", "run.device=cpu")
    small += ("net.blocks=1", "net.channels=8", "play.scouts=0", "learn.won_share=0", "learn.imitate=0")
    words = [word for change in small for word in ("--set", change)]
    arguments = ["train", "dqn", "--preset", preset_name, "--out", str(tmp_path / "run"), *words]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.stderr
    assert ("was made for a GPU" in result.stderr) == (preset_name == "dqn-15x15")


@pytest.mark.parametrize("method", ["alphazero", "dqn", "evolution"])
def test_presets_for_a_gpu_are_those_that_say_so(method: str) -> None:
    folder = resources.files("tengen") / "presets" / method
    texts = {name: (folder / f"{name}.toml").read_text("utf-8") for name in preset_names(method)}
    assert set(FOR_A_GPU.get(method, ())) == {name for name, text in texts.items() if "on one GPU" in text}


def test_a_run_begins_with_the_weights_of_another(run: Path, preset: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert train("--preset", preset, "--out", str(out), "--start", str(run), "--quiet", "--set", "run.games=8")[0] == 0
    played = read_header(find_net(str(out))).training["played"]
    assert played > read_header(find_net(str(run))).training["played"]
    for start, says in (
        ("/etc/passwd", "/etc/passwd is no .safetensors file"),
        (str(tmp_path), "there are no weights in"),
        ("dqn-gomoku-7x7", "cannot read 'dqn-gomoku-7x7'"),
        (str(find_net("dqn-gomoku-7x7")), "this network is for play; to train, take its .safetensors file"),
    ):
        status, said = train("--preset", preset, "--out", str(tmp_path / "another"), "--start", start)
        assert (status, says in said) == (2, True), said


# Export.


def test_int8_is_for_alphazero(run: Path, tmp_path: Path) -> None:
    arguments = ["export", str(run), "--out", str(tmp_path / "net.onnx"), "--int8"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert "--int8 is for the nets of alphazero" in result.output
    assert "was trained by dqn" in result.output
    assert not (tmp_path / "net.onnx").exists()
