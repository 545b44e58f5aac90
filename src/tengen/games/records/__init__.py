"""Game records: reading and writing games in the formats that players and programs exchange.

`load` and `loads` read, `dump` and `dumps` write. The format is found by content or extension, and every fault in an
input is a `RecordError` that says where it is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tengen.errors import RecordError
from tengen.games import Game

from . import _ggf, _moves, _psq, _renlib, _sgf, _text, _wthor
from ._builder import MAX_BYTES, MAX_NODES, Budget, failure
from ._record import UNKNOWN, Mark, Node, Record, Result, Verdict, is_foul

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "MAX_NODES",
    "UNKNOWN",
    "Format",
    "Mark",
    "Node",
    "Record",
    "Result",
    "Verdict",
    "detect",
    "dump",
    "dumps",
    "is_foul",
    "load",
    "loads",
]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name, file extensions, the kinds of game it holds, and how to read and write it."""

    name: str
    title: str
    extensions: tuple[str, ...]
    kinds: tuple[str, ...]
    read: Callable[[bytes | str, Game | None, Budget], list[Record]]
    write: Callable[[list[Record]], bytes] | None


_BOTH = ("gomoku", "othello")
FORMATS: Final[Mapping[str, Format]] = {
    entry.name: entry
    for entry in (
        Format("moves", "move string", (".txt", ".moves"), _BOTH, _moves.read, _moves.write),
        Format("sgf", "Smart Game Format", (".sgf",), _BOTH, _sgf.read, _sgf.write),
        Format("psq", "Piskvork game", (".psq",), ("gomoku",), _psq.read, _psq.write),
        Format("ggf", "Generic Game Format", (".ggf",), ("othello",), _ggf.read, _ggf.write),
        Format("wthor", "WTHOR database", (".wtb",), ("othello",), _wthor.read, _wthor.write),
        Format("renlib", "RenLib library", (".lib",), ("gomoku",), _renlib.read, None),
    )
}
"""All formats by name; `write` is None where a format is only read."""

_HEAD = 4096


def _format(name: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise failure(name, "the format", f"no such format; there are {', '.join(FORMATS)}") from None


def _by_extension(path: Path) -> Format | None:
    suffix = path.suffix.lower()
    return next((entry for entry in FORMATS.values() if suffix in entry.extensions), None)


def detect(data: bytes | str) -> str:
    """The name of the format that `data` is in; raises RecordError, with the code `no_format`, for none of them."""
    if isinstance(data, bytes):
        if data.startswith(_renlib.SIGNATURE):
            return "renlib"
        if _wthor.looks_like(data):
            return "wthor"
        head = _text.decode(data[:_HEAD])
    else:
        head = data[:_HEAD]
    head = head.removeprefix("\ufeff")
    if _psq.HEADER.match(head.partition("\n")[0] if head[:1].strip() else head):
        return "psq"
    start = _text.GAME_START.search(head)
    if start is not None:
        words = head[start.end() :].lower()
        return "ggf" if "gm[othello]" in words or "gm[reversi]" in words else "sgf"
    if _moves.looks_like(head):
        return "moves"
    trouble = failure("unknown", "byte 0", "the data looks like no format of " + ", ".join(FORMATS))
    trouble.code = "no_format"  # what people meet most: a page has plainer words for it
    raise trouble


def loads(
    data: bytes | str,
    format: str | None = None,  # noqa: A002  the word everyone uses
    *,
    game: str | Game | None = None,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
    max_games: int | None = None,
) -> list[Record]:
    """The records in `data`, the first `max_games` of them; what comes after those is not looked at.

    `game` names the game where the format does not, and its rule, which few formats state; a board size that the file
    states is kept. Raises RecordError for anything wrong with the data, GameNameError for a wrong `game`.
    """
    if not isinstance(data, bytes | str):
        raise RecordError(f"loads reads bytes or text, not {type(data).__name__}; load reads a file")
    asked = Game.parse(game) if isinstance(game, str) else game
    if len(data) > max_bytes:
        raise failure(format or "unknown", f"byte {max_bytes}", f"longer than {max_bytes} bytes")
    found = _format(format or detect(data))
    return found.read(data, asked, Budget(found.name, max_nodes, max_games))


def load(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
    *,
    game: str | Game | None = None,
    max_bytes: int = MAX_BYTES,
    max_nodes: int = MAX_NODES,
    max_games: int | None = None,
) -> list[Record]:
    """The records in a file, in the format of its content, or else of its extension; raises as `loads`, and OSError."""
    path = Path(path)
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if format is None and len(data) <= max_bytes:
        try:
            format = detect(data)  # noqa: A001
        except ValueError:
            entry = _by_extension(path)
            if entry is None:
                raise
            format = entry.name  # noqa: A001
    return loads(data, format, game=game, max_bytes=max_bytes, max_nodes=max_nodes, max_games=max_games)


def dumps(records: Record | Iterable[Record], format: str) -> bytes:  # noqa: A002
    """The bytes of a file with these records; raises RecordError, with the reason, for what the format cannot hold."""
    entry = _format(format)
    if entry.write is None:
        raise failure(format, "the format", "it is only read, not written")
    listed = [records] if isinstance(records, Record) else list(records)
    if not listed:
        raise failure(format, "the list", "there is no record to write")
    return entry.write(listed)


def dump(
    records: Record | Iterable[Record],
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """Writes a file whole or not at all: to a temporary name, then renamed. The extension names the format.

    Raises RecordError as `dumps`, and for an extension that names no format; OSError for a file that cannot be written.
    """
    path = Path(path)
    if format is None:
        entry = _by_extension(path)
        if entry is None:
            known = [extension for each in FORMATS.values() if each.write for extension in each.extensions]
            raise failure("unknown", path.name, f"the extension names no format; those that do are {', '.join(known)}")
        format = entry.name  # noqa: A001
    data = dumps(records, format)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as trouble:  # about the path that the caller knows
        raise OSError(trouble.errno, trouble.strerror, str(path)) from None
