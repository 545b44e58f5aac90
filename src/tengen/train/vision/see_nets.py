"""The three small nets that read a picture, and how they are written as ONNX files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from tengen.nets.header import close_onnx
from tengen.vision.geometry import TILE_STEP
from tengen.vision.grid import BOARDS
from tengen.vision.models import FORMAT
from tengen.vision.points import CHANNELS

_IR_VERSION, _OPSET = 8, 17  # old enough for any ONNX Runtime that knows numpy 2


class Conv(nn.Module):
    """Convolution, batch norm, relu."""

    def __init__(self, channels: int, out: int, *, kernel: int = 3, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, out, kernel, stride, kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(out)

    def forward(self, x: Tensor) -> Tensor:
        """[n, channels, h, w] -> [n, out, h / stride, w / stride]."""
        return torch.relu(self.norm(self.conv(x)))


class Pyramid(nn.Module):
    """Down in steps of two, and up again to ``top`` steps below the picture, where its maps are.

    ``widths`` are the channels at each step down.
    """

    def __init__(self, widths: Sequence[int], *, top: int, maps: int) -> None:
        super().__init__()
        self.top = top
        self.down = nn.ModuleList()
        channels = 3
        for level, width in enumerate(widths):
            kernel = 5 if level == 0 else 3
            steps = [Conv(channels, width, kernel=kernel, stride=2)]
            if level:
                steps.append(Conv(width, width))
            if level >= 2:
                steps.append(Conv(width, width))
            self.down.append(nn.Sequential(*steps))
            channels = width
        levels = range(len(widths) - 2, top - 2, -1)
        self.lower = nn.ModuleList(nn.Conv2d(widths[level + 1], widths[level], 1) for level in levels)
        self.up = nn.ModuleList(Conv(widths[level], widths[level]) for level in levels)
        self.maps = nn.Conv2d(widths[top - 1], maps, 1)

    def forward(self, x: Tensor) -> Tensor:
        """[n, 3, h, w] -> logits [n, maps, h / 2^top, w / 2^top]."""
        passed = []
        for down in self.down:
            x = down(x)
            passed.append(x)
        for lower, up, side in zip(self.lower, self.up, reversed(passed[self.top - 1 : -1]), strict=True):
            x = up(side + nn.functional.interpolate(lower(x), scale_factor=2, mode="nearest"))
        logits: Tensor = self.maps(x)
        return logits


class TileNet(nn.Module):
    """What lies on the point in the middle of a tile."""

    def __init__(self, widths: Sequence[int], *, classes: int) -> None:
        super().__init__()
        first, second, third = widths
        self.body = nn.Sequential(
            Conv(CHANNELS, first, kernel=5, stride=2),
            Conv(first, second),
            Conv(second, second, stride=2),
            Conv(second, third),
            Conv(third, third, stride=2),
        )
        side = -(-2 * TILE_STEP // 8)
        self.dense = nn.Linear(third * side * side, third)
        self.classes = nn.Linear(third, classes)

    def forward(self, x: Tensor) -> Tensor:
        """[n, CHANNELS, tile, tile] -> logits [n, classes]."""
        logits: Tensor = self.classes(torch.relu(self.dense(self.body(x).flatten(1))))
        return logits


def make_nets(seed: int) -> dict[str, nn.Module]:
    """New nets: ``corners``, ``lattice`` and ``points``."""
    torch.manual_seed(seed)
    nets: dict[str, nn.Module] = {
        "corners": Pyramid((12, 24, 48, 64, 96), top=2, maps=4),
        "lattice": Pyramid((12, 24, 48, 64, 64), top=1, maps=1),
        "points": TileNet((24, 32, 48), classes=4 + len(BOARDS)),
    }
    for net in nets.values():
        net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # missing in torch's stubs
    return nets


class _Graph:
    """Writes a net's operations one after another."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def node(self, operation: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, list(inputs), [output], **attributes))
        return output

    def constant(self, values: NDArray[Any]) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def weights(self, values: Tensor) -> str:
        """A constant in half the bytes; ONNX Runtime makes it float32 when it loads the file."""
        return self.node("Cast", self.constant(values.numpy().astype(np.float16)), to=TensorProto.FLOAT)

    def conv(self, x: str, layer: Conv | nn.Conv2d, *, output: str = "") -> str:
        """A convolution; the norm that follows is folded into it."""
        conv = layer.conv if isinstance(layer, Conv) else layer
        weight = conv.weight.detach()
        bias = torch.zeros(len(weight)) if conv.bias is None else conv.bias.detach()
        if isinstance(layer, Conv):
            norm = layer.norm
            assert norm.running_var is not None
            assert norm.running_mean is not None
            factor = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
            weight, bias = weight * factor[:, None, None, None], norm.bias.detach() - norm.running_mean * factor
        pads = [conv.kernel_size[0] // 2] * 4
        constants = [self.weights(weight), self.weights(bias)]
        plain = output if not isinstance(layer, Conv) else ""
        y = self.node("Conv", x, *constants, output=plain, pads=pads, strides=list(conv.stride))
        return self.node("Relu", y, output=output) if isinstance(layer, Conv) else y

    def dense(self, x: str, layer: nn.Linear, *, output: str = "") -> str:
        constants = [self.weights(layer.weight.detach()), self.weights(layer.bias.detach())]
        return self.node("Gemm", x, *constants, output=output, transB=1)

    def pyramid(self, net: Pyramid) -> None:
        x, passed = "x", []
        for down in net.down:
            for step in down:  # type: ignore[attr-defined]
                x = self.conv(x, step)
            passed.append(x)
        twice = self.constant(np.array([1, 1, 2, 2], np.float32))
        for lower, up, side in zip(net.lower, net.up, reversed(passed[net.top - 1 : -1]), strict=True):
            wide = self.node(
                "Resize",
                self.conv(x, lower),  # type: ignore[arg-type]
                "",
                twice,
                mode="nearest",
                coordinate_transformation_mode="asymmetric",
                nearest_mode="floor",
            )
            x = self.conv(self.node("Add", side, wide), up)  # type: ignore[arg-type]
        self.conv(x, net.maps, output="maps")

    def tile_net(self, net: TileNet) -> None:
        x = "x"
        for step in net.body:
            x = self.conv(x, step)  # type: ignore[arg-type]
        x = self.node("Relu", self.dense(self.node("Flatten", x, axis=1), net.dense))
        self.dense(x, net.classes, output="classes")


def onnx_bytes(net: nn.Module, *, name: str, training: Mapping[str, Any]) -> bytes:
    """A trained net as an ONNX file: ``x`` float32 in, logits out, ``maps`` or ``classes``."""
    graph = _Graph()
    net = net.eval()
    if isinstance(net, Pyramid):
        graph.pyramid(net)
        shape: list[Any] = ["n", 3, "h", "w"]
        output = "maps"
    else:
        assert isinstance(net, TileNet)
        graph.tile_net(net)
        shape, output = ["n", CHANNELS, 2 * TILE_STEP, 2 * TILE_STEP], "classes"
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "tengen",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="tengen",
    )
    for key, value in {"format": FORMAT, "net": name, "training": json.dumps(dict(training))}.items():
        model.metadata_props.add(key=key, value=value)
    return close_onnx(model.SerializeToString(deterministic=True))
