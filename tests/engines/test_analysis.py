"""What is told of a position: lines and marks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tengen import Position, player
from tengen.engines.analysis import heat, of_report


def report(*lines: dict[str, Any]) -> Any:
    usual = {"moves": [112], "depth": 1, "value": 0.5, "score": 0, "proof": 0, "distance": 0}
    return SimpleNamespace(
        lines=[SimpleNamespace(**usual | line) for line in lines], nodes=9, seconds=1.0, depth=1, selective_depth=1
    )


def test_of_a_search_that_counts_visits_a_move_without_any_has_no_value_unless_it_is_proven() -> None:
    found = report({"score": 3}, {"score": 0}, {"score": 0, "proof": 2, "value": -1.0, "distance": 4})
    position = Position("gomoku")
    values = [line["value"] for line in of_report(player("mcts"), position, found)["lines"]]
    assert values == [0.5, None, -1.0]
    values = [line["value"] for line in of_report(player("alphabeta"), position, found)["lines"]]
    assert values == [0.5, 0.5, -1.0]  # its score is no number of visits


def test_lines_and_marks_know_the_same_values() -> None:
    position = Position("gomoku", "h8i9g9h10i8g10k9f10e10h11d12c13b14")  # a win that is proven before all is tried
    thinker: Any = player("alphazero:playouts=100")
    lines = of_report(thinker, position, thinker.search(position, lines=12))["lines"]
    unknown = {line["moves"][0] for line in lines if line["value"] is None}
    assert unknown
    assert not unknown & {move for move, _ in heat(thinker, position)["value"]}
    assert all(line["score"] == 0 and line["proof"] is None for line in lines if line["moves"][0] in unknown)
