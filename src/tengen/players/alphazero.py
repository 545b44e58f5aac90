"""A network's search."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tengen import _core
from tengen.errors import PlayerNameError, TengenError
from tengen.games import Game, Move, Position
from tengen.nets.evaluator import core_evaluator
from tengen.nets.shipped import missing_net, net_of, shipped_net
from tengen.players._player import Decision, Seen
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import decision_of, number, playouts_within, require_going, whole_number, word
from tengen.search import Limit

_Search = _core.GomokuPuct | _core.OthelloPuct4 | _core.OthelloPuct6 | _core.OthelloPuct8 | _core.OthelloPuct10
_DEFAULT_PLAYOUTS = 400
_LEAST_TEMPERATURE = 0.01  # below, the best move is as good as certain


class AlphaZeroPlayer:
    """PUCT in the core (``core/search/puct.h``) with a network at the leaves.

    ``net`` is a file, a run folder or the name of a shipped net; without it, the shipped one for the game. A move takes
    ``playouts`` playouts or ``time`` seconds, whichever is used up first, or less if the position is solved; with
    neither, and no limit from the caller, 400 playouts. The tree is kept from move to move. ``scores`` are shares of
    the visits. With a ``temperature`` t the move is drawn with probabilities visits ** (1 / t); without, it is the most
    visited. On one thread, with a seed and no clock, it is reproducible.

    Instead of a ``net``, Python code may give an ``evaluator`` (``FunctionEvaluator`` or ``torch_evaluator`` of
    ``tengen.nets``) and the ``encoding`` of the planes it reads: by default ``othello`` if its policy has a pass, else
    ``gomoku``.
    """

    def __init__(
        self,
        *,
        name: str = "alphazero",
        seed: int | None = None,
        net: str | None = None,
        evaluator: _core.Evaluator | None = None,
        encoding: str | None = None,
        playouts: int | None = None,
        time: float | None = None,
        temperature: float = 0.0,
        **options: Any,
    ) -> None:
        self.name = name
        self._seed = seed
        if net is not None and evaluator is not None:
            raise PlayerNameError(f"{name!r} takes a net or an evaluator, not both")
        self._evaluator = evaluator
        self._encoding = encoding or ("othello" if evaluator is not None and evaluator.passes else "gomoku")
        try:
            found = None if net is None else net_of(net, "alphazero")
        except TengenError as trouble:
            raise PlayerNameError(f"{name!r}: {trouble}") from None
        self._path = found and found[0]
        self._config = found and found[1].config
        self._playouts = playouts
        self._time = time
        self._temperature = temperature
        self._options = options
        self._random = random.Random(seed)
        self._search: _Search | None = None
        self._for: Game | None = None

    def supports(self, game: Game) -> bool:
        """Whether the network can play a game; without a named one, whether one is shipped for it."""
        judge, config = self._evaluator or self._config, self._config
        if judge is None:
            return shipped_net(game, "alphazero") is not None
        same_kind = judge.passes == (game.kind == "othello") and (game.kind == "othello" or game.win == 5)
        return same_kind and (config is None or config.any_size or config.size == game.size)

    def why_not(self, game: Game) -> str:
        """Why it does not play a game."""
        if self._evaluator is not None:
            return "the evaluator is for another game"
        return missing_net(game, "alphazero") if self._path is None else "the net is for another board"

    def new_game(self) -> None:
        """Forget the tree and start the generator anew from the seed."""
        self._random = random.Random(self._seed)
        if self._search is not None:
            self._search.clear()

    def prepare(self, game: Game) -> None:
        """Load the network, so that no move's time goes into it."""
        if self._search is not None and self._for == game:
            return
        if not self.supports(game):
            raise TengenError(f"{self.name!r} does not play {game.name}: {self.why_not(game)}")
        evaluator, encoding = self._evaluator, self._encoding
        if evaluator is None:
            net = shipped_net(game, "alphazero") if self._path is None else None
            path = self._path if net is None else net.path
            assert path is not None
            evaluator, header = core_evaluator(path)
            encoding = header.config.encoding
        board: Any = game.new_board()
        self._search = _core.puct(board, evaluator, encoding, **self._options)
        self._for = game

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Search the position; raises ``IllegalMoveError`` if the game is over."""
        require_going(position)
        report = self.search(position, limit=limit)
        decision = decision_of(position, report, self._shares(position))
        drawn = self._drawn(position)
        return (
            decision
            if drawn in (None, decision.move)
            else Decision(drawn, scores=decision.scores, stats=decision.stats)
        )

    @property
    def draws_moves(self) -> bool:
        """Whether it may play another move than the best that ``search`` finds."""
        return self._temperature >= _LEAST_TEMPERATURE

    def search(
        self,
        position: Position,
        *,
        limit: Limit | None = None,
        lines: int = 1,
        on_report: Callable[[_core.SearchReport], object] | None = None,
    ) -> _core.SearchReport:
        """Search and return the core's whole report; the scores of its lines are visits."""
        self.prepare(position.game)
        assert self._search is not None
        board: Any = position.core
        limit = (limit or Limit()).within(seconds=self._time, nodes=self._playouts)
        playouts = playouts_within(limit, _DEFAULT_PLAYOUTS)
        return self._search.search(board, seconds=limit.seconds, nodes=playouts, lines=lines, on_report=on_report)

    def seen(self, position: Position) -> list[Seen]:
        """See :class:`TreeSearcher`."""
        shares = self._shares(position)
        moves = position.game.moves
        return [Seen(moves[a], shares[moves[a]], value, prior) for a, _, value, prior in self._rated()]

    def _rated(self) -> list[tuple[int, int, float, float]]:
        return self._search.root_moves() if self._search else []

    def _shares(self, position: Position) -> dict[Move, float]:
        moves, rated = position.game.moves, self._rated()
        total = sum(visits for _, visits, _, _ in rated)
        if total == 0:  # settled at a glance: the first is the move
            return {moves[action]: float(i == 0) for i, (action, *_) in enumerate(rated)}
        return {moves[action]: visits / total for action, visits, _, _ in rated}

    def _drawn(self, position: Position) -> Move | None:
        """A move drawn by its visits, or None for the best."""
        rated = self._rated()
        if not self.draws_moves or not rated or abs(rated[0][2]) == 1:  # proven: nothing to try out
            return None
        most = max(visits for _, visits, _, _ in rated)
        weights = [(visits / most) ** (1 / self._temperature) if most else 0.0 for _, visits, _, _ in rated]
        if not any(weights):
            return None
        return position.game.moves[self._random.choices([action for action, *_ in rated], weights)[0]]

    def stop(self) -> None:
        """End a search that is running."""
        if self._search is not None:
            self._search.stop()


_OPTIONS = {
    "net": PlayerOption(
        str, "a net: a file, a run folder, or a name from `tengen nets`", "the shipped one for the game"
    ),
    "playouts": PlayerOption(
        whole_number(1, 10**12), "playouts a move, from 1 on", "400, if nothing else ends the search"
    ),
    "time": PlayerOption(number(0.001, 1e6), "seconds a move, from 0.001 on", "no end"),
    "threads": PlayerOption(whole_number(1, 256), "threads, 1 to 256", "1"),
    "batch": PlayerOption(whole_number(1, 1024), "positions that a thread has judged together, 1 to 1024", "8"),
    "counts": PlayerOption(
        word("wu", "vloss", "none"), "playouts under way count as visits (wu), as losses (vloss) or not at all", "wu"
    ),
    "c": PlayerOption(number(0, 100), "weight of exploration; 0 to 100", "1.2"),
    "effort": PlayerOption(
        whole_number(0, 10**6),
        "positions searched for a win by fours at a leaf; Othello: empty cells played out",
        "200; 10",
    ),
    "vct": PlayerOption(
        whole_number(0, 10**6),
        "positions searched for a win by threes and fours at a node seen 16 times, four times as many at 64, ...",
        "400",
    ),
    "temperature": PlayerOption(number(0, 100), "above 0: the move is drawn by its visits", "0"),
    "memory": PlayerOption(whole_number(1, 65536), "megabytes for the tree, 1 to 65536; full, it grows no more", "512"),
}

register(
    PlayerKind("alphazero", "a network's search (PUCT), by default with the shipped net", AlphaZeroPlayer, _OPTIONS)
)
