"""What is known of a value without the value: ``TensorSpec``, ``SparseTensorSpec``, ``IndexedSlicesSpec``.

A spec is told by its ``_serialize()``: a tuple of shapes, dtypes, specs and plain values.  Two specs
are compatible, or have a common one, if they are of one type and their tuples agree item by item.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import convert_to_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.nest import flatten, pack_sequence_as
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue
from retrograd.graph.tensor import Tensor


class TypeSpec(abc.ABC):
    """The type of a value that is made of tensors, and how it is taken apart and put together."""

    @property
    @abc.abstractmethod
    def value_type(self) -> Any:
        """The Python type of the values."""

    @property
    @abc.abstractmethod
    def _component_specs(self) -> Any: ...

    @abc.abstractmethod
    def _to_components(self, value: Any) -> Any: ...

    @abc.abstractmethod
    def _from_components(self, components: Any) -> Any: ...

    @abc.abstractmethod
    def _serialize(self) -> Any: ...

    @classmethod
    def _deserialize(cls, serialization: Any) -> Any:
        return cls(*serialization)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value of the one type can be one of the other."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec_from_value(spec_or_value)
        return type(self) is type(other) and _compatible(self._serialize(), other._serialize())

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The narrowest spec that both are compatible with.

        Raises:
          ValueError: there is none.
        """
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self._deserialize(_merged(self._serialize(), other._serialize()))

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return flatten(self._component_specs, expand_composites=True)

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return flatten(self._to_components(value), expand_composites=True)

    def _from_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        expected = self._flat_tensor_specs
        if len(tensor_list) != len(expected):
            raise ValueError("Incompatible input: wrong number of tensors")
        for i, (tensor, spec) in enumerate(zip(tensor_list, expected, strict=True)):
            if not type_spec_from_value(tensor).is_compatible_with(spec):
                raise ValueError(f"Incompatible input: tensor {i} ({tensor}) is incompatible with {spec}")
        return self._from_compatible_tensor_list(tensor_list)

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        return self._from_components(pack_sequence_as(self._component_specs, tensor_list, expand_composites=True))

    def _to_legacy_output_types(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_types()")

    def _to_legacy_output_shapes(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_shapes()")

    def _to_legacy_output_classes(self) -> Any:
        return self.value_type

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _key(self, self._serialize()) == _key(self, other._serialize())

    def __hash__(self) -> int:
        return hash((type(self), _key(self, self._serialize())))

    def __reduce__(self) -> Any:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"


def _compatible(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_compatible, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_compatible(a[key], b[key]) for key in a)
    if isinstance(a, TypeSpec | TensorShape | DType):
        return bool(a.is_compatible_with(b))
    return bool(a == b)


def _merged(a: Any, b: Any) -> Any:
    unlike = ValueError(f"Types are not compatible: {a!r} vs {b!r}")
    if type(a) is not type(b):
        raise unlike
    if isinstance(a, tuple) and len(a) == len(b):
        return tuple(map(_merged, a, b))
    if isinstance(a, dict) and a.keys() == b.keys():
        return {key: _merged(a[key], b[key]) for key in sorted(a)}
    if isinstance(a, TensorShape):
        return a.most_specific_compatible_shape(b)
    if isinstance(a, TypeSpec):
        return a.most_specific_compatible_type(b)
    if isinstance(a, list):
        raise AssertionError("_serialize() should not return list values.")
    if a != b:
        raise unlike
    return a


def _key(spec: TypeSpec, value: Any) -> Any:
    """A serialization as something to compare and to hash; shapes are equal where they say the same."""
    if value is None or isinstance(value, int | float | str | bytes | DType | TypeSpec):
        return value
    if isinstance(value, dict):
        return tuple((_key(spec, k), _key(spec, value[k])) for k in sorted(value))
    if isinstance(value, tuple):
        return tuple(_key(spec, item) for item in value)
    if isinstance(value, TensorShape):
        return TensorShape, value._raw
    if isinstance(value, np.ndarray):
        return np.ndarray, value.shape, tuple(value.ravel().tolist())
    raise ValueError(f"Unsupported value type {type(value).__name__} returned by {type(spec).__name__}._serialize")


class BatchableTypeSpec(TypeSpec):
    """A spec whose values can be stacked into a batch."""

    @abc.abstractmethod
    def _batch(self, batch_size: int | None) -> Any: ...

    @abc.abstractmethod
    def _unbatch(self) -> Any: ...

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        tensors = self._to_tensor_list(value)
        if any(t.shape.ndims == 0 for t in tensors):
            raise ValueError(f"Value {value} has insufficient rank for batching.")
        return tensors


class TensorSpec(BatchableTypeSpec):
    """The shape, dtype and, where it has one, name of a tensor.

    >>> TensorSpec([None, 3], "int32", name="ids")
    TensorSpec(shape=(?, 3), dtype=tf.int32, name='ids')
    """

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> Any:
        """A spec like ``spec``, with another name if one is given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor, named after its op."""
        if not isinstance(tensor, Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        return TensorSpec(tensor.shape, tensor.dtype, name or tensor.op.name)

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def name(self) -> str | None:
        return self._name

    @property
    def value_type(self) -> Any:
        return Tensor

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether dtype and shape allow the other's; names do not matter."""
        other = spec_or_tensor
        return (
            isinstance(other, TensorSpec | Tensor)
            and bool(self._dtype.is_compatible_with(other.dtype))
            and self._shape.is_compatible_with(other.shape)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """The spec of what is known of both; a name stays if it is the same."""
        if type(self) is not type(other) or self._dtype != other.dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        shape = self._shape.most_specific_compatible_shape(other.shape)
        return TensorSpec(shape, self._dtype, self._name if self._name == other.name else None)

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._name

    @property
    def _component_specs(self) -> Any:
        return self

    def _to_components(self, value: Any) -> Any:
        unlike = ValueError(
            f"Value {value!r} is not convertible to a tensor with dtype {self._dtype} and shape {self._shape}."
        )
        try:
            tensor = convert_to_tensor(value, self._dtype)
        except (TypeError, ValueError):
            raise unlike from None
        if not tensor.shape.is_compatible_with(self._shape):
            raise unlike
        return tensor

    def _from_components(self, components: Any) -> Any:
        return components

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        (tensor,) = tensor_list
        tensor.set_shape(self._shape)
        return tensor

    def _batch(self, batch_size: int | None) -> TensorSpec:
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> TensorSpec:
        return TensorSpec(_without_first(self._shape), self._dtype)

    def _to_legacy_output_types(self) -> DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


def _without_first(shape: TensorShape) -> TensorShape:
    if shape.ndims == 0:
        raise ValueError("Unbatching a tensor is only supported for rank >= 1")
    return TensorShape(shape[1:])


class BoundedTensorSpec(TensorSpec):
    """A ``TensorSpec`` with the least and the largest value that each element may have."""

    def __init__(self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None) -> None:
        super().__init__(shape, dtype, name)
        if minimum is None or maximum is None:
            raise ValueError(f"minimum and maximum must be provided; but saw '{minimum}' and '{maximum}'")
        self._minimum = self._bound("minimum", minimum)
        self._maximum = self._bound("maximum", maximum)

    def _bound(self, name: str, value: Any) -> np.ndarray:
        try:
            shapes.broadcast(np.shape(value), self._shape._raw)
        except ValueError as error:
            raise ValueError(f"{name} is not compatible with shape. Message: {error!r}.") from None
        array = np.array(value, dtype=self._dtype.np)
        array.setflags(write=False)
        return array

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> BoundedTensorSpec:
        """A spec like ``spec``; bounds that it has not are those of its dtype."""
        dtype = as_dtype(spec.dtype)
        least, largest = getattr(spec, "minimum", dtype.min), getattr(spec, "maximum", dtype.max)
        return BoundedTensorSpec(spec.shape, dtype, least, largest, name or spec.name)

    @property
    def minimum(self) -> np.ndarray:
        return self._minimum

    @property
    def maximum(self) -> np.ndarray:
        return self._maximum

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._minimum, self._maximum, self._name

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundedTensorSpec)
            and TensorSpec._serialize(self)[1:] == TensorSpec._serialize(other)[1:]
            and self._shape._raw == other._shape._raw
            and np.allclose(self.minimum, other.minimum)
            and np.allclose(self.maximum, other.maximum)
        )

    def __hash__(self) -> int:
        return hash((self._shape._raw, self._dtype))

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self.minimum!r}, maximum={self.maximum!r})"
        )


class SparseTensorSpec(BatchableTypeSpec):
    """The dense shape and dtype of a ``SparseTensor``."""

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a ``SparseTensor`` or ``SparseTensorValue``."""
        if isinstance(value, SparseTensor):
            return cls(value.shape, value.dtype)
        if not isinstance(value, SparseTensorValue):
            raise TypeError("Expected SparseTensor or SparseTensorValue")
        if isinstance(value.values, np.ndarray):
            return cls(value.dense_shape, value.values.dtype)
        return cls.from_value(SparseTensor.from_value(value))

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def value_type(self) -> Any:
        return SparseTensor

    def _serialize(self) -> Any:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.ndims
        return [
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], self._dtype),
            TensorSpec([rank], dtypes.int64),
        ]

    def _to_components(self, value: Any) -> list[Tensor]:
        sparse = SparseTensor.from_value(value) if isinstance(value, SparseTensorValue) else value
        return [sparse.indices, sparse.values, sparse.dense_shape]

    def _from_components(self, components: Any) -> Any:
        of_arrays = all(isinstance(part, np.ndarray) for part in components)
        return (SparseTensorValue if of_arrays else SparseTensor)(*components)

    def _batch(self, batch_size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        return SparseTensorSpec(_without_first(self._shape), self._dtype)

    def _to_legacy_output_types(self) -> DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape


class IndexedSlicesSpec(TypeSpec):
    """The dense shape of ``IndexedSlices``, the dtypes of its parts, and the shape of its indices."""

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._values_dtype = as_dtype(dtype)
        self._indices_dtype = as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> Any:
        return IndexedSlices

    def _serialize(self) -> Any:
        return self._shape, self._values_dtype, self._indices_dtype, self._dense_shape_dtype, self._indices_shape

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        values = TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype)
        indices = TensorSpec(self._indices_shape, self._indices_dtype)
        if self._dense_shape_dtype is None:
            return values, indices
        return values, indices, TensorSpec([self._shape.ndims], self._dense_shape_dtype)

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        parts = (value.values, value.indices)
        return parts if value.dense_shape is None else (*parts, value.dense_shape)

    def _from_components(self, components: Any) -> Any:
        of_arrays = all(isinstance(part, np.ndarray) for part in components)
        return (IndexedSlicesValue if of_arrays else IndexedSlices)(*components)


# -- the spec of a value -----------------------------------------------------------------------

_CONVERTERS: list[tuple[type, Callable[[Any], Any], bool]] = []


def register_type_spec_from_value_converter(
    type_object: type, converter_fn: Callable[[Any], Any], allow_subclass: bool = False
) -> None:
    """Let ``converter_fn(value)`` be the spec of values of this type; the latest registered is asked first."""
    _CONVERTERS.append((type_object, converter_fn, allow_subclass))


register_type_spec_from_value_converter(np.ndarray, lambda array: TensorSpec(array.shape, array.dtype))
register_type_spec_from_value_converter(SparseTensorValue, SparseTensorSpec.from_value)


def type_spec_from_value(value: Any) -> Any:
    """The spec of a tensor, a composite tensor, or anything that can be converted to a tensor.

    Raises:
      TypeError: ``value`` is nothing of the kind.
    """
    spec = _spec_of(value)
    if spec is None:
        try:
            spec = _spec_of(convert_to_tensor(value))
        except (ValueError, TypeError):
            raise TypeError(f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}") from None
    return spec


def _spec_of(value: Any) -> Any:
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, CompositeTensor):
        return value._type_spec
    if isinstance(value, list) and value:
        specs = [_spec_of(item) for item in value]
        try:
            merged = specs[0]
            for spec in specs[1:]:
                merged = merged.most_specific_compatible_type(spec)
            return merged._batch(len(specs))
        except (AttributeError, ValueError, TypeError):
            pass  # items without a spec in common
    for kind, converter, subclasses in reversed(_CONVERTERS):
        if type(value) is kind or (subclasses and isinstance(value, kind)):
            return converter(value)
    return None
