"""Triangular factors of any square matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.dtypes import complex64, complex128, float16, float32, float64, int32
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds
from retrograd.ops.solving import square_matrices


def _factored(x: Tensor) -> list[RawShape]:
    dims = square_matrices(x)
    return [dims, None if dims is None else dims[:-1]]


def _lu(xp: Any, x: Any, *, output_idx_type: Any) -> list[Any]:
    """x[p] = l u: l below the diagonal, where its ones are left out, u on it and above; largest pivot first."""
    if x.shape[-1] != x.shape[-2]:
        raise errors.InvalidArgumentError(None, None, "Input matrix must be square.")
    if xp is not np:
        from retrograd.ops.jax_start import lax

        both, _, rows = lax.linalg.lu(x)
        return [both, rows.astype(output_idx_type.np)]
    n = x.shape[-1]
    factors: Any = np.array(x).reshape(np.prod(x.shape[:-2], dtype=int), n, n)
    order: Any = np.tile(np.arange(n), (len(factors), 1))
    each = np.arange(len(factors))
    for i in range(n):
        best = i + np.argmax(np.abs(factors[:, i:, i]), axis=1)
        for a in (factors, order):
            a[each, i], a[each, best] = a[each, best], a[each, i].copy()
        if np.any(factors[:, i, i] == 0):
            raise errors.InvalidArgumentError(None, None, "Input is not invertible.")
        factors[:, i + 1 :, i] /= factors[:, i, i, None]
        factors[:, i + 1 :, i + 1 :] -= factors[:, i + 1 :, i, None] * factors[:, i, None, i + 1 :]
    return [factors.reshape(x.shape), order.reshape(x.shape[:-1]).astype(output_idx_type.np)]


LU = define(
    "Lu", "input: T", "lu: T, p: output_idx_type", attrs={"output_idx_type": int32},
    types={"T": (float64, float32, float16, complex64, complex128), "output_idx_type": kinds.INDEX},
    ranks={"input": "2+: Input tensor must have rank >= 2, got {rank}"},
    shape=_factored, kernel=_lu,
)  # fmt: skip


class Lu(NamedTuple):
    """Both factors in one matrix, and the order of its rows."""

    lu: Tensor
    p: Tensor


def lu(input: Any, output_idx_type: Any = int32, name: str | None = None) -> Lu:
    """``x[p] = l u`` for each matrix, l lower triangular with a diagonal of ones, u upper triangular.

    Raises (in the run):
      InvalidArgumentError: a matrix is not invertible.
    """
    return Lu(*apply(LU, input, output_idx_type=output_idx_type, name=name))
