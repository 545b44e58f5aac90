"""A position: the one object that players, records, environments and the page share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.errors import IllegalMoveError, NotationError, PositionError, TengenError
from tengen.games._game import SIDES, CoreBoard, Game, Move, MoveLike, Side
from tengen.games._outcome import Outcome, Reason

#: The encodings that :meth:`Position.planes` knows, with their number of planes.
ENCODINGS: Final[dict[str, int]] = dict(_core.encodings())

_REASONS = (None, Reason.LINE, Reason.BOARD_FULL, Reason.NO_MOVES)


class Shape(IntEnum):
    """S0's seven line shapes, weakest first; what each means is in ``docs/rules.md``."""

    NONE = 0
    SLEEPING_TWO = 1
    OPEN_TWO = 2
    SLEEPING_THREE = 3
    OPEN_THREE = 4
    RUSH_FOUR = 5
    OPEN_FOUR = 6
    FIVE = 7


class Foul(StrEnum):
    """Why black may not play a point under renju."""

    DOUBLE_THREE = "double three"
    DOUBLE_FOUR = "double four"
    OVERLINE = "overline"


_FOULS = (None, Foul.DOUBLE_THREE, Foul.DOUBLE_FOUR, Foul.OVERLINE)


@dataclass(frozen=True)
class Setup:
    """Stones that were on the board before the first move, and who moved first."""

    black: tuple[Move, ...]
    white: tuple[Move, ...]
    to_move: Side


class Position:
    """A game in progress: the stones, whose turn it is, and the moves that led here.

    ``moves`` are played from the start; in a move string, Othello passes may be left out. Every change is checked: an
    illegal move raises ``IllegalMoveError`` that says why, and the position stays as it was. Two positions are equal
    when the game, the stones and the side to move are, whatever the order of the moves.
    """

    __slots__ = ("_board", "_game", "_setup")

    def __init__(self, game: str | Game = "gomoku", moves: str | Iterable[MoveLike] = ()) -> None:
        self._game = Game.parse(game)
        self._setup: Setup | None = None
        self._board: CoreBoard = self._game.new_board()
        self._play_all(moves)

    def _play_all(self, moves: str | Iterable[MoveLike]) -> None:
        infer_passes = isinstance(moves, str) and self._game.has_pass
        for number, move in enumerate(self._game.parse_moves(moves) if isinstance(moves, str) else moves, start=1):
            if infer_passes and self._must_pass() and not self._game.move(move).is_pass:
                self.play("pass")
            try:
                self.play(move)
            except IllegalMoveError as trouble:
                raise IllegalMoveError(
                    f"move {number}: {trouble}", code=trouble.code, details=trouble.details
                ) from None

    def _must_pass(self) -> bool:
        return self._board.is_legal(self._game.actions - 1)

    @classmethod
    def from_stones(
        cls,
        game: str | Game = "gomoku",
        *,
        black: str | Iterable[MoveLike] = (),
        white: str | Iterable[MoveLike] = (),
        to_move: Side | str = Side.BLACK,
        moves: str | Iterable[MoveLike] = (),
    ) -> Self:
        """Set up any arrangement of stones, then play ``moves``.

        Raises ``PositionError`` for a point given twice, ``NotationError`` for one outside the board.
        """
        self = cls(game)
        first = Side.parse(to_move)
        cells = bytearray(self._game.size * self._game.size)
        stones: list[tuple[Move, ...]] = []
        for code, given in enumerate((black, white), start=1):
            points = self._game.parse_moves(given) if isinstance(given, str) else given
            side_moves = tuple(sorted(self._game.move(point) for point in points))
            for move in side_moves:
                if move.is_pass:
                    raise PositionError("a pass is no stone")
                if cells[move]:
                    raise PositionError(
                        f"{move} is given {'twice' if cells[move] == code else 'to both black and white'}"
                    )
                cells[move] = code
            stones.append(side_moves)
        self._setup = Setup(stones[0], stones[1], first)
        self._board = self._game.new_board(bytes(cells), first.index)
        self._play_all(moves)
        return self

    # What is on the board.

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._game

    @property
    def size(self) -> int:
        """Points along a side of the board."""
        return self._game.size

    @property
    def setup(self) -> Setup | None:
        """The stones that were set up before the first move; None for the usual start."""
        return self._setup

    @property
    def to_move(self) -> Side:
        """The side whose turn it is (or would be, if the game is over)."""
        return SIDES[self._board.to_move]

    @property
    def ply(self) -> int:
        """How many moves have been played; passes count."""
        return self._board.ply

    @property
    def moves(self) -> list[Move]:
        """The moves played, first to last."""
        return [self._game.moves[action] for action in self._board.history()]

    @property
    def last_move(self) -> Move | None:
        """The move played last, if any."""
        action = self._board.last_action()
        return self._game.moves[action] if action >= 0 else None

    def stone(self, move: MoveLike) -> Side | None:
        """Whose stone stands on a point; None if it is empty."""
        code = self._board.cell(self._game.move(move))
        return SIDES[code - 1] if code else None

    def board(self) -> NDArray[np.int8]:
        """The stones as an array [size, size]: 0 empty, 1 black, 2 white; row 0 is the top."""
        return self._board.cells()

    # Moves.

    def legal_moves(self) -> list[Move]:
        """Every legal move, in the order of the index; empty when the game is over."""
        moves = self._game.moves
        return [moves[action] for action in self._board.legal_actions()]

    def legal_mask(self) -> NDArray[np.bool_]:
        """Which actions are legal: [actions]."""
        return self._board.legal_mask()

    def is_legal(self, move: MoveLike) -> bool:
        """Whether a move may be played; text that is no move of this game is simply not legal."""
        try:
            return self._board.is_legal(self._game.move(move))
        except NotationError:
            return False

    def play(self, move: MoveLike) -> Move:
        """Play a move and return it.

        Raises ``NotationError`` if it names no point and ``IllegalMoveError`` if the rules refuse it; then nothing has
        changed.
        """
        checked = self._game.move(move)
        if not self._board.is_legal(checked):
            raise self._refusal(checked)
        self._board.play(checked)
        return checked

    def undo(self) -> Move:
        """Take the last move back and return it; raises ``IllegalMoveError`` if there is none."""
        last = self.last_move
        if last is None:
            raise IllegalMoveError("there is no move to undo")
        self._board.undo()
        return last

    def _refusal(self, move: Move) -> IllegalMoveError:
        def illegal(why: str, code: str, *more: object) -> IllegalMoveError:
            return IllegalMoveError(f"{move} is illegal: {why}", code=code, details=(move, *more))

        if self.is_over:
            return illegal(f"the game is over, {self.outcome()}", "over")
        if move.is_pass:
            example = self.legal_moves()[0]
            return illegal(f"{self.to_move} has a move, {example} for one", "may_not_pass", example)
        stone = self.stone(move)
        if stone:
            return illegal(f"there is a {stone} stone", "occupied", stone)
        foul = self.forbidden_reason(move)
        if foul:
            return illegal(f"it is forbidden to black, {foul}", "forbidden", foul)
        if self._must_pass():
            return illegal(f"it turns no disc, and {self.to_move} must pass", "must_pass", self.to_move)
        return illegal("it turns no disc", "turns_nothing")

    def forbidden_moves(self) -> list[Move]:
        """The empty points that renju forbids to black now; empty when white is to move or under other rules."""
        board = self._board
        if not isinstance(board, _core.GomokuBoard) or self.to_move is Side.WHITE or self.is_over:
            return []
        return [self._game.moves[action] for action in board.fouls()]

    def forbidden_reason(self, move: MoveLike) -> Foul | None:
        """Which foul black would commit by playing there, whoever is to move; None under other rules."""
        if not isinstance(self._board, _core.GomokuBoard):
            return None
        return _FOULS[self._board.foul(self._game.move(move))]

    # The end.

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._board.result != 0

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if not self.is_over:
            return None
        winner = {1: Side.BLACK, 2: Side.WHITE, 3: None}[self._board.result]
        reason = _REASONS[self._board.reason]
        assert reason is not None
        line = self._board.winning_line() if isinstance(self._board, _core.GomokuBoard) else ()
        return Outcome(winner, reason, tuple(self._game.moves[action] for action in line))

    def score(self, *, empties_to_winner: bool = False) -> tuple[int, int]:
        """Stones of black and of white; for a finished Othello game the empties may go to the winner.

        A drawn game shares the empties, as tournaments do.
        """
        if isinstance(self._board, _core.GomokuBoard):
            cells = self.board()
            return int((cells == 1).sum()), int((cells == 2).sum())
        black, white = self._board.count(0), self._board.count(1)
        if empties_to_winner and self.is_over:
            empties = self.size * self.size - black - white
            return (
                black + (empties if black > white else empties // 2 if black == white else 0),
                white + (empties if white > black else empties // 2 if black == white else 0),
            )
        return black, white

    def flips(self, move: MoveLike) -> list[Move]:
        """The discs that a legal Othello move would turn; empty in other games."""
        if isinstance(self._board, _core.GomokuBoard):
            return []
        return [self._game.moves[action] for action in self._board.flips(self._game.move(move))]

    # What learners and searches read.

    def shapes(self, side: Side | str) -> NDArray[np.uint8]:
        """Line shapes of one side at every point: [4, size, size] of :class:`Shape` codes.

        The four directions are along the row, along the column, down-right and up-right. At an empty point it is the
        shape the side would make by playing there, at its own stone the shape the stone is part of, at a rival's 0.
        Raises ``TengenError`` for games without lines.
        """
        if not isinstance(self._board, _core.GomokuBoard):
            raise TengenError(f"{self._game} has no line shapes")
        return self._board.shapes(Side.parse(side).index)

    def planes(self, encoding: str = "s0") -> NDArray[np.float32]:
        """The position as planes for a network, float32 [planes, size, size].

        ``s0``: own, rival. ``s1``: own 1, rival -1. ``s2``: white, empty, black. ``s3``: own, rival, last move, black
        to move. ``s4``: own and rival for the last six positions (from the mover's view now), black to move. Raises
        ``TengenError`` for another name.
        """
        if not isinstance(encoding, str) or encoding not in ENCODINGS:
            raise TengenError(f"unknown encoding {encoding!r}; the encodings are {', '.join(ENCODINGS)}")
        return self._board.planes(encoding)

    def symmetries(self) -> list[Position]:
        """The position seen in the eight symmetries of the square, itself first; moves are carried along."""
        return [self._image(image) for image in self._game.symmetry_maps()]

    def _image(self, image: NDArray[np.int64]) -> Position:
        start = type(self)(self._game) if self._setup is None else self._setup_only()
        cells = start.board().ravel()
        turned = np.zeros_like(cells)
        turned[image[: cells.size]] = cells
        moves = [int(image[move]) for move in self.moves]
        if self._setup is None and np.array_equal(turned, cells):
            return type(self)(self._game, moves)
        black, white = (np.flatnonzero(turned == code).tolist() for code in (1, 2))
        return self.from_stones(self._game, black=black, white=white, to_move=start.to_move, moves=moves)

    def _setup_only(self) -> Position:
        assert self._setup is not None
        setup = self._setup
        return self.from_stones(self._game, black=setup.black, white=setup.white, to_move=setup.to_move)

    @property
    def hash(self) -> int:
        """64 bits that equal positions share and different ones almost never do; the same in every process."""
        return self._board.hash

    @property
    def core(self) -> CoreBoard:
        """The board of the C++ core, for searches; changing it changes this position."""
        return self._board

    # Copying, comparing, writing down.

    def copy(self) -> Self:
        """An independent copy, history included."""
        twin = object.__new__(type(self))
        twin._game, twin._setup, twin._board = self._game, self._setup, self._board.copy()
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self._game == other._game
            and self.to_move is other.to_move
            and self.hash == other.hash
            and np.array_equal(self.board(), other.board())
        )

    __hash__ = None  # type: ignore[assignment]  # a position changes; use .hash

    def to_dict(self) -> dict[str, Any]:
        """The position as plain JSON values; :meth:`from_dict` reads it back, history included."""
        data: dict[str, Any] = {"game": self._game.name, "moves": [str(move) for move in self.moves]}
        if self._setup:
            data["setup"] = {
                "black": [str(move) for move in self._setup.black],
                "white": [str(move) for move in self._setup.white],
                "to_move": str(self._setup.to_move),
            }
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote; raises ``TengenError`` that says what is wrong with it."""
        if not isinstance(data, Mapping):
            raise PositionError(f"a position is a mapping, not {type(data).__name__}")
        unknown = set(data) - {"game", "moves", "setup"}
        if unknown or "game" not in data:
            raise PositionError(
                f"a position has the keys game, moves and setup, not {', '.join(map(str, data)) or 'none'}"
            )
        moves, setup = data.get("moves", []), data.get("setup")
        if not isinstance(moves, list):
            raise PositionError("moves must be a list")
        if setup is None:
            return cls(data["game"], moves)
        if not isinstance(setup, Mapping) or set(setup) != {"black", "white", "to_move"}:
            raise PositionError("setup must have the keys black, white and to_move")
        if not isinstance(setup["black"], list) or not isinstance(setup["white"], list):
            raise PositionError("the stones of a setup must be lists")
        return cls.from_stones(
            data["game"], black=setup["black"], white=setup["white"], to_move=setup["to_move"], moves=moves
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_dict, (self.to_dict(),)

    def __str__(self) -> str:
        from tengen.games._drawing import draw

        return draw(self)

    def __repr__(self) -> str:
        moves = "".join(str(move) for move in self.moves)
        if self._setup:
            count = len(self._setup.black) + len(self._setup.white)
            return f"<Position {self._game.name!r} set up with {count} stones, moves {moves!r}>"
        return f"Position({self._game.name!r}, {moves!r})"
