"""Matches in one SQLite file: what is needed to go on with one, and to show it."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tengen.arena.game import Fault, GameResult
from tengen.arena.standings import MatchGame
from tengen.errors import TengenError
from tengen.games import Position, Side

#: The layout of the file (``PRAGMA user_version``); a file of another is refused, never guessed at.
SCHEMA_VERSION = 1

_APPLICATION = 0x54656E67  # "Teng", as `PRAGMA application_id`

_SCHEMA = """
CREATE TABLE IF NOT EXISTS matches (
    id INTEGER PRIMARY KEY,
    settings TEXT NOT NULL UNIQUE,      -- JSON; two matches of the same settings are the same match
    game TEXT NOT NULL,
    players TEXT NOT NULL,              -- JSON list of names
    seed INTEGER NOT NULL,
    begun REAL NOT NULL,                -- seconds since 1970
    changed REAL NOT NULL,
    summary TEXT                        -- JSON of the result when the match was last finished
);
CREATE TABLE IF NOT EXISTS games (
    match INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,            -- place in the schedule
    pair INTEGER NOT NULL,              -- games of one pair share opening and players
    black INTEGER NOT NULL,             -- places in the list of players
    white INTEGER NOT NULL,
    opening TEXT NOT NULL,              -- its name
    start TEXT NOT NULL,                -- JSON of the position it leads to
    moves TEXT NOT NULL,                -- those after the opening, in notation, with spaces
    winner TEXT,                        -- black, white, or NULL for a draw
    reason TEXT NOT NULL,
    fault TEXT,
    at_fault TEXT,                      -- black or white
    detail TEXT NOT NULL,
    black_seconds REAL NOT NULL,
    white_seconds REAL NOT NULL,
    black_slowest REAL NOT NULL,
    white_slowest REAL NOT NULL,
    black_plies INTEGER NOT NULL,
    white_plies INTEGER NOT NULL,
    finished REAL NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
"""

_GAME_COLUMNS = 20


class Store:
    """A file of matches. Use it as a context; one thread at a time.

    What ``save`` has taken survives a kill of the process. With ``read_only`` nothing is written, and the file must be
    there. Raises ``TengenError`` if the file cannot be used, is no file of matches, or is of another layout.
    """

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self.path = os.fspath(path)
        self._read_only = read_only
        address = _read_only_address(self.path) if read_only else self.path
        try:
            self._database = sqlite3.connect(address, timeout=30.0, isolation_level=None, uri=read_only)
            with self._errors():
                self._prepare()
        except sqlite3.Error as trouble:
            raise TengenError(f"cannot use {self.path!r} as a file of matches: {trouble}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as trouble:
            raise TengenError(f"{self.path!r}: {trouble}") from None

    def _prepare(self) -> None:
        database = self._database
        version = int(database.execute("PRAGMA user_version").fetchone()[0])
        application = int(database.execute("PRAGMA application_id").fetchone()[0])
        tables = int(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        if tables and application != _APPLICATION:
            raise TengenError(f"{self.path!r} is a database, but not one of matches")
        if tables and version != SCHEMA_VERSION:
            raise TengenError(f"{self.path!r} has layout {version}; this version of Tengen knows {SCHEMA_VERSION}")
        if self._read_only:
            return
        database.execute("PRAGMA journal_mode = WAL")
        database.execute(
            "PRAGMA synchronous = NORMAL"
        )  # with WAL: safe from a kill; a power cut may cost the last games
        database.execute("PRAGMA foreign_keys = ON")
        if not tables:
            begin = f"BEGIN IMMEDIATE; PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {SCHEMA_VERSION};"
            database.executescript(f"{begin} {_SCHEMA} COMMIT;")

    def open_match(self, settings: Mapping[str, Any]) -> int:
        """The number of the match with these settings, which is made if there is none."""
        key = json.dumps(settings, sort_keys=True)
        now = time.time()
        row = (key, settings["game"], json.dumps(settings["players"]), settings["seed"], now, now)
        with self._errors():
            self._database.execute(
                "INSERT OR IGNORE INTO matches (settings, game, players, seed, begun, changed)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )
            found = self._database.execute("SELECT id FROM matches WHERE settings = ?", (key,)).fetchone()
        return int(found[0])

    def save(self, match: int, games: Iterable[MatchGame]) -> None:
        """Keep games; one that is there already stays as it was."""
        now = time.time()
        rows = [_row(match, game, now) for game in games]
        places = ", ".join("?" * _GAME_COLUMNS)
        with self._errors():
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(f"INSERT OR IGNORE INTO games VALUES ({places})", rows)
            self._database.execute("UPDATE matches SET changed = ? WHERE id = ?", (now, match))
            self._database.execute("COMMIT")

    def games(self, match: int) -> Iterator[MatchGame]:
        """The games of a match in the order of their numbers."""
        with self._errors():
            rows = self._database.execute("SELECT * FROM games WHERE match = ? ORDER BY number", (match,)).fetchall()
        return map(_game, rows)

    def drop_games_after(self, match: int, number: int) -> None:
        """Forget the games that come after one in the schedule."""
        with self._errors():
            self._database.execute("DELETE FROM games WHERE match = ? AND number > ?", (match, number))

    def finish(self, match: int, summary: Mapping[str, Any]) -> None:
        """Keep the result of a match, as the page shows it."""
        with self._errors():
            self._database.execute("UPDATE matches SET summary = ? WHERE id = ?", (json.dumps(summary), match))

    def matches(self) -> list[dict[str, Any]]:
        """Every match, newest first: its id, settings, when it was begun and changed, its games and its summary."""
        with self._errors():
            rows = self._database.execute(
                "SELECT id, settings, begun, changed, summary, (SELECT count(*) FROM games WHERE match = id)"
                " FROM matches ORDER BY begun DESC, id DESC"
            ).fetchall()
        return [
            {
                "id": row[0],
                "settings": json.loads(row[1]),
                "begun": row[2],
                "changed": row[3],
                "summary": json.loads(row[4]) if row[4] else None,
                "games": row[5],
            }
            for row in rows
        ]


def _read_only_address(path: str) -> str:
    # Where nobody writes, SQLite would make files of its own beside it, if it may, and leave them there.
    is_at_rest = not Path(f"{path}-wal").exists()
    return f"{Path(path).absolute().as_uri()}?mode=ro{'&immutable=1' if is_at_rest else ''}"


def _row(match: int, game: MatchGame, now: float) -> tuple[Any, ...]:
    result = game.result
    return (
        match,
        game.number,
        game.pair,
        game.black,
        game.white,
        game.opening,
        json.dumps(result.start.to_dict()),
        " ".join(str(move) for move in result.moves),
        result.winner and result.winner.value,
        result.reason,
        result.fault and result.fault.value,
        result.at_fault and result.at_fault.value,
        result.detail,
        *result.seconds,
        *result.slowest,
        *result.plies,
        now,
    )


def _game(row: tuple[Any, ...]) -> MatchGame:
    start = Position.from_dict(json.loads(row[6]))
    result = GameResult(
        start,
        tuple(start.game.move(move) for move in row[7].split()),
        Side(row[8]) if row[8] else None,
        row[9],
        Fault(row[10]) if row[10] else None,
        Side(row[11]) if row[11] else None,
        row[12],
        (row[13], row[14]),
        (row[15], row[16]),
        (row[17], row[18]),
    )
    return MatchGame(row[1], row[2], row[3], row[4], row[5], result)
