"""The linear operator that maps everything to zero; equations as in TensorFlow 1.15.5."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph import dtypes as dtypes_
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.nn.linear_operators import broadcasting, sizes
from retrograd.nn.linear_operators.operator import LinearOperator, RegisterMatmul
from retrograd.ops import arrays, constants, control, joining, reductions, solving
from retrograd.ops.control import with_dependencies


class LinearOperatorZeros(sizes.OfSizes, LinearOperator):
    """``num_rows`` by ``num_columns`` (default: as many) zeros."""

    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool = False,
        is_self_adjoint: bool = True,
        is_positive_definite: bool = False,
        is_square: bool = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            if not is_self_adjoint and is_square:
                raise ValueError("A zero operator is always self adjoint.")
            if is_non_singular:
                raise ValueError("A zero operator is always singular.")
            if is_positive_definite:
                raise ValueError("A zero operator is always not positive-definite.")
            super().__init__(
                dtypes_.as_dtype(dtype or dtypes.float32), None, is_non_singular, is_self_adjoint,
                is_positive_definite, is_square, name,
            )  # fmt: skip
            for size, what in ((num_rows, "num_rows"), (num_columns, "num_columns"), (batch_shape, "batch_shape")):
                broadcasting.assert_not_ref_type(size, what)
            rows = broadcasting.shape_tensor(num_rows, name="num_rows")
            columns = broadcasting.shape_tensor(num_rows if num_columns is None else num_columns, name="num_columns")
            self._num_rows_static, self._num_columns_static = constant_value(rows), constant_value(columns)
            self._num_rows = self._checked_shape(rows, "num_rows", 0)
            self._num_columns = self._checked_shape(columns, "num_columns", 0)
            for size, static, what in (
                (rows, self._num_rows_static, "num_rows"), (columns, self._num_columns_static, "num_columns")
            ):  # fmt: skip
                sizes.check_size(size, static, what, 0)
            n, m = self._num_rows_static, self._num_columns_static
            if is_square and n is not None and m is not None and n != m:
                raise ValueError(
                    f"LinearOperatorZeros initialized as is_square=True, but got num_rows({n}) != num_columns({m})"
                )
            self._batch_shape_arg = self._batch_shape_static = None
            if batch_shape is not None:
                batch = broadcasting.shape_tensor(batch_shape, name="batch_shape_arg")
                self._batch_shape_static = constant_value(batch)
                self._batch_shape_arg = self._checked_shape(batch, "batch_shape", 1)
                sizes.check_size(batch, self._batch_shape_static, "batch_shape", 1)

    def _checked_shape(self, size: Any, what: str, rank: int) -> Any:
        return sizes.asserted_size(size, what, rank) if self._assert_proper_shapes else size

    def _assert_non_singular(self) -> Any:
        raise InvalidArgumentError(None, None, "Zero operators are always non-invertible.")

    def _assert_positive_definite(self) -> Any:
        raise InvalidArgumentError(None, None, "Zero operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return control.no_op("assert_self_adjoint")

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if self._assert_proper_shapes:
            x, adjoint_arg = solving.adjoint(x) if adjoint_arg else x, False
            x = with_dependencies([broadcasting.assert_compatible_matrix_dimensions(self, x)], x)
        if self.is_square and not adjoint_arg:
            shape = arrays.shape(x)
        elif self.is_square:
            shape = joining.concat([arrays.shape(x)[:-2], [arrays.shape(x)[-1], arrays.shape(x)[-2]]], axis=0)
        else:
            given = arrays.shape(x)
            rows = self._num_columns if adjoint else self._num_rows
            columns = given[-2] if adjoint_arg else given[-1]
            shape = joining.concat([given[:-2], [rows, columns]], axis=0)
        return self._in_batch(constants.zeros(shape, dtype=x.dtype))

    def _of_batch(self) -> Any:
        known = self.batch_shape.is_fully_defined()
        return constants.zeros(self.batch_shape if known else self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self) -> Any:
        return self._of_batch()

    def _trace(self) -> Any:
        return self._of_batch()

    def _diag_part(self) -> Any:
        if self.shape.is_fully_defined():
            size = min(n or 0 for n in self.shape.as_list()[-2:])
            return constants.zeros(self.batch_shape.concatenate([size]), dtype=self.dtype)
        shape = [self.batch_shape_tensor(), [reductions.reduce_min(self.shape_tensor()[-2:])]]
        return constants.zeros(joining.concat(shape, axis=0), dtype=self.dtype)

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """``mat``, in the shape of the batch."""
        return self._in_batch(mat)


def _product(zeros: LinearOperator, other: LinearOperator) -> LinearOperator:
    if not zeros.is_square or not other.is_square:
        raise ValueError(
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not supported at this time."
        )
    return zeros


@RegisterMatmul(LinearOperator, LinearOperatorZeros)
def _times_zeros(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return _product(b, a)


@RegisterMatmul(LinearOperatorZeros, LinearOperator)
def _zeros_times(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return _product(a, b)
