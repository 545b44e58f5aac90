"""Is the run well? The collapses that others met, by name."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen import _core
from tengen.games import Game, Position
from tengen.nets.config import NetConfig
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
        self._resignations = deque([(0, 0)], maxlen=100)  # checks and errors in all, of the last lines of the log

    def watch(self, games: Games) -> None:
        """Take note of finished games."""
        self._lengths.extend(games.lengths.tolist())
        self._results.extend(games.table[:, RESULT].tolist())

    def watch_resignations(self, checks: int, errors: int) -> None:
        """Take note of the games so far that were played on after a resignation was due, and of those not lost."""
        self._resignations.append((checks, errors))

    def metrics(self) -> dict[str, float]:
        """The median length, how often black won and nobody did, and of the checked resignations the wrong ones."""
        if not self._lengths:
            return {}
        results = np.array(self._results)
        found = {
            "median_length": float(np.median(self._lengths)),
            "black_share": float((results == 1).mean()),
            "draw_share": float((results == 0).mean()),
        }
        checks, errors = (now - then for then, now in zip(self._resignations[0], self._resignations[-1], strict=True))
        if checks:
            found["resign_error_share"] = errors / checks
        return found

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
    """Positions in which the rival threatens to win and the mover must stop it, or make a four.

    They are of the ``games`` in turn, written as a network of this shape reads them.
    """

    def __init__(self, games: Sequence[Game], config: NetConfig, count: int = 200, seed: int = 1) -> None:
        generator = np.random.default_rng(seed)
        found = [_threatened(games[number % len(games)], config.encoding, generator) for number in range(count)]
        self._masked = len({game.size for game in games}) > 1
        self.planes = np.stack([_padded(planes, config.size) for planes, _ in found])
        self.answers = np.stack([_padded(answers, config.size).ravel() for _, answers in found])

    @torch.no_grad()
    def score(self, net: Net) -> float:
        """The share in which the likeliest move is an answer."""
        device = next(net.parameters()).device
        policy, _ = infer(net.eval(), torch.from_numpy(self.planes).to(device), masked=self._masked)
        chosen = policy.argmax(1).cpu().numpy()
        return float(self.answers[np.arange(len(chosen)), chosen].mean())


def _padded(board: NDArray[Any], size: int) -> NDArray[Any]:
    """In the upper left of a board of that size."""
    more = size - board.shape[-1]
    return np.pad(board, [(0, 0)] * (board.ndim - 2) + [(0, more), (0, more)])


def _threatened(
    game: Game, encoding: str, generator: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The planes of a position, and where an answer is, bool [size, size]."""
    centre = game.size // 2
    while True:
        position = Position(game)
        for _ in range(generator.integers(6, 30)):
            # Stones in a heap in the middle, so that lines come about by chance.
            row, column = np.clip(np.rint(generator.normal(centre, game.size / 6, 2)), 0, game.size - 1).astype(int)
            move = game.at(int(row), int(column))
            if position.is_legal(move):
                position.play(move)
            if position.is_over:
                break
            board: Any = position.core
            threats = _core.net_planes(board, "gomoku")
            quiet = not threats[[_OWN_FIVE, _OWN_WINNING_FOUR, _RIVAL_FIVE]].any()
            if quiet and threats[_RIVAL_WINNING_FOUR].any():
                answers = (threats[_RIVAL_FOUR] | threats[_OWN_FOUR]).astype(bool)
                return _core.net_planes(board, encoding), answers
