"""Nets are played by the method that trained them, and as they were trained."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tengen
from tengen.envs import DuelEnv
from tengen.testing import check_player


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dqn:net=gomoku-15x15", "was trained by alphazero, not by dqn"),
        ("alphazero:net=dqn-gomoku-15x15", "was trained by dqn, not by alphazero"),
        ("evolved:net=dqn-gomoku-15x15", "was trained by dqn, not by evolution"),
    ],
)
def test_a_net_of_another_method_is_refused(name: str, reason: str) -> None:
    with pytest.raises(tengen.PlayerNameError, match=reason):
        tengen.player(name)


# A margin.


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., str]:
    """Write a network that rates moves at random, and return the player by it; ``facts`` are those of its training."""
    torch = pytest.importorskip("torch")
    from tengen.nets import build, s0_config, save

    def write(size: int, *, dueling: bool = False, **facts: object) -> str:
        config = s0_config(size, channels=4)
        torch.manual_seed(size)
        shape = tengen.nets.NetConfig.from_dict({**config.to_dict(), "dueling": dueling})
        net = build(shape)
        torch.nn.init.normal_(net.policy.weight, std=1.0)
        path = tmp_path / f"{size}{dueling}{len(list(tmp_path.iterdir()))}.safetensors"
        save(path, net, shape, training={"method": "dqn", "games": [f"gomoku:size={size}"], "reward": "win", **facts})
        return f"dqn:net={path}"

    return write


@pytest.mark.parametrize("dueling", [False, True])
@pytest.mark.parametrize("game", ["gomoku:size=9", "renju:size=9", "gomoku:size=8", "gomoku:size=4,win=4"])
def test_a_margin_is_that_of_the_games_learned_from(game: str, dueling: bool, make: Callable[..., str]) -> None:
    """Positions of random games, near a corner and all over the board; the environment says what is allowed."""
    rng, limited = random.Random(game), 0
    for margin in (0, 1, 3):
        size = tengen.Game.parse(game).size
        free, bound = (tengen.player(make(size, dueling=dueling, **facts)) for facts in ({}, {"margin": margin}))
        for _ in range(12):
            position = tengen.Position(game)
            for _ in range(rng.randrange(8)):
                moves = position.legal_moves()
                position.play(rng.choice(moves[: rng.choice((len(moves), size))]))
                if position.is_over:
                    position.undo()
            env = DuelEnv(game, 1, rivals="self", openings=[position.moves], margin=margin, encoding=None)
            ratings, of_all = bound.rate(position), {rating.move: rating.score for rating in free.rate(position)}
            assert sorted(rating.move for rating in ratings) == np.flatnonzero(env.mask[0]).tolist()
            assert [rating.score for rating in ratings] == sorted((r.score for r in ratings), reverse=True)
            # The same values; but in a dueling network the best move allowed is worth what the position is.
            best = of_all[ratings[0].move]
            shift = max(of_all.values()) - best if dueling else 0.0
            assert [r.score for r in ratings] == pytest.approx([of_all[r.move] + shift for r in ratings], abs=1e-5)
            decision = bound.choose(position)
            assert (decision.move, set(decision.scores)) == (ratings[0].move, {rating.move for rating in ratings})
            limited += decision.move != free.choose(position).move
    assert limited > 3 or size == 4


def test_a_margin_holds_for_random_moves_and_boards_that_were_set_up(make: Callable[..., str]) -> None:
    name = make(9, margin=1)
    check_player(name, ["gomoku:size=9", "renju:size=9"])
    wandering = tengen.player(f"{name},epsilon=1", seed=1)
    position = tengen.Position.from_stones("gomoku:size=9", black=["b2", "d3"], white=["c4", "c2"], to_move="black")
    near = {f"{column}{row}" for column in "abcde" for row in range(1, 6)} - {"b2", "d3", "c4", "c2"}
    assert {str(wandering.choose(position).move) for _ in range(400)} == near
    assert {str(rating.move) for rating in wandering.rate(position)} == near


@pytest.mark.parametrize("margin", [None, -1, "3", 1.0, True, [2]])
def test_what_is_no_margin_limits_nothing(margin: object, make: Callable[..., str]) -> None:
    position = tengen.Position("gomoku:size=9", "a1a2")
    assert len(tengen.player(make(9, margin=margin)).rate(position)) == 79


def test_a_margin_wider_than_any_board_limits_nothing(make: Callable[..., str]) -> None:
    assert len(tengen.player(make(9, margin=10**30)).rate(tengen.Position("gomoku:size=9", "a1a2"))) == 79
