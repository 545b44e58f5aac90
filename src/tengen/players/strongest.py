"""Which player to take when none is named."""

from __future__ import annotations

from tengen.games import Game
from tengen.players._registry import player, player_kinds


def strongest_player(game: str | Game, seconds: float) -> str:
    """The name of the strongest player at hand for a game with ``seconds`` a move.

    The time in the name is an upper bound: whoever asks for a move still says by its limit how long this one may take.
    """
    name = f"alphabeta:time={max(seconds, 0.01):g}"
    if "alphabeta" in player_kinds() and player(name).supports(Game.parse(game)):
        return name
    return "greedy"
