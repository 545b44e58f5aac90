"""Writers of ONNX graphs: one in float32, one in 8-bit integers, with the same operations.

Written by hand rather than traced: layout and quantisation are then what was measured to be fastest
(``benchmarks/net_speed.py``), and the file does not depend on the version of torch. A writer is used once: operations
in order, then ``finish``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike, NDArray
from onnx import TensorProto, helper, numpy_helper

from tengen.nets._layers import SIZE_CENTRE, SIZE_SCALE

_IR_VERSION = 8  # old enough for any ONNX Runtime that knows numpy 2
_OPSET = 17
_MICROSOFT = "com.microsoft"  # ONNX Runtime's own operations

Array = NDArray[Any]


@dataclass(frozen=True)
class Layer:
    """A convolution [K, C, k, k] or dense layer [K, C] with its biases [K], and the name of its module."""

    name: str
    weight: Array
    bias: Array


@dataclass(frozen=True)
class Scale:
    """An 8-bit integer q stands for ``(q - zero) * step``."""

    step: float
    zero: int


@dataclass(frozen=True)
class Value:
    """An activation [n, C, h, w] in the graph; with a scale it is 8-bit, and [n, h, w, C]."""

    name: str
    scale: Scale | None = None


class FloatGraph:
    """Float32, channels first: the layout that ONNX Runtime's float convolutions block for themselves."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[tuple[object, ...], onnx.TensorProto] = {}
        self._size_term: str | None = None

    # What the layers are written with.

    def planes(self) -> Value:
        """The input."""
        return Value(self._node("Cast", ["planes"], to=TensorProto.FLOAT))

    def in_a_row(self, x: Value, channels: int) -> Value:
        """All cells one after another, as a board of one row."""
        return Value(self._node("Reshape", [x.name, self._constant((0, channels, 1, -1), np.int64)]))

    def conv(self, x: Value, layer: Layer, *, relu: bool = True, padded: bool = True) -> Value:
        """A convolution, with zeros around the board that keep its size, or without."""
        pads = [side // 2 * padded for side in layer.weight.shape[2:]] * 2
        y = self._node("Conv", [x.name, self._constant(layer.weight), self._constant(layer.bias)], pads=pads)
        return Value(self._node("Relu", [y]) if relu else y)

    def add(self, name: str, x: Value, y: Value) -> Value:
        """relu(x + y), the output of the module ``name``."""
        return Value(self._node("Relu", [self._node("Add", [x.name, y.name])]))

    def add_bias(self, name: str, x: Value, bias: str) -> Value:
        """``x`` and a bias [n, C] to all cells, the output of the module ``name``."""
        return Value(self._node("Add", [x.name, self._spread(bias, (2, 3))]))

    def pool(self, x: Value) -> str:
        """What ``_layers.pool`` does: [n, 3C]."""
        return self._pool_channels_first(x.name)

    def cell_logits(self, x: Value, bias: str, layer: Layer) -> str:
        """A convolution 1x1 to one channel over relu(x + bias [n, C]): [n, h * w]."""
        cells = self._node("Relu", [self._node("Add", [x.name, self._spread(bias, (2, 3))])])
        return self._node("Flatten", [self.conv(Value(cells), layer, relu=False).name], axis=1)

    def dense_over_cells(self, x: Value, layer: Layer, *, relu: bool = False) -> str:
        """A dense layer [K, C, h, w] over all channels of all cells."""
        flat = self._node("Flatten", [x.name], axis=1)
        return self.dense(flat, replace(layer, weight=layer.weight.reshape(len(layer.weight), -1)), relu=relu)

    def dense(self, x: str, layer: Layer, *, relu: bool = False) -> str:
        """A dense layer, always in float: [n, C] -> [n, K]."""
        y = self._node("Gemm", [x, self._constant(layer.weight), self._constant(layer.bias)], transB=1)
        return self._node("Relu", [y]) if relu else y

    # What only networks need that evolution bred; in float.

    def with_edge(self, x: Value, width: int) -> Value:
        """``x`` [n, C, h, w] with zeros around, so wide, and one more channel that is 1 there."""
        pads = self._constant((0, 0, width, width) * 2, np.int64)
        one = self._node("ReduceMax", [x.name], axes=[1], keepdims=1)
        inside = self._node("Add", [self._node("Mul", [one, self._constant(0.0)]), self._constant(1.0)])
        edge = self._node("Sub", [self._constant(1.0), self._node("Pad", [inside, pads])])
        return Value(self._node("Concat", [self._node("Pad", [x.name, pads]), edge], axis=1))

    def over_board(self, x: Value, floor: float) -> Value:
        """``x`` [n, 1, h, w] with mean 0 and variance 1 over each board, but for a floor under the variance."""
        centred = self._node("Sub", [x.name, self._node("ReduceMean", [x.name], axes=[2, 3], keepdims=1)])
        squares = self._node("ReduceMean", [self._node("Mul", [centred, centred])], axes=[2, 3], keepdims=1)
        deviation = self._node("Sqrt", [self._node("Add", [squares, self._constant(floor)])])
        return Value(self._node("Div", [centred, deviation]))

    def highest_of_four(self, x: Value) -> Value:
        """The maximum of every 2x2 cells."""
        return Value(self._node("MaxPool", [x.name], kernel_shape=[2, 2], strides=[1, 1]))

    def no_opinion(self) -> None:
        """The output ``wdl`` of a network that only rates moves: a draw."""
        zero = self._node("Mul", [self._node("ReduceMax", ["policy"], axes=[1], keepdims=1), self._constant(0.0)])
        self._node("Add", [zero, self._constant([[0.0, 1.0, 0.0]])], output="wdl")

    def simple(self, operation: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Any other operation on vectors, under the name of an output of the graph if one is given."""
        return self._node(operation, inputs, output=output, **attributes)

    def finish(self, *, planes: int, size: int | None, actions: int | None) -> onnx.ModelProto:
        """The model with the outputs ``policy`` and ``wdl``; a ``size`` or ``actions`` of None is any."""
        side: tuple[int | str, int | str] = (size, size) if size else ("h", "w")
        inputs = [helper.make_tensor_value_info("planes", TensorProto.UINT8, ["n", planes, *side])]
        outputs = [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["n", actions or "actions"]),
            helper.make_tensor_value_info("wdl", TensorProto.FLOAT, ["n", 3]),
        ]
        graph = helper.make_graph(self._nodes, "tengen", inputs, outputs, list(self._constants.values()))
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="tengen")

    # What those are made of.

    def _node(
        self, operation: str, inputs: Sequence[str], *, output: str | None = None, domain: str = "", **attributes: Any
    ) -> str:
        output = output or f"{operation}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operation, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def _constant(self, values: ArrayLike, dtype: type[np.generic] = np.float32) -> str:
        array = np.array(values, dtype, order="C")
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            self._constants[key] = numpy_helper.from_array(array, f"constant_{len(self._constants)}")
        return self._constants[key].name

    def _spread(self, vector: str, axes: tuple[int, int]) -> str:
        return self._node("Unsqueeze", [vector, self._constant(axes, np.int64)])

    def _pool_channels_first(self, x: str) -> str:
        if self._size_term is None:
            sides = self._node("Cast", [self._node("Shape", ["planes"], start=2)], to=TensorProto.FLOAT)
            size = self._node("Sqrt", [self._node("ReduceProd", [sides], axes=[0], keepdims=0)])
            offset = self._node("Sub", [size, self._constant(SIZE_CENTRE)])
            self._size_term = self._node("Mul", [offset, self._constant(1 / SIZE_SCALE)])
        mean = self._node("ReduceMean", [x], axes=[2, 3], keepdims=0)
        sized = self._node("Mul", [mean, self._size_term])
        return self._node("Concat", [mean, sized, self._node("ReduceMax", [x], axes=[2, 3], keepdims=0)], axis=1)


class Int8Graph(FloatGraph):
    """Unsigned 8-bit activations, signed 8-bit weights with a scale per channel, channels last.

    ``scale_of(module name, relu)`` gives the scale of a module's output. Unsigned times signed is what processors
    multiply natively (VNNI), and a relu costs nothing: its scale starts at 0, where smaller sums saturate. Pooled
    vectors, dense layers and the policy's last convolution stay in float, as there is next to nothing to compute.
    """

    def __init__(self, scale_of: Callable[[str, bool], Scale]) -> None:
        super().__init__()
        self._scale_of = scale_of

    def planes(self) -> Value:
        """The input, whose bytes are taken as they are."""
        return Value(self._node("Transpose", ["planes"], perm=[0, 2, 3, 1]), Scale(1.0, 0))

    def in_a_row(self, x: Value, channels: int) -> Value:
        """All cells one after another, as a board of one row."""
        return Value(self._node("Reshape", [x.name, self._constant((0, 1, -1, channels), np.int64)]), x.scale)

    def conv(self, x: Value, layer: Layer, *, relu: bool = True, padded: bool = True) -> Value:
        """A convolution that keeps the board's size."""
        assert x.scale is not None
        assert padded
        step = x.scale.step
        steps = np.abs(layer.weight).max((1, 2, 3)) / 127
        steps = np.maximum(steps, np.abs(layer.bias) / step / 2**30 + 1e-20)  # the bias must fit into 32 bits
        weight = np.rint(layer.weight / steps[:, None, None, None])
        bias = np.rint(layer.bias / (step * steps))
        scale = self._scale_of(layer.name, relu)
        weights = [self._constant(weight, np.int8), self._constant(steps), self._constant(0 * steps, np.int8)]
        inputs = [*self._scaled(x), *weights, *self._scale(scale), self._constant(bias, np.int32)]
        pads = [side // 2 for side in layer.weight.shape[2:]] * 2
        return Value(self._node("QLinearConv", inputs, domain=_MICROSOFT, channels_last=1, pads=pads), scale)

    def add(self, name: str, x: Value, y: Value) -> Value:
        """relu(x + y), the output of the module ``name``."""
        return self._sum(x, y, self._scale_of(name, True))

    def add_bias(self, name: str, x: Value, bias: str) -> Value:
        """``x`` and a bias [n, C] to all cells, the output of the module ``name``."""
        scale = self._scale_of(f"{name}.dense", False)
        quantised = self._node("QuantizeLinear", [self._spread(bias, (1, 2)), *self._scale(scale)])
        return self._sum(x, Value(quantised, scale), self._scale_of(name, False))

    def pool(self, x: Value) -> str:
        """What ``_layers.pool`` does: [n, 3C]."""
        # Turned round as bytes first: ONNX Runtime's reductions of a single position are slow with channels last.
        name, *scale = self._scaled(x)
        turned = self._node("Transpose", [name], perm=[0, 3, 1, 2])
        return self._pool_channels_first(self._node("DequantizeLinear", [turned, *scale]))

    def cell_logits(self, x: Value, bias: str, layer: Layer) -> str:
        """A convolution 1x1 to one channel over relu(x + bias [n, C]): [n, h * w]."""
        real = self._node("DequantizeLinear", self._scaled(x))
        cells = self._node("Relu", [self._node("Add", [real, self._spread(bias, (1, 2))])])
        logits = self._node("MatMul", [cells, self._constant(layer.weight[:, :, 0, 0].T)])
        return self._node("Flatten", [logits], axis=1)

    def dense_over_cells(self, x: Value, layer: Layer, *, relu: bool = False) -> str:
        """A dense layer [K, C, h, w] over all channels of all cells."""
        real = self._node("DequantizeLinear", self._scaled(x))
        turned = layer.weight.transpose(0, 2, 3, 1).reshape(len(layer.weight), -1)
        flat = self._node("Flatten", [real], axis=1)
        return self.dense(flat, replace(layer, weight=turned), relu=relu)

    def _sum(self, x: Value, y: Value, scale: Scale) -> Value:
        inputs = [*self._scaled(x), *self._scaled(y), *self._scale(scale)]
        return Value(self._node("QLinearAdd", inputs, domain=_MICROSOFT), scale)

    def _scaled(self, x: Value) -> list[str]:
        assert x.scale is not None
        return [x.name, *self._scale(x.scale)]

    def _scale(self, scale: Scale) -> list[str]:
        return [self._constant(scale.step), self._constant(scale.zero, np.uint8)]
