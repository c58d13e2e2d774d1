"""Arguments of datasets as tensors."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor


def optional_param_to_tensor(
    argument_name: str, argument_value: Any, argument_default: Any = 0, argument_dtype: DType = dtypes.int64
) -> Tensor:
    """The value of an argument, or its default where it is None."""
    value = argument_default if argument_value is None else argument_value
    return as_tensor(value, argument_dtype, name=argument_name)


def partial_shape_to_tensor(shape_like: Any) -> Tensor:
    """A shape as a vector of int64, in which -1 stands for what is unknown.

    Args:
      shape_like: a ``TensorShape``, what makes one, or a vector of int64.

    Raises:
      ValueError: it is of unknown rank, or a tensor that is no vector.
      TypeError: it is a vector of another dtype.
    """
    return shape_tensor(shape_like, "The given shape", "the")


def shape_tensor(given: Any, what: str, its: str) -> Tensor:
    """The same; errors call it ``what``, and speak of ``its`` shape."""
    try:
        shape = TensorShape(given) if not isinstance(given, Tensor) else None
    except (TypeError, ValueError):
        shape = None
    if shape is not None:
        if shape.ndims is None:
            raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {shape}")
        return as_tensor([-1 if n is None else n for n in shape.as_list()], dtypes.int64)
    tensor = as_tensor(given, preferred_dtype=dtypes.int64)
    wanted = f"{what} {given} must be a 1-D tensor of tf.int64 values, but {its}"
    if tensor.shape.ndims not in (None, 1):
        raise ValueError(f"{wanted} shape was {tensor.shape}.")
    if tensor.dtype != dtypes.int64:
        raise TypeError(f"{wanted} element type was {tensor.dtype.name}.")
    return tensor
