"""Monte Carlo tree search (UCT) with random games or an evaluation at the leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tengen import _core
from tengen.errors import PlayerNameError
from tengen.games import Game, Move, Position
from tengen.players._player import Decision, Seen
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import core_seed, decision_of, number, playouts_within, require_going, whole_number, word
from tengen.search import Limit

_Search = _core.GomokuUct | _core.OthelloUct4 | _core.OthelloUct6 | _core.OthelloUct8 | _core.OthelloUct10
_DEFAULT_PLAYOUTS = 2000


class MctsPlayer:
    """S4's baseline: UCT in the core (``core/search/uct.h``).

    A move takes ``playouts`` playouts or ``time`` seconds, whichever is used up first, or less if the position is
    solved; with neither, and no limit from the caller, 2000 playouts. A limit of depth means nothing here. The tree is
    kept from move to move. ``scores`` are shares of the visits. With one thread, a seed and no clock it is
    reproducible.
    """

    def __init__(
        self,
        *,
        name: str = "mcts",
        seed: int | None = None,
        playouts: int | None = None,
        time: float | None = None,
        threads: int = 1,
        parallel: str | None = None,
        **options: Any,
    ) -> None:
        self.name = name
        self._seed = seed
        self._playouts = playouts
        self._time = time
        parallel = parallel or ("tree" if threads > 1 else "none")
        if parallel == "none" and threads > 1:
            raise PlayerNameError(f"{name!r}: {threads} threads need parallel=leaf, root or tree")
        if parallel == "leaf" and options.get("leaf") == "expert":
            raise PlayerNameError(
                f"{name!r}: parallel=leaf plays several random games at a leaf; leaf=expert plays none"
            )
        self._options = {"threads": threads, "parallel": parallel, **options}
        self._search: _Search | None = None
        self._for: type[object] | None = None

    def supports(self, game: Game) -> bool:
        """Every game."""
        return True

    def new_game(self) -> None:
        """Forget the tree and start the generator anew; without a seed, games stay different."""
        if self._seed is None:
            self._search = None
        elif self._search is not None:
            self._search.clear()

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Search the position; raises ``IllegalMoveError`` if the game is over."""
        require_going(position)
        return decision_of(position, self.search(position, limit=limit), self._shares(position))

    def search(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        lines: int = 1,
        on_report: Callable[[_core.SearchReport], object] | None = None,
    ) -> _core.SearchReport:
        """Search and return the core's whole report; the scores of its lines are visits."""
        board: Any = position.core
        if self._search is None or self._for is not type(board):
            self._search = _core.uct(board, seed=core_seed(self._seed), **self._options)
            self._for = type(board)
        limit = (limit or Limit()).within(seconds=self._time, nodes=self._playouts)
        playouts = playouts_within(limit, _DEFAULT_PLAYOUTS)
        return self._search.search(board, seconds=limit.seconds, nodes=playouts, lines=lines, on_report=on_report)

    def seen(self, position: Position) -> list[Seen]:
        """See :class:`TreeSearcher`."""
        shares = self._shares(position)
        moves = position.game.moves
        return [Seen(moves[action], shares[moves[action]], value) for action, _, value in self._rated()]

    def _rated(self) -> list[tuple[int, int, float]]:
        return self._search.root_moves() if self._search else []

    def _shares(self, position: Position) -> dict[Move, float]:
        moves, rated = position.game.moves, self._rated()
        total = sum(visits for _, visits, _ in rated)
        if total == 0:  # settled at a glance: the first is the move
            return {moves[action]: float(i == 0) for i, (action, _, _) in enumerate(rated)}
        return {moves[action]: visits / total for action, visits, _ in rated}

    def stop(self) -> None:
        """End a search that is running."""
        if self._search is not None:
            self._search.stop()


_OPTIONS = {
    "playouts": PlayerOption(
        whole_number(1, 10**12), "playouts a move, from 1 on", "2000, if nothing else ends the search"
    ),
    "time": PlayerOption(number(0.001, 1e6), "seconds a move, from 0.001 on", "no end"),
    "leaf": PlayerOption(word("random", "expert"), "what rates a leaf: a random game, or the evaluation", "random"),
    "parallel": PlayerOption(
        word("none", "leaf", "root", "tree"),
        "what threads share: a leaf (each plays a game from it), the root (a tree each), or the tree",
        "none, or tree with several threads",
    ),
    "threads": PlayerOption(whole_number(1, 256), "threads, 1 to 256", "1"),
    "counts": PlayerOption(
        word("wu", "vloss"), "playouts under way count as visits (wu, WU-UCT) or as losses (vloss)", "wu"
    ),
    "c": PlayerOption(number(0, 100), "weight of exploration, for results from -1 to 1; 0 to 100", "0.5"),
    "near": PlayerOption(
        whole_number(0, 21), "Gomoku: try only points within so many steps of a stone; 0: all points", "2"
    ),
    "memory": PlayerOption(whole_number(1, 65536), "megabytes for the tree, 1 to 65536; full, it grows no more", "256"),
}

register(PlayerKind("mcts", "Monte Carlo tree search: UCT with random games or an evaluation", MctsPlayer, _OPTIONS))
