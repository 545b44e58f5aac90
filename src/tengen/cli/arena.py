"""``tengen arena``: matches between players, with figures that mean something."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tengen.cli.numbers import IntRange
from tengen.cli.output import STDOUT, ProgressLine, json_option, quiet_option, show_table, write_json
from tengen.errors import TengenError
from tengen.games import Game

if TYPE_CHECKING:
    from tengen.arena import Elo, MatchResult, Sprt

_GAMES, _GAMES_OF_A_TEST = 100, 20_000
_BAR = 24
_REFRESH_SECONDS = 0.1
_RECORD_FORMATS = ("sgf", "ggf", "moves")


@click.command("arena")
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER...")
@click.option("--game", default="gomoku", show_default=True, help="What to play; see `tengen games`.")
@click.option("-n", "--games", type=IntRange(1), help="Games between each two players (100; 20000 with --sprt).")
@click.option("-t", "--time", "seconds", type=float, help="Seconds a move, for players whose name does not settle it.")
@click.option("--clock", metavar="BASE+INC", help="Seconds a game for each side, and more before each of its moves.")
@click.option("--timeout", type=float, help="Seconds after which a move loses the game (its time and 2 s; 600 s).")
@click.option("--seed", type=IntRange(0), default=0, show_default=True, help="Fixes openings and players.")
@click.option("--openings", default="random", show_default=True, help="random, empty, renju26 or file:PATH.")
@click.option("--max-moves", type=IntRange(1), help="Call longer games drawn; the opening counts.")
@click.option("--sprt", help="Stop once it is clear: ELO0,ELO1[,ALPHA,BETA], such as 0,10.")
@click.option("-j", "--jobs", type=IntRange(1), default=1, show_default=True, help="Games at a time.")
@click.option("--db", type=click.Path(dir_okay=False, path_type=Path), help="Keep the games here, and go on from them.")
@click.option("--records", type=click.Path(dir_okay=False, path_type=Path), help="Write the games (.sgf, .ggf, .txt).")
@json_option("the result")
@quiet_option("the progress line")
@click.pass_context
def arena_command(
    ctx: click.Context,
    /,
    players: tuple[str, ...],
    records: Path | None,
    json_to: str | None,
    quiet: bool,
    **match: Any,
) -> None:
    """Let players meet, and say who is stronger and how sure that is.

    Each opening is played twice with colours swapped; more than two players play a round robin. A player that crashes,
    is late or makes an illegal move loses that game, and the match goes on. --time does not change what a name says
    itself, as in alphabeta:depth=4 or mcts:playouts=1000; --clock 60+1 (a minute a game, a second a move) runs for all.
    With --db, the same command goes on where it was stopped. Put the players first: the word after --json is taken as
    FILE.

    \b
    JSON: {"game", "players", "games", "wins": [per player], "draws",
           "elo", "elo_low", "elo_high" (first against second, 95 %),
           "faults": [per player], "seconds_per_move": [per player], "seed", ...}
    All keys are explained in docs/arena.md.
    """
    if len(players) < 2 and json_to not in (None, STDOUT):
        raise TengenError(f"a match needs two players or more; --json took {json_to!r} as its FILE: put players first")
    match["game"] = Game.parse(match["game"])
    match["sprt"] = _parse_sprt(match["sprt"]) if match["sprt"] else None
    if match["games"] is None:
        match["games"] = _GAMES_OF_A_TEST if match["sprt"] else _GAMES
    if records:
        _check_records(records, match["game"])
    match["imports"] = ctx.find_root().params.get("modules", ())  # `tengen --import` is for the workers too
    result = _play(players, match, quiet=quiet)
    if json_to != STDOUT:
        _show(result)
    if json_to:
        write_json(result.to_dict(), json_to)
    if records:
        _write_records(result, records)


def _play(players: Sequence[str], match: dict[str, Any], *, quiet: bool) -> MatchResult:
    """Play the match behind a progress line; Ctrl-C leaves a word about how it stood."""
    from tengen.arena import play_match

    so_far: MatchResult | None = None
    shown = 0.0
    with ProgressLine(quiet=quiet) as progress:

        def show(result: MatchResult) -> None:
            nonlocal so_far, shown
            so_far = result
            if time.monotonic() - shown >= _REFRESH_SECONDS:
                shown = time.monotonic()
                progress.update(_progress(result))

        try:
            return play_match(players, **match, on_progress=show)
        except KeyboardInterrupt:
            progress.clear()
            _show_interrupted(so_far, match["db"])
            raise


def _parse_sprt(text: str) -> Sprt:
    from tengen.arena import Sprt

    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise TengenError(f"--sprt is ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, not {text!r}")
    return Sprt(*numbers)


def _check_records(path: Path, game: Game) -> None:
    from tengen.games.records import FORMATS

    formats = [FORMATS[name] for name in _RECORD_FORMATS if game.kind in FORMATS[name].kinds]
    known = [extension for entry in formats for extension in entry.extensions]
    if path.suffix.lower() not in known:
        raise TengenError(f"{str(path)!r}: the extension says the format; for {game} it is one of {', '.join(known)}")
    if not path.absolute().parent.is_dir():
        raise TengenError(f"{str(path)!r}: there is no directory {str(path.parent)!r}")


def _write_records(result: MatchResult, path: Path) -> None:
    from tengen.games.records import dump

    try:
        dump(result.records(), path)
    except OSError as trouble:
        raise click.ClickException(f"cannot write {str(path)!r}: {trouble.strerror}") from None
    except TengenError as trouble:
        raise click.ClickException(str(trouble)) from None


def _progress(result: MatchResult) -> str:
    done = result.standings.games
    filled = _BAR * done // result.planned
    bar = "#" * filled + "." * (_BAR - filled)
    text = f"[{bar}] {done}/{result.planned} games, {done / max(result.seconds, 1e-9):.3g}/s"
    if len(result.players) == 2:
        score = result.standings.players[0].total
        text += f"  +{score.wins} ={score.draws} -{score.losses}  Elo {_elo(result.elo())}"
    if result.sprt:
        test = result.sprt
        text += f"  LLR {test.llr:.2f} ({test.test.lower:.2f}, {test.test.upper:.2f})"
    faults = sum(result.faults)
    return text + (f"  faults {faults}" if faults else "")


def _show_interrupted(result: MatchResult | None, db: Path | None) -> None:
    if result is not None:
        standings = zip(result.players, result.standings.players, strict=True)
        score = ", ".join(f"{name} {each.total.points:g}" for name, each in standings)
        click.echo(f"stopped after {result.standings.games} of {result.planned} games: {score}", err=True)
    if db:
        click.echo(f"the games are kept in {db}; the same command goes on from there", err=True)


def _show(result: MatchResult) -> None:
    """The result as text: players, then figures of strength, then what to know about them."""
    words = [str(result.game), f"{result.standings.games} games", f"openings {result.openings}", f"seed {result.seed}"]
    if result.time is not None:
        words.append(f"{result.time:g} s a move")
    if result.clock is not None:
        words.append(f"clock {result.clock}")
    click.echo(", ".join(words) + "\n")
    _show_players(result)
    click.echo()
    if len(result.players) > 2:
        _show_cross_table(result)
        click.echo()
        _show_ratings(result)
    else:
        elo = result.elo()
        better = f"{100 * elo.superiority:.1f} % likely to be the stronger"
        click.echo(f"Elo of {result.players[0]} against {result.players[1]}: {_elo(elo)}, {better}")
        click.echo(f"pairs by points of {result.players[0]} (0, 1/2, 1, 3/2, 2): {result.tally().pairs}")
    if result.sprt:
        _show_sprt(result)
    _show_faults(result)
    for note in result.notes:
        click.echo(f"note: {note}")


def _elo(elo: Elo) -> str:
    from tengen.arena.statistics import ELO_LIMIT

    low = f"{elo.low:+.0f}" if elo.low > -ELO_LIMIT else "-inf"
    high = f"{elo.high:+.0f}" if elo.high < ELO_LIMIT else "+inf"
    return f"{round(elo.elo):+d} [{low}, {high}]"


def _show_players(result: MatchResult) -> None:
    header = ("player", "games", "won", "drawn", "lost", "score", "as black", "as white", "faults", "s/move", "slowest")
    rows = []
    for place, name in enumerate(result.players):
        player = result.standings.players[place]
        total = player.total
        black, white = (f"+{each.wins} ={each.draws} -{each.losses}" for each in player.by_colour)
        score = f"{100 * total.points / total.games:.1f} %" if total.games else "-"
        counts = (str(count) for count in (total.games, total.wins, total.draws, total.losses))
        times = (f"{player.seconds_per_move:.6f}", f"{player.slowest:.3f}")
        rows.append((name, *counts, score, black, white, str(result.faults[place]), *times))
    show_table(header, rows, right=range(1, len(header)))


def _show_cross_table(result: MatchResult) -> None:
    places = range(len(result.players))
    rows = []
    for row, name in enumerate(result.players):
        cells = []
        for column in places:
            score = result.standings.cross[row][column]
            cells.append("-" if row == column else f"{score.points:g}/{score.games}")
        rows.append((f"{row + 1} {name}", *cells))
    show_table(("points", *(str(place + 1) for place in places)), rows, right=range(1, len(result.players) + 1))


def _show_ratings(result: MatchResult) -> None:
    rated = sorted(zip(result.ratings(), result.players, strict=True), key=lambda each: -each[0].rating)
    rows = [(name, f"{each.rating:.0f}", f"[{each.low:.0f}, {each.high:.0f}]") for each, name in rated]
    show_table(("player", "rating", "95 %"), rows, right=(1,))


def _show_sprt(result: MatchResult) -> None:
    state = result.sprt
    assert state is not None
    test = state.test
    words = {
        "accepted": f"accepted: stronger by {test.elo1:g} rather than {test.elo0:g} Elo",
        "rejected": f"rejected: stronger by {test.elo0:g} rather than {test.elo1:g} Elo",
        "running": "undecided when the games ran out",
    }
    click.echo(f"SPRT {words[state.verdict]}; LLR {state.llr:.2f} of ({test.lower:.2f}, {test.upper:.2f})")


def _show_faults(result: MatchResult) -> None:
    """How often each player did what wrong, with an example."""
    for place, name in enumerate(result.players):
        kinds = {kind: count for kind, count in result.standings.players[place].faults.items() if count}
        for kind, count in kinds.items():
            example = next(
                game.result.detail
                for game in result.games
                if game.result.fault is kind
                and game.result.at_fault is not None
                and (game.black, game.white)[game.result.at_fault.index] == place
            )
            games = f"{count} game{'s' if count != 1 else ''}"
            click.echo(f"{name}: {kind.replace('_', ' ')} in {games}, the first time: {example}")
