"""What the elements of a dataset are made of: nested structures of ``TypeSpec``."""

from __future__ import annotations

from typing import Any

from retrograd.data import nest
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.specs import SparseTensorSpec, TensorSpec, TypeSpec, type_spec_from_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import joining
from retrograd.ops.sparse_serialization import deserialize_sparse, serialize_many_sparse, serialize_sparse
from retrograd.ragged.specs import RaggedTensorSpec
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor
from retrograd.ragged.values import RaggedTensorValue


def spec_of(element: Any) -> Any:
    """The structure of an element.

    Raises:
      TypeError: a part of it is no tensor and cannot become one.
    """
    if nest.is_sequence(element):
        return nest.pack_sequence_as(element, [spec_of(leaf) for leaf in nest.flatten(element)])
    if isinstance(element, SparseTensorValue):
        return SparseTensorSpec.from_value(element)
    own = getattr(element, "_element_type_spec", None)
    if own is not None:
        return own
    return type_spec_from_value(element)


def normalized(element: Any) -> Any:
    """``element`` with all leaves converted to tensors."""
    with name_scope("normalize_element"):
        leaves = []
        for i, leaf in enumerate(nest.flatten(element)):
            if isinstance(leaf, SparseTensor | TensorArray) or hasattr(leaf, "_variant_tensor"):
                leaves.append(leaf)
            elif isinstance(leaf, SparseTensorValue):
                leaves.append(SparseTensor.from_value(leaf))
            elif isinstance(leaf, list) and leaf and all(hasattr(x, "_variant_tensor") for x in leaf):
                leaves.append(_together(leaf, f"component_{i}"))
            elif isinstance(leaf, RaggedTensor | RaggedTensorValue):
                leaves.append(convert_to_tensor_or_ragged_tensor(leaf, name=f"component_{i}"))
            else:
                leaves.append(as_tensor(leaf, name=f"component_{i}"))
    return nest.pack_sequence_as(element, leaves)


def _together(datasets: list[Any], name: str) -> Any:
    """Datasets of one kind of elements as one value, a vector of them."""
    from retrograd.data.dataset import VariantDataset

    packed = joining.stack([dataset._variant_tensor for dataset in datasets], name=name)
    return VariantDataset(packed, datasets[0].element_spec)


def tensors_of(spec: Any, element: Any) -> list[Tensor]:
    """The tensors that an element of this structure is made of; a sparse tensor is one variant."""
    nest.assert_same_structure(spec, element)
    pairs = zip(nest.flatten(spec), nest.flatten(element), strict=True)
    return [tensor for each, value in pairs for tensor in _tensors(each, value)]


def _tensors(spec: Any, value: Any) -> list[Tensor]:
    if isinstance(spec, SparseTensorSpec):
        return [serialize_sparse(value, out_type=dtypes.variant)]
    return spec._to_tensor_list(value)  # type: ignore[no-any-return]


def batched_tensors_of(spec: Any, element: Any) -> list[Tensor]:
    """The same, where each row of the tensors is an element of its own."""
    pairs = zip(nest.flatten(spec), nest.flatten(element), strict=True)
    return [tensor for each, value in pairs for tensor in _batched_tensors(each, value)]


def _batched_tensors(spec: Any, value: Any) -> list[Tensor]:
    if isinstance(spec, SparseTensorSpec):
        return [serialize_many_sparse(value, out_type=dtypes.variant)]
    return spec._to_batched_tensor_list(value)  # type: ignore[no-any-return]


def element_of(spec: Any, tensors: Any) -> Any:
    """The element of this structure that tensors make."""
    leaves, place = [], 0
    for each in nest.flatten(spec):
        count = len(_parts(each))
        leaves.append(_leaf(each, list(tensors[place : place + count])))
        place += count
    return nest.pack_sequence_as(spec, leaves)


def checked_element_of(spec: Any, tensors: Any) -> Any:
    """The same.

    Raises:
      ValueError: these are not the tensors of such an element.
    """
    parts = [part for each in nest.flatten(spec) for part in _parts(each)]
    if len(parts) != len(tensors):
        raise ValueError(f"Expected {len(parts)} flat values in the structure, but got {len(tensors)}.")
    for part, tensor in zip(parts, tensors, strict=True):
        if not part.is_compatible_with(tensor):
            raise ValueError(f"Incompatible input: {tensor} is incompatible with {part}")
    return element_of(spec, tensors)


def _leaf(spec: Any, tensors: list[Tensor]) -> Any:
    if not isinstance(spec, SparseTensorSpec):
        return spec._from_compatible_tensor_list(tensors)
    sparse = deserialize_sparse(tensors[0], spec.dtype, rank=spec.shape.ndims)
    if spec.shape.ndims is not None:
        sparse.indices.set_shape([None, spec.shape.ndims])
        sparse.dense_shape.set_shape([spec.shape.ndims])
    return sparse


def _parts(spec: Any) -> list[Any]:
    """The specs of the tensors that a leaf is made of."""
    return [TensorSpec(None, dtypes.variant)] if isinstance(spec, SparseTensorSpec) else spec._flat_tensor_specs


def flat_types(spec: Any) -> list[Any]:
    """The dtypes of the tensors that an element is made of."""
    return [part.dtype for each in nest.flatten(spec) for part in _parts(each)]


def flat_shapes(spec: Any) -> list[TensorShape]:
    """Their shapes."""
    return [part.shape for each in nest.flatten(spec) for part in _parts(each)]


def legacy_types(spec: Any) -> Any:
    """The dtypes of the parts of an element, in its structure."""
    return nest.map_structure(lambda s: s._to_legacy_output_types(), spec)


def legacy_shapes(spec: Any) -> Any:
    """Their shapes."""
    return nest.map_structure(lambda s: s._to_legacy_output_shapes(), spec)


def legacy_classes(spec: Any) -> Any:
    """Their Python classes."""
    return nest.map_structure(lambda s: s._to_legacy_output_classes(), spec)


class OfElements:
    """What a dataset and a way through one say of the elements."""

    _element_spec: Any

    @property
    def element_spec(self) -> Any:
        """The structure of the elements, of ``TypeSpec``."""
        return self._element_spec

    @property
    def output_types(self) -> Any:
        """The dtypes of the parts of an element."""
        return legacy_types(self._element_spec)

    @property
    def output_shapes(self) -> Any:
        """The shapes of the parts of an element."""
        return legacy_shapes(self._element_spec)

    @property
    def output_classes(self) -> Any:
        """The classes of the parts of an element."""
        return legacy_classes(self._element_spec)


def from_legacy(output_types: Any, output_shapes: Any, output_classes: Any) -> Any:
    """The structure that dtypes, shapes and classes describe."""
    types, classes = nest.flatten(output_types), nest.flatten(output_classes)
    shapes = nest.flatten_up_to(output_types, output_shapes) if output_shapes is not None else [None] * len(types)
    specs = [_from_legacy(*parts) for parts in zip(types, shapes, classes, strict=True)]
    return nest.pack_sequence_as(output_types, specs)


def _from_legacy(dtype: Any, shape: Any, kind: Any) -> Any:
    if isinstance(kind, TypeSpec):
        return kind
    if kind is SparseTensor:
        return SparseTensorSpec(shape, dtype)
    if kind is Tensor:
        return TensorSpec(shape, dtype)
    if kind is TensorArray:
        return TensorArraySpec.from_legacy(dtype, shape)
    raise TypeError(f"Could not build a structure for output class {getattr(kind, '__name__', kind)!r}")


def most_general(a: Any, b: Any) -> Any:
    """The structure that holds the elements of two."""
    return nest.map_structure(lambda x, y: x.most_specific_compatible_type(y), a, b)


def compatible(a: Any, b: Any) -> bool:
    """Whether elements of the one structure can be elements of the other."""
    try:
        nest.assert_same_structure(a, b, check_types=False)
    except (TypeError, ValueError):
        return False
    return all(x.is_compatible_with(y) for x, y in zip(nest.flatten(a), nest.flatten(b), strict=True))


# -- the names that specs had before, with their arguments in another order


def TensorStructure(dtype: Any, shape: Any) -> TensorSpec:
    """``TensorSpec``."""
    return TensorSpec(shape, dtype)


def SparseTensorStructure(dtype: Any, shape: Any) -> SparseTensorSpec:
    """``SparseTensorSpec``."""
    return SparseTensorSpec(shape, dtype)


def RaggedTensorStructure(dtype: Any, shape: Any, ragged_rank: int) -> RaggedTensorSpec:
    """``RaggedTensorSpec``."""
    return RaggedTensorSpec(shape, dtype, ragged_rank)


def TensorArrayStructure(
    dtype: Any, element_shape: Any, dynamic_size: bool | None, infer_shape: bool
) -> TensorArraySpec:
    """``TensorArraySpec``."""
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)


class WholeSpec(TypeSpec):
    """A spec that stands in the place of types, of shapes and of classes, where elements are described by these."""

    def _to_legacy_output_types(self) -> Any:
        return self

    def _to_legacy_output_shapes(self) -> Any:
        return self

    def _to_legacy_output_classes(self) -> Any:
        return self


class DatasetSpec(WholeSpec):
    """A dataset as a part of an element."""

    def __init__(self, element_spec: Any, dataset_shape: Any = ()) -> None:
        self._element_spec = element_spec
        self._dataset_shape = TensorShape(dataset_shape)

    @property
    def value_type(self) -> Any:
        from retrograd.data.dataset import Dataset

        return Dataset

    def _serialize(self) -> Any:
        return (self._element_spec, self._dataset_shape)

    @property
    def _component_specs(self) -> Any:
        return TensorSpec(self._dataset_shape, dtypes.variant)

    def _to_components(self, value: Any) -> Any:
        return value._variant_tensor

    def _from_components(self, components: Any) -> Any:
        from retrograd.data.dataset import VariantDataset

        return VariantDataset(components, self._element_spec)

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return [value._variant_tensor]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        if not self._dataset_shape.ndims:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")
        return [value._variant_tensor]

    def _unbatch(self) -> Any:
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [self._component_specs]

    def _from_compatible_tensor_list(self, tensor_list: Any) -> Any:
        return self._from_components(tensor_list[0])

    def _batch(self, batch_size: int | None) -> Any:
        return DatasetSpec(self._element_spec, TensorShape([batch_size]).concatenate(self._dataset_shape))
