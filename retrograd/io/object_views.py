"""What checkpoints see of objects, as data; and a value that is saved in parts.

Source: TensorFlow 1.15.5, ``python/training/tracking/graph_view.py``, ``contrib/checkpoint``: names, results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph import dtypes
from retrograd.io.object_graphs import OBJECT_GRAPH
from retrograd.io.saveables import SaveableObject, SaveSpec, validate_and_slice_inputs
from retrograd.io.tracked_objects import VARIABLE_VALUE_KEY, BytesSaveable, Objects, as_saveables
from retrograd.io.tracking import Trackable, TrackableReference, children
from retrograd.ops import constants, control
from retrograd.state.initializers import GlorotUniform
from retrograd.state.variables import VariableV1


class ObjectGraphView:
    """The objects that can be reached from a root, as a checkpoint holds them."""

    def __init__(self, root: Any, saveables_cache: Any = None) -> None:
        self._root, self._cache = root, saveables_cache

    @property
    def root(self) -> Any:
        """The object from which the others are reached."""
        return self._root

    @property
    def saveables_cache(self) -> Any:
        """What the constructor was given."""
        return self._cache

    def list_dependencies(self, obj: Any) -> list[TrackableReference]:
        """What one object holds, with the names."""
        return [TrackableReference(*pair) for pair in children(obj)]

    def list_objects(self) -> list[Any]:
        """All objects, the nearest to the root first, slots of optimizers last."""
        found = Objects(self._root)
        return [*found.found, *(slot for *_, slot, _ in found.slots)]

    def serialize_object_graph(self) -> tuple[list[SaveableObject], Any, Any]:
        """What saves the values, the ``TrackableObjectGraph``, and what a run must be fed: nothing."""
        found = Objects(self._root)
        values = as_saveables({**found.variables, **found.others})
        states = [_of_bytes(x.serialize(), key) for key, x in found.states.items()]
        return [*validate_and_slice_inputs(values), *states], found.proto(), None

    def frozen_saveable_objects(self) -> list[SaveableObject]:
        """What saves the values, and the description of the objects as it is now."""
        saveables, proto, _ = self.serialize_object_graph()
        return [*saveables, _of_bytes(proto.SerializeToString(), OBJECT_GRAPH)]


def _of_bytes(content: Any, key: str) -> SaveableObject:
    return BytesSaveable(constants.constant(content, dtypes.string), key)


def add_variable(
    trackable: Any, name: str, shape: Any = None, dtype: Any = dtypes.float32, initializer: Any = None
) -> Any:
    """A new resource variable that is saved with an object under a name.

    Raises:
      ValueError: the object holds another under that name, or a constant ``initializer`` comes with a ``shape``.
    """
    if initializer is None:
        initializer = GlorotUniform()
    elif isinstance(initializer, type):
        initializer = initializer(dtype=dtype)
    elif not callable(initializer) and shape is not None:
        raise ValueError("If initializer is a constant, do not specify shape.")
    first = (lambda: initializer(shape, dtype=dtype)) if callable(initializer) else initializer
    return trackable._track_trackable(VariableV1(first, name=name, dtype=dtype, use_resource=True), name)


def gather_initializers(root_trackable: Any) -> list[Any]:
    """The initializers of all variables and tables that can be reached from an object, slots of optimizers last."""
    found = [getattr(x, "initializer", None) for x in ObjectGraphView(root_trackable).list_objects()]
    return [x for x in found if x is not None]


# -- values in parts -----------------------------------------------------------------------------


class _Parts:
    """What the parts of one value share: the tensors that are being saved, and those that were restored."""

    def __init__(self, names: Sequence[str], fill: Callable[..., Any], consume: Callable[..., Any]) -> None:
        self.names, self.fill, self.consume = tuple(names), fill, consume
        self.saved: dict[str, Any] = {}
        self.restored: dict[str, Any] = {}

    def save(self, name: str) -> Any:
        """The tensor of one part; all are made when the first is asked for."""
        if name not in self.saved:
            self.saved.clear()
            self.fill(self.saved)
        return self.saved.pop(name)

    def restore(self, name: str, value: Any) -> Any:
        """Take one part; what is done when it is the last one."""
        self.restored[name] = value
        if len(self.restored) < len(self.names):
            return control.no_op()
        whole, self.restored = self.restored, {}
        return self.consume(whole)


class _PartSaveable(SaveableObject):
    """One part under its name."""

    def __init__(self, parts: _Parts, part: str, dtype: Any, device: str, name: str) -> None:
        self._parts, self._part = parts, part
        spec = SaveSpec(lambda: parts.save(part), "", name, dtype=dtype, device=device)
        super().__init__(name, [spec], name)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        return self._parts.restore(self._part, restored_tensors[0])


class _Part(Trackable):
    """One part of a value, as an object."""

    def __init__(self, parts: _Parts, name: str, dtype: Any, device: str) -> None:
        self._made = parts, name, dtype, device

    def _gather_saveables_for_checkpoint(self) -> dict[str, Callable[..., SaveableObject]]:
        return {VARIABLE_VALUE_KEY: lambda name="": _PartSaveable(*self._made, name)}


def split_dependency(
    component_names: Sequence[str],
    component_dtypes: Sequence[Any],
    fill_save_buffer_fn: Callable[[dict[str, Any]], Any],
    consume_restore_buffer_fn: Callable[[dict[str, Any]], Any],
    device: str,
) -> dict[str, Trackable]:
    """Objects that save a value in parts: one for each name, to be held with ``_track_trackable``.

    Args:
      fill_save_buffer_fn: puts the tensor of each part into the dict that it is given.
      consume_restore_buffer_fn: takes such a dict of restored tensors; called when all are there.
    """
    parts = _Parts(component_names, fill_save_buffer_fn, consume_restore_buffer_fn)
    rows = zip(component_names, component_dtypes, strict=True)
    return {name: _Part(parts, name, dtype, device) for name, dtype in rows}
