"""Matrices of a checkpoint whose rows and columns move from an old vocabulary to a new one."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.files import file_system
from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.saving import open_checkpoint
from retrograd.ops.whole_files import texts


def _words(path: bytes) -> list[bytes]:
    """The lines of a vocabulary."""
    return file_system.read(path).splitlines()


def _remapping_shape(new_vocab_file: Tensor, old_vocab_file: Tensor, *, num_new_vocab: int) -> list[RawShape]:
    shape_rules.with_rank(new_vocab_file, 0)
    shape_rules.with_rank(old_vocab_file, 0)
    return [(num_new_vocab,), ()]


def _remap(
    xp: Any, new_file: Any, old_file: Any, *, new_vocab_offset: int, num_new_vocab: int, old_vocab_size: int
) -> list[Any]:
    """``remapping[i]`` is the line of the old vocabulary with the new word ``i``, or -1."""
    old = _words(texts(old_file)[0])
    lines = {word: i for i, word in enumerate(old if old_vocab_size < 0 else old[:old_vocab_size])}
    new = _words(texts(new_file)[0])[new_vocab_offset : new_vocab_offset + num_new_vocab]
    if len(new) < num_new_vocab:
        raise errors.InvalidArgumentError(
            None, None, f"Input new vocab size must be >= {new_vocab_offset + num_new_vocab}"
        )
    found = np.array([lines.get(word, -1) for word in new], np.int64)
    return [found, np.array(np.count_nonzero(found >= 0), np.int32)]


GENERATE_VOCAB_REMAPPING = define(
    "GenerateVocabRemapping", "new_vocab_file: string, old_vocab_file: string",
    "remapping: int64, num_present: int32",
    attrs={"new_vocab_offset": REQUIRED, "num_new_vocab": REQUIRED, "old_vocab_size": -1},
    shape=_remapping_shape, kernel=_remap, gradient=not_differentiable,
)  # fmt: skip


def generate_vocab_remapping(
    new_vocab_file: Any,
    old_vocab_file: Any,
    new_vocab_offset: int,
    num_new_vocab: int,
    old_vocab_size: int = -1,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """For each word of the new vocabulary its line in the old one, or -1; and how many are in it."""
    return tuple(  # type: ignore[return-value]
        apply(
            GENERATE_VOCAB_REMAPPING, new_vocab_file, old_vocab_file, new_vocab_offset=new_vocab_offset,
            num_new_vocab=num_new_vocab, old_vocab_size=old_vocab_size, name=name,
        )
    )  # fmt: skip


def _matrix_shape(*inputs: Tensor, num_rows: int, num_cols: int) -> RawShape:
    for tensor, rank in zip(inputs[1:4], (0, 1, 1), strict=True):  # the path may be a vector of one
        shape_rules.with_rank(tensor, rank)
    return (num_rows, num_cols)


def _places(remapping: Any, count: int, size: int, axis: str) -> tuple[Any, Any]:
    """Which of the new places are in the old matrix, and where there."""
    if remapping.size not in (0, count):
        raise errors.InvalidArgumentError(None, None, f"Size of {axis} remap vector is {remapping.size}, not {count}")
    old = remapping if remapping.size else np.arange(count)
    if old.size and old.max() >= size:
        raise errors.InvalidArgumentError(
            None, None, f"The {axis} remapping asks for {axis} {old.max()} of a matrix that has {size}"
        )
    there = np.flatnonzero(old >= 0)
    used = old[there]
    if np.unique(used).size < used.size:
        twice = used[np.argmax(np.bincount(used)[used] > 1)]
        raise errors.UnimplementedError(None, None, f"old_{axis} {twice} is mapped to multiple new_{axis} values")
    return there, used


def _load(
    xp: Any, memory: Any, path: Any, tensor: Any, rows: Any, columns: Any, first: Any, *, num_rows: int, num_cols: int
) -> Any:
    """``y[i, j] = x[rows[i], columns[j]]``; where either is -1, the next of the initializing values."""
    old = open_checkpoint(texts(path)[0].decode(errors="surrogateescape")).tensor(texts(tensor)[0])
    if old.ndim != 2:
        raise errors.InvalidArgumentError(
            None, None, f"Input tensor should be 2-dimensional, but found {old.ndim} dimensions"
        )
    new_rows, old_rows = _places(rows, num_rows, old.shape[0], "row")
    new_columns, old_columns = _places(columns, num_cols, old.shape[1], "col")
    result = np.empty((num_rows, num_cols), np.float32)
    is_new = np.ones(result.shape, bool)
    is_new[np.ix_(new_rows, new_columns)] = False
    result[np.ix_(new_rows, new_columns)] = old[np.ix_(old_rows, old_columns)]
    if first.size != np.count_nonzero(is_new):
        raise errors.InvalidArgumentError(
            None, None,
            f"initializing_values contained {first.size} elements, but {np.count_nonzero(is_new)} missing values "
            "remain to be initialized",
        )  # fmt: skip
    result[is_new] = first.ravel()
    return result


LOAD_AND_REMAP_MATRIX = define(
    "LoadAndRemapMatrix",
    "ckpt_path: string, old_tensor_name: string, row_remapping: int64, col_remapping: int64, "
    "initializing_values: float",
    "output_matrix: float", attrs={"num_rows": REQUIRED, "num_cols": REQUIRED, "max_rows_in_memory": -1},
    shape=_matrix_shape, kernel=_load, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def load_and_remap_matrix(
    ckpt_path: Any,
    old_tensor_name: Any,
    row_remapping: Any,
    col_remapping: Any,
    initializing_values: Any,
    num_rows: int,
    num_cols: int,
    max_rows_in_memory: int = -1,
    name: str | None = None,
) -> Tensor:
    """A matrix of a checkpoint with other rows and columns; an empty remapping leaves them."""
    return apply(
        LOAD_AND_REMAP_MATRIX, ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values,
        num_rows=num_rows, num_cols=num_cols, max_rows_in_memory=max_rows_in_memory, name=name,
    )  # fmt: skip
