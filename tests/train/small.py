"""What the tests and the processes that they start make runs with."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tengen.train.alphazero.config import AlphaZeroConfig, make_config
from tengen.train.alphazero.selfplay import SelfPlay
from tengen.train.alphazero.window import Games
from tengen.train.settings import merged

SMALL: dict[str, Any] = {
    "games": ["gomoku:size=6"],
    "net": {"blocks": 1, "channels": 8},
    "selfplay": {
        "games": 8,
        "threads": 1,
        "full_visits": 8,
        "cheap_visits": 4,
        "full_share": 0.5,
        "effort": 8,
        "opening_most": 2,
    },
    "learn": {"batch": 16, "window": 2000, "least_rows": 32, "samples_per_row": 2, "warm_up": 2},
    "run": {"games": 30, "log_seconds": 0.05, "save_minutes": 0.005, "refresh": 5, "seed": 1, "device": "cpu"},
}

#: The same on the command line.
SMALL_CHANGES = [
    word
    for section, values in SMALL.items()
    for assignment in (
        [f"{section}.{name}={value}" for name, value in values.items()]
        if isinstance(values, dict)
        else [f"{section}={values}"]
    )
    for word in ("--set", assignment)
]


def small_config(**changes: Any) -> AlphaZeroConfig:
    """A run over in a second; sections may be changed in part."""
    return make_config(merged(SMALL, changes))


def small_selfplay(config: AlphaZeroConfig, seed: int = 1) -> SelfPlay:
    games = config.parsed_games()
    torch.manual_seed(seed)
    return SelfPlay(
        games, [1.0] * len(games), config.net_config(), config.selfplay, seed=seed, device=torch.device("cpu")
    )


def joined(parts: list[Games]) -> Games:
    return Games(*(np.concatenate(arrays) for arrays in zip(*(part.arrays() for part in parts), strict=True)))


def open_run(method: str, folder: str, values: dict[str, Any], *changes: str) -> Any:
    """The trainer of a new run with these settings or, where there is one, of that run, with changes."""
    part = {name: import_module(f"tengen.train.{method}.{name}") for name in ("config", "trainer")}
    if (Path(folder) / "run.json").exists():
        return part["trainer"].resumed_trainer(folder, changes)
    return part["trainer"].new_trainer(part["config"].make_config(values, changes), folder)


def sit(method: str, folder: str, values: dict[str, Any], pause: float = 0.0) -> None:
    """Begin or go on with a run, in a process of its own; a ``pause`` after each entry of the log makes it last."""
    torch.set_num_threads(1)
    open_run(method, folder, values).train(lambda _: time.sleep(pause))
