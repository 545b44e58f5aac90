"""Games: names, moves, positions and records."""

from tengen.games._game import GAMES, Game, Move, Side
from tengen.games._opening import Opening, Seat
from tengen.games._outcome import Outcome, Reason
from tengen.games._position import ENCODINGS, Foul, Position, Setup, Shape

__all__ = [
    "ENCODINGS",
    "GAMES",
    "Foul",
    "Game",
    "Move",
    "Opening",
    "Outcome",
    "Position",
    "Reason",
    "Seat",
    "Setup",
    "Shape",
    "Side",
]
