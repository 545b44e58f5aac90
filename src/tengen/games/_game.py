"""What is played: game names, sides and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from typing import Any, Final, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.errors import GameNameError, NotationError, TengenError
from tengen.naming import join_name, split_name

#: A move as people and programs give it: notation, action index, or a :class:`Move`.
MoveLike = str | SupportsIndex

#: Any of the core's boards; they share the interface of ``core/games/game.h``.
CoreBoard = _core.GomokuBoard | _core.OthelloBoard4 | _core.OthelloBoard6 | _core.OthelloBoard8 | _core.OthelloBoard10


class Side(StrEnum):
    """A side; black moves first in every game."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.WHITE if self is Side.BLACK else Side.BLACK

    @property
    def index(self) -> int:  # type: ignore[override]  # str.index is never wanted of a side
        """0 for black, 1 for white: the core's number."""
        return 0 if self is Side.BLACK else 1

    @classmethod
    def parse(cls, side: str) -> Side:
        """Read ``"black"`` or ``"white"``; raises ``TengenError`` for anything else."""
        try:
            return cls(side)
        except ValueError:
            raise TengenError(f"a side is 'black' or 'white', not {side!r}") from None


SIDES: Final = (Side.BLACK, Side.WHITE)


class Move(int):
    """A move of one game: ``str()`` gives its notation, ``int()`` its action index.

    The index is row * size + column with row 0 at the top, in every game; Othello's pass comes last. Moves compare,
    hash and index arrays as that integer.
    """

    text: str
    row: int | None
    column: int | None

    def __new__(cls, index: int, text: str, row: int | None, column: int | None) -> Self:
        """Made by :meth:`Game.move`; there is no need to call this."""
        self = super().__new__(cls, index)
        self.text, self.row, self.column = text, row, column
        return self

    @property
    def is_pass(self) -> bool:
        """Whether this is Othello's pass."""
        return self.row is None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (int(self), self.text, self.row, self.column)


@dataclass(frozen=True)
class Option:
    """One key that a game name may carry."""

    default: int | str
    choices: Sequence[int | str]
    meaning: str

    def describe(self) -> str:
        """The values in words: ``3..22`` or ``4, 6, 8``."""
        values = list(self.choices)
        if isinstance(values[0], int) and len(values) > 4:
            return f"{values[0]}..{values[-1]}"
        return ", ".join(str(value) for value in values)


@dataclass(frozen=True)
class GameKind:
    """One family of games: its options, how its board is made, and which way its rows are numbered."""

    name: str
    summary: str
    options: dict[str, Option]
    new_board: Callable[[Game, bytes, int], CoreBoard]
    rows_from_top: bool
    has_pass: bool


def _new_gomoku(game: Game, cells: bytes, to_move: int) -> CoreBoard:
    return _core.GomokuBoard(game.rule, game.size, game.win, list(cells), to_move)


_OTHELLO_BOARDS: Final[dict[int, Callable[[list[int], int], CoreBoard]]] = {
    4: _core.OthelloBoard4,
    6: _core.OthelloBoard6,
    8: _core.OthelloBoard8,
    10: _core.OthelloBoard10,
}


def _new_othello(game: Game, cells: bytes, to_move: int) -> CoreBoard:
    return _OTHELLO_BOARDS[game.size](list(cells), to_move)


KINDS: Final[dict[str, GameKind]] = {
    kind.name: kind
    for kind in (
        GameKind(
            name="gomoku",
            summary="five in a row",
            options={
                "rule": Option(
                    "freestyle", ("freestyle", "standard", "renju", "caro"), "what wins, and what black may not"
                ),
                "size": Option(15, range(3, 23), "points along a side"),
                "win": Option(5, range(3, 23), "stones in a row that win"),
            },
            new_board=_new_gomoku,
            rows_from_top=False,
            has_pass=False,
        ),
        GameKind(
            name="othello",
            summary="Othello, also called Reversi",
            options={"size": Option(8, (4, 6, 8, 10), "cells along a side")},
            new_board=_new_othello,
            rows_from_top=True,
            has_pass=True,
        ),
    )
}

# Short names, each a kind with one option settled.
ALIASES: Final[dict[str, tuple[str, dict[str, str]]]] = {"renju": ("gomoku", {"rule": "renju"})}

#: One name of each game that is worth listing and testing; every other name is one of these with other options.
GAMES: Final[tuple[str, ...]] = (
    "gomoku",
    "gomoku:rule=standard",
    "renju",
    "gomoku:rule=caro",
    "gomoku:size=7",
    "gomoku:size=3,win=3",
    "othello",
    "othello:size=4",
    "othello:size=6",
    "othello:size=10",
)

_RENJU_WIN = 5  # its forbidden moves are made of fours and threes

_MOVE_TEXT = re.compile(r"\s*([A-Za-z])\s*([0-9]{1,2})\s*\Z")
_PASS_TEXTS = frozenset({"pass", "pa", "ps", "--"})


@dataclass(frozen=True)
class Game:
    """A game that can be played: a kind and its options. Two of the same name are equal."""

    kind: str
    size: int
    rule: str
    win: int

    @classmethod
    def parse(cls, name: str | Game) -> Game:
        """Read a game name such as ``gomoku``, ``renju`` or ``othello:size=6``.

        Raises ``GameNameError`` that lists the valid kinds, keys or values.
        """
        if isinstance(name, Game):
            return name
        kind, given = split_name(name, what="game", error=GameNameError)
        return _parse_game(kind, tuple(given.items()), name)

    def __post_init__(self) -> None:
        kind = KINDS.get(self.kind)
        sized = kind is not None and self.size in kind.options["size"].choices
        if kind is None or not sized or ("win" in kind.options and not 3 <= self.win <= self.size):
            raise GameNameError(f"there is no such game: {self.kind}, size {self.size}, win {self.win}; use Game.parse")

    @cached_property
    def name(self) -> str:
        """The canonical name: options at their default are left out."""
        options = {
            key: str(getattr(self, key))
            for key, option in KINDS[self.kind].options.items()
            if getattr(self, key) != option.default
        }
        for alias, (kind, settled) in ALIASES.items():
            if kind == self.kind and settled.items() <= options.items():
                return join_name(alias, {key: value for key, value in options.items() if key not in settled})
        return join_name(self.kind, options)

    def __str__(self) -> str:
        return self.name

    @property
    def actions(self) -> int:
        """How many action indices there are: the cells and, in Othello, the pass."""
        return self.size * self.size + KINDS[self.kind].has_pass

    @property
    def has_pass(self) -> bool:
        """Whether the last action is a pass."""
        return KINDS[self.kind].has_pass

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move of the game in the order of its index."""
        return _all_moves(self.size, KINDS[self.kind].rows_from_top, self.has_pass)

    def move(self, move: MoveLike) -> Move:
        """Turn notation or an action index into a :class:`Move`; raises ``NotationError`` if it names none."""
        if isinstance(move, str):
            return self._parse_move(move)
        try:
            index = move.__index__()
        except (AttributeError, TypeError):
            raise NotationError(f"a move is text or an index, not {type(move).__name__}") from None
        if isinstance(move, bool) or not 0 <= index < self.actions:
            raise NotationError(f"{self.name} has no move {move!r}; indices are 0..{self.actions - 1}")
        found = self.moves[index]
        if isinstance(move, Move) and move.text != found.text:
            raise NotationError(f"{move} is a move of another board than {self.name}")
        return found

    def at(self, row: int, column: int) -> Move:
        """The move at a row (0 at the top) and column (0 at the left); raises ``NotationError`` outside the board."""
        if not (0 <= row < self.size and 0 <= column < self.size):
            raise NotationError(f"row {row}, column {column} is outside the {self.size}x{self.size} board")
        return self.moves[row * self.size + column]

    def _parse_move(self, text: str) -> Move:
        found = self._find_move(text)
        if found is None:
            last = self.moves[self.size - 1 if not KINDS[self.kind].rows_from_top else self.size * self.size - 1]
            or_pass = ", or 'pass'" if self.has_pass else ""
            wrong = self._wrong_part(text)
            raise NotationError(f"{wrong[:40]!r} is no point of {self.name}; points are a1..{last}{or_pass}")
        return found

    def _wrong_part(self, text: str) -> str:
        """What of a text that is no move is to blame: where moves are run together, what comes after the good ones."""
        at = 0
        for token in _MOVE_TOKEN.finditer(text):
            if not _separators_only(text[at : token.start()]) or self._find_move(token[0]) is None:
                break
            at = token.end()
        rest = text[at:].strip(_SEPARATORS)
        return rest if rest and not rest[0].isdigit() else text  # "a100" is wrong as a whole

    def _find_move(self, text: str) -> Move | None:
        if self.has_pass and text.strip().lower() in _PASS_TEXTS:
            return self.moves[-1]
        found = _MOVE_TEXT.match(text)
        if found:
            column, number = ord(found[1].lower()) - ord("a"), int(found[2])
            row = number - 1 if KINDS[self.kind].rows_from_top else self.size - number
            if 0 <= row < self.size and 0 <= column < self.size:
                return self.moves[row * self.size + column]
        return None

    def parse_moves(self, text: str) -> list[Move]:
        """Read moves written one after another, ``h8i9`` or ``h8 i9, j10``.

        Raises ``NotationError`` that names the character where it stops making sense.
        """
        moves, at = [], 0
        for token in _MOVE_TOKEN.finditer(text):
            if not _separators_only(text[at : token.start()]):
                break
            try:
                moves.append(self.move(token[0]))
            except NotationError as trouble:
                raise NotationError(f"character {token.start() + 1}: {trouble}") from None
            at = token.end()
        if not _separators_only(text[at:]):
            raise NotationError(f"character {at + 1}: {text[at : at + 12].strip()!r} is no move of {self.name}")
        return moves

    def new_board(self, cells: bytes = b"", to_move: int = 0) -> CoreBoard:
        """A board of the core; no cells means the starting position."""
        return KINDS[self.kind].new_board(self, cells, to_move)

    def symmetry_maps(self) -> NDArray[np.int64]:
        """Where each action goes under the eight symmetries of the square: [8, actions], the identity first.

        ``maps[k, a]`` is the image of action ``a``; a pass stays a pass. 1..3 are quarter turns counter-clockwise, 4..7
        the same after a left-right reflection.
        """
        return _symmetry_maps(self.size, self.has_pass)


_MOVE_TOKEN = re.compile(r"pass|ps|pa|--|[a-z]\s?[0-9]{1,2}", re.IGNORECASE)
_SEPARATORS = " \t\r\n,;."


def _separators_only(text: str) -> bool:
    return not text.strip(_SEPARATORS)


@cache
def _all_moves(size: int, rows_from_top: bool, has_pass: bool) -> tuple[Move, ...]:
    def cells() -> Iterable[Move]:
        for row in range(size):
            number = row + 1 if rows_from_top else size - row
            for column in range(size):
                yield Move(row * size + column, f"{chr(ord('a') + column)}{number}", row, column)
        if has_pass:
            yield Move(size * size, "pass", None, None)

    return tuple(cells())


@cache
def _symmetry_maps(size: int, has_pass: bool) -> NDArray[np.int64]:
    cells = np.arange(size * size).reshape(size, size)
    images = [np.rot90(grid, turns) for grid in (cells, np.fliplr(cells)) for turns in range(4)]
    maps = np.empty((8, size * size + has_pass), dtype=np.int64)
    for k, image in enumerate(images):
        maps[k, image.ravel()] = np.arange(size * size)  # the cell shown at i has gone to i
    if has_pass:
        maps[:, -1] = size * size
    maps.flags.writeable = False
    return maps


@lru_cache(maxsize=256)
def _parse_game(kind_name: str, items: tuple[tuple[str, str], ...], name: str) -> Game:
    given = dict(items)
    alias, settled = kind_name, dict[str, str]()
    if kind_name in ALIASES:
        kind_name, settled = ALIASES[kind_name]
    if kind_name not in KINDS:
        raise GameNameError(f"unknown game {kind_name!r}; the games are {', '.join([*KINDS, *ALIASES])}")
    kind = KINDS[kind_name]
    for key in given:
        if key not in kind.options or key in settled:
            raise GameNameError(f"{name!r}: {alias} has no key {key!r}; its keys are {', '.join(options_of(alias))}")
    texts = {**given, **settled}
    values = {key: _option_value(name, key, option, texts.get(key)) for key, option in kind.options.items()}
    size = int(values["size"])
    win = int(values.get("win", 0))
    is_renju = values.get("rule") == "renju"
    if is_renju and win != _RENJU_WIN:
        raise GameNameError(f"{name!r}: renju is played with five in a row; win={win} is not possible")
    if win > size:
        give = f"size={win}..{kind.options['size'].choices[-1]}" if is_renju else f"win=3..{size}"
        raise GameNameError(f"{name!r}: {win} in a row do not fit on {size}x{size}; give {give}")
    return Game(kind=kind.name, size=size, rule=str(values.get("rule", kind.name)), win=win)


def options_of(name: str) -> dict[str, Option]:
    """The keys that a kind or a short name takes; those of a short name with the values that are possible there."""
    kind, settled = ALIASES.get(name, (name, {}))
    options = KINDS[kind].options
    if not settled:
        return options
    open_options = {
        key: replace(option, choices=[value for value in option.choices if _is_game(f"{name}:{key}={value}")])
        for key, option in options.items()
        if key not in settled
    }
    return {key: option for key, option in open_options.items() if len(option.choices) > 1}


def _is_game(name: str) -> bool:
    try:
        Game.parse(name)
    except GameNameError:
        return False
    return True


def _option_value(name: str, key: str, option: Option, text: str | None) -> int | str:
    if text is None:
        return option.default
    for choice in option.choices:
        if str(choice) == text:
            return choice
    raise GameNameError(f"{name!r}: {key} cannot be {text!r}; it is one of {option.describe()}")
