"""Bands of diagonals of matrices: ``MatrixDiagV2``, ``MatrixDiagPartV2`` and ``MatrixSetDiagV2``.

The k-th diagonal holds ``x[i, i + k]``.  Of a band ``k = (lower, upper)`` the diagonals are the rows of a matrix, the
highest first, each from the left; where one is shorter than the longest, padding follows.  Of one diagonal there is a
vector alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define
from retrograd.graph.shapes import RawShape, is_known
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, shape_rules

_RANK_OF_K = "0-1: diag_index must be a scalar or vector, received shape: {}"


def _band(k: Any) -> tuple[int, int]:
    """The lowest and the highest diagonal.

    Raises:
      ValueError: there are no such.
    """
    ends = np.ravel(k).tolist()
    if not 1 <= len(ends) <= 2:
        raise ValueError(f"diag_index must be a vector with one or two elements. It has {len(ends)} elements.")
    if ends[0] > ends[-1]:
        raise ValueError("lower_diag_index is greater than upper_diag_index")
    return ends[0], ends[-1]


def _check_inside(lower: int, upper: int, rows: int, columns: int) -> None:
    for word, k in (("lower", lower), ("upper", upper)):
        if k and not -rows < k < columns:
            raise ValueError(f"{word}_diag_index is out of bound.")


def _longest(lower: int, upper: int, rows: int, columns: int) -> int:
    return min(rows + min(upper, 0), columns - max(lower, 0))


def _check_inside_in_run(lower: int, upper: int, rows: int, columns: int) -> None:
    for word, k in (("lower", lower), ("upper", upper)):
        if k and not -rows < k < columns:
            words = f"{word}_diag_index is out of bound: {k}. It must be between {-rows} and {columns}"
            raise errors.InvalidArgumentError(None, None, words)


_SAID_IN_RUNS = {
    "num_rows is too small": "The number of rows is too small.",
    "num_cols is too small": "The number of columns is too small.",
}


def _in_run(function: Any, *args: Any) -> Any:
    """What a rule gives in a run, where what it refuses is an error of the run."""
    try:
        return function(*args)
    except ValueError as error:
        raise errors.InvalidArgumentError(None, None, _SAID_IN_RUNS.get(str(error), str(error))) from None


def _places(lower: int, upper: int, rows: int, columns: int) -> tuple[Any, Any, Any]:
    """For each element of a matrix, which of the diagonals it lies on, where on that one, and whether on any."""
    i, j = np.arange(rows)[:, None], np.arange(columns)[None, :]
    inside = (j - i >= lower) & (j - i <= upper)
    return np.where(inside, upper - (j - i), 0), np.where(inside, np.minimum(i, j), 0), inside


def _spread(xp: Any, diagonal: Any, lower: int, upper: int, rest: Any, shape: tuple[int, ...]) -> Any:
    """``rest``, with the diagonals in their places."""
    which, where, inside = _places(lower, upper, *shape[-2:])
    if not where.size:
        return xp.zeros(shape, diagonal.dtype)
    picked = diagonal[..., where] if lower == upper else diagonal[..., which, where]
    return xp.where(inside, picked, rest)


# -- from diagonals to matrices --------------------------------------------------------------------


def _sides(lower: int, upper: int, longest: int, rows: int, columns: int) -> tuple[int, int]:
    """The sides of the matrix that a band belongs to; -1 stands for what follows from the band."""
    least_rows, least_columns = longest - min(upper, 0), longest + max(lower, 0)
    if rows == -1 and columns == -1:
        return (max(least_rows, least_columns),) * 2
    rows, columns = least_rows if rows == -1 else rows, least_columns if columns == -1 else columns
    for word, side, least in (("num_rows", rows, least_rows), ("num_cols", columns, least_columns)):
        if side < least:
            raise ValueError(f"{word} is too small")
    if rows != least_rows and columns != least_columns:
        raise ValueError(
            "num_rows and num_cols are not consistent with lower_diag_index, upper_diag_index, and the length of the "
            "given diagonals"
        )
    return rows, columns


def _with_diagonals(diagonal: Tensor, k: Tensor, rows: Tensor, columns: Tensor, padding: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(diagonal, 1)
    known = [static_value(t) for t in (k, rows, columns)]
    if dims is None or known[0] is None:
        return None
    lower, upper = _band(known[0])
    batch = dims[:-1] if lower == upper else dims[:-2]
    if dims[-1] is None or known[1] is None or known[2] is None:
        return (*batch, None, None)
    return (*batch, *_sides(lower, upper, dims[-1], int(known[1]), int(known[2])))


def _diag(xp: Any, diagonal: Any, k: Any, rows: Any, columns: Any, padding: Any) -> Any:
    lower, upper = _in_run(_band, k)
    if lower != upper and np.ndim(diagonal) < 2:
        raise errors.InvalidArgumentError(None, None, "diagonal must be at least 2-dim, received shape: []")
    if lower != upper and diagonal.shape[-2] != upper - lower + 1:
        words = "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index"
        raise errors.InvalidArgumentError(None, None, f"{words} range.")
    sides = _in_run(_sides, lower, upper, diagonal.shape[-1], int(rows), int(columns))
    batch = diagonal.shape[: -1 if lower == upper else -2]
    return _spread(xp, diagonal, lower, upper, padding, (*batch, *sides))


MATRIX_DIAG_V2: OpDef = define(
    "MatrixDiagV2", "diagonal: T, k: int32, num_rows: int32, num_cols: int32, padding_value: T", "output: T",
    static=("k", "num_rows", "num_cols"), shape=_with_diagonals, kernel=_diag,
    ranks={"k": _RANK_OF_K, "diagonal": "1+: diagonal must be at least 1-dim, received shape: {}"},
    gradient=lambda op, dy: [_part_of(dy, op.inputs[1]), None, None, None, None],
)  # fmt: skip

# -- from matrices to diagonals --------------------------------------------------------------------


def _diagonals(x: Tensor, k: Tensor, padding: Tensor) -> RawShape:
    dims, known = shape_rules.with_rank_at_least(x, 2), static_value(k)
    if dims is None or known is None:
        return None
    lower, upper = _band(known)
    count = () if lower == upper else (upper - lower + 1,)
    if dims[-1] is None or dims[-2] is None:
        return (*dims[:-2], *count, None)
    _check_inside(lower, upper, dims[-2], dims[-1])
    return (*dims[:-2], *count, _longest(lower, upper, dims[-2], dims[-1]))


def _diag_part(xp: Any, x: Any, k: Any, padding: Any) -> Any:
    lower, upper = _in_run(_band, k)
    rows, columns = x.shape[-2:]
    _check_inside_in_run(lower, upper, rows, columns)
    d = np.arange(upper, lower - 1, -1)[:, None]
    j = np.arange(_longest(lower, upper, rows, columns))[None, :]
    i, j = j + np.maximum(-d, 0), j + np.maximum(d, 0)
    inside = (i < rows) & (j < columns)
    if not inside.any():
        y = xp.full((*x.shape[:-2], *inside.shape), padding, x.dtype)
    else:
        y = xp.where(inside, x[..., np.where(inside, i, 0), np.where(inside, j, 0)], padding)
    return y[..., 0, :] if lower == upper else y


def _part_of(x: Tensor, k: Tensor) -> Tensor:
    return apply(MATRIX_DIAG_PART_V2, x, k, constants.constant(0, x.dtype.base_dtype))


MATRIX_DIAG_PART_V2: OpDef = define(
    "MatrixDiagPartV2", "input: T, k: int32, padding_value: T", "diagonal: T", static=("k",), shape=_diagonals,
    kernel=_diag_part, ranks={"k": _RANK_OF_K, "input": "2+: input must be at least 2-dim, received shape: {}"},
    gradient=lambda op, dy: [
        apply(MATRIX_SET_DIAG_V2, constants.zeros_like(op.inputs[0]), dy, op.inputs[1]), None, None,
    ],
)  # fmt: skip

# -- diagonals of matrices that are there ----------------------------------------------------------


def _same_matrices(x: Tensor, diagonal: Tensor, k: Tensor) -> RawShape:
    dims, known = shape_rules.with_rank_at_least(x, 2), static_value(k)
    if dims is not None and known is not None and is_known(dims[-2:]):
        _check_inside(*_band(known), *dims[-2:])  # type: ignore[arg-type]
    return dims


def _set_diag(xp: Any, x: Any, diagonal: Any, k: Any) -> Any:
    lower, upper = _in_run(_band, k)
    rows, columns = x.shape[-2:]
    _check_inside_in_run(lower, upper, rows, columns)
    longest = _longest(lower, upper, rows, columns)
    wanted = (*x.shape[:-2], *(() if lower == upper else (upper - lower + 1,)), longest)
    if np.shape(diagonal) != wanted:
        raise errors.InvalidArgumentError(
            None, None,
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to "
            "the longests diagonal in range [lower_diag_index:upper_diag_index].",
        )  # fmt: skip
    return _spread(xp, diagonal, lower, upper, x, x.shape)


MATRIX_SET_DIAG_V2: OpDef = define(
    "MatrixSetDiagV2", "input: T, diagonal: T, k: int32", "output: T", static=("k",), shape=_same_matrices,
    kernel=_set_diag, ranks={"k": _RANK_OF_K, "input": "2+: input must be at least 2-dim, received shape: {}"},
    gradient=lambda op, dy: [
        apply(MATRIX_SET_DIAG_V2, dy, constants.zeros_like(op.inputs[1]), op.inputs[2]), _part_of(dy, op.inputs[2]),
        None,
    ],
)  # fmt: skip
