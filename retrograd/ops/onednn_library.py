"""Convolutions and their gradients by the oneDNN of the package ``onednn-cpu-gomp``.

    y[n, o, b] = sum over k and a of x[n, o * stride + k * dilation - before, a] * w[k, a, b]

XLA calls a function of a few machine instructions, made for each shape, that hands its buffers to the library:
it takes no lock of Python's, so other threads of the program do not delay a step.  Without the package, or on
another processor or system, jaxlib's oneDNN takes its place, or XLA's own form.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib import metadata
from math import prod
from typing import Any

import numpy as np

from retrograd.ops.machine_code import RCX, RDI, RDX, RSI, Code, capsule, runs_here
from retrograd.ops.windows import Windows

_PACKAGE = "onednn-cpu-gomp"
_CPU, _IN_ORDER, _USER_SCRATCHPAD, _FORWARD, _DIRECT, _FLOAT32, _ANY = 1, 1, 1, 64, 1, 3, 1
_SRC, _DST, _WEIGHTS, _SCRATCHPAD, _DIFF_SRC, _DIFF_DST, _DIFF_WEIGHTS = 1, 17, 33, 80, 129, 145, 161  # arguments
_WEIGHTS_MD, _DIFF_WEIGHTS_MD, _SCRATCHPAD_MD = 131, 132, 136  # what to ask a primitive for

# Fewer multiplications are done by XLA before the library's threads have woken.
_LEAST = {"convolution": 1 << 24, "input_gradient": 1 << 22, "filter_gradient": 1 << 18}

_Handle = ctypes.c_void_p


# -- the library -------------------------------------------------------------------------------


class _Library:
    """oneDNN's C interface, with an engine and a stream on the CPU."""

    def __init__(self, path: str) -> None:
        self.dnnl = ctypes.CDLL(path)
        self.dnnl.dnnl_primitive_desc_query_md.restype = ctypes.c_void_p
        self.dnnl.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        self.engine = self.made("dnnl_engine_create", _CPU, ctypes.c_size_t(0))
        self.stream = self.made("dnnl_stream_create", self.engine, _IN_ORDER)
        self.attr = self.made("dnnl_primitive_attr_create")
        self.check(self.dnnl.dnnl_primitive_attr_set_scratchpad_mode(self.attr, _USER_SCRATCHPAD))

    def made(self, function: str, *args: Any) -> _Handle:
        """The object that a function of the library makes."""
        result = _Handle()
        self.check(getattr(self.dnnl, function)(ctypes.byref(result), *args))
        return result

    def check(self, status: int) -> None:
        """Raise what a status other than success means."""
        if status:
            raise NotImplementedError(f"oneDNN answers {status}")

    def layout(self, dims: Sequence[int], strides: Sequence[int] | None) -> _Handle:
        """Where the elements of an array stand; without strides, where the library would have them."""
        if strides is None:
            return self.made("dnnl_memory_desc_create_with_tag", len(dims), _numbers(dims), _FLOAT32, _ANY)
        args = (len(dims), _numbers(dims), _FLOAT32, _numbers(strides))
        return self.made("dnnl_memory_desc_create_with_strides", *args)

    def of(self, primitive: _Handle, what: int) -> _Handle:
        """A layout that a primitive has chosen."""
        return _Handle(self.dnnl.dnnl_primitive_desc_query_md(primitive, what, 0))

    def size(self, layout: _Handle) -> int:
        """How many bytes an array takes."""
        return int(self.dnnl.dnnl_memory_desc_get_size(layout))

    def address(self, function: str) -> int:
        """Where a function of the library stands."""
        return ctypes.cast(getattr(self.dnnl, function), ctypes.c_void_p).value or 0


def _numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * len(values))(*values)


@cache
def library() -> _Library | None:
    """The library where it is installed, and this is a system that the calls below are written for."""
    if not runs_here():
        return None
    # Its threads would spin for milliseconds after each call, on the cores that XLA's threads need.
    given = os.environ.get("GOMP_SPINCOUNT")
    if given is None and "OMP_WAIT_POLICY" not in os.environ:
        os.environ["GOMP_SPINCOUNT"] = "0"
    try:
        files = metadata.distribution(_PACKAGE).files or []
        path = next(f.locate() for f in files if f.name == "libdnnl.so.3")
        return _Library(os.fspath(path))
    except (metadata.PackageNotFoundError, StopIteration, OSError, AttributeError, NotImplementedError):
        return None
    finally:
        if given is None:
            os.environ.pop("GOMP_SPINCOUNT", None)


# -- calls -------------------------------------------------------------------------------------

_Argument = tuple[int, _Handle, tuple[str, int, int]]  # which one, its layout, (kind, index, offset) of its buffer


def _execute(code: Code, dnnl: _Library, primitive: _Handle, arguments: Sequence[_Argument]) -> None:
    """Let ``code`` run a primitive: memory objects are made for the call, so that calls may run at once."""
    table = code.reserve(16 * len(arguments))  # dnnl_exec_arg_t: an int, and a memory object 8 bytes behind it
    for i, (which, layout, place) in enumerate(arguments):
        code.put(table + 16 * i, which)
        code.point(RDI, table + 16 * i + 8)
        code.load(RSI, layout.value or 0)
        code.load(RDX, dnnl.engine.value or 0)
        code.buffer(*place)
        code.call(dnnl.address("dnnl_memory_create"))
    code.load(RDI, primitive.value or 0)
    code.load(RSI, dnnl.stream.value or 0)
    code.load(RDX, len(arguments))
    code.point(RCX, table)
    code.call(dnnl.address("dnnl_primitive_execute"))
    for i in range(len(arguments)):
        code.take(table + 16 * i + 8)
        code.call(dnnl.address("dnnl_memory_destroy"))


# -- convolution and its gradients -------------------------------------------------------------

_Form = Callable[[Any, Any], Any]
_Dims = tuple[int, ...]


def convolution_form(x: Any, w: Any, windows: Windows) -> _Form | None:
    """The function from x and w to y; None where the library has none for such arrays."""
    return _form("convolution", x, w, windows, (x.shape, w.shape, (x.shape[0], *windows.counts, w.shape[-1])))


def input_gradient_form(dy: Any, w: Any, windows: Windows, shape: _Dims) -> _Form | None:
    """The function from dy and w to dx, of ``shape``."""
    return _form("input_gradient", dy, w, windows, (shape, w.shape, dy.shape))


def filter_gradient_form(x: Any, dy: Any, windows: Windows, shape: _Dims) -> _Form | None:
    """The function from x and dy to dw, of ``shape``."""
    return _form("filter_gradient", x, dy, windows, (x.shape, shape, dy.shape))


def _form(kind: str, a: Any, b: Any, windows: Windows, shapes: tuple[_Dims, _Dims, _Dims]) -> _Form | None:
    x, w, y = shapes
    geometry = tuple((a.window, a.stride, a.dilation, a.before, a.after) for a in windows.axes)
    is_taken = len(windows.axes) in (2, 3) and a.dtype == b.dtype == np.float32
    if not is_taken or 0 in (*x, *w, *y) or any(n < 0 for axis in geometry for n in axis):
        return None
    if is_small(kind, x, w, y):
        return None
    try:
        target = _registered(kind, shapes, geometry)
    except (NotImplementedError, OSError, ValueError):
        return None
    if target is None:
        return None
    name, scratch = target
    result = {"convolution": y, "input_gradient": x, "filter_gradient": w}[kind]

    def form(a: Any, b: Any) -> Any:
        from retrograd.ops.jax_start import jax

        results = [jax.ShapeDtypeStruct(result, np.float32), jax.ShapeDtypeStruct((scratch,), np.uint8)]
        return jax.ffi.ffi_call(name, results)(a, b)[0]

    return form


def is_small(kind: str, x: _Dims, w: _Dims, y: _Dims) -> bool:
    """Whether XLA is faster than a library; where there are groups it never is."""
    return w[-2] == x[-1] and prod(w) * prod(y[:-1]) < _LEAST[kind]


@cache
def _registered(
    kind: str, shapes: tuple[_Dims, _Dims, _Dims], geometry: tuple[tuple[int, ...], ...]
) -> tuple[str, int] | None:
    """The name under which XLA finds the code for these shapes, and how many bytes of scratch memory it needs.

    The name follows from the shapes, so a computation that was kept on disk finds the code of this process.
    """
    from retrograd.ops.jax_start import IS_TESTED, jax

    dnnl = library()
    if dnnl is None or not IS_TESTED:
        return None
    code, scratch = _compiled(dnnl, kind, shapes, geometry)
    name = f"retrograd_{kind}_" + hashlib.sha256(repr((shapes, geometry, scratch)).encode()).hexdigest()[:16]
    jax.ffi.register_ffi_target(name, capsule(code), platform="cpu")
    return name, scratch


def _compiled(
    dnnl: _Library, kind: str, shapes: tuple[_Dims, _Dims, _Dims], geometry: tuple[tuple[int, ...], ...]
) -> tuple[bytes, int]:
    """The code, and its need of scratch memory: for the filter as the library lays it out, and to work in."""
    x, w, y = shapes
    images, slopes = (dnnl.layout(*_channels_second(s)) for s in (x, y))
    dims, strides = _filters_first(w, x[-1] // w[-2])
    plain, any_layout = dnnl.layout(dims, strides), dnnl.layout(dims, None)
    columns = list(zip(*geometry, strict=True))  # windows, strides, dilations, paddings before and after
    steps = [_numbers(columns[1]), _numbers([d - 1 for d in columns[2]]), *map(_numbers, columns[3:])]
    primitive = dnnl.made(
        "dnnl_convolution_forward_primitive_desc_create", dnnl.engine, _FORWARD, _DIRECT, images, any_layout, _Handle(),
        slopes, *steps, dnnl.attr,
    )  # fmt: skip
    if kind == "input_gradient":
        primitive = dnnl.made(
            "dnnl_convolution_backward_data_primitive_desc_create", dnnl.engine, _DIRECT, images, any_layout, slopes,
            *steps, primitive, dnnl.attr,
        )  # fmt: skip
    elif kind == "filter_gradient":
        primitive = dnnl.made(
            "dnnl_convolution_backward_weights_primitive_desc_create", dnnl.engine, _DIRECT, images, any_layout,
            _Handle(), slopes, *steps, primitive, dnnl.attr,
        )  # fmt: skip
    chosen = dnnl.of(primitive, _DIFF_WEIGHTS_MD if kind == "filter_gradient" else _WEIGHTS_MD)
    ends = (chosen, plain) if kind == "filter_gradient" else (plain, chosen)
    order = dnnl.made("dnnl_reorder_primitive_desc_create", ends[0], dnnl.engine, ends[1], dnnl.engine, dnnl.attr)
    work, order_work = (dnnl.of(p, _SCRATCHPAD_MD) for p in (primitive, order))
    first = -(-dnnl.size(chosen) // 64) * 64
    second = first + -(-dnnl.size(work) // 64) * 64
    a, b, result = ("argument", 0, 0), ("argument", 1, 0), ("result", 0, 0)
    ordered, scratch = ("result", 1, 0), (_SCRATCHPAD, work, ("result", 1, first))
    runs: dict[str, list[_Argument]] = {
        "convolution": [(_SRC, images, a), (_WEIGHTS, chosen, ordered), (_DST, slopes, result), scratch],
        "input_gradient": [(_DIFF_DST, slopes, a), (_WEIGHTS, chosen, ordered), (_DIFF_SRC, images, result), scratch],
        "filter_gradient": [(_SRC, images, a), (_DIFF_DST, slopes, b), (_DIFF_WEIGHTS, chosen, ordered), scratch],
    }
    calls: list[tuple[_Handle, list[_Argument]]] = [(primitive, runs[kind])]
    order_scratch: _Argument = (_SCRATCHPAD, order_work, ("result", 1, second))
    if kind == "filter_gradient":
        calls.append((order, [(_SRC, chosen, ordered), (_DST, plain, result), order_scratch]))
    else:
        calls.insert(0, (order, [(_SRC, plain, b), (_DST, chosen, ordered), order_scratch]))
    code = Code()
    for called, arguments in calls:
        _execute(code, dnnl, dnnl.made("dnnl_primitive_create", called), arguments)
    return code.assembled(), second + dnnl.size(order_work) + 64


def _channels_second(shape: _Dims) -> tuple[list[int], list[int]]:
    """Dims and strides of channels-last images as oneDNN counts: batch, channels, sides."""
    batch, *sides, channels = shape
    strides = [channels * prod(sides[i + 1 :]) for i in range(len(sides))]
    return [batch, channels, *sides], [channels * prod(sides), 1, *strides]


def _filters_first(shape: _Dims, groups: int) -> tuple[list[int], list[int]]:
    """Dims and strides of a filter as oneDNN counts: groups if there are several, filters, channels, window."""
    *window, channels, filters = shape
    sides = [filters * channels * prod(window[i + 1 :]) for i in range(len(window))]
    if groups == 1:
        return [filters, channels, *window], [1, filters, *sides]
    each = filters // groups
    return [groups, each, channels, *window], [each, 1, filters, *sides]
