"""Networks for play: ONNX files in float32 or in 8-bit integers, and how far they are from what torch computes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tengen.errors import TengenError
from tengen.nets._calibration import Calibration
from tengen.nets._layers import Block, ConvNorm
from tengen.nets._onnx_graph import FloatGraph, Int8Graph, Layer, Value
from tengen.nets._writing import write_whole
from tengen.nets.config import NetConfig
from tengen.nets.evaluator import OnnxEvaluator, check_planes
from tengen.nets.evolved import NORM_FLOOR, REACH, line_kernel
from tengen.nets.header import close_onnx, format_metadata
from tengen.nets.network import (
    LinesNet,
    Net,
    S0Net,
    S1EvolvedNet,
    S1Net,
    S2Net,
    S3Net,
    S4Net,
    TengenNet,
    fold,
    infer,
)

_BATCH = 64


def export_onnx(
    net: Net,
    config: NetConfig,
    path: str | os.PathLike[str],
    *,
    training: Mapping[str, Any],
    int8_samples: NDArray[np.uint8] | None = None,
) -> None:
    """Write a network for play: ``planes`` uint8 [n, P, h, w] -> ``policy`` [n, actions] logits, ``wdl`` [n, 3].

    n is free, and so are h and w of a network for any size; boards fill the input, so there is no mask in it. With
    ``int8_samples``, a few hundred real positions, uint8 [n, P, h, w], the convolutions are in 8-bit integers. The file
    is there as a whole or not at all. Raises ``TengenError`` if the network or the samples are not of ``config``, and
    for the networks of evolution in 8-bit integers.
    """
    write_whole(path, onnx_bytes(net, config, training=training, int8_samples=int8_samples))


def onnx_bytes(
    net: Net, config: NetConfig, *, training: Mapping[str, Any], int8_samples: NDArray[np.uint8] | None = None
) -> bytes:
    """What :func:`export_onnx` writes."""
    if net.config != config:
        raise TengenError(f"the network is {net.config}, not {config}")
    if int8_samples is not None:
        if config.kind in ("lines", "s1-evolved"):
            raise TengenError(f"a network of kind {config.kind} is exported in float32 only")
        check_planes(int8_samples, config)
    net = fold(net).float().cpu()
    graph = FloatGraph() if int8_samples is None else Int8Graph(Calibration(net, int8_samples).scale)
    _Writer(graph, net).write()
    fixed = None if config.any_size else config.size
    model = graph.finish(planes=config.planes, size=fixed, actions=None if fixed is None else config.actions())
    for key, value in format_metadata(config, training, "float32" if int8_samples is None else "int8").items():
        model.metadata_props.add(key=key, value=value)
    return close_onnx(model.SerializeToString(deterministic=True))


class _Writer:
    """Says to a graph what a folded network does: the forward passes of ``network.py`` once more, layer by layer."""

    def __init__(self, graph: FloatGraph, net: Net) -> None:
        self.graph, self.net = graph, net
        self.names = {module: name for name, module in net.named_modules()}

    def write(self) -> None:
        """The whole network."""
        match self.net:
            case TengenNet():
                self._write_tengen(self.net)
            case S0Net() | S1Net() | S2Net():
                self._write_ratings(self.net)
            case S3Net() | S4Net():
                self._write_source(self.net)
            case LinesNet():
                self._write_lines(self.net)
            case S1EvolvedNet():
                self._write_s1_evolved(self.net)

    def _write_tengen(self, net: TengenNet) -> None:
        graph, heads = self.graph, net.heads
        x = self._trunk(net.stem, net.blocks)
        pooled = graph.pool(graph.conv(x, self._layer(heads.whole)))
        bias = graph.dense(pooled, self._layer(heads.bias))
        logits = graph.cell_logits(
            graph.conv(x, self._layer(heads.cells), relu=False), bias, self._layer(heads.moves, outputs=1)
        )
        passing = [] if heads.passing is None else [graph.dense(pooled, self._layer(heads.passing, outputs=1))]
        graph.simple("Concat", logits, *passing, output="policy", axis=1)
        if heads.hidden is None or heads.wdl is None:
            graph.no_opinion()
            return
        wdl = graph.dense(graph.dense(pooled, self._layer(heads.hidden), relu=True), self._layer(heads.wdl))
        graph.simple("Softmax", wdl, output="wdl", axis=1)

    def _write_ratings(self, net: S0Net | S1Net | S2Net) -> None:
        graph, size, x = self.graph, net.config.size, self.graph.planes()
        match net:
            case S1Net():  # own minus rival stones, by the weights
                layer = self._layer(net.conv)
                x = graph.conv(x, replace(layer, weight=np.concatenate((layer.weight, -layer.weight), 1)))
            case S0Net() | S2Net():
                if isinstance(net, S2Net):
                    x = graph.in_a_row(x, net.config.planes)
                for module in net.trunk:
                    x = graph.conv(x, self._layer(module))
        cells = (1, size**2) if isinstance(net, S2Net) else (size, size)
        policy = graph.dense_over_cells(x, self._layer(net.policy, size=cells))
        graph.simple("Identity", policy, output="policy")
        if net.value is not None:
            self._write_value(graph.dense_over_cells(x, self._layer(net.value, size=cells)))
            return
        nothing = Layer("wdl", np.zeros((3, net.config.actions())), np.array([0.0, 1.0, 0.0]))
        graph.simple("Identity", graph.dense(policy, nothing), output="wdl")

    def _write_lines(self, net: LinesNet) -> None:
        x = self.graph.with_edge(self.graph.planes(), REACH)
        hidden = Layer("hidden", line_kernel(net.cells).numpy(), net.bias.repeat(8).numpy())
        worth = Layer("worth", net.worth.repeat(8).numpy()[None, :, None, None], np.zeros(1))
        x = self.graph.conv(self.graph.conv(x, hidden, padded=False), worth, relu=False)
        self.graph.simple("Flatten", x.name, output="policy", axis=1)
        self.graph.no_opinion()

    def _write_s1_evolved(self, net: S1EvolvedNet) -> None:
        graph = self.graph
        difference = Layer("difference", np.array([1.0, -1.0]).reshape(1, 2, 1, 1), np.zeros(1))
        x = graph.over_board(graph.conv(graph.planes(), difference, relu=False), NORM_FLOOR)
        # Scale and shift belong to the convolution here, which has no padding that they could miss.
        kernel = net.conv.numpy().astype(np.float64)
        bias = net.bias.numpy() + net.shift.numpy() * kernel.sum((1, 2, 3))
        x = graph.conv(x, Layer("conv", kernel * net.scale.numpy(), bias), relu=False, padded=False)
        side = net.config.size - 3
        policy = graph.dense_over_cells(graph.highest_of_four(x), self._layer(net.dense, size=(side, side)))
        graph.simple("Identity", policy, output="policy")
        graph.no_opinion()

    def _write_source(self, net: S3Net | S4Net) -> None:
        graph, size = self.graph, net.config.size
        if isinstance(net, S4Net):
            x = self._trunk(net.stem, net.blocks)
        else:
            x = graph.planes()
            for layer in net.trunk:
                x = graph.conv(x, self._layer(layer))
        cells = graph.conv(x, self._layer(net.cells))
        policy = graph.dense_over_cells(cells, self._layer(net.policy, size=(size, size)))
        graph.simple("Identity", policy, output="policy")
        whole = graph.conv(x, self._layer(net.whole))
        hidden = graph.dense_over_cells(whole, self._layer(net.hidden, size=(size, size)), relu=True)
        self._write_value(graph.simple("Tanh", graph.dense(hidden, self._layer(net.value))))

    def _write_value(self, value: str) -> None:
        """A value [n, 1] as ``wdl``, see :func:`infer`."""
        halves = Layer("wdl", np.array([[0.5], [0.0], [-0.5]]), np.array([0.5, 0.0, 0.5]))
        self.graph.simple("Identity", self.graph.dense(value, halves), output="wdl")

    def _trunk(self, stem: ConvNorm, blocks: nn.ModuleList) -> Value:
        x = self.graph.conv(self.graph.planes(), self._layer(stem))
        for block in blocks:
            assert isinstance(block, Block)
            x = self._block(x, block)
        return x

    def _block(self, x: Value, block: Block) -> Value:
        inner = self.graph.conv(x, self._layer(block.first))
        added = self.graph.conv(inner, self._layer(block.second), relu=False)
        if block.bias is not None:
            bias = self.graph.dense(self.graph.pool(inner), self._layer(block.bias.dense))
            added = self.graph.add_bias(self.names[block.bias], added, bias)
        return self.graph.add(self.names[block], x, added)

    def _layer(self, module: nn.Module, *, outputs: int | None = None, size: tuple[int, int] | None = None) -> Layer:
        """The weights of a module, its first ``outputs`` only; over ``size``: a dense layer as [K, C, h, w]."""
        inner = module.conv if isinstance(module, ConvNorm) else module
        assert isinstance(inner, (nn.Conv2d, nn.Linear))
        weight = inner.weight.numpy()[:outputs]
        bias = np.zeros(len(weight)) if inner.bias is None else inner.bias.numpy()[:outputs]
        if size is not None:
            weight = weight.reshape(len(weight), -1, *size)
        return Layer(self.names[module], weight.astype(np.float64), bias.astype(np.float64))


@dataclass(frozen=True)
class ExportCheck:
    """How far an exported file is from torch: the largest differences, and how often the best move is the same."""

    logits: float
    policy: float
    wdl: float
    top1: float


def check_export(
    net: Net,
    path: str | os.PathLike[str],
    positions: NDArray[np.uint8],
    *,
    legal: NDArray[np.bool_] | None = None,
) -> ExportCheck:
    """Compare a file with the network it was made from on positions, uint8 [n, P, h, w].

    ``legal`` [n, actions] limits the comparison to the legal moves, which is what a search sees. Logits are compared
    up to the constant that a softmax does not notice.
    """
    check_planes(positions, net.config)
    net, evaluator = fold(net).float().cpu(), OnnxEvaluator(path)
    differences = []
    for start in range(0, len(positions), _BATCH):
        batch = positions[start : start + _BATCH]
        with torch.inference_mode():
            policy, wdl = (tensor.numpy() for tensor in infer(net, torch.from_numpy(batch)))
        there_policy, there_wdl = evaluator.evaluate(batch)
        allowed = np.ones(policy.shape, bool) if legal is None else legal[start : start + _BATCH]
        here, there = _log_softmax(policy, allowed), _log_softmax(there_policy, allowed)
        differences.append(
            np.column_stack(
                (
                    np.abs(here - there).max(1, where=allowed, initial=0),
                    np.abs(np.exp(here) - np.exp(there)).max(1),
                    np.abs(wdl - there_wdl).max(1),
                    here.argmax(1) == there.argmax(1),
                )
            )
        )
    table = np.concatenate(differences)
    logits, probabilities, values = table[:, :3].max(0)
    return ExportCheck(float(logits), float(probabilities), float(values), float(table[:, 3].mean()))


def _log_softmax(logits: NDArray[np.float32], allowed: NDArray[np.bool_]) -> NDArray[np.float64]:
    shifted = np.where(allowed, logits.astype(np.float64), -1e9)
    shifted -= shifted.max(1, keepdims=True)
    result: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return result
