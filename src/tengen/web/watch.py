"""What there is to watch: training runs as they go on, and the matches of the arena.

Runs and files are found below folders that the server was told of; a request names one of those found, never a path.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Final

from tengen.arena.match import MatchResult
from tengen.arena.standings import MatchGame
from tengen.arena.store import Store
from tengen.errors import TengenError
from tengen.games import Position
from tengen.nets.shipped import rating, shipped_nets
from tengen.train.lock import is_held
from tengen.train.samples import SAMPLES, read_samples
from tengen.web.view import cells

_MOST_RUNS: Final = 200  # that are listed
_MOST_FOUND: Final = 10_000  # folders of runs that are looked at
_MOST_POINTS: Final = 600  # of a curve
_MOST_LOG: Final = 64 << 20  # bytes of a log that are read at once
_MOST_READ: Final = 8  # logs that are remembered
_TAIL: Final = 4096  # bytes that have the last line of a log in them
_MOST_GAMES: Final = 500
_RARE: Final = re.compile(rb'"(?:evaluate_|rating|ladder_|rung|self_score|gate_)')
_LOG, _ABOUT, _CONFIG = "metrics.jsonl", "run.json", "config.toml"


@dataclass(frozen=True)
class Watched:
    """The folder of runs and the arena's file; either may not be there yet. One thread at a time."""

    runs: Path
    arena: Path
    _read: dict[Path, _Curves] = field(default_factory=dict, repr=False, compare=False)

    # --- training ---

    def run_list(self) -> list[dict[str, Any]]:
        """The 200 runs that changed last, the newest first: name, method, state, when it began, how many alarms it
        gives now, and its newest figures.
        """
        found = []
        all_of_them = ((_changed(folder), name, folder) for name, folder in self._folders())
        for changed, name, folder in nlargest(_MOST_RUNS, all_of_them):
            about = _about(folder)
            if about is None:
                continue
            newest = _newest(folder / _LOG)
            shown = {key: about.get(key) for key in ("method", "state", "begun", "updated")}
            shown["alarms"] = _given_alarms(about)
            found.append({"name": name, **shown, "changed": changed, "newest": newest})
        return found

    def run(self, name: str) -> dict[str, Any]:
        """One run: its settings, its figures as columns, thinned, and its sample games.

        Raises ``TengenError`` if there is none.
        """
        folder = next((folder for found, folder in self._folders() if found == name), None)
        about = folder and _about(folder)
        if folder is None or about is None:
            raise TengenError(f"there is no run {name[:80]!r}")
        lines = self._curves(folder / _LOG)
        keys = list(dict.fromkeys(key for line in lines for key in line))
        config = folder / _CONFIG
        return {
            "name": name,
            "about": about,
            "config": config.read_text("utf-8", "replace")[:100_000] if config.exists() else "",
            "columns": {key: [line.get(key) for line in lines] for key in keys},
            "games": [shown for sample in read_samples(folder / SAMPLES) if (shown := _shown(sample)) is not None],
        }

    def _curves(self, log: Path) -> list[dict[str, Any]]:
        curves = self._read.pop(log, None) or _Curves(log)
        self._read[log] = curves  # as the newest
        while len(self._read) > _MOST_READ:
            del self._read[next(iter(self._read))]
        return curves.lines()

    def _folders(self) -> Iterator[tuple[str, Path]]:
        """Run folders up to three levels down (a study keeps its runs in a folder of its own)."""
        found = chain.from_iterable(self.runs.glob(f"{pattern}/{_ABOUT}") for pattern in ("*", "*/*", "*/*/*"))
        for about in islice(found, _MOST_FOUND):
            yield about.parent.relative_to(self.runs).as_posix(), about.parent

    # --- the arena ---

    def matches(self) -> list[dict[str, Any]]:
        """All matches of the arena's file, with their standings where they are finished.

        Raises ``TengenError`` with the code ``arena_file`` if it cannot be read.
        """
        if not self.arena.exists():
            return []
        with self._store() as store:
            return store.matches()

    def match(self, number: str) -> dict[str, Any]:
        """A match, what it has come to so far, and its games, the first 500: who played, the moves from the start, who
        won and why; ``games_in_all`` says how many there are.
        """
        if not self.arena.exists():
            raise TengenError("there are no matches")
        with self._store() as store:
            found = {str(each["id"]): each for each in store.matches()}.get(number)
            if found is not None:
                settings, summary = found["settings"], found["summary"]
                games = list(store.games(found["id"]))
                if games and (summary is None or summary["games"] != len(games)):  # it is being played, or was stopped
                    summary = MatchResult.so_far(settings, games).to_dict()
                played = [_played(game, settings["players"]) for game in games[:_MOST_GAMES]]
                return {**found, "summary": summary, "games_in_all": len(games), "played": played}
        raise TengenError(f"there is no match {number[:20]!r}")

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """The arena's file, to look into: it may be any file, and what is in it damaged."""
        try:
            with Store(self.arena, read_only=True) as store:
                yield store
        except (ValueError, LookupError, TypeError, AttributeError) as trouble:
            words = str(trouble) if str(self.arena) in str(trouble) else f"{str(self.arena)!r} is damaged: {trouble!r}"
            raise TengenError(words, code="arena_file", details=[self.arena]) from None


def _played(game: MatchGame, players: Sequence[str]) -> dict[str, Any]:
    return {
        "number": game.number,
        "black": players[game.black],
        "white": players[game.white],
        "position": game.result.position().to_dict(),
        "winner": str(game.result.winner) if game.result.winner else None,
        "reason": str(game.result.reason),
    }


def nets() -> list[dict[str, Any]]:
    """The nets at hand: what they play, how they were trained, how strong they are."""
    listed = []
    for net in shipped_nets():
        measured = rating(net)
        listed.append(
            {
                "name": net.name,
                "method": net.method,
                "games": [game.name for game in net.games],
                "shape": {key: getattr(net.header.config, key) for key in ("kind", "blocks", "channels")},
                "training": {k: v for k, v in net.header.training.items() if isinstance(v, str | int | float)},
                "rating": None if measured is None else [measured.rating, measured.low, measured.high],
            }
        )
    return listed


def _given_alarms(about: dict[str, Any]) -> int:
    alarms = about.get("alarms")
    noted = alarms.values() if isinstance(alarms, dict) else ()
    return sum(isinstance(alarm, dict) and alarm.get("until") is None for alarm in noted)


def _shown(sample: dict[str, Any]) -> dict[str, Any] | None:
    """A sample game as those of a match are shown, and its last board; None if its moves cannot be played."""
    try:
        position = Position.from_dict({"game": sample["game"], "moves": sample["moves"]})
    except TengenError:
        return None
    kept = {key: sample[key] for key in ("step", "black", "white", "winner", "unplayed")}
    return {**kept, "position": position.to_dict(), "cells": cells(position)}


def _step(line: dict[str, Any]) -> float:
    step = line.get("step", 0)
    return step if isinstance(step, int | float) else 0


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text("utf-8"), parse_constant=lambda _: None)  # JSON has no NaN
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _about(folder: Path) -> dict[str, Any] | None:
    """What a run says of itself; one whose process was killed could not say that it goes on no more."""
    about = _read_json(folder / _ABOUT)
    if about is not None and about.get("state") == "running" and not is_held(folder):
        about["state"] = "stopped"
    return about


def _changed(folder: Path) -> float:
    """When a run said something last; one that has just begun has no log yet."""
    return max(_written(folder / _LOG), _written(folder / _ABOUT))


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _newest(log: Path) -> dict[str, Any]:
    """The last line of a log that is whole."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            found = [line for text in file.read().splitlines() if (line := _figures(text)) is not None]
    except OSError:
        return {}
    return (found or [{}])[-1]


class _Curves:
    """The lines of a log, thinned while they are read: what was read once is not read again."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._forget()

    def _forget(self) -> None:
        self._end = 0  # of what was read
        self._last = b""  # the line before that
        self._count, self._every = 0, 1
        self._kept: dict[int, dict[str, Any]] = {}  # by the line's number
        self._rare: dict[int, dict[str, Any]] = {}  # what is measured now and then is not thinned away

    def lines(self) -> list[dict[str, Any]]:
        """Those that are kept, and the newest, by their steps."""
        try:
            with self._log.open("rb") as file:
                self._follow(file)
        except OSError:
            self._forget()
        kept = {**self._kept, **self._rare}
        if (newest := _figures(self._last)) is not None:
            kept[self._count - 1] = newest
        return sorted((kept[number] for number in sorted(kept)), key=_step)

    def _follow(self, file: BinaryIO) -> None:
        file.seek(self._end - len(self._last))
        if file.read(len(self._last)) != self._last:  # a run that is resumed writes its log anew
            self._forget()
        self._end = max(self._end, file.seek(0, os.SEEK_END) - _MOST_LOG)
        file.seek(self._end)
        for text in file:
            if not text.endswith(b"\n"):  # it is being written
                break
            self._end += len(text)
            self._last = text
            self._note(text)

    def _note(self, text: bytes) -> None:
        """Most lines of a long log are not kept, and not even parsed."""
        number, is_rare = self._count, _RARE.search(text) is not None
        self._count += 1
        if number % self._every and not is_rare:
            return
        if (line := _figures(text)) is None:
            return
        (self._rare if is_rare else self._kept)[number] = line
        if len(self._kept) > _MOST_POINTS:
            self._every *= 2
            self._kept = {number: line for number, line in self._kept.items() if number % self._every == 0}


def _figures(text: bytes) -> dict[str, Any] | None:
    """A line of a log; None if it is damaged. Numbers that JSON has not, such as a loss without end, are left out."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict):
        return None
    return {key: value for key, value in line.items() if _is_figure(value)}


def _is_figure(value: Any) -> bool:
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
