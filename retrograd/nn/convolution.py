"""Convolutions composed from those of images and volumes: of lines, dilated, separable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, blocks, constants, joining, morphology, permuting
from retrograd.ops.convolution import conv2d, conv3d, per_dimension
from retrograd.ops.depthwise import depthwise_conv2d_native

# -- space to batch ----------------------------------------------------------------------------


def with_space_to_batch(
    input: Any,
    dilation_rate: Any,
    padding: str,
    op: Callable[..., Any],
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: str | None = None,
) -> Tensor:
    """``op`` over every ``dilation_rate``-th element: each phase of the input becomes a batch of its own.

    ``op(input, num_spatial_dims, padding)`` is called with the padding VALID; at rate 1 with ``padding``,
    and nothing else is built.

    Raises:
      ValueError: the rate is not positive, or SAME padding comes without ``filter_shape``.
    """
    x = as_tensor(input, name="input")
    rate = as_tensor(dilation_rate, dtypes.int32, name="dilation_rate")
    if rate.dims is not None and len(rate.dims) != 1:
        raise ValueError("rate must be rank 1")
    if not shapes.is_known(rate.dims):
        raise ValueError("rate must have known shape")
    count: int = rate.dims[0]  # type: ignore[assignment,index]
    dims = _checked_dims(x, count, spatial_dims, data_format)
    known_rate = constant_value(rate)
    if known_rate is not None:
        if np.any(known_rate < 1):
            raise ValueError("dilation_rate must be positive")
        if np.all(known_rate == 1):
            return op(x, count, padding)
    borders = _base_paddings(padding, filter_shape, count, rate if known_rate is None else known_rate)
    before, crops = blocks.required_space_to_batch_paddings(
        input_shape=_sides(x, dims), base_paddings=borders, block_shape=rate
    )
    rate = _with_skipped(rate, 1, dims)
    before = _with_skipped(before, 0, dims)
    crops = _with_skipped(crops, 0, dims)
    phases = op(blocks.space_to_batch_nd(x, block_shape=rate, paddings=before), count, "VALID")
    result = blocks.batch_to_space_nd(phases, block_shape=rate, crops=crops)
    if _channels_first(data_format) and result.dims is not None and phases.dims is not None:
        result.set_shape((result.dims[0], phases.dims[1], *result.dims[2:]))
    return result


def _channels_first(data_format: str | None) -> bool:
    return data_format is not None and data_format.startswith("NC")


def _checked_dims(x: Tensor, count: int, spatial_dims: Any, data_format: str | None) -> list[int]:
    first = 2 if _channels_first(data_format) else 1
    dims = list(range(first, first + count)) if spatial_dims is None else sorted({int(d) for d in spatial_dims})
    if spatial_dims is not None and (dims != list(spatial_dims) or any(d < 1 for d in dims)):
        raise ValueError("spatial_dims must be a montonically increasing sequence of positive integers")
    rank = dims[-1] if _channels_first(data_format) else dims[-1] + 1
    if x.dims is not None and len(x.dims) < rank:
        raise ValueError(f"input tensor must have rank {rank} at least")
    return dims


def _base_paddings(padding: str, filter_shape: Any, count: int, rate: Any) -> Any:
    """The borders of the dilated windows: (before, after) of each side."""
    if padding == "SAME":
        if filter_shape is None:
            raise ValueError("filter_shape must be specified for SAME padding")
        filter_shape = as_tensor(filter_shape, name="filter_shape")
        known = constant_value(filter_shape)
        window = (filter_shape if known is None else known)[:count]
        extra = window + (window - 1) * (rate - 1) - 1
        start = extra // 2
        end = extra - start
        return joining.stack([[start[i], end[i]] for i in range(count)])
    if padding == "VALID":
        return np.zeros([count, 2], np.int32)
    raise ValueError(f"Invalid padding method {padding!r}")


def _sides(x: Tensor, dims: list[int]) -> Any:
    known = None if x.dims is None else [x.dims[d] for d in dims]
    if known is not None and None not in known:
        return known
    shape = arrays.shape(x)
    return joining.stack([shape[d] for d in dims])


def _with_skipped(values: Any, fill: int, dims: list[int]) -> Any:
    """One row for each dimension after the batch, ``fill`` for those that ``dims`` skips."""
    known = constant_value(values)
    rest = list(np.shape(known)[1:]) if known is not None else list(values.dims[1:])
    source = values if known is None else known
    parts: list[Any] = []
    previous = i = 0
    while i < len(dims):
        start = i
        if dims[i] > previous + 1:
            skipped = [dims[i] - 1 - previous, *rest]
            parts.append(np.full(skipped, fill, np.int32) if known is not None else constants.fill(skipped, fill))
        while i + 1 < len(dims) and dims[i + 1] == dims[i] + 1:
            i += 1
        parts.append(source[start : i + 1])
        previous = dims[i]
        i += 1
    return np.concatenate(parts) if known is not None else joining.concat(parts, 0)


# -- of lines, images and volumes --------------------------------------------------------------


def conv1d(
    value: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: Any = None,
    data_format: str | None = None,
    name: str | None = None,
    input: Any = None,
    dilations: Any = None,
) -> Tensor:
    """``conv2d`` of lines (batch, width, channels), as images of height 1.

    Raises:
      ValueError: ``data_format`` is neither NWC nor NCW, or the shapes do not fit.
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as name:
        high, axis, channels = line_format(data_format)
        strides = [1, *per_dimension(stride, 1, channels, "stride")]
        rates = [1, *per_dimension(dilations, 1, channels, "dilations")]
        value, filters = arrays.expand_dims(value, axis), arrays.expand_dims(filters, 0)
        result = conv2d(
            value, filters, strides, padding,
            use_cudnn_on_gpu=True if use_cudnn_on_gpu is None else use_cudnn_on_gpu, data_format=high,
            dilations=rates, name=name,
        )  # fmt: skip
        return arrays.squeeze(result, [axis])


def line_format(data_format: str | None) -> tuple[str, int, int]:
    """For lines: the format as images, the axis of the height, and the axis of the channels."""
    if data_format in (None, "NHWC", "NWC"):
        return "NHWC", 1, 2
    if data_format in ("NCHW", "NCW"):
        return "NCHW", 2, 1
    raise ValueError('data_format must be "NWC" or "NCW".')


def convolution(
    input: Any,
    filter: Any,
    padding: Any,
    strides: Any = None,
    dilation_rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """Convolution of lines, images or volumes, by the rank of ``input``; dilated through ``with_space_to_batch``.

    Raises:
      ValueError: neither rank is known, strides come with dilations, or the shapes do not fit.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    dilation_rate = deprecated_argument_lookup("dilations", dilations, "dilation_rate", dilation_rate)
    shape, filter_shape = shapes.TensorShape(input.shape), shapes.TensorShape(filter.shape)
    apart = Convolution(shape, filter_shape, padding, strides, dilation_rate, None, data_format)
    with name_scope(name, "convolution", [input, filter]) as apart.name:
        return apart(input, filter)


class Convolution:
    """A convolution of inputs and filters of these shapes, called with them.

    Raises:
      ValueError: neither rank is known, or the strides do not fit it.
    """

    def __init__(
        self,
        input_shape: Any,
        filter_shape: Any,
        padding: Any,
        strides: Any = None,
        dilation_rate: Any = None,
        name: str | None = None,
        data_format: str | None = None,
    ) -> None:
        """The arguments are those of ``convolution``."""
        rank = input_shape.ndims if input_shape.ndims is not None else filter_shape.ndims
        if rank is None:
            raise ValueError("rank of input or filter must be known")
        if not 3 <= rank <= 5:
            raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {rank}.")
        self.name, self._padding, self._data_format = name, padding, data_format
        self._channels = 1 if _channels_first(data_format) else rank - 1
        self._strides = per_dimension(strides, rank - 2, self._channels, "strides")
        self._rates = per_dimension(dilation_rate, rank - 2, self._channels, "dilations")

    def __call__(self, inp: Any, filter: Any) -> Tensor:
        """The convolution of ``inp``."""
        if all(r == 1 for r in self._rates):
            return _undilated(inp, filter, self._strides, self._padding, self._data_format, self.name)
        inner = slice(2, None) if self._channels == 1 else slice(1, -1)
        strides, rates = self._strides[inner], self._rates[inner]
        return _dilated(inp, filter, self._padding, strides, rates, self._channels, self._data_format, self.name)


def _undilated(
    x: Any, w: Any, strides: Sequence[int], padding: Any, data_format: str | None, name: str | None
) -> Tensor:
    rank = len(strides)
    if rank == 3:
        return conv1d(x, w, strides, padding, data_format=data_format or "NWC", name=name)
    if rank == 4:
        return conv2d(x, w, strides, padding, data_format=data_format or "NHWC", name=name)
    return conv3d(x, w, strides, padding, data_format=data_format or "NDHWC", name=name)


def _dilated(
    x: Any, w: Any, padding: Any, strides: Any, rates: Any, channels: int, data_format: str | None,
    name: str | None,
) -> Tensor:  # fmt: skip
    count = len(rates)
    if any(r < 1 for r in rates):
        raise ValueError("all values of dilation_rate must be positive")
    if any(s > 1 for s in strides):
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    dims, w_dims = (shapes.raw(t.shape) for t in (x, w))
    if dims is not None and w_dims is not None and len(dims) != len(w_dims):
        raise ValueError(f"input tensor must have rank {len(w_dims)}")
    seen = None if dims is None else dims[channels]
    taken = None if w_dims is None else w_dims[count]
    if seen is not None and taken is not None and seen != taken:
        raise ValueError(
            f"number of input channels does not match corresponding dimension of filter, {seen} != {taken}"
        )
    formats = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}[count]
    if data_format is not None and data_format not in formats:
        raise ValueError(f'data_format must be "{formats[0]}" or "{formats[1]}".')

    def phases(part: Tensor, _: int, inner_padding: str) -> Tensor:
        return _undilated(part, w, [1] * (count + 2), inner_padding, data_format, name)

    shape = w_dims if shapes.is_known(w_dims) else arrays.shape(w)
    first = 2 if channels == 1 else 1
    return with_space_to_batch(
        x, rates, padding, phases, filter_shape=shape, spatial_dims=list(range(first, first + count)),
        data_format=data_format,
    )  # fmt: skip


def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None) -> Tensor:
    """Convolution of images with holes of ``rate - 1`` elements in the filter."""
    return convolution(
        input=value, filter=filters, padding=padding, dilation_rate=np.broadcast_to(rate, (2,)), name=name
    )


# -- by channel --------------------------------------------------------------------------------


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: str,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """Convolution of each channel with its own filters; ``filter`` is (height, width, channels, filters of each).

    Raises:
      ValueError: the shapes do not fit, or a rate is not positive.
    """
    rate = deprecated_argument_lookup("dilations", dilations, "rate", rate)
    with name_scope(name, "depthwise", [input, filter]) as name:
        input, filter = as_tensor(input, name="tensor_in"), as_tensor(filter, name="filter_in")
        rate = [1, 1] if rate is None else rate

        def phases(part: Tensor, _: int, inner_padding: str) -> Tensor:
            return depthwise_conv2d_native(
                part, filter, strides, inner_padding, data_format=data_format or "NHWC", name=name
            )

        return with_space_to_batch(
            input, rate, padding, phases, filter_shape=arrays.shape(filter), data_format=data_format
        )


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: str,
    rate: Any = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:
    """``depthwise_conv2d``, then a 1 x 1 convolution that mixes the channels.

    Raises:
      ValueError: the pointwise filter is not 1 x 1, or the shapes do not fit.
    """
    rate = deprecated_argument_lookup("dilations", dilations, "rate", rate)
    with name_scope(name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]) as name:
        input = as_tensor(input, name="tensor_in")
        depthwise_filter = as_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = as_tensor(pointwise_filter, name="pointwise_filter")
        pointwise_shape = pointwise_filter.shape.with_rank(4)
        pointwise_shape.dims[0].assert_is_compatible_with(1)
        pointwise_shape.dims[1].assert_is_compatible_with(1)
        rate = [1, 1] if rate is None else rate

        def phases(part: Tensor, _: int, inner_padding: str) -> Tensor:
            return depthwise_conv2d_native(
                part, depthwise_filter, strides, inner_padding, data_format=data_format or "NHWC", name="depthwise"
            )

        depthwise = with_space_to_batch(
            input, rate, padding, phases, filter_shape=arrays.shape(depthwise_filter), data_format=data_format
        )
        return conv2d(depthwise, pointwise_filter, [1, 1, 1, 1], "VALID", data_format=data_format or "NHWC", name=name)


def erosion2d(value: Any, kernel: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor:
    """The least difference of a window's elements and the kernel: ``-dilation2d(-value, kernel reversed)``."""
    with name_scope(name, "erosion2d", [value, kernel]) as name:
        dilated = morphology.dilation2d(
            arithmetic.negative(value), permuting.reverse(kernel, [0, 1]), strides, rates, padding, name=name
        )
        return arithmetic.negative(dilated)
