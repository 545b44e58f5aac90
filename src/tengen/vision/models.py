"""The nets that read pictures, as they come with the package: checked, and run by ONNX Runtime."""

from __future__ import annotations

import os
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.nets.header import NetFileError, read_sealed

#: What a net file of this kind says about itself under ``format``.
FORMAT = "tengen-vision/2"
#: The nets: where the corners are, where lines cross, what is on the points.
NETS = ("corners", "lattice", "points")


class Model:
    """A net for pictures, ready to run on one thread; several threads may call :meth:`run` at once."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        runtime = _import_runtime()
        self.about, data = read_sealed(path, format=FORMAT)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            # The bytes that were verified, not the path: the file may change in between.
            self._session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as trouble:  # ONNX Runtime's errors have no common class
            raise NetFileError(f"{os.fspath(path)!r}: ONNX Runtime cannot read it: {trouble}") from None

    def run(self, x: NDArray[np.float32], **more: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """The net's outputs for ``x`` [n, 3, h, w] and what else it asks for, in the order of the file."""
        return list(self._session.run(None, {"x": x, **more}))


class Models:
    """The nets of one folder.

    ``marked``, if it is there, is a second net for points: it knows more of what programs draw over boards. What the
    two see differently is doubtful, and where the first is not sure the second's may count.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.corners, self.lattice, self.points = (Model(Path(folder) / f"net-{name}.onnx") for name in NETS)
        marked = Path(folder) / "net-marked.onnx"
        self.marked = Model(marked) if marked.exists() else None


@cache
def shipped_models() -> Models:
    """The nets that come with the package; loaded once a process."""
    return Models(str(resources.files("tengen").joinpath("data", "vision")))


def image_planes(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """An image [h, w, 3] as the nets read it: [1, 3, h, w]; whatever else is made of it, they make themselves."""
    return np.ascontiguousarray(image.transpose(2, 0, 1), np.float32)[None]


def _import_runtime() -> Any:
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # some builds report to their maker, if not told before
    try:
        import onnxruntime
    except ImportError:
        raise TengenError("pictures are read by ONNX Runtime: pip install tengen[vision]") from None
    return onnxruntime
