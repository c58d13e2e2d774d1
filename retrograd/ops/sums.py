"""Sums of several tensors of one shape."""

from __future__ import annotations

import functools
import operator
from typing import Any

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor_or_slices
from retrograd.graph.definition import define
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, kinds


def _merged(inputs: list[Tensor]) -> RawShape:
    return functools.reduce(shapes.merge, [x.dims for x in inputs])


ADD_N = define(
    "AddN", "inputs: N*T", "sum: T", types={"T": (*kinds.NUMERIC, dtypes.variant)}, shape=_merged,
    kernel=lambda xp, inputs: functools.reduce(operator.add, inputs),
    gradient=lambda op, dy: [dy] * len(op.inputs),
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
    if len(values) == 1:
        value = values[0]
        if isinstance(value, IndexedSlices):
            value = arrays.dense(value)
        return arrays.identity(value, name=name) if name else value
    return apply(ADD_N, [arrays.dense(v) if isinstance(v, IndexedSlices) else v for v in values], name=name)
