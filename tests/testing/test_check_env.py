"""Every environment of every listed game passes, and every broken one is caught for the right reason."""

import numpy as np
import pytest

from tengen import TengenError
from tengen.envs import AecEnv, SinglePlayerEnv, VectorEnv, pettingzoo_env
from tengen.games import GAMES
from tengen.testing import ComplianceError, check_env

SMALL = "gomoku:size=7"


@pytest.mark.parametrize("game", GAMES)
def test_one_side_against_a_rival(game):
    check_env(lambda: SinglePlayerEnv(game=game, side="random", rival="greedy"), episodes=2)
    check_env(lambda: SinglePlayerEnv(game=game, side="white", encoding="s4", illegal="lose"), episodes=1)


@pytest.mark.parametrize("game", GAMES)
def test_two_agents(game):
    check_env(lambda: pettingzoo_env.env(game=game), episodes=1)
    check_env(lambda: AecEnv(game=game, encoding="s3"), episodes=1)


@pytest.mark.parametrize("game", GAMES)
def test_many_games(game):
    check_env(lambda: VectorEnv(game, 4, encoding="s3"))


@pytest.mark.parametrize("env", [SinglePlayerEnv(game=SMALL), AecEnv(game=SMALL), VectorEnv(SMALL, 2), "gomoku"])
def test_an_environment_itself_is_not_enough(env):
    with pytest.raises(TengenError, match=f"wants a function that makes an environment, not a {type(env).__name__}"):
        check_env(env)


class ChangesInfo(SinglePlayerEnv):
    def change(self, info):
        raise NotImplementedError

    def reset(self, *, seed=None, options=None):
        observation, info = super().reset(seed=seed, options=options)
        return observation, self.change(info)

    def step(self, action):
        *rest, info = super().step(action)
        return (*rest, self.change(info))


class NoMask(ChangesInfo):
    def change(self, info):
        return {}


class BoolMask(ChangesInfo):
    def change(self, info):
        return {"action_mask": info["action_mask"].astype(bool)}


class ShortMask(ChangesInfo):
    def change(self, info):
        return {"action_mask": info["action_mask"][1:]}


class LooseMask(ChangesInfo):
    def change(self, info):
        return {"action_mask": np.ones_like(info["action_mask"]) if info["action_mask"].any() else info["action_mask"]}


class OtherMasks(SinglePlayerEnv):
    def action_masks(self):
        masks = super().action_masks()
        return masks[::-1] if self.position.ply == 5 else masks

    def _info(self):
        return {**super()._info(), "action_mask": self.position.legal_mask().astype(np.int8)}


class DoublePlanes(SinglePlayerEnv):
    def _observation(self):
        return super()._observation().astype(np.float64)


class OutOfBounds(SinglePlayerEnv):
    def _observation(self):
        return super()._observation() * 3


class ReusedPlanes(SinglePlayerEnv):
    buffer = None

    def _observation(self):
        if self.buffer is None:
            self.buffer = super()._observation()
        self.buffer[:] = super()._observation()
        return self.buffer


class Seedless(SinglePlayerEnv):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=None, options=options)


class NumpyFlags(SinglePlayerEnv):
    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        return observation, reward, np.bool_(terminated), truncated, info


class NoNumber(SinglePlayerEnv):
    def step(self, action):
        observation, _, terminated, truncated, info = super().step(action)
        return observation, float("nan"), terminated, truncated, info


class GoesOn(SinglePlayerEnv):
    def step(self, action):
        try:
            return super().step(action)
        except TengenError:
            return self._observation(), 0.0, False, False, self._info()


class KindToIllegal(SinglePlayerEnv):
    """Plays something else instead of an illegal action."""

    def step(self, action):
        if self._running and 0 <= action < self.game.actions and not self.action_masks()[action]:
            action = int(np.flatnonzero(self.action_masks())[0])
        return super().step(action)


class KindToOutside(SinglePlayerEnv):
    """Plays something else instead of an action that there is not."""

    def step(self, action):
        return super().step(action if action < self.game.actions else int(np.flatnonzero(self.action_masks())[0]))


class RewardsIllegal(SinglePlayerEnv):
    def __init__(self, **options):
        super().__init__(**options, illegal="lose", reward=lambda before, move, reply, outcome: 1.0)


class RewardsExcluded(SinglePlayerEnv):
    def __init__(self, **options):
        reward = lambda before, move, reply, outcome: -1.0 if move is None else 1.0  # noqa: E731
        super().__init__(**options, illegal="lose", reward=reward)


@pytest.mark.parametrize(
    ("env", "message"),
    [
        (NoMask, "no action_mask|KeyError"),
        (BoolMask, "no int8 array"),
        (ShortMask, "has the shape"),
        (LooseMask, "the action mask: "),
        (OtherMasks, r"action_masks\(\): |action mask is not empty"),
        (DoublePlanes, "not in the space"),
        (OutOfBounds, "not in the space"),
        (ReusedPlanes, "kept by its user"),
        (Seedless, "same seed"),
        (NumpyFlags, "no bool"),
        (NoNumber, "the reward is nan"),
        (GoesOn, "a step after the end gave"),
        (KindToIllegal, "which the mask excludes, was played"),
        (KindToOutside, "outside the action space, was played"),
        (RewardsIllegal, "outside the action space, was rewarded"),
        (RewardsExcluded, "which the mask excludes, was rewarded"),
    ],
)
def test_a_broken_environment_is_caught(env, message):
    with pytest.raises(ComplianceError, match=message):
        check_env(lambda: env(game=SMALL, side="white"))


class ShowsTheRivalsMask(AecEnv):
    def observe(self, agent):
        return {**super().observe(agent), "action_mask": self.position.legal_mask().astype(np.int8)}


class BothWin(AecEnv):
    def step(self, action):
        super().step(action)
        if self.agents and all(self.terminations.values()):
            self._cumulative_rewards = dict.fromkeys(self.agents, 1.0)


class OnlyPlanes(AecEnv):
    def observe(self, agent):
        return {"observation": super().observe(agent)["observation"]}


class PlanesTooLarge(AecEnv):
    def observe(self, agent):
        seen = super().observe(agent)
        return {**seen, "observation": seen["observation"] * 2}


class PlaysSomethingElse(AecEnv):
    def step(self, action):
        try:
            super().step(action)
        except TengenError:
            super().step(self.position.legal_moves()[0])


class Chancy(AecEnv):
    def step(self, action):
        if action is not None and self.position.is_legal(action):
            action = np.random.default_rng().choice(self.position.legal_moves())
        super().step(action)


class OtherNames(AecEnv):
    def __init__(self, **options):
        super().__init__(**options)
        self.possible_agents = ["white", "black"]


@pytest.mark.parametrize(
    ("env", "message"),
    [
        (ShowsTheRivalsMask, "not empty though nothing may be played"),
        (BothWin, "what one wins the other should lose"),
        (OnlyPlanes, "no such dict|KeyError"),
        (PlanesTooLarge, "not in the space"),
        (PlaysSomethingElse, "which the mask excludes, was played"),
        (Chancy, "same seed"),
        (OtherNames, "the agents are"),
    ],
)
def test_a_broken_pair_of_agents_is_caught(env, message):
    with pytest.raises(ComplianceError, match=message):
        check_env(lambda: env(game=SMALL))


def test_a_broken_vector_environment_is_caught():
    class Lenient(VectorEnv):
        @property
        def mask(self):
            return np.ones_like(super().mask)

    with pytest.raises(ComplianceError, match="mask"):
        check_env(lambda: Lenient(SMALL, 2))
