"""S0's greedy player, and its one-ply counterpart in Othello."""

from __future__ import annotations

from tengen import _core
from tengen.games import Game, Position
from tengen.players._margin import within_margin
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import whole_number
from tengen.players.random import DrawingPlayer


class GreedyPlayer(DrawingPlayer):
    """Draws from the best moves one ply deep.

    Gomoku: S0's greedy move algorithm (``core/patterns/greedy.h``): win, stop a five, make a four, stop a four, make a
    three, make a two, anything. With ``margin``, of equals those within the stones' bounding box grown by so much:
    without it, a stone that threatens nothing is answered anywhere. Othello: the moves that turn the most discs.
    """

    def __init__(self, *, name: str = "greedy", seed: int | None = None, margin: int | None = None) -> None:
        super().__init__(name=name, seed=seed)
        self._margin = margin

    def supports(self, game: Game) -> bool:
        """Every game."""
        return True

    def candidates(self, position: Position) -> list[int]:
        """The moves that are equally good by the rule above."""
        board = position.core
        if isinstance(board, _core.GomokuBoard):
            best = board.greedy_candidates()
            if self._margin is None:
                return best
            moves = [position.game.moves[action] for action in best]
            return [int(move) for move in within_margin(position, moves, self._margin)]
        turned = {action: len(board.flips(action)) for action in board.legal_actions()}
        most = max(turned.values())
        return [action for action, count in turned.items() if count == most]


register(
    PlayerKind(
        "greedy",
        "the best move one ply deep (S0's greedy; in Othello the most discs)",
        GreedyPlayer,
        {"margin": PlayerOption(whole_number(0, 22), "Gomoku: how far around the stones, 0 to 22", "anywhere")},
    )
)
