"""NumPy's arrays worked on by oneDNN: convolutions, batch normalization, the gradient of max pooling.

Each function gives None where NumPy is as fast, or the library is not there or has no form for such arrays.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.ops import onednn_library, sharing
from retrograd.ops.onednn_convolutions import ConvolutionCalls, Problem
from retrograd.ops.onednn_layers import MaxGradient, Normalization, NormalizationGradient
from retrograd.ops.onednn_library import ALIGNMENT, Argument, Calls, Dims, Handle, Library
from retrograd.ops.windows import Windows

# With fewer NumPy is done before the library's threads have woken.
_LEAST_MULTIPLICATIONS = 1 << 22
# Threads that do a piece of work together wait for each other in loops: where the cores are busy, up to ten times as
# long as one takes.
_WORTH_SHARING = 1 << 25  # multiplications: a fifth of a millisecond on one core
_MANY_ELEMENTS = 1 << 20  # the same of what goes through an array once or twice
_LEAST_ELEMENTS = 1 << 15
_MOST_KEPT = 256  # of each kind


def convolved(problem: Problem | None, a: Any, b: Any) -> Any:
    """The convolution of ``a`` and ``b``, or the gradient, that ``problem`` is."""
    if problem is None or problem.multiplications < _LEAST_MULTIPLICATIONS:
        return None
    is_large = problem.multiplications >= _WORTH_SHARING
    results = _done(_convolutions, (problem,), [a, b], [problem.result], is_large)
    return results and results[0]


def normalized(x: Any, scale: Any, offset: Any, statistics: Sequence[Any], epsilon: float) -> list[Any] | None:
    """The channels-last images ``x`` normalized, with the mean and the variance: those of ``statistics``, if any."""
    if not _has_fours(x):
        return None
    channels = [x.shape[-1:]] * (0 if statistics else 2)
    found = _done(
        _normalizations, (x.shape, epsilon, bool(statistics)), [x, scale, offset, *statistics], [x.shape, *channels]
    )
    return found and [*found, *statistics]


def normalization_gradients(
    dy: Any, x: Any, scale: Any, mean: Any, variance: Any, epsilon: float, is_training: bool
) -> list[Any] | None:
    """dx, dscale and doffset; in training the mean and the variance depend on x."""
    if not _has_fours(x):
        return None
    given = (x.shape, epsilon, not is_training)
    return _done(_normalization_gradients, given, [dy, x, scale, mean, variance], [x.shape, scale.shape, scale.shape])


def max_gradient(x: Any, dy: Any, windows: Windows) -> Any:
    """dx of max pooling of the channels-last images ``x``."""
    geometry = tuple((a.window, a.stride, a.before, a.after) for a in windows.axes)
    if len(geometry) not in (2, 3) or not _is_worth(x) or any(a.dilation != 1 for a in windows.axes):
        return None
    if not np.isfinite(np.vdot(x, x)):  # nan is passed over
        return None
    results = _done(_max_gradients, (x.shape, dy.shape, geometry), [x, dy], [x.shape])
    return results and results[0]


def _is_worth(x: Any) -> bool:
    return x.dtype == np.float32 and x.size >= _LEAST_ELEMENTS


def _has_fours(x: Any) -> bool:
    """Whether the library normalizes several channels at once: other numbers of them it takes one by one."""
    return _is_worth(x) and x.shape[-1] % 4 == 0


# -- calls -------------------------------------------------------------------------------------


def _kept(kind: type[Calls]) -> Callable[..., Calls]:
    """What makes calls of a kind, and keeps them: by the threads that they are for, too."""

    @lru_cache(maxsize=_MOST_KEPT)
    def made(is_shared: bool, *given: Any) -> Calls:
        return kind(*given)

    return made


_convolutions = _kept(ConvolutionCalls)
_normalizations = _kept(Normalization)
_normalization_gradients = _kept(NormalizationGradient)
_max_gradients = _kept(MaxGradient)


def _done(
    made: Callable[..., Calls],
    given: tuple[Any, ...],
    arrays: Sequence[Any],
    shapes: Sequence[Dims],
    is_large: bool | None = None,
) -> list[Any] | None:
    """The results, of these shapes, of the calls that are made for what is given."""
    dnnl = onednn_library.library()
    if dnnl is None or os.getpid() != dnnl.process:
        return None
    is_large = arrays[0].size >= _MANY_ELEMENTS if is_large is None else is_large
    with nullcontext() if is_large else dnnl.one_thread():
        try:
            calls = made(is_large and sharing.is_shared(), dnnl, *given)
        except NotImplementedError:
            return None
        arrays = [np.ascontiguousarray(a, np.float32) for a in arrays]
        results = [np.empty(shape, np.float32) for shape in shapes]
        memory = np.empty(calls.scratch, np.uint8)
        places = {("argument", i): a.ctypes.data for i, a in enumerate(arrays)}
        places |= {("result", i): a.ctypes.data for i, a in enumerate(results)}
        places[calls.memory] = -(-memory.ctypes.data // ALIGNMENT) * ALIGNMENT
        for primitive, arguments in calls.calls:
            _execute(dnnl, primitive, arguments, places)
        return results


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
