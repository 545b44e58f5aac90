"""A search with an evaluator of the caller's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import tengen
from tengen import PlayerNameError, TengenError
from tengen.nets import FunctionEvaluator, NetConfig
from tengen.players.alphazero import AlphaZeroPlayer

Answer = tuple[NDArray[np.float32], NDArray[np.float32]]


def wishing(action: int, seen: list[tuple[int, ...]], *, planes: int, passes: bool = False) -> FunctionEvaluator:
    """All the policy is on one action."""

    def judge(given: NDArray[np.uint8]) -> Answer:
        seen.append(given.shape)
        policy = np.zeros((len(given), given.shape[2] ** 2 + passes), np.float32)
        policy[:, action] = 50
        return policy, np.full((len(given), 3), 1 / 3, np.float32)

    return FunctionEvaluator(judge, planes=planes, passes=passes)


@pytest.mark.parametrize(
    ("name", "planes", "passes", "encoding"),
    [("gomoku:size=9", 16, False, None), ("renju:size=9", 13, False, "s4"), ("othello", 5, True, None)],
)
def test_a_function_is_asked(name: str, planes: int, passes: bool, encoding: str | None) -> None:
    position = tengen.Position(name)
    position.play(position.legal_moves()[len(position.legal_moves()) // 2])
    wanted = position.legal_moves()[len(position.legal_moves()) // 2 + 1]  # near the stone that is there
    seen: list[tuple[int, ...]] = []
    evaluator = wishing(position.game.moves.index(wanted), seen, planes=planes, passes=passes)
    player = AlphaZeroPlayer(evaluator=evaluator, encoding=encoding, playouts=20, seed=1)
    assert player.supports(position.game)
    assert player.choose(position).move == wanted
    assert all(shape[1:] == (planes, position.size, position.size) for shape in seen)
    assert seen


def test_what_cannot_be() -> None:
    evaluator = wishing(0, [], planes=16)
    player = AlphaZeroPlayer(evaluator=evaluator)
    assert not player.supports(tengen.Game.parse("othello"))
    with pytest.raises(TengenError, match="does not play othello"):
        player.prepare(tengen.Game.parse("othello"))
    with pytest.raises(PlayerNameError, match="not both"):
        AlphaZeroPlayer(evaluator=evaluator, net="gomoku-15x15")
    with pytest.raises(ValueError, match="planes"):
        AlphaZeroPlayer(evaluator=evaluator, encoding="s3").prepare(tengen.Game.parse("gomoku"))


def test_a_network_in_torch() -> None:
    pytest.importorskip("torch")
    from tengen.nets import build, torch_evaluator

    config = NetConfig(kind="tengen", encoding="gomoku", planes=16, blocks=1, channels=8, size=9)
    player = AlphaZeroPlayer(evaluator=torch_evaluator(build(config)), playouts=20, seed=1)
    decision = player.choose(tengen.Position("gomoku:size=9"))
    assert decision.stats["nodes"] == 20
