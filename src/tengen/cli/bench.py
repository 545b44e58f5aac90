"""``tengen bench``: speeds, and a signature of the behaviour behind them."""

from __future__ import annotations

from dataclasses import asdict

import click

import tengen
from tengen.benchmarking import BENCHMARKS, Measurement, machine, measure, search_nodes, signature
from tengen.cli.output import STDOUT, ProgressLine, json_option, quiet_option, show_table, write_json


@click.command("bench")
@click.option("--quick", is_flag=True, help="A tenth of the work: a second instead of ten, and less exact.")
@click.option("--only", multiple=True, type=click.Choice(list(BENCHMARKS)), help="Measure this one; may be repeated.")
@json_option("the speeds")
@quiet_option("the progress line")
def bench_command(quick: bool, only: tuple[str, ...], json_to: str | None, quiet: bool) -> None:
    """Measure speeds on one core, each the best of several runs.

    The targets are the project's own; where there is none, nothing is asked for.

    The signature is a hash of exact counts and seeded games: it is the same on every machine, and changes only when
    what the core computes changes. The search signature likewise counts the positions that alpha-beta looks at.

    \b
    JSON: {"version", "signature", "search_nodes", "quick", "machine": {"processor", "system", "python"},
           "results": [{"name", "unit", "value", "target" or null}, ...]}
    """
    chosen = [benchmark for name, benchmark in BENCHMARKS.items() if not only or name in only]
    results = []
    with ProgressLine(quiet=quiet) as progress:
        for number, benchmark in enumerate(chosen, start=1):
            progress.update(f"{number} of {len(chosen)}: {benchmark.name}")
            results.append(measure(benchmark, quick=quick))
        progress.update("signature")
        signed, nodes = signature(), search_nodes()
    if json_to != STDOUT:
        show_table(("benchmark", "speed", "own target", "meaning"), [_row(result) for result in results])
        click.echo(f"\nsignature {signed}, search {nodes:,} nodes")
    if json_to:
        data = {"version": tengen.__version__, "signature": signed, "search_nodes": nodes, "quick": quick}
        write_json({**data, "machine": machine(), "results": [asdict(result) for result in results]}, json_to)


def _row(result: Measurement) -> tuple[str, ...]:
    target = ""
    if result.target is not None:
        target = f"{_short(result.target)} {'reached' if result.value >= result.target else 'missed'}"
    return result.name, f"{_short(result.value)} {result.unit}", target, BENCHMARKS[result.name].meaning


def _short(value: float) -> str:
    """A number of three or four digits with its thousands or millions: ``447 k``."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:>5.{0 if value >= 100 * size else 1}f} {unit}"
    return f"{value:>5.0f}  "
