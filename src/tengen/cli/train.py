"""``tengen train``: teach a network."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from tengen.cli.output import ProgressLine, quiet_option
from tengen.errors import TengenError

METHODS = ("alphazero", "dqn", "evolution", "vision")


class _TrainCommand(click.Command):
    """Its help lists the presets, which are files: they are looked for when they are asked for."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write them, a line a method."""
        from tengen.train.settings import preset_names

        with formatter.section("Presets"):
            formatter.write_dl([(method, ", ".join(preset_names(method))) for method in METHODS])


@contextmanager
def _enough_memory() -> Iterator[None]:
    """Raise ``TengenError`` where memory does not suffice, which torch says in several ways."""
    try:
        yield
    except (MemoryError, RuntimeError) as trouble:
        if isinstance(trouble, MemoryError) or "allocate" in str(trouble) or "out of memory" in str(trouble):
            raise TengenError(
                "there is not enough memory; a smaller network, batch or memory, or fewer games at a time, need less"
            ) from None
        raise


@click.command("train", cls=_TrainCommand)
@click.argument("method", type=click.Choice(METHODS))
@click.option("--preset", help="Settings to start from, by name, or a .toml file.")
@click.option("--out", metavar="DIR", help="Where the run is written: a new folder, or an empty one.")
@click.option("--resume", metavar="DIR", help="Go on with the run in this folder.")
@click.option("--start", metavar="FILE", help="Begin with the weights of this .safetensors file, or run folder.")
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a setting: --set learn.batch=512.")
@quiet_option("the progress")
def train_command(
    method: str,
    preset: str | None,
    out: str | None,
    resume: str | None,
    start: str | None,
    changes: tuple[str, ...],
    quiet: bool,
) -> None:
    """Teach a network by METHOD.

    A run may be stopped with Ctrl-C, or killed; --resume goes on from its last checkpoint. The newest weights are in
    DIR/checkpoints, in the folder with the highest number. All settings are explained in docs/training.md,
    those of dqn in docs/q-learning.md, those of evolution in docs/evolution.md,
    those of vision in docs/vision.md.
    """
    if (resume is None) == (out is None):
        both = ", not both" if out is not None else ""
        raise click.UsageError(f"give --out DIR for a new run, or --resume DIR to go on with one{both}")
    if "" in (out, resume):
        raise click.UsageError("--out and --resume take the name of a folder")
    if resume is not None and (preset or start):
        raise click.UsageError("a run that is resumed has its settings already; change some with --set")
    with _enough_memory():
        if resume is not None:
            trainer = _resumed(method, resume, changes)
        else:
            trainer = _begun(method, preset, str(out), start, changes)
        signals = _stopped_by_signals(trainer, quiet=quiet)
        _train(trainer, quiet=quiet)
    if not quiet:
        click.echo(trainer.summary())
        if trainer.stopped:
            click.echo(f"stopped; to go on: tengen train {method} --resume {trainer.run_folder.folder}")
    if signals:
        raise SystemExit(128 + signals[0])  # as shells say it


def _stopped_by_signals(trainer: Any, *, quiet: bool) -> list[int]:
    """Let Ctrl-C and `kill` stop a trainer; returns the list of those that come."""
    signals: list[int] = []

    def end(number: int, *_: Any) -> None:
        if not signals and not quiet:
            os.write(2, b"\nstopping, with a checkpoint ...\n")  # not click's: it may be interrupted in its own midst
        signals.append(number)
        trainer.stop()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return signals


def _train(trainer: Any, *, quiet: bool) -> None:
    """A sitting from its begin to its end, with its progress and its alarms."""
    told: set[str] = set()
    with ProgressLine(quiet=quiet) as line:

        def watch(progress: Any) -> None:
            for name, meaning in progress.alarms.items():
                if name not in told:
                    told.add(name)
                    line.clear()
                    click.echo(f"alarm, {name}: {meaning}", err=True)
            line.update_parts(progress.in_words())

        try:
            with trainer.run_folder.noting_failure():
                trainer.train(watch)
        except TengenError as trouble:
            raise click.ClickException(str(trouble)) from None
    trainer.run_folder.set_state("finished" if not trainer.stopped else "stopped")
    trainer.run_folder.close()


def _begun(method: str, preset: str | None, out: str, start: str | None, changes: tuple[str, ...]) -> Any:
    """The trainer of a new run."""
    from tengen.nets.shipped import find_weights
    from tengen.train.settings import FOR_A_GPU, preset_names

    if preset is None:
        raise click.UsageError(f"give --preset; there are {', '.join(preset_names(method))}")
    config = _part(method, "config").load_preset(preset, changes)
    start = None if start is None else str(find_weights(start))
    trainer = _part(method, "trainer").new_trainer(config, out, start=start)
    if preset in FOR_A_GPU.get(method, ()) and trainer.device.type == "cpu":
        click.echo(f"the preset {preset} was made for a GPU: on this processor it takes many times as long", err=True)
    return trainer


def _resumed(method: str, folder: str, changes: tuple[str, ...]) -> Any:
    """The trainer of a run that goes on."""
    from tengen.train.settings import to_dict

    trainer = _part(method, "trainer").resumed_trainer(folder, changes)
    if trainer.finished():
        limits = _part(method, "config").LIMITS
        raise TengenError(f"the run is finished; to go on, give it more: --set {limits}")
    for remark in trainer.run_folder.remarks:
        click.echo(remark, err=True)
    trainer.run_folder.go_on(to_dict(trainer.config))
    return trainer


def _part(method: str, name: str) -> Any:
    """A module of a method; raises ``TengenError`` where what training needs is not installed."""
    # Torch's threads, when they wait, must not burn the cores that play; read when torch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        return import_module(f"tengen.train.{method}.{name}")
    except ModuleNotFoundError as missing:
        raise TengenError(f"training needs {missing.name}: pip install tengen[train]") from None
