"""Writing at an index, in either tier: NumPy arrays are copied, JAX arrays updated functionally."""

from __future__ import annotations

from typing import Any

import numpy as np


def set_at(xp: Any, x: Any, index: Any, value: Any) -> Any:
    """A copy of ``x`` with ``x[index] = value``."""
    if xp is not np:
        return x.at[index].set(value)
    result = np.array(x)
    result[index] = value
    return result


def add_at(xp: Any, x: Any, index: Any, value: Any) -> Any:
    """A copy of ``x`` with ``value`` added at ``index``; places named twice get both terms."""
    if xp is not np:
        return x.at[index].add(value)
    result = np.array(x)
    np.add.at(result, index, value)
    return result


def zeros(xp: Any, shape: tuple[int, ...], like: Any) -> Any:
    """Zeros, or empty strings, of the dtype of the array ``like``."""
    dtype = like.dtype
    return np.full(shape, b"", object) if dtype.kind == "O" else xp.zeros(shape, dtype)
