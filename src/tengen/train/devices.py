"""What there is to compute with."""

from __future__ import annotations

import os

import torch

from tengen.train.settings import ConfigError


def choose_device(name: str, setting: str = "run.device") -> torch.device:
    """``auto`` is the GPU where there is one. Raises ``ConfigError``, which names the setting."""
    try:
        device = torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)
    except RuntimeError:
        raise ConfigError(f"{setting} is auto, cpu, cuda or cuda:N, not {name!r}") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ConfigError(f"{setting} is cuda, but there is no GPU that torch can use; take {setting}=cpu")
    if device.type not in ("cpu", "cuda"):
        raise ConfigError(f"{setting} is auto, cpu, cuda or cuda:N, not {name!r}")
    return device


def seek_fast_kernels(device: torch.device) -> None:
    """Let a GPU try which kernels are fastest, which pays where batches are of one size.

    Dense layers then multiply float32 in TF32 as well, as torch's convolutions do in any case.
    """
    if device.type == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.set_float32_matmul_precision("high")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
