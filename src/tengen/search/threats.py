"""Wins by threats alone, proven or not claimed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tengen import _core
from tengen.errors import TengenError
from tengen.games import Move, Position
from tengen.search.limit import Limit


class Verdict(StrEnum):
    """What a threat search found out."""

    WIN = "win"  #: proven: the mover wins by threats
    NONE = "none"  #: proven: there is no such win
    UNKNOWN = "unknown"  #: the limit came first


@dataclass(frozen=True)
class Solution:
    """The verdict, the winning line (the mover's moves and one defence; empty unless won) and the work done."""

    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int

    @property
    def is_win(self) -> bool:
        """Whether the mover's win is proven."""
        return self.verdict is Verdict.WIN


_VERDICTS = (Verdict.NONE, Verdict.WIN, Verdict.UNKNOWN)
_KINDS = ("vcf", "vct")
_NO_END = 1 << 62
_LONGEST_LINE = 400  # plies, as far as the core counts


def solve(position: Position, kind: str = "vcf", *, limit: Limit | None = None, plies: int = 100) -> Solution:
    """Look for a win by threats: ``vcf``, every move a four, or ``vct``, fours and open threes.

    The verdict is a proof or ``unknown``, never a guess; ``none`` says that no win *of that kind* exists. Under renju,
    black's forbidden points are neither defences nor wins. Lines end after ``plies`` (or the limit's depth). Without a
    limit it stops after a million positions. Raises ``TengenError`` for another kind or a game without lines.
    """
    board = position.core
    if not isinstance(board, _core.GomokuBoard):
        raise TengenError(f"{position.game} has no threats to search")
    if kind not in _KINDS:
        raise TengenError(f"the threat searches are {' and '.join(_KINDS)}, not {kind!r}")
    limit = limit or Limit(nodes=1_000_000)
    limit = limit.within(nodes=_NO_END, depth=min(plies, _LONGEST_LINE))
    assert limit.nodes is not None
    assert limit.depth is not None
    verdict, line, used = _core.solve_threats(board, kind, limit.depth, limit.nodes, limit.seconds)
    return Solution(_VERDICTS[verdict], tuple(position.game.moves[action] for action in line), used)
