"""Weights that a run begins with, and whether those that it has are still numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import torch
from torch import Tensor

from tengen.nets.checkpoint import load
from tengen.nets.config import NetConfig
from tengen.nets.header import NetHeader
from tengen.nets.network import Net
from tengen.nets.shipped import require_method
from tengen.train.run import Run, RunError
from tengen.train.settings import ConfigError


def load_fitting(path: str, method: str, config: NetConfig) -> tuple[Net, NetHeader]:
    """The network in a file, and its header; raises ``TengenError`` if it is another method's or of another shape."""
    net, header = load(path)
    require_method(header, method, path)
    shape = replace(header.config, size=config.size) if header.config.any_size else header.config
    if shape != config:
        raise ConfigError(f"{path} is a network of another shape: {header.config.in_words()}, not {config.in_words()}")
    return net, header


def require_sound(weights: Iterable[Tensor], run: Run, step: int, advice: str) -> None:
    """Raise ``RunError`` if weights are no finite numbers any more: nothing comes of learning on."""
    if bool(torch.stack([tensor.isfinite().all() for tensor in weights]).all()):
        return
    kept = run.checkpoints()
    good = f"the last good checkpoint is {kept[-1]}" if kept else "there is no checkpoint yet"
    raise RunError(f"diverged at step {step}: the weights are no finite numbers any more; {good} ({advice})")
