"""The files of checkpoints: which there are, which is the latest, removing them."""

from __future__ import annotations

import glob
import os
import re
from typing import Any

from retrograd.files.file_system import path_of
from retrograd.files.messages import message
from retrograd.files.replacing import file_error, replace_file
from retrograd.graph import log

V1, V2 = 1, 2  # of SaverDef.CheckpointFormatVersion


def _matching(pattern: str) -> list[str]:
    """The files that a pattern matches; a file of that very name counts too."""
    pattern = path_of(pattern)
    return sorted(glob.glob(pattern)) or ([pattern] if os.path.exists(pattern) else [])


def _state_file(folder: str, latest_filename: str | None) -> str:
    return os.path.join(path_of(folder), latest_filename or "checkpoint")


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """A ``CheckpointState``: the latest checkpoint, and all that are still there, oldest first.

    The latest is appended to the list of all where it does not end it.
    Where ``save_dir`` is relative, relative paths become relative to it.

    Raises:
      ValueError: there are not as many timestamps as paths.
    """
    paths = [] if all_model_checkpoint_paths is None else all_model_checkpoint_paths
    if not paths or paths[-1] != model_checkpoint_path:
        log.info("%s is not in all_model_checkpoint_paths. Manually adding it.", model_checkpoint_path)
        paths.append(model_checkpoint_path)
    if all_model_checkpoint_timestamps and len(all_model_checkpoint_timestamps) != len(paths):
        raise ValueError(
            "Checkpoint timestamps, if provided, must match checkpoint paths "
            f"(got paths {paths} and timestamps {all_model_checkpoint_timestamps})"
        )
    if not os.path.isabs(save_dir):
        model_checkpoint_path = _relative(model_checkpoint_path, save_dir)
        paths = [_relative(p, save_dir) for p in paths]
    return message("CheckpointState")(
        model_checkpoint_path=model_checkpoint_path,
        all_model_checkpoint_paths=paths,
        all_model_checkpoint_timestamps=all_model_checkpoint_timestamps or (),
        last_preserved_timestamp=last_preserved_timestamp,
    )


def _relative(path: str, folder: str) -> str:
    return path if os.path.isabs(path) else os.path.relpath(path, folder or ".")


def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """Write the file ``checkpoint`` of a folder, which says what the latest checkpoint is.

    Raises:
      RuntimeError: a checkpoint is of that file's name.
    """
    update_checkpoint_state_internal(
        save_dir, model_checkpoint_path, all_model_checkpoint_paths, latest_filename, False,
        all_model_checkpoint_timestamps, last_preserved_timestamp,
    )  # fmt: skip


def update_checkpoint_state_internal(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: list[str] | None = None,
    latest_filename: str | None = None,
    save_relative_paths: bool = False,
    all_model_checkpoint_timestamps: list[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> None:
    """The same as ``update_checkpoint_state``; with ``save_relative_paths`` the folder can be moved."""
    file = _state_file(save_dir, latest_filename)
    latest, paths = model_checkpoint_path, all_model_checkpoint_paths
    if save_relative_paths:
        latest, *paths = [os.path.relpath(p, save_dir) if os.path.isabs(p) else p for p in (latest, *(paths or ()))]
    state = generate_checkpoint_state_proto(
        save_dir, latest, paths, all_model_checkpoint_timestamps, last_preserved_timestamp
    )
    if file == state.model_checkpoint_path:
        raise RuntimeError(
            f"Save path '{model_checkpoint_path}' conflicts with path used for checkpoint state.  "
            "Please use a different save path."
        )
    from google.protobuf import text_format

    try:
        replace_file(file, text_format.MessageToString(state).encode())
    except OSError as error:
        raise file_error(error, file) from None


def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> Any:
    """The ``CheckpointState`` of a folder with full paths; None if there is none or it cannot be read.

    Raises:
      ValueError: it names no checkpoint.
    """
    file = _state_file(checkpoint_dir, latest_filename)
    if not os.path.isfile(file):
        return None
    from google.protobuf import text_format

    state = message("CheckpointState")()
    try:
        with open(file, encoding="utf-8") as stream:
            text_format.Merge(stream.read(), state)
    except (OSError, UnicodeDecodeError, text_format.ParseError) as error:
        log.warning("%s: %s", type(error).__name__, error)
        log.warning("%s: Checkpoint ignored", file)
        return None
    if not state.model_checkpoint_path:
        raise ValueError(f"Invalid checkpoint state loaded from {checkpoint_dir}")
    state.model_checkpoint_path = os.path.join(checkpoint_dir, state.model_checkpoint_path)
    for i, path in enumerate(state.all_model_checkpoint_paths):
        state.all_model_checkpoint_paths[i] = os.path.join(checkpoint_dir, path)
    return state


def latest_checkpoint(checkpoint_dir: str, latest_filename: str | None = None) -> str | None:
    """The path of the latest checkpoint of a folder, for ``Saver.restore``; None if there is none."""
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    path: str = state.model_checkpoint_path
    if checkpoint_exists(path):
        return path
    log.error("Couldn't match files for checkpoint %s", path)
    return None


def checkpoint_exists(checkpoint_prefix: str) -> bool:
    """Whether there is a checkpoint, of either format, with that path."""
    return _identifying_file(checkpoint_prefix) is not None


checkpoint_exists_internal = checkpoint_exists


def _identifying_file(prefix: str) -> str | None:
    """The index of a checkpoint, or the file itself in the old format."""
    found = _matching(f"{prefix}.index") or _matching(prefix)
    return found[0] if found else None


def get_checkpoint_mtimes(checkpoint_prefixes: Any) -> list[float]:
    """When the checkpoints that exist were written, in seconds since 1970."""
    files = [_identifying_file(prefix) for prefix in checkpoint_prefixes]
    return [os.stat(file).st_mtime_ns / 1e9 for file in files if file is not None]


def remove_checkpoint(
    checkpoint_prefix: str, checkpoint_format_version: int = V2, meta_graph_suffix: str = "meta"
) -> None:
    """Delete the files of a checkpoint, those that exist."""
    patterns = [meta_graph_filename(checkpoint_prefix, meta_graph_suffix)]
    if checkpoint_format_version == V2:
        patterns += [f"{checkpoint_prefix}.index", f"{checkpoint_prefix}.data-?????-of-?????"]
    else:
        patterns.append(checkpoint_prefix)
    for pattern in patterns:
        for path in _matching(pattern):
            try:
                os.remove(path)
            except OSError as error:
                raise file_error(error, path) from None


def meta_graph_filename(checkpoint_filename: str, meta_graph_suffix: str = "meta") -> str:
    """The name of the file with the graph of a checkpoint."""
    base = re.sub(r"-[\d\?]+-of-\d+$", "", checkpoint_filename)
    return f"{base}.{meta_graph_suffix}"


def parent_exists(path: str) -> bool:
    """Whether the folder of a path exists."""
    return os.path.isdir(os.path.dirname(path_of(path)) or ".")
