"""Learning: the loss falls, turned boards stay true, and a file brings everything back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from small import small_config, small_selfplay

from tengen import _core
from tengen.games import Game, Position
from tengen.nets import build
from tengen.train.alphazero.config import AlphaZeroConfig
from tengen.train.alphazero.learner import Learner
from tengen.train.alphazero.window import Batch, Games, Window
from tengen.train.run import RunError

CPU = torch.device("cpu")


def learner_of(config: AlphaZeroConfig, seed: int = 1, **options: bool) -> Learner:
    return Learner(config.net_config(), config.learn, masked=options.get("masked", False), seed=seed, device=CPU)


@pytest.fixture
def window(games: Games) -> Window:
    made = Window([Game.parse("gomoku:size=6")], [1.0], "gomoku", 6, 2000, CPU)
    made.add(games)
    return made


def weights(learner: Learner) -> list[torch.Tensor]:
    return [tensor.clone() for net in (learner.net, learner.average) for tensor in net.state_dict().values()]


@pytest.mark.parametrize("kind", ["tengen", "s3", "s4"])
def test_the_loss_falls_on_one_batch(kind: str) -> None:
    blocks = {"tengen": 1, "s3": 0, "s4": 1}[kind]
    config = small_config(net={"kind": kind, "blocks": blocks, "channels": 16}, learn={"symmetry": False})
    play = small_selfplay(config)
    window = Window(config.parsed_games(), [1.0], config.net_config().encoding, 6, 500, CPU)
    while window.filled < 16:
        play.step()
        for games in play.take_games():
            window.add(games)
    batch = window.sample(16, torch.Generator().manual_seed(1))
    learner = learner_of(config)
    first: dict[str, float] = {}
    for _ in range(80):
        learner.learn(lambda *_: batch, 3e-3)
        first = first or learner.metrics()
    learner.metrics()
    learner.learn(lambda *_: batch, 3e-3)
    last = learner.metrics()
    assert last["policy_loss"] < first["policy_loss"] - 0.3
    assert last["value_loss"] < first["value_loss"] - 0.2
    assert last["explained_variance"] > 0.5 > first["explained_variance"]
    if kind == "tengen":
        assert last["reply_loss"] < first["reply_loss"]
    assert learner.steps == 81
    assert learner.metrics() == {}


@pytest.mark.parametrize("name", ["gomoku:size=6", "othello:size=6"])
def test_turned_rows_are_rows_of_turned_positions(name: str) -> None:
    """Whatever symmetry a row gets, there is one by which the core's own position becomes it."""
    config = small_config(games=[name])
    game = Game.parse(name)
    position = Position(game)
    for move in ([0, 7, 1, 13, 20] if game.kind == "gomoku" else []) or [int(position.legal_moves()[0])]:
        position.play(move)
    actions = game.size**2 + game.has_pass
    policy = torch.arange(1.0, actions + 1) / sum(range(1, actions + 1))
    reply = int(position.legal_moves()[0])
    count = 64
    batch = Batch(
        torch.from_numpy(np.repeat(_core.net_planes(position.core, game.kind)[None], count, 0)),
        policy.repeat(count, 1),
        torch.full((count,), reply, dtype=torch.int16),
        torch.ones(count, dtype=torch.int8),
        torch.zeros(count),
    )
    batch.reply[-1] = -1
    turned = learner_of(config)._turned(batch)
    expected = {}
    for images in game.symmetry_maps():
        other = Position(game) if game.kind == "gomoku" else None
        shown = np.empty_like(policy.numpy())
        shown[images] = policy.numpy()
        if other is not None:
            for move in position.moves:
                other.play(int(images[int(move)]))
            planes = _core.net_planes(other.core, game.kind)
        else:  # the beginning of Othello is not symmetric: turn the planes
            planes = np.empty_like(_core.net_planes(position.core, game.kind))
            flat, source = planes.reshape(len(planes), -1), _core.net_planes(position.core, game.kind)
            flat[:, images[:-1]] = source.reshape(len(planes), -1)
        expected[planes.tobytes(), shown.tobytes()] = int(images[reply])
    seen = set()
    for row in range(count):
        key = (turned.planes[row].numpy().tobytes(), turned.policy[row].numpy().tobytes())
        assert turned.reply[row] == (expected[key] if row < count - 1 else -1)
        seen.add(key)
    assert len(seen) == 8  # all of them come up


def test_a_file_brings_everything_back(window: Window, tmp_path: Path) -> None:
    config = small_config()
    learner = learner_of(config)
    for _ in range(7):
        learner.learn(window.sample, 1e-3)
    learner.save(tmp_path / "learner.safetensors")
    again = learner_of(config, seed=99)
    again.load(tmp_path / "learner.safetensors")
    assert again.steps == 7
    for each in (learner, again):
        for _ in range(5):
            each.learn(window.sample, 2e-3)
    assert all(torch.equal(a, b) for a, b in zip(weights(learner), weights(again), strict=True))


def test_two_learners_with_one_seed_are_equal(window: Window) -> None:
    pair = [learner_of(small_config(), seed=5) for _ in range(2)]
    for learner in pair:
        for _ in range(3):
            learner.learn(window.sample, 1e-3)
    assert all(torch.equal(a, b) for a, b in zip(*map(weights, pair), strict=True))


def test_the_average_follows(window: Window) -> None:
    learner = learner_of(small_config(learn={"average": 0.5}))
    before = [tensor.clone() for tensor in learner.average.parameters()]
    learner.learn(window.sample, 1e-2)
    # After one step it remembers 2 / 11, as it is young.
    for old, new, mine in zip(before, learner.net.parameters(), learner.average.parameters(), strict=True):
        assert torch.allclose(mine, old * (2 / 11) + new * (9 / 11), atol=1e-6)
    none = learner_of(small_config(learn={"average": 0.0}))
    none.learn(window.sample, 1e-2)
    for new, mine in zip(none.net.parameters(), none.average.parameters(), strict=True):
        assert torch.allclose(mine, new)


@pytest.mark.parametrize("harm", ["other net", "cut", "text", "missing"])
def test_other_files_are_refused(harm: str, tmp_path: Path) -> None:
    path = tmp_path / "learner.safetensors"
    other = learner_of(small_config(net={"channels": 12}))
    other.save(path)
    if harm == "cut":
        path.write_bytes(path.read_bytes()[:-10])
    elif harm == "text":
        path.write_text("hello")
    elif harm == "missing":
        path.unlink()
    with pytest.raises(RunError, match=r"learner.safetensors does not fit this run"):
        learner_of(small_config()).load(path)


def test_another_networks_weights_to_begin_with() -> None:
    config = small_config()
    net = build(config.net_config())
    learner = learner_of(config)
    learner.load_weights(net)
    for mine in (learner.net, learner.average):
        assert all(torch.equal(a, b) for a, b in zip(mine.parameters(), net.parameters(), strict=True))
