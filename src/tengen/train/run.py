"""The run folder that all training methods share: configuration, log, checkpoints.

``config.toml`` (all settings as run), ``run.json`` (state, versions, seed, alarms), ``metrics.jsonl`` (one line a log
entry), TensorBoard's events beside it, ``games.jsonl`` (sample games), and ``checkpoints/`` (folders, the newest last).
Everything that matters is written under another name first and then renamed, so that a run that is killed at any moment
goes on. ``run.lock`` is held by the process that has the run open.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

import tengen
from tengen.errors import TengenError
from tengen.train.lock import HeldError, claim
from tengen.train.samples import SAMPLES, SampleGames
from tengen.train.settings import read_toml, to_toml

_STATE = "state.json"
_DAMAGED = ".damaged"  # the ending of a checkpoint that cannot be gone on from
_LEFTOVERS = (".part", ".old", ".gone")  # of one that a killed run was about to write, replace or delete


class RunError(TengenError):
    """A run folder that cannot be made, or gone on with."""


class DamagedError(RunError):
    """A checkpoint that is not as it was written."""


class Run:
    """A run folder, open for one process; raises ``RunError`` where another one has it."""

    def __init__(self, folder: Path, method: str) -> None:
        self.folder = folder
        self.method = method
        try:
            self._lock = claim(folder)
        except HeldError as held:
            raise RunError(f"the run in {folder} is going on already, in process {held}") from None
        self.remarks: list[str] = []  # what who goes on with it is to hear: that it is not as it was left
        self._metrics = (folder / "metrics.jsonl").open("a", encoding="utf-8")
        self._board: Any = None  # made by the first entry, which comes after :meth:`resume`
        self._purge: int | None = None  # TensorBoard is to forget what it has from this step on
        self.samples = SampleGames(folder / SAMPLES, write_text)
        self._alarms = _alarms_in(self._about())

    @classmethod
    def create(cls, folder: str | os.PathLike[str], method: str, config: Mapping[str, Any], *, seed: int) -> Self:
        """Make a new run; raises ``RunError`` if there is one already, or anything else."""
        path = Path(folder)
        if (path / "run.json").exists():
            raise RunError(f"there is a run in {path} already; go on with --resume {path}, or choose another folder")
        try:
            if path.is_dir() and not _is_free(path):
                raise RunError(f"{path} holds other things and no run; a new run takes a new folder, or an empty one")
            (path / "checkpoints").mkdir(parents=True, exist_ok=True)
            write_text(path / "config.toml", to_toml(config))
            about = {"method": method, "state": "running", "seed": seed, "versions": _versions(), "begun": _now()}
            write_text(path / "run.json", json.dumps(about, indent=1))
            return cls(path, method)
        except OSError as error:
            raise RunError(f"cannot make a run in {path}: {error.strerror}") from None

    @classmethod
    def open(cls, folder: str | os.PathLike[str], method: str) -> tuple[Self, dict[str, Any]]:
        """Open a run to go on with it; returns it and its configuration."""
        path = Path(folder)
        try:
            text = (path / "run.json").read_text("utf-8")
            config = read_toml(path / "config.toml")
        except FileNotFoundError:
            raise RunError(f"there is no run to go on with in {path}") from None
        except OSError as error:
            raise RunError(f"there is no run to go on with in {path}: {error.strerror}") from None
        except ValueError as error:
            raise RunError(f"there is no run to go on with in {path}: {error}") from None
        try:
            about = json.loads(text)
        except ValueError as error:
            raise RunError(f"there is no run to go on with in {path}: run.json is damaged: {error}") from None
        if not isinstance(about, dict):
            raise RunError(f"there is no run to go on with in {path}: run.json is no JSON object")
        if about.get("method") != method:
            raise RunError(f"the run in {path} is one of {about.get('method')!r}, not of {method!r}")
        (path / "checkpoints").mkdir(exist_ok=True)  # who deletes them may take the folder with them
        for replaced in (path / "checkpoints").glob("*.old"):  # killed while it was being replaced
            if not replaced.with_suffix("").exists():
                replaced.rename(replaced.with_suffix(""))
        return cls(path, method), config

    def go_on(self, config: Mapping[str, Any]) -> None:
        """Note that a run goes on, with these settings."""
        write_text(self.folder / "config.toml", to_toml(config))
        self.set_state("running")

    def set_state(self, state: str, **more: Any) -> None:
        """Note in ``run.json`` how the run stands: running, stopped, finished or failed (and ``why``)."""
        about = {**self._about(), "state": state, "updated": _now()}
        about.pop("why", None)
        about |= more
        write_text(self.folder / "run.json", json.dumps(about, indent=1))

    @contextmanager
    def noting_failure(self) -> Iterator[None]:
        """What is raised in here ends the run: its state becomes failed, with why."""
        try:
            yield
        except Exception as trouble:
            with suppress(OSError):  # the disk may be full
                self.set_state("failed", why=str(trouble))
            raise

    def _about(self) -> dict[str, Any]:
        about: dict[str, Any] = json.loads((self.folder / "run.json").read_text("utf-8"))
        return about

    def log(self, step: int, values: Mapping[str, float], alarms: Mapping[str, str] | None = None) -> None:
        """Append a line to the log, and note alarms (name, meaning) that came or went; ``step`` is TensorBoard's."""
        values = {key: value for key, value in values.items() if math.isfinite(value)}  # JSON has no other numbers
        entry = {key: round(value, 6) if isinstance(value, float) else value for key, value in values.items()}
        self._metrics.write(json.dumps({"step": step, **entry}) + "\n")
        self._metrics.flush()
        self._board = self._board or _tensorboard(self.folder, self._purge)
        for key, value in values.items():
            self._board.add_scalar(key, value, step)
        self._note_alarms(step, alarms or {})

    def _note_alarms(self, step: int, alarms: Mapping[str, str]) -> None:
        """Of each alarm ``run.json`` has what it means, the step since when, and until when it was given.

        One that comes back is the same as before: so there are never more than names.
        """
        given = {name for name, alarm in self._alarms.items() if alarm["until"] is None}
        if given == set(alarms):
            return
        for name in given - set(alarms):
            self._alarms[name]["until"] = step
        for name in set(alarms) - given:
            since = self._alarms[name]["since"] if name in self._alarms else step
            self._alarms[name] = {"meaning": alarms[name], "since": since, "until": None}
        self._keep_alarms(self._alarms)

    def _keep_alarms(self, alarms: dict[str, dict[str, Any]]) -> None:
        self._alarms = alarms
        write_text(self.folder / "run.json", json.dumps({**self._about(), "alarms": alarms}, indent=1))

    def trim_log(self, keep: Callable[[dict[str, Any]], bool]) -> None:
        """Drop the lines that are not to be kept: a run that goes on from before them writes them again."""
        self._metrics.close()
        path = self.folder / "metrics.jsonl"
        kept = []
        for line in path.read_text("utf-8").splitlines():
            with suppress(ValueError, KeyError, TypeError):  # the last line of a run that was killed
                if keep(json.loads(line)):
                    kept.append(line)
        write_text(path, "".join(line + "\n" for line in kept))
        self._metrics = path.open("a", encoding="utf-8")

    def save(self, step: int, state: Mapping[str, Any], write: Callable[[Path], None], *, keep: int) -> Path:
        """Write a checkpoint: ``write`` fills a folder, ``state`` is kept as JSON beside; only ``keep`` remain."""
        checkpoints = self.folder / "checkpoints"
        for leftover in checkpoints.iterdir():
            if leftover.suffix in _LEFTOVERS:
                shutil.rmtree(leftover, ignore_errors=True)
        part = checkpoints / f"{step:010d}.part"
        part.mkdir(parents=True)
        try:
            write(part)
        except Exception:
            shutil.rmtree(part, ignore_errors=True)
            raise
        hashes = {file.name: _sha256(file) for file in sorted(part.iterdir())}
        write_text(part / _STATE, json.dumps({"state": dict(state), "sha256": hashes}, indent=1))
        for file in part.iterdir():
            _sync(file)
        final = checkpoints / f"{step:010d}"
        replaced = final.with_suffix(".old")
        if final.exists():
            final.rename(replaced)
        part.rename(final)
        _sync(checkpoints)
        shutil.rmtree(replaced, ignore_errors=True)
        for old in self.checkpoints()[:-keep]:
            # Under another name first: half of a checkpoint must not look like one.
            shutil.rmtree(old.rename(old.with_suffix(".gone")), ignore_errors=True)
        return final

    def checkpoints(self) -> list[Path]:
        """The checkpoints there are, oldest first."""
        return sorted(p for p in (self.folder / "checkpoints").iterdir() if p.name.isdecimal() and p.is_dir())

    def resume(self, resume: Callable[[Path], None]) -> bool:
        """Call ``resume`` with the newest checkpoint that is whole; False if there is none at all.

        Raises ``RunError`` if there are some and all are damaged. What ``resume`` raises for a whole one is passed on:
        one that does not fit other settings must not make a run begin earlier. ``remarks`` say what was passed over.
        """
        damaged = []
        for checkpoint in reversed(self.checkpoints()):
            try:
                resume(checkpoint)
            except DamagedError as error:
                damaged.append(str(error))
                continue
            self.remarks += [f"passed over: {trouble}" for trouble in damaged]
            self._set_aside(checkpoint)
            self._forget_after(int(checkpoint.name))
            return True
        if damaged:
            raise RunError("no checkpoint can be gone on from: " + "; ".join(damaged))
        if (self.folder / "metrics.jsonl").stat().st_size:
            where = self.folder / "checkpoints"
            self.remarks.append(f"there is no checkpoint in {where}: the run begins again from nothing, its log too")
        self._forget_after(-1)
        return False  # killed before the first

    def _set_aside(self, good: Path) -> None:
        """Take those that are newer than the one that is gone on from, all damaged, out of the row.

        They would be the newest in the eyes of whoever looks for weights, and outlive what is written from now on.
        """
        for checkpoint in self.checkpoints():
            if checkpoint > good:
                aside = checkpoint.with_suffix(_DAMAGED)
                shutil.rmtree(aside, ignore_errors=True)
                checkpoint.rename(aside)

    def _forget_after(self, step: int) -> None:
        """Drop the games and alarms after a step, as :meth:`trim_log` does the lines."""
        self.samples.cut(step)
        self._purge = step + 1
        kept = {name: dict(alarm) for name, alarm in self._alarms.items() if alarm["since"] <= step}
        for alarm in kept.values():
            if alarm["until"] is not None and alarm["until"] > step:
                alarm["until"] = None
        if kept != self._alarms:
            self._keep_alarms(kept)

    def close(self) -> None:
        """Close the files."""
        self._metrics.close()
        if self._board is not None:
            self._board.close()
        self._lock.close()


def _is_free(folder: Path) -> bool:
    """Whether a run can be made in a folder: there is nothing in it but what is left where that was killed."""
    names = {entry.name for entry in folder.iterdir()}
    if not names:
        return True
    # What is made first, and stays empty until the run is there.
    begun = "checkpoints" in names and not any((folder / "checkpoints").iterdir())
    return begun and names <= {"checkpoints", "config.toml", "config.toml.part", "run.json.part"}


def _alarms_in(about: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What :meth:`Run.log` noted; nothing of what it did not."""
    noted = about.get("alarms")
    return {
        name: alarm
        for name, alarm in (noted.items() if isinstance(noted, dict) else ())
        if isinstance(alarm, dict)
        and type(alarm.get("since")) is int
        and type(alarm.get("until", "")) in (int, type(None))
    }


def share_done(*limits: tuple[float, float]) -> float:
    """How much of a run is over, from 0 to 1, of pairs of what is done and its limit; a limit of 0 is none."""
    return min(1.0, max((done / limit for done, limit in limits if limit), default=0.0))


def progress_words(seconds: float, games: int, limits: tuple[float, int], games_per_second: float) -> list[str]:
    """How far a run is, for people; limits are seconds and games, 0 if there is none."""
    minutes = f"{seconds / 60:.1f}" + (f" of {limits[0] / 60:g}" if limits[0] else "")
    return [
        f"{minutes} min",
        f"{games}" + (f" of {limits[1]}" if limits[1] else "") + f" games ({games_per_second:.1f}/s)",
    ]


class Counted(Protocol):
    """What a method counts that plays games."""

    @property
    def games(self) -> int:
        """Games played."""

    @property
    def steps(self) -> int:
        """Steps of learning, whatever the method calls them."""

    @property
    def seconds(self) -> float:
        """Time spent."""


def summary_words(counters: Counted, steps: str, run: Run, *more: str) -> str:
    """What a run came to, for people; ``steps`` says what its steps are."""
    weights = sorted(run.checkpoints()[-1].glob("net*.safetensors"))  # S2 has two
    done = f"{counters.games} games, {counters.steps} {steps}, {counters.seconds / 60:.1f} minutes"
    return "\n".join([done, *more, f"weights: {', '.join(map(str, weights))}"])


def nothing_learned(steps: int, rows: int, wanted: int) -> list[str]:
    """Say so, if there were too few positions to learn from."""
    if steps:
        return []
    return [f"nothing learned: that begins with {wanted} positions; at the end there were {rows}"]


def read_checkpoint(folder: Path, *, optional: Collection[str] = ()) -> dict[str, Any]:
    """The state of a checkpoint whose files are what was written; raises ``DamagedError`` otherwise.

    The ``optional`` files may be missing: large ones that were not taken along to another machine.
    """
    try:
        about = json.loads((folder / _STATE).read_text("utf-8"))
        hashes, state = about["sha256"], about["state"]
        for name, sha256 in hashes.items():
            if name in optional and not (folder / name).exists():
                continue
            if Path(name).name != name or _sha256(folder / name) != sha256:
                raise DamagedError(f"{folder / name} is damaged or was changed")
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, RunError):
            raise
        why = f"it has no {error}" if isinstance(error, KeyError) else error
        raise DamagedError(f"{folder} is no checkpoint: {why}") from None
    if not isinstance(state, dict):
        raise DamagedError(f"{folder} is no checkpoint")
    return state


def write_text(path: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, "utf-8")
    _sync(part)
    part.replace(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _versions() -> dict[str, str]:
    return {"tengen": tengen.__version__, "python": platform.python_version(), "numpy": np.__version__}


class _NoBoard:
    """In the place of TensorBoard, which is an optional part."""

    def add_scalar(self, key: str, value: float, step: int) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


def _tensorboard(folder: Path, purge: int | None) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return _NoBoard()
    return SummaryWriter(str(folder / "tensorboard"), purge_step=purge)


def amounts_learned(training: Mapping[str, Any]) -> dict[str, float]:
    """How much a net file says that was learned from; nothing of what a stranger wrote there but numbers."""
    amounts = ((key, training.get(key)) for key in ("played", "rows", "moves", "steps", "minutes"))
    return {key: value for key, value in amounts if isinstance(value, (int, float)) and value >= 0}
