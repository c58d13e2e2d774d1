"""Calls of oneDNN as functions that XLA calls.

XLA calls a function of a few machine instructions, made for each shape, that hands its buffers to the library:
it takes no lock of Python's, so other threads of the program do not delay a step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.ops import machine_code
from retrograd.ops.machine_code import RCX, RDI, RDX, RSI, Code
from retrograd.ops.onednn_library import Argument, Calls, Dims, Handle, Library


class Target(NamedTuple):
    """A function that XLA knows by name, and how many bytes it works in, for each of its parts."""

    name: str
    scratch: tuple[int, ...]

    def __call__(self, results: Sequence[Dims | int], *arguments: Any) -> list[Any]:
        """The results: float32 of a shape each, or so many bytes."""
        from retrograd.ops.jax_start import jax

        kinds = [
            jax.ShapeDtypeStruct((r,), np.uint8) if isinstance(r, int) else jax.ShapeDtypeStruct(r, np.float32)
            for r in (*results, *self.scratch)
        ]
        return list(jax.ffi.ffi_call(self.name, kinds)(*arguments)[: len(results)])


_called: list[Calls] = []  # by code that XLA may run as long as the process lives


def registered(kind: str, problem: tuple[Any, ...], *parts: Calls) -> Target:
    """``parts``, which threads share, as a function that XLA can call.

    The name follows from the problem, so a computation that was kept on disk finds the code of this process.

    Raises:
      NotImplementedError: JAX is another than the one that it is tested with.
    """
    from retrograd.ops.jax_start import IS_TESTED

    if not IS_TESTED:
        raise NotImplementedError

    _called.extend(parts)
    pieces = [_code(part) for part in parts]
    code = pieces[0]
    if len(pieces) > 1:
        code = Code()
        code.share(pieces, parts[0].dnnl.address("GOMP_parallel"))
    scratch = tuple([part.scratch for part in parts])
    return Target(machine_code.registered(kind, (problem, scratch), code), scratch)


def _code(calls: Calls) -> Code:
    code = Code()
    for primitive, arguments in calls.calls:
        _execute(code, calls.dnnl, primitive, arguments)
    return code


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
