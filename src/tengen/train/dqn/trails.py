"""What became of moves that were tried before: where chance hardly ever wins, what won once is tried again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.games import Game
from tengen.train.settings import ConfigError

_CURIOSITY = 0.1  # what is untried looks this much better; wins are worth 1
_FORGETTING = 1 / 50  # share of the newest game in what a move is worth, where it was tried often
_OFTEN, _SOLVED = 20, 0.6  # tries of a position, and what its best move is worth where nothing is left to find
_STONES = 3  # planes: in every encoding the first three tell all stones


class Places(NamedTuple):
    """Positions as they are remembered: turns of one another are one."""

    row: NDArray[np.int64]  # -1: not remembered
    turn: NDArray[np.int64]  # which symmetry turns the position into the remembered one
    key: NDArray[np.int64]


class Trails:
    """For each of up to ``positions`` positions, how often each move was tried and how much it won.

    Moves are chosen by the upper bound of what they may be worth (UCB), and a game adds the first position that is new:
    with the rival's replies drawn by the environment this is a tree search, one path a game.
    """

    def __init__(self, game: Game, positions: int) -> None:
        self._maps = np.array(game.symmetry_maps())
        self._inverse = self._maps.argsort(1)
        cells = game.size**2
        # A key is a sum of these, exact in float64: 3 * 484 numbers below 2^42.
        numbers = np.random.default_rng(0).integers(1, 1 << 42, (_STONES, cells)).astype(np.float64)
        self._numbers = np.stack([numbers[:, turn[:cells]].reshape(-1) for turn in self._inverse], 1)
        self._rows: dict[int, int] = {}
        shape = positions, self._maps.shape[1]
        try:
            self._tries, self._worth = (np.zeros(shape, np.float32) for _ in range(2))
        except MemoryError:
            size = 8 * shape[0] * shape[1] / 1e9
            raise ConfigError(f"play.scout_positions: {positions} take {size:.1f} GB, more than there is") from None

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, planes: NDArray[np.float32]) -> Places:
        """Where these positions are remembered."""
        stones = planes[:, :_STONES].reshape(len(planes), -1)
        keys = stones.astype(np.float64) @ self._numbers[: stones.shape[1]]
        turn = keys.argmin(1)
        key = keys[np.arange(len(keys)), turn].astype(np.int64)
        rows = np.array([self._rows.get(k, -1) for k in key.tolist()], np.int64)
        return Places(rows, turn, key)

    def add(self, places: Places, where: NDArray[np.bool_]) -> None:
        """Remember more positions, as long as there is room; their rows are filled in."""
        for i in np.flatnonzero(where).tolist():
            if len(self._rows) < len(self._tries):
                places.row[i] = self._rows.setdefault(int(places.key[i]), len(self._rows))

    def choose(
        self, places: Places, mask: NDArray[np.bool_], where: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The moves that look best at ``where``, all of which are remembered."""
        row, turn = places.row[where], places.turn[where]
        tries = self._tries[row]
        bound = self._worth[row] + _CURIOSITY * np.sqrt(np.log1p(tries.sum(1, keepdims=True)) / (tries + 0.3))
        legal = np.take_along_axis(mask[where], self._maps[turn], 1)
        ties = 1e-4 * rng.random(bound.shape, np.float32)
        best = np.where(legal, bound + ties, -np.inf).argmax(1)
        chosen: NDArray[np.int64] = self._maps[turn, best]
        return chosen

    def unsolved(self, places: Places) -> NDArray[np.bool_]:
        """Positions that are met often and lost often."""
        found = places.row >= 0
        row = places.row[found]
        found[found] = (self._tries[row].sum(1) >= _OFTEN) & (self._worth[row].max(1, initial=0) < _SOLVED)
        return found

    def turned(self, places: Places, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The moves as they are remembered."""
        return self._inverse[places.turn, actions]

    def tried(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Count moves as soon as they are made: games side by side then try different ones."""
        np.add.at(self._tries, (rows, actions), 1)

    def came_to(self, rows: NDArray[np.int64], actions: NDArray[np.int64], worth: NDArray[np.float32]) -> None:
        """What games with these moves were worth in the end. The last ones count most: what follows gets better."""
        edges, which = np.unique(rows * self._tries.shape[1] + actions, return_inverse=True)
        count = np.bincount(which, minlength=len(edges))
        mean = np.bincount(which, worth, minlength=len(edges)) / np.maximum(count, 1)
        tries, worths = self._tries.reshape(-1), self._worth.reshape(-1)
        share = np.maximum(1 / np.maximum(tries[edges], 1), _FORGETTING)
        worths[edges] += (1 - (1 - share) ** count) * (mean - worths[edges])

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything that is remembered, for a file."""
        tries, worth = (array[: len(self)].reshape(-1) for array in (self._tries, self._worth))
        edges = np.flatnonzero(tries)
        keys = np.fromiter(self._rows, np.int64, len(self))
        return {"keys": keys, "edges": edges, "tries": tries[edges], "worth": worth[edges]}

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what ``state`` gave; raises ``ConfigError`` where it does not fit."""
        keys, edges = state["keys"].tolist(), state["edges"]
        count = len(keys) * self._tries.shape[1]
        if len(keys) > len(self._tries) or (len(edges) and not 0 <= edges.min() <= edges.max() < count):
            raise ConfigError("trails of another game, or more of them than play.scout_positions")
        self._rows = {key: row for row, key in enumerate(keys)}
        for mine, kept in ((self._tries, state["tries"]), (self._worth, state["worth"])):
            mine[:] = 0
            mine.reshape(-1)[edges] = kept
