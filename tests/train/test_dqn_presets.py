"""The presets of the sources have the sources' numbers, and those that are like them differ where they say."""

from __future__ import annotations

from typing import Any

import pytest

from tengen.train.dqn.config import DqnConfig, load_preset
from tengen.train.settings import to_dict

# What S0, S1 and S2 say. What they leave open is the presets' own.
SOURCES: dict[str, dict[str, Any]] = {
    "s0": {
        "game": "gomoku:size=7",
        "net": {"kind": "s0", "channels": 128, "dueling": False, "pair": False},
        "play": {
            "rivals": ["minimax:depth=2,ties=first"],  # it always answers alike
            "opening_plies": 1,
            "opening_boxes": [5],
            "margin": 3,
            "reward": "s0",
            "reward_scale": 1,
            "explore": "greedy",
            "epsilon_start": 1.0,
            "epsilon_end": 0.1,
            "epsilon_games": 1500,
            "scouts": 0,
        },
        "learn": {
            "batch": 256,
            "samples_per_row": 256,  # a batch after every move
            "epochs": 2,
            "rate": 1e-5,
            "rate_end": 1,
            "gamma": 0.7,
            "steps": 1,
            "loss": "huber",
            "double": False,
            "target_every": 200,
            "memory": 100_000,
            "priority": 0,
            "symmetry": False,
            "average": 0,
            "bfloat16": "never",
        },
        "run": {"games": 100_000, "save_games": 500, "keep": 5, "evaluate_first": 20},
    },
    "s1": {
        "game": "gomoku",
        "net": {"kind": "s1", "channels": 3, "dueling": False, "pair": False},
        # 0.6 and 0.4; tests/envs/test_duel_env.py has the sum.
        "play": {"rivals": ["self"], "reward": "s1", "reward_scale": 1, "explore": "random", "scouts": 0},
        "learn": {"steps": 1, "double": False, "priority": 0, "symmetry": False, "average": 0},
    },
    "s2": {
        "game": "othello",
        "net": {"kind": "s2", "channels": 12, "dueling": False, "pair": True},
        "play": {
            "rivals": ["self"],
            "reward": "win",
            "reward_scale": 50,
            "explore": "random",
            "epsilon_start": 0.1,
            "epsilon_end": 0.1,
            "scouts": 0,
        },
        "learn": {
            "batch": 32,
            "epochs": 1,
            "rate": 0.001,
            "rate_end": 1,
            "weight_decay": 0,  # Adam
            "gamma": 0.9,
            "loss": "squared",
            "clip": 1e6,  # none
            "steps": 1,
            "double": True,
            "target_every": 10,
            "memory": 200,
            "priority": 0,
            "symmetry": False,
            "average": 0,
        },
        "run": {"games": 30_000},
    },
}


def settings_of(config: DqnConfig) -> dict[str, Any]:
    """All of them by their names, with nothing left to the kind of network."""
    return {**flattened(to_dict(config)), "net.dueling": config.net_config().dueling}


def flattened(nested: dict[str, Any]) -> dict[str, Any]:
    sections = {name: values for name, values in nested.items() if isinstance(values, dict)}
    flat = {f"{section}.{name}": value for section, values in sections.items() for name, value in values.items()}
    return {"game": nested["game"], **flat}


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_has_its_own_numbers(name: str) -> None:
    have, told = settings_of(load_preset(name)), flattened(SOURCES[name])
    assert {key: have[key] for key in told} == told


def test_the_flipped_s2_differs_where_it_says() -> None:
    flipped, plain = (settings_of(load_preset(name)) for name in ("s2-flipped", "s2"))
    assert {key for key in plain if flipped[key] != plain[key]} == {
        "net.kind",
        "net.blocks",
        "net.channels",
        "net.dueling",
        "net.pair",
        "play.reward_scale",
        "learn.memory",
        "learn.samples_per_row",
    }
