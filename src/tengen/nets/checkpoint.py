"""Weights as safetensors, with a header and a hash; never pickle.

The format is plain enough to write and read with numpy: the length of a JSON header in eight bytes, the header, the
tensors one after another. Doing so, and not by the library, puts the hash where it can cover the header too.
"""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen.nets._writing import write_whole
from tengen.nets.config import NetConfig
from tengen.nets.header import (
    SAFETENSORS_START,
    NetFileError,
    NetHeader,
    format_metadata,
    hash_safetensors,
    naming,
    read_safetensors_header,
    read_verified,
)
from tengen.nets.network import Net, build

_DTYPES: Mapping[str, np.dtype[Any]] = {
    "F32": np.dtype("<f4"),
    "I64": np.dtype("<i8"),
}  # I64: how many batches a norm has seen


def save(
    path: str | os.PathLike[str],
    net: Net | Mapping[str, Tensor],
    config: NetConfig,
    *,
    training: Mapping[str, Any],
) -> str:
    """Write the weights, a network's or a state dict of one, as float32; returns the file's sha256.

    ``training`` says how they came about and is kept as JSON. The file is there as a whole or not at all. Raises
    ``TengenError``, and writes nothing, if the weights are not those of ``config`` or not finite.
    """
    state = net.state_dict() if isinstance(net, Net) else net
    tensors = {name: _array(tensor) for name, tensor in sorted(state.items())}
    _check_shapes({name: array.shape for name, array in tensors.items()}, config)
    _check_finite(tensors)
    metadata = {"sha256": "0" * 64, **format_metadata(config, training, "float32")}
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, array in tensors.items():
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": "I64" if array.dtype.kind == "i" else "F32",
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    data = len(text).to_bytes(8, "little") + text + b"".join(array.tobytes() for array in tensors.values())
    sha256 = hash_safetensors(data)
    start = 8 + len(SAFETENSORS_START)
    write_whole(path, data[:start] + sha256.encode() + data[start + len(sha256) :])
    return sha256


def load(path: str | os.PathLike[str]) -> tuple[Net, NetHeader]:
    """The network of a file, in evaluation mode on the CPU, and the file's header.

    Raises ``NetFileError`` for a file that is missing, foreign, cut off, altered, or at odds with itself.
    """
    header, data = read_verified(path, onnx=False)
    with naming(path):
        tensors = _parse_tensors(data)
        _check_shapes({name: array.shape for name, array in tensors.items()}, header.config)
        _check_finite(tensors)
    with torch.device("meta"):
        net = build(header.config)
    net.load_state_dict({name: torch.from_numpy(array) for name, array in tensors.items()}, assign=True)
    return net.eval(), header


def _array(tensor: Tensor) -> NDArray[Any]:
    array = tensor.detach().cpu().numpy() if tensor.dtype == torch.int64 else tensor.detach().float().cpu().numpy()
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(tensor.shape)


def _parse_tensors(data: bytes) -> dict[str, NDArray[Any]]:
    file = io.BytesIO(data)
    entries = read_safetensors_header(file)
    del entries["__metadata__"]
    start, end = file.tell(), 0
    tensors = {}
    for name, entry in entries.items():
        try:
            dtype, shape, (begin, stop) = _DTYPES[entry["dtype"]], tuple(entry["shape"]), entry["data_offsets"]
            fits = begin == end and stop - begin == dtype.itemsize * math.prod(shape)
        except (KeyError, TypeError, ValueError):
            fits = False
        if not fits:
            raise NetFileError(f"the header makes no sense about {name!r}")
        tensors[name] = np.frombuffer(data[start + begin : start + stop], dtype).reshape(shape).copy()
        end = stop
    if start + end != len(data):
        raise NetFileError("the tensors do not fill the file")
    return tensors


def _check_shapes(shapes: Mapping[str, tuple[int, ...]], config: NetConfig) -> None:
    with torch.device("meta"):  # shapes alone, so that a false config costs no memory
        expected = {name: tuple(tensor.shape) for name, tensor in build(config).state_dict().items()}
    for name in sorted(shapes.keys() ^ expected.keys()):
        raise NetFileError(f"{name!r} is {'missing' if name in expected else 'no part of this network'}")
    for name, shape in shapes.items():
        if shape != expected[name]:
            raise NetFileError(f"{name!r} has the shape {shape} and should have {expected[name]}")


def _check_finite(tensors: Mapping[str, NDArray[Any]]) -> None:
    for name, array in tensors.items():
        if not np.isfinite(array).all():
            raise NetFileError(f"{name!r} holds numbers that are not finite")
