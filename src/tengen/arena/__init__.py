"""The arena: matches that measure players against each other.

``play_match`` plays many games from paired openings and sums them up; ``play_game`` plays one, in this process.
"""

from tengen.arena.game import Fault, GameResult, play_game
from tengen.arena.match import MatchResult, SprtState, play_match
from tengen.arena.openings import RENJU26, OpeningSource, StartPosition
from tengen.arena.standings import MatchGame
from tengen.arena.statistics import Elo, Rating, Sprt, Tally, Verdict, estimate_elo, rate
from tengen.arena.store import Store
from tengen.search import TimeControl

__all__ = [
    "RENJU26",
    "Elo",
    "Fault",
    "GameResult",
    "MatchGame",
    "MatchResult",
    "OpeningSource",
    "Rating",
    "Sprt",
    "SprtState",
    "StartPosition",
    "Store",
    "Tally",
    "TimeControl",
    "Verdict",
    "estimate_elo",
    "play_game",
    "play_match",
    "rate",
]
