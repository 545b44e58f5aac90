"""Runs that a study trains: begun or gone on with, with weights kept at given numbers of games or generations."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tengen.errors import TengenError
from tengen.naming import join_name
from tengen.nets.header import read_header
from tengen.studies.matches import file_sha256, in_a_name
from tengen.studies.study import Point, Session

if TYPE_CHECKING:
    from tengen.train.alphazero.config import AlphaZeroConfig
    from tengen.train.alphazero.trainer import AlphaZeroTrainer
    from tengen.train.alphazero.trainer import Progress as AlphaZeroProgress
    from tengen.train.dqn.config import DqnConfig
    from tengen.train.dqn.trainer import DqnTrainer
    from tengen.train.dqn.trainer import Progress as DqnProgress
    from tengen.train.evolution.config import EvolutionConfig
    from tengen.train.evolution.trainer import EvolutionTrainer
    from tengen.train.evolution.trainer import Progress as EvolutionProgress

    AnyTrainer = AlphaZeroTrainer | DqnTrainer | EvolutionTrainer

_T = TypeVar("_T")
_Config = TypeVar("_Config", "AlphaZeroConfig", "DqnConfig", "EvolutionConfig")

_WEIGHTS = "net.safetensors"  # in a checkpoint


@dataclass(frozen=True)
class Method(Generic[_Config]):
    """A way of training: how a preset becomes settings, and settings a run, a new one or one that goes on.

    ``unit`` is what it is counted by: the name of a counter, and of the setting that limits it.
    """

    load_preset: Callable[[str, Iterable[str]], _Config]
    new_trainer: Callable[[_Config, str], AnyTrainer]
    resumed_trainer: Callable[[str], AnyTrainer]
    unit: str = "games"

    def limit(self, config: _Config) -> int:
        """How much a run is to do, in its unit; 0 if that has no limit."""
        return int(getattr(config.run, self.unit))

    def done(self, trainer: AnyTrainer) -> int:
        """How much it has done."""
        return int(getattr(trainer.counters, self.unit))


def alphazero() -> Method[AlphaZeroConfig]:
    """AlphaZero; raises ``TengenError`` where what training needs is not installed."""
    with _needing_torch():
        from tengen.train.alphazero.config import load_preset
        from tengen.train.alphazero.trainer import new_trainer, resumed_trainer
    return Method(load_preset, new_trainer, resumed_trainer)


def dqn() -> Method[DqnConfig]:
    """Q-learning; raises ``TengenError`` where what training needs is not installed."""
    with _needing_torch():
        from tengen.train.dqn.config import load_preset
        from tengen.train.dqn.trainer import new_trainer, resumed_trainer
    return Method(load_preset, new_trainer, resumed_trainer)


def evolution() -> Method[EvolutionConfig]:
    """Evolution; raises ``TengenError`` where what training needs is not installed."""
    with _needing_torch():
        from tengen.train.evolution.config import load_preset
        from tengen.train.evolution.trainer import new_trainer, resumed_trainer
    return Method(load_preset, new_trainer, resumed_trainer, "generations")


@contextmanager
def _needing_torch() -> Iterator[None]:
    # Torch's threads, when they wait, must not burn the cores that play; read when torch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        yield
    except ModuleNotFoundError as missing:
        raise TengenError(f"training needs {missing.name}: pip install tengen[train]") from None


@dataclass(frozen=True)
class KeptNet:
    """A network as it was after ``played`` games; ``path`` is for play, the weights are beside it."""

    path: Path
    played: int
    minutes: float
    device: str


def searching_player(net: KeptNet, config: AlphaZeroConfig, *, playouts: int) -> str:
    """A player that searches as the run did: its exploration, its effort at the leaves, and no more."""
    selfplay = config.selfplay
    options = {"playouts": playouts, "c": f"{selfplay.exploration:g}", "effort": selfplay.effort, "vct": 0}
    return join_name("alphazero", {"net": in_a_name(net.path), **{key: str(v) for key, v in options.items()}})


@dataclass(frozen=True)
class TrainedRun:
    """A run that has come to its end: its folder, its kept weights, and what was done when its last sitting began."""

    folder: Path
    nets: dict[int, KeptNet]
    sitting_began: int

    def log(self) -> list[dict[str, Any]]:
        """The lines of its log."""
        lines = (self.folder / "metrics.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def curve(self, key: str, *, by: str = "games") -> Sequence[Point]:
        """What the log says of ``key`` by games or another count, thinned."""
        return thinned([Point(line[by], line[key]) for line in self.log() if key in line])

    def checkpoints(self) -> list[Path]:
        """Its checkpoints by games, the last one at its end."""
        return sorted(path for path in (self.folder / "checkpoints").iterdir() if path.name.isdecimal())


def thinned(values: Sequence[_T], most: int = 60) -> Sequence[_T]:
    """At most so many of the values, evenly, the last among them."""
    step = -(-len(values) // most) or 1
    return values[::-1][::step][::-1]


def configured(session: Session, method: Method[_Config], preset: str, changes: Sequence[str]) -> _Config:
    """The settings of a run: a preset, what the study changes in it, and last what the caller asks for."""
    config = method.load_preset(session.preset or preset, [f"run.seed={session.seed}", *changes, *session.changes])
    if method.limit(config) < 1 or config.run.minutes:
        unit = method.unit
        raise TengenError(f"a study counts training by {unit}: run.{unit} is 1 or more, and run.minutes stays at 0")
    return config


def train(
    session: Session, method: Method[_Config], study: str, label: str, config: _Config, points: Sequence[int] = ()
) -> TrainedRun:
    """Train to ``run.games`` (or the method's unit), or go on with it, and keep the weights at these points of it.

    Each configuration has a folder of its own below ``out``, so that the same command finds its run again. Ctrl-C
    writes a checkpoint first.
    """
    from tengen.train.settings import changed

    digest = hashlib.sha256(json.dumps(changed(config), sort_keys=True).encode()).hexdigest()[:8]
    folder = session.out / study / f"{label}-{digest}"
    in_a_name(folder)  # found out now, not after hours
    if not _is_finished(folder, points):
        _train(session, method, label, config, folder, points)
    about = json.loads((folder / "run.json").read_text("utf-8"))
    nets = {point: _kept(folder, point) for point in points}
    return TrainedRun(folder, {point: net for point, net in nets.items() if net}, int(about.get("sitting_began", 0)))


def _is_finished(folder: Path, points: Sequence[int]) -> bool:
    try:
        about = json.loads((folder / "run.json").read_text("utf-8"))
    except OSError:
        return False
    return about.get("state") == "finished" and all(_kept(folder, point) for point in points)


def _train(
    session: Session, method: Method[_Config], label: str, config: _Config, folder: Path, points: Sequence[int]
) -> None:
    is_new = not (folder / "run.json").exists()
    trainer = method.new_trainer(config, str(folder)) if is_new else method.resumed_trainer(str(folder))
    trainer.run_folder.set_state("running")
    began = method.done(trainer)
    waiting = [point for point in points if _kept(folder, point) is None]

    def keep_what_is_due() -> None:
        due = [point for point in waiting if method.done(trainer) >= point]
        if due:
            weights = trainer.save() / _WEIGHTS
            for point in due:
                waiting.remove(point)
                _keep(weights, folder, point)

    def watch(progress: AlphaZeroProgress | DqnProgress | EvolutionProgress) -> None:
        how_far = f"{method.done(trainer)} of {method.limit(config)} {method.unit}"
        session.tell(f"training {label}: {how_far}, {progress.metrics.get('games_per_second', 0.0):.2g} games/s")
        keep_what_is_due()

    with trainer.run_folder.noting_failure():
        keep_what_is_due()  # the untrained network, if it is asked for
        with _stopped_by_ctrl_c(trainer):
            trainer.train(watch)
    if trainer.stopped:
        trainer.run_folder.set_state("stopped")
        trainer.run_folder.close()
        raise KeyboardInterrupt
    keep_what_is_due()
    trainer.run_folder.set_state("finished", sitting_began=began)
    trainer.run_folder.close()


@contextmanager
def _stopped_by_ctrl_c(trainer: AnyTrainer) -> Iterator[None]:
    """The first Ctrl-C ends the sitting with a checkpoint; a second one is as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.getsignal(signal.SIGINT)

    def end(*_: object) -> None:
        trainer.stop()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _keep(weights: Path, folder: Path, point: int) -> None:
    """Copy weights, and export them for play, so that the players need no torch.

    Their hash is in the name, since games are kept by the names of the players. The weights come last: where they are,
    all is there.
    """
    from tengen.nets import export_onnx, load

    path = folder / "kept" / f"{point:07d}-{file_sha256(weights)[:8]}.safetensors"
    path.parent.mkdir(exist_ok=True)
    net, header = load(weights)
    export_onnx(net, header.config, path.with_suffix(".onnx"), training=header.training)
    part = path.with_suffix(".part")
    shutil.copyfile(weights, part)
    os.replace(part, path)


def _kept(folder: Path, point: int) -> KeptNet | None:
    found = sorted(folder.glob(f"kept/{point:07d}-*.safetensors"))
    if not found:
        return None
    training = read_header(found[0]).training
    return KeptNet(
        found[0].with_suffix(".onnx"), int(training["played"]), float(training["minutes"]), str(training["device"])
    )
