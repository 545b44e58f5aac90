"""How good a network's moves are, honestly: many openings, both colours, draws counted apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tengen.arena.statistics import share_interval
from tengen.envs.duel import DuelEnv
from tengen.games import Game
from tengen.games._game import CoreBoard

#: Chooses an action for each game from planes and the mask of legal moves, by the sides to move.
Chooser = Callable[[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.uint8]], NDArray[np.int64]]

_MOST_MISSES = 1000  # random openings in a row that were known: there are hardly any others


@dataclass(frozen=True)
class Score:
    """Games won, drawn and lost, and what else S0 reports of them."""

    wins: int
    draws: int
    losses: int
    reward: float = 0.0  # mean of a game
    length: float = 0.0  # mean plies

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float:
        """Wins by games; draws are no wins."""
        return self.wins / self.games

    def interval(self) -> tuple[float, float]:
        """Where the win rate is with 95 % (Wilson)."""
        return share_interval(self.win_rate, self.games)

    def in_words(self) -> str:
        """The win rate with its interval, for people."""
        low, high = self.interval()
        return f"{self.win_rate:.1%} ({low:.1%} to {high:.1%})"


def honest_openings(game: Game, count: int, *, seed: int = 0) -> list[list[int]]:
    """Different openings, as many as wanted or as there are; of Othello's a few may be missing where all are wanted.

    Gomoku: two moves in the central 5x5, of which there are 600. Othello: six random moves after which no move ends
    the game.
    """
    rng = np.random.default_rng(seed)
    if game.kind == "gomoku":
        low = max(0, (game.size - 5) // 2)
        central = [
            row * game.size + column
            for row in range(game.size)[low : low + 5]
            for column in range(game.size)[low : low + 5]
        ]
        pairs = list(permutations(central, 2))
        return [list(pairs[i]) for i in rng.permutation(len(pairs))[:count]]
    seen: dict[tuple[int, ...], None] = {}
    misses = 0  # draws in a row that were no new opening
    while len(seen) < count and misses < _MOST_MISSES:
        board = game.new_board()
        moves: list[int] = []
        while len(moves) < 6 and board.result == 0:
            moves.append(int(rng.choice(board.legal_actions())))
            board.play(moves[-1])
        before = len(seen)
        if not _may_end(board):
            seen[tuple(moves)] = None
        misses = misses + 1 if len(seen) == before else 0
    return [list(moves) for moves in seen]


def _may_end(board: CoreBoard) -> bool:
    """Whether the game is over, or the next move could end it."""
    if board.result != 0:
        return True
    for action in board.legal_actions():
        after = board.copy()
        after.play(action)
        if after.result != 0:
            return True
    return False


def evaluate(
    choose: Chooser,
    game: Game,
    rival: str,
    openings: Sequence[Sequence[int]],
    *,
    encoding: str,
    side: str,
    reward: str = "win",
    margin: int | None = None,
    threads: int = 1,
    seed: int = 0,
) -> Score:
    """Play each opening once as ``side`` and count."""
    env = DuelEnv(
        game,
        len(openings),
        rivals=rival,
        side=side,
        encoding=encoding,
        reward=reward,
        openings=openings,
        margin=margin,
        threads=threads,
        seed=seed,
    )
    going = np.ones(len(openings), bool)
    results = np.zeros(4, np.int64)
    total, plies = 0.0, 0
    while going.any():
        env.step(choose(env.planes.astype(np.uint8), env.mask, env.to_move))
        total += float(env.reward[going].sum())
        over = going & env.ended
        results += np.bincount(env.result[over], minlength=4)[:4]
        plies += int(env.length[over].sum())
        going &= ~env.ended  # a game that began anew is another one
    count = len(openings)
    won, lost = (1, 2) if side == "black" else (2, 1)
    return Score(int(results[won]), int(results[3]), int(results[lost]), total / count, plies / count)
