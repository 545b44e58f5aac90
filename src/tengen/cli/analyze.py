"""``tengen analyze``: the best lines of a position, as they are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tengen import records
from tengen.cli.output import (
    STDOUT,
    CommandWithJson,
    ProgressLine,
    json_option,
    quiet_option,
    table_lines,
    write_json,
)
from tengen.engines.thought import Report, ReportLine, Searcher
from tengen.errors import NotationError, PlayerNameError, TengenError
from tengen.games import Position
from tengen.naming import join_name, split_name
from tengen.players import Limit, player, player_kinds

_PROOFS = (None, "won", "lost", "exact")


@click.command("analyze", cls=CommandWithJson)
@click.argument("position", metavar="POSITION-OR-FILE")
@click.option("--game", default=None, help="The game of a move string [gomoku]; the rule of a file that names none.")
@click.option("--ply", type=click.IntRange(0), help="Of a file: the position after this many moves, not the last.")
@click.option("--number", type=click.IntRange(1), help="Of a file with several games: which one.  [default: the first]")
@click.option("--lines", type=click.IntRange(1, 50), default=3, show_default=True, help="How many best moves.")
@click.option(
    "--time", "seconds", type=click.FloatRange(0.01), default=3.0, show_default=True, help="Seconds to think."
)
@click.option("--depth", type=click.IntRange(1, 60), help="Stop at this depth, however soon (alphabeta).")
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads (Gomoku).")
@click.option(
    "--player", "name", default="alphabeta", show_default=True, help="Who searches: alphabeta, alphazero, mcts, ..."
)
@json_option("the lines")
@quiet_option("what is shown while it thinks")
def analyze_command(
    position: str,
    game: str | None,
    ply: int | None,
    number: int | None,
    lines: int,
    seconds: float,
    depth: int | None,
    threads: int,
    name: str,
    json_to: str | None,
    quiet: bool,
) -> None:
    """Show the best lines of a position, on a terminal as they are found.

    POSITION-OR-FILE is a move string such as h8i9j10 (or "" for the start), or a record file; its main line is taken
    to the end, or to --ply. Proven wins and losses are marked. Values are from the mover's side, -1 lost to 1 won;
    a score is in the unit of alphabeta's evaluation, and with alphazero and mcts the visits that a move got.

    \b
    JSON: {"game", "moves": [MOVE, ...], "setup" (of positions that were set up), "to_move", "depth",
           "selective_depth", "nodes", "seconds", "nodes_per_second",
           "lines": [{"moves": [MOVE, ...], "depth", "value", "score",
                      "proof": null, "won", "lost" or "exact", "distance": plies or null}, ...]}
    """
    found = _find_position(position, game, ply, number)
    if found.is_over:
        back = f"; --ply goes back, to {found.ply - 1} at most" if Path(position).is_file() else ""
        raise TengenError(f"the game is over: {found.outcome()}{back}")
    searcher = _searcher(name, found, threads)
    with ProgressLine(quiet=quiet) as progress:

        def show(report: Report) -> None:
            progress.update(*_table(found, report), _counts(report))

        limit = Limit(seconds=seconds, depth=depth)
        report = searcher.search(found, limit=limit, lines=lines, on_report=show)
    if json_to:
        write_json(_as_json(found, report), json_to)
    if json_to != STDOUT:
        click.echo(str(found))
        header, *rows = _table(found, report)
        click.secho(header, bold=True)
        click.echo("\n".join([*rows, _counts(report)]))


def _searcher(name: str, position: Position, threads: int) -> Searcher:
    """The player that searches, with so many threads if its name does not say how many and it can use them."""
    kind, options = split_name(name, what="player", error=PlayerNameError)
    known = player_kinds()
    if threads > 1 and kind in known and "threads" in known[kind].options:
        options.setdefault("threads", str(threads))
    made = player(join_name(kind, options))
    if not isinstance(made, Searcher):
        raise TengenError(f"{name!r} has no lines to show; alphabeta, alphazero and mcts have")
    if not made.supports(position.game):
        raise TengenError(f"{name!r} does not play {position.game}")
    return made


def _find_position(text: str, game: str | None, ply: int | None, number: int | None) -> Position:
    if text and Path(text).is_file():
        loaded = records.load(text, game=game)
        if not loaded:
            raise TengenError(f"{text} holds no game")
        if number is not None and number > len(loaded):
            raise TengenError(f"{text} holds {len(loaded)} game{'s' if len(loaded) > 1 else ''}, not {number}")
        return loaded[(number or 1) - 1].position(ply)
    if ply is not None or number is not None:
        raise TengenError("--ply and --number go with a file")
    try:
        return Position(game or "gomoku", text)
    except NotationError as trouble:
        if text.isalnum():
            raise
        raise TengenError(f"{text[:80]!r} is neither a file nor a move string: {trouble}") from None


def _table(position: Position, report: Report) -> list[str]:
    """The lines as a table, best first."""
    moves = position.game.moves
    rows = [
        (
            str(number),
            str(line.depth),
            f"{line.value:+.3f}",
            str(line.score),
            _verdict(line),
            " ".join(str(moves[action]) for action in line.moves),
        )
        for number, line in enumerate(report.lines, start=1)
    ]
    return table_lines(("", "depth", "value", "score", "proven", "line"), rows, right=(0, 1, 2, 3))


def _verdict(line: ReportLine) -> str:
    proof = _PROOFS[line.proof]
    if proof in ("won", "lost") and line.distance:
        return f"{proof} in {line.distance}"
    return proof or ""


def _counts(report: Report) -> str:
    speed = report.nodes / report.seconds if report.seconds > 0 else 0
    counts = f"depth {report.depth}/{report.selective_depth}, {report.nodes:,} nodes in {report.seconds:.2f} s"
    return f"{counts}, {speed:,.0f} nodes/s"


def _as_json(position: Position, report: Report) -> dict[str, Any]:
    moves = position.game.moves
    return {
        **position.to_dict(),
        "to_move": str(position.to_move),
        "depth": report.depth,
        "selective_depth": report.selective_depth,
        "nodes": report.nodes,
        "seconds": report.seconds,
        "nodes_per_second": report.nodes / report.seconds if report.seconds > 0 else 0.0,
        "lines": [
            {
                "moves": [str(moves[action]) for action in line.moves],
                "depth": line.depth,
                "value": line.value,
                "score": line.score,
                "proof": _PROOFS[line.proof],
                "distance": line.distance or None,
            }
            for line in report.lines
        ],
    }
