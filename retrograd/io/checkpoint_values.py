"""The values in a checkpoint, without a graph that they belong to; and variables that begin with them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.files.file_system import path_of
from retrograd.graph import log
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import device
from retrograd.graph.text import as_bytes
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.saveables import op_list_to_dict, saveable_objects_for_op
from retrograd.ops.saving import open_checkpoint, restore_v2
from retrograd.state.variable_store import default_variable_store
from retrograd.state.variables import VariableV2

_PROTO_NAMES = {"float32": "FLOAT", "float64": "DOUBLE", "float16": "HALF"}


class CheckpointReader:
    """Reads tensors of a checkpoint, each when it is asked for.

    Raises:
      NotFoundError: there is no checkpoint of that path.
      DataLossError: it is damaged.
    """

    def __init__(self, filepattern: Any) -> None:
        self._reader = open_checkpoint(path_of(filepattern))

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether it has a tensor of that name."""
        return bool(self._reader.has(as_bytes(tensor_str)))

    def get_tensor(self, tensor_str: str) -> Any:
        """The value of a tensor: an array, or a NumPy scalar or ``bytes`` of a scalar.

        Raises:
          NotFoundError: there is none of that name.
          DataLossError: its bytes are not those that were written.
        """
        value = self._reader.tensor(as_bytes(tensor_str))
        return value[()] if not value.ndim else value

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor by its name."""
        return {name.decode(errors="replace"): list(self._reader.shape(name)) for name in self._reader.names}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtype of each tensor by its name."""
        return {name.decode(errors="replace"): self._reader.dtype(name) for name in self._reader.names}

    def debug_string(self) -> bytes:
        """A line for each tensor: its name, dtype and shape."""
        lines = []
        for name in self._reader.names:
            dtype = self._reader.dtype(name).name
            sizes = ",".join(map(str, self._reader.shape(name)))
            lines.append(name + f" (DT_{_PROTO_NAMES.get(dtype, dtype.upper())}) [{sizes}]\n".encode())
        return b"".join(lines)


def NewCheckpointReader(filepattern: Any) -> CheckpointReader:
    """The reader of a checkpoint."""
    return CheckpointReader(filepattern)


def _path_of(ckpt_dir_or_file: Any) -> str | None:
    path = os.fspath(ckpt_dir_or_file)
    return latest_checkpoint(path) if os.path.isdir(path_of(path)) else path


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """The reader of a checkpoint, or of the latest one of a folder.

    Raises:
      ValueError: the folder has none.
    """
    path = _path_of(ckpt_dir_or_file)
    if path is None:
        raise ValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {ckpt_dir_or_file}")
    return NewCheckpointReader(path)


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of one variable of a checkpoint."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """The names and shapes of a checkpoint's variables, in the order of the names."""
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


# -- waiting for one ---------------------------------------------------------------------------


def wait_for_new_checkpoint(
    checkpoint_dir: str,
    last_checkpoint: str | None = None,
    seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """The path of the latest checkpoint of a folder once it is not ``last_checkpoint``; None after ``timeout``."""
    log.info("Waiting for new checkpoint at %s", checkpoint_dir)
    stop = None if timeout is None else time.time() + timeout
    while True:
        path = latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            log.info("Found new checkpoint at %s", path)
            return path
        if stop is not None and time.time() + seconds_to_sleep > stop:
            return None
        time.sleep(seconds_to_sleep)


def checkpoints_iterator(
    checkpoint_dir: str,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """The paths of a folder's checkpoints as they are written, the latest one first.

    Args:
      min_interval_secs: the least time between two.
      timeout: how long to wait for the next one.
      timeout_fn: called then; the iterator ends if it says so, or if there is none.
    """
    path = None
    while True:
        new = wait_for_new_checkpoint(checkpoint_dir, path, timeout=timeout)
        if new is None:
            if not timeout_fn or timeout_fn():
                if not timeout_fn:
                    log.info("Timed-out waiting for a checkpoint.")
                return
            continue
        start, path = time.time(), new
        yield path
        time.sleep(max(0, start + min_interval_secs - time.time()))


# -- variables that begin with them ------------------------------------------------------------


def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: Any) -> None:
    """Let variables begin with values of a checkpoint: their initializers read it when they run.

    Args:
      assignment_map: names in the checkpoint to variables, lists of the parts of one, or names in
        the graph; scopes of the checkpoint to scopes of the graph: ``{"old/": "new/"}``, the root being ``"/"``.

    Raises:
      ValueError: there is no such variable, no such tensor, or their shapes differ.
    """
    path = _path_of(ckpt_dir_or_file)
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    assert path is not None
    variables = default_variable_store()._vars
    for saved, target in sorted(assignment_map.items(), key=lambda item: item[0]):
        found = target
        if not (_is_variable(target) or (isinstance(target, list) and all(map(_is_variable, target)))):
            found = _named(target, variables)
        if found is None:
            _init_scope(path, ckpt_dir_or_file, shapes, saved, target, variables)
            continue
        if saved not in shapes:
            raise ValueError(f"Tensor {saved} is not found in {ckpt_dir_or_file} checkpoint {shapes}")
        if _is_variable(found) and not found.get_shape().is_compatible_with(shapes[saved]):
            raise ValueError(
                f"Shape of variable {found.name} ({found.get_shape()}) doesn't match with shape of "
                f"tensor {saved} ({shapes[saved]}) from checkpoint reader."
            )
        _init(found, path, saved)


def _is_variable(x: Any) -> bool:
    return isinstance(x, VariableV2)


def _named(name: str, variables: dict[str, Any]) -> Any:
    """The variable of that name, or the list of its parts; None if there is none."""
    if name in variables:
        return variables[name]
    parts: list[Any] = []
    while f"{name}/part_{len(parts)}" in variables:
        parts.append(variables[f"{name}/part_{len(parts)}"])
    return parts or None


def _init_scope(
    path: str, given: Any, shapes: dict[str, Any], saved_scope: str, scope: str, variables: dict[str, Any]
) -> None:
    """Initialize all variables of a scope."""
    base = scope[: scope.rindex("/")] if "/" in scope else ""
    if not saved_scope.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {base} should map to scope only {saved_scope}. "
            "Should be 'scope/': 'other_scope/'."
        )
    names = {name.partition("/part_")[0] for name in variables if not base or name.startswith(f"{base}/")}
    for name in sorted(names):
        rest = name[len(base) :]
        if scope != "/":
            rest = rest[1:]
        saved = (rest if saved_scope == "/" else saved_scope + rest).removesuffix("/")
        if saved not in shapes:
            raise ValueError(
                f"Tensor {saved} ({name[len(base) + 1 :]} in {saved_scope}) is not found in {given} checkpoint"
            )
        _init(_named(name, variables), path, saved)


def _init(variable_or_parts: Any, path: str, saved: str) -> None:
    if isinstance(variable_or_parts, list | tuple):
        infos = [v._save_slice_info for v in variable_or_parts]
        for info in infos:
            if info.full_name != infos[0].full_name:
                raise ValueError(f"Slices must all be from the same tensor: {infos[0].full_name} != {info.full_name}")
        for variable, info in zip(variable_or_parts, infos, strict=True):
            _init_one(variable, path, saved, info.spec)
    else:
        _init_one(variable_or_parts, path, saved, "")
    log.debug("Initialize variable %s from checkpoint %s with %s", variable_or_parts, path, saved)


def _init_one(variable: Any, path: str, saved: str, spec: str) -> None:
    with device(variable.device), device("/cpu:0"):
        (value,) = restore_v2(path, [saved], [spec], [variable.dtype.base_dtype], name="checkpoint_initializer")
        ((name, op),) = op_list_to_dict([variable]).items()
        (saveable,) = saveable_objects_for_op(op, name)
    variable._initializer_op = saveable.restore([value], None)
    value.set_shape(variable.shape)
    variable._initial_value = value
