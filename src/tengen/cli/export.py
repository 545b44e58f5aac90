"""``tengen export``: from the weights of a run to a network for play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tengen.cli.output import quiet_option
from tengen.errors import TengenError
from tengen.nets.shipped import find_net

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tengen.nets.config import NetConfig

_BLACK = "net-black.safetensors"


@click.command("export")
@click.argument("weights", metavar="RUN_OR_WEIGHTS")
@click.option("--out", required=True, metavar="FILE.onnx", help="The file to write.")
@click.option("--int8", is_flag=True, help="In 8-bit integers: about three times as fast on a CPU.")
@quiet_option("what was written")
def export_command(weights: str, out: str, int8: bool, quiet: bool) -> None:
    """Make a network for play of a run's weights.

    It is an ONNX file, as alphazero:net=FILE.onnx plays it. RUN_OR_WEIGHTS is the folder of a run, whose newest
    checkpoint is taken, or a .safetensors file. 8-bit integers are calibrated on the positions that a run of alphazero
    keeps beside its weights (positions.npz). A run with a network for each colour (S2) becomes two files,
    FILE-black.onnx and FILE-white.onnx; the first is the one to name.
    """
    if Path(out).suffix != ".onnx":
        raise click.UsageError(f"--out is a file whose name ends with .onnx, not {out!r}")
    source, target = find_net(weights), Path(out)
    both = {source: target}
    if source.name == _BLACK:  # of two, S2's
        stem = target.stem.removesuffix("-black")
        white = source.with_name(_BLACK.replace("black", "white"))
        both = {source: target.with_name(f"{stem}-black.onnx"), white: target.with_name(f"{stem}-white.onnx")}
    for each, path in both.items():
        _export(each, str(path), int8=int8, quiet=quiet)


def _export(source: Path, out: str, *, int8: bool, quiet: bool) -> None:
    try:
        from tengen.nets import check_export, export_onnx, load
    except ImportError as missing:
        raise TengenError(str(missing)) from None
    net, header = load(source)
    positions = _positions(source.with_name("positions.npz"), header.config)
    if int8 and positions is None:
        raise TengenError(f"--int8 takes positions to calibrate with: there is no positions.npz beside {source}")
    try:
        export_onnx(net, header.config, out, training=header.training, int8_samples=positions if int8 else None)
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
