"""Weights that a run begins or goes on with, and whether those that it has are still numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import torch
from safetensors import SafetensorError
from torch import Tensor

from tengen.errors import TengenError
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


@contextmanager
def fitting(path: Path, wanted: str = "the network that config.toml describes") -> Iterator[None]:
    """Turn whatever a file refuses to be loaded with into a ``RunError`` of one line.

    The files of a checkpoint are those that were written, or :func:`read_checkpoint` says so before: if one does not
    fit, the settings were changed beside it.
    """
    try:
        yield
    except torch.OutOfMemoryError:  # which has nothing to do with the file
        raise
    except TengenError as error:
        raise RunError(f"{path} does not fit this run: {error}") from None
    except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError):  # torch names every tensor
        raise RunError(f"{path} does not fit this run: it does not hold {wanted}") from None


def require_sound(weights: Iterable[Tensor], run: Run, step: int, advice: str) -> None:
    """Raise ``RunError`` if weights are no finite numbers any more: nothing comes of learning on."""
    if bool(torch.stack([tensor.isfinite().all() for tensor in weights]).all()):
        return
    kept = run.checkpoints()
    good = f"the last good checkpoint is {kept[-1]}" if kept else "there is no checkpoint yet"
    raise RunError(f"diverged at step {step}: the weights are no finite numbers any more; {good} ({advice})")
