"""Players that games share: who is kept, how long, and how many."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from tengen.errors import TengenError
from tengen.games import Game, Position
from tengen.players import Limit
from tengen.web import thinkers
from tengen.web.thinkers import Thinkers


async def decide(pool: Thinkers, name: str, owner: object) -> None:
    await pool.decide(name, Position("gomoku"), limit=Limit, owner=owner)


def resting(pool: Thinkers) -> list[object]:
    return [held.owner for held in pool._resting]


def test_there_are_never_more_players_than_may_think() -> None:
    async def play() -> None:
        pool = Thinkers(workers=1)  # a move and an analysis
        for owner, name in enumerate(("random", "greedy", "minimax:depth=1")):
            await decide(pool, name, owner)
        assert resting(pool) == [1, 2]
        during = await pool.look("alphabeta", Game.parse("gomoku"), lambda _: resting(pool), owner=3)
        assert (during, resting(pool)) == ([2], [2, 3])
        during = await pool.look("minimax:depth=1", Game.parse("gomoku"), lambda _: resting(pool), owner=2)
        assert (during, resting(pool)) == ([3], [3, 2])
        with pytest.raises(TengenError):
            await decide(pool, "alphazero:net=othello-8x8", 4)
        await decide(pool, "random", 5)
        assert resting(pool) == [2, 5]
        pool.close()
        assert resting(pool) == []

    asyncio.run(play())


def test_who_rests_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "_REST_SECONDS", 0.2)

    async def play() -> None:
        pool = Thinkers(workers=1)
        await decide(pool, "random", 1)
        await asyncio.sleep(0.15)
        assert resting(pool) == [1]
        await decide(pool, "random", 1)  # and rests anew
        await asyncio.sleep(0.15)
        assert resting(pool) == [1]
        await asyncio.sleep(0.15)
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
