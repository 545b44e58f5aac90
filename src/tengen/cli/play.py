"""``tengen play``: a game against a program, a person, or between programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

import tengen
from tengen.cli.numbers import IntRange
from tengen.cli.opening import settle_colours
from tengen.cli.output import STDOUT, json_option, quiet_option, write_json
from tengen.cli.terminal import (
    Left,
    Terminal,
    TerminalGame,
    check_free,
    check_record_path,
    is_human,
    move_string,
    save_record,
)
from tengen.errors import TengenError
from tengen.games import Game, Opening, Outcome, Position, Seat, Side
from tengen.games._opening import PROTOCOLS
from tengen.players import Player
from tengen.players._player import require_plays

_OF_THE_PAGE = {"port", "host", "allow_host", "no_browser", "runs", "db"}


@click.command("play")
@click.option("--terminal", is_flag=True, help="Play here, in the terminal; the options below go with it.")
@click.option(
    "--port",
    type=IntRange(0, 65535),
    help="Where the page is served; 0: any.  [default: 8225, or any that is free]",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Another address lets others in, with a token.")
@click.option(
    "--allow-host", multiple=True, metavar="NAME", help="Also let in, with a token, who calls the page's host NAME."
)
@click.option("--no-browser", is_flag=True, help="Only serve the page; do not open it.")
@click.option(
    "--runs", type=click.Path(path_type=Path), default=Path("runs"), show_default=True, help="Training runs to watch."
)
@click.option(
    "--db", type=click.Path(path_type=Path), default=Path("arena.db"), show_default=True, help="Matches to watch."
)
@click.option("--game", "game_name", default="gomoku", show_default=True, help="What to play; see `tengen games`.")
@click.option("--black", default="human", show_default=True, help="Who plays black; see `tengen players`.")
@click.option("--white", default="alphabeta:time=0.5", show_default=True, help="Who plays white.")
@click.option(
    "--opening", "protocol", type=click.Choice(PROTOCOLS), help="Settle colours first; --black places stones."
)
@click.option("--seed", type=IntRange(0), help="Fix the random choices of programs.")
@click.option("--save", "save_to", type=click.Path(dir_okay=False, path_type=Path), help="Record the game at its end.")
@click.option("--overwrite", is_flag=True, help="Let --save replace a file.")
@json_option("the game")
@quiet_option("the greeting, the moves in one line at the end and, between programs, the single moves")
@click.pass_context
def play_command(
    context: click.Context,
    terminal: bool,
    port: int | None,
    host: str,
    allow_host: tuple[str, ...],
    no_browser: bool,
    runs: Path,
    db: Path,
    game_name: str,
    black: str,
    white: str,
    protocol: str | None,
    seed: int | None,
    save_to: Path | None,
    overwrite: bool,
    json_to: str | None,
    quiet: bool,
) -> None:
    """Open the page in the browser: play, analyse, watch training. With --terminal, play a game here.

    The page is served on this machine alone, until Ctrl-C.

    At the terminal's prompt, type a move such as h8, or help. In an opening, programs place stones at random near the
    centre and take a colour at random.

    The exit status is 0 for a game that ended, was resigned or was left with `quit`, 1 if the input ended first and
    130 after Ctrl-C; --save and --json write the game in any case. With --json and no FILE, boards and prompts go to
    standard error.

    \b
    JSON: {"game", "players": {"black", "white"}, "opening": NAME or null, "moves": [MOVE, ...],
           "score": [black, white],
           "outcome": {"winner": SIDE or null, "reason", "line": [MOVE, ...]}, or null if unfinished}
    """
    given = {name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    if not terminal:
        _refuse(context, given - _OF_THE_PAGE, "only with --terminal")
        _serve(host=host, port=port, allowed=allow_host, browser=not no_browser, runs=runs, db=db)
        return
    _refuse(context, given & _OF_THE_PAGE, "only without --terminal")
    _play_here(game_name, black, white, protocol, seed, save_to, overwrite=overwrite, json_to=json_to, quiet=quiet)


def _play_here(
    game_name: str,
    black: str,
    white: str,
    protocol: str | None,
    seed: int | None,
    save_to: Path | None,
    *,
    overwrite: bool,
    json_to: str | None,
    quiet: bool,
) -> None:
    """A game in the terminal, from the greeting to what is written of it."""
    game = Game.parse(game_name)
    players = _players(black, white, game, seed)
    opening = Opening(protocol, game) if protocol else None
    if save_to:
        check_record_path(save_to, game)
        if not overwrite:
            check_free(save_to, "--overwrite replaces it")
    persons = any(is_human(player) for player in players.values())
    screen = Terminal(err=json_to == STDOUT, silent=json_to == STDOUT and not persons)
    position = opening.position if opening else Position(game)
    outcome, broken_off = None, None
    try:
        if opening:
            seats = {Seat.FIRST: players[Side.BLACK], Seat.SECOND: players[Side.WHITE]}
            players = settle_colours(opening, seats, screen, seed=seed)
        if not quiet:
            _greet(screen, game, players, persons)
        outcome = TerminalGame(position, players, screen, seed=seed, show_moves=persons or not quiet).play()
    except Left:
        screen.show("The game is left unfinished.")
    except (EOFError, KeyboardInterrupt, TengenError) as reason:  # the last: a program that failed
        screen.show()  # what comes next should not stand behind the prompt
        broken_off = reason
    _show_end(screen, position, outcome, moves=not quiet and json_to != STDOUT)
    try:
        if save_to:
            _save(save_to, position, players, outcome)
            if not quiet:
                screen.show(f"saved {save_to}")
    finally:
        if json_to:
            write_json(_game_as_json(position, players, protocol, outcome), json_to)
    if isinstance(broken_off, EOFError):
        raise click.ClickException("the input ended before the game did")
    if broken_off:
        raise broken_off


def _serve(*, host: str, port: int | None, allowed: Sequence[str], browser: bool, runs: Path, db: Path) -> None:
    try:
        from tengen.web.server import serve
        from tengen.web.watch import Watched
    except ModuleNotFoundError as missing:
        raise TengenError(
            f"the page needs {missing.name}: pip install tengen[web], or play here with --terminal"
        ) from None
    serve(host=host, port=port, allowed=allowed, browser=browser, watched=Watched(runs, db), tell=click.echo)


def _refuse(context: click.Context, names: set[str], why: str) -> None:
    options = [parameter.opts[0] for parameter in context.command.params if parameter.name in names]
    if options:
        raise click.UsageError(f"{', '.join(options)}: {why}")


def _players(black: str, white: str, game: Game, seed: int | None) -> dict[Side, Player]:
    players = {
        Side.BLACK: tengen.player(black, seed=seed),
        Side.WHITE: tengen.player(white, seed=None if seed is None else seed + 1),  # two programs should differ
    }
    for player in players.values():
        require_plays(player, game)
    return players


def _greet(terminal: Terminal, game: Game, players: Mapping[Side, Player], persons: bool) -> None:
    who = (f"{stone} {side} {players[side].name}" for stone, side in zip(terminal.stones, Side, strict=True))
    terminal.show(f"{game}: {' against '.join(who)}", bold=True)
    if persons:
        terminal.show("Type a move, or help for what else there is.")


def _show_end(terminal: Terminal, position: Position, outcome: Outcome | None, *, moves: bool) -> None:
    if position.is_over:
        terminal.show_board(position)
    elif outcome:
        terminal.show(str(outcome))
    if moves and position.moves:
        terminal.show(f"moves: {move_string(position)}")


def _save(path: Path, position: Position, players: Mapping[Side, Player], outcome: Outcome | None) -> None:
    try:
        save_record(path, position, players, outcome)
    except (OSError, TengenError) as trouble:
        why = trouble.strerror if isinstance(trouble, OSError) else trouble
        raise click.ClickException(
            f"cannot write {str(path)!r}: {why}; the game was {move_string(position) or 'empty'}"
        ) from None


def _game_as_json(
    position: Position, players: Mapping[Side, Player], protocol: str | None, outcome: Outcome | None
) -> dict[str, Any]:
    end = None
    if outcome:
        line = [str(move) for move in outcome.line]
        end = {"winner": outcome.winner, "reason": outcome.reason, "line": line}
    return {
        "game": position.game.name,
        "players": {side: player.name for side, player in players.items()},
        "opening": protocol,
        "moves": [str(move) for move in position.moves],
        "score": position.score(),
        "outcome": end,
    }
