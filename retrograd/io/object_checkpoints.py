"""``tf.train.Checkpoint``: objects to checkpoints and back, by the attributes under which they hold each other."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from retrograd.eager import deferred
from retrograd.graph.scopes import device
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_text
from retrograd.graph.untracked import held, hold, leave_untracked
from retrograd.io.checkpoint_files import update_checkpoint_state_internal
from retrograd.io.object_graphs import OBJECT_GRAPH
from retrograd.io.object_restoring import ObjectsInCheckpoint, session_for
from retrograd.io.saveables import validate_and_slice_inputs
from retrograd.io.saver import Saver
from retrograd.io.saver_builder import BulkSaverBuilder
from retrograd.io.tracked_objects import (
    BytesSaveable,
    Objects,
    as_saveables,
)
from retrograd.io.tracking import AutoTrackable
from retrograd.nn.layers.containers import is_trackable
from retrograd.ops import constants
from retrograd.state.inlining import Function
from retrograd.state.resource import ResourceVariable


class Checkpoint(AutoTrackable):
    """Saves and restores the objects that it is given by keywords, with all that they hold.

    Variables, optimizers with their slots, layers, models, lists and dicts are saved under the names of the
    attributes that lead to them, whatever the variables are called.

    Raises:
      ValueError: an argument is of none of these kinds, or a bare list or dict.
    """

    def __init__(self, **kwargs: Any) -> None:
        leave_untracked(self, "_next", "_restoring")
        for name, value in sorted(kwargs.items()):
            if not is_trackable(value) | isinstance(value, Function):
                raise ValueError(
                    f"`Checkpoint` was expecting a trackable object (an object derived from `TrackableBase`), got "
                    f"{value}. If you believe this object should be trackable (i.e. it is part of the TensorFlow "
                    "Python API and manages state), please open an issue."
                )
            setattr(self, name, value)
        self._next: Any = None  # what counts one more, in a graph
        self._restoring: list[ObjectsInCheckpoint] = []  # what goes on as long as objects are added

    @property
    def save_counter(self) -> Any:
        """How many checkpoints ``save`` has written, a variable that is made when it is first needed."""
        self._make_counter()
        return held(self)["save_counter"]

    def _make_counter(self) -> bool:
        """Make the count of the checkpoints, unless it is there; whether it was made."""
        if "save_counter" in held(self):
            return False
        with device("/cpu:0"):
            counter = ResourceVariable(np.int64(0), trainable=False, name="save_counter", dtype=np.int64)
        hold(self, counter, "save_counter")
        deferred.variables_made()
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

    def write(self, file_prefix: Any, session: Any = None) -> Any:
        """Write a checkpoint of that very path; nothing is counted, and the folder's latest one stays.

        The result is the path; while a function is built, a tensor that is the path when the function has written.
        """
        if default_graph().building_function:
            return _written_by_ops(Objects(self), file_prefix)
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
        has_all = status.restore_new if default_graph().is_eager and save_path is not None else status.match
        if not has_all():
            self._restoring.append(status.for_later())
        return status


def write_objects(root: Any, file_prefix: Any, session: Any) -> str:
    """Write the variables that an object holds under the names of the attributes that lead to them."""
    return write_found(Objects(root), file_prefix, session)


def write_found(objects: Objects, file_prefix: Any, session: Any) -> str:
    """The same for objects that are already found."""
    contents = _contents(objects)
    with session.graph.as_default() as graph:
        if graph.is_eager:
            saver = _saver(objects, {key: constants.constant(x) for key, x in contents.items()})
        else:
            saver, fed = _kept_saver(graph, objects, contents)
            session = _Feeding(session, {fed[key]: x for key, x in contents.items()})
    path = _path_in_folder(file_prefix)
    written = saver.save(session, path, write_meta_graph=False, write_state=False)
    assert written is not None
    return written


def _written_by_ops(objects: Objects, file_prefix: Any) -> Any:
    """The path, as a tensor that is there when ops of the current graph have written the checkpoint."""
    contents = {key: constants.constant(x) for key, x in _contents(objects).items()}
    saveables = validate_and_slice_inputs(_saveables(objects, contents))
    return BulkSaverBuilder()._AddSaveOps(constants.constant(_path_in_folder(file_prefix)), saveables)


def _contents(objects: Objects) -> dict[str, bytes]:
    """The bytes that stand in the checkpoint beside the values of variables."""
    states = {key: state.serialize() for key, state in objects.states.items()}
    return {**states, OBJECT_GRAPH: objects.proto().SerializeToString()}


def _path_in_folder(file_prefix: Any) -> str:
    """The path as text; its folder is made."""
    path = as_text(os.fspath(file_prefix))
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    return path


def _saveables(objects: Objects, contents: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = as_saveables({**objects.variables, **objects.others})
    return values | {key: BytesSaveable(tensor, key) for key, tensor in contents.items()}


def _saver(objects: Objects, contents: dict[str, Any]) -> Saver:
    return Saver(_saveables(objects, contents), name="checkpoint", max_to_keep=None)


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
