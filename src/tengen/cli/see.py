"""``tengen see``: the position in a picture of a board."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tengen.cli.numbers import IntRange
from tengen.cli.output import STDOUT, CommandWithJson, json_option
from tengen.errors import TengenError
from tengen.games import Side

if TYPE_CHECKING:
    from tengen.vision import Sighting


Corners = tuple[tuple[float, float], ...]

#: Overlays by the ending of their file's name; without one, the first.
_PICTURES = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP", ".bmp": "BMP"}
_MOST_DOUBTS = 10  # that are named


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


def _check_overlay(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A name that says what kind of picture is written: before the work, not after it."""
    _check_is_file(ctx, param, value)
    if value and Path(value).suffix.lower() not in ("", *_PICTURES):
        raise click.BadParameter(f"{value!r} is written as one of {', '.join(_PICTURES)}", ctx, param)
    return value


def _check_record(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Likewise, what kind of record."""
    _check_is_file(ctx, param, value)
    if value and Path(value).suffix:
        from tengen.games.records import FORMATS

        known = [ending for entry in FORMATS.values() if entry.write for ending in entry.extensions]
        if Path(value).suffix.lower() not in known:
            raise click.BadParameter(f"{value!r} is written as one of {', '.join(known)}", ctx, param)
    return value


def _check_is_file(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    if value == STDOUT:
        raise click.BadParameter("standard output is for --json; name a file", ctx, param)


def _check_not_the_image(image: str, targets: dict[str, str | None]) -> None:
    """Nothing is written over the picture that is read, whatever it is called there."""
    for option, target in targets.items():
        with suppress(OSError, ValueError):  # one of them is no file yet
            if target not in (None, STDOUT) and os.path.samefile(image, target):
                raise click.UsageError(f"{option} {target} would write over the picture")


@click.command("see", cls=CommandWithJson)
@click.argument("image", metavar="IMAGE", type=click.Path(exists=True))
@click.option(
    "--corners",
    nargs=4,
    metavar="X,Y X,Y X,Y X,Y",
    callback=_parse_corners,
    help="Help: where the outermost points are, from the top left clockwise (Othello: the corners of the squares); "
    "half a step off is near enough.",
)
@click.option("--game", help="Help: the game, such as renju or othello.  [default: gomoku or othello, as it looks]")
@click.option("--size", type=IntRange(6, 20), help="Help: points along a side.")
@click.option(
    "--overlay",
    metavar="FILE",
    callback=_check_overlay,
    help="Write the picture with what was seen drawn over it (.png, .jpg). A picture that is more than 2048 pixels "
    "wide or high is shrunk to that; corners in --json are those of the picture as it was.",
)
@click.option(
    "--record",
    metavar="FILE",
    callback=_check_record,
    help="Write the position as a record (.sgf), for tengen analyze and others.",
)
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
    exit status 1. A board may be turned by up to about 40 degrees; between there and 50 give --corners, and beyond
    that another side of it is taken for the top.

    \b
    JSON: {"game", "size", "black": [MOVE, ...], "white": [MOVE, ...],
           "to_move": "black", "white" or null if the game is over or the picture does not tell,
           "over": true or false, "sure": true or false, "confidence": 0 to 1,
           "confidence_by_point": [[number, ...], ...] from the top row,
           "corners": [[x, y], ...] from the top left clockwise, "doubts": [MOVE, ...], "remarks": [TEXT, ...]}
    """
    from tengen.vision.loading import PictureError

    _check_not_the_image(image, {"--overlay": overlay, "--record": record, "--json": json_to})
    try:
        from tengen.vision.reading import see

        sighting = see(image, corners=corners, game=game, size=size)
    except ModuleNotFoundError as missing:
        raise TengenError(f"pictures need {missing.name}: pip install tengen[vision]") from None
    except PictureError as trouble:
        raise click.ClickException(str(trouble)) from None
    if record:  # first: some formats do not hold every position
        _write_record(sighting, record)
        if sighting.to_move is None and not sighting.position.is_over:
            click.echo(f"whose turn it is cannot be told: {record} says black", err=True)
    if overlay:
        _write_overlay(image, sighting, overlay)
    if json_to:
        from tengen.cli.output import write_json

        write_json(sighting.to_dict(), json_to)
    if json_to != STDOUT:
        _show(sighting)


def _show(sighting: Sighting) -> None:
    over = sighting.position.is_over
    board = str(sighting.position)
    # The last line has black to move where nobody knows, and a winner where there cannot be one.
    told = sighting.to_move is not None or (over and not sighting.remarks)
    click.echo(board if told else board.rpartition("\n")[0])
    untold = "the game is over" if over else "whose turn it is cannot be told"
    side = f"{sighting.to_move} to move" if sighting.to_move else untold
    click.echo(f"{sighting.game.name}, {side}, confidence {sighting.confidence:.0%}")
    moves = move_string(sighting)
    if moves is not None:
        click.echo(f"for tengen analyze: --game {sighting.game.name} {moves or repr('')}")
    if not sighting.is_sure:
        named = " ".join(map(str, sighting.doubts[:_MOST_DOUBTS]))
        more = len(sighting.doubts) - _MOST_DOUBTS
        where = f" about {named}{f' and {more} more' if more > 0 else ''}" if sighting.doubts else ""
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
    from PIL import Image

    from tengen.vision.loading import load_picture
    from tengen.vision.overlay import draw_overlay, scaled

    pixels, shrunk = load_picture(image)
    drawn = Image.fromarray(draw_overlay(pixels, scaled(sighting, 1 / shrunk)))
    try:
        drawn.save(target, format=_PICTURES.get(Path(target).suffix.lower(), "PNG"))
    except OSError as trouble:
        raise click.ClickException(f"cannot write {target!r}: {trouble.strerror}") from None


def _write_record(sighting: Sighting, target: str) -> None:
    from tengen import records

    record = records.Record.from_position(sighting.position)
    if sighting.remarks:  # of a game that cannot have ended so, no result
        record = replace(record, result=records.UNKNOWN)
    try:
        records.dump(record, target, None if Path(target).suffix else "sgf")
    except OSError as trouble:
        raise click.ClickException(f"cannot write {target!r}: {trouble.strerror}") from None
