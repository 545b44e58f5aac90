"""Does a vector environment play the same game as a position?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tengen.envs import VectorEnv
from tengen.errors import IllegalMoveError, TengenError
from tengen.games import ENCODINGS, Position, Side
from tengen.testing._requirement import ComplianceError, context, require, require_error, require_same

_RESULTS = {None: 3, Side.BLACK: 1, Side.WHITE: 2}


def check_vector_env(factory: Callable[[], VectorEnv], *, steps: int = 200) -> None:
    """Step an environment beside one :class:`Position` per game, and compare all that it shows.

    Also that illegal actions are refused with nothing moved, and that a seed fixes the samples. Raises
    ``ComplianceError``.
    """
    env, twin = factory(), factory()
    mirror = _Mirror(env)
    with context("before the first step"):
        mirror.check(ended=np.zeros(env.num_games, dtype=np.bool_))
    for number in range(steps):
        with context(f"step {number}"):
            actions = env.sample_actions().copy()
            require_same("the samples of a twin with the same seed", twin.sample_actions(), actions)
            if number % 16 == 0:
                _check_refusal(env, actions)
            mirror.step(actions)
            twin.step(actions.tolist())
    with context("after reset()"):
        env.reset()
        mirror.restart()
        mirror.check(ended=np.zeros(env.num_games, dtype=np.bool_))
        require(not env.reward.any() and not env.result.any(), "reward or result is not zero")


class _Mirror:
    """The same games as positions."""

    def __init__(self, env: VectorEnv) -> None:
        self.env = env
        self.start = env.position(0)
        self.positions: list[Position] = []
        self.restart()

    def restart(self) -> None:
        self.positions = [self.start.copy() for _ in range(self.env.num_games)]

    def step(self, actions: NDArray[np.int64]) -> None:
        env = self.env
        rewards = np.zeros(env.num_games, dtype=np.float32)
        results = np.zeros(env.num_games, dtype=np.uint8)
        ended = np.zeros(env.num_games, dtype=np.bool_)
        for i, position in enumerate(self.positions):
            mover = position.to_move
            require(position.is_legal(int(actions[i])), f"game {i}: the sample {actions[i]} is illegal")
            position.play(int(actions[i]))
            outcome = position.outcome()
            if outcome:
                rewards[i], results[i], ended[i] = outcome.value(mover), _RESULTS[outcome.winner], True
                self.positions[i] = self.start.copy()
        step = env.step(actions)
        for name in ("planes", "reward", "ended", "mask"):
            require(
                np.shares_memory(getattr(step, name), getattr(env, name)) or not getattr(env, name).size,
                f"{name} of the step is a copy",
            )
        require_same("reward", env.reward, rewards)
        require_same("result", env.result, results)
        self.check(ended)

    def check(self, ended: NDArray[np.bool_]) -> None:
        env = self.env
        require_same("ended", env.ended, ended)
        require_same("mask", env.mask, np.stack([position.legal_mask() for position in self.positions]))
        to_move = [position.to_move.index for position in self.positions]
        require_same("to_move", env.to_move, np.array(to_move, dtype=np.uint8))
        if env.encoding is None:
            require(env.planes.shape == (env.num_games, 0, env.game.size, env.game.size), "there are planes")
        else:
            require(env.encoding in ENCODINGS, f"unknown encoding {env.encoding!r}")
            planes = np.stack([position.planes(env.encoding) for position in self.positions])
            require_same("planes", env.planes, planes)
        for i, position in enumerate(self.positions):
            require(env.history(i) == position.moves, f"game {i}: the history is {env.history(i)}")


def _check_refusal(env: VectorEnv, legal: NDArray[np.int64]) -> None:
    """Neither an action outside the game nor one against its rules may move any game."""
    shown = ("planes", "mask", "reward", "result", "ended", "to_move")
    before = [getattr(env, name).copy() for name in shown]
    last = env.num_games - 1
    for action in [env.game.actions, -1, *np.flatnonzero(~env.mask[last])[:1].tolist()]:
        actions = legal.copy()
        actions[last] = action
        try:
            env.step(actions)
        except IllegalMoveError as refusal:
            changed = [
                name for name, old in zip(shown, before, strict=True) if not np.array_equal(old, getattr(env, name))
            ]
            require(not changed, f"a refused step changed {', '.join(changed)}")
            require(f"game {last}" in str(refusal), f"the refusal does not name game {last}: {refusal}")
        else:
            raise ComplianceError(f"action {action} in game {last} is illegal and was played")
    require_error("a step with an action too few", lambda: env.step(legal[:-1]), TengenError)
