"""Forms of kernels that a library on this machine computes, and where XLA's own take their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_is_pure = ContextVar("is_pure", default=False)


@contextmanager
def of_xla_alone() -> Iterator[None]:
    """What is traced in the block calls no library: it can be differentiated, and computed elsewhere."""
    token = _is_pure.set(True)
    try:
        yield
    finally:
        _is_pure.reset(token)


def on_cpu(function: Callable[..., Any], reference: Callable[..., Any], *arrays: Any) -> Any:
    """``function`` of traced arrays where the computation is for a CPU.

    Elsewhere, under ``vmap``, and ``of_xla_alone`` it is the reference.
    """
    from retrograd.ops.jax_start import jax

    if _is_pure.get():
        return reference(*arrays)

    @jax.custom_batching.custom_vmap
    def call(*arrays: Any) -> Any:
        return jax.lax.platform_dependent(*arrays, cpu=function, default=reference)

    @call.def_vmap
    def mapped(size: int, are_mapped: Any, *arrays: Any) -> Any:
        return jax.vmap(reference, [0 if m else None for m in are_mapped], axis_size=size)(*arrays), True

    return call(*arrays)
