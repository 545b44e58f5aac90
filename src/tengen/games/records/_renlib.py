"""RenLib libraries (.lib): trees of 15x15 Renju or Gomoku moves with comments and board texts, read only."""

from __future__ import annotations

from functools import partial

from tengen.games import Game, Move

from ._builder import Budget, Builder, choose_game, failure
from ._record import UNKNOWN, Mark, Node, Record
from ._text import decode, one_line, unix_lines

FORMAT = "renlib"
SIGNATURE = b"\xffRenLib\xff"

_HEADER_LENGTH = 20
_NEWEST_MAJOR = 3
_CENTRE = 0x78
_SIZE = 15

# Flags of a node's second byte.
_SIBLING = 0x80
_LEAF = 0x40
_OLD_COMMENT = 0x20
_MARK = 0x10
_COMMENT = 0x08
_NO_MOVE = 0x02
_EXTENSION = 0x01
_BOARD_TEXT = 0x01  # in the second extension byte

# Old comments are 7-bit with the Swedish letters on ASCII signs.
_SWEDISH = str.maketrans("}{|][\\", "åäöÅÄÖ")


def read(data: bytes | str, asked: Game | None, budget: Budget) -> list[Record]:
    """The one tree of a library, as Renju unless another game is named. Raises RecordError with the byte."""
    if isinstance(data, str):
        raise failure(FORMAT, "byte 0", "the format is binary, this is text")
    if data.startswith(SIGNATURE):
        if len(data) < _HEADER_LENGTH:
            raise failure(FORMAT, f"byte {len(data)}", "the file ends inside the 20-byte header")
        if data[8] > _NEWEST_MAJOR:
            raise failure(FORMAT, "byte 8", f"version {data[8]}.{data[9]} is newer than this reader")
        start = _HEADER_LENGTH
    elif data[:1] == bytes([_CENTRE]):
        start = 0  # the oldest libraries have no header and begin at the centre
    else:
        raise failure(FORMAT, "byte 0", "the file does not begin with the RenLib signature")
    game = choose_game(partial(failure, FORMAT, "byte 0"), asked, "gomoku", size=_SIZE, rule="renju")
    library = _Library(data, game, budget)
    library.read(start)
    return [library.builder.finish({}, UNKNOWN)]


class _Library:
    """Reads nodes in file order; `branches` holds the depth to return to for each sibling still to come."""

    def __init__(self, data: bytes, game: Game, budget: Budget) -> None:
        # An even length lets every pair be read without a check of its second byte.
        self.data = data if len(data) % 2 == 0 else data + b"\0"
        self.builder = Builder(FORMAT, lambda at: f"byte {at}", budget)
        self.builder.begin(game)
        self.moves = game.moves
        self.branches: list[int] = []

    def read(self, at: int) -> None:
        """Reads all nodes from offset `at` to the end of the data."""
        data, builder = self.data, self.builder
        end = len(data)
        first = True
        while at < end:
            start, point, flags = at, data[at], data[at + 1]
            at += 2
            extension = 0
            if flags & _EXTENSION:
                if at >= end:
                    raise builder.error(at, "the file ends inside a node")
                extension = data[at + 1]
                at += 2
            comment = label = ""
            if flags & _OLD_COMMENT:
                comment, at = self._old_text(at)
            if flags & _COMMENT:
                comment, at = self._text(at)
            if extension & _BOARD_TEXT:
                label, at = self._text(at)
                label = one_line(label)
            if point == 0:
                if not first:
                    if not data[start:].strip(b"\0"):
                        return  # padding
                    raise builder.error(start, f"move {len(builder.path)}: a pass, which {builder.game} does not have")
                builder.comment(builder.root, comment)
                builder.root.label = label
            else:
                self._node(start, point, flags, comment, label)
            first = False

    def _node(self, at: int, point: int, flags: int, comment: str, label: str) -> None:
        builder = self.builder
        move = self._point(at, point)
        depth = len(builder.path) - 1
        if flags & _SIBLING:
            self.branches.append(depth)
        if flags & _NO_MOVE:
            if not flags & _LEAF:
                raise builder.error(at, f"moves follow {move}, which is only a text on the board")
            builder.mark(builder.path[-1], Mark("label", move, label), at)
            builder.comment(builder.path[-1], comment)
        else:
            node = builder.play(move, at)
            if node is not None:
                self._describe(node, move, flags, comment, label)
        if flags & _LEAF:
            # As RenLib does, a leaf with no sibling to come goes back to the root.
            builder.rewind(self.branches.pop() if self.branches else 0)

    def _describe(self, node: Node, move: Move, flags: int, comment: str, label: str) -> None:
        node.comment = comment
        node.label = label
        if flags & _MARK:
            node.marks = (Mark("triangle", move),)

    def _point(self, at: int, point: int) -> Move:
        column, row = (point & 15) - 1, point >> 4
        if column < 0 or row >= _SIZE:
            raise self.builder.error(at, f"0x{point:02x} is no point")
        return self.moves[row * _SIZE + column]

    def _text(self, at: int) -> tuple[str, int]:
        """A text that a zero byte ends, padded to an even length; byte 8 separates its first line from the rest."""
        end = self.data.find(b"\0", at)
        if end < 0:
            raise self.builder.error(at, "a text has no end")
        text = unix_lines(decode(self.data[at:end]).replace("\b", "\n")).strip("\n")
        length = end + 1 - at
        return text, at + length + length % 2

    def _old_text(self, at: int) -> tuple[str, int]:
        """A text of 7-bit characters whose last byte has the high bit set, padded to an even length."""
        end = at
        while end < len(self.data) and self.data[end] < 0x80:
            end += 1
        if end >= len(self.data):
            raise self.builder.error(at, "a text has no end")
        raw = self.data[at:end] + bytes([self.data[end] & 0x7F])
        length = end + 1 - at
        text = unix_lines(raw.decode("ascii").translate(_SWEDISH).replace("\b", "\n")).strip("\n")
        return text, at + length + length % 2
