"""The gate and the ladder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small import small_config

import tengen
from tengen import _core
from tengen.errors import TengenError
from tengen.games import Game, Position
from tengen.nets import Net, build, save
from tengen.train.alphazero.gate import Gate
from tengen.train.alphazero.health import Health, MustBlock
from tengen.train.alphazero.matches import NetPlayer, cpu_evaluator, play_pairs, torch_evaluator
from tengen.train.alphazero.rating import LADDER, Rater
from tengen.train.alphazero.window import Games

GAME = Game.parse("gomoku:size=7")


def net(seed: int = 0) -> Net:
    torch.manual_seed(seed)
    return build(small_config(games=[GAME.name]).net_config()).eval()


def test_a_net_in_memory_plays() -> None:
    made = net()
    player = NetPlayer("net", cpu_evaluator(made), made.config, playouts=32)
    position = Position(GAME)
    first = player.choose(position)
    assert first.move in position.legal_moves()
    player.new_game()
    assert player.choose(position).scores == first.scores
    player.stop()


def test_torch_and_onnx_runtime_agree() -> None:
    made = net()
    for parameter in made.heads.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    planes = np.repeat(_core.net_planes(Position(GAME, "d4c3").core, "gomoku")[None], 3, 0)
    here = torch_evaluator(made, torch.device("cpu")).evaluate(planes)
    there = cpu_evaluator(made).evaluate(planes)
    assert all(a.shape == b.shape and np.allclose(a, b, atol=0.1) for a, b in zip(here, there, strict=True))
    player = NetPlayer("net", torch_evaluator(made, torch.device("cpu")), made.config, playouts=64)
    assert player.choose(Position(GAME, "d4c3")).stats["nodes"] == 64


def test_paired_games_are_counted_for_the_first() -> None:
    greedy, random = tengen.player("greedy", seed=1), tengen.player("random", seed=1)
    ahead = play_pairs(greedy, random, [GAME], 8, seed=1)
    behind = play_pairs(random, greedy, [GAME], 8, seed=1)
    assert ahead is not None
    assert behind is not None
    assert ahead > 0.8
    assert behind < 0.2
    assert play_pairs(greedy, random, [GAME], 8, seed=1, stopped=lambda: True) is None


def test_a_player_that_fails_is_no_result() -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("tired")

    broken, random = tengen.player("random", seed=1), tengen.player("random", seed=2)
    broken.choose = fail
    with pytest.raises(TengenError, match=r"went wrong: .*tired"):
        play_pairs(broken, random, [GAME], 2, seed=1)


@pytest.mark.parametrize(("score", "opens"), [(0.0, True), (1.0, False)])
def test_the_gate(score: float, opens: bool) -> None:
    old, new = net(1), net(2)
    gate = Gate(old, [GAME], count=4, score=score, playouts=8, device=torch.device("cpu"))
    result = gate.challenge(new, seed=1)
    assert result is not None
    assert gate.is_enough(result) is opens
    expected = new if opens else old
    assert all(torch.equal(a, b) for a, b in zip(gate.best.parameters(), expected.parameters(), strict=True))
    assert gate.best is not expected
    assert gate.challenge(new, seed=1, stopped=lambda: True) is None


def wait_for(rater: Rater) -> dict[str, float]:
    deadline = time.monotonic() + 30
    while not (found := rater.result()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def test_the_ladder(tmp_path: Path) -> None:
    made = net()
    save(tmp_path / "net.safetensors", made, made.config, training={})
    rater = Rater(GAME, games=4, playouts=100)
    assert rater.ladder == list(LADDER)
    assert rater.result() == {}
    rater.start(made, tmp_path / "net.safetensors", seed=1)
    found = wait_for(rater)
    assert found["rung"] == 0
    assert found["self_score"] == 0.5  # against itself, colours swapped
    assert found["rung_score"] > 0.75  # a search, even with an empty head, beats random moves
    assert rater.rung == 1
    rater.start(made, None, seed=1)
    assert set(wait_for(rater)) == {"rung", "rung_score"}
    rater.close()


def test_a_rating_that_fails_does_no_harm(tmp_path: Path) -> None:
    rater = Rater(GAME, games=2, playouts=4)
    rater.start(net(), tmp_path / "nowhere.safetensors", seed=1)
    assert (rater.result(), "cannot read" in rater.trouble) == ({}, True)
    rater.ladder = ["alphazero:net=nowhere"]
    rater.start(net(), None, seed=1)
    while rater._under_way is not None:
        assert rater.result() == {}
    assert "there is no net" in rater.trouble
    rater.close()


def test_a_ladder_can_be_left_at_once() -> None:
    made = net()
    rater = Rater(GAME, games=1000, playouts=10_000, rung=6)
    rater.start(made, None, seed=1)
    begun = time.monotonic()
    rater.close()
    assert time.monotonic() - begun < 5
    assert "minimax:depth=1" not in Rater(Game.parse("othello"), games=2, playouts=2, rung=99).ladder


def test_alarms() -> None:
    def games(length: int, result: int) -> Games:
        table = np.tile(np.array([0, result, 0, 0, 0, length, 0], np.int32), (300, 1))
        none = np.zeros(0, np.uint16)
        return Games(table, none, none, np.zeros(0, np.float32), none, none, none)

    health = Health(span=300)
    assert health.metrics() == health.alarms() == {}
    health.watch(games(30, 0))
    assert health.alarms(0.99) == {}
    assert "threats" in health.alarms(0.5)["blindness"]
    health.watch(games(9, 1))
    assert set(health.alarms()) == {"short games", "one-sided games"}
    assert health.metrics() == {"median_length": 9, "black_share": 1, "draw_share": 0}


def test_resignations_that_were_wrong_lately() -> None:
    health = Health()
    table = np.array([[0, 1, 0, 0, 0, 9, 0]], np.int32)
    none = np.zeros(0, np.uint16)
    health.watch(Games(table, none, none, np.zeros(0, np.float32), none, none, none))
    health.watch_resignations(0, 0)
    assert "resign_error_share" not in health.metrics()
    health.watch_resignations(8, 6)
    assert health.metrics()["resign_error_share"] == 0.75
    for _ in range(99):
        health.watch_resignations(8, 6)
    assert "resign_error_share" not in health.metrics()  # long ago
    health.watch_resignations(12, 7)
    assert health.metrics()["resign_error_share"] == 0.25


@pytest.mark.parametrize("changes", [{}, {"kind": "s3", "blocks": 0}, {"kind": "s4"}], ids=str)
def test_positions_that_must_be_answered(changes: dict[str, Any]) -> None:
    config = small_config(games=[GAME.name], net=changes).net_config()
    suite = MustBlock([GAME], config, count=20)
    assert suite.planes.shape == (20, config.planes, 7, 7)
    assert suite.answers.any(1).all()
    assert 0 <= suite.score(build(config)) <= 1
    for planes, answers in zip(suite.planes, suite.answers, strict=True):
        own, rival = planes[1:3] if config.encoding == "gomoku" else planes[:2]
        assert abs(int(own.sum()) - int(rival.sum())) <= 1
        assert not (own | rival).ravel()[answers].any()  # an answer is an empty point


@pytest.mark.parametrize("right", [True, False])
def test_answers_are_counted(right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = MustBlock([GAME], net().config, count=20)
    policy = torch.from_numpy(suite.answers == right).float()
    monkeypatch.setattr("tengen.train.alphazero.health.infer", lambda *_, **__: (policy, None))
    assert suite.score(net()) == float(right)


def test_positions_on_boards_of_several_sizes() -> None:
    games = [GAME, Game.parse("gomoku:size=9")]
    config = small_config(games=[game.name for game in games]).net_config()
    suite = MustBlock(games, config, count=20)
    assert set(suite.planes[:, 0, 0].sum(1).tolist()) == {7, 9}
    on_board = suite.planes[:, 0].reshape(20, -1).astype(bool)
    assert not suite.answers[~on_board].any()
    assert 0 <= suite.score(build(config)) <= 1
