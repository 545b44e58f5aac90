"""One game between two players, with a referee: limits, faults, the result and its record."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import tengen
from tengen.arena.timekeeper import Terms, Timekeeper
from tengen.errors import IllegalMoveError, NotationError, TengenError
from tengen.games import Game, Move, Position, Reason, Side, records
from tengen.players import Decision, Player
from tengen.players._player import require_plays
from tengen.players.human import Resigned
from tengen.search import Limit, TimeControl

#: The reason of a game that was called a draw because it had gone on too long.
MOVE_LIMIT = "move_limit"

# Of an explanation that is kept.
_LONGEST_DETAIL = 400


class Fault(StrEnum):
    """What a player can do wrong; each loses the game."""

    ILLEGAL_MOVE = "illegal_move"  #: a move that the rules do not allow
    CRASH = "crash"  #: an exception, or the end of the process
    TIMEOUT = "timeout"  #: no answer in time
    PROTOCOL_ERROR = "protocol_error"  #: an answer that is no decision, or an engine that breaks its protocol


# The words of `tengen.engines.EngineError.kind`.
_SAID = {
    "crash": Fault.CRASH,
    "timeout": Fault.TIMEOUT,
    "illegal": Fault.ILLEGAL_MOVE,
    "protocol": Fault.PROTOCOL_ERROR,
}


@dataclass(frozen=True)
class GameResult:
    """A finished game.

    ``moves`` are those after ``start``. ``reason`` is a :class:`tengen.Reason`, a :class:`Fault` or ``move_limit``.
    ``fault`` and ``at_fault`` are None for a game without one; ``detail`` says in words what went wrong. The tuples at
    the end are (black, white): seconds thought, the longest move, and moves made.
    """

    start: Position
    moves: tuple[Move, ...]
    winner: Side | None
    reason: str
    fault: Fault | None = None
    at_fault: Side | None = None
    detail: str = ""
    seconds: tuple[float, float] = (0.0, 0.0)
    slowest: tuple[float, float] = (0.0, 0.0)
    plies: tuple[int, int] = (0, 0)

    def position(self) -> Position:
        """The position in which the game ended."""
        position = self.start.copy()
        for move in self.moves:
            position.play(move)
        return position

    def record(self, **headers: str) -> records.Record:
        """The game as a record, with these headers."""
        record = records.Record.from_position(self.position(), **headers)
        if self.detail:
            record.headers["comment"] = f"{self.at_fault}: {self.reason.replace('_', ' ')}: {self.detail}"
        if record.result.is_known:
            return record
        if self.winner is None:
            record.result = records.Result(records.Verdict.DRAW)
        else:
            reasons = {Fault.TIMEOUT.value: Reason.TIME, Reason.FOUL.value: Reason.FOUL}
            record.result = records.Result.won(self.winner, reasons.get(self.reason, Reason.RESIGNATION))
        return record


class Watcher(Protocol):
    """Somebody outside who must know at any moment whose fault it is if nothing more is heard."""

    def thinking(self, seat: int, begun: float, deadline: float) -> None:
        """A player starts to think, 0 black and 1 white, until ``deadline``; both by ``time.monotonic``."""

    def moved(self, action: int, spent: float) -> None:
        """The player has made this move, in so many seconds."""


class _Unwatched:
    def thinking(self, seat: int, begun: float, deadline: float) -> None:
        pass

    def moved(self, action: int, spent: float) -> None:
        pass


def play_game(
    black: str | Player,
    white: str | Player,
    game: str | Game = "gomoku",
    *,
    start: Position | None = None,
    seconds: float | None = None,
    timeout: float | None = None,
    clock: str | TimeControl | None = None,
    max_moves: int | None = None,
    seed: int | None = None,
) -> GameResult:
    """Play one game in this process, from ``start`` (which is left alone) or the usual beginning.

    ``seconds`` is what players are told to spend on a move; one that takes longer than ``timeout`` loses, which can
    only be seen when it returns (a match, which has a process for it, cuts it short). ``clock`` (``"60+1"``) is for the
    whole game instead: seconds for each side and more before each of its moves; whose time is over loses. After
    ``max_moves`` it is a draw. Whatever a player does wrong ends the game and never raises. Raises ``TengenError`` for
    bad names, games and times.
    """
    position = Position(game) if start is None else start
    if seconds is not None and clock is not None:
        raise TengenError("a time for each move and a clock for the game do not go together")
    players = [
        tengen.player(player, seed=None if seed is None else seed + seat) if isinstance(player, str) else player
        for seat, player in enumerate((black, white))
    ]
    for player in players:
        require_plays(player, position.game)
    for seat, player in enumerate(players):
        try:
            make_ready(player, position.game)
        except (Exception, SystemExit) as trouble:
            return lost_by_exception(position, seat, trouble)
    limit = None if seconds is None else Limit(seconds=seconds)
    control = TimeControl.parse(clock) if isinstance(clock, str) else clock
    return referee(players, position, [Terms(limit, timeout, control)] * 2, max_moves=max_moves)


def make_ready(player: Player, game: Game) -> None:
    """Start a new game with a player, before anybody's time runs: it may have a method ``prepare`` for what is slow."""
    player.new_game()
    prepare = getattr(player, "prepare", None)
    if prepare is not None:
        prepare(game)


def referee(
    players: Sequence[Player],
    start: Position,
    terms: Sequence[Terms],
    *,
    max_moves: int | None = None,
    watcher: Watcher | None = None,
) -> GameResult:
    """Let two players (black, white) play a game out; what `play_game` promises holds."""
    watch = watcher or _Unwatched()
    position = start.copy()
    board, clock = position.core, time.monotonic
    timekeepers = [Timekeeper(each) for each in terms]
    most = max_moves if max_moves is not None else 1 << 30
    moves: list[Move] = []
    seconds, slowest, plies = [0.0, 0.0], [0.0, 0.0], [0, 0]
    wrong: _Wrong | None = None
    while board.result == 0 and board.ply < most:
        # 1. Ask the player, on the clock.
        seat, ply, key = board.to_move, board.ply, board.hash
        limit, allowed = timekeepers[seat].begin(position)
        begun = clock()
        watch.thinking(seat, begun, begun + allowed)
        decision: object = None
        try:
            decision = players[seat].choose(position, limit=limit)
        except (Exception, SystemExit) as trouble:
            wrong = _wrong_by_exception(trouble)
        spent = clock() - begun
        seconds[seat] += spent
        slowest[seat] = max(slowest[seat], spent)
        # 2. Was it in time, and did it leave the board alone?
        if late := timekeepers[seat].end(spent):
            wrong = _Wrong(Fault.TIMEOUT, late)
        elif wrong is None and (board.ply != ply or board.hash != key):
            wrong = _Wrong(Fault.PROTOCOL_ERROR, "it changed the position it was shown")
        # 3. Play its move, which the rules may refuse.
        if wrong is None:
            try:
                moves.append(position.play(decision.move))  # type: ignore[attr-defined]  # checked when it fails
            except Exception as trouble:
                wrong = _wrong_by_move(decision, position, trouble)
        # 4. A fault, or a resignation, ends the game.
        if wrong is not None:
            loser = (Side.BLACK, Side.WHITE)[seat]
            return _ended(start, moves, loser.other, wrong, loser, seconds, slowest, plies)
        plies[seat] += 1
        watch.moved(moves[-1], spent)
    outcome = position.outcome()
    draw = _Wrong(None, "", MOVE_LIMIT) if outcome is None else _Wrong(None, "", outcome.reason.value)
    return _ended(start, moves, outcome.winner if outcome else None, draw, None, seconds, slowest, plies)


def lost_by_exception(start: Position, seat: int, trouble: BaseException) -> GameResult:
    """The result of a game that black (0) or white (1) could not even begin."""
    wrong = _wrong_by_exception(trouble)
    return lost_by_fault(start, seat, wrong.fault or Fault.CRASH, wrong.detail or str(trouble))


def lost_by_fault(
    start: Position,
    seat: int,
    fault: Fault,
    detail: str,
    moves: Sequence[int] = (),
    seconds: tuple[float, float] = (0.0, 0.0),
    slowest: tuple[float, float] = (0.0, 0.0),
) -> GameResult:
    """The result of a game that ended outside the rules, by the fault of black (0) or white (1)."""
    loser = (Side.BLACK, Side.WHITE)[seat]
    first = start.to_move.index
    played = tuple(start.game.moves[action] for action in moves)
    plies = [0, 0]
    for number in range(len(played)):
        plies[(first + number) % 2] += 1
    detail = detail[:_LONGEST_DETAIL]
    return GameResult(
        start, played, loser.other, fault.value, fault, loser, detail, seconds, slowest, (plies[0], plies[1])
    )


@dataclass(frozen=True)
class _Wrong:
    """Why a game ended: a fault with words for it, or a reason alone."""

    fault: Fault | None
    detail: str
    reason: str = ""


def _ended(
    start: Position,
    moves: list[Move],
    winner: Side | None,
    why: _Wrong,
    loser: Side | None,
    seconds: list[float],
    slowest: list[float],
    plies: list[int],
) -> GameResult:
    return GameResult(
        start,
        tuple(moves),
        winner,
        why.reason or str(why.fault),
        why.fault,
        loser if why.fault else None,
        why.detail,
        (seconds[0], seconds[1]),
        (slowest[0], slowest[1]),
        (plies[0], plies[1]),
    )


def _wrong_by_exception(trouble: BaseException) -> _Wrong:
    """What an exception out of ``choose`` means. Errors of Tengen's may say it themselves, by an attribute ``kind``."""
    if isinstance(trouble, Resigned):
        return _Wrong(None, "", Reason.RESIGNATION.value)
    detail = f"{type(trouble).__name__}: {trouble}"[:_LONGEST_DETAIL]
    said = _SAID.get(str(getattr(trouble, "kind", ""))) if isinstance(trouble, TengenError) else None
    if said is not None:
        return _Wrong(said, detail)
    if isinstance(trouble, IllegalMoveError | NotationError):
        return _Wrong(Fault.ILLEGAL_MOVE, detail)
    return _Wrong(Fault.TIMEOUT if isinstance(trouble, TimeoutError) else Fault.CRASH, detail)


def _wrong_by_move(decision: object, position: Position, trouble: Exception) -> _Wrong:
    """Why a decision could not be played."""
    if not isinstance(decision, Decision):
        return _Wrong(Fault.PROTOCOL_ERROR, f"the answer is {type(decision).__name__}, not a Decision")
    move: object = decision.move
    if not isinstance(move, int | str):
        return _Wrong(Fault.PROTOCOL_ERROR, f"the move is {type(move).__name__}, not a Move")
    reason = Fault.ILLEGAL_MOVE.value
    try:
        if position.to_move is Side.BLACK and position.stone(move) is None and position.forbidden_reason(move):
            reason = Reason.FOUL.value
    except TengenError:
        pass
    return _Wrong(Fault.ILLEGAL_MOVE, str(trouble)[:_LONGEST_DETAIL], reason)
