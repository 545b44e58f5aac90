"""Many individuals at once: the weights of each as a row, and one call that chooses all their moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tengen import _core
from tengen.nets.config import NetConfig
from tengen.nets.evolved import NORM_FLOOR
from tengen.nets.network import Net, build

Weights = NDArray[np.float32]  # [individuals, parameters], or [parameters] of one


class Players(Protocol):
    """Individuals at the board."""

    def choose(
        self, planes: NDArray[np.float32], mask: NDArray[np.bool_], which: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """A legal move for each game [n]: the one that the individual ``which`` [n] likes best.

        ``planes`` [n, 2, size, size] show the mover's stones and the rival's. Where ``which`` is negative nobody cares,
        and any legal move will do.
        """


class Species:
    """What individuals have in common: the network, and how its weights lie in a row."""

    def __init__(self, config: NetConfig, *, threads: int = 1, noise: float = 0.0) -> None:
        self.config = config
        self.noise = noise
        self.shapes = {name: tuple(tensor.shape) for name, tensor in build(config).state_dict().items()}
        self.parameters = sum(map(math.prod, self.shapes.values()))
        self._mover = _core.LineMover(threads)

    def random(self, count: int, *, seed: int) -> Weights:
        """Fresh individuals, as their network is initialised."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return np.stack([self.weights(build(self.config)) for _ in range(count)])

    def weights(self, net: Net) -> Weights:
        """The row of a network."""
        state = net.state_dict()
        return np.concatenate([state[name].detach().float().numpy().ravel() for name in self.shapes])

    def split(self, weights: Weights) -> dict[str, NDArray[np.float32]]:
        """The rows by the names of the network, each [individuals, *shape]."""
        parts, start = {}, 0
        for name, shape in self.shapes.items():
            end = start + math.prod(shape)
            parts[name] = weights[:, start:end].reshape(-1, *shape)
            start = end
        return parts

    def net(self, weights: Weights) -> Net:
        """The network of one row."""
        net = build(self.config)
        net.load_state_dict(
            {name: torch.from_numpy(part[0].copy()) for name, part in self.split(weights[None]).items()}
        )
        return net.eval()

    def players(self, weights: Weights, *, seed: int) -> Players:
        """Seat individuals; the seed decides among moves that they like alike."""
        parts = self.split(weights)
        if self.config.kind == "lines":
            return LinePlayers(self._mover, parts, seed=seed)
        return DensePlayers(parts, noise=self.noise, seed=seed)


class LinePlayers:
    """Networks of the kind ``lines``: each is a table of what every line is worth, and the core looks lines up."""

    def __init__(self, mover: _core.LineMover, parts: Mapping[str, NDArray[np.float32]], *, seed: int) -> None:
        self._mover = mover
        self._tables = line_tables(parts["cells"], parts["bias"], parts["worth"])
        self._seeds = np.random.default_rng(seed)

    def choose(
        self, planes: NDArray[np.float32], mask: NDArray[np.bool_], which: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """See :class:`Players`."""
        seed = int(self._seeds.integers(1 << 63))
        return self._mover.choose(planes, mask, which, self._tables, seed)


def line_tables(
    cells: NDArray[np.float32], bias: NDArray[np.float32], worth: NDArray[np.float32]
) -> NDArray[np.float32]:
    """What every line is worth to every individual, [individuals, 14641], by the two halves of the line.

    ``cells`` [individuals, hidden, 2, 4, 3], ``bias`` and ``worth`` [individuals, hidden] as in ``LinesNet``.
    """
    kinds = np.arange(1, 4)  # own, the rival's, off the board
    seen = (_core.line_half_cells()[:, :, None] == kinds).reshape(-1, 12).astype(np.float32)
    count, hidden = bias.shape
    halves = cells.reshape(count, hidden, 2, 12) @ seen.T  # [individuals, hidden, 2, halves]
    tables = np.empty((count, len(seen), len(seen)), np.float32)
    for table, half, shift, weight in zip(tables, halves, bias, worth, strict=True):  # one at a time stays in the cache
        summed = half[:, 0, :, None] + (half[:, 1] + shift[:, None])[:, None, :]
        one_way = np.tensordot(weight, np.maximum(summed, 0, out=summed), 1)
        table[:] = one_way + one_way.T
    return tables.reshape(count, -1)


class DensePlayers:
    """Networks of the kind ``s1-evolved``: ``s1_ratings``, each board by its own individual's weights."""

    def __init__(self, parts: Mapping[str, NDArray[np.float32]], *, noise: float, seed: int) -> None:
        self._parts = {name: torch.from_numpy(np.ascontiguousarray(part)) for name, part in parts.items()}
        self._noise = noise
        self._random = torch.Generator().manual_seed(seed)

    @torch.no_grad()
    def choose(
        self, planes: NDArray[np.float32], mask: NDArray[np.bool_], which: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """See :class:`Players`."""
        boards = torch.from_numpy(planes[:, 0] - planes[:, 1])
        boards = boards + self._noise * torch.randn(boards.shape, generator=self._random)
        chosen: NDArray[np.int64] = mask.argmax(1)
        asked = np.flatnonzero(which >= 0)
        asked = asked[np.argsort(which[asked], kind="stable")]  # each individual's boards in one piece
        if len(asked):
            ratings = self._rate(boards[asked], which[asked]).numpy()
            chosen[asked] = np.where(mask[asked], ratings, -np.inf).argmax(1)
        return chosen

    def _rate(self, boards: Tensor, which: NDArray[np.int64]) -> Tensor:
        parts, index = self._parts, torch.from_numpy(which)
        count, inner = len(boards), boards.shape[1] - 2
        x = boards.flatten(1)
        variance, mean = torch.var_mean(x, 1, correction=0, keepdim=True)
        x = (x - mean) * torch.rsqrt(variance + NORM_FLOOR) * parts["scale"][index] + parts["shift"][index]
        # The convolution as a product of matrices, since each board has its own kernel.
        cells = functional.unfold(x.view(count, 1, *boards.shape[1:]), 3)
        x = parts["bias"][index][:, :, None] + parts["conv"][index].flatten(2) @ cells
        x = x.view(count, -1, inner, inner)
        x = torch.maximum(x[:, :, 1:], x[:, :, :-1])  # of 2x2 cells; torch's own pooling is slow with so few
        x = torch.maximum(x[:, :, :, 1:], x[:, :, :, :-1]).flatten(1)
        dense, bias = parts["dense.weight"], parts["dense.bias"]
        known, starts = np.unique(which, return_index=True)
        pieces = zip(known.tolist(), np.split(np.arange(count), starts[1:]), strict=True)
        return torch.cat([functional.linear(x[piece[0] : piece[-1] + 1], dense[i], bias[i]) for i, piece in pieces])
