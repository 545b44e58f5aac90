"""What the players have in common that play the move which a network rates highest, without a search."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.errors import PlayerNameError, TengenError
from tengen.games import ENCODINGS, Game, Move, Position, Side
from tengen.nets.evaluator import NETS_KEPT, OnnxEvaluator
from tengen.nets.header import NetHeader, written
from tengen.nets.shipped import missing_net, net_of, pair_of, shipped_net
from tengen.players._player import Rating
from tengen.players._searching import require_going

#: From a position and the moves that are considered to the values of all actions.
_Rates = Callable[[Position, Sequence[Move]], NDArray[np.float64]]


class RatingPlayer:
    """A player that rates the moves it considers, by default all legal ones, by a network.

    ``net`` is a file, a run folder or the name of a shipped net; without it, the shipped one for the game. Nothing is
    searched, so limits mean nothing.
    """

    method: ClassVar[str]  #: that trains its nets

    def __init__(self, *, name: str, seed: int | None, net: str | None) -> None:
        self.name = name
        self._seed = seed
        self._random = random.Random(seed)
        try:
            found = None if net is None else net_of(net, self.method)
            self._files = found and _files(*found)
        except TengenError as trouble:
            raise PlayerNameError(f"{name!r}: {trouble}") from None
        self._header = found and found[1]
        self._rates: dict[Side, _Rates] = {}
        self._for: Game | None = None

    def supports(self, game: Game) -> bool:
        """Whether the network can play a game; without a named one, whether one is shipped for it."""
        if self._header is None:
            return shipped_net(game, self.method) is not None
        config = self._header.config
        same_kind = config.passes == (game.kind == "othello")
        return same_kind and (config.size == game.size or (config.any_size and game.win == 5))

    def why_not(self, game: Game) -> str:
        """Why it does not play a game."""
        return missing_net(game, self.method) if self._files is None else "the net is for another board"

    def new_game(self) -> None:
        """Start the generator anew from the seed."""
        self._random = random.Random(self._seed)

    def prepare(self, game: Game) -> None:
        """Load the network, so that no move's time goes into it."""
        if self._for == game:
            return
        files, header = self._files, self._header
        if files is None and (net := shipped_net(game, self.method)) is not None:
            files, header = _files(net.path, net.header), net.header
        if files is None or header is None or not self.supports(game):
            raise TengenError(f"{self.name!r} does not play {game.name}: {self.why_not(game)}")
        self._rates = {side: _rater(path, written(path)) for side, path in files.items()}
        self._learn_of(header)
        self._for = game

    def rate(self, position: Position) -> list[Rating]:
        """The moves it considers with their ratings, best first; raises ``IllegalMoveError`` if the game is over."""
        require_going(position)
        self.prepare(position.game)
        considered = self._considered(position)
        values = self._rates[position.to_move](position, considered)
        scores = {move: float(values[move]) for move in considered}
        best_first = sorted(scores, key=lambda move: -scores[move])
        return [Rating(move, scores[move], self._worth(scores[move])) for move in best_first]

    def stop(self) -> None:
        """Nothing runs for long."""

    # What the kinds of player differ in.

    def _learn_of(self, header: NetHeader) -> None:
        """Look at what a net says of itself, before it is used."""

    def _considered(self, position: Position) -> list[Move]:
        """The moves that may be played, one or more; all of them legal."""
        return position.legal_moves()

    def _worth(self, score: float) -> float | None:
        """A rating as -1 (lost) to 1 (won); None where it says nothing of who wins."""
        return None


def _files(path: Path, header: NetHeader) -> dict[Side, Path]:
    """The file for each side: the same, or S2's pair, of which either is named."""
    pair = pair_of(path, header) or {"black": path, "white": path}
    return {side: pair[str(side)] for side in (Side.BLACK, Side.WHITE)}


@lru_cache(maxsize=NETS_KEPT)
def _rater(path: Path, _: tuple[int, int] | None) -> _Rates:
    """What a net says, by its file and when that was written."""
    if path.suffix == ".onnx":
        evaluator = OnnxEvaluator(path)

        def rate_by_onnx(position: Position, considered: Sequence[Move]) -> NDArray[np.float64]:
            return _values(evaluator.header, considered, *evaluator.evaluate(_planes(evaluator.header, position)))

        return rate_by_onnx
    try:
        import torch

        from tengen.nets.checkpoint import load
        from tengen.nets.network import infer
    except ModuleNotFoundError as missing:
        raise TengenError(f"weights need {missing.name}: pip install tengen[train], or export them to .onnx") from None
    net, header = load(path)

    def rate(position: Position, considered: Sequence[Move]) -> NDArray[np.float64]:
        with torch.inference_mode():
            policy, wdl = infer(net, torch.from_numpy(_planes(header, position)))
        return _values(header, considered, policy.numpy(), wdl.numpy())

    return rate


def _planes(header: NetHeader, position: Position) -> NDArray[np.uint8]:
    encoding = header.config.encoding
    if encoding in ENCODINGS:
        return position.planes(encoding)[None].astype(np.uint8)
    planes: NDArray[np.uint8] = np.asarray(_core.net_planes(position.core, encoding), np.uint8)[None]
    return planes


def _values(
    header: NetHeader, considered: Sequence[Move], policy: NDArray[np.float32], wdl: NDArray[np.float32]
) -> NDArray[np.float64]:
    """As ``train/dqn/values.py`` has them: the best move considered is worth what the position is."""
    values: NDArray[np.float64] = policy[0].astype(np.float64)
    if not header.config.rates_moves:
        values += float(wdl[0, 0] - wdl[0, 2]) - values[[int(move) for move in considered]].max()
    return values
