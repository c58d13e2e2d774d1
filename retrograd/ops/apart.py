"""Arrays that XLA computes by themselves.

XLA computes an array again within the kernel of whatever reads it.  Where its reader goes through it by other
coordinates, it divides for each element to find the place, and works on no vectors: a max pooling takes six times as
long where it is flattened.  A function that does nothing, of which XLA knows nothing, stands in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from retrograd.ops.forms import on_cpu
from retrograd.ops.machine_code import Code, capsule, runs_here

_NAME = "retrograd_apart"


def apart(x: Any) -> Any:
    """``x``, an array that is traced, computed before what reads the result."""
    return on_cpu(_passed, lambda x: x, x) if _is_registered() else x


def behind(x: Any, others: Sequence[Any]) -> Any:
    """``x``, an array that is traced; what reads the result is computed when ``others`` are, too."""
    return on_cpu(_passed, lambda x, *others: x, x, *others) if _is_registered() else x


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
