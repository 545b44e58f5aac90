"""Sample games of a run, for people to look at: few, from its beginning to its end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tengen.games import Game, Side

SAMPLES: Final = "games.jsonl"  #: in a run folder: one line a game
MOST: Final = 50  #: of them
_EVERY: Final = 10.0  # seconds between them, so that a run does not notice
_MOST_BYTES: Final = 1 << 20  # that are read; more was not written here


class SampleGames:
    """The file of a run's sample games. It is written as a whole, by ``write``, which a kill cannot damage.

    When there are too many, those go that stand closest together, so that the others tell of the whole run.
    """

    def __init__(self, path: Path, write: Callable[[Path, str], None], *, now: Callable[[], float] = time.monotonic):
        self._path, self._write, self._now = path, write, now
        self._games = read_samples(path)
        self._next = now()

    def is_due(self) -> bool:
        """Whether the next game is wanted."""
        return self._now() >= self._next

    def add(
        self,
        step: int,
        game: Game,
        actions: Sequence[int],
        *,
        black: str,
        white: str,
        winner: Side | None,
        unplayed: int = 0,
    ) -> None:
        """Keep a game that has ended; ``unplayed`` of its last plies are not known, or were never played."""
        sample = {
            "step": step,
            "game": game.name,
            "moves": [str(game.moves[action]) for action in actions],
            "black": black,
            "white": white,
            "winner": None if winner is None else str(winner),
            "unplayed": unplayed,
        }
        self._games.append(sample)
        while len(self._games) > MOST:
            self._drop_one()
        self._save()
        self._next = self._now() + _EVERY

    def cut(self, step: int) -> None:
        """Drop the games after a step: a run that goes on from there plays others."""
        kept = [sample for sample in self._games if sample["step"] <= step]
        if len(kept) < len(self._games):
            self._games = kept
            self._save()

    def _drop_one(self) -> None:
        """The first and the newest stay; of the others the one goes that leaves the smallest gap."""
        steps = [sample["step"] for sample in self._games]
        gaps = [after - before for before, after in zip(steps[:-2], steps[2:], strict=True)]
        del self._games[1 + gaps.index(min(gaps))]

    def _save(self) -> None:
        self._write(self._path, "".join(json.dumps(sample) + "\n" for sample in self._games))


def read_samples(path: Path) -> list[dict[str, Any]]:
    """The sample games in a file, oldest first; a line that is damaged is passed over, and so is a missing file.

    The moves are texts, but not known to be legal: the file may be a stranger's.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return []
    found = []
    for line in text.splitlines():
        try:
            sample = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if _is_sample(sample):
            found.append(sample)
    return found[-MOST:]


def _is_sample(sample: Any) -> bool:
    if not isinstance(sample, dict) or sample.get("winner") not in (None, "black", "white"):
        return False
    numbers = (sample.get("step"), sample.get("unplayed"))
    texts = (sample.get("game"), sample.get("black"), sample.get("white"))
    moves = sample.get("moves")
    return (
        all(type(number) is int and 0 <= number < 1 << 53 for number in numbers)
        and all(isinstance(text, str) and len(text) <= 200 for text in texts)
        and isinstance(moves, list)
        and all(isinstance(move, str) and len(move) <= 4 for move in moves)
    )
