"""Convolutions of NumPy's arrays, and their gradients, by oneDNN."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.ops import onednn_library
from retrograd.ops.onednn_library import ALIGNMENT, Argument, Calls, Dims, Handle, Library, Problem
from retrograd.ops.windows import Windows

_LEAST = 1 << 22  # multiplications: with fewer NumPy is done before the library's threads have woken
_MOST_KEPT = 256  # problems


def convolution(x: Any, w: Any, windows: Windows) -> Any:
    """y of x and w; None where NumPy is as fast, or the library has no form for such arrays."""
    return _done(onednn_library.convolution(x, w, windows), x, w)


def input_gradient(dy: Any, w: Any, windows: Windows, shape: Dims) -> Any:
    """dx, of ``shape``, of dy and w."""
    return _done(onednn_library.input_gradient(dy, w, windows, shape), dy, w)


def filter_gradient(x: Any, dy: Any, windows: Windows, shape: Dims) -> Any:
    """dw, of ``shape``, of x and dy."""
    return _done(onednn_library.filter_gradient(x, dy, windows, shape), x, dy)


def _done(problem: Problem | None, a: Any, b: Any) -> Any:
    if problem is None or problem.multiplications < _LEAST:
        return None
    dnnl = onednn_library.library()
    if dnnl is None or os.getpid() != dnnl.process:
        return None
    try:
        calls = _calls(dnnl, problem)
    except NotImplementedError:
        return None
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    result = np.empty(problem.result, np.float32)
    memory = np.empty(calls.scratch, np.uint8)
    places = {
        ("argument", 0): a.ctypes.data,
        ("argument", 1): b.ctypes.data,
        ("result", 0): result.ctypes.data,
        ("result", 1): -(-memory.ctypes.data // ALIGNMENT) * ALIGNMENT,
    }
    for primitive, arguments in calls.calls:
        _execute(dnnl, primitive, arguments, places)
    return result


_calls = lru_cache(maxsize=_MOST_KEPT)(Calls)


class _Argument(ctypes.Structure):
    """dnnl_exec_arg_t."""

    _fields_ = (("which", ctypes.c_int), ("memory", ctypes.c_void_p))


def _execute(
    dnnl: Library, primitive: Handle, arguments: Sequence[Argument], places: dict[tuple[str, int], int]
) -> None:
    """Run a primitive: memory objects are made for the call, so that calls may run at once."""
    table = (_Argument * len(arguments))()
    made = []
    try:
        for entry, (which, layout, buffer, offset) in zip(table, arguments, strict=True):
            memory = Handle()
            place = Handle(places[buffer] + offset)
            dnnl.check(dnnl.held.dnnl_memory_create(ctypes.byref(memory), layout, dnnl.engine, place))
            made.append(memory)
            entry.which, entry.memory = which, memory.value
        dnnl.check(dnnl.dnnl.dnnl_primitive_execute(primitive, dnnl.stream, len(arguments), table))
    finally:
        for memory in made:
            dnnl.held.dnnl_memory_destroy(memory)
