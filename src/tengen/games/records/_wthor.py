"""WTHOR (.wtb), the binary database format of the French Othello federation: 8x8 and 10x10 games."""

from __future__ import annotations

import struct
from functools import partial

from tengen.errors import TengenError
from tengen.games import Game

from ._builder import Budget, Builder, choose_game, failure
from ._record import Record, Result

FORMAT = "wthor"

# century, year, month, day; games; a count that game files leave 0; year of the games; size, kind, depth, 0.
_HEADER = struct.Struct("<BBBBihhBBBB")
# event, black and white as numbers in name files; black's discs; black's discs under perfect play.
_GAME = struct.Struct("<hhhBB")
_MOVES = {8: 60, 10: 96}
_IDS = ("event_id", "black_id", "white_id")


def _record_length(size: int) -> int:
    return _GAME.size + _MOVES[size]


def looks_like(data: bytes) -> bool:
    """Whether the header's dates are possible and its count of games fits the length exactly."""
    if len(data) < _HEADER.size:
        return False
    _, _, month, day, games, _, _, size, _, _, last = _HEADER.unpack_from(data)
    length = _record_length(size or 8) if size in (0, 8, 10) else 0
    fits = length > 0 and games >= 0 and len(data) == _HEADER.size + games * length
    return fits and month <= 12 and day <= 31 and last == 0


def read(data: bytes | str, asked: Game | None, budget: Budget) -> list[Record]:
    """All games of a file; bytes behind the last are skipped. Raises RecordError with the game and the byte."""
    if isinstance(data, str):
        raise failure(FORMAT, "byte 0", "the format is binary, this is text")
    if len(data) < _HEADER.size:
        raise failure(FORMAT, f"byte {len(data)}", "the file ends inside the 16-byte header")
    games, year, size = _HEADER.unpack_from(data)[4], _HEADER.unpack_from(data)[6], data[12] or 8
    if size not in _MOVES:
        raise failure(FORMAT, "byte 12", f"board size {size} is neither 8 nor 10")
    length = _record_length(size)
    if games < 0 or games * length > len(data) - _HEADER.size:
        raise failure(FORMAT, "byte 4", f"the header claims {games} games, the file has room for {_room(data, length)}")
    game = choose_game(partial(failure, FORMAT, "byte 12"), asked, "othello", size=size)
    starts = range(_HEADER.size, _HEADER.size + games * length, length)[: budget.games]
    return [_read_game(data, start, number, game, year, budget) for number, start in enumerate(starts, 1)]


def _room(data: bytes, length: int) -> int:
    return (len(data) - _HEADER.size) // length


def _read_game(data: bytes, start: int, number: int, game: Game, year: int, budget: Budget) -> Record:
    *ids, black, perfect = _GAME.unpack_from(data, start)
    builder = Builder(FORMAT, lambda at: f"game {number}, byte {at}", budget)
    builder.begin(game)
    size, points = game.size, game.moves
    first = start + _GAME.size
    for at in range(first, first + _MOVES[size]):
        code = data[at]
        if code == 0:
            break
        row, column = divmod(code - 1, 10)
        if not (1 <= row <= size and column < size):
            raise builder.error(at, f"move {len(builder.path)}: {code} is no square")
        builder.play(points[(row - 1) * size + column], at)
    cells = size * size
    if black > cells:
        raise builder.error(start + 6, f"black has {black} discs of {cells}")
    headers = {key: str(value) for key, value in zip(_IDS, ids, strict=True) if value}
    headers["perfect"] = str(perfect)
    if year:
        headers["date"] = str(year)
    return builder.finish(headers, Result.by_difference(game, 2 * black - cells))


def write(records: list[Record]) -> bytes:
    """A file of finished Othello games of one size.

    The creation date is left 0, so that the same games give the same bytes. Raises RecordError for another game or
    size, for a set-up, and for a game without a final score.
    """
    sizes = {record.game.size for record in records}
    size = min(sizes)
    if len(sizes) > 1:
        raise failure(FORMAT, "the list", "a file holds games of one board size")
    years = {_number(record.headers.get("date", "")[:4]) for record in records}
    year = years.pop() if len(years) == 1 else 0
    parts = [_HEADER.pack(0, 0, 0, 0, len(records), 0, year, size, 0, 0, 0)]
    parts.extend(_game_bytes(record, number) for number, record in enumerate(records, 1))
    return b"".join(parts)


def _number(text: str, low: int = -0x8000, high: int = 0x7FFF) -> int:
    text = text.strip()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
        return 0
    value = int(text)
    return value if low <= value <= high else 0


def _game_bytes(record: Record, number: int) -> bytes:
    place = f"game {number}"
    game = record.game
    if game.kind != "othello" or game.size not in _MOVES:
        raise failure(FORMAT, place, f"the format is for Othello 8x8 and 10x10, this is {game.name}")
    if record.setup is not None:
        raise failure(FORMAT, place, "the format cannot hold a set-up position")
    black = _black_discs(record, place)
    size = game.size
    moves = bytes(10 * ((move.row or 0) + 1) + (move.column or 0) + 1 for move in record.moves if not move.is_pass)
    if len(moves) > _MOVES[size]:
        raise failure(FORMAT, place, f"{len(moves)} moves, more than the board has squares")
    perfect = _number(record.headers.get("perfect", ""), 0, 255)
    ids = [_number(record.headers.get(key, "")) for key in _IDS]
    return _GAME.pack(*ids, black, perfect) + moves.ljust(_MOVES[size], b"\0")


def _black_discs(record: Record, place: str) -> int:
    score = record.result.score
    if score is None:
        try:
            score = Result.of(record.position()).score
        except TengenError as error:
            raise failure(FORMAT, place, str(error)) from None
    if score is None:
        raise failure(FORMAT, place, "the format needs a final score, and the game is not over")
    return score[0]
