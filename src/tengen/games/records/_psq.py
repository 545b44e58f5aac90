"""PSQ, the text format of the Piskvork manager: one Gomoku game with times."""

from __future__ import annotations

import re
from functools import partial

from tengen.games import Game, Reason, Side

from ._builder import Budget, Builder, choose_game, failure
from ._record import UNKNOWN, Node, Record, Result
from ._text import decode, one_line, unix_lines

FORMAT = "psq"

HEADER = re.compile(
    r"\s*+Piskvorky\s*+(\d{1,4})\s*+[xX]\s*+(\d{1,4})\b(?:.*,\s*+(\d{1,4})\s*+$)?", re.ASCII | re.IGNORECASE
)
_MOVE = re.compile(r"\s*+(-?\d{1,5})\s*+,\s*+(-?\d{1,5})\s*+(?:,\s*+(-?\d{1,12})\s*+)?,?\s*+", re.ASCII)
_CODE = re.compile(r"\s*+-?\d{1,9}\s*+", re.ASCII)
_FINISHED = "0"
_TIMEOUT = "15"
_NO_NAME = "?"


def read(data: bytes | str, asked: Game | None, budget: Budget) -> list[Record]:
    """The game of a file. Lines behind the result code are skipped. Raises RecordError with the line."""
    text = unix_lines(decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff"))
    lines = text.split("\n", budget.limit + 2)
    at = next((i for i, line in enumerate(lines) if line.strip()), 0)
    header = HEADER.match(lines[at])
    if header is None:
        raise failure(FORMAT, _place(at), "the first line is not 'Piskvorky WIDTHxHEIGHT, ...'")
    if header[1] != header[2]:
        raise failure(FORMAT, _place(at), f"a board of {header[1]}x{header[2]} is not square")
    builder = Builder(FORMAT, _place, budget)
    game = choose_game(partial(builder.error, at), asked, "gomoku", size=int(header[1]))
    builder.begin(game)
    at = _read_moves(builder, lines, at + 1)
    headers, code = _read_tail(lines, at, swapped=header[3] == "1")
    stated = UNKNOWN
    if code == _TIMEOUT:
        stated = Result.won(builder.position.to_move.other, Reason.TIME)
    elif code not in ("", _FINISHED):
        headers["code"] = code
    return [builder.finish(headers, stated)]


def _place(line: int) -> str:
    return f"line {line + 1}"


def _read_moves(builder: Builder, lines: list[str], start: int) -> int:
    """Plays the moves from line `start` on and returns the first line that is none."""
    size = builder.game.size
    for at in range(start, len(lines)):
        line = lines[at]
        if not line.strip():
            continue
        match = _MOVE.fullmatch(line)
        if match is None:
            return at
        column, row = int(match[1]) - 1, int(match[2]) - 1
        if not (0 <= row < size and 0 <= column < size):
            raise builder.error(at, f"move {len(builder.path)}: {line.strip()[:20]} is outside {size}x{size}")
        node = builder.play(builder.game.at(row, column), at)
        if node is not None and match[3] is not None:
            node.time_ms = max(0, int(match[3]))
    return len(lines)


def _read_tail(lines: list[str], at: int, *, swapped: bool) -> tuple[dict[str, str], str]:
    """Names and the result code. The names are of players 1 and 2; `swapped` says that player 2 moved first."""
    names: list[str] = []
    code = ""
    for line in lines[at : at + 20]:
        text = one_line(line)
        if not text:
            continue
        if _CODE.fullmatch(text):
            code = text
            break
        if len(names) == 2:
            break
        names.append(text)
    keys = ("white", "black") if swapped else ("black", "white")
    return {key: name for key, name in zip(keys, names, strict=False) if name != _NO_NAME}, code


def write(records: list[Record]) -> bytes:
    """One Gomoku game: the main line with times, both names and the result code.

    Raises RecordError for anything but one game, for Othello, for a set-up and for a name that reads as a move.
    """
    if len(records) != 1:
        raise failure(FORMAT, "the list", f"a file holds one game, not {len(records)}")
    record = records[0]
    size = record.game.size
    if record.game.kind != "gomoku":
        raise failure(FORMAT, "game 1", "the format is for Gomoku only, this is Othello")
    if record.setup is not None:
        raise failure(FORMAT, "game 1", "the format cannot hold a set-up position")
    lines = [f"Piskvorky {size}x{size}, 11:11, 0"]
    nodes = list(record.root.line())
    lines.extend(_move_line(node) for node in nodes)
    names = [one_line(unix_lines(record.headers.get(key, ""))) for key in ("black", "white")]
    if any(names):
        for name in names:
            if _CODE.fullmatch(name) or _MOVE.fullmatch(name):
                raise failure(FORMAT, "game 1", f"the name {name!r} would read as a move or a result code")
            lines.append(name or _NO_NAME)
    lines.append(_code(record, len(nodes)))
    return ("\r\n".join(lines) + "\r\n").encode("utf-8", "replace")


def _move_line(node: Node) -> str:
    move = node.move
    if move is None or move.row is None or move.column is None:
        raise failure(FORMAT, "game 1", "the main line has a node without a point")
    return f"{move.column + 1},{move.row + 1},{node.time_ms or 0}"


def _code(record: Record, plies: int) -> str:
    to_move = Side.BLACK if plies % 2 == 0 else Side.WHITE
    if record.result.reason is Reason.TIME and record.result.winner == to_move.other:
        return _TIMEOUT
    code = record.headers.get("code", "")
    return code if _CODE.fullmatch(code) else _FINISHED
