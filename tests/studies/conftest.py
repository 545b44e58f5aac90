"""Studies in small: a board of 9x9, a network of one block, a handful of playouts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import torch
from small_studies import S4_ALPHABETA, Study

from tengen import _core
from tengen.cli import cli
from tengen.nets import NetConfig, build, export_onnx
from tengen.studies import (
    dqn_ablation,
    learning,
    s1_evolution,
    s2_curves,
    s3_strength,
    s4_alphabeta,
    s4_mcts,
    s4_opposition,
    s4_parallel,
)


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    torch.set_num_threads(1)  # the networks are too small to share, and the tests run side by side


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (s4_alphabeta, s4_mcts, s4_parallel):
        monkeypatch.setattr(module, "GAME", "gomoku:size=9")
    for module in (s4_alphabeta, s4_mcts):
        monkeypatch.setattr(module, "QUICK_PLAYOUTS", 4)
    shallow = [replace(rival, player=f"alphabeta:depth={1 + n % 3}") for n, rival in enumerate(S4_ALPHABETA)]
    shallow[3] = replace(shallow[3], player="alphabeta:depth=1,vct=1")
    monkeypatch.setattr(s4_alphabeta, "RIVALS", shallow)
    monkeypatch.setattr(s4_mcts, "QUICK_SHARE", 100)
    monkeypatch.setattr(s4_parallel, "POSITION", "e5")
    monkeypatch.setattr(s4_parallel, "QUICK_ROUND_SECONDS", 0.005)
    monkeypatch.setattr(s4_parallel, "QUICK_MOVE_SECONDS", 0.004)
    monkeypatch.setattr(s4_parallel, "QUICK_PLAYOUTS", 20)
    monkeypatch.setattr(s4_parallel, "QUICK_NET_PLAYOUTS", 4)
    monkeypatch.setattr(s3_strength, "QUICK_RIVAL_PLAYOUTS", 20)
    monkeypatch.setattr(s4_opposition, "QUICK_TRAINING_GAMES", 20)
    monkeypatch.setattr(learning, "QUICK_OPENINGS", 10)
    monkeypatch.setattr(s2_curves, "QUICK_EPISODES", 20)
    monkeypatch.setattr(s1_evolution, "QUICK_GENERATIONS", 4)
    monkeypatch.setattr(s1_evolution, "RIVALS", ("greedy",))
    monkeypatch.setattr(dqn_ablation, "QUICK_TRAINING_GAMES", 20)


@pytest.fixture(scope="session")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows nothing, for 9x9."""
    torch.manual_seed(1)
    config = NetConfig(
        kind="tengen",
        encoding="gomoku",
        planes=_core.net_plane_count("gomoku"),
        blocks=1,
        channels=8,
        size=9,
        passes=False,
    )
    path = tmp_path_factory.mktemp("nets") / "small.onnx"
    training = {"method": "alphazero", "games": ["gomoku:size=9"], "played": 0}
    export_onnx(build(config).eval(), config, path, training=training)
    return path


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Call ``tengen study`` in this process with ``--out`` in a folder of the test."""

    def call(*arguments: str) -> Result:
        where = ["--out", str(tmp_path / "out")] if arguments and not arguments[0].startswith("-") else []
        result = CliRunner().invoke(cli, ["study", *arguments[:1], *where, *arguments[1:]])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return call
