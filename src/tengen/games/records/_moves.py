"""Move strings such as `h8h9i8` or `f5d6c3`: the shortest form of a game, and the one people paste."""

from __future__ import annotations

import re

from tengen.errors import NotationError
from tengen.games import Game, Position

from ._builder import Budget, Builder, failure
from ._record import UNKNOWN, Record, is_foul
from ._text import decode, line_place, unix_lines

FORMAT = "moves"

# Separators, an optional move number, and a move or a pass.
_MOVE = re.compile(r"[\s,;]*+(?:\d{1,3}[.)]\s*+)?(?:(pass|pa|ps|--)|([a-z])(\d{1,2}))", re.ASCII | re.IGNORECASE)
_REST = re.compile(r"[\s,;]*+")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n\s*+")

Token = tuple[int, str]


def looks_like(text: str) -> bool:
    """Whether a text is a move string from its beginning for as far as this looks, which is a dozen moves."""
    at = 0
    for _ in range(12):
        match = _MOVE.match(text, at)
        if match is None:
            rest = _REST.match(text, at)
            return at > 0 and rest is not None and rest.end() == len(text)
        at = match.end()
    return True


def read(data: bytes | str, asked: Game | None, budget: Budget) -> list[Record]:
    """The games of a text, which blank lines separate.

    Lines without a blank one between are one game, or one game each where the second cannot go on from the first.
    Without a game named, what is a legal Othello game is taken for one, anything else for Gomoku. Raises RecordError
    with the line.
    """
    text = unix_lines(decode(data) if isinstance(data, bytes) else data.removeprefix("\ufeff"))
    body = text.strip()
    if not body:
        return [_one_game([], asked or Game.parse("gomoku"), text, budget)]
    records: list[Record] = []
    at = text.index(body[0])
    end = at + len(body)
    while at < end and not budget.has_enough(records):
        gap = _BLANK_LINE.search(text, at, end)
        stop = gap.start() if gap else end
        records.extend(_block(text, at, stop, asked, budget))
        at = gap.end() if gap else end
    return records[: budget.games]


def _block(text: str, start: int, stop: int, asked: Game | None, budget: Budget) -> list[Record]:
    tokens = _tokens(text, start, stop, budget)
    lines = _split_lines(tokens, text)
    if _is_list(lines, asked):
        return [_one_game(line, _pick(line, asked), text, budget) for line in lines]
    return [_one_game(tokens, _pick(tokens, asked), text, budget)]


def _is_list(lines: list[list[Token]], asked: Game | None) -> bool:
    """Whether lines are games of their own: the second cannot go on where the first ends."""
    if len(lines) < 2:
        return False
    game = _pick(lines[0], asked)
    return _fits(lines[0], game) and not _fits(lines[0] + lines[1][:1], game)


def _tokens(text: str, start: int, stop: int, budget: Budget) -> list[Token]:
    tokens: list[Token] = []
    while start < stop:
        match = _MOVE.match(text, start, stop)
        if match is None:
            rest = _REST.match(text, start, stop)
            if rest is not None and rest.end() == stop:
                break
            at = rest.end() if rest is not None else start
            raise failure(FORMAT, line_place(text)(at), f"{text[at : at + 12]!r} is no move")
        tokens.append((match.start(match.lastindex or 0), "pass" if match[1] else match[2].lower() + match[3]))
        if len(tokens) > budget.left:
            raise failure(FORMAT, line_place(text)(start), f"more than {budget.limit} nodes")
        start = match.end()
    return tokens


def _split_lines(tokens: list[Token], text: str) -> list[list[Token]]:
    lines: list[list[Token]] = []
    last = -1
    for at, move in tokens:
        if not lines or "\n" in text[last:at]:
            lines.append([])
        lines[-1].append((at, move))
        last = at
    return lines


def _pick(tokens: list[Token], asked: Game | None) -> Game:
    """The game asked for, else Othello where the moves are legal in it, else Gomoku of the size the moves need."""
    if asked is not None:
        return asked
    othello = Game.parse("othello")
    if _fits(tokens, othello):
        return othello
    reach = max((max(ord(move[0]) - 96, int(move[1:])) for _, move in tokens if move != "pass"), default=1)
    size = next((size for size in (15, 19, 20, 22) if reach <= size), 15)
    return Game.parse(f"gomoku:size={size}")


def _fits(tokens: list[Token], game: Game) -> bool:
    """Whether the moves are a legal game. A guess must not build an error: finding its line reads the whole text."""
    position = Position(game)
    for index, (_, text) in enumerate(tokens):
        try:
            move = game.move(text)
        except NotationError:
            return False
        if game.has_pass and not move.is_pass and position.is_legal(game.moves[-1]):
            position.play(game.moves[-1])
        if not position.is_legal(move):
            return index == len(tokens) - 1 and is_foul(position, move)
        position.play(move)
    return True


def _one_game(tokens: list[Token], game: Game, text: str, budget: Budget) -> Record:
    builder = Builder(FORMAT, line_place(text), budget)
    builder.begin(game)
    for at, move in tokens:
        try:
            point = game.move(move)
        except NotationError:
            number = len(builder.path)
            raise builder.error(at, f"move {number}: {move} is no move of {game.name}") from None
        builder.play(point, at)
    return builder.finish({}, UNKNOWN)


def write(records: list[Record]) -> bytes:
    """One line a game, blank lines between; passes are left out but for a last one. Raises RecordError for a set-up."""
    lines: list[str] = []
    for number, record in enumerate(records, 1):
        moves = record.moves
        if record.setup is not None:
            raise failure(FORMAT, f"game {number}", "a move string cannot hold a set-up position")
        if not moves and len(records) > 1:
            raise failure(FORMAT, f"game {number}", "a game without moves cannot stand among others")
        kept = [str(move) for move in moves if not move.is_pass]
        if moves and moves[-1].is_pass:
            kept.append("pass")
        lines.append("".join(kept) + "\n")
    return "\n".join(lines).encode("ascii")
