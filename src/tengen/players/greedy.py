"""S0's greedy player, and its one-ply counterpart in Othello."""

from __future__ import annotations

from tengen import _core
from tengen.games import Game, Position
from tengen.players._registry import PlayerKind, register
from tengen.players.random import DrawingPlayer


class GreedyPlayer(DrawingPlayer):
    """Draws from the best moves one ply deep.

    Gomoku: S0's greedy move algorithm (``core/patterns/greedy.h``): win, stop a five, make a four, stop a four, make a
    three, make a two, anything. Othello: the moves that turn the most discs.
    """

    def supports(self, game: Game) -> bool:
        """Every game."""
        return True

    def candidates(self, position: Position) -> list[int]:
        """The moves that are equally good by the rule above."""
        board = position.core
        if isinstance(board, _core.GomokuBoard):
            return board.greedy_candidates()
        turned = {action: len(board.flips(action)) for action in board.legal_actions()}
        most = max(turned.values())
        return [action for action, count in turned.items() if count == most]


register(PlayerKind("greedy", "the best move one ply deep (S0's greedy; in Othello the most discs)", GreedyPlayer, {}))
