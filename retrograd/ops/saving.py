"""Checkpoints as ops: tensors to files and back.

A spec is ``""`` for a whole tensor, or the shape of the whole and the part: ``"5 4 0,2:0,4"``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.files import bundles, old_checkpoints
from retrograd.files.file_system import path_of
from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype, type_word
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules


def _texts(x: Any) -> list[bytes]:
    return [t if isinstance(t, bytes) else str(t).encode() for t in np.asarray(x, object).ravel().tolist()]


def _path(x: Any) -> str:
    return path_of(_texts(x)[0])


def _checked_lists(names: list[bytes], specs: list[bytes], count: int) -> None:
    if not len(names) == len(specs) == count:
        raise errors.InvalidArgumentError(
            None, None, f"Got {len(names)} tensor names and {len(specs)} shapes and slices for {count} tensors"
        )


# -- saving ------------------------------------------------------------------------------------


def _save(
    xp: Any, memory: Any, prefix: Any, names: Any, specs: Any, tensors: list[Any], *, dtypes: list[DType]
) -> list[Any]:
    names, specs = _texts(names), _texts(specs)
    _checked_lists(names, specs, len(tensors))
    with bundles.Writer(_path(prefix)) as writer:
        for name, spec, value, dtype in zip(names, specs, tensors, dtypes, strict=True):
            if spec:
                writer.add_slice(name, *bundles.parse_slice(spec.decode()), value)
            else:
                writer.add(name, value, dtype)
    return []


def _saved(prefix: Tensor, names: Tensor, specs: Tensor, tensors: list[Tensor]) -> list[RawShape]:
    """Every tensor has a name and a spec."""
    shape_rules.with_rank(prefix, 0)
    for given in (names, specs):
        (count,) = shape_rules.with_rank(given, 1)
        if count not in (None, len(tensors)):
            raise ValueError(f"Dimension must be {len(tensors)} but is {count}")
    return []


SAVE_V2 = define(
    "SaveV2", "prefix: string, tensor_names: string, shape_and_slices: string, tensors: *dtypes", "",
    shape=_saved, kernel=_save, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def save_v2(prefix: Any, tensor_names: Any, shape_and_slices: Any, tensors: Any, name: str | None = None) -> Operation:
    """Write ``tensors`` under their names to the checkpoint ``prefix``."""
    return apply(SAVE_V2, prefix, tensor_names, shape_and_slices, tensors, name=name)  # type: ignore[no-any-return]


def _save_old(xp: Any, memory: Any, path: Any, names: Any, specs: Any, tensors: list[Any]) -> list[Any]:
    names, specs = _texts(names), _texts(specs)
    _checked_lists(names, specs, len(tensors))
    rows = zip(names, specs, tensors, strict=True)
    old_checkpoints.write(_path(path), [(name, spec.decode(), value) for name, spec, value in rows])
    return []


SAVE_SLICES = define(
    "SaveSlices", "filename: string, tensor_names: string, shapes_and_slices: string, data: *T", "",
    shape=lambda filename, names, specs, tensors: [], kernel=_save_old, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip


def save_slices(
    filename: Any, tensor_names: Any, shapes_and_slices: Any, data: Any, name: str | None = None
) -> Operation:
    """Write ``data`` under their names to a checkpoint of version 1."""
    return apply(SAVE_SLICES, filename, tensor_names, shapes_and_slices, data, name=name)  # type: ignore[no-any-return]


# -- restoring ---------------------------------------------------------------------------------


def _restored(prefix: Tensor, names: Tensor, specs: Tensor, *, dtypes: list[DType]) -> list[RawShape]:
    """A slice has the shape that its spec says."""
    shape_rules.with_rank(prefix, 0)
    counts = [shape_rules.with_rank(given, 1)[0] for given in (names, specs)]
    if None not in counts and counts[0] != counts[1]:
        raise ValueError(
            f"Dimension 0 in both shapes must be equal, but are {counts[0]} and {counts[1]}. "
            f"Shapes are [{counts[0]}] and [{counts[1]}]."
        )
    known = static_value(specs)
    if known is None:
        return [None for _ in dtypes]
    if len(known) != len(dtypes):
        raise ValueError("The number of shape_and_slice doesn't match tensor outputs.")
    return [shape_of_spec(s) for s in _texts(known)]


def shape_of_spec(spec: Any) -> RawShape:
    """The shape of the slice that a text tells of; unknown where it tells of none."""
    text = _texts(spec)[0].decode()
    return tuple(n for _, n in bundles.parse_slice(text)[1]) if text else None


def open_checkpoint(prefix: str) -> Any:
    """The reader of a checkpoint of either version.

    Raises:
      NotFoundError: there is none.
      DataLossError: it is damaged.
    """
    if not bundles.exists(prefix) and old_checkpoints.exists(prefix):
        return old_checkpoints.Reader(prefix)
    return bundles.Reader(prefix)


def _restore(xp: Any, memory: Any, prefix: Any, names: Any, specs: Any, *, dtypes: list[DType]) -> list[Any]:
    names, specs = _texts(names), _texts(specs)
    _checked_lists(names, specs, len(dtypes))
    reader = open_checkpoint(_path(prefix))
    for name, spec, dtype in zip(names, specs, dtypes, strict=True):
        _check_entry(reader, name, spec.decode(), dtype)
    return [_read(reader, name, spec.decode()) for name, spec in zip(names, specs, strict=True)]


def _check_entry(reader: Any, name: bytes, spec: str, dtype: DType) -> None:
    """Raises ``InvalidArgumentError`` if the tensor is of another dtype, or the spec of another shape."""
    found = reader.dtype(name)
    text = f"tensor_name = {name.decode(errors='replace')}; "
    if found != dtype.base_dtype:
        wanted, found = (type_word(d.base_dtype) for d in (dtype, found))
        words = f"{text}expected dtype {wanted} does not equal original dtype {found}"
        raise errors.InvalidArgumentError(None, None, words)
    if spec:
        shape, _ = bundles.parse_slice(spec)
        if shape != reader.shape(name):
            words = f"shape in shape_and_slice spec {shape_text(shape)} does not match the shape stored in checkpoint"
            raise errors.InvalidArgumentError(None, None, f"{text}{words}: {shape_text(reader.shape(name))}")


def check_stored(reader: Any, name: bytes, spec: str, dtype: DType) -> tuple[int, ...]:
    """The shape of what would be restored, all bytes of which were found to be those that were written.

    Raises:
      NotFoundError: there is none of that name.
      InvalidArgumentError: it is of another dtype, or the spec of another shape.
      DataLossError: it is damaged.
    """
    _check_entry(reader, name, spec, dtype)
    reader.check(name)
    shape: tuple[int, ...] = reader.shape(name)
    return tuple(n for _, n in bundles.parse_slice(spec)[1]) if spec else shape


def _read(reader: Any, name: bytes, spec: str) -> Any:
    return reader.part(name, bundles.parse_slice(spec)[1]) if spec else reader.tensor(name)


RESTORE_V2 = define(
    "RestoreV2", "prefix: string, tensor_names: string, shape_and_slices: string", "tensors: *dtypes",
    attrs={"dtypes": REQUIRED}, shape=_restored, kernel=_restore, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def restore_v2(
    prefix: Any, tensor_names: Any, shape_and_slices: Any, dtypes: Any, name: str | None = None
) -> list[Tensor]:
    """The tensors of these names of the checkpoint ``prefix``.

    Raises at run time:
      NotFoundError: there is no such checkpoint, or no tensor of a name in it.
      InvalidArgumentError: a tensor is of another dtype.
      DataLossError: the checkpoint is damaged.
    """
    return list(
        apply(
            RESTORE_V2,
            prefix,
            tensor_names,
            shape_and_slices,
            dtypes=[as_dtype(d).base_dtype for d in dtypes],
            name=name,
        )
    )


# -- checkpoints in several files --------------------------------------------------------------


def _merge(xp: Any, memory: Any, prefixes: Any, prefix: Any, *, delete_old_dirs: bool) -> list[Any]:
    sources = [p.decode(errors="surrogateescape") for p in _texts(prefixes)]
    bundles.merge(sources, _path(prefix), delete_old_dirs)
    return []


MERGE_V2_CHECKPOINTS = define(
    "MergeV2Checkpoints", "checkpoint_prefixes: string, destination_prefix: string", "",
    attrs={"delete_old_dirs": True}, shape=lambda prefixes, prefix: [], kernel=_merge, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip


def merge_v2_checkpoints(
    checkpoint_prefixes: Any, destination_prefix: Any, delete_old_dirs: bool = True, name: str | None = None
) -> Operation:
    """Make the checkpoints ``checkpoint_prefixes`` one; their own names are gone."""
    op: Operation = apply(
        MERGE_V2_CHECKPOINTS, checkpoint_prefixes, destination_prefix, delete_old_dirs=delete_old_dirs, name=name
    )
    return op


def _one_text(text: str) -> np.ndarray:
    return np.array(text.encode(errors="surrogateescape"), object)


def _sharded(xp: Any, basename: Any, shard: Any, num_shards: Any) -> Any:
    for name, value in (("basename", basename), ("shard", shard), ("num_shards", num_shards)):
        shape_rules.check_rank(value, 0, name + " must be a scalar, got shape {}")
    written = "?" * 5 if shard is _EVERY else f"{int(shard):05d}"
    return _one_text(f"{_path(basename)}-{written}-of-{int(num_shards):05d}")


_EVERY = np.array("*")

SHARDED_FILENAME = define(
    "ShardedFilename", "basename: string, shard: int32, num_shards: int32", "filename: string",
    shape=shape_rules.scalar, gradient=not_differentiable, kernel=_sharded,
)  # fmt: skip


def sharded_filename(basename: Any, shard: Any, num_shards: Any, name: str | None = None) -> Tensor:
    """``basename-00002-of-00005``, for shard 2 of 5."""
    return apply(SHARDED_FILENAME, basename, shard, num_shards, name=name)


SHARDED_FILESPEC = define(
    "ShardedFilespec", "basename: string, num_shards: int32", "filename: string",
    shape=shape_rules.scalar, gradient=not_differentiable,
    kernel=lambda xp, base, count: _sharded(xp, base, _EVERY, count),
)  # fmt: skip


def sharded_filespec(basename: Any, num_shards: Any, name: str | None = None) -> Tensor:
    """The pattern that the names of all shards match: ``basename-?????-of-00005``."""
    return apply(SHARDED_FILESPEC, basename, num_shards, name=name)
