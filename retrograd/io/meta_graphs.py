"""Graphs with their collections and their saver, as ``MetaGraphDef``."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from retrograd.files.file_system import path_of
from retrograd.files.replacing import file_error, replace_file
from retrograd.graph import log, protos
from retrograd.graph.collection_protos import get_to_proto_function, register_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.definition import REQUIRED, known
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_bytes, as_text
from retrograd.graph.versions import GIT_VERSION, VERSION
from retrograd.io.stack_form import name_entered, with_stacks
from retrograd.state.slices import without_scope
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


def _variable_def() -> Any:
    from tensorboard.compat.proto.variable_pb2 import VariableDef

    return VariableDef()


def _variable_proto(variable: Any, export_scope: str | None = None) -> Any:
    return variable.to_proto(export_scope=export_scope)


for _key in _OF_VARIABLES:
    register_proto_function(_key, _variable_def, _variable_proto, VariableV2.from_proto)


def export_meta_graph(
    filename: str | None = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Graph | None = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    *,
    unbound_inputs_col_name: str = "unbound_inputs",
) -> Any:
    """A ``MetaGraphDef`` of a graph, by default the default one; written to ``filename`` if that is given.

    Args:
      collection_list: the collections that it holds, by default all.
      as_text: whether the file is for reading.
      export_scope: the scope whose ops it holds, by default all; names lose the scope.  An input from
        outside becomes ``$unbound_inputs_...``, and the collection ``unbound_inputs_col_name`` lists it.
      clear_devices: whether to leave out where ops are placed.
      clear_extraneous_savers: whether to leave out the ops and collections of all other savers.
      save_debug_info: nothing; tracebacks are not written.
      strip_default_attrs: whether to leave out attributes that are what an op has without them.
    """
    graph = graph or default_graph()
    if graph_def is None:
        graph_def = with_stacks(protos.graph_def(graph, add_shapes=True), graph)
    elif export_scope is not None or clear_devices or clear_extraneous_savers:
        graph_def = type(graph_def).FromString(graph_def.SerializeToString())
    excluded: tuple[str, ...] = ()
    if clear_extraneous_savers:
        excluded = _other_savers(graph, saver_def)
        _keep(graph_def, lambda node: not node.name.startswith(excluded))
    if export_scope is not None:
        _cut_out(graph_def, graph, export_scope.rstrip("/"), unbound_inputs_col_name)
    if clear_devices:
        for node in graph_def.node:
            node.device = ""
    meta = create_meta_graph_def(
        meta_info_def, graph_def, saver_def, collection_list, graph, export_scope, excluded, clear_extraneous_savers,
        strip_default_attrs,
    )  # fmt: skip
    name_entered(meta)
    if filename is not None:
        _write(meta, filename, as_text)
    return meta


def create_meta_graph_def(
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
) -> Any:
    """A ``MetaGraphDef`` of ``graph_def``, whose names have lost ``export_scope``, with the collections of ``graph``.

    Raises:
      TypeError: an argument is of the wrong kind.
    """
    from tensorboard.compat.proto.graph_pb2 import GraphDef
    from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef
    from tensorboard.compat.proto.saver_pb2 import SaverDef

    kinds = (graph, Graph), (meta_info_def, MetaGraphDef.MetaInfoDef), (graph_def, GraphDef), (saver_def, SaverDef)
    for argument, kind in kinds:
        if argument is not None and not isinstance(argument, kind):
            raise TypeError(f"must be of type {kind.__name__}, not {type(argument)}")
    graph = graph or default_graph()
    meta = MetaGraphDef()
    if meta_info_def is not None:
        meta.meta_info_def.CopyFrom(meta_info_def)
    meta.meta_info_def.tensorflow_version = VERSION
    meta.meta_info_def.tensorflow_git_version = GIT_VERSION
    meta.graph_def.CopyFrom(protos.graph_def(graph, add_shapes=True) if graph_def is None else graph_def)
    if not meta.meta_info_def.stripped_op_list.op:
        meta.meta_info_def.stripped_op_list.CopyFrom(stripped_op_list_for_graph(meta.graph_def))
    if strip_default_attrs:
        _strip_default_attrs(meta)
    if saver_def is not None:
        meta.saver_def.MergeFrom(saver_def)
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        items = graph.get_collection(key)
        if clear_extraneous_savers and key == GraphKeys.SAVERS:
            items = [saver for saver in items if saver.saver_def == saver_def]
        elif exclude_nodes:
            items = [item for item in items if not _name_of(item).startswith(tuple(exclude_nodes))]
        _add_collection(meta, key, items, export_scope)
    return meta


def _name_of(item: Any) -> str:
    return item if isinstance(item, str) else str(getattr(item, "name", ""))


def export_scoped_meta_graph(
    filename: str | None = None,
    graph_def: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    as_text: bool = False,
    unbound_inputs_col_name: str = "unbound_inputs",
    clear_devices: bool = False,
    saver_def: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> tuple[Any, dict[str, Any]]:
    """``export_meta_graph``, and the variables of the scope by their names without it."""
    graph = graph or default_graph()
    meta = export_meta_graph(
        filename, graph_def=graph_def, saver_def=saver_def, as_text=as_text, graph=graph, export_scope=export_scope,
        clear_devices=clear_devices, clear_extraneous_savers=clear_extraneous_savers,
        strip_default_attrs=strip_default_attrs, unbound_inputs_col_name=unbound_inputs_col_name, **kwargs,
    )  # fmt: skip
    variables = graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope=export_scope)
    return meta, {without_scope(v.name, export_scope): v for v in variables}


def _write(meta: Any, path: str, as_text: bool) -> None:
    if as_text:
        from google.protobuf import text_format

        content = text_format.MessageToString(meta).encode()
    else:
        content = meta.SerializeToString(deterministic=True)
    try:
        os.makedirs(os.path.dirname(path_of(path)) or ".", exist_ok=True)
        replace_file(path_of(path), content)
    except OSError as error:
        raise file_error(error, path) from None


def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """The op types of a graph and of its functions, as an ``OpList``, for readers that may not know them all."""
    from tensorboard.compat.proto.op_def_pb2 import OpList

    functions = graph_def.library.function
    used = {node.op for node in graph_def.node}.union(node.op for function in functions for node in function.node_def)
    definitions = [known(name) for name in sorted(used - {function.signature.name for function in functions})]
    return OpList(op=[protos.op_def(definition) for definition in definitions if definition is not None])


def _strip_default_attrs(meta: Any) -> None:
    bodies = [meta.graph_def.node, *(function.node_def for function in meta.graph_def.library.function)]
    for node in (node for body in bodies for node in body):
        definition = known(node.op)
        for name in [name for name in node.attr if definition is not None and not name.startswith("_")]:
            default = definition.attrs.get(name, REQUIRED) if definition is not None else REQUIRED
            if default is not REQUIRED and default is not None and protos.attr_value(default) == node.attr[name]:
                del node.attr[name]
    meta.meta_info_def.stripped_default_attrs = True


def _other_savers(graph: Graph, saver_def: Any) -> tuple[str, ...]:
    """The scopes of savers that a collection lists and that are not of ``saver_def``."""
    scopes = {saver.saver_def.restore_op_name.rpartition("/")[0] for saver in graph.get_collection(GraphKeys.SAVERS)}
    kept = saver_def.restore_op_name.rpartition("/")[0] if saver_def is not None else None
    return tuple(f"{scope}/" for scope in scopes - {kept, ""})


def _keep(graph_def: Any, is_wanted: Callable[[Any], bool]) -> None:
    """Leave out the other nodes."""
    nodes = [node for node in graph_def.node if is_wanted(node)]
    del graph_def.node[:]
    graph_def.node.extend(nodes)


def _cut_out(graph_def: Any, graph: Graph, scope: str, unbound: str) -> None:
    """Leave out what is not in ``scope``, and the scope from the names."""
    outside: dict[str, None] = {}
    _keep(graph_def, lambda node: node.name.startswith(f"{scope}/"))
    for node in graph_def.node:
        node.name = without_scope(node.name, scope)
        for i, source in enumerate(node.input):
            mark, name = ("^", source[1:]) if source.startswith("^") else ("", source)
            if name.startswith(f"{scope}/"):
                node.input[i] = mark + without_scope(name, scope)
            else:
                node.input[i] = f"{mark}$unbound_inputs_{name}"
                outside[node.input[i]] = None
        if "_class" in node.attr:
            places = [as_text(place).removeprefix("loc:@") for place in node.attr["_class"].list.s]
            inside = [without_scope(place, scope) for place in places if place.startswith(f"{scope}/")]
            node.attr["_class"].list.s[:] = [f"loc:@{place}".encode() for place in inside]
        if "frame_name" in node.attr:
            frame = without_scope(as_text(node.attr["frame_name"].s), scope)
            node.attr["frame_name"].s = frame.encode()
    graph.clear_collection(unbound)
    for source in outside:
        graph.add_to_collection(unbound, source)


def _add_collection(meta: Any, key: Any, items: list[Any], scope: str | None) -> None:
    """Write a collection, unless its name is no text or an item cannot be written."""
    if not isinstance(key, str | bytes):
        log.warning("Only collections with string type keys can be serialized. This key has %s", type(key))
        return
    if not items:
        return
    entry = meta.collection_def[key]
    try:
        to_proto = get_to_proto_function(key)
        if to_proto is not None:
            entry.bytes_list.SetInParent()
            found = [to_proto(item, export_scope=scope) for item in items]
            entry.bytes_list.value.extend(
                [proto.SerializeToString(deterministic=True) for proto in found if proto is not None]
            )
            return
        kind = _kind_of(items[0])
        if kind == "node_list":
            names = [item.name for item in items]
            items = [without_scope(name, scope) for name in names if scope is None or name.startswith(scope)]
        elif kind == "bytes_list":
            items = [as_bytes(item) for item in items]
        getattr(entry, kind).SetInParent()
        getattr(entry, kind).value.extend(items)
        if kind == "any_list":
            rename_packages(entry, "tensorboard", "tensorflow")
    except (AttributeError, TypeError, ValueError) as error:
        log.warning(
            "Issue encountered when serializing %s.\nType is unsupported, or the types of the items don't match field "
            "type in CollectionDef. Note this is a warning and probably safe to ignore.\n%s", key, error,
        )  # fmt: skip
        del meta.collection_def[key]


def rename_packages(entry: Any, old: str, new: str) -> None:
    """Let the messages of a collection say that they are of the package ``new``: files name TensorFlow's."""
    for item in entry.any_list.value:
        item.type_url = item.type_url.replace(f"/{old}.", f"/{new}.")


def _kind_of(item: Any) -> str:
    if isinstance(item, str | bytes):
        return "bytes_list"
    if isinstance(item, int):
        return "int64_list"
    if type(item).__name__ == "Any" and hasattr(item, "type_url"):
        return "any_list"
    return "float_list" if isinstance(item, float) else "node_list"
