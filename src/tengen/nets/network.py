"""The networks: Tengen's own and those of S0 to S4; building, folding, and what they say."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tengen import _core
from tengen.errors import TengenError
from tengen.nets._layers import Block, ConvNorm, Mask, linear, on_board, pool
from tengen.nets.config import NetConfig
from tengen.nets.evolved import REACH, line_ratings, s1_ratings

_OFF_BOARD = -1e4  # a logit; not infinite, so that no loss or mean becomes NaN
_POLICY_CHANNELS, _POOLED_CHANNELS, _VALUE_HIDDEN = 32, 64, 64


class Outputs(NamedTuple):
    """What the heads say of n positions, for the mover; the heads that a network lacks are None.

    ``policy`` [n, actions] are logits over cells, row by row, and the pass at the end; of a network that rates moves
    they are the values of these moves, and of a dueling one by how much they differ. ``wdl`` [n, 3] are logits of
    win, draw, loss; ``value`` [n] is S3's and S4's, from -1 to 1, or that of S0 to S2 where they are dueling, in the
    unit of their rewards. ``reply`` [n, actions] are logits of the rival's next move, which only training looks at.
    """

    policy: Tensor
    wdl: Tensor | None = None
    value: Tensor | None = None
    reply: Tensor | None = None


class Net(nn.Module):
    """A network for boards: planes, uint8 or float [n, P, H, W], in, :class:`Outputs` out.

    ``masked``: boards may be smaller than H x W; plane 0 is then 1 on the board and 0 off it.
    """

    __call__: Callable[..., Outputs]

    def __init__(self, config: NetConfig) -> None:
        super().__init__()
        self.config = config


class TengenNet(Net):
    """Residual blocks, some with global pooling, then a policy and a value head; any board size."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        # The board as a whole enters at a third and two thirds of the depth: late enough to have something to pool,
        # early enough to act on it.
        pooled = {config.blocks // 3, 2 * config.blocks // 3} if config.blocks > 3 else {config.blocks // 2}
        self.stem = ConvNorm(config.planes, config.channels, 3)
        self.blocks = nn.ModuleList(Block(config.channels, pooled=i in pooled) for i in range(config.blocks))
        self.heads = Heads(config.channels, passes=config.passes, judges=not config.rates_moves)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`."""
        x = planes.to(self.stem.conv.weight.dtype)
        mask = x[:, :1] if masked else None
        x = on_board(functional.relu(self.stem(on_board(x, mask), mask)), mask)
        for block in self.blocks:
            x = block(x, mask)
        return self.heads(x, mask)


class Heads(nn.Module):
    """Tengen's heads. One pooled vector [n, 3 * 64] feeds the value, the pass, and a bias to every policy cell.

    Without ``judges`` there is no value.
    """

    __call__: Callable[..., Outputs]

    def __init__(self, channels: int, *, passes: bool, judges: bool) -> None:
        super().__init__()
        self.cells = ConvNorm(channels, _POLICY_CHANNELS, 1)
        self.whole = ConvNorm(channels, _POOLED_CHANNELS, 1)
        self.bias = linear(3 * _POOLED_CHANNELS, _POLICY_CHANNELS, small=True)
        self.moves = nn.Conv2d(_POLICY_CHANNELS, 2, 1, bias=False)  # two logits a cell: the move, the rival's reply
        self.passing = linear(3 * _POOLED_CHANNELS, 2, small=True) if passes else None
        self.hidden = linear(3 * _POOLED_CHANNELS, _VALUE_HIDDEN) if judges else None
        self.wdl = linear(_VALUE_HIDDEN, 3, small=True) if judges else None
        nn.init.normal_(self.moves.weight, std=0.1 / _POLICY_CHANNELS**0.5)

    def forward(self, x: Tensor, mask: Mask = None) -> Outputs:
        """The trunk's [n, C, H, W] -> policy, wdl and reply."""
        pooled = pool(on_board(functional.relu(self.whole(x, mask)), mask), mask)
        cells = functional.relu(self.cells(x, mask) + self.bias(pooled)[:, :, None, None])
        logits = self.moves(cells)
        if mask is not None:
            logits = logits.masked_fill(mask == 0, _OFF_BOARD)
        logits = logits.flatten(2)
        if self.passing is not None:
            logits = torch.cat((logits, self.passing(pooled)[:, :, None]), 2)
        wdl = None
        if self.hidden is not None and self.wdl is not None:
            wdl = self.wdl(functional.relu(self.hidden(pooled)))
        return Outputs(policy=logits[:, 0], wdl=wdl, reply=logits[:, 1])


class RatingNet(Net):
    """What S0 to S2 end with: a dense layer to a Q value for each move; dueling, one more to the position's value."""

    def add_heads(self, inputs: int) -> None:
        """Make the dense layers over ``inputs`` numbers."""
        self.policy = linear(inputs, self.config.actions(), small=True)
        self.value = None if self.config.rates_moves else linear(inputs, 1, small=True)

    def rate(self, x: Tensor) -> Outputs:
        """The last convolution's [n, C, h, w] -> policy, and the value if there is one."""
        x = x.flatten(1)
        return Outputs(policy=self.policy(x), value=None if self.value is None else self.value(x).squeeze(1))


class S0Net(RatingNet):
    """S0: convolutions 5x5, 3x3, 3x3 with batch norm, then a dense layer to a Q value for each move."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        half = config.channels // 2
        self.trunk = nn.ModuleList(
            (
                ConvNorm(config.planes, half, 5),
                ConvNorm(half, config.channels, 3),
                ConvNorm(config.channels, config.channels, 3),
            )
        )
        self.add_heads(config.channels * config.size**2)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards of one size only."""
        _refuse_mask(self.config, masked)
        x = planes.to(self.policy.weight.dtype)
        for layer in self.trunk:
            x = functional.relu(layer(x))
        return self.rate(x)


class S1Net(RatingNet):
    """S1: one convolution over own minus rival stones, batch norm, and a dense layer to a Q value for each move."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        self.conv = ConvNorm(1, config.channels, 3)
        self.add_heads(config.channels * config.size**2)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards of one size only."""
        _refuse_mask(self.config, masked)
        x = planes.to(self.policy.weight.dtype)
        x = functional.relu(self.conv(x[:, :1] - x[:, 1:]))
        return self.rate(x)


class S2Net(RatingNet):
    """S2: two convolutions over the board laid out in a line, and a dense layer to a Q value for each move."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        widths = [config.planes, 2 * config.channels // 3, config.channels]
        self.trunk = nn.ModuleList(nn.Conv2d(a, b, (1, 3), padding=(0, 1)) for a, b in pairwise(widths))
        self.add_heads(config.channels * config.size**2)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards of one size only."""
        _refuse_mask(self.config, masked)
        x = planes.to(self.policy.weight.dtype).flatten(2)[:, :, None]  # one row of all cells
        for layer in self.trunk:
            x = functional.relu(layer(x))
        return self.rate(x)


class S3Net(Net):
    """S3: three convolutions; policy 1x1 conv 4, dense; value 1x1 conv 2, dense 64, tanh. No batch norm."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        widths = [config.planes, config.channels // 4, config.channels // 2, config.channels]
        self.trunk = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in pairwise(widths))
        self.cells = nn.Conv2d(config.channels, 4, 1)
        self.policy = linear(4 * config.size**2, config.actions(), small=True)
        self.whole = nn.Conv2d(config.channels, 2, 1)
        self.hidden = linear(2 * config.size**2, 64)
        self.value = linear(64, 1, small=True)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards of one size only."""
        _refuse_mask(self.config, masked)
        x = planes.to(self.cells.weight.dtype)
        for layer in self.trunk:
            x = functional.relu(layer(x))
        policy = self.policy(functional.relu(self.cells(x)).flatten(1))
        value = self.value(functional.relu(self.hidden(functional.relu(self.whole(x)).flatten(1))))
        return Outputs(policy=policy, value=torch.tanh(value).squeeze(1))


class S4Net(Net):
    """S4: residual blocks; policy 1x1 conv 2, dense; value 1x1 conv 1, dense as wide as the trunk, tanh."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        self.stem = ConvNorm(config.planes, config.channels, 3)
        self.blocks = nn.ModuleList(Block(config.channels) for _ in range(config.blocks))
        self.cells = ConvNorm(config.channels, 2, 1)
        self.policy = linear(2 * config.size**2, config.actions(), small=True)
        self.whole = ConvNorm(config.channels, 1, 1)
        self.hidden = linear(config.size**2, config.channels)
        self.value = linear(config.channels, 1, small=True)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards of one size only."""
        _refuse_mask(self.config, masked)
        x = functional.relu(self.stem(planes.to(self.stem.conv.weight.dtype)))
        for block in self.blocks:
            x = block(x)
        policy = self.policy(functional.relu(self.cells(x)).flatten(1))
        value = self.value(functional.relu(self.hidden(functional.relu(self.whole(x)).flatten(1))))
        return Outputs(policy=policy, value=torch.tanh(value).squeeze(1))


class S1EvolvedNet(Net):
    """S1's network for evolution, see :func:`tengen.nets.evolved.s1_ratings`; ``policy`` are ratings of moves."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        self.scale = nn.Parameter(torch.ones(1))
        self.shift = nn.Parameter(torch.zeros(1))
        self.conv = nn.Parameter(torch.randn(config.channels, 1, 3, 3) / 3)
        self.bias = nn.Parameter(torch.zeros(config.channels))
        self.dense = linear(config.channels * (config.size - 3) ** 2, config.actions())

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards of one size only."""
        _refuse_mask(self.config, masked)
        x = planes.to(self.conv.dtype)
        return Outputs(policy=s1_ratings(x[:, 0] - x[:, 1], **dict(self.named_parameters())))


class LinesNet(Net):
    """Rates a point by the four lines through it, see :func:`tengen.nets.evolved.line_ratings`; any board size."""

    def __init__(self, config: NetConfig) -> None:
        super().__init__(config)
        hidden = config.channels
        self.cells = nn.Parameter(torch.randn(hidden, 2, REACH, 3) / (2 * REACH) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.worth = nn.Parameter(torch.randn(hidden) / hidden**0.5)

    def forward(self, planes: Tensor, *, masked: bool = False) -> Outputs:
        """See :class:`Net`; boards fill their input."""
        _refuse_mask(self.config, masked)
        return Outputs(policy=line_ratings(planes.to(self.cells.dtype), self.cells, self.bias, self.worth))


def _refuse_mask(config: NetConfig, masked: bool) -> None:
    if masked:
        known = "boards that fill its input" if config.any_size else "one board size"
        raise TengenError(f"a network of kind {config.kind} knows {known} and no mask")


def build(config: NetConfig) -> Net:
    """A fresh network: a policy near uniform and a value near a draw."""
    return _KINDS[config.kind](config)


_KINDS: dict[str, type[Net]] = {
    "tengen": TengenNet,
    "s0": S0Net,
    "s1": S1Net,
    "s2": S2Net,
    "s3": S3Net,
    "s4": S4Net,
    "s1-evolved": S1EvolvedNet,
    "lines": LinesNet,
}


_AnyNet = TypeVar("_AnyNet", bound=Net)


def fold(net: _AnyNet) -> _AnyNet:
    """A copy for inference, with each batch norm taken into its convolution; it cannot be trained."""
    copied = copy.deepcopy(net).eval().requires_grad_(False)
    for layer in list(copied.modules()):
        if isinstance(layer, ConvNorm):
            layer.fold()
    return copied.requires_grad_(False)


def infer(net: Net, planes: Tensor, *, masked: bool = False) -> tuple[Tensor, Tensor]:
    """Policy logits [n, actions] and probabilities of win, draw, loss [n, 3] for the mover, both float32.

    What self-play and the exported file compute. A value v becomes a win with (1 + v) / 2, no draw, so that win minus
    loss is v again, even where S0 to S2 are dueling and v has no bounds; a network that only rates moves says draw.
    """
    outputs = net(planes, masked=masked)
    if outputs.wdl is not None:
        return outputs.policy.float(), outputs.wdl.float().softmax(1)
    if outputs.value is None:
        return outputs.policy.float(), torch.tensor([0.0, 1.0, 0.0]).to(planes.device).expand(len(planes), 3)
    win = (1 + outputs.value.float()) / 2
    return outputs.policy.float(), torch.stack((win, torch.zeros_like(win), 1 - win), 1)


def torch_evaluator(net: Net, device: torch.device | str = "cpu") -> _core.Evaluator:
    """A network as a search asks it, computed by torch: on a GPU in bfloat16, on a CPU in float32."""
    device = torch.device(device)
    folded = fold(net).to(device, torch.bfloat16 if device.type == "cuda" else torch.float32)

    @torch.no_grad()
    def judge(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        policy, wdl = infer(folded, torch.from_numpy(planes).to(device))
        return policy.cpu().numpy(), wdl.cpu().numpy()

    return _core.FunctionEvaluator(judge, net.config.planes, net.config.passes)
