"""Examples as ops: serialized ``tf.train.Example`` and ``SequenceExample`` to tensors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, shape_rules, slicing
from retrograd.ops.example_features import (
    Expected,
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    defaults_as_tensors,
    sorted_features,
)
from retrograd.ops.example_values import (
    Dense,
    Sparse,
    dense_column,
    dense_row,
    layout_of,
    raw_dims,
    read_together,
    sparse_column,
    sparse_columns,
    sparse_row,
    stacked,
)
from retrograd.ops.sparse_joining import sparse_merge

VALUES = (dtypes.float32, dtypes.int64, dtypes.string)


def as_texts(x: Any) -> list[bytes]:
    if isinstance(x, np.ndarray) and not x.ndim:
        return [x.item()]
    return np.asarray(x, object).ravel().tolist()  # type: ignore[no-any-return]


def as_keys(xs: Sequence[Any]) -> list[str]:
    return [x if isinstance(x, str) else as_word(as_texts(x)[0]) for x in xs]


@lru_cache(1 << 12)
def as_word(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def as_words(keys: Sequence[Any]) -> list[str]:
    return [k if isinstance(k, str) else as_word(k) for k in keys]


def parts_of(sparse: Sequence[tuple[Any, Any, Any]]) -> list[Any]:
    """Sparse tensors as the outputs of an op: all indices, all values, all shapes."""
    return [part[i] for i in range(3) for part in sparse]


# -- ParseExample ------------------------------------------------------------------------------


def rows_of(serialized: Tensor) -> tuple[int | None, ...]:
    shape_rules.with_rank(serialized, 1)
    return serialized.dims or (None,)


def _parsed_shapes(
    serialized: Tensor, names: Tensor, sparse_keys: Any, dense_keys: Any, dense_defaults: Any, *,
    sparse_types: list[DType], dense_shapes: list[Any],
) -> list[RawShape]:  # fmt: skip
    rows = rows_of(serialized)
    shape_rules.with_rank(names, 1)
    n = len(sparse_types)
    dense: list[RawShape] = [None if dims is None else (*rows, *dims) for dims in map(raw_dims, dense_shapes)]
    return [(None, 2)] * n + [(None,)] * n + [(2,)] * n + dense


def parse_batch(
    xp: Any, serialized: Any, names: Any, sparse_keys: list[Any], dense_keys: list[Any], dense_defaults: list[Any],
    *, sparse_types: list[DType], Tdense: list[DType], dense_shapes: list[Any],
) -> list[Any]:  # fmt: skip
    texts, labels = as_texts(serialized), as_texts(names)
    if labels and len(labels) != len(texts):
        raise invalid(f"Expected len(names) == len(serialized), got: {len(labels)} vs. {len(texts)}")
    sparse, dense = _batch_features(sparse_keys, dense_keys, dense_defaults, sparse_types, Tdense, dense_shapes)
    columns = read_together(texts, sparse, dense)
    if columns is not None:
        arrays_ = [dense_column(columns, len(sparse) + i, feature) for i, feature in enumerate(dense)]
        if all(array is not None for array in arrays_):
            return [*parts_of(sparse_columns(columns, len(sparse))), *arrays_]
    return _parse_one_by_one(texts, labels, sparse, dense)


def _batch_features(
    sparse_keys: Sequence[Any], dense_keys: Sequence[Any], dense_defaults: Sequence[Any],
    sparse_types: Sequence[DType], dense_types: Sequence[DType], dense_shapes: Sequence[Any],
) -> tuple[list[Sparse], list[Dense]]:  # fmt: skip
    shapes = [raw_dims(s) for s in dense_shapes]
    defaults = map(np.asarray, dense_defaults)
    return (
        list(zip(as_keys(sparse_keys), sparse_types, strict=True)),
        list(zip(as_keys(dense_keys), dense_types, shapes, defaults, strict=True)),
    )


def features_of_batch(attrs: Mapping[str, Any], inputs: Sequence[Any]) -> tuple[list[Sparse], list[Dense]]:
    """The features that a ``ParseExample`` asks for, by its attributes and its inputs behind the names."""
    n, m = len(attrs["sparse_types"]), len(attrs["Tdense"])
    return _batch_features(
        inputs[:n], inputs[n : n + m], inputs[n + m :], attrs["sparse_types"], attrs["Tdense"], attrs["dense_shapes"]
    )


def _parse_one_by_one(
    texts: Sequence[bytes], labels: Sequence[bytes], sparse: Sequence[Sparse], dense: Sequence[Dense]
) -> list[Any]:
    sparse_rows: list[list[Any]] = [[] for _ in sparse]
    dense_rows: list[list[Any]] = [[] for _ in dense]
    for i, text in enumerate(texts):
        data, layout = layout_of(text)
        features = layout.features
        label = labels[i].decode(errors="replace") if labels else "<unknown>"

        def complain(key: str, words: str, i: int = i, label: str = label) -> InvalidArgumentError:
            return invalid(f"Name: {label}, " + (f"Key: {key}, Index: {i}.  " if key else "") + words)

        for rows, (key, dtype, dims, default) in zip(dense_rows, dense, strict=True):
            rows.append(dense_row(data, features.get(key), key, dtype, dims, default, complain, False))
        for rows, (key, dtype) in zip(sparse_rows, sparse, strict=True):
            rows.append(sparse_row(data, features.get(key), key, dtype, complain))
    columns = [sparse_column(rows, dtype) for rows, (_, dtype) in zip(sparse_rows, sparse, strict=True)]
    return parts_of(columns) + [
        stacked(rows, dtype, dims, default) for rows, (_, dtype, dims, default) in zip(dense_rows, dense, strict=True)
    ]


PARSE_EXAMPLE = define(
    "ParseExample",
    "serialized: string, names: string, sparse_keys: Nsparse*string, dense_keys: Ndense*string, "
    "dense_defaults: *Tdense",
    "sparse_indices: Nsparse*int64, sparse_values: *sparse_types, sparse_shapes: Nsparse*int64, dense_values: *Tdense",
    attrs={"sparse_types": REQUIRED, "dense_shapes": REQUIRED}, types={"sparse_types": VALUES, "Tdense": VALUES},
    shape=_parsed_shapes, kernel=parse_batch, gradient=not_differentiable,
)  # fmt: skip


def parse_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of a vector of serialized ``tf.train.Example``s, by their keys.

    Args:
      features: for each key a ``FixedLenFeature`` (dense, ``[batch, ...]``), a ``VarLenFeature`` or a
        ``SparseFeature`` (sparse), or a ``FixedLenSequenceFeature`` (dense, filled up).
      example_names: names of the examples, for messages.

    Raises:
      ValueError: there are no features, or one is not well defined.
    """
    return parse_example_v2(serialized, features, example_names, name)


def parse_example_v2(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """``parse_example`` with its arguments in another order."""
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    wanted = sorted_features(features, [VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature])
    found = _parsed(serialized, example_names, wanted, name)
    return _with_sparse_features(features, found)


def _parsed(serialized: Any, names: Any, wanted: Expected, name: str | None) -> dict[str, Any]:
    with name_scope(name, "ParseExample", [serialized, names]):
        _check_keys(wanted)
        shapes = [TensorShape(s) for s in wanted.dense_shapes]
        defaults = defaults_as_tensors(wanted.dense_keys, wanted.dense_types, shapes, wanted.dense_defaults)
        outputs = apply(
            PARSE_EXAMPLE, serialized, [] if names is None else names, wanted.sparse_keys, wanted.dense_keys,
            defaults, Tdense=[as_dtype(t) for t in wanted.dense_types],
            sparse_types=[as_dtype(t) for t in wanted.sparse_types], dense_shapes=shapes, name=name,
        )  # fmt: skip
        return by_key(wanted, outputs)


def _check_keys(wanted: Expected) -> None:
    both = set(wanted.sparse_keys).intersection(wanted.dense_keys)
    if both:
        raise ValueError(f"Dense and sparse keys must not intersect; intersection: {both}")


def by_key(wanted: Expected, outputs: Sequence[Tensor]) -> dict[str, Any]:
    n = len(wanted.sparse_keys)
    sparse = [SparseTensor(outputs[i], outputs[n + i], outputs[2 * n + i]) for i in range(n)]
    return dict(zip(wanted.sparse_keys + wanted.dense_keys, [*sparse, *outputs[3 * n :]], strict=True))


def _with_sparse_features(features: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """``found`` with the parts of sparse features put together; what only they needed is left out."""
    result = dict(found)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            single = isinstance(feature.index_key, str)
            ids = found[feature.index_key] if single else [found[k] for k in feature.index_key]
            result[key] = sparse_merge(ids, found[feature.value_key], feature.size, None, feature.already_sorted)
    return {key: value for key, value in result.items() if key in features}


# -- ParseSingleExample ------------------------------------------------------------------------


def _parsed_single_shapes(
    serialized: Tensor, dense_defaults: Any, *, num_sparse: int, dense_shapes: list[Any]
) -> list[RawShape]:
    shape_rules.with_rank(serialized, 0)
    n = num_sparse
    return [(None, 1)] * n + [(None,)] * n + [(1,)] * n + [raw_dims(s) for s in dense_shapes]


def _parse_single(
    xp: Any, serialized: Any, dense_defaults: list[Any], *, sparse_keys: list[Any], dense_keys: list[Any],
    sparse_types: list[DType], Tdense: list[DType], dense_shapes: list[Any],
) -> list[Any]:  # fmt: skip
    data, layout = layout_of(as_texts(serialized)[0])
    features = layout.features

    def complain(key: str, words: str) -> InvalidArgumentError:
        return invalid((f"Key: {key}.  " if key else "") + words)

    dense, sparse = [], []
    for key, dtype, shape, default in zip(
        as_words(dense_keys), Tdense, dense_shapes, map(np.asarray, dense_defaults), strict=True
    ):
        feature = features.get(key)
        dense.append(dense_row(data, feature, key, dtype, raw_dims(shape), default, complain, True))
    for key, dtype in zip(as_words(sparse_keys), sparse_types, strict=True):
        row = sparse_row(data, features.get(key), key, dtype, complain)
        sparse.append((np.arange(len(row))[:, None], row, np.array([len(row)], np.int64)))
    return parts_of(sparse) + dense


def features_of(attrs: Mapping[str, Any], defaults: Sequence[Any]) -> tuple[list[Sparse], list[Dense]]:
    """The features that an op of one example reads, by its attributes."""
    sparse = list(zip(as_words(attrs["sparse_keys"]), attrs["sparse_types"], strict=True))
    shapes = map(raw_dims, attrs["dense_shapes"])
    keys = as_words(attrs["dense_keys"])
    return sparse, list(zip(keys, attrs["Tdense"], shapes, map(np.asarray, defaults), strict=True))


PARSE_SINGLE_EXAMPLE = define(
    "ParseSingleExample", "serialized: string, dense_defaults: *Tdense",
    "sparse_indices: num_sparse*int64, sparse_values: *sparse_types, sparse_shapes: num_sparse*int64, "
    "dense_values: *Tdense",
    attrs=dict.fromkeys(("num_sparse", "sparse_keys", "dense_keys", "sparse_types", "dense_shapes"), REQUIRED),
    types={"sparse_types": VALUES, "Tdense": VALUES}, shape=_parsed_single_shapes, kernel=_parse_single,
    gradient=not_differentiable,
)  # fmt: skip


def parse_single_example(
    serialized: Any, features: Mapping[str, Any], name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of one serialized ``tf.train.Example``, by their keys; see ``parse_example``."""
    return parse_single_example_v2_unoptimized(serialized, features, example_names, name)


def parse_single_example_v2_unoptimized(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """``parse_single_example`` with its arguments in another order."""
    if not features:
        raise ValueError("Missing features.")
    if example_names is None:
        return parse_single_example_v2(serialized, features, name)
    wanted = sorted_features(features, [VarLenFeature, FixedLenFeature, FixedLenSequenceFeature, SparseFeature])
    with name_scope(name, "ParseSingleExample", [serialized, example_names]):
        serialized = arrays.expand_dims(_as_scalar(serialized, "serialized"), 0)
        names = arrays.expand_dims(_as_scalar(example_names, "names"), 0)
        found = _parsed(serialized, names, wanted, name)
        for key in wanted.dense_keys:
            found[key] = arrays.squeeze(found[key], [0], name=f"Squeeze_{_plain_name(key)}")
        for key in wanted.sparse_keys:
            plain, whole = _plain_name(key), found[key]
            indices = slicing.slice_(whole.indices, [0, 1], [-1, -1], name=f"Slice_Indices_{plain}")
            shape = slicing.slice_(whole.dense_shape, [1], [-1], name=f"Squeeze_Shape_{plain}")
            found[key] = SparseTensor(indices, whole.values, shape)
    return _with_sparse_features(features, found)


def _plain_name(key: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)


def _as_scalar(value: Any, word: str) -> Tensor:
    tensor = as_tensor(value)
    if tensor.dims is not None and tensor.dims != ():
        raise ValueError(f"Input {word} must be a scalar")
    return tensor


def parse_single_example_v2(serialized: Any, features: Mapping[str, Any], name: str | None = None) -> dict[str, Any]:
    """``parse_single_example`` without names of examples."""
    if not features:
        raise ValueError("Missing features.")
    wanted = sorted_features(features, [VarLenFeature, FixedLenFeature, FixedLenSequenceFeature, SparseFeature])
    with name_scope(name, "ParseSingleExample", [serialized]):
        serialized = as_tensor(serialized, dtypes.string, name="serialized")
        _check_keys(wanted)
        shapes = [TensorShape(s) for s in wanted.dense_shapes]
        defaults = defaults_as_tensors(wanted.dense_keys, wanted.dense_types, shapes, wanted.dense_defaults)
        outputs = apply(
            PARSE_SINGLE_EXAMPLE, serialized, defaults, num_sparse=len(wanted.sparse_keys),
            sparse_keys=wanted.sparse_keys, sparse_types=[as_dtype(t) for t in wanted.sparse_types],
            dense_keys=wanted.dense_keys, dense_shapes=shapes, Tdense=[as_dtype(t) for t in wanted.dense_types],
            name=name,
        )  # fmt: skip
        found = by_key(wanted, outputs)
    return _with_sparse_features(features, found)
