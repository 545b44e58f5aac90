"""Evolution's games: who moves, which move, and what is counted."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import tengen
from tengen import _core
from tengen.games import Game
from tengen.nets import lines_config, s1_evolved_config
from tengen.train.evolution.matches import Matches, draw_openings, everybody_against, play
from tengen.train.evolution.population import Players, Species, line_tables

RNG = np.random.default_rng(7)


def random_boards(count: int, size: int, seed: int = 1) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Planes and masks of boards with any stones, with a free point at least."""
    rng = np.random.default_rng(seed)
    dice, fill = rng.random((count, size, size)), np.linspace(0, 0.9, count)[:, None, None]
    dice[:, 0, 0] = 1
    planes = np.stack((dice < fill / 2, (dice >= fill / 2) & (dice < fill)), 1).astype(np.float32)
    return planes, (planes.sum(1) == 0).reshape(count, -1)


# What individuals choose.


@pytest.mark.parametrize("size", [3, 5, 9, 15, 22])
def test_the_core_rates_points_as_the_network_does(size: int) -> None:
    species = Species(lines_config(15, hidden=6))
    weights = RNG.standard_normal((3, species.parameters)).astype(np.float32)
    planes, _ = random_boards(12, size)
    parts = species.split(weights)
    tables = line_tables(parts["cells"], parts["bias"], parts["worth"])
    for individual, table in zip(weights, tables, strict=True):
        with torch.no_grad():
            expected = species.net(individual)(torch.from_numpy(planes)).policy.numpy()
        np.testing.assert_allclose(_core.line_values(planes, table[None]), expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", ["lines", "s1-evolved"])
def test_players_choose_what_their_network_rates_highest(kind: str, threads: int) -> None:
    config = lines_config(7, hidden=6) if kind == "lines" else s1_evolved_config(7)
    species = Species(config, threads=threads)
    weights = RNG.standard_normal((5, species.parameters)).astype(np.float32)
    planes, mask = random_boards(200, 7)
    which = RNG.integers(-1, 5, len(planes))
    chosen = species.players(weights, seed=1).choose(planes, mask, which)
    assert mask[np.arange(len(mask)), chosen].all()
    with torch.no_grad():
        ratings = np.stack([species.net(row)(torch.from_numpy(planes)).policy.numpy() for row in weights])
    for game, individual in enumerate(which):
        if individual >= 0:
            legal = np.where(mask[game], ratings[individual, game], -np.inf)
            assert legal[chosen[game]] == pytest.approx(legal.max(), rel=1e-4, abs=1e-3)


def test_equal_moves_are_drawn_evenly_and_by_the_seed() -> None:
    table = np.zeros((1, 121 * 121), np.float32)
    planes, mask = np.zeros((900, 2, 3, 3), np.float32), np.ones((900, 9), np.bool_)
    mask[:, 4] = False
    which = np.zeros(900, np.int64)
    draws = [
        _core.LineMover(threads).choose(planes, mask, which, table, seed) for threads, seed in ((1, 3), (2, 3), (1, 4))
    ]
    assert np.array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0], draws[2])
    counts = np.bincount(draws[0], minlength=9)
    assert counts[4] == 0
    assert counts[np.arange(9) != 4].min() > 75  # of 112.5 expected, with a deviation of 10


def test_the_core_refuses_what_does_not_fit() -> None:
    planes, mask = random_boards(4, 5)
    tables, which = np.zeros((2, 121 * 121), np.float32), np.zeros(4, np.int64)
    mover = _core.LineMover(1)
    bad: list[tuple[object, ...]] = [
        (planes[:, :1].copy(), mask, which, tables),
        (planes, mask[:3], which, tables),
        (planes, mask, which + 2, tables),
        (planes, mask, which, tables[:, :-1].copy()),
        (planes, mask & False, which, tables),
    ]
    for arguments in bad:
        with pytest.raises(ValueError, match=r"."):
            mover.choose(*arguments, 0)  # type: ignore[arg-type]


def test_the_core_reads_fives() -> None:
    """A table that knows fives alone finds the point that makes one, whatever its direction."""
    own_run = (np.cumprod(_core.line_half_cells() == 1, 1)).sum(1)  # own stones from the point outwards
    table = ((own_run[:, None] + own_run[None, :]) >= 4).astype(np.float32).reshape(1, -1)
    for moves, five in (
        ("h8a1i8a3j8a5k8a7", ("g8", "l8")),
        ("a1o1b2o3c3o5d4o7", ("e5",)),
        ("a15o1b14o3c13o5e11o8", ("d12",)),
    ):
        position = tengen.Position("gomoku", moves)
        values = _core.line_values(position.planes("s0")[None].astype(np.float32), table)[0]
        found = {str(move) for move in position.legal_moves() if values[move] > 0}
        assert found == set(five)


# Matches.


class Scripted:
    """Individual i plays the legal move nearest to point i * 7, and notes whom it was asked for."""

    def __init__(self) -> None:
        self.asked: list[NDArray[np.int64]] = []

    def choose(
        self, planes: NDArray[np.float32], mask: NDArray[np.bool_], which: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        self.asked.append(which.copy())
        return np.array([scripted(np.flatnonzero(row), int(who)) for row, who in zip(mask, which, strict=True)])


def scripted(legal: NDArray[np.int64], who: int) -> int:
    return int(min(legal, key=lambda action: (abs(int(action) - 7 * who), action)))


@pytest.mark.parametrize("slots", [1, 3, 64])
@pytest.mark.parametrize("name", ["gomoku:size=5,win=4", "gomoku:size=3,win=3"])
def test_results_are_those_of_games_played_one_at_a_time(name: str, slots: int) -> None:
    game = Game.parse(name)
    rng = np.random.default_rng(3)
    openings = draw_openings(game, 8, rng, least=0, most=3)
    count = 40
    first, second = rng.integers(0, 4, (2, count))
    matches = Matches(first, second, rng.random(count) < 0.5, rng.integers(0, len(openings), count))
    players: Players = Scripted()
    results = play(game, players, matches, openings, slots=slots)
    for i in range(count):
        black, white = (first[i], second[i]) if matches.first_is_black[i] else (second[i], first[i])
        position = tengen.Position(game, openings[matches.opening[i]])
        while not position.is_over:
            who = black if position.to_move.index == 0 else white
            position.play(scripted(np.array([int(move) for move in position.legal_moves()]), int(who)))
        outcome = position.outcome()
        assert outcome is not None
        winner = None if outcome.winner is None else (black, white)[outcome.winner.index]
        mine_is_black = bool(matches.first_is_black[i])
        won = None if outcome.winner is None else (outcome.winner.index == 0) == mine_is_black
        assert results.score[i] == {None: 0.5, True: 1.0, False: 0.0}[won], winner
        assert results.length[i] == position.ply


def test_nobody_is_asked_for_moves_of_an_opening() -> None:
    game = Game.parse("gomoku:size=5")
    players = Scripted()
    matches = everybody_against([0], [1], 2)
    play(game, players, matches, [[0, 1, 2]])
    assert [which.tolist() for which in players.asked[:4]] == [[-1, -1]] * 3 + [[1, 0]]  # white is to move


def test_everybody_meets_everybody_with_both_colours() -> None:
    matches = everybody_against([0, 1, 2], [3, 4], 6)
    assert len(matches) == 3 * 2 * 6
    games = list(zip(matches.first, matches.second, matches.first_is_black, matches.opening, strict=True))
    assert len(set(games)) == len(games)
    assert np.array_equal(matches.first.reshape(3, -1), np.repeat([[0], [1], [2]], 12, 1))
    assert set(matches.opening) == {0, 1, 2}


def test_openings_are_central_and_not_over() -> None:
    game = Game.parse("gomoku")
    openings = draw_openings(game, 200, np.random.default_rng(1), least=1, most=4)
    assert {len(opening) for opening in openings} == {1, 2, 3, 4}
    assert all(4 <= action // 15 <= 10 and 4 <= action % 15 <= 10 for opening in openings for action in opening)
    assert all(not tengen.Position(game, opening).is_over for opening in openings)
