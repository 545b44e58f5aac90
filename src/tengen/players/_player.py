"""What a player is: something that looks at a position and decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from tengen.errors import PlayerNameError
from tengen.games import Game, Move, Position
from tengen.search import Limit


@dataclass(frozen=True)
class Decision:
    """What a player decided and why.

    ``value`` is what the mover expects, from -1 (lost) to 1 (won), or None from players that do not say. ``pv`` is the
    line it expects, its own move first. ``scores`` rates single moves, higher is better. ``stats`` counts (nodes, ...).
    """

    move: Move
    value: float | None = None
    pv: tuple[Move, ...] = ()
    scores: Mapping[Move, float] = field(default_factory=dict)
    stats: Mapping[str, float] = field(default_factory=dict)


@runtime_checkable
class Player(Protocol):
    """The protocol that every player obeys.

    A player is used by one thread at a time, except for ``stop``, which any thread may call. On one thread and with a
    seed it is reproducible: after ``new_game`` the same positions get the same decisions.

    Two methods more are optional. ``prepare(game)`` does what is slow (loading, starting a process) after ``new_game``
    and before anybody's time runs. ``close()`` lets go of what the player holds.
    """

    @property
    def name(self) -> str:
        """The name that makes this player again, seed aside."""

    def supports(self, game: Game) -> bool:
        """Whether the player can play a game."""

    def new_game(self) -> None:
        """Forget the last game; the random generator starts anew from the seed."""

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        """Decide on a legal move; the position is left as it was. Raises ``TengenError`` if the game is over."""

    def stop(self) -> None:
        """Ask a ``choose`` that is running to return the best it has, soon; harmless otherwise."""


class Rating(NamedTuple):
    """What a move is worth to the mover: in the player's own unit, and from -1 to 1 where that can be said."""

    move: Move
    score: float
    value: float | None


@runtime_checkable
class Rater(Protocol):
    """A player that rates moves without a search."""

    def rate(self, position: Position) -> list[Rating]:
        """All legal moves that it considers, best first. Raises ``TengenError`` if the game is over."""


class Seen(NamedTuple):
    """What a tree search has seen of a move: its share of the visits, its value, and a network's first thought."""

    move: Move
    share: float
    value: float
    prior: float | None = None


@runtime_checkable
class TreeSearcher(Protocol):
    """A player that shares out visits over the moves."""

    def seen(self, position: Position) -> list[Seen]:
        """The moves of the search of this position, best first; also while it goes on, from its ``on_report``."""


def require_plays(player: Player, game: Game) -> None:
    """Raise ``PlayerNameError`` if a player does not play a game, with the reason where it has a ``why_not``."""
    if not player.supports(game):
        why_not = getattr(player, "why_not", None)
        reason = "" if why_not is None else f": {why_not(game)}"
        words = f"{player.name} does not play {game}{reason}"
        raise PlayerNameError(words, code="does_not_play", details=[player.name, game])
