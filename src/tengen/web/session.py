"""A tab of the browser: what it asks for, and what it is told.

Messages are JSON objects. A request says what to ``do``; what it is told has a ``type``: ``state`` (the game, after
every change), ``analysis``, ``queued`` (an analysis waits for others), ``view`` (another position, for looking around),
``hint`` and ``error``. A request that is refused changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import monotonic
from typing import Any, Final

from tengen.engines.analysis import heat, of_ratings, of_report
from tengen.engines.swap2 import points_near, propose, wants_black
from tengen.engines.thought import Report, Searcher
from tengen.errors import TengenError
from tengen.games import Position, Side
from tengen.players import Decision, Limit, Player, Rater
from tengen.web.table import HUMAN, Table, Terms
from tengen.web.thinkers import MOST_SECONDS, Thinkers, check_player, plays
from tengen.web.view import complaint, view

Send = Callable[[dict[str, Any]], Awaitable[None]]

_MOST_LINES: Final = 20
_REPORTS_EVERY: Final = 0.1  # seconds
_CHOICE_LIMIT: Final = Limit(seconds=0.3)  # of a program that chooses a colour
_HINT_LIMIT: Final = Limit(seconds=1.0)
_HINT_PLAYERS: Final = ("alphazero", "alphabeta")
_DRAW_LIMIT: Final = Limit(seconds=0.5)
_DRAW_PLIES: Final = 20  # before that no program agrees to a draw
_DRAW_VALUE: Final = 0.1  # nor does it if it expects more than that
_LEAST_SECONDS: Final = 0.5  # of a move between programs, so that one can look on

_log = logging.getLogger(__name__)


class Session:
    """One tab. ``handle`` is called with one message after another; ``close`` ends everything that runs for it."""

    def __init__(self, thinkers: Thinkers, send: Send) -> None:
        self._thinkers, self._send = thinkers, send
        self._table = Table(Terms.from_dict({}))
        self._turn: asyncio.Task[None] | None = None  # of a program, or the wait for a flag to fall
        self._analysis: asyncio.Task[None] | None = None
        self._advice: asyncio.Task[None] | None = None
        self._offer: asyncio.Task[None] | None = None  # of a draw, to a program
        self._is_step = False  # the turn that is going on is the only one
        self._changing = asyncio.Lock()  # a turn that ends and a request that comes at once begin one turn, not two
        self._random = random.Random()
        self._requests: dict[str, Callable[[Mapping[str, Any]], Awaitable[None]]] = {
            "new": self._new,
            "restore": self._restore,
            "play": self._play,
            "choose": self._choose,
            "undo": self._undo,
            "redo": self._redo,
            "resign": self._resign,
            "draw": self._draw,
            "pause": self._pause,
            "resume": self._resume,
            "step": self._step,
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
            await self._complain(TengenError(f"a message is an object that says what to do: {known}"), {})
            return
        await self._told(message, partial(request, message))

    async def _complain(self, trouble: TengenError, message: Mapping[str, Any]) -> None:
        await self._send({"type": "error", "do": message.get("do"), **_its_id(message), **complaint(trouble)})

    async def close(self) -> None:
        """The tab is gone."""
        await self._end(self._turn, self._analysis, self._advice, self._offer)

    async def _told(self, message: Mapping[str, Any], work: Callable[[], Awaitable[None]]) -> None:
        """Do what a message asks for; the tab is told if it fails, so that it does not wait for ever."""
        try:
            await work()
        except Exception as error:
            await self._complain(_trouble(error), message)

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
        self._table, self._is_step = table, False
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

    async def _redo(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._table.redo()
        await self._changed()

    async def _resign(self, message: Mapping[str, Any]) -> None:
        _only(message, "side")
        mover = self._table.position.to_move
        sides = (Side.parse(message["side"]),) if "side" in message else (mover, mover.other)
        people = [side for side in sides if self._table.player_of(side) == HUMAN]
        if not people:
            raise TengenError("only a person resigns here", code="no_resignation")
        self._table.resign(people[0])
        await self._changed()

    async def _draw(self, message: Mapping[str, Any]) -> None:
        """Two people agree at once; a program thinks about it."""
        _only(message)
        self._table.require_drawable()
        if {self._table.terms.first, self._table.terms.second} == {HUMAN}:
            self._table.agree_draw()
            await self._changed()
            return
        async with self._changing:
            await self._end(self._offer)
            self._table.require_drawable()  # its flag may have fallen meanwhile
            self._offer = asyncio.create_task(self._told(message, partial(self._consider_draw, self._table)))

    async def _consider_draw(self, table: Table) -> None:
        name = next(name for name in (table.terms.first, table.terms.second) if name != HUMAN)
        refusal = TengenError(f"{name} wants to play on", code="draw_refused", details=[name])
        if table.position.ply < _DRAW_PLIES:
            raise refusal
        decision = await self._judged(table.position.copy(), _DRAW_LIMIT, "draw")
        if -(decision.value or 0.0) > _DRAW_VALUE:  # the person is to move: what that one loses the program gains
            raise refusal
        table.agree_draw()
        await self._changed()

    async def _pause(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._table.pause()
        await self._changed()  # ends the turn: the program begins it again

    async def _resume(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._table.resume()
        self._is_step = False
        await self._changed()

    async def _step(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._table.resume()
        self._is_step = True
        await self._changed()

    def _require_person(self) -> None:
        if self._table.to_act not in (HUMAN, None):
            raise TengenError("it is the program's turn", code="not_your_turn")

    async def _changed(self) -> None:
        """Tell the tab how the game stands, and let whoever is next begin."""
        async with self._changing:
            await self._end(self._turn, self._advice, self._offer)  # they are about a position that is no more
            acting = self._table.to_act
            program = None if acting == HUMAN or self._table.is_paused else acting
            await self._send({"type": "state", "thinking": program is not None, **self._table.to_view()})
            # Only now is a turn that called this no longer ``_turn``: so that `close` ends it while it sends.
            if program is not None:
                self._turn = asyncio.create_task(self._take_turn(program))
            elif self._table.seconds_to_flag() is not None:
                self._turn = asyncio.create_task(self._wait_for_flag())

    async def _wait_for_flag(self) -> None:
        while (left := self._table.seconds_to_flag()) is not None and not self._table.flag():
            await asyncio.sleep(left + 0.01)
        await self._changed()

    async def _take_turn(self, name: str) -> None:
        table, began = self._table, monotonic()
        try:
            act = await (self._settled(name, table) if table.is_opening else self._decided(name, table))
            if not table.flag() and not table.has_people:
                table.hold_clock()
                await asyncio.sleep(_LEAST_SECONDS - (monotonic() - began))
            if table.outcome is None:
                act()
            if self._is_step and table.outcome is None:
                table.pause()
        except Exception as error:
            trouble = _trouble(error)
            why = TengenError(f"{name} cannot go on: {trouble}", code="cannot_go_on", details=[name, trouble])
            await self._complain(why, {})
            await self._send({"type": "state", "thinking": False, **table.to_view()})
            return
        await self._changed()

    async def _decided(self, name: str, table: Table) -> Callable[[], None]:
        """A program's move, to be played."""
        decision = await self._thinkers.decide(name, table.position.copy(), limit=table.limit, owner=self)
        return lambda: table.play(str(decision.move))

    async def _settled(self, name: str, table: Table) -> Callable[[], None]:
        """What a program does in swap and swap2, to be done: it places stones that it knows, or takes a colour."""
        opening = table.opening
        assert opening is not None
        position = opening.position.copy()
        if opening.phase == "place":
            known = dict.fromkeys((*propose(position.game, self._random), *points_near(position)))
            free = [move for move in known if position.is_legal(move)]

            def place() -> None:
                for move in free[: opening.remaining]:
                    table.play(str(move))

            return place
        decision = await self._thinkers.decide(name, position, limit=lambda: _CHOICE_LIMIT, owner=self)
        colour = Side.BLACK if wants_black(position, decision.value) else Side.WHITE
        return lambda: table.choose(str(colour))

    async def _hint(self, message: Mapping[str, Any]) -> None:
        _only(message)
        self._require_hint()
        async with self._changing:
            await self._end(self._advice)
            self._require_hint()  # a flag may have fallen meanwhile
            work = partial(self._advise, self._table.position.copy())
            self._advice = asyncio.create_task(self._told(message, work))

    def _require_hint(self) -> None:
        self._require_person()
        if self._table.outcome is not None or self._table.is_opening:
            raise TengenError("there is no hint here", code="no_hint")

    async def _advise(self, position: Position) -> None:
        decision = await self._judged(position, _HINT_LIMIT, "hint")
        await self._send({"type": "hint", "ply": position.ply, "move": str(decision.move), "value": decision.value})

    async def _judged(self, position: Position, limit: Limit, what: str) -> Decision:
        """What the server's own player makes of a position."""
        name = next(name for name in _HINT_PLAYERS if plays(name, position.game))
        return await self._thinkers.decide(name, position, limit=lambda: limit, owner=(self, what))

    # --- looking around ---

    async def _look(self, message: Mapping[str, Any]) -> None:
        _only(message, "position", "id")
        await self._send({"type": "view", "id": _number(message, "id"), **view(_position(message))})

    async def _analyze(self, message: Mapping[str, Any]) -> None:
        _only(message, "position", "player", "lines", "seconds", "id")
        position = _position(message)
        thinker = check_player(_text(message, "player"), position.game)
        lines = int(_number(message, "lines", 3, least=1, most=_MOST_LINES))
        seconds = _number(message, "seconds", 30, least=0.01, most=MOST_SECONDS)
        asked = _number(message, "id")
        if position.is_over:
            raise TengenError(f"the game is over: {position.outcome()}", code="over")
        if not isinstance(thinker, Rater | Searcher):
            raise TengenError(f"{thinker.name} has no lines to show", code="no_lines", details=[thinker.name])
        await self._end(self._analysis)
        work = partial(self._think_aloud, thinker.name, position, lines, Limit(seconds=seconds), asked)
        self._analysis = asyncio.create_task(self._told(message, work))

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

        def tell(found: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(note, found)

        def think(thinker: Player) -> dict[str, Any]:
            return _analysed(thinker, position, limit, lines, tell)

        async def forward() -> None:
            while True:
                await due.wait()
                due.clear()
                await self._send({"type": "analysis", "id": asked, "done": False, **newest[0]})
                await asyncio.sleep(_REPORTS_EVERY)

        async def tell_of_others() -> None:
            await self._send({"type": "queued", "id": asked})

        forwarding = asyncio.create_task(forward())
        try:
            found, gave_way = await self._thinkers.look(
                name, position.game, think, owner=(self, "analysis"), on_wait=tell_of_others
            )
        finally:
            await self._end(forwarding)
        await self._send({"type": "analysis", "id": asked, "done": True, "gave_way": gave_way, **found})

    async def _end(self, *tasks: asyncio.Task[None] | None) -> None:
        ending = {task for task in tasks if task not in (None, asyncio.current_task()) and not task.done()}
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)  # which says nothing of them, and is cancelled with whoever waits


def _analysed(
    thinker: Player, position: Position, limit: Limit, lines: int, tell: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """What a player makes of a position; a search tells of it as it goes on."""
    if isinstance(thinker, Rater):
        return of_ratings(position, thinker, None)
    assert isinstance(thinker, Searcher)

    def found(report: Report) -> dict[str, Any]:
        return {**of_report(thinker, position, report), "heat": heat(thinker, position)}

    return found(thinker.search(position, limit=limit, lines=lines, on_report=lambda report: tell(found(report))))


def _trouble(error: Exception) -> TengenError:
    """What to tell of an error; one that should not be is logged."""
    if isinstance(error, TengenError):
        return error
    _log.error("something went wrong", exc_info=error)
    return TengenError(f"something went wrong: {error!r}", code="trouble", details=[repr(error)])


def _checked(terms: Terms) -> Terms:
    for name in (terms.first, terms.second):
        if name != HUMAN:
            check_player(name, terms.game, others=(HUMAN,))
    return terms


def _its_id(message: Mapping[str, Any]) -> dict[str, float]:
    try:
        return {"id": _number(message, "id")} if "id" in message else {}
    except TengenError:
        return {}


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
