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
from tengen.vision.grid import Kind
from tengen.vision.models import FORMAT

_IR_VERSION, _OPSET = 8, 17  # old enough for any ONNX Runtime that knows numpy 2
_LEAST_CONTRAST = 8.0  # in levels of 0 to 255; what has less is not made to look like more
_BY_DIFFERENCE, _BY_COLOUR = 2 / 255, 1 / 255


class Conv(nn.Module):
    """Convolution, batch norm, relu."""

    def __init__(self, channels: int, out: int, *, kernel: int = 3, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, out, kernel, stride, (kernel - 1) // 2, bias=False)
        self.norm = nn.BatchNorm2d(out, momentum=0.02)  # batches are small, and of few looks

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
        """Pixels of 0 to 255 [n, 3, h, w] -> logits [n, maps, h / 2^top, w / 2^top]."""
        x = x - x.mean((1, 2, 3), keepdim=True)  # contrast made alike
        x = x / x.square().mean((1, 2, 3), keepdim=True).sqrt().clamp_min(_LEAST_CONTRAST)
        passed = []
        for down in self.down:
            x = down(x)
            passed.append(x)
        for lower, up, side in zip(self.lower, self.up, reversed(passed[self.top - 1 : -1]), strict=True):
            x = up(side + nn.functional.interpolate(lower(x), scale_factor=2, mode="nearest"))
        logits: Tensor = self.maps(x)
        return logits


class Context(nn.Module):
    """Tells every place what there is on the whole board: the mean and the most of each channel."""

    def __init__(self, channels: int, out: int) -> None:
        super().__init__()
        self.dense = nn.Linear(2 * channels, out)

    def forward(self, x: Tensor) -> Tensor:
        """[n, channels, h, w] -> [n, out]."""
        out: Tensor = self.dense(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))
        return out


class BoardNet(nn.Module):
    """What is on each place of a board seen from above: what looks the same may be black here and white there.

    Four steps of two lead from pixels to one cell a place. Pixels count by their difference from the board's usual
    colour, which is told as well.
    """

    def __init__(self, widths: Sequence[int], *, blocks: int) -> None:
        super().__init__()
        steps: list[nn.Module] = []
        channels = 6
        for level, width in enumerate(widths):
            steps.append(Conv(channels, width, kernel=4, stride=2))  # even: cells stay in the middle of their pixels
            if 0 < level < 3:
                steps.append(Conv(width, width))
            channels = width
        self.body = nn.Sequential(*steps)
        self.first = nn.ModuleList(Conv(channels, channels) for _ in range(blocks))
        self.context = nn.ModuleList(Context(channels, channels) for _ in range(blocks))
        self.second = nn.ModuleList(Conv(channels, channels) for _ in range(blocks))
        self.places = nn.Conv2d(channels, 4, 1)
        self.kinds = Context(channels, len(Kind))

    def forward(self, x: Tensor, background: Tensor) -> tuple[Tensor, Tensor]:
        """Pixels [n, 3, h, w] and usual colours [n, 3] -> logits [n, 4, h / STEP, w / STEP] and [n, kinds]."""
        usual = background[:, :, None, None]
        x = torch.cat([(x - usual) * _BY_DIFFERENCE, usual * _BY_COLOUR - 0.5 + 0 * x], 1)
        x = self.body(x)
        for first, context, second in zip(self.first, self.context, self.second, strict=True):
            y = first(x)
            x = x + second(y + context(y)[:, :, None, None])
        return self.places(x), self.kinds(x)


def make_nets(seed: int) -> dict[str, nn.Module]:
    """New nets: ``corners``, ``lattice`` and ``points``."""
    torch.manual_seed(seed)
    nets: dict[str, nn.Module] = {
        "corners": Pyramid((16, 32, 48, 64, 96), top=2, maps=4),
        "lattice": Pyramid((16, 32, 48, 64, 96), top=1, maps=1),
        "points": BoardNet((16, 32, 48, 96), blocks=2),
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
        return self.node("Cast", self.constant(values.cpu().numpy().astype(np.float16)), to=TensorProto.FLOAT)

    def conv(self, x: str, layer: Conv | nn.Conv2d, *, output: str = "") -> str:
        """A convolution; the norm that follows is folded into it."""
        conv = layer.conv if isinstance(layer, Conv) else layer
        weight = conv.weight.detach()
        bias = torch.zeros(len(weight), device=weight.device) if conv.bias is None else conv.bias.detach()
        if isinstance(layer, Conv):
            norm = layer.norm
            assert norm.running_var is not None
            assert norm.running_mean is not None
            factor = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
            weight, bias = weight * factor[:, None, None, None], norm.bias.detach() - norm.running_mean * factor
        pads = [(conv.kernel_size[0] - 1) // 2] * 4
        constants = [self.weights(weight), self.weights(bias)]
        plain = output if not isinstance(layer, Conv) else ""
        y = self.node("Conv", x, *constants, output=plain, pads=pads, strides=list(conv.stride))
        return self.node("Relu", y, output=output) if isinstance(layer, Conv) else y

    def dense(self, x: str, layer: nn.Linear, *, output: str = "") -> str:
        constants = [self.weights(layer.weight.detach()), self.weights(layer.bias.detach())]
        return self.node("Gemm", x, *constants, output=output, transB=1)

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def mean(self, x: str, axes: Sequence[int]) -> str:
        return self.node("ReduceMean", x, axes=list(axes), keepdims=1)

    def pyramid(self, net: Pyramid) -> None:
        x = self.node("Sub", "x", self.mean("x", (1, 2, 3)))
        spread = self.node("Sqrt", self.mean(self.node("Mul", x, x), (1, 2, 3)))
        x, passed = self.node("Div", x, self.node("Max", spread, self.number(_LEAST_CONTRAST))), []
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

    def context(self, x: str, context: Context, *, output: str = "") -> str:
        most = self.node("ReduceMax", x, axes=[2, 3], keepdims=1)
        both = self.node("Concat", self.mean(x, (2, 3)), most, axis=1)
        return self.dense(self.node("Flatten", both, axis=1), context.dense, output=output)

    def spread(self, x: str) -> str:
        """[n, channels] as [n, channels, 1, 1]."""
        return self.node("Unsqueeze", x, self.constant(np.array([2, 3], np.int64)))

    def board_net(self, net: BoardNet) -> None:
        usual = self.spread("background")
        difference = self.node("Mul", self.node("Sub", "x", usual), self.number(_BY_DIFFERENCE))
        colour = self.node("Sub", self.node("Mul", usual, self.number(_BY_COLOUR)), self.number(0.5))
        colour = self.node("Add", colour, self.node("Mul", "x", self.number(0)))
        x = self.node("Concat", difference, colour, axis=1)
        for step in net.body:
            x = self.conv(x, step)  # type: ignore[arg-type]
        for first, context, second in zip(net.first, net.context, net.second, strict=True):
            y = self.conv(x, first)  # type: ignore[arg-type]
            y = self.node("Add", y, self.spread(self.context(y, context)))  # type: ignore[arg-type]
            x = self.node("Add", x, self.conv(y, second))  # type: ignore[arg-type]
        self.conv(x, net.places, output="places")
        self.context(x, net.kinds, output="kinds")


def onnx_bytes(net: nn.Module, *, name: str, training: Mapping[str, Any]) -> bytes:
    """A trained net as an ONNX file: ``x``, pixels as float32, in, and logits out: ``maps``, or ``places``, ``kinds``.

    A net for boards asks for their ``background`` too.
    """
    graph = _Graph()
    inputs: dict[str, list[Any]] = {"x": ["n", 3, "h", "w"]}
    if isinstance(net, Pyramid):
        graph.pyramid(net)
        outputs = ["maps"]
    else:
        assert isinstance(net, BoardNet)
        graph.board_net(net)
        inputs["background"], outputs = ["n", 3], ["places", "kinds"]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "tengen",
            [helper.make_tensor_value_info(key, TensorProto.FLOAT, shape) for key, shape in inputs.items()],
            [helper.make_tensor_value_info(key, TensorProto.FLOAT, None) for key in outputs],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
        producer_name="tengen",
    )
    for key, value in {"format": FORMAT, "net": name, "training": json.dumps(dict(training))}.items():
        model.metadata_props.add(key=key, value=value)
    return close_onnx(model.SerializeToString(deterministic=True))
