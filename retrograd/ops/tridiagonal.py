"""Products with tridiagonal matrices, and solutions of their equations.

A tridiagonal matrix is given by three diagonals of equal length m: ``above[i] = a[i, i+1]``, whose last element does
not count, ``main[i] = a[i, i]``, and ``below[i] = a[i, i-1]``, whose first does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    complex_numbers,
    constants,
    indexing,
    joining,
    padding,
    permuting,
    reductions,
    shape_rules,
)
from retrograd.ops.diagonals import matrix_diag_part
from retrograd.ops.solving import FACTORABLE

# -- solutions ---------------------------------------------------------------------------------


def _solution(diagonals: Tensor, rhs: Tensor) -> RawShape:
    left, right = shape_rules.with_rank_at_least(diagonals, 2), shape_rules.with_rank_at_least(rhs, 2)
    if left is not None:
        if left[-2] not in (None, 3):
            raise ValueError(f"Dimension must be 3 but is {left[-2]}")
        if right is not None:
            shapes.merge(left[:-2], right[:-2])
            shapes.merge_dim(left[-1], right[-2])
    return right


def _singular(why: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, f"The matrix is {why}")


def _tridiagonal_solve(xp: Any, diagonals: Any, rhs: Any, *, partial_pivoting: bool) -> Any:
    m = rhs.shape[-2]
    if diagonals.shape[-2] != 3:
        raise errors.InvalidArgumentError(
            None, None, f"Expected diagonals to be provided as a matrix with 3 rows, got {diagonals.shape[-2]} rows."
        )
    if diagonals.shape[-1] != m:
        raise errors.InvalidArgumentError(
            None, None,
            f"Expected the same number of left-hand sides and right-hand sides, got {diagonals.shape[-1]} and {m}.",
        )  # fmt: skip
    if xp is not np:
        return xp.linalg.solve(_dense(xp, diagonals), rhs)
    if m == 0:
        return rhs
    if m == 1:
        if not np.all(diagonals[..., 1, :]):
            raise _singular("not invertible: it is a scalar with value zero.")
        return rhs / diagonals[..., 1, :, None]
    return _eliminated(diagonals, rhs, partial_pivoting)


def _dense(xp: Any, diagonals: Any) -> Any:
    m = diagonals.shape[-1]
    above, main, below = (diagonals[..., i, :, None] for i in range(3))
    return xp.eye(m, k=1, dtype=main.dtype) * above + xp.eye(m, dtype=main.dtype) * main + xp.eye(m, k=-1) * below


def _eliminated(diagonals: Any, rhs: Any, pivoting: bool) -> Any:
    """Gauss's elimination, row by row for the whole batch; with pivoting a row may move one place down."""
    m = rhs.shape[-2]
    # a row holds what stands in columns i, i+1, i+2, then its right-hand sides
    above, main, below = (diagonals[..., i, :, None] for i in range(3))
    rows = np.concatenate([main, above, np.zeros_like(main), rhs], -1)
    rows[..., -1, 1] = 0
    for i in range(m):
        row = rows[..., i, :]
        if i + 1 < m:
            after = rows[..., i + 1, :]
            after = np.concatenate([below[..., i + 1, :], after[..., :2], after[..., 3:]], -1)
            if pivoting:
                swap = (np.abs(row[..., :1]) < np.abs(after[..., :1])) & np.ones_like(row, bool)
                row, after = np.where(swap, after, row), np.where(swap, row, after)
        if np.any(row[..., 0] == 0):
            hint = "not invertible." if pivoting else "either not invertible, or requires pivoting. "
            raise _singular(hint + ("" if pivoting else "Try setting partial_pivoting = True."))
        rows[..., i, :] = row
        if i + 1 < m:
            after = after - row * (after[..., :1] / row[..., :1])
            rows[..., i + 1, :] = np.concatenate([after[..., 1:3], np.zeros_like(after[..., :1]), after[..., 3:]], -1)
    return _substituted(rows)


def _substituted(rows: Any) -> Any:
    """The unknowns from the last to the first."""
    x = np.zeros((*rows.shape[:-2], rows.shape[-2] + 2, rows.shape[-1] - 3), rows.dtype)
    for i in range(rows.shape[-2] - 1, -1, -1):
        known = rows[..., i, 1:2] * x[..., i + 1, :] + rows[..., i, 2:3] * x[..., i + 2, :]
        x[..., i, :] = (rows[..., i, 3:] - known) / rows[..., i, :1]
    return x[..., :-2, :]


def _tridiagonal_solve_gradient(op: Any, dx: Any) -> list[Any]:
    """drhs = a^-H dx; da = -drhs x^H, of which the three diagonals count."""
    diagonals, x = complex_numbers.conj(op.inputs[0]), complex_numbers.conj(op.outputs[0])
    drhs = _solve(_transposed(diagonals), dx, op.attrs["partial_pivoting"])
    return [-_three_diagonals_of_product(drhs, x), drhs]


TRIDIAGONAL_SOLVE = define(
    "TridiagonalSolve", "diagonals: T, rhs: T", "output: T", attrs={"partial_pivoting": True}, types={"T": FACTORABLE},
    shape=_solution, kernel=_tridiagonal_solve, gradient=_tridiagonal_solve_gradient,
)  # fmt: skip


def _solve(diagonals: Any, rhs: Any, partial_pivoting: bool, name: str | None = None) -> Tensor:
    return apply(TRIDIAGONAL_SOLVE, diagonals, rhs, partial_pivoting=partial_pivoting, name=name)


def _known(x: Tensor) -> tuple[int, ...] | None:
    """The shape if all of it is known."""
    found = tuple(n for n in x.dims or () if n is not None)
    return found if x.dims is not None and len(found) == len(x.dims) else None


def _transposed(diagonals: Tensor) -> Tensor:
    """The diagonals of the transpose."""
    main = diagonals[..., 1, :]
    dims = _known(diagonals)
    if dims is not None:
        zeros = constants.zeros([*dims[:-2], 1], dtype=diagonals.dtype)
        above = joining.concat((diagonals[..., 2, 1:], zeros), axis=-1)
        below = joining.concat((zeros, diagonals[..., 0, :-1]), axis=-1)
    else:
        zeros = constants.zeros((arrays.rank(diagonals) - 2, 2), dtype="int32")
        widths = joining.concat((zeros, constants.constant([[0, 1]])), axis=0)
        above = padding.pad(diagonals[..., 2, 1:], widths)
        widths = joining.concat((zeros, constants.constant([[1, 0]])), axis=0)
        below = padding.pad(diagonals[..., 0, :-1], widths)
    return joining.stack([above, main, below], axis=-2)


def _three_diagonals_of_product(x: Tensor, y: Tensor) -> Tensor:
    """The three diagonals of ``x y^T``."""
    main = reductions.reduce_sum(x * y, axis=-1)
    dims = _known(y)
    if dims is not None:
        zeros = constants.zeros([*dims[:-2], 1, dims[-1]], dtype=x.dtype)
        above = reductions.reduce_sum(x * joining.concat((y[..., 1:, :], zeros), axis=-2), axis=-1)
        below = reductions.reduce_sum(x * joining.concat((zeros, y[..., :-1, :]), axis=-2), axis=-1)
    else:
        zeros = constants.zeros((arrays.rank(y) - 2, 2), dtype="int32")
        widths = joining.concat((zeros, constants.constant([[0, 1], [0, 0]])), axis=0)
        above = reductions.reduce_sum(x * padding.pad(y[..., 1:, :], widths), axis=-1)
        widths = joining.concat((zeros, constants.constant([[1, 0], [0, 0]])), axis=0)
        below = reductions.reduce_sum(x * padding.pad(y[..., :-1, :], widths), axis=-1)
    return joining.stack([above, main, below], axis=-2)


def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
) -> Tensor:
    """The solution x of ``a x = rhs`` for each tridiagonal matrix a.

    Args:
      diagonals: three rows ``[above, main, below]`` in one tensor (``"compact"``), three tensors of which those beside
        the main one may be one element shorter (``"sequence"``), or square matrices (``"matrix"``).
      rhs: columns, or a single vector; rows with ``transpose_rhs``.

    Raises:
      ValueError: the shapes do not fit together.
      InvalidArgumentError (in the run): a matrix is not invertible, or, without ``partial_pivoting``, a pivot is 0.
    """
    if diagonals_format == "sequence":
        diagonals = _stacked(diagonals)
    elif diagonals_format == "matrix":
        diagonals = _gathered(diagonals, [[(i + 1, i), (i, i), (i - 1, i)] for i in range(_size(diagonals))])
    elif diagonals_format != "compact":
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    diagonals = as_tensor(diagonals)
    rhs = rhs if hasattr(rhs, "shape") else as_tensor(rhs)
    is_vector = _check_fit(diagonals.dims, shapes.raw(rhs.shape))
    if is_vector:
        rhs = arrays.expand_dims(complex_numbers.conj(rhs) if conjugate_rhs else rhs, -1)
    elif transpose_rhs:
        rhs = permuting.matrix_transpose(rhs, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        rhs = complex_numbers.conj(rhs)
    equations, sides = _last(diagonals.shape, 1), _last(rhs.shape, 2)
    if equations and sides and equations != sides:
        raise ValueError(
            f"Expected number of left-hand sided and right-hand sides to be equal, got {equations} and {sides}"
        )
    x = _solve(diagonals, rhs, partial_pivoting, name)
    if is_vector:
        return arrays.squeeze(x, -1)
    return permuting.matrix_transpose(x) if transpose_rhs else x


def _last(shape: Any, place: int) -> int | None:
    """The dimension in that place from the end."""
    dims = shapes.raw(shape)
    return None if dims is None else dims[-place]


def _check_fit(left: RawShape, right: RawShape) -> bool:
    """Whether the right side is one vector for each matrix."""
    if left is None or right is None:
        raise ValueError("Cannot take the length of shape with unknown rank.")
    if len(left) < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {len(left)}")
    if len(right) not in (len(left), len(left) - 1):
        raise ValueError(f"Expected the rank of rhs to be {len(left) - 1} or {len(left)}, got {len(right)}")
    if left[-2] not in (None, 3):
        raise ValueError(f"Expected 3 diagonals got {left[-2]}")
    if not shapes.compatible(left[:-2], right[: len(left) - 2]):
        batches = [shapes.TensorShape(dims[: len(left) - 2]) for dims in (left, right)]
        raise ValueError(f"Batch shapes {batches[0]} and {batches[1]} are incompatible")
    return len(right) == len(left) - 1


def _stacked(parts: Any) -> Tensor:
    """Three tensors, of which those beside the main diagonal may be one element shorter, as rows of one."""
    if not isinstance(parts, list | tuple) or len(parts) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, main, below = (as_tensor(part) for part in parts)
    batches = [part.shape[:-1] for part in (below, main, above)]
    if not all(batch.is_compatible_with(batches[1]) for batch in batches):
        raise ValueError(
            "Tensors representing the three diagonals must have the same shape,except for the last dimension, got "
            f"{below.shape}, {main.shape}, {above.shape}"
        )
    m = _last(main.shape, 1)
    below = _lengthened(below, "subdiagonal", m, [1, 0])
    above = _lengthened(above, "superdiagonal", m, [0, 1])
    return joining.stack((above, main, below), axis=-2)


def _lengthened(part: Tensor, name: str, m: int | None, widths: list[int]) -> Tensor:
    n = _last(part.shape, 1)
    if not n or n == m:
        return part
    if m is None or n != m - 1:
        raise ValueError(f"Expected {name} to be have length {m} or {'None' if m is None else m - 1}, got {n}.")
    return padding.pad(part, [[0, 0]] * (len(part.shape) - 1) + [widths])


def _size(matrices: Any) -> int:
    shape = matrices.shape if isinstance(matrices, Tensor) else np.shape(matrices)
    m, n = _last(shape, 2), _last(shape, 1)
    if m and n and m != n:
        raise ValueError(f"Expected last two dimensions of diagonals to be same, got {n} and {m}")
    size = m or n
    if not size:
        raise ValueError('The size of the matrix needs to be known for diagonals_format="matrix"')
    return size


def _gathered(matrices: Any, places: Any) -> Tensor:
    """Elements (column, row) of each matrix; a place outside of it stands for one that does not count."""
    places = np.array(places, np.int32)
    m = len(places)
    places[((places < 0) | (places >= m)).any(-1)] = 0
    return permuting.transpose(indexing.gather_nd(permuting.transpose(matrices), places))


# -- products ----------------------------------------------------------------------------------


def _product(above: Tensor, main: Tensor, below: Tensor, rhs: Tensor) -> RawShape:
    right = shape_rules.with_rank_at_least(rhs, 2)
    parts = [shape_rules.with_rank_at_least(part, 2) for part in (above, main, below)]
    merged = shapes.merge(shapes.merge(parts[0], parts[1]), parts[2])
    if merged is not None:
        if merged[-2] not in (None, 1):
            raise ValueError(f"Dimension must be 1 but is {merged[-2]}")
        if right is not None:
            shapes.merge(merged[:-2], right[:-2])
            shapes.merge_dim(merged[-1], right[-2])
    return right


def _tridiagonal_matmul(xp: Any, above: Any, main: Any, below: Any, rhs: Any) -> Any:
    """y[i] = above[i] x[i+1] + main[i] x[i] + below[i] x[i-1]."""
    for name, part in (("superdiagonal", above), ("main diagonal", main), ("subdiagonal", below)):
        if part.shape != (*rhs.shape[:-2], 1, rhs.shape[-2]):
            raise errors.InvalidArgumentError(None, None, f"Invalid {name} shape.")
    above, main, below = (xp.swapaxes(part, -1, -2) for part in (above, main, below))
    ends = xp.zeros_like(rhs[..., :1, :])
    after = xp.concatenate([rhs[..., 1:, :], ends], -2)
    before = xp.concatenate([ends, rhs[..., :-1, :]], -2)
    return above * after + main * rhs + below * before


def _moved_up(x: Tensor) -> Tensor:
    """Row i+1 in place i."""
    zeros = constants.zeros((arrays.rank(x) - 2, 2), dtype="int32")
    widths = joining.concat((zeros, constants.constant([[0, 1], [0, 0]])), axis=0)
    return padding.pad(x[..., 1:, :], widths)


def _moved_down(x: Tensor) -> Tensor:
    zeros = constants.zeros((arrays.rank(x) - 2, 2), dtype="int32")
    widths = joining.concat((zeros, constants.constant([[1, 0], [0, 0]])), axis=0)
    return padding.pad(x[..., :-1, :], widths)


def _tridiagonal_matmul_gradient(op: Any, dy: Any) -> list[Any]:
    """The diagonals' gradients are the sums of x dy over the columns; that of x is the transposed product."""
    columns = [permuting.matrix_transpose(part, conjugate=True) for part in op.inputs[:3]]
    x = complex_numbers.conj(op.inputs[3])
    parts = [
        reductions.reduce_sum(_moved_up(x) * dy, axis=-1),
        reductions.reduce_sum(x * dy, axis=-1),
        reductions.reduce_sum(_moved_down(x) * dy, axis=-1),
    ]
    dx = _moved_down(columns[0] * dy) + columns[1] * dy + _moved_up(columns[2] * dy)
    return [*(arrays.expand_dims(part, -2) for part in parts), dx]


TRIDIAGONAL_MATMUL = define(
    "TridiagonalMatMul", "superdiag: T, maindiag: T, subdiag: T, rhs: T", "output: T", types={"T": FACTORABLE},
    shape=_product, kernel=_tridiagonal_matmul, gradient=_tridiagonal_matmul_gradient,
)  # fmt: skip


def tridiagonal_matmul(diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None) -> Tensor:
    """The product of each tridiagonal matrix, given as for ``tridiagonal_solve``, with the columns of ``rhs``.

    Raises:
      ValueError: the shapes do not fit together.
    """
    if diagonals_format == "compact":
        diagonals = as_tensor(diagonals)
        above, main, below = (diagonals[..., i, :] for i in range(3))
    elif diagonals_format == "sequence":
        above, main, below = diagonals
    elif diagonals_format == "matrix":
        m = _size(diagonals)
        main = matrix_diag_part(diagonals)
        columns = permuting.transpose(diagonals)
        above = permuting.transpose(indexing.gather_nd(columns, [(i + 1, i) for i in range(m - 1)] + [(0, 0)]))
        below = permuting.transpose(indexing.gather_nd(columns, [(0, 0)] + [(i, i + 1) for i in range(m - 1)]))
    else:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    above, main, below = (arrays.expand_dims(part, -2) for part in (above, main, below))
    return apply(TRIDIAGONAL_MATMUL, above, main, below, rhs, name=name)
