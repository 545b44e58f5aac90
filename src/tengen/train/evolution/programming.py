"""Evolutionary programming as S1 has it: mutation alone, by how much an individual loses, and a tournament."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tengen.games import Game
from tengen.train.evolution.config import EvolveSettings, PlaySettings
from tengen.train.evolution.generation import Generation, play_generation
from tengen.train.evolution.population import Species, Weights


class Programming:
    """The state of a run: the parents with their mutation strengths and losses, and the rival of all."""

    def __init__(self, species: Species, settings: EvolveSettings, play: PlaySettings, *, seed: int) -> None:
        self.species, self.settings, self.play = species, settings, play
        *parents, self.rival = species.random(settings.population + 1, seed=seed)
        self.parents = np.stack(parents)
        self.strengths = np.full(settings.population, settings.sigma)
        self.losses = np.ones(settings.population)  # nobody has won yet
        self.scores = np.zeros(settings.population)
        self.steps = 0

    def begin_with(self, weights: Weights) -> None:
        """Make an individual one of the parents, and the rival."""
        self.parents[0] = self.rival = weights.copy()

    def best(self) -> Weights:
        """Who stands for the run: the parent with the highest score."""
        best: Weights = self.parents[self.scores.argmax()]
        return best

    def evolve(self, game: Game, rng: np.random.Generator, *, share: float) -> Generation:
        """One generation; ``share`` of the run, which is over, changes nothing here."""
        settings = self.settings
        # 1. A child of each parent. All play anew: five games say little, and the rival may be another one.
        children, strengths = mutate(self.parents, self.strengths, self.losses, rng, adapt=settings.adapt)
        everybody, strengths = np.concatenate((self.parents, children)), np.concatenate((self.strengths, strengths))
        generation = play_generation(self.species, everybody, self.rival[None], game, self.play, rng)
        # 2. Who wins most comparisons lives on.
        chosen = tournament(generation.scores, settings.tournament, settings.population, rng)
        self.parents, self.strengths = everybody[chosen], strengths[chosen]
        self.losses, self.scores = generation.losses[chosen], generation.scores[chosen]
        # 3. Now and then the best becomes what the others have to beat.
        self.steps += 1
        if self.steps % settings.rival_every == 0:
            self.rival = self.best().copy()
        generation.metrics |= {"strength": float(self.strengths.mean()), "parents_score": float(self.scores.mean())}
        return generation

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Everything that a run needs to go on."""
        return {
            "parents": self.parents,
            "rival": self.rival,
            "strengths": self.strengths,
            "losses": self.losses,
            "scores": self.scores,
            "steps": np.array([self.steps]),
        }

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """The inverse of :meth:`state`; raises ``KeyError`` or ``ValueError`` for another's."""
        for name in ("parents", "rival", "strengths", "losses", "scores"):
            getattr(self, name)[:] = state[name]
        self.steps = int(state["steps"][0])


def mutate(
    parents: Weights,
    strengths: NDArray[np.float64],
    losses: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    adapt: float,
) -> tuple[Weights, NDArray[np.float64]]:
    """A child of each parent [n, parameters], and the children's mutation strengths [n].

    The standard operator of evolutionary programming, x' = x + strength * sqrt(f) * N(0, 1), with the share of lost
    games as f: who loses less changes less. A child first varies the strength it inherits, by exp(adapt * N(0, 1)).
    """
    inherited = strengths * np.exp(adapt * rng.standard_normal(len(strengths)))
    steps = (inherited * np.sqrt(losses))[:, None] * rng.standard_normal(parents.shape)
    return (parents + steps).astype(np.float32), inherited


def tournament(scores: NDArray[np.float64], q: int, survivors: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Who lives on [survivors], best first: each is compared with ``q`` others, and the most comparisons won count.

    Of equally many the higher score counts, and then chance.
    """
    count = len(scores)
    wins = np.empty(count, np.int64)
    for i in range(count):
        others = rng.permutation(np.delete(np.arange(count), i))[:q]
        wins[i] = (scores[i] >= scores[others]).sum()
    order = np.lexsort((rng.random(count), -scores, -wins))
    return order[:survivors].astype(np.int64)
