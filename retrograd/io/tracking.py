"""``tf.train.Checkpoint``: objects to checkpoints and back, by the attributes under which they hold each other."""

from __future__ import annotations

import copy
import os
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from retrograd.data.iterators import EagerIterator, Iterator
from retrograd.eager import deferred
from retrograd.eager.context import eager_mode
from retrograd.files.bundles import exists
from retrograd.graph import dtypes, log
from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import device
from retrograd.graph.stack import default_graph, default_session
from retrograd.graph.text import as_text
from retrograd.graph.untracked import TrackableReference, hold, leave_untracked, untracked_names
from retrograd.graph.untracked import held as names_held
from retrograd.io.checkpoint_files import get_checkpoint_state, remove_checkpoint, update_checkpoint_state_internal
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.io.object_graphs import OBJECT_GRAPH, object_graph_of
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.io.saved_iterators import parts_of_iterator
from retrograd.io.saver import Saver
from retrograd.io.unused_values import UnusedValues, names_of
from retrograd.nn.layers import base as layers
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.held_weights import OWN_LISTS
from retrograd.ops import constants, control
from retrograd.state.initialization import is_variable_initialized
from retrograd.state.inlining import Function
from retrograd.state.resource import ResourceVariable
from retrograd.state.variables import VariableV2
from retrograd.train.optimizer import Optimizer

VARIABLE_VALUE_KEY = "VARIABLE_VALUE"
_PYTHON_STATE_KEY = "py_state"

# -- objects -----------------------------------------------------------------------------------


class Trackable:
    """An object that is saved with what it holds under names that it says itself."""

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Save ``trackable`` with this object, under a name; the result is ``trackable``.

        Raises:
          TypeError: it is nothing that can be saved.
          ValueError: another has the name, and is not to be replaced.
        """
        if not is_trackable(trackable):
            kind = type(trackable)
            raise TypeError(f"Trackable._track_trackable() passed type {kind}, not a Trackable.")
        return hold(self, trackable, name, overwrite)

    def _lookup_dependency(self, name: str) -> Any:
        """What it holds under a name, None if it holds nothing; called for each name of a checkpoint."""
        return dict(children(self)).get(name)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(*pair) for pair in children(self)]


class NotTrackable:
    """An object that cannot be saved, whatever else it is."""


class PythonState(Trackable, ABC):
    """Something of Python's own that is saved with the variables, as bytes."""

    @abstractmethod
    def serialize(self) -> Any:
        """What is saved: bytes or text."""

    @abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Take over what was saved; called while ``restore`` runs."""


class NoDependency:
    """A value on its way into an attribute that checkpoints do not follow."""

    def __init__(self, value: Any) -> None:
        self.value = value


class AutoTrackable(Trackable):
    """The same, whose attributes are saved that are themselves objects of this kind or variables."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, NoDependency):
            leave_untracked(self, name)
            value = value.value
        super().__setattr__(name, value)
        deferred.variables_made()

    def _no_dependency(self, value: Any) -> NoDependency:
        """``value`` for an attribute that checkpoints are not to follow."""
        return NoDependency(value)


class TrackableAsset(Trackable):
    """A file that SavedModels take along."""

    def __init__(self, path: Any) -> None:
        with init_scope(), device("CPU"):
            self._path = as_tensor(path, dtypes.string, name="asset_path")

    @property
    def asset_path(self) -> Any:
        """The path, as a tensor."""
        return self._path


class CapturableResourceDeleter:
    """Takes a resource away when nobody refers to it any more."""

    def __init__(self, destroy_resource_fn: Callable[[], Any] | None = None) -> None:
        if destroy_resource_fn is not None:
            self.destroy_resource = destroy_resource_fn  # type: ignore[method-assign]

    def destroy_resource(self) -> Any:
        """What it does; by default nothing."""
        return None

    def __del__(self) -> None:
        self.destroy_resource()


class CapturableResource(Trackable):
    """Something behind a handle, such as a table, that functions capture and SavedModels make anew."""

    _resource_handle: Any = None
    _resource_device = ""

    def __init__(self, device: str = "", deleter: Any = None) -> None:
        self._resource_device = device
        self._resource_deleter = deleter

    def _create_resource(self) -> Any:
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self) -> Any:
        """What fills it; nothing by default."""

    @property
    def resource_handle(self) -> Any:
        """The handle."""
        if self._resource_handle is None:
            with init_scope():
                self._resource_handle = self._create_resource()
        return self._resource_handle


class TrackableResource(CapturableResource):
    """The same, under the name of the class to inherit from."""


def is_trackable(value: Any) -> bool:
    kinds = VariableV2 | Trackable | Optimizer | Layer | Iterator | EagerIterator | list | dict
    return isinstance(value, kinds) or hasattr(type(value), "_checkpoint_children")


def children(value: Any) -> list[tuple[str, Any]]:
    """The objects that ``value`` holds, with the names under which it does."""
    if isinstance(value, VariableV2 | Iterator | EagerIterator):
        return []
    if isinstance(value, Optimizer):
        graph = default_graph()
        owned = {name: v for (name, of), v in value._non_slot_dict.items() if of is None or of is graph}
        return sorted(owned.items())
    if hasattr(value, "_checkpoint_children"):
        return list(value._checkpoint_children())
    if isinstance(value, list):
        found: Iterable[tuple[Any, Any]] = ((str(i), item) for i, item in enumerate(value))
    elif isinstance(value, dict):
        found = value.items()
    else:
        found = {**_attributes_followed(value), **names_held(value)}.items()
    return [(name, item) for name, item in found if isinstance(name, str) and is_trackable(item)]


def _attributes_followed(value: Any) -> dict[str, Any]:
    """The attributes of an object with which it is saved."""
    is_its_own = isinstance(value, Trackable) and not isinstance(value, AutoTrackable | Layer)
    return {} if is_its_own else attributes_of(value)


def attributes_of(value: Any) -> dict[str, Any]:
    """What an object holds by its attributes; of a layer its variables too, of one of ``tf.layers`` nothing else."""
    if isinstance(value, layers.Layer):
        return names_held(value)
    untracked = untracked_names(value)
    own = {name: item for name, item in vars(value).items() if name not in untracked}
    if isinstance(value, Layer):
        others = {n: x for n, x in own.items() if n not in OWN_LISTS and not _is_private(value, n, x)}
        own = {**names_held(value), **others}
    return own


def _is_private(layer: Layer, name: str, item: Any) -> bool:
    """Whether a layer has the attribute on its own account, for its weights or for no variable at all."""
    if not name.startswith("_") or isinstance(item, Layer):
        return False
    holds_layers = isinstance(item, list | dict) and any(
        isinstance(x, Layer) for x in (item.values() if isinstance(item, dict) else item)
    )
    if holds_layers:
        return False
    classes = [cls for cls in type(layer).__mro__ if cls.__module__.startswith("retrograd.")]
    codes = [getattr(f, "__code__", None) for cls in classes for f in vars(cls).values()]
    return any(name in code.co_names for code in codes if code is not None)


class Objects:
    """The objects that can be reached from a root, nearest first, each with the shortest way to it."""

    def __init__(self, root: Any, held: Callable[[Any], list[tuple[str, Any]]] | None = None) -> None:
        """``held`` says what an object holds; by default that is what checkpoints follow."""
        held = held or children
        self.found: list[Any] = [root]
        self.paths: list[tuple[str, ...]] = [()]
        self.number = {id(root): 0}
        self.children: list[list[tuple[str, int]]] = []
        for i, holder in enumerate(self.found):
            rows = []
            for name, item in held(holder):
                rows.append((name, self._numbered(item, (*self.paths[i], name))))
            self.children.append(rows)
        self.slots = self._slots()

    def _numbered(self, item: Any, path: tuple[str, ...]) -> int:
        """Its number, a new one if it was not met before.

        Raises:
          NotImplementedError: it cannot be saved.
        """
        if isinstance(item, NotTrackable):
            raise NotImplementedError(
                f"The object {item} does not support object-based saving. File a feature request if this limitation "
                "bothers you. In the meantime, you can remove the dependency on this object and save everything else."
            )
        if id(item) not in self.number:
            self.number[id(item)] = len(self.found)
            self.found.append(item)
            self.paths.append(path)
        return self.number[id(item)]

    def _slots(self) -> list[tuple[int, int, str, Any, str]]:
        """(optimizer, variable, slot's name, slot, key) for each slot."""
        rows = []
        for i, optimizer in enumerate(list(self.found)):
            for slot_name in optimizer.get_slot_names() if _has_slots(optimizer) else ():
                for j, variable in enumerate(self.found):
                    slot = _slot(optimizer, variable, slot_name)
                    if slot is not None:
                        way = f".OPTIMIZER_SLOT/{_path(self.paths[i])}/{_escaped(slot_name)}"
                        rows.append((i, j, slot_name, slot, f"{_path(self.paths[j])}/{way}"))
        return rows

    @property
    def variables(self) -> dict[str, Any]:
        """The variables and slots by their keys in a checkpoint."""
        pairs = [(_path(p), v) for p, v in zip(self.paths, self.found, strict=True) if isinstance(v, VariableV2)]
        pairs += [(key, slot) for *_, slot, key in self.slots]
        return {_key(path, VARIABLE_VALUE_KEY): v for path, v in pairs}

    @property
    def others(self) -> dict[str, Any]:
        """The objects that are no variables and save something of themselves, such as tables, by its keys."""
        pairs = zip(self.paths, self.found, strict=True)
        return {_key(_path(p), name): x for p, x in pairs for name in parts_of(x)}

    @property
    def states(self) -> dict[str, PythonState]:
        """The states of Python's own by their keys in a checkpoint."""
        pairs = zip(self.paths, self.found, strict=True)
        return {_key(_path(p), _PYTHON_STATE_KEY): x for p, x in pairs if isinstance(x, PythonState)}

    def proto(self) -> Any:
        """The ``TrackableObjectGraph``."""
        from tensorboard.compat.proto.trackable_object_graph_pb2 import TrackableObjectGraph

        graph = TrackableObjectGraph()
        for i, item in enumerate(self.found):
            node = graph.nodes.add()
            for name, number in self.children[i]:
                node.children.add(node_id=number, local_name=name)
            if isinstance(item, VariableV2):
                _fill_variable(node, item, _path(self.paths[i]))
            elif isinstance(item, PythonState):
                key = _key(_path(self.paths[i]), _PYTHON_STATE_KEY)
                node.attributes.add(name=_PYTHON_STATE_KEY, checkpoint_key=key)
            for name in parts_of(item):
                node.attributes.add(name=name, checkpoint_key=_key(_path(self.paths[i]), name))
        for optimizer, variable, slot_name, slot, key in self.slots:
            graph.nodes[optimizer].slot_variables.add(
                original_variable_node_id=variable, slot_name=slot_name, slot_variable_node_id=len(graph.nodes)
            )
            _fill_variable(graph.nodes.add(), slot, key)
        return graph


def parts_of(value: Any) -> dict[str, Any]:
    """What an object that is no variable saves of itself, by the names of the parts."""
    if isinstance(value, Iterator | EagerIterator):
        return parts_of_iterator(value)
    if isinstance(value, VariableV2) or not hasattr(value, "_gather_saveables_for_checkpoint"):
        return {}
    return dict(value._gather_saveables_for_checkpoint())


def as_saveable(value: Any, key: str) -> Any:
    """What a saver is given under a key: a variable, or the part of another object that the key ends with."""
    if isinstance(value, VariableV2):
        return value
    factory = parts_of(value)[key.rpartition("/")[2]]
    return factory(name=key) if callable(factory) else factory


def as_saveables(values: dict[str, Any]) -> dict[str, Any]:
    """The same for several."""
    return {key: as_saveable(x, key) for key, x in values.items()}


def _has_slots(value: Any) -> bool:
    return hasattr(type(value), "get_slot_names")


def _slot(optimizer: Any, variable: Any, name: str) -> Any:
    """What an optimizer keeps beside a variable under a name, if it does; one of Keras says so by an error."""
    if not isinstance(variable, VariableV2):
        return None
    try:
        return optimizer.get_slot(variable, name)
    except KeyError:
        return None


def _fill_variable(node: Any, variable: Any, path: str) -> None:
    name = variable.name.partition(":")[0]
    node.attributes.add(name=VARIABLE_VALUE_KEY, full_name=name, checkpoint_key=_key(path, VARIABLE_VALUE_KEY))


def _key(path: str, attribute: str) -> str:
    """The name in a checkpoint of what an object at ``path`` saves."""
    return f"{path}/.ATTRIBUTES/{attribute}".lstrip("/")


def _path(names: Iterable[str]) -> str:
    return "/".join(map(_escaped, names))


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


class BytesSaveable(SaveableObject):
    """Bytes that are saved beside the values of variables, such as the description of the objects."""

    def __init__(self, content: Any, key: str) -> None:
        super().__init__(content, [SaveSpec(content, "", key)], key)

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        return control.no_op()


# -- checkpoints -------------------------------------------------------------------------------


class Checkpoint(AutoTrackable):
    """Saves and restores the objects that it is given by keywords, with all that they hold.

    Variables, optimizers with their slots, layers, models, lists and dicts are saved under the names of the
    attributes that lead to them, whatever the variables are called.

    Raises:
      ValueError: an argument is of none of these kinds, or a bare list or dict.
    """

    def __init__(self, **kwargs: Any) -> None:
        for name, value in sorted(kwargs.items()):
            if not is_trackable(value) | isinstance(value, Function) or isinstance(value, list | dict):
                raise ValueError(
                    f"`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                    f"{value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow "
                    "Python API and manages state), please open an issue."
                )
            setattr(self, name, value)
        self.save_counter: Any = None
        self._next: Any = None  # what counts one more, in a graph
        self._restoring: list[ObjectsInCheckpoint] = []  # what goes on as long as objects are added
        leave_untracked(self, "_next")
        leave_untracked(self, "_restoring")

    def _make_counter(self) -> bool:
        """Make the count of the checkpoints, unless it is there; whether it was made."""
        if self.save_counter is not None:
            return False
        with device("/cpu:0"):
            self.save_counter = ResourceVariable(np.int64(0), trainable=False, name="save_counter", dtype=np.int64)
        return True

    def _next_number(self, session: Any) -> int:
        with session.graph.as_default():
            if self._make_counter():
                session.run(self.save_counter.initializer)
            if session.graph.is_eager:
                return int(self.save_counter.assign_add(np.int64(1), read_value=True).numpy())
            if self._next is None or self._next.graph is not session.graph:
                self._next = self.save_counter.assign_add(np.int64(1), read_value=True)
            return int(session.run(self._next))

    def write(self, file_prefix: Any, session: Any = None) -> str:
        """Write a checkpoint of that very path; nothing is counted, and the folder's latest one stays."""
        return write_objects(self, file_prefix, session_for(session))

    def save(self, file_prefix: Any, session: Any = None) -> str:
        """Write a checkpoint whose number is how many there were, and let it be the folder's latest."""
        session = session_for(session)
        path = self.write(f"{as_text(os.fspath(file_prefix))}-{self._next_number(session)}", session)
        update_checkpoint_state_internal(
            os.path.dirname(path), path, all_model_checkpoint_paths=[path], save_relative_paths=True
        )
        return path

    def restore(self, save_path: Any) -> ObjectsInCheckpoint:
        """Find the values of the objects in a checkpoint; what is done with them is for the result to say.

        Raises:
          NotFoundError: there is no checkpoint of that path.
        """
        status = ObjectsInCheckpoint(self, None if save_path is None else as_text(os.fspath(save_path)))
        self._make_counter()
        if not default_graph().is_eager:
            status.restore_states()
        elif save_path is not None and not status.restore_new():
            self._restoring.append(status.for_later())
        return status


def write_objects(root: Any, file_prefix: Any, session: Any) -> str:
    """Write the variables that an object holds under the names of the attributes that lead to them."""
    return write_found(Objects(root), file_prefix, session)


def write_found(objects: Objects, file_prefix: Any, session: Any) -> str:
    """The same for objects that are already found."""
    contents = {key: state.serialize() for key, state in objects.states.items()}
    contents[OBJECT_GRAPH] = objects.proto().SerializeToString()
    with session.graph.as_default() as graph:
        if graph.is_eager:
            saver = _saver(objects, {key: constants.constant(x) for key, x in contents.items()})
        else:
            saver, fed = _kept_saver(graph, objects, contents)
            session = _Feeding(session, {fed[key]: x for key, x in contents.items()})
    path = as_text(os.fspath(file_prefix))
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    written = saver.save(session, path, write_meta_graph=False, write_state=False)
    assert written is not None
    return written


def _saver(objects: Objects, contents: dict[str, Any]) -> Saver:
    values: dict[str, Any] = as_saveables({**objects.variables, **objects.others})
    values |= {key: BytesSaveable(tensor, key) for key, tensor in contents.items()}
    return Saver(values, name="checkpoint", max_to_keep=None)


def _kept_saver(graph: Any, objects: Objects, contents: dict[str, Any]) -> tuple[Saver, dict[str, Any]]:
    """The saver of these objects in a graph, made when they are first saved, and where it takes bytes from."""
    values = {**objects.variables, **objects.others}
    key = (*((key, id(x)) for key, x in values.items()), *sorted(contents))
    kept = graph.notes.setdefault("savers of objects", {})
    if key not in kept:
        fed = {name: constants.placeholder_with_default(x, [], name="content") for name, x in contents.items()}
        kept[key] = _saver(objects, fed), fed, values  # what is kept keeps its id
    saver, fed, _ = kept[key]
    return saver, fed


class _Feeding:
    """A session whose runs are fed more than they are told."""

    def __init__(self, session: Any, feeds: dict[Any, Any]) -> None:
        self._session, self._feeds, self.graph = session, feeds, session.graph

    def run(self, fetches: Any, feed_dict: dict[Any, Any]) -> Any:
        """A run."""
        return self._session.run(fetches, {**feed_dict, **self._feeds})


class _AtOnce:
    """Stands for the session where ops run at once: what is fetched is there."""

    graph = property(lambda self: default_graph())

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """The values of tensors and variables; of anything else nothing."""
        if isinstance(fetches, list):
            return [self.run(fetch) for fetch in fetches]
        return fetches.numpy() if hasattr(fetches, "numpy") else None


def session_for(session: Any) -> Any:
    if default_graph().is_eager:
        return _AtOnce()
    session = default_session() if session is None else session
    if session is None:
        error = ValueError("No session")
        error.add_note("  Fix:   checkpoint.save(prefix, session=sess), or inside of  with sess.as_default():")
        raise error
    return session


class ObjectsInCheckpoint:
    """What a checkpoint has for the objects of a ``Checkpoint``, those included that were built since it was read."""

    def __init__(self, root: Any, path: str | None) -> None:
        self._whole, self._path = root, path
        self._weak: Any = None  # what has taken over from a status must not keep its root
        self._unused = UnusedValues()
        self._graph: Any = None
        self._restored: dict[int, Any] = {}  # what has got its value: states, and where ops run at once, variables
        if path is None:
            return
        reader = CheckpointReader(path)
        self._names = set(reader.get_variable_to_shape_map())
        self._graph = object_graph_of(reader, path)

    @property
    def _root(self) -> Any:
        return self._weak() if self._whole is None else self._whole

    def for_later(self) -> ObjectsInCheckpoint:
        """The same for the root to keep: it gives their values to variables that are made later."""
        later = copy.copy(self)
        later._whole, later._weak = None, weakref.ref(self._whole)
        kept = weakref.ref(later)

        def attempt() -> bool:
            status = kept()
            if status is None or status._root is None:
                return True
            with eager_mode():
                return status.restore_new()

        deferred.wait_for(attempt)
        return later

    def _matched(self) -> tuple[dict[str, Any], dict[int, Any]]:
        """The variables by the keys of their values, and the objects by their numbers in the checkpoint."""
        if self._graph is None:
            variables = {v.name.partition(":")[0]: v for v in Objects(self._root).variables.values()}
            return {name: v for name, v in variables.items() if name in self._names}, {}
        nodes = self._graph.nodes
        found: dict[int, Any] = {0: self._root}
        waiting = [0]
        while waiting:
            number = waiting.pop(0)
            own = dict(children(found[number]))
            for child in nodes[number].children:
                if child.node_id in found:
                    continue
                held = own.get(child.local_name)
                if held is None and isinstance(found[number], Trackable):
                    held = found[number]._lookup_dependency(child.local_name)
                if held is not None:
                    found[child.node_id] = held
                    waiting.append(child.node_id)
        for number, optimizer in list(found.items()):
            for row in nodes[number].slot_variables if _has_slots(optimizer) else ():
                slot = _slot(optimizer, found.get(row.original_variable_node_id), row.slot_name)
                if slot is not None:
                    found[row.slot_variable_node_id] = slot
        others = {
            row.checkpoint_key: x
            for number, x in found.items()
            for row in nodes[number].attributes
            if row.name in parts_of(x) and row.checkpoint_key.endswith(f"/{row.name}")
        }
        return {**self._with_values(found, VARIABLE_VALUE_KEY, VariableV2), **others}, found

    def _with_values(self, found: dict[int, Any], attribute: str, kind: type) -> dict[str, Any]:
        """The objects of a kind among ``found``, by the keys of what they have under ``attribute``."""
        return {
            row.checkpoint_key: x
            for number, x in found.items()
            for row in self._graph.nodes[number].attributes
            if row.name == attribute and isinstance(x, kind)
        }

    def restore_states(self) -> None:
        """Give those states of Python's own theirs that have none yet."""
        if self._graph is not None:
            self._restore_states(self._matched()[1])

    def _restore_states(self, found: dict[int, Any]) -> None:
        if self._graph is None:
            return
        states = self._with_values(found, _PYTHON_STATE_KEY, PythonState)
        new = {key: x for key, x in states.items() if id(x) not in self._restored and key in self._names}
        if not new:
            return
        reader = CheckpointReader(self._path)
        for key, state in new.items():
            self._restored[id(state)] = state
            state.deserialize(bytes(reader.get_tensor(key)))

    def restore_new(self) -> bool:
        """Give those variables their values that have come since the last time; whether all of them are there."""
        keys, found = self._matched()
        self._restore_states(found)
        new = {key: v for key, v in keys.items() if id(v) not in self._restored}
        if new:
            Saver(as_saveables(new), name="restore", max_to_keep=None).restore(None, self._path)
            self._restored.update((id(v), v) for v in new.values())
        if self._graph is not None:
            names = names_of(self._graph.nodes)
            left = [f"Unresolved object in checkpoint: {names[n]}" for n in sorted(names) if n not in found]
            left += [f"Unused attribute in object {names[n]}: {a}" for n, a in self._unused_attributes(keys, found)]
            self._unused.lines = left
        return self.is_complete

    def _unused_attributes(self, keys: dict[str, Any], found: dict[int, Any]) -> list[tuple[int, list[str]]]:
        """The objects that are there and cannot take a value that the checkpoint has for them."""
        rows = [(n, row) for n in sorted(found) for row in self._graph.nodes[n].attributes]
        return [(n, [a.name]) for n, a in rows if a.name == VARIABLE_VALUE_KEY and a.checkpoint_key not in keys]

    @property
    def is_complete(self) -> bool:
        """Whether each object of the checkpoint is there."""
        return self._graph is None or len(self._matched()[1]) == len(self._graph.nodes)

    def assert_consumed(self) -> ObjectsInCheckpoint:
        """Each value of the checkpoint has an object, and each object a value.

        Raises:
          AssertionError: one has not.
        """
        self._check_path()
        if self._graph is not None:
            keys, found = self._matched()
            names = names_of(self._graph.nodes)
            for number, node in enumerate(self._graph.nodes):
                if number not in found:
                    name = names.get(number, f"node {number}")
                    raise AssertionError(f"Unresolved object in checkpoint {name}: {node}")
            unused = [f"{names[n]} ({found[n]}): {a}" for n, a in self._unused_attributes(keys, found)]
            if unused:
                raise AssertionError(
                    "Unused attributes in these objects (the attributes exist in the checkpoint but were not "
                    "restored):\n" + "\n".join(unused)
                )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> ObjectsInCheckpoint:
        """Each object has a value.

        Raises:
          AssertionError: one has none.
        """
        self._check_path()
        keys, found = self._matched()
        objects = Objects(self._root)
        values: list[Any] = [*keys.values()]
        if self._graph is not None:
            values += self._with_values(found, _PYTHON_STATE_KEY, PythonState).values()
        with_values = set(map(id, values))
        every = (*objects.variables.values(), *objects.others.values(), *objects.states.values())
        unmatched = [v for v in every if id(v) not in with_values]
        unmatched = [v for v in unmatched if v is not self._root.save_counter]
        if unmatched:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                f"program: {unmatched}"
            )
        return self

    def assert_nontrivial_match(self) -> ObjectsInCheckpoint:
        """Some object has a value, or will have one when its variables are made.

        Raises:
          AssertionError: none has.
        """
        self._check_path()
        keys, found = self._matched()
        if not keys and len(found) <= 1:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means that the "
                "checkpoint does not match the Python program. The following objects have no matching checkpointed "
                f"value: {list(Objects(self._root).variables.values())}"
            )
        return self

    def expect_partial(self) -> ObjectsInCheckpoint:
        """Say that values without objects are no mistake: nothing is logged of them."""
        self._unused.is_expected = True
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Give the variables their values.

        Raises:
          AssertionError: there is no checkpoint.
          InvalidArgumentError: a value has another shape or dtype.
        """
        self._check_path()
        if default_graph().is_eager:
            self.restore_new()
            return
        self.restore_others((), session_for(session))

    @property
    def matched_keys(self) -> list[str]:
        """The keys of the values that have variables."""
        return list(self._matched()[0])

    def restore_others(self, known: Iterable[str], session: Any) -> None:
        """Give those variables their values whose keys are not ``known``."""
        keys, found = self._matched()
        self._restore_states(found)
        gone = set(known)
        rest = {key: x for key, x in keys.items() if key not in gone}
        if rest:
            key = tuple((name, id(x)) for name, x in rest.items())
            kept = session.graph.notes.setdefault("restorers of objects", {})
            if key not in kept:
                with session.graph.as_default():
                    kept[key] = Saver(as_saveables(rest), name="restore", max_to_keep=None), rest
            kept[key][0].restore(session, self._path)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Give the variables their values, and initialize those that have none, in the checkpoint or already."""
        if default_graph().is_eager:
            return
        session = session_for(session)
        keys = self._matched()[0] if self._path is not None else {}
        restored = {id(v) for v in keys.values()}
        rest = [v for v in Objects(self._root).variables.values() if id(v) not in restored]
        with session.graph.as_default():
            if rest and self._path is not None:
                known = session.run([is_variable_initialized(v) for v in rest])
                rest = [v for v, is_known in zip(rest, known, strict=True) if not is_known]
            session.run([v.initializer for v in rest])
        if keys:
            self.run_restore_ops(session)

    def _check_path(self) -> None:
        if self._path is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")


class CheckpointManager:
    """Saves numbered checkpoints of one ``Checkpoint`` to a folder, and keeps the last ``max_to_keep``.

    One of every ``keep_checkpoint_every_n_hours`` hours is kept for good.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(f"Expected a positive integer or `None` for `max_to_max_to_keep`, got {max_to_keep}.")
        self._checkpoint, self._directory = checkpoint, as_text(os.fspath(directory))
        self._max_to_keep, self._hours = max_to_keep, keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._latest: str | None = None
        self._kept: dict[str, float] = {}  # those that may be deleted, and when they were written
        self._preserved = time.time()
        state = get_checkpoint_state(self._directory)
        if state is not None:
            times, paths = state.all_model_checkpoint_timestamps, state.all_model_checkpoint_paths
            self._kept = {p: t for p, t in zip(paths, times, strict=False) if exists(p)}  # others are not its own
            self._latest = state.model_checkpoint_path
            self._preserved = state.last_preserved_timestamp or self._preserved

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the last checkpoint."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The paths of those that are kept, oldest first; those kept for good are not among them."""
        return list(self._kept)

    @property
    def checkpoint_prefix(self) -> str:
        """What the paths begin with."""
        return self._prefix

    def save(self, checkpoint_number: Any = None) -> str:
        """Write a checkpoint and delete what is too much; its number is a count, or the one that is given."""
        session = session_for(None)
        count = self._checkpoint._next_number(session)
        if checkpoint_number is None:
            checkpoint_number = count
        elif not isinstance(checkpoint_number, int | np.integer):
            checkpoint_number = session.run(checkpoint_number)
        path = self._checkpoint.write(f"{self._prefix}-{int(checkpoint_number)}", session)
        now = time.time()
        self._kept.pop(path, None)
        self._kept[path], self._latest = now, path
        gone = self._overdue(now)
        update_checkpoint_state_internal(
            self._directory, path, all_model_checkpoint_paths=self.checkpoints,
            all_model_checkpoint_timestamps=list(self._kept.values()), last_preserved_timestamp=self._preserved,
            save_relative_paths=True,
        )  # fmt: skip
        for old in gone:
            remove_checkpoint(old)
        return path

    def _overdue(self, now: float) -> list[str]:
        gone = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            old, written = next(iter(self._kept.items()))
            del self._kept[old]
            if self._hours is not None and written - self._preserved >= self._hours * 3600:
                self._preserved = written
                log.info("%s is kept for good", old)
            else:
                gone.append(old)
        return gone
