"""Which player to take when none is named."""

from __future__ import annotations

from tengen.games import Game
from tengen.players._registry import player, player_kinds


def strongest_player(game: str | Game, seconds: float) -> str:
    """The name of the strongest player at hand for a game with about ``seconds`` a move.

    The name says nothing about time: whoever asks it for a move says by a limit how long that may take.
    """
    name = "alphabeta"
    if name in player_kinds() and player(name).supports(Game.parse(game)):
        return name
    return "greedy"
