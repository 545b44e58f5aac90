"""What the networks compute that evolution breeds: S1's, and one that rates a point by the lines through it."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

REACH = 4  # cells of a line to either side of a point
NORM_FLOOR = 1e-5  # added to the variance, as in batch norm
_STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1))  # of the four lines: rows down, columns right


def s1_ratings(boards: Tensor, scale: Tensor, shift: Tensor, conv: Tensor, bias: Tensor, **dense: Tensor) -> Tensor:
    """S1's network: boards [n, size, size] of own 1, rival -1 -> a rating of each cell [n, size * size].

    Normalised over the board, convolution 3x3 and maximum 2x2 without padding, dense. S1 normalises over a batch, of
    one position, which is the same.
    """
    x = boards[:, None]
    mean = x.mean((2, 3), keepdim=True)
    variance = (x - mean).square().mean((2, 3), keepdim=True)
    x = (x - mean) * torch.rsqrt(variance + NORM_FLOOR) * scale + shift
    x = functional.max_pool2d(functional.conv2d(x, conv, bias), 2, 1)
    return functional.linear(x.flatten(1), dense["dense.weight"], dense["dense.bias"])


def line_kernel(cells: Tensor) -> Tensor:
    """The first layer of ``lines`` as a convolution over own stones, rival stones and what is off the board.

    ``cells`` [hidden, 2, 4, 3] are the weights of a line: its two sides, the nearest cell first, and what is there.
    Returns [8 * hidden, 3, 9, 9]: the four lines, each read both ways.
    """
    hidden, width = len(cells), 2 * REACH + 1
    kernel = cells.new_zeros(2 * len(_STEPS), hidden, 3, width, width)
    for line, (down, right) in enumerate(_STEPS):
        for way, sign in enumerate((1, -1)):
            for side, direction in enumerate((sign, -sign)):
                for i in range(REACH):
                    distance = direction * (i + 1)
                    row, column = REACH + distance * down, REACH + distance * right
                    kernel[2 * line + way, :, :, row, column] = cells[:, side, i]
    return kernel.flatten(0, 1)


def line_ratings(planes: Tensor, cells: Tensor, bias: Tensor, worth: Tensor) -> Tensor:
    """The network ``lines``: planes [n, 2, h, w] of own and rival stones -> a rating of each cell [n, h * w].

    The same small network reads each of the four lines through a point, both ways, and its numbers are summed: turning
    or mirroring the board turns and mirrors the ratings.
    """
    off = 1 - functional.pad(torch.ones_like(planes[:, :1]), [REACH] * 4)
    x = torch.cat((functional.pad(planes, [REACH] * 4), off), 1)
    hidden = functional.relu(functional.conv2d(x, line_kernel(cells), bias.repeat(8)))
    return functional.conv2d(hidden, worth.repeat(8)[None, :, None, None]).flatten(1)
