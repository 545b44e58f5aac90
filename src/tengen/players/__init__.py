"""Players: anything that chooses a move, and the names they go by."""

from tengen.players._player import Decision, Player, Rater, Rating, Seen, TreeSearcher
from tengen.players._registry import PlayerKind, PlayerOption, player, player_kinds, register
from tengen.search import Limit

__all__ = [
    "Decision",
    "Limit",
    "Player",
    "PlayerKind",
    "PlayerOption",
    "Rater",
    "Rating",
    "Seen",
    "TreeSearcher",
    "player",
    "player_kinds",
    "register",
]
