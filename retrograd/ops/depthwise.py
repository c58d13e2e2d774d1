"""Depthwise convolution: each channel has filters of its own, as a sum of shifted products.

y[n, i, j, c * m + q] = sum over di and dj of x[n, i * s + di * d, j * s + dj * d, c] * w[di, dj, c, q]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape, merge_dim, shape_text
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, shape_rules, windows
from retrograd.ops.convolution import FLOATS, UNDILATED, check_steps
from retrograd.ops.convolving import convolved_or, filter_gradient_or, input_gradient_or
from retrograd.ops.pooling import by_images
from retrograd.ops.windows import Windows


def _filtered(x: Tensor, w: Tensor, *, strides: Any, padding: Any, data_format: Any, dilations: Any) -> RawShape:
    """(batch, sides, channels * filters per channel)."""
    dims, filters = shape_rules.with_rank(x, 4), shape_rules.with_rank(w, 4)
    if len(strides) != 4:
        raise ValueError(f"DepthwiseConv2D requires the stride attribute to contain 4 values, but got: {len(strides)}")
    channels = merge_dim(windows.of_channels(dims, data_format), filters[2])
    depth = None if channels is None or filters[3] is None else channels * filters[3]
    counts = windows.windowed(
        windows.spatial(dims, data_format), filters[:2], windows.spatial(strides, data_format), padding,
        windows.spatial(dilations, data_format),
    )  # fmt: skip
    return windows.in_format(dims[0], counts, depth, data_format)


def _windows(
    x_shape: Sequence[int], w_shape: Sequence[int], strides: Any, padding: Any, data_format: Any, dilations: Any
) -> Windows:
    check_steps(strides, dilations, data_format)
    if len(x_shape) != 4:
        raise invalid(f"input must be 4-dimensional{shape_text(tuple(x_shape))}")
    if len(w_shape) != 4:
        raise invalid(f"filter must be 4-dimensional: {shape_text(tuple(w_shape))}")
    if windows.of_channels(x_shape, data_format) != w_shape[2]:
        depth = windows.of_channels(x_shape, data_format)
        raise invalid(f"input and filter must have the same depth: {depth} vs {w_shape[2]}")
    return Windows.over(
        windows.spatial(x_shape, data_format), w_shape[:2], windows.spatial(strides, data_format), padding,
        windows.spatial(dilations, data_format),
    )  # fmt: skip


def _wide(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype.itemsize == 2 else x


def _filter(xp: Any, x: Any, w: Any, *, strides: Any, padding: Any, data_format: Any, dilations: Any) -> Any:
    slid = _windows(x.shape, w.shape, strides, padding, data_format, dilations)
    images = windows.channels_last(xp, _wide(x), data_format)

    def products(images: Any, filters: Any) -> Any:
        images = slid.padded(xp, images)[..., None]
        y = xp.zeros((images.shape[0], *slid.counts, *filters.shape[2:]), filters.dtype)
        for offset in slid.offsets():
            y += images[slid.seen(offset)] * filters[offset]
        return y.reshape(*y.shape[:3], filters.shape[2] * filters.shape[3])

    form = _by_images(xp, products, w.shape)
    grouped = _grouped(_wide(w))
    y = convolved_or(xp, form, images, grouped, slid) if all(w.shape[:2]) else form(images, grouped)
    return windows.as_given(xp, y, data_format).astype(x.dtype)


def _grouped(w: Any) -> Any:
    """The filter as one of as many groups as there are channels."""
    return w.reshape(*w.shape[:2], 1, w.shape[2] * w.shape[3])


def _by_images(xp: Any, products: Callable[[Any, Any], Any], w_shape: Sequence[int]) -> Callable[[Any, Any], Any]:
    """``products``, of some images at a time and of filters that came as one of as many groups."""

    def form(images: Any, grouped: Any) -> Any:
        filters = grouped.reshape(w_shape)
        return by_images(xp, lambda images: products(images, filters), images, share=4)

    return form


def _outer(xp: Any, dy: Any, w_shape: Sequence[int]) -> Any:
    """A channels-last dy as (batch, sides, channels, filters per channel)."""
    return dy.reshape(*dy.shape[:3], *w_shape[2:])


def _backward_windows(
    name: str, x_shape: Sequence[int], w_shape: Sequence[int], dy: Any, strides: Any, padding: Any, data_format: Any,
    dilations: Any,
) -> Windows:  # fmt: skip
    """The windows of a gradient, whose ``dy`` is of the shape that the convolution's output has."""
    for what, shape in (("input", x_shape), ("filter", w_shape)):
        if len(shape) != 4:
            raise invalid(f"{name}: {what} must be 4-dimensional")
    if dy.shape[0] != x_shape[0]:
        raise invalid(f"{name}: input and out_backprop must have the same batch size")
    if windows.of_channels(x_shape, data_format) != w_shape[2]:
        raise invalid(f"{name}: input and filter must have the same in_depth")
    if windows.of_channels(dy.shape, data_format) != w_shape[2] * w_shape[3]:
        raise invalid(f"{name}: depth_multiplier * in_depth not equal to out_depth")
    slid = _windows(x_shape, w_shape, strides, padding, data_format, dilations)
    for what, count, axis in zip(("rows", "cols"), windows.spatial(dy.shape, data_format), slid.axes, strict=True):
        if count != axis.count:
            words = (
                f"Number of {what} of out_backprop doesn't match computed: actual = {count}, computed = {axis.count}"
            )
            raise invalid(f"{name}: {words}")
    return slid


def _ranks(of: str, array: str, sizes: str) -> dict[str, str]:
    name = f"DepthwiseConv2DBackprop{of}"
    return {
        sizes: f"1: Conv2DBackprop{of}: {sizes} input must be 1-dim, not {{rank}}",
        array: f"4: {name}: {array} must be 4-dimensional",
        "out_backprop": f"4: {name}: out_backprop must be 4-dimensional",
    }


def _input_gradient(
    xp: Any, sizes: Any, w: Any, dy: Any, *, strides: Any, padding: Any, data_format: Any, dilations: Any
) -> Any:
    """dx = the sum over the windows that see an element of dy * w, over the filters of its channel."""
    shape = tuple(np.asarray(sizes).tolist())
    name = "DepthwiseConv2DBackpropInput"
    slid = _backward_windows(name, shape, w.shape, dy, strides, padding, data_format, dilations)
    last = (shape[0], *windows.spatial(shape, data_format), w.shape[2])
    slopes = windows.channels_last(xp, _wide(dy), data_format)

    def products(slopes: Any, filters: Any) -> Any:
        slopes = _outer(xp, slopes, filters.shape)
        dx = xp.zeros(slid.padded_shape((slopes.shape[0], *last[1:])), filters.dtype)
        for offset in slid.offsets():
            dx = slid.added(xp, dx, offset, (slopes * filters[offset]).sum(-1))
        return slid.cropped(dx)

    form = _by_images(xp, products, w.shape)
    grouped = _grouped(_wide(w))
    dx = input_gradient_or(xp, form, slopes, grouped, slid, last) if all(w.shape[:2]) else form(slopes, grouped)
    return windows.as_given(xp, dx, data_format).astype(dy.dtype)


def _filter_gradient(
    xp: Any, x: Any, sizes: Any, dy: Any, *, strides: Any, padding: Any, data_format: Any, dilations: Any
) -> Any:
    """dw = the sum over all windows of x * dy."""
    shape = tuple(np.asarray(sizes).tolist())
    name = "DepthwiseConv2DBackpropFilter"
    slid = _backward_windows(name, x.shape, shape, dy, strides, padding, data_format, dilations)
    last, slopes = (windows.channels_last(xp, _wide(v), data_format) for v in (x, dy))

    def products(last: Any, slopes: Any) -> Any:
        images, outer = slid.padded(xp, last)[..., None], _outer(xp, slopes, shape)
        if xp is np:
            return xp.stack([(images[slid.seen(offset)] * outer).sum((0, 1, 2)) for offset in slid.offsets()])
        return xp.stack(_summed_by_images(images, outer, slid)).reshape(grouped)

    grouped = (*shape[:2], 1, shape[2] * shape[3])
    dw = filter_gradient_or(xp, products, last, slopes, slid, grouped)
    return dw.reshape(shape).astype(dy.dtype)


def _summed_by_images(images: Any, outer: Any, slid: Windows) -> list[Any]:
    """The sums for each element of the window: image after image, as XLA sums rows a number at a time."""
    from retrograd.ops.jax_start import jnp, lax

    def add(totals: list[Any], image: tuple[Any, Any]) -> tuple[list[Any], None]:
        x, dy = image
        return [t + x[slid.seen(k)[1:]] * dy for t, k in zip(totals, slid.offsets(), strict=True)], None

    totals = [jnp.zeros(outer.shape[1:], outer.dtype) for _ in slid.offsets()]
    totals, _ = lax.scan(add, totals, (images, outer))
    ones = jnp.ones(outer.shape[1] * outer.shape[2], outer.dtype)
    return [ones @ t.reshape(len(ones), -1) for t in totals]


def _attrs(op: Any) -> dict[str, Any]:
    return {k: op.attrs[k] for k in ("strides", "padding", "data_format", "dilations")}


def _gradient(op: Any, dy: Any) -> list[Any]:
    x, w = op.inputs
    return [
        apply(DEPTHWISE_INPUT, arrays.shape(x), w, dy, **_attrs(op)),
        apply(DEPTHWISE_FILTER, x, arrays.shape(w), dy, **_attrs(op)),
    ]


def _input_gradient_gradient(op: Any, d: Any) -> list[Any]:
    _, w, dy = op.inputs
    return [
        None,
        apply(DEPTHWISE_FILTER, d, arrays.shape(w), dy, **_attrs(op)),
        apply(DEPTHWISE, d, w, **_attrs(op)),
    ]


def _filter_gradient_gradient(op: Any, d: Any) -> list[Any]:
    x, _, dy = op.inputs
    return [
        apply(DEPTHWISE_INPUT, arrays.shape(x), d, dy, **_attrs(op)),
        None,
        apply(DEPTHWISE, x, d, **_attrs(op)),
    ]


_RECORD: dict[str, Any] = {
    "attrs": {"strides": REQUIRED, "padding": REQUIRED, "data_format": "NHWC", "dilations": UNDILATED},
    "types": {"T": FLOATS},
    "choices": {"padding": windows.SAME_OR_VALID, "data_format": windows.IMAGE_FORMATS},
    "lengths": {"strides": 0, "dilations": 0},
}
DEPTHWISE = define(
    "DepthwiseConv2dNative", "input: T, filter: T", "output: T", shape=_filtered, kernel=_filter, gradient=_gradient,
    **_RECORD,
)  # fmt: skip
DEPTHWISE_INPUT: OpDef = define(
    "DepthwiseConv2dNativeBackpropInput", "input_sizes: int32, filter: T, out_backprop: T", "output: T",
    static=("input_sizes",), shape=lambda sizes, w, dy: shape_rules.with_rank(shape_value(sizes), 4),
    kernel=_input_gradient, gradient=_input_gradient_gradient, ranks=_ranks("Input", "filter", "input_sizes"),
    **_RECORD,
)  # fmt: skip
DEPTHWISE_FILTER: OpDef = define(
    "DepthwiseConv2dNativeBackpropFilter", "input: T, filter_sizes: int32, out_backprop: T", "output: T",
    static=("filter_sizes",), shape=lambda x, sizes, dy: shape_rules.with_rank(shape_value(sizes), 4),
    kernel=_filter_gradient, gradient=_filter_gradient_gradient, ranks=_ranks("Filter", "input", "filter_sizes"),
    **_RECORD,
)  # fmt: skip


def depthwise_conv2d_native(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = UNDILATED,
    name: str | None = None,
) -> Tensor:
    """Convolution of each channel with its own filters; ``filter`` is (height, width, channels, filters of each).

    Raises:
      ValueError: the shapes do not fit, or a window does not.
    """
    return apply(
        DEPTHWISE, input, filter, strides=strides, padding=padding, data_format=data_format, dilations=dilations,
        name=name,
    )  # fmt: skip


def depthwise_conv2d_native_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = UNDILATED,
    name: str | None = None,
) -> Tensor:
    """The gradient of ``depthwise_conv2d_native`` with respect to an input of shape ``input_sizes``."""
    return apply(
        DEPTHWISE_INPUT, input_sizes, filter, out_backprop, strides=strides, padding=padding, data_format=data_format,
        dilations=dilations, name=name,
    )  # fmt: skip


def depthwise_conv2d_native_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = UNDILATED,
    name: str | None = None,
) -> Tensor:
    """The gradient of ``depthwise_conv2d_native`` with respect to a filter of shape ``filter_sizes``."""
    return apply(
        DEPTHWISE_FILTER, input, filter_sizes, out_backprop, strides=strides, padding=padding,
        data_format=data_format, dilations=dilations, name=name,
    )  # fmt: skip
