"""How many floating-point operations an op does, from the shapes of its inputs and outputs.

Source: TensorFlow 1.15.5, ``profiler/internal/flops_registry.py`` and the registrations beside the ops.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from retrograd.graph.operation import Operation
from retrograd.graph.statistics import OpStats, RegisterStatistics, registered_amount
from retrograd.graph.tensor import Tensor

Rule = Callable[[Operation], float]


def _dims(tensor: Tensor) -> list[int]:
    """The shape.

    Raises:
      ValueError: it is not known.
    """
    tensor.get_shape().assert_is_fully_defined()
    return [n for n in tensor.shape.as_list() if n is not None]


def _size(tensor: Tensor) -> int:
    """The number of elements."""
    return math.prod(_dims(tensor))


def _per_input(count: int) -> Rule:
    return lambda op: count * _size(op.inputs[0])


def _per_output(count: int) -> Rule:
    return lambda op: count * _size(op.outputs[0])


def _reduced(op: Operation) -> float:
    """One operation for each element but one of each result."""
    return _size(op.inputs[0]) - _size(op.outputs[0])


def _product(op: Operation) -> float:
    """2 k for each element, where k is the length of the rows."""
    is_turned = bool(op.attrs.get("transpose_a"))
    return 2 * _dims(op.inputs[0])[-2 if is_turned else -1] * _size(op.outputs[0])


def _check_format(op: Operation) -> None:
    if op.attrs["data_format"] != "NHWC":
        raise ValueError("Only NHWC format is supported in flops computations")


def _window(op: Operation) -> int:
    _check_format(op)
    return math.prod(op.attrs["ksize"])


def _convolved(axes: int) -> Rule:
    """Two operations for each element of the filter that an element of the output sees."""

    def rule(op: Operation) -> float:
        return 2 * math.prod(_dims(op.inputs[1])[:axes]) * _size(op.outputs[0])

    return rule


def _convolution_gradient(image: Tensor, kernel: Tensor, op: Operation) -> float:
    _check_format(op)
    strides = op.attrs["strides"]
    channels = _dims(image)[-1]
    return 2 * _size(image) * _size(kernel) / (channels * strides[1] * strides[2])


_RULES: dict[str, Rule] = {
    **dict.fromkeys(["Reciprocal", "Square", "Log", "Neg", "AssignSub", "AssignAdd", "BiasAdd"], _per_input(1)),
    **dict.fromkeys(
        ["Add", "Sub", "Mul", "RealDiv", "Maximum", "Minimum", "Pow", "GreaterEqual", "Greater", "LessEqual", "Less",
         "Equal", "NotEqual"], _per_output(1)
    ),
    **dict.fromkeys(["Sum", "ArgMax", "ArgMin", "BiasAddGrad"], _reduced),
    **dict.fromkeys(["MatMul", "BatchMatMul"], _product),
    **dict.fromkeys(["AvgPool", "MaxPool"], lambda op: _window(op) * _size(op.outputs[0])),
    "Rsqrt": _per_input(2),
    "Softmax": _per_input(5),
    "SquaredDifference": _per_output(2),
    "RsqrtGrad": _per_output(4),
    "L2Loss": lambda op: 3 * _size(op.inputs[0]) - 1,
    "Mean": lambda op: _size(op.inputs[0]),
    "AddN": lambda op: _size(op.inputs[0]) * (len(op.inputs) - 1),
    "AvgPoolGrad": lambda op: 2 * _window(op) * _size(op.inputs[1]),
    "MaxPoolGrad": lambda op: (_window(op) + 1) * _size(op.inputs[1]),
    "Conv2D": _convolved(3),
    "Conv3D": _convolved(4),
    "DepthwiseConv2dNative": _convolved(2),
    "Dilation2D": _convolved(2),
    "Conv2DBackpropInput": lambda op: _convolution_gradient(op.outputs[0], op.inputs[1], op),
    "Conv2DBackpropFilter": lambda op: _convolution_gradient(op.inputs[0], op.outputs[0], op),
}  # fmt: skip


def _registered(rule: Rule) -> Callable[[Any, Any], OpStats]:
    return lambda graph, node: OpStats("flops", rule(graph.get_operation_by_name(node.name)))


for _type, _rule in _RULES.items():
    RegisterStatistics(_type, "flops")(_registered(_rule))


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """The statistic of a node, such as its ``"flops"``; without a function for its op type, one of unknown amount."""
    amount: OpStats = registered_amount(graph, node, statistic_type)
    return amount
