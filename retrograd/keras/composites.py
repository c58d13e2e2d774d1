"""Sparse and ragged tensors as what models are given and give: placeholders, values, and their rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.eager.tensor import EagerTensor
from retrograd.graph import nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.session import get_session
from retrograd.ops import constants
from retrograd.ops.sparse import sparse_placeholder
from retrograd.ragged import making
from retrograd.ragged.tensor import RaggedTensor
from retrograd.ragged.values import RaggedTensorValue
from retrograd.state.variables import VariableV2

SYMBOLIC = Tensor | VariableV2 | SparseTensor | RaggedTensor
VALUES = SparseTensorValue | RaggedTensorValue


def placeholder(dtype: Any, shape: Any, name: str | None, sparse: bool = False, ragged: bool = False) -> Any:
    """A placeholder of examples; a ragged one has rows of other lengths as far as the last unknown size.

    Raises:
      ValueError: it is to be both.
    """
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True in a Keras input.")
    if sparse:
        return sparse_placeholder(dtype, shape=shape, name=name)
    if not ragged:
        return constants.placeholder(dtype, shape=shape, name=name)
    rank = max((i for i, size in enumerate(shape) if size is None), default=0)
    return making.placeholder(dtype, rank, shape[rank + 1 :] if rank else shape, name)


def check_declared(inputs: Any, given: list[Any]) -> None:
    """Raises ``ValueError`` where a model that has no inputs yet is given sparse or ragged ones."""
    for x in given:
        if isinstance(x, SparseTensorValue | SparseTensor):
            raise ValueError(
                "All SparseTensor and RaggedTensor inputs must be explicitly declared using a keras.Input() with "
                f"sparse=True or ragged=True. We found an undeclared input {x}. For Sequential models, please add a "
                "keras.Input() as your first Layer. For subclassed models, please call self._set_inputs() on your "
                "input set, which you can create using keras.Input() for each input to your model."
            )
        if isinstance(x, RaggedTensorValue | RaggedTensor) or hasattr(x, "tocoo"):
            raise ValueError(
                f"Please provide as model inputs either a single array or a list of arrays. You passed: inputs={inputs}"
            )


def value_of(x: Any) -> Any:
    """The value of a tensor that has one, in arrays; anything else is itself."""
    if isinstance(x, EagerTensor):
        return np.asarray(x.numpy())
    if isinstance(x, SparseTensor) and isinstance(x.values, EagerTensor):
        return SparseTensorValue(*map(value_of, (x.indices, x.values, x.dense_shape)))
    if isinstance(x, RaggedTensor) and isinstance(x.row_splits, EagerTensor):
        return RaggedTensorValue(value_of(x.values), value_of(x.row_splits))
    return x


def with_values(data: Any) -> Any:
    """Data whose ragged tensors, which a graph holds, have been run."""
    if isinstance(data, RaggedTensor):
        return get_session().run(data)
    if type(data) is dict:
        return {key: with_values(x) for key, x in data.items()}
    return [with_values(x) for x in data] if type(data) is list and len(data) < 100 else data


def components_of(x: Any) -> list[Any]:
    """The tensors of which a sparse or ragged one consists; any other one alone."""
    return nest.flatten(x, expand_composites=True) if isinstance(x, CompositeTensor) else [x]


# -- rows ----------------------------------------------------------------------------------------


def length_of(array: Any) -> int:
    """The number of its rows."""
    return int((array.dense_shape if isinstance(array, SparseTensorValue) else array.shape)[0])


def rows_of(array: Any, rows: Any) -> Any:
    """Some of the rows."""
    if isinstance(array, SparseTensorValue):
        return _rows_of_sparse(array, rows)
    if not isinstance(array, RaggedTensorValue):
        return array[rows]
    wanted = np.arange(length_of(array))[rows]
    starts, ends = array.row_splits[wanted], array.row_splits[wanted + 1]
    inner = np.concatenate([np.arange(0), *map(np.arange, starts, ends)])
    splits = np.concatenate([[0], np.cumsum(ends - starts)]).astype(array.row_splits.dtype)
    return RaggedTensorValue(rows_of(array.values, inner), splits)


def _rows_of_sparse(array: SparseTensorValue, rows: Any) -> SparseTensorValue:
    wanted = np.arange(length_of(array))[rows]
    place = np.full(length_of(array), -1)
    place[wanted] = np.arange(len(wanted))
    at = place[array.indices[:, 0]]
    kept = np.flatnonzero(at >= 0)
    kept = kept[np.argsort(at[kept], kind="stable")]
    indices = np.concatenate([at[kept, None], array.indices[kept, 1:]], 1)
    return SparseTensorValue(indices, array.values[kept], np.array([len(wanted), *array.dense_shape[1:]]))


def joined(parts: Any) -> Any:
    """The rows of all parts, one behind the other."""
    parts = list(parts)
    if isinstance(parts[0], RaggedTensorValue):
        starts = np.cumsum([0, *(p.row_splits[-1] for p in parts)])
        splits = [p.row_splits[1:] + start for p, start in zip(parts, starts, strict=False)]
        first = parts[0].row_splits[:1]
        return RaggedTensorValue(joined(p.values for p in parts), np.concatenate([first, *splits]).astype(first.dtype))
    if not isinstance(parts[0], SparseTensorValue):
        return np.concatenate(parts)
    starts = np.cumsum([0, *(p.dense_shape[0] for p in parts)])
    rank = parts[0].indices.shape[1]
    moved = [np.add(p.indices, [s, *[0] * (rank - 1)]) for p, s in zip(parts, starts, strict=False)]
    widths = np.max([p.dense_shape[1:] for p in parts], axis=0)
    return SparseTensorValue(
        np.concatenate(moved), np.concatenate([p.values for p in parts]), np.array([starts[-1], *widths])
    )
