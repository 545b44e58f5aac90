"""What is set arrives where it matters: in the games, in their evaluation, in the rows and in what is learned."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from test_dqn import CPU, random_rows, small_config
from torch import Tensor

from tengen.envs import DuelEnv
from tengen.train.dqn.learner import Learner
from tengen.train.dqn.replay import Rows
from tengen.train.dqn.trainer import DqnTrainer
from tengen.train.evaluate import Score

torch.set_num_threads(1)


def prefer(learner: Learner, move: int) -> None:
    """Let it value one move above all others, in every position."""
    for net in (learner.net, learner.average):
        with torch.no_grad():
            net.policy.weight.zero_()
            net.policy.bias.copy_(torch.arange(len(net.policy.bias)) == move)


def play(trainer: DqnTrainer, moves: int) -> None:
    for _ in range(moves):
        trainer._play(trainer._choose_moves())


# Games.

OPENED = {"opening_plies": 3, "opening_least": 1, "opening_boxes": [5, 3]}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"reward": "s0"}, {"reward": "s0"}),
        ({"reward": "win"}, {"reward": "win"}),
        ({"margin": -1}, {"margin": None}),
        ({"margin": 0}, {"margin": 0}),
        ({"margin": 2}, {"margin": 2}),
        ({"side": "black"}, {"side": "black"}),
        ({"side": "white"}, {"side": "white"}),
        ({"weights": []}, {"rivals": {"greedy": 1.0, "random": 1.0}}),
        ({"weights": [0.5, 3.0]}, {"rivals": {"greedy": 0.5, "random": 3.0}}),
        ({"opening_plies": 2}, {"opening_plies": 2, "opening_least": None}),
        (OPENED, OPENED),
        ({"threads": 2}, {"threads": 2}),
    ],
    ids=str,
)
def test_games_are_played_as_set(
    settings: dict[str, Any], expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are learned from, those of scouts, and those that are evaluated."""
    made: list[dict[str, Any]] = []
    rated: list[dict[str, Any]] = []

    class Watched(DuelEnv):
        def __init__(self, *about: Any, **options: Any) -> None:
            made.append(options)
            super().__init__(*about, **options)

    def rate(_choose: Any, _game: Any, rival: str, openings: list[list[int]], **options: Any) -> Score:
        rated.append(options | {"rival": rival})
        return Score(len(openings), 0, 0)

    monkeypatch.setattr("tengen.train.dqn.trainer.DuelEnv", Watched)
    monkeypatch.setattr("tengen.train.dqn.trainer.evaluate", rate)
    rivals = {"rivals": ["greedy", "random"], "scouts": 4, "scout_positions": 8}
    config = small_config(
        game="gomoku:size=7", play=rivals | settings, learn={"won_share": 0.25}, run={"evaluate_games": 0}
    )
    trainer = DqnTrainer(config)
    assert len(made) == 2  # the learner's games, and those of its scouts
    for options in made:
        assert {key: options[key] for key in expected} == expected
    trainer.scores([[0, 1]])
    assert [(options["side"], options["rival"]) for options in rated] == [("black", "random"), ("white", "random")]
    there = {key: value for key, value in expected.items() if key in ("reward", "margin", "threads")}
    for options in rated:
        assert {key: options[key] for key in there} == there


@pytest.mark.parametrize("explore", ["random", "greedy", "threats"])
@pytest.mark.parametrize("epsilon", [0.0, 0.25, 1.0])
def test_so_many_moves_explore_and_as_set(epsilon: float, explore: str, monkeypatch: pytest.MonkeyPatch) -> None:
    often = {"games": 4096, "epsilon_start": epsilon, "epsilon_end": epsilon, "explore": explore}
    trainer = DqnTrainer(small_config(play=often))
    prefer(trainer.learners[0], 7)
    told: list[tuple[str, NDArray[np.bool_]]] = []

    def explored(kind: str, where: NDArray[np.bool_]) -> NDArray[np.int64]:
        told.append((kind, where.copy()))
        return np.full(len(where), 2)

    monkeypatch.setattr(trainer.env, "explore_actions", explored)
    actions = trainer._choose_moves()
    assert set(actions.tolist()) == ({2, 7} if 0 < epsilon < 1 else {2 if epsilon else 7})
    assert (actions == 2).mean() == pytest.approx(epsilon, abs=0.03)
    for kind, where in told:
        assert kind == explore
        assert np.array_equal(where, actions == 2)


# Rows.


@pytest.mark.parametrize("rival", ["self", "random"])
@pytest.mark.parametrize(("steps", "gamma"), [(1, 0.5), (3, 0.5), (2, 1.0)])
def test_returns_are_of_so_many_steps_and_so_discounted(steps: int, gamma: float, rival: str) -> None:
    learn = {"steps": steps, "gamma": gamma, "memory": 10_000}
    trainer = DqnTrainer(small_config(play={"games": 64, "rivals": [rival]}, learn=learn))
    play(trainer, 20)
    kept = trainer.learners[0].replay.state()
    discount = -gamma if rival == "self" else gamma
    assert set(kept["scale"].tolist()) == {0.0, discount**steps}
    # What a game was won by, and how far from it; the mover loses to a rival alone.
    won = {discount**back for back in range(steps)}
    lost = set() if rival == "self" else {-worth for worth in won}
    assert set(kept["reward"].tolist()) == won | lost | {0.0}


# A network for each colour.


@pytest.fixture
def pair() -> DqnTrainer:
    """Two networks that play as they like best."""
    return DqnTrainer(small_config(net={"pair": True}, play={"epsilon_start": 0.0, "epsilon_end": 0.0}))


def test_each_of_a_pair_learns_from_what_the_other_expects(pair: DqnTrainer) -> None:
    black, white = pair.learners
    assert black.rival is white
    assert white.rival is black
    [alone] = DqnTrainer(small_config()).learners
    assert alone.rival is alone


def test_each_of_a_pair_remembers_its_own_moves() -> None:
    trainer = DqnTrainer(small_config(net={"pair": True}))
    for move, filled in enumerate([(8, 0), (8, 8), (16, 8), (16, 16)]):
        play(trainer, 1)
        assert tuple(learner.replay.filled for learner in trainer.learners) == filled, move
    play(trainer, 20)
    for colour, learner in enumerate(trainer.learners):
        _, rows, _ = learner.replay.sample(500, torch.Generator().manual_seed(1))
        stones = rows.planes.sum((1, 2, 3))
        assert (stones % 2 == colour).all()
        assert len(set(stones.tolist())) > 2


@pytest.mark.parametrize("final", [False, True])
def test_each_of_a_pair_is_asked_about_its_own_colour(final: bool, pair: DqnTrainer) -> None:
    for learner, move in zip(pair.learners, (2, 7), strict=True):
        prefer(learner, move)
    planes, mask = np.zeros((5, 2, 3, 3), np.uint8), np.ones((5, 9), bool)
    sides = np.array([0, 1, 1, 0, 1], np.uint8)
    assert pair.choose(planes, mask, sides, final=final).tolist() == [2, 7, 7, 2, 7]
    for move in (2, 7):
        actions = pair._choose_moves()
        assert set(actions.tolist()) == {move}
        pair._play(actions)


# Learning.


def parts(rows: Rows, cells: Tensor | None = None) -> set[tuple[tuple[int, ...], ...]]:
    """What is in each row, apart from its worth; ``cells`` says where each cell of the board comes to lie."""
    from_where = torch.arange(9) if cells is None else cells.argsort()
    action = rows.action if cells is None else cells[rows.action]
    flat = [rows.planes.flatten(2)[..., from_where].flatten(1), rows.mask[:, from_where], action[:, None]]
    flat += [rows.next_planes.flatten(2)[..., from_where].flatten(1), rows.next_mask[:, from_where]]
    return {tuple(tuple(part[i].int().tolist()) for part in flat) for i in range(len(action))}


@pytest.mark.parametrize("symmetry", [False, True])
def test_boards_are_turned_if_set(symmetry: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    config = small_config(learn={"symmetry": symmetry, "batch": 256})
    game = config.parsed_game()
    learner = Learner(config.net_config(), config.learn, game, seed=1, device=CPU)
    here, after, mask = torch.zeros((1, 2, 9)), torch.zeros((1, 2, 9)), torch.ones((1, 9), dtype=torch.bool)
    here[0, 0, 0] = here[0, 1, 1] = 1  # a corner and the edge beside it: no turn leaves them where they are
    mask[0, :2] = False
    after[0, 0, 1] = after[0, 1, 0] = after[0, 1, 5] = 1
    worth, later = torch.ones(1), mask & (torch.arange(9) != 5)
    board = (1, 2, 3, 3)
    row = Rows(here.byte().view(board), mask, torch.tensor([5]), worth, worth, after.byte().view(board), later)
    learner.replay.add(row)
    seen: list[Rows] = []

    def update(_weights: Tensor, *fields: Tensor) -> Tensor:
        seen.append(Rows(*fields))
        return torch.zeros(256)

    monkeypatch.setattr(learner, "_update", update)
    learner.learn(1e-3, 0.0)
    turned = [parts(row, torch.tensor(cells)) for cells in game.symmetry_maps()]
    assert len(set.union(*turned)) == 8
    assert parts(seen[0]) == (set.union(*turned) if symmetry else parts(row))


def test_rows_are_drawn_by_what_was_wrong_about_them(monkeypatch: pytest.MonkeyPatch) -> None:
    config = small_config(learn={"priority": 0.5, "batch": 4, "memory": 10})
    learner = Learner(config.net_config(), config.learn, config.parsed_game(), seed=1, device=CPU)
    learner.replay.add(random_rows(learner, 10))
    drawn = learner.replay.sample(4, torch.Generator().manual_seed(1))[1]
    places, errors = torch.tensor([7, 1, 4, 8]), torch.tensor([0.5, -4.0, 9.0, 0.0])
    monkeypatch.setattr(learner.replay, "sample", lambda *_: (places, drawn, torch.ones(4)))
    monkeypatch.setattr(learner, "_update", lambda *_: errors)
    expected = torch.ones(10)
    assert learner.replay.state()["weights"].equal(expected)
    learner.learn(1e-3, 0.0)
    expected[places] = (errors.abs() + 1e-3) ** 0.5
    assert torch.allclose(learner.replay.state()["weights"], expected)


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How many steps each learner takes, by its id; nothing is learned in them."""
    counted: Counter[int] = Counter()
    monkeypatch.setattr(Learner, "learn", lambda learner, *_: counted.update([id(learner)]))
    return counted


@pytest.mark.parametrize("pair", [False, True])
@pytest.mark.parametrize("often", [0.0, 0.75, 2.0, 5.0])
def test_rows_are_learned_from_as_often_as_set(often: float, pair: bool, learned: Counter[int]) -> None:
    """With a pair each learns from its own half of the rows, as often."""
    trainer = DqnTrainer(small_config(net={"pair": pair}, learn={"samples_per_row": often, "least_rows": 1}))
    for learner in trainer.learners:
        learner.replay.filled = 100
    for _ in range(20):
        trainer._learn()
        play(trainer, 1)
    trainer._learn()
    steps = int(20 * 8 * often / 16 / len(trainer.learners))
    assert trainer.counters.rows == 20 * 8
    assert trainer.counters.steps == steps
    assert [learned[id(learner)] for learner in trainer.learners] == [steps] * len(trainer.learners)


def test_rows_from_before_there_are_enough_are_not_made_up_for(learned: Counter[int]) -> None:
    trainer = DqnTrainer(small_config(learn={"samples_per_row": 2, "batch": 16, "least_rows": 32}))
    steps = []
    for _ in range(7):  # eight rows each, of which 16 are learned from: a batch
        trainer._learn()
        steps.append(learned.total())
        play(trainer, 1)
    assert steps == [0, 0, 0, 0, 1, 2, 3]
