"""Is the run well? The collapses that others met, by name."""

from __future__ import annotations

from collections import deque

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.games import Game, Position
from tengen.nets.network import Net, infer
from tengen.train.alphazero.window import RESULT, Games

# Planes of the "gomoku" encoding (core/search/net_input.h).
_OWN_FIVE, _OWN_WINNING_FOUR, _OWN_FOUR, _RIVAL_FIVE, _RIVAL_WINNING_FOUR, _RIVAL_FOUR = 3, 4, 5, 7, 8, 9

SHORT_GAME, FIRST_PLAYER_SHARE, BLOCK_SHARE = 12, 0.85, 0.95


class Health:
    """Watches the games that come in."""

    def __init__(self, span: int = 2000) -> None:
        self._lengths: deque[int] = deque(maxlen=span)
        self._results: deque[int] = deque(maxlen=span)

    def watch(self, games: Games) -> None:
        """Take note of finished games."""
        self._lengths.extend(games.lengths.tolist())
        self._results.extend(games.table[:, RESULT].tolist())

    def metrics(self) -> dict[str, float]:
        """The median length, and how often black won and nobody did."""
        if not self._lengths:
            return {}
        results = np.array(self._results)
        return {
            "median_length": float(np.median(self._lengths)),
            "black_share": float((results == 1).mean()),
            "draw_share": float((results == 0).mean()),
        }

    def alarms(self, must_block: float | None = None) -> dict[str, str]:
        """What looks like a collapse: its name, and what it means; nothing while there are too few games to say."""
        found: dict[str, str] = {}
        if len(self._lengths) < 200:
            return found
        now = self.metrics()
        if now["median_length"] < SHORT_GAME:
            found["short games"] = (
                f"half of the games end within {now['median_length']:.0f} moves: attack only, nobody defends"
                " (S4's collapse; selfplay.opposition or more playouts help)"
            )
        if now["black_share"] > FIRST_PLAYER_SHARE:
            found["one-sided games"] = (
                f"black wins {now['black_share']:.0%}: the value head learns only who began (try selfplay.balance)"
            )
        if must_block is not None and must_block < BLOCK_SHARE and len(self._lengths) == self._lengths.maxlen:
            found["blindness"] = f"the policy stops only {must_block:.0%} of the threats that must be stopped"
        return found


class MustBlock:
    """Positions in which the rival threatens to win and the mover must stop it, or make a four."""

    def __init__(self, game: Game, count: int = 200, seed: int = 1) -> None:
        self.planes, self.answers = _threatened(game, count, seed)

    @torch.no_grad()
    def score(self, net: Net) -> float:
        """The share in which the likeliest move is an answer."""
        device = next(net.parameters()).device
        policy, _ = infer(net.eval(), torch.from_numpy(self.planes).to(device))
        chosen = policy.argmax(1).cpu().numpy()
        return float(self.answers[np.arange(len(chosen)), chosen].mean())


def _threatened(game: Game, count: int, seed: int) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    from tengen import _core

    generator = np.random.default_rng(seed)
    boards: list[NDArray[np.uint8]] = []
    answers: list[NDArray[np.bool_]] = []
    while len(boards) < count:
        position = Position(game)
        centre = game.size // 2
        for _ in range(generator.integers(6, 30)):
            # Stones in a heap in the middle, so that lines come about by chance.
            row, column = np.clip(np.rint(generator.normal(centre, game.size / 6, 2)), 0, game.size - 1).astype(int)
            move = game.at(int(row), int(column))
            if position.is_legal(move):
                position.play(move)
            if position.is_over:
                break
            planes = _core.net_planes(position.core, "gomoku")
            quiet = not planes[[_OWN_FIVE, _OWN_WINNING_FOUR, _RIVAL_FIVE]].any()
            if quiet and planes[_RIVAL_WINNING_FOUR].any():
                boards.append(planes)
                answers.append((planes[_RIVAL_FOUR] | planes[_OWN_FOUR]).astype(bool).ravel())
                break
    return np.stack(boards[:count]), np.stack(answers[:count])
