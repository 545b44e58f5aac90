"""``tengen see``: the position in a picture of a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tengen.cli.output import STDOUT, CommandWithJson, json_option
from tengen.errors import TengenError
from tengen.games import Side

if TYPE_CHECKING:
    from tengen.vision import Sighting


Corners = tuple[tuple[float, float], ...]


def _parse_corners(ctx: click.Context, param: click.Parameter, value: tuple[str, ...] | None) -> Corners | None:
    """Four points of a picture, each ``x,y`` in pixels."""
    corners = []
    for text in value or ():
        try:
            x, y = (float(part) for part in text.split(","))
        except ValueError:
            raise click.BadParameter(f"{text!r} is not x,y in pixels, such as 120,80.5", ctx, param) from None
        corners.append((x, y))
    return tuple(corners) or None


@click.command("see", cls=CommandWithJson)
@click.argument("image", metavar="IMAGE", type=click.Path())
@click.option(
    "--corners",
    nargs=4,
    metavar="X,Y X,Y X,Y X,Y",
    callback=_parse_corners,
    help="Help: where the outermost points are, from the top left clockwise (Othello: the corners of the squares).",
)
@click.option("--game", help="Help: the game, such as renju or othello.  [default: gomoku or othello, as it looks]")
@click.option("--size", type=click.IntRange(6, 20), help="Help: points along a side.")
@click.option("--overlay", metavar="FILE", help="Write the picture with what was seen drawn over it (.png).")
@click.option("--record", metavar="FILE", help="Write the position as a record (.sgf), for tengen analyze and others.")
@json_option("what was seen")
def see_command(
    image: str,
    corners: Corners | None,
    game: str | None,
    size: int | None,
    overlay: str | None,
    record: str | None,
    json_to: str | None,
) -> None:
    """Read the position in a screenshot or photo of a board.

    Gomoku, Renju, Go-style and Othello boards of 6 to 20 points, also in perspective. Points that are doubtful are
    named, and marked in the overlay; if the board is not found, --corners helps. What is no board is refused, with
    exit status 1.

    \b
    JSON: {"game", "size", "black": [MOVE, ...], "white": [MOVE, ...],
           "to_move": "black", "white" or null if the picture does not tell,
           "sure": true or false, "confidence": 0 to 1, "confidence_by_point": [[number, ...], ...] from the top row,
           "corners": [[x, y], ...] from the top left clockwise, "doubts": [MOVE, ...], "remarks": [TEXT, ...]}
    """
    from tengen.vision.loading import PictureError

    try:
        from tengen.vision.reading import see

        sighting = see(image, corners=corners, game=game, size=size)
    except ModuleNotFoundError as missing:
        raise TengenError(f"pictures need {missing.name}: pip install tengen[vision]") from None
    except PictureError as trouble:
        raise click.ClickException(str(trouble)) from None
    if overlay:
        _write_overlay(image, sighting, overlay)
    if record:
        _write_record(sighting, record)
    if json_to:
        from tengen.cli.output import write_json

        write_json(sighting.to_dict(), json_to)
    if json_to != STDOUT:
        _show(sighting)


def _show(sighting: Sighting) -> None:
    click.echo(str(sighting.position))
    side = f"{sighting.to_move} to move" if sighting.to_move else "whose turn it is cannot be told"
    click.echo(f"{sighting.game.name}, {side}, confidence {sighting.confidence:.0%}")
    moves = move_string(sighting)
    if moves is not None:
        click.echo(f"for tengen analyze: --game {sighting.game.name} {moves or repr('')}")
    if not sighting.is_sure:
        where = f" about {' '.join(map(str, sighting.doubts))}" if sighting.doubts else ""
        reasons = "".join(f"; {remark}" for remark in sighting.remarks)
        click.secho(f"not sure{where}{reasons}", bold=True)


def move_string(sighting: Sighting) -> str | None:
    """Moves that lead to the position, where any order does: gomoku's stones in turn. None where they do not."""
    black, white = sighting.stones(Side.BLACK), sighting.stones(Side.WHITE)
    if sighting.game.kind != "gomoku" or len(black) - len(white) not in (0, 1) or sighting.position.is_over:
        return None
    turns = [black[i // 2] if i % 2 == 0 else white[i // 2] for i in range(len(black) + len(white))]
    try:
        from tengen.games import Position

        Position(sighting.game, turns)  # renju may forbid a move in this order
    except TengenError:
        return None
    return "".join(map(str, turns))


def _write_overlay(image: str, sighting: Sighting, target: str) -> None:
    from tengen.vision.loading import load_picture
    from tengen.vision.overlay import draw_overlay, scaled

    pixels, shrunk = load_picture(image)
    _write_png(draw_overlay(pixels, scaled(sighting, 1 / shrunk)), target)


def _write_png(pixels: Any, target: str) -> None:
    from PIL import Image

    try:
        Image.fromarray(pixels).save(target, format="PNG")
    except OSError as trouble:
        raise click.ClickException(f"cannot write {target!r}: {trouble.strerror}") from None


def _write_record(sighting: Sighting, target: str) -> None:
    from tengen import records

    try:
        records.dump(records.Record.from_position(sighting.position), target, None if Path(target).suffix else "sgf")
    except OSError as trouble:
        raise click.ClickException(f"cannot write {target!r}: {trouble.strerror}") from None
