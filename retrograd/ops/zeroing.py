"""Variables that begin with zeros, and are not to begin twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds


def _begin(cell: Any, value: np.ndarray) -> Any:
    if cell.is_initialized:
        raise errors.InvalidArgumentError(None, None, "input is already initialized")
    cell.write(value)
    return cell


ZERO_INITIALIZER = define(
    "ZeroInitializer", "ref: ref T", "output_ref: ref T", types={"T": kinds.REAL}, shape=lambda ref: ref.dims,
    kernel=lambda xp, ref, *, T: _begin(ref, np.zeros(_sizes(ref.shape_now), T.as_numpy_dtype)),
    effect=Effect.WRITE, gradient=not_differentiable,
)  # fmt: skip


def _sizes(dims: Any) -> tuple[int, ...]:
    """The sizes of a variable; one of a shape that nobody knows is a number."""
    return tuple(n or 0 for n in dims or ())


def _zero_resource(xp: Any, cell: Any, *, shape: Any, dtype: DType) -> Any:
    return _begin(cell, np.zeros(_sizes(shape), dtype.as_numpy_dtype))


ZERO_VAR_INITIALIZER = define(
    "ZeroVarInitializer", "var: resource", "output_var: resource", attrs={"dtype": REQUIRED, "shape": REQUIRED},
    shape=lambda var, **attrs: (), kernel=_zero_resource, effect=Effect.WRITE, gradient=not_differentiable,
)  # fmt: skip


def zero_initializer(ref: Any, use_locking: bool = True, name: str = "zero_initializer") -> Tensor:
    """A variable that becomes zeros, all of it; at run time ``InvalidArgumentError`` if it has a value already.

    Raises:
      TypeError: ``ref`` is no variable, or not of numbers.
    """
    handle = getattr(ref, "handle", None)
    if handle is None:
        return apply(ZERO_INITIALIZER, ref, name=name)
    return apply(ZERO_VAR_INITIALIZER, handle, dtype=ref.dtype, shape=ref.shape, name=name)
