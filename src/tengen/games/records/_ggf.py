"""GGF, the Generic Game Format of the GGS server: Othello games with evaluations and times, several to a file."""

from __future__ import annotations

import math
import re
from functools import partial

from tengen.errors import NotationError
from tengen.games import Game, Move, Reason, Side

from ._builder import Budget, Builder, choose_game, failure
from ._record import UNKNOWN, Node, Record, Result
from ._text import GAME_START, TOKEN, VALUE, decode, escape, identifier, line_place, one_line, unescape, unix_lines

FORMAT = "ggf"

_HEADERS = {
    "PC": "place",
    "DT": "date",
    "PB": "black",
    "PW": "white",
    "RB": "black_rank",
    "RW": "white_rank",
    "TI": "time",
    "TB": "black_time",
    "TW": "white_time",
}
_BLACK, _WHITE, _EMPTY = "*Xx", "O0o", "-._"
_RESULT = re.compile(r"([+-]?\d{1,4}(?:\.\d{0,6})?)\s*(?::\s*([rts]))?", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d{1,12}(?:\.\d{0,20})?|\.\d{1,20})", re.ASCII)
_CLOCK = re.compile(r"(?:(\d{1,4}):)?(\d{1,6}(?:\.\d{0,6})?)", re.ASCII)
_TYPE_SIZE = re.compile(r"s?(\d{1,2})", re.ASCII)
_ANTI = re.compile(r"s?\d{1,2}\w*a", re.ASCII)
_REASONS = {"r": Reason.RESIGNATION, "t": Reason.TIME, "s": Reason.AGREEMENT}
_FLAGS = {reason: f":{flag}" for flag, reason in _REASONS.items()}
_SIDES = {"B": Side.BLACK, "W": Side.WHITE}
_PASSES = ("", "PA", "PASS", "PS", "--")


def read(data: bytes | str, asked: Game | None, budget: Budget) -> list[Record]:
    """All games of a text; what stands between them is skipped. Raises RecordError with the game and the line."""
    text = unix_lines(decode(data) if isinstance(data, bytes) else data)
    records: list[Record] = []
    start = GAME_START.search(text)
    if start is None:
        raise failure(FORMAT, "line 1", "no game: '(;' is nowhere in the text")
    while start is not None and not budget.has_enough(records):
        record, end = _read_game(text, start.end(), asked, budget, len(records) + 1)
        records.append(record)
        start = GAME_START.search(text, end)
    return records


def _read_game(text: str, at: int, asked: Game | None, budget: Budget, number: int) -> tuple[Record, int]:
    builder = Builder(FORMAT, line_place(text, f"game {number}, "), budget)
    info: dict[str, str] = {}
    begun = False
    while True:
        token = TOKEN.match(text, at)
        if token is None or token[1] == "(":
            rest = text[at : at + 12].strip()
            raise builder.error(at, f"unexpected {rest!r}" if rest else "the text ends inside the game")
        at = token.end()
        if token[1] == ")":
            break
        if token[1] == ";":
            continue
        name = identifier(token[2])
        value = VALUE.match(text, at)
        if value is None:
            raise builder.error(at, f"property {token[2][:12]} has no value in brackets")
        if name in _SIDES:
            if not begun:
                _begin(builder, info, asked, at)
                begun = True
            _play(builder, _SIDES[name], value[1], at)
        elif len(info) < 64:
            info.setdefault(name, value[1])
        at = value.end()
    if not begun:
        _begin(builder, info, asked, at)
    return _finish(builder, info), at


def _begin(builder: Builder, info: dict[str, str], asked: Game | None, at: int) -> None:
    """Chooses the game and sets up the board of BO, or the usual start when there is none."""
    fail = partial(builder.error, at)
    kind = info.get("GM", "Othello").strip().lower()
    if kind not in ("othello", "reversi"):
        raise fail(f"GM is {kind[:12]!r}, only Othello is read")
    variant = info.get("TY", "").strip().lower()
    if _ANTI.match(variant):
        raise fail(f"TY is {variant[:12]!r}: anti-Othello has other rules")
    board = "".join(info.get("BO", "").split())
    if not board:
        match = _TYPE_SIZE.match(variant)
        size = int(match[1]) if match and int(match[1]) else None
        builder.begin(choose_game(fail, asked, "othello", size=size))
        return
    digits = board[:2] if board[:2].isdecimal() else board[:1]
    size = int(digits) if digits.isascii() and digits.isdecimal() else 0
    cells = board[len(digits) :]
    if len(cells) != size * size + 1:
        raise fail(f"BO holds {max(0, len(cells) - 1)} squares for a board of size {size}")
    game = choose_game(fail, asked, "othello", size=size)
    black: list[Move] = []
    white: list[Move] = []
    for index, cell in enumerate(cells[:-1]):
        if cell in _BLACK:
            black.append(game.move(index))
        elif cell in _WHITE:
            white.append(game.move(index))
        elif cell not in _EMPTY:
            raise fail(f"BO: {cell!r} on square {index + 1} is no disc")
    if cells[-1] not in _BLACK + _WHITE:
        raise fail(f"BO: {cells[-1]!r} names no side to move")
    builder.begin(game, (black, white, Side.BLACK if cells[-1] in _BLACK else Side.WHITE), at)


def _play(builder: Builder, side: Side, raw: str, at: int) -> None:
    where, *rest = unescape(raw).split("/", 3)
    point = where.strip()
    game = builder.game
    try:
        move = game.move("pass" if point.upper() in _PASSES else point[:8].lower())
    except NotationError:
        raise builder.error(at, f"move {len(builder.path)}: {point[:12]!r} is no square of {game.name}") from None
    node = builder.play(move, at, side)
    if node is None:
        return
    worth = _NUMBER.fullmatch(rest[0].strip()) if rest else None
    if worth is not None:
        node.eval = float(worth[0])
    clock = _CLOCK.fullmatch(rest[1].strip()) if len(rest) > 1 else None
    if clock is not None:
        node.time_ms = round((60 * int(clock[1] or 0) + float(clock[2])) * 1000)


def _finish(builder: Builder, info: dict[str, str]) -> Record:
    headers = {}
    for name, key in _HEADERS.items():
        value = one_line(unescape(info.get(name, "")))
        if value:
            headers[key] = value
    variant = one_line(unescape(info.get("TY", "")))
    if variant and variant != str(builder.game.size):
        headers["type"] = variant
    said = one_line(unescape(info.get("RE", "")))
    stated = _parse_result(said, builder.game)
    if said and said not in ("?", _result_text(stated)):
        headers["result"] = said
    return builder.finish(headers, stated)


def _parse_result(said: str, game: Game) -> Result:
    match = _RESULT.fullmatch(said)
    if match is None:
        return UNKNOWN
    difference = float(match[1])
    reason = _REASONS[match[2].lower()] if match[2] else None
    if difference.is_integer():
        return Result.by_difference(game, int(difference), reason)
    return Result.won(Side.BLACK if difference > 0 else Side.WHITE, reason)


def _result_text(result: Result) -> str:
    """The RE value: the difference from black's side; a win without a score counts as the smallest one."""
    if not result.is_known:
        return "?"
    if result.score is not None:
        difference = result.score[0] - result.score[1]
    else:
        difference = {Side.BLACK: 1, Side.WHITE: -1, None: 0}[result.winner]
    return f"{difference:+d}.000" + (_FLAGS.get(result.reason, "") if result.reason else "")


def write(records: list[Record]) -> bytes:
    """One line a game, main lines only. Raises RecordError for Gomoku."""
    lines: list[str] = []
    for number, record in enumerate(records, 1):
        if record.game.kind != "othello":
            raise failure(FORMAT, f"game {number}", f"the format is for Othello only, this is {record.game}")
        lines.append(_game_text(record))
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _game_text(record: Record) -> str:
    game = record.game
    headers = {name: record.headers.get(key, "") for name, key in _HEADERS.items()}
    said = record.headers.get("result", "")
    if _parse_result(one_line(said), game) != record.result or not record.result.is_known:
        said = _result_text(record.result)
    start = record.start()
    cells = "".join("-*O"[stone] for stone in start.board().ravel())
    rows = " ".join(cells[row * game.size : (row + 1) * game.size] for row in range(game.size))
    headers["TY"] = record.headers.get("type", "") or str(game.size)
    headers["RE"] = said
    headers["BO"] = f"{game.size} {rows} {'*' if start.to_move is Side.BLACK else 'O'}"
    parts = ["(;GM[Othello]"]
    parts.extend(f"{name}[{escape(one_line(unix_lines(text)))}]" for name, text in headers.items() if text)
    side = start.to_move
    for node in record.root.line():
        parts.append(f"{'B' if side is Side.BLACK else 'W'}[{_move_text(node)}]")
        side = side.other
    return "".join(parts) + ";)"


def _move_text(node: Node) -> str:
    move = node.move
    text = "PA" if move is None or move.is_pass else str(move).upper()
    worth = f"{node.eval:.10f}".rstrip("0").rstrip(".") if node.eval is not None and math.isfinite(node.eval) else ""
    if node.time_ms is not None:
        return f"{text}/{worth}/{node.time_ms / 1000:.3f}"
    return f"{text}/{worth}" if worth else text
