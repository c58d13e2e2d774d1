"""What ``import_graph_def`` is given, checked and read."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, known
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text, bytes_or_text_types

CONTROL = -1
Key = tuple[str, int]  # the name of a node, and which of its outputs; CONTROL: that it has run


def checked_graph_def(given: Any) -> Any:
    """``given``, with the defaults of attributes that are missing, which its owner sees too."""
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    graph_def = given
    if not isinstance(given, GraphDef):
        try:
            graph_def = GraphDef.FromString(given.SerializeToString())
        except AttributeError:
            raise TypeError("graph_def must be a GraphDef proto.") from None
    for node in graph_def.node:
        definition = known(node.op)
        for key, default in _default_protos(definition) if definition is not None else ():
            if key not in node.attr or node.attr[key].WhichOneof("value") is None:
                node.attr[key].CopyFrom(default)
    return graph_def


_protos_of_defaults: dict[OpDef, list[tuple[str, Any]]] = {}


def _default_protos(definition: OpDef) -> list[tuple[str, Any]]:
    from retrograd.graph.protos import op_def

    if definition not in _protos_of_defaults:
        attrs = op_def(definition).attr
        _protos_of_defaults[definition] = [(a.name, a.default_value) for a in attrs if a.HasField("default_value")]
    return _protos_of_defaults[definition]


def checked_input_map(input_map: Any) -> dict[Any, Any]:
    if input_map is None:
        return {}
    if not (isinstance(input_map, dict) and all(isinstance(key, bytes_or_text_types) for key in input_map)):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    return input_map


def tensors_of_map(name: str | None, input_map: dict[Any, Any]) -> dict[Key, Any]:
    """The map from parsed names to tensors and ops; to be called in the scope of the import."""
    values = input_map
    if not all(isinstance(v, Tensor | Operation) for v in input_map.values()):
        if name == "":
            raise ValueError(
                "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try "
                "calling tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def()."
            )
        with name_scope("_inputs"):
            values = {k: v if isinstance(v, Operation) else as_tensor(v) for k, v in input_map.items()}
    mapped: dict[Key, Any] = {}
    for key, value in values.items():
        text = as_text(key)
        if text.startswith("^"):
            mapped[text[1:], CONTROL] = value if isinstance(value, Operation) else value.op
        else:
            mapped[parsed_name(text)] = value
    return mapped


def parsed_name(text: str) -> Key:
    """``"a:1"`` as the name of an output; ``"a"`` is ``"a:0"``."""
    node, colon, index = text.partition(":")
    try:
        return node, int(index) if colon else 0
    except ValueError:
        raise ValueError(f"Cannot convert {text!r} to a tensor name.") from None


def drop_unknown_attrs(graph_def: Any, producer_op_list: Any) -> None:
    producers = {op.name: {a.name: a for a in op.attr} for op in producer_op_list.op}
    for node in graph_def.node:
        definition = known(node.op)
        if node.op in producers and definition is not None:
            from retrograd.graph.protos import attr_kinds

            for key in [key for key in node.attr if key not in attr_kinds(definition)]:
                attr = producers[node.op].get(key)
                if attr is not None and attr.HasField("default_value") and node.attr[key] == attr.default_value:
                    del node.attr[key]


def parsed_input(text: str) -> Key:
    """An input of a node: ``"a:1"``, ``"a"``, or ``"^a"``."""
    node, colon, index = text.rpartition(":")
    if colon and index.isdecimal() and index.isascii() and len(index) < 10:
        return node, int(index)
    return (text[1:], CONTROL) if text.startswith("^") else (text, 0)
