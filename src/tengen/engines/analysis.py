"""What a player finds in a position, as plain JSON values: `tengen analyze` prints them and the page draws them."""

from __future__ import annotations

import time
from typing import Any

from tengen.engines.thought import Report
from tengen.games import Position
from tengen.players import Rater, TreeSearcher

_PROOFS = (None, "won", "lost", "exact")


def of_report(player: object, position: Position, report: Report) -> dict[str, Any]:
    """What a player's search found.

    Of a search that counts visits, a move without any has no value, unless it is proven.
    """
    moves, counts_visits = position.game.moves, isinstance(player, TreeSearcher)
    lines = [
        {
            "moves": [str(moves[action]) for action in line.moves],
            "depth": line.depth,
            "value": None if counts_visits and line.score == 0 and not line.proof else line.value,
            "score": line.score,
            "proof": _PROOFS[line.proof],
            "distance": line.distance or None,
        }
        for line in report.lines
    ]
    return _as_json(position, lines, report.nodes, report.seconds, (report.depth, report.selective_depth))


def of_ratings(position: Position, rater: Rater, count: int | None) -> dict[str, Any]:
    """What one look at the position says, likewise: a line for each move considered, or for so many."""
    begun = time.monotonic()
    lines = [
        {
            "moves": [str(rating.move)],
            "depth": 0,
            "value": rating.value,
            "score": rating.score,
            "proof": None,
            "distance": None,
        }
        for rating in rater.rate(position)[:count]
    ]
    return _as_json(position, lines, 1, time.monotonic() - begun, (0, 0))


def heat(player: object, position: Position) -> dict[str, list[tuple[str, float]]]:
    """What a player thinks of single moves, by the ways it has of telling: ``visits``, ``value``, ``policy``.

    A value is found out by visiting: a move without visits has none.
    """
    if not isinstance(player, TreeSearcher):
        return {}
    seen = player.seen(position)
    told = {"visits": [(str(each.move), each.share) for each in seen]}
    told["value"] = [(str(each.move), each.value) for each in seen if each.share > 0]
    if any(each.prior is not None for each in seen):
        told["policy"] = [(str(each.move), each.prior or 0.0) for each in seen]
    return told


def _as_json(
    position: Position, lines: list[dict[str, Any]], nodes: int, seconds: float, depths: tuple[int, int]
) -> dict[str, Any]:
    return {
        **position.to_dict(),
        "to_move": str(position.to_move),
        "depth": depths[0],
        "selective_depth": depths[1],
        "nodes": nodes,
        "seconds": seconds,
        "nodes_per_second": nodes / seconds if seconds > 0 else 0.0,
        "lines": lines,
    }
