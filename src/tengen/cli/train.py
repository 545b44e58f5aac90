"""``tengen train``: teach a network."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import click

from tengen.cli.output import ProgressLine, quiet_option
from tengen.errors import TengenError

if TYPE_CHECKING:
    from tengen.train.alphazero.trainer import Progress


@click.command("train")
@click.argument("method", type=click.Choice(["alphazero"]))
@click.option("--preset", help="Settings to start from, by name, or a .toml file.")
@click.option("--out", metavar="DIR", help="Where the run is written: a new folder.")
@click.option("--resume", metavar="DIR", help="Go on with the run in this folder.")
@click.option("--start", metavar="FILE", help="Begin with the weights of this .safetensors file.")
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a setting: --set learn.batch=512.")
@quiet_option("the progress line")
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
    DIR/checkpoints, in the folder with the highest number. All settings are explained in docs/training.md.
    """
    if (resume is None) == (out is None):
        raise click.UsageError("give --out DIR for a new run, or --resume DIR to go on with one")
    if resume is not None and (preset or start):
        raise click.UsageError("a run that is resumed has its settings already; change some with --set")
    # Torch's threads, when they wait, must not burn the cores that play; read when torch is imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        from tengen.train.alphazero.config import load_preset, preset_names
        from tengen.train.alphazero.trainer import new_trainer, resumed_trainer
    except ModuleNotFoundError as missing:
        raise TengenError(f"training needs {missing.name}: pip install tengen[train]") from None
    if resume is not None:
        trainer = resumed_trainer(resume, changes)
        if trainer.finished():
            raise TengenError("the run is finished; to go on, give it more: --set run.minutes=N or run.games=N")
    else:
        if preset is None:
            raise click.UsageError(f"give --preset; there are {', '.join(preset_names())}")
        trainer = new_trainer(load_preset(preset, changes), out or "", start=start)

    def end(*_: Any) -> None:
        trainer.stop()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    told: set[str] = set()
    with ProgressLine(quiet=quiet) as line:

        def watch(progress: Progress) -> None:
            line.update(_in_words(progress))
            for name, meaning in progress.alarms.items():
                if name not in told:
                    told.add(name)
                    click.echo(f"alarm, {name}: {meaning}", err=True)

        counters = trainer.train(watch)
    trainer.run_folder.set_state("finished" if not trainer.stopped else "stopped")
    trainer.run_folder.close()
    if not quiet:
        click.echo(f"{counters.games} games, {counters.steps} learning steps, {counters.seconds / 60:.1f} minutes")
        if not counters.steps:
            wanted = trainer.config.learn.least_rows
            click.echo(f"nothing learned yet: that begins with {wanted} positions, and there are {counters.rows}")
        click.echo(f"weights: {trainer.run_folder.checkpoints()[-1] / 'net.safetensors'}")


def _in_words(progress: Progress) -> str:
    counters, metrics = progress.counters, progress.metrics
    seconds, games = progress.limits
    minutes = f"{counters.seconds / 60:.1f}" + (f" of {seconds / 60:g}" if seconds else "")
    parts = [
        f"{minutes} min",
        f"{counters.games}" + (f" of {games}" if games else "") + f" games ({metrics['games_per_second']:.1f}/s)",
        f"{metrics['evaluations_per_second']:,.0f} evaluations/s",
    ]
    if "bare_share" in metrics:
        parts[-1] += f" ({metrics['bare_share']:.0%} of the bare network's)"
    if "policy_loss" in metrics:
        parts.append(f"loss {metrics['policy_loss']:.2f} + {metrics['value_loss']:.2f}")
    if "median_length" in metrics:
        parts.append(f"length {metrics['median_length']:.0f}, black {metrics['black_share']:.0%}")
    if "must_block" in metrics:
        parts.append(f"blocks {metrics['must_block']:.0%}")
    if progress.rated:
        parts.append(progress.rated)
    return ", ".join(parts)
