"""Sums of several tensors of one shape."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor_or_slices
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, kinds, segments, shape_rules


def _sum(unlike: Callable[[str, int, str], str]) -> Callable[..., Any]:
    """The sum of all; ``unlike`` says what is wrong with inputs of two shapes."""

    def kernel(xp: Any, inputs: list[Any]) -> Any:
        first = np.shape(inputs[0])
        for i, x in enumerate(inputs):
            if np.shape(x) != first:
                text = unlike(shapes.shape_text(first), i, shapes.shape_text(np.shape(x)))
                raise errors.InvalidArgumentError(None, None, text)
        return _by_eights(inputs)

    return kernel


def _by_eights(inputs: list[Any]) -> Any:
    """The sum in TensorFlow's order: two to nine first, then eight by eight, each eight added up for itself."""
    count = (len(inputs) - 2) % 8 + 2
    value = functools.reduce(operator.add, inputs[:count])
    for i in range(count, len(inputs), 8):
        value = value + functools.reduce(operator.add, inputs[i : i + 8])
    return value


def _unlike(first: str, i: int, other: str) -> str:
    return (
        "Inputs to operation {node} of type AddN must have the same size and shape.  "
        f"Input 0: {first} != input {i}: {other}"
    )


def _sum_gradient(op: Any, dy: Any) -> list[Any]:
    """Each input moves the sum as much as any other."""
    return [dy] * len(op.inputs)


ADD_N = define(
    "AddN", "inputs: N*T", "sum: T", types={"T": (*kinds.NUMERIC, dtypes.variant)},
    shape=shape_rules.all_merged,
    kernel=_sum(_unlike), gradient=_sum_gradient,
)  # fmt: skip


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The elementwise sum of ``inputs``, tensors of one shape and dtype.

    Raises:
      ValueError: ``inputs`` is empty or not a list of tensors.
    """
    wrong = "inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape"
    if not isinstance(inputs, list | tuple) or not inputs:
        raise ValueError(wrong)
    values = [as_tensor_or_slices(x) for x in inputs]
    if not all(isinstance(x, Tensor | IndexedSlices) for x in values):
        raise ValueError(wrong)
    if len(values) == 1:
        value = values[0]
        if isinstance(value, IndexedSlices):
            value = segments.dense(value)
        return arrays.identity(value, name=name) if name else value
    return apply(ADD_N, values, name=name)


ACCUMULATE_N_V2 = define(
    "AccumulateNV2", "inputs: N*T", "sum: T", attrs={"shape": REQUIRED}, types={"T": kinds.NUMERIC},
    shape=lambda inputs, *, shape: shape._raw,
    kernel=_sum(lambda first, i, other: "Parameters and update must be the same size"),
    gradient=_sum_gradient,
)  # fmt: skip


def accumulate_n(inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None) -> Tensor:
    """The elementwise sum of ``inputs``, whose shape is ``shape`` or what is known of them.

    Raises:
      ValueError: ``inputs`` is empty, or not a list of tensors of one shape and dtype.
      TypeError: they are not of ``tensor_dtype``.
    """
    wrong = "inputs must be a list of at least one Tensor with the same dtype and shape"
    if not inputs or not isinstance(inputs, list | tuple):
        raise ValueError(wrong)
    values = [as_tensor_or_slices(x) for x in inputs]
    if not all(isinstance(x, Tensor) for x in values):
        raise ValueError(wrong)
    if any(x.dtype is not values[0].dtype for x in values):
        raise ValueError(wrong)
    total = TensorShape(shape)
    for value in values:
        total = total.merge_with(value.shape)
    if tensor_dtype is not None and tensor_dtype != values[0].dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {values[0].dtype}")
    if len(values) == 1:
        return values[0] if name is None else arrays.identity(values[0], name=name)
    return apply(ACCUMULATE_N_V2, values, shape=total, name=name)
