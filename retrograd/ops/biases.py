"""Biases: one number per channel, added everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import activations, arrays, constants, joining, kinds, matrices, reductions, repeating, shape_rules
from retrograd.ops.elementwise import in_lines
from retrograd.ops.folding import summed


def _channel_axis(rank: int, data_format: str) -> int:
    """The channels stand last, or with ``NCHW`` second."""
    return 1 if data_format == "NCHW" else rank - 1


def _biased(value: Tensor, bias: Tensor, *, data_format: str) -> RawShape:
    dims, count = shape_rules.with_rank_at_least(value, 2), shape_rules.with_rank(bias, 1)[0]
    if dims is None:
        return None
    at = _channel_axis(len(dims), data_format)
    return (*dims[:at], shapes.merge_dim(dims[at], count), *dims[at + 1 :])


def _check_channels(value: Any) -> None:
    if np.ndim(value) < 2:
        words = f"Input tensor must be at least 2D: {shapes.shape_text(np.shape(value))}"
        raise InvalidArgumentError(None, None, words)


def _bias_add(xp: Any, value: Any, bias: Any, *, data_format: str) -> Any:
    rank = np.ndim(value)
    _check_channels(value)
    shape_rules.check_rank(bias, 1, "Biases must be 1D: {}")
    at = _channel_axis(rank, data_format)
    if value.shape[at] != bias.shape[0]:
        raise ValueError("sizes differ")
    return _plus(xp, value, bias if at == rank - 1 else bias.reshape((-1,) + (1,) * (rank - at - 1)))


_plus = in_lines(lambda xp, x, y: x + y)


BIAS_ADD = define(
    "BiasAdd", "value: T, bias: T", "output: T", attrs={"data_format": "NHWC"}, types={"T": kinds.NUMERIC},
    shape=_biased, kernel=_bias_add,
    gradient=lambda op, dy: [dy, apply(BIAS_ADD_GRAD, dy, data_format=op.attrs["data_format"])],
    failure=lambda value, bias: (
        f"Must provide as many biases as the last dimension of the input tensor: {bias} vs. {value}"
    ),
)  # fmt: skip


def _per_channel(dy: Tensor, *, data_format: str) -> RawShape:
    dims = shape_rules.with_rank_at_least(dy, 2)
    return (None,) if dims is None else (dims[_channel_axis(len(dims), data_format)],)


def _bias_add_grad(xp: Any, dy: Any, *, data_format: str) -> Any:
    """The sum over all but the channels."""
    _check_channels(dy)
    at = _channel_axis(np.ndim(dy), data_format)
    return summed(xp, dy, [i for i in range(np.ndim(dy)) if i != at])


def _bias_add_grad_gradient(op: Any, d: Any) -> list[Any]:
    """``d`` repeated for every element of each channel."""
    dy = op.inputs[0]
    shape, bias_shape = arrays.shape(dy), arrays.shape(d)
    if op.attrs["data_format"] == "NCHW":
        spread = joining.concat([constants.ones_like(shape[:1]), bias_shape, constants.ones_like(shape[2:])], 0)
        repeats = joining.concat([shape[:1], [1], shape[2:]], 0)
    else:
        spread = joining.concat([constants.ones_like(shape[:-1]), bias_shape], 0)
        repeats = joining.concat([shape[:-1], [1]], 0)
    return [repeating.tile(arrays.reshape(d, spread), repeats)]


BIAS_ADD_GRAD: OpDef = define(
    "BiasAddGrad", "out_backprop: T", "output: T", attrs={"data_format": "NHWC"}, types={"T": kinds.NUMERIC},
    shape=_per_channel, kernel=_bias_add_grad, gradient=_bias_add_grad_gradient,
)  # fmt: skip


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """``value`` with one number added per channel: the last dimension, or the second with ``NC...``.

    Raises:
      ValueError: ``data_format`` is of neither form, or there are not as many biases as channels.
    """
    with name_scope(name, "BiasAdd", [value, bias]) as name:
        if data_format is None or (
            data_format.startswith("N") and data_format.endswith("C") and data_format[1:2] != "C"
        ):
            data_format = "NHWC"
        elif data_format.startswith("NC"):
            data_format = "NCHW"
        else:
            raise ValueError("data_format must be of the form `N...C` or `NC...`")
        value = as_tensor(value, name="input")
        bias = as_tensor(bias, value.dtype.base_dtype, name="bias")
        return apply(BIAS_ADD, value, bias, data_format=data_format, name=name)


def _bias_add_v1_gradient(op: Any, dy: Any) -> list[Any]:
    """The bias takes the sum over all but the last dimension."""
    return [dy, reductions.reduce_sum(dy, constants.range_(arrays.rank(dy) - 1))]


BIAS_ADD_V1 = define(
    "BiasAddV1", "value: T, bias: T", "output: T", types={"T": kinds.NUMERIC},
    shape=lambda value, bias: _biased(value, bias, data_format="NHWC"),
    kernel=lambda xp, value, bias: _bias_add(xp, value, bias, data_format="NHWC"), gradient=_bias_add_v1_gradient,
    failure=lambda value, bias: (
        f"Must provide as many biases as the last dimension of the input tensor: {bias} vs. {value}"
    ),
)  # fmt: skip


def bias_add_v1(value: Any, bias: Any, name: str | None = None) -> Tensor:
    """``bias_add`` of the last dimension, with the gradient it once had."""
    with name_scope(name, "BiasAddV1", [value, bias]) as name:
        value = as_tensor(value, name="input")
        bias = as_tensor(bias, value.dtype.base_dtype, name="bias")
        return apply(BIAS_ADD_V1, value, bias, name=name)


# -- dense layers ------------------------------------------------------------------------------


def _product(x: Any, weights: Any, biases: Any) -> tuple[Tensor, Tensor]:
    """``x w``, and the biases as a tensor; all three are converted before the product is built."""
    x, weights, biases = as_tensor(x, name="x"), as_tensor(weights, name="weights"), as_tensor(biases, name="biases")
    return matrices.matmul(x, weights), biases


def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """``x w + b``."""
    with name_scope(name, "xw_plus_b", [x, weights, biases]) as name:
        product, biases = _product(x, weights, biases)
        return bias_add(product, biases, name=name)


def xw_plus_b_v1(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """``x w + b`` with ``bias_add_v1``."""
    with name_scope(name, "xw_plus_b_v1", [x, weights, biases]) as name:
        product, biases = _product(x, weights, biases)
        return bias_add_v1(product, biases, name=name)


def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Tensor:
    """``relu(x w + b)``."""
    with name_scope(name, "relu_layer", [x, weights, biases]) as name:
        product, biases = _product(x, weights, biases)
        return activations.relu(bias_add(product, biases), name=name)
