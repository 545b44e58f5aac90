"""A network that rates moves (Q-learning), played greedily."""

from __future__ import annotations

import math

from tengen.games import Move, Position
from tengen.nets.header import NetHeader
from tengen.players._margin import within_margin
from tengen.players._player import Decision
from tengen.players._rating import RatingPlayer
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.players._searching import number
from tengen.search import Limit


class DqnPlayer(RatingPlayer):
    """Plays the legal move that its network values most; ``scores`` are the values of all of them (Q).

    A net that learned with a margin (S0) considers no other moves than it did then. On an empty board of Gomoku all
    open as S0 does, in the central 5x5: what nets learn begins there, and of other first moves they know nothing. With
    ``epsilon`` a move is now and then drawn at random instead.
    """

    method = "dqn"

    def __init__(
        self, *, name: str = "dqn", seed: int | None = None, net: str | None = None, epsilon: float = 0.0
    ) -> None:
        super().__init__(name=name, seed=seed, net=net)
        self._epsilon = epsilon
        self._unit: float | None = None  # the reward of a win
        self._margin: int | None = None

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Rate the legal moves and play the best; raises ``IllegalMoveError`` if the game is over."""
        ratings = self.rate(position)
        scores = {rating.move: rating.score for rating in ratings}
        if self._epsilon and self._random.random() < self._epsilon:
            return Decision(self._random.choice(self._considered(position)), scores=scores)
        return Decision(ratings[0].move, value=ratings[0].value, scores=scores)

    def _learn_of(self, header: NetHeader) -> None:
        self._unit = _reward_of_a_win(header)
        self._margin = _margin(header)

    def _considered(self, position: Position) -> list[Move]:
        moves = position.legal_moves()
        if position.game.kind != "gomoku" or (self._margin is None and position.board().any()):
            return moves
        return within_margin(position, moves, self._margin or 0)

    def _worth(self, score: float) -> float | None:
        """None where Q counts shapes as well."""
        if self._unit is None:
            return None
        return max(-1.0, min(1.0, score / self._unit))


def _reward_of_a_win(header: NetHeader) -> float | None:
    """What the net was given for a win; None if it was rewarded for other things too (S0, S1)."""
    reward, scale = header.training.get("reward", "win"), header.training.get("reward_scale", 1.0)
    known = isinstance(scale, int | float) and math.isfinite(scale) and scale > 0
    return float(scale) if reward == "win" and known else None


def _margin(header: NetHeader) -> int | None:
    """How far from the stones the net was to play; None if anywhere."""
    margin = header.training.get("margin")
    return margin if type(margin) is int and margin >= 0 else None


register(
    PlayerKind(
        "dqn",
        "a network that rates moves (Q-learning), by default the shipped one",
        DqnPlayer,
        {
            "net": PlayerOption(
                str, "a net: a file, a run folder, or a name from `tengen nets`", "the shipped one for the game"
            ),
            "epsilon": PlayerOption(number(0, 1), "chance of a random move, 0 to 1", "0"),
        },
    )
)
