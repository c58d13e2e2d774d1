"""What values must be for an op to go on, where they are traced and so not known yet.

A kernel on NumPy arrays raises at once.  A traced one calls ``require`` with a condition on traced values;
whoever traces collects the conditions with ``required`` and has them computed with the results.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Collecting(threading.local):
    def __init__(self) -> None:
        self.lists: list[list[Any]] = []


_collecting = _Collecting()


def require(holds: Any) -> None:
    """Note that all of ``holds``, a traced array, must be true; nobody looks where nobody collects."""
    if _collecting.lists:
        _collecting.lists[-1].append(holds)


def is_asked() -> bool:
    """Whether somebody collects what is required."""
    return bool(_collecting.lists)


@contextmanager
def required() -> Iterator[list[Any]]:
    """Collect what kernels that are traced in the block require.

    Values that are traced inside of a loop's or a branch's body cannot leave it: its conditions are
    collected there, and one that says whether all of them hold is handed out with its results.
    """
    conditions: list[Any] = []
    _collecting.lists.append(conditions)
    try:
        yield conditions
    finally:
        _collecting.lists.pop()


def all_hold(conditions: list[Any]) -> Any:
    """Whether all elements of all ``conditions`` are true: a traced scalar."""
    from retrograd.ops.jax_start import jnp

    result = jnp.bool_(True)
    for condition in conditions:
        result = result & jnp.all(condition)
    return result
