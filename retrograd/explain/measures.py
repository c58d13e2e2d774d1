"""What is told of an array instead of its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Measure:
    """Of an array, or of the arrays that a tensor was in the iterations of a loop."""

    shape: tuple[int, ...]
    size: int
    norm: float  # the root of the sum of squares; so are the others, of finite elements
    low: float
    high: float
    zeros: int
    nans: int
    infs: int
    series: tuple[float, ...]  # the norm in each iteration; of one array alone, nothing

    @property
    def rms(self) -> float:
        """The size of a typical element."""
        return self.norm / max(self.size, 1) ** 0.5

    @property
    def is_finite(self) -> bool:
        return not self.nans and not self.infs

    @property
    def is_zero(self) -> bool:
        """Whether there are elements, and each is 0."""
        return 0 < self.size == self.zeros


def measured(values: Sequence[Any]) -> Measure | None:
    """The measure of ``values`` together; None if they are no arrays of floating point numbers."""
    arrays = [np.asarray(v) for v in values if isinstance(v, np.ndarray | np.generic)]
    if not arrays or len(arrays) < len(values) or not all(is_smooth(a) for a in arrays):
        return None
    norms, low, high, zeros, nans, infs = [], np.inf, -np.inf, 0, 0, 0
    for array in arrays:
        finite = _of_real_numbers(array)
        zeros += array.size - int(np.count_nonzero(array))
        if not np.isfinite(finite).all():
            nans += int(np.isnan(finite).sum())
            infs += int(np.isinf(finite).sum())
            finite = finite[np.isfinite(finite)]
        if finite.size:
            low, high = min(low, float(finite.min())), max(high, float(finite.max()))
        largest = float(np.abs(finite).max()) if finite.size else 0.0
        scale = largest if 0 < largest < np.inf else 1.0  # squares of the smallest numbers would be 0
        norms.append(scale * float(np.sqrt(np.square(finite.astype(np.float64) / scale).sum())))
    return Measure(
        arrays[0].shape, sum(a.size for a in arrays), float(np.hypot.reduce(norms)) if len(norms) > 1 else norms[0],
        low, high, zeros, nans, infs, tuple(norms) if len(norms) > 1 else (),
    )  # fmt: skip


def is_smooth(array: Any) -> bool:
    """Whether an array holds floating point numbers."""
    return array.dtype.kind in "fc" or array.dtype.name == "bfloat16"


def _of_real_numbers(array: Any) -> Any:
    if array.dtype.kind == "c":
        return np.abs(array)
    return array.astype(np.float32) if array.dtype.itemsize < 4 else array


def number(x: float) -> str:
    """A few digits of ``x``."""
    if x == 0 or not np.isfinite(x):
        return f"{x:.3g}"
    if 1e-3 <= abs(x) < 1e4:
        return f"{x:.0f}" if abs(x) >= 100 else f"{x:.2g}"
    return f"{x:.0e}".replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")


def share(part: int, whole: int) -> str:
    """``part`` of ``whole`` in percent, without rounding to all or nothing."""
    percent = 100 * part / max(whole, 1)
    if part in (0, whole):
        return f"{percent:.0f}%"
    return f"{min(max(percent, 0.1), 99.9):.{1 if percent < 1 or percent > 99 else 0}f}%"
