"""What a generation plays, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tengen.games import Game
from tengen.train.evolution.config import PlaySettings
from tengen.train.evolution.matches import draw_openings, everybody_against, play
from tengen.train.evolution.population import Species


@dataclass
class Generation:
    """The mean ``scores`` of its individuals, and of their games how many, the plies, and how many were lost.

    ``sample`` are the moves of one of them: an individual's with black against a rival.
    """

    scores: NDArray[np.float64]
    losses: NDArray[np.float64]  # the share of lost games
    games: int
    plies: int
    metrics: dict[str, float] = field(default_factory=dict)
    sample: list[int] = field(default_factory=list)
    sample_score: float = 0.5


def play_generation(
    species: Species,
    individuals: NDArray[np.floating],
    rivals: NDArray[np.floating],
    game: Game,
    settings: PlaySettings,
    rng: np.random.Generator,
) -> Generation:
    """Every individual against every rival, all from the same openings."""
    count = len(individuals)
    players = species.players(np.concatenate((individuals, rivals)).astype(np.float32), seed=int(rng.integers(1 << 31)))
    matches = everybody_against(range(count), range(count, count + len(rivals)), settings.games)
    openings = draw_openings(game, settings.games, rng, least=settings.opening_least, most=settings.opening_most)
    results = play(game, players, matches, openings)
    scores = results.score.reshape(count, -1)
    return Generation(
        scores.mean(1),
        (scores == 0).mean(1),
        len(matches),
        int(results.length.sum()),
        {
            "score": float(scores.mean()),
            "best_score": float(scores.mean(1).max()),
            "draws": float((scores == 0.5).mean()),
            "length": float(results.length.mean()),
        },
        results.sample,
        float(results.score[0]),
    )
