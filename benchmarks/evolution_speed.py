"""How many positions and games evolution plays in a second of one core's time: ``lines`` on 15x15, one thread.

    OMP_NUM_THREADS=1 python benchmarks/evolution_speed.py [--seconds 10] [--weights FILE]

Generations as in `evolve-15x15`, mutation and selection counted in, once from random weights on and once from those of
the net that ships: who can play plays other games, of another length.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from tengen.cli.output import plain_errors
from tengen.nets import load
from tengen.train.evolution.config import load_preset
from tengen.train.evolution.population import Species
from tengen.train.evolution.strategy import Strategy

SHIPPED = Path(__file__).parents[1] / "weights" / "evolved-gomoku-15x15.safetensors"


def measure(start: str | None, seconds: float) -> str:
    """Speeds of generations that begin with random weights, or with those of a file."""
    config = load_preset("evolve-15x15")
    game = config.parsed_games()[0]
    species = Species(config.net_config(), threads=1)
    method = Strategy(species, config.evolve, config.play, seed=1)
    if start:
        method.begin_with(species.weights(load(start)[0]))
    method.evolve(game, np.random.default_rng(0), share=0.0)  # warming up
    positions = games = number = 0
    begun = time.process_time()
    while (used := time.process_time() - begun) < seconds:
        number += 1
        generation = method.evolve(game, np.random.default_rng(number), share=0.0)
        positions, games = positions + generation.plies, games + generation.games
    return f"{positions / used:12,.0f} {games / used:9,.0f} {positions / games:9.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each of both")
    parser.add_argument("--weights", default=str(SHIPPED), help="a .safetensors file instead of the net that ships")
    args = parser.parse_args()
    print(f"{'generations from':20}{'positions/s':>12} {'games/s':>9} {'plies':>9}")
    for name, start in (("random weights", None), (Path(args.weights).stem, args.weights)):
        print(f"{name:20}{measure(start, args.seconds)}", flush=True)


if __name__ == "__main__":
    with plain_errors():
        main()
