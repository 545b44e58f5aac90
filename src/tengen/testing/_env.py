"""Does an environment keep to its spaces, masks and seeds?"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tengen.envs import VectorEnv
from tengen.errors import TengenError
from tengen.games import Position, Side
from tengen.testing._requirement import ComplianceError, context, require, require_error, require_same
from tengen.testing._vector import check_vector_env

_LONGEST: Final = 2000  # steps; no game here takes as many


def check_env(env_factory: Callable[[], Any], *, episodes: int = 3, seed: int = 0) -> None:
    """Check an environment of any of the three kinds, which it tells apart by their methods.

    A Gymnasium environment of one side: observations lie in their space; ``info["action_mask"]`` is int8, agrees with
    ``action_masks()``, is empty only at the end and tells legal actions from illegal ones (which raise, or end the
    episode at a loss); rewards are finite; episodes end; ``reset(seed=...)`` makes an episode repeat itself; arrays are
    not reused. A PettingZoo AEC environment: the same for each agent, the agents take turns, and what one wins the
    other loses. A ``VectorEnv``: it plays the same games as ``Position`` does.

    ``env_factory`` makes a new environment at each call. Raises ``ComplianceError``, and ``TengenError`` if it is no
    function.
    """
    if not callable(env_factory):
        raise TengenError(f"check_env wants a function that makes an environment, not a {type(env_factory).__name__}")
    env = env_factory()
    if isinstance(env, VectorEnv):
        check_vector_env(env_factory)
    elif hasattr(env, "agent_iter"):
        for number in range(episodes):
            with context(f"game {number}"):
                first = _play_agents(env_factory(), seed + number)
                _require_equal_traces(first, _play_agents(env_factory(), seed + number))
                _check_illegal_agents(env, seed + number)
    else:
        for number in range(episodes):
            with context(f"episode {number}"):
                first = _play_single(env, seed + number)
                _require_equal_traces(first, _play_single(env, seed + number))
                _require_equal_traces(first, _play_single(env_factory(), seed + number))
                _check_illegal_single(env, seed + number)


_Trace = list[tuple[Any, ...]]
_TRACED: Final = ("the observation", "the mask", "the reward", "terminated", "truncated")


def _require_equal_traces(first: _Trace, second: _Trace) -> None:
    require(len(first) == len(second), f"with the same seed, {len(first)} steps became {len(second)}")
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        with context(f"step {number}, once more with the same seed"):
            for name, a, b in zip(_TRACED, one, other, strict=False):
                require_same(name, b, a)


def _legal(mask: NDArray[np.int8], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def _check_mask(mask: Any, actions: int, *, over: bool, position: Position | None) -> None:
    require(isinstance(mask, np.ndarray) and mask.dtype == np.int8, "the action mask is no int8 array")
    require(mask.shape == (actions,), f"the action mask has the shape {mask.shape}, not [{actions}]")
    require(np.isin(mask, (0, 1)).all(), "the action mask holds something else than 0 and 1")
    require(mask.any() or over, "the action mask is empty though the game goes on")
    require(not (over and mask.any()), "the action mask is not empty though nothing may be played")
    if position is not None and not over:
        require_same("the action mask", mask.astype(np.bool_), position.legal_mask())


def _check_observation(observation: Any, space: Any) -> None:
    if not space.contains(observation):
        raise ComplianceError(f"the observation is not in the space {space}:\n{observation}")


# One side against a rival.


def _play_single(env: Any, seed: int) -> _Trace:
    """Play an episode with random legal actions."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    trace: _Trace = [(observation, info["action_mask"])]
    _check_state(env, observation, info, over=False)
    for number in range(_LONGEST):
        with context(f"step {number}"):
            kept, old = observation.copy(), observation
            observation, reward, terminated, truncated, info = env.step(_legal(info["action_mask"], rng))
            require_same("the observation before the step, kept by its user,", old, kept)
            require(type(terminated) is bool and type(truncated) is bool, "terminated or truncated is no bool")
            require(math.isfinite(float(reward)), f"the reward is {reward}")
            over = terminated or truncated
            _check_state(env, observation, info, over=over)
            trace.append((observation, info["action_mask"], float(reward), terminated, truncated))
        if over:
            require_error("a step after the end", lambda: env.step(0), TengenError)
            return trace
    require(False, f"the episode has not ended after {_LONGEST} steps")
    return trace


def _check_state(env: Any, observation: Any, info: Any, *, over: bool) -> None:
    require(isinstance(info, dict) and "action_mask" in info, "there is no action_mask in the info")
    _check_observation(observation, env.observation_space)
    position = getattr(env.unwrapped, "position", None)
    _check_mask(info["action_mask"], int(env.action_space.n), over=over, position=position)
    require(env.action_space.contains(env.action_space.sample(info["action_mask"])), "the mask does not sample")
    masks = np.asarray(env.unwrapped.action_masks())
    require_same("action_masks()", masks.astype(np.int8), info["action_mask"])


def _check_illegal_single(env: Any, seed: int) -> None:
    """An action outside the action space, or one that the mask excludes, is refused or ends the episode at a loss."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    _try_illegal(env, info["action_mask"], len(info["action_mask"]), "outside the action space", rng)
    _, info = env.reset(seed=seed)
    while info["action_mask"].all():
        _, _, terminated, truncated, info = env.step(_legal(info["action_mask"], rng))
        require(not terminated and not truncated, "the mask allowed every action through a whole episode")
    excluded = int(rng.choice(np.flatnonzero(info["action_mask"] == 0)))
    _try_illegal(env, info["action_mask"], excluded, "which the mask excludes", rng)


def _try_illegal(env: Any, mask: NDArray[np.int8], action: int, what: str, rng: np.random.Generator) -> None:
    mask = mask.copy()
    try:
        _, reward, terminated, _, _ = env.step(action)
    except TengenError:
        require_same("after a refused action, action_masks()", np.asarray(env.unwrapped.action_masks()), mask == 1)
        env.step(_legal(mask, rng))
    else:
        require(terminated, f"action {action}, {what}, was played")
        require(reward < 0, f"action {action}, {what}, was rewarded with {reward}")


# Two agents in turn.


def _play_agents(env: Any, seed: int) -> _Trace:
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    require(list(env.possible_agents) == [str(side) for side in Side], f"the agents are {env.possible_agents}")
    trace: _Trace = []
    finals: dict[str, float] = {}
    before = None
    for agent in env.agent_iter(_LONGEST):
        with context(f"step {len(trace)}"):
            observation, reward, terminated, truncated, _ = env.last()
            over = terminated or truncated
            _check_agents(env, agent, over=over)
            if over:
                finals[agent] = reward
                action = None
            else:
                require(agent != before, f"{agent} is to move twice in a row")
                action = _legal(observation["action_mask"], rng)
            before = agent
            trace.append((observation["observation"], observation["action_mask"], reward, terminated, truncated))
            env.step(action)
    require(not env.agents, f"the game has not ended after {_LONGEST} steps")
    require(set(finals) == set(env.possible_agents), f"only {', '.join(finals)} came to an end")
    require(sum(finals.values()) == 0, f"what one wins the other should lose: {finals}")
    return trace


def _check_agents(env: Any, agent: str, *, over: bool) -> None:
    position = getattr(env.unwrapped, "position", None)
    for name in env.agents:
        seen = env.observe(name)
        require(isinstance(seen, dict) and set(seen) == {"observation", "action_mask"}, f"{name} observes no such dict")
        _check_observation(seen, env.observation_space(name))
        idle = over or name != agent
        _check_mask(seen["action_mask"], int(env.action_space(name).n), over=idle, position=position)


def _check_illegal_agents(env: Any, seed: int) -> None:
    """An action that the mask excludes is refused and changes nothing, or it ends the game against its agent."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    env.step(_legal(env.last()[0]["action_mask"], rng))
    agent, mask = env.agent_selection, env.last()[0]["action_mask"]
    action = int(rng.choice(np.flatnonzero(mask == 0)))
    try:
        env.step(action)
    except TengenError:
        require(env.agent_selection == agent, "a refused action changed whose turn it is")
        require_same("after a refused action, the mask", env.last()[0]["action_mask"], mask)
        env.step(_legal(mask, rng))
    else:
        require(env.terminations[agent], f"action {action}, which the mask excludes, was played")
        require(env.rewards[agent] < 0, f"action {action}, which the mask excludes, was rewarded")
