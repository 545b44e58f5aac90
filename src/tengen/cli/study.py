"""``tengen study``: the tables of the sources, measured again."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tengen.cli.numbers import IntRange
from tengen.cli.output import STDOUT, ProgressLine, json_option, quiet_option, show_table, write_json
from tengen.errors import TengenError

if TYPE_CHECKING:
    from tengen.studies import StudyResult

_REFRESH_SECONDS = 0.1


@click.command("study")
@click.argument("name", required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("studies"),
    show_default=True,
    help="Where NAME.md, NAME.json and NAME.svg go, and games and runs are kept.",
)
@click.option("-n", "--games", type=IntRange(1), help="Games of each pairing (as many as the source's).")
@click.option("-j", "--jobs", type=IntRange(1), default=1, show_default=True, help="Games at a time.")
@click.option("--seed", type=IntRange(0), default=0, show_default=True, help="Of openings, players and training.")
@click.option("--quick", is_flag=True, help="A tenth of the games and small budgets, to see that it works.")
@click.option("--net", help="The net of `alphazero`: a file, a run folder or a name (the shipped one).")
@click.option("--preset", help="What studies that train start from, by name, or a .toml file.")
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="Change a setting of the training.")
@json_option("the result")
@quiet_option("the progress line and the tables")
def study_command(name: str | None, json_to: str | None, quiet: bool, **options: Any) -> None:
    """Measure a table of the sources again.

    NAME.md, NAME.json and NAME.svg have our figures beside the source's.

    Without NAME, the studies are listed. The same command goes on where it was stopped: games are kept in a file in
    --out, and training goes on from its last checkpoint. How long each takes is in docs/studies.md. Put NAME first: the
    word after --json is taken as FILE.

    \b
    JSON: {"study", "source", "quick", "seed", "version", "machine", "date", "seconds", "command", "facts",
           "findings", "notes", "tables": [{"title", "columns", "rows": [{...}]}], "charts": [...]}
    """
    if name is None:
        _list(json_to)
        return
    from tengen.studies import Session, find_study, run_study

    study = find_study(name)
    if options["seed"] >= 1 << 31:
        raise TengenError("a seed is a number from 0 to 2**31 - 1")
    shown = 0.0
    with ProgressLine(quiet=quiet) as progress:

        def tell(text: str) -> None:
            nonlocal shown
            if time.monotonic() - shown >= _REFRESH_SECONDS:
                shown = time.monotonic()
                progress.update(f"{study.name}: {text}")

        try:
            session = Session(**options, tell=tell)
            result, data = run_study(study, session, command=_command(study.name, options))
        except KeyboardInterrupt:
            progress.clear()
            click.echo(f"stopped; what was done is kept in {options['out']}: the same command goes on", err=True)
            raise
    if json_to != STDOUT and not quiet:
        _show(result, quick=options["quick"])
        click.echo(
            f"\nwritten: {', '.join(str(options['out'] / (study.name + end)) for end in ('.md', '.json', '.svg'))}"
        )
    if json_to:
        write_json(data, json_to)


def _list(json_to: str | None) -> None:
    from tengen.studies import STUDIES

    if json_to in STUDIES:
        raise TengenError(f"--json took {json_to!r} as its FILE; put the study's name first")
    if json_to != STDOUT:
        show_table(("study", "what it asks"), [(study.name, study.summary) for study in STUDIES.values()])
    if json_to:
        write_json([{"study": study.name, "summary": study.summary} for study in STUDIES.values()], json_to)


def _show(result: StudyResult, *, quick: bool) -> None:
    for table in result.tables:
        click.echo(f"{table.title}\n")
        show_table(table.header(), table.cells(), right=range(1, len(table.columns)))
        click.echo()
    for line in [*result.findings, *(f"note: {note}" for note in result.notes)]:
        click.echo(line)
    if quick:
        from tengen.studies.report import QUICK

        click.echo(QUICK)


def _command(name: str, options: dict[str, Any]) -> str:
    """The command that does the same, without what is usual."""
    words = ["tengen", "study", name]
    for key, usual in (
        ("out", Path("studies")),
        ("games", None),
        ("jobs", 1),
        ("seed", 0),
        ("net", None),
        ("preset", None),
    ):
        if options[key] != usual:
            words += [f"--{key}", str(options[key])]
    words += ["--quick"] if options["quick"] else []
    for change in options["changes"]:
        words += ["--set", change]
    return shlex.join(words)
