"""The Othello search with the evaluation that the package ships."""

from __future__ import annotations

import hashlib
import lzma
from functools import cache
from importlib import resources

from tengen import _core
from tengen.errors import TengenError

_MAGIC = b"TGOZ\x01\x00\x00\x00"
_DIGEST = 32
_LARGEST = 1 << 26


def pack_tables(tables: bytes) -> bytes:
    """Compress tables for a file: a magic number with the version, the SHA-256 of the tables, and the tables."""
    return _MAGIC + hashlib.sha256(tables).digest() + lzma.compress(tables, preset=9 | lzma.PRESET_EXTREME)


def unpack_tables(packed: bytes) -> bytes:
    """Return the tables of a file that `pack_tables` made.

    Raises TengenError if the bytes are anything else, or damaged.
    """
    front = len(_MAGIC) + _DIGEST
    if packed[: len(_MAGIC)] != _MAGIC:
        raise TengenError("not a file of Othello tables, or of another version")
    try:
        reader = lzma.LZMADecompressor(lzma.FORMAT_XZ)
        tables = reader.decompress(packed[front:], max_length=_LARGEST)
    except lzma.LZMAError as error:
        raise TengenError(f"the Othello tables are damaged: {error}") from None
    if not reader.eof or reader.unused_data:
        raise TengenError("the Othello tables are damaged: they do not end where they should")
    if hashlib.sha256(tables).digest() != packed[len(_MAGIC) : front]:
        raise TengenError("the Othello tables are damaged: their SHA-256 is not the one in the header")
    return tables


@cache
def shipped_tables() -> bytes:
    """Return the 8x8 evaluation that the package ships, read once."""
    return unpack_tables(resources.files("tengen").joinpath("data/othello_eval.bin").read_bytes())


def othello_search(*, hash_mb: int = 32) -> _core.OthelloSearch:
    """Make a search with the shipped evaluation.

    Raises ValueError if `hash_mb` is not in 1..65536.
    """
    return _core.OthelloSearch(hash_mb=hash_mb, evaluation=shipped_tables())
