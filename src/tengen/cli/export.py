"""``tengen export``: from the weights of a run to a network for play."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tengen.cli.output import quiet_option
from tengen.errors import TengenError
from tengen.nets.header import read_header
from tengen.nets.shipped import METHODS, find_net, pair_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tengen.nets.config import NetConfig


@click.command("export")
@click.argument("weights", metavar="RUN_OR_WEIGHTS")
@click.option("--out", required=True, metavar="FILE.onnx", help="The file to write.")
@click.option("--int8", is_flag=True, help="In 8-bit integers, for alphazero: about three times as fast on a CPU.")
@quiet_option("what was written")
def export_command(weights: str, out: str, int8: bool, quiet: bool) -> None:
    """Make a network for play of a run's weights.

    It is an ONNX file, as alphazero:net=FILE.onnx plays it. RUN_OR_WEIGHTS is the folder of a run, whose newest
    checkpoint is taken, or a .safetensors file. 8-bit integers are calibrated on the positions that a run of alphazero
    keeps beside its weights (positions.npz). A run with a network for each colour (S2) becomes two files,
    FILE-black.onnx and FILE-white.onnx, which belong beside each other; either may be named.
    """
    if Path(out).suffix != ".onnx":
        raise click.UsageError(f"--out is a file whose name ends with .onnx, not {out!r}")
    source, target = find_net(weights), Path(out)
    header = read_header(source)
    if int8 and (method := header.training.get("method")) in METHODS and method != "alphazero":
        raise TengenError(f"--int8 is for the nets of alphazero; {source} was trained by {method}")
    pair = pair_of(source, header)
    if pair is None:
        _export(source, out, header.training, int8=int8, quiet=quiet)
        return
    stem = target.stem.removesuffix("-black").removesuffix("-white")
    for colour, each in pair.items():
        training = {**read_header(each).training, "pair": colour}
        _export(each, str(target.with_name(f"{stem}-{colour}.onnx")), training, int8=int8, quiet=quiet)


def _export(source: Path, out: str, training: Mapping[str, Any], *, int8: bool, quiet: bool) -> None:
    try:
        from tengen.nets import check_export, export_onnx, load
    except ImportError as missing:
        raise TengenError(str(missing)) from None
    net, header = load(source)
    positions = _positions(source.with_name("positions.npz"), header.config)
    if int8 and positions is None:
        raise TengenError(f"--int8 takes positions to calibrate with: there is no positions.npz beside {source}")
    try:
        export_onnx(net, header.config, out, training=training, int8_samples=positions if int8 else None)
    except OSError as trouble:
        raise click.ClickException(f"cannot write {out!r}: {trouble.strerror}") from None
    if not quiet:
        click.echo(f"{out}: {Path(out).stat().st_size / 1e6:.1f} MB, {'int8' if int8 else 'float32'}")
        if positions is not None:
            same = check_export(net, out, positions[:256]).top1
            click.echo(f"the likeliest move is the same as before the export in {same:.1%} of {len(positions[:256])}")


def _positions(path: Path, config: NetConfig) -> NDArray[np.uint8] | None:
    """Boards that fill the input, or None if there are no positions; raises ``TengenError`` for a foreign file."""
    import zipfile

    import numpy as np

    if not path.is_file():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            planes: NDArray[np.uint8] = file["planes"]
        fits = planes.dtype == np.uint8 and planes.shape[1:] == (config.planes, config.size, config.size)
    except (OSError, EOFError, ValueError, KeyError, AttributeError, zipfile.BadZipFile):
        fits = False
    if not fits:
        raise TengenError(f"{path} does not hold positions for this network")
    if config.any_size:  # plane 0 is 1 on the board
        planes = planes[planes[:, 0].all((1, 2))]
    return planes if len(planes) else None
