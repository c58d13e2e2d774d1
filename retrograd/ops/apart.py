"""Arrays that XLA computes by themselves.

XLA computes an array again within the kernel of whatever reads it.  Where its reader goes through it by other
coordinates, it divides for each element to find the place, and works on no vectors: a max pooling takes six times as
long where it is flattened.  A function that does nothing, of which XLA knows nothing, stands in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

from retrograd.ops.forms import on_cpu
from retrograd.ops.machine_code import Code, capsule, registered, runs_here

_NAME = "retrograd_apart"


def apart(x: Any) -> Any:
    """``x``, an array that is traced, computed before what reads the result."""
    return on_cpu(_passed, lambda x: x, x) if _is_registered() else x


def behind(x: Any, others: Sequence[Any]) -> Any:
    """``x``, an array that is traced; what reads the result is computed when ``others`` are, too."""
    return on_cpu(_passed, lambda x, *others: x, x, *others) if _is_registered() else x


def copied(buffer: Any, parts: Sequence[tuple[int, tuple[int, ...]]]) -> list[Any]:
    """Copies of parts of a vector: where each begins, and its shape; XLA would call a kernel for each."""

    def in_one_call(buffer: Any) -> list[Any]:
        kinds = [jax.ShapeDtypeStruct(dims, buffer.dtype) for _, dims in parts]
        return [*jax.ffi.ffi_call(_copying(tuple(parts), buffer.dtype.itemsize), kinds)(buffer)]

    def one_by_one(buffer: Any) -> list[Any]:
        return [buffer[begin : begin + prod(dims)].reshape(dims) for begin, dims in parts]

    if not _is_registered():
        return one_by_one(buffer)
    from retrograd.ops.jax_start import jax

    return on_cpu(in_one_call, one_by_one, buffer)


@cache
def _copying(parts: tuple[tuple[int, tuple[int, ...]], ...], size: int) -> str:
    """The name of a function that copies parts of a vector of numbers of ``size`` bytes."""
    code = Code()
    for i, (begin, dims) in enumerate(parts):
        code.copy(i, 0, begin * size, prod(dims) * size)
    return registered("copy", (parts, size), code)


def unsimplified(x: Any) -> Any:
    """``x``, past which XLA simplifies nothing; it may still compute it within what reads the result."""
    from retrograd.ops.jax_start import lax

    return lax.optimization_barrier(x)  # type: ignore[no-untyped-call]


def _passed(x: Any, *others: Any) -> Any:
    from retrograd.ops.jax_start import jax

    return jax.ffi.ffi_call(_NAME, jax.ShapeDtypeStruct(x.shape, x.dtype), input_output_aliases={0: 0})(x, *others)


@cache
def _is_registered() -> bool:
    from retrograd.ops.jax_start import IS_TESTED, jax

    if not (IS_TESTED and runs_here()):
        return False
    jax.ffi.register_ffi_target(_NAME, capsule(Code().assembled()), platform="cpu")
    return True
