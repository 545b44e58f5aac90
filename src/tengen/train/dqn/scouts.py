"""Games that only explore, of which only the won ones are remembered."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.envs.duel import DuelEnv
from tengen.train.dqn.config import LearnSettings, PlaySettings
from tengen.train.dqn.learner import Learner
from tengen.train.dqn.replay import Rows, to_device

_LONGEST = 64  # of the learner's moves; a longer game is forgotten


class Scouts:
    """Where chance hardly ever wins, a learner sees nothing but losses, and learns to lose slowly or to draw.

    Games without the network cost little, so thousands are tried for every one that is learned from as usual. What wins
    against a rival once wins again: its replies hardly vary.
    """

    def __init__(self, env: DuelEnv, play: PlaySettings, learn: LearnSettings, *, seed: int) -> None:
        self._env, self._play = env, play
        self._gamma = learn.gamma
        self._rng = np.random.default_rng(seed)
        # The last moves of every game, in rings.
        self._planes = np.zeros((_LONGEST, *env.planes.shape), np.uint8)
        self._mask = np.zeros((_LONGEST, *env.mask.shape), np.bool_)
        self._action = np.zeros((_LONGEST, len(env)), np.int64)
        self._reward = np.zeros((_LONGEST, len(env)), np.float32)
        self._now = 0
        self._begun = np.zeros(len(env), np.int64)
        self._lead = self._leads(len(env))

    def _leads(self, count: int) -> NDArray[np.int64]:
        """How many moves of a game are the network's: none in half of the games."""
        drawn = self._rng.integers(-self._play.scout_lead, self._play.scout_lead, count, endpoint=True)
        return np.maximum(drawn, 0)

    def step(self, learner: Learner) -> list[Rows]:
        """A move in every game; returns the rows of those that were won by it."""
        env, slot, device = self._env, self._now % _LONGEST, learner.device
        self._planes[slot], self._mask[slot] = env.planes, env.mask
        led = self._now - self._begun < self._lead
        self._action[slot] = env.explore_actions(self._play.explore, ~led)
        if led.any():
            planes, mask = to_device(self._planes[slot, led], device), to_device(self._mask[slot, led], device)
            self._action[slot, led] = learner.choose(planes, mask).cpu().numpy()
        env.step(self._action[slot])
        self._reward[slot] = env.reward * np.float32(self._play.reward_scale)
        self._now += 1
        won = env.ended & (env.result == np.where(env.last_side == 0, 1, 2)) & (self._now - self._begun <= _LONGEST)
        rows = [self._rows(int(game), device) for game in np.flatnonzero(won)]
        self._begun[env.ended] = self._now
        self._lead[env.ended] = self._leads(int(env.ended.sum()))
        return rows

    def _rows(self, game: int, device: torch.device) -> Rows:
        """Its moves, each with what it was worth in the end: no guess of the network's is needed for that."""
        slots = np.arange(self._begun[game], self._now) % _LONGEST
        worth = np.zeros(len(slots), np.float32)
        following = 0.0
        for k in reversed(range(len(slots))):
            worth[k] = following = self._reward[slots[k], game] + self._gamma * following
        planes, mask = to_device(self._planes[slots, game], device), to_device(self._mask[slots, game], device)
        action, returns = to_device(self._action[slots, game], device), to_device(worth, device)
        return Rows(planes, mask, action, returns, torch.zeros_like(returns), planes, mask)
