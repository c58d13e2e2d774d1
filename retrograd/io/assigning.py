"""Variables set from a checkpoint, by ops or by a saver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import log
from retrograd.io import checkpoint_values
from retrograd.io.checkpoint_values import CheckpointReader, NewCheckpointReader
from retrograd.io.saver import Saver
from retrograd.nn.contrib.model_variables import get_variable_full_name
from retrograd.ops import constants, control


def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """An op that sets variables to a checkpoint's values, and what to feed it.

    ``var_list`` is a list, or a dictionary from names in the checkpoint to a variable or a list of the parts of one.

    Raises:
      ValueError: the checkpoint lacks a variable, or has it with another shape.
    """
    wanted: dict[str, list[Any]] = {}
    if isinstance(var_list, list | tuple):
        for var in var_list:
            wanted.setdefault(get_variable_full_name(var), []).append(var)
    else:
        for name, value in var_list.items():
            wanted[name] = list(value) if isinstance(value, list | tuple) else [value]
    reader = NewCheckpointReader(model_path)
    ops, feeds = [], {}
    for name, parts in wanted.items():
        if not reader.has_tensor(name):
            text = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(text)
            log.warning(text)
            continue
        whole = reader.get_tensor(name)
        for var in parts:
            fed = constants.placeholder(dtype=var.dtype.base_dtype, shape=var.shape, name="placeholder/" + var.op.name)
            ops.append(var.assign(fed))
            info = var._save_slice_info
            if info:
                place = [slice(i, i + n) for i, n in zip(info.var_offset, info.var_shape, strict=True)]
                feeds[fed] = whole[tuple(place)].reshape(info.var_shape)
            elif var.shape != whole.shape:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: [{whole.shape}], "
                    f"rh_shape: [{var.shape}]"
                )
            else:
                feeds[fed] = whole
    return control.group(*ops), feeds


def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None] | None:
    """A function of a session that restores variables; None if the checkpoint has none of them.

    Raises:
      ValueError: there are no variables.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = NewCheckpointReader(model_path)
        named = var_list if isinstance(var_list, dict) else {v.op.name: v for v in var_list}
        var_list = {}
        for name, var in named.items():
            if reader.has_tensor(name):
                var_list[name] = var
            else:
                log.warning("Variable %s missing in checkpoint %s", name, model_path)
    if not var_list:
        log.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables, write_version=1)

    def restore(session: Any) -> None:
        saver.restore(session, model_path)

    return restore


# -- checkpoints by the arguments' older names ---------------------------------------------------


def load_checkpoint(filepattern: str) -> CheckpointReader:
    """``tf.train.load_checkpoint``."""
    return checkpoint_values.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: str, name: str) -> Any:
    """``tf.train.load_variable``."""
    return checkpoint_values.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """``tf.train.list_variables``."""
    return checkpoint_values.list_variables(checkpoint_dir)


def init_from_checkpoint(checkpoint_dir: str, assignment_map: Any) -> None:
    """``tf.train.init_from_checkpoint``."""
    checkpoint_values.init_from_checkpoint(checkpoint_dir, assignment_map)
