"""Games that only explore, of which only the won ones are remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.envs.duel import DuelEnv
from tengen.train.dqn.config import LearnSettings, PlaySettings
from tengen.train.dqn.learner import Learner
from tengen.train.dqn.replay import Rows, to_device
from tengen.train.dqn.trails import Trails

Openings = Sequence[Sequence[int]]
MakeEnv = Callable[[int, int, str, Openings], DuelEnv]

_LED = 1 / 8  # share of games that the network leads into
_BACK_EVERY = 64  # moves
_LONGEST = 64  # of the learner's moves; a longer game is forgotten


class Scouts:
    """Where chance hardly ever wins, a learner sees nothing but losses, and learns to lose slowly or to draw.

    Games without the network cost little, so thousands are tried for every one that is learned from as usual. What wins
    against a rival once wins again, since its replies hardly vary: scouts follow the ``trails`` of those before them as
    far as these lead, and explore from there. A quarter of them go back to where the others still lose.

    ``make_env`` makes so many games with a seed for a side, from the given openings or, without any, as they are opened
    usually.
    """

    def __init__(
        self,
        make_env: MakeEnv,
        play: PlaySettings,
        learn: LearnSettings,
        trails: Trails,
        *,
        seed: int,
        env: DuelEnv | None = None,
    ) -> None:
        going_back = play.scouts // 4
        self._is_back = env is not None
        env = env or make_env(max(1, play.scouts - going_back), seed, play.side, ())
        self._make_env, self._learn, self._seed = make_env, learn, seed
        self._env, self._play, self._trails = env, play, trails
        self._going_back, self._back = going_back, list[Scouts]()
        self._gamma = learn.gamma
        self._rng = np.random.default_rng(seed)
        # The last moves of every game, in rings.
        self._planes = np.zeros((_LONGEST, *env.planes.shape), np.uint8)
        self._mask = np.zeros((_LONGEST, *env.mask.shape), np.bool_)
        self._action = np.zeros((_LONGEST, len(env)), np.int64)
        self._reward = np.zeros((_LONGEST, len(env)), np.float32)
        self._place = np.full((_LONGEST, len(env)), -1)  # in the trails, and the move as it is known there
        self._known_as = np.zeros((_LONGEST, len(env)), np.int64)
        self._off_trail = np.zeros(len(env), np.bool_)
        self.ended = self.won = 0  # games that were not led
        self._now = 0
        self._begun = np.zeros(len(env), np.int64)
        self._lead = self._leads(len(env))

    def _leads(self, count: int) -> NDArray[np.int64]:
        """How many moves of a game are the network's: none in most games, since it costs more than all the rest."""
        drawn = self._rng.integers(1, self._play.scout_lead, count, endpoint=True) if self._play.scout_lead else 0
        return np.where(self._rng.random(count) < _LED, drawn, 0)

    def step(self, learner: Learner) -> list[Rows]:
        """A move in every game; returns the moves of those that were won by it."""
        if not self._is_back and self._now % _BACK_EVERY == _BACK_EVERY - 1:
            self._back = self._sent_back()
        return [self._step(learner), *(rows for group in self._back for rows in group.step(learner))]

    def _sent_back(self) -> list[Scouts]:
        """Those who go back to positions of games that are under way, where scouts come often and lose."""
        env, trails, seed = self._env, self._trails, self._seed + self._now
        lost = trails.unsolved(trails.find(env.planes)) & ~self._off_trail
        groups = []
        for side, name in enumerate(("black", "white")):
            at = np.flatnonzero(lost & (env.to_move == side))
            count = self._going_back * len(at) // max(1, int(lost.sum()))
            if count:
                openings = [[int(move) for move in env.history(int(game))] for game in at]
                back = self._make_env(count, seed + side, name, openings)
                groups.append(Scouts(self._make_env, self._play, self._learn, trails, seed=seed + side, env=back))
        return groups

    def _step(self, learner: Learner) -> Rows:
        env, slot = self._env, self._now % _LONGEST
        self._planes[slot], self._mask[slot] = env.planes, env.mask
        self._action[slot] = self._choose(learner)
        env.step(self._action[slot])
        self._reward[slot] = env.reward * np.float32(self._play.reward_scale)
        self._now += 1
        ended = np.flatnonzero(env.ended & (self._now - self._begun <= _LONGEST))
        won = env.result[ended] == np.where(env.last_side[ended] == 0, 1, 2)
        alone = self._lead[ended] == 0
        self.ended += int(alone.sum())
        self.won += int((won & alone).sum())
        rows = self._remember(ended, won, learner.device)
        self._begun[env.ended] = self._now
        self._off_trail[env.ended] = False
        self._lead[env.ended] = self._leads(int(env.ended.sum()))
        return rows

    def _choose(self, learner: Learner) -> NDArray[np.int64]:
        """Moves of the network at first where it leads, then those of the trails, then exploring ones."""
        env, trails, slot = self._env, self._trails, self._now % _LONGEST
        led = self._now - self._begun < self._lead
        places = trails.find(env.planes)
        on_trail = ~led & ~self._off_trail
        follows = on_trail & (places.row >= 0)
        actions = env.explore_actions(self._play.explore, ~led & ~follows).copy()
        if led.any():
            planes, mask = (to_device(shown[slot, led], learner.device) for shown in (self._planes, self._mask))
            actions[led] = learner.choose(planes, mask).cpu().numpy()
        if follows.any():
            actions[follows] = trails.choose(places, env.mask, follows, self._rng)
        # A trail grows by one position a game.
        trails.add(places, on_trail & ~follows)
        self._off_trail |= on_trail & ~follows
        self._place[slot] = np.where(on_trail, places.row, -1)
        self._known_as[slot] = trails.turned(places, actions)
        counted = self._place[slot] >= 0
        trails.tried(self._place[slot, counted], self._known_as[slot, counted])
        return actions

    def _remember(self, ended: NDArray[np.int64], won: NDArray[np.bool_], device: torch.device) -> Rows:
        """The moves of won games, each with what it was worth in the end: no guess of the network's is needed."""
        worth = np.zeros(len(ended), np.float32)
        success = won.astype(np.float32)
        slots, games, worths = [], [], []
        for back in range(int((self._now - self._begun[ended]).max(initial=0))):
            going = self._begun[ended] < self._now - back
            slot = (self._now - 1 - back) % _LONGEST
            worth[going] = self._reward[slot, ended[going]] + self._gamma * worth[going]
            success *= self._gamma
            place = self._place[slot, ended]
            counted = going & (place >= 0)
            self._trails.came_to(place[counted], self._known_as[slot, ended[counted]], success[counted])
            kept = going & won
            slots.append(np.full(kept.sum(), slot))
            games.append(ended[kept])
            worths.append(worth[kept])
        at = (np.concatenate(slots), np.concatenate(games)) if slots else (np.zeros(0, np.int64),) * 2
        planes, mask = to_device(self._planes[at], device), to_device(self._mask[at], device)
        returns = to_device(np.concatenate(worths) if worths else np.zeros(0, np.float32), device)
        return Rows(planes, mask, to_device(self._action[at], device), returns, torch.zeros_like(returns), planes, mask)
