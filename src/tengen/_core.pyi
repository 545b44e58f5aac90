"""
The C++ core of Tengen. Use it through the tengen package, whose names are stable.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class GomokuBoard:
    def __init__(self, rule: str, size: int, win: int, cells: Sequence[int] = [], to_move: int = 0) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def result(self) -> int: ...

    @property
    def reason(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def copy(self) -> GomokuBoard: ...

    def cell(self, action: int) -> int: ...

    def cells(self) -> NDArray[numpy.int8]: ...

    def history(self) -> list[int]: ...

    def last_action(self) -> int:
        """-1 before the first move."""

    def is_legal(self, action: int) -> bool: ...

    def count_legal(self) -> int: ...

    def legal_mask(self) -> NDArray[numpy.bool_]: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: int) -> None: ...

    def undo(self) -> None: ...

    def planes(self, encoding: str) -> NDArray[numpy.float32]: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, games: int, seed: int) -> tuple[int, int, int, int, int]:
        """Random games: (games, moves, black wins, white wins, draws)."""

    def foul(self, action: int) -> int:
        """0 none, 1 double three, 2 double four, 3 overline."""

    def fouls(self) -> list[int]:
        """Every point that black may not play."""

    def winning_line(self) -> list[int]: ...

    def shapes(self, side: int) -> NDArray[numpy.uint8]:
        """[4, size, size] codes of the seven shapes, 0 none .. 7 five."""

    def greedy_candidates(self) -> list[int]: ...

class OthelloBoard4:
    def __init__(self, cells: Sequence[int] = [], to_move: int = 0) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def result(self) -> int: ...

    @property
    def reason(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def copy(self) -> OthelloBoard4: ...

    def cell(self, action: int) -> int: ...

    def cells(self) -> NDArray[numpy.int8]: ...

    def history(self) -> list[int]: ...

    def last_action(self) -> int:
        """-1 before the first move."""

    def is_legal(self, action: int) -> bool: ...

    def count_legal(self) -> int: ...

    def legal_mask(self) -> NDArray[numpy.bool_]: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: int) -> None: ...

    def undo(self) -> None: ...

    def planes(self, encoding: str) -> NDArray[numpy.float32]: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, games: int, seed: int) -> tuple[int, int, int, int, int]:
        """Random games: (games, moves, black wins, white wins, draws)."""

    def count(self, side: int) -> int:
        """Discs on the board."""

    def flips(self, action: int) -> list[int]:
        """Cells that a legal action would turn."""

class OthelloBoard6:
    def __init__(self, cells: Sequence[int] = [], to_move: int = 0) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def result(self) -> int: ...

    @property
    def reason(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def copy(self) -> OthelloBoard6: ...

    def cell(self, action: int) -> int: ...

    def cells(self) -> NDArray[numpy.int8]: ...

    def history(self) -> list[int]: ...

    def last_action(self) -> int:
        """-1 before the first move."""

    def is_legal(self, action: int) -> bool: ...

    def count_legal(self) -> int: ...

    def legal_mask(self) -> NDArray[numpy.bool_]: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: int) -> None: ...

    def undo(self) -> None: ...

    def planes(self, encoding: str) -> NDArray[numpy.float32]: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, games: int, seed: int) -> tuple[int, int, int, int, int]:
        """Random games: (games, moves, black wins, white wins, draws)."""

    def count(self, side: int) -> int:
        """Discs on the board."""

    def flips(self, action: int) -> list[int]:
        """Cells that a legal action would turn."""

class OthelloBoard8:
    def __init__(self, cells: Sequence[int] = [], to_move: int = 0) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def result(self) -> int: ...

    @property
    def reason(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def copy(self) -> OthelloBoard8: ...

    def cell(self, action: int) -> int: ...

    def cells(self) -> NDArray[numpy.int8]: ...

    def history(self) -> list[int]: ...

    def last_action(self) -> int:
        """-1 before the first move."""

    def is_legal(self, action: int) -> bool: ...

    def count_legal(self) -> int: ...

    def legal_mask(self) -> NDArray[numpy.bool_]: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: int) -> None: ...

    def undo(self) -> None: ...

    def planes(self, encoding: str) -> NDArray[numpy.float32]: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, games: int, seed: int) -> tuple[int, int, int, int, int]:
        """Random games: (games, moves, black wins, white wins, draws)."""

    def count(self, side: int) -> int:
        """Discs on the board."""

    def flips(self, action: int) -> list[int]:
        """Cells that a legal action would turn."""

class OthelloBoard10:
    def __init__(self, cells: Sequence[int] = [], to_move: int = 0) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def ply(self) -> int: ...

    @property
    def to_move(self) -> int: ...

    @property
    def result(self) -> int: ...

    @property
    def reason(self) -> int: ...

    @property
    def hash(self) -> int: ...

    def copy(self) -> OthelloBoard10: ...

    def cell(self, action: int) -> int: ...

    def cells(self) -> NDArray[numpy.int8]: ...

    def history(self) -> list[int]: ...

    def last_action(self) -> int:
        """-1 before the first move."""

    def is_legal(self, action: int) -> bool: ...

    def count_legal(self) -> int: ...

    def legal_mask(self) -> NDArray[numpy.bool_]: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: int) -> None: ...

    def undo(self) -> None: ...

    def planes(self, encoding: str) -> NDArray[numpy.float32]: ...

    def perft(self, depth: int) -> int: ...

    def playouts(self, games: int, seed: int) -> tuple[int, int, int, int, int]:
        """Random games: (games, moves, black wins, white wins, draws)."""

    def count(self, side: int) -> int:
        """Discs on the board."""

    def flips(self, action: int) -> list[int]:
        """Cells that a legal action would turn."""

def encodings() -> list[tuple[str, int]]:
    """The encodings by name, with their number of planes."""

class GomokuVectorEnv:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    def sample(self) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

@overload
def vector_env(start: GomokuBoard, games: int, encoding: str | None, seed: int) -> GomokuVectorEnv: ...

@overload
def vector_env(start: OthelloBoard4, games: int, encoding: str | None, seed: int) -> OthelloVectorEnv4: ...

@overload
def vector_env(start: OthelloBoard6, games: int, encoding: str | None, seed: int) -> OthelloVectorEnv6: ...

@overload
def vector_env(start: OthelloBoard8, games: int, encoding: str | None, seed: int) -> OthelloVectorEnv8: ...

@overload
def vector_env(start: OthelloBoard10, games: int, encoding: str | None, seed: int) -> OthelloVectorEnv10: ...

class OthelloVectorEnv4:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    def sample(self) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class OthelloVectorEnv6:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    def sample(self) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class OthelloVectorEnv8:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    def sample(self) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class OthelloVectorEnv10:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    def sample(self) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class GomokuDuelEnv:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    @property
    def rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def self_play(self) -> NDArray[numpy.bool_]: ...

    @property
    def length(self) -> NDArray[numpy.int32]: ...

    @property
    def opening(self) -> NDArray[numpy.int32]: ...

    @property
    def last_side(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_self_play(self) -> NDArray[numpy.bool_]: ...

    def explore(self, how: str, where: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

@overload
def duel_env(start: GomokuBoard, games: int, rivals: Sequence[tuple[str, int, bool, float]], side: int | None, encoding: str | None, reward: str, openings: Sequence[Sequence[int]], opening_plies: int, opening_least: int | None, opening_boxes: Sequence[int], margin: int | None, threads: int, seed: int) -> GomokuDuelEnv: ...

@overload
def duel_env(start: OthelloBoard4, games: int, rivals: Sequence[tuple[str, int, bool, float]], side: int | None, encoding: str | None, reward: str, openings: Sequence[Sequence[int]], opening_plies: int, opening_least: int | None, opening_boxes: Sequence[int], margin: int | None, threads: int, seed: int) -> OthelloDuelEnv4: ...

@overload
def duel_env(start: OthelloBoard6, games: int, rivals: Sequence[tuple[str, int, bool, float]], side: int | None, encoding: str | None, reward: str, openings: Sequence[Sequence[int]], opening_plies: int, opening_least: int | None, opening_boxes: Sequence[int], margin: int | None, threads: int, seed: int) -> OthelloDuelEnv6: ...

@overload
def duel_env(start: OthelloBoard8, games: int, rivals: Sequence[tuple[str, int, bool, float]], side: int | None, encoding: str | None, reward: str, openings: Sequence[Sequence[int]], opening_plies: int, opening_least: int | None, opening_boxes: Sequence[int], margin: int | None, threads: int, seed: int) -> OthelloDuelEnv8: ...

@overload
def duel_env(start: OthelloBoard10, games: int, rivals: Sequence[tuple[str, int, bool, float]], side: int | None, encoding: str | None, reward: str, openings: Sequence[Sequence[int]], opening_plies: int, opening_least: int | None, opening_boxes: Sequence[int], margin: int | None, threads: int, seed: int) -> OthelloDuelEnv10:
    """
    Rivals are (kind, minimax's depth, whether it draws among equals, weight).
    """

class OthelloDuelEnv4:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    @property
    def rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def self_play(self) -> NDArray[numpy.bool_]: ...

    @property
    def length(self) -> NDArray[numpy.int32]: ...

    @property
    def opening(self) -> NDArray[numpy.int32]: ...

    @property
    def last_side(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_self_play(self) -> NDArray[numpy.bool_]: ...

    def explore(self, how: str, where: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class OthelloDuelEnv6:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    @property
    def rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def self_play(self) -> NDArray[numpy.bool_]: ...

    @property
    def length(self) -> NDArray[numpy.int32]: ...

    @property
    def opening(self) -> NDArray[numpy.int32]: ...

    @property
    def last_side(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_self_play(self) -> NDArray[numpy.bool_]: ...

    def explore(self, how: str, where: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class OthelloDuelEnv8:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    @property
    def rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def self_play(self) -> NDArray[numpy.bool_]: ...

    @property
    def length(self) -> NDArray[numpy.int32]: ...

    @property
    def opening(self) -> NDArray[numpy.int32]: ...

    @property
    def last_side(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_self_play(self) -> NDArray[numpy.bool_]: ...

    def explore(self, how: str, where: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class OthelloDuelEnv10:
    @property
    def games(self) -> int: ...

    @property
    def planes(self) -> NDArray[numpy.float32]: ...

    @property
    def mask(self) -> NDArray[numpy.bool_]: ...

    @property
    def reward(self) -> NDArray[numpy.float32]: ...

    @property
    def result(self) -> NDArray[numpy.uint8]: ...

    @property
    def ended(self) -> NDArray[numpy.bool_]: ...

    @property
    def to_move(self) -> NDArray[numpy.uint8]: ...

    @property
    def action(self) -> NDArray[numpy.int64]: ...

    def reset(self) -> None: ...

    @property
    def rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def self_play(self) -> NDArray[numpy.bool_]: ...

    @property
    def length(self) -> NDArray[numpy.int32]: ...

    @property
    def opening(self) -> NDArray[numpy.int32]: ...

    @property
    def last_side(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_rival(self) -> NDArray[numpy.uint8]: ...

    @property
    def stepped_self_play(self) -> NDArray[numpy.bool_]: ...

    def explore(self, how: str, where: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def history(self, game: int) -> list[int]: ...

class EvaluatorError(RuntimeError):
    pass

class Evaluator:
    """What a search asks about positions."""

    def evaluate(self, planes: NDArray[numpy.uint8]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
        """
        Planes [n, plane_count, size, size] of 0 and 1, to the policy's logits [n, actions] and the
        probabilities [n, 3] that the mover wins, draws and loses. Safe from several threads.
        """

    @property
    def plane_count(self) -> int: ...

    @property
    def passes(self) -> bool:
        """Whether the policy ends with the pass."""

class OnnxEvaluator(Evaluator):
    def __init__(self, library: str, model: bytes, planes: int, passes: bool, threads: int = 1) -> None:
        """
        A network in ONNX, run by the ONNX Runtime library at this path, without Python.
        """

class FunctionEvaluator(Evaluator):
    def __init__(self, function: object, planes: int, passes: bool) -> None:
        """
        A function (planes) -> (policy, wdl), with the shapes of evaluate, in the place of a network.
        """

class SearchLine:
    @property
    def moves(self) -> list[int]:
        """Actions, the move itself first."""

    @property
    def value(self) -> float:
        """-1 (lost) .. 1 (won), from the mover's side."""

    @property
    def score(self) -> int:
        """In the evaluation's own unit; for Othello discs * 100."""

    @property
    def proof(self) -> int:
        """0 none, 1 won, 2 lost, 3 exact."""

    @property
    def distance(self) -> int:
        """Plies to the end, where proven won or lost."""

    @property
    def depth(self) -> int:
        """Plies searched in full."""

class SearchReport:
    @property
    def lines(self) -> list[SearchLine]:
        """Best first; empty only if the game is over."""

    @property
    def nodes(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def depth(self) -> int: ...

    @property
    def selective_depth(self) -> int:
        """The deepest ply looked at."""

class AlphaBeta:
    def __init__(self, threads: int = 1, hash_mb: int = 64, plain: bool = False, vct_plies: int = 0, seed: int = 0) -> None: ...

    def search(self, board: GomokuBoard, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport: ...

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets what earlier searches found."""

def gomoku_features(board: GomokuBoard) -> tuple[list[int], list[int], int, bool]:
    """
    (counts for the mover, counts for the other, evaluation, whether fours settle it)
    """

def gomoku_shape_picks() -> list[list[int]]:
    """The four shapes of each pick, in some order."""

def solve_threats(board: GomokuBoard, kind: str, plies: int, nodes: int, seconds: float | None = None) -> tuple[int, list[int], int]:
    """(verdict: 0 none, 1 win, 2 unknown; winning line; nodes)"""

class GomokuUct:
    def search(self, board: GomokuBoard, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree and starts the generators anew from the seed."""

    def root_moves(self) -> list[tuple[int, int, float]]:
        """(action, visits, value) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

@overload
def uct(board: GomokuBoard, leaf: str = 'random', parallel: str = 'none', threads: int = 1, counts: str = 'wu', c: float = 0.5, near: int = 2, memory: int = 256, seed: int = 0) -> GomokuUct: ...

@overload
def uct(board: OthelloBoard4, leaf: str = 'random', parallel: str = 'none', threads: int = 1, counts: str = 'wu', c: float = 0.5, near: int = 2, memory: int = 256, seed: int = 0) -> OthelloUct4: ...

@overload
def uct(board: OthelloBoard6, leaf: str = 'random', parallel: str = 'none', threads: int = 1, counts: str = 'wu', c: float = 0.5, near: int = 2, memory: int = 256, seed: int = 0) -> OthelloUct6: ...

@overload
def uct(board: OthelloBoard8, leaf: str = 'random', parallel: str = 'none', threads: int = 1, counts: str = 'wu', c: float = 0.5, near: int = 2, memory: int = 256, seed: int = 0) -> OthelloUct8: ...

@overload
def uct(board: OthelloBoard10, leaf: str = 'random', parallel: str = 'none', threads: int = 1, counts: str = 'wu', c: float = 0.5, near: int = 2, memory: int = 256, seed: int = 0) -> OthelloUct10:
    """A search for boards like this one."""

class OthelloUct4:
    def search(self, board: OthelloBoard4, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree and starts the generators anew from the seed."""

    def root_moves(self) -> list[tuple[int, int, float]]:
        """(action, visits, value) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

class OthelloUct6:
    def search(self, board: OthelloBoard6, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree and starts the generators anew from the seed."""

    def root_moves(self) -> list[tuple[int, int, float]]:
        """(action, visits, value) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

class OthelloUct8:
    def search(self, board: OthelloBoard8, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree and starts the generators anew from the seed."""

    def root_moves(self) -> list[tuple[int, int, float]]:
        """(action, visits, value) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

class OthelloUct10:
    def search(self, board: OthelloBoard10, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree and starts the generators anew from the seed."""

    def root_moves(self) -> list[tuple[int, int, float]]:
        """(action, visits, value) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

class Minimax:
    def __init__(self, depth: int = 2, seed: int = 0, draws: bool = True) -> None: ...

    def search(self, board: GomokuBoard, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport: ...

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Starts the generator anew from the seed."""

    @property
    def best_moves(self) -> list[int]:
        """The moves of equal value that the last search chose from."""

def window_total(board: GomokuBoard, side: int) -> int:
    """S1's evaluation of the stones of one side."""

class GomokuPuct:
    def search(self, board: GomokuBoard, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree."""

    def root_moves(self) -> list[tuple[int, int, float, float]]:
        """(action, visits, value, prior) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

    @property
    def evaluations(self) -> int:
        """Positions that the network judged in the last search."""

@overload
def puct(board: GomokuBoard, evaluator: Evaluator, encoding: str, threads: int = 1, batch: int = 8, counts: str = 'wu', c: float = 1.2, first_play: float = 0.25, moves: int = 64, effort: int = 200, vct: int = 400, memory: int = 512) -> GomokuPuct: ...

@overload
def puct(board: OthelloBoard4, evaluator: Evaluator, encoding: str, threads: int = 1, batch: int = 8, counts: str = 'wu', c: float = 1.2, first_play: float = 0.25, moves: int = 64, effort: int = 10, vct: int = 400, memory: int = 512) -> OthelloPuct4: ...

@overload
def puct(board: OthelloBoard6, evaluator: Evaluator, encoding: str, threads: int = 1, batch: int = 8, counts: str = 'wu', c: float = 1.2, first_play: float = 0.25, moves: int = 64, effort: int = 10, vct: int = 400, memory: int = 512) -> OthelloPuct6: ...

@overload
def puct(board: OthelloBoard8, evaluator: Evaluator, encoding: str, threads: int = 1, batch: int = 8, counts: str = 'wu', c: float = 1.2, first_play: float = 0.25, moves: int = 64, effort: int = 10, vct: int = 400, memory: int = 512) -> OthelloPuct8: ...

@overload
def puct(board: OthelloBoard10, evaluator: Evaluator, encoding: str, threads: int = 1, batch: int = 8, counts: str = 'wu', c: float = 1.2, first_play: float = 0.25, moves: int = 64, effort: int = 10, vct: int = 400, memory: int = 512) -> OthelloPuct10:
    """A search for boards like this one."""

@overload
def net_planes(board: GomokuBoard, encoding: str) -> NDArray[numpy.uint8]: ...

@overload
def net_planes(board: OthelloBoard4, encoding: str) -> NDArray[numpy.uint8]: ...

@overload
def net_planes(board: OthelloBoard6, encoding: str) -> NDArray[numpy.uint8]: ...

@overload
def net_planes(board: OthelloBoard8, encoding: str) -> NDArray[numpy.uint8]: ...

@overload
def net_planes(board: OthelloBoard10, encoding: str) -> NDArray[numpy.uint8]:
    """The planes [planes, size, size] that a network of this encoding reads."""

class OthelloPuct4:
    def search(self, board: OthelloBoard4, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree."""

    def root_moves(self) -> list[tuple[int, int, float, float]]:
        """(action, visits, value, prior) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

    @property
    def evaluations(self) -> int:
        """Positions that the network judged in the last search."""

class OthelloPuct6:
    def search(self, board: OthelloBoard6, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree."""

    def root_moves(self) -> list[tuple[int, int, float, float]]:
        """(action, visits, value, prior) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

    @property
    def evaluations(self) -> int:
        """Positions that the network judged in the last search."""

class OthelloPuct8:
    def search(self, board: OthelloBoard8, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree."""

    def root_moves(self) -> list[tuple[int, int, float, float]]:
        """(action, visits, value, prior) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

    @property
    def evaluations(self) -> int:
        """Positions that the network judged in the last search."""

class OthelloPuct10:
    def search(self, board: OthelloBoard10, seconds: float | None = None, nodes: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport:
        """Nodes are playouts."""

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets the tree."""

    def root_moves(self) -> list[tuple[int, int, float, float]]:
        """(action, visits, value, prior) of the last search, best first."""

    @property
    def tree_nodes(self) -> int: ...

    @property
    def evaluations(self) -> int:
        """Positions that the network judged in the last search."""

def net_plane_count(encoding: str) -> int: ...

class GomokuPool:
    def __init__(self, variants: Sequence[tuple[str, int, float]], encoding: str, games: int, threads: int, stride: int, seed: int, settings: Mapping[str, float]) -> None:
        """
        `variants` are (rule, size, weight); `settings` are the numbers of core/selfplay/pool.h by name.
        """

    def step(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, planes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None:
        """
        Takes the answers to the last planes (None in the first step) and fills in the next.
        """

    def take_games(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.uint16]]:
        """
        The games that ended since the last call: (table, moves, plies, values, visit sizes, actions, counts).
        """

    def counts(self) -> dict[str, int]: ...

    def set_opposition(self, probability: float, threshold: float) -> None: ...

    @property
    def actions(self) -> int: ...

    @staticmethod
    def dense_rows(table: NDArray[numpy.int32], moves: NDArray[numpy.uint16], plies: NDArray[numpy.uint16], values: NDArray[numpy.float32], visit_sizes: NDArray[numpy.uint16], actions: NDArray[numpy.uint16], counts: NDArray[numpy.uint16], variants: Sequence[tuple[str, int, float]], encoding: str, stride: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.int16], NDArray[numpy.int8]]:
        """
        What a network learns from games: planes, policy, the rival's reply, the result for the mover.
        """

class OthelloPool6:
    def __init__(self, variants: Sequence[tuple[str, int, float]], encoding: str, games: int, threads: int, stride: int, seed: int, settings: Mapping[str, float]) -> None:
        """
        `variants` are (rule, size, weight); `settings` are the numbers of core/selfplay/pool.h by name.
        """

    def step(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, planes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None:
        """
        Takes the answers to the last planes (None in the first step) and fills in the next.
        """

    def take_games(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.uint16]]:
        """
        The games that ended since the last call: (table, moves, plies, values, visit sizes, actions, counts).
        """

    def counts(self) -> dict[str, int]: ...

    def set_opposition(self, probability: float, threshold: float) -> None: ...

    @property
    def actions(self) -> int: ...

    @staticmethod
    def dense_rows(table: NDArray[numpy.int32], moves: NDArray[numpy.uint16], plies: NDArray[numpy.uint16], values: NDArray[numpy.float32], visit_sizes: NDArray[numpy.uint16], actions: NDArray[numpy.uint16], counts: NDArray[numpy.uint16], variants: Sequence[tuple[str, int, float]], encoding: str, stride: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.int16], NDArray[numpy.int8]]:
        """
        What a network learns from games: planes, policy, the rival's reply, the result for the mover.
        """

class OthelloPool8:
    def __init__(self, variants: Sequence[tuple[str, int, float]], encoding: str, games: int, threads: int, stride: int, seed: int, settings: Mapping[str, float]) -> None:
        """
        `variants` are (rule, size, weight); `settings` are the numbers of core/selfplay/pool.h by name.
        """

    def step(self, policy: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, wdl: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, planes: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> None:
        """
        Takes the answers to the last planes (None in the first step) and fills in the next.
        """

    def take_games(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.float32], NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.uint16]]:
        """
        The games that ended since the last call: (table, moves, plies, values, visit sizes, actions, counts).
        """

    def counts(self) -> dict[str, int]: ...

    def set_opposition(self, probability: float, threshold: float) -> None: ...

    @property
    def actions(self) -> int: ...

    @staticmethod
    def dense_rows(table: NDArray[numpy.int32], moves: NDArray[numpy.uint16], plies: NDArray[numpy.uint16], values: NDArray[numpy.float32], visit_sizes: NDArray[numpy.uint16], actions: NDArray[numpy.uint16], counts: NDArray[numpy.uint16], variants: Sequence[tuple[str, int, float]], encoding: str, stride: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.int16], NDArray[numpy.int8]]:
        """
        What a network learns from games: planes, policy, the rival's reply, the result for the mover.
        """

class OthelloSearch:
    def __init__(self, hash_mb: int = 32, evaluation: bytes | None = None) -> None: ...

    @overload
    def search(self, board: OthelloBoard4, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport: ...

    @overload
    def search(self, board: OthelloBoard6, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport: ...

    @overload
    def search(self, board: OthelloBoard8, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport: ...

    @overload
    def search(self, board: OthelloBoard10, seconds: float | None = None, nodes: int | None = None, depth: int | None = None, lines: int = 1, on_report: object | None = None) -> SearchReport: ...

    def stop(self) -> None:
        """From any thread: ends the search that runs now."""

    def clear(self) -> None:
        """Forgets what earlier searches found."""

def othello_self_play(evaluation: bytes | None = None, seed: int = 0, first_game: int = 0, games: int = 1, depth: int = 4, random_min: int = 8, random_max: int = 24, foresight: int = 8, exact_empties: int = 14) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.int8], NDArray[numpy.int8]]:
    """
    Positions (own, rival, final score, score some plies later) of games that the search plays itself.
    """

def othello_depth_scores(evaluation: bytes | None, own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], rival: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int) -> NDArray[numpy.int8]:
    """Scores in discs of a search to `depth` plies; 64: to the end."""

def othello_weight_ids(own: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], rival: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint32]:
    """[n, features] the weights of its phase that each position uses."""

def othello_tables(weights: Annotated[NDArray[numpy.int16], dict(shape=(None, None), order='C', device='cpu', writable=False)], middle: Sequence[float], end: Sequence[float]) -> bytes:
    """The bytes that OthelloSearch takes as its evaluation."""

def othello_tables_shape() -> tuple[int, int, int]:
    """(phases, weights per phase, units per disc)."""

class LineMover:
    """Chooses moves by what lines are worth; one call at a time."""

    def __init__(self, threads: int = 1) -> None: ...

    def choose(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], mask: Annotated[NDArray[numpy.bool_], dict(shape=(None, None), order='C', device='cpu', writable=False)], which: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], seed: int) -> NDArray[numpy.int64]:
        """
        The best legal move [games] of planes [games, 2, size, size] by the tables [individuals, 14641] of `which`.
        Equal moves are drawn by the seed and the game's number; where `which` is below 0 the first legal one counts.
        """

def line_values(planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], tables: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
    """What each point is worth, [games, size * size]."""

def line_half_cells() -> NDArray[numpy.uint8]:
    """
    The cells of each half of a line, the nearest first, [121, 4]: 0 empty, 1 own, 2 the rival's, 3 off the board.
    """
