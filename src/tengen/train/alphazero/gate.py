"""S4's gate: a newer network takes the place of the best so far only after it has beaten it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import torch

from tengen.games import Game
from tengen.nets.network import Net
from tengen.train.alphazero.matches import NetPlayer, device_evaluator, play_pairs


class Gate:
    """Keeps the best network so far. The match is ``count`` games, half with each colour, and must bring more than
    ``score`` of the points; both sides search ``playouts`` a move and draw nothing at random but the openings.
    """

    def __init__(
        self,
        net: Net,
        games: Sequence[Game],
        *,
        count: int,
        score: float,
        playouts: int,
        device: torch.device,
    ) -> None:
        self.best = copy.deepcopy(net)
        self._games = games
        self._count, self._score = count, score
        self._playouts = playouts
        self._device = device

    def challenge(self, net: Net, *, seed: int, stopped: Callable[[], bool] = lambda: False) -> float | None:
        """Let a network try; returns its share of the points, or None if ``stopped`` ended the match.

        If it won, ``best`` has its weights afterwards.
        """
        new, old = (
            NetPlayer(name, device_evaluator(each, self._device), each.config, playouts=self._playouts)
            for name, each in (("the newest net", net), ("the best net", self.best))
        )
        score = play_pairs(new, old, self._games, self._count, seed=seed, stopped=stopped)
        if score is not None and self.is_enough(score):
            self.best.load_state_dict(net.state_dict())
        return score

    def is_enough(self, score: float) -> bool:
        """Whether a share of the points opens the gate."""
        return score > self._score
