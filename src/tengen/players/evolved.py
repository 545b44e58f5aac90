"""A network that evolution bred, played greedily."""

from __future__ import annotations

from tengen.games import Move, Position
from tengen.players._player import Decision, Rating
from tengen.players._rating import RatingPlayer
from tengen.players._registry import PlayerKind, PlayerOption, register
from tengen.search import Limit

_ALIKE = 1e-5  # times the highest rating: differences below come from rounding


class EvolvedPlayer(RatingPlayer):
    """Plays the legal move that its network rates highest; ``scores`` are all ratings, which only compare moves.

    Of moves that are rated alike it takes the one nearest to the centre, and of these it draws one.
    """

    method = "evolution"

    def __init__(self, *, name: str = "evolved", seed: int | None = None, net: str | None = None) -> None:
        super().__init__(name=name, seed=seed, net=net)

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Rate the legal moves and play the best; raises ``IllegalMoveError`` if the game is over."""
        ratings = self.rate(position)
        move = self._random.choice(_best(ratings, position.game.size))
        return Decision(move, scores={rating.move: rating.score for rating in ratings})


def _best(ratings: list[Rating], size: int) -> list[Move]:
    highest = ratings[0].score
    alike = [rating.move for rating in ratings if highest - rating.score <= _ALIKE * max(1.0, abs(highest))]

    def distance(move: Move) -> int:
        row, column = divmod(int(move), size)
        return (2 * row - size + 1) ** 2 + (2 * column - size + 1) ** 2

    nearest = min(map(distance, alike))
    return [move for move in alike if distance(move) == nearest]


register(
    PlayerKind(
        "evolved",
        "a network that evolution bred, by default the shipped one",
        EvolvedPlayer,
        {
            "net": PlayerOption(
                str, "a net: a file, a run folder, or a name from `tengen nets`", "the shipped one for the game"
            ),
        },
    )
)
