"""What there is to watch: training runs as they go on, and the matches of the arena.

Runs and files are found below folders that the server was told of; a request names one of those found, never a path.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tengen.arena.store import Store
from tengen.errors import TengenError
from tengen.games import Position
from tengen.nets.shipped import rating, shipped_nets
from tengen.train.samples import SAMPLES, read_samples
from tengen.web.view import cells

_MOST_RUNS: Final = 200
_MOST_POINTS: Final = 600  # of a curve
_MOST_LOG: Final = 64 << 20  # bytes of a log that are read
_MOST_GAMES: Final = 500
_RARE: Final = ("evaluate_", "rating", "ladder_", "rung", "self_score", "gate_")
_LOG, _ABOUT, _CONFIG = "metrics.jsonl", "run.json", "config.toml"


@dataclass(frozen=True)
class Watched:
    """The folder of runs and the arena's file; either may not be there yet."""

    runs: Path
    arena: Path

    # --- training ---

    def run_list(self) -> list[dict[str, Any]]:
        """All runs, the one that changed last first: name, method, state, when it began, how many alarms it gives now,
        and its newest figures.
        """
        found = []
        for name, folder in self._folders():
            about = _read_json(folder / _ABOUT)
            if about is None:
                continue
            newest = _log(folder / _LOG, tail=4096)[-1:]
            changed = (folder / _LOG).stat().st_mtime if (folder / _LOG).exists() else 0.0
            shown = {key: about.get(key) for key in ("method", "state", "begun", "updated")}
            shown["alarms"] = _given_alarms(about)
            found.append({"name": name, **shown, "changed": changed, "newest": newest[0] if newest else {}})
        return sorted(found, key=lambda run: -run["changed"])

    def run(self, name: str) -> dict[str, Any]:
        """One run: its settings, its figures as columns, thinned, and its sample games.

        Raises ``TengenError`` if there is none.
        """
        folder = dict(self._folders()).get(name)
        about = folder and _read_json(folder / _ABOUT)
        if folder is None or about is None:
            raise TengenError(f"there is no run {name[:80]!r}")
        lines = _log(folder / _LOG)
        step = -(-len(lines) // _MOST_POINTS) or 1
        kept = lines[::-1][::step][::-1]
        # What is measured now and then (ratings, evaluations) is not thinned away.
        rare = [line for line in lines if any(key.startswith(_RARE) for key in line)]
        merged = sorted({json.dumps(line, sort_keys=True): line for line in [*kept, *rare]}.values(), key=_step)
        keys = list(dict.fromkeys(key for line in merged for key in line))
        config = folder / _CONFIG
        return {
            "name": name,
            "about": about,
            "config": config.read_text("utf-8")[:100_000] if config.exists() else "",
            "columns": {key: [line.get(key) for line in merged] for key in keys},
            "games": [shown for sample in read_samples(folder / SAMPLES) if (shown := _shown(sample)) is not None],
        }

    def _folders(self) -> Iterator[tuple[str, Path]]:
        """Run folders up to three levels down (a study keeps its runs in a folder of its own), by name."""
        count = 0
        for pattern in ("*", "*/*", "*/*/*"):
            for about in sorted(self.runs.glob(f"{pattern}/{_ABOUT}")):
                count += 1
                if count > _MOST_RUNS:
                    return
                yield about.parent.relative_to(self.runs).as_posix(), about.parent

    # --- the arena ---

    def matches(self) -> list[dict[str, Any]]:
        """All matches of the arena's file, with their standings where they are finished."""
        if not self.arena.is_file():
            return []
        with Store(self.arena) as store:
            return store.matches()

    def match(self, number: str) -> dict[str, Any]:
        """A match and its games, the first 500: who played, the moves from the start, who won and why."""
        if not self.arena.is_file():
            raise TengenError("there are no matches")
        with Store(self.arena) as store:
            known = {each["id"]: each for each in store.matches()}
            match = int(number) if number.isdecimal() and len(number) < 10 else -1
            if match not in known:
                raise TengenError(f"there is no match {number[:20]!r}")
            players = known[match]["settings"]["players"]
            games = [
                {
                    "number": game.number,
                    "black": players[game.black],
                    "white": players[game.white],
                    "position": game.result.position().to_dict(),
                    "winner": str(game.result.winner) if game.result.winner else None,
                    "reason": str(game.result.reason),
                }
                for game in islice(store.games(match), _MOST_GAMES)
            ]
        return {**known[match], "played": games}


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
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _log(path: Path, *, tail: int | None = None) -> list[dict[str, Any]]:
    """The lines of a log, or those in its last bytes; one that is being written is left out."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            start = max(0, size - (tail or _MOST_LOG))
            file.seek(start)
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return []
    lines = []
    for line in text.splitlines()[1 if start else 0 :]:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            lines.append({key: value for key, value in entry.items() if isinstance(value, int | float | str)})
    return lines
