"""Convolution of images and volumes, and the ops that are its derivatives.

The three are linear in each input, and each is the derivative of the others: y = x * w,
dx from (w, dy), dw from (x, dy).  So one table of gradients serves every order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import UnimplementedError, invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import arrays, convolving, kinds, shape_rules, windows
from retrograd.ops.windows import Windows

UNDILATED = [1, 1, 1, 1]
_UNDILATED_VOLUME = [1, 1, 1, 1, 1]
FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)

# -- where the windows lie ---------------------------------------------------------------------


def _explicit(explicit_paddings: Sequence[int], data_format: Any) -> list[tuple[int, int]]:
    """(before, after) of each spatial dimension; nothing unless the padding is EXPLICIT."""
    pairs = list(zip(explicit_paddings[::2], explicit_paddings[1::2], strict=True))
    return list(windows.spatial(pairs, data_format)) if pairs else []


def _check_attrs(
    name: str, rank: int, strides: Any, padding: Any, dilations: Any, data_format: Any, explicit_paddings: Any
) -> None:
    if len(dilations) != rank:
        raise ValueError(f"{name} requires the dilation attribute to contain {rank} values, but got: {len(dilations)}")
    if len(strides) != rank:
        raise ValueError(
            f"{name} on data format {as_text(data_format)} requires the stride attribute to contain {rank} values, "
            f"but got: {len(strides)}"
        )
    if as_text(padding) != "EXPLICIT":
        if explicit_paddings:
            raise ValueError("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT")
        return
    if len(explicit_paddings) != 2 * rank:
        raise ValueError(
            f"explicit_paddings attribute must contain {2 * rank} values, but got: {len(explicit_paddings)}"
        )
    if any(p < 0 for p in explicit_paddings):
        raise ValueError("All elements of explicit_paddings must be nonnegative")
    pairs = list(zip(explicit_paddings[::2], explicit_paddings[1::2], strict=True))
    if any(pairs[0]) or any(windows.of_channels(pairs, data_format)):
        raise ValueError("Nonzero explicit padding in the batch or depth dimensions is not supported")


def convolved_shape(
    x: Tensor, w: Tensor, *, strides: Any, padding: Any, explicit_paddings: Any, data_format: Any, dilations: Any
) -> RawShape:
    """(batch, sides, filters) of a convolution of ``x`` with ``w`` (sides, channels, filters)."""
    rank = len(as_text(data_format))
    dims, filters = shape_rules.with_rank(x, rank), shape_rules.with_rank(w, rank)
    _check_attrs(f"Conv{rank - 2}D", rank, strides, padding, dilations, data_format, explicit_paddings)
    channels, depth = windows.of_channels(dims, data_format), filters[-2]
    if channels is not None and depth is not None and (depth == 0 or channels % depth):
        raise ValueError(f"Depth of input ({channels}) is not a multiple of input depth of filter ({depth})")
    if channels is not None and depth and filters[-1] is not None and filters[-1] % (channels // depth):
        groups = channels // depth
        raise ValueError(f"Depth of output ({filters[-1]}) is not a multiple of the number of groups ({groups})")
    counts = windows.windowed(
        windows.spatial(dims, data_format), filters[:-2], windows.spatial(strides, data_format), padding,
        windows.spatial(dilations, data_format), _explicit(explicit_paddings, data_format),
    )  # fmt: skip
    return windows.in_format(dims[0], counts, filters[-1], data_format)


def _windows(
    x_shape: Sequence[int], w_shape: Sequence[int], strides: Any, padding: Any, explicit_paddings: Any,
    data_format: Any, dilations: Any,
) -> Windows:  # fmt: skip
    check_steps(strides, dilations, data_format)
    return Windows.over(
        windows.spatial(x_shape, data_format), w_shape[:-2], windows.spatial(strides, data_format), padding,
        windows.spatial(dilations, data_format), _explicit(explicit_paddings, data_format),
    )  # fmt: skip


def check_steps(strides: Sequence[int], dilations: Sequence[int], data_format: Any) -> None:
    """Windows move over the sides alone.

    Raises:
      InvalidArgumentError: a stride or a dilation along the batch or the channels is not 1.
    """
    for what, values in (("strides", strides), ("dilations", dilations)):
        if values[0] != 1 or windows.of_channels(values, data_format) != 1:
            raise invalid(f"Current implementation does not yet support {what} in the batch and depth dimensions.")


def _check_input(x: Any, w: Any, rank: int, data_format: Any) -> None:
    shown = shape_text if rank == 4 else lambda shape: ""
    if np.ndim(x) != rank:
        raise invalid(f"input must be {rank}-dimensional{shown(np.shape(x))}")
    if np.ndim(w) != rank:
        raise invalid(f"filter must be {rank}-dimensional{': ' if rank == 4 else ''}{shown(np.shape(w))}")
    channels, depth = windows.of_channels(np.shape(x), data_format), w.shape[-2]
    if not depth or channels % depth:
        word = "input" if rank == 4 else "Input"
        raise invalid(f"{word} depth must be evenly divisible by filter depth: {channels} vs {depth}")
    if not channels:
        raise UnimplementedError(
            None, None,
            f"The Conv{rank - 2}D op currently does not support grouped convolutions on the CPU. A grouped convolution "
            f"was attempted to be run because the input depth of 0 does not match the filter input depth of {depth}",
        )  # fmt: skip
    _check_groups(channels, w.shape)


def _check_groups(channels: int, w_shape: Sequence[int]) -> None:
    """Windows have elements, and each group of channels has as many filters as any other."""
    if not all(w_shape[:-1]):
        raise invalid("filter must not have zero elements (i.e. all dimensions must be non-zero)")
    groups = channels // w_shape[-2]
    if w_shape[-1] % groups:
        raise invalid(f"output depth must be evenly divisible by number of groups: {w_shape[-1]} vs {groups}")


def _check_backprop(
    label: str, x_shape: Sequence[int], w_shape: Sequence[int], dy: Any, slid: Windows, data_format: Any
) -> None:
    """``dy`` must be of the shape that the convolution's output has."""
    channels, depth = windows.of_channels(x_shape, data_format), w_shape[-2]
    if not channels or not depth or channels % depth:
        raise invalid(f"{label}: input depth must be evenly divisible by filter depth")
    _check_groups(channels, w_shape)
    if dy.shape[0] != x_shape[0]:
        raise invalid(
            f"{label}: input and out_backprop must have the same batch sizeinput batch: {x_shape[0]}"
            f"outbackprop batch: {dy.shape[0]} batch_dim: 0"
        )
    if windows.of_channels(dy.shape, data_format) != w_shape[-1]:
        raise invalid(f"{label}: filter and out_backprop must have the same out_depth")
    first = 2 if windows.has_channels_first(data_format) else 1
    for i, (axis, count) in enumerate(zip(slid.axes, windows.spatial(dy.shape, data_format), strict=True)):
        if axis.count != count:
            raise invalid(
                f"{label}: Size of out_backprop doesn't match computed: actual = {count}, computed = {axis.count} "
                f"spatial_dim: {i + first} input: {axis.size} filter: {axis.window} output: {count} "
                f"stride: {axis.stride} dilation: {axis.dilation}"
            )


def _wide(xp: Any, x: Any) -> Any:
    """Half precision as float32: sums of products need more digits than it has."""
    return x.astype(np.float32) if x.dtype.itemsize == 2 else x


# -- kernels -----------------------------------------------------------------------------------


def convolve(
    xp: Any, x: Any, w: Any, *, strides: Any, padding: Any, explicit_paddings: Any, data_format: Any, dilations: Any
) -> Any:
    _check_input(x, w, len(strides), data_format)
    slid = _windows(x.shape, w.shape, strides, padding, explicit_paddings, data_format, dilations)
    images = windows.channels_last(xp, _wide(xp, x), data_format)
    y = convolving.convolved(xp, images, _wide(xp, w), slid)
    return windows.as_given(xp, y, data_format).astype(x.dtype)


def _input_gradient(
    xp: Any, sizes: Any, w: Any, dy: Any, *, strides: Any, padding: Any, explicit_paddings: Any, data_format: Any,
    dilations: Any,
) -> Any:  # fmt: skip
    label = _label(len(strides), "Input")
    shape = _sizes(sizes, len(strides), f"{label}: input")
    slid = _windows(shape, w.shape, strides, padding, explicit_paddings, data_format, dilations)
    _check_backprop(label, shape, w.shape, dy, slid, data_format)
    last = (shape[0], *windows.spatial(shape, data_format), windows.of_channels(shape, data_format))
    outer = windows.channels_last(xp, _wide(xp, dy), data_format)
    dx = convolving.input_gradient(xp, outer, _wide(xp, w), slid, last)
    return windows.as_given(xp, dx, data_format).astype(dy.dtype)


def _filter_gradient(
    xp: Any, x: Any, sizes: Any, dy: Any, *, strides: Any, padding: Any, explicit_paddings: Any, data_format: Any,
    dilations: Any,
) -> Any:  # fmt: skip
    label = _label(len(strides), "Filter")
    shape = _sizes(sizes, len(strides), f"{label}: filter")
    slid = _windows(x.shape, shape, strides, padding, explicit_paddings, data_format, dilations)
    _check_backprop(label, x.shape, shape, dy, slid, data_format)
    images = windows.channels_last(xp, _wide(xp, x), data_format)
    outer = windows.channels_last(xp, _wide(xp, dy), data_format)
    return convolving.filter_gradient(xp, images, outer, slid, shape).astype(dy.dtype)


def _sizes(sizes: Any, rank: int, what: str) -> tuple[int, ...]:
    """The shape that an input names."""
    shape = tuple(np.asarray(sizes).tolist())
    if len(shape) != rank:
        raise invalid(f"{what} must be {rank}-dimensional")
    return shape


def _label(rank: int, what: str) -> str:
    return f"Conv2DCustomBackprop{what}" if rank == 4 else f"Conv3DBackprop{what}Op"


# -- records -----------------------------------------------------------------------------------


def _same_attrs(op: Any) -> dict[str, Any]:
    return {k: v for k, v in op.attrs.items() if not k.startswith("_") and k not in ("T", "Tshape")}


def _gradient(op: Any, dy: Any) -> list[Any]:
    """dx from w and dy, dw from x and dy."""
    x, w = op.inputs
    x_shape, w_shape = arrays.shape_n([x, w])
    attrs = _same_attrs(op)
    return [apply(CONV_2D_INPUT, x_shape, w, dy, **attrs), apply(CONV_2D_FILTER, x, w_shape, dy, **attrs)]


def _volume_gradient(op: Any, dy: Any) -> list[Any]:
    """The same, with the shapes taken one by one."""
    x, w = op.inputs
    attrs = _same_attrs(op)
    dx = apply(CONV_3D_INPUT, arrays.shape(x), w, dy, **attrs)
    return [dx, apply(CONV_3D_FILTER, x, arrays.shape(w), dy, **attrs)]


def _input_gradient_gradient(op: Any, d: Any) -> list[Any]:
    _, w, dy = op.inputs
    forward, back_to_w = _DERIVATIVES[op.type]
    attrs = _same_attrs(op)
    return [None, apply(back_to_w, d, arrays.shape(w), dy, **attrs), apply(forward, d, w, **attrs)]


def _filter_gradient_gradient(op: Any, d: Any) -> list[Any]:
    x, _, dy = op.inputs
    forward, back_to_x = _DERIVATIVES[op.type]
    attrs = _same_attrs(op)
    return [apply(back_to_x, arrays.shape(x), d, dy, **attrs), None, apply(forward, x, d, **attrs)]


_IMAGE: dict[str, Any] = {
    "attrs": {
        "strides": REQUIRED, "use_cudnn_on_gpu": True, "padding": REQUIRED, "explicit_paddings": [],
        "data_format": "NHWC", "dilations": UNDILATED,
    },
    "types": {"T": FLOATS},
    "choices": {"padding": windows.CONVOLUTION_PADDINGS, "data_format": windows.IMAGE_FORMATS},
    "lengths": {"strides": 0, "dilations": 0},
}  # fmt: skip
_VOLUME: dict[str, Any] = {
    "attrs": {"strides": REQUIRED, "padding": REQUIRED, "data_format": "NDHWC", "dilations": _UNDILATED_VOLUME},
    "types": {"T": FLOATS},
    "choices": {"padding": windows.SAME_OR_VALID, "data_format": windows.VOLUME_FORMATS},
    "lengths": {"strides": 5, "dilations": 0},
}


def _of_volumes(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with the attributes of a volume's convolution: its padding cannot be explicit."""

    def of_volumes(*inputs: Any, strides: Any, padding: Any, data_format: Any, dilations: Any) -> Any:
        return function(
            *inputs, strides=strides, padding=padding, explicit_paddings=(), data_format=data_format,
            dilations=dilations,
        )  # fmt: skip

    return of_volumes


CONV_2D = define(
    "Conv2D",
    "input: T, filter: T",
    "output: T",
    shape=convolved_shape,
    kernel=convolve,
    gradient=_gradient,
    remedy="images are (batch, height, width, channels), filters (height, width, channels, number of filters):\n"
    "tf.reshape(x, [-1, height, width, channels]) makes images of rows",
    **_IMAGE,
)
CONV_2D_INPUT = define(
    "Conv2DBackpropInput", "input_sizes: int32, filter: T, out_backprop: T", "output: T", static=("input_sizes",),
    ranks={
        "input_sizes": "1: Conv2DBackpropInput: input_sizes input must be 1-dim, not {rank}",
        "filter": "4: Conv2DCustomBackpropInput: filter must be 4-dimensional",
        "out_backprop": "4: Conv2DCustomBackpropInput: out_backprop must be 4-dimensional",
    },
    shape=lambda sizes, w, dy: shape_rules.with_rank(shape_value(sizes), 4), kernel=_input_gradient,
    gradient=_input_gradient_gradient, **_IMAGE,
)  # fmt: skip
CONV_2D_FILTER = define(
    "Conv2DBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T", "output: T", static=("filter_sizes",),
    ranks={
        "filter_sizes": "1: Conv2DCustomBackpropFilter: filter_sizes input must be 1-dim, not {rank}",
        "input": "4: Conv2DCustomBackpropFilter: input must be 4-dimensional",
        "out_backprop": "4: Conv2DCustomBackpropFilter: out_backprop must be 4-dimensional",
    },
    shape=lambda x, sizes, dy: shape_rules.with_rank(shape_value(sizes), 4), kernel=_filter_gradient,
    gradient=_filter_gradient_gradient, **_IMAGE,
)  # fmt: skip
CONV_3D = define(
    "Conv3D", "input: T, filter: T", "output: T", shape=_of_volumes(convolved_shape), kernel=_of_volumes(convolve),
    gradient=_volume_gradient, **_VOLUME,
)  # fmt: skip
CONV_3D_INPUT = define(
    "Conv3DBackpropInputV2", "input_sizes: Tshape, filter: T, out_backprop: T", "output: T", static=("input_sizes",),
    ranks={
        "input_sizes": "1: shape must be a vector of {int32,int64}, got shape {}",
        "filter": "5: Conv3DBackpropInputOp: filter must be 5-dimensional",
        "out_backprop": "5: Conv3DBackpropInputOp: out_backprop must be 5-dimensional",
    },
    shape=lambda sizes, w, dy: shape_rules.with_rank(shape_value(sizes), 5), kernel=_of_volumes(_input_gradient),
    gradient=_input_gradient_gradient,
    **{**_VOLUME, "attrs": {**_VOLUME["attrs"], "Tshape": dtypes.int32}, "types": {"T": FLOATS, "Tshape": kinds.INDEX}},
)  # fmt: skip
CONV_3D_FILTER = define(
    "Conv3DBackpropFilterV2", "input: T, filter_sizes: int32, out_backprop: T", "output: T", static=("filter_sizes",),
    ranks={
        "filter_sizes": "1: shape must be a vector of {int32,int64}, got shape {}",
        "input": "5: Conv3DBackpropFilterOp: input must be 5-dimensional",
        "out_backprop": "5: Conv3DBackpropFilterOp: out_backprop must be 5-dimensional",
    },
    shape=lambda x, sizes, dy: shape_rules.with_rank(shape_value(sizes), 5), kernel=_of_volumes(_filter_gradient),
    gradient=_filter_gradient_gradient, **_VOLUME,
)  # fmt: skip

_DERIVATIVES = {  # of each derivative, the ops of its own gradient
    "Conv2DBackpropInput": (CONV_2D, CONV_2D_FILTER),
    "Conv2DBackpropFilter": (CONV_2D, CONV_2D_INPUT),
    "Conv3DBackpropInputV2": (CONV_3D, CONV_3D_FILTER),
    "Conv3DBackpropFilterV2": (CONV_3D, CONV_3D_INPUT),
}


# -- public functions --------------------------------------------------------------------------


def per_dimension(value: Any, count: int, channel_index: int, name: str) -> list[int]:
    """One number per dimension from one for all sides, one for each side, or one for each dimension.

    Raises:
      ValueError: ``value`` has another length.
    """
    if value is None:
        return [1] * (count + 2)
    values = list(value) if isinstance(value, list | tuple | np.ndarray) else [value]
    if len(values) == count + 2:
        return values
    if len(values) not in (1, count):
        raise ValueError(f"{name} should be of length 1, {count} or {count + 2} but was {len(values)}")
    values = values * count if len(values) == 1 else values
    return [1, 1, *values] if channel_index == 1 else [1, *values, 1]


def paddings(padding: Any) -> tuple[Any, list[int]]:
    """The attributes ``padding`` and ``explicit_paddings`` of a padding as users give it.

    Raises:
      ValueError: it is the word EXPLICIT, or a list of another form than a pair for each dimension.
    """
    if isinstance(padding, list | tuple):
        for i, pair in enumerate(padding):
            if not isinstance(pair, list | tuple):
                raise ValueError(
                    "When padding is a list, each element of padding must be a list/tuple of size 2. Element with "
                    f"index {i} of padding is not a list/tuple"
                )
            if len(pair) != 2:
                raise ValueError(
                    "When padding is a list, each element of padding must be a list/tuple of size 2. Element with "
                    f"index {i} of padding has size {len(pair)}"
                )
        if len(padding) != 4:
            raise ValueError(f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}")
        return "EXPLICIT", [n for pair in padding for n in pair]
    if padding == "EXPLICIT":
        raise ValueError(
            '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, the padding '
            "parameter must be a list."
        )
    return padding, []


def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = UNDILATED,
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """Sums over windows of images: ``y[n, o, b] = sum(x[n, o * stride + k * dilation, a] * w[k, a, b])``.

    ``input`` is (batch, height, width, channels), or as ``data_format`` says; ``filter`` is (height, width,
    channels, filters).  ``padding`` is SAME (as many windows as strides), VALID (whole windows alone) or a list
    of (before, after) for each dimension.

    Raises:
      ValueError: the shapes do not fit, or a window does not.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    padding, explicit = paddings(padding)
    data_format = "NHWC" if data_format is None else data_format
    channels = 1 if data_format == "NCHW" else 3
    return apply(
        CONV_2D, input, filter, strides=per_dimension(strides, 2, channels, "strides"),
        use_cudnn_on_gpu=use_cudnn_on_gpu, padding=padding, explicit_paddings=explicit, data_format=data_format,
        dilations=per_dimension(dilations, 2, channels, "dilations"), name=name,
    )  # fmt: skip


def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = UNDILATED,
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The gradient of ``conv2d`` with respect to an input of shape ``input_sizes``."""
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    padding, explicit = paddings(padding)
    return apply(
        CONV_2D_INPUT, input_sizes, filter, out_backprop, strides=strides, use_cudnn_on_gpu=use_cudnn_on_gpu,
        padding=padding, explicit_paddings=explicit, data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip


def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = UNDILATED,
    name: str | None = None,
) -> Tensor:
    """The gradient of ``conv2d`` with respect to a filter of shape ``filter_sizes``."""
    padding, explicit = paddings(padding)
    return apply(
        CONV_2D_FILTER, input, filter_sizes, out_backprop, strides=strides, use_cudnn_on_gpu=use_cudnn_on_gpu,
        padding=padding, explicit_paddings=explicit, data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip


def conv3d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str = "NDHWC",
    dilations: Any = _UNDILATED_VOLUME,
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """``conv2d`` of volumes (batch, depth, height, width, channels)."""
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    return apply(
        CONV_3D, input, filter, strides=strides, padding=padding, data_format=data_format, dilations=dilations,
        name=name,
    )  # fmt: skip


def conv3d_backprop_filter_v2(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NDHWC",
    dilations: Any = _UNDILATED_VOLUME,
    name: str | None = None,
) -> Tensor:
    """The gradient of ``conv3d`` with respect to a filter of shape ``filter_sizes``."""
    return apply(
        CONV_3D_FILTER, input, filter_sizes, out_backprop, strides=strides, padding=padding, data_format=data_format,
        dilations=dilations, name=name,
    )  # fmt: skip
