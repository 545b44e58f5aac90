"""What all readers share: errors with a place, the node budget, the choice of the game, and a checked tree builder."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tengen.errors import IllegalMoveError, RecordError, TengenError
from tengen.games import Game, Move, Position, Reason, Setup, Side

from ._record import Mark, Node, Record, Result, is_foul, normal_setup

MAX_BYTES = 64 * 1024 * 1024
"""Longest input that is read unless the caller says otherwise."""

MAX_NODES = 2_000_000
"""Most nodes of one input unless the caller says otherwise; a mark or a comment counts as one, a game as two."""

Place = Callable[[int], str]
"""Turns an offset into words for an error; only called when there is one."""


def failure(format: str, place: str, message: str) -> RecordError:  # noqa: A002  the API's own word
    """The error to raise for a record that cannot be read or written."""
    return RecordError(message, format=format, place=place)


class Budget:
    """Counts nodes down over one input, so that a small hostile file cannot ask for unbounded memory.

    ``games`` is how many of a file's games are wanted, the first ones; None: all.
    """

    __slots__ = ("format", "games", "left", "limit")

    def __init__(self, format: str, limit: int, games: int | None = None) -> None:  # noqa: A002
        self.format = format
        self.games = games
        self.limit = limit
        self.left = limit

    def has_enough(self, records: list[Record]) -> bool:
        """Whether no game more is wanted than these."""
        return self.games is not None and len(records) >= self.games

    def spend(self, place: Place, at: int, count: int = 1) -> None:
        """Takes nodes off; raises RecordError when too few are left."""
        self.left -= count
        if self.left < 0:
            raise failure(self.format, place(at), f"more than {self.limit} nodes")


def choose_game(
    fail: Callable[[str], RecordError],
    asked: Game | None,
    kind: str,
    *,
    size: int | None = None,
    rule: str | None = None,
    win: int | None = None,
) -> Game:
    """The game of a record from what its file says and what the caller asked for.

    The file decides kind and size; the caller's game decides the rule, and the size where the file is silent. Raises
    what `fail` makes of the reason when the kinds differ or when Tengen has no such game.
    """
    if asked is not None and asked.kind != kind:
        raise fail(f"the record is of {kind}, not of {asked}")
    if asked is not None and size in (None, asked.size):
        return asked
    if kind == "othello":
        name = f"othello:size={8 if size is None else size}"
    else:
        rule = asked.rule if asked is not None else rule or "freestyle"
        win = asked.win if asked is not None else win or 5
        name = f"gomoku:size={15 if size is None else size},rule={rule}" + (f",win={win}" if win != 5 else "")
    try:
        return Game.parse(name)
    except TengenError as error:
        raise fail(str(error)) from None


class Builder:
    """Grows the tree of one record and plays every move on a board as it goes, so that checking a tree is linear.

    Call `begin` once, then `play` and `rewind` in the order of the file, then `finish`; annotate at any time.
    """

    def __init__(self, format: str, place: Place, budget: Budget) -> None:  # noqa: A002
        self.format = format
        self.place = place
        self.budget = budget
        self.root = Node()
        self.path = [self.root]
        self.game: Game
        self.position: Position
        self.setup: Setup | None = None
        self._pass: Move | None = None
        self._foul: Node | None = None
        self._fouls: set[int] = set()
        self._comments: dict[int, tuple[Node, list[str]]] = {}
        self._marks: dict[int, tuple[Node, list[Mark]]] = {}
        budget.spend(place, 0, 2)

    def error(self, at: int, message: str) -> RecordError:
        """A RecordError about offset `at` of the input."""
        return failure(self.format, self.place(at), message)

    def begin(self, game: Game, stones: tuple[Iterable[Move], Iterable[Move], Side] | None = None, at: int = 0) -> None:
        """Sets the game and the position before the first move; raises RecordError when the stones make no position."""
        self.game = game
        self._pass = game.moves[-1] if game.has_pass else None
        if stones is None:
            self.position = Position(game)
            return
        black, white, to_move = stones
        try:
            self.position = Position.from_stones(game, black=list(black), white=list(white), to_move=to_move)
        except TengenError as error:
            raise self.error(at, f"set-up: {error}") from None
        self.setup = normal_setup(game, self.position.setup)

    def play(self, move: Move, at: int, side: Side | None = None) -> Node | None:
        """Adds a move below the current node and steps to it.

        An Othello pass that the file left out is put in; one after the end of the game is dropped (None). Renju fouls
        become leaves. Raises RecordError naming the move number when the rules or the colour forbid the move.
        """
        if self._foul is not None:
            raise self._wrong(move, at, "it follows a foul, which ends the game")
        position = self.position
        if self._pass is not None:
            if move.is_pass and position.is_over:
                return None
            if not move.is_pass and position.is_legal(self._pass):
                self._step(self._pass, at, reuse=True)
        if side is not None and side != position.to_move:
            raise self._wrong(move, at, f"it is {side}'s, but {position.to_move} is to move")
        try:
            return self._step(move, at)
        except IllegalMoveError as error:
            if is_foul(position, move):
                return self._step_foul(move, at)
            raise self._wrong(move, at, str(error)) from None

    def _step(self, move: Move, at: int, *, reuse: bool = False) -> Node:
        self.position.play(move)
        parent = self.path[-1]
        if reuse and parent.children:
            # A pass is the only move where it is legal, so the variation before this one made the same node.
            node = parent.children[0]
        else:
            self.budget.spend(self.place, at)
            node = parent.add(move)
        self.path.append(node)
        return node

    def _step_foul(self, move: Move, at: int) -> Node:
        self.budget.spend(self.place, at)
        node = self.path[-1].add(move)
        self.path.append(node)
        self._foul = node
        self._fouls.add(id(node))
        return node

    def _wrong(self, move: Move, at: int, why: str) -> RecordError:
        return self.error(at, f"move {len(self.path)} ({move}): {why}")

    def rewind(self, depth: int) -> None:
        """Steps back until the current node is `depth` moves below the root."""
        while len(self.path) - 1 > depth:
            if self.path.pop() is self._foul:
                self._foul = None
            else:
                self.position.undo()

    def comment(self, node: Node, text: str) -> None:
        """Adds a paragraph to a node's comment; parts are joined once, at the end, to stay linear."""
        if not node.comment:
            node.comment = text
        elif text:
            self._comments.setdefault(id(node), (node, [node.comment]))[1].append(text)

    def mark(self, node: Node, mark: Mark, at: int) -> None:
        """Adds a sign to a node."""
        self.budget.spend(self.place, at)
        self._marks.setdefault(id(node), (node, []))[1].append(mark)

    def finish(self, headers: dict[str, str], stated: Result) -> Record:
        """The record: its result is a closing foul, else what the file states, else what the board shows."""
        for node, parts in self._comments.values():
            node.comment = "\n".join(parts)
        for node, marks in self._marks.values():
            node.marks = tuple(marks)
        record = Record(self.game, self.setup, self.root, headers, stated)
        line = list(self.root.line())
        if line and id(line[-1]) in self._fouls:
            record.result = Result.won(Side.WHITE, Reason.FOUL)
        elif not stated.is_known:
            record.result = Result.of(self._end_of(line))
        return record

    def _end_of(self, line: list[Node]) -> Position:
        if self.path[-1] is (line[-1] if line else self.root):
            return self.position
        self.rewind(0)
        for node in line:
            if node.move is not None:
                self.position.play(node.move)
                self.path.append(node)
        return self.position
