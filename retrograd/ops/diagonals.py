"""Diagonals and bands of matrices and of batches of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.dispatch import dispatched
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import colocate_with
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, kinds, reductions, shape_rules, slicing

# -- one diagonal of a tensor of any rank ------------------------------------------------------

_DIAGONAL_TYPES = (
    dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.complex64,
    dtypes.complex128,
)  # fmt: skip


def _doubled(x: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 1)
    return None if dims is None else (*dims, *dims)


def _diag(xp: Any, x: Any) -> Any:
    """y[i, i] = x[i] for every multi-index i, zero elsewhere."""
    if not np.ndim(x):
        raise InvalidArgumentError(None, None, "Input must be at least rank 1, got 0")
    flat = xp.reshape(x, (-1,))
    return xp.reshape(xp.diag(flat), (*np.shape(x), *np.shape(x)))


DIAG = define(
    "Diag", "diagonal: T", "output: T", types={"T": _DIAGONAL_TYPES}, shape=_doubled, kernel=_diag,
    gradient=lambda op, dy: [diag_part(dy)],
)  # fmt: skip


def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """The tensor of twice the rank that has ``diagonal`` on its diagonal, zero elsewhere."""
    return apply(DIAG, diagonal, name=name)


def _halved(x: Tensor) -> RawShape:
    if x.dims is None:
        return None
    rank = len(x.dims)
    if rank % 2 or not rank:
        raise ValueError(f"Input must have even and non-zero rank, input rank is {rank}")
    return tuple(map(shapes.merge_dim, x.dims[: rank // 2], x.dims[rank // 2 :]))


def _diag_part(xp: Any, x: Any) -> Any:
    """y[i] = x[i, i] for every multi-index i."""
    dims = np.shape(x)
    if len(dims) % 2 or not dims:
        words = f"The rank of the tensor should be {' ' * 41}even and positive, got shape {shapes.shape_text(dims)}"
        raise InvalidArgumentError(None, None, words)
    half = dims[: len(dims) // 2]
    for i, (m, n) in enumerate(zip(half, dims[len(dims) // 2 :], strict=True)):
        if m != n:
            raise InvalidArgumentError(
                None, None,
                f"Invalid shape {shapes.shape_text(dims)}: dimensions {i} and {i + len(half)} do not match.",
            )  # fmt: skip
    size = int(np.prod(half, dtype=np.int64))
    return xp.reshape(xp.diagonal(xp.reshape(x, (size, size))), half)


DIAG_PART = define(
    "DiagPart", "input: T", "diagonal: T", types={"T": _DIAGONAL_TYPES}, shape=_halved, kernel=_diag_part,
    gradient=lambda op, dy: [diag(dy)],
)  # fmt: skip


def diag_part(input: Any, name: str | None = None) -> Tensor:
    """The diagonal of a tensor whose shape is some shape twice."""
    return apply(DIAG_PART, input, name=name)


# -- batches of matrices -----------------------------------------------------------------------


def _square(x: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 1)
    return None if dims is None else (*dims, dims[-1])


def _matrix_diag(xp: Any, x: Any) -> Any:
    if not np.ndim(x):
        raise InvalidArgumentError(None, None, "diagonal must be at least 1-dim, received shape: []")
    n = np.shape(x)[-1]
    return xp.where(xp.eye(n, dtype=bool), xp.expand_dims(x, -1), xp.zeros((), x.dtype))


MATRIX_DIAG = define(
    "MatrixDiag", "diagonal: T", "output: T", shape=_square, kernel=_matrix_diag,
    gradient=lambda op, dy: [matrix_diag_part(dy)],
)  # fmt: skip


def _shorter_side(x: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 2)
    if dims is None:
        return None
    rows, columns = dims[-2:]
    return (*dims[:-2], None if rows is None or columns is None else min(rows, columns))


def _matrix_diag_part(xp: Any, x: Any) -> Any:
    if np.ndim(x) < 2:
        raise InvalidArgumentError(
            None, None, f"input must be at least 2-dim, received shape: {shapes.shape_text(np.shape(x))}"
        )
    return xp.diagonal(x, axis1=-2, axis2=-1)


def _matrix_diag_part_gradient(op: Any, dy: Any) -> list[Any]:
    x = op.inputs[0]
    sides = (None, None) if x.dims is None else x.dims[-2:]
    if None not in sides and sides[0] == sides[1]:
        return [matrix_diag(dy)]
    return [matrix_set_diag(constants.zeros_like(x), dy)]


MATRIX_DIAG_PART = define(
    "MatrixDiagPart", "input: T", "diagonal: T", shape=_shorter_side, kernel=_matrix_diag_part,
    gradient=_matrix_diag_part_gradient,
)  # fmt: skip


def _with_diagonal(x: Tensor, diagonal: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 2)
    given = shape_rules.with_rank_at_least(diagonal, 1)
    if dims is None:
        return None if given is None else (*given[:-1], None, None)
    if given is None:
        return dims
    shape_rules.with_rank(diagonal, len(dims) - 1)
    shapes.merge_dim((_shorter_side(x) or (None,))[-1], given[-1])
    batch = [n if m is None else m for m, n in zip(dims[:-2], given[:-1], strict=True)]
    return (*batch, *dims[-2:])


def _matrix_set_diag(xp: Any, x: Any, diagonal: Any) -> Any:
    if np.ndim(x) < 2:
        raise InvalidArgumentError(
            None, None, f"input must be at least 2-dim, received shape: {shapes.shape_text(np.shape(x))}"
        )
    if not np.ndim(diagonal):
        raise InvalidArgumentError(None, None, "diagonal must be at least 1-dim, received shape: []")
    rows, columns = np.shape(x)[-2:]
    least = min(rows, columns)
    if np.shape(diagonal) != (*np.shape(x)[:-2], least):
        raise InvalidArgumentError(
            None, None,
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to "
            "the longests diagonal in range [lower_diag_index:upper_diag_index].",
        )  # fmt: skip
    padding = [(0, 0)] * (np.ndim(diagonal) - 1) + [(0, rows - least)]
    return xp.where(xp.eye(rows, columns, dtype=bool), xp.expand_dims(xp.pad(diagonal, padding), -1), x)


def _matrix_set_diag_gradient(op: Any, dy: Any) -> list[Any]:
    """dx is dy with a zero diagonal; the diagonal takes dy's."""
    x, diagonal = op.inputs
    dims = None if x.dims is None else x.dims[:-2]
    sides = (None, None) if dy.dims is None else dy.dims[-2:]
    batch = shapes.merge(dims, None if diagonal.dims is None else diagonal.dims[:-1])
    if shapes.is_known(batch) and None not in sides:
        shape: Any = [*(batch or ()), min(sides)]
    else:
        with colocate_with(dy):
            dy_shape = arrays.shape(dy)
            rank = arrays.rank(dy)
            batch_shape = slicing.slice_(dy_shape, [0], [rank - 2])
            matrix_shape = slicing.slice_(dy_shape, [rank - 2], [2])
            shape = joining.concat([batch_shape, [reductions.reduce_min(matrix_shape)]], 0)
    dx = matrix_set_diag(dy, constants.zeros(shape, dtype=dy.dtype))
    return [dx, matrix_diag_part(dy)]


MATRIX_SET_DIAG = define(
    "MatrixSetDiag", "input: T, diagonal: T", "output: T", shape=_with_diagonal, kernel=_matrix_set_diag,
    gradient=_matrix_set_diag_gradient,
)  # fmt: skip


def matrix_diag(
    diagonal: Any, name: str | None = "diag", k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0
) -> Tensor:  # fmt: skip
    """A batch of square matrices with the rows of ``diagonal`` on their diagonals, zero elsewhere."""
    return apply(MATRIX_DIAG, diagonal, name=name)


@dispatched
def matrix_diag_part(input: Any, name: str | None = "diag_part", k: Any = 0, padding_value: Any = 0) -> Tensor:
    """The diagonals of a batch of matrices."""
    return apply(MATRIX_DIAG_PART, input, name=name)


def matrix_set_diag(input: Any, diagonal: Any, name: str | None = "set_diag", k: Any = 0) -> Tensor:
    """``input`` with the diagonals of its matrices replaced by ``diagonal``."""
    return apply(MATRIX_SET_DIAG, input, diagonal, name=name)


# -- bands -------------------------------------------------------------------------------------


def _banded(x: Tensor, num_lower: Tensor, num_upper: Tensor) -> RawShape:
    shape_rules.with_rank(num_lower, 0)
    shape_rules.with_rank(num_upper, 0)
    return shape_rules.with_rank_at_least(x, 2)


def _matrix_band_part(xp: Any, x: Any, num_lower: Any, num_upper: Any) -> Any:
    """y[i, j] = x[i, j] where -lower <= j - i <= upper, else 0; a negative width is unlimited."""
    if np.ndim(x) < 2:
        raise InvalidArgumentError(
            None, None, f"input must be at least 2-dim, received shape: {shapes.shape_text(np.shape(x))}"
        )
    rows, columns = np.shape(x)[-2:]
    lower, upper = int(num_lower), int(num_upper)
    for which, width, size in (("num_lower", lower, rows), ("num_upper", upper, columns)):
        if width > size:
            raise InvalidArgumentError(
                None, None,
                f"{which} must be negative or less or equal to number of "
                f"{'rows' if which == 'num_lower' else 'columns'} ({size}) got: {width}",
            )  # fmt: skip
    offset = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    inside = ((lower < 0) | (offset >= -lower)) & ((upper < 0) | (offset <= upper))
    return xp.where(inside, x, xp.zeros((), x.dtype))


MATRIX_BAND_PART = define(
    "MatrixBandPart", "input: T, num_lower: Tindex, num_upper: Tindex", "band: T", attrs={"Tindex": dtypes.int64},
    types={"Tindex": kinds.INDEX},
    ranks={
        "num_lower": "0: num_lower must be scalar, got shape {}",
        "num_upper": "0: num_upper must be scalar, got shape {}",
    },
    static=("num_lower", "num_upper"), shape=_banded, kernel=_matrix_band_part,
    gradient=lambda op, dy: [matrix_band_part(dy, op.inputs[1], op.inputs[2]), None, None],
)  # fmt: skip


def matrix_band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """``input`` with only ``num_lower`` diagonals below and ``num_upper`` above the main one; -1 keeps all."""
    return apply(MATRIX_BAND_PART, input, num_lower, num_upper, name=name)
