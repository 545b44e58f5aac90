"""How much the vectorised environment saves: the same random games, stepped three ways, as ratios of one run.

Usage: python benchmarks/stepping.py
"""

import random
import time

import numpy as np

from tengen import Position
from tengen.envs import VectorEnv

GAMES = 1024
SECONDS = 2.0


def one_by_one() -> float:
    """Moves a second with a Position per game and Python choosing the moves."""
    rng = random.Random(1)
    positions = [Position("gomoku") for _ in range(GAMES)]
    moves, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for i, position in enumerate(positions):
            position.play(rng.choice(position.legal_moves()))
            if position.is_over:
                positions[i] = Position("gomoku")
        moves += GAMES
    return moves / (time.perf_counter() - start)


def together(*, in_core: bool, encoding: str | None) -> float:
    """Moves a second with VectorEnv; the random choice in the core, or with numpy over the masks."""
    env = VectorEnv("gomoku", GAMES, encoding=encoding, seed=1)
    rng = np.random.default_rng(1)
    moves, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        if in_core:
            env.step(env.sample_actions())
        else:
            env.step((rng.random(env.mask.shape, dtype=np.float32) * env.mask).argmax(axis=1))
        moves += GAMES
    return moves / (time.perf_counter() - start)


def main() -> None:
    base = one_by_one()
    rows = {
        "one Position per game, choice in Python": base,
        "VectorEnv, choice in numpy": together(in_core=False, encoding=None),
        "VectorEnv, choice in the core": together(in_core=True, encoding=None),
        "VectorEnv, choice in the core, s0 planes": together(in_core=True, encoding="s0"),
    }
    for name, speed in rows.items():
        print(f"{name:42} {speed:12,.0f} moves/s   x{speed / base:,.1f}")


if __name__ == "__main__":
    main()
