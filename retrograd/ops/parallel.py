"""Array work in pieces: each small enough for a core's cache, several at a time.

The pieces depend on the sizes alone, never on the number of cores, so that results repeat.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

import numpy as np

from retrograd.ops import blas, sharing

Piece = TypeVar("Piece")
Result = TypeVar("Result")

CACHED = 1 << 19  # bytes of one piece


@cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix="retrograd")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


def mapped(function: Callable[[Piece], Result], pieces: Iterable[Piece]) -> list[Result]:
    """``function`` of each piece, in order; the calls may run at once, each on one core.

    That pays for products; between steps that are shorter, threads would wait for each other more than they work.
    """
    pieces = list(pieces)
    blas.use_one_thread()
    if min(len(pieces), blas.workers()) < 2 or not sharing.is_shared():
        return [function(piece) for piece in pieces]
    return list(_pool(blas.workers()).map(lambda piece: _quietly(function, piece), pieces))


def _quietly(function: Callable[[Piece], Result], piece: Piece) -> Result:
    with np.errstate(all="ignore"):  # a thread has its own
        return function(piece)


def slices(count: int, bytes_of_one: Any) -> list[slice]:
    """``count`` rows in pieces of a size that stays in a core's cache."""
    step = max(1, CACHED // max(int(bytes_of_one), 1))
    return [slice(i, min(i + step, count)) for i in range(0, count, step)]
