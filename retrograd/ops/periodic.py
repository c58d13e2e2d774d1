"""``PeriodicResample``: an axis spread over the others, as in the pixel shuffles of Shi et al. (2016)."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds
from retrograd.ops.placing import add_at


def _invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, f"periodic_resample {text}")


def _target(given: tuple[int, ...], shape: Any) -> tuple[list[int], int]:
    """The shape of the result, and which axis becomes what is left: the one without a size."""
    wanted = [-1 if n is None else n for n in TensorShape(shape).as_list()]
    if len(wanted) != len(given):
        raise _invalid(
            f"expects the rank of the input tensor, {len(given)}, to be the same as the length of the desired shape, "
            f"{len(wanted)}."
        )
    free = [i for i, n in enumerate(wanted) if n < 1]
    if len(free) != 1:
        count = "only" if free else "at least"
        raise _invalid(f"expects {count} one index to be marked as adjustable.")
    for i, (n, old) in enumerate(zip(wanted, given, strict=True)):
        if i != free[0] and n < old:
            raise _invalid(
                "expects the size of non-adjustable dimensions be at least as large as size of input tensor. "
                f"Dimension {i} input tensor has size {old}, desired shape has size {n}."
            )
    others = int(np.prod([n for i, n in enumerate(wanted) if i != free[0]], dtype=np.int64))
    wanted[free[0]] = int(np.prod(given, dtype=np.int64)) // others
    if wanted[free[0]] < 1:
        raise _invalid(f"found that the adjustable dimension, {free[0]}, isn't greater than zero, {wanted[free[0]]}.")
    return wanted, free[0]


def _sources(given: tuple[int, ...], shape: Any) -> tuple[list[int], Any]:
    """(shape of the result, for each of its elements the place of its source): h_i = s_i // g_i, and on the free axis
    q the place S_q * sum(G_i * (s_i mod g_i)) + s_q, with g = ceil(S / T) and G_i the product of all g before it."""
    target, q = _target(given, shape)
    g = [-(-new // old) for new, old in zip(target, given, strict=True)]
    s = np.indices(target, sparse=True)
    carried: Any = 0
    for i in range(len(g)):
        if i != q:
            carried = carried + int(np.prod(g[:i], dtype=np.int64)) * (s[i] % g[i])
    places = [carried * target[q] + s[q] if i == q else s[i] // g[i] for i in range(len(g))]
    if any(place.max() >= old for place, old in zip(places, given, strict=True)):
        raise _invalid(f"takes elements from outside of {given} for {target}: sizes that are no multiples.")
    return target, np.ravel_multi_index(np.broadcast_arrays(*places), given).ravel()


def _resampled_shape(values: Tensor, *, shape: Any) -> RawShape:
    if values.dims is None or None in values.dims:
        dims = TensorShape(shape).as_list()
        return tuple(None if n is None or n < 1 else n for n in dims)
    wanted = TensorShape(shape).as_list()
    if len(wanted) != len(values.dims):
        return None
    return tuple(_target(tuple(values.dims), shape)[0])  # type: ignore[arg-type]


def _resample(xp: Any, values: Any, *, shape: Any) -> Any:
    target, places = _sources(values.shape, shape)
    return values.reshape(-1)[places].reshape(target)


def _resample_gradient(op: Any, dy: Any) -> Any:
    original, desired = op.inputs[0].shape, op.attrs["shape"]
    if not original.is_fully_defined():
        raise ValueError(f"The gradient of {op.name} needs the whole shape of its input, got {original}")
    return apply(GRADIENT, dy, original_shape=original, desired_shape=desired)


PERIODIC = define(
    "PeriodicResample", "values: T", "output: T", attrs={"shape": REQUIRED}, types={"T": kinds.NUMERIC},
    shape=_resampled_shape, kernel=_resample, gradient=_resample_gradient,
)  # fmt: skip


def _gathered(xp: Any, grad: Any, *, original_shape: Any, desired_shape: Any) -> Any:
    """Each element adds up what came of it."""
    original = tuple(n or 0 for n in TensorShape(original_shape).as_list())
    _, places = _sources(original, desired_shape)
    flat = xp.zeros(int(np.prod(original, dtype=np.int64)), grad.dtype)
    return add_at(xp, flat, places, grad.reshape(-1)).reshape(original)


GRADIENT = define(
    "PeriodicResampleOpGrad", "grad: T", "grad_values: T",
    attrs={"original_shape": REQUIRED, "desired_shape": REQUIRED}, types={"T": kinds.NUMERIC},
    shape=lambda grad, *, original_shape, desired_shape: tuple(TensorShape(original_shape).as_list()),
    kernel=_gathered, gradient=lambda op, dy: apply(PERIODIC, dy, shape=op.attrs["desired_shape"]),
)  # fmt: skip


def periodic_resample(values: Any, shape: Any, name: str | None = None) -> Tensor:
    """``values`` in ``shape``: where other axes are longer than before, they take from the one without a size.

    Args:
      shape: as many sizes as ``values`` has axes, one of them None, the others no smaller than before.

    Raises:
      InvalidArgumentError: the sizes are others.

    >>> periodic_resample([[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [6, None]).shape
    TensorShape([Dimension(6), Dimension(2)])
    """
    return apply(PERIODIC, as_tensor(values, name="values"), shape=TensorShape(shape), name=name)
