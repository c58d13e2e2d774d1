"""``tf.contrib.checkpoint``: containers that checkpoints follow, and what a checkpoint holds, as data and as a drawing.

Source: TensorFlow 1.15.5, ``contrib/checkpoint`` and ``python/training/tracking/data_structures.py``: names, messages.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.io.checkpoint_values import NewCheckpointReader
from retrograd.io.object_graphs import OBJECT_GRAPH, object_graph_of
from retrograd.io.tracked_objects import VARIABLE_VALUE_KEY, Objects
from retrograd.io.tracking import PythonState, Trackable
from retrograd.nn.layers.containers import Container, is_trackable

# -- containers ----------------------------------------------------------------------------------


class UniqueNameTracker(Container):
    """What checkpoints follow under names that are made unique: ``track(value, "x")`` gives the value."""

    def __init__(self) -> None:
        self._tracked: dict[str, Any] = {}

    def _held(self) -> Iterable[Any]:
        return self._tracked.values()

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return list(self._tracked.items())

    def track(self, trackable: Any, base_name: str) -> Any:
        """Follow a value under a name, or the name with the first number that is free.

        Raises:
          ValueError: the value is nothing that checkpoints follow.
        """
        if not is_trackable(trackable):
            raise ValueError(
                f"Expected a trackable value, got {trackable} which does not inherit from tf.track.Trackable."
            )
        name, count = base_name, 0
        while name in self._tracked:
            count += 1
            name = f"{base_name}_{count}"
        self._tracked[name] = trackable
        return trackable


class _Array(PythonState):
    """An array, as the bytes of a file of NumPy's."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def serialize(self) -> bytes:
        """The bytes."""
        file = io.BytesIO()
        np.save(file, self.array, allow_pickle=False)
        return file.getvalue()

    def deserialize(self, string_value: bytes) -> None:
        """Take the array out of the bytes."""
        self.array = np.load(io.BytesIO(string_value), allow_pickle=False)


class NumpyState(Trackable):
    """An object whose attributes are arrays of NumPy, which are saved, and restored as soon as ``restore`` is called.

    Raises:
      NotImplementedError: an attribute is no array.
    """

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return value.array if isinstance(value, _Array) else value

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, np.ndarray | np.generic):
            raise NotImplementedError(
                f"Assigned {value} to the {name} property of {self}, which is not a NumPy array. Currently mixing "
                "NumPy arrays and other trackable objects is not supported. File a feature request if this limitation "
                "bothers you."
            )
        held = vars(self).get(name)
        if isinstance(held, _Array):
            held.array = value
        else:
            super().__setattr__(name, _Array(value))

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return list(vars(self).items())

    def _lookup_dependency(self, name: str) -> Any:
        """The array of that name; one that a checkpoint has and that is not there yet is made."""
        if name not in vars(self):
            setattr(self, name, np.zeros(0))
        return vars(self)[name]


# -- what a checkpoint holds ---------------------------------------------------------------------


def list_objects(root_trackable: Any) -> list[Any]:
    """All objects that a checkpoint of an object holds, nearest first."""
    return list(Objects(root_trackable).found)


def object_metadata(save_path: str) -> Any:
    """The ``TrackableObjectGraph`` of a checkpoint.

    Raises:
      ValueError: it holds variables by their names alone.
    """
    graph = object_graph_of(NewCheckpointReader(save_path), save_path)
    if graph is None:
        raise ValueError(
            f'The specified checkpoint "{save_path}" does not appear to be object-based (saved with TF2) since it is '
            f'missing the key "{OBJECT_GRAPH}". Likely it was created with the TF1 name-based saver and does not '
            "contain an object dependency graph."
        )
    return graph


def dot_graph_from_checkpoint(save_path: str) -> str:
    """The objects of a checkpoint as a graph in the language of Graphviz: variables blue, slots orange."""
    reader, graph = NewCheckpointReader(save_path), object_metadata(save_path)
    shapes, kinds = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()

    def quoted(name: str) -> str:
        return name.replace('"', '\\"')

    slots = {slot.slot_variable_node_id for node in graph.nodes for slot in node.slot_variables}
    lines = ["digraph {"]
    for i, node in enumerate(graph.nodes):
        if [a.name for a in node.attributes] == [VARIABLE_VALUE_KEY]:
            color, what = ("orange", "Slot variable") if i in slots else ("blue", "Variable")
            key = node.attributes[0].checkpoint_key
            name = quoted(node.attributes[0].full_name)
            lines.append(
                f'N_{i} [shape=point label="" color={color} width=.25 tooltip="{what} {name} shape={shapes[key]} '
                f'{kinds[key].name}"]'
            )
        elif node.slot_variables:
            lines.append(f'N_{i} [shape=point label="" width=.25 color=red,tooltip="Optimizer"]')
        else:
            lines.append(f'N_{i} [shape=point label="" width=.25]')
        lines += [f'N_{i} -> N_{child.node_id} [label="{quoted(child.local_name)}"]' for child in node.children]
        for slot in node.slot_variables:
            target = f"N_{slot.slot_variable_node_id}"
            lines.append(f'N_{i} -> {target} [label="{quoted(slot.slot_name)}" style=dotted]')
            lines.append(f"N_{slot.original_variable_node_id} -> {target} [style=dotted]")
    return "\n".join([*lines, "}"]) + "\n"
