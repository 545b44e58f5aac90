"""What a player has found out, final or on the way: a decision and its best lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from tengen.games import Move, Position
from tengen.players import Decision
from tengen.search import Limit


@dataclass(frozen=True)
class Line:
    """A line of play, the mover's value of it (-1 to 1), and its score in the evaluation's unit, where known."""

    moves: tuple[Move, ...]
    value: float | None = None
    score: int | None = None


@dataclass(frozen=True)
class Thought:
    """A decision, and the lines behind it, best first; there is always one."""

    decision: Decision
    lines: tuple[Line, ...]

    @classmethod
    def of_decision(cls, decision: Decision, count: int) -> Thought:
        """The decision's own line, and up to ``count`` in all with the moves it rated best."""
        lines = [Line(decision.pv or (decision.move,), decision.value)]
        for move in sorted(decision.scores, key=lambda each: -decision.scores[each]):
            if move != decision.move and len(lines) < count:
                score = decision.scores[move]
                lines.append(Line((move,), score if -1 <= score <= 1 else None))
        return cls(decision, tuple(lines))

    @classmethod
    def of_report(cls, position: Position, report: Report) -> Thought:
        """What a search of the core reports about a position."""
        moves = position.game.moves
        lines = tuple(
            Line(tuple(moves[action] for action in line.moves), line.value, line.score) for line in report.lines
        )
        stats = {
            "nodes": report.nodes,
            "depth": report.depth,
            "selective_depth": report.selective_depth,
            "seconds": report.seconds,
            "nodes_per_second": report.nodes / report.seconds if report.seconds > 0 else 0.0,
        }
        scores = {line.moves[0]: line.value for line in lines if line.value is not None}
        best = lines[0]
        return cls(Decision(best.moves[0], value=best.value, pv=best.moves, scores=scores, stats=stats), lines)


OnThought = Callable[[Thought], None]


class ReportLine(Protocol):
    """A line as the core's searches report it."""

    @property
    def moves(self) -> Sequence[int]:
        """Actions, the move itself first."""

    @property
    def value(self) -> float:
        """From -1 to 1, from the mover's side."""

    @property
    def score(self) -> int:
        """In the evaluation's unit; in Othello hundredths of a disc; of a search that counts visits, those."""

    @property
    def depth(self) -> int:
        """Plies that it was searched to."""

    @property
    def proof(self) -> int:
        """0: nothing is proven, 1: won, 2: lost, 3: the value is exact."""

    @property
    def distance(self) -> int:
        """Plies to the end that is proven, or 0."""


class Report(Protocol):
    """What the core's searches report (``core/search/search.h``)."""

    @property
    def lines(self) -> Sequence[ReportLine]:
        """Best first."""

    @property
    def nodes(self) -> int:
        """Positions looked at."""

    @property
    def seconds(self) -> float:
        """Since the search began."""

    @property
    def depth(self) -> int:
        """Plies searched in full."""

    @property
    def selective_depth(self) -> int:
        """The deepest ply looked at."""


@runtime_checkable
class Searcher(Protocol):
    """A player that can also report several lines, and while it thinks.

    One that may play another move than that of the first line says so: its ``draws_moves`` is true.
    """

    def search(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        lines: int = 1,
        on_report: Callable[[Report], None] | None = None,
    ) -> Report:
        """Search and return the report; ``on_report`` is called with each one on the way."""
