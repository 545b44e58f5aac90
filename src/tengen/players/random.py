"""The player that plays any legal move."""

from __future__ import annotations

import random

from tengen.errors import IllegalMoveError
from tengen.games import Game, Position
from tengen.players._player import Decision
from tengen.players._registry import PlayerKind, register
from tengen.search import Limit


class DrawingPlayer:
    """What players have in common that draw their move from a set, uniformly and from a seeded generator."""

    def __init__(self, *, name: str, seed: int | None = None) -> None:
        self.name = name
        self._seed = seed
        self._random = random.Random(seed)

    def __repr__(self) -> str:
        return f"<player {self.name}>"

    def new_game(self) -> None:
        """Start the generator anew; without a seed, games stay different."""
        if self._seed is not None:
            self._random = random.Random(self._seed)

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Draw one of the candidates; raises ``IllegalMoveError`` if the game is over."""
        if position.is_over:
            raise IllegalMoveError("the game is over; there is no move to choose")
        action = self._random.choice(self.candidates(position))
        return Decision(position.game.moves[action])

    def candidates(self, position: Position) -> list[int]:
        """The legal actions to draw from; never empty in a game that goes on."""
        return position.core.legal_actions()

    def stop(self) -> None:
        """Nothing to do: a choice takes no time."""


class RandomPlayer(DrawingPlayer):
    """Plays any legal move, each with the same probability."""

    def supports(self, game: Game) -> bool:
        """Every game."""
        return True


register(PlayerKind("random", "any legal move", RandomPlayer, {}))
