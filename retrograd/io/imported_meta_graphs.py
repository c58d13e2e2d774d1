"""Graphs with their collections from ``MetaGraphDef``s."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from retrograd.files.file_system import path_of
from retrograd.graph import log
from retrograd.graph.collection_protos import get_collection_proto_type, get_from_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import prepend_name_scope, strip_name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_text
from retrograd.io.importing import import_nodes
from retrograd.io.meta_graphs import export_scoped_meta_graph
from retrograd.io.stack_form import meta_with_histories

_WITH_TRAINABLE = (1, 9)  # the first version that wrote whether a variable is trainable
_ONCE_NODES = (GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES, GraphKeys.METRIC_VARIABLES)


def read_meta_graph_file(filename: Any) -> Any:
    """The ``MetaGraphDef`` of a file, in bytes or as text.

    Raises:
      OSError: there is no such file, or it holds something else.
    """
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef

    path = path_of(filename)
    if not os.path.exists(path):
        raise OSError(f"File {path} does not exist.")
    with open(path, "rb") as file:
        content = file.read()
    try:
        return MetaGraphDef.FromString(content)
    except DecodeError:
        pass
    try:
        return text_format.Parse(content.decode(), MetaGraphDef())
    except (text_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        raise OSError(f"Cannot parse file {path}: {error}.") from None


def as_meta_graph(meta_graph_or_file: Any) -> Any:
    """A ``MetaGraphDef``, read from a file if it is a path."""
    from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef

    is_proto = isinstance(meta_graph_or_file, MetaGraphDef)
    return meta_graph_or_file if is_proto else read_meta_graph_file(meta_graph_or_file)


def import_scoped_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
) -> dict[str, Any]:
    """Add a graph that was exported, with its collections; the result has its variables by their names in it.

    Args:
      meta_graph_or_file: a ``MetaGraphDef``, or the path of one.
      clear_devices: whether to forget where ops were placed.
      graph: where to add it, by default the default graph.
      import_scope: the scope of the new ops.
      input_map: names of tensors in the graph to those that take their places.
      unbound_inputs_col_name: the collection that lists what the graph reads and does not have.
      restore_collections_predicate: whether to add a collection, by its name.

    Raises:
      ValueError: ``input_map`` does not give what the graph reads and does not have.
    """
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file, clear_devices, graph, import_scope, input_map, unbound_inputs_col_name,
        restore_collections_predicate,
    )[0]  # fmt: skip


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: Any = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
    return_elements: Any = None,
) -> tuple[dict[str, Any], list[Any] | None]:
    """The same, and what the ops and tensors named in ``return_elements`` have become."""
    meta = meta_with_histories(as_meta_graph(meta_graph_or_file))
    _check_bound(meta, input_map, unbound_inputs_col_name)
    graph = graph or default_graph()
    with graph.as_default():
        if clear_devices:
            for node in meta.graph_def.node:
                node.device = ""
        info = meta.meta_info_def
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        found = import_nodes(
            meta.graph_def, input_map, return_elements, import_scope or scope,
            info.stripped_op_list if info.HasField("stripped_op_list") else None,
        )  # fmt: skip
        add_collections(graph, meta, scope, unbound_inputs_col_name, restore_collections_predicate)
        variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope)
        return {strip_name_scope(v.name, scope): v for v in variables}, found


def _check_bound(meta: Any, input_map: Any, collection: str | None) -> None:
    if not collection or collection not in meta.collection_def:
        return
    kind = meta.collection_def[collection].WhichOneof("kind")
    names = [as_text(v) for v in getattr(meta.collection_def[collection], kind).value] if kind else []
    if names and (not input_map or sorted(names) != sorted(as_text(k) for k in input_map)):
        missing = ",".join(n for n in names if not input_map or n not in input_map)
        raise ValueError(f"Graph contains unbound inputs: {missing}. Must provide these inputs through input_map.")


# -- collections -------------------------------------------------------------------------------


def add_collections(graph: Graph, meta: Any, scope: str, unbound: str | None, is_wanted: Callable[[str], bool]) -> None:
    """Add what the collections of a meta graph hold, but those of ``unbound``."""
    trainable_is_said = says_trainable(meta.meta_info_def.tensorflow_version)
    made: dict[bytes, Any] = {}  # a variable of several collections is one
    trainable = GraphKeys.TRAINABLE_VARIABLES
    for key in sorted(meta.collection_def, key=lambda k: (k != trainable, k)):
        if key == unbound or not is_wanted(key):
            continue
        entry = meta.collection_def[key]
        kind = entry.WhichOneof("kind")
        if kind is None:
            log.error("Cannot identify data type for collection %s. Skipping.", key)
            continue
        from_proto = get_from_proto_function(key)
        if from_proto is None or kind != "bytes_list":
            _add_plain(graph, key, kind, getattr(entry, kind).value, scope)
            continue
        for content in entry.bytes_list.value:
            item = made.get(content) if key in GraphKeys._VARIABLE_COLLECTIONS else None
            if item is None:
                proto = get_collection_proto_type(key)()
                proto.ParseFromString(content)
                if key in GraphKeys._VARIABLE_COLLECTIONS and not trainable_is_said:
                    proto.trainable = key == trainable
                item = made[content] = from_proto(proto, import_scope=scope)
            graph.add_to_collection(key, item)


def says_trainable(version: str) -> bool:
    """Whether a graph of that version of TensorFlow tells which variables are trainable."""
    numbers = [int(part) for part in version.split(".")[:2] if part.isdecimal() and len(part) < 5]
    return tuple(numbers) >= _WITH_TRAINABLE if version else True


def _add_plain(graph: Graph, key: str, kind: str, values: Any, scope: str) -> None:
    if key in _ONCE_NODES:
        log.warning(
            "The saved meta_graph is possibly from an older release:\n'%s' collection should be of type 'byte_list', "
            "but instead is of type '%s'.", key, kind,
        )  # fmt: skip
    for value in values:
        if kind == "node_list":
            value = graph.as_graph_element(prepend_name_scope(value, scope))
        elif kind == "bytes_list":
            value = prepend_name_scope(value, scope)
        graph.add_to_collection(key, value)


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Graph | None = None, to_graph: Graph | None = None
) -> dict[str, Any]:
    """Copy the ops of a scope, with their variables, to another scope or graph.

    Raises:
      ValueError: it is the same scope of the same graph.
    """
    source, target = from_graph or default_graph(), to_graph or default_graph()
    if source is target and from_scope == to_scope:
        raise ValueError("'from_scope' and 'to_scope' need to be different when performing copy in the same graph.")
    meta, _ = export_scoped_meta_graph(export_scope=from_scope, graph=source)
    return import_scoped_meta_graph(meta, graph=target, import_scope=to_scope)
