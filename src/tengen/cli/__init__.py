"""The command line: parse, call, print.

Exit statuses, the same for every command: 0 success, 1 a failure while working, 2 bad arguments or names, 130 Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

import tengen
from tengen.cli.analyze import analyze_command
from tengen.cli.arena import arena_command
from tengen.cli.bench import bench_command
from tengen.cli.engine import ENGINE_COMMANDS
from tengen.cli.export import export_command
from tengen.cli.listing import games_command, players_command
from tengen.cli.nets import nets_command
from tengen.cli.output import plain_errors
from tengen.cli.perft import perft_command
from tengen.cli.play import play_command
from tengen.cli.see import see_command
from tengen.cli.study import study_command
from tengen.cli.train import train_command

_INTERRUPTED = 130  # 128 + SIGINT, as shells say it


class _BadName(click.ClickException):
    """A Tengen error as one line on standard error."""

    exit_code = 2


class _Commands(click.Group):
    """The group of commands; errors of the package and Ctrl-C end it as documented above, without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they were added, the ones wanted first at the top."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except tengen.TengenError as trouble:
            raise _BadName(str(trouble)) from None
        except KeyboardInterrupt:
            click.echo(err=True)  # the shell's prompt should not follow ^C
            raise click.exceptions.Exit(_INTERRUPTED) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one gets the list of those that exist."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise _BadName(f"unknown command {args[0]!r}; the commands are {', '.join(self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


_EPILOG = """\b
Examples:
  tengen play                                 the page, in the browser
  tengen play --terminal                      you are black against alphabeta on 15x15
  tengen play --terminal --game othello --white random
  tengen analyze h8i9j10 --lines 3            the best moves of a position
  tengen see board.png                        the position in a picture
  tengen arena alphabeta:time=0.1 minimax:depth=3 --games 50
  tengen games                                what --game takes
"""


@click.group(cls=_Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(tengen.__version__, prog_name="tengen", message="%(prog)s %(version)s")
@click.option(
    "--import", "modules", multiple=True, metavar="MODULE", help="Import a module first, for the players it registers."
)
@click.pass_context
def cli(ctx: click.Context, modules: tuple[str, ...]) -> None:
    """Play, study and measure five-in-a-row (Gomoku, Renju) and Othello programs."""
    for module in modules:
        _import_module(module)
    if os.environ.get("NO_COLOR"):
        ctx.color = False  # without it, colours go to terminals only


def _import_module(name: str) -> None:
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module beside the person who names it
    try:
        import_module(name)
    except ImportError as trouble:
        raise _BadName(f"--import {name}: {trouble}") from None


for command in (
    play_command,
    analyze_command,
    see_command,
    arena_command,
    games_command,
    players_command,
    train_command,
    nets_command,
    export_command,
    study_command,
    *ENGINE_COMMANDS,
    perft_command,
    bench_command,
):
    cli.add_command(command)


def main() -> None:
    """Run the command line and exit with its status."""
    with plain_errors():
        cli(prog_name="tengen")
