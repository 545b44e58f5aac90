"""Is the run well? What Q-learning is known to come to grief by."""

from __future__ import annotations

import math
from collections.abc import Mapping

_BEYOND = 2.0  # times what is possible: guesses may overshoot for a while
_SETTLED = 1000  # learning steps; before them values are mostly what the random weights say


def alarms(metrics: Mapping[str, float], most: float, steps: int) -> dict[str, str]:
    """What looks like a collapse after so many learning steps: its name, and what it means."""
    value, loss = metrics.get("value", 0.0), metrics.get("loss", 0.0)
    if math.isfinite(value) and math.isfinite(loss) and (abs(value) <= _BEYOND * most or steps < _SETTLED):
        return {}
    return {
        "runaway values": f"moves are valued {value:.3g}, where no game is worth more than {most:g}: each guess feeds"
        " on the next (a lower learn.rate or a higher learn.target_every helps)"
    }
