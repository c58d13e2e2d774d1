"""Products and solutions whose batches broadcast, and hints about matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    checks,
    complex_numbers,
    control,
    joining,
    permuting,
    repeating,
    rounding,
    solving,
)
from retrograd.state.resource import ResourceVariable
from retrograd.state.variables import VariableV2


def held(value: Any, name: str) -> Any:
    """What an operator keeps of ``value``: a variable itself, which is read at each use; else a tensor."""
    return value if isinstance(value, ResourceVariable) else as_tensor(value, name=name)


def assert_not_ref_type(x: Any, arg_name: str) -> None:
    """Refuse a variable as a size."""
    if isinstance(x, VariableV2) or getattr(getattr(x, "dtype", None), "_is_ref_dtype", False):
        raise TypeError(f"Argument {arg_name} cannot be reference type. Found: {type(x)}")


def shape_tensor(shape: Any, name: str | None = None) -> Tensor:
    """A shape as a vector, int32 even if it is empty."""
    dtype = dtypes.int32 if isinstance(shape, tuple | list) and not shape else None
    return as_tensor(shape, dtype=dtype, name=name)


def assert_no_entries_with_modulus_zero(
    x: Any, message: str | None = None, name: str = "assert_no_entries_with_modulus_zero"
) -> Any:
    """An op that fails if an element is zero."""
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        size = rounding.abs_(x)
        zero = as_tensor(0, dtype=x.dtype.base_dtype.real_dtype)
        return checks.assert_less(zero, size, message=message)


def assert_zero_imag_part(x: Any, message: str | None = None, name: str = "assert_zero_imag_part") -> Any:
    """An op that fails if an element is not real."""
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        if x.dtype.base_dtype.is_floating:
            return control.no_op()
        zero = as_tensor(0, dtype=x.dtype.base_dtype.real_dtype)
        return checks.assert_equal(zero, complex_numbers.imag(x), message=message)


def assert_compatible_matrix_dimensions(operator: Any, x: Any) -> Any:
    """An op that fails unless ``x`` has as many rows as the operator has columns."""
    message = "Dimensions are not compatible.  shape[-2] of argument to be the same as this operator"
    return checks.assert_equal(arrays.shape(x)[-2], operator.domain_dimension_tensor(), message=message)


def assert_is_batch_matrix(tensor: Tensor) -> None:
    """Refuse what is known to have less than two dimensions."""
    if tensor.shape.ndims is not None and tensor.shape.ndims < 2:
        raise ValueError(f"Expected [batch] matrix to have at least two dimensions.  Found: {tensor}")


def broadcast_matrix_batch_dims(batch_matrices: Sequence[Any], name: str | None = None) -> list[Tensor]:
    """Matrices with batches of one shape, each repeated where it must be."""
    with name_scope(name or "broadcast_matrix_batch_dims", values=batch_matrices):
        checks.assert_proper_iterable(batch_matrices)
        matrices = []
        for matrix in batch_matrices:
            matrices.append(as_tensor(matrix))
            assert_is_batch_matrix(matrices[-1])
        if len(matrices) < 2:
            return matrices
        static = matrices[0].shape[:-2]
        for m in matrices[1:]:
            static = repeating.broadcast_static_shape(static, m.shape[:-2])
        if static.is_fully_defined():
            return [
                m if m.shape[:-2] == static
                else repeating.broadcast_to(m, joining.concat([static.as_list(), arrays.shape(m)[-2:]], axis=0))
                for m in matrices
            ]  # fmt: skip
        batch = arrays.shape(matrices[0])[:-2]
        for m in matrices[1:]:
            batch = repeating.broadcast_dynamic_shape(batch, arrays.shape(m)[:-2])
        return [repeating.broadcast_to(m, joining.concat([batch, arrays.shape(m)[-2:]], axis=0)) for m in matrices]


def cholesky_solve_with_broadcast(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """``cholesky_solve`` of batches that broadcast."""
    with name_scope(name, "CholeskySolveWithBroadcast", [chol, rhs]):
        chol, rhs = broadcast_matrix_batch_dims([chol, rhs])
        return solving.cholesky_solve(chol, rhs)


def matrix_solve_with_broadcast(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """``matrix_solve`` of batches that broadcast."""
    with name_scope(name, "MatrixSolveWithBroadcast", [matrix, rhs]):
        matrix = as_tensor(matrix, name="matrix")
        rhs = as_tensor(rhs, name="rhs", dtype=matrix.dtype)
        matrix, rhs, undo, is_as_given = _extra_dims_as_columns(matrix, rhs, adjoint)
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return undo(solving.matrix_solve(matrix, rhs, adjoint=adjoint and is_as_given))


def matrix_triangular_solve_with_broadcast(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """``matrix_triangular_solve`` of batches that broadcast."""
    with name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix = as_tensor(matrix, name="matrix")
        rhs = as_tensor(rhs, name="rhs", dtype=matrix.dtype)
        matrix, rhs, undo, is_as_given = _extra_dims_as_columns(matrix, rhs, adjoint)
        if not is_as_given and adjoint:
            lower = not lower
        matrix, rhs = broadcast_matrix_batch_dims([matrix, rhs])
        return undo(solving.matrix_triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint and is_as_given))


def _extra_dims_as_columns(
    a: Tensor, b: Tensor, adjoint: bool
) -> tuple[Tensor, Tensor, Callable[[Tensor], Tensor], bool]:
    """``a``, and ``b`` with the dimensions that only it has moved into its columns, if that is less work.

    Also how to undo that, and whether ``a`` is as given and not its adjoint already.
    """
    as_given = (a, b, lambda y: y, True)
    if a.shape.ndims is None or b.shape.ndims is None or a.shape.ndims >= b.shape.ndims:
        return as_given
    extra = b.shape.ndims - a.shape.ndims
    arrays.shape(b)[:extra], arrays.shape(b)[extra:]  # what the graph of TensorFlow holds here
    size = a.shape[-2 if adjoint else -1]
    columns = b.shape[-1]
    static = b.shape[:extra]
    copies = np.prod(static.as_list()) if static.is_fully_defined() else None
    if copies is not None and (copies < 2 or size <= columns):
        return as_given
    if adjoint:
        a = solving.adjoint(a)
    extra_shape, main_shape = arrays.shape(b)[:extra], arrays.shape(b)[extra:]
    perm = np.concatenate((np.arange(extra, b.shape.ndims), np.arange(0, extra)), 0)
    flat = arrays.reshape(permuting.transpose(b, perm=perm), joining.concat((main_shape[:-1], [-1]), 0))

    def undo(y: Tensor) -> Tensor:
        shape = joining.concat((arrays.shape(y)[:-1], [main_shape[-1]], extra_shape), 0)
        return permuting.transpose(arrays.reshape(y, shape), perm=np.argsort(perm))

    return a, flat, undo, False


def use_operator_or_provided_hint_unless_contradicting(
    operator: Any, hint_attr_name: str, provided_hint_value: bool | None, message: str
) -> bool | None:
    """What either the operator or the hint says; a ``ValueError`` with the message if they contradict each other."""
    hints = (getattr(operator, hint_attr_name), provided_hint_value)
    if False in hints and True in hints:
        raise ValueError(message)
    return True if True in hints else False if False in hints else None
