"""One of two arrays at each place, in either tier."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.ops import parallel

_MANY = 1 << 12  # elements
_WHOLE = {4: np.int32, 8: np.int64}  # numbers by their bytes


def chosen(xp: Any, condition: Any, x: Any, y: Any) -> Any:
    """``x`` where the condition holds, else ``y``.

    NumPy asks for one element after the other, which takes long where the answers follow no pattern.  Arrays of many
    numbers are put together from their bits instead.
    """
    if xp is not np or not _is_by_bits(condition, x, y):
        return xp.where(condition, x, y)
    kind = _WHOLE[x.dtype.itemsize]
    result = np.empty(condition.shape, x.dtype)
    bits, mask = result.view(kind).reshape(-1), condition.view(np.int8).reshape(-1)
    first, second = (v.view(kind).reshape(-1) for v in (x, y))

    for part in parallel.slices(bits.size, 4 * bits.itemsize):
        ones, left = np.negative(mask[part], dtype=kind), first if first.size == 1 else first[part]
        right, into = second if second.size == 1 else second[part], bits[part]
        np.bitwise_xor(left, right, out=into)
        np.bitwise_and(into, ones, out=into)
        np.bitwise_xor(into, right, out=into)
    return result


def _is_by_bits(condition: Any, x: Any, y: Any) -> bool:
    if not isinstance(condition, np.ndarray) or condition.dtype != np.bool_ or condition.size < _MANY:
        return False
    if not all(isinstance(v, np.ndarray | np.generic) for v in (x, y)) or x.dtype != y.dtype:
        return False
    if x.dtype.itemsize not in _WHOLE or x.dtype.kind not in "fiu" or condition.shape not in (x.shape, y.shape):
        return False
    return condition.flags.c_contiguous and all(
        v.size == 1 or (v.shape == condition.shape and v.flags.c_contiguous) for v in (x, y)
    )
