"""Convolutions and their gradients by oneDNN, in what XLA compiles for a CPU.

XLA calls a function of a few machine instructions, made for each shape, that hands its buffers to the library:
it takes no lock of Python's, so other threads of the program do not delay a step.  Without the package, or on
another processor or system, jaxlib's oneDNN takes its place, or XLA's own form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from retrograd.ops import onednn_library
from retrograd.ops.machine_code import RCX, RDI, RDX, RSI, Code, capsule
from retrograd.ops.onednn_convolutions import ConvolutionCalls, Problem
from retrograd.ops.onednn_library import Argument, Calls, Handle, Library

# Fewer multiplications are done by XLA before the library's threads have woken.
_LEAST = {"convolution": 1 << 24, "input_gradient": 1 << 22, "filter_gradient": 1 << 18}

Form = Callable[[Any, Any], Any]


def is_small(problem: Problem) -> bool:
    """Whether XLA is faster than a library; where there are groups it never is."""
    return not problem.has_groups and problem.multiplications < _LEAST[problem.kind]


def convolution_form(problem: Problem | None) -> Form | None:
    """The function of two traced arrays whose work ``problem`` is; None where the library has none."""
    if problem is None or is_small(problem):
        return None
    try:
        target = _registered(problem)
    except (NotImplementedError, OSError, ValueError):
        return None
    if target is None:
        return None
    name, scratch = target
    result = problem.result

    def form(a: Any, b: Any) -> Any:
        from retrograd.ops.jax_start import jax

        results = [jax.ShapeDtypeStruct(result, np.float32), jax.ShapeDtypeStruct((scratch,), np.uint8)]
        return jax.ffi.ffi_call(name, results)(a, b)[0]

    return form


_called: list[Calls] = []  # by code that XLA may run as long as the process lives


@cache
def _registered(problem: Problem) -> tuple[str, int] | None:
    """The name under which XLA finds the code for a problem, and how many bytes of scratch memory it needs.

    The name follows from the shapes, so a computation that was kept on disk finds the code of this process.
    """
    from retrograd.ops.jax_start import IS_TESTED, jax

    dnnl = onednn_library.library()
    if dnnl is None or not IS_TESTED:
        return None
    calls = ConvolutionCalls(dnnl, problem)
    _called.append(calls)
    code = Code()
    for primitive, arguments in calls.calls:
        _execute(code, dnnl, primitive, arguments)
    kind, *shapes, geometry = problem
    text = repr((tuple(shapes), geometry, calls.scratch))
    name = f"retrograd_{kind}_" + hashlib.sha256(text.encode()).hexdigest()[:16]
    jax.ffi.register_ffi_target(name, capsule(code.assembled()), platform="cpu")
    return name, calls.scratch


def _execute(code: Code, dnnl: Library, primitive: Handle, arguments: Sequence[Argument]) -> None:
    """Let ``code`` run a primitive: memory objects are made for the call, so that calls may run at once."""
    table = code.reserve(16 * len(arguments))  # dnnl_exec_arg_t: an int, and a memory object 8 bytes behind it
    for i, argument in enumerate(arguments):
        code.put(table + 16 * i, argument.which)
        code.point(RDI, table + 16 * i + 8)
        code.load(RSI, argument.layout.value or 0)
        code.load(RDX, dnnl.engine.value or 0)
        code.buffer(*argument.buffer, argument.offset)
        code.call(dnnl.address("dnnl_memory_create"))
    code.load(RDI, primitive.value or 0)
    code.load(RSI, dnnl.stream.value or 0)
    code.load(RDX, len(arguments))
    code.point(RCX, table)
    code.call(dnnl.address("dnnl_primitive_execute"))
    for i in range(len(arguments)):
        code.take(table + 16 * i + 8)
        code.call(dnnl.address("dnnl_memory_destroy"))
