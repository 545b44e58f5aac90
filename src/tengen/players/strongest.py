"""Which player to take when none is named."""

from __future__ import annotations

from importlib.util import find_spec

from tengen.games import Game
from tengen.players._registry import player, player_kinds

# Below this many seconds a move a network gets to see too little.
_TIME_FOR_A_NETWORK = 0.1


def strongest_player(game: str | Game, seconds: float) -> str:
    """The name of the strongest player at hand for a game with about ``seconds`` a move.

    The name says nothing about time: whoever asks it for a move says by a limit how long that may take. On one core and
    15x15 ``alphazero`` is ahead of ``alphabeta``, in Othello behind it: docs/training-log.md has the matches.
    """
    game = Game.parse(game)
    names = ["alphabeta", "greedy"]
    if game.kind != "othello" and seconds >= _TIME_FOR_A_NETWORK and find_spec("onnxruntime"):
        names.insert(0, "alphazero")
    return next((name for name in names if name in player_kinds() and player(name).supports(game)), "random")
