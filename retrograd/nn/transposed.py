"""Convolutions turned round: the gradients with respect to their inputs, as ops of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.convolution import line_format
from retrograd.ops import arrays, blocks, joining
from retrograd.ops.convolution import CONV_2D_INPUT, CONV_3D_INPUT, paddings, per_dimension


def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The gradient of ``conv1d`` with respect to its input, as an op of its own: lines grow by ``strides``."""
    with name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as name:
        high, axis, channels = line_format(data_format)
        strides = [1, *per_dimension(strides, 1, channels, "stride")]
        rates = [1, *per_dimension(dilations, 1, channels, "dilations")]
        input, filters = arrays.expand_dims(input, axis), arrays.expand_dims(filters, 0)
        shape = list(output_shape) if isinstance(output_shape, list | tuple) else output_shape
        shape = joining.concat([shape[:axis], [1], shape[axis:]], 0)
        padding, explicit = paddings(padding)
        result = apply(
            CONV_2D_INPUT, shape, filters, input, strides=strides, padding=padding, explicit_paddings=explicit,
            data_format=high, dilations=rates, name=name,
        )  # fmt: skip
        return arrays.squeeze(result, axis)


def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The gradient of ``conv2d`` with respect to its input, as an op of its own: images grow by ``strides``.

    ``filter`` is (height, width, output channels, input channels).
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    return conv2d_transpose_v2(value, filter, output_shape, strides, padding, data_format, dilations, name)


def conv2d_transpose_v2(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """``conv2d_transpose`` with the arguments of TensorFlow 2."""
    with name_scope(name, "conv2d_transpose", [input, filters, output_shape]) as name:
        data_format = "NHWC" if data_format is None else data_format
        channels = 1 if data_format.startswith("NC") else 3
        padding, explicit = paddings(padding)
        return apply(
            CONV_2D_INPUT, output_shape, filters, input, strides=per_dimension(strides, 2, channels, "strides"),
            padding=padding, explicit_paddings=explicit, data_format=data_format,
            dilations=per_dimension(dilations, 2, channels, "dilations"), name=name,
        )  # fmt: skip


def conv3d_transpose(
    value: Any,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """``conv2d_transpose`` of volumes."""
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    value = deprecated_argument_lookup("input", input, "value", value)
    return conv3d_transpose_v2(value, filter, output_shape, strides, padding, data_format, dilations, name)


def conv3d_transpose_v2(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: str = "SAME",
    data_format: str = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """``conv3d_transpose`` with the arguments of TensorFlow 2."""
    with name_scope(name, "conv3d_transpose", [input, filters, output_shape]) as name:
        data_format = "NDHWC" if data_format is None else data_format
        channels = 1 if data_format.startswith("NC") else 4
        return apply(
            CONV_3D_INPUT, output_shape, filters, input, strides=per_dimension(strides, 3, channels, "strides"),
            padding=padding, data_format=data_format,
            dilations=per_dimension(dilations, 3, channels, "dilations"), name=name,
        )  # fmt: skip


def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """``conv1d_transpose``, ``conv2d_transpose`` or ``conv3d_transpose``, by the length of ``output_shape``.

    Raises:
      ValueError: that length is none of 3, 4 and 5, or unknown.
    """
    with name_scope(name, "conv_transpose", [input, filters, output_shape]) as name:
        if isinstance(output_shape, Tensor):
            count = None if output_shape.dims is None else output_shape.dims[0]
        elif hasattr(output_shape, "__len__"):
            count = len(output_shape)
        else:
            raise ValueError("output_shape must be a tensor or sized collection.")
        functions: dict[Any, tuple[Callable[..., Tensor], str]] = {
            3: (conv1d_transpose, "NWC"), 4: (conv2d_transpose, "NHWC"), 5: (conv3d_transpose, "NDHWC"),
        }  # fmt: skip
        if count not in functions:
            raise ValueError(f"output_shape must be of length 3, 4 or 5 but was {count}.")
        function, usual = functions[count]
        return function(
            input, filters, output_shape, strides, padding=padding, data_format=data_format or usual,
            dilations=dilations, name=name,
        )  # fmt: skip


def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: str, name: str | None = None
) -> Tensor:
    """The gradient of ``atrous_conv2d`` with respect to its input, as an op of its own.

    Raises:
      ValueError: the rate is not positive, or the shapes do not fit.
    """
    with name_scope(name, "atrous_conv2d_transpose", [value, filters, output_shape]) as name:
        value, filters = as_tensor(value, name="value"), as_tensor(filters, name="filters")
        depth, taken = value.shape.with_rank(4).dims[3], filters.shape.with_rank(4).dims[3]
        if not depth.is_compatible_with(taken):
            raise ValueError(f"value's input channels does not match filters' input channels, {depth} != {taken}")
        if rate < 1:
            raise ValueError(f"rate {rate} cannot be less than one")
        if rate == 1:
            return conv2d_transpose(
                value, filters, output_shape, strides=[1, 1, 1, 1], padding=padding, data_format="NHWC"
            )
        sizes = as_tensor(output_shape, name="output_shape")
        if not sizes.shape.is_compatible_with([4]):
            raise ValueError(f"output_shape must have shape (4,), got {sizes.shape}")
        if isinstance(output_shape, tuple):
            output_shape = list(output_shape)
        known = isinstance(output_shape, list | np.ndarray)
        depth = None if filters.dims is None else filters.dims[2]
        if known and depth not in (None, output_shape[3]) and not isinstance(output_shape[3], Tensor):
            raise ValueError(f"output_shape does not match filter's output channels, {output_shape[3]} != {depth}")
        if padding == "SAME":
            window = _spatial_of(filters)
            extra = [k + (k - 1) * (rate - 1) - 1 for k in window]
            top, left = (e // 2 for e in extra)
            bottom, right = extra[0] - top, extra[1] - left
        elif padding == "VALID":
            top = bottom = left = right = 0
        else:
            raise ValueError(f"padding must be either VALID or SAME: {padding}")
        source = output_shape if known else sizes
        height, width = source[1] + top + bottom, source[2] + left + right
        more_rows = (rate - height % rate) % rate
        more_columns = (rate - width % rate) % rate
        phases = blocks.space_to_batch(value, [[0, more_rows], [0, more_columns]], rate)
        inner = [rate * rate * source[0], (height + more_rows) // rate, (width + more_columns) // rate, source[3]]
        phases = apply(CONV_2D_INPUT, inner, filters, phases, strides=[1, 1, 1, 1], padding="VALID", data_format="NHWC")
        return blocks.batch_to_space(phases, [[top, bottom + more_rows], [left, right + more_columns]], rate)


def _spatial_of(filters: Tensor) -> list[Any]:
    if filters.dims is not None and None not in filters.dims:
        return list(filters.dims[:2])
    shape = arrays.shape(filters)
    return [shape[0], shape[1]]
