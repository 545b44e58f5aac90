"""Who plays whom from which opening, in which order: the same for the same settings, however long the match."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tengen.arena.openings import OpeningSource, StartPosition
from tengen.arena.timekeeper import Terms
from tengen.errors import PlayerNameError
from tengen.naming import split_name
from tengen.search import Limit, TimeControl

#: A move may take this much longer than the player was told to take.
GRACE_SECONDS = 2.0

#: When a player is not told how long to think, nor its name says so, a move may take this long.
UNTIMED_SECONDS = 600.0

# The keys of a player's name that settle how much it thinks.
_OWN_BUDGET = frozenset({"time", "depth", "nodes", "playouts"})

_SEEDS = 1 << 31  # seeds that every kind of player can take


@dataclass(frozen=True)
class Scheduled:
    """A game to be played; ``black`` and ``white`` are places in the list of players."""

    number: int
    pair: int
    black: int
    white: int
    opening: StartPosition


def schedule(players: int, games: int, openings: OpeningSource) -> Iterator[Scheduled]:
    """A round robin: every two players play ``games`` games, two from each opening, with colours swapped.

    In each round all meet from the same new opening. A longer match begins with the games of a shorter one.
    """
    meetings = list(combinations(range(players), 2))
    for turn in range((games + 1) // 2):
        opening = next(openings)
        for place, (first, second) in enumerate(meetings):
            pair = turn * len(meetings) + place
            yield Scheduled(2 * pair, pair, first, second, opening)
            if 2 * turn + 1 < games:
                yield Scheduled(2 * pair + 1, pair, second, first, opening)


def player_seed(seed: int, number: int, player: int) -> int:
    """The seed of a player in a game: fixed by the match's seed, and another one in every game."""
    digest = hashlib.blake2b(f"{seed} {number} {player}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _SEEDS


def player_terms(name: str, seconds: float | None, timeout: float | None, clock: TimeControl | None = None) -> Terms:
    """What a player is told to spend on a move, and when the referee steps in.

    A name that says how much to think (``time``, ``depth``, ``nodes``, ``playouts``) is not told otherwise, except by a
    clock, which runs for all. Raises ``PlayerNameError`` if the name is none.
    """
    if clock is not None:
        return Terms(None, timeout, clock)
    _, options = split_name(name, what="player", error=PlayerNameError)
    own = None
    with contextlib.suppress(ValueError):
        own = float(options.get("time", ""))
    told = None if _OWN_BUDGET & options.keys() else seconds
    if timeout is None:
        spent = own if own is not None else told
        timeout = UNTIMED_SECONDS if spent is None else spent + GRACE_SECONDS
    return Terms(None if told is None else Limit(seconds=told), timeout)


def check_names(players: Sequence[str]) -> None:
    """Raises ``PlayerNameError`` unless there are two players or more, none of them a person."""
    if len(players) < 2:
        raise PlayerNameError("a match needs two players or more")
    for name in players:
        if split_name(name, what="player", error=PlayerNameError)[0] == "human":
            raise PlayerNameError("a person cannot play in the arena; `tengen play` is for that")
