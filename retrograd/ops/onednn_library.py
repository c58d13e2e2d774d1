"""The oneDNN of the package ``onednn-cpu-gomp``, and what it does for a convolution or one of its gradients.

y[n, o, b] = sum over k and a of x[n, o * stride + k * dilation - before, a] * w[k, a, b]
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from importlib import metadata
from itertools import starmap
from math import prod
from typing import Any, NamedTuple

import numpy as np

from retrograd.ops.machine_code import runs_here
from retrograd.ops.windows import Windows

_PACKAGE = "onednn-cpu-gomp"
_CPU, _IN_ORDER, _USER_SCRATCHPAD, _FORWARD, _DIRECT, _FLOAT32, _ANY = 1, 1, 1, 64, 1, 3, 1
_SRC, _DST, _WEIGHTS, _SCRATCHPAD, _DIFF_SRC, _DIFF_DST, _DIFF_WEIGHTS = 1, 17, 33, 80, 129, 145, 161  # arguments
_WEIGHTS_MD, _DIFF_WEIGHTS_MD, _SCRATCHPAD_MD = 131, 132, 136  # what to ask a primitive for
ALIGNMENT = 64  # bytes

Handle = ctypes.c_void_p
Dims = tuple[int, ...]


# -- the library -------------------------------------------------------------------------------


class Library:
    """oneDNN's C interface, with an engine and a stream on the CPU."""

    def __init__(self, path: str) -> None:
        self.dnnl = ctypes.CDLL(path)
        self.process = os.getpid()  # one that is forked from it lacks the library's threads, and would wait for them
        self.held = ctypes.PyDLL(path)  # for calls that are too short to let other threads of Python run
        self.dnnl.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self.dnnl.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self.engine = self.made("dnnl_engine_create", _CPU, ctypes.c_size_t(0))
        self.stream = self.made("dnnl_stream_create", self.engine, _IN_ORDER)
        self.attr = self.made("dnnl_primitive_attr_create")
        self.check(self.dnnl.dnnl_primitive_attr_set_scratchpad_mode(self.attr, _USER_SCRATCHPAD))

    def made(self, function: str, *args: Any) -> Handle:
        """The object that a function of the library makes."""
        result = Handle()
        self.check(getattr(self.dnnl, function)(ctypes.byref(result), *args))
        return result

    def check(self, status: int) -> None:
        """Raise what a status other than success means."""
        if status:
            raise NotImplementedError(f"oneDNN answers {status}")

    def of(self, primitive: Handle, what: int) -> Handle:
        """A layout that a primitive has chosen."""
        return Handle(self.dnnl.dnnl_primitive_desc_query_md(primitive, what, 0))

    def size(self, layout: Handle) -> int:
        """How many bytes an array takes."""
        return int(self.dnnl.dnnl_memory_desc_get_size(layout))

    def address(self, function: str) -> int:
        """Where a function of the library stands."""
        return ctypes.cast(getattr(self.dnnl, function), ctypes.c_void_p).value or 0


@cache
def library() -> Library | None:
    """The library where it is installed, and this is a system that the calls below are written for."""
    if not runs_here():
        return None
    # Its threads would spin for milliseconds after each call, on the cores that other threads need; and where they may
    # be fewer than it has asked for, it waits for the others for ever.
    settings = {"OMP_DYNAMIC": "false"}
    if not os.environ.keys() & {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}:
        settings["GOMP_SPINCOUNT"] = "0"
    given = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        files = metadata.distribution(_PACKAGE).files or []
        path = next(f.locate() for f in files if f.name == "libdnnl.so.3")
        return Library(os.fspath(path))
    except (metadata.PackageNotFoundError, StopIteration, OSError, AttributeError, NotImplementedError):
        return None
    finally:
        for name, value in given.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


# -- convolution and its gradients -------------------------------------------------------------


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
        return prod(self.w) * prod(self.y[:-1])

    @property
    def has_groups(self) -> bool:
        """Whether a filter sees a part of the channels."""
        return self.w[-2] != self.x[-1]


def convolution(x: Any, w: Any, windows: Windows) -> Problem | None:
    """y of x and w; None where the library has no form for such arrays."""
    return _problem("convolution", x, w, windows, (x.shape, w.shape, (x.shape[0], *windows.counts, w.shape[-1])))


def input_gradient(dy: Any, w: Any, windows: Windows, shape: Dims) -> Problem | None:
    """dx, of ``shape``, of dy and w."""
    return _problem("input_gradient", dy, w, windows, (shape, w.shape, dy.shape))


def filter_gradient(x: Any, dy: Any, windows: Windows, shape: Dims) -> Problem | None:
    """dw, of ``shape``, of x and dy."""
    return _problem("filter_gradient", x, dy, windows, (x.shape, shape, dy.shape))


def _problem(kind: str, a: Any, b: Any, windows: Windows, shapes: tuple[Dims, Dims, Dims]) -> Problem | None:
    geometry = tuple((a.window, a.stride, a.dilation, a.before, a.after) for a in windows.axes)
    if len(windows.axes) not in (2, 3) or not a.dtype == b.dtype == np.float32:
        return None
    if any(0 in shape for shape in shapes) or any(n < 0 for axis in geometry for n in axis):
        return None
    return Problem(kind, *shapes, geometry)


class Argument(NamedTuple):
    """An array that a primitive reads or writes."""

    which: int
    layout: Handle
    buffer: tuple[str, int]  # ("argument" or "result", its index): the second result is memory to work in
    offset: int = 0


class Calls:
    """What the library does for a problem: primitives with their arguments, and how much memory they work in."""

    def __init__(self, dnnl: Library, problem: Problem) -> None:
        """Raises NotImplementedError where the library has no form for it."""
        self._dnnl = dnnl
        self._made: list[tuple[str, Handle]] = []
        self.calls: list[tuple[Handle, list[Argument]]] = []
        kind, x, w, y, geometry = problem
        images, slopes = (self._layout(*_channels_second(s)) for s in (x, y))
        dims, strides = _filters_first(w, x[-1] // w[-2])
        plain, any_layout = self._layout(dims, strides), self._layout(dims, None)
        columns = list(zip(*geometry, strict=True))  # windows, strides, dilations, paddings before and after
        steps = [_numbers(columns[1]), _numbers([d - 1 for d in columns[2]]), *map(_numbers, columns[3:])]
        form = self._form(
            "dnnl_convolution_forward_primitive_desc_create", dnnl.engine, _FORWARD, _DIRECT, images, any_layout,
            Handle(), slopes, *steps, dnnl.attr,
        )  # fmt: skip
        if kind == "input_gradient":
            form = self._form(
                "dnnl_convolution_backward_data_primitive_desc_create", dnnl.engine, _DIRECT, images, any_layout,
                slopes, *steps, form, dnnl.attr,
            )  # fmt: skip
        elif kind == "filter_gradient":
            form = self._form(
                "dnnl_convolution_backward_weights_primitive_desc_create", dnnl.engine, _DIRECT, images, any_layout,
                Handle(), slopes, *steps, form, dnnl.attr,
            )  # fmt: skip
        chosen = dnnl.of(form, _DIFF_WEIGHTS_MD if kind == "filter_gradient" else _WEIGHTS_MD)
        ends = (chosen, plain) if kind == "filter_gradient" else (plain, chosen)
        order = self._form("dnnl_reorder_primitive_desc_create", ends[0], dnnl.engine, ends[1], dnnl.engine, dnnl.attr)
        work, order_work = (dnnl.of(p, _SCRATCHPAD_MD) for p in (form, order))
        first = _aligned(dnnl.size(chosen))
        second = first + _aligned(dnnl.size(work))
        self.scratch = second + dnnl.size(order_work) + ALIGNMENT
        a, b, result, memory = ("argument", 0), ("argument", 1), ("result", 0), ("result", 1)
        runs = {
            "convolution": [(_SRC, images, a), (_WEIGHTS, chosen, memory), (_DST, slopes, result)],
            "input_gradient": [(_DIFF_DST, slopes, a), (_WEIGHTS, chosen, memory), (_DIFF_SRC, images, result)],
            "filter_gradient": [(_SRC, images, a), (_DIFF_DST, slopes, b), (_DIFF_WEIGHTS, chosen, memory)],
        }
        main = (form, [*starmap(Argument, runs[kind]), Argument(_SCRATCHPAD, work, memory, first)])
        source, target = (memory, result) if kind == "filter_gradient" else (b, memory)
        ordering = (
            order,
            [
                Argument(_SRC, ends[0], source),
                Argument(_DST, ends[1], target),
                Argument(_SCRATCHPAD, order_work, memory, second),
            ],
        )
        for form, arguments in (main, ordering) if kind == "filter_gradient" else (ordering, main):
            self.calls.append((self._kept("primitive", dnnl.made("dnnl_primitive_create", form)), arguments))

    def _layout(self, dims: Sequence[int], strides: Sequence[int] | None) -> Handle:
        """Where the elements of an array stand; without strides, where the library would have them."""
        how: tuple[Any, ...] = ("strides", _numbers(strides)) if strides is not None else ("tag", _ANY)
        made = self._dnnl.made(f"dnnl_memory_desc_create_with_{how[0]}", len(dims), _numbers(dims), _FLOAT32, how[1])
        return self._kept("memory_desc", made)

    def _form(self, function: str, *args: Any) -> Handle:
        return self._kept("primitive_desc", self._dnnl.made(function, *args))

    def _kept(self, what: str, made: Handle) -> Handle:
        self._made.append((f"dnnl_{what}_destroy", made))
        return made

    def __del__(self) -> None:
        for function, made in reversed(self._made):
            getattr(self._dnnl.dnnl, function)(made)


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


def _channels_second(shape: Dims) -> tuple[list[int], list[int]]:
    """Dims and strides of channels-last images as oneDNN counts: batch, channels, sides."""
    batch, *sides, channels = shape
    strides = [channels * prod(sides[i + 1 :]) for i in range(len(sides))]
    return [batch, channels, *sides], [channels * prod(sides), 1, *strides]


def _filters_first(shape: Dims, groups: int) -> tuple[list[int], list[int]]:
    """Dims and strides of a filter as oneDNN counts: groups if there are several, filters, channels, window."""
    *window, channels, filters = shape
    sides = [filters * channels * prod(window[i + 1 :]) for i in range(len(window))]
    if groups == 1:
        return [filters, channels, *window], [1, filters, *sides]
    each = filters // groups
    return [groups, each, channels, *window], [each, 1, filters, *sides]
