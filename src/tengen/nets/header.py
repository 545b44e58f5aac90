"""What a net file says about itself, read with plain Python: no torch, no onnx, and nothing of the file is run.

Weights (safetensors) and networks for play (ONNX) carry the same metadata, all of it text: ``format``, ``config`` and
``training`` (JSON), ``precision``, and ``sha256``, which covers every byte of the file but its own digits.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tengen.errors import TengenError
from tengen.nets.config import NetConfig

FORMAT = "tengen-net/1"

# Bounds on what a stranger's file can make us read; real headers have a few kilobytes, real nets at most 40 megabytes.
LONGEST_HEADER = 1 << 20
_LARGEST_FILE = 1 << 30
_MOST_FIELDS = 1000

# A safetensors file of ours starts so, after the eight bytes of the header's length; then come the digits.
SAFETENSORS_START = b'{"__metadata__":{"sha256":"'
# An ONNX file of ours ends so, before the digits: one more `metadata_props` entry, as protobuf allows at the end.
_ONNX_END = b"\x72\x4a\x0a\x06sha256\x12\x40"
_DIGITS = 64
_METADATA_PROPS = 14  # the field's number in ONNX's ModelProto


class NetFileError(TengenError):
    """A file that is no net of ours, or no longer what was written; the message says which."""


@dataclass(frozen=True)
class NetHeader:
    """What a net file says about itself.

    ``training`` tells how the net was trained, in the trainer's words. ``precision`` is ``float32`` or ``int8``.
    """

    config: NetConfig
    training: Mapping[str, Any]
    precision: str
    sha256: str


def read_header(path: str | os.PathLike[str]) -> NetHeader:
    """The header of a safetensors or ONNX file, without a look at the weights or the hash.

    Raises ``NetFileError`` if the file is none of ours.
    """
    with naming(path), open(path, "rb") as file:
        return _parse_metadata(_read_metadata(file))


def read_verified(path: str | os.PathLike[str], *, onnx: bool) -> tuple[NetHeader, bytes]:
    """The header and the whole of an ONNX or safetensors file whose hash is right.

    Raises ``NetFileError`` for a file that is missing, foreign, cut off, altered, or of the other kind.
    """
    with naming(path):
        with open(path, "rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        if len(data) > _LARGEST_FILE:
            raise NetFileError("larger than any net")
        header = _parse_metadata(_read_metadata(io.BytesIO(data)))
        if header.sha256 != (hash_safetensors(data) if _is_safetensors(data) else _hash_onnx(data)):
            raise NetFileError("damaged or changed: its sha256 does not fit")
        if onnx and _is_safetensors(data):
            raise NetFileError("these are weights for training; to play, export them to an .onnx file")
        if not onnx and not _is_safetensors(data):
            raise NetFileError("this network is for play; to train, take its .safetensors file")
    return header, data


def read_sealed(path: str | os.PathLike[str], *, format: str) -> tuple[dict[str, str], bytes]:  # noqa: A002
    """The metadata and the whole of an ONNX file of another format of ours, whose hash is right.

    Raises ``NetFileError`` for a file that is missing, foreign, cut off or altered.
    """
    with naming(path):
        with open(path, "rb") as file:
            data = file.read(_LARGEST_FILE + 1)
        metadata = _read_onnx_metadata(io.BytesIO(data))
        if metadata.get("format") != format:
            raise NetFileError(f"its format is {metadata.get('format')!r}, not {format!r}")
        if metadata.get("sha256") != _hash_onnx(data):
            raise NetFileError("damaged or changed: its sha256 does not fit")
    return metadata, data


def written(path: Path) -> tuple[int, int] | None:
    """When a file was written, and its size: another one under its name has others. None if it cannot be read."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def verify_onnx(path: str | os.PathLike[str]) -> NetHeader:
    """The header of an ONNX file that is as it was written; raises ``NetFileError`` if it is not."""
    return read_verified(path, onnx=True)[0]


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn whatever a file's bytes can provoke into a ``NetFileError`` that names the file."""
    try:
        yield
    except OSError as trouble:
        raise NetFileError(f"cannot read {os.fspath(path)!r}: {trouble.strerror or trouble}") from None
    except TengenError as trouble:
        raise NetFileError(f"{os.fspath(path)!r}: {trouble}") from None
    except (ValueError, RecursionError):  # of Python's readers of text and JSON, whose words help nobody here
        raise NetFileError(f"{os.fspath(path)!r}: damaged or changed: its header cannot be read") from None


def hash_safetensors(data: bytes) -> str:
    """The hash that belongs into a safetensors file: of all its bytes, with zeros in the place of the digits."""
    start = 8 + len(SAFETENSORS_START)
    if data[8:start] != SAFETENSORS_START:
        raise NetFileError("rewritten by another program: the header does not start with the sha256")
    return hashlib.sha256(data[:start] + b"0" * _DIGITS + data[start + _DIGITS :]).hexdigest()


def close_onnx(data: bytes) -> bytes:
    """An ONNX file without a hash, with it."""
    return data + _ONNX_END + hashlib.sha256(data).hexdigest().encode()


def _hash_onnx(data: bytes) -> str:
    start = len(data) - _DIGITS - len(_ONNX_END)
    if data[start:-_DIGITS] != _ONNX_END:
        raise NetFileError("cut off, or rewritten by another program: it does not end with the sha256")
    return hashlib.sha256(data[:start]).hexdigest()


def format_metadata(config: NetConfig, training: Mapping[str, Any], precision: str) -> dict[str, str]:
    """The metadata of a file, but for the hash. Raises ``TengenError`` if ``training`` is not JSON, or too long."""
    try:
        trained = json.dumps(dict(training), allow_nan=False)
    except (TypeError, ValueError) as trouble:
        raise TengenError(f"what is said about the training must be JSON: {trouble}") from None
    if len(trained) > LONGEST_HEADER // 4:
        raise TengenError(f"{len(trained)} bytes about the training are too many")
    return {"format": FORMAT, "config": json.dumps(config.to_dict()), "training": trained, "precision": precision}


def _parse_metadata(metadata: object) -> NetHeader:
    if not isinstance(metadata, dict) or "format" not in metadata:
        raise NetFileError("not a net of Tengen's: there is no metadata of ours in it")
    if metadata["format"] != FORMAT:
        raise NetFileError(f"its format is {metadata['format']!r}; this version of Tengen reads {FORMAT!r}")
    for key in ("config", "training", "precision", "sha256"):
        if not isinstance(metadata.get(key), str):
            raise NetFileError(f"the metadata lacks {key!r}")
    training = json.loads(metadata["training"])
    if not isinstance(training, dict):
        raise NetFileError("what it says about its training is no JSON object")
    config = NetConfig.from_dict(json.loads(metadata["config"]))
    return NetHeader(config, training, metadata["precision"], metadata["sha256"])


def _is_safetensors(prefix: bytes) -> bool:
    return prefix[8:9] == b"{"


def _read_metadata(file: IO[bytes]) -> object:
    prefix = file.read(9)
    file.seek(0)
    if _is_safetensors(prefix):
        return read_safetensors_header(file).get("__metadata__")
    return _read_onnx_metadata(file)


def read_safetensors_header(file: IO[bytes]) -> dict[str, Any]:
    """The JSON header of a safetensors file; afterwards the file stands at the first tensor."""
    length = int.from_bytes(file.read(8), "little")
    if length > LONGEST_HEADER:
        raise NetFileError(f"a header of {length} bytes is not ours")
    text = file.read(length)
    if len(text) < length:
        raise NetFileError("cut off within the header")
    header = json.loads(text)
    if not isinstance(header, dict):
        raise NetFileError("the header is no JSON object")
    return header


def _read_onnx_metadata(file: IO[bytes]) -> dict[str, str]:
    """The ``metadata_props`` of an ONNX file, by the wire format of protobuf; everything else is skipped."""
    end = file.seek(0, os.SEEK_END)
    file.seek(0)
    metadata: dict[str, str] = {}
    for _ in range(_MOST_FIELDS):
        if file.tell() == end:
            return metadata
        key = _read_varint(file)
        if key & 7 == 0:
            _read_varint(file)
            continue
        length = _read_varint(file)
        if key & 7 != 2 or length > end - file.tell():
            break
        if key >> 3 == _METADATA_PROPS and length <= LONGEST_HEADER:
            entry = io.BytesIO(file.read(length))
            parts = {_read_varint(entry): entry.read(_read_varint(entry)).decode() for _ in range(2)}
            metadata[parts.get(0x0A, "")] = parts.get(0x12, "")
        else:
            file.seek(length, os.SEEK_CUR)
    raise NetFileError("neither weights nor an ONNX network, or cut off")


def _read_varint(file: IO[bytes]) -> int:
    value = 0
    for shift in range(0, 64, 7):
        byte = file.read(1)
        if not byte:
            raise NetFileError("cut off")
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
    raise NetFileError("neither weights nor an ONNX network")
