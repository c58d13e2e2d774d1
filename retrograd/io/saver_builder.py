"""The ops of a saver: one that saves all, and one that restores all."""

from __future__ import annotations

import uuid
from math import prod
from typing import Any

from retrograd.graph.devices import canonical
from retrograd.graph.scopes import control_dependencies, device, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_files import V1, V2
from retrograd.io.checkpoint_values import CheckpointReader
from retrograd.io.overwriting import Wanted, make_room, parts_of
from retrograd.io.saveables import (
    ReferenceVariableSaveable,
    ResourceVariableSaveable,
    SaveableObject,
    SaveSpec,
    set_cpu0,
    validate_and_slice_inputs,
)
from retrograd.ops import arrays, constants, control, strings
from retrograd.ops.saving import (
    merge_v2_checkpoints,
    restore_v2,
    save_slices,
    save_v2,
    sharded_filename,
    sharded_filespec,
)
from retrograd.state.partitioned import PartitionedVariable


class BaseSaverBuilder:
    """Builds the ops of a saver; each restores its tensors one by one."""

    SaveSpec = SaveSpec
    SaveableObject = SaveableObject
    VariableSaveable = ReferenceVariableSaveable
    ResourceVariableSaveable = ResourceVariableSaveable

    def __init__(self, write_version: int = V2) -> None:
        self._write_version = write_version

    def save_op(self, filename_tensor: Any, saveables: Any) -> Any:
        """The op that writes ``saveables`` to one file."""
        specs = [spec for saveable in saveables for spec in saveable.specs]
        names, tensors, slices = [s.name for s in specs], [s.tensor for s in specs], [s.slice_spec for s in specs]
        if self._write_version == V1:
            return save_slices(filename_tensor, names, slices, tensors, name="save")
        if self._write_version == V2:
            return save_v2(filename_tensor, names, slices, tensors)
        raise RuntimeError(f"Unexpected write_version: {self._write_version}")

    def bulk_restore(
        self, filename_tensor: Any, saveables: Any, preferred_shard: int, restore_sequentially: bool
    ) -> list[Any]:
        """The tensors that restore ``saveables``."""
        tensors = []
        for saveable in saveables:
            with device(set_cpu0(saveable.device) if saveable.device else None):
                tensors += self.restore_op(filename_tensor, saveable, preferred_shard)
        return tensors

    def restore_op(self, filename_tensor: Any, saveable: Any, preferred_shard: int) -> list[Any]:
        """The tensors that restore one."""
        return [restore_v2(filename_tensor, [s.name], [s.slice_spec], [s.dtype])[0] for s in saveable.specs]

    def sharded_filename(self, filename_tensor: Any, shard: int, num_shards: Any) -> Tensor:
        """The name of one of several files."""
        return sharded_filename(filename_tensor, shard, num_shards)

    def _AddSaveOps(self, filename_tensor: Any, saveables: Any) -> Any:
        return control.with_dependencies([self.save_op(filename_tensor, saveables)], filename_tensor)

    def _AddShardedSaveOps(self, filename_tensor: Any, per_device: Any) -> Any:
        is_new = self._write_version == V2
        base = filename_tensor
        if is_new:
            base = strings.string_join([filename_tensor, f"_temp_{uuid.uuid4().hex}/part"])
        count = constants.constant(len(per_device), name="num_shards")
        files, saves = [], []
        for shard, (place, saveables) in enumerate(per_device):
            with device(set_cpu0(place) if is_new else place):
                files.append(self.sharded_filename(base, shard, count))
                saves.append(self._AddSaveOps(files[-1], saveables))
        with control_dependencies([x.op for x in saves]):
            if not is_new:
                return sharded_filespec(filename_tensor, count)
            with device(set_cpu0(per_device[-1][0])):
                merged = merge_v2_checkpoints(files, filename_tensor, delete_old_dirs=True)
                with control_dependencies([merged]):
                    return arrays.identity(filename_tensor)

    def _AddRestoreOps(
        self,
        filename_tensor: Any,
        saveables: Any,
        restore_sequentially: bool,
        reshape: bool,
        preferred_shard: int = -1,
        name: str = "restore_all",
    ) -> Any:
        tensors = iter(self.bulk_restore(filename_tensor, saveables, preferred_shard, restore_sequentially))
        restored = []
        for saveable in saveables:
            shapes = [_shape_of(spec.tensor) for spec in saveable.specs] if reshape else None
            restored.append(saveable.restore([next(tensors) for _ in saveable.specs], shapes))
        return control.group(*restored, name=name)

    def _AddShardedRestoreOps(
        self, filename_tensor: Any, per_device: Any, restore_sequentially: bool, reshape: bool
    ) -> Any:
        restores = []
        for shard, (place, saveables) in enumerate(per_device):
            with device(place):
                restores.append(
                    self._AddRestoreOps(
                        filename_tensor, saveables, restore_sequentially, reshape, shard, "restore_shard"
                    )
                )
        return control.group(*restores, name="restore_all")

    def _GroupByDevices(self, saveables: Any) -> list[tuple[str, Any]]:
        per_device: dict[str, list[Any]] = {}
        for saveable in saveables:
            places = {canonical(spec.tensor.device) for spec in saveable.specs}
            if len(places) != 1:
                raise ValueError(f"All tensors of a saveable object must be on the same device: {saveable.name}")
            per_device.setdefault(places.pop(), []).append(saveable)
        return sorted(per_device.items(), key=lambda item: item[0])

    def build(
        self,
        names_to_saveables: Any,
        reshape: bool = False,
        sharded: bool = False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000.0,
        name: str | None = None,
        restore_sequentially: bool = False,
        filename: str | None = "model",
    ) -> Any:
        """The ``SaverDef`` of the ops that save and restore.

        Args:
          names_to_saveables: a list of variables, or a dict from the names that they are saved under.
          reshape: whether a variable takes values of another shape with as many elements.
          sharded: whether to write one file per device.

        Raises:
          TypeError: a name is no text, or a value no variable.
          ValueError: a variable or a name is there twice.
        """
        from tensorboard.compat.proto.saver_pb2 import SaverDef

        saveables = validate_and_slice_inputs(names_to_saveables)
        with name_scope(name, "save", [saveable.op for saveable in saveables]):
            file = constants.placeholder_with_default(filename or "model", shape=(), name="filename")
            file = constants.placeholder_with_default(file, shape=(), name="Const")
            if sharded:
                per_device = self._GroupByDevices(saveables)
                save = self._AddShardedSaveOps(file, per_device)
                restore = self._AddShardedRestoreOps(file, per_device, restore_sequentially, reshape)
            else:
                save = self._AddSaveOps(file, saveables)
                restore = self._AddRestoreOps(file, saveables, restore_sequentially, reshape)
        _join_partitioned()
        return SaverDef(
            filename_tensor_name=file.name, save_tensor_name=save.name, restore_op_name=restore.name,
            max_to_keep=max_to_keep or 0, sharded=sharded,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours, version=self._write_version,
        )  # fmt: skip


class SavingAtOnce:
    """What a saver does in the place of ops, where ops run at once."""

    def __init__(self, var_list: Any, reshape: bool) -> None:
        if var_list is None:
            error = RuntimeError(
                "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
            )
            error.add_note("  Fix:   tf.train.Saver(model.variables), or tf.train.Checkpoint(model=model)")
            raise error
        self._var_list, self._reshape = var_list, reshape

    def save(self, path: str) -> None:
        """Write the variables to a checkpoint."""
        BulkSaverBuilder(V2).save_op(constants.constant(path), validate_and_slice_inputs(self._var_list))

    def restore(self, path: str) -> None:
        """Let the variables be what the checkpoint says; large ones are read one behind the other."""
        saveables, read = validate_and_slice_inputs(self._var_list), BulkSaverBuilder(V2).bulk_restore
        there = CheckpointReader(path)
        sizes = {name: prod(shape) for name, shape in there.get_variable_to_shape_map().items()}
        parts = parts_of(saveables, lambda x: sum(sizes.get(s.name, 0) * s.dtype.size for s in x.specs))
        shapes = {x: [_shape_of(spec.tensor) for spec in x.specs] if self._reshape else None for x in saveables}
        make_room([row for saveable in saveables for row in self._wanted(saveable)], path)
        if len(parts) > 1:  # what is missing is told before anything changes
            missing = [x for x in saveables if not all(there.has_tensor(spec.name) for spec in x.specs)]
            parts = [missing, *parts] if missing else parts
        for part in parts:
            values = iter(read(constants.constant(path), part, -1, False))
            for saveable in part:
                saveable.restore([next(values) for _ in saveable.specs], shapes[saveable])

    def _wanted(self, saveable: SaveableObject) -> list[Wanted]:
        if not isinstance(saveable, ResourceVariableSaveable):
            return []
        (spec,), handle = saveable.specs, saveable.handle_op
        cell: Any = handle.value_now  # type: ignore[attr-defined]
        return [Wanted(cell, spec.name.encode(), spec.slice_spec, spec.dtype, self._reshape)]


def _shape_of(tensor: Any) -> Any:
    shape = tensor.get_shape()
    return shape if shape.is_fully_defined() else arrays.shape(tensor)


def _join_partitioned() -> None:
    """Build the whole of every partitioned variable that a collection lists: imported graphs look it up by name."""
    graph = default_graph()
    for key in graph.get_all_collection_keys():
        for item in graph.get_collection(key):
            if isinstance(item, PartitionedVariable):
                try:
                    graph.get_operation_by_name(item.name)
                except KeyError:
                    item.as_tensor()


class BulkSaverBuilder(BaseSaverBuilder):
    """Builds the ops of a saver; one op restores all tensors of a file."""

    def bulk_restore(
        self, filename_tensor: Any, saveables: Any, preferred_shard: int, restore_sequentially: bool
    ) -> list[Any]:
        specs = [spec for saveable in saveables for spec in saveable.specs]
        with device("cpu:0"):
            return restore_v2(
                filename_tensor, [s.name for s in specs], [s.slice_spec for s in specs], [s.dtype for s in specs]
            )
