"""Graphs with their collections and their saver, as ``MetaGraphDef``."""

from __future__ import annotations

from typing import Any

from retrograd.files.bundles import file_error, replace_file
from retrograd.graph import log, protos
from retrograd.graph.collection_protos import get_to_proto_function, register_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.definition import REQUIRED, known
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_bytes
from retrograd.graph.versions import GIT_VERSION, VERSION
from retrograd.state.variables import VariableV2

_OF_VARIABLES = (
    GraphKeys.GLOBAL_STEP,
    GraphKeys.EVAL_STEP,
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.METRIC_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
)


def _variable_proto(variable: Any, export_scope: str | None = None) -> Any:
    return variable.to_proto(export_scope=export_scope)


for _key in _OF_VARIABLES:
    register_proto_function(_key, to_proto=_variable_proto, from_proto=VariableV2.from_proto)


def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Graph | None = None,
    clear_devices: bool = False,
    strip_default_attrs: bool = False,
    **kwargs: Any,
) -> Any:
    """A ``MetaGraphDef`` of a graph, by default the default one; written to ``filename`` if that is given.

    Args:
      collection_list: the collections that it holds, by default all.
      as_text: whether the file is for reading.
      clear_devices: whether to leave out where ops are placed.
      strip_default_attrs: whether to leave out attributes that are what an op has without them.
    """
    from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef

    graph = graph or default_graph()
    meta = MetaGraphDef()
    if meta_info_def is not None:
        meta.meta_info_def.CopyFrom(meta_info_def)
    meta.meta_info_def.tensorflow_version = VERSION
    meta.meta_info_def.tensorflow_git_version = GIT_VERSION
    meta.graph_def.CopyFrom(protos.graph_def(graph, add_shapes=True) if graph_def is None else graph_def)
    if clear_devices:
        for node in meta.graph_def.node:
            node.device = ""
    _fill_op_list(meta)
    if strip_default_attrs:
        _strip_default_attrs(meta)
    if saver_def is not None:
        meta.saver_def.MergeFrom(saver_def)
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    for key in keys:
        _add_collection(meta, key, graph.get_collection(key))
    if filename is not None:
        _write(meta, filename, as_text)
    return meta


def _write(meta: Any, path: str, as_text: bool) -> None:
    if as_text:
        from google.protobuf import text_format

        content = text_format.MessageToString(meta).encode()
    else:
        content = meta.SerializeToString()
    try:
        replace_file(path, content)
    except OSError as error:
        raise file_error(error, path) from None


def _fill_op_list(meta: Any) -> None:
    """Name the op types of the graph, as their readers need to know them."""
    if meta.meta_info_def.stripped_op_list.op:
        return
    functions = {function.signature.name for function in meta.graph_def.library.function}
    used = {node.op for node in meta.graph_def.node}
    for function in meta.graph_def.library.function:
        used.update(node.op for node in function.node_def)
    for name in sorted(used - functions):
        definition = known(name)
        if definition is not None:
            meta.meta_info_def.stripped_op_list.op.append(protos.op_def(definition))


def _strip_default_attrs(meta: Any) -> None:
    bodies = [meta.graph_def.node, *(function.node_def for function in meta.graph_def.library.function)]
    for node in (node for body in bodies for node in body):
        definition = known(node.op)
        for name in [name for name in node.attr if definition is not None and not name.startswith("_")]:
            default = definition.attrs.get(name, REQUIRED) if definition is not None else REQUIRED
            if default is not REQUIRED and default is not None and protos.attr_value(default) == node.attr[name]:
                del node.attr[name]
    meta.meta_info_def.stripped_default_attrs = True


def _add_collection(meta: Any, key: Any, items: list[Any]) -> None:
    """Write a collection, unless its name is no text or an item cannot be written."""
    if not isinstance(key, str | bytes):
        log.warning("Only collections with string type keys can be serialized. This key has %s", type(key))
        return
    entry = meta.collection_def[key]
    try:
        to_proto = get_to_proto_function(key)
        if to_proto is not None:
            entry.bytes_list.SetInParent()
            for item in items:
                proto = to_proto(item)
                if proto is not None:
                    entry.bytes_list.value.append(proto.SerializeToString())
            return
        kind = _kind_of(items[0]) if items else "node_list"
        values = getattr(entry, kind).value
        getattr(entry, kind).SetInParent()
        for item in items:
            values.append(as_bytes(item) if kind == "bytes_list" else item.name if kind == "node_list" else item)
    except Exception as error:
        log.warning("Issue encountered when serializing %s.\nType is unsupported, or the types of the items don't "
                    "match field type in CollectionDef. Note this is a warning and probably safe to ignore.\n%s",
                    key, error)  # fmt: skip
        del meta.collection_def[key]


def _kind_of(item: Any) -> str:
    if isinstance(item, str | bytes):
        return "bytes_list"
    if isinstance(item, int):
        return "int64_list"
    return "float_list" if isinstance(item, float) else "node_list"
