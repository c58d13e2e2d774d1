"""Tensors as signatures name them: ``TensorInfo``."""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.scopes import prepend_name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.io.saved_model.structures import StructureCoder
from retrograd.ragged.tensor import RaggedTensor


def build_tensor_info(tensor: Any) -> Any:
    """The ``TensorInfo`` of a tensor, sparse or ragged too: its name, dtype and shape.

    Raises:
      RuntimeError: operations run at once, and tensors have no names.
    """
    from tensorboard.compat.proto.meta_graph_pb2 import TensorInfo

    if executing_eagerly():
        raise RuntimeError("build_tensor_info is not supported in Eager mode.")
    if isinstance(tensor, RaggedTensor):
        info = TensorInfo()
        info.composite_tensor.type_spec.CopyFrom(StructureCoder().encode_structure(tensor._type_spec).type_spec_value)
        parts = nest.flatten(tensor, expand_composites=True)
        info.composite_tensor.components.extend(build_tensor_info(part) for part in parts)
        return info
    info = TensorInfo(dtype=as_dtype(tensor.dtype).as_datatype_enum, tensor_shape=tensor.get_shape().as_proto())
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def build_tensor_info_from_op(op: Any) -> Any:
    """The ``TensorInfo`` that stands for an op."""
    from tensorboard.compat.proto.meta_graph_pb2 import TensorInfo

    return TensorInfo(dtype=0, tensor_shape=TensorShape(None).as_proto(), name=op.name)


def get_tensor_from_tensor_info(tensor_info: Any, graph: Any = None, import_scope: str | None = None) -> Any:
    """The tensor of a graph, by default the default one, that a ``TensorInfo`` names below ``import_scope``.

    Raises:
      KeyError: there is none of that name.
      ValueError: it is no tensor, neither a sparse nor a composite one.
    """
    from tensorboard.compat.proto.struct_pb2 import StructuredValue

    graph = graph or default_graph()

    def named(name: str) -> Any:
        return graph.get_tensor_by_name(prepend_name_scope(name, import_scope))

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return named(tensor_info.name)
    if encoding == "coo_sparse":
        parts = tensor_info.coo_sparse
        names = parts.indices_tensor_name, parts.values_tensor_name, parts.dense_shape_tensor_name
        return SparseTensor(*map(named, names))
    if encoding == "composite_tensor":
        told = StructuredValue(type_spec_value=tensor_info.composite_tensor.type_spec)
        components = tensor_info.composite_tensor.components
        parts = [get_tensor_from_tensor_info(info, graph, import_scope) for info in components]
        return nest.pack_sequence_as(StructureCoder().decode_proto(told), parts, expand_composites=True)
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")


def get_element_from_tensor_info(tensor_info: Any, graph: Any = None, import_scope: str | None = None) -> Any:
    """The op or tensor that a ``TensorInfo`` names below ``import_scope``."""
    graph = graph or default_graph()
    return graph.as_graph_element(prepend_name_scope(tensor_info.name, import_scope))
