"""Grayscale dilation of images: the largest sum of a window's elements and a filter.

y[n, i, j, c] = max over di and dj of x[n, i * s + di * r, j * s + dj * r, c] + w[di, dj, c]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError, UnimplementedError, invalid
from retrograd.graph.shapes import RawShape, merge_dim
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules, windows
from retrograd.ops.windows import Windows


def _dilated(x: Tensor, w: Tensor, *, strides: Any, rates: Any, padding: Any) -> RawShape:
    dims, filters = shape_rules.with_rank(x, 4), shape_rules.with_rank(w, 3)
    channels = merge_dim(dims[3], filters[2])
    if None in (*dims[1:3], *filters[:2]):
        return (dims[0], None, None, channels)
    try:
        slid = Windows.over(dims[1:3], filters[:2], strides[1:3], padding, rates[1:3])  # type: ignore[arg-type]
    except InvalidArgumentError as error:
        raise ValueError(error.message) from None
    return (dims[0], *slid.counts, channels)


def _windows(x: Any, w: Any, strides: Any, rates: Any, padding: Any) -> Windows:
    for what, values in (("Stride", strides), ("Rate", rates)):
        if values[0] != 1 or values[3] != 1:
            raise UnimplementedError(None, None, f"{what} is only supported across spatial dimensions.")
    return Windows.over(x.shape[1:3], w.shape[:2], strides[1:3], padding, rates[1:3])


def _dilation(xp: Any, x: Any, w: Any, *, strides: Any, rates: Any, padding: Any) -> Any:
    return _searched(xp, x, w, strides, rates, padding)[0]


def _searched(xp: Any, x: Any, w: Any, strides: Any, rates: Any, padding: Any) -> tuple[Any, Any]:
    """The largest sums, and the number of the first element of the window that gives them."""
    shape_rules.check_rank(x, 4, "input must be 4-dimensional{}")
    shape_rules.check_rank(w, 3, "filter must be 3-dimensional: {}")
    if x.shape[3] != w.shape[2]:
        raise invalid(f"input and filter must have the same depth: {x.shape[3]} vs {w.shape[2]}")
    slid = _windows(x, w, strides, rates, padding)
    if not all(w.shape[:2]):
        raise invalid("filter must not have zero elements (i.e. all dimensions must be non-zero)")
    lowest = np.iinfo(x.dtype).min if x.dtype.kind in "iu" else x.dtype.type(-np.inf)  # borders never win
    inner = slid.padded(xp, x, lowest)
    best = place = None
    for k, offset in enumerate(slid.offsets()):
        total = inner[slid.seen(offset)] + w[offset]
        if best is None:
            best, place = total, xp.zeros(total.shape, np.int32)
        else:
            larger = total > best
            best, place = xp.where(larger, total, best), xp.where(larger, np.int32(k), place)
    return best, place


def _input_gradient(xp: Any, x: Any, w: Any, dy: Any, *, strides: Any, rates: Any, padding: Any) -> Any:
    """dx = the sum of dy over the windows whose largest sum an element gave."""
    _, place = _searched(xp, x, w, strides, rates, padding)
    _check_slope(dy, place)
    slid = _windows(x, w, strides, rates, padding)
    dx = xp.zeros(slid.padded_shape(x.shape), dy.dtype)
    for k, offset in enumerate(slid.offsets()):
        dx = slid.added(xp, dx, offset, xp.where(place == k, dy, dy.dtype.type(0)))
    return slid.cropped(dx)


def _filter_gradient(xp: Any, x: Any, w: Any, dy: Any, *, strides: Any, rates: Any, padding: Any) -> Any:
    """dw = the sum of dy over the windows whose largest sum the element of the filter gave."""
    _, place = _searched(xp, x, w, strides, rates, padding)
    _check_slope(dy, place)
    rows = [
        xp.sum(xp.where(place == k, dy, dy.dtype.type(0)), axis=(0, 1, 2), dtype=dy.dtype)
        for k in range(w.shape[0] * w.shape[1])
    ]
    return xp.stack(rows).reshape(w.shape)


def _check_slope(dy: Any, place: Any) -> None:
    if dy.shape != place.shape:
        raise invalid("out_backprop has incompatible size.")


def _gradient(op: Any, dy: Any) -> list[Any]:
    attrs = {k: op.attrs[k] for k in ("strides", "rates", "padding")}
    return [apply(DILATION_INPUT, *op.inputs, dy, **attrs), apply(DILATION_FILTER, *op.inputs, dy, **attrs)]


_RECORD: dict[str, Any] = {
    "attrs": {"strides": REQUIRED, "rates": REQUIRED, "padding": REQUIRED},
    "types": {"T": kinds.REAL},
    "choices": {"padding": windows.SAME_OR_VALID},
    "lengths": {"strides": 4, "rates": 4},
}
DILATION = define(
    "Dilation2D", "input: T, filter: T", "output: T", shape=_dilated, kernel=_dilation, gradient=_gradient, **_RECORD
)
DILATION_INPUT: OpDef = define(
    "Dilation2DBackpropInput", "input: T, filter: T, out_backprop: T", "in_backprop: T",
    shape=lambda x, w, dy: x.dims, kernel=_input_gradient, **_RECORD,
)  # fmt: skip
DILATION_FILTER: OpDef = define(
    "Dilation2DBackpropFilter", "input: T, filter: T, out_backprop: T", "filter_backprop: T",
    shape=lambda x, w, dy: w.dims, kernel=_filter_gradient, **_RECORD,
)  # fmt: skip


def dilation2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The largest sum of a window's elements and the filter (height, width, channels), for each channel.

    Raises:
      ValueError: the shapes do not fit, or a window does not.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    rates = deprecated_argument_lookup("dilations", dilations, "rates", rates)
    return apply(DILATION, input, filter, strides=strides, rates=rates, padding=padding, name=name)
