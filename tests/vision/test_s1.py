"""S1's recogniser reads its own boards without a mistake, by either pooling."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2")
pytest.importorskip("torch")
pytest.importorskip("safetensors")

import cv2
import torch
from click.testing import CliRunner
from safetensors.numpy import save_file

from tengen.cli import cli
from tengen.train.run import RunError
from tengen.train.settings import ConfigError
from tengen.train.vision.config import VisionConfig, load_preset
from tengen.train.vision.s1 import S1Lesson, S1Net
from tengen.train.vision.trainer import new_trainer, resumed_trainer
from tengen.vision import s1

SMALL = ("s1.train=48", "s1.validation=4", "s1.test=8", "s1.epochs=6")
TINY = ("s1.train=8", "s1.validation=2", "s1.test=2", "s1.epochs=4", "s1.batch=2")


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> None:
    torch.set_num_threads(1)  # the network is too small to share, and the tests run side by side


def test_the_preset_is_the_source() -> None:
    preset = load_preset("s1").s1
    assert (preset.train, preset.validation, preset.test) == (128, 32, 32)
    assert (preset.batch, preset.rate, preset.epochs, preset.pool) == (8, 0.05, 10, "average")
    net = S1Net("average")
    shapes = {name: tuple(weights.shape) for name, weights in net.state_dict().items()}
    assert shapes == {"conv.weight": (6, 3, 20, 20), "conv.bias": (6,), "linear.weight": (3, 6), "linear.bias": (3,)}


def test_blocks_lie_around_the_points() -> None:
    cells = np.zeros((15, 15), np.int8)
    cells[2, 5], cells[14, 0] = 1, 2
    image = s1.draw_board(cells)
    assert image.shape == (680, 680, 3)
    blocks = s1.cropped(image).reshape(15, 40, 15, 40, 3).transpose(0, 2, 1, 3, 4)
    middles = blocks[:, :, 12:18, 12:18].reshape(15, 15, -1).mean(axis=2)
    assert middles[2, 5] == 0
    assert middles[14, 0] == 255
    assert ((middles > 0) & (middles < 255)).sum() == 223


def test_random_boards_are_of_alternate_moves() -> None:
    cells = s1.random_cells(np.random.default_rng(1), 40)
    black, white = ((cells == colour).sum(axis=(1, 2)) for colour in (1, 2))
    assert set((black - white).tolist()) == {0, 1}
    assert black.max() - black.min() > 50


@pytest.mark.parametrize("pool", ["average", "max"])
def test_every_point_is_read_right(pool: str) -> None:
    lesson = S1Lesson(load_preset("s1", (*SMALL, f"s1.pool={pool}")))
    untaught = lesson.read("test")
    assert untaught.boards == 0
    while lesson.share() < 1:
        lesson.learn()
    for name, boards in (("train", 48), ("validation", 4), ("test", 8)):
        right = lesson.read(name)
        assert (right.points, right.boards) == (225 * boards, boards), name


def test_a_resumed_run_is_the_same(tmp_path: Path) -> None:
    through = new_trainer(load_preset("s1", TINY), str(tmp_path / "through"))
    through.train()
    stopped = new_trainer(load_preset("s1", TINY), str(tmp_path / "stopped"))
    stopped.train(lambda progress: stopped.stop() if progress.share >= 0.5 else None)
    stopped.run_folder.close()
    resumed = resumed_trainer(str(tmp_path / "stopped"))
    assert resumed.counters.steps == 8
    resumed.train()
    assert resumed.counters.steps == through.counters.steps == 16
    for name, weights in through.lesson.net.state_dict().items():  # type: ignore[attr-defined]
        assert np.array_equal(weights, resumed.lesson.net.state_dict()[name]), name  # type: ignore[attr-defined]
    logs = [(tmp_path / name / "metrics.jsonl").read_text().splitlines() for name in ("through", "stopped")]
    assert len(logs[0]) == len(logs[1]) == 4


def test_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["train", "vision", "--preset", "s1", "--out", str(out)]
    changes = [part for change in (*TINY, "s1.save_boards=true") for part in ("--set", change)]
    result = CliRunner().invoke(cli, [*words, *changes])
    assert result.exit_code == 0, result.output
    assert "train: " in result.output
    assert "of 1800 points" in result.output
    assert "net.safetensors" in result.output
    labels = np.load(out / "boards" / "test" / "labels.npy", allow_pickle=False)
    picture = cv2.imread(str(out / "boards" / "test" / "001.png"))[..., ::-1]
    assert np.array_equal(picture, s1.draw_board(labels[1]))
    again = CliRunner().invoke(cli, ["train", "vision", "--resume", str(out)])
    assert again.exit_code != 0
    assert "s1.epochs=N" in again.output


def test_settings_that_are_wrong() -> None:
    with pytest.raises(ConfigError, match=r"s1.pool is one of average, max, not 'least'"):
        load_preset("s1", ["s1.pool=least"])


def test_weights_of_other_nets_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no file"):
        new_trainer(VisionConfig(), "unused", start="some.safetensors")
    save_file({"other": np.zeros(3, np.float32)}, tmp_path / "other.safetensors")
    with pytest.raises(RunError, match=r"does not fit this run: it does not hold weights of S1's recogniser$"):
        new_trainer(VisionConfig(), "unused", start=str(tmp_path / "other.safetensors"))
    new_trainer(load_preset("s1", TINY), str(tmp_path / "run")).train()
    (tmp_path / "run" / "config.toml").write_text('kind = "see"\n')
    with pytest.raises(RunError, match=r"does not fit this run: .* the network that config.toml describes$"):
        resumed_trainer(str(tmp_path / "run"))


def test_a_run_that_diverges_keeps_what_is_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = new_trainer(load_preset("s1", TINY), str(tmp_path / "run"))
    learn = trainer.lesson.learn

    def learn_too_much() -> tuple[int, dict[str, float]]:
        learned = learn()
        if trainer.counters.steps == 8:
            next(iter(trainer.lesson.weights())).fill_(math.nan)
        return learned

    monkeypatch.setattr(trainer.lesson, "learn", learn_too_much)
    with pytest.raises(RunError, match=r"diverged at step 12: .* is .*0000000008 \(a lower s1.rate helps\)"):
        trainer.train()
    assert [path.name for path in trainer.run_folder.checkpoints()] == ["0000000004", "0000000008"]
