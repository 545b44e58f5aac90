"""What the commands share on the way out: JSON, tables, a progress line."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from tengen.errors import TengenError

Command = TypeVar("Command", bound=Callable[..., Any])

#: What ``--json`` without a file stands for.
STDOUT = "-"


def json_option(what: str) -> Callable[[Command], Command]:
    """The option ``--json [FILE]``: None when absent, ``-`` for standard output."""
    return click.option(
        "--json",
        "json_to",
        is_flag=False,
        flag_value=STDOUT,
        default=None,
        metavar="[FILE]",
        callback=_checked_target,
        help=f"Write {what} as JSON to FILE, or with no FILE to standard output, and nothing else there.",
    )


class CommandWithJson(click.Command):
    """A command with ``--json [FILE]`` and arguments: a missing argument is said to be gone as FILE where it is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; the word after --json is always FILE."""
        try:
            return super().parse_args(ctx, args)
        except click.MissingParameter as missing:
            taken = ctx.params.get("json_to", STDOUT) or STDOUT
            if taken != STDOUT and isinstance(missing.param, click.Argument):
                why = f"--json took {taken!r} as its FILE; put {missing.param.human_readable_name} first."
                raise click.MissingParameter(why, ctx, missing.param) from None
            raise


def quiet_option(what: str) -> Callable[[Command], Command]:
    """The flag ``--quiet``, which leaves out ``what``."""
    return click.option("-q", "--quiet", is_flag=True, help=f"Leave out {what}.")


def _checked_target(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    # Found out now, not after minutes of work.
    if value is not None and value != STDOUT:
        if Path(value).is_dir():
            raise click.BadParameter(f"{value!r} is a directory", ctx, param)
        if not Path(value).absolute().parent.is_dir():
            raise click.BadParameter(f"there is no directory {str(Path(value).parent)!r}", ctx, param)
    return value


def write_json(data: Any, target: str) -> None:
    """Write JSON to standard output (``-``) or to a file, which is replaced whole or not at all.

    Raises ``click.ClickException`` when the file cannot be written.
    """
    text = json.dumps(data, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    if target == STDOUT:
        click.echo(text, nl=False)
        return
    try:
        if Path(target).exists() and not Path(target).is_file():  # a device or pipe is written to, not replaced
            Path(target).write_text(text, encoding="utf-8")
            return
        path = Path(os.path.realpath(target))
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as trouble:
        raise click.ClickException(f"cannot write {target!r}: {trouble.strerror}") from None


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn a Tengen error into one line and exit status 2, an ``OSError``, such as a full disk, likewise into 1."""
    try:
        yield
    except TengenError as trouble:
        click.echo(f"Error: {trouble}", err=True)
        sys.exit(2)
    except OSError as trouble:
        with suppress(OSError):  # standard error may be just as full
            click.echo(f"Error: {trouble.filename or 'cannot write the output'}: {trouble.strerror}", err=True)
        # What is still in Python's buffers cannot be written either, and would be complained about at the end.
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        sys.exit(1)


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """An aligned table, the header first; the columns ``right`` are set flush right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join(padded).rstrip()

    return [line(row) for row in [header, *rows]]


def show_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> None:
    """Print an aligned table, as `table_lines` makes it; the header is bold on a terminal."""
    first, *others = table_lines(header, rows, right=right)
    click.secho(first, bold=True)
    for line in others:
        click.echo(line)


def wrapped_parts(text: str, width: int) -> list[str]:
    """Lines of text whose parts are set off by ", ", broken only between parts; one too long is left so."""
    glued = text.replace(" ", "\xa0").replace(",\xa0", ", ")
    lines = textwrap.wrap(glued, max(1, width), break_long_words=False, break_on_hyphens=False)
    return [line.replace("\xa0", " ") for line in lines]


class ProgressLine:
    """Lines on standard error that are rewritten in place, and gone at the end; silent unless that is a terminal.

    Usually it is one line. Lines are cut at the terminal's width: one that wraps could not be taken back.
    """

    PLAIN_SECONDS = 60.0

    def __init__(self, *, quiet: bool = False) -> None:
        self._active = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._plain = not quiet and sys.stderr is not None and not self._active
        self._next_plain = -math.inf
        self._shown = 0  # lines

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def update(self, *lines: str) -> None:
        """Show this instead of what was there."""
        if self._active:
            size = shutil.get_terminal_size()
            cut = [line[: size.columns - 1] for line in lines[: size.lines - 1]]
            click.echo(self._back() + "\n".join(cut), nl=False, err=True)
            self._shown = len(cut)

    def update_parts(self, text: str) -> None:
        """Show text whose parts are set off by ", ", broken between them into as many lines as it takes.

        Where there is no terminal, print it instead, but not more than once in ``PLAIN_SECONDS``.
        """
        if self._active:
            self.update(*wrapped_parts(text, shutil.get_terminal_size().columns - 1))
        elif self._plain and (now := time.monotonic()) >= self._next_plain:
            self._next_plain = now + self.PLAIN_SECONDS
            click.echo(text, err=True)

    def clear(self) -> None:
        """Take the lines away, so that other output can follow."""
        if self._shown:
            click.echo(self._back(), nl=False, err=True)
            self._shown = 0

    def _back(self) -> str:
        """To the first of the lines that are shown, and everything from there on gone."""
        up = f"\x1b[{self._shown - 1}A" if self._shown > 1 else ""
        return f"\r{up}\x1b[J" if self._shown else ""
