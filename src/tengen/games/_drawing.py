"""A position as text."""

from __future__ import annotations

from collections.abc import Callable

from tengen.games._game import Move
from tengen.games._position import Position

#: Turns a piece of the drawing into what is shown, given its text and its role; a terminal colours it.
Paint = Callable[[str, str], str]

_EMPTY, _BLACK = 0, 1


def plain(text: str, role: str) -> str:
    """The text as it is."""
    return text


def draw(position: Position, *, paint: Paint = plain, stones: tuple[str, str] = ("X", "O"), legal: str = "") -> str:
    """Draw the board with coordinates and, below it, whose turn it is or how the game ended.

    The last move stands in square brackets, points forbidden to the mover are ``!``, and legal ones are ``legal`` if
    that is given. The roles that ``paint`` sees are ``black``, ``white``, ``line`` (a stone that won), ``empty``,
    ``legal``, ``forbidden``, ``last`` (the brackets) and ``label``.
    """
    drawn = _painted_points(position, paint, stones, legal)
    size, last = position.size, position.last_move
    letters = " ".join(chr(ord("a") + column) for column in range(size))
    lines = [paint(f"    {letters}", "label")]
    for row in range(size):
        gaps = [" "] * size + [""]  # before each point, and after the last one
        if last is not None and last.row == row and last.column is not None:
            gaps[last.column], gaps[last.column + 1] = paint("[", "last"), paint("]", "last")
        points = drawn[row * size : (row + 1) * size]
        label = str(position.game.at(row, 0))[1:]
        line = "".join(gap + point for gap, point in zip(gaps, [*points, ""], strict=True))
        lines.append(paint(f"{label:>3}", "label") + line)
    return "\n".join([*lines, _status(position)])


def _painted_points(position: Position, paint: Paint, stones: tuple[str, str], legal: str) -> list[str]:
    outcome = position.outcome()
    line: tuple[Move, ...] = outcome.line if outcome else ()
    forbidden = frozenset(position.forbidden_moves())
    open_to_mover = frozenset(position.legal_moves() if legal else ())

    def painted(point: int, code: int) -> str:
        if code != _EMPTY:
            return paint(stones[code - 1], "line" if point in line else "black" if code == _BLACK else "white")
        if point in forbidden:
            return paint("!", "forbidden")
        return paint(legal, "legal") if point in open_to_mover else paint(".", "empty")

    return [painted(point, code) for point, code in enumerate(position.board().ravel().tolist())]


def _status(position: Position) -> str:
    outcome = position.outcome()
    text = str(outcome) if outcome else f"{position.to_move} to move"
    if position.game.kind == "othello":
        black, white = position.score()
        text += f", {black}-{white}"
    return text
