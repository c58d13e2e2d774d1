"""Tensors made from sizes: evenly spaced numbers, identity matrices, coordinate grids, sequence masks."""

from __future__ import annotations

import numbers
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, casts, constants, diagonals, joining, kinds, reductions, shape_rules

# -- evenly spaced -----------------------------------------------------------------------------


def _spaced(start: Tensor, stop: Tensor, num: Tensor) -> RawShape:
    for scalar in (start, stop, num):
        shape_rules.with_rank(scalar, 0)
    count = static_value(num)
    if count is None:
        return (None,)
    if count <= 0:
        raise ValueError(f"Requires num > 0: {int(count)}")
    return (int(count),)


def _lin_space(xp: Any, start: Any, stop: Any, num: Any) -> Any:
    """y[i] = start + i (stop - start) / (num - 1), the last exactly ``stop``."""
    for name, value in (("start", start), ("stop", stop), ("num", num)):
        shape_rules.check_rank(value, 0, name + " must be a scalar, not shape {}")
    count, start, stop = int(num), xp.asarray(start), xp.asarray(stop)
    if count <= 0:
        raise InvalidArgumentError(None, None, f"Requires num > 0: {count}")
    if count == 1:
        return xp.reshape(start, (1,))
    step = (stop - start) / xp.asarray(count - 1, start.dtype)
    inner = start + step * xp.arange(count - 1).astype(start.dtype)
    return xp.concatenate([inner, xp.reshape(stop, (1,))])


LIN_SPACE = define(
    "LinSpace", "start: T, stop: T, num: Tidx", "output: T", attrs={"Tidx": dtypes.int32},
    types={"T": (dtypes.bfloat16, dtypes.float32, dtypes.float64), "Tidx": kinds.INDEX}, static=("num",),
    shape=_spaced, kernel=_lin_space, gradient=not_differentiable,
)  # fmt: skip


def linspace(start: Any, stop: Any, num: Any, name: str | None = None) -> Tensor:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, both included."""
    return apply(LIN_SPACE, start, stop, num, name=name)


lin_space = linspace

# -- identity matrices -------------------------------------------------------------------------


def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """An identity matrix, or a batch of them: ones on the diagonal, zeros elsewhere.

    Raises:
      TypeError: a size is neither an integer nor a tensor.
    """
    with name_scope(name, "eye", [num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch = [] if batch_shape is None else batch_shape
        columns = num_rows if num_columns is None else num_columns
        size: Any
        if isinstance(num_rows, Tensor) or isinstance(columns, Tensor):
            size = arithmetic.minimum(num_rows, columns)
        else:
            if not isinstance(num_rows, numbers.Integral) or not isinstance(columns, numbers.Integral):
                raise TypeError("num_rows and num_columns must be positive integer values.")
            is_square = num_rows == columns
            size = min(int(num_rows), int(columns))
        if isinstance(batch, Tensor) or isinstance(size, Tensor):
            batch = as_tensor(batch, dtypes.int32, name="shape")
            diagonal_shape: Any = joining.concat((batch, [size]), axis=0)
            shape: Any = None if is_square else joining.concat((batch, [num_rows, columns]), axis=0)
        else:
            diagonal_shape = [*batch, size]
            shape = [*batch, num_rows, columns]
        diagonal = constants.ones(diagonal_shape, dtype=dtype)
        if is_square:
            return diagonals.matrix_diag(diagonal)
        return diagonals.matrix_set_diag(constants.zeros(shape, dtype=dtype), diagonal)


# -- grids -------------------------------------------------------------------------------------


def meshgrid(*args: Any, indexing: str = "xy", name: str = "meshgrid") -> list[Tensor]:
    """For vectors ``args``, the coordinates of the points of their grid, one tensor per vector.

    ``indexing`` is "ij" for the order of ``args``, "xy" for the first two exchanged.

    Raises:
      ValueError: ``indexing`` is something else.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("indexing parameter must be either 'xy' or 'ij'")
    with name_scope(name, "meshgrid", args):
        rank = len(args)
        ones = (1,) * rank
        output = [arrays.reshape(joining.stack(x), (*ones[:i], -1, *ones[i + 1 :])) for i, x in enumerate(args)]
        sizes = [arrays.size(x) for x in args]
        dtype = as_tensor(args[0]).dtype.base_dtype
        if indexing == "xy" and rank > 1:
            output[0] = arrays.reshape(output[0], (1, -1) + (1,) * (rank - 2))
            output[1] = arrays.reshape(output[1], (-1, 1) + (1,) * (rank - 2))
            sizes[0], sizes[1] = sizes[1], sizes[0]
        whole = constants.ones(sizes, dtype)
        return [x * whole for x in output]


# -- masks -------------------------------------------------------------------------------------


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool, name: str | None = None) -> Tensor:
    """``mask[..., j]`` is True where ``j < lengths[...]``; j runs up to ``maxlen`` (default: the longest).

    Raises:
      ValueError: ``maxlen`` is no scalar.
    """
    with name_scope(name, "SequenceMask", [lengths, maxlen]):
        lengths = as_tensor(lengths)
        if maxlen is None:
            maxlen = apply(reductions.MAX, lengths, reductions.all_axes(lengths), keep_dims=False)
            maxlen = arithmetic.maximum(constants.constant(0, maxlen.dtype), maxlen)
        else:
            maxlen = as_tensor(maxlen)
        if maxlen.rank not in (None, 0):
            raise ValueError("maxlen must be scalar for sequence_mask")
        start, step = constants.constant(0, maxlen.dtype), constants.constant(1, maxlen.dtype)
        positions = apply(constants.RANGE, start, maxlen, step)
        ends = apply(casts.CAST, arrays.expand_dims(lengths, -1), DstT=maxlen.dtype)
        mask = positions < ends
        return mask if dtype is None else arithmetic.cast(mask, dtype)
