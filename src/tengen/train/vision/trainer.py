"""A run that learns to read pictures: what is common to all kinds of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tengen.errors import TengenError
from tengen.train.run import Run, RunError, read_checkpoint
from tengen.train.settings import ConfigError, to_dict
from tengen.train.vision.config import VisionConfig, make_config

if TYPE_CHECKING:
    from torch import Tensor

METHOD = "vision"


@dataclass
class Counters:
    """What a run has done so far, over all its sittings."""

    seconds: float = 0.0
    steps: int = 0


@dataclass
class Progress:
    """What the log says now and then."""

    counters: Counters
    share: float
    words: str
    alarms: dict[str, str] = field(default_factory=dict)

    def in_words(self) -> str:
        """For people who wait."""
        return f"{self.share:.0%}, {self.counters.seconds / 60:.1f} min, {self.words}"


class Lesson(Protocol):
    """One kind of recogniser and how it learns; the trainer calls ``learn`` until ``share`` is 1."""

    def share(self) -> float:
        """How much of the lesson is over, from 0 to 1."""

    def learn(self) -> tuple[int, dict[str, float]]:
        """Go on for a while (a second to a minute); returns the steps taken, and numbers for the log."""

    def stop(self) -> None:
        """Let ``learn`` return soon, with fewer steps; may be called from a signal handler."""

    def progress_words(self) -> str:
        """How it stands, in one line."""

    def findings(self) -> str:
        """What the finished or stopped lesson has come to, in a few lines."""

    def prepare(self, folder: Path) -> None:
        """Called once with a new run's folder, before anything is learned."""

    def weights(self) -> Iterable[Tensor]:
        """All that has been learned."""

    def write(self, folder: Path) -> None:
        """Write the nets, as ``net*``, and whatever going on needs, into a checkpoint's folder."""

    def state(self) -> dict[str, Any]:
        """What else going on needs, fit for JSON."""

    def start_from(self, path: str) -> None:
        """Begin with the weights in a file; raises ``TengenError`` if they do not fit."""

    def resume(self, folder: Path, state: dict[str, Any]) -> None:
        """Go on from what ``write`` and ``state`` left; raises ``RunError`` if it does not fit."""


def make_lesson(config: VisionConfig) -> Lesson:
    """The lesson of a configuration; raises ``TengenError`` if a package that it needs is missing."""
    try:
        if config.kind == "s1":
            from tengen.train.vision.s1 import S1Lesson

            return S1Lesson(config)
        from tengen.train.vision.see import SeeLesson

        return SeeLesson(config)
    except ModuleNotFoundError as missing:
        raise TengenError(f"learning from pictures needs {missing.name}: pip install tengen[train,vision]") from None


class VisionTrainer:
    """One sitting of a run. ``stop`` may be called from a signal handler."""

    run_folder: Run

    def __init__(self, config: VisionConfig) -> None:
        self.config = config
        self.counters = Counters()
        self.lesson = make_lesson(config)
        self.stopped = False

    def stop(self) -> None:
        """End the sitting soon, with a checkpoint."""
        self.stopped = True
        self.lesson.stop()

    def finished(self) -> bool:
        """Whether there is nothing left to learn, or ``stop`` was called."""
        return self.stopped or self.lesson.share() >= 1

    def train(self, watch: Callable[[Progress], None] = lambda _: None) -> Counters:
        """Run until the lesson is over or ``stop`` is called; ``watch`` hears of every log entry."""
        from tengen.train.weights import require_sound

        begun, before = time.monotonic(), self.counters.seconds
        while not self.finished():
            steps, metrics = self.lesson.learn()
            self.counters.steps += steps
            self.counters.seconds = before + time.monotonic() - begun
            advice = f"a lower {self.config.kind}.rate helps"
            require_sound(self.lesson.weights(), self.run_folder, self.counters.steps, advice)
            self.run_folder.log(self.counters.steps, {"minutes": self.counters.seconds / 60, **metrics})
            watch(Progress(self.counters, self.lesson.share(), self.lesson.progress_words()))
            self.save()
        if not self.run_folder.checkpoints():  # stopped before the first
            self.save()
        return self.counters

    def save(self) -> Path:
        """Write a checkpoint."""
        state = {"counters": vars(self.counters), "lesson": self.lesson.state()}
        return self.run_folder.save(self.counters.steps, state, self.lesson.write, keep=self.config.run.keep)

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint."""
        state = read_checkpoint(checkpoint)
        try:
            counters, lesson = Counters(**state["counters"]), dict(state["lesson"])
        except (KeyError, TypeError, ValueError) as error:
            raise RunError(f"{checkpoint} is no checkpoint of this method: {error}") from None
        self.lesson.resume(checkpoint, lesson)
        self.counters = counters

    def summary(self) -> str:
        """What the run came to, for people."""
        nets = sorted(self.run_folder.checkpoints()[-1].glob("net*"))
        done = f"{self.counters.steps} learning steps, {self.counters.seconds:.0f} seconds"
        return "\n".join([self.lesson.findings(), done, f"weights: {', '.join(map(str, nets))}"])


def new_trainer(config: VisionConfig, folder: str, *, start: str | None = None) -> VisionTrainer:
    """A new run in a folder that has none."""
    trainer = VisionTrainer(config)
    if start:
        trainer.lesson.start_from(start)
    trainer.run_folder = Run.create(folder, METHOD, to_dict(config), seed=config.run.seed)
    trainer.lesson.prepare(trainer.run_folder.folder)
    return trainer


def resumed_trainer(folder: str, assignments: tuple[str, ...] = ()) -> VisionTrainer:
    """Go on with a run, from its newest checkpoint that is whole."""
    run, values = Run.open(folder, METHOD)
    before, config = make_config(values), make_config(values, assignments)
    if config.kind != before.kind:
        raise ConfigError(f"the run in {folder} is of kind {before.kind!r}; start another one for {config.kind!r}")
    trainer = VisionTrainer(config)
    trainer.run_folder = run
    found = run.resume(trainer.resume)
    run.trim_log(lambda line: found and line["step"] <= trainer.counters.steps)
    return trainer
