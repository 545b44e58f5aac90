"""Openings: the positions that the games of a match start from, each of them played twice with colours swapped.

A source never ends and never repeats: first come its own openings, in an order drawn from the seed, then the same ones
with random moves added. No two are the same up to the eight symmetries of the board, as far as the game has that many.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import numpy as np

from tengen.errors import TengenError
from tengen.games import Game, Position, Shape, Side, records
from tengen.players import Player, player

#: The sources by name, with what each gives; ``file:PATH`` is the fourth.
SOURCES: Final = {
    "empty": "the usual start of the game",
    "random": "a few random moves near the centre that leave the game open",
    "renju26": "the 26 openings of renju, by name",
    "file:PATH": "the games or positions of a record file, or one move string on each line",
}

# Where the third stone goes after h8 h9 (direct) and after h8 i9 (indirect), in the order of their numbers.
_DIRECT = {
    "Kansei": "h10",
    "Keigetsu": "i10",
    "Sosei": "j10",
    "Kagetsu": "i9",
    "Zangetsu": "j9",
    "Ugetsu": "i8",
    "Kinsei": "j8",
    "Shogetsu": "h7",
    "Kyugetsu": "i7",
    "Shingetsu": "j7",
    "Zuisei": "h6",
    "Sangetsu": "i6",
    "Yusei": "j6",
}
_INDIRECT = {
    "Chosei": "j10",
    "Kyogetsu": "j9",
    "Kosei": "j8",
    "Suigetsu": "j7",
    "Ryusei": "j6",
    "Ungetsu": "i8",
    "Hogetsu": "i7",
    "Rangetsu": "i6",
    "Gingetsu": "h7",
    "Myojo": "h6",
    "Shagetsu": "g7",
    "Meigetsu": "g6",
    "Suisei": "f6",
}

#: The 26 openings of renju on 15x15: "D4 Kagetsu" -> ("h8", "h9", "i9").
RENJU26: Final = {
    f"{letter}{number} {name}": ("h8", second, third)
    for letter, second, thirds in (("D", "h9", _DIRECT), ("I", "i9", _INDIRECT))
    for number, (name, third) in enumerate(thirds.items(), start=1)
}

_RENJU26_SMALLEST = 7

# Full games in a file are openings by their first moves.
_PLIES_OF_A_GAME = {"gomoku": 6, "othello": 8}

# So many draws in a row without a new opening loosen what is asked of one; see `_Maker`.
_PATIENCE = 400
_MOST_ADDED = 8


@dataclass(frozen=True)
class StartPosition:
    """An opening: what it is called and the position it leads to."""

    name: str
    position: Position


class OpeningSource:
    """An endless supply of openings, the same for the same source, game and seed.

    ``notes`` says in words what a reader of the results should know: openings left out, extended or repeated. Raises
    ``TengenError`` if there is no such source, if it does not suit the game, or if the file cannot be read.
    """

    def __init__(self, source: str, game: Game, *, seed: int = 0) -> None:
        self.source = source
        self.game = game
        self.notes: list[str] = []
        self._generator = random.Random(f"openings {seed}")
        self._maker = _Maker(game, self._generator)
        self._own = self._own_openings()
        self._seen: set[bytes] = set()
        self._stream = self._all()

    def __iter__(self) -> Iterator[StartPosition]:
        return self._stream

    def __next__(self) -> StartPosition:
        return next(self._stream)

    def _own_openings(self) -> list[StartPosition]:
        if self.source == "random":
            return []
        if self.source == "empty":
            return [StartPosition("empty", Position(self.game))]
        if self.source == "renju26":
            own = _renju26(self.game)
        elif self.source.startswith("file:") and self.source != "file:":
            own = _from_file(self.source.removeprefix("file:"), self.game)
        else:
            raise TengenError(f"unknown openings {self.source!r}; there are {', '.join(SOURCES)}")
        self._generator.shuffle(own)
        return own

    def _all(self) -> Iterator[StartPosition]:
        if not self._own:
            yield from self._random_forever(self._maker.random_position, "random")
        kept = [start for start in self._own if self._is_new(start.position)]
        if len(kept) < len(self._own):
            self.notes.append(
                f"{self.source}: {len(self._own) - len(kept)} of {len(self._own)} openings were the same as another up "
                "to symmetry and left out"
            )
        yield from kept
        count = f"{len(kept)} opening{'s' if len(kept) != 1 else ''}"
        self.notes.append(f"{self.source} has {count}; the pairs after that add random moves to them")
        turn = 0

        def extended() -> Position | None:
            nonlocal turn
            turn += 1
            return self._maker.extended(kept[turn % len(kept)].position)

        yield from self._random_forever(extended, f"{self.source}+random")

    def _random_forever(self, draw: Callable[[], Position | None], name: str) -> Iterator[StartPosition]:
        number, failures, repeating = 0, 0, False
        while True:
            position = draw()
            if position is not None and (self._is_new(position) or repeating):
                number, failures = number + 1, 0
                yield StartPosition(f"{name} {number}", position)
                continue
            failures += 1
            if failures >= _PATIENCE:
                failures = 0
                if self._maker.loosen():
                    continue
                if repeating:
                    raise TengenError(f"no random opening of {self.game} can be found")
                repeating = True
                self._maker.start_over()
                self.notes.append(f"{self.game} gave no new opening after {len(self._seen)}; openings repeat")

    def _is_new(self, position: Position) -> bool:
        key = canonical_key(position)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def canonical_key(position: Position) -> bytes:
    """Bytes that positions share exactly when a symmetry of the board turns one into the other."""
    cells = position.board().ravel()
    images = cells[position.game.symmetry_maps()[:, : cells.size]]
    least: bytes = min(image.tobytes() for image in images)
    return least + bytes([position.to_move.index])


def _renju26(game: Game) -> list[StartPosition]:
    if game.kind != "gomoku" or game.size < _RENJU26_SMALLEST:
        raise TengenError(
            f"the renju openings need a Gomoku board of {_RENJU26_SMALLEST}x{_RENJU26_SMALLEST} or more, not {game}"
        )
    shift = game.size // 2 - 7  # h8 is row 7, column 7 of 15x15

    def moved(point: str) -> int:
        return int(game.at(15 - int(point[1:]) + shift, ord(point[0]) - ord("a") + shift))

    return [StartPosition(name, Position(game, [moved(point) for point in line])) for name, line in RENJU26.items()]


def _from_file(path: str, game: Game) -> list[StartPosition]:
    try:
        data = Path(path).read_bytes()
    except OSError as trouble:
        raise TengenError(f"cannot read the openings {path!r}: {trouble.strerror}") from None
    if _is_move_list(data):
        # One opening a line; read as one text, lines that could follow each other would be joined to one game.
        text = data.decode("utf-8-sig")
        lines = [(number, line.partition("#")[0].strip()) for number, line in enumerate(text.splitlines(), start=1)]
        found = [
            (f"line {number}", each)
            for number, line in lines
            if line
            for each in _loaded(line, "moves", game, path, number)
        ]
    else:
        found = [(f"game {number}", each) for number, each in enumerate(_loaded(data, None, game, path, 0), start=1)]
    stem = Path(path).name
    starts = [StartPosition(f"{stem} {name}", _beginning(record)) for name, record in found]
    wrong = next((start for start in starts if start.position.game != game), None)
    if wrong is not None:
        raise TengenError(f"{wrong.name} is of {wrong.position.game}, not of {game}")
    if not starts:
        raise TengenError(f"there is no opening in {path!r}")
    return starts


def _is_move_list(data: bytes) -> bool:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    content = "\n".join(line.partition("#")[0] for line in text.splitlines())
    try:
        return records.detect(content) == "moves"
    except TengenError:
        return False


def _loaded(data: bytes | str, kind: str | None, game: Game, path: str, line: int) -> list[records.Record]:
    try:
        return records.loads(data, kind, game=game)
    except TengenError as trouble:
        place = f"{path!r} line {line}" if line else f"{path!r}"
        raise TengenError(f"openings {place}: {trouble}") from None


def _beginning(record: records.Record) -> Position:
    """The position a record leads to, or for a finished game the one after its first moves."""
    position = record.position()
    if position.is_over or record.result.is_known:
        position = record.position(min(_PLIES_OF_A_GAME[record.game.kind], max(0, len(record.moves) - 2)))
    return position


class _Maker:
    """Draws random openings.

    ``strictness`` says what is asked of one: 2 quiet and near-balanced, 1 quiet, 0 only that the game is not over and
    that the mover cannot win at once. Small boards have few or no quiet positions, so a source that finds no more first
    adds plies, then asks for less.
    """

    def __init__(self, game: Game, generator: random.Random) -> None:
        self._game = game
        self._generator = generator
        self._added = 0
        self._refused = 0  # by the search, in a row
        self.strictness = 2

    def loosen(self) -> bool:
        """Add a ply or, after some, ask for less; False when there is nothing left to try."""
        if self._added < _MOST_ADDED:
            self._added += 1
        elif self.strictness > 0:
            self.strictness, self._added = self.strictness - 1, 0
        else:
            return False
        return True

    def start_over(self) -> None:
        """Draw as short openings as at first again, and ask for nothing."""
        self.strictness, self._added = 0, 0

    def random_position(self) -> Position | None:
        """A new random opening, or None if this draw was not good enough."""
        size = self._game.size
        if self._game.kind == "othello":
            plies = self._generator.randint(min(4, size // 2), min(8, size))
            return self._grown(Position(self._game), plies + self._added)
        most = max(2, min(6, size * size // 8))
        return self._grown(Position(self._game), self._generator.randint(2, most) + self._added)

    def extended(self, start: Position) -> Position | None:
        """An opening with random moves added: one, and more of them once single ones run out."""
        return self._grown(start.copy(), 1 + self._added)

    def _grown(self, start: Position, plies: int) -> Position | None:
        grown = self._grown_othello if self._game.kind == "othello" else self._grown_gomoku
        return grown(start, plies)

    def _grown_othello(self, position: Position, plies: int) -> Position | None:
        for _ in range(plies):
            if position.is_over:
                return None
            position.play(self._generator.choice(position.core.legal_actions()))
        fit = not position.is_over and (self.strictness < 2 or _is_balanced_othello(position))
        return position if fit else None

    def _grown_gomoku(self, position: Position, plies: int) -> Position | None:
        centre, region, near = _neighbourhoods(self._game.size)
        taken = set(np.flatnonzero(position.board()).tolist())
        choices = centre.union(*(near[point] for point in taken)) - taken
        for _ in range(plies):
            if not choices:
                return None
            point = self._generator.choice(sorted(choices))
            if not position.is_legal(point):  # a foul, or the game is over
                return None
            position.play(point)
            taken.add(point)
            choices = (choices | (near[point] & region)) - taken
        return position if not position.is_over and self._is_fit(position) else None

    def _is_fit(self, position: Position) -> bool:
        mover, other = (position.shapes(side) for side in (position.to_move, position.to_move.other))
        empty = position.board() == 0
        # At an empty point a shape is what a stone would make there, at a stone what it is part of.
        mover_next, other_next = mover[:, empty], other[:, empty]
        if mover_next.max(initial=0) == _FIVE:
            return False
        if self.strictness == 0:
            return True
        if max(mover[:, ~empty].max(initial=0), other[:, ~empty].max(initial=0)) >= _OPEN_THREE:
            return False
        if other_next.max(initial=0) == _FIVE:
            return False
        # The right to move is worth half a stone, so the mover's stones should be worth half a stone less.
        lead = float(_WORTH[mover_next].sum() - _WORTH[other_next].sum())
        if self.strictness < 2:
            return True
        return abs(lead + self._stone_worth / 2) <= _BALANCE * self._stone_worth and self._is_even(position)

    def _is_even(self, position: Position) -> bool:
        """Whether a short search sees neither side ahead: or most games would be decided before they begin."""
        if self._game.win != 5 or self._game.size < _SMALLEST_SEARCHED or self._refused >= _MOST_REFUSED:
            self._refused = 0
            return True
        self._judge.new_game()
        value = self._judge.choose(position).value
        even = value is not None and abs(value) <= _EVEN
        self._refused = 0 if even else self._refused + 1
        return even

    @cached_property
    def _judge(self) -> Player:
        return player(f"alphabeta:nodes={_SEARCHED_NODES}", seed=0)

    @cached_property
    def _stone_worth(self) -> float:
        """What one stone in the centre is worth."""
        position = Position(self._game, [self._game.at(self._game.size // 2, self._game.size // 2)])
        return float(_WORTH[position.shapes(Side.BLACK)[:, position.board() == 0]].sum())


_OPEN_THREE, _FIVE = int(Shape.OPEN_THREE), int(Shape.FIVE)

# What a shape that one more stone would make is worth in an opening, by its code; the unit is arbitrary.
_WORTH: Final = np.array([0.0, 1.0, 3.0, 4.0, 10.0, 10.0, 30.0, 0.0])

# How far from balance an opening may be, in stones.
_BALANCE: Final = 0.4

# And by the value of a search; on small boards and for other lines that says little. Most draws are refused, so a
# search is short, and after some the next is taken as it is.
_EVEN: Final = 0.15
_SEARCHED_NODES: Final = 20_000
_SMALLEST_SEARCHED: Final = 9
_MOST_REFUSED: Final = 60


@cache
def _neighbourhoods(size: int) -> tuple[frozenset[int], frozenset[int], tuple[frozenset[int], ...]]:
    """The points of the 5x5 in the centre, of the 9x9 around it, and for every point those within two of it.

    Openings begin in the first and grow within the second; on boards of even size both are a point larger.
    """
    index = np.arange(size * size).reshape(size, size)

    def block(top: int, left: int, bottom: int, right: int) -> frozenset[int]:
        return frozenset(index[max(0, top) : bottom, max(0, left) : right].ravel().tolist())

    first, end = (size - 1) // 2, size // 2 + 1
    around = tuple(block(row - 2, column - 2, row + 3, column + 3) for row in range(size) for column in range(size))
    return block(first - 2, first - 2, end + 2, end + 2), block(first - 4, first - 4, end + 4, end + 4), around


def _is_balanced_othello(position: Position) -> bool:
    """Whether both sides have about as many moves, which is what counts so early."""
    rival = position.game.new_board(position.board().tobytes(), position.to_move.other.index)
    return abs(position.core.count_legal() - rival.count_legal()) <= _OTHELLO_BALANCE


_OTHELLO_BALANCE: Final = 2
