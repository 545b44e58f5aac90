"""Is the run well? What Q-learning is known to come to grief by."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tengen.train.dqn.config import DqnConfig

_BEYOND = 2.0  # times what is possible: guesses may overshoot for a while
_SETTLED = 1000  # learning steps; before them values are mostly what the random weights say
_LARGEST = {"win": 1.0, "s0": 800.0, "s1": 1.0}  # rewards of a step, in core/envs/duel_env.h


def most_worth(config: DqnConfig) -> float:
    """No move is worth more than this, or less than minus this; infinite where rewards add up without a discount."""
    play, gamma = config.play, config.learn.gamma
    largest = _LARGEST[play.reward] * play.reward_scale
    if play.reward == "win":  # one a game
        return largest
    return largest / (1 - gamma) if gamma < 1 else math.inf


def alarms(metrics: Mapping[str, float], most: float, steps: int) -> dict[str, str]:
    """What looks like a collapse after so many learning steps: its name, and what it means."""
    value, loss = metrics.get("value", 0.0), metrics.get("loss", 0.0)
    if math.isfinite(value) and math.isfinite(loss) and (abs(value) <= _BEYOND * most or steps < _SETTLED):
        return {}
    return {
        "runaway values": f"moves are valued {value:.3g}, where no game is worth more than {most:g}: each guess feeds"
        " on the next (a lower learn.rate or a higher learn.target_every helps)"
    }
