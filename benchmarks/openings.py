"""What a network wins over many openings, one move at a time and without a search: the figures of docs/q-learning.md.

    python benchmarks/openings.py dqn --game gomoku:size=7 --rivals minimax:depth=2 greedy
    python benchmarks/openings.py dqn:net=runs/mine --game othello --openings 200
    python benchmarks/openings.py dqn --game gomoku:size=7 --rivals minimax:depth=2 --first 5

Every opening is played once with each colour: in Gomoku two moves in the central 5x5, of which there are 600, in
Othello six random moves. With --first the games are black's alone, and begin with each move on the board so often.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import tengen
from tengen.cli.output import plain_errors
from tengen.games import Game
from tengen.players import Rater
from tengen.train.evaluate import Score, evaluate, honest_openings


def main() -> None:
    """Play, and print a line for each rival and colour."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", help="one that rates moves: dqn, evolved")
    parser.add_argument("--game", default="gomoku")
    parser.add_argument("--rivals", nargs="+", default=["random", "greedy"])
    parser.add_argument("--openings", type=int, default=600)
    parser.add_argument("--first", type=int, default=0, help="instead: black's games after each first move")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    game = Game.parse(options.game)
    openings = honest_openings(game, options.openings, seed=options.seed)
    if options.first:
        openings = [[int(move)] for move in tengen.Position(game).legal_moves()] * options.first
    for rival in options.rivals:
        for side in ("black",) if options.first else ("black", "white"):
            score = measured(options.player, options.game, rival, side, openings, seed=options.seed)
            low, high = score.interval()
            print(
                f"{side} against {rival}: won {score.wins}, drawn {score.draws}, lost {score.losses}: "
                f"{score.win_rate:.1%} [{low:.1%}, {high:.1%}]"
            )


def measured(name: str, game: str, rival: str, side: str, openings: list[list[int]], *, seed: int = 0) -> Score:
    """The games of one colour."""
    rater, played = tengen.player(name), Game.parse(game)
    if not isinstance(rater, Rater):
        raise SystemExit(f"{name} does not rate moves")
    encoding = "s0" if played.kind == "gomoku" else "s2"

    def choose(planes: NDArray[np.uint8], mask: NDArray[np.bool_], sides: NDArray[np.uint8]) -> NDArray[np.int64]:
        return np.array([int(rater.rate(_position(played, *each))[0].move) for each in zip(planes, sides, strict=True)])

    return evaluate(choose, played, rival, openings, encoding=encoding, side=side, seed=seed)


def _position(game: Game, planes: NDArray[np.uint8], side: int) -> tengen.Position:
    """The position that planes show: own and rival stones, or in Othello white, empty and black ones."""
    first, second = (np.flatnonzero(plane).tolist() for plane in (planes[0], planes[-1]))
    own_is_black = side == 0
    if game.kind == "othello":
        black, white = second, first
    else:
        black, white = (first, second) if own_is_black else (second, first)
    return tengen.Position.from_stones(game, black=black, white=white, to_move="black" if own_is_black else "white")


if __name__ == "__main__":
    with plain_errors():
        main()
