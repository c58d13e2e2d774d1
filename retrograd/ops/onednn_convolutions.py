"""What oneDNN does for a convolution or one of its gradients.

y[n, o, b] = sum over k and a of x[n, o * stride + k * dilation - before, a] * w[k, a, b]
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np

from retrograd.ops.onednn_library import (
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FORWARD,
    SRC,
    WEIGHTS,
    Argument,
    Calls,
    Dims,
    Handle,
    Library,
    channels_second,
    numbers,
)
from retrograd.ops.windows import Windows

_DIRECT = 1
_WEIGHTS_MD, _DIFF_WEIGHTS_MD = 131, 132  # what to ask a primitive for


class Problem(NamedTuple):
    """A convolution or one of its gradients: which, the shapes of x, w and y, and of each axis of the windows the
    size, stride, dilation, and what is padded before and after."""

    kind: str  # "convolution" of x and w, "input_gradient" of dy and w, "filter_gradient" of x and dy
    x: Dims
    w: Dims
    y: Dims
    geometry: tuple[tuple[int, ...], ...]

    @property
    def result(self) -> Dims:
        """The shape of what is asked for."""
        return {"convolution": self.y, "input_gradient": self.x, "filter_gradient": self.w}[self.kind]

    @property
    def multiplications(self) -> int:
        """How many it takes."""
        return prod(self.w) * self.places

    @property
    def places(self) -> int:
        """Where windows stand, in all images."""
        return prod(self.y[:-1])

    @property
    def has_groups(self) -> bool:
        """Whether a filter sees a part of the channels."""
        return self.w[-2] != self.x[-1]


def forward_problem(x: Any, w: Any, windows: Windows) -> Problem | None:
    """y of x and w; None where the library has no form for such arrays."""
    return _problem("convolution", x, w, windows, (x.shape, w.shape, (x.shape[0], *windows.counts, w.shape[-1])))


def input_problem(dy: Any, w: Any, windows: Windows, shape: Dims) -> Problem | None:
    """dx, of ``shape``, of dy and w."""
    return _problem("input_gradient", dy, w, windows, (shape, w.shape, dy.shape))


def filter_problem(x: Any, dy: Any, windows: Windows, shape: Dims) -> Problem | None:
    """dw, of ``shape``, of x and dy."""
    return _problem("filter_gradient", x, dy, windows, (x.shape, shape, dy.shape))


def _problem(kind: str, a: Any, b: Any, windows: Windows, shapes: tuple[Dims, Dims, Dims]) -> Problem | None:
    geometry = tuple((a.window, a.stride, a.dilation, a.before, a.after) for a in windows.axes)
    if len(windows.axes) not in (2, 3) or not a.dtype == b.dtype == np.float32:
        return None
    if any(0 in shape for shape in shapes) or any(n < 0 for axis in geometry for n in axis):
        return None
    return Problem(kind, *shapes, geometry)


class ConvolutionCalls(Calls):
    """The calls that a problem takes."""

    def __init__(self, dnnl: Library, problem: Problem) -> None:
        """Raises NotImplementedError where the library has no form for it."""
        super().__init__(dnnl)
        kind, x, w, y, geometry = problem
        images, slopes = (self.layout(*channels_second(s)) for s in (x, y))
        dims, strides = _filters_first(w, x[-1] // w[-2])
        plain, any_layout = self.layout(dims, strides), self.layout(dims, None)
        columns = list(zip(*geometry, strict=True))  # windows, strides, dilations, paddings before and after
        steps = [numbers(columns[1]), numbers([d - 1 for d in columns[2]]), *map(numbers, columns[3:])]
        form = self.form(
            "dnnl_convolution_forward_primitive_desc_create", dnnl.engine, FORWARD, _DIRECT, images, any_layout,
            Handle(), slopes, *steps, dnnl.attr,
        )  # fmt: skip
        if kind == "input_gradient":
            form = self.form(
                "dnnl_convolution_backward_data_primitive_desc_create", dnnl.engine, _DIRECT, images, any_layout,
                slopes, *steps, form, dnnl.attr,
            )  # fmt: skip
        elif kind == "filter_gradient":
            form = self.form(
                "dnnl_convolution_backward_weights_primitive_desc_create", dnnl.engine, _DIRECT, images, any_layout,
                Handle(), slopes, *steps, form, dnnl.attr,
            )  # fmt: skip
        chosen = dnnl.of(form, _DIFF_WEIGHTS_MD if kind == "filter_gradient" else _WEIGHTS_MD)
        place = self.reserve(chosen)
        a, b, result = ("argument", 0), ("argument", 1), ("result", 0)
        if kind == "filter_gradient":
            made = Argument(DIFF_WEIGHTS, chosen, self.memory, place)
            self.add(form, Argument(SRC, images, a), Argument(DIFF_DST, slopes, b), made)
            self.reorder(made, Argument(DST, plain, result))
            return
        ordered = Argument(WEIGHTS, chosen, self.memory, place)
        self.reorder(Argument(SRC, plain, b), ordered)
        if kind == "input_gradient":
            self.add(form, Argument(DIFF_DST, slopes, a), Argument(DIFF_SRC, images, result), ordered)
        else:
            self.add(form, Argument(SRC, images, a), Argument(DST, slopes, result), ordered)


def _filters_first(shape: Dims, groups: int) -> tuple[list[int], list[int]]:
    """Dims and strides of a filter as oneDNN counts: groups if there are several, filters, channels, window."""
    *window, channels, filters = shape
    sides = [filters * channels * prod(window[i + 1 :]) for i in range(len(window))]
    if groups == 1:
        return [filters, channels, *window], [1, filters, *sides]
    each = filters // groups
    return [groups, each, channels, *window], [each, 1, filters, *sides]
