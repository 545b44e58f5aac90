"""What there is to compute with."""

from __future__ import annotations

import os

import torch

from tengen.train.settings import ConfigError


def choose_device(name: str) -> torch.device:
    """``auto`` is the GPU where there is one."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
    except RuntimeError:
        raise ConfigError(f"run.device is auto, cpu, cuda or cuda:N, not {name!r}") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ConfigError("run.device is cuda, but there is no GPU that torch can use; take run.device=cpu")
    if device.type not in ("cpu", "cuda"):
        raise ConfigError(f"run.device is auto, cpu, cuda or cuda:N, not {name!r}")
    return device


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
