"""An evolution strategy: a cloud of mirrored mutants around one individual, which moves to where the better ones are.

All individuals of a generation play the same rivals from the same openings (common random numbers), so that what
differs between them is their play. Only the order of their scores counts (rank weights).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tengen.games import Game
from tengen.train.evolution.config import EvolveSettings, PlaySettings
from tengen.train.evolution.generation import Generation, play_generation
from tengen.train.evolution.population import Species, Weights

_MEMORY, _SQUARES_MEMORY, _FLOOR = 0.9, 0.99, 1e-8  # Adam's; squares of few generations: the landscape changes


class Strategy:
    """The state of a run: the centre of the cloud, Adam's moments, the hall of fame, and the average that is saved."""

    def __init__(self, species: Species, settings: EvolveSettings, play: PlaySettings, *, seed: int) -> None:
        self.species, self.settings, self.play = species, settings, play
        self.begin_with(species.random(1, seed=seed)[0])

    def begin_with(self, weights: Weights) -> None:
        """Put the cloud around an individual."""
        self.centre = weights.astype(np.float64)
        self.average = self.centre.copy()
        self.mean, self.squares, self.steps = np.zeros_like(self.centre), np.zeros_like(self.centre), 0
        self.hall = self.centre[None].astype(np.float32)

    def best(self) -> Weights:
        """Who stands for the run: the average of the centres of late."""
        return self.average.astype(np.float32)

    def evolve(self, game: Game, rng: np.random.Generator, *, share: float) -> Generation:
        """One generation; ``share`` of the run is over."""
        settings = self.settings
        # 1. Mirrored mutants, and rivals: the centre itself, and some that it has been.
        noise = rng.standard_normal((settings.population // 2, len(self.centre)))
        cloud = self.centre + settings.sigma * np.concatenate((noise, -noise))
        remembered = self.hall[rng.integers(len(self.hall), size=settings.rivals - 1)]
        rivals: NDArray[np.float64] = np.concatenate((self.centre[None], remembered))
        generation = play_generation(self.species, cloud, rivals, game, self.play, rng)
        # 2. The direction in which scores rise: each pair votes for its better half, by the difference of their ranks.
        weights = rank_weights(generation.scores)
        votes = weights[: len(noise)] - weights[len(noise) :]
        gradient = votes @ noise / (2 * len(noise) * settings.sigma)
        # 3. A step.
        falling = settings.rate_end + (1 - settings.rate_end) * (1 + np.cos(np.pi * share)) / 2
        self.centre += settings.rate * falling * self._direction(gradient)
        self.average += (1 - self._memory()) * (self.centre - self.average)
        if self.steps % settings.hall_every == 0:
            self.hall = np.concatenate((self.hall, self.centre[None].astype(np.float32)))[-settings.hall :]
        generation.metrics |= {"gradient": float(np.linalg.norm(gradient)), "norm": float(np.linalg.norm(self.centre))}
        return generation

    def _direction(self, gradient: NDArray[np.float64]) -> NDArray[np.float64]:
        self.steps += 1
        if not self.settings.adam:
            return gradient
        self.mean += (1 - _MEMORY) * (gradient - self.mean)
        self.squares += (1 - _SQUARES_MEMORY) * (gradient**2 - self.squares)
        mean = self.mean / (1 - _MEMORY**self.steps)
        squares = self.squares / (1 - _SQUARES_MEMORY**self.steps)
        direction: NDArray[np.float64] = mean / (np.sqrt(squares) + _FLOOR)
        return direction

    def _memory(self) -> float:
        """Of the average; short at first, so that the random beginning is soon forgotten."""
        return min(self.settings.average, 1 - 1 / self.steps)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Everything that a run needs to go on."""
        return {
            "centre": self.centre,
            "average": self.average,
            "mean": self.mean,
            "squares": self.squares,
            "steps": np.array([self.steps]),
            "hall": self.hall,
        }

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """The inverse of :meth:`state`; raises ``KeyError`` or ``ValueError`` for another's."""
        for name in ("centre", "average", "mean", "squares"):
            getattr(self, name)[:] = state[name]
        self.steps = int(state["steps"][0])
        hall = np.asarray(state["hall"], np.float32)
        self.hall = hall.reshape(-1, len(self.centre))


def rank_weights(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """From -0.5 for the lowest score to 0.5 for the highest, evenly; equal scores share the mean of their places."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle = last - (counts + 1) / 2  # of the places that equal scores take, from 0 on
    weights: NDArray[np.float64] = middle[place] / max(1, len(scores) - 1) - 0.5
    return weights
