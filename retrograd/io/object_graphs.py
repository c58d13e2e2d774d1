"""What an object-based checkpoint says of the objects that it holds."""

from __future__ import annotations

from typing import Any

from retrograd.graph.errors import DataLossError
from retrograd.io.checkpoint_values import CheckpointReader

OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"


def object_graph_of(reader: CheckpointReader, path: str) -> Any:
    """The ``TrackableObjectGraph`` of a checkpoint, None if it holds variables by their names alone.

    Raises:
      DataLossError: it is no such graph, or names an object that it does not have.
    """
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.trackable_object_graph_pb2 import TrackableObjectGraph

    if not reader.has_tensor(OBJECT_GRAPH):
        return None
    graph = TrackableObjectGraph()
    try:
        graph.ParseFromString(bytes(reader.get_tensor(OBJECT_GRAPH)))
    except DecodeError as error:
        raise DataLossError(None, None, f"The objects in checkpoint {path} cannot be read: {error}") from None
    check_numbers(graph.nodes, path)
    return graph


def check_numbers(nodes: Any, path: str) -> None:
    """Raises ``DataLossError`` unless all objects that those of a file name are there."""
    slots = [row for node in nodes for row in node.slot_variables]
    named = {child.node_id for node in nodes for child in node.children}
    named |= {n for row in slots for n in (row.original_variable_node_id, row.slot_variable_node_id)}
    wrong = sorted(n for n in named if not 0 <= n < len(nodes))
    if wrong or not nodes:
        raise DataLossError(
            None, None, f"{path} is damaged: of its {len(nodes)} objects one names object {wrong[0] if wrong else 0}"
        )


def keys_by_name(graph: Any) -> dict[str, str]:
    """The keys of the values in a checkpoint, by the names that their variables had."""
    return {a.full_name: a.checkpoint_key for node in graph.nodes for a in node.attributes}
