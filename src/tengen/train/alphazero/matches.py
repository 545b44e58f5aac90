"""Small matches during a run: a network in memory as a player, and paired games with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from tengen import _core
from tengen.arena import OpeningSource, play_game
from tengen.errors import TengenError
from tengen.games import Game, Position, Side
from tengen.nets.config import NetConfig
from tengen.nets.evaluator import model_evaluator
from tengen.nets.network import Net, torch_evaluator
from tengen.players import Decision, Player
from tengen.players._searching import decision_of
from tengen.search import Limit


class NetPlayer:
    """A player that searches with a network: ``playouts`` a move, always the best move, the same for the same seed."""

    def __init__(self, name: str, evaluator: _core.Evaluator, config: NetConfig, *, playouts: int) -> None:
        self.name = name
        self._evaluator = evaluator
        self._encoding = config.encoding
        self._playouts = playouts
        self._batch = min(64, max(1, playouts // 32))  # guesses about results under way must stay few
        self._search: Any = None

    def supports(self, game: Game) -> bool:
        """It is only asked for games that the network learns."""
        return True

    def new_game(self) -> None:
        """Forget the tree."""
        self._search = None

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Search; the limit is not looked at."""
        board: Any = position.core
        if self._search is None:
            self._search = _core.puct(board, self._evaluator, self._encoding, batch=self._batch)
        return decision_of(position, self._search.search(board, nodes=self._playouts))

    def stop(self) -> None:
        """End a search that is running."""
        if (search := self._search) is not None:
            search.stop()


def device_evaluator(net: Net, device: torch.device) -> _core.Evaluator:
    """What a search asks on the training device: torch on a GPU, ONNX Runtime on a CPU."""
    return cpu_evaluator(net) if device.type == "cpu" else torch_evaluator(net, device)


def cpu_evaluator(net: Net) -> _core.Evaluator:
    """A network as ONNX Runtime computes it on one core."""
    from tengen.nets.export import onnx_bytes

    return model_evaluator(onnx_bytes(net, net.config, training={}), net.config)


def play_pairs(
    first: Player,
    second: Player,
    games: Sequence[Game],
    count: int,
    *,
    seed: int,
    stopped: Callable[[], bool] = lambda: False,
) -> float | None:
    """The first's share of the points in ``count`` games from random openings, each played with colours swapped.

    The openings are of the ``games`` in turn. None if ``stopped`` said so before the end.
    """
    sources = [OpeningSource("random", game, seed=seed) for game in games]
    points = 0.0
    for number in range(count):
        if number % 2 == 0:
            start = next(sources[number // 2 % len(sources)]).position
        mine = Side.BLACK if number % 2 == 0 else Side.WHITE
        black, white = (first, second) if mine is Side.BLACK else (second, first)
        result = play_game(black, white, start=start, seed=seed + number)
        if stopped():
            return None
        if result.fault is not None:
            raise TengenError(f"a game of {black.name} against {white.name} went wrong: {result.detail}")
        points += 0.5 if result.winner is None else float(result.winner is mine)
    return points / count
