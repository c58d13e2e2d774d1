"""Linear operators that the Fourier transform makes diagonal: circulant ones, and with them Toeplitz matrices.

A circulant ``A = F^-1 diag(spectrum) F``; nested blocks have a spectrum of two or three dimensions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.vectors import rotate_transpose
from retrograd.nn.linear_operators import broadcasting
from retrograd.nn.linear_operators.hints import both_are, hints_of, product_is_non_singular, product_is_positive
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
    RegisterAdjoint,
    RegisterInverse,
    RegisterMatmul,
    RegisterSolve,
)
from retrograd.ops import (
    arrays,
    casts,
    checks,
    complex_numbers,
    conjugates,
    constants,
    exponentials,
    fourier,
    joining,
    permuting,
    reductions,
    repeating,
    rounding,
    solving,
)

_FORWARD = {1: fourier.fft, 2: fourier.fft2d, 3: fourier.fft3d}
_BACKWARD = {1: fourier.ifft, 2: fourier.ifft2d, 3: fourier.ifft3d}


def to_complex(x: Tensor) -> Tensor:
    """``x`` as complex numbers of as many digits."""
    if x.dtype.is_complex:
        return x
    return casts.cast(x, dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64)


class _Circulant(LinearOperator):
    """``A = F^-1 diag(spectrum) F`` where F transforms the last ``block_depth`` dimensions."""

    def __init__(
        self, spectrum: Any, block_depth: int, input_output_dtype: Any, is_non_singular: bool | None,
        is_self_adjoint: bool | None, is_positive_definite: bool | None, is_square: bool | None, name: str,
    ) -> None:  # fmt: skip
        self._block_depth = block_depth
        with name_scope(name, values=[spectrum]):
            self._spectrum = as_tensor(spectrum, name="spectrum")
            rank = self._spectrum.shape.ndims
            if rank is not None and rank < block_depth:
                text = f"Argument spectrum must have at least {block_depth} dimensions.  Found: {self._spectrum}"
                raise ValueError(text)
            if not self._spectrum.dtype.is_complex:
                if is_self_adjoint is False:
                    raise ValueError("A real spectrum always corresponds to a self-adjoint operator.")
                is_self_adjoint = True
            if is_square is False:
                raise ValueError("A [[nested] block] circulant operator is always square.")
            self._block_shape_tensor = arrays.shape(self._spectrum)[-block_depth:]
            self._spectrum_complex = to_complex(self._spectrum)
            self._abs_spectrum = rounding.abs_(self._spectrum)
            self._conj_spectrum = conjugates.conj(self._spectrum_complex)
            super().__init__(
                dtypes.as_dtype(input_output_dtype), [self._spectrum], is_non_singular, is_self_adjoint,
                is_positive_definite, True, name,
            )  # fmt: skip

    @property
    def block_depth(self) -> int:
        """How many dimensions the spectrum has."""
        return self._block_depth

    def block_shape_tensor(self) -> Tensor:
        """The dimensions of the spectrum, without those of the batch."""
        return self._block_shape_tensor

    @property
    def block_shape(self) -> TensorShape:
        """The same as far as they are known."""
        shape: TensorShape = self._spectrum.shape[-self._block_depth :]
        return shape

    @property
    def spectrum(self) -> Tensor:
        """The eigenvalues."""
        return self._spectrum

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """What the operator convolves with: the transform of the spectrum back."""
        with self._name_scope(name):
            return casts.cast(_BACKWARD[self._block_depth](self._spectrum_complex), self.dtype)

    def _shape(self) -> TensorShape:
        dims, depth = self._spectrum.shape, self._block_depth
        inner = dims[-depth:]
        n = int(np.prod(inner.as_list())) if inner.is_fully_defined() else None
        return dims[:-depth].concatenate(TensorShape([n, n]))

    def _shape_tensor(self) -> Any:
        dims = arrays.shape(self._spectrum)
        batch = dims[: -self._block_depth]
        n = reductions.reduce_prod(dims[-self._block_depth :])
        return joining.concat((batch, [n, n]), 0)

    # -- what is known of it ---------------------------------------------------------------------

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """An op that fails if the kernel that the operator convolves with is not real."""
        eps = np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        with self._name_scope(name):
            most = eps * self.domain_dimension_tensor()
            left = complex_numbers.imag(self.convolution_kernel())
            return checks.assert_less(rounding.abs_(left), most, message="Spectrum was not Hermitian")

    def _assert_non_singular(self) -> Any:
        return broadcasting.assert_no_entries_with_modulus_zero(
            self._spectrum, message="Singular operator:  Spectrum contained zero values."
        )

    def _assert_positive_definite(self) -> Any:
        message = "Not positive definite:  Real part of spectrum was not all positive."
        return checks.assert_positive(complex_numbers.real(self._spectrum), message=message)

    def _assert_self_adjoint(self) -> Any:
        message = "Not self-adjoint:  The spectrum contained non-zero imaginary part."
        return broadcasting.assert_zero_imag_part(self._spectrum, message=message)

    # -- products --------------------------------------------------------------------------------

    def _in_blocks(self, matrix: Tensor) -> Tensor:
        """The columns of a matrix first, each in the form of the spectrum."""
        columns = rotate_transpose(matrix, shift=1)
        if columns.shape.is_fully_defined() and self.block_shape.is_fully_defined():
            return arrays.reshape(columns, columns.shape[:-1].concatenate(self.block_shape))
        return arrays.reshape(columns, joining.concat((arrays.shape(columns)[:-1], self._block_shape_tensor), 0))

    def _in_columns(self, blocks: Tensor) -> Tensor:
        """The reverse of ``_in_blocks``."""
        depth = self._block_depth
        dims: Any
        if blocks.shape.is_fully_defined():
            known: list[Any] = blocks.shape.as_list()
            dims = [*known[:-depth], int(np.prod(known[-depth:]))]
        else:
            found = arrays.shape(blocks)
            outer = found[:-depth]
            dims = joining.concat((outer, [reductions.reduce_prod(found[-depth:])]), 0)
        return rotate_transpose(arrays.reshape(blocks, dims), shift=-1)

    def _with_batch(self, x: Tensor, spectrum: Tensor) -> tuple[Tensor, Tensor]:
        """A matrix and the spectrum with one batch."""
        column = arrays.reshape(spectrum, joining.concat((self.batch_shape_tensor(), [-1, 1]), axis=0))
        x, column = broadcasting.broadcast_matrix_batch_dims((x, column))
        batch = arrays.shape(x)[:-2]
        return x, arrays.reshape(column, joining.concat((batch, self._block_shape_tensor), axis=0))

    def _transformed(self, x: Tensor, adjoint: bool, by_division: bool) -> Any:
        spectrum = self._conj_spectrum if adjoint else self._spectrum_complex
        if not by_division:
            x = casts.cast(x, spectrum.dtype)
        x, spectrum = self._with_batch(x, spectrum)
        waves = _FORWARD[self._block_depth](to_complex(self._in_blocks(x)))
        blocks = waves / spectrum if by_division else spectrum * waves
        y = self._in_columns(_BACKWARD[self._block_depth](to_complex(blocks)))
        return casts.cast(y, self.dtype)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._transformed(solving.adjoint(x) if adjoint_arg else x, adjoint, False)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._transformed(solving.adjoint(rhs) if adjoint_arg else rhs, adjoint, True)

    # -- numbers of it ---------------------------------------------------------------------------

    def _inner_axes(self) -> list[int]:
        return [-(i + 1) for i in range(self._block_depth)]

    def _determinant(self) -> Any:
        return casts.cast(reductions.reduce_prod(self._spectrum, axis=self._inner_axes()), self.dtype)

    def _log_abs_determinant(self) -> Any:
        logs = exponentials.log(self._abs_spectrum)
        return casts.cast(reductions.reduce_sum(logs, axis=self._inner_axes()), self.dtype)

    def _diag_part(self) -> Any:
        dims: Any
        size: Any
        if self.shape.is_fully_defined():
            dims, size = self.shape[:-1], self.domain_dimension.value
        else:
            dims = self.shape_tensor()[:-1]
            size = self.domain_dimension_tensor()
        ones = constants.ones(dims, dtype=self.dtype)
        each = self.trace() / casts.cast(size, self.dtype)
        return each[..., None] * ones

    def _trace(self) -> Any:
        axes: Any
        if self._spectrum.shape.is_fully_defined():
            rank = len(self._spectrum.shape.as_list())
            axes = np.arange(rank - self._block_depth, rank, dtype=np.int32)
        else:
            count = arrays.rank(self._spectrum)
            axes = constants.range_(count - self._block_depth, count)
        real = reductions.reduce_sum(complex_numbers.real(self._spectrum), axis=axes)
        if not self.dtype.is_complex:
            return casts.cast(real, self.dtype)
        if self.is_self_adjoint:
            imaginary = constants.zeros_like(real)
        else:
            imaginary = reductions.reduce_sum(complex_numbers.imag(self._spectrum), axis=axes)
        return casts.cast(complex_numbers.complex_(real, imaginary), self.dtype)


class LinearOperatorCirculant(_Circulant):
    """Matrices whose columns are the first one, moved on by one place each; ``spectrum`` is its transform."""

    def __init__(
        self, spectrum: Any, input_output_dtype: Any = dtypes.complex64, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = True,
        name: str = "LinearOperatorCirculant",
    ) -> None:  # fmt: skip
        super().__init__(
            spectrum, 1, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )


@RegisterAdjoint(LinearOperatorCirculant)
def _adjoint(a: LinearOperatorCirculant) -> LinearOperator:
    spectrum = conjugates.conj(a.spectrum) if a.spectrum.dtype.is_complex else a.spectrum
    return LinearOperatorCirculant(spectrum, **hints_of(a))


@RegisterInverse(LinearOperatorCirculant)
def _inverse(a: LinearOperatorCirculant) -> LinearOperator:
    return LinearOperatorCirculant(1.0 / a.spectrum, **hints_of(a))


def _of_both(spectrum: Any, a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return LinearOperatorCirculant(
        spectrum,
        is_non_singular=product_is_non_singular(a, b),
        is_self_adjoint=both_are("is_self_adjoint", a, b),
        is_positive_definite=product_is_positive(a, b),
        is_square=True,
    )


@RegisterMatmul(LinearOperatorCirculant, LinearOperatorCirculant)
def _product(a: LinearOperatorCirculant, b: LinearOperatorCirculant) -> LinearOperator:
    return _of_both(a.spectrum * b.spectrum, a, b)


@RegisterSolve(LinearOperatorCirculant, LinearOperatorCirculant)
def _solution(a: LinearOperatorCirculant, b: LinearOperatorCirculant) -> LinearOperator:
    return _of_both(b.spectrum / a.spectrum, a, b)


class LinearOperatorCirculant2D(_Circulant):
    """Circulant blocks, themselves arranged as in a circulant: convolutions of planes."""

    def __init__(
        self, spectrum: Any, input_output_dtype: Any = dtypes.complex64, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = True,
        name: str = "LinearOperatorCirculant2D",
    ) -> None:  # fmt: skip
        super().__init__(
            spectrum, 2, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )


class LinearOperatorCirculant3D(_Circulant):
    """The same once more: convolutions of volumes."""

    def __init__(
        self, spectrum: Any, input_output_dtype: Any = dtypes.complex64, is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None, is_positive_definite: bool | None = None, is_square: bool | None = True,
        name: str = "LinearOperatorCirculant3D",
    ) -> None:  # fmt: skip
        super().__init__(
            spectrum, 3, input_output_dtype, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name
        )


class LinearOperatorToeplitz(LinearOperator):
    """Matrices that are constant along each diagonal, of their first column and first row.

    They are a corner of a circulant of twice the size.
    """

    def __init__(
        self, col: Any, row: Any, is_non_singular: bool | None = None, is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None, is_square: bool | None = None, name: str = "LinearOperatorToeplitz",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[row, col]):
            self._row = as_tensor(row, name="row")
            self._col = as_tensor(col, name="col")
            for word, tensor in (("row", self._row), ("col", self._col)):
                if tensor.shape.ndims is not None and tensor.shape.ndims < 1:
                    raise ValueError(f"Argument {word} must have at least 1 dimension.  Found: {tensor}")
            if self._row.shape[-1] != self._col.shape[-1]:
                raise ValueError("Expected square matrix, got row and col with mismatched dimensions.")
            gap = constants.zeros_like(self._col[..., 0:1])
            rest = permuting.reverse(self._row[..., 1:], axis=[-1])
            circle = joining.concat([self._col, gap, rest], axis=-1)
            wide = circle.dtype in (dtypes.float64, dtypes.complex128)
            spectrum = fourier.fft(casts.cast(circle, dtypes.complex128 if wide else dtypes.complex64))
            self._circulant = LinearOperatorCirculant(spectrum, input_output_dtype=self._row.dtype)
            if is_square is False:
                raise ValueError("Only square Toeplitz operators currently supported.")
            super().__init__(
                self._row.dtype, [self._row, self._col], is_non_singular, is_self_adjoint, is_positive_definite, True,
                name,
            )  # fmt: skip

    @property
    def col(self) -> Tensor:
        """The first column."""
        return self._col

    @property
    def row(self) -> Tensor:
        """The first row."""
        return self._row

    def _shape(self) -> TensorShape:
        dims = repeating.broadcast_static_shape(self._row.shape, self._col.shape)
        return dims.concatenate(dims[-1:])

    def _shape_tensor(self) -> Any:
        dims = repeating.broadcast_dynamic_shape(arrays.shape(self._row), arrays.shape(self._col))
        return joining.concat((dims, [dims[-1]]), 0)

    def _assert_self_adjoint(self) -> Any:
        message = "row and col are not the same, and so this operator is not self-adjoint."
        return checks.assert_equal(self._row, self._col, message=message)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = solving.adjoint(x) if adjoint_arg else x
        longer = joining.concat([x, constants.zeros_like(x)], axis=-2)
        y = self._circulant.matmul(longer, adjoint=adjoint, adjoint_arg=False)
        return casts.cast(y[..., : self.domain_dimension_tensor(), :], self.dtype)

    def _trace(self) -> Any:
        return casts.cast(self.domain_dimension_tensor(), dtype=self.dtype) * self._col[..., 0]

    def _diag_part(self) -> Any:
        return self._col[..., 0:1] * constants.ones([self.domain_dimension_tensor()], self.dtype)
