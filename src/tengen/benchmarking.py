"""Exact counts and speeds: what ``tengen perft`` and ``tengen bench`` print.

Every speed is that of one core.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tengen import _core
from tengen.games import GAMES, Move, Position
from tengen.games._game import CoreBoard

# Leaves, roughly, that one call of the core may count: the core cannot be interrupted, and this is well under a second.
_LEAVES_PER_CALL: Final = 50_000_000
# Few moves at the root say little about the branching below it (Othello starts with 4 and soon has 10).
_LEAST_BRANCHING: Final = 8


def perft(position: Position, depth: int, *, on_part: Callable[[int, int], None] | None = None) -> int:
    """Count the leaves of the game tree ``depth`` plies below a position; games that end sooner count as one leaf.

    A long count is done in parts, so that Ctrl-C is heard; ``on_part`` is told how many first moves are done, from 0,
    and how many there are.
    """
    if _fits_one_call(position.core, depth):
        return position.core.perft(depth)
    tell = on_part or (lambda done, total: None)
    leaves, total = 0, position.core.count_legal()
    tell(0, total)
    for done, (_, below) in enumerate(divide(position, depth), start=1):
        leaves += below
        tell(done, total)
    return leaves


def divide(position: Position, depth: int) -> Iterator[tuple[Move, int]]:
    """The leaves below each legal move, for a ``depth`` counted from the position; they add up to :func:`perft`."""
    for move in position.legal_moves():
        board = position.core.copy()
        board.play(move)
        yield move, _count(board, depth - 1)


def _fits_one_call(board: CoreBoard, depth: int) -> bool:
    return bool(board.result) or max(board.count_legal(), _LEAST_BRANCHING) ** depth <= _LEAVES_PER_CALL


def _count(board: CoreBoard, depth: int) -> int:
    if _fits_one_call(board, depth):
        return board.perft(depth)
    leaves = 0
    for action in board.legal_actions():
        board.play(action)
        leaves += _count(board, depth - 1)
        board.undo()
    return leaves


@dataclass(frozen=True)
class Measurement:
    """One speed, ``value`` in ``unit``; ``target`` is the project's own, or None where it asks for nothing."""

    name: str
    unit: str
    value: float
    target: float | None


@dataclass(frozen=True)
class Benchmark:
    """One thing to measure.

    ``prepare`` does what is not to be timed and returns the work: a call that returns how many units it has done. It is
    told whether a tenth of the usual work is enough.
    """

    name: str
    meaning: str
    unit: str
    target: float | None
    prepare: Callable[[bool], Callable[[], int]]


def measure(benchmark: Benchmark, *, quick: bool = False) -> Measurement:
    """Run a benchmark several times and keep the best speed, which other programs on the machine disturb least."""
    work = benchmark.prepare(quick)
    best = 0.0
    for _ in range(3 if quick else 5):
        start = time.perf_counter()
        done = work()
        best = max(best, done / (time.perf_counter() - start))
    return Measurement(benchmark.name, benchmark.unit, best, benchmark.target)


# Renju games between greedy players, cut in the middle: black is to move and has forbidden points.
RENJU_MIDGAMES: Final[tuple[str, ...]] = (
    "i11k9f7g9i14i9j9e9h9d9f9c9a9k7i12i13f8f10f6f5h12b6c7c13d12j6h8h10g11j8l6i5g3h4l8g5e5j5h5j7j4i7h6h7",
    "f5j6i10k7e5g3i5g5c5b5i11m9l8g6g2g7g4g9g8j7h7j4j5f9i6k4m7j10j8h8k11k5i7f6i9k8"
    "k6i12h3i4d7e6i2j1h6m4l4c6d6h4l10k9d8j2i3d5d10d9e9k2",
    "j10g7e10k10c12i8a14b13d11g8h12e8f8h8k8m12l11g9g11g10g6f9d7i12h11e11f10e9i13j14h9d9c9h13j11f11"
    "c10c8b10d10c11c13e7a11f6d8b8i14j15l14k14j5i6h6k9l8i11g13f12b14",
)


def _perft_othello(quick: bool) -> Callable[[], int]:
    board = Position("othello").core
    return lambda: board.perft(10 if quick else 11)


def _playouts(game: str, games: int) -> Callable[[bool], Callable[[], int]]:
    def prepare(quick: bool) -> Callable[[], int]:
        board = Position(game).core
        return lambda: board.playouts(games // 10 if quick else games, 1)[0]

    return prepare


def _vector(encoding: str | None, steps: int) -> Callable[[bool], Callable[[], int]]:
    def prepare(quick: bool) -> Callable[[], int]:
        from tengen.envs import VectorEnv

        env = VectorEnv("gomoku", 1024, encoding=encoding, seed=1)
        rounds = steps // 10 if quick else steps

        def work() -> int:
            for _ in range(rounds):
                env.step(env.sample_actions())
            return rounds * env.num_games

        return work

    return prepare


def _shapes(quick: bool) -> Callable[[], int]:
    board = Position("gomoku", RENJU_MIDGAMES[0]).core
    actions = board.legal_actions()
    rounds = 150 if quick else 1500

    def work() -> int:
        play, undo = board.play, board.undo
        for _ in range(rounds):
            for action in actions:
                play(action)
                undo()
        return rounds * len(actions)

    return work


def _position(quick: bool) -> Callable[[], int]:
    position = Position("gomoku", RENJU_MIDGAMES[0])
    moves = position.legal_moves()
    rounds = 20 if quick else 200

    def work() -> int:
        for _ in range(rounds):
            for move in moves:
                position.play(move)
                position.undo()
        return rounds * len(moves)

    return work


def _forbidden(quick: bool) -> Callable[[], int]:
    positions = [Position("renju", moves) for moves in RENJU_MIDGAMES]
    rounds = 20 if quick else 200

    def work() -> int:
        for _ in range(rounds):
            for position in positions:
                position.forbidden_moves()
        return rounds * len(positions)

    return work


# Openings of the games above, quiet enough to search.
MIDGAMES: Final[tuple[str, ...]] = (
    "h8i9j8h10g7",
    "h8h9i9g7j10k11i8g8i7i10",
    "h8i8g9f10h10h9i9g7i10f8",
    "h8h7g8f8i9g7i7h9g9j8",
)


def _alphabeta(quick: bool) -> Callable[[], int]:
    boards = [Position("gomoku", moves).core for moves in MIDGAMES]
    search = _core.AlphaBeta(hash_mb=64)

    def work() -> int:
        nodes = 0
        for board in boards:
            assert isinstance(board, _core.GomokuBoard)
            search.clear()
            nodes += search.search(board, nodes=50_000 if quick else 500_000).nodes
        return nodes

    return work


def _rollouts(game: str) -> Callable[[bool], Callable[[], int]]:
    def prepare(quick: bool) -> Callable[[], int]:
        board = Position(game).core
        assert isinstance(board, _core.GomokuBoard)
        search = _core.uct(board, near=0, seed=1)

        def work() -> int:
            search.clear()
            return search.search(board, nodes=10_000 if quick else 100_000).nodes

        return work

    return prepare


BENCHMARKS: Final[dict[str, Benchmark]] = {
    benchmark.name: benchmark
    for benchmark in (
        Benchmark("perft-othello", "Othello's tree, depth 11 (quick: 10)", "leaves/s", 200e6, _perft_othello),
        Benchmark("playouts-gomoku", "random 15x15 freestyle games", "games/s", 60e3, _playouts("gomoku", 60_000)),
        Benchmark("playouts-renju", "random 15x15 renju games", "games/s", None, _playouts("renju", 20_000)),
        Benchmark("playouts-othello", "random Othello games", "games/s", None, _playouts("othello", 60_000)),
        Benchmark("vector-mask", "1,024 gomoku games at once, masks", "moves/s", 3e6, _vector(None, 3000)),
        Benchmark("vector-s0", "the same with S0's planes", "moves/s", 1e6, _vector("s0", 400)),
        Benchmark("shapes", "the core's play + undo, with shapes", "pairs/s", None, _shapes),
        Benchmark("position", "Position.play + undo", "pairs/s", None, _position),
        Benchmark("alphabeta", "alpha-beta on 15x15 midgames", "nodes/s", 600e3, _alphabeta),
        Benchmark("uct-8x8", "UCT with random games, 8x8", "rollouts/s", 120e3, _rollouts("gomoku:size=8")),
        Benchmark("uct-15x15", "UCT with random games, 15x15", "rollouts/s", 40e3, _rollouts("gomoku")),
        Benchmark("forbidden", "forbidden_moves, renju midgames", "positions/s", None, _forbidden),
    )
}


def signature() -> str:
    """Sixteen hexadecimal digits that change only when the rules, shapes or random games of the core do.

    Tree counts, seeded playouts, fouls, shapes and greedy moves of fixed positions go into it; no time does.
    """
    digest = hashlib.blake2b(digest_size=8)
    for name in GAMES:
        board: CoreBoard = Position(name).core
        digest.update(repr((name, board.perft(1), board.perft(2), board.perft(3), board.playouts(100, 1))).encode())
    for moves in RENJU_MIDGAMES:
        for game in ("gomoku", "renju"):
            board = Position(game, moves).core
            assert isinstance(board, _core.GomokuBoard)
            fouls = [board.foul(action) for action in board.legal_actions()]
            digest.update(repr((board.count_legal(), fouls, board.greedy_candidates())).encode())
            for side in (0, 1):
                digest.update(board.shapes(side).tobytes())
    return digest.hexdigest()


def search_nodes(depth: int = 7) -> int:
    """How many positions alpha-beta looks at, in all, to search fixed positions of every rule to a fixed depth.

    It is the same on every machine and changes only when the search or its evaluation does.
    """
    search, nodes = _core.AlphaBeta(hash_mb=16), 0
    for rule in ("freestyle", "standard", "renju", "caro"):
        for moves in MIDGAMES:
            board = Position(f"gomoku:rule={rule}", moves).core
            assert isinstance(board, _core.GomokuBoard)
            search.clear()
            nodes += search.search(board, depth=depth).nodes
    return nodes


def machine() -> dict[str, str]:
    """What the speeds were measured on: ``processor``, ``system``, ``python``."""
    return {
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # no Linux
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown"
