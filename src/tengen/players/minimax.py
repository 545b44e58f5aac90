"""S1's minimax."""

from __future__ import annotations

from tengen import _core
from tengen.errors import TengenError
from tengen.games import Game, Position
from tengen.players._player import Decision
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import core_seed, decision_of, require_going, whole_number, word
from tengen.search import Limit


class MinimaxPlayer:
    """Minimax to a fixed depth over every playable point, with S1's window evaluation (``core/search/minimax.h``).

    Fours are settled first: a win is played, a win of the rival's is stopped. Moves of equal value are drawn from, by
    the seed; with ``ties="first"`` the first of them is played, so that the answer is always the same. A limit that
    ends the search early leaves the deepest ply that was completed, the first at least.
    """

    def __init__(self, *, name: str = "minimax", seed: int | None = None, depth: int = 2, ties: str = "random") -> None:
        self.name = name
        self._seed = seed
        self._search = _core.Minimax(depth=depth, seed=core_seed(seed), draws=ties == "random")

    def supports(self, game: Game) -> bool:
        """Every game of Gomoku."""
        return game.kind == "gomoku"

    def new_game(self) -> None:
        """Start the generator anew; without a seed, games stay different."""
        if self._seed is not None:
            self._search.clear()

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Search the position; raises ``IllegalMoveError`` if the game is over, ``TengenError`` if it is not Gomoku."""
        require_going(position)
        board = position.core
        if not isinstance(board, _core.GomokuBoard):
            raise TengenError(f"minimax plays Gomoku, not {position.game.name}")
        limit = limit or Limit()
        report = self._search.search(board, seconds=limit.seconds, nodes=limit.nodes, depth=limit.depth)
        return decision_of(position, report)

    def stop(self) -> None:
        """End a search that is running."""
        self._search.stop()


register(
    PlayerKind(
        "minimax",
        "S1's minimax with its window evaluation (Gomoku)",
        MinimaxPlayer,
        {
            "depth": PlayerOption(whole_number(1, 6), "plies to search, 1 to 6", "2"),
            "ties": PlayerOption(
                word("random", "first"), "which of equal moves; first: always the same answer", "random"
            ),
        },
    )
)
