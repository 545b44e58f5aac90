"""Whole runs, small: they learn, log, save, go on, and say what is wrong."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from small import SMALL, small_config

from tengen.nets import NetFileError, load, read_header
from tengen.train.alphazero.config import load_preset
from tengen.train.alphazero.health import MustBlock
from tengen.train.alphazero.playing import CpuNet
from tengen.train.alphazero.trainer import AlphaZeroTrainer, Progress, new_trainer, resumed_trainer
from tengen.train.devices import choose_device
from tengen.train.run import RunError
from tengen.train.settings import ConfigError, preset_names


def trained(folder: Path, **changes: Any) -> AlphaZeroTrainer:
    trainer = new_trainer(small_config(**changes), str(folder))
    trainer.train()
    trainer.run_folder.close()
    return trainer


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has come to its end; not to be changed."""
    folder = tmp_path_factory.mktemp("runs") / "finished"
    trained(folder)
    return folder


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def newest(folder: Path) -> Path:
    return sorted(path for path in (folder / "checkpoints").iterdir() if path.name.isdecimal())[-1]


@pytest.mark.parametrize(
    "names", [["gomoku:size=7"], ["othello:size=6"], ["gomoku:size=7", "gomoku:size=9"], ["renju:size=9"]], ids=str
)
def test_from_nothing_to_a_net(names: list[str], tmp_path: Path) -> None:
    told: list[Progress] = []
    trainer = new_trainer(small_config(games=names), str(tmp_path / "run"))
    counters = trainer.train(told.append)
    assert counters.games >= 30
    assert counters.steps > 3
    assert counters.rows > 100
    assert told[-1].metrics["policy_loss"] > 0
    assert told[-1].metrics["evaluations_per_second"] > 0
    assert told[-1].metrics["bare_share"] > 0
    net, header = load(newest(tmp_path / "run") / "net.safetensors")
    assert header.training["games"] == names
    assert header.training["played"] == counters.games
    assert all(torch.equal(a, b) for a, b in zip(net.parameters(), trainer.learner.average.parameters(), strict=True))
    log = log_of(tmp_path / "run")
    assert log[-1]["games"] == log[-1]["step"] == counters.games
    assert {"minutes", "evaluations", "rate", "window", "median_length", "black_share", "value_loss"} <= set(log[-1])
    with np.load(newest(tmp_path / "run") / "positions.npz") as file:
        assert file["planes"].dtype == np.uint8


@pytest.mark.parametrize("preset", preset_names("alphazero"))
def test_presets_start(preset: str, tmp_path: Path) -> None:
    games = [replace(game, size=8 if preset == "laptop-8x8" else 6).name for game in load_preset(preset).parsed_games()]
    changes = [f"games={games}", "run.games=6", "run.device='cpu'", "selfplay.games=8", "selfplay.threads=1"]
    changes += ["selfplay.full_visits=8", "selfplay.cheap_visits=4", "learn.least_rows=16", "learn.batch=8"]
    changes += ["net.channels=8", "run.gate_every=4", "learn.window=1000", "run.refresh=2"]
    changes += [] if preset == "s3" else ["net.blocks=1"]
    trainer = new_trainer(load_preset(preset, changes), str(tmp_path / "run"))
    assert trainer.train().games >= 6
    assert trainer.counters.steps > 0
    assert ("must_block" in log_of(tmp_path / "run")[-1]) == (preset != "othello")


def test_a_run_goes_on_where_it_was(run: Path) -> None:
    before = log_of(run)
    trainer = resumed_trainer(str(run), ("run.games=60",))
    had = trainer.counters.games
    assert had >= 30
    assert trainer.window.filled == before[-1]["window"]
    assert trainer.train().games >= 60
    log = log_of(run)
    assert log[: len(before)] == before
    assert [line["games"] for line in log] == sorted(line["games"] for line in log)
    assert [line["minutes"] for line in log] == sorted(line["minutes"] for line in log)
    assert read_header(newest(run) / "net.safetensors").training["played"] == trainer.counters.games > had


def test_a_run_goes_on_elsewhere_without_its_games(run: Path) -> None:
    for name in ("games.npz", "positions.npz"):
        (newest(run) / name).unlink()
    trainer = resumed_trainer(str(run), ("run.games=45",))
    assert (trainer.counters.games >= 30, trainer.window.filled) == (True, 0)
    assert trainer.train().games >= 45


@pytest.mark.parametrize("harmed", ["net.safetensors", "learner.safetensors", "games.npz", "state.json"])
def test_a_damaged_checkpoint_is_passed_over(harmed: str, run: Path) -> None:
    checkpoints = sorted((run / "checkpoints").iterdir())
    assert len(checkpoints) >= 2
    path = checkpoints[-1] / harmed
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data if harmed != "state.json" else data[:20])
    trainer = resumed_trainer(str(run))
    assert trainer.counters.games == int(checkpoints[-2].name)
    assert log_of(run)[-1]["games"] <= trainer.counters.games


def test_when_no_checkpoint_is_whole(run: Path) -> None:
    for path in (run / "checkpoints").iterdir():
        (path / "learner.safetensors").write_bytes(b"x")
    with pytest.raises(RunError, match=r"no checkpoint can be gone on from: .*learner.safetensors is damaged"):
        resumed_trainer(str(run))


def test_settings_of_another_network_are_told_in_one_line(run: Path) -> None:
    (run / "config.toml").write_text("")
    with pytest.raises(RunError, match=r"does not fit this run: .* the network that config.toml describes$"):
        resumed_trainer(str(run))


def test_killed_before_the_first_checkpoint(run: Path) -> None:
    shutil.rmtree(run / "checkpoints")
    (run / "checkpoints" / "0000000003.part").mkdir(parents=True)
    trainer = resumed_trainer(str(run))
    assert trainer.counters.games == 0
    assert ["begins again from nothing" in remark for remark in trainer.run_folder.remarks] == [True]
    assert trainer.train().games >= 30
    assert not list((run / "checkpoints").glob("*.part"))


@pytest.mark.parametrize("harm", ["alter", "cut"])
def test_harmed_weights_are_refused(harm: str, run: Path, tmp_path: Path) -> None:
    path = newest(run) / "net.safetensors"
    data = bytearray(path.read_bytes())
    data[-5] ^= 4
    path.write_bytes(data if harm == "alter" else data[:-100])
    with pytest.raises(NetFileError, match="damaged or changed"):
        new_trainer(small_config(), str(tmp_path / "other")).start_from(str(path))


def test_beginning_with_weights(finished: Path, tmp_path: Path) -> None:
    path = newest(finished) / "net.safetensors"
    config = small_config(games=["gomoku:size=9"], run={"gate_games": 2})
    trainer = new_trainer(config, str(tmp_path / "a"), start=str(path))  # any size
    net, header = load(path)
    assert header.training["played"] > 0
    facts = trainer.training_facts()
    assert {key: facts[key] for key in ("played", "rows", "steps")} == {
        key: header.training[key] for key in ("played", "rows", "steps")
    }  # what it inherits counts
    trainer.save()
    assert resumed_trainer(str(tmp_path / "a")).training_facts()["played"] == header.training["played"]
    assert trainer._gate is not None
    for mine in (trainer.learner.net, trainer.learner.average, trainer._gate.best):
        assert all(torch.equal(a, b) for a, b in zip(net.parameters(), mine.parameters(), strict=True))
    with pytest.raises(ConfigError, match="is a network of another shape"):
        new_trainer(small_config(net={"channels": 12}), str(tmp_path / "b"), start=str(path))
    assert not (tmp_path / "b").exists()


def test_stopping_saves(tmp_path: Path) -> None:
    trainer = new_trainer(small_config(run={"games": 0, "save_minutes": 9.0}), str(tmp_path / "run"))

    def watch(progress: Progress) -> None:
        if progress.counters.games >= 5:
            trainer.stop()

    games = trainer.train(watch).games
    assert [path.name for path in trainer.run_folder.checkpoints()] == [f"{games:010d}"]
    assert resumed_trainer(str(tmp_path / "run")).counters.games == games


def test_devices() -> None:
    assert choose_device("cpu").type == "cpu"
    for name in ("tpu", "meta", "cuda:x"):
        with pytest.raises(ConfigError, match=r"run.device is auto, cpu, cuda or cuda:N"):
            choose_device(name)
    if not torch.cuda.is_available():
        assert choose_device("auto").type == "cpu"
        with pytest.raises(ConfigError, match="there is no GPU that torch can use"):
            choose_device("cuda")


def test_the_rate_over_a_run(tmp_path: Path) -> None:
    schedule = {"rate": 0.1, "warm_up": 4, "rate_steps": [[0.0, 1.0], [0.5, 0.1]]}
    trainer = new_trainer(small_config(learn=schedule, run={"games": 100}), str(tmp_path / "run"))
    assert trainer._rate() == pytest.approx(0.025)
    trainer.learner.steps = 10
    assert trainer._rate() == pytest.approx(0.1)
    trainer.counters.games = 50
    assert trainer._rate() == pytest.approx(0.01)


def test_s3s_rate_follows_the_policy(tmp_path: Path) -> None:
    trainer = trained(tmp_path / "still", learn={"schedule": "kl", "rate": 1e-6}, run={"games": 20})
    assert trainer._rate_factor > 1  # it hardly moved: faster
    assert log_of(tmp_path / "still")[-1]["kl"] < 1e-3
    trainer = trained(tmp_path / "wild", learn={"schedule": "kl", "rate": 0.3, "kl_target": 1e-4})
    assert trainer._rate_factor < 1
    assert resumed_trainer(str(tmp_path / "wild"))._rate_factor == trainer._rate_factor


def test_how_far_the_policy_moves_is_always_told(tmp_path: Path) -> None:
    trainer = trained(tmp_path / "run", learn={"rate": 0.01, "kl_target": 1e-6})
    assert log_of(tmp_path / "run")[-1]["kl"] > 0
    assert trainer._rate_factor == 1


def test_wrong_resignations_are_told(finished: Path, tmp_path: Path) -> None:
    trained(tmp_path / "run", selfplay={"resign": 0.05, "resign_check": 1.0})
    told = [line["resign_error_share"] for line in log_of(tmp_path / "run") if "resign_error_share" in line]
    assert told
    assert all(0 <= share <= 1 for share in told)
    assert not any("resign_error_share" in line for line in log_of(finished))  # nobody resigns


@pytest.mark.parametrize(
    ("length", "p", "threshold"),
    [(9, 0.4, 0.6), (12, 0.4, 0.6), (21, 0.2, 0.8), (29, 0.4 / 18, 1 - 0.4 / 18), (30, 0, 0.999), (60, 0, 0.999)],
)
def test_opposition_ends_as_games_grow(length: float, p: float, threshold: float, tmp_path: Path) -> None:
    class Play:
        def set_opposition(self, probability: float, threshold: float) -> None:
            self.told = (probability, threshold)

    play: Any = Play()
    for adapts, expected in ((True, (p, threshold)), (False, (0.4, 0.6))):
        settings = {"opposition": 0.4, "opposition_threshold": 0.6, "opposition_adapts": adapts}
        trainer = AlphaZeroTrainer(small_config(selfplay=settings))
        metrics = {"median_length": float(length), "black_share": 0.9}
        trainer._adapt_opposition(play, metrics)
        assert play.told == pytest.approx(expected)
        assert metrics["opposition"] == pytest.approx(expected[0])


def test_a_slow_suite_is_not_asked_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, now = [], 1000.0

    def score(self: MustBlock, net: torch.nn.Module) -> float:
        nonlocal now
        now += 2
        asked.append(net)
        return len(asked) / 10

    monkeypatch.setattr(MustBlock, "score", score)
    # The trainer's clock alone: others, such as a server in a thread, go by the real one.
    monkeypatch.setattr("tengen.train.alphazero.trainer.time", SimpleNamespace(monotonic=lambda: now))
    trainer = AlphaZeroTrainer(small_config())
    scores = []
    for _ in range(10):
        scores.append(trainer._blocked())
        now += 6
    assert scores == [0.1] * 7 + [0.2] * 3  # 40 seconds after it began
    assert AlphaZeroTrainer(small_config(games=["gomoku:size=5"]))._blocked() is None


@pytest.mark.parametrize("best_plays", [True, False])
def test_who_plays_behind_a_gate(best_plays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[torch.nn.Module] = []
    update = CpuNet.update
    monkeypatch.setattr(CpuNet, "update", lambda self, net, samples: [taken.append(net), update(self, net, samples)])
    run = {"gate_games": 2, "gate_every": 10, "gate_score": 1.0, "gate_plays": best_plays}
    trainer = trained(tmp_path / "run", run=run)
    assert trainer._gate is not None
    assert (trainer.learner.average in taken) != best_plays
    assert (trainer._gate.best in taken) == best_plays
    assert any(line.get("gate_promoted") == 0 for line in log_of(tmp_path / "run"))


def test_the_gate_and_the_ladder_in_a_run(tmp_path: Path) -> None:
    run = {"gate_games": 2, "gate_every": 10, "gate_score": 0.0, "rate_minutes": 0.001, "rate_games": 2}
    trainer = trained(tmp_path / "run", selfplay={"opposition": 0.5}, run={**run, "rate_playouts": 4, "games": 60})
    log = log_of(tmp_path / "run")
    gated = [line for line in log if "gate_score" in line]
    assert gated
    assert all(line["gate_promoted"] == (line["gate_score"] > 0) for line in gated)
    rated = [line for line in log if "rung_score" in line]
    assert rated[0]["rung"] == 0
    assert all(0 <= line["rung_score"] <= 1 for line in rated)
    assert any("self_score" in line for line in rated)
    assert "opposition" in log[-1]
    best, _ = load(newest(tmp_path / "run") / "best.safetensors")
    assert trainer._gate is not None
    assert all(torch.equal(a, b) for a, b in zip(best.parameters(), trainer._gate.best.parameters(), strict=True))
    again = resumed_trainer(str(tmp_path / "run"))
    assert again._gate is not None
    assert all(torch.equal(a, b) for a, b in zip(best.parameters(), again._gate.best.parameters(), strict=True))
    assert again._rater is not None
    assert trainer._rater is not None
    assert again._rater.rung == trainer._rater.rung


def test_the_settings_as_run_are_in_the_folder(finished: Path) -> None:
    assert load_preset(str(finished / "config.toml")) == small_config()
    assert SMALL["run"]["seed"] == json.loads((finished / "run.json").read_text())["seed"]
