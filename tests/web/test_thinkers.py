"""Players that games share: who is kept, how long, and how many."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pytest

from tengen.errors import PlayerNameError, TengenError
from tengen.games import Game, Position
from tengen.players import Decision, Limit
from tengen.web import thinkers
from tengen.web.thinkers import Thinkers

T = TypeVar("T")


async def decide(pool: Thinkers, name: str, owner: object) -> None:
    await pool.decide(name, Position("gomoku"), limit=Limit, owner=owner)


async def look(
    pool: Thinkers, name: str, owner: int, work: Callable[[Any], T], waiting: list[int] | None = None
) -> tuple[T, bool]:
    async def note() -> None:
        if waiting is not None:
            waiting.append(owner)

    return await pool.look(name, Game.parse("gomoku"), work, owner=owner, on_wait=note)


def resting(pool: Thinkers) -> list[object]:
    return [held.owner for held in pool._resting]


def test_there_are_never_more_players_than_may_think() -> None:
    async def play() -> None:
        pool = Thinkers(workers=1)  # a move and an analysis
        for owner, name in enumerate(("random", "greedy", "minimax:depth=1")):
            await decide(pool, name, owner)
        assert resting(pool) == [1, 2]
        during, _ = await look(pool, "alphabeta", 3, lambda _: resting(pool))
        assert (during, resting(pool)) == ([2], [2, 3])
        during, _ = await look(pool, "minimax:depth=1", 2, lambda _: resting(pool))
        assert (during, resting(pool)) == ([3], [3, 2])
        with pytest.raises(TengenError):
            await decide(pool, "alphazero:net=othello-8x8", 4)
        await decide(pool, "random", 5)
        assert resting(pool) == [2, 5]
        pool.close()
        assert resting(pool) == []

    asyncio.run(play())


def test_who_rests_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_REST_SECONDS", 1.0)

    async def play() -> None:
        pool = Thinkers(workers=1)
        await decide(pool, "random", 1)
        await asyncio.sleep(0.6)
        assert resting(pool) == [1]
        await decide(pool, "random", 1)  # and rests anew
        await asyncio.sleep(0.6)
        assert resting(pool) == [1]
        await asyncio.sleep(0.6)
        assert resting(pool) == []
        pool.close()

    asyncio.run(play())


def test_a_game_gets_its_own_player_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pool = Thinkers(workers=2)
        await asyncio.gather(decide(pool, "random", 1), decide(pool, "random", 2))
        other, own = pool._resting
        begun: list[object] = []
        for held in pool._resting:
            monkeypatch.setattr(held.player, "new_game", partial(begun.append, held))
        await decide(pool, "random", own.owner)
        assert (pool._resting, begun) == ([other, own], [])
        await decide(pool, "random", 3)  # who has none, and gets the one that has rested longer
        assert (resting(pool), begun) == ([own.owner, 3], [other])
        pool.close()

    asyncio.run(play())


@pytest.mark.parametrize(
    ("kind", "key", "most"),
    [
        ("mcts", "playouts", 10_000_000),
        ("alphazero", "playouts", 10_000_000),
        ("alphabeta", "nodes", 10_000_000_000),
        ("alphabeta", "hash", 256),
        ("alphazero", "memory", 512),
        ("alphazero", "threads", os.cpu_count() or 1),
    ],
)
def test_what_a_stranger_may_ask_of_a_player_is_bounded(kind: str, key: str, most: int) -> None:
    assert thinkers.check_player(f"{kind}:{key}={most}", Game.parse("gomoku")).name == f"{kind}:{key}={most}"
    for odd in (most + 1, 10**20, -1, "1e3"):
        with pytest.raises(PlayerNameError) as refused:
            thinkers.check_player(f"{kind}:{key}={odd}", Game.parse("gomoku"))
        assert refused.value.code == "option_range"


class Slow:
    """A player that hears a ``stop`` only when its search has begun, and takes a while to end then."""

    name = "slow"

    def __init__(self) -> None:
        self.searches = self.most = self.reminders = 0
        self.stopped = threading.Event()

    def supports(self, game: Game) -> bool:
        return True

    def new_game(self) -> None:
        assert self.searches == 0

    def choose(self, position: Position, *, limit: Limit | None = None) -> Decision:
        self.searches += 1
        self.most = max(self.most, self.searches)
        self.stopped.clear()
        self.stopped.wait(5)
        time.sleep(0.2)
        self.searches -= 1
        return Decision(position.legal_moves()[0])

    def stop(self) -> None:
        self.reminders += 1
        self.stopped.set()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Slow]:
    """Every player that is made is a slow one, and is noted here."""
    players: list[Slow] = []

    def make(name: str) -> Any:
        players.append(Slow())
        return players[-1]

    monkeypatch.setattr(thinkers, "player", make)
    return players


def test_a_player_is_nobody_elses_before_its_search_has_ended(made: list[Slow]) -> None:
    async def play() -> None:
        pool = Thinkers(workers=2)
        turn = asyncio.create_task(decide(pool, "slow", 1))
        while not (made and made[0].searches):
            await asyncio.sleep(0.01)
        for _ in range(3):
            turn.cancel()
            await asyncio.sleep(0.02)
        assert (turn.done(), resting(pool)) == (False, [])
        other = asyncio.create_task(decide(pool, "slow", 1))
        with pytest.raises(asyncio.CancelledError):
            await turn
        assert resting(pool) == [1]
        assert made[0].searches == 0
        other.cancel()
        await asyncio.wait([other])
        pool.close()

    asyncio.run(play())
    assert [player.most for player in made] == [1, 1]


def test_whoever_has_looked_on_for_a_while_gives_way(made: list[Slow], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_LOOK_SECONDS", 0.6)
    monkeypatch.setattr(thinkers, "_WAIT_EVERY", 0.05)

    async def play() -> None:
        pool, waiting, ended = Thinkers(workers=2), [], []

        def search(lent: Slow) -> int:
            return len(str(lent.choose(Position("gomoku")).move))

        async def analyse(owner: int) -> None:
            ended.append((owner, (await look(pool, "slow", owner, search, waiting))[1]))

        analyses = [asyncio.create_task(analyse(1))]
        await asyncio.sleep(0.3)
        analyses.append(asyncio.create_task(analyse(2)))
        await asyncio.sleep(0.1)
        assert (waiting, ended) == ([], [])
        analyses += [asyncio.create_task(analyse(owner)) for owner in (3, 4)]
        await asyncio.sleep(0.05)
        analyses[3].cancel()  # who waits no longer stops nobody
        began = time.monotonic()
        while len(ended) < 2 and time.monotonic() - began < 1.5:
            await asyncio.sleep(0.02)
        assert (waiting, ended) == ([3, 4], [(1, True)])
        assert len(pool._looks) == 2
        for analysis in analyses:
            analysis.cancel()
        await asyncio.wait(analyses)
        assert not pool._looking.locked()
        assert await look(pool, "slow", 5, lambda _: "found") == ("found", False)
        pool.close()

    asyncio.run(play())


def test_of_those_who_ask_at_one_moment_all_but_the_first_hear_that_they_wait(made: list[Slow]) -> None:
    async def play() -> None:
        pool, waiting = Thinkers(workers=1), []

        def search(lent: Slow) -> str:
            return str(lent.choose(Position("gomoku")).move)

        analyses = [asyncio.create_task(look(pool, "slow", owner, search, waiting)) for owner in range(3)]
        await asyncio.sleep(0.1)
        assert waiting == [1, 2]
        for analysis in analyses:
            analysis.cancel()
        await asyncio.wait(analyses)
        assert not pool._looking.locked()
        pool.close()

    asyncio.run(play())


def test_who_cannot_be_told_that_it_waits_keeps_no_place(made: list[Slow]) -> None:
    async def play() -> None:
        pool = Thinkers(workers=1)

        def search(lent: Slow) -> str:
            return str(lent.choose(Position("gomoku")).move)

        async def gone() -> None:
            raise ConnectionError("the tab is gone")

        first = asyncio.create_task(look(pool, "slow", 1, search))
        await asyncio.sleep(0.05)
        with pytest.raises(ConnectionError):
            await pool.look("slow", Game.parse("gomoku"), search, owner=2, on_wait=gone)
        first.cancel()
        await asyncio.wait([first])
        assert not pool._looking.locked()
        assert await look(pool, "slow", 3, lambda _: "found") == ("found", False)
        pool.close()

    asyncio.run(play())


def test_who_is_slow_to_hear_that_it_waits_keeps_nobody_waiting(made: list[Slow]) -> None:
    """As a tab does that does not read."""

    async def play() -> None:
        pool, release = Thinkers(workers=1), threading.Event()

        async def never() -> None:
            await asyncio.sleep(60)

        first = asyncio.create_task(look(pool, "slow", 1, lambda _: release.wait(5)))
        await asyncio.sleep(0.05)
        deaf = asyncio.create_task(pool.look("slow", Game.parse("gomoku"), str, owner=2, on_wait=never))
        await asyncio.sleep(0.05)
        third = asyncio.create_task(look(pool, "slow", 3, lambda _: "found"))
        await asyncio.sleep(0.05)
        release.set()
        assert await asyncio.wait_for(third, 5) == ("found", False)
        assert await first == (True, False)
        deaf.cancel()
        await asyncio.wait([deaf])
        assert not pool._looking.locked()
        pool.close()

    asyncio.run(play())


@pytest.mark.parametrize("later", range(5))
def test_who_goes_as_its_turn_comes_leaves_its_place(later: int, made: list[Slow]) -> None:
    """So many turns of the loop after the one before it has ended."""

    async def play() -> None:
        pool = Thinkers(workers=1)
        first = asyncio.create_task(look(pool, "slow", 1, lambda lent: lent.choose(Position("gomoku"))))
        await asyncio.sleep(0.05)
        waiting = asyncio.create_task(look(pool, "slow", 2, lambda _: "found"))
        await asyncio.sleep(0.05)
        first.cancel()
        await asyncio.wait([first])
        for _ in range(later):
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert not pool._looking.locked()
        pool.close()

    asyncio.run(play())


def test_a_search_that_misses_the_first_reminder_is_reminded_again() -> None:
    async def play() -> None:
        pool, slow, free = Thinkers(workers=1), Slow(), threading.Event()
        for _ in range(2):  # all threads: the search cannot begin
            pool._executor.submit(free.wait, 5)
        turn = asyncio.create_task(pool._run(slow, lambda: slow.choose(Position("gomoku"))))
        await asyncio.sleep(0.01)
        turn.cancel()
        await asyncio.sleep(0.01)
        assert slow.reminders == 1
        free.set()
        began = time.monotonic()
        await asyncio.wait([turn])
        assert time.monotonic() - began < 2
        assert (slow.most, slow.searches) == (1, 0)
        pool.close()

    asyncio.run(play())
