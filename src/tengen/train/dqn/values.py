"""Values of moves (Q), from any of the networks."""

from __future__ import annotations

import torch
from torch import Tensor

from tengen.nets.network import Net

_ILLEGAL = -1e9  # lower than any value; not infinite, so that no mean becomes NaN


def q_values(net: Net, planes: Tensor, mask: Tensor) -> Tensor:
    """The value of each move [n, actions] for the mover; ``mask`` [n, actions] is true where it is legal.

    A plain network says it itself. A dueling one has a value head that says what the position is worth, which is the
    value of the best legal move, and a policy head that says by how much the others are worse.
    """
    outputs = net(planes)
    advantage = outputs.policy.float()
    if outputs.wdl is not None:  # Tengen's
        chances = outputs.wdl.float().softmax(1)
        worth = chances[:, 0] - chances[:, 2]
    elif outputs.value is not None:
        worth = outputs.value.float()
    else:
        return advantage
    best = advantage.masked_fill(~mask, _ILLEGAL).amax(1, keepdim=True)
    return worth[:, None] + advantage - best


def best_moves(values: Tensor, mask: Tensor) -> Tensor:
    """The legal move with the highest value of each row, also of values beyond all bounds: who learns notices later."""
    return values.nan_to_num().masked_fill(~mask, -torch.inf).argmax(1)


@torch.no_grad()
def next_values(online: Net, target: Net, planes: Tensor, mask: Tensor, *, double: bool) -> Tensor:
    """What the positions are worth to their movers [n]: the value of the best move.

    With ``double`` the online network says which move that is and the target network what it is worth.
    """
    rated = q_values(target, planes, mask)
    chosen = best_moves(q_values(online, planes, mask) if double else rated, mask)
    return rated.gather(1, chosen[:, None])[:, 0]
