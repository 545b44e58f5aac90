"""A person, who is asked for each move."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tengen.errors import IllegalMoveError, TengenError
from tengen.games import Game, Position
from tengen.players._player import Decision
from tengen.players._registry import PlayerKind, register
from tengen.search import Limit

#: Asks the person about a position and returns the answer; raises ``EOFError`` when there will be none.
Ask = Callable[[Position], str]


class Resigned(TengenError):  # noqa: N818 - it is a choice, not a mistake
    """The person whose turn it was has given up."""


def _ask_on_stdin(position: Position) -> str:
    return input(f"{position.to_move}> ")


def _tell_on_stderr(text: str) -> None:
    print(text, file=sys.stderr)


class HumanPlayer:
    """A person: ``ask`` gets each answer and ``tell`` says what was wrong with it.

    By default the question is a prompt on standard output, answered on standard input.
    """

    def __init__(
        self,
        *,
        name: str = "human",
        seed: int | None = None,
        ask: Ask = _ask_on_stdin,
        tell: Callable[[str], None] = _tell_on_stderr,
    ) -> None:
        self.name = name
        self._ask = ask
        self._tell = tell

    def supports(self, game: Game) -> bool:
        """Every game."""
        return True

    def new_game(self) -> None:
        """Nothing to forget."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Ask until the answer is a legal move.

        Raises ``Resigned`` when the answer is ``resign``, ``EOFError`` when the input ends, ``IllegalMoveError`` if the
        game is over.
        """
        if position.is_over:
            raise IllegalMoveError("the game is over; there is no move to choose")
        while True:
            answer = self._ask(position).strip()
            if answer.lower() == "resign":
                raise Resigned(f"{position.to_move} resigns")
            try:
                return Decision(position.copy().play(answer))
            except TengenError as trouble:
                self._tell(str(trouble))

    def stop(self) -> None:
        """Nothing to do: a question that has been asked cannot be taken back."""


register(PlayerKind("human", "a person at the terminal", HumanPlayer, {}))
