"""Linear operators that are given by sizes alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import checks, constants, control, joining, repeating, shape_checks


def asserted_size(size: Tensor, what: str, rank: int) -> Tensor:
    """A size that has been asserted to be a scalar or a vector, as ``rank`` says, and not below 0."""
    conditions = [
        shape_checks.assert_rank(size, rank, message=f"Argument {what} must be a {rank}-D Tensor."),
        checks.assert_non_negative(size, message=f"Argument {what} must be non-negative."),
    ]
    checked: Tensor = control.with_dependencies(conditions, size)
    return checked


def check_size(size: Tensor, static: Any, what: str, rank: int) -> None:
    """Refuse a size of which it is known that it is none.

    Raises:
      TypeError: it is not of integers.
      ValueError: it has another rank, or is below 0.
    """
    if not size.dtype.is_integer:
        raise TypeError(f"Argument {what} must be integer type.  Found: {size}")
    if static is None:
        return
    if static.ndim != rank:
        raise ValueError(f"Argument {what} must be a {rank}-D Tensor.  Found: {static}")
    if np.any(static < 0):
        raise ValueError(f"Argument {what} must be non-negative.  Found:{'' if rank else ' '}{static}")


class OfSizes(LinearOperator):
    """The shape of an operator that is given by sizes alone: rows, columns, and maybe a batch."""

    _num_rows: Any
    _num_rows_static: Any
    _num_columns: Any
    _num_columns_static: Any
    _batch_shape_arg: Any
    _batch_shape_static: Any

    def _shape(self) -> TensorShape:
        matrix = TensorShape((self._num_rows_static, self._num_columns_static))
        if self._batch_shape_arg is None:
            return matrix
        return TensorShape(self._batch_shape_static).concatenate(matrix)

    def _shape_tensor(self) -> Any:
        matrix = joining.stack((self._num_rows, self._num_columns), axis=0)
        return matrix if self._batch_shape_arg is None else joining.concat((self._batch_shape_arg, matrix), 0)

    def _in_batch(self, x: Any) -> Any:
        """``x``, repeated to the shape of the batch."""
        if self._batch_shape_arg is None:
            return x
        static = self.batch_shape.concatenate([1, 1])
        if static.is_fully_defined():
            whole = repeating.broadcast_static_shape(x.shape, static)
            return x if whole == x.shape else x + constants.zeros(static, dtype=self.dtype)
        return x + constants.zeros(joining.concat((self.batch_shape_tensor(), [1, 1]), 0), dtype=self.dtype)
