"""Points, colours and games in the words of GTP.

Othello programs count rows from the top, as Othello notation does. For Gomoku this is GTP as it is for Go: rows from
the bottom, and no letter I.
"""

from __future__ import annotations

from tengen.errors import NotationError
from tengen.games import Game, Move, Side

#: What `list_games` and `set_game` call our games.
GAME_NAMES = {"othello": "Othello", "gomoku": "Gomoku"}

_GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def vertex(game: Game, move: Move) -> str:
    """A move as GTP says it: ``F5``, ``PASS``."""
    if move.row is None or move.column is None:
        return "PASS"
    if game.kind == "othello":
        return str(move).upper()
    return f"{_GO_LETTERS[move.column]}{game.size - move.row}"


def parse_vertex(game: Game, text: str) -> Move:
    """Read a vertex; raises ``NotationError``."""
    if game.kind == "othello" or text.lower() == "pass":
        return game.move(text)
    column = _GO_LETTERS.find(text[:1].upper())
    if column < 0 or not text[1:].isascii() or not text[1:].isdecimal() or len(text) > 3:
        raise NotationError(f"{text[:40]!r} is no vertex")
    return game.at(game.size - int(text[1:]), column)


def parse_colour(text: str) -> Side | None:
    """Read ``b``, ``black``, ``w`` or ``white`` in any case; None for anything else."""
    return {"b": Side.BLACK, "black": Side.BLACK, "w": Side.WHITE, "white": Side.WHITE}.get(text.lower())
