"""Initializers that load a matrix of a checkpoint, its rows and columns moved from an old vocabulary to a new one.

Source: TensorFlow 1.15.5, ``training/checkpoint_ops.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import convert_to_tensor
from retrograd.ops import constants, joining
from retrograd.ops.remapping import generate_vocab_remapping
from retrograd.ops.remapping import load_and_remap_matrix as remapped_matrix
from retrograd.state import initializers


def load_and_remap_matrix(
    ckpt_path: Any,
    old_tensor_name: str,
    new_row_vocab_offset: int,
    num_rows_to_load: int,
    new_col_vocab_size: int,
    initializer: Any,
    old_row_vocab_size: int = -1,
    old_row_vocab_file: str | None = None,
    new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None,
    new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    max_rows_in_memory: int = -1,
) -> Any:
    """Rows of the new vocabulary from ``new_row_vocab_offset`` on; ``initializer`` gives what is not in the old one.

    Raises:
      ValueError: a number is negative, or a file is given without its counterpart.
    """
    for axis, count in (("row", num_row_oov_buckets), ("col", num_col_oov_buckets)):
        if count < 0:
            raise ValueError(f"num_{axis}_oov_buckets must be >= 0, but received {count}")
    files = (("row", old_row_vocab_file, new_row_vocab_file), ("col", old_col_vocab_file, new_col_vocab_file))
    for axis, old, new in files:
        if bool(old) != bool(new):
            raise ValueError(
                f"old_{axis}_vocab_file and new_{axis}_vocab_file must both be specified or left unspecified. "
                f"old_{axis}_vocab_file='{old}', new_{axis}_vocab_file='{new}'"
            )
    if not (new_row_vocab_file or new_col_vocab_file):
        raise ValueError(
            "Must provide either row or column vocab files. If no remapping is necessary, consider using "
            "`tf.contrib.framework.init_from_checkpoint` instead."
        )
    rows_there: Any = num_rows_to_load
    if new_row_vocab_file:
        rows, rows_there = generate_vocab_remapping(
            new_vocab_file=new_row_vocab_file,
            old_vocab_file=old_row_vocab_file,
            new_vocab_offset=new_row_vocab_offset,
            num_new_vocab=num_rows_to_load,
            old_vocab_size=old_row_vocab_size,
        )
    else:
        rows = constants.range_(new_row_vocab_offset, new_row_vocab_offset + num_rows_to_load, dtype=dtypes.int64)
    columns: Any = []
    columns_there: Any = new_col_vocab_size
    if new_col_vocab_file:
        columns, columns_there = generate_vocab_remapping(
            new_vocab_file=new_col_vocab_file,
            old_vocab_file=old_col_vocab_file,
            new_vocab_offset=0,
            num_new_vocab=new_col_vocab_size,
        )
    first = initializer([num_rows_to_load * new_col_vocab_size - rows_there * columns_there, 1])
    loaded = remapped_matrix(
        ckpt_path=ckpt_path,
        old_tensor_name=old_tensor_name,
        row_remapping=rows,
        col_remapping=columns,
        initializing_values=first,
        num_rows=num_rows_to_load,
        num_cols=new_col_vocab_size,
        max_rows_in_memory=max_rows_in_memory,
    )
    if num_row_oov_buckets > 0:
        unknown = convert_to_tensor(initializer([num_row_oov_buckets, new_col_vocab_size]))
        loaded = joining.concat([loaded, unknown], 0)
    if num_col_oov_buckets > 0:
        unknown = convert_to_tensor(initializer([num_rows_to_load + num_row_oov_buckets, num_col_oov_buckets]))
        loaded = joining.concat([loaded, unknown], 1)
    return loaded


def load_and_remap_matrix_initializer(
    ckpt_path: Any,
    old_tensor_name: str,
    new_row_vocab_size: int,
    new_col_vocab_size: int,
    old_row_vocab_size: int = -1,
    old_row_vocab_file: str | None = None,
    new_row_vocab_file: str | None = None,
    old_col_vocab_file: str | None = None,
    new_col_vocab_file: str | None = None,
    num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0,
    initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:
    """An initializer of a matrix, or of a part of its rows, by ``load_and_remap_matrix``.

    Raises:
      TypeError: ``initializer`` is not callable; when called, for another dtype than float32.
      ValueError: when called, for a shape that does not fit the vocabularies.
    """
    if initializer is None:
        initializer = initializers.zeros_initializer()
    if not callable(initializer):
        raise TypeError(f"initializer must be callable, instead of being {initializer} of type {type(initializer)}.")

    def begin(shape: Any, dtype: Any = dtypes.float32, partition_info: Any = None) -> Any:
        if dtypes.as_dtype(dtype) != dtypes.float32:
            raise TypeError(f"Currently, only float32 is supported. Received dtype: {dtype}")
        if len(shape) != 2:
            raise ValueError(f"Expected 2-dim shape, but received: {shape}")
        if shape[0] <= 0:
            raise ValueError(f"Expected 1st dim of shape to be > 0, but received shape: {shape}")
        width = new_col_vocab_size + num_col_oov_buckets
        if shape[1] != width:
            raise ValueError(
                f"Expected 2nd dim of shape to be new_col_vocab_size ({new_col_vocab_size}) + num_col_oov_buckets "
                f"({num_col_oov_buckets}) = {width}, but received shape: {shape}"
            )
        offset = 0 if partition_info is None else partition_info.single_offset(shape)
        height = new_row_vocab_size + num_row_oov_buckets
        if offset + shape[0] > height:
            raise ValueError(
                f"Trying to initialize {shape[0]} additional rows after {offset} rows have already been initialized, "
                f"which would exceed expected total row count of new_row_vocab_size ({new_row_vocab_size}) + "
                f"num_row_oov_buckets ({num_row_oov_buckets}) = {height}."
            )
        unknown = min(shape[0], max(0, offset + shape[0] - new_row_vocab_size))
        if offset > new_row_vocab_size:
            if shape[0] != unknown:
                raise ValueError(
                    "Partitioned variable offset is greater than new vocab size and not operating on OOV-only "
                    "partition."
                )
            return initializer(shape)
        return load_and_remap_matrix(
            ckpt_path=ckpt_path,
            old_tensor_name=old_tensor_name,
            new_row_vocab_offset=offset,
            num_rows_to_load=shape[0] - unknown,
            new_col_vocab_size=new_col_vocab_size,
            initializer=initializer,
            old_row_vocab_size=old_row_vocab_size,
            old_row_vocab_file=old_row_vocab_file,
            new_row_vocab_file=new_row_vocab_file,
            old_col_vocab_file=old_col_vocab_file,
            new_col_vocab_file=new_col_vocab_file,
            num_row_oov_buckets=unknown,
            num_col_oov_buckets=num_col_oov_buckets,
            max_rows_in_memory=max_rows_in_memory,
        )

    return begin


def load_embedding_initializer(
    ckpt_path: Any,
    embedding_tensor_name: str,
    new_vocab_size: int,
    embedding_dim: int,
    old_vocab_file: str,
    new_vocab_file: str,
    old_vocab_size: int = -1,
    num_oov_buckets: int = 0,
    initializer: Any = None,
    max_rows_in_memory: int = -1,
) -> Callable[..., Any]:
    """An initializer of an embedding whose words have moved."""
    if initializer is None:
        initializer = initializers.truncated_normal_initializer(stddev=1.0 / math.sqrt(embedding_dim))
    return load_and_remap_matrix_initializer(
        ckpt_path=ckpt_path,
        old_tensor_name=embedding_tensor_name,
        new_row_vocab_size=new_vocab_size,
        new_col_vocab_size=embedding_dim,
        old_row_vocab_size=old_vocab_size,
        old_row_vocab_file=old_vocab_file,
        new_row_vocab_file=new_vocab_file,
        num_row_oov_buckets=num_oov_buckets,
        initializer=initializer,
        max_rows_in_memory=max_rows_in_memory,
    )


def load_linear_multiclass_bias_initializer(
    ckpt_path: str, bias_tensor_name: str, new_class_vocab_size: int, old_class_vocab_file: str,
    new_class_vocab_file: str, num_class_oov_buckets: int = 0, initializer: Any = None, max_rows_in_memory: int = -1,
) -> Any:  # fmt: skip
    """An initializer of the biases of classes, each from a checkpoint's for the same class; zeros for new classes."""
    return load_and_remap_matrix_initializer(
        ckpt_path=ckpt_path, old_tensor_name=bias_tensor_name, new_row_vocab_size=new_class_vocab_size,
        new_col_vocab_size=1, old_row_vocab_file=old_class_vocab_file, new_row_vocab_file=new_class_vocab_file,
        old_col_vocab_file=None, new_col_vocab_file=None, num_row_oov_buckets=num_class_oov_buckets,
        num_col_oov_buckets=0, initializer=initializer or initializers.zeros_initializer(),
        max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip


def load_variable_slot_initializer(
    ckpt_path: str, old_tensor_name: str, primary_partition_info: Any, new_row_vocab_size: int,
    new_col_vocab_size: int, old_row_vocab_file: Any = None, new_row_vocab_file: Any = None,
    old_col_vocab_file: Any = None, new_col_vocab_file: Any = None, num_row_oov_buckets: int = 0,
    num_col_oov_buckets: int = 0, initializer: Any = None, max_rows_in_memory: int = -1,
) -> Any:  # fmt: skip
    """An initializer of a slot of a partitioned variable, from the same part of a checkpoint's tensor."""
    whole = load_and_remap_matrix_initializer(
        ckpt_path=ckpt_path, old_tensor_name=old_tensor_name, new_row_vocab_size=new_row_vocab_size,
        new_col_vocab_size=new_col_vocab_size, old_row_vocab_file=old_row_vocab_file,
        new_row_vocab_file=new_row_vocab_file, old_col_vocab_file=old_col_vocab_file,
        new_col_vocab_file=new_col_vocab_file, num_row_oov_buckets=num_row_oov_buckets,
        num_col_oov_buckets=num_col_oov_buckets, initializer=initializer, max_rows_in_memory=max_rows_in_memory,
    )  # fmt: skip

    def slot(shape: Any, dtype: Any = dtypes.float32, partition_info: Any = None) -> Any:
        return whole(shape, dtype, partition_info=primary_partition_info)

    return slot
