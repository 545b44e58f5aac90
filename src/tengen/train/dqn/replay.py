"""What was lived through: steps of games become rows, rows are kept in a ring and drawn from."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class Rows(NamedTuple):
    """Rows to learn from: ``reward`` and then ``scale`` times the value of the next position.

    ``reward`` sums the n rewards, discounted. ``scale`` is the discount of what follows, 0 where the game ended and
    negative where it is the rival's turn there. Everything is from the side of the mover at ``planes``.
    """

    planes: Tensor  # uint8 [n, P, h, w]
    action: Tensor  # int64 [n]
    reward: Tensor  # float32 [n]
    scale: Tensor  # float32 [n]
    next_planes: Tensor  # uint8 [n, P, h, w]
    next_mask: Tensor  # bool [n, actions]


class _Step(NamedTuple):
    planes: NDArray[np.uint8]
    action: NDArray[np.int64]
    reward: NDArray[np.float32]
    side: NDArray[np.uint8]


class Steps:
    """Turns the steps of games that run side by side into rows with n-step returns.

    ``discount`` is that of a step in a game against a rival, whose reply is part of the step; in a game against itself
    the next position is the rival's, and everything after it counts the other way round.
    """

    def __init__(self, games: int, count: int, gamma: float) -> None:
        self._count, self._gamma = count, gamma
        self._pending: deque[_Step] = deque()
        self._age = np.zeros(games, np.int64)  # steps of the game now shown that are pending

    def add(
        self,
        planes: NDArray[np.uint8],
        action: NDArray[np.int64],
        reward: NDArray[np.float32],
        side: NDArray[np.uint8],
        self_play: NDArray[np.bool_],
        ended: NDArray[np.bool_],
        next_planes: NDArray[np.uint8],
        next_mask: NDArray[np.bool_],
    ) -> list[tuple[NDArray[np.uint8], Rows]]:
        """One step of every game; returns the rows that are complete, each batch with the sides that moved."""
        self._pending.append(_Step(planes, action, reward, side))
        self._age += 1
        discount = np.where(self_play, -self._gamma, self._gamma).astype(np.float32)
        rows = []
        total = np.zeros(len(action), np.float32)
        for back in range(1, len(self._pending) + 1):  # from the newest step to the oldest
            step = self._pending[-back]
            total = step.reward + discount * total
            # A step is complete after `count` of them, and all are when the game ends.
            complete = (self._age >= back) & (ended | (back == self._count))
            if complete.any():
                chosen = np.flatnonzero(complete)
                scale = np.where(ended, 0.0, discount**back).astype(np.float32)
                row = Rows(
                    torch.from_numpy(step.planes[chosen]),
                    torch.from_numpy(step.action[chosen]),
                    torch.from_numpy(total[chosen]),
                    torch.from_numpy(scale[chosen]),
                    torch.from_numpy(next_planes[chosen]),
                    torch.from_numpy(next_mask[chosen]),
                )
                rows.append((step.side[chosen], row))
        self._age[ended] = 0
        if len(self._pending) == self._count:
            self._pending.popleft()
            self._age = np.minimum(self._age, self._count - 1)
        return rows


class Replay:
    """A ring of rows on a device, drawn from evenly or by priority (their last error to a power)."""

    def __init__(
        self, capacity: int, planes: tuple[int, int, int], actions: int, device: torch.device, *, priority: float
    ) -> None:
        self._rows = Rows(
            torch.zeros((capacity, *planes), dtype=torch.uint8, device=device),
            torch.zeros(capacity, dtype=torch.int64, device=device),
            torch.zeros(capacity, device=device),
            torch.zeros(capacity, device=device),
            torch.zeros((capacity, *planes), dtype=torch.uint8, device=device),
            torch.zeros((capacity, actions), dtype=torch.bool, device=device),
        )
        self._weights = torch.zeros(capacity, device=device) if priority else None
        self._priority = priority
        self._heaviest = 1.0
        self._next = 0
        self.filled = 0

    def add(self, rows: Rows) -> None:
        """Put rows in, over the oldest if it is full."""
        capacity, device = len(self._rows.action), self._rows.action.device
        count = min(len(rows.action), capacity)
        at = (self._next + torch.arange(count, device=device)) % capacity
        for mine, theirs in zip(self._rows, rows, strict=True):
            mine[at] = theirs[:count].to(device)
        if self._weights is not None:
            self._weights[at] = self._heaviest  # new rows are looked at soon
        self._next = (self._next + count) % capacity
        self.filled = min(self.filled + count, capacity)

    def sample(self, count: int, generator: torch.Generator) -> tuple[Tensor, Rows, Tensor]:
        """Draw rows: their places, themselves, and the chance of each relative to the mean chance."""
        device = self._rows.action.device
        if self._weights is None:
            at = torch.randint(self.filled, (count,), generator=generator, device=device)
            return at, Rows(*(field[at] for field in self._rows)), torch.ones(count, device=device)
        sums = self._weights[: self.filled].double().cumsum(0)
        draws = torch.rand(count, generator=generator, device=device, dtype=torch.float64) * sums[-1]
        at = torch.searchsorted(sums, draws).clamp(max=self.filled - 1)
        chance = self._weights[at].double() / sums[-1] * self.filled
        return at, Rows(*(field[at] for field in self._rows)), chance.float()

    def set_errors(self, at: Tensor, errors: Tensor) -> None:
        """Note how wrong the network was about rows that were drawn."""
        if self._weights is not None:
            weights = (errors.abs() + 1e-3) ** self._priority
            self._weights[at] = weights
            self._heaviest = max(self._heaviest * 0.999, float(weights.max()))

    def state(self) -> dict[str, Tensor]:
        """Everything in it, for a checkpoint."""
        fields = {name: field[: self.filled] for name, field in self._rows._asdict().items()}
        if self._weights is not None:
            fields["weights"] = self._weights[: self.filled]
        fields["place"] = torch.tensor([self._next, self.filled])
        fields["heaviest"] = torch.tensor([self._heaviest], dtype=torch.float64)
        return fields

    def load(self, state: dict[str, Tensor]) -> None:
        """Go on with what :meth:`state` gave; raises ``ValueError`` if that is of another shape."""
        place, filled = state["place"].tolist()
        for name, field in self._rows._asdict().items():
            if state[name].shape != (filled, *field.shape[1:]) or filled > len(field):
                raise ValueError(f"{name} has the shape {tuple(state[name].shape)}")
            field[:filled] = state[name].to(field.device)
        if self._weights is not None:
            self._weights[:filled] = state["weights"].to(self._weights.device)
        self._next, self.filled = place, filled
        self._heaviest = float(state["heaviest"])
