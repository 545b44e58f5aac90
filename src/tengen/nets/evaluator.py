"""Evaluating positions with an exported network, by ONNX Runtime."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.errors import TengenError
from tengen.nets.config import NetConfig
from tengen.nets.header import NetFileError, NetHeader, read_verified, written

#: Nets that were played with last stay in memory.
NETS_KEPT = 8


class OnnxEvaluator:
    """An ONNX file of ours, ready to evaluate positions on the CPU with ``threads`` threads.

    Several threads may call :meth:`evaluate` at once. Raises ``NetFileError`` for a file that is not as it was written,
    and ``ImportError`` if ONNX Runtime is not installed.
    """

    def __init__(self, path: str | os.PathLike[str], threads: int = 1) -> None:
        runtime = _import_runtime()
        self.header, model = read_verified(path, onnx=True)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # A thread that waits for work must not burn the core that a search needs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3  # errors; its warnings are about graphs that others export
        try:
            # The bytes that were verified, not the path: the file may change in between.
            self._session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as trouble:  # ONNX Runtime's errors have no common class
            raise NetFileError(f"{os.fspath(path)!r}: ONNX Runtime cannot read it: {trouble}") from None

    @property
    def config(self) -> NetConfig:
        """The network's shape."""
        return self.header.config

    def evaluate(self, planes: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policy logits [n, actions], and win, draw, loss [n, 3] for the mover, of planes, uint8 [n, P, h, w].

        Raises ``TengenError`` if the network does not read such planes.
        """
        check_planes(planes, self.config)
        policy, wdl = self._session.run(["policy", "wdl"], {"planes": planes})
        return policy, wdl


def check_planes(planes: NDArray[np.uint8], config: NetConfig) -> None:
    """Raise ``TengenError`` unless these are one position or more for a network of that shape."""
    shape = planes.shape
    fits = len(shape) == 4 and shape[1] == config.planes and (config.any_size or shape[2:] == (config.size,) * 2)
    if planes.dtype != np.uint8 or not fits or 0 in shape:
        side = "h, w" if config.any_size else f"{config.size}, {config.size}"
        raise TengenError(
            f"this network reads uint8 [n, {config.planes}, {side}], n from 1 on, not {planes.dtype} {list(shape)}"
        )


def _import_runtime() -> Any:
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # some builds report to their maker, if not told before
    try:
        import onnxruntime
    except ImportError as trouble:
        raise ImportError("networks are evaluated by ONNX Runtime: pip install tengen[nets]") from trouble
    return onnxruntime


def core_evaluator(path: Path) -> tuple[_core.Evaluator, NetHeader]:
    """A net as the core's searches ask it, without the interpreter; the players of a file share it.

    Weights (.safetensors) are exported first, which needs ``tengen[train]``; an ONNX file needs ``tengen[nets]``.
    """
    return _core_evaluator(path, written(path))


@lru_cache(maxsize=NETS_KEPT)
def _core_evaluator(path: Path, _: tuple[int, int] | None) -> tuple[_core.Evaluator, NetHeader]:
    if path.suffix == ".safetensors":
        try:
            from tengen.nets.checkpoint import load
            from tengen.nets.export import onnx_bytes
        except ModuleNotFoundError as missing:
            raise TengenError(
                f"{os.fspath(path)!r}: to play with weights takes {missing.name}:"
                " pip install tengen[train], or export them to an .onnx file"
            ) from None
        net, header = load(path)
        model = onnx_bytes(net, header.config, training=header.training)
    else:
        header, model = read_verified(path, onnx=True)
    try:
        return model_evaluator(model, header.config), header
    except _core.EvaluatorError as trouble:
        raise NetFileError(f"{os.fspath(path)!r}: {trouble}") from None


def model_evaluator(model: bytes, config: NetConfig) -> _core.Evaluator:
    """An exported network that is in memory, for the core; one thread a call, and several may call at once."""
    return _core.OnnxEvaluator(_runtime_library(), model, config.planes, config.passes)


@cache
def _runtime_library() -> str:
    """The shared library inside the ONNX Runtime wheel; the package itself is not imported."""
    spec = find_spec("onnxruntime")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for pattern in ("libonnxruntime.so*", "libonnxruntime*.dylib", "onnxruntime.dll"):
            found = sorted(Path(folder, "capi").glob(pattern))
            if found:
                return str(found[0])
    raise TengenError("networks need ONNX Runtime: pip install tengen[nets]")
