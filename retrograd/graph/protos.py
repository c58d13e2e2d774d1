"""Graphs, ops and values as TensorFlow's protocol buffers, which the ``tensorboard`` package ships."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.attribute_kinds import KINDS
from retrograd.graph.definition import REQUIRED, Argument, OpDef
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.values import array_of, bytes_of, is_filled, written_as

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph
    from retrograd.graph.operation import Operation

# -- graphs ------------------------------------------------------------------------------------


def node_of(source: str) -> str:
    """The name of the node that an input of a node is of: ``"^a"`` and ``"a:1"`` are of ``"a"``."""
    return source.removeprefix("^").partition(":")[0]


def graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The ops of ``graph``; with ``add_shapes`` their shapes as an attribute.

    TensorFlow 1.15.5 takes a ``from_version`` and gives the whole graph nevertheless; so does this.
    """
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    proto = GraphDef()
    versions = graph.graph_def_versions
    proto.versions.producer, proto.versions.min_consumer = versions.producer, versions.min_consumer
    for op in graph.get_operations():
        node = proto.node.add()
        _fill_node(node, op)
        if add_shapes and op.outputs:
            list_value = node.attr["_output_shapes"].list
            list_value.shape.extend([t.shape.as_proto() for t in op.outputs])
    for function in graph._functions.values():
        proto.library.function.add().CopyFrom(function.definition)
        if function.grad_func_name:
            proto.library.gradient.add(function_name=function.name, gradient_func=function.grad_func_name)
    return proto


def new_node_def(op_type: str, name: str, device: Any = None, attrs: Any = None) -> Any:
    """A ``NodeDef`` of an op that is nowhere built yet."""
    from tensorboard.compat.proto.node_def_pb2 import NodeDef

    from retrograd.graph.devices import canonical

    proto = NodeDef(op=op_type, name=name, device=canonical(device))
    for key, value in (attrs or {}).items():
        proto.attr[key].CopyFrom(value)
    return proto


def node_def(op: Operation) -> Any:
    """One op: its name, type, inputs, device and attributes."""
    from tensorboard.compat.proto.node_def_pb2 import NodeDef

    node = NodeDef()
    _fill_node(node, op)
    return node


def _fill_node(node: Any, op: Operation) -> None:
    node.name, node.op, node.device = op.name, op.type, op.device
    node.input.extend(t._as_node_def_input() for t in op.inputs)
    node.input.extend(sorted(f"^{before.name}" for before in op.control_inputs))
    for name, value in op.attrs.items():
        if not name.startswith("__"):
            _fill_attr(node.attr[name], value, isinstance(op.definition.attrs.get(name), float))


# -- attributes --------------------------------------------------------------------------------


def attr_value(value: Any, is_float: bool = False) -> Any:
    """A plain value as an ``AttrValue``; ``is_float`` makes integers floats."""
    from tensorboard.compat.proto.attr_value_pb2 import AttrValue

    proto = AttrValue()
    _fill_attr(proto, value, is_float)
    return proto


def _fill_attr(proto: Any, value: Any, is_float: bool) -> None:
    if isinstance(value, list | tuple):
        _fill_list(proto.list, value, is_float)
        return
    field, content = _field_of(value, is_float)
    if field in ("shape", "tensor", "func"):
        getattr(proto, field).CopyFrom(content)
    else:
        setattr(proto, field, content)


def _fill_list(proto: Any, values: Iterable[Any], is_float: bool) -> None:
    proto.SetInParent()
    for value in values:
        field, content = _field_of(value, is_float)
        getattr(proto, field).append(content)


def _field_of(value: Any, is_float: bool) -> tuple[str, Any]:
    """The field of ``AttrValue`` that holds ``value``, and what it holds."""
    if isinstance(value, DType):
        return "type", value.as_datatype_enum
    if isinstance(value, bool | np.bool_):
        return "b", bool(value)
    if isinstance(value, int | np.integer) and not is_float:
        return "i", int(value)
    if isinstance(value, int | float | np.integer | np.floating):
        return "f", float(value)
    if isinstance(value, str | bytes):
        return "s", value.encode() if isinstance(value, str) else value
    if isinstance(value, TensorShape):
        return "shape", value.as_proto()
    if isinstance(value, np.ndarray | np.generic):
        return "tensor", tensor_proto(np.asarray(value))
    kind = type(value).__name__
    if kind == "NameAttrList":
        return "func", value
    if kind == "TensorProto":
        return "tensor", value
    raise TypeError(f"{value!r} is no value of an attribute")


def plain_value(proto: Any) -> Any:
    """What ``Operation.attrs`` holds for an ``AttrValue``: the inverse of ``attr_value``."""
    field = proto.WhichOneof("value")
    if field == "list":
        for name in ("s", "i", "f", "b", "type", "shape", "tensor", "func"):
            items = getattr(proto.list, name)
            if items:
                return [_plain(name, item) for item in items]
        return []
    return None if field is None else _plain(field, getattr(proto, field))


def _plain(field: str, content: Any) -> Any:
    if field == "type":
        return as_dtype(content)
    if field == "shape":
        return TensorShape(content)
    if field == "tensor":
        return _held_array(content)
    return content


def get_attr(value: Any, is_float: bool = False) -> Any:
    """An attribute as ``Operation.get_attr`` gives it: dtypes as such, shapes and tensors as protos, text as bytes."""
    if isinstance(value, list | tuple):
        return [get_attr(item, is_float) for item in value]
    field, content = _field_of(value, is_float)
    return value if field == "type" else content


@cache
def op_def(definition: OpDef) -> Any:
    """An op type: its arguments and attributes.  Not to be changed: there is one for all who ask."""
    from tensorboard.compat.proto.op_def_pb2 import OpDef as OpDefProto

    proto = OpDefProto(name=definition.name, is_stateful=not definition.is_pure)
    for arguments, target in ((definition.inputs, proto.input_arg), (definition.outputs, proto.output_arg)):
        for argument in arguments:
            _fill_argument(target.add(), argument)
    for name, kind in attr_kinds(definition).items():
        attr = proto.attr.add(name=name, type=kind)
        default = definition.attrs.get(name, REQUIRED)
        if default is not REQUIRED and default is not None:
            attr.default_value.CopyFrom(attr_value(default))
        if name in definition.types:
            attr.allowed_values.list.type.extend(d.as_datatype_enum for d in definition.types[name])
    return proto


def _fill_argument(proto: Any, argument: Argument) -> None:
    proto.name, proto.is_ref = argument.name, argument.is_ref
    if argument.dtype is not None:
        proto.type = argument.dtype.as_datatype_enum
    if argument.number_attr:
        proto.number_attr = argument.number_attr
    if argument.type_attr and argument.is_list and not argument.number_attr:
        proto.type_list_attr = argument.type_attr
    elif argument.type_attr:
        proto.type_attr = argument.type_attr


@cache
def attr_kinds(definition: OpDef) -> dict[str, str]:
    """The kind of each attribute, such as ``int`` or ``list(type)``; nothing where it is not known."""
    kinds: dict[str, str] = {}
    for argument in definition.inputs + definition.outputs:
        if argument.number_attr:
            kinds[argument.number_attr] = "int"
        if argument.type_attr and argument.is_list and not argument.number_attr:
            kinds[argument.type_attr] = "list(type)"
        elif argument.type_attr:
            kinds.setdefault(argument.type_attr, "type")
    return {**kinds, **{name: _attr_kind(name, v) for name, v in definition.attrs.items() if name not in kinds}}


KINDS_OF_FIELDS = {
    "s": "string",
    "i": "int",
    "f": "float",
    "b": "bool",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}


def _attr_kind(name: str, default: Any) -> str:
    if default is REQUIRED or default is None:
        return KINDS.get(name, "")
    if isinstance(default, list | tuple) and not default:
        return KINDS.get(name, "list()")
    if isinstance(default, list | tuple):
        return f"list({_attr_kind(name, default[0])})"
    return KINDS_OF_FIELDS[_field_of(default, False)[0]]


# -- values ------------------------------------------------------------------------------------

_FIELDS = {
    "float16": "half_val", "bfloat16": "half_val", "float32": "float_val", "float64": "double_val",
    "int32": "int_val", "uint8": "int_val", "uint16": "int_val", "int16": "int_val", "int8": "int_val",
    "qint8": "int_val", "quint8": "int_val", "qint16": "int_val", "quint16": "int_val", "qint32": "int_val",
    "string": "string_val", "complex64": "scomplex_val", "complex128": "dcomplex_val", "int64": "int64_val",
    "bool": "bool_val", "uint32": "uint32_val", "uint64": "uint64_val",
}  # fmt: skip
_NOT_AS_BYTES = frozenset(("float16", "bfloat16", "complex64", "complex128", "bool", "string", "uint16"))


def tensor_proto(array: Any, dtype: DType | None = None, shape: tuple[int, ...] | None = None) -> Any:
    """An array as a ``TensorProto``: one element in the field of its dtype, more of most dtypes as raw bytes.

    With a ``shape`` of more elements than ``array`` has, the last one stands for the rest.
    """
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    dtype = as_dtype(array.dtype) if dtype is None else dtype
    dims = array.shape if shape is None else shape
    if is_filled(array):
        array = array[(slice(1),) * array.ndim].reshape(1)
    proto = TensorProto(dtype=dtype.as_datatype_enum, tensor_shape=TensorShape.of_raw(tuple(dims)).as_proto())
    if array.size > 1 and dtype.name not in _NOT_AS_BYTES and array.size == shapes.element_count(tuple(dims)):
        proto.tensor_content = np.ascontiguousarray(array).tobytes()
        return proto
    _fill_field(proto, np.ravel(array) if shapes.element_count(tuple(dims)) else np.ravel(array)[:0], dtype)
    return proto


def field_proto(array: np.ndarray, dtype: DType) -> Any:
    """A ``TensorProto`` of nothing but the elements of ``array``, in the field of their dtype."""
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    proto = TensorProto()
    _fill_field(proto, np.ravel(array), dtype)
    return proto


def _fill_field(proto: Any, flat: np.ndarray, dtype: DType) -> None:
    if _FIELDS[dtype.name] == "half_val":
        flat = flat.view(np.uint16)
    elif dtype.is_complex:
        flat = flat.view(dtype.real_dtype.np)
    elif dtype.is_quantized:
        flat = flat[dtype.name]
    elif dtype == dtypes.string:
        flat = bytes_of(flat)
    getattr(proto, _FIELDS[dtype.name]).extend(flat.tolist())


def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False, allow_broadcast: bool = False
) -> Any:
    """``values`` as a ``TensorProto``; a ``TensorProto`` stays what it is.

    Raises:
      TypeError: a value is not of ``dtype``.
      ValueError: a value is None, or there are too many for ``shape``.
    """
    if type(values).__name__ == "TensorProto":
        return values
    dtype = None if dtype is None else as_dtype(dtype)
    array = array_of(values, dtype)
    if shape is None:
        return tensor_proto(array, dtype)
    dims = tuple(int(n) for n in shape)
    if verify_shape and array.shape != dims:
        raise TypeError(f"Expected Tensor's shape: {dims}, got {array.shape}.")
    wanted = int(np.prod(dims, dtype=np.int64))
    if allow_broadcast and array.size not in (1, wanted):
        raise TypeError(f"Expected Tensor's shape: {dims}, got {array.shape}.")
    if array.size > wanted > 0:
        raise ValueError(f"Too many elements provided. Needed at most {wanted}, but received {array.size}")
    return tensor_proto(array, dtype, dims)


def make_ndarray(tensor: Any) -> np.ndarray:
    """The array that a ``TensorProto`` holds.

    Raises:
      TypeError: its dtype has no NumPy form.
    """
    array = _held_array(tensor)
    return array if array.flags.writeable else array.copy()


def _held_array(tensor: Any) -> np.ndarray:
    """The same, but perhaps one that cannot be written."""
    dtype = as_dtype(tensor.dtype)
    dims = [d.size for d in tensor.tensor_shape.dim]
    if min(dims, default=0) < 0:
        raise ValueError(f"Shape {_text_of(dims)} is not fully defined")
    if math.prod(dims) >= 1 << 63:
        raise ValueError(f"Shape {_text_of(dims)} is too large (more than 2**63 - 1 entries)")
    if tensor.tensor_content and dtype.is_numpy_compatible and dtype != dtypes.string:
        if len(tensor.tensor_content) != math.prod(dims) * dtype.np.itemsize:
            size = len(tensor.tensor_content)
            raise ValueError(f"Cannot parse tensor from proto: {size} bytes cannot be of shape {_text_of(dims)}")
        return np.frombuffer(tensor.tensor_content, dtype=written_as(dtype)).copy().reshape(dims)
    if dtype.name not in _FIELDS:
        raise TypeError(f"Unsupported tensor type: {tensor.dtype}")
    return _repeated(_elements(tensor, dtype), dims)


def _text_of(dims: list[int]) -> str:
    return f"[{','.join(map(str, dims))}]"


def _elements(tensor: Any, dtype: DType) -> np.ndarray:
    items = getattr(tensor, _FIELDS[dtype.name])
    if _FIELDS[dtype.name] == "half_val":
        return np.array(items, dtype=np.uint16).view(dtype.np)
    if dtype.is_complex:
        return np.array(items, dtype=dtype.real_dtype.np).view(dtype.np)
    if dtype.is_quantized:
        return np.array([(v,) for v in items], dtype=dtype.as_numpy_dtype)
    if dtype == dtypes.string:
        flat = np.empty(len(items), dtype=object)
        flat[:] = list(items)
        return flat
    return np.array(items, dtype=dtype.np)


def _zero(dtype: np.dtype[Any]) -> np.ndarray:
    zero = np.zeros(1, dtype)
    if dtype.kind == "O":
        zero[0] = b""
    return zero


_MOST_REPEATED = 1 << 31  # bytes that a last element may stand for


def _repeated(flat: np.ndarray, dims: list[int]) -> np.ndarray:
    """The array of which ``flat`` holds the first elements; the last stands for all the rest.

    One element that stands for all takes no memory for the others.
    """
    wanted = math.prod(dims)
    if flat.size < 2 and wanted > flat.size:
        only = flat if flat.size else _zero(flat.dtype)
        return np.broadcast_to(only.reshape([1] * len(dims)), dims)
    if flat.size < wanted:
        if wanted * flat.itemsize > _MOST_REPEATED:
            raise ValueError(f"a tensor of shape {dims} of which {flat.size} elements are given")
        flat = np.concatenate([flat, np.repeat(flat[-1:], wanted - flat.size)])
    return flat[:wanted].reshape(dims)


def TensorShapeProtoToList(shape: Any) -> list[int]:
    """The sizes in a ``TensorShapeProto``, -1 for each that is unknown."""
    return [dim.size for dim in shape.dim]
