"""Games between individuals, all played side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.envs.vector import VectorEnv
from tengen.games import Game
from tengen.train.evolution.population import Players

_SCORES = np.array([np.nan, 1.0, 0.0, 0.5])  # black's, by the environment's results


@dataclass(frozen=True)
class Matches:
    """Games to be played [n]: who meets whom, whether the first has black, and with which opening each begins."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    first_is_black: NDArray[np.bool_]
    opening: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True)
class Results:
    """How they ended [n]: the first's ``score`` (1, 0.5, 0), and the plies, those of the opening included.

    ``sample`` are the moves of the first game.
    """

    score: NDArray[np.float64]
    length: NDArray[np.int64]
    sample: list[int]


def play(
    game: Game, players: Players, matches: Matches, openings: Sequence[Sequence[int]], *, slots: int = 4096
) -> Results:
    """Play them, ``slots`` at a time; a slot takes the next game when one ends."""
    count, slots = len(matches), min(slots, len(matches))
    env = VectorEnv(game, slots, encoding="s0")
    longest = max(map(len, openings))
    script = np.full((len(openings), longest + 1), -1, np.int64)  # ends with -1: from there on players choose
    for row, opening in zip(script, openings, strict=True):
        row[: len(opening)] = opening
    black, white = (np.where(matches.first_is_black == is_black, matches.first, matches.second) for is_black in (1, 0))
    score, length = np.zeros(count), np.zeros(count, np.int64)
    playing, ply, following = np.arange(slots), np.zeros(slots, np.int64), slots
    sample: list[int] = []
    while (busy := playing >= 0).any():
        # 1. A move in every slot, by the opening or by the individual whose turn it is.
        scripted = np.where(busy, script[matches.opening[playing], np.minimum(ply, longest)], -1)
        mover = np.where(env.to_move == 0, black[playing], white[playing])
        which = np.where(busy & (scripted < 0), mover, -1)
        actions = np.where(scripted < 0, players.choose(env.planes, env.mask, which), scripted)
        env.step(actions)
        ply += 1
        if playing[0] == 0:
            sample.append(int(actions[0]))
        # 2. Games that are over; their boards are empty again.
        over = np.flatnonzero(env.ended & busy)
        done = playing[over]
        score[done], length[done] = _SCORES[env.result[over]], ply[over]
        ply[over] = 0
        # 3. The next ones.
        fresh = min(len(over), count - following)
        playing[over] = -1
        playing[over[:fresh]] = np.arange(following, following + fresh)
        following += fresh
    return Results(np.where(matches.first_is_black, score, 1 - score), length, sample)


def everybody_against(individuals: Sequence[int], rivals: Sequence[int], games: int) -> Matches:
    """Every individual against every rival: so many games, two from each opening, with colours swapped.

    They are in the order of the individuals, so that ``score.reshape(len(individuals), -1)`` has a row for each.
    """
    grid = np.meshgrid(individuals, rivals, np.arange(games), indexing="ij")
    first, second, number = (axis.ravel() for axis in grid)
    return Matches(first, second, number % 2 == 0, number // 2)


def draw_openings(game: Game, games: int, rng: np.random.Generator, *, least: int, most: int) -> list[list[int]]:
    """An opening for every two games: from ``least`` to ``most`` stones, random in the central 7x7."""
    low, side = max(0, (game.size - 7) // 2), min(7, game.size)
    rows, columns = np.meshgrid(*[np.arange(low, low + side)] * 2, indexing="ij")
    central = (rows * game.size + columns).ravel()
    lengths = rng.integers(least, most + 1, (games + 1) // 2)
    return [rng.permutation(central)[:length].tolist() for length in lengths]
