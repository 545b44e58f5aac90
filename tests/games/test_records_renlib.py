"""RenLib libraries, built byte by byte from the format."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from tengen.errors import RecordError
from tengen.games import records as rec
from tengen.games.records import Mark, Record

HEADER = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
SIBLING, LEAF, OLD, MARK, COMMENT, START, NO_MOVE, EXTENSION = 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01
ROOT = b"\0\0"


def point(text: str) -> int:
    column, row = ord(text[0]) - ord("a"), 15 - int(text[1:])
    return 16 * row + column + 1


def padded(text: bytes) -> bytes:
    text += b"\0"
    return text + b"\0" * (len(text) % 2)


def node(move: str, flags: int = 0, *, comment: bytes = b"", label: bytes = b"") -> bytes:
    if comment:
        flags |= COMMENT
    data = bytes([point(move), flags | (EXTENSION if label else 0)])
    if label:
        data += b"\x00\x01"
    if comment:
        data += padded(comment)
    if label:
        data += padded(label)
    return data


def one(data: bytes, game: str | None = None) -> Record:
    (record,) = rec.loads(data, game=game)
    return record


def shape(record: Record) -> list[tuple[int, str]]:
    return [(depth, str(item.move)) for depth, item in record.root.walk()][1:]


def test_centre_is_0x78_and_rows_count_from_the_top() -> None:
    assert point("h8") == 0x78
    assert point("a15") == 0x01
    assert point("o1") == 0xEF
    record = one(HEADER + bytes([0x78, 0, 0x68, LEAF]))
    assert [str(move) for move in record.moves] == ["h8", "h9"]
    assert record.game.name == "renju"
    assert one(HEADER + bytes([0x78, LEAF]), "gomoku").game.name == "gomoku"


def test_tree_in_pre_order() -> None:
    data = (
        HEADER
        + ROOT
        + node("h8")
        + node("h9", SIBLING)
        + node("h10", SIBLING | LEAF)
        + node("i10")
        + node("j11", LEAF)
        + node("i9")
        + node("j10", LEAF)
    )
    assert shape(one(data)) == [
        (1, "h8"),
        (2, "h9"),
        (3, "h10"),
        (3, "i10"),
        (4, "j11"),
        (2, "i9"),
        (3, "j10"),
    ]


def test_siblings_of_the_first_move() -> None:
    data = HEADER + ROOT + node("h8", SIBLING) + node("h9", LEAF) + node("g7", SIBLING | LEAF) + node("a1", LEAF)
    assert shape(one(data)) == [(1, "h8"), (2, "h9"), (1, "g7"), (1, "a1")]


def test_comments_labels_and_marks() -> None:
    data = (
        HEADER
        + bytes([0, COMMENT])
        + padded(b"about")
        + node("h8", comment=b"even")
        + node("h9", SIBLING | LEAF | MARK, comment=b"odd", label=b"A")
        + node("i9", LEAF | START, label=b"bc", comment=b"one line\x08more\r\nlines")
    )
    record = one(data)
    assert record.root.comment == "about"
    first = record.root.children[0]
    assert first.comment == "even"
    left, right = first.children
    assert (left.comment, left.label) == ("odd", "A")
    assert left.marks == (Mark("triangle", record.game.move("h9")),)
    assert (right.comment, right.label, right.marks) == ("one line\nmore\nlines", "bc", ())


def test_a_text_without_a_move_marks_the_position_before() -> None:
    data = HEADER + ROOT + node("h8") + node("i9", SIBLING | LEAF | NO_MOVE, label=b"X") + node("h9", LEAF)
    record = one(data)
    assert shape(record) == [(1, "h8"), (2, "h9")]
    assert record.root.children[0].marks == (Mark("label", record.game.move("i9"), "X"),)


def test_old_comments_are_seven_bit() -> None:
    data = HEADER + bytes([point("h8"), OLD]) + b"ab}" + bytes([ord("c") | 0x80]) + node("h9", LEAF)
    assert one(data).root.children[0].comment == "abåc"
    data = HEADER + bytes([point("h8"), OLD]) + b"a\r\n" + bytes([ord("b") | 0x80]) + node("h9", LEAF)
    assert one(data).root.children[0].comment == "a\nb"
    data = HEADER + bytes([point("h8"), OLD]) + b"ab" + bytes([ord("c") | 0x80, 0]) + node("h9", LEAF)
    assert one(data).root.children[0].comment == "abc"


def test_comment_encodings() -> None:
    data = HEADER + node("h8", LEAF, comment="黑胜".encode("gb2312"))
    assert one(data).root.children[0].comment == "黑胜"
    data = HEADER + node("h8", LEAF, comment="é".encode("latin-1"))
    assert one(data).root.children[0].comment == "é"


def test_libraries_without_a_header_and_padding() -> None:
    (record,) = rec.loads(node("h8") + node("h9", LEAF), "renlib")
    assert [str(move) for move in record.moves] == ["h8", "h9"]
    assert shape(one(HEADER + node("h8", LEAF) + bytes(100))) == [(1, "h8")]
    assert shape(one(HEADER)) == []


def test_a_foul_may_be_a_leaf_of_a_library() -> None:
    moves = ("f8", "a1", "g8", "a15", "h9", "o1", "h10", "o15")
    start = HEADER + ROOT + b"".join(node(move) for move in moves)
    record = one(start + node("a8", SIBLING | LEAF) + node("h8", LEAF))
    assert [str(child.move) for child in list(record.root.line())[7].children] == ["a8", "h8"]
    with pytest.raises(RecordError, match="follows a foul"):
        one(start + node("h8") + node("b8", LEAF))
    assert len(one(start + node("h8") + node("b8", LEAF), "gomoku").moves) == 10


@pytest.mark.parametrize(
    ("data", "place", "why"),
    [
        (b"\xffRenLib\xff\x03", "byte 9", "20-byte header"),
        (b"RenLib", "byte 0", "signature"),
        (b"\xffRenLib\xff\x04\x00" + b"\xff" * 10, "byte 8", "version 4.0"),
        (HEADER + bytes([0x70, 0]), "byte 20", "0x70 is no point"),
        (HEADER + bytes([0xF1, 0]), "byte 20", "0xf1 is no point"),
        (HEADER + node("h8") + node("h8", LEAF), "byte 22", r"move 2 \(h8\)"),
        (HEADER + node("h8") + bytes([0, LEAF, 1, 1]), "byte 22", "move 2: a pass"),
        (HEADER + bytes([0x78, COMMENT]) + b"no end", "byte 22", "a text has no end"),
        (HEADER + bytes([0x78, OLD]) + b"no end", "byte 22", "a text has no end"),
        (HEADER + bytes([0x78, EXTENSION]), "byte 22", "ends inside a node"),
        (HEADER + bytes([0x78, EXTENSION, 0, 1]) + b"no end", "byte 24", "a text has no end"),
        (HEADER + node("h8", NO_MOVE, label=b"x") + node("h9"), "byte 20", "only a text on the board"),
    ],
)
def test_errors_have_a_byte(data: bytes, place: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        rec.loads(data, "renlib")
    assert caught.value.place == place


def test_the_board_is_fifteen() -> None:
    with pytest.raises(RecordError, match="of gomoku, not of othello"):
        rec.loads(HEADER + node("h8", LEAF), game="othello")
    assert rec.loads(HEADER + node("h8", LEAF), game="gomoku:size=20")[0].game.size == 15


def library(copies: int) -> bytes:
    """A broad tree: below each of many first moves a line of ten and, at its end, many replies."""
    parts = [HEADER, ROOT]
    rows = [f"{column}{row}" for row in (1, 3, 5) for column in "acegikmo"]
    for copy in range(copies):
        last = copy == copies - 1
        parts.append(node("h15", 0 if last else SIBLING))
        parts.extend(node(move) for move in rows[:10])
        replies = [f"{column}{row}" for row in (8, 10, 12) for column in "abcdefghijklmno"]
        parts.extend(node(move, LEAF | (0 if move == replies[-1] else SIBLING)) for move in replies)
    return b"".join(parts)


def test_a_big_library_is_read_fast_and_compactly() -> None:
    data = library(2000)
    before = time.process_time()
    record = one(data)
    seconds = time.process_time() - before
    count = sum(1 for _ in record.root.walk()) - 1
    assert count == 2000 * 56
    assert seconds < 10  # about half a second where this was written
    tracemalloc.start()
    kept = one(library(200))
    per_node = tracemalloc.get_traced_memory()[0] / (200 * 56)
    tracemalloc.stop()
    assert len(kept.root.children) == 200
    assert per_node < 300


def test_the_node_limit_holds() -> None:
    with pytest.raises(RecordError, match="more than 1000 nodes"):
        rec.loads(library(100), max_nodes=1000)


def test_a_library_can_be_kept_as_sgf() -> None:
    record = one(library(3))
    assert rec.loads(rec.dumps(record, "sgf")) == [record]
