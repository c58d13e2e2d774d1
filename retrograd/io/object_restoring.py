"""The objects of a checkpoint found again among those of a program, and their values given back."""

from __future__ import annotations

import copy
import itertools
import weakref
from collections.abc import Iterable
from typing import Any

from retrograd.eager import deferred
from retrograd.eager.context import eager_mode
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph, default_session
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.io.object_graphs import object_graph_of
from retrograd.io.saver import Saver
from retrograd.io.tracked_objects import (
    PYTHON_STATE_KEY,
    VARIABLE_VALUE_KEY,
    Objects,
    as_saveables,
    has_slots,
    parts_of,
    slot_of,
)
from retrograd.io.tracking import PythonState, Trackable, children
from retrograd.io.unused_values import UnusedValues, names_of
from retrograd.nn.layers.containers import Container
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.held_weights import OWN_LISTS
from retrograd.nn.layers.session import get_session
from retrograd.nn.layers.wrapped_containers import ListWrapper
from retrograd.ops import constants, saving
from retrograd.state.template import capturing_nothing
from retrograd.state.variables import VariableV2


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
    if session is None and default_graph().captures and default_session() is None:
        error = ValueError("No session")  # it would run once, while the function is traced
        error.add_note("  Fix:   call checkpoint.save(prefix) outside of functions")
        raise error
    return get_session() if session is None else session


_TURNS = itertools.count(1)
_LAST_TURN = "_restored_in_turn"  # in ``vars`` of what has a value in a checkpoint: the latest that is to give it one


class ObjectsInCheckpoint:
    """What a checkpoint has for the objects of a ``Checkpoint``, those included that were built since it was read.

    Of several checkpoints that have a value for an object, the one that was restored last gives it, in whatever order
    the object is found.
    """

    def __init__(self, root: Any, path: str | None) -> None:
        self._whole, self._path = root, path
        self._turn = next(_TURNS)
        self._met: dict[int, tuple[Any, bool]] = {}  # what has a value here, and whether no later checkpoint had one
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
        """The same for the root to keep: it gives their values to states of Python's own that are made later.

        And to variables, where ops run at once.
        """
        runs_at_once = default_graph().is_eager
        later = copy.copy(self)
        later._whole, later._weak = None, weakref.ref(self._whole)
        kept = weakref.ref(later)

        def attempt() -> bool:
            status = kept()
            if status is None or status._root is None:
                return True
            if not runs_at_once:
                return status.match()
            with eager_mode():
                return status.restore_new()

        deferred.wait_for(attempt)
        return later

    def _meet(self, values: Iterable[Any]) -> None:
        """Let this be the checkpoint that gives these their values, unless one does that was restored later."""
        for x in values:
            if id(x) not in self._met:
                is_first = vars(x).get(_LAST_TURN, 0) < self._turn
                self._met[id(x)] = x, is_first
                if is_first:
                    vars(x)[_LAST_TURN] = self._turn

    def _given(self, keys: dict[str, Any]) -> dict[str, Any]:
        """Those of ``keys`` whose objects get their values from this checkpoint, each by its first key."""
        once: dict[int, str] = {}
        for key, x in keys.items():
            if self._met[id(x)][1]:
                once.setdefault(id(x), key)
        return {key: keys[key] for key in once.values()}

    def _matched(self) -> tuple[dict[str, Any], dict[int, Any]]:
        """The variables by the keys of their values, and the objects by their numbers in the checkpoint."""
        keys, found = self._looked_up()
        self._meet(keys.values())
        return keys, found

    def _looked_up(self) -> tuple[dict[str, Any], dict[int, Any]]:
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
                if held is None and child.local_name in OWN_LISTS and isinstance(found[number], Layer):
                    held = ListWrapper()  # TensorFlow saves some of these lists, empty
                if held is not None:
                    found[child.node_id] = held
                    waiting.append(child.node_id)
        self._add_slots(found)
        others = {
            row.checkpoint_key: x
            for number, x in found.items()
            for row in nodes[number].attributes
            if row.name in parts_of(x) and row.checkpoint_key.endswith(f"/{row.name}")
        }
        return {**self._with_values(found, VARIABLE_VALUE_KEY, VariableV2), **others}, found

    def _add_slots(self, found: dict[int, Any]) -> None:
        """Add the slots of the optimizers; where ops run at once, those are made that are not there.

        They are made in TensorFlow's order: as soon as both the optimizer and the variable are found.
        """
        place = {number: i for i, number in enumerate(found)}
        rows = [
            (max(place[number], place[row.original_variable_node_id]), optimizer, row)
            for number, optimizer in found.items()
            for row in (self._graph.nodes[number].slot_variables if has_slots(optimizer) else ())
            if row.original_variable_node_id in place
        ]
        for _, optimizer, row in sorted(rows, key=lambda r: r[0]):
            variable = found[row.original_variable_node_id]
            slot = slot_of(optimizer, variable, row.slot_name)
            if slot is None and isinstance(variable, VariableV2) and default_graph().is_eager:
                slot = self._made_slot(optimizer, variable, row)
            if slot is not None:
                found[row.slot_variable_node_id] = slot

    def _made_slot(self, optimizer: Any, variable: Any, row: Any) -> Any:
        """The slot that the checkpoint has beside a variable, made so that it is there before the first step."""
        values = [a for a in self._graph.nodes[row.slot_variable_node_id].attributes if a.name == VARIABLE_VALUE_KEY]
        if not values or not hasattr(optimizer, "_slot_with"):
            return None
        value = CheckpointReader(self._path).get_tensor(values[0].checkpoint_key)
        with capturing_nothing():  # this may be while a template is called
            return optimizer._slot_with(variable, row.slot_name, value)

    def _with_values(self, found: dict[int, Any], attribute: str, kind: type) -> dict[str, Any]:
        """The objects of a kind among ``found``, by the keys of what they have under ``attribute``."""
        return {
            row.checkpoint_key: x
            for number, x in found.items()
            for row in self._graph.nodes[number].attributes
            if row.name == attribute and isinstance(x, kind)
        }

    def match(self) -> bool:
        """Give the states of Python's own theirs that are there and have none yet; whether all are there."""
        if self._path is None or self._graph is None:
            return True
        found = self._matched()[1]
        self._restore_states(found)
        return all(
            n in found for n, x in enumerate(self._graph.nodes) for a in x.attributes if a.name == PYTHON_STATE_KEY
        )

    def _restore_states(self, found: dict[int, Any]) -> None:
        if self._graph is None:
            return
        states = self._with_values(found, PYTHON_STATE_KEY, PythonState)
        self._meet(states.values())
        states = self._given(states)
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
        new = {key: v for key, v in self._given(keys).items() if id(v) not in self._restored}
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
        self.assert_existing_objects_matched()
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
        return self

    def assert_existing_objects_matched(self) -> ObjectsInCheckpoint:
        """Each object is in the checkpoint, containers without objects aside, and each variable has a value there.

        Raises:
          AssertionError: one is not, or has none.
        """
        self._check_path()
        keys, found = self._matched()
        objects = Objects(self._root)
        values, every = [*keys.values()], [*objects.variables.values()]
        if self._graph is not None:
            values += (x for x in found.values() if not isinstance(x, VariableV2))
            every = [x for x in objects.found if not isinstance(x, Container) or children(x)] + every
        known = set(map(id, values))
        unmatched = [*{id(x): x for x in every if id(x) not in known}.values()]
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
        if not children(self._root):
            raise AssertionError(f"Nothing to load. No dependencies have been added to {self._root} yet.")
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
        if self._path is None:
            raise AssertionError(
                "No checkpoint specified, so no restore ops are available (save_path=None to Saver.restore)."
            )
        if default_graph().is_eager:
            self.restore_new()
            return
        self.restore_others((), session_for(session))

    def become_initializers(self) -> None:
        """Let the initializers of the variables give the values that the checkpoint has, where ops wait to be run."""
        for key, variable in self._given(self._matched()[0]).items():
            if not isinstance(variable, VariableV2):
                continue
            with variable.graph.as_default(), name_scope("restored"):
                path = constants.constant(self._path)
                (value,) = saving.restore_v2(path, [key], [""], [variable.dtype.base_dtype])
                value.set_shape(variable.shape)
                variable._initializer_op = variable.assign(value, read_value=False)

    @property
    def matched_keys(self) -> list[str]:
        """The keys of the values that have variables."""
        return list(self._matched()[0])

    def restore_others(self, known: Iterable[str], session: Any) -> None:
        """Give those variables their values whose keys are not ``known``."""
        keys, found = self._matched()
        self._restore_states(found)
        gone = set(known)
        rest = {key: x for key, x in self._given(keys).items() if key not in gone}
        if rest:
            key = tuple((name, id(x)) for name, x in rest.items())
            kept = session.graph.notes.setdefault("restorers of objects", {})
            if key not in kept:
                with session.graph.as_default():
                    kept[key] = Saver(as_saveables(rest), name="restore", max_to_keep=None), rest
            kept[key][0].restore(session, self._path)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Give the variables their values, and initialize those that no checkpoint has, this one or a later one."""
        if default_graph().is_eager:
            return
        session = session_for(session)
        keys = self._matched()[0] if self._path is not None else {}
        known = {id(v) for v in keys.values()}
        rest = [v for v in Objects(self._root).variables.values() if id(v) not in known]
        rest = [v for v in rest if vars(v).get(_LAST_TURN, 0) < self._turn]
        session.run([v.initializer for v in rest])
        if keys:
            self.run_restore_ops(session)

    def _check_path(self) -> None:
        if self._path is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")
