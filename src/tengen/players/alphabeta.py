"""Alpha-beta search: the strong classical player, and S4's yardstick of fixed depth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tengen import _core
from tengen.errors import PlayerNameError, TengenError
from tengen.games import Game, Position
from tengen.players._player import Decision
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import decision_of, number, require_going, whole_number
from tengen.search import Limit
from tengen.search.othello import othello_search

_DEFAULT_SECONDS = 1.0


class AlphaBetaPlayer:
    """Searches in the core (``core/search/alphabeta.h``, ``core/search/othello/``).

    ``time`` is the strong one: it deepens until the time is used up. ``depth`` (with ``vct`` plies of threat search) is
    the yardstick of fixed depth and full width in Gomoku, deterministic for a seed. With neither, the caller's limit,
    or one second; a limit's depth bounds the timed search without making it the yardstick. The transposition table is
    kept from move to move.
    """

    def __init__(
        self,
        *,
        name: str = "alphabeta",
        seed: int | None = None,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        vct: int = 0,
        threads: int = 1,
        hash: int = 64,  # noqa: A002 - the word of every engine
    ) -> None:
        if vct and depth is None:
            raise PlayerNameError(f"{name!r}: vct goes with depth; the timed search looks for threats by itself")
        self.name = name
        self._seed = seed
        self._depth, self._time, self._nodes = depth, time, nodes
        self._vct, self._threads, self._hash = vct, threads, hash
        self._gomoku: _core.AlphaBeta | None = None
        self._othello: _core.OthelloSearch | None = None

    def supports(self, game: Game) -> bool:
        """Every game; threat search is for Gomoku alone."""
        return game.kind == "gomoku" or not self._vct

    def new_game(self) -> None:
        """Forget the last game."""
        for search in (self._gomoku, self._othello):
            if search is not None:
                search.clear()

    def prepare(self, game: Game) -> None:
        """Make the tables, which takes a while, before anybody's time runs."""
        AlphaBetaPlayer(hash=1).search(Position(game), limit=Limit(nodes=1))  # what is loaded once per process
        self._gomoku_search() if game.kind == "gomoku" else self._othello_search()

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Search the position; raises ``IllegalMoveError`` if the game is over."""
        require_going(position)
        if not self.supports(position.game):
            raise TengenError(f"{self.name} does not play {position.game}")
        return decision_of(position, self.search(position, limit=limit))

    def search(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        lines: int = 1,
        on_report: Callable[[_core.SearchReport], object] | None = None,
    ) -> _core.SearchReport:
        """Search and return the core's whole report, with several best ``lines`` if asked.

        ``on_report`` is called with each report while the search goes on.
        """
        limit = (limit or Limit()).within(seconds=self._time, nodes=self._nodes, depth=self._depth)
        if limit.seconds is None and limit.nodes is None and limit.depth is None:
            limit = replace(limit, seconds=_DEFAULT_SECONDS)
        board = position.core
        if isinstance(board, _core.GomokuBoard):
            return self._gomoku_search().search(board, limit.seconds, limit.nodes, limit.depth, lines, on_report)
        return self._othello_search().search(board, limit.seconds, limit.nodes, limit.depth, lines, on_report)

    def _gomoku_search(self) -> _core.AlphaBeta:
        if self._gomoku is None:
            self._gomoku = _core.AlphaBeta(
                threads=self._threads,
                hash_mb=self._hash,
                plain=self._depth is not None,
                vct_plies=self._vct,
                seed=0 if self._seed is None else self._seed & (1 << 64) - 1,
            )
        return self._gomoku

    def _othello_search(self) -> _core.OthelloSearch:
        if self._othello is None:
            self._othello = othello_search(hash_mb=self._hash)
        return self._othello

    def stop(self) -> None:
        """End a search that is running."""
        for search in (self._gomoku, self._othello):
            if search is not None:
                search.stop()


_OPTIONS = {
    "time": PlayerOption(number(0.001, 1e6), "seconds a move, from 0.001 on", "the caller's limit, or 1"),
    "depth": PlayerOption(whole_number(1, 60), "plies, 1 to 60: a fixed depth instead of a time", "none"),
    "nodes": PlayerOption(whole_number(1, 10**15), "positions a move, from 1 on", "no end"),
    "vct": PlayerOption(
        whole_number(0, 40),
        "with depth: plies of threat search, fours and threes at the root, fours at the leaves; 0 to 40",
        "0",
    ),
    "threads": PlayerOption(whole_number(1, 64), "threads, 1 to 64, on one table", "1"),
    "hash": PlayerOption(whole_number(1, 65536), "megabytes of transposition table, 1 to 65536", "64"),
}

register(
    PlayerKind("alphabeta", "alpha-beta search with an evaluation fitted on its own games", AlphaBetaPlayer, _OPTIONS)
)
