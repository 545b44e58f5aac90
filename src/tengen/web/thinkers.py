"""Programs that think for the page: so many at a time as there are cores, each bounded in time, threads and memory.

Moves and analyses have places of their own: whoever plays does not wait for those who look on. And of those, whoever
has looked on for a while gives way to others who wait.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Final, TypeVar

from tengen.errors import PlayerNameError, TengenError
from tengen.games import Game, Position
from tengen.naming import join_name, split_name
from tengen.nets.shipped import shipped_nets
from tengen.players import Decision, Limit, Player, player, player_kinds
from tengen.players._player import require_plays

T = TypeVar("T")

#: The kinds of player that a browser may ask for. Others run programs or wait for people.
KINDS: Final = ("random", "greedy", "minimax", "mcts", "alphabeta", "alphazero", "dqn", "evolved")

#: No search takes longer than this.
MOST_SECONDS: Final = 300.0

#: Of a move, where neither the game nor the player's name bounds it.
USUAL_SECONDS: Final = 2.0

_BOUNDING: Final = ("time", "playouts", "nodes", "depth")
_MOST: Final = {"threads": os.cpu_count() or 1, "hash": 256, "memory": 512, "playouts": 10**7, "nodes": 10**10}
_REST_SECONDS = 300.0  # that a player is kept for its game
_STOP_EVERY = 0.05  # seconds between the reminders to a search that is to end
_LOOK_SECONDS = 10.0  # that an analysis has, where others wait for its place
_WAIT_EVERY = 0.25  # seconds between the looks whether there is one that has had them


def check_player(name: str, game: Game, *, others: Sequence[str] = ()) -> Player:
    """A player, not yet ready, of a name that a stranger may use; ``PlayerNameError`` names the ``others`` too.

    Raises ``TengenError`` if it cannot be, or does not play the game.
    """
    made = player(checked_name(name, others=others))
    require_plays(made, game)
    return made


def checked_name(name: str, *, others: Sequence[str] = ()) -> str:
    """A player's name that a stranger may use; raises ``PlayerNameError``, which names the ``others`` too.

    Nets are named, never files: no path from a browser touches the disk.
    """
    kind, options = split_name(name, what="player", error=PlayerNameError)
    if kind not in KINDS:
        known = ", ".join((*others, *KINDS))
        raise PlayerNameError(
            f"the page has no player {kind!r}; it has {known}", code="no_player", details=[kind, known]
        )
    nets = [net.name for net in shipped_nets()]
    if (net := options.get("net")) is not None and net not in nets:
        known = ", ".join(nets)
        raise PlayerNameError(f"the page has no net {net!r}; it has {known}", code="no_net", details=[net, known])
    for key, most in _MOST.items():
        value = options.get(key, "0")
        if key in options and (not value.isdecimal() or int(value) > most):
            words = f"{key} is a whole number up to {most} here, not {value[:20]!r}"
            raise PlayerNameError(words, code="option_range", details=[key, most])
    unknown = set(options) - set(player_kinds()[kind].options)
    if unknown:
        names = ", ".join(sorted(unknown))
        raise PlayerNameError(f"{kind} has no option {names}", code="no_option", details=[kind, names])
    return join_name(kind, options)


@dataclass(eq=False)
class _Held:
    """A player, and the game that it thought about last."""

    name: str
    player: Player
    owner: object = None
    leaving: asyncio.TimerHandle | None = None  # of one at rest


@dataclass(eq=False)
class _Look:
    """An analysis that is going on."""

    player: Player
    began: float = field(default_factory=monotonic)
    gives_way: bool = False


class Thinkers:
    """Players that several games share. To be used from one event loop.

    A game gets the player back that it had before, with what that remembers, as long as there is room for it.
    """

    def __init__(self, *, workers: int | None = None) -> None:
        self.workers = workers or max(1, os.cpu_count() or 1)
        self._executor = ThreadPoolExecutor(2 * self.workers, "thinker")
        self._moving, self._looking = (asyncio.Semaphore(self.workers) for _ in range(2))
        self._looks: list[_Look] = []  # the longest at it first
        self._resting: list[_Held] = []  # the longest at rest first
        self._thinking = 0

    async def decide(self, name: str, position: Position, *, limit: Callable[[], Limit], owner: object) -> Decision:
        """What a player plays. If the task is cancelled the search ends with it.

        ``limit`` is asked for when the search begins: while it waited for its turn a clock went on.
        """
        async with self._moving, self._lent(name, position.game, owner) as lent:
            bounded = _bounded(name, limit())
            return await self._run(lent, lambda: lent.choose(position, limit=bounded))

    async def look(
        self,
        name: str,
        game: Game,
        work: Callable[[Player], T],
        *,
        owner: object,
        on_wait: Callable[[], Awaitable[None]],
    ) -> tuple[T, bool]:
        """Let a player analyse, likewise; says too whether it was stopped because others were waiting.

        ``on_wait`` is called if there is no place for it yet.
        """
        if self._looking.locked():
            await on_wait()  # which may take as long as it likes: it holds no place, and stands in no queue
        async with self._place_to_look(), self._lent(name, game, owner) as lent:
            look = _Look(lent)
            self._looks.append(look)
            try:
                return await self._run(lent, lambda: work(lent)), look.gives_way
            finally:
                self._looks.remove(look)

    @asynccontextmanager
    async def _place_to_look(self) -> AsyncIterator[None]:
        if self._looking.locked():
            await self._wait_for_place()
        else:
            await self._looking.acquire()  # at once: nobody comes between
        try:
            yield
        finally:
            self._looking.release()

    async def _wait_for_place(self) -> None:
        place = asyncio.ensure_future(self._looking.acquire())
        try:
            while not place.done():
                await asyncio.wait([place], timeout=_WAIT_EVERY)
                if not place.done() and self._looks and monotonic() - self._looks[0].began > _LOOK_SECONDS:
                    self._looks[0].gives_way = True
                    self._looks[0].player.stop()
        except asyncio.CancelledError:
            if not place.cancel():  # it came at the same moment
                self._looking.release()
            raise

    @asynccontextmanager
    async def _lent(self, name: str, game: Game, owner: object) -> AsyncIterator[Player]:
        resting = self._picked(name, owner)
        self._thinking += 1
        self._make_room()
        try:
            held = await self._in_thread(_ready, resting, name, game)
            held.owner = owner
            try:
                yield held.player
            finally:
                self._rest(held)
        finally:
            self._thinking -= 1

    async def _run(self, lent: Player, work: Callable[[], T]) -> T:
        """Let a player do something in a thread of its own."""
        future = asyncio.get_running_loop().run_in_executor(self._executor, work)
        cancelled: asyncio.CancelledError | None = None
        while not future.done():  # however often the task is cancelled: nobody else may have the player before
            try:
                # A reminder that comes before the search has begun is lost on it; so there are several.
                await asyncio.wait([future], timeout=None if cancelled is None else _STOP_EVERY)
            except asyncio.CancelledError as why:
                cancelled = why
            if cancelled is not None:
                lent.stop()
        if cancelled is None:
            return future.result()
        if not future.cancelled():
            future.exception()  # nobody waits for it any more
        raise cancelled

    async def _in_thread(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, *arguments)

    def _picked(self, name: str, owner: object) -> _Held | None:
        """One at rest, as its owner left it or else as new."""
        same = [held for held in self._resting if held.name == name]
        if not same:
            return None
        held = next((each for each in same if each.owner == owner), same[0])
        self._wake(held)
        if held.owner != owner:
            held.player.new_game()
        return held

    def _rest(self, held: _Held) -> None:
        held.leaving = asyncio.get_running_loop().call_later(_REST_SECONDS, self._wake, held)
        self._resting.append(held)

    def _wake(self, held: _Held) -> None:
        """It rests no longer; unless somebody holds it, it is gone."""
        assert held.leaving is not None
        held.leaving.cancel()
        self._resting.remove(held)

    def _make_room(self) -> None:
        """Never more than may think at a time: each has a bound for its memory, and so all have one."""
        while self._resting and len(self._resting) + self._thinking > 2 * self.workers:
            self._wake(self._resting[0])

    def close(self) -> None:
        """Let everybody go; searches that still run end soon."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        while self._resting:
            self._wake(self._resting[0])


def _ready(held: _Held | None, name: str, game: Game) -> _Held:
    """A player that can begin at once; making one takes a while."""
    held = held or _Held(name, player(name))
    require_plays(held.player, game)
    prepare = getattr(held.player, "prepare", None)
    if prepare is not None:
        prepare(game)
    return held


def _bounded(name: str, limit: Limit) -> Limit:
    """Without a bound from anybody a player would think as long as it may at most, which is no game."""
    _, options = split_name(name, what="player", error=PlayerNameError)
    is_bounded = limit != Limit() or not options.keys().isdisjoint(_BOUNDING)
    return limit.within(seconds=MOST_SECONDS if is_bounded else USUAL_SECONDS)


def plays(name: str, game: Game) -> bool:
    """Whether a player of this name plays a game."""
    try:
        return player(name).supports(game)
    except TengenError:
        return False
