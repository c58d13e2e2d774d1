"""``tf.train.Saver``: variables to checkpoints and back."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from retrograd.graph import errors, log
from retrograd.graph.collection_protos import register_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_text, integral_types
from retrograd.io import imported_meta_graphs, meta_graphs
from retrograd.io.checkpoint_files import (
    V2,
    checkpoint_exists,
    get_checkpoint_mtimes,
    latest_checkpoint,
    meta_graph_filename,
    parent_exists,
    remove_checkpoint,
    update_checkpoint_state_internal,
)
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.io.object_graphs import keys_by_name, object_graph_of
from retrograd.io.overwriting import make_room, restored_by
from retrograd.io.saveables import all_saveable_objects, op_list_to_dict, validate_and_slice_inputs
from retrograd.io.saver_builder import BulkSaverBuilder, SavingAtOnce
from retrograd.run.session import BaseSession
from retrograd.state.slices import in_scope, without_scope
from retrograd.train.training_util import global_step as step_of

_one_at_a_time = threading.RLock()  # of the checkpoints of two threads, the one begun later is the latest


class Saver:
    """Saves variables to checkpoints and restores them.

    Args:
      var_list: a list of variables, or a dict from the names that they are saved under; by default all.
      reshape: whether a variable takes values of another shape with as many elements.
      sharded: whether to write one file per device.
      max_to_keep: how many checkpoints to keep; None or 0 keeps all.
      keep_checkpoint_every_n_hours: one checkpoint of every so many hours is kept for good.
      name: the scope of the ops.
      saver_def: a ``SaverDef`` whose ops are there; none are built.
      builder: what builds the ops.
      defer_build: whether ``build()`` will be called later.
      allow_empty: whether there may be nothing to save; ``save`` then writes no values.
      pad_step_number: whether step numbers have eight digits.
      save_relative_paths: whether the folder of the checkpoints can be moved.
      filename: the path to save to or restore from where a run names none.

    Raises:
      TypeError: ``var_list`` holds what is no variable.
      ValueError: there is nothing to save, or a variable or name is there twice.
    """

    def __init__(
        self,
        var_list: Any = None,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        saver_def: Any = None,
        builder: Any = None,
        defer_build: bool = False,
        allow_empty: bool = False,
        write_version: int = V2,
        pad_step_number: bool = False,
        save_relative_paths: bool = False,
        filename: str | None = None,
    ) -> None:
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. "
                "Either set defer_build=False or var_list=None."
            )
        self._var_list, self._builder, self._name = var_list, builder, name
        self._reshape, self._sharded, self._restore_sequentially = reshape, sharded, restore_sequentially
        self._max_to_keep, self._keep_checkpoint_every_n_hours = max_to_keep, keep_checkpoint_every_n_hours
        self.saver_def = saver_def
        self._is_built, self._is_empty, self._allow_empty = False, False, allow_empty
        self._write_version, self._pad_step_number = write_version, pad_step_number
        self._save_relative_paths, self._filename = save_relative_paths, filename
        self._last_checkpoints: list[tuple[str, float]] = []
        self._checkpoints_to_be_deleted: list[tuple[str, float]] = []
        self._at_once: SavingAtOnce | None = None  # in the place of ops
        self._of_objects: tuple[Saver, dict[str, str]] | None = None  # for object-based checkpoints; keys by names
        if not defer_build:
            self.build()
        if self.saver_def and self._at_once is None:
            self._check_saver_def()
            self._write_version = self.saver_def.version

    def build(self) -> None:
        """Add the ops to the graph, once."""
        if self._is_built:
            return
        self._is_built = True
        if default_graph().is_eager:
            from tensorboard.compat.proto.saver_pb2 import SaverDef

            self._at_once = SavingAtOnce(self._var_list, self._reshape)
            self.saver_def = SaverDef(
                max_to_keep=self._max_to_keep or 0, version=V2,
                keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours,
            )  # fmt: skip
            self._next_checkpoint_time = time.time() + self._keep_checkpoint_every_n_hours * 3600
            return
        if self.saver_def:
            if self._name:
                for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
                    setattr(self.saver_def, field, in_scope(getattr(self.saver_def, field), self._name))
        elif not self._build_ops():
            return
        self._check_saver_def()
        self._next_checkpoint_time = time.time() + self.saver_def.keep_checkpoint_every_n_hours * 3600

    def _build_ops(self) -> bool:
        """Build the ops; False if there is nothing to save."""
        if self._var_list is None:
            self._var_list = all_saveable_objects()
        if not self._var_list:
            if not self._allow_empty:
                error = ValueError("No variables to save")
                error.add_note("  Fix:   make the saver after the variables, or tf.train.Saver(allow_empty=True)")
                raise error
            self._is_empty = True
            return False
        self._builder = self._builder or BulkSaverBuilder(self._write_version)
        self.saver_def = self._builder.build(
            self._var_list, reshape=self._reshape, sharded=self._sharded, max_to_keep=self._max_to_keep,
            keep_checkpoint_every_n_hours=self._keep_checkpoint_every_n_hours, name=self._name,
            restore_sequentially=self._restore_sequentially, filename=self._filename,
        )  # fmt: skip
        return True

    def _check_saver_def(self) -> None:
        from tensorboard.compat.proto.saver_pb2 import SaverDef

        if not isinstance(self.saver_def, SaverDef):
            raise ValueError(f"saver_def must be a saver_pb2.SaverDef: {self.saver_def}")
        if not self.saver_def.save_tensor_name:
            raise ValueError(f"saver_def must specify the save_tensor_name: {self.saver_def}")
        if not self.saver_def.restore_op_name:
            raise ValueError(f"saver_def must specify the restore_op_name: {self.saver_def}")

    # -- saving --------------------------------------------------------------------------------

    def save(
        self,
        sess: Any,
        save_path: str,
        global_step: Any = None,
        latest_filename: str | None = None,
        meta_graph_suffix: str = "meta",
        write_meta_graph: bool = True,
        write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str | None:
        """Write the variables of ``sess`` to a checkpoint; the result is its path, for ``restore``.

        Args:
          save_path: where, without the step.
          global_step: a number, tensor or variable that is appended: ``model.ckpt-1000``.
          latest_filename: the file that says what the latest checkpoint is, by default ``checkpoint``.
          write_meta_graph: whether to write the graph beside the values.
          write_state: whether to write that file, and to delete checkpoints beyond ``max_to_keep``.
          strip_default_attrs: whether to leave out attributes that are what an op has without them.
          save_debug_info: nothing; tracebacks are not written.

        Raises:
          ValueError: the folder does not exist, or the two names are one.
          RuntimeError: ``build()`` was deferred and not called since.
        """
        save_path = os.fspath(save_path)
        if not self._is_built:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        latest_filename = latest_filename or "checkpoint"
        if self._write_version != V2:
            _warn_of_old_format()
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        with _one_at_a_time:
            path = self._numbered(sess, save_path, global_step)
            if global_step is None and os.path.basename(save_path) == latest_filename and not self._sharded:
                raise ValueError(f"'latest_filename' collides with 'save_path': '{latest_filename}' and '{save_path}'")
            if self._at_once is not None:
                with _parent_told(save_path):
                    self._at_once.save(path)
                if write_state:
                    self._record(path, os.path.dirname(save_path), latest_filename, meta_graph_suffix)
                return path
            if not isinstance(sess, BaseSession) and not hasattr(sess, "run"):
                raise TypeError(f"'sess' must be a Session; {sess}")
            written = None
            if not self._is_empty:
                with _parent_told(save_path):
                    written = as_text(
                        sess.run(self.saver_def.save_tensor_name, {self.saver_def.filename_tensor_name: path})
                    )
                    if write_state:
                        self._record(written, os.path.dirname(save_path), latest_filename, meta_graph_suffix)
            if write_meta_graph:
                with sess.graph.as_default():
                    self.export_meta_graph(
                        meta_graph_filename(path, meta_graph_suffix), strip_default_attrs=strip_default_attrs
                    )
            return written

    def _numbered(self, sess: Any, save_path: str, global_step: Any) -> str:
        if global_step is None:
            return save_path
        if not isinstance(global_step, integral_types):
            global_step = step_of(sess, global_step)
        return f"{save_path}-{global_step:08d}" if self._pad_step_number else f"{save_path}-{global_step:d}"

    def _record(self, path: str, folder: str, latest_filename: str, meta_graph_suffix: str) -> None:
        """Note a new checkpoint, say so in the folder, and delete the one that is too much."""
        if self.saver_def.max_to_keep:
            self._last_checkpoints = [p for p in self._last_checkpoints if p[0] != path] + [(path, time.time())]
            if len(self._last_checkpoints) > self.saver_def.max_to_keep:
                self._checkpoints_to_be_deleted.append(self._last_checkpoints.pop(0))
        update_checkpoint_state_internal(
            folder, path, self.last_checkpoints, latest_filename, self._save_relative_paths
        )
        if self._checkpoints_to_be_deleted:
            self._delete(*self._checkpoints_to_be_deleted.pop(0), meta_graph_suffix)

    def _delete(self, path: str, written_at: float, meta_graph_suffix: str) -> None:
        if written_at > self._next_checkpoint_time:  # the one of these hours, to be kept
            self._next_checkpoint_time += self.saver_def.keep_checkpoint_every_n_hours * 3600
            return
        try:
            remove_checkpoint(path, self.saver_def.version, meta_graph_suffix)
        except errors.OpError as error:
            log.warning("Ignoring: %s", error)

    # -- restoring -----------------------------------------------------------------------------

    def restore(self, sess: Any, save_path: Any) -> None:
        """Let the variables of ``sess`` be what they were when the checkpoint was written.

        They need not be initialized.  If it fails, all of them are as they were before.

        Raises:
          ValueError: there is no checkpoint of that path.
          NotFoundError: it lacks a variable.
          InvalidArgumentError: a variable has another dtype or shape.
          DataLossError: it is damaged.
        """
        if self._is_empty:
            return
        if save_path is None:
            raise errors.taught(
                ValueError("Can't load save_path when it is None."),
                why="tf.train.latest_checkpoint(folder) is None where no checkpoint was written yet",
                fix="if path is None:  sess.run(tf.global_variables_initializer())",
            )
        path = as_text(os.fspath(save_path))
        if not checkpoint_exists(path):
            raise _no_checkpoint(path)
        self._restore(sess, path, may_be_of_objects=True)

    def _restore(self, sess: Any, path: str, may_be_of_objects: bool) -> None:
        log.info("Restoring parameters from %s", path)
        try:
            if self._at_once is not None:
                self._at_once.restore(path)
            else:
                make_room(restored_by(sess.graph.get_operation_by_name(self.saver_def.restore_op_name), sess), path)
                sess.run(self.saver_def.restore_op_name, {self.saver_def.filename_tensor_name: path})
        except errors.NotFoundError as error:
            graph = object_graph_of(CheckpointReader(path), path) if may_be_of_objects else None
            if graph is None:
                cause = "a Variable name or other graph key that is missing"
                raise _unfit(error, cause, **_missing(error, path)) from None
            self._restore_objects(sess, path, keys_by_name(graph))
        except errors.InvalidArgumentError as error:
            raise _unfit(error, "a mismatch between the current graph and the graph", **_misfit(error)) from None

    def _restore_objects(self, sess: Any, path: str, keys: dict[str, str]) -> None:
        """Restore what ``tf.train.Checkpoint`` has written, by the names that the variables had then."""
        log.warning(
            "Restoring an object-based checkpoint using a name-based saver. This may be somewhat fragile, and will "
            "re-build the Saver. Instead, consider loading object-based checkpoints using tf.train.Checkpoint()."
        )
        if self._of_objects is not None:
            _check_names(self._of_objects[1], keys)
        if self._of_objects is None or not self._of_objects[1].items() <= keys.items():
            with nullcontext() if self._at_once is not None else sess.graph.as_default():
                self._of_objects = _saver_of_objects(self._var_list or all_saveable_objects(), keys)
        self._of_objects[0]._restore(sess, path, may_be_of_objects=False)

    # -- checkpoints that are there ------------------------------------------------------------

    @property
    def last_checkpoints(self) -> list[str]:
        """The paths of the checkpoints that were not deleted yet, oldest first."""
        return [path for path, _ in self._last_checkpoints]

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Take over checkpoints of an earlier run; none of them will be deleted."""
        assert isinstance(last_checkpoints, list)
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(self, last_checkpoints_with_time: list[tuple[str, float]]) -> None:
        """Take over checkpoints of an earlier run: paths, and when they were written."""
        assert isinstance(last_checkpoints_with_time, list)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Any) -> None:
        """Take over those checkpoints of an earlier run that exist."""
        found = [(path, get_checkpoint_mtimes([path])) for path in checkpoint_paths]
        self.set_last_checkpoints_with_time([(path, times[0]) for path, times in found if times])

    # -- as data -------------------------------------------------------------------------------

    def as_saver_def(self) -> Any:
        """The ``SaverDef`` of the saver."""
        return self.saver_def

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The ``SaverDef``, without a leading ``export_scope``; None if it is not inside of it."""
        from tensorboard.compat.proto.saver_pb2 import SaverDef

        if export_scope is None:
            return self.saver_def
        proto = SaverDef()
        proto.CopyFrom(self.saver_def)
        for field in ("filename_tensor_name", "save_tensor_name", "restore_op_name"):
            name = getattr(proto, field)
            if not name.startswith(export_scope):
                return None
            setattr(proto, field, without_scope(name, export_scope))
        return proto

    @staticmethod
    def from_proto(saver_def: Any, import_scope: str | None = None) -> Saver:
        """The saver of a ``SaverDef``, whose ops are in the scope ``import_scope``."""
        return Saver(saver_def=saver_def, name=import_scope)

    def export_meta_graph(
        self,
        filename: str | None = None,
        collection_list: Any = None,
        as_text: bool = False,
        export_scope: str | None = None,
        clear_devices: bool = False,
        clear_extraneous_savers: bool = False,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> Any:
        """A ``MetaGraphDef`` of the default graph with this saver; see ``tf.train.export_meta_graph``."""
        return meta_graphs.export_meta_graph(
            filename, saver_def=self.saver_def, collection_list=collection_list, as_text=as_text,
            export_scope=export_scope, clear_devices=clear_devices, clear_extraneous_savers=clear_extraneous_savers,
            strip_default_attrs=strip_default_attrs, save_debug_info=save_debug_info,
        )  # fmt: skip


def _get_saver_or_default() -> Saver | None:
    """The saver of the graph's collection, or a new one, which is put there; None without variables.

    Raises:
      RuntimeError: the collection has more than one.
    """
    savers = get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            f"More than one item in collection {GraphKeys.SAVERS}. Please indicate which one to use by passing it to "
            "the constructor."
        )
    if savers:
        return savers[0]  # type: ignore[no-any-return]
    saver = Saver(sharded=True, allow_empty=True)
    add_to_collection(GraphKeys.SAVERS, saver)
    return saver


@contextmanager
def _parent_told(save_path: str) -> Iterator[None]:
    """Say of a save that fails that the folder is missing, if it is: writing makes no more than one folder."""
    try:
        yield
    except (errors.FailedPreconditionError, errors.NotFoundError):
        if not parent_exists(save_path):
            raise ValueError(f"Parent directory of {save_path} doesn't exist, can't save.") from None
        raise


def _warn_of_old_format() -> None:
    stars = "*" * 55
    for line in (
        stars,
        "TensorFlow's V1 checkpoint format has been deprecated.",
        "Consider switching to the more efficient V2 format:",
        "   `tf.train.Saver(write_version=tf.train.SaverDef.V2)`",
        "now on by default.",
        stars,
    ):
        log.warning(line)


def _saver_of_objects(var_list: Any, keys: dict[str, str]) -> tuple[Saver, dict[str, str]]:
    """A saver of ``var_list`` under the keys of an object-based checkpoint, and those that it reads.

    Raises:
      NotFoundError: the checkpoint had no variables of some names.
    """
    saveables = validate_and_slice_inputs(var_list if isinstance(var_list, dict) else op_list_to_dict(var_list))
    specs = [spec for saveable in saveables for spec in saveable.specs]
    names = [spec.name for spec in specs]
    _check_names(names, keys)
    for spec in specs:
        spec.name = keys[spec.name]
    for saveable in saveables:
        saveable.name = keys.get(saveable.name, saveable.name)
    return Saver(saveables), {name: keys[name] for name in names}


def _check_names(names: Iterable[str], keys: dict[str, str]) -> None:
    wanted = set(names)
    missing = sorted(wanted.difference(keys))
    if not missing:
        return
    text = f"\nExisting variables not in the checkpoint: {', '.join(missing)}\n"
    if unknown := sorted(set(keys) - wanted):
        text += f"\nVariables names when this checkpoint was written which don't exist now: {', '.join(unknown)}\n"
    text += f"\n({len(wanted) - len(missing)} variable name(s) did match)\n"
    text += "\nCould not find some variables in the checkpoint (see names above)."
    error = errors.NotFoundError(None, None, text)
    error.add_note("  Why:   tf.train.Checkpoint has written it, and knows objects; a saver asks for names")
    error.add_note("  Fix:   tf.train.Saver({'name in the checkpoint': variable, ...})")
    raise error


def _no_checkpoint(path: str) -> Exception:
    folder = os.path.dirname(path) or "."
    latest = latest_checkpoint(folder)
    return errors.taught(
        ValueError(f"The passed save_path is not a valid checkpoint: {path}"),
        why=f"there is no {os.path.abspath(path)}.index",
        fix="saver.save(sess, path) writes one" if latest is None else f"saver.restore(sess, {latest!r})",
    )


def _missing(error: errors.OpError, path: str) -> dict[str, str | None]:
    """Why a checkpoint lacks what is asked for, and what to type."""
    key = re.match(r"Key (\S+) not found in checkpoint", error.message)
    if key is None:
        return {}
    names = sorted(CheckpointReader(path).get_variable_to_shape_map())
    near = errors.nearest(key[1], names)
    listed = ", ".join(names[:_MANY]) + (f" and {len(names) - _MANY} more" if len(names) > _MANY else "")
    return {
        "why": f"the checkpoint holds {listed or 'nothing'}",
        "fix": f"tf.train.Saver({{{near or names[0]!r}: variable, ...}}) for variables that had other names there;\n"
        "tf.train.Saver([variable, ...]) for those alone that are there; the others want their initializers"
        if names
        else None,
    }


def _misfit(error: errors.OpError) -> dict[str, str | None]:
    """Which variable does not take what the checkpoint has for it."""
    words = r"Assign requires shapes of both tensors to match. lhs shape= (.*) rhs shape= (.*)"
    shapes = re.match(words, error.message)
    if shapes is None or error.op is None or not error.op.inputs:
        return {}
    variable = error.op.inputs[0].op
    return {
        "why": f"{variable.name} has shape {shapes[1]}, and in the checkpoint {shapes[2]}",
        "where": f"{variable.name} was built at {variable.place}" if variable.place else None,
        "fix": "tf.train.Saver([v for v in tf.global_variables() if ...]) without it, or the network that was saved",
    }


_MANY = 12  # names


def _unfit(error: errors.OpError, cause: str, **advice: str | None) -> errors.OpError:
    original = error.message if not advice else _words(error.message)
    text = (
        f"Restoring from checkpoint failed. This is most likely due to {cause} from the checkpoint. Please ensure "
        f"that you have not altered the graph expected based on the checkpoint. Original error:\n\n{original}"
    )
    return type(error)(error.node_def, error.op, errors.explain(text, **advice))  # type: ignore[call-arg]


def _words(message: str) -> str:
    """A message of a run without why and where that is."""
    return "\n".join(line for line in message.splitlines() if not line.startswith("  "))


def _saver_def() -> Any:
    from tensorboard.compat.proto.saver_pb2 import SaverDef

    return SaverDef()


register_proto_function(GraphKeys.SAVERS, _saver_def, Saver.to_proto, Saver.from_proto)


# -- savers of imported graphs -----------------------------------------------------------------


def import_meta_graph(
    meta_graph_or_file: Any, clear_devices: bool = False, import_scope: str | None = None, **kwargs: Any
) -> Saver | None:
    """Add a graph that was exported to the default graph; the result is its saver, or one of all its variables.

    Args:
      meta_graph_or_file: a ``MetaGraphDef``, or the path of one.
      clear_devices: whether to forget where ops were placed.
      import_scope: the scope of the new ops.
      input_map, unbound_inputs_col_name, restore_collections_predicate: see ``import_scoped_meta_graph``.

    Raises:
      OSError: there is no such file, or it is no ``MetaGraphDef``.
      ValueError: the graph is not well formed, or reads what ``input_map`` does not give.
    """
    return _import_meta_graph_with_return_elements(meta_graph_or_file, clear_devices, import_scope, **kwargs)[0]


def _import_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    return_elements: Any = None,
    **kwargs: Any,
) -> tuple[Saver | None, list[Any] | None]:
    if executing_eagerly():
        raise RuntimeError(
            "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when "
            "eager execution is enabled."
        )
    meta = imported_meta_graphs.as_meta_graph(meta_graph_or_file)
    variables, found = imported_meta_graphs.import_scoped_meta_graph_with_return_elements(
        meta, clear_devices=clear_devices, import_scope=import_scope, return_elements=return_elements, **kwargs
    )
    if meta.HasField("saver_def"):
        scope = import_scope
        for name, variable in variables.items():
            scope = variable.name[: -len(name)]
            break
        return Saver(saver_def=meta.saver_def, name=scope), found
    if all_saveable_objects(scope=import_scope):
        return Saver(), found
    log.info("Saver not created because there are no variables in the graph to restore")
    return None, found
