"""``tengen analyze``: the best lines of a position, as they are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tengen import records
from tengen.cli.numbers import FloatRange, IntRange
from tengen.cli.output import (
    STDOUT,
    CommandWithJson,
    ProgressLine,
    json_option,
    quiet_option,
    table_lines,
    write_json,
)
from tengen.engines.analysis import of_ratings, of_report
from tengen.engines.thought import Report, Searcher
from tengen.errors import NotationError, PlayerNameError, RecordError, TengenError
from tengen.games import Position
from tengen.naming import join_name, split_name
from tengen.players import Limit, Rater, TreeSearcher, player, player_kinds
from tengen.players._player import require_plays

_LINES = 3
#: The endings of files that `tengen see` reads.
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")


@click.command("analyze", cls=CommandWithJson)
@click.argument("position", metavar="POSITION-OR-FILE")
@click.option("--game", default=None, help="The game of a move string [gomoku]; the rule of a file that names none.")
@click.option("--ply", type=IntRange(0), help="Of a file: the position after this many moves, not the last.")
@click.option("--number", type=IntRange(1), help="Of a file with several games: which one.  [default: the first]")
@click.option(
    "--lines",
    type=IntRange(1, 50),
    help=f"How many best moves.  [default: {_LINES}; of dqn and evolved every legal move]",
)
@click.option("--time", "seconds", type=FloatRange(0.01), default=3.0, show_default=True, help="Seconds to think.")
@click.option("--depth", type=IntRange(1, 60), help="Stop at this depth, however soon (alphabeta).")
@click.option("--threads", type=IntRange(1, 64), default=1, show_default=True, help="Threads (Gomoku).")
@click.option(
    "--player", "name", default="alphabeta", show_default=True, help="Who: alphabeta, alphazero, mcts, dqn, ..."
)
@json_option("the lines")
@quiet_option("what is shown while it thinks")
def analyze_command(
    position: str,
    game: str | None,
    ply: int | None,
    number: int | None,
    lines: int | None,
    seconds: float,
    depth: int | None,
    threads: int,
    name: str,
    json_to: str | None,
    quiet: bool,
) -> None:
    """Show the best lines of a position.

    On a terminal they are shown as they are found. POSITION-OR-FILE is a move string such as h8i9j10 (or "" for the
    start), or a record file; its main line is taken to the end, or to --ply. Proven wins and losses are marked. Values
    are from the mover's side, -1 lost to 1 won; a score is in the unit of alphabeta's evaluation. In its place
    alphazero and mcts have the visits that a move got (also as "score" in the JSON); without any it has no value.

    dqn and evolved do not search: their lines are the legal moves. A score of dqn is Q, in the unit of the rewards that
    it learned from; where those are for more than winning (S0, S1) there is no value, and evolved has none at all.

    \b
    JSON: {"game", "moves": [MOVE, ...], "setup" (of positions that were set up), "to_move", "depth",
           "selective_depth", "nodes", "seconds", "nodes_per_second",
           "lines": [{"moves": [MOVE, ...], "depth", "value": number or null, "score",
                      "proof": null, "won", "lost" or "exact", "distance": plies or null}, ...]}
    """
    found = _find_position(position, game, ply, number)
    if found.is_over:
        back = f"; --ply goes back, to {found.ply - 1} at most" if found.ply and Path(position).is_file() else ""
        raise TengenError(f"the game is over: {found.outcome()}{back}")
    thinker = _thinker(name, found, threads)
    if isinstance(thinker, Rater):
        analysis = of_ratings(found, thinker, lines)
    else:
        with ProgressLine(quiet=quiet) as progress:

            def show(report: Report) -> None:
                analysis = of_report(thinker, found, report)
                progress.update(*_table(analysis, thinker), _counts(analysis))

            limit = Limit(seconds=seconds, depth=depth)
            report = thinker.search(found, limit=limit, lines=lines or _LINES, on_report=show)
        analysis = of_report(thinker, found, report)
    if json_to:
        write_json(analysis, json_to)
    if json_to != STDOUT:
        click.echo(str(found))
        header, *rows = _table(analysis, thinker)
        click.secho(header, bold=True)
        click.echo("\n".join(rows if isinstance(thinker, Rater) else [*rows, _counts(analysis)]))


def _thinker(name: str, position: Position, threads: int) -> Searcher | Rater:
    """The player that searches or rates, with so many threads if its name does not say how many and it can use them."""
    kind, options = split_name(name, what="player", error=PlayerNameError)
    known = player_kinds()
    if threads > 1 and kind in known and "threads" in known[kind].options:
        options.setdefault("threads", str(threads))
    made = player(join_name(kind, options))
    if not isinstance(made, Searcher | Rater):
        raise TengenError(f"{name!r} has no lines to show; alphabeta, alphazero, mcts, dqn and evolved have")
    require_plays(made, position.game)
    return made


def _find_position(text: str, game: str | None, ply: int | None, number: int | None) -> Position:
    if text and Path(text).is_file():
        loaded = _load(text, game)
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


def _load(path: str, game: str | None) -> list[records.Record]:
    """The games in a file; raises ``TengenError`` that names it."""
    try:
        return records.load(path, game=game)
    except RecordError as trouble:
        if Path(path).suffix.lower() in _PICTURES:
            raise TengenError(f"{path} is a picture; `tengen see {path}` reads the position in it") from None
        if trouble.code == "no_format":
            raise TengenError(f"{path} is no record of a game; what is read: {', '.join(records.FORMATS)}") from None
        raise TengenError(f"{path}: {trouble}") from None


def _table(analysis: dict[str, Any], thinker: Searcher | Rater) -> list[str]:
    """The lines as a table, best first."""
    score = "visits" if isinstance(thinker, TreeSearcher) else "score"
    rows = [
        (
            str(number),
            str(line["depth"]),
            "" if line["value"] is None else f"{line['value']:+.3f}",
            f"{line['score']:+.3f}" if isinstance(line["score"], float) else str(line["score"]),
            _verdict(line),
            " ".join(line["moves"]),
        )
        for number, line in enumerate(analysis["lines"], start=1)
    ]
    return table_lines(("", "depth", "value", score, "proven", "line"), rows, right=(0, 1, 2, 3))


def _verdict(line: dict[str, Any]) -> str:
    if line["proof"] in ("won", "lost") and line["distance"]:
        return f"{line['proof']} in {line['distance']}"
    return line["proof"] or ""


def _counts(analysis: dict[str, Any]) -> str:
    counts = f"depth {analysis['depth']}/{analysis['selective_depth']}, {analysis['nodes']:,} nodes"
    return f"{counts} in {analysis['seconds']:.2f} s, {analysis['nodes_per_second']:,.0f} nodes/s"
