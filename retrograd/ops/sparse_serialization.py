"""Sparse tensors as text and back: the three parts of each as ``TensorProto`` bytes, or as they are, as variants."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.sparse import as_sparse

_CARRIERS = (dtypes.string, dtypes.variant)


# -- one array ---------------------------------------------------------------------------------


def _varint(n: int) -> bytes:
    """A number in groups of 7 bits, the lowest first; all but the last byte have their high bit set."""
    head = b""
    while n > 0x7F:
        head += bytes([n & 0x7F | 0x80])
        n >>= 7
    return head + bytes([n])


def written(array: Any) -> bytes:
    """An array as the bytes of a ``TensorProto``."""
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    array = np.asarray(array)
    texts = array.dtype.kind == "O"
    dtype = dtypes.string if texts else dtypes.as_dtype(array.dtype)
    content = b"".join([*(_varint(len(t)) for t in array), *array]) if texts else np.ascontiguousarray(array).tobytes()
    shape = TensorShape(array.shape).as_proto()
    written: bytes = TensorProto(
        dtype=dtype.as_datatype_enum, tensor_shape=shape, tensor_content=content
    ).SerializeToString(deterministic=True)
    return written


def _read(text: Any) -> Any:
    if isinstance(text, np.ndarray):
        return text
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    from retrograd.graph.protos import make_ndarray

    try:
        proto = TensorProto.FromString(text)
        if dtypes.as_dtype(proto.dtype) != dtypes.string or not proto.tensor_content:
            return make_ndarray(proto)
    except (DecodeError, TypeError, ValueError):
        raise InvalidArgumentError(None, None, "Could not parse serialized proto") from None
    return _texts(proto.tensor_content, [d.size for d in proto.tensor_shape.dim])


def _texts(content: bytes, dims: list[int]) -> Any:
    """The strings whose lengths, as varints, stand before them."""
    at, lengths = 0, []
    for _ in range(int(np.prod(dims, dtype=np.int64))):
        length = shift = 0
        while content[at] > 0x7F:
            length |= (content[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
        lengths.append(length | content[at] << shift)
        at += 1
    ends = at + np.cumsum(lengths, dtype=np.int64)
    texts = np.empty(len(lengths), object)
    texts[:] = [content[end - length : end] for end, length in zip(ends, lengths, strict=True)]
    return texts.reshape(dims)


# -- writing -----------------------------------------------------------------------------------


def _check_parts(indices: Tensor, values: Tensor, shape: Tensor) -> None:
    shape_rules.with_rank(indices, 2)
    shape_rules.with_rank(values, 1)
    shape_rules.with_rank(shape, 1)


def _one_shape(indices: Tensor, values: Tensor, shape: Tensor) -> RawShape:
    _check_parts(indices, values, shape)
    return (3,)


def _many_shape(indices: Tensor, values: Tensor, shape: Tensor) -> RawShape:
    _check_parts(indices, values, shape)
    return (None, 3)


def serialized_parts(parts: Sequence[Any], out_type: Any = dtypes.string) -> Any:
    """The indices, values and shape of a sparse tensor in a row, each as text; as variants they stay what they are."""
    row = np.empty(3, object)
    for i, part in enumerate(parts):
        row[i] = written(part) if out_type is dtypes.string else part
    return row


def _serialized(xp: Any, indices: Any, values: Any, shape: Any, *, out_type: Any) -> Any:
    return serialized_parts([indices, values, shape], out_type)


def _serialized_rows(xp: Any, indices: Any, values: Any, shape: Any, *, out_type: Any) -> Any:
    """One row of parts for each first index."""
    if len(shape) < 2:
        raise InvalidArgumentError(None, None, f"Rank of input SparseTensor should be > 1, but saw rank: {len(shape)}")
    first, inner = indices[:, 0], shape[1:]
    if (np.diff(first) < 0).any():
        order = np.argsort(first, kind="stable")
        first, indices, values = first[order], indices[order], values[order]
    rows = np.empty((int(shape[0]), 3), object)
    borders = np.searchsorted(first, np.arange(len(rows) + 1)).tolist()
    for i, (start, end) in enumerate(pairwise(borders)):
        rows[i] = serialized_parts([indices[start:end, 1:], values[start:end], inner], out_type)
    return rows


SERIALIZE_SPARSE = define(
    "SerializeSparse", "sparse_indices: int64, sparse_values: T, sparse_shape: int64", "serialized_sparse: out_type",
    attrs={"out_type": dtypes.string}, types={"out_type": _CARRIERS}, shape=_one_shape,
    kernel=_serialized,
)  # fmt: skip

SERIALIZE_MANY_SPARSE = define(
    "SerializeManySparse", "sparse_indices: int64, sparse_values: T, sparse_shape: int64",
    "serialized_sparse: out_type", attrs={"out_type": dtypes.string}, types={"out_type": _CARRIERS},
    shape=_many_shape, kernel=_serialized_rows,
)  # fmt: skip


def serialize_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """The indices, values and shape of a sparse tensor, each as text: a vector of 3."""
    sp_input = as_sparse(sp_input)
    return apply(
        SERIALIZE_SPARSE, sp_input.indices, sp_input.values, sp_input.dense_shape, out_type=out_type, name=name
    )


def serialize_sparse_v2(sp_input: Any, out_type: Any = dtypes.string, name: str | None = None) -> Tensor:
    """``serialize_sparse`` with its arguments in another order."""
    return serialize_sparse(sp_input, name, out_type)


def serialize_many_sparse(sp_input: Any, name: str | None = None, out_type: Any = dtypes.string) -> Tensor:
    """``serialize_sparse`` of each element of a batch: ``[n, 3]``."""
    sp_input = as_sparse(sp_input)
    return apply(
        SERIALIZE_MANY_SPARSE, sp_input.indices, sp_input.values, sp_input.dense_shape, out_type=out_type, name=name
    )


# -- reading -----------------------------------------------------------------------------------


_PARTS_READ: list[RawShape] = [(None, None), (None,), (None,)]


def _check_three(dims: RawShape) -> None:
    if dims is not None and dims[-1] not in (None, 3):
        raise ValueError(f"Dimension must be 3 but is {dims[-1]}")


def _rows_shape(serialized: Tensor) -> list[RawShape]:
    _check_three(shape_rules.with_rank(serialized, 2))
    return _PARTS_READ


def _any_shape(serialized: Tensor) -> list[RawShape]:
    _check_three(shape_rules.with_rank_at_least(serialized, 1))
    return _PARTS_READ


def _deserialized(xp: Any, serialized: Any, *, dtype: Any) -> list[Any]:
    """The sparse tensors of all rows, in one whose first dimensions are those of ``serialized``."""
    batch = np.shape(serialized)[:-1]
    rows = serialized.reshape(-1, 3).tolist()
    indices, values, sizes = [[_read(row[i]) for row in rows] for i in range(3)]
    if any(found.dtype != dtype.np for found in values):
        kinds = [dtypes.string if found.dtype.kind == "O" else dtypes.as_dtype(found.dtype) for found in values]
        i, kind = next((i, kind) for i, kind in enumerate(kinds) if kind != dtype)
        wanted, given = (dtypes.type_word(d) for d in (dtype, kind))
        raise InvalidArgumentError(
            None, None, f"Requested SparseTensor of type {wanted} but SparseTensor[{i}].values.dtype() == {given}"
        )
    for i, (before, dims) in enumerate(pairwise(sizes), 1):
        if len(before) != len(dims):
            raise InvalidArgumentError(
                None, None,
                f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{i}] was: {len(before)} but "
                f"rank of SparseTensor[{i}] is: {len(dims)}",
            )  # fmt: skip
    if not batch:
        return [x.copy() for (x,) in (indices, values, sizes)]
    counts = [*map(len, values)]
    places = np.repeat(np.indices(batch).reshape(len(batch), -1).T, counts, axis=0)
    return [
        np.concatenate([places, np.concatenate(indices)], axis=1),
        np.concatenate(values),
        np.append(np.array(batch, np.int64), np.max(sizes, axis=0)),
    ]


DESERIALIZE_MANY_SPARSE = define(
    "DeserializeManySparse", "serialized_sparse: string",
    "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64", attrs={"dtype": REQUIRED}, shape=_rows_shape,
    kernel=_deserialized,
)  # fmt: skip

DESERIALIZE_SPARSE = define(
    "DeserializeSparse", "serialized_sparse: Tserialized",
    "sparse_indices: int64, sparse_values: dtype, sparse_shape: int64",
    attrs={"dtype": REQUIRED, "Tserialized": dtypes.string}, types={"Tserialized": _CARRIERS}, shape=_any_shape,
    kernel=_deserialized,
)  # fmt: skip


def _of_rank(parts: Sequence[Tensor], rank: int | None) -> SparseTensor:
    indices, values, dense_shape = parts
    indices.set_shape([None, rank])
    dense_shape.set_shape([rank])
    return SparseTensor(indices, values, dense_shape)


def deserialize_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:
    """What ``serialize_sparse`` was given; several, stacked, give one with their dimensions in front."""
    return _of_rank(apply(DESERIALIZE_SPARSE, serialized_sparse, dtype=dtypes.as_dtype(dtype), name=name), rank)


def deserialize_many_sparse(
    serialized_sparse: Any, dtype: Any, rank: int | None = None, name: str | None = None
) -> SparseTensor:  # fmt: skip
    """The batch that ``serialize_many_sparse`` was given; the sizes are the largest of all rows."""
    return _of_rank(apply(DESERIALIZE_MANY_SPARSE, serialized_sparse, dtype=dtypes.as_dtype(dtype), name=name), rank)
