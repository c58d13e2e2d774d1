"""Complex conjugates, which most gradients of products need."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules

CONJ = define(
    "Conj", "input: T", "output: T", attrs={"T": dtypes.complex64}, types={"T": (*kinds.COMPLEX,
    dtypes.variant)},
    shape=shape_rules.same, kernel=lambda xp, x: xp.conj(x), gradient=lambda op, dy: [conj(dy)],
)  # fmt: skip


def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugate; real tensors are returned as they are.

    Raises:
      TypeError: ``x`` is not numeric.
    """
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with name_scope(name, "Conj", [x]) as name:
        x = as_tensor(x, name="x")
        if x.dtype.is_complex or x.dtype is dtypes.variant:
            return apply(CONJ, x, name=name)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")
