"""Environments for learners: many games at once, one side against a rival, and two agents taking turns.

``VectorEnv`` and ``DuelEnv`` need numpy alone. ``SinglePlayerEnv`` and ``register`` need Gymnasium, ``AecEnv`` needs
PettingZoo; these are imported when first asked for, and an ``ImportError`` says what to install if they are missing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tengen.envs.duel import DuelEnv
from tengen.envs.vector import VectorEnv, VectorStep

if TYPE_CHECKING:
    from tengen.envs.gymnasium_env import SinglePlayerEnv, register
    from tengen.envs.pettingzoo_env import AecEnv

_LAZY = {
    "AecEnv": "tengen.envs.pettingzoo_env",
    "SinglePlayerEnv": "tengen.envs.gymnasium_env",
    "register": "tengen.envs.gymnasium_env",
}

__all__ = ["DuelEnv", "VectorEnv", "VectorStep"]
# What ``import *`` would fail on is left out of it; asking for such a name says what to install.
if TYPE_CHECKING or find_spec("gymnasium"):
    __all__ += ["SinglePlayerEnv", "register"]
    if TYPE_CHECKING or find_spec("pettingzoo"):
        __all__ += ["AecEnv"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'tengen.envs' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
