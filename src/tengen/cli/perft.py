"""``tengen perft``: exact counts of a game's tree."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

import click

from tengen.benchmarking import divide, perft
from tengen.cli.numbers import IntRange
from tengen.cli.output import STDOUT, CommandWithJson, ProgressLine, json_option, quiet_option, show_table, write_json
from tengen.games import Position

_ROW = "{:>5}  {:>22}  {:>10}  {:>14}"


@dataclass(frozen=True)
class _Row:
    depth: int
    leaves: int
    seconds: float

    @property
    def speed(self) -> float:
        return self.leaves / self.seconds if self.seconds > 0 else 0.0


@click.command("perft", cls=CommandWithJson)
@click.argument("game")
@click.option("-d", "--depth", type=IntRange(1, 60), required=True, help="Count 1 to this many plies deep.")
@click.option("--moves", default="", help="Start after these moves, such as f5d6c3.")
@click.option("--divide", "divided", is_flag=True, help="Also count below each first move, at the full depth.")
@json_option("the counts")
@quiet_option("the progress line")
def perft_command(game: str, depth: int, moves: str, divided: bool, json_to: str | None, quiet: bool) -> None:
    """Count the leaves of a game's tree, depth by depth.

    A game that ends before the depth is one leaf, and a pass is a ply. GAME is a name that `tengen games` explains.
    With --json and no FILE, put GAME first: the word after --json is taken as FILE.

    \b
    JSON: {"game", "moves": [MOVE, ...],
           "counts": [{"depth", "leaves", "seconds"}, ...],
           "divide": {MOVE: leaves} or null}
    """
    position = Position(game, moves)
    table = json_to != STDOUT
    if table:
        click.secho(_ROW.format("depth", "leaves", "seconds", "Mleaves/s"), bold=True)
    rows = []
    with ProgressLine(quiet=quiet) as progress:
        for plies in range(1, depth + 1):
            row = _count(position, plies, progress)
            progress.clear()
            rows.append(row)
            if table:
                speed = f"{row.speed / 1e6:.1f}" if row.seconds > 1e-4 else "-"
                click.echo(_ROW.format(plies, f"{row.leaves:,}", f"{row.seconds:.3f}", speed))
    below = {str(move): leaves for move, leaves in divide(position, depth)} if divided else None
    if table and below is not None:
        click.echo()
        show_table(("move", "leaves"), [(move, f"{leaves:,}") for move, leaves in below.items()], right=(1,))
    if json_to:
        counts = [asdict(row) for row in rows]
        data = {"game": position.game.name, "moves": [str(move) for move in position.moves], "counts": counts}
        write_json({**data, "divide": below}, json_to)


def _count(position: Position, depth: int, progress: ProgressLine) -> _Row:
    def show(done: int, total: int) -> None:
        progress.update(f"depth {depth}: {done} of {total} first moves")

    start = time.perf_counter()
    leaves = perft(position, depth, on_part=show)
    return _Row(depth, leaves, time.perf_counter() - start)
