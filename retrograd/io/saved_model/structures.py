"""Nested structures of Python as messages: what SavedModels say of the arguments and results of functions.

Source: ``struct.proto`` of TensorFlow 1.15.5.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np

from retrograd.data.optionals import OptionalSpec
from retrograd.data.structures import DatasetSpec
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.graph import specs
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.ragged.specs import RaggedTensorSpec


class NotEncodableError(Exception):
    """A value for which there is no message."""


_KINDS: dict[str, Any] = {
    "SPARSE_TENSOR_SPEC": specs.SparseTensorSpec,
    "INDEXED_SLICES_SPEC": specs.IndexedSlicesSpec,
    "RAGGED_TENSOR_SPEC": RaggedTensorSpec,
    "TENSOR_ARRAY_SPEC": TensorArraySpec,
    "DATA_DATASET_SPEC": DatasetSpec,
    "OPTIONAL_SPEC": OptionalSpec,
}


class StructureCoder:
    """Structures to ``StructuredValue`` messages and back."""

    def encode_structure(self, nested_structure: Any) -> Any:
        """The message of a structure.

        Raises:
          NotEncodableError: something in it has none.
        """
        from tensorboard.compat.proto.struct_pb2 import StructuredValue

        proto = StructuredValue()
        _encode(nested_structure, proto)
        return proto

    def can_encode(self, nested: Any) -> bool:
        """Whether a structure has a message."""
        try:
            self.encode_structure(nested)
        except NotEncodableError:
            return False
        return True

    def decode_proto(self, proto: Any) -> Any:
        """The structure of a message.

        Raises:
          NotEncodableError: the message has something unknown.
          ValueError: it has a kind of spec that is unknown.
        """
        return _decoded(proto)


def _encode(value: Any, proto: Any) -> None:
    if value is None:
        proto.none_value.SetInParent()
    elif isinstance(value, bool):
        proto.bool_value = value
    elif isinstance(value, int | np.integer) and not isinstance(value, np.bool_):
        proto.int64_value = int(value)
    elif isinstance(value, float):
        proto.float64_value = value
    elif isinstance(value, str):
        proto.string_value = value
    elif isinstance(value, TensorShape):
        proto.tensor_shape_value.CopyFrom(value.as_proto())
    elif isinstance(value, Dimension):
        _encode(value.value, proto)
    elif isinstance(value, DType):
        proto.tensor_dtype_value = value.as_datatype_enum
    elif type(value) is specs.TensorSpec:
        _encode_spec(value, proto.tensor_spec_value)
    elif isinstance(value, specs.TypeSpec):
        _encode_type(value, proto.type_spec_value)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        proto.named_tuple_value.name = type(value).__name__
        for key in value._fields:
            pair = proto.named_tuple_value.values.add(key=key)
            _encode(getattr(value, key), pair.value)
    elif isinstance(value, list | tuple):
        target = proto.list_value if isinstance(value, list) else proto.tuple_value
        target.SetInParent()
        for item in value:
            _encode(item, target.values.add())
    elif isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        proto.dict_value.SetInParent()
        for key, item in value.items():
            _encode(item, proto.dict_value.fields[key])
    else:
        raise NotEncodableError(f"No encoder for object [{value!s}] of type [{type(value)}].")


def _encode_spec(spec: Any, proto: Any) -> None:
    proto.shape.CopyFrom(spec.shape.as_proto())
    proto.dtype = spec.dtype.as_datatype_enum
    proto.name = spec.name or ""


def _encode_type(spec: Any, proto: Any) -> None:
    name = next((name for name, kind in _KINDS.items() if type(spec) is kind), None)
    if name is None:
        raise NotEncodableError(f"No encoder for object [{spec!s}] of type [{type(spec)}].")
    proto.type_spec_class = proto.TypeSpecClass.Value(name)
    proto.type_spec_class_name = type(spec).__name__
    _encode(spec._serialize(), proto.type_state)


def _decoded(proto: Any) -> Any:
    kind = proto.WhichOneof("kind")
    if kind == "none_value":
        return None
    if kind in ("bool_value", "int64_value", "float64_value", "string_value"):
        return getattr(proto, kind)
    if kind == "tensor_shape_value":
        return TensorShape(proto.tensor_shape_value)
    if kind == "tensor_dtype_value":
        return as_dtype(proto.tensor_dtype_value)
    if kind == "tensor_spec_value":
        spec = proto.tensor_spec_value
        return specs.TensorSpec(TensorShape(spec.shape), as_dtype(spec.dtype), spec.name or None)
    if kind == "type_spec_value":
        found = _KINDS.get(proto.type_spec_value.TypeSpecClass.Name(proto.type_spec_value.type_spec_class))
        if found is None:
            raise ValueError(
                f"The type '{proto.type_spec_value.type_spec_class_name}' is not supported by this version of "
                "TensorFlow. (The object you are loading must have been created with a newer version of TensorFlow.)"
            )
        return found._deserialize(_decoded(proto.type_spec_value.type_state))
    if kind == "list_value":
        return [_decoded(item) for item in proto.list_value.values]
    if kind == "tuple_value":
        return tuple(_decoded(item) for item in proto.tuple_value.values)
    if kind == "dict_value":
        return {key: _decoded(item) for key, item in proto.dict_value.fields.items()}
    if kind == "named_tuple_value":
        pairs = {pair.key: _decoded(pair.value) for pair in proto.named_tuple_value.values}
        return namedtuple(proto.named_tuple_value.name, pairs)(**pairs)
    raise NotEncodableError(f"No decoder for object [{proto!s}] of type [{type(proto)}].")


# -- specs of functions ------------------------------------------------------------------------


def fill_function_spec(proto: Any, spec: Any) -> None:
    """Say in a ``FunctionSpec`` message how a function takes its arguments; types and defaults without messages go."""
    coder = StructureCoder()
    full = spec.fullargspec._replace(annotations={})
    if not coder.can_encode(full):
        kept = tuple(d if coder.can_encode(d) else None for d in full.defaults or ()) or None
        full = full._replace(defaults=kept, kwonlydefaults=None)
    proto.fullargspec.CopyFrom(coder.encode_structure(full))
    proto.is_method = spec.is_method
    proto.input_signature.CopyFrom(coder.encode_structure(spec.input_signature))


def read_function_spec(proto: Any) -> tuple[inspect.FullArgSpec, bool, Any]:
    """The arguments of a function, whether it is a method, and its signature, from such a message."""
    full = _decoded(proto.fullargspec)
    spec = inspect.FullArgSpec(
        full.args, full.varargs, full.varkw, full.defaults, full.kwonlyargs, full.kwonlydefaults, {}
    )
    return spec, proto.is_method, _decoded(proto.input_signature)
