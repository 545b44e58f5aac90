"""Fit the Othello evaluation: `python -m tengen.fit.othello_eval OUTPUT`.

The search plays itself from random openings, the first time with a formula for
an evaluation and then with what the round before has learnt. Each phase of the
game is one linear least-squares problem: from the patterns on the board to the
final disc difference, mixed with what the search said a few plies later, which
has less chance in it. The same arguments give the same file.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tengen import _core
from tengen.search.othello import pack_tables

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]

_PHASES, _WEIGHTS, _UNITS = _core.othello_tables_shape()
_GAMES_A_TASK = 500


@dataclass(frozen=True)
class Round:
    """One round: games, plies that each move is searched, iterations of the fit, share of the search's own word."""

    games: int
    depth: int
    iterations: int
    trust: float


# Later rounds keep the positions of the one before them.
ROUNDS = (Round(10_000, 2, 20, 0.0), Round(10_000, 3, 20, 0.5), Round(20_000, 4, 20, 0.7), Round(30_000, 4, 25, 0.7))


@dataclass(frozen=True)
class Samples:
    """Positions from the mover's side with the score that they are to teach."""

    own: Words
    rival: Words
    score: Floats

    def __len__(self) -> int:
        return len(self.score)

    def pick(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Samples:
        """Return the samples that an index array or mask selects."""
        return Samples(self.own[which], self.rival[which], self.score[which])

    @property
    def empties(self) -> npt.NDArray[np.int64]:
        """Return the number of empty cells of each position."""
        discs = (self.own | self.rival).view(np.uint8).reshape(-1, 8)
        counts: npt.NDArray[np.int64] = np.unpackbits(discs, axis=1).sum(axis=1, dtype=np.int64)
        return 64 - counts


def join(parts: list[Samples]) -> Samples:
    """Return all samples of all parts, in order."""
    return Samples(
        np.concatenate([p.own for p in parts]),
        np.concatenate([p.rival for p in parts]),
        np.concatenate([p.score for p in parts]),
    )


def play(tables: bytes | None, plan: Round, seed: int, threads: int) -> Samples:
    """Play the games of a round. The threads change nothing but the time it takes."""

    def task(first: int) -> Samples:
        games = min(_GAMES_A_TASK, plan.games - first)
        own, rival, final, foreseen = _core.othello_self_play(
            tables, seed=seed, first_game=first, games=games, depth=plan.depth
        )
        score = final.astype(np.float32)
        return Samples(own, rival, score + np.float32(plan.trust) * (foreseen - score))

    with ThreadPoolExecutor(threads) as pool:
        return join(list(pool.map(task, range(0, plan.games, _GAMES_A_TASK))))


def fit_phase(samples: Samples, start: Floats, iterations: int, ridge: float) -> Floats:
    """Solve one phase by conjugate gradients on the normal equations, scaled by how often each weight is used.

    `ridge` pulls weights that are rarely seen towards zero.
    """
    ids = np.ascontiguousarray(_core.othello_weight_ids(samples.own, samples.rival).T.astype(np.intp))
    ends = [(int(row.min()), int(row.max()) + 1) for row in ids]
    for row, (first, _) in zip(ids, ends, strict=True):
        row -= first

    def predict(weights: Floats) -> Floats:
        out = np.zeros(len(samples), np.float32)
        for row, (first, end) in zip(ids, ends, strict=True):
            out += weights[first:end][row]
        return out

    def gather(errors: Floats) -> Floats:
        out = np.zeros(_WEIGHTS, np.float32)
        for row, (first, end) in zip(ids, ends, strict=True):
            out[first:end] += np.bincount(row, errors, end - first).astype(np.float32)
        return out

    scale = 1.0 / (gather(np.ones(len(samples), np.float32)) + np.float32(ridge))
    weights = start.copy()
    residual = gather(samples.score - predict(weights)) - ridge * weights
    step = scale * residual
    direction = step
    power = float(residual @ step)
    for _ in range(iterations):
        image = gather(predict(direction)) + ridge * direction
        length = np.float32(power / max(float(direction @ image), 1e-12))
        weights = weights + length * direction
        residual = residual - length * image
        step = scale * residual
        power, before = float(residual @ step), power
        direction = step + np.float32(power / max(before, 1e-12)) * direction
    return weights


def predict_all(samples: Samples, weights: Floats) -> Floats:
    """Return what one phase's weights say of each position."""
    used: Floats = weights[_core.othello_weight_ids(samples.own, samples.rival)]
    total: Floats = used.sum(axis=1, dtype=np.float32)
    return total


def fit(samples: Samples, start: Floats, iterations: int, ridge: float) -> Floats:
    """Fit all phases; every hundredth game position is held out and its error printed."""
    weights = start.copy()
    empties = samples.empties
    for phase in range(_PHASES):
        # A phase is four plies; it also learns from two plies on either side.
        high, low = 60 - 4 * phase, 57 - 4 * phase
        inside = np.flatnonzero((empties <= high) & (empties >= low))
        held = inside[::100]
        near = np.flatnonzero((empties <= high + 2) & (empties >= low - 2))
        near = np.setdiff1d(near, held, assume_unique=True)
        if len(near) < 1000 or not len(held):
            continue
        weights[phase] = fit_phase(samples.pick(near), weights[phase], iterations, ridge)
        check = samples.pick(held)
        error = predict_all(check, weights[phase]) - check.score
        spread = float(np.sqrt(np.mean(np.square(error))))
        print(f"  phase {phase:2d}: {len(near):8d} positions, error {spread:6.2f} discs", flush=True)
    # Phases that no game was recorded in are close to the next one that has some.
    for phase in range(_PHASES - 2, -1, -1):
        if not weights[phase].any():
            weights[phase] = weights[phase + 1]
    return weights


def make_tables(weights: Floats, middle: list[float], end: list[float]) -> bytes:
    """Round the weights to the unit of the core and put them in its format."""
    scaled = np.clip(np.rint(weights * _UNITS), -32767, 32767).astype(np.int16)
    return _core.othello_tables(np.ascontiguousarray(scaled), middle, end)


def measure_errors(tables: bytes, samples: Samples, seed: int) -> tuple[list[float], list[float]]:
    """Measure how far shallow searches stray from deep ones, as linear formulas for the probable cuts.

    The first depends on (1, empties, deep, shallow), the second, for searches to the end, on (1, empties, shallow).
    """
    random = np.random.default_rng(seed)
    empties = samples.empties
    rows: list[list[float]] = []
    errors: list[float] = []
    end_rows: list[list[float]] = []
    end_errors: list[float] = []
    for cells in range(12, 49, 4):
        some = samples.pick(random.permutation(np.flatnonzero(empties == cells))[:100])
        depths = [*range(8), 64] if cells <= 16 else range(8)
        scores = {d: _core.othello_depth_scores(tables, some.own, some.rival, d).astype(float) for d in depths}
        for shallow in range(1, 8):
            for deep in range(shallow + 2, 8, 2):
                rows.append([1, cells, deep, shallow])
                errors.append(float((scores[deep] - scores[shallow]).std()))
            if 64 in scores:
                end_rows.append([1, cells, shallow])
                end_errors.append(float((scores[64] - scores[shallow]).std()))
    middle = np.linalg.lstsq(np.array(rows), np.array(errors), rcond=None)[0]
    end = np.linalg.lstsq(np.array(end_rows), np.array(end_errors), rcond=None)[0]
    print("middle", middle, "end", end, flush=True)
    return [float(c) for c in middle], [float(c) for c in end] + [0.0]


def main() -> None:
    """Play, fit, and write the packed tables."""
    parser = argparse.ArgumentParser(prog="python -m tengen.fit.othello_eval", description=__doc__)
    parser.add_argument("output", type=Path, help="where to write the packed tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads that play; the result does not depend on them")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the games to play, for a quick try")
    parser.add_argument("--ridge", type=float, default=20.0, help="how strongly rare patterns are held at zero")
    options = parser.parse_args()
    tables: bytes | None = None
    weights = np.zeros((_PHASES, _WEIGHTS), np.float32)
    before: list[Samples] = []
    for number, plan in enumerate(ROUNDS):
        plan = replace(plan, games=round(plan.games * options.scale))
        begin = time.monotonic()
        played = play(tables, plan, options.seed * 1000 + number, options.threads)
        print(f"round {number}: {len(played)} positions in {time.monotonic() - begin:.0f} s", flush=True)
        weights = fit(join([*before[-1:], played]), weights, plan.iterations, options.ridge)
        before.append(played)
        tables = make_tables(weights, [4.0, 0.0, 0.3, -0.6], [6.0, 0.1, -0.4, 0.0])
        print(f"  fitted after {time.monotonic() - begin:.0f} s", flush=True)
    assert tables is not None
    tables = make_tables(weights, *measure_errors(tables, before[-1], options.seed))
    packed = pack_tables(tables)
    options.output.write_bytes(packed)
    print(f"{len(packed)} bytes", flush=True)


if __name__ == "__main__":
    main()
