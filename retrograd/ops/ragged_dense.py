"""Rows of different lengths as one dense tensor: ``RaggedTensorToTensor``.

Each level of rows is told by the splits of its values, or by the number of each value's row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.errors import InternalError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import kinds, placing

_SIZE, _IDS, _SPLITS = "FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS"


def _levels(partitions: Sequence[Any], types: Sequence[Any]) -> tuple[Any, list[tuple[str, Any]]]:
    """The partition that counts the rows, None if the first level's splits do, and the levels behind it.

    Raises:
      ValueError: the types of the partitions do not follow one another like that.
    """
    if not partitions:
        raise ValueError(
            "List argument 'row_partition_tensors' to 'RaggedTensorToTensor' Op with length 0 shorter than minimum "
            "length 1."
        )
    words = [as_text(word) for word in types]
    for word in words:
        if word not in (_SIZE, _IDS, _SPLITS):
            raise ValueError(f"Unknown string for partition info type: {word}")
    if len(words) != len(partitions):
        raise ValueError("Number of row partition tensors and of their types must be equal")
    if words[0] == _IDS:
        raise ValueError("VALUE_ROWIDS cannot be first")
    if words[0] == _SPLITS:
        return None, list(zip(words, partitions, strict=True))
    if words[1:2] != [_IDS]:
        raise ValueError("FIRST_DIM_SIZE must be followed by VALUE_ROWIDS")
    if _SIZE in words[1:]:
        raise ValueError("FIRST_DIM_SIZE must be first")
    return partitions[0], list(zip(words[1:], partitions[1:], strict=True))


def _check_default(default: RawShape, values: RawShape) -> None:
    """Hold the shape of the default value to that of one value, which it is broadcast to.

    Raises:
      ValueError: it cannot be.
    """
    if default is None or values is None:
        return
    if len(default) > len(values):
        of_default, of_values = (
            "".join(f"dim {{\n  size: {-1 if n is None else n}\n}}\n" for n in dims) for dims in (default, values)
        )
        raise ValueError(
            "default_value_shape must have no more dimensions than the value. "
            f"default_value_shape: {of_default} default_value_shape.dim_size(): {len(default)} "
            f"value_shape: {of_values} value_shape.dim_size(): {len(values)}"
        )
    of_one = (1, *values[1:])
    for i, (n, m) in enumerate(zip(default, of_one[len(of_one) - len(default) :], strict=True)):
        if n not in (None, 1, m) and m is not None:
            raise ValueError(f"default_value_shape and value_shape do not match on dimension {i}")


def _dense_shape(
    shape: Tensor, values: Tensor, default_value: Tensor, partitions: list[Tensor], *, row_partition_types: Any
) -> RawShape:
    _, levels = _levels(partitions, row_partition_types)
    _check_default(default_value.dims, values.dims)
    if values.dims is None:
        return None
    wanted = shape_value(shape) if shape.dims is None or len(shape.dims) == 1 else None
    whole: tuple[int | None, ...] = (*(None,) * (1 + len(levels)), *values.dims[1:])
    if wanted is None:
        return whole
    if len(wanted) != len(whole):
        raise ValueError("Value and shape dimension are inconsistent.")
    for n, m in zip(wanted[1 + len(levels) :], values.dims[1:], strict=True):
        if n is not None and m is not None and n != m:
            raise ValueError("Value and shape dimension are inconsistent.")
    return tuple(m if n is None else n for n, m in zip(wanted, whole, strict=True))


def _places_in_rows(kind: str, partition: Any, count: int) -> tuple[Any, Any, int]:
    """The row of each value, its place there, and the length of the longest row."""
    if kind == _SPLITS:
        lengths = np.diff(partition)
        if not len(partition) or (lengths < 0).any():
            raise invalid("Invalid row split size.")
        if partition[-1] != count:
            raise InternalError(None, None, "Values and indices must be equal")
        rows = np.repeat(np.arange(len(lengths)), lengths)
        return rows, np.arange(count) - np.repeat(partition[:-1], lengths), int(lengths.max(initial=0))
    if len(partition) != count:
        raise InternalError(None, None, "Values and indices must be equal")
    begins = np.flatnonzero(np.diff(partition, prepend=-1))
    lengths = np.diff(np.append(begins, count))
    return partition, np.arange(count) - np.repeat(begins, lengths), int(lengths.max(initial=0))


def _count(levels: list[tuple[str, Any]], at: int, values: Any) -> int:
    """How many values the level ``at`` has: the rows of the next one."""
    if at + 1 == len(levels):
        return int(values.shape[0])
    kind, partition = levels[at + 1]
    if kind == _SPLITS:
        return len(partition) - 1
    return len(levels[at][1]) if levels[at][0] == _IDS else int(levels[at][1][-1])


def _dense(
    xp: Any, shape: Any, values: Any, default_value: Any, partitions: list[Any], *, row_partition_types: Any
) -> Any:
    """``default_value`` where no row reaches; what reaches further than ``shape`` is cut."""
    try:
        first, levels = _levels([np.asarray(p) for p in partitions], row_partition_types)
    except ValueError as error:
        raise invalid(str(error)) from None
    inner = np.shape(values)[1:]
    wanted = np.broadcast_to(-1, 1 + len(levels) + len(inner)).tolist() if np.ndim(shape) == 0 else list(shape)
    if np.ndim(shape) == 0 and int(shape) != -1:
        raise invalid("The only valid scalar shape tensor is the fully unknown shape specified as -1.")
    if len(wanted) != 1 + len(levels) + len(inner) or any(
        n not in (-1, m) for n, m in zip(wanted[1 + len(levels) :], inner, strict=True)
    ):
        raise invalid("Value and shape dimension are inconsistent.")
    rows = int(first) if first is not None else len(levels[0][1]) - 1
    places = np.arange(rows)[:, None]
    sizes = [rows]
    for i, (kind, partition) in enumerate(levels):
        row, at, longest = _places_in_rows(kind, partition, _count(levels, i, values))
        if len(row) and not 0 <= row.min() <= row.max() < len(places):
            raise invalid(f"Row ids must be in [0, {len(places)})")
        places = np.concatenate([places[row], at[:, None]], axis=1)
        sizes.append(longest)
    dims = tuple(m if n < 0 else int(n) for n, m in zip(wanted, (*sizes, *inner), strict=True))
    kept = np.flatnonzero((places < dims[: len(sizes)]).all(axis=1))
    try:
        _check_default(np.shape(default_value), np.shape(values))
    except ValueError as error:
        raise invalid(str(error)) from None
    own = xp.asarray(default_value)
    base = xp.broadcast_to(own.reshape(own.shape[1:]) if own.ndim > len(inner) else own, dims)
    return placing.set_at(xp, base, tuple(places[kept].T), xp.asarray(values)[kept])


RAGGED_TENSOR_TO_TENSOR = define(
    "RaggedTensorToTensor",
    "shape: Tshape, values: T, default_value: T, row_partition_tensors: num_row_partition_tensors*Tindex", "result: T",
    attrs={"row_partition_types": REQUIRED},
    types={"Tindex": (dtypes.int64, dtypes.int32), "Tshape": kinds.INDEX},
    static=("shape", "row_partition_tensors"), shape=_dense_shape, kernel=_dense,
)  # fmt: skip
