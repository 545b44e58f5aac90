"""How much may be spent on one move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from tengen.errors import TengenError
from tengen.search.clock import Clock

_MOST_NODES = (1 << 63) - 1
_MOST_DEPTH = (1 << 31) - 1

_Amount = TypeVar("_Amount", int, float)


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How much a player may spend on one move; None leaves it to the player. The first limit that is reached counts.

    ``seconds`` is for every player. ``nodes`` are positions for a search and playouts for MCTS; ``depth`` is in plies,
    for searches that go deeper ply by ply (alphabeta, minimax, ``solve``), and means nothing to the others. ``clock``
    is the game's clock, for players that share out the time by themselves (others' engines); whoever sets it sets
    ``seconds`` too. Raises ``TengenError`` for amounts that make no sense.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not (_is_number(self.seconds) and self.seconds >= 0):
            raise TengenError(f"a limit of {self.seconds!r} seconds makes no sense")
        for name, amount, low, high in (
            ("nodes", self.nodes, 0, _MOST_NODES),
            ("plies of depth", self.depth, 1, _MOST_DEPTH),
        ):
            if amount is not None and not (isinstance(amount, int) and low <= amount <= high):
                raise TengenError(f"a limit of {amount!r} {name} makes no sense: it is a whole number from {low} on")

    def within(self, *, seconds: float | None = None, nodes: int | None = None, depth: int | None = None) -> Limit:
        """The stricter of this limit and these amounts, one by one; None bounds nothing."""
        return replace(
            self,
            seconds=_least(self.seconds, seconds),
            nodes=_least(self.nodes, nodes),
            depth=_least(self.depth, depth),
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _least(one: _Amount | None, other: _Amount | None) -> _Amount | None:
    return min((each for each in (one, other) if each is not None), default=None)
