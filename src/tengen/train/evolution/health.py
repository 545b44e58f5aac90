"""Is the run well? What evolution is known to get stuck in."""

from __future__ import annotations

from collections.abc import Mapping

DRAWN_SHARE, LEAST_STRENGTH = 0.9, 0.01


def alarms(metrics: Mapping[str, float], sigma: float) -> dict[str, str]:
    """What looks like a standstill: its name, and what it means; ``sigma`` is how strong mutations were at first."""
    found = {}
    if (draws := metrics["draws"]) > DRAWN_SHARE:
        found["drawn games"] = f"{draws:.0%} of the games are drawn: nobody is better than anybody, and chance selects"
    if metrics.get("strength", sigma) < LEAST_STRENGTH * sigma:
        found["no mutations"] = (
            f"mutations are {metrics['strength'] / sigma:.1%} of what they were: children play as their parents do"
            " (try a lower evolve.adapt)"
        )
    return found
