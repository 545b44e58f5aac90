"""How strong is the network by now? Small matches beside the run, against a ladder of players and its earlier self."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import tengen
from tengen.errors import TengenError
from tengen.games import Game
from tengen.nets.checkpoint import load
from tengen.nets.network import Net
from tengen.players import Player
from tengen.train.alphazero.matches import NetPlayer, cpu_evaluator, play_pairs

#: From weak to strong; a network goes on to the next when it scores more than ``STEP_UP`` against one.
LADDER = (
    "random",
    "greedy",
    "minimax:depth=1",
    "minimax:depth=2",
    "alphabeta:depth=2",
    "alphabeta:depth=4",
    "alphabeta:depth=6",
)
STEP_UP = 0.75


class Rater:
    """Rates a network now and then, in a thread of its own and on the CPU, so that the run goes on meanwhile.

    ``rung`` is the place on the ladder (those of ``LADDER`` that know the game) that it stands before. A rating that
    fails does no harm to the run: ``trouble`` then says why.
    """

    def __init__(self, game: Game, *, games: int, playouts: int, rung: int = 0) -> None:
        self.ladder: Sequence[str] = [name for name in LADDER if tengen.player(name).supports(game)]
        self.rung = min(rung, len(self.ladder) - 1)
        self._game = game
        self._games = games
        self._playouts = playouts
        self._crew = ThreadPoolExecutor(1, "rating")
        self._under_way: Future[dict[str, float]] | None = None
        self._playing: tuple[Player, ...] = ()
        self._closed = False
        self.trouble = ""

    def start(self, net: Net, earlier: Path | None, *, seed: int) -> None:
        """Begin to rate a network, against the weights in a file too if there is one; nothing if one is under way."""
        if self._under_way is not None:
            return
        try:
            player = NetPlayer("the newest net", cpu_evaluator(net), net.config, playouts=self._playouts)
            before = None
            if earlier is not None:
                old, _ = load(earlier)
                before = NetPlayer("its earlier self", cpu_evaluator(old), old.config, playouts=self._playouts)
        except (TengenError, ImportError) as trouble:
            self.trouble = str(trouble)
            return
        self._under_way = self._crew.submit(self._rate, player, before, seed)

    def result(self) -> dict[str, float]:
        """What was found since the last call: ``rung``, ``rung_score`` and perhaps ``self_score``; or nothing yet."""
        if self._under_way is None or not self._under_way.done():
            return {}
        done, self._under_way = self._under_way, None
        try:
            found = done.result()
        except Exception as trouble:  # whatever a player can do wrong
            self.trouble = str(trouble)
            return {}
        if found.get("rung_score", 0.0) > STEP_UP:
            self.rung = min(self.rung + 1, len(self.ladder) - 1)
        return found

    def close(self) -> None:
        """End what is under way, soon."""
        self._closed = True
        while self._under_way is not None and not self._under_way.done():
            for player in self._playing:
                player.stop()
            try:
                self._under_way.exception(timeout=0.05)
            except TimeoutError:
                continue
        self._crew.shutdown()

    def _rate(self, player: NetPlayer, before: NetPlayer | None, seed: int) -> dict[str, float]:
        found: dict[str, float] = {}
        score = self._against(player, tengen.player(self.ladder[self.rung]), seed)
        if score is not None:
            found |= {"rung": float(self.rung), "rung_score": score}
        score = None if before is None else self._against(player, before, seed)
        return found if score is None else {**found, "self_score": score}

    def _against(self, player: Player, rival: Player, seed: int) -> float | None:
        self._playing = (player, rival)
        return play_pairs(player, rival, [self._game], self._games, seed=seed, stopped=lambda: self._closed)
