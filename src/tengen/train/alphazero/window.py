"""The games that are learned from: kept as games, and as the rows that they make."""

from __future__ import annotations

import zipfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen import _core
from tengen.games import Game
from tengen.train.run import RunError

_FIELDS = {
    "table": np.int32,
    "moves": np.uint16,
    "plies": np.uint16,
    "values": np.float32,
    "visit_sizes": np.uint16,
    "actions": np.uint16,
    "counts": np.uint16,
}
VARIANT, RESULT, OPENING, DISTANCE, RESIGNED, MOVES, ROWS = range(7)  # the columns of ``table``


@dataclass(frozen=True)
class Games:
    """Finished games as the core hands them out: a table of games, and their moves, rows and visits in flat arrays."""

    table: NDArray[np.int32]
    moves: NDArray[np.uint16]
    plies: NDArray[np.uint16]
    values: NDArray[np.float32]
    visit_sizes: NDArray[np.uint16]
    actions: NDArray[np.uint16]
    counts: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.table)

    @property
    def rows(self) -> int:
        """How many positions there are to learn from."""
        return len(self.plies)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """Plies of each game; where it ended by a proof, those to the mate included."""
        return self.table[:, MOVES] + self.table[:, DISTANCE]

    def moves_of(self, number: int) -> list[int]:
        """The actions that were played in a game of the table."""
        ends = np.cumsum(self.table[:, MOVES])
        moves: list[int] = self.moves[ends[number] - self.table[number, MOVES] : ends[number]].tolist()
        return moves

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """In the core's order."""
        return tuple(getattr(self, name) for name in _FIELDS)


class Batch(NamedTuple):
    """Rows on the learning device: planes uint8 [n, P, S, S], policy [n, A], reply [n], result [n], value [n].

    A result is the mover's: 1 won, -1 lost, 0 drawn, and nearer to 0 the later it came, if it is discounted.
    """

    planes: Tensor
    policy: Tensor
    reply: Tensor
    result: Tensor
    value: Tensor


class Window:
    """The newest rows, in a ring on the learning device, and the games that they come from."""

    def __init__(
        self,
        games: Sequence[Game],
        weights: Sequence[float],
        encoding: str,
        stride: int,
        size: int,
        device: torch.device,
        *,
        discount: float = 1.0,
    ) -> None:
        self._variants = [
            (g.rule if g.kind == "gomoku" else "", g.size, w) for g, w in zip(games, weights, strict=True)
        ]
        self._pool = pool_class(games[0])
        self._encoding = encoding
        self._stride = stride
        self._capacity = size
        self._discount = discount
        planes = _core.net_plane_count(encoding)
        actions = stride * stride + games[0].has_pass
        self._rows = Batch(
            torch.zeros((size, planes, stride, stride), dtype=torch.uint8, device=device),
            torch.zeros((size, actions), dtype=torch.float16, device=device),
            torch.zeros(size, dtype=torch.int16, device=device),
            torch.zeros(size, dtype=torch.float32, device=device),
            torch.zeros(size, dtype=torch.float32, device=device),
        )
        self._next = 0
        self.filled = 0
        self._kept: deque[Games] = deque()
        self._kept_rows = 0

    def add(self, games: Games) -> int:
        """Take in finished games; returns how many rows they made."""
        if not len(games):
            return 0
        planes, policy, reply, result = self._pool.dense_rows(
            *games.arrays(), self._variants, self._encoding, self._stride
        )
        plies_left = np.repeat(games.lengths, games.table[:, ROWS]) - games.plies
        worth = (result * self._discount**plies_left).astype(np.float32)
        fresh = (planes, policy, reply, worth, games.values)
        count = min(games.rows, self._capacity)
        places = (self._next + torch.arange(count)) % self._capacity
        for ring, rows in zip(self._rows, fresh, strict=True):
            ring[places.to(ring.device)] = torch.from_numpy(rows[-count:] if count else rows[:0]).to(
                ring.device, ring.dtype
            )
        self._next = (self._next + count) % self._capacity
        self.filled = min(self._capacity, self.filled + count)
        self._kept.append(games)
        self._kept_rows += games.rows
        while self._kept_rows - self._kept[0].rows >= self._capacity:
            self._kept_rows -= self._kept.popleft().rows
        return games.rows

    def sample(self, count: int, generator: torch.Generator) -> Batch:
        """Rows drawn at random, with repetition."""
        device = self._rows.planes.device
        chosen = torch.randint(self.filled, (count,), generator=generator, device=device)
        return Batch(*(ring[chosen] for ring in self._rows))

    def newest_planes(self, count: int) -> NDArray[np.uint8]:
        """The planes of the newest rows, to calibrate with."""
        places = (self._next - 1 - torch.arange(min(count, self.filled))) % self._capacity
        return self._rows.planes[places.to(self._rows.planes.device)].cpu().numpy()

    def save(self, path: Path) -> None:
        """Write the games to a file."""
        parts = [games.arrays() for games in self._kept]
        joined = {name: np.concatenate([p[i] for p in parts]) for i, name in enumerate(_FIELDS)} if parts else {}
        np.savez(path, **joined)  # type: ignore[arg-type]

    def load(self, path: Path) -> None:
        """Take in the games of a file that ``save`` wrote; raises ``RunError`` for any other."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if file.files:
                    self.add(Games(*(_typed(file[name], name) for name in _FIELDS)))
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
            raise RunError(f"{path} is no file of this run's games: {error}") from None


def _typed(array: NDArray[Any], name: str) -> NDArray[Any]:
    if array.dtype != _FIELDS[name]:
        raise ValueError(f"{name} is {array.dtype}")
    return array


def pool_class(game: Game) -> Any:
    """The core's pool for a game."""
    return _core.GomokuPool if game.kind == "gomoku" else {6: _core.OthelloPool6, 8: _core.OthelloPool8}[game.size]
