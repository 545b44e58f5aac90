"""A position from stones whose order is not known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from tengen.errors import TengenError
from tengen.games import Game, Move, Position, Side

Stones = Sequence[tuple[Move, Side]]


def arrange(game: Game, stones: Stones, to_move: Side) -> Position:
    """The position with these stones, reached by moves where that is possible.

    The order given is tried first, then black and white in turns; what no order of play gives (uneven counts, a foul on
    the way) is set up. Raises ``TengenError`` for a point outside the board or given twice.
    """
    black, white = ([move for move, side in stones if side is of] for of in Side)
    in_turns = [move for pair in zip_longest(black, white) for move in pair if move is not None]
    as_given = [move for move, _ in stones]
    if len(black) - len(white) == to_move.index:
        alternating = all(side.index == number % 2 for number, (_, side) in enumerate(stones))
        for order in (as_given, in_turns) if alternating else (in_turns,):
            try:
                return Position(game, order)
            except TengenError:
                continue  # an overline on the way, a foul, or a game that ended before its last move
    return Position.from_stones(game, black=black, white=white, to_move=to_move)
