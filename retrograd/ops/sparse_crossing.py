"""Crossed features: every combination of the features that the columns have in a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, OpDef, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import casts
from retrograd.ops.hashing import farm, farm_of_two

_DEFAULT_HASH_KEY = 0xDECAFCAFFE
_TYPES = (dtypes.int64, dtypes.string)


def _features(indices: list[Any], values: list[Any], shapes_: list[Any], dense: list[Any]) -> list[list[list[Any]]]:
    """For each column, sparse ones first, the features of each row."""
    sizes = [int(shape[0]) for shape in shapes_] or [len(dense[0])]
    rows = sizes[0]
    for i, size in enumerate(sizes):
        if size != rows:
            raise InvalidArgumentError(None, None, f"Expected batch size {rows} got {size} at position {i}")
    for i, column in enumerate(dense):
        if len(column) != rows:
            raise InvalidArgumentError(None, None, f"Expected batch size {rows} got {len(column)} at dense tensor {i}")
    columns: list[list[list[Any]]] = []
    for places, features in zip(indices, values, strict=True):
        columns.append([[] for _ in range(rows)])
        for row, feature in zip(np.asarray(places)[:, 0].tolist(), np.asarray(features).tolist(), strict=True):
            columns[-1][row].append(feature)
    return columns + [np.asarray(column).tolist() for column in dense]


def _text(features: Sequence[Any]) -> bytes:
    return b"_X_".join(f if isinstance(f, bytes) else str(f).encode() for f in features)


def _hash(features: Sequence[Any], key: int, buckets: int) -> int:
    total = key
    for feature in features:
        total = farm_of_two(total, farm(feature) if isinstance(feature, bytes) else feature)
    return total % (buckets or 2**63 - 1)


def _older_hash(features: Sequence[Any], buckets: int) -> int:
    """h = h ^ (f + 0x9e3779b97f4a7800 + 1024 h + h / 16), one feature after the other, in 64 bits with a sign."""
    total = _DEFAULT_HASH_KEY
    for feature in features:
        number = (farm(feature) if isinstance(feature, bytes) else feature) % 2**64
        signed = total - (total >> 63 << 64)
        total ^= (number + 0x9E3779B97F4A7800 + (total << 10) + (signed >> 4)) % 2**64
    return total % (buckets or 2**63 - 1)


def _cross(
    xp: Any, indices: list[Any], values: list[Any], shapes_: list[Any], dense: list[Any], *,
    hashed_output: bool, num_buckets: int, hash_key: int,
) -> list[Any]:  # fmt: skip
    hash_of = partial(_hash, key=hash_key, buckets=num_buckets) if hashed_output else None
    return _crossed_by(indices, values, shapes_, dense, hash_of)


def _older_cross(
    xp: Any, indices: list[Any], values: list[Any], shapes_: list[Any], dense: list[Any], *,
    hashed_output: bool, num_buckets: int,
) -> list[Any]:  # fmt: skip
    hash_of = partial(_older_hash, buckets=num_buckets) if hashed_output else None
    return _crossed_by(indices, values, shapes_, dense, hash_of)


def _crossed_by(
    indices: list[Any], values: list[Any], shapes_: list[Any], dense: list[Any], hash_of: Callable[..., int] | None
) -> list[Any]:
    columns = _features(indices, values, shapes_, dense)
    crossed = [list(product(*(column[row] for column in columns))) for row in range(len(columns[0]))]
    places = [(row, i) for row, combinations in enumerate(crossed) for i in range(len(combinations))]
    flat = [features for combinations in crossed for features in combinations]
    if hash_of is not None:
        found = np.array([hash_of(features) for features in flat], np.int64)
    else:
        found = np.array([_text(features) for features in flat], object)
    width = max(map(len, crossed), default=0)
    return [np.array(places, np.int64).reshape(-1, 2), found, np.array([len(crossed), width], np.int64)]


def _crossed(
    indices: list[Tensor], values: list[Tensor], shapes_: list[Tensor], dense: list[Tensor]
) -> list[RawShape]:  # fmt: skip
    return [(None, 2), (None,), (2,)]


def _crossing(name: str, dense: str, outputs: str, attrs: dict[str, Any], kernel: Any, **more: Any) -> OpDef:
    return define(
        name, f"indices: N*int64, values: *sparse_types, shapes: N*int64, {dense}: *dense_types", outputs,
        attrs={**attrs, "out_type": REQUIRED, "internal_type": REQUIRED},
        types={"sparse_types": _TYPES, "dense_types": _TYPES, "out_type": _TYPES, "internal_type": _TYPES},
        shape=_crossed, kernel=kernel, **more,
    )  # fmt: skip


_WITHOUT_KEY = {"hashed_output": REQUIRED, "num_buckets": REQUIRED}
_WITH_KEY = {**_WITHOUT_KEY, "hash_key": REQUIRED}
_OUTPUTS = "output_indices: int64, output_values: out_type, output_shape: int64"
SPARSE_CROSS = _crossing("SparseCross", "dense_inputs", _OUTPUTS, _WITH_KEY, _cross)
FEATURE_CROSS = _crossing(
    "SparseFeatureCross", "dense", _OUTPUTS, _WITHOUT_KEY, _older_cross, gradient=not_differentiable
)
FEATURE_CROSS_V2 = _crossing("SparseFeatureCrossV2", "dense", _OUTPUTS, _WITH_KEY, _cross, gradient=not_differentiable)


def _of_columns(
    record: OpDef, inputs: Any, name: str | None, hashed: bool = False, num_buckets: int = 0, **keyed: Any
) -> SparseTensor:
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(x, SparseTensor | Tensor) for x in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [x for x in inputs if isinstance(x, SparseTensor)]
    of_numbers = any(x.dtype != dtypes.string for x in inputs)
    values = [x.values if x.dtype == dtypes.string else casts.cast(x.values, dtypes.int64) for x in sparse]
    dense = [x if x.dtype == dtypes.string else casts.cast(x, dtypes.int64) for x in inputs if isinstance(x, Tensor)]
    parts = apply(
        record, [x.indices for x in sparse], values, [x.dense_shape for x in sparse], dense,
        hashed_output=hashed, num_buckets=num_buckets, out_type=dtypes.int64 if hashed else dtypes.string,
        internal_type=dtypes.int64 if of_numbers else dtypes.string, name=name, **keyed,
    )  # fmt: skip
    return SparseTensor(*parts)


def sparse_cross(inputs: Any, name: str | None = None) -> SparseTensor:
    """For each row every combination of the columns' features, as text: ``b"a_X_3"``.

    Raises:
      TypeError: ``inputs`` is no list of tensors and sparse tensors of rank 2.
    """
    return _of_columns(SPARSE_CROSS, inputs, name, hash_key=_DEFAULT_HASH_KEY)


def sparse_cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:  # fmt: skip
    """``sparse_cross`` as numbers below ``num_buckets``, or of 63 bits if that is 0: FarmHash fingerprints, joined.

    Raises:
      TypeError: ``inputs`` is no list of tensors and sparse tensors of rank 2.
    """
    return _of_columns(SPARSE_CROSS, inputs, name, True, num_buckets, hash_key=hash_key or _DEFAULT_HASH_KEY)


def sparse_feature_cross(
    inputs: Any, hashed_output: bool = False, num_buckets: int = 0, name: str | None = None,
    hash_key: int | None = None,
) -> SparseTensor:  # fmt: skip
    """``sparse_cross``, or hashed, of ``tf.contrib.layers``; without a key by an older hash.

    Raises:
      TypeError: ``inputs`` is no list of tensors and sparse tensors of rank 2.
    """
    if hash_key:
        return _of_columns(FEATURE_CROSS_V2, inputs, name, hashed_output, num_buckets, hash_key=hash_key)
    return _of_columns(FEATURE_CROSS, inputs, name, hashed_output, num_buckets)
