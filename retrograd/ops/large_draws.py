"""Draws of many numbers that no plan compiles: by XLA, once NumPy has taken as long as XLA takes to begin.

Only draws come here whose every bit is the same from both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from retrograd.ops.philox import philox_at, wide

BLOCKS = 1 << 17  # of one computation
_FEW = BLOCKS // 4  # that NumPy draws sooner than XLA does a whole computation
_TO_BEGIN = 0.6  # seconds that XLA takes to begin

_begin: Callable[[], None] | None = None
_spent = 0.0  # seconds that the draws of this process take NumPy, about


def allow(begin: Callable[[], None]) -> None:
    """Let XLA draw, which ``begin`` sets up."""
    global _begin
    _begin = begin


def is_worth(n_blocks: int, seconds: float) -> bool:
    """Whether XLA is to draw ``n_blocks``, each of which takes NumPy so many ``seconds``: the clock has no say."""
    global _spent
    if _begin is None or n_blocks < BLOCKS // 2:
        return False
    _spent += n_blocks * seconds
    return _spent > _TO_BEGIN


def drawn(draw: Callable[[Any, Any], Any], key: Any, counter: Any, offsets: Any) -> Any:
    """What ``draw`` makes of the blocks at ``counter + offsets`` (uint64, shape (n,) with n at most ``BLOCKS``)."""
    if len(offsets) < _FEW:
        return draw(np, philox_at(np, key, counter, offsets))
    padded = np.zeros(BLOCKS, np.uint64)
    padded[: len(offsets)] = offsets
    return np.asarray(_computation(draw)(key, counter, padded))[: len(offsets)]


@cache
def _computation(draw: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    assert _begin is not None
    _begin()
    from retrograd.ops.jax_start import jax, jnp

    cpu = jax.local_devices(backend="cpu")[0]
    computed = jax.jit(lambda key, counter, offsets: draw(jnp, philox_at(jnp, key, counter, offsets)))

    def on_cpu(*arrays: Any) -> Any:
        with wide(jnp), jax.default_device(cpu):
            return computed(*arrays)

    return on_cpu
