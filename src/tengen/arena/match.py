"""Matches: many games between two or more players, played several at a time, kept, and summed up."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tengen.arena._pool import Pool
from tengen.arena.game import Fault, GameResult
from tengen.arena.openings import OpeningSource
from tengen.arena.schedule import Scheduled, check_names, player_seed, player_terms, schedule
from tengen.arena.standings import MatchGame, Standings
from tengen.arena.statistics import Elo, Rating, Sprt, Tally, Verdict, estimate_elo, rate
from tengen.arena.store import Store
from tengen.errors import PlayerNameError, TengenError
from tengen.games import Game, Side, records
from tengen.search import TimeControl

#: The player whose rating fixes the scale.
ANCHOR = "greedy"

_MOST_GAMES = 10_000_000
_MOST_JOBS = 1024


@dataclass(frozen=True)
class SprtState:
    """A sequential test and how it stands."""

    test: Sprt
    llr: float
    verdict: Verdict

    def to_dict(self) -> dict[str, Any]:
        """The state as plain values."""
        test = self.test
        return {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "llr": self.llr,
            "lower": test.lower,
            "upper": test.upper,
            "verdict": self.verdict.value,
        }


@dataclass(frozen=True)
class MatchResult:
    """What a match has come to; while it runs, what it has come to so far.

    ``planned`` says how many games there would be without a sequential test. ``time`` (seconds a move) and ``clock``
    are what players were given. ``notes`` are for the reader: openings that had to be extended, and the like.
    """

    game: Game
    players: tuple[str, ...]
    seed: int
    openings: str
    time: float | None
    clock: TimeControl | None
    planned: int
    by_number: Mapping[int, MatchGame] = field(repr=False)
    standings: Standings = field(repr=False)
    sprt: SprtState | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def games(self) -> list[MatchGame]:
        """The games in the order of the schedule."""
        return [self.by_number[number] for number in sorted(self.by_number)]

    @property
    def wins(self) -> list[int]:
        """Games won, by player."""
        return [player.total.wins for player in self.standings.players]

    @property
    def draws(self) -> int:
        """Games drawn."""
        return self.standings.draws

    @property
    def faults(self) -> list[int]:
        """Games lost by a fault, by player."""
        return [sum(player.faults.values()) for player in self.standings.players]

    @property
    def seconds_per_move(self) -> list[float]:
        """Average thinking time, by player."""
        return [player.seconds_per_move for player in self.standings.players]

    @property
    def score(self) -> float:
        """The first player's points per game against the second."""
        return self.tally().score

    def tally(self, first: int = 0, second: int = 1) -> Tally:
        """The results of one player against another, by pairs."""
        return self.standings.tally(first, second)

    def elo(self, first: int = 0, second: int = 1) -> Elo:
        """How much stronger one player is than another, by their games alone."""
        return estimate_elo(self.tally(first, second))

    def ratings(self) -> list[Rating]:
        """Ratings from all games; `greedy` is at 1000 if it plays, else the average is 0."""
        anchor = self.players.index(ANCHOR) if ANCHOR in self.players else None
        return rate(len(self.players), self.standings.tallies(), anchor=anchor)

    def records(self) -> list[records.Record]:
        """The games as records, with players, opening and round in their headers."""
        return [
            game.result.record(
                black=self.players[game.black],
                white=self.players[game.white],
                round=str(game.number + 1),
                opening=game.opening,
            )
            for game in self.games
        ]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON values; the keys are in ``docs/arena.md``."""
        elo, standings = self.elo(), self.standings
        tally = self.tally()
        ratings = self.ratings()
        return {
            "game": self.game.name,
            "players": list(self.players),
            "games": standings.games,
            "wins": self.wins,
            "draws": self.draws,
            "elo": elo.elo,
            "elo_low": elo.low,
            "elo_high": elo.high,
            "faults": self.faults,
            "seconds_per_move": self.seconds_per_move,
            "seed": self.seed,
            "losses": [player.total.losses for player in standings.players],
            "score": tally.score,
            "superiority": elo.superiority,
            "pairs": list(tally.pairs),
            "unpaired": list(tally.singles),
            "planned": self.planned,
            "openings": self.openings,
            "time": self.time,
            "clock": str(self.clock) if self.clock else None,
            "sprt": self.sprt.to_dict() if self.sprt else None,
            "details": [standings.player_dict(player) for player in range(len(self.players))],
            "ratings": [{"rating": each.rating, "low": each.low, "high": each.high} for each in ratings],
            "cross_table": self._cross_table() if len(self.players) > 2 else None,
            "notes": list(self.notes),
            "seconds": self.seconds,
        }

    @classmethod
    def so_far(cls, settings: Mapping[str, Any], games: Iterable[MatchGame]) -> MatchResult:
        """What a match in a :class:`Store` has come to, by its settings and games; it may still be going on."""
        by_number = {game.number: game for game in games}
        standings = Standings(len(settings["players"]))
        for game in by_number.values():
            standings.add(game)
        return cls(
            Game.parse(settings["game"]),
            tuple(settings["players"]),
            settings["seed"],
            settings["openings"],
            settings["seconds"],
            TimeControl.parse(settings["clock"]) if "clock" in settings else None,
            len(by_number),
            by_number,
            standings,
        )

    def _cross_table(self) -> list[list[dict[str, Any] | None]]:
        def cell(row: int, column: int) -> dict[str, Any] | None:
            if row == column:
                return None
            elo = self.elo(row, column)
            figures = {"elo": elo.elo, "elo_low": elo.low, "elo_high": elo.high}
            return {**self.standings.cross[row][column].to_dict(), **figures}

        places = range(len(self.players))
        return [[cell(row, column) for column in places] for row in places]


def play_match(
    players: Sequence[str],
    game: str | Game = "gomoku",
    *,
    games: int = 100,
    seconds: float | None = None,
    timeout: float | None = None,
    clock: str | TimeControl | None = None,
    seed: int = 0,
    openings: str = "random",
    max_moves: int | None = None,
    sprt: Sprt | None = None,
    jobs: int = 1,
    db: str | os.PathLike[str] | None = None,
    imports: Sequence[str] = (),
    on_progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play a match between players given by name, ``games`` games between each two of them, and sum it up.

    Games are played in ``jobs`` processes, two from each opening with colours swapped. ``seconds`` is the time for a
    move, for players whose name does not say how much to think; one that takes longer than ``timeout`` (by default two
    seconds more than its time, or ten minutes if it has none) loses the game, as one does that crashes or makes an
    illegal move. ``clock`` (``"60+1"``) gives each side so many seconds for the whole game, and more before each of its
    moves, instead: players are told what the time manager makes of it, and whose time is over loses.
    ``max_moves`` calls longer games drawn. ``sprt`` (two players) ends the match once it is decided.
    ``db`` keeps the games: the same call again plays only those that are missing. Processes import ``imports`` first,
    modules that register players of your own. ``on_progress`` is called whenever games have finished.

    The same settings and seed give the same games, whatever ``jobs`` is, as far as the players are reproducible.
    Raises ``TengenError`` for settings that make no match.
    """
    settings = Settings(
        players=tuple(players),
        game=Game.parse(game),
        games=games,
        seconds=seconds,
        timeout=timeout,
        clock=TimeControl.parse(clock) if isinstance(clock, str) else clock,
        seed=seed,
        openings=openings,
        max_moves=max_moves,
        sprt=sprt,
        imports=tuple(imports),
    )
    settings.check()
    if not 1 <= jobs <= _MOST_JOBS:
        raise TengenError(f"a match can have 1 to {_MOST_JOBS} jobs, not {jobs}")
    with ExitStack() as stack:
        store = None if db is None else stack.enter_context(Store(db))
        return _Match(settings, store, on_progress).play(jobs)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that a match is made of."""

    players: tuple[str, ...]
    game: Game
    games: int
    seconds: float | None
    timeout: float | None
    clock: TimeControl | None
    seed: int
    openings: str
    max_moves: int | None
    sprt: Sprt | None
    imports: tuple[str, ...]

    def check(self) -> None:
        """Raises ``TengenError`` for settings that make no match."""
        check_names(self.players)
        if not 1 <= self.games <= _MOST_GAMES:
            raise TengenError(f"a match has 1 to {_MOST_GAMES:,} games, not {self.games}")
        for value, what in ((self.seconds, "time for a move"), (self.timeout, "time-out")):
            if value is not None and not 0 < value < 1e6:
                raise TengenError(f"the {what} is a number of seconds above 0, not {value:g}")
        if self.seconds is not None and self.clock is not None:
            raise TengenError("a time for each move and a clock for the game do not go together")
        if not 0 <= self.seed < 1 << 63:
            raise TengenError("a seed is a number from 0 to 2**63 - 1")
        if self.max_moves is not None and self.max_moves < 1:
            raise TengenError("a limit of moves is 1 or more")
        if self.sprt is not None and len(self.players) != 2:
            raise TengenError("a sequential test is between two players")

    def identity(self) -> dict[str, Any]:
        """What makes two matches the same, so that one goes on where the other stopped.

        How many games, how many at a time and whether a test ends them is not part of it: the games are the same.
        """
        identity = {
            "game": self.game.name,
            "players": list(self.players),
            "seconds": self.seconds,
            "timeout": self.timeout,
            "seed": self.seed,
            "openings": self.openings,
            "max_moves": self.max_moves,
        }
        if self.clock is not None:
            identity["clock"] = str(self.clock)
        if self.openings.startswith("file:"):
            content = Path(self.openings.removeprefix("file:")).read_bytes()
            identity["openings_sha256"] = hashlib.sha256(content).hexdigest()
        return identity


class _Match:
    """A match under way."""

    def __init__(
        self, settings: Settings, store: Store | None, on_progress: Callable[[MatchResult], None] | None
    ) -> None:
        self._settings = settings
        self._openings = OpeningSource(settings.openings, settings.game, seed=settings.seed)
        self._terms = [
            player_terms(name, settings.seconds, settings.timeout, settings.clock) for name in settings.players
        ]
        self._store = store
        self._on_progress = on_progress or (lambda result: None)
        self._begun = time.monotonic()
        self._games: dict[int, MatchGame] = {}
        self._standings = Standings(len(settings.players))
        self._test = _PrefixTest(settings.sprt) if settings.sprt else None
        self._id = 0
        self._kept: dict[int, MatchGame] = {}
        if store is not None:
            self._id = store.open_match(settings.identity())
            self._kept = {game.number: game for game in store.games(self._id)}

    def play(self, jobs: int) -> MatchResult:
        """Play what is missing, and sum up."""
        missing = self._missing()
        first = next(missing, None)
        if first is not None:
            self._play_missing(first, missing, jobs)
        result = self._result()
        if self._test is not None and self._test.decided is not None:
            result = self._cut(self._test.decided)
        if self._store is not None:
            self._store.finish(self._id, result.to_dict())
        return result

    def _missing(self) -> Iterator[Scheduled]:
        """The games that have not been played; those that have been kept are counted on the way."""
        settings = self._settings
        for scheduled in schedule(len(settings.players), settings.games, self._openings):
            if self._test is not None and self._test.decided is not None:
                return
            kept = self._kept.pop(scheduled.number, None)
            if kept is None:
                yield scheduled
                continue
            if kept.result.start != scheduled.opening.position or (kept.black, kept.white) != (
                scheduled.black,
                scheduled.white,
            ):
                raise TengenError(
                    f"game {kept.number + 1} of the match that was kept began from another opening than it would now; "
                    "take another file or another seed"
                )
            self._count(kept)

    def _play_missing(self, first: Scheduled, missing: Iterator[Scheduled], jobs: int) -> None:
        given: dict[int, Scheduled] = {}
        upcoming: Scheduled | None = first
        left = (self._settings.games + 1) * len(self._settings.players) ** 2 // 2  # no more workers than games
        with Pool(min(jobs, left), self._settings.imports) as pool:
            self._check_players(pool)
            while upcoming is not None or pool.busy:
                while upcoming is not None and pool.room:
                    given[upcoming.number] = upcoming
                    pool.submit(self._task(upcoming))
                    upcoming = next(missing, None)
                finished = [_match_game(given.pop(answer["number"]), answer) for answer in pool.wait()]
                if finished:
                    if self._store is not None:
                        self._store.save(self._id, finished)
                    for game in finished:
                        self._count(game)
                    self._on_progress(self._result())
                if self._test is not None and self._test.decided is not None:
                    return

    def _check_players(self, pool: Pool) -> None:
        """Find out before the first game whether all can be made and know the game."""
        game = self._settings.game.name
        names = dict(enumerate(dict.fromkeys(self._settings.players), start=1))
        waiting = list(names.items())
        while waiting or pool.busy:
            while waiting and pool.room:
                number, name = waiting.pop(0)
                pool.submit({"number": -number, "check": name, "game": game})
            for answer in pool.wait():
                if answer["error"]:
                    raise PlayerNameError(answer["error"])

    def _task(self, scheduled: Scheduled) -> dict[str, Any]:
        settings, seats = self._settings, (scheduled.black, scheduled.white)
        terms = [self._terms[player] for player in seats]
        return {
            "number": scheduled.number,
            "names": [settings.players[player] for player in seats],
            "seeds": [player_seed(settings.seed, scheduled.number, player) for player in seats],
            "start": scheduled.opening.position.to_dict(),
            "seconds": [each.limit.seconds if each.limit else None for each in terms],
            "timeouts": [each.timeout for each in terms],
            "clock": settings.clock and [settings.clock.base, settings.clock.increment],
            "max_moves": settings.max_moves,
        }

    def _count(self, game: MatchGame) -> None:
        self._games[game.number] = game
        self._standings.add(game)
        if self._test is not None:
            self._test.add(game)

    def _result(self) -> MatchResult:
        settings = self._settings
        players = len(settings.players)
        return MatchResult(
            settings.game,
            settings.players,
            settings.seed,
            settings.openings,
            settings.seconds,
            settings.clock,
            settings.games * players * (players - 1) // 2,
            self._games,
            self._standings,
            self._test.state() if self._test else None,
            tuple(self._openings.notes),
            time.monotonic() - self._begun,
        )

    def _cut(self, last: int) -> MatchResult:
        """The result of the games up to the one that decided the test; others that had begun do not count."""
        self._games = {number: game for number, game in self._games.items() if number <= last}
        self._standings = Standings(len(self._settings.players))
        for game in self._games.values():
            self._standings.add(game)
        if self._store is not None:
            self._store.drop_games_after(self._id, last)
        return self._result()


class _PrefixTest:
    """A sequential test over pairs in the order of the schedule.

    Pairs that finish early wait for those before them: otherwise short games would be heard first, and the verdict
    would depend on how many are played at a time.
    """

    def __init__(self, test: Sprt) -> None:
        self._test = test
        self._waiting: dict[int, list[float]] = {}
        self._counts = [0] * 5
        self._next = 0
        self._llr = 0.0
        self.decided: int | None = None  # the number of the last game that counts

    def add(self, game: MatchGame) -> None:
        """Hear of a game."""
        points = 0.5 if game.winner is None else float(game.winner == 0)
        self._waiting.setdefault(game.pair, []).append(points)
        while self.decided is None and len(self._waiting.get(self._next, ())) == 2:
            self._counts[round(2 * sum(self._waiting.pop(self._next)))] += 1
            a, b, c, d, e = self._counts
            self._llr = self._test.llr(Tally((a, b, c, d, e)))
            if self._test.verdict(self._llr) is not Verdict.RUNNING:
                self.decided = 2 * self._next + 1
            self._next += 1

    def state(self) -> SprtState:
        """How the test stands."""
        return SprtState(self._test, self._llr, self._test.verdict(self._llr))


def _match_game(scheduled: Scheduled, answer: dict[str, Any]) -> MatchGame:
    start = scheduled.opening.position
    result = GameResult(
        start,
        tuple(start.game.moves[action] for action in answer["moves"]),
        Side(answer["winner"]) if answer["winner"] else None,
        answer["reason"],
        Fault(answer["fault"]) if answer["fault"] else None,
        Side(answer["at_fault"]) if answer["at_fault"] else None,
        answer["detail"],
        (answer["seconds"][0], answer["seconds"][1]),
        (answer["slowest"][0], answer["slowest"][1]),
        (answer["plies"][0], answer["plies"][1]),
    )
    return MatchGame(scheduled.number, scheduled.pair, scheduled.black, scheduled.white, scheduled.opening.name, result)
