"""What was lived through: steps of games become rows, rows are kept in a ring and drawn from."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tengen.train.settings import ConfigError


class Rows(NamedTuple):
    """Rows to learn from: ``reward`` and then ``scale`` times the value of the next position.

    ``reward`` sums the n rewards, discounted. ``scale`` is the discount of what follows, 0 where the game ended and
    negative where it is the rival's turn there. Everything is from the side of the mover at ``planes``.
    """

    planes: Tensor  # uint8 [n, P, h, w]
    mask: Tensor  # bool [n, actions]
    action: Tensor  # int64 [n]
    reward: Tensor  # float32 [n]
    scale: Tensor  # float32 [n]
    next_planes: Tensor  # uint8 [n, P, h, w]
    next_mask: Tensor  # bool [n, actions]


class Steps:
    """Turns the steps of games that run side by side into rows with n-step returns.

    ``gamma`` is the discount of a step in a game against a rival, whose reply is part of the step; in a game against
    itself the next position is the rival's, and everything after it counts the other way round.
    """

    def __init__(self, games: int, count: int, gamma: float) -> None:
        self._gamma = gamma
        # The last `count` steps of every game; positions stay on the device where they came from.
        self._planes: Tensor | None = None  # [count, games, P, h, w]
        self._mask: Tensor | None = None  # [count, games, actions]
        self._action = np.zeros((count, games), np.int64)
        self._reward = np.zeros((count, games), np.float32)
        self._side = np.zeros((count, games), np.uint8)
        self._newest = -1
        self._age = np.zeros(games, np.int64)  # steps of the game now shown that are pending

    def add(
        self,
        planes: Tensor,
        mask: Tensor,
        action: NDArray[np.int64],
        reward: NDArray[np.float32],
        side: NDArray[np.uint8],
        self_play: NDArray[np.bool_],
        ended: NDArray[np.bool_],
        next_planes: Tensor,
        next_mask: Tensor,
    ) -> tuple[NDArray[np.uint8], Rows]:
        """One step of every game; returns the rows that are complete, and the sides that moved in them."""
        count, games = self._action.shape
        if self._planes is None or self._mask is None:
            self._planes, self._mask = (shown.new_zeros((count, *shown.shape)) for shown in (planes, mask))
        self._newest = (self._newest + 1) % count
        self._planes[self._newest], self._mask[self._newest] = planes, mask
        self._action[self._newest], self._reward[self._newest], self._side[self._newest] = action, reward, side
        self._age += 1
        discount = np.where(self_play, -self._gamma, self._gamma).astype(np.float32)
        total = np.zeros(games, np.float32)
        found = []
        for back in range(1, count + 1):  # from the newest step to the oldest
            slot = (self._newest + 1 - back) % count
            total = self._reward[slot] + discount * total
            # A step is complete after `count` of them, and all are when the game ends.
            game = np.flatnonzero((self._age >= back) & (ended | (back == count)))
            scale = np.where(ended, 0.0, discount**back).astype(np.float32)
            found.append((slot * games + game, game, total[game], scale[game]))
        place, game, returns, scale = (np.concatenate(parts) for parts in zip(*found, strict=True))
        self._age[ended] = 0
        self._age = np.minimum(self._age, count - 1)
        at, after = to_device(place, planes.device), to_device(game, planes.device)
        rows = Rows(
            self._planes.flatten(0, 1)[at],
            self._mask.flatten(0, 1)[at],
            to_device(self._action.reshape(-1)[place], planes.device),
            to_device(returns, planes.device),
            to_device(scale, planes.device),
            next_planes[after],
            next_mask[after],
        )
        return self._side.reshape(-1)[place], rows


def to_device(array: NDArray[Any], device: torch.device, dtype: torch.dtype | None = None) -> Tensor:
    """A copy on a device, of another type if wanted; to a GPU by way of pinned memory, so that nobody waits for it."""
    here = torch.from_numpy(array)
    dtype = dtype or here.dtype
    if device.type == "cpu":
        return here.to(dtype, copy=True)
    return torch.empty(here.shape, dtype=dtype, pin_memory=True).copy_(here).to(device, non_blocking=True)


class _Kept(NamedTuple):
    """Rows as they are kept: planes and masks are packed, eight of their zeros and ones in a byte."""

    bits: Tensor  # uint8 [n, bytes]
    action: Tensor
    reward: Tensor
    scale: Tensor


class Replay:
    """A ring of rows on a device, drawn from evenly or by priority (their last error to a power)."""

    def __init__(
        self, capacity: int, planes: tuple[int, int, int], actions: int, device: torch.device, *, priority: float
    ) -> None:
        self._shape = planes
        self._parts = [math.prod(planes), actions, math.prod(planes), actions]  # bits of a row
        width = math.ceil(sum(self._parts) / 8)
        try:
            self._kept = _Kept(
                torch.zeros((capacity, width), dtype=torch.uint8, device=device),
                torch.zeros(capacity, dtype=torch.int64, device=device),
                torch.zeros(capacity, device=device),
                torch.zeros(capacity, device=device),
            )
            self._weights = torch.zeros(capacity, device=device) if priority else None
        except RuntimeError:  # torch's word for no memory
            size = capacity * (width + (20 if priority else 16)) / 1e9
            raise ConfigError(f"learn.memory: {capacity} rows take {size:.1f} GB, more than there is") from None
        self._priority = priority
        self._heaviest = torch.ones((), dtype=torch.float64, device=device)  # there: reading it would wait
        self._next = 0
        self.filled = 0

    def add(self, rows: Rows) -> None:
        """Put rows in, over the oldest if it is full."""
        capacity = len(self._kept.action)
        rows = Rows(*(field[-capacity:] for field in rows))
        count = len(rows.action)
        before_end = min(count, capacity - self._next)
        parts = (rows.planes, rows.mask, rows.next_planes, rows.next_mask)
        bits = torch.cat([part.flatten(1).to(torch.uint8) for part in parts], 1)
        packed = _Kept(_packed(bits), rows.action, rows.reward, rows.scale)
        for theirs, places in (
            (slice(0, before_end), slice(self._next, self._next + before_end)),
            (slice(before_end, count), slice(0, count - before_end)),
        ):
            for mine, new in zip(self._kept, packed, strict=True):
                mine[places] = new[theirs]
            if self._weights is not None:
                self._weights[places] = self._heaviest  # new rows are looked at soon
        self._next = (self._next + count) % capacity
        self.filled = min(self.filled + count, capacity)

    def sample(self, count: int, generator: torch.Generator) -> tuple[Tensor, Rows, Tensor]:
        """Draw rows: their places, themselves, and the chance of each relative to the mean chance."""
        device = self._kept.action.device
        if self._weights is None:
            at = torch.randint(self.filled, (count,), generator=generator, device=device)
            return at, self._rows(at), torch.ones(count, device=device)
        sums = self._weights[: self.filled].cumsum(0, dtype=torch.float64)
        draws = torch.rand(count, generator=generator, device=device, dtype=torch.float64) * sums[-1]
        at = torch.searchsorted(sums, draws).clamp(max=self.filled - 1)
        chance = self._weights[at].double() / sums[-1] * self.filled
        return at, self._rows(at), chance.float()

    def _rows(self, at: Tensor) -> Rows:
        kept = _Kept(*(field[at] for field in self._kept))
        bits = _unpacked(kept.bits)[:, : sum(self._parts)]
        planes, mask, next_planes, next_mask = torch.split(bits, self._parts, 1)
        return Rows(
            planes.reshape(len(at), *self._shape),
            mask.bool(),
            kept.action,
            kept.reward,
            kept.scale,
            next_planes.reshape(len(at), *self._shape),
            next_mask.bool(),
        )

    def set_errors(self, at: Tensor, errors: Tensor) -> None:
        """Note how wrong the network was about rows that were drawn."""
        if self._weights is not None:
            weights = (errors.abs() + 1e-3) ** self._priority
            self._weights[at] = weights
            self._heaviest = torch.maximum(self._heaviest * 0.999, weights.max())

    def state(self) -> dict[str, Tensor]:
        """Everything in it, for a checkpoint."""
        fields = {name: field[: self.filled] for name, field in self._kept._asdict().items()}
        if self._weights is not None:
            fields["weights"] = self._weights[: self.filled]
        fields["place"] = torch.tensor([self._next, self.filled])
        fields["heaviest"] = self._heaviest[None]
        return fields

    def load(self, state: dict[str, Tensor]) -> None:
        """Go on with what :meth:`state` gave; raises ``ConfigError`` if that is of another shape."""
        place, filled = state["place"].tolist()
        capacity = len(self._kept.action)
        if filled > capacity:
            raise ConfigError(f"it has {filled} rows, more than learn.memory={capacity}")
        # A ring that was full and is larger now begins with its oldest row, so that there is room after the newest.
        oldest = place if filled < capacity and place != filled else 0
        for name, field in self._kept._asdict().items():
            if state[name].shape != (filled, *field.shape[1:]):
                raise ConfigError(f"{name} has the shape {tuple(state[name].shape)}")
            field[:filled] = state[name].roll(-oldest, 0).to(field.device)
        self._heaviest = state["heaviest"][0].to(self._heaviest.device)
        if self._weights is not None:  # a run that had no priorities begins with equal ones
            weights = state.get("weights", self._heaviest.float().expand(filled))
            self._weights[:filled] = weights.roll(-oldest, 0).to(self._weights.device)
        self._next, self.filled = (place if filled == capacity else filled) % capacity, filled


def _packed(bits: Tensor) -> Tensor:
    """Zeros and ones [n, k] as bytes [n, k / 8], rounded up."""
    count = math.ceil(bits.shape[1] / 8)
    eights = functional.pad(bits, (0, 8 * count - bits.shape[1])).view(len(bits), count, 8)
    return (eights << torch.arange(8, dtype=torch.uint8, device=bits.device)).sum(2, dtype=torch.uint8)


def _unpacked(packed: Tensor) -> Tensor:
    """Bytes [n, k / 8] as zeros and ones [n, k]."""
    return ((packed[:, :, None] >> torch.arange(8, dtype=torch.uint8, device=packed.device)) & 1).flatten(1)
