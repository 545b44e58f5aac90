"""The model of a game record: a tree of moves, headers and a typed result; no format knows more than this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from tengen.errors import IllegalMoveError, RecordError
from tengen.games import Game, Move, Position, Reason, Setup, Side


class Verdict(StrEnum):
    """Who won, as a record states it; `UNKNOWN` is a game that did not end or whose result is not written."""

    BLACK = "black"
    WHITE = "white"
    DRAW = "draw"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a recorded game.

    `reason` is None for a game that ended on the board, or where the record does not say. `score` is (black, white) and
    only for Othello; the winner has the empty squares, so that it adds up to the board.
    """

    verdict: Verdict = Verdict.UNKNOWN
    reason: Reason | None = None
    score: tuple[int, int] | None = None

    @classmethod
    def won(cls, side: Side, reason: Reason | None = None, score: tuple[int, int] | None = None) -> Result:
        """The result of a game that `side` won."""
        return cls(Verdict(side.value), reason, score)

    @classmethod
    def by_difference(cls, game: Game, difference: int, reason: Reason | None = None) -> Result:
        """The result with black `difference` discs ahead, and the score where a full Othello board gives it."""
        cells = game.size * game.size
        possible = game.kind == "othello" and abs(difference) <= cells and (cells + difference) % 2 == 0
        score = ((cells + difference) // 2, (cells - difference) // 2) if possible else None
        if difference == 0:
            return cls(Verdict.DRAW, reason, score)
        return cls.won(Side.BLACK if difference > 0 else Side.WHITE, reason, score)

    @classmethod
    def of(cls, position: Position) -> Result:
        """The result that stands on the board, `UNKNOWN` while the game is not over."""
        outcome = position.outcome()
        if outcome is None:
            return UNKNOWN
        score = position.score(empties_to_winner=True) if position.game.kind == "othello" else None
        return cls(Verdict.DRAW if outcome.winner is None else Verdict(outcome.winner.value), score=score)

    @property
    def winner(self) -> Side | None:
        """The winner, None for a draw and for an unknown result (`is_draw` tells them apart)."""
        return Side(self.verdict.value) if self.verdict in (Verdict.BLACK, Verdict.WHITE) else None

    @property
    def is_draw(self) -> bool:
        """Whether the game is known to be a draw."""
        return self.verdict is Verdict.DRAW

    @property
    def is_known(self) -> bool:
        """Whether the record says how the game ended."""
        return self.verdict is not Verdict.UNKNOWN

    def __str__(self) -> str:
        score = f" {self.score[0]}-{self.score[1]}" if self.score else ""
        reason = f" by {self.reason}" if self.reason else ""
        return f"{self.verdict}{score}{reason}"


UNKNOWN = Result()


class Mark(NamedTuple):
    """A sign on a point of the position a node leads to: `kind` is label, triangle, square, circle or cross."""

    kind: str
    point: Move
    text: str = ""


class Node:
    """A move of a game tree with what was written about it.

    `move` is None for the root alone; anything but a Move is a RecordError. `eval` is from the side that played the
    move; `label` is a short name.
    Nodes compare by identity: a library holds hundreds of thousands, and comparing a tree is `Record`'s business.
    """

    __slots__ = ("children", "comment", "eval", "label", "marks", "move", "time_ms")

    def __init__(
        self,
        move: Move | None = None,
        *,
        comment: str = "",
        label: str = "",
        marks: tuple[Mark, ...] = (),
        time_ms: int | None = None,
        eval: float | None = None,  # noqa: A002  the word every record format uses
    ) -> None:
        if not (move is None or isinstance(move, Move)):  # no game is at hand that could read a text
            raise RecordError(f"a node holds a Move, as record.game.move({move!r}) makes one, not {move!r}")
        self.move = move
        self.comment = comment
        self.label = label
        self.marks = marks
        self.time_ms = time_ms
        self.eval = eval
        self.children: list[Node] = []

    def add(self, move: Move) -> Node:
        """Appends a child with this move and returns it; legality is not looked at. Raises RecordError for no Move."""
        child = Node(move)
        self.children.append(child)
        return child

    def walk(self) -> Iterator[tuple[int, Node]]:
        """All nodes from this one on as (depth, node), parents before children, the first child's line first."""
        stack = [(0, self)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack.extend((depth + 1, child) for child in reversed(node.children))

    def line(self) -> Iterator[Node]:
        """The nodes of the main line below this one: first children down to the leaf."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def __repr__(self) -> str:
        return f"Node({self.move}, {len(self.children)} children)"


def _same_node(a: Node, b: Node) -> bool:
    return (
        a.move == b.move
        and a.comment == b.comment
        and a.label == b.label
        and (a.marks == b.marks or sorted(a.marks) == sorted(b.marks))
        and a.time_ms == b.time_ms
        and a.eval == b.eval
        and len(a.children) == len(b.children)
    )


def normal_setup(game: Game, setup: Setup | None) -> Setup | None:
    """The set-up, or None when it is the ordinary start of the game, so that equal games have equal records."""
    if setup is None or setup.to_move is not Side.BLACK:
        return setup
    start = Position(game).board().ravel()
    stones = zip((setup.black, setup.white), (1, 2), strict=True)
    usual = all(set(map(int, side)) == set(np.flatnonzero(start == code)) for side, code in stones)
    return None if usual else setup


def _setup_key(setup: Setup | None) -> tuple[frozenset[int], frozenset[int], str] | None:
    if setup is None:
        return None
    return frozenset(map(int, setup.black)), frozenset(map(int, setup.white)), str(setup.to_move)


@dataclass(slots=True, eq=False, repr=False)
class Record:
    """A game tree with headers: what a file about one game says.

    `root` has no move, its children are the first moves, and the first children make the main line. Header keys are
    lower-case and the same for every format (see `docs/records.md`). `result` is what counts: `headers["result"]` is
    only there when the file's words say more. Records are equal when game, set-up, headers, result and whole tree are.
    """

    game: Game
    setup: Setup | None = None
    root: Node = field(default_factory=Node)
    headers: dict[str, str] = field(default_factory=dict)
    result: Result = UNKNOWN

    @classmethod
    def from_position(cls, position: Position, **headers: str) -> Record:
        """The record of the moves played to `position`, from its set-up, with the result the board shows."""
        record = cls(
            position.game, normal_setup(position.game, position.setup), headers=headers, result=Result.of(position)
        )
        node = record.root
        for move in position.moves:
            node = node.add(move)
        return record

    @property
    def moves(self) -> list[Move]:
        """The moves of the main line."""
        return [node.move for node in self.root.line() if node.move is not None]

    def start(self) -> Position:
        """A new position before the first move."""
        if self.setup is None:
            return Position(self.game)
        return Position.from_stones(
            self.game, black=self.setup.black, white=self.setup.white, to_move=self.setup.to_move
        )

    def position(self, ply: int | None = None) -> Position:
        """A new position after `ply` moves of the main line, or after all of them.

        A renju foul that ends the main line is not played, as no position can hold it: `result` tells of it. Raises
        RecordError for a ply outside the main line, IllegalMoveError for a tree built by hand with a wrong move.
        """
        moves = self.moves
        if ply is not None and not 0 <= ply <= len(moves):
            raise RecordError(f"ply {ply}: the main line has {len(moves)} moves")
        position = self.start()
        for number, move in enumerate(moves[:ply], 1):
            try:
                position.play(move)
            except IllegalMoveError:
                if number == len(moves) and is_foul(position, move):
                    break
                raise
        return position

    def __repr__(self) -> str:
        return f"<Record of {self.game}, {len(self.moves)} moves, {self.result}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            self.game == other.game
            and _setup_key(self.setup) == _setup_key(other.setup)
            and self.headers == other.headers
            and self.result == other.result
            and all(_same_node(a, b) for (_, a), (_, b) in zip(self.root.walk(), other.root.walk(), strict=False))
        )


def is_foul(position: Position, move: Move) -> bool:
    """Whether `move` is an empty point that the renju rules forbid to the mover."""
    return (
        position.game.rule == "renju"
        and not position.is_over
        and position.stone(move) is None
        and position.forbidden_reason(move) is not None
    )
