"""The layers that the networks share."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

# Where boards of several sizes share a batch, the smaller ones are padded. `mask` [n, 1, H, W] is then 1 on the board
# and 0 off it, and whatever feeds a 3x3 convolution is 0 off the board, so that the edge looks like the edge. None
# means that every board fills its input: nothing is multiplied, and the plain kernels run.
Mask = Tensor | None


def on_board(x: Tensor, mask: Mask) -> Tensor:
    """``x`` with zeros off the board."""
    return x if mask is None else x * mask.to(x.dtype)  # under autocast x is bf16, the mask is not


class BatchNorm(nn.BatchNorm2d):
    """Batch norm whose statistics count only the cells on the board."""

    def forward(self, x: Tensor, mask: Mask = None) -> Tensor:
        """Normalise [n, C, H, W]; what comes out off the board means nothing."""
        if mask is None or not self.training:
            return super().forward(x)
        x32 = x.float()  # sums over a batch are too long for bf16
        count = mask.sum(dtype=torch.float32)
        share = mask.float() / count
        mean = (x32 * share).sum((0, 2, 3))
        variance = ((x32 - mean.view(1, -1, 1, 1)).square() * share).sum((0, 2, 3))
        self._remember(mean.detach(), variance.detach() * count / (count - 1))
        scale = self.weight.float() * torch.rsqrt(variance + self.eps)
        shift = self.bias.float() - mean * scale
        return (x32 * scale.view(1, -1, 1, 1) + shift.view(1, -1, 1, 1)).to(x.dtype)

    @torch.no_grad()
    def _remember(self, mean: Tensor, variance: Tensor) -> None:
        assert self.running_mean is not None
        assert self.running_var is not None
        self.running_mean.lerp_(mean.to(self.running_mean.dtype), self.momentum or 0.0)
        self.running_var.lerp_(variance.to(self.running_var.dtype), self.momentum or 0.0)


class ConvNorm(nn.Module):
    """A convolution and its batch norm, which :meth:`fold` turns into one convolution."""

    __call__: Callable[..., Tensor]

    def __init__(self, inputs: int, outputs: int, kernel: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
        self.norm: BatchNorm | None = BatchNorm(outputs)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out", nonlinearity="relu")

    def forward(self, x: Tensor, mask: Mask = None) -> Tensor:
        """[n, inputs, H, W] -> [n, outputs, H, W]."""
        x = self.conv(x)
        return x if self.norm is None else self.norm(x, mask)

    @torch.no_grad()
    def fold(self) -> None:
        """Take the running statistics into the convolution's weights, for good."""
        if (norm := self.norm) is None:
            return
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight.double() * torch.rsqrt(norm.running_var.double() + norm.eps)
        shift = norm.bias.double() - norm.running_mean.double() * scale
        weight = self.conv.weight
        self.conv.weight = nn.Parameter((weight.double() * scale.view(-1, 1, 1, 1)).to(weight.dtype))
        self.conv.bias = nn.Parameter(shift.to(weight.dtype))
        self.norm = None


# (size - centre) / scale is -1 to 1 for boards of 4 to 24; with the mean times that, as in KataGo, a dense layer can
# tell how many from how dense.
SIZE_CENTRE, SIZE_SCALE = 14.0, 10.0


def pool(x: Tensor, mask: Mask) -> Tensor:
    """[n, C, H, W] -> [n, 3C]: each channel's mean over the board, that mean times the board's size, and maximum.

    ``x`` must be 0 off the board and negative nowhere.
    """
    if mask is None:
        mean = x.mean((2, 3))
        sized = mean * (((x.shape[2] * x.shape[3]) ** 0.5 - SIZE_CENTRE) / SIZE_SCALE)
    else:
        area = mask.sum((2, 3), dtype=torch.float32)
        mean = (x.sum((2, 3), dtype=torch.float32) / area).to(x.dtype)
        sized = mean * ((area.sqrt() - SIZE_CENTRE) / SIZE_SCALE).to(x.dtype)
    return torch.cat((mean, sized, x.amax((2, 3))), 1)


class PooledBias(nn.Module):
    """Adds to every channel a bias that depends on the whole board; nothing, at first."""

    __call__: Callable[..., Tensor]

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.dense = nn.Linear(3 * channels, channels)
        nn.init.zeros_(self.dense.weight)
        nn.init.zeros_(self.dense.bias)

    def forward(self, x: Tensor, seen: Tensor, mask: Mask = None) -> Tensor:
        """``x`` [n, C, H, W] with the bias that ``seen`` [n, C, H, W], once pooled, gives."""
        bias: Tensor = self.dense(pool(seen, mask))
        return x + bias[:, :, None, None]


class Block(nn.Module):
    """A residual block: relu(x + norm(conv(relu(norm(conv(x)))))), with a pooled bias to what is added or without.

    The last norm starts at zero, so that a fresh block changes nothing and deep networks train from the first step.
    """

    __call__: Callable[..., Tensor]

    def __init__(self, channels: int, *, pooled: bool = False) -> None:
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.second = ConvNorm(channels, channels, 3)
        self.bias = PooledBias(channels) if pooled else None
        assert self.second.norm is not None
        nn.init.zeros_(self.second.norm.weight)

    def forward(self, x: Tensor, mask: Mask = None) -> Tensor:
        """[n, C, H, W] -> the same."""
        inner = on_board(functional.relu(self.first(x, mask)), mask)
        added = self.second(inner, mask)
        if self.bias is not None:
            added = self.bias(added, inner, mask)
        return on_board(functional.relu(x + added), mask)


def linear(inputs: int, outputs: int, *, small: bool = False) -> nn.Linear:
    """A dense layer; with ``small`` its outputs start near zero, so that a fresh head has no opinion."""
    layer = nn.Linear(inputs, outputs)
    nn.init.zeros_(layer.bias)
    if small:
        nn.init.normal_(layer.weight, std=0.1 / inputs**0.5)
    else:
        nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    return layer
