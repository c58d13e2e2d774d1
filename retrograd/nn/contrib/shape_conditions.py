"""Tensors that are held to a shape: what ``tf.contrib.framework`` offers beside ``tf.debugging``."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, asserts, comparison, confusion, reductions, shape_checks


@deprecated(
    None,
    "Please switch to remove_squeezable_dimensions from tf.confusion_matrix. Note that the order of the inputs and "
    "outputs of labels and predictions have also been switched.",
)
def remove_squeezable_dimensions(predictions: Any, labels: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The two without a last dimension of 1 that only one of them has."""
    labels, predictions = confusion.remove_squeezable_dimensions(labels, predictions, name=name)
    return predictions, labels


def assert_scalar_int(tensor: Any, name: str | None = None) -> Tensor:
    """``tensor``, which is a single integer.

    Raises:
      ValueError: it has another dtype, or dimensions.
    """
    with name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = as_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(f"Expected integer type for {tensor.name}, received type: {tensor.dtype}.")
        return shape_checks.assert_scalar(tensor, name=scope)


def _is_shape(expected: Any, tensor: Tensor, actual: Tensor) -> Tensor:
    """Whether the rank is that of ``expected`` and each dimension the expected one, where -1 is any."""
    with name_scope(None, "is_shape", values=[tensor]) as scope:
        size = arrays.size(expected)
        with name_scope(None, "is_rank", values=[tensor]) as rank_scope:
            wanted = as_tensor(size, name="expected")
            is_rank = comparison.equal(wanted, arrays.rank(tensor, name="actual"), name=rank_scope)
        with name_scope(None, "shape_tensor_equal", values=[expected, actual]) as equal_scope:
            any_size = comparison.equal(expected, -1)
            same = comparison.equal(expected, actual, "equal")
            either = comparison.logical_or(any_size, same, name="exclude_partial_shape")
            is_equal = reductions.reduce_all(either, name=equal_scope)
        return comparison.logical_and(is_rank, is_equal, name=scope)


def _assert_shape(expected: Any, tensor: Tensor) -> Any:
    with name_scope(None, "assert_shape", values=[tensor]) as scope:
        actual = arrays.shape(tensor, name="actual")
        if isinstance(expected, TensorShape) and not expected.is_fully_defined():
            expected = [n or -1 for n in expected.as_list()]
        text = f"Wrong shape for {tensor.name} [expected] [actual]."
        return asserts.Assert(_is_shape(expected, tensor, actual), [text, expected, actual], name=scope)


def with_same_shape(expected_tensor: Any, tensor: Any) -> Tensor:
    """``tensor``, which has the shape of ``expected_tensor``; what is unknown while building is checked in runs."""
    with name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        known = expected_tensor.get_shape()
        full = known.is_fully_defined()
        return with_shape(known.as_list() if full else arrays.shape(expected_tensor, name="expected_shape"), tensor)


def _wanted(expected: Any, tensor: Any) -> Any:
    """The expected shape as an array of int32, a tensor, or a ``TensorShape``."""
    place = f"shape {expected} expected of tensor {tensor.name}."
    if isinstance(expected, Tensor):
        if expected.dtype.base_dtype != dtypes.int32:
            raise ValueError(f"Invalid dtype {expected.dtype} for {place}")
        return expected
    if isinstance(expected, list | tuple):
        array = np.asarray(expected, dtype=None if expected else np.int32)
        expected = array.astype(np.int32) if array.dtype == np.int64 else array
    if isinstance(expected, np.ndarray):
        place = f"shape {expected} expected of tensor {tensor.name}."
        if expected.ndim > 1:
            raise ValueError(f"Invalid rank {expected.ndim} for {place}")
        if expected.dtype != np.int32:
            raise ValueError(f"Invalid dtype {expected.dtype} for {place}")
    return expected


def with_shape(expected_shape: Any, tensor: Any) -> Tensor:
    """``tensor``, which has the expected shape; a single element in dimensions of 1 may lose these.

    Raises:
      ValueError: its shape is known to be another, or ``expected_shape`` is no vector of int32.
    """
    if isinstance(tensor, SparseTensor):
        raise ValueError("SparseTensor not supported.")
    expected, actual = _wanted(expected_shape, tensor), tensor.get_shape()
    given = not isinstance(expected, Tensor)
    if not actual.is_fully_defined() or not given:
        with name_scope(f"{tensor.op.name}/", values=[tensor]):
            if given and len(expected) < 1:
                return arrays.reshape(tensor, [])
            with control_dependencies([_assert_shape(expected, tensor)]):
                result = arrays.identity(tensor)
            if given:
                result.set_shape(expected)
            return result
    if not actual.is_compatible_with(expected):
        if len(expected) < 1 and actual.is_compatible_with([1]):
            with name_scope(f"{tensor.op.name}/", values=[tensor]):
                return arrays.reshape(tensor, [])
        raise ValueError(f"Invalid shape for tensor {tensor.name}, expected {expected}, got {actual}.")
    return tensor
