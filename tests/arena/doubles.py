"""Players that misbehave, and one that is perfectly predictable. Nothing is registered here; see doubles_kinds.py."""

from __future__ import annotations

import os
import signal
import time

from tengen.games import Game, Position
from tengen.players import Decision, Limit


class Double:
    """Plays the legal move with the lowest index, always."""

    def __init__(self, *, name: str = "first", seed: int | None = None) -> None:
        self.name = name
        self.seed = seed

    def supports(self, game: Game) -> bool:
        return True

    def new_game(self) -> None:
        pass

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        return Decision(position.legal_moves()[0])

    def stop(self) -> None:
        pass


class Crashing(Double):
    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        raise RuntimeError("out of ideas")


class Exiting(Double):
    """Takes its process along."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        if position.ply >= 8:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(position, limit=limit)


class Sleeping(Double):
    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        time.sleep(3600)
        return super().choose(position, limit=limit)


class Late(Double):
    """Answers, but too late."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        time.sleep(0.2)
        return super().choose(position, limit=limit)


class Illegal(Double):
    """Plays where a stone is."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        moves = position.moves
        return Decision(moves[0]) if moves else super().choose(position)


class WrongType(Double):
    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        return "h8"  # type: ignore[return-value]


class WrongMove(Double):
    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        return Decision(None)  # type: ignore[arg-type]


class Meddling(Double):
    """Plays on the board it is shown."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        move = position.legal_moves()[0]
        position.play(move)
        return Decision(move)


class Unmakeable(Double):
    def __init__(self, *, name: str = "unmakeable", seed: int | None = None) -> None:
        raise RuntimeError("no weights")


class Pondering(Double):
    """Plays well-behaved but takes its time, so that a test can kill the match in the middle."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        time.sleep(0.004)
        return super().choose(position, limit=limit)


class NoOthello(Double):
    def supports(self, game: Game) -> bool:
        return game.kind == "gomoku"


class Told(Double):
    """Faults with the time that it was told, so that a test can read it."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        raise RuntimeError(f"told {limit.seconds if limit else None}")


DOUBLES: dict[str, type[Double]] = {
    "first": Double,
    "crashing": Crashing,
    "exiting": Exiting,
    "sleeping": Sleeping,
    "late": Late,
    "illegal": Illegal,
    "wrongtype": WrongType,
    "wrongmove": WrongMove,
    "meddling": Meddling,
    "unmakeable": Unmakeable,
    "pondering": Pondering,
    "noothello": NoOthello,
    "told": Told,
}
