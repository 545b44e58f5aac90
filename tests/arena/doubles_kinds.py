"""Registers the doubles; imported by worker processes only, so that other tests do not meet them."""

from __future__ import annotations

from typing import Any

from doubles import DOUBLES, Double

from tengen.players import PlayerKind, PlayerOption, register


def _builder(double: type[Double]) -> Any:
    def build(*, name: str, seed: int | None, **options: Any) -> Double:
        return double(name=name, seed=seed)

    return build


for kind, double in DOUBLES.items():
    options = {key: PlayerOption(float, "ignored") for key in ("time", "depth")}
    register(PlayerKind(kind, "a test double", _builder(double), options))
