"""Nets are played by the method that trained them, and as they were trained."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import tengen
from tengen.envs import DuelEnv
from tengen.games import Game
from tengen.nets import OnnxEvaluator
from tengen.nets.shipped import find_net
from tengen.players import _rating
from tengen.testing import check_player
from tengen.train.evaluate import Score, evaluate, honest_openings


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


@pytest.mark.parametrize("kind", ["dqn", "evolved"])
def test_only_nets_that_the_player_takes_are_named_to_it(kind: str) -> None:
    with pytest.raises(tengen.TengenError, match="no net for othello:size=6 is shipped") as refused:
        tengen.player(kind).choose(tengen.Position("othello:size=6"))
    named = str(refused.value).partition("there are ")[2].partition(")")[0].split(", ")
    assert named
    for net in named:
        tengen.player(f"{kind}:net={net}")


@pytest.mark.parametrize("ending", [".onnx", ".safetensors"])
def test_a_net_that_is_written_anew_is_read_again(tmp_path: Path, ending: str) -> None:
    torch = pytest.importorskip("torch")
    from tengen.nets import build, export_onnx, s0_config, save

    shape, path = s0_config(7, channels=4), tmp_path / f"net{ending}"
    facts = {"method": "dqn", "games": ["gomoku:size=7"], "reward": "win"}

    def heard(seed: int) -> list[float]:
        torch.manual_seed(seed)
        net = build(shape).eval()
        torch.nn.init.normal_(net.policy.weight, std=1.0)
        if ending == ".onnx":
            export_onnx(net, shape, path, training=facts)
        else:
            save(path, net, shape, training=facts)
        player, position = tengen.player(f"dqn:net={path}"), tengen.Position("gomoku:size=7", "d4")
        return [rating.score for rating in player.rate(position)]

    assert len({tuple(heard(seed)) for seed in range(12)}) == 12
    assert _rating._rater.cache_info().currsize == 8


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


# Pairs: a network for each colour (S2).


@pytest.fixture
def write_pair(tmp_path: Path) -> Callable[..., str]:
    """Write a small network for Othello 4x4, and return its path; ``facts`` are those of its training."""
    torch = pytest.importorskip("torch")
    from tengen.nets import build, export_onnx, s2_config

    def write(name: str, seed: int, *, size: int = 4, **facts: object) -> str:
        config = s2_config(size)
        torch.manual_seed(seed)
        net = build(config).eval()
        torch.nn.init.normal_(net.policy.weight, std=1.0)
        export_onnx(net, config, tmp_path / name, training={"method": "dqn", **facts})
        return str(tmp_path / name)

    return write


def test_a_pair_is_known_by_its_headers(write_pair: Callable[..., str]) -> None:
    black, white = (
        write_pair(f"s2-{colour}.onnx", seed, pair=colour) for seed, colour in enumerate(("black", "white"))
    )
    alone = [write_pair(f"alone{seed}.onnx", seed) for seed in range(2)]
    positions = [tengen.Position("othello:size=4", moves) for moves in ("", "b1")]
    expected = [tengen.player(f"dqn:net={net}").rate(at) for net, at in zip(alone, positions, strict=True)]
    for named in (black, white):  # either may be named
        player = tengen.player(f"dqn:net={named}")
        assert [player.rate(position) for position in positions] == expected


def test_a_name_alone_makes_no_pair(write_pair: Callable[..., str]) -> None:
    named, plain = write_pair("my-black.onnx", 1), write_pair("mine.onnx", 1)
    write_pair("my-white.onnx", 2)
    position = tengen.Position("othello:size=4", "b1")  # white's turn
    assert tengen.player(f"dqn:net={named}").rate(position) == tengen.player(f"dqn:net={plain}").rate(position)


def test_half_a_pair_is_refused_when_it_is_named(write_pair: Callable[..., str]) -> None:
    for colour, other in (("black", "white"), ("white", "black")):
        half = write_pair(f"half-{colour}.onnx", 1, pair=colour)
        with pytest.raises(tengen.PlayerNameError, match=rf"{colour} half of a pair; there is no half-{other}.onnx"):
            tengen.player(f"dqn:net={half}")
        Path(half).unlink()
    renamed = write_pair("renamed.onnx", 1, pair="black")
    with pytest.raises(tengen.PlayerNameError, match=r"there is no \*-white.onnx beside it"):
        tengen.player(f"dqn:net={renamed}")


@pytest.mark.parametrize("facts", [{}, {"pair": "black"}, {"pair": "white", "size": 6}], ids=str)
def test_another_net_is_no_half_of_a_pair(facts: dict[str, object], write_pair: Callable[..., str]) -> None:
    black = write_pair("s2-black.onnx", 1, pair="black")
    write_pair("s2-white.onnx", 2, **facts)
    with pytest.raises(tengen.PlayerNameError, match="is not its white half"):
        tengen.player(f"dqn:net={black}")


# The nets that ship.


@pytest.mark.parametrize("game", ["gomoku", "gomoku:size=7"])
def test_games_open_in_the_middle(game: str) -> None:
    position = tengen.Position(game)
    low = (position.size - 5) // 2
    player = tengen.player("dqn")
    assert {(rating.move.row - low, rating.move.column - low) for rating in player.rate(position)} == {
        (row, column) for row in range(5) for column in range(5)
    }
    position.play(player.choose(position).move)
    assert len(player.rate(position)) == position.size**2 - 1


def shipped_score(net: str, game: str, rival: str, side: str, openings: list[list[int]]) -> Score:
    evaluator, played = OnnxEvaluator(find_net(net)), Game.parse(game)

    def choose(planes: NDArray[np.uint8], mask: NDArray[np.bool_], sides: NDArray[np.uint8]) -> NDArray[np.int64]:
        policy, _ = evaluator.evaluate(planes)
        best: NDArray[np.int64] = np.where(mask, policy, -np.inf).argmax(1)
        return best

    encoding = evaluator.header.config.encoding
    return evaluate(choose, played, rival, openings, encoding=encoding, side=side, threads=2)


@pytest.mark.parametrize("side", ["black", "white"])
@pytest.mark.parametrize(
    ("net", "game", "rival", "least"),
    [
        ("dqn-gomoku-15x15", "gomoku", "minimax:depth=2", 0.9),
        ("dqn-gomoku-15x15", "gomoku", "greedy", 0.95),
        ("dqn-othello-8x8", "othello", "random", 0.95),
        ("dqn-othello-8x8", "othello", "greedy", 0.85),
    ],
)
def test_a_net_is_as_strong_as_the_docs_say(net: str, game: str, rival: str, least: float, side: str) -> None:
    openings = honest_openings(Game.parse(game), 40)
    assert len(openings) == 40
    assert shipped_score(net, game, rival, side, openings).win_rate >= least


def test_the_net_for_7x7_is_as_strong_as_the_docs_say() -> None:
    game, rival = "gomoku:size=7", "minimax:depth=2"
    openings = honest_openings(Game.parse(game), 600)
    assert len(openings) == 600
    assert shipped_score("dqn-gomoku-7x7", game, rival, "black", openings).win_rate >= 0.95
    first_moves = [[move] for move in range(49)] * 5
    assert shipped_score("dqn-gomoku-7x7", game, rival, "black", first_moves).losses == 0
