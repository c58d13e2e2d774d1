"""Sums over windows of channels-last arrays: convolution, and its derivatives with respect to image and filter.

    y[n, o, b] = sum over k and a of x[n, o * stride + k * dilation - before, a] * w[k, a, b]

where o and k have as many dimensions as the image.  On a CPU it is oneDNN's work, for NumPy's arrays and where XLA
compiles.  Where there is no such library, or little to do, the windows of a few images are laid out as the rows of a
matrix that stays in cache, and NumPy multiplies them; or XLA convolves.
A filter for a part of the input's channels makes groups: each part of the channels has its filters.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from retrograd.ops import onednn, onednn_arrays, onednn_convolutions, onednn_forms, parallel
from retrograd.ops.apart import unsimplified
from retrograd.ops.forms import on_cpu
from retrograd.ops.onednn_convolutions import Problem
from retrograd.ops.onednn_forms import Form
from retrograd.ops.windows import Axis, Windows, extent, interleaved

Shape = tuple[int, ...]

_FEWEST_ROWS = 256  # of one product: fewer would spend their time on packing the filter
_MANY_CHANNELS = 16  # enough for a product of its own for each element of the window


def convolved(xp: Any, x: Any, w: Any, windows: Windows) -> Any:
    """The convolution y of ``x`` (batch, ..., channels) with ``w`` (..., channels, filters)."""
    folded = _without_full_axes(windows, x.shape, w.shape)
    if folded is not None:
        slid, of_x, of_w, _ = folded
        return convolved(xp, x.reshape(of_x), w.reshape(of_w), slid).reshape(x.shape[0], *windows.counts, w.shape[-1])
    form = _in_groups(_product, x.shape[-1], w.shape[-2]) if xp is np else _xla
    return convolved_or(xp, partial(form, windows=windows), x, w, windows)


def input_gradient(xp: Any, dy: Any, w: Any, windows: Windows, shape: Shape) -> Any:
    """dx, of ``shape``: the sum of ``dy * w`` over the windows that see an element."""
    folded = _without_full_axes(windows, shape, w.shape)
    if folded is not None:
        slid, of_x, of_w, of_y = folded
        return input_gradient(xp, dy.reshape(of_y), w.reshape(of_w), slid, of_x).reshape(shape)
    form = _in_groups(_product_gradient, shape[-1], w.shape[-2]) if xp is np else _xla_input_gradient
    return input_gradient_or(xp, partial(form, windows=windows, shape=shape), dy, w, windows, shape)


def filter_gradient(xp: Any, x: Any, dy: Any, windows: Windows, shape: Shape) -> Any:
    """dw, of ``shape``: the sum of ``x * dy`` over all windows."""
    folded = _without_full_axes(windows, x.shape, shape)
    if folded is not None:
        slid, of_x, of_w, of_y = folded
        return filter_gradient(xp, x.reshape(of_x), dy.reshape(of_y), slid, of_w).reshape(shape)
    form = _in_groups(_filter_product, x.shape[-1], shape[-2]) if xp is np else _xla_filter_gradient
    return filter_gradient_or(xp, partial(form, windows=windows, shape=shape), x, dy, windows, shape)


def _without_full_axes(windows: Windows, x: Shape, w: Shape) -> tuple[Windows, Shape, Shape, Shape] | None:
    """The same sums with the last axes, as far as a window sees all of each, among the channels.

    So are the words of a sentence, each a row of numbers, which filters of whole rows slide over.  Gives windows and
    the shapes of image, filter and result, in which axes of one element stand first, as libraries run along the last.
    None if there are no such axes, or there are groups.
    """
    axes = list(windows.axes)
    full = 0
    while full < len(axes) and _is_full(axes[-1 - full]) and x[-1] == w[-2]:
        full += 1
    kept, rest = axes[: len(axes) - full], axes[len(axes) - full :]
    if not rest or (all(a.size == 1 for a in rest) and all(a.size == 1 for a in kept)):
        return None
    ones, channels = (1,) * full, prod(x[1 + len(kept) :])
    slid = Windows([Axis(1, 1, 1, 1, 0, 0, 1)] * full + kept)
    of_y = (x[0], *ones, *(a.count for a in kept), w[-1])
    return slid, (x[0], *ones, *(a.size for a in kept), channels), (*ones, *w[: len(kept)], channels, w[-1]), of_y


def _is_full(axis: Axis) -> bool:
    return axis.window == axis.size and axis.count == 1 and not (axis.before or axis.after)


def _in_groups(function: Callable[..., Any], channels: int, seen: int) -> Callable[..., Any]:
    """``function`` of each part of the last axis of two arrays, as filters see so many of the channels."""
    groups = channels // max(seen, 1)
    if groups <= 1:
        return function

    def of_groups(a: Any, b: Any, **given: Any) -> Any:
        parts = zip(np.split(a, groups, -1), np.split(b, groups, -1), strict=True)
        return np.concatenate([function(x, y, **given) for x, y in parts], -1)

    return of_groups


# -- NumPy: windows as rows of a matrix --------------------------------------------------------


def _rows(x: Any, windows: Windows) -> Any:
    """A view (batch, counts..., window..., channels) of all that the windows see of a padded array."""
    steps = x.strides[1:-1]
    strides = (
        x.strides[0],
        *(s * a.stride for s, a in zip(steps, windows.axes, strict=True)),
        *(s * a.dilation for s, a in zip(steps, windows.axes, strict=True)),
        x.strides[-1],
    )
    shape = (x.shape[0], *windows.counts, *(a.window for a in windows.axes), x.shape[-1])
    return as_strided(x, shape, strides, writeable=False)


def _pieces(batch: int, windows: Windows, bytes_of_row: int) -> list[tuple[slice, slice]]:
    """Some images whole, or some lines of one image: what one product takes."""
    of_line: float = prod(windows.counts[1:]) * bytes_of_row
    of_line /= max(1, _FEWEST_ROWS * bytes_of_row / parallel.CACHED)
    lines = windows.counts[0]
    if of_line * lines <= parallel.CACHED:
        return [(images, slice(0, lines)) for images in parallel.slices(batch, of_line * lines)]
    return [(slice(i, i + 1), part) for i in range(batch) for part in parallel.slices(lines, of_line)]


def _product(x: Any, w: Any, windows: Windows) -> Any:
    x = windows.padded(np, np.ascontiguousarray(x))
    w = np.ascontiguousarray(w).reshape(prod(w.shape[:-1]), w.shape[-1])
    y = np.empty((x.shape[0], *windows.counts, w.shape[-1]), x.dtype)
    if not y.size or not x.size:
        y.fill(0)
        return y
    rows, width = _rows(x, windows), w.shape[0]

    def multiply(piece: tuple[slice, slice]) -> None:
        np.matmul(rows[piece].reshape(-1, width), w, out=y[piece].reshape(-1, w.shape[-1]))

    parallel.mapped(multiply, _pieces(x.shape[0], windows, width * x.itemsize))
    return y


def _filter_product(x: Any, dy: Any, windows: Windows, shape: Shape) -> Any:
    x, dy = windows.padded(np, np.ascontiguousarray(x)), np.ascontiguousarray(dy)
    shape = (*shape[:-1], dy.shape[-1])
    width = prod(shape[:-1])
    if not dy.size:
        return np.zeros(shape, x.dtype)
    rows = _rows(x, windows)

    def multiply(pieces: list[tuple[slice, slice]]) -> Any:
        total = None
        for piece in pieces:
            part = np.matmul(rows[piece].reshape(-1, width).T, dy[piece].reshape(-1, shape[-1]))
            total = part if total is None else np.add(total, part, out=total)
        return total

    pieces = _pieces(x.shape[0], windows, width * x.itemsize)
    share = -(-len(pieces) // 8)  # eight sums, whatever the number of cores
    totals = parallel.mapped(multiply, [pieces[i : i + share] for i in range(0, len(pieces), share)])
    return sum(totals[1:], totals[0]).reshape(shape)


def _product_gradient(dy: Any, w: Any, windows: Windows, shape: Shape) -> Any:
    shape = (*shape[:-1], w.shape[-2])
    flipped = _flipped(windows)
    if flipped is not None and w.shape[-1] <= 2 * w.shape[-2]:
        turned = np.flip(w, tuple(range(w.ndim - 2))).swapaxes(-1, -2)
        return _product(dy, turned, flipped)
    return _scattered(np.ascontiguousarray(dy), w, windows, shape)


def _flipped(windows: Windows) -> Windows | None:
    """The windows over dy whose convolution with the flipped filter is dx; None where the strides leave gaps."""
    axes = []
    for a in windows.axes:
        span = extent(a.window, a.dilation)
        before = span - 1 - a.before
        after = a.size + span - 1 - a.count - before
        if a.stride != 1 or before < 0 or after < 0:
            return None
        axes.append(Axis(a.count, a.window, 1, a.dilation, before, after, a.size))
    return Windows(axes)


def _scattered(dy: Any, w: Any, windows: Windows, shape: Shape) -> Any:
    """Each window's share of dx, added where the window lies."""
    if not dy.size:
        return np.zeros(shape, dy.dtype)
    window, channels = w.shape[:-2], w.shape[-2]
    back = np.ascontiguousarray(w.reshape(-1, w.shape[-1]).T)
    dx = np.empty(shape, dy.dtype)
    of_image = prod(windows.counts) * back.shape[1] * dy.itemsize

    def scatter(images: slice) -> None:
        part = dy[images]
        total = np.zeros(windows.padded_shape((len(part), *shape[1:])), dy.dtype)
        rows = part.reshape(-1, part.shape[-1])
        if channels < _MANY_CHANNELS:
            shares = np.matmul(rows, back).reshape(len(part), *windows.counts, *window, channels)
            for offset in windows.offsets():
                windows.added(np, total, offset, shares[(..., *offset, slice(None))])
        else:
            for k, offset in enumerate(windows.offsets()):
                share = np.matmul(rows, back[:, k * channels : (k + 1) * channels])
                windows.added(np, total, offset, share.reshape(len(part), *windows.counts, channels))
        dx[images] = windows.cropped(total)

    parallel.mapped(scatter, parallel.slices(dy.shape[0], of_image))
    return dx


# -- by a library, or otherwise ----------------------------------------------------------------


def convolved_or(xp: Any, form: Form, x: Any, w: Any, windows: Windows) -> Any:
    """y of ``x`` and ``w`` by one of the libraries; by ``form`` if they have nothing for arrays like these."""

    def of_jaxlib() -> Form | None:
        return partial(onednn.call, windows=windows) if onednn.takes(windows, x, w) else None

    return _by_library(xp, onednn_convolutions.forward_problem(x, w, windows), form, x, w, of_jaxlib)


def input_gradient_or(xp: Any, form: Form, dy: Any, w: Any, windows: Windows, shape: Shape) -> Any:
    """dx, of ``shape``, of ``dy`` and ``w`` by one of the libraries, or by ``form``."""
    problem = onednn_convolutions.input_problem(dy, w, windows, shape)
    return _by_library(xp, problem, form, dy, w, lambda: _by_convolutions(dy, w, windows, shape))


def filter_gradient_or(xp: Any, form: Form, x: Any, dy: Any, windows: Windows, shape: Shape) -> Any:
    """dw, of ``shape``, of ``x`` and ``dy`` by the library, or by ``form``."""
    return _by_library(xp, onednn_convolutions.filter_problem(x, dy, windows, shape), form, x, dy, lambda: None)


def _by_library(
    xp: Any, problem: Problem | None, form: Form, a: Any, b: Any, of_jaxlib: Callable[[], Form | None]
) -> Any:
    if xp is np:
        done = onednn_arrays.convolved(problem, a, b)
        return form(a, b) if done is None else done
    ours = onednn_forms.convolution_form(problem)
    if ours is None and (problem is None or not onednn_forms.is_small(problem)):
        ours = of_jaxlib()
    return form(a, b) if ours is None else on_cpu(ours, form, a, b)


# -- XLA ---------------------------------------------------------------------------------------


def _xla(x: Any, w: Any, windows: Windows) -> Any:
    from retrograd.ops.jax_start import lax

    return lax.conv_general_dilated(
        x, w, [a.stride for a in windows.axes], [(a.before, a.after) for a in windows.axes],
        rhs_dilation=[a.dilation for a in windows.axes], dimension_numbers=_channels_last(windows),
        feature_group_count=x.shape[-1] // w.shape[-2],
    )  # fmt: skip


def _channels_last(windows: Windows) -> tuple[str, str, str]:
    sides = "DHW"[3 - len(windows.axes) :]
    return f"N{sides}C", f"{sides}IO", f"N{sides}C"


def _xla_input_gradient(dy: Any, w: Any, windows: Windows, shape: Shape) -> Any:
    from retrograd.ops.jax_start import jax

    def transposed(dy: Any, w: Any) -> Any:
        (dx,) = jax.linear_transpose(lambda x: _xla(x, w, windows), jax.ShapeDtypeStruct(shape, dy.dtype))(dy)
        return dx

    if shape[-1] != w.shape[-2]:
        return transposed(dy, w)
    return on_cpu(partial(_with_turned_filter, windows=windows), transposed, dy, w)


def _with_turned_filter(dy: Any, w: Any, windows: Windows) -> Any:
    """dx with the filter turned over before: within a loop a CPU convolves with others element by element."""
    from retrograd.ops.jax_start import jnp, lax

    axes = windows.axes
    turned = unsimplified(jnp.flip(w, range(len(axes))).swapaxes(-1, -2))
    edges = [
        (extent(a.window, a.dilation) - 1 - a.before, a.size + a.before - 1 - (a.count - 1) * a.stride) for a in axes
    ]
    return lax.conv_general_dilated(
        dy, turned, [1] * len(axes), edges, lhs_dilation=[a.stride for a in axes],
        rhs_dilation=[a.dilation for a in axes], dimension_numbers=_channels_last(windows),
    )  # fmt: skip


def _xla_filter_gradient(x: Any, dy: Any, windows: Windows, shape: Shape) -> Any:
    from retrograd.ops.jax_start import jax

    (dw,) = jax.linear_transpose(lambda w: _xla(x, w, windows), jax.ShapeDtypeStruct(shape, dy.dtype))(dy)
    return dw


# -- dx by convolutions ------------------------------------------------------------------------


@dataclass(frozen=True)
class Phase:
    """The elements of dx at ``place``, every stride-th: a convolution of dy with the elements ``taps`` of windows."""

    place: tuple[slice, ...]
    taps: tuple[slice, ...]
    windows: Windows


def _phases(windows: Windows) -> list[Phase] | None:
    """The convolutions that dx consists of; None where a stride meets a dilation.

    Phases that no window sees are left out.
    """
    if any(a.stride > 1 and a.dilation > 1 for a in windows.axes):
        return None
    phases = []
    for corner in itertools.product(*(range(min(a.stride, a.size)) for a in windows.axes)):
        taps, axes = [], []
        for a, r in zip(windows.axes, corner, strict=True):
            first = (r + a.before) % a.stride
            window = len(range(first, a.window, a.stride))
            count = len(range(r, a.size, a.stride))
            span = extent(window, a.dilation)
            before = span - 1 - (r + a.before) // a.stride
            taps.append(slice(first, None, a.stride))
            axes.append(Axis(a.count, window, 1, a.dilation, before, count - a.count + span - 1 - before, count))
        if all(a.window for a in axes):
            place = tuple(slice(r, None, a.stride) for a, r in zip(windows.axes, corner, strict=True))
            phases.append(Phase(place, tuple(taps), Windows(axes)))
    return phases


def _by_convolutions(dy: Any, w: Any, windows: Windows, shape: Shape) -> Callable[[Any, Any], Any] | None:
    """The function from dy and w to dx, with one convolution of jaxlib's oneDNN for each phase."""
    phases = _phases(windows)
    if phases is None or not all(onednn.takes(p.windows, dy, w) for p in phases):
        return None

    def dx(dy: Any, w: Any) -> Any:
        from retrograd.ops.jax_start import jnp

        parts = {}
        for phase in phases:
            filters = jnp.flip(w[phase.taps], range(len(phase.taps)))
            turned = _turned(jnp, filters, shape[-1] // w.shape[-2])
            parts[tuple(p.start for p in phase.place)] = onednn.call(dy, turned, phase.windows, is_turned=True)
        strides = [a.stride for a in windows.axes]
        return parts[(0,) * len(strides)] if max(strides) == 1 else interleaved(jnp, parts, strides, shape, dy.dtype)

    return dx


def _turned(xp: Any, w: Any, groups: int) -> Any:
    """The filter with the channels of each group of filters in the place of the image's channels, and these last."""
    if groups == 1:
        return w
    *window, channels, filters = w.shape
    w = w.reshape(*window, channels, groups, filters // groups)
    return xp.moveaxis(w, -3, -2).reshape(*window, groups * channels, filters // groups)
