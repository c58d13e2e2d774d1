"""Sparse tensors that a session keeps under numbers, so that they can go through queues."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.sparse import as_sparse


class _Map:
    """Sparse tensors by number."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.kept: dict[int, tuple[Any, Any, Any]] = {}
        self.following = 0

    def add(self, indices: Any, values: Any, shape: Any) -> int:
        with self.lock:
            number = self.following
            self.following += 1
            self.kept[number] = indices, values, shape
            return number

    def take(self, number: int) -> tuple[Any, Any, Any]:
        with self.lock:
            if number not in self.kept:
                raise errors.InvalidArgumentError(None, None, f"Unable to find SparseTensor: {number} in map")
            return self.kept.pop(number)


def _map(memory: Any, container: Any, shared_name: Any, name: str) -> _Map:
    given = shared_name.decode() if isinstance(shared_name, bytes) else shared_name
    place = container.decode() if isinstance(container, bytes) else container
    found: _Map = memory.resource(place, f"sparse map {given or name}", _Map)
    return found


def _add(xp: Any, memory: Any, indices: Any, values: Any, shape: Any, *, container: Any, shared_name: Any) -> Any:
    _check(indices, values, shape)
    whole = _map(memory, container, shared_name, memory.op.name)
    return np.int64(whole.add(np.array(indices), np.array(values), np.array(shape)))


def _check(indices: Any, values: Any, shape: Any) -> None:
    for word, x, rank in (("indices", indices, 2), ("values", values, 1), ("shape", shape, 1)):
        if np.ndim(x) != rank:
            kind = "matrix" if rank == 2 else "vector"
            raise errors.InvalidArgumentError(
                None, None, f"Input {word} should be a {kind} but received shape {shape_text(np.shape(x))}"
            )


def _add_many(xp: Any, memory: Any, indices: Any, values: Any, shape: Any, *, container: Any, shared_name: Any) -> Any:
    _check(indices, values, shape)
    if len(shape) < 2:
        raise errors.InvalidArgumentError(
            None, None, f"Rank of input SparseTensor should be > 1, but saw rank: {len(shape)}"
        )
    whole = _map(memory, container, shared_name, memory.op.name)
    numbers = []
    for row in range(int(shape[0])):
        here = indices[:, 0] == row
        numbers.append(whole.add(indices[here][:, 1:], np.asarray(values)[here], np.array(shape[1:])))
    return np.array(numbers, np.int64)


def _take(xp: Any, memory: Any, handles: Any, *, container: Any, shared_name: Any) -> list[Any]:
    whole = _map(memory, container, shared_name, memory.op.name)
    parts = [whole.take(int(h)) for h in np.ravel(handles)]
    if not parts:
        raise errors.InvalidArgumentError(None, None, "Must have at least 1 serialized SparseTensor")
    rank = len(parts[0][2])
    for i, (_, _, shape) in enumerate(parts):
        if len(shape) != rank:
            raise errors.InvalidArgumentError(
                None, None, "Inconsistent rank across SparseTensors: rank prior to SparseTensor"
                f"[{i}] was: {rank + 1} but rank of SparseTensor[{i}] is: {len(shape) + 1}",
            )  # fmt: skip
    indices = [np.concatenate([np.full((len(p[0]), 1), i), p[0]], axis=1) for i, p in enumerate(parts)]
    shape = np.max([p[2] for p in parts], axis=0)
    return [
        np.concatenate(indices).astype(np.int64), np.concatenate([p[1] for p in parts]),
        np.array([len(parts), *shape], np.int64),
    ]  # fmt: skip


_PLACE = {"container": "", "shared_name": ""}
_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}
_SPARSE = "sparse_indices: int64, sparse_values: T, sparse_shape: int64"


def _one(indices: Tensor, values: Tensor, shape: Tensor) -> RawShape:
    shape_rules.with_rank(indices, 2)
    shape_rules.with_rank(values, 1)
    shape_rules.with_rank(shape, 1)
    return ()


ADD_SPARSE = define(
    "AddSparseToTensorsMap", _SPARSE, "sparse_handle: int64", attrs=_PLACE, shape=_one, kernel=_add, **_HOST
)
ADD_MANY_SPARSE = define(
    "AddManySparseToTensorsMap", _SPARSE, "sparse_handles: int64", attrs=_PLACE,
    shape=lambda indices, values, shape: (None,), kernel=_add_many, **_HOST,
)  # fmt: skip
TAKE_MANY_SPARSE = define(
    "TakeManySparseFromTensorsMap", "sparse_handles: int64",
    "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64", attrs={"dtype": REQUIRED, **_PLACE},
    shape=lambda handles: [(None, None), (None,), (None,)], kernel=_take, **_HOST,
)  # fmt: skip


def add_sparse_to_tensors_map(
    sp_input: Any, container: Any = None, shared_name: Any = None, name: str | None = None
) -> Tensor:
    """The number under which a sparse tensor is kept, in the map of these names."""
    return _added(ADD_SPARSE, sp_input, container, shared_name, name)


def add_many_sparse_to_tensors_map(
    sp_input: Any, container: Any = None, shared_name: Any = None, name: str | None = None
) -> Tensor:
    """The numbers under which the rows of a sparse tensor are kept, in the map of these names."""
    return _added(ADD_MANY_SPARSE, sp_input, container, shared_name, name)


def _added(definition: OpDef, sp_input: Any, container: Any, shared_name: Any, name: str | None) -> Tensor:
    x = as_sparse(sp_input)
    return apply(  # type: ignore[no-any-return]
        definition, x.indices, x.values, x.dense_shape, container=container or "", shared_name=shared_name or "",
        name=name,
    )  # fmt: skip


def take_many_sparse_from_tensors_map(
    sparse_map_op: Operation, sparse_handles: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """The sparse tensors of these numbers as the rows of one; they are kept no longer."""
    dtype: DType = sparse_map_op.inputs[1].dtype
    with colocate_with(sparse_map_op):
        shared_name = sparse_map_op.attrs["shared_name"] or sparse_map_op.name
        indices, values, shape = apply(
            TAKE_MANY_SPARSE, sparse_handles, dtype=dtype, container=sparse_map_op.attrs["container"],
            shared_name=shared_name, name=name,
        )  # fmt: skip
    indices.set_shape([None, rank])
    shape.set_shape([rank])
    return SparseTensor(indices, values, shape)
