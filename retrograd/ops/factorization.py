"""Ops of weighted matrix factorization: the normal equations of rows of a sparse matrix, and products at some places.

Source: Hu, Koren and Volinsky, "Collaborative filtering for implicit feedback datasets", 2008; messages: TensorFlow
1.15.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.tensor import Tensor


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidArgumentError(None, None, message)


def _normal_equations(
    xp: Any,
    memory: Any,
    factors: Any,
    factor_weights: Any,
    unobserved_weights: Any,
    input_weights: Any,
    input_indices: Any,
    input_values: Any,
    entry_weights: Any,
    input_block_size: Any,
    input_is_transpose: Any,
) -> list[Any]:
    """A_m = sum w_mn f_n f_n^T and b_m = sum v_mn (w_0 + w_mn) f_n over the entries v_mn of row m; w_mn = r_m c_n."""
    _require(np.ndim(factors) == 2, "Input factors should be a matrix.")
    _require(np.ndim(factor_weights) == 1, "Input factor_weights should be a vector.")
    _require(np.ndim(unobserved_weights) == 0, "Input unobserved_weights should be a scalar.")
    _require(np.ndim(input_weights) == 1, "Input input_weights should be a vector.")
    _require(np.ndim(input_indices) == 2, "Input input_indices should be a matrix.")
    _require(np.shape(input_indices)[1] == 2, "Input input_indices should have shape (?, 2).")
    _require(np.ndim(input_values) == 1, "Input input_values should be a vector")
    _require(np.ndim(entry_weights) == 1, "Input entry_weights should be a vector")
    _require(
        len(input_indices) == len(input_values),
        "Input input_values' length should match the first dimension of Input input_indices ",
    )
    _require(np.ndim(input_block_size) == 0, "Input input_block_size should be a scalar.")
    _require(np.ndim(input_is_transpose) == 0, "Input input_is_transpose should be a scalar.")
    by_place = len(input_weights) > 0 and len(factor_weights) == len(factors) and not len(entry_weights)
    by_entry = not len(input_weights) and not len(factor_weights) and len(entry_weights) == len(input_indices)
    _require(
        by_place or by_entry,
        "To specify the weights for observed entries, either (1) entry_weights must be set or (2) input_weights and "
        "factor_weights must be set, but not both.",
    )
    rows, columns = input_indices.T[::-1] if input_is_transpose else input_indices.T
    count, width = int(input_block_size), factors.shape[1]
    _check_places(rows, count if by_entry else min(count, len(input_weights)), "rows")
    _check_places(columns, len(factors), "factors")
    weights = entry_weights if by_entry else input_weights[rows] * factor_weights[columns]
    left = np.zeros((count, width, width), np.float32)
    right = np.zeros((count, width), np.float32)
    order = np.argsort(rows, kind="stable")
    for entries in np.split(order, np.flatnonzero(np.diff(rows[order])) + 1):
        if len(entries):
            f, w = factors[columns[entries]], weights[entries]
            left[rows[entries[0]]] = (f * w[:, None]).T @ f
            right[rows[entries[0]]] = (input_values[entries] * (unobserved_weights + w)) @ f
    return [left, right]


def _check_places(places: Any, count: int, what: str) -> None:
    wrong = np.flatnonzero((places < 0) | (places >= count))
    if wrong.size:
        raise InvalidArgumentError(None, None, f"index {places[wrong[0]]} is not one of {count} {what}")


NORMAL_EQUATIONS = define(
    "WALSComputePartialLhsAndRhs",
    "factors: float32, factor_weights: float32, unobserved_weights: float32, input_weights: float32, "
    "input_indices: int64, input_values: float32, entry_weights: float32, input_block_size: int64, "
    "input_is_transpose: bool",
    "partial_lhs: float32, partial_rhs: float32",
    shape=lambda *inputs: [None, None],
    kernel=_normal_equations,
    effect=Effect.HOST,
    gradient=not_differentiable,
)


def wals_compute_partial_lhs_and_rhs(
    factors: Any,
    factor_weights: Any,
    unobserved_weights: Any,
    input_weights: Any,
    input_indices: Any,
    input_values: Any,
    entry_weights: Any,
    input_block_size: Any,
    input_is_transpose: Any,
    name: str | None = None,
) -> list[Tensor]:
    """What the entries of a sparse matrix add to the normal equations of its rows.

    Args:
      factors: the factors f_n of the columns, of shape [n, k].
      factor_weights, input_weights: the weights c_n of columns and r_m of rows; both empty where entries have theirs.
      unobserved_weights: w_0, what every place weighs beside.
      input_indices, input_values: the entries, [(m, n)] and v_mn.
      entry_weights: the weight of each entry, or empty.
      input_block_size: the number of rows.
      input_is_transpose: whether the indices are (n, m).

    Returns:
      The matrices, of shape [m, k, k], and the right sides, of shape [m, k].
    """
    return apply(  # type: ignore[no-any-return]
        NORMAL_EQUATIONS, factors, factor_weights, unobserved_weights, input_weights, input_indices, input_values,
        entry_weights, input_block_size, input_is_transpose, name=name,
    )  # fmt: skip


def _masked_product(xp: Any, memory: Any, a: Any, b: Any, places: Any, transpose_a: Any, transpose_b: Any) -> Any:
    """y_p = sum_k a_ik b_kj of the p-th place (i, j)."""
    _require(np.ndim(a) == 2, "Input a should be a matrix.")
    _require(np.ndim(b) == 2, "Input b should be a matrix.")
    _require(
        np.ndim(places) == 2 and np.shape(places)[1] == 2,
        "mask_indices should be a matrix of shape [nnz 2], where nnz is the number of non-zero elements.",
    )
    rows, columns = a.T if transpose_a else a, b if transpose_b else b.T
    if rows.shape[1] != columns.shape[1]:
        shapes = [str(list(x.shape)).replace(" ", "") for x in (a, b)]
        raise InvalidArgumentError(
            None, None, f"Matrix shapes are incompatible: a has shape {shapes[0]}, while b has shape {shapes[1]}."
        )
    _check_places(places[:, 0], len(rows), "rows")
    _check_places(places[:, 1], len(columns), "columns")
    return np.einsum("pk,pk->p", rows[places[:, 0]], columns[places[:, 1]])


MASKED_PRODUCT = define(
    "MaskedMatmul",
    "a: float32, b: float32, mask_indices: int64, transpose_a: bool, transpose_b: bool",
    "prod_values: float32",
    shape=lambda *inputs: None,
    kernel=_masked_product,
    effect=Effect.HOST,
    gradient=not_differentiable,
)


def masked_matmul(
    a: Any, b: Any, mask_indices: Any, transpose_a: Any, transpose_b: Any, name: str | None = None
) -> Tensor:
    """The elements of ``a @ b`` at the places ``mask_indices``, of shape [p, 2]; of the transposed where said."""
    return apply(MASKED_PRODUCT, a, b, mask_indices, transpose_a, transpose_b, name=name)
