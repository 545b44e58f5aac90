"""Hostile input: whatever the bytes, the answer is a list of records or a RecordError, soon."""

from __future__ import annotations

import random
import re
import struct
import time
from collections.abc import Callable

import pytest

from tengen.errors import RecordError
from tengen.games import records as rec
from tengen.games.records import FORMATS, Record

INPUTS = 100_000

_RENLIB = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
_WTHOR = bytes([20, 1, 12, 31]) + struct.pack("<ihh", 2, 0, 2001) + bytes([8, 0, 22, 0])
_WTHOR_GAME = struct.pack("<hhhBB", 1, 2, 3, 40, 38) + bytes([56, 64, 33, 34, 43, 66]).ljust(60, b"\0")
_BOARD = b"8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"

SEEDS: dict[str, list[bytes]] = {
    "moves": [b"h8h9i8i9j8j9", b"f5 d6, c3\nd3 c4 pass", b"d3c3e6d2d1e1b2c1a3\n\nh8i9", b"1. h8 2. --"],
    "sgf": [
        b"(;GM[4]SZ[15]RU[renju]PB[a]RE[B+R]C[x\\]y];B[hh];W[hg](;B[ii]V[0.5];W[ij])(;B[jj]LB[aa:1]TR[bb:cc]))",
        b"(;GM[2]CA[gb2312]AB[ed][de]AW[dd][ee]PL[B];B[fe];W[];B[tt]MS[12])",
        b"(;GaMe[4]SiZe[20];Black[aa]White[bb])(;AB[aa:cc]AE[bb];W[hh])",
    ],
    "psq": [
        b"Piskvorky 20x20, 11:11, 0\r\n10,10,0\r\n11,10,15\r\n1,1,7\r\none\r\ntwo\r\n15\r\n",
        b"Piskvorky 15x15\n8,8\n9,9,1\n0\n",
    ],
    "ggf": [
        b"(;GM[Othello]PB[a]TY[8]RE[-40.0:r]BO[" + _BOARD + b"]B[F5/1.5/0.01]W[D6//2:05]B[C3];)",
        b"2 (;GM[Othello]B[f5]W[PA];)(;GM[Othello]TY[10];)",
    ],
    "wthor": [_WTHOR + _WTHOR_GAME * 2, _WTHOR[:4] + struct.pack("<ihh", 1, 0, 0) + bytes([10, 0, 0, 0]) + bytes(104)],
    "renlib": [
        _RENLIB + bytes.fromhex("0008 6869 0000 7800 68c8 616200 00 7740 5541") + b"\0\1A\0",
        _RENLIB + bytes.fromhex("7880 6840 5600 4520 6180 3442 2150"),
    ],
}

_NUMBER = re.compile(rb"\d+")
_NUMBERS = [
    b"0",
    b"-1",
    b"1",
    b"7",
    b"8",
    b"22",
    b"23",
    b"255",
    b"256",
    b"65536",
    b"2147483647",
    b"9" * 30,
    b"1" * 5000,
]
_BYTES = [0, 1, 9, 10, 11, 13, 28, 30, 31, 32, 40, 41, 59, 91, 92, 93, 127, 128, 255]

Mutation = Callable[[bytearray, random.Random], None]


def _flip(data: bytearray, rng: random.Random) -> None:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _replace(data: bytearray, rng: random.Random) -> None:
    data[rng.randrange(len(data))] = rng.choice(_BYTES) if rng.random() < 0.5 else rng.randrange(256)


def _cut(data: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(data))
    del data[start : start + rng.randrange(1, 12)]


def _truncate(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def _duplicate(data: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(data))
    data[start:start] = data[start : start + rng.randrange(1, 20)] * rng.randrange(1, 4)


def _insert(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(len(data))
    data[at:at] = bytes(rng.choice(_BYTES) for _ in range(rng.randrange(1, 4)))


def _splice(data: bytearray, rng: random.Random) -> None:
    other = rng.choice(rng.choice(list(SEEDS.values())))
    start = rng.randrange(len(other))
    data[rng.randrange(len(data)) :] = other[start:]


def _number(data: bytearray, rng: random.Random) -> None:
    found = list(_NUMBER.finditer(data))
    if found:
        match = rng.choice(found)
        data[match.start() : match.end()] = rng.choice(_NUMBERS)


MUTATIONS: list[Mutation] = [_flip, _replace, _cut, _truncate, _duplicate, _insert, _splice, _number]


def mutated(seed: bytes, rng: random.Random) -> bytes:
    data = bytearray(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        if data:
            rng.choice(MUTATIONS)(data, rng)
    return bytes(data)


def outcome(data: bytes | str, name: str | None, max_nodes: int = rec.MAX_NODES) -> list[Record] | None:
    """The records, or None for a RecordError that has a place; anything else passes through and fails the test."""
    try:
        records = rec.loads(data, name, max_nodes=max_nodes)
    except RecordError as error:
        if not error.place:
            raise AssertionError("an error without a place") from error
        return None
    assert all(isinstance(record, Record) for record in records)
    return records


def test_the_seeds_are_good_records() -> None:
    for name, seeds in SEEDS.items():
        assert name in FORMATS
        assert any(outcome(seed, name) for seed in seeds), name
    assert set(SEEDS) == set(FORMATS)


def test_mutated_inputs() -> None:
    rng = random.Random(20240501)
    cases = [(name, seed) for name, seeds in SEEDS.items() for seed in seeds]
    started = time.process_time()
    read = 0
    for number in range(INPUTS):
        name, seed = cases[number % len(cases)]
        data = mutated(seed, rng)
        way = rng.random()
        if way < 0.6:
            records = outcome(data, name)
        elif way < 0.9:
            records = outcome(data, None)
        else:
            records = outcome(data.decode("utf-8", "surrogateescape"), None if way < 0.95 else name)
        if records is not None:
            read += 1
            if read % 10 == 0:
                rewrite(records)
    assert INPUTS // 20 < read < INPUTS - INPUTS // 20  # both answers must be common, or the mutations test little
    assert time.process_time() - started < 60


def rewrite(records: list[Record]) -> None:
    """What was read from a damaged file can be written, and is the same game when it is read again."""
    games = {record.game for record in records}
    for name, entry in FORMATS.items():
        if entry.write is None or len(games) != 1:
            continue
        try:
            written = rec.dumps(records, name)
        except RecordError:
            continue
        again = rec.loads(written, name, game=records[0].game)
        assert [record.moves for record in again] == [record.moves for record in records], name


NASTY: dict[str, bytes | str] = {
    "nested parentheses": b"(;GM[4]" + b"(" * 200_000 + b")" * 200_000 + b")",
    "nested games": b"(;" * 200_000 + b")" * 200_000,
    "ten megabytes of game starts": b"(;" * 5_000_000,
    "ten megabytes of empty nodes": b"(" + b";" * 10_000_000,
    "ten megabytes of open brackets": b"(;C" + b"[" * 10_000_000,
    "ten megabytes of escapes": b"(;C[" + b"\\]" * 5_000_000 + b"])",
    "many comments on one node": b"(;GM[4]" + b";C[x]" * 200_000 + b")",
    "many marks on one node": b"(;GM[4]" + b";TR[aa]" * 200_000 + b")",
    "many comments behind a move": b"(;GM[4];B[hh]" + b";C[x]" * 200_000 + b")",
    "many empty branches": b"(;GM[4]" + b"()" * 200_000 + b")",
    "many set-up points": b"(;GM[4]AB" + b"[aa]" * 1_000_000 + b")",
    "many mark rectangles": b"(;GM[4]SZ[22]TR" + b"[aa:vv]" * 100_000 + b")",
    "many set-up rectangles": b"(;GM[4]SZ[22]AB" + b"[aa:vv]" * 1000 + b")",
    "many moves in a node": b"(;GM[4]B" + b"[aa]" * 1_000_000 + b")",
    "many small games": b"(;)" * 50_000,
    "many wrong games": b"(;GM[4];B[hh])\n" * 50_000 + b"(;GM[4];B[hh];W[hh])",
    "a long number": b"(;GM[4]SZ[" + b"9" * 100_000 + b"])",
    "a long value": b"(;GM[4];B[hh]V[" + b"9" * 100_000 + b"]MS[" + b"9" * 100_000 + b"])",
    "a huge exponent": b"(;GM[4];B[hh]V[1e999])",
    "odd spaces around numbers": b"(;GM[4]SZ[\x1e15\x1f];B[hh]V[\x1e1.5\x1c]MS[\x1e5])",
    "odd spaces around a value": b"(;GM[Othello]TY[\x1e8]RE[\x1e2]B[f5/\x1e.5/\x1e1];)",
    "other digits": "(;GM[4]SZ[\u0661\u0665];B[hh]V[\u0661]MS[\u00b2])",
    "other digits in moves": "h\u0668 h\u0669",
    "nul bytes": b"\0" * 1_000_000,
    "nul bytes in a game": b"(;GM[4]\0;B[h\0])",
    "lone surrogates": "(;GM[4]PB[\ud800]C[\udfff\ud800];B[hh])",
    "only a lone surrogate": "\udfff",
    "surrogates as a point": "(;GM[4];B[\ud800\udc00])",
    "many moves": b"h8" * 2_000_000,
    "many lines of moves": b"h8h9\nh8i9\n" * 20_000,
    "many blocks of moves": b"h8h9\nh8i9\n\n" * 20_000,
    "many separators": b"h8" + b"," * 5_000_000 + b"x",
    "a huge board": b"Piskvorky 999999999x999999999, 11:11, 0\n1,1,0",
    "a long coordinate": b"Piskvorky 15x15, 11:11, 0\n" + b"1" * 100_000 + b",1,0",
    "a long time": b"Piskvorky 15x15, 11:11, 0\n1,1," + b"1" * 100_000,
    "a header of commas": b"Piskvorky 15x15" + b"," * 1_000_000,
    "many blank lines": b"Piskvorky 15x15, 11:11, 0" + b"\n" * 3_000_000,
    "a long clock": b"(;GM[Othello]B[f5/" + b"9" * 100_000 + b"/" + b"9" * 100_000 + b"];)",
    "a long board": b"(;GM[Othello]BO[8 " + b"-" * 1_000_000 + b"];)",
    "many properties": b"(;GM[Othello]"
    + b"".join(b"A%s[]" % bytes([65 + i % 26, 65 + i // 26 % 26]) for i in range(676))
    + b";)",
    "wthor with too many games": bytes(4) + struct.pack("<i", 2**31 - 1) + bytes(8) + _WTHOR_GAME,
    "wthor with negative games": bytes(4) + struct.pack("<i", -(2**31)) + bytes(8) + _WTHOR_GAME,
    "renlib all siblings": _RENLIB + b"\x78\x80" * 500_000,
    "renlib all leaves": _RENLIB + b"\x78\x40" * 100_000,
    "renlib all extensions": _RENLIB + b"\x78\x01" * 500_000,
    "renlib endless comment": _RENLIB + b"\x78\x08" + b"a" * 5_000_000,
    "renlib comments": _RENLIB + b"\x78\x48a\0" * 100_000,
    "renlib texts on one position": _RENLIB + b"\x78\xc3\0\1A\0" * 100_000,
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty_inputs_end_soon(name: str) -> None:
    data = NASTY[name]
    started = time.process_time()
    outcome(data, None)
    for format_name in FORMATS:
        outcome(data, format_name, 100_000)
    assert time.process_time() - started < 20


def test_limits_hold_before_anything_is_read() -> None:
    with pytest.raises(RecordError, match="longer than"):
        rec.loads(bytes(rec.MAX_BYTES + 1))
    with pytest.raises(RecordError, match="more than 100 nodes"):
        rec.loads(b"(;GM[4]" + b"(;B[hh])" * 101 + b")", max_nodes=100)
    assert len(rec.loads(b"(;GM[4]" + b"(;B[hh])" * 98 + b")", max_nodes=100)[0].root.children) == 98
    with pytest.raises(RecordError, match="more than 400 signs"):
        rec.loads(b"(" + b";" * 1000 + b")", max_nodes=100)
    with pytest.raises(RecordError, match="more than 100 nodes"):
        rec.loads(b"(;GM[4]SZ[22]TR[aa:vv])", max_nodes=100)
    with pytest.raises(RecordError, match="nested deeper"):
        rec.loads(b"(;GM[4]" + b"(" * 20_000)
