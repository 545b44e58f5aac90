"""Which 8-bit scale each activation of a network gets, from what it does on real positions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tengen.nets._layers import Block, ConvNorm, PooledBias
from tengen.nets._onnx_graph import Scale
from tengen.nets.network import Net

_BATCH = 64
_KEPT = 4096  # values of an activation kept per batch
_FRACTIONS = np.linspace(0.3, 1.0, 36)  # of the largest value: where to clip


class Calibration:
    """Runs a folded network over positions, uint8 [n, P, h, w], and then tells the scale of each module's output."""

    def __init__(self, net: Net, positions: NDArray[np.uint8]) -> None:
        self._values: dict[str, list[NDArray[np.float32]]] = {}
        self._rng = np.random.default_rng(0)
        hooks = [
            module.register_forward_hook(partial(self._keep, name))
            for name, module in net.named_modules()
            if isinstance(module, (ConvNorm, nn.Conv2d, nn.Linear, PooledBias, Block))
        ]
        try:
            with torch.inference_mode():
                for start in range(0, len(positions), _BATCH):
                    net(torch.from_numpy(positions[start : start + _BATCH]))
        finally:
            for hook in hooks:
                hook.remove()

    def _keep(self, name: str, _module: nn.Module, _inputs: Any, output: Tensor) -> None:
        values = output.numpy().ravel()
        kept = self._rng.choice(values, _KEPT) if values.size > _KEPT else values
        extremes = np.array([values.min(), values.max()], np.float32)
        self._values.setdefault(name, []).append(np.concatenate([kept, extremes]))

    def scale(self, name: str, relu: bool) -> Scale:
        """The scale with the smallest mean square error; with ``relu`` for what is left of the output after one."""
        values = np.concatenate(self._values[name]).astype(np.float64)
        if relu:
            values = np.maximum(values, 0)
        low, high = min(0.0, values.min()), max(0.0, values.max())
        scales = [_scale(low * fraction, high * fraction) for fraction in _FRACTIONS]
        return min(scales, key=lambda scale: _error(values, scale))


def _scale(low: float, high: float) -> Scale:
    step = max(high - low, 1e-6) / 255
    return Scale(float(np.float32(step)), round(-low / step))


def _error(values: NDArray[np.float64], scale: Scale) -> float:
    steps = np.clip(np.rint(values / scale.step) + scale.zero, 0, 255) - scale.zero
    return float(np.square(steps * scale.step - values).mean())
