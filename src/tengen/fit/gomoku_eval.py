"""Fits the Gomoku evaluation on games that the search plays against itself.

``python -m tengen.fit.gomoku_eval`` plays the games, fits the weights by logistic regression on their results and
writes ``core/search/evaluation_weights.h``; build the core again to use them. Needs numpy alone. Ten minutes on one
core with the defaults.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.games import Position

_PICKS = len(_core.gomoku_shape_picks())
_HEADER = """\
// Written by `python -m tengen.fit.gomoku_eval`; do not edit.
#pragma once

#include <array>
#include <cstdint>

#include "search/threat_board.h"

namespace tengen {{

// {about}
inline constexpr int tempo_weight = {tempo};
inline constexpr std::array<std::int16_t, shape_picks> moving_weights{{
{moving}}};
inline constexpr std::array<std::int16_t, shape_picks> waiting_weights{{
{waiting}}};

}}  // namespace tengen
"""


class Samples(NamedTuple):
    """Positions of finished games: counts [n, 2 * picks], the evaluation now [n], the mover's result 0, 0.5, 1 [n]."""

    counts: NDArray[np.float32]
    evaluation: NDArray[np.float64]
    result: NDArray[np.float64]

    def where(self, chosen: NDArray[np.bool_]) -> Samples:
        """Some of them."""
        return Samples(self.counts[chosen], self.evaluation[chosen], self.result[chosen])


def random_opening(rng: random.Random) -> Position:
    """A few stones near the centre, so that games differ."""
    position = Position("gomoku")
    middle = position.size // 2
    for _ in range(rng.randint(1, 6)):
        while True:
            row, column = (middle + rng.randint(-3, 3) for _ in range(2))
            if position.is_legal(position.game.at(row, column)):
                position.play(position.game.at(row, column))
                break
    return position


def play_games(games: int, nodes: int, seed: int) -> Samples:
    """Play ``games`` games of the search with itself, ``nodes`` positions a move, and keep what fours do not settle.

    One move in ten is drawn from the three best, for variety.
    """
    rng = random.Random(seed)
    search = _core.AlphaBeta(hash_mb=8)
    counts, evaluations, results = [], [], []
    for _ in range(games):
        position = random_opening(rng)
        search.clear()
        seen: list[tuple[NDArray[np.float32], int, int]] = []
        while not position.is_over and position.ply < 150:
            board = position.core
            assert isinstance(board, _core.GomokuBoard)
            moving, waiting, evaluation, settled = _core.gomoku_features(board)
            if not settled:
                seen.append((np.array(moving + waiting, dtype=np.float32), evaluation, position.to_move.index))
            lines = search.search(board, nodes=nodes, lines=3 if rng.random() < 0.1 else 1).lines
            position.play(rng.choice(lines).moves[0])
        outcome = position.outcome()
        winner = None if outcome is None or outcome.winner is None else outcome.winner.index
        for features, evaluation, mover in seen:
            counts.append(features)
            evaluations.append(evaluation)
            results.append(0.5 if winner is None else float(winner == mover))
    return Samples(np.stack(counts), np.array(evaluations, dtype=np.float64), np.array(results))


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def log_loss(prediction: NDArray[np.float64], result: NDArray[np.float64]) -> float:
    """The mean surprise at the results, in nats."""
    p = np.clip(prediction, 1e-6, 1 - 1e-6)
    return float(-(result * np.log(p) + (1 - result) * np.log(1 - p)).mean())


def fit_scale(samples: Samples) -> float:
    """The divisor that turns the evaluation at hand into log odds, by Newton's method in one variable."""
    slope = 1 / 300
    for _ in range(30):
        p = _sigmoid(slope * samples.evaluation)
        gradient = ((samples.result - p) * samples.evaluation).sum()
        curvature = (p * (1 - p) * samples.evaluation**2).sum()
        slope += gradient / curvature
    return float(1 / slope)


def fit(samples: Samples, *, ridge: float) -> tuple[NDArray[np.float64], float]:
    """Log-odds weights [2 * picks] and the bias, by Newton's method with a ridge that pulls rare picks to zero."""
    x = np.concatenate([samples.counts, np.ones((len(samples.counts), 1), dtype=np.float32)], axis=1).astype(np.float64)
    weights = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 1e-6
    for _ in range(12):
        p = _sigmoid(x @ weights)
        gradient = x.T @ (samples.result - p) - penalty * weights
        hessian = (x * (p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    return weights[:-1], float(weights[-1])


def _rows(values: NDArray[np.float64]) -> str:
    whole = [str(round(value)) for value in np.clip(values, -20000, 20000)]
    return ",\n".join("    " + ", ".join(whole[i : i + 20]) for i in range(0, len(whole), 20))


def main() -> None:
    """Play, fit, and write the header."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--nodes", type=int, default=2000, help="positions a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ridge", type=float, default=30.0)
    parser.add_argument("--out", type=Path, default=Path("core/search/evaluation_weights.h"))
    options = parser.parse_args()
    start = time.perf_counter()
    samples = play_games(options.games, options.nodes, options.seed)
    held = np.random.default_rng(options.seed).random(len(samples.result)) < 0.1
    train, test = samples.where(~held), samples.where(held)
    scale = fit_scale(train)
    weights, bias = fit(train, ridge=options.ridge)
    before = log_loss(_sigmoid(test.evaluation / scale), test.result)
    after = log_loss(_sigmoid(test.counts.astype(np.float64) @ weights + bias), test.result)
    about = f"{options.games} games, {len(samples.result)} positions; held-out loss {before:.4f} -> {after:.4f}"
    print(f"{about}; scale {scale:.0f}; {time.perf_counter() - start:.0f} s")
    # In the unit of the evaluation before, so that the search's margins keep their meaning. Both sides have as many
    # empty points, so one number may be taken off every weight: a point without a shape is worth nothing to the mover.
    moving, waiting = weights[:_PICKS] * scale, -weights[_PICKS:] * scale
    nothing = moving[0]
    text = _HEADER.format(
        about=about, tempo=round(bias * scale), moving=_rows(moving - nothing), waiting=_rows(waiting - nothing)
    )
    options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
