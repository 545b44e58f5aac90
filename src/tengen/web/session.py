"""A tab of the browser: what it asks for, and what it is told.

Messages are JSON objects. A request says what to ``do``; what it is told has a ``type``: ``state`` (the game, after
every change), ``analysis``, ``view`` (another position, for looking around), ``hint`` and ``error``. A request that is
refused changes nothing.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from tengen.engines.analysis import heat, of_ratings, of_report
from tengen.engines.swap2 import propose, wants_black
from tengen.engines.thought import Report, Searcher
from tengen.errors import TengenError
from tengen.games import Position, Side
from tengen.players import Limit, Player, Rater
from tengen.web.table import HUMAN, Table, Terms
from tengen.web.thinkers import MOST_SECONDS, Thinkers, check_player, checked_name, plays
from tengen.web.view import complaint, view

Send = Callable[[dict[str, Any]], Awaitable[None]]

_MOST_LINES: Final = 20
_REPORTS_EVERY: Final = 0.1  # seconds
_CHOICE_LIMIT: Final = Limit(seconds=0.3)  # of a program that chooses a colour
_HINT_LIMIT: Final = Limit(seconds=1.0)
_HINT_PLAYERS: Final = ("alphazero", "alphabeta")


class Session:
    """One tab. ``handle`` is called with one message after another; ``close`` ends everything that runs for it."""

    def __init__(self, thinkers: Thinkers, send: Send) -> None:
        self._thinkers, self._send = thinkers, send
        self._table = Table(Terms.from_dict({}))
        self._turn: asyncio.Task[None] | None = None  # of a program, or the wait for a flag to fall
        self._analysis: asyncio.Task[None] | None = None
        self._advice: asyncio.Task[None] | None = None
        self._random = random.Random()
        self._requests: dict[str, Callable[[Mapping[str, Any]], Awaitable[None]]] = {
            "new": self._new,
            "restore": self._restore,
            "play": self._play,
            "choose": self._choose,
            "undo": self._undo,
            "resign": self._resign,
            "draw": self._draw,
            "hint": self._hint,
            "look": self._look,
            "analyze": self._analyze,
            "stop": self._stop,
        }

    async def handle(self, message: Any) -> None:
        """Do what a message asks for, or say why not."""
        what = message.get("do") if isinstance(message, dict) else None
        request = self._requests.get(what) if isinstance(what, str) else None
        if request is None:
            known = ", ".join(self._requests)
            await self._complain(TengenError(f"a message is an object that says what to do: {known}"), None)
            return
        try:
            await request(message)
        except TengenError as trouble:
            await self._complain(trouble, what)

    async def _complain(self, trouble: TengenError, what: str | None) -> None:
        await self._send({"type": "error", "do": what, **complaint(trouble)})

    async def close(self) -> None:
        """The tab is gone."""
        await self._end(self._turn, self._analysis, self._advice)

    # --- the game ---

    async def _new(self, message: Mapping[str, Any]) -> None:
        _only(message, "terms", "moves")
        given = message.get("terms", {})
        if not isinstance(given, Mapping):
            raise TengenError("terms are an object")
        terms = _checked(Terms.from_dict(given))
        await self._begin(Table.going_on(terms, message["moves"]) if "moves" in message else Table(terms))

    async def _restore(self, message: Mapping[str, Any]) -> None:
        _only(message, "snapshot")
        table = Table.restored(message.get("snapshot", {}))
        _checked(table.terms)
        await self._begin(table)

    async def _begin(self, table: Table) -> None:
        await self._end(self._turn)
        self._table = table
        await self._changed()

    async def _play(self, message: Mapping[str, Any]) -> None:
        _only(message, "move")
        self._require_person()
        self._table.play(_text(message, "move"))
        await self._changed()

    async def _choose(self, message: Mapping[str, Any]) -> None:
        _only(message, "choice")
        self._require_person()
        self._table.choose(_text(message, "choice"))
        await self._changed()

    async def _undo(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._table.undo()
        await self._changed()  # ends a turn that is going on: what it comes to is for another position

    async def _resign(self, message: Mapping[str, Any]) -> None:
        _only(message, "side")
        mover = self._table.position.to_move
        side = Side.parse(message["side"]) if "side" in message else mover
        if self._table.player_of(side) != HUMAN:
            side = side.other if "side" not in message else side
        if self._table.player_of(side) != HUMAN:
            raise TengenError("only a person resigns here", code="no_resignation")
        self._table.resign(side)
        await self._changed()

    async def _draw(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._table.agree_draw()
        await self._changed()

    def _require_person(self) -> None:
        if self._table.to_act not in (HUMAN, None):
            raise TengenError("it is the program's turn", code="not_your_turn")

    async def _changed(self) -> None:
        """Tell the tab how the game stands, and let whoever is next begin."""
        await self._end(self._turn)
        self._turn = None
        acting = self._table.to_act
        await self._send({"type": "state", "thinking": acting not in (HUMAN, None), **self._table.to_view()})
        if acting is not None and acting != HUMAN:
            self._turn = asyncio.create_task(self._take_turn(acting))
        elif self._table.seconds_to_flag() is not None:
            self._turn = asyncio.create_task(self._wait_for_flag())

    async def _wait_for_flag(self) -> None:
        while (left := self._table.seconds_to_flag()) is not None and not self._table.flag():
            await asyncio.sleep(left + 0.01)
        self._turn = None
        await self._changed()

    async def _take_turn(self, name: str) -> None:
        table = self._table
        try:
            if table.is_opening:
                await self._settle(name, table)
            else:
                decision = await self._thinkers.decide(name, table.position.copy(), limit=table.limit(), owner=self)
                if not table.flag():
                    table.play(str(decision.move))
        except TengenError as trouble:
            why = TengenError(f"{name} cannot go on: {trouble}", code="cannot_go_on", details=[name, trouble])
            await self._complain(why, None)
            await self._send({"type": "state", "thinking": False, **table.to_view()})
            return
        self._turn = None  # this task is at its end, and must not end itself
        await self._changed()

    async def _settle(self, name: str, table: Table) -> None:
        """What a program does in swap and swap2: it places three stones that it knows, or takes a colour."""
        opening = table.opening
        assert opening is not None
        if opening.phase == "place":
            for move in propose(table.terms.game, self._random)[: opening.remaining]:
                table.play(str(move))
            return
        position = opening.position.copy()
        decision = await self._thinkers.decide(name, position, limit=_CHOICE_LIMIT, owner=self)
        table.choose(str(Side.BLACK if wants_black(position, decision.value) else Side.WHITE))

    async def _hint(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._require_person()
        position = self._table.position.copy()
        if position.is_over or self._table.is_opening:
            raise TengenError("there is no hint here", code="no_hint")
        await self._end(self._advice)
        self._advice = asyncio.create_task(self._advise(position))

    async def _advise(self, position: Position) -> None:
        name = next(name for name in _HINT_PLAYERS if plays(name, position.game))
        decision = await self._thinkers.decide(name, position, limit=_HINT_LIMIT, owner=(self, "hint"))
        await self._send({"type": "hint", "ply": position.ply, "move": str(decision.move), "value": decision.value})

    # --- looking around ---

    async def _look(self, message: Mapping[str, Any]) -> None:
        _only(message, "position", "id")
        await self._send({"type": "view", "id": _number(message, "id"), **view(_position(message))})

    async def _analyze(self, message: Mapping[str, Any]) -> None:
        _only(message, "position", "player", "lines", "seconds", "id")
        position = _position(message)
        name = checked_name(_text(message, "player"))
        lines = int(_number(message, "lines", 3, least=1, most=_MOST_LINES))
        seconds = _number(message, "seconds", 30, least=0.01, most=MOST_SECONDS)
        asked = _number(message, "id")
        await self._end(self._analysis)
        if position.is_over:
            raise TengenError(f"the game is over: {position.outcome()}", code="over")
        work = self._think_aloud(name, position, lines, Limit(seconds=seconds), asked)
        self._analysis = asyncio.create_task(work)

    async def _stop(self, message: Mapping[str, Any]) -> None:
        _only(message)
        await self._end(self._analysis)

    async def _think_aloud(self, name: str, position: Position, lines: int, limit: Limit, asked: float) -> None:
        loop = asyncio.get_running_loop()
        newest: list[dict[str, Any]] = []
        due = asyncio.Event()

        def note(found: dict[str, Any]) -> None:
            newest[:] = [found]
            due.set()

        def think(thinker: Player) -> dict[str, Any]:
            if isinstance(thinker, Rater):
                return of_ratings(position, thinker, None)
            if not isinstance(thinker, Searcher):
                raise TengenError(f"{name} has no lines to show", code="no_lines", details=[name])

            def tell(report: Report) -> None:
                found = {**of_report(position, report), "heat": heat(thinker, position)}
                loop.call_soon_threadsafe(note, found)

            report = thinker.search(position, limit=limit, lines=lines, on_report=tell)
            return {**of_report(position, report), "heat": heat(thinker, position)}

        async def forward() -> None:
            while True:
                await due.wait()
                due.clear()
                await self._send({"type": "analysis", "id": asked, "done": False, **newest[0]})
                await asyncio.sleep(_REPORTS_EVERY)

        forwarding = asyncio.create_task(forward())
        try:
            found = await self._thinkers.look(name, position.game, think, owner=(self, "analysis"))
        except TengenError as trouble:
            await self._complain(trouble, "analyze")
            return
        finally:
            await self._end(forwarding)
        await self._send({"type": "analysis", "id": asked, "done": True, **found})

    async def _end(self, *tasks: asyncio.Task[None] | None) -> None:
        for task in tasks:
            if task is not None and task is not asyncio.current_task() and not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


def _checked(terms: Terms) -> Terms:
    for name in (terms.first, terms.second):
        if name != HUMAN:
            check_player(name, terms.game)
    return terms


def _position(message: Mapping[str, Any]) -> Position:
    return Position.from_dict(message.get("position", {}))


def _only(message: Mapping[str, Any], *keys: str) -> None:
    unknown = set(message) - {"do", *keys}
    if unknown:
        raise TengenError(
            f"{message['do']} takes {', '.join(keys) or 'nothing'}, not {sorted(map(str, unknown))[0][:40]}"
        )


def _text(message: Mapping[str, Any], key: str) -> str:
    text = message.get(key)
    if not isinstance(text, str) or len(text) > 200:
        raise TengenError(f"{key} is a short text")
    return text


def _number(message: Mapping[str, Any], key: str, usual: float = 0, *, least: float = 0, most: float = 1e9) -> float:
    number = message.get(key, usual)
    if isinstance(number, bool) or not isinstance(number, int | float) or not least <= number <= most:
        raise TengenError(f"{key} is a number from {least:g} to {most:g}")
    return number
