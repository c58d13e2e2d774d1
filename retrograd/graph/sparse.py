"""Tensors stored in parts: ``IndexedSlices`` (rows of a larger tensor) and ``SparseTensor`` (coordinates)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from retrograd.graph.composite import CompositeTensor
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor, TensorLike

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph
    from retrograd.graph.operation import Operation


class IndexedSlices(TensorLike, CompositeTensor):
    """``dense[indices[i]] = values[i]``, zero elsewhere; rows named twice add up.

    The gradient of a gather: ``values`` has shape ``[n, ...]``, ``indices`` has shape ``[n]``.
    """

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None) -> None:
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape

    @property
    def dtype(self) -> DType:
        return self.values.dtype

    @property
    def name(self) -> str:
        return self.values.name

    @property
    def device(self) -> str:
        return self.values.device

    @property
    def op(self) -> Operation:
        return self.values.op

    @property
    def graph(self) -> Graph:
        return self.values.graph

    @property
    def shape(self) -> TensorShape:
        """The static dense shape, as far as it is known."""
        from retrograd.graph.static import constant_value_as_shape

        return TensorShape(None) if self.dense_shape is None else constant_value_as_shape(self.dense_shape)

    @property
    def _type_spec(self) -> Any:
        from retrograd.graph.specs import IndexedSlicesSpec

        values = self.values.shape
        shape = TensorShape([None]).concatenate(values[1:]).merge_with(self.shape)
        dense_shape_dtype = None if self.dense_shape is None else self.dense_shape.dtype
        indices_shape = self.indices.shape.merge_with(values[:1])
        return IndexedSlicesSpec(shape, self.dtype, self.indices.dtype, dense_shape_dtype, indices_shape)

    def consumers(self) -> list[Operation]:
        """The operations that read one of the parts."""
        return self._consumers()

    def __str__(self) -> str:
        dense = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{dense})"

    def __neg__(self) -> IndexedSlices:
        values: Any = self.values
        return IndexedSlices(-values, self.indices, self.dense_shape)


class IndexedSlicesValue(NamedTuple):
    """What a run gives for ``IndexedSlices``: NumPy arrays."""

    values: Any
    indices: Any
    dense_shape: Any = None


class SparseTensorValue(NamedTuple):
    """What a run gives for a ``SparseTensor``, and what feeds one: NumPy arrays."""

    indices: Any
    values: Any
    dense_shape: Any


class SparseTensor(TensorLike, CompositeTensor):
    """A tensor given by the coordinates and values of its nonzero elements.

    ``indices`` is int64 ``[n, rank]``, ``values`` is ``[n]``, ``dense_shape`` is int64 ``[rank]``.
    """

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        from retrograd.graph.convert import as_tensor
        from retrograd.graph.scopes import name_scope

        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            self._indices = as_tensor(indices, "int64", name="indices")
            self._values = as_tensor(values, name="values")
            self._dense_shape = as_tensor(dense_shape, "int64", name="dense_shape")
        indices_shape = self._indices.shape.with_rank(2)
        values_shape = self._values.shape.with_rank(1)
        rank_shape = self._dense_shape.shape.with_rank(1)
        indices_shape[0].merge_with(values_shape[0])
        indices_shape[1].merge_with(rank_shape[0])

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor of the parts of a ``SparseTensorValue``."""
        if not isinstance(sparse_tensor_value, SparseTensor | SparseTensorValue):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        return cls(*(getattr(sparse_tensor_value, part) for part in SparseTensorValue._fields))

    @property
    def indices(self) -> Tensor:
        return self._indices

    @property
    def values(self) -> Tensor:
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        return self._dense_shape

    @property
    def op(self) -> Operation:
        return self._values.op

    @property
    def dtype(self) -> DType:
        return self._values.dtype

    @property
    def graph(self) -> Graph:
        return self._indices.graph

    @property
    def shape(self) -> TensorShape:
        from retrograd.graph.static import constant_value_as_shape

        return constant_value_as_shape(self._dense_shape)

    def get_shape(self) -> TensorShape:
        """The same as ``shape``."""
        return self.shape

    def eval(self, feed_dict: Any = None, session: Any = None) -> SparseTensorValue:
        """The three parts as NumPy arrays."""
        from retrograd.graph.tensor import session_for

        session = session_for(self.graph, session, "evaluate tensor", "eval()")
        return SparseTensorValue(*session.run([self.indices, self.values, self.dense_shape], feed_dict))

    @property
    def _type_spec(self) -> Any:
        from retrograd.graph.specs import SparseTensorSpec

        return SparseTensorSpec(self.shape, self.dtype)

    def consumers(self) -> list[Operation]:
        """The operations that read one of the parts."""
        return self._consumers()

    def __str__(self) -> str:
        return f"SparseTensor(indices={self._indices}, values={self._values}, dense_shape={self._dense_shape})"

    __repr__ = __str__
