"""Linear operators that are made of tensors: diagonal, identity, lower triangular, full."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph import dtypes as dtypes_
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators import broadcasting, sizes
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import (
    arrays,
    casts,
    checks,
    complex_numbers,
    conjugates,
    constants,
    control,
    diagonals,
    exponentials,
    joining,
    matrices,
    reductions,
    rounding,
    solving,
)
from retrograd.ops.control import with_dependencies


class LinearOperatorFullMatrix(LinearOperator):
    """Matrices that are written out."""

    def __init__(
        self,
        matrix: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        with name_scope(name, values=[matrix]):
            self._matrix = matrix = broadcasting.held(matrix, name="matrix")
            allowed = [dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]
            if matrix.dtype not in allowed:
                raise TypeError(f"Argument matrix must have dtype in {allowed}.  Found: {matrix.dtype}")
            if matrix.shape.ndims is not None and matrix.shape.ndims < 2:
                raise ValueError(f"Argument matrix must have at least 2 dimensions.  Found: {matrix}")
            super().__init__(
                matrix.dtype, [matrix], is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
            )

    def _shape(self) -> TensorShape:
        return self._matrix.shape

    def _shape_tensor(self) -> Any:
        return arrays.shape(self._matrix)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matrices.matmul(self._matrix, x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _to_dense(self) -> Any:
        return self._matrix


class LinearOperatorLowerTriangular(LinearOperator):
    """Lower triangles; what stands above the diagonal of ``tril`` is not read."""

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        with name_scope(name, values=[tril]):
            self._tril = tril = broadcasting.held(tril, name="tril")
            if tril.shape.ndims is not None and tril.shape.ndims < 2:
                raise ValueError(f"Argument tril must have at least 2 dimensions.  Found: {tril}")
            super().__init__(tril.dtype, [tril], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    def _triangle(self) -> Any:
        return diagonals.matrix_band_part(self._tril, -1, 0)

    def _diagonal(self) -> Any:
        return diagonals.matrix_diag_part(self._tril)

    def _shape(self) -> TensorShape:
        return self._tril.shape

    def _shape_tensor(self) -> Any:
        return arrays.shape(self._tril)

    def _assert_non_singular(self) -> Any:
        return broadcasting.assert_no_entries_with_modulus_zero(
            self._diagonal(), message="Singular operator:  Diagonal contained zero values."
        )

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return matrices.matmul(self._triangle(), x, adjoint_a=adjoint, adjoint_b=adjoint_arg)

    def _determinant(self) -> Any:
        return reductions.reduce_prod(self._diagonal(), axis=[-1])

    def _log_abs_determinant(self) -> Any:
        return reductions.reduce_sum(exponentials.log(rounding.abs_(self._diagonal())), axis=[-1])

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = solving.adjoint(rhs) if adjoint_arg else rhs
        return broadcasting.matrix_triangular_solve_with_broadcast(self._triangle(), rhs, True, adjoint)

    def _to_dense(self) -> Any:
        return self._triangle()


class LinearOperatorDiag(LinearOperator):
    """Diagonal matrices."""

    def __init__(
        self,
        diag: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        with name_scope(name, values=[diag]):
            self._diag = diag = broadcasting.held(diag, name="diag")
            if diag.shape.ndims is not None and diag.shape.ndims < 1:
                raise ValueError(f"Argument diag must have at least 1 dimension.  Found: {diag}")
            if not diag.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("Only square diagonal operators currently supported.")
            super().__init__(diag.dtype, [diag], is_non_singular, is_self_adjoint, is_positive_definite, True, name)

    @property
    def diag(self) -> Tensor:
        return self._diag

    def _shape(self) -> TensorShape:
        return self._diag.shape.concatenate(self._diag.shape[-1:])

    def _shape_tensor(self) -> Any:
        shape = arrays.shape(self._diag)
        k = shape[-1]
        return joining.concat((shape, [k]), 0)

    def _assert_non_singular(self) -> Any:
        return broadcasting.assert_no_entries_with_modulus_zero(
            self._diag, message="Singular operator:  Diagonal contained zero values."
        )

    def _assert_positive_definite(self) -> Any:
        message = "Real diagonal operator had non-positive diagonal entries, thus was not positive definite."
        if self.dtype.is_complex:
            message = (
                "Diagonal operator had diagonal entries with non-positive real part, thus was not positive definite."
            )
        return checks.assert_positive(complex_numbers.real(self._diag), message=message)

    def _assert_self_adjoint(self) -> Any:
        return broadcasting.assert_zero_imag_part(
            self._diag,
            message="This diagonal operator contained non-zero imaginary values.   Thus it was not self-adjoint.",
        )

    def _factor(self, adjoint: bool) -> Any:
        return conjugates.conj(self._diag) if adjoint else self._diag

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        factor = self._factor(adjoint)
        x = solving.adjoint(x) if adjoint_arg else x
        return arrays.expand_dims(factor, -1) * x

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self._factor(adjoint) * x

    def _determinant(self) -> Any:
        return reductions.reduce_prod(self._diag, axis=[-1])

    def _log_abs_determinant(self) -> Any:
        log_det = reductions.reduce_sum(exponentials.log(rounding.abs_(self._diag)), axis=[-1])
        return casts.cast(log_det, dtype=self.dtype) if self.dtype.is_complex else log_det

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        factor = self._factor(adjoint)
        rhs = solving.adjoint(rhs) if adjoint_arg else rhs
        return rhs * arrays.expand_dims(1.0 / factor, -1)

    def _to_dense(self) -> Any:
        return diagonals.matrix_diag(self._diag)

    def _diag_part(self) -> Any:
        return self.diag

    def _add_to_tensor(self, x: Any) -> Any:
        diagonal = diagonals.matrix_diag_part(x)
        return diagonals.matrix_set_diag(x, self._diag + diagonal)


class BaseLinearOperatorIdentity(LinearOperator):
    """Multiples of the identity."""

    _num_rows: Any
    _num_rows_static: Any
    _assert_proper_shapes: bool

    def _set_num_rows(self, num_rows: Any) -> None:
        rows = broadcasting.shape_tensor(num_rows, name="num_rows")
        self._num_rows_static = static = constant_value(rows)
        if self._assert_proper_shapes:
            rows = sizes.asserted_size(rows, "num_rows", 0)
        self._num_rows = rows
        sizes.check_size(rows, static, "num_rows", 0)

    def _min_matrix_dim(self) -> int | None:
        columns, rows = self.domain_dimension.value, self.range_dimension.value
        return None if columns is None or rows is None else min(columns, rows)

    def _min_matrix_dim_tensor(self) -> Any:
        return reductions.reduce_min(self.shape_tensor()[-2:])

    def _ones_diag(self) -> Any:
        if self.shape.is_fully_defined():
            return constants.ones(self.batch_shape.concatenate([self._min_matrix_dim()]), dtype=self.dtype)
        shape = joining.concat([self.batch_shape_tensor(), [self._min_matrix_dim_tensor()]], axis=0)
        return constants.ones(shape, dtype=self.dtype)

    def _ones_of_batch(self) -> Any:
        shape = self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor()
        return constants.ones(shape, dtype=self.dtype)

    def _size_of_matrix(self) -> Any:
        size = self._min_matrix_dim()
        return size if size is not None else casts.cast(self._min_matrix_dim_tensor(), self.dtype)

    def _checked(self, x: Any) -> Any:
        if not self._assert_proper_shapes:
            return x
        return with_dependencies([broadcasting.assert_compatible_matrix_dimensions(self, x)], x)


class LinearOperatorIdentity(sizes.OfSizes, BaseLinearOperatorIdentity):
    """``num_rows`` ones on the diagonal."""

    def __init__(
        self,
        num_rows: Any,
        batch_shape: Any = None,
        dtype: Any = None,
        is_non_singular: bool = True,
        is_self_adjoint: bool = True,
        is_positive_definite: bool = True,
        is_square: bool = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name):
            hints = {
                "self adjoint": is_self_adjoint, "non-singular": is_non_singular,
                "positive-definite": is_positive_definite, "square": is_square,
            }  # fmt: skip
            for what, hint in hints.items():
                if not hint:
                    raise ValueError(f"An identity operator is always {what}.")
            super().__init__(
                dtypes_.as_dtype(dtype or dtypes.float32), None, is_non_singular, is_self_adjoint,
                is_positive_definite, is_square, name,
            )  # fmt: skip
            broadcasting.assert_not_ref_type(num_rows, "num_rows")
            broadcasting.assert_not_ref_type(batch_shape, "batch_shape")
            self._set_num_rows(num_rows)
            self._num_columns, self._num_columns_static = self._num_rows, self._num_rows_static
            self._batch_shape_arg = self._batch_shape_static = None
            if batch_shape is not None:
                self._set_batch_shape(broadcasting.shape_tensor(batch_shape, name="batch_shape_arg"))

    def _set_batch_shape(self, shape: Any) -> None:
        self._batch_shape_static = static = constant_value(shape)
        if self._assert_proper_shapes:
            shape = sizes.asserted_size(shape, "batch_shape", 1)
        self._batch_shape_arg = shape
        sizes.check_size(shape, static, "batch_shape", 1)

    def _assert_non_singular(self) -> Any:
        return control.no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        return control.no_op("assert_positive_definite")

    def _assert_self_adjoint(self) -> Any:
        return control.no_op("assert_self_adjoint")

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = solving.adjoint(x) if adjoint_arg else x
        return self._in_batch(self._checked(x))

    def _determinant(self) -> Any:
        return constants.ones(self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Any:
        return constants.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint_arg=adjoint_arg)

    def _trace(self) -> Any:
        ones = self._ones_of_batch()
        return self._size_of_matrix() * ones

    def _diag_part(self) -> Any:
        return self._ones_diag()

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """``I + mat``."""
        with self._name_scope(name):
            mat = as_tensor(mat, name="mat")
            return diagonals.matrix_set_diag(mat, 1 + diagonals.matrix_diag_part(mat))


class LinearOperatorScaledIdentity(BaseLinearOperatorIdentity):
    """``multiplier`` on a diagonal of ``num_rows``."""

    def __init__(
        self,
        num_rows: Any,
        multiplier: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        self._assert_proper_shapes = assert_proper_shapes
        with name_scope(name, values=[multiplier, num_rows]):
            self._multiplier = broadcasting.held(multiplier, name="multiplier")
            if not self._multiplier.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real diagonal operator is always self adjoint.")
                is_self_adjoint = True
            if not is_square:
                raise ValueError("A ScaledIdentity operator is always square.")
            super().__init__(
                self._multiplier.dtype.base_dtype, None, is_non_singular, is_self_adjoint, is_positive_definite,
                is_square, name,
            )  # fmt: skip
            broadcasting.assert_not_ref_type(num_rows, "num_rows")
            self._set_num_rows(num_rows)
            self._num_rows_cast_to_dtype = casts.cast(self._num_rows, self.dtype)
            self._num_rows_cast_to_real_dtype = casts.cast(self._num_rows, self.dtype.real_dtype)

    @property
    def multiplier(self) -> Tensor:
        return self._multiplier

    def _shape(self) -> TensorShape:
        return self.multiplier.shape.concatenate((self._num_rows_static, self._num_rows_static))

    def _shape_tensor(self) -> Any:
        matrix = joining.stack((self._num_rows, self._num_rows), axis=0)
        return joining.concat((arrays.shape(self.multiplier), matrix), 0)

    def _assert_non_singular(self) -> Any:
        return checks.assert_positive(rounding.abs_(self.multiplier), message="LinearOperator was singular")

    def _assert_positive_definite(self) -> Any:
        message = "LinearOperator was not positive definite."
        return checks.assert_positive(complex_numbers.real(self.multiplier), message=message)

    def _assert_self_adjoint(self) -> Any:
        imag = complex_numbers.imag(self.multiplier)
        return checks.assert_equal(constants.zeros_like(imag), imag, message="LinearOperator was not self-adjoint")

    def _factor(self, adjoint: bool) -> Any:
        factor = arrays.expand_dims(arrays.expand_dims(self.multiplier, -1), -1)
        return conjugates.conj(factor) if adjoint else factor

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = solving.adjoint(x) if adjoint_arg else x
        return self._checked(x) * self._factor(adjoint)

    def _determinant(self) -> Any:
        return self.multiplier**self._num_rows_cast_to_dtype

    def _log_abs_determinant(self) -> Any:
        return self._num_rows_cast_to_real_dtype * exponentials.log(rounding.abs_(self.multiplier))

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = solving.adjoint(rhs) if adjoint_arg else rhs
        return self._checked(rhs) / self._factor(adjoint)

    def _trace(self) -> Any:
        ones = self._ones_of_batch()
        return self.multiplier * self._size_of_matrix() * ones

    def _diag_part(self) -> Any:
        return self._ones_diag() * self.multiplier[..., None]

    def add_to_tensor(self, mat: Any, name: str = "add_to_tensor") -> Any:
        """``c I + mat``."""
        with self._name_scope(name):
            diagonal = arrays.expand_dims(self.multiplier, -1)
            mat = as_tensor(mat, name="mat")
            return diagonals.matrix_set_diag(mat, diagonal + diagonals.matrix_diag_part(mat))
