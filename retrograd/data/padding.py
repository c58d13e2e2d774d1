"""Batches of elements that are filled up to one shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.data import nest
from retrograd.data.arguments import shape_tensor
from retrograd.data.dataset import Dataset, _made, _static_rows
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import datasets as ops


def padded_batch(
    dataset: Dataset, batch_size: Any, padded_shapes: Any, padding_values: Any, drop_remainder: Any
) -> Dataset:
    """``batch_size`` elements, each filled up to ``padded_shapes``, put together.

    Raises:
      TypeError: a part of an element is no dense tensor, or a padding value is of another dtype.
      ValueError: a shape or a padding value does not fit.
    """
    spec = dataset.element_spec
    leaves = nest.flatten(spec)
    if not all(isinstance(s, TensorSpec) for s in leaves):
        raise TypeError("Batching of padded sparse tensors is not currently supported")
    size = as_tensor(batch_size, dtypes.int64, name="batch_size")
    if padding_values is None:
        padding_values = nest.map_structure(_zero, spec)
    shapes = [
        _shape_tensor(shape, s.shape) for shape, s in zip(nest.flatten_up_to(spec, padded_shapes), leaves, strict=True)
    ]
    fills = [_fill(value, s.dtype) for value, s in zip(nest.flatten_up_to(spec, padding_values), leaves, strict=True)]
    drop = as_tensor(drop_remainder, dtypes.bool, name="drop_remainder")
    rows = TensorShape([_static_rows(size, drop)])
    batched = [TensorSpec(rows.concatenate(_static(t)), s.dtype) for t, s in zip(shapes, leaves, strict=True)]
    return _made(
        ops.PADDED_BATCH_V2, [dataset], nest.pack_sequence_as(spec, batched), dataset._variant_tensor, size, shapes,
        fills, drop,
    )  # fmt: skip


def _zero(spec: Any) -> Any:
    if spec.dtype.base_dtype == dtypes.string:
        return ""
    if spec.dtype.base_dtype == dtypes.variant:
        raise TypeError("Unable to create padding for field of type 'variant'")
    return np.zeros((), spec.dtype.np)


def _shape_tensor(given: Any, component: TensorShape) -> Tensor:
    tensor = shape_tensor(given, "Padded shape", "its")
    static = _static(tensor)
    if not _fits(static, component):
        raise ValueError(
            f"The padded shape {static} is not compatible with the corresponding input component shape {component}."
        )
    return tensor


def _static(tensor: Tensor) -> TensorShape:
    """The shape that a tensor of sizes tells, as far as it is known."""
    known = static_value(tensor)
    if known is not None:
        return TensorShape([None if n < 0 else int(n) for n in known])
    return TensorShape(None if tensor.dims is None or tensor.dims[0] is None else [None] * tensor.dims[0])


def _fits(padded: TensorShape, component: TensorShape) -> bool:
    a, b = padded._raw, component._raw
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(n is None or m is None or n >= m for n, m in zip(a, b, strict=True))


def _fill(value: Any, dtype: Any) -> Tensor:
    tensor = as_tensor(value, name="padding_value")
    if not tensor.shape.is_compatible_with(TensorShape([])):
        raise ValueError(f"Padding value should be a scalar, but is not: {tensor}")
    if tensor.dtype != dtype:
        raise TypeError(f"Padding value tensor ({tensor}) does not match output type: {dtype}")
    return tensor
