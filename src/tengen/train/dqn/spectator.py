"""Follows a game of the environment to its end, now and then, for people to look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.envs.duel import DuelEnv
from tengen.games import Position, Side
from tengen.train.samples import SampleGames

_WINNERS = {1: Side.BLACK, 2: Side.WHITE}  # by the environment's results
_LEARNER = "dqn"


class Spectator:
    """Looks at the first game of an environment while a sample is due; ``look`` before each step, ``tell`` after."""

    def __init__(self, samples: SampleGames) -> None:
        self._samples = samples
        self._moves: list[int] | None = None

    def look(self, env: DuelEnv) -> None:
        """Note the moves so far: an environment forgets them when a game ends."""
        self._moves = [int(move) for move in env.history(0)] if self._samples.is_due() else None

    def tell(self, env: DuelEnv, actions: NDArray[np.int64], step: int) -> None:
        """Keep the game, if the step has ended it."""
        if self._moves is None or not env.ended[0]:
            return
        winner = _WINNERS.get(int(env.result[0]))
        moves = [*self._moves, int(actions[0])]
        if env.length[0] > len(moves):
            moves += _last_reply(Position(env.game, moves), winner)
        rival = _LEARNER if env.stepped_self_play[0] else env.rivals[env.stepped_rival[0]]
        black, white = (_LEARNER, rival) if env.last_side[0] == 0 else (rival, _LEARNER)
        unplayed = int(env.length[0]) - len(moves)
        self._samples.add(step, env.game, moves, black=black, white=white, winner=winner, unplayed=unplayed)


def _last_reply(position: Position, winner: Side | None) -> list[int]:
    """The reply that ended a game, which the environment does not tell; nothing where several would have."""
    fitting = []
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        outcome = after.outcome()
        if outcome is not None and outcome.winner is winner:
            fitting.append(int(move))
    return fitting if len(fitting) == 1 else []
