"""``tengen engine``, ``tengen gtp`` and ``tengen nboard``: Tengen in other people's programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tengen.cli.numbers import FloatRange, IntRange
from tengen.errors import PlayerNameError
from tengen.games import Game
from tengen.players._player import require_plays

if TYPE_CHECKING:
    from tengen.engines.session import Server

_player_option = click.option(
    "--player", "name", help="Who plays; see `tengen players`. The strongest at hand if none is named."
)
_seed_option = click.option("--seed", type=IntRange(0), help="Fix the random choices.")


def _time_option(default: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        "--time",
        "seconds",
        type=FloatRange(0, 1e6, min_open=True),
        default=default,
        show_default=True,
        help="Seconds a move when the other program sets no limit.",
    )


@click.command("engine")
@_player_option
@_time_option(5)
@_seed_option
def engine_command(name: str | None, seconds: float, seed: int | None) -> None:
    """Be a Gomocup engine on standard input and output.

    For Piskvork, Yixin-Board and other managers; `pbrain-tengen` is the same. Protocol 2 with SWAP2BOARD, TAKEBACK and
    Yixin-Board's commands; boards from 5x5 to 22x22, freestyle, standard, renju and caro.
    """
    from tengen.engines.gomocup_server import GomocupServer
    from tengen.engines.session import Writer

    _check_player(name)
    _serve(GomocupServer(Writer(), name=name, seed=seed, default_seconds=seconds))


@click.command("gtp")
@click.option("--game", "game_name", default="othello", show_default=True, help="What to play; see `tengen games`.")
@_player_option
@_time_option(2)
@_seed_option
def gtp_command(game_name: str, name: str | None, seconds: float, seed: int | None) -> None:
    """Be a GTP 2 engine on standard input and output.

    For Othello front ends (rows counted from the top) and, with --game gomoku, for those of Go (rows from the bottom,
    no letter I).
    """
    from tengen.engines.gtp_server import GtpServer, check_game
    from tengen.engines.session import Writer

    game = check_game(game_name)
    _check_player(name, game)
    _serve(GtpServer(Writer(), game, name=name, seed=seed, default_seconds=seconds))


@click.command("nboard")
@_player_option
@_seed_option
def nboard_command(name: str | None, seed: int | None) -> None:
    """Be an NBoard 2 engine (Othello) on standard input and output."""
    from tengen.engines.nboard_server import NBoardServer
    from tengen.engines.session import Writer

    _check_player(name, Game.parse("othello"))
    _serve(NBoardServer(Writer(), name=name, seed=seed))


ENGINE_COMMANDS = (engine_command, gtp_command, nboard_command)


def _check_player(name: str | None, game: Game | None = None) -> None:
    """Refuse a wrong name here, where there is a person to read why."""
    from tengen.players import player
    from tengen.players.human import HumanPlayer

    if name is None:
        return
    named = player(name)
    if isinstance(named, HumanPlayer):
        raise PlayerNameError("a person cannot answer here: standard input is the other program's")
    if game is not None:
        require_plays(named, game)


def _serve(server: Server) -> None:
    from tengen.engines.session import read_stdin, serve

    try:
        serve(server, read_stdin, leave=lambda: os._exit(0))
    except BrokenPipeError:
        # Nobody listens any more; Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def pbrain() -> None:
    """Run ``pbrain-tengen``: ``tengen engine`` under the name that Gomocup managers look for."""
    from tengen.cli import cli

    cli(["engine", *sys.argv[1:]], prog_name="pbrain-tengen")
