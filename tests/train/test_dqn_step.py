"""One step of Q-learning, computed again by hand, and what changes from step to step."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from test_dqn import CPU, random_rows, small_config
from torch import Tensor

from tengen.train.dqn.learner import Learner, rounds
from tengen.train.dqn.replay import Rows
from tengen.train.dqn.trainer import DqnTrainer
from tengen.train.dqn.values import best_moves, q_values

torch.set_num_threads(1)
COUNT = 40


def learner_of(play: Mapping[str, Any] = {}, **learn: Any) -> Learner:
    """A learner of a small network that says something of its own, and whose steps are not shortened."""
    config = small_config(play=play, learn={"batch": COUNT, "symmetry": False, "clip": 1e6, **learn})
    learner = Learner(config.net_config(), config.learn, config.parsed_game(), seed=1, device=CPU)
    for net in (learner.net, learner.target):
        torch.nn.init.normal_(net.policy.weight, std=0.3)
    return learner


@pytest.fixture
def fed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a learner draw these rows and no others, all of them each time; returns them."""

    def feed(learner: Learner, chance: Tensor | None = None) -> Rows:
        rows = random_rows(learner, COUNT)
        drawn = torch.arange(COUNT), rows, torch.ones(COUNT) if chance is None else chance
        monkeypatch.setattr(learner.replay, "sample", lambda *_: drawn)
        return rows

    return feed


@pytest.mark.parametrize(
    ("setting", "on_gpu", "expected"),
    [
        ("gpu", False, False),
        ("always", False, True),
        ("never", False, False),
        ("gpu", True, True),
        ("always", True, True),
        ("never", True, False),
    ],
)
def test_bfloat16_is_where_it_is_wanted(
    setting: str, on_gpu: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True)
    assert rounds(small_config(learn={"bfloat16": setting}).learn, on_gpu=on_gpu) == expected


def errors_of(learner: Learner, rows: Rows) -> Tensor:
    """How far its values are from their targets, before it learns."""
    net = copy.deepcopy(learner.net).train()
    with torch.no_grad():
        values = q_values(net, rows.planes, rows.mask).gather(1, rows.action[:, None])[:, 0]
        return values - learner._targets(rows)


def counted(errors: Tensor, loss: str) -> Tensor:
    sizes = errors.abs()
    return sizes**2 if loss == "squared" else torch.where(sizes < 1, sizes**2 / 2, sizes - 0.5)


def weights_of(net: torch.nn.Module) -> Tensor:
    """All numbers that are in a network, its running means too."""
    return torch.cat([tensor.flatten() for tensor in net.state_dict().values() if tensor.is_floating_point()])


@pytest.mark.parametrize("loss", ["huber", "squared"])
def test_large_errors_count_as_is_set(loss: str, fed: Any) -> None:
    learner = learner_of(loss=loss)
    errors = errors_of(learner, fed(learner))
    assert (errors.abs() < 1).sum() > 5
    assert (errors.abs() > 1).sum() > 5
    learner.learn(1e-3, 0.0)
    assert learner.metrics()["loss"] == pytest.approx(float(counted(errors, loss).mean()), rel=1e-4)


@pytest.mark.parametrize("correction", [0.0, 0.4, 1.0])
def test_rows_that_are_drawn_more_often_count_less(correction: float, fed: Any) -> None:
    """As prioritised replay has it: (1 / (N P))^beta, divided by the largest of them."""
    learner = learner_of(priority=0.6)
    chance = torch.linspace(0.25, 4, COUNT)
    errors = errors_of(learner, fed(learner, chance))
    weights = [(1 / float(often)) ** correction for often in chance]
    learner.learn(1e-3, correction)
    expected = sum(
        weight / max(weights) * float(each) for weight, each in zip(weights, counted(errors, "huber"), strict=True)
    )
    assert learner.metrics()["loss"] == pytest.approx(expected / COUNT, rel=1e-4)


@pytest.mark.parametrize("epochs", [1, 2, 4])
def test_so_many_steps_are_taken_towards_the_same_targets(epochs: int, fed: Any) -> None:
    learner = learner_of(epochs=epochs, weight_decay=0.1)
    rows = fed(learner)
    target, net = learner._targets(rows), copy.deepcopy(learner.net).train()
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.1)
    for _ in range(epochs):
        values = q_values(net, rows.planes, rows.mask).gather(1, rows.action[:, None])[:, 0]
        optimizer.zero_grad()
        torch.nn.functional.smooth_l1_loss(values, target).backward()
        optimizer.step()
    learner.learn(3e-3, 0.0)
    assert learner.steps == 1
    assert torch.allclose(weights_of(learner.net), weights_of(net), atol=1e-5)


@pytest.mark.parametrize("won_share", [0.0, 0.25])
@pytest.mark.parametrize(
    ("priority", "most", "draws"),
    [(0.0, 1 << 13, [3]), (0.0, 2 * COUNT, [2, 1]), (0.0, COUNT - 1, [1, 1, 1]), (0.6, 1 << 13, [1, 1, 1])],
)
def test_batches_of_several_steps_are_drawn_at_once_unless_by_what_was_wrong(
    priority: float, most: int, draws: list[int], won_share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every batch is rows of the memory, each with what belongs to it, and in the end rows of won games."""
    scouting = {"scouts": 8, "rivals": ["random"]} if won_share else {}
    learner = learner_of(scouting, priority=priority, won_share=won_share)
    rows, won = random_rows(learner, 200), random_rows(learner, 50)
    learner.replay.add(rows._replace(reward=torch.arange(200.0)))
    learner.won.add(won._replace(reward=1000 + torch.arange(50.0)))
    asked, seen, told = [], [], []
    monkeypatch.setattr("tengen.train.dqn.learner._ROWS_AHEAD", most)
    monkeypatch.setattr(learner.replay, "set_errors", lambda at, errors: told.append(at))
    sample = learner.replay.sample

    def counted_sample(count: int, generator: torch.Generator) -> Any:
        asked.append(count)
        return sample(count, generator)

    def update(weights: Tensor, *fields: Tensor) -> Tensor:
        seen.append(Rows(*fields))
        assert len(weights) == COUNT
        return torch.arange(float(COUNT))

    monkeypatch.setattr(learner.replay, "sample", counted_sample)
    monkeypatch.setattr(learner, "_update", update)
    for ahead in (3, 2, 1):
        learner.learn(1e-3, 0.4, ahead)
    ordinary = COUNT - round(COUNT * won_share)
    assert asked == [ordinary * steps for steps in draws]
    assert (len(seen), len(told), len(learner._drawn)) == (3, 3, 0)
    for batch, at in zip(seen, told, strict=True):
        assert torch.equal(batch.reward[:ordinary].int(), at.int())
        assert len(batch.action) == COUNT
        assert (batch.reward[:ordinary] < 200).all()
        assert (batch.reward[ordinary:] >= 1000).all()
        for number, row in zip(batch.reward.int().tolist(), zip(*batch, strict=True), strict=True):
            source, at = (won, number - 1000) if number >= 1000 else (rows, number)
            assert all(torch.equal(mine, field[at]) for mine, field in zip(row[:3], source[:3], strict=True))
            assert torch.equal(row[5], source.next_planes[at])
    assert not torch.equal(seen[0].reward, seen[1].reward)


@pytest.mark.parametrize("clip", [0.01, 1e6])
def test_long_gradients_are_shortened(clip: float, fed: Any) -> None:
    learner = learner_of(clip=clip)
    fed(learner)
    learner.learn(1e-3, 0.0)
    gradients = [parameter.grad for parameter in learner.net.parameters() if parameter.grad is not None]
    length = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    assert length == pytest.approx(0.01, rel=1e-3) if clip < 1 else length > 0.1


def test_the_target_network_is_copied_now_and_then(fed: Any) -> None:
    learner = learner_of(target_every=3)
    fed(learner)
    kept = weights_of(learner.target)
    for step in range(1, 9):
        learner.learn(1e-3, 0.0)
        kept = kept if step % 3 else weights_of(learner.net)
        assert torch.equal(weights_of(learner.target), kept)
        assert torch.equal(kept, weights_of(learner.net)) == (step % 3 == 0)


@pytest.mark.parametrize("memory", [0.0, 0.5])
def test_the_running_average_is_what_plays(memory: float, fed: Any) -> None:
    learner = learner_of(average=memory)
    rows = fed(learner)
    mean = weights_of(learner.average)
    for step in range(1, 13):
        learner.learn(1e-2, 0.0)
        share = min(memory, (1 + step) / (10 + step))  # at first it forgets faster
        mean = share * mean + (1 - share) * weights_of(learner.net)
        assert torch.allclose(weights_of(learner.average), mean, atol=1e-5)
    torch.nn.init.normal_(learner.average.policy.weight, std=0.3)
    moves = [
        best_moves(q_values(net.eval(), rows.planes, rows.mask), rows.mask) for net in (learner.net, learner.average)
    ]
    assert not moves[0].equal(moves[1])
    assert learner.best(rows.planes, rows.mask).equal(moves[1 if memory else 0])
    assert learner.best(rows.planes, rows.mask, final=True).equal(moves[1])


@pytest.mark.parametrize(("games", "chance"), [(0, 0.8), (50, 0.2 + 0.6 / math.e), (100, 0.2 + 0.6 / math.e**2)])
def test_exploring_becomes_rarer(games: int, chance: float) -> None:
    play = {"epsilon_start": 0.8, "epsilon_end": 0.2, "epsilon_games": 50}
    trainer = DqnTrainer(small_config(play=play))
    trainer.counters.games = games
    assert trainer.epsilon() == pytest.approx(chance)


@pytest.mark.parametrize(
    ("share", "rate", "correction"), [(0, 1e-3, 0.4), (0.25, 8.682e-4, 0.55), (0.5, 5.5e-4, 0.7), (1, 1e-4, 1.0)]
)
@pytest.mark.parametrize("limit", ["games", "minutes"])
def test_the_rate_falls_and_the_correction_rises(
    limit: str, share: float, rate: float, correction: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rate by a cosine to a tenth, as set; the correction in a line to 1."""
    learn = {"rate": 1e-3, "rate_end": 0.1, "priority": 0.6, "priority_correction": 0.4}
    run = {"games": 1000, "minutes": 0} if limit == "games" else {"games": 0, "minutes": 10}
    trainer = DqnTrainer(small_config(learn=learn, run=run))
    trainer.counters.games, trainer.counters.seconds = round(1000 * share), 600 * share
    told: list[tuple[float, float, int]] = []
    [learner] = trainer.learners
    monkeypatch.setattr(learner, "learn", lambda *numbers: told.append(numbers))
    learner.replay.filled, trainer._due = 500, 2.5
    trainer._learn()
    assert told == [(pytest.approx(rate, rel=1e-4), pytest.approx(correction), ahead) for ahead in (2, 1)]
    assert trainer._due == 0.5
