"""Norms of vectors and matrices, and tensors divided by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    complex_numbers,
    constants,
    joining,
    permuting,
    powers,
    reductions,
    rounding,
    spectra,
    uniqueness,
)

_WRONG_AXIS = "'axis' must be None, an integer, or a tuple of 2 unique integers"


def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None, name: str | None = None,
    keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """The norm of ``tensor`` as a vector (default), of its vectors along ``axis``, or of its matrices along two axes.

    Args:
      ord: ``"euclidean"``, 1, ``np.inf`` or any p > 0 of vectors; ``"fro"``, 1, 2 or ``np.inf`` of matrices.

    Raises:
      ValueError: there is no such norm, or the axes are not what they should be.
    """
    keepdims = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    of_matrices = isinstance(axis, list | tuple) and len(axis) == 2
    axis = _checked_axis(axis, of_matrices)
    _check_order(ord, of_matrices)
    with name_scope(name, "norm", [tensor]):
        tensor = as_tensor(tensor)
        if isinstance(ord, str) or ord == 2:
            if of_matrices and ord == 2:
                result = _largest_singular_value(tensor, axis)
            else:
                squares = tensor * complex_numbers.conj(tensor)
                result = powers.sqrt(reductions.reduce_sum(squares, axis, keepdims=True))
        else:
            result = _by_absolute_values(rounding.abs_(tensor), ord, axis, of_matrices)
        return result if keepdims else arrays.squeeze(result, axis)


def _checked_axis(axis: Any, of_matrices: bool) -> Any:
    if of_matrices:
        first, second = axis
        if not isinstance(first, int) or not isinstance(second, int) or first == second:
            raise ValueError(_WRONG_AXIS)
        return (first, second)
    if axis is not None and not isinstance(axis, int):
        raise ValueError(_WRONG_AXIS)
    return None if axis is None else (axis,)


def _check_order(order: Any, of_matrices: bool) -> None:
    if of_matrices:
        known = ["euclidean", "fro", 1, 2, np.inf]
        if order not in known:
            raise ValueError(f"'ord' must be a supported matrix norm in {known}, got {order}")
    elif order not in ("euclidean", 1, 2, np.inf) and (isinstance(order, str) or not np.isreal(order) or order <= 0):
        raise ValueError(f"'ord' must be a supported vector norm, got {order}")


def _by_absolute_values(x: Tensor, order: Any, axis: Any, of_matrices: bool) -> Tensor:
    first = None if axis is None else axis[0]
    if order == 1:
        x = reductions.reduce_sum(x, first, keepdims=True)
        return reductions.reduce_max(x, axis[-1], keepdims=True) if of_matrices else x
    if order == np.inf:
        if of_matrices:
            x = reductions.reduce_sum(x, axis[1], keepdims=True)
        return reductions.reduce_max(x, first, keepdims=True)
    total = reductions.reduce_sum(powers.pow_(x, order), axis, keepdims=True)
    return powers.pow_(total, 1.0 / order)


def _largest_singular_value(x: Tensor, axis: tuple[int, int]) -> Tensor:
    """The 2-norm of each matrix, with both axes kept."""
    rank = arrays.rank(x)
    pair = as_tensor([i if i >= 0 else i + rank for i in axis], name="axis")
    others, _ = uniqueness.setdiff1d(constants.range_(rank), pair)
    order = joining.concat([others, pair], axis=0)
    values = spectra.svd(permuting.transpose(x, perm=order), compute_uv=False)
    largest = reductions.reduce_max(rounding.abs_(values), axis=-1, keepdims=True)
    return permuting.transpose(arrays.expand_dims(largest, axis=-1), perm=permuting.invert_permutation(order))


def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Tensor, Tensor]:
    """``tensor`` divided by its norm along ``axis``, and the norm."""
    with name_scope(name, "normalize", [tensor]):
        tensor = as_tensor(tensor)
        length = casts.cast(norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / length, length


def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None) -> Tensor:
    """``x / sqrt(max(sum(x^2), epsilon))`` along ``axis``."""
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    with name_scope(name, "l2_normalize", [x]) as name:
        x = as_tensor(x, name="x")
        total = reductions.reduce_sum(powers.square(x), axis, keepdims=True)
        inverse = powers.rsqrt(arithmetic.maximum(total, epsilon))
        return arithmetic.multiply(x, inverse, name=name)
