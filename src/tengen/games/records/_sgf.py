"""SGF: Gomoku and Renju (GM[4]) and Othello (GM[2]), FF[1] to FF[4], whole trees, read and written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from functools import partial

from tengen.errors import NotationError, RecordError
from tengen.games import Game, Move, Reason, Side

from ._builder import Budget, Builder, choose_game, failure
from ._record import UNKNOWN, Mark, Node, Record, Result, Verdict
from ._text import (
    GAME_START,
    TOKEN,
    VALUE,
    decode,
    escape,
    identifier,
    line_place,
    must_guess,
    one_line,
    unescape,
    unix_lines,
)

FORMAT = "sgf"
MAX_NESTING = 10_000
"""Deepest nesting of variations; no game has that many moves, and each level costs memory."""

MAX_POINTS = 1024
"""Most points one node may set up, or moves it may hold: more than any board has."""

_HEADERS = {
    "PB": "black",
    "PW": "white",
    "BR": "black_rank",
    "WR": "white_rank",
    "BT": "black_team",
    "WT": "white_team",
    "DT": "date",
    "EV": "event",
    "RO": "round",
    "PC": "place",
    "GN": "name",
    "GC": "comment",
    "ON": "opening",
    "TM": "time",
    "OT": "overtime",
    "AN": "annotator",
    "SO": "source",
    "US": "user",
    "CP": "copyright",
}
_INFO = {*_HEADERS, "GM", "SZ", "RU", "RULE", "RE"}
_MARKS = {"LB": "label", "TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}
_SIDES = {"B": Side.BLACK, "W": Side.WHITE}
_CHARSET = re.compile(rb"CA\s{0,9}\[([^\]]{1,40})\]")
_NUMBER = re.compile(r"[+-]?\d{1,12}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_SIZE = re.compile(r"(\d{1,3})(?:\s*[:xX]\s*(\d{1,3}))?", re.ASCII)
_WIN = re.compile(r"\bwin\s*=?\s*(\d{1,2})\b", re.ASCII)
_WON = re.compile(r"(?:(b|black|黑)|(?:w|white|白))(?![a-z])\s*(?:\+|wins?\b|won\b|胜|勝)?\s*(?:by\s+)?(.*)", re.DOTALL)
_DRAWN = {"0", "d", "draw", "drawn", "jigo", "tie", "=", "1/2", "1/2-1/2", "和", "和棋", "平", "平局"}
_ENDINGS = {"Foul": Reason.FOUL, "R": Reason.RESIGNATION, "T": Reason.TIME}
_ENDING_NAMES = {reason: name for name, reason in _ENDINGS.items()}


def read(data: bytes | str, asked: Game | None, budget: Budget) -> list[Record]:
    """All games of a collection; text around the games is skipped. Raises RecordError with the line."""
    guessed = ""
    if isinstance(data, bytes):
        declared = _CHARSET.search(data, 0, 4096)
        charset = declared[1].decode("latin-1") if declared else ""
        guessed = charset.strip() if must_guess(data, charset) else ""
        data = decode(data, charset)
    text = unix_lines(data)
    records: list[Record] = []
    start = GAME_START.search(text)
    if start is None:
        raise failure(FORMAT, "line 1", "no game: '(;' is nowhere in the text")
    while start is not None and not budget.has_enough(records):
        reader = _GameReader(text, asked, budget, len(records) + 1)
        end = reader.read(start.end())
        if guessed:
            reader.record.headers["charset"] = guessed
        records.append(reader.record)
        start = GAME_START.search(text, end)
    return records


class _NodeText:
    """The properties of one node, kept until it is complete, as they may come in any order."""

    __slots__ = ("comment", "eval", "label", "marks", "moves", "stones", "time_ms", "to_move")

    def __init__(self) -> None:
        self.moves: list[tuple[Side, str, int]] = []
        self.stones: list[tuple[str, str, int]] = []
        self.to_move: Side | None = None
        self.comment: list[str] = []
        self.label = ""
        self.marks: list[tuple[str, str, int]] = []
        self.time_ms: int | None = None
        self.eval: float | None = None


class _GameReader:
    """Reads one game tree. The board is set up at the first move, when all that is before it is known."""

    def __init__(self, text: str, asked: Game | None, budget: Budget, number: int) -> None:
        self.text = text
        self.asked = asked
        self.builder = Builder(FORMAT, line_place(text, f"game {number}, "), budget)
        self.info: dict[str, str] = {}
        self.node = _NodeText()
        self.stones: list[tuple[str, str, int]] = []
        self.to_move: Side | None = None
        self.early_marks: list[tuple[str, str, int]] = []
        self.begun = False

    def read(self, at: int) -> int:
        """Reads from behind the first `(;` to behind the matching `)` and returns that offset."""
        builder = self.builder
        branches = [0]
        signs, most = 0, 4 * builder.budget.limit
        empty = True
        while branches:
            token = TOKEN.match(self.text, at)
            if token is None:
                raise self._unexpected(at)
            at = token.end()
            sign = token[1]
            if sign is None:
                at = self._property(token[2], at)
                empty = False
                continue
            if not empty:
                self._end_node(at)
                empty = True
            signs += 1
            if signs > most:
                raise builder.error(at, f"more than {most} signs '(', ')' and ';'")
            if sign == "(":
                if len(branches) >= MAX_NESTING:
                    raise builder.error(at, f"variations nested deeper than {MAX_NESTING}")
                branches.append(len(builder.path) - 1)
            elif sign == ")":
                depth = branches.pop()
                if branches:
                    builder.rewind(depth)
        self._finish(at)
        return at

    def _unexpected(self, at: int) -> RecordError:
        rest = self.text[at : at + 40].strip()
        if not rest and not self.text[at:].strip():
            return self.builder.error(at, "the text ends inside the game")
        return self.builder.error(at, f"unexpected {rest[:12]!r}")

    def _property(self, word: str, at: int) -> int:
        """Reads the values of one property and returns the offset behind them."""
        name = identifier(word)
        value = VALUE.match(self.text, at)
        if value is None:
            raise self.builder.error(at, f"property {word[:12]} has no value in brackets")
        while value is not None:
            self._value(name, value[1], at)
            at = value.end()
            value = VALUE.match(self.text, at)
        return at

    def _value(self, name: str, raw: str, at: int) -> None:
        node = self.node
        if name in _SIDES:
            if len(node.moves) >= MAX_POINTS:
                raise self.builder.error(at, "too many moves in one node")
            node.moves.append((_SIDES[name], raw, at))
        elif name == "C":
            self.builder.budget.spend(self.builder.place, at)
            node.comment.append(unescape(raw))
        elif name in ("AB", "AW", "AE"):
            if len(node.stones) + len(self.stones) >= MAX_POINTS:
                raise self.builder.error(at, "too many set-up points")
            node.stones.append((name, raw, at))
        elif name in _MARKS:
            self.builder.budget.spend(self.builder.place, at)
            node.marks.append((name, raw, at))
        elif name in _INFO:
            self.info.setdefault(name, raw)
        else:
            self._detail(name, raw, at)

    def _detail(self, name: str, raw: str, at: int) -> None:
        node = self.node
        if name == "PL":
            side = raw.strip()[:1].upper()
            if side not in ("B", "W", "1", "2"):
                raise self.builder.error(at, f"PL is {raw[:12]!r}, which names no side")
            node.to_move = Side.BLACK if side in ("B", "1") else Side.WHITE
        elif name == "N":
            node.label = one_line(unescape(raw))
        elif name == "V":
            number = _NUMBER.fullmatch(raw.strip())
            node.eval = float(number[0]) if number is not None else None
        elif name == "MS" and raw.isascii() and raw.isdigit() and len(raw) <= 12:
            node.time_ms = int(raw)

    def _end_node(self, at: int) -> None:
        """Puts a complete node into the tree: its moves, and its words on the last of them or on the node before."""
        text, self.node = self.node, _NodeText()
        builder = self.builder
        if text.stones or text.to_move is not None:
            self._take_setup(text, at)
        if text.moves:
            if not self.begun:
                self._begin(text.moves[0][0], at)
            for side, raw, where in text.moves:
                played = builder.play(self._move(raw, where), where, side)
                if played is not None:
                    played.time_ms = text.time_ms
                    if text.eval is not None and math.isfinite(text.eval):
                        played.eval = text.eval if side is Side.BLACK else -text.eval
        node = builder.path[-1]
        for part in text.comment:
            builder.comment(node, part)
        node.label = text.label or node.label
        if self.begun:
            self._put_marks(node, text.marks)
        else:
            self.early_marks.extend(text.marks)

    def _take_setup(self, text: _NodeText, at: int) -> None:
        if self.begun:
            if text.stones:
                raise self.builder.error(at, f"stones are set up after move {len(self.builder.path) - 1}")
            if text.to_move is not None and not text.moves and text.to_move != self.builder.position.to_move:
                raise self.builder.error(at, "PL changes the side to move after the first move")
            return
        if len(self.stones) + len(text.stones) > MAX_POINTS:
            raise self.builder.error(at, "too many set-up points")
        self.stones.extend(text.stones)
        self.to_move = text.to_move or self.to_move

    def _begin(self, first: Side | None, at: int) -> None:
        """Chooses the game and sets the board up; `first` is the colour of the first move, if there is one."""
        self.begun = True
        game = _game_of(self.info, self.asked, partial(self.builder.error, at))
        cells: dict[int, str] = {}
        self.builder.game = game
        for name, raw, where in self.stones:
            for point in self._points(raw, where):
                cells[int(point)] = name
        black = [game.move(cell) for cell, name in cells.items() if name == "AB"]
        white = [game.move(cell) for cell, name in cells.items() if name == "AW"]
        to_move = self.to_move or first
        if to_move is None:
            to_move = Side.WHITE if game.kind == "gomoku" and len(black) > len(white) else Side.BLACK
        if not black and not white:
            if to_move is Side.BLACK:
                self.builder.begin(game)
                self._put_marks(self.builder.root, self.early_marks)
                return
            black, white = _start_stones(game)
        self.builder.begin(game, (black, white, to_move), at)
        self._put_marks(self.builder.root, self.early_marks)

    def _put_marks(self, node: Node, marks: Iterable[tuple[str, str, int]]) -> None:
        for name, raw, at in marks:
            if name == "LB":
                where, _, label = raw.partition(":")
                self.builder.mark(node, Mark("label", self._point(where, at), one_line(unescape(label))), at)
            else:
                for point in self._points(raw, at):
                    self.builder.mark(node, Mark(_MARKS[name], point), at)

    def _move(self, raw: str, at: int) -> Move:
        game = self.builder.game
        text = raw.strip().lower()
        if text in ("", "pass") or (text == "tt" and game.size <= 19) or (text == "pa" and game.has_pass):
            if not game.has_pass:
                raise self.builder.error(at, f"move {len(self.builder.path)}: a pass, which {game} does not have")
            return game.moves[-1]
        return self._point(raw, at, f"move {len(self.builder.path)}: ")

    def _points(self, raw: str, at: int) -> list[Move]:
        """The points of a value: one, or a rectangle `aa:cc`."""
        first, colon, last = raw.partition(":")
        if not colon:
            return [self._point(raw, at)]
        a, b = self._point(first, at), self._point(last, at)
        rows = range(min(_row(a), _row(b)), max(_row(a), _row(b)) + 1)
        columns = range(min(_column(a), _column(b)), max(_column(a), _column(b)) + 1)
        return [self.builder.game.at(row, column) for row in rows for column in columns]

    def _point(self, raw: str, at: int, what: str = "") -> Move:
        """A point as two letters from the top left, or in the game's own notation."""
        game = self.builder.game
        text = raw.strip().lower()
        if len(text) == 2 and "a" <= text[0] <= "z" and "a" <= text[1] <= "z":
            column, row = ord(text[0]) - 97, ord(text[1]) - 97
            if row < game.size and column < game.size:
                return game.at(row, column)
        elif 2 <= len(text) <= 3 and text.isascii():
            try:
                return game.move(text)
            except NotationError:
                pass
        raise self.builder.error(at, f"{what}{raw[:12]!r} is no point of {game}")

    def _finish(self, at: int) -> None:
        if not self.begun:
            self._begin(None, at)
        game = self.builder.game
        headers = {}
        for name, key in _HEADERS.items():
            value = one_line(unescape(self.info.get(name, "")))
            if value:
                headers[key] = value
        rules = one_line(unescape(self.info.get("RU", self.info.get("RULE", ""))))
        if rules and rules != _rules_text(game):
            headers["rules"] = rules
        said = one_line(unescape(self.info.get("RE", "")))
        stated = parse_result(said, game)
        if said and said != result_text(stated, game):
            headers["result"] = said
        self.record = self.builder.finish(headers, stated)


def _row(move: Move) -> int:
    return move.row or 0


def _column(move: Move) -> int:
    return move.column or 0


def _start_stones(game: Game) -> tuple[list[Move], list[Move]]:
    start = Record(game).start().board().ravel()
    return (
        [game.move(cell) for cell, stone in enumerate(start) if stone == 1],
        [game.move(cell) for cell, stone in enumerate(start) if stone == 2],
    )


def _game_of(info: dict[str, str], asked: Game | None, fail: Callable[[str], RecordError]) -> Game:
    """The game the root describes. Without GM, an Othello size means Othello, and anything else Gomoku."""
    size = None
    if "SZ" in info:
        match = _SIZE.fullmatch(info["SZ"].strip())
        if match is None or match[2] not in (None, match[1]):
            raise fail(f"SZ is {info['SZ'][:12]!r}, which is no square board")
        size = int(match[1])
    number = info.get("GM", "").strip()
    if number == "4":
        kind = "gomoku"
    elif number == "2":
        kind = "othello"
    elif asked is not None:
        kind = asked.kind
    elif number == "":
        kind = "othello" if size in (4, 6, 8, 10) else "gomoku"
    else:
        raise fail(f"GM is {number[:12]!r}, neither Gomoku (4) nor Othello (2); name the game to read it as")
    words = unescape(info.get("RU", info.get("RULE", ""))).lower()
    rule, win = _parse_rules(words)
    return choose_game(fail, asked, kind, size=size, rule=rule, win=win)


def _parse_rules(words: str) -> tuple[str, int]:
    rule = next((name for name in ("renju", "standard", "caro") if name in words), "freestyle")
    win = _WIN.search(words)
    return rule, int(win[1]) if win else 5


def _rules_text(game: Game) -> str:
    if game.kind == "othello":
        return ""
    return game.rule if game.win == 5 else f"{game.rule}, win={game.win}"


def parse_result(said: str, game: Game) -> Result:
    """The result a text such as `B+R`, `W+12`, `Draw` or `黑胜` states; `UNKNOWN` when it states none."""
    text = said.strip().lower()
    if text in _DRAWN:
        return Result.by_difference(game, 0) if game.kind == "othello" else Result(Verdict.DRAW)
    match = _WON.fullmatch(text)
    if match is None:
        return UNKNOWN
    side, tail = (Side.BLACK if match[1] else Side.WHITE), match[2]
    number = _NUMBER.fullmatch(tail)
    if number is not None and game.kind == "othello":
        margin = float(tail)
        if margin.is_integer() and 0 < margin <= game.size * game.size:
            return Result.by_difference(game, int(margin) if side is Side.BLACK else -int(margin))
        return Result.won(side)
    reason = next((reason for name, reason in _ENDINGS.items() if tail.startswith(name.lower())), None)
    return Result.won(side, reason)


def result_text(result: Result, game: Game) -> str:
    """The RE value for a result, empty when it is unknown."""
    if result.is_draw:
        return "Draw"
    if result.winner is None:
        return ""
    tail = _ENDING_NAMES.get(result.reason, "") if result.reason else ""
    if not tail and result.score is not None and game.kind == "othello":
        tail = str(abs(result.score[0] - result.score[1]))
    return ("B+" if result.winner is Side.BLACK else "W+") + tail


def write(records: list[Record]) -> bytes:
    """A collection in UTF-8. A game without a standard number for its rule keeps it as RU; times go to a private MS."""
    parts: list[str] = []
    for record in records:
        parts.append("(")
        _write_root(record, parts)
        _write_tree(record, parts)
        parts.append(")\n")
    return "".join(parts).encode("utf-8", "replace")


def _write_root(record: Record, parts: list[str]) -> None:
    game = record.game
    number = 4 if game.kind == "gomoku" else 2
    parts.append(f";FF[4]GM[{number}]CA[UTF-8]AP[tengen]SZ[{game.size}]")
    rules = record.headers.get("rules", "")
    if not rules or game.kind != "gomoku" or _parse_rules(rules.lower()) != (game.rule, game.win):
        rules = _rules_text(game) or rules
    said = record.headers.get("result", "")
    if not said or parse_result(one_line(said), game) != record.result:
        said = result_text(record.result, game)
    values = {name: record.headers.get(key, "") for name, key in _HEADERS.items()}
    for name, value in [("RU", rules), *values.items(), ("RE", said)]:
        line = one_line(unix_lines(value))
        if line:
            parts.append(f"{name}[{escape(line)}]")
    if record.setup is not None:
        for name, stones in (("AB", record.setup.black), ("AW", record.setup.white)):
            if stones:
                parts.append(name + "".join(f"[{_point_text(point)}]" for point in sorted(stones)))
        parts.append(f"PL[{'B' if record.setup.to_move is Side.BLACK else 'W'}]")
    _write_words(record.root, 1, parts)


def _write_tree(record: Record, parts: list[str]) -> None:
    """Writes all moves; the stack holds nodes to write and closing brackets, so depth costs no recursion."""
    first_black = record.setup is None or record.setup.to_move is Side.BLACK
    stack: list[tuple[Node, int] | None] = []

    def push(node: Node, depth: int) -> None:
        if len(node.children) == 1:
            stack.append((node.children[0], depth))
            return
        for child in reversed(node.children):
            stack.append(None)
            stack.append((child, -depth))

    push(record.root, 1)
    while stack:
        item = stack.pop()
        if item is None:
            parts.append(")")
            continue
        node, depth = item
        if depth < 0:
            depth = -depth
            parts.append("\n(")
        black = (depth % 2 == 1) == first_black
        parts.append(f";{'B' if black else 'W'}[{_point_text(node.move)}]")
        _write_words(node, 1 if black else -1, parts)
        push(node, depth + 1)


def _write_words(node: Node, sign: int, parts: list[str]) -> None:
    if node.time_ms is not None:
        parts.append(f"MS[{node.time_ms}]")
    if node.eval is not None and math.isfinite(node.eval):
        parts.append(f"V[{_real(sign * node.eval)}]")
    if node.label:
        parts.append(f"N[{escape(one_line(unix_lines(node.label)))}]")
    _write_marks(node, parts)
    if node.comment:
        parts.append(f"C[{escape(node.comment)}]")


def _write_marks(node: Node, parts: list[str]) -> None:
    for name, kind in _MARKS.items():
        marks = [mark for mark in node.marks if mark.kind == kind]
        if marks:
            parts.append(name)
        for mark in marks:
            label = ":" + escape(one_line(unix_lines(mark.text))) if kind == "label" else ""
            parts.append(f"[{_point_text(mark.point)}{label}]")


def _real(value: float) -> str:
    return repr(value).removesuffix(".0")


def _point_text(move: Move | None) -> str:
    if move is None or move.row is None or move.column is None:
        return ""
    return chr(97 + move.column) + chr(97 + move.row)
