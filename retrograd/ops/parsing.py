"""Examples as ops: serialized ``tf.train.Example`` and ``SequenceExample`` to tensors."""

from __future__ import annotations

import math
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
from retrograd.graph.shapes import RawShape, TensorShape, shape_text
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
    decoded,
    dense_column,
    dense_row,
    dtype_of,
    joined,
    layout_of,
    ragged_steps,
    raw_dims,
    read_together,
    sparse_column,
    sparse_columns,
    sparse_row,
    stacked,
    steps_of,
    values_of,
)
from retrograd.ops.sparse_joining import sparse_merge

VALUES = (dtypes.float32, dtypes.int64, dtypes.string)


def _texts(x: Any) -> list[bytes]:
    if isinstance(x, np.ndarray) and not x.ndim:
        return [x.item()]
    return np.asarray(x, object).ravel().tolist()  # type: ignore[no-any-return]


def _keys(xs: Sequence[Any]) -> list[str]:
    return [x if isinstance(x, str) else _word(_texts(x)[0]) for x in xs]


@lru_cache(1 << 12)
def _word(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def _as_words(keys: Sequence[Any]) -> list[str]:
    return [k if isinstance(k, str) else _word(k) for k in keys]


def _parts(sparse: Sequence[tuple[Any, Any, Any]]) -> list[Any]:
    """Sparse tensors as the outputs of an op: all indices, all values, all shapes."""
    return [part[i] for i in range(3) for part in sparse]


# -- ParseExample ------------------------------------------------------------------------------


def _rows(serialized: Tensor) -> tuple[int | None, ...]:
    shape_rules.with_rank(serialized, 1)
    return serialized.dims or (None,)


def _parsed_shapes(
    serialized: Tensor, names: Tensor, sparse_keys: Any, dense_keys: Any, dense_defaults: Any, *,
    sparse_types: list[DType], dense_shapes: list[Any],
) -> list[RawShape]:  # fmt: skip
    rows = _rows(serialized)
    shape_rules.with_rank(names, 1)
    n = len(sparse_types)
    dense: list[RawShape] = [None if dims is None else (*rows, *dims) for dims in map(raw_dims, dense_shapes)]
    return [(None, 2)] * n + [(None,)] * n + [(2,)] * n + dense


def parse_batch(
    xp: Any, serialized: Any, names: Any, sparse_keys: list[Any], dense_keys: list[Any], dense_defaults: list[Any],
    *, sparse_types: list[DType], Tdense: list[DType], dense_shapes: list[Any],
) -> list[Any]:  # fmt: skip
    texts, labels = _texts(serialized), _texts(names)
    if labels and len(labels) != len(texts):
        raise invalid(f"Expected len(names) == len(serialized), got: {len(labels)} vs. {len(texts)}")
    sparse, dense = _batch_features(sparse_keys, dense_keys, dense_defaults, sparse_types, Tdense, dense_shapes)
    columns = read_together(texts, sparse, dense)
    if columns is not None:
        arrays_ = [dense_column(columns, len(sparse) + i, feature) for i, feature in enumerate(dense)]
        if all(array is not None for array in arrays_):
            return [*_parts(sparse_columns(columns, len(sparse))), *arrays_]
    return _parse_one_by_one(texts, labels, sparse, dense)


def _batch_features(
    sparse_keys: Sequence[Any], dense_keys: Sequence[Any], dense_defaults: Sequence[Any],
    sparse_types: Sequence[DType], dense_types: Sequence[DType], dense_shapes: Sequence[Any],
) -> tuple[list[Sparse], list[Dense]]:  # fmt: skip
    shapes = [raw_dims(s) for s in dense_shapes]
    defaults = map(np.asarray, dense_defaults)
    return (
        list(zip(_keys(sparse_keys), sparse_types, strict=True)),
        list(zip(_keys(dense_keys), dense_types, shapes, defaults, strict=True)),
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
    return _parts(columns) + [
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
        return _by_key(wanted, outputs)


def _check_keys(wanted: Expected) -> None:
    both = set(wanted.sparse_keys).intersection(wanted.dense_keys)
    if both:
        raise ValueError(f"Dense and sparse keys must not intersect; intersection: {both}")


def _by_key(wanted: Expected, outputs: Sequence[Tensor]) -> dict[str, Any]:
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
    data, layout = layout_of(_texts(serialized)[0])
    features = layout.features

    def complain(key: str, words: str) -> InvalidArgumentError:
        return invalid((f"Key: {key}.  " if key else "") + words)

    dense, sparse = [], []
    for key, dtype, shape, default in zip(
        _as_words(dense_keys), Tdense, dense_shapes, map(np.asarray, dense_defaults), strict=True
    ):
        feature = features.get(key)
        dense.append(dense_row(data, feature, key, dtype, raw_dims(shape), default, complain, True))
    for key, dtype in zip(_as_words(sparse_keys), sparse_types, strict=True):
        row = sparse_row(data, features.get(key), key, dtype, complain)
        sparse.append((np.arange(len(row))[:, None], row, np.array([len(row)], np.int64)))
    return _parts(sparse) + dense


def features_of(attrs: Mapping[str, Any], defaults: Sequence[Any]) -> tuple[list[Sparse], list[Dense]]:
    """The features that an op of one example reads, by its attributes."""
    sparse = list(zip(_as_words(attrs["sparse_keys"]), attrs["sparse_types"], strict=True))
    shapes = map(raw_dims, attrs["dense_shapes"])
    keys = _as_words(attrs["dense_keys"])
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
        found = _by_key(wanted, outputs)
    return _with_sparse_features(features, found)


# -- ParseSingleSequenceExample ----------------------------------------------------------------

_CONTEXT = "context_sparse_types", "Tcontext_dense", "context_dense_shapes"
_STEPS = "feature_list_sparse_types", "feature_list_dense_types", "feature_list_dense_shapes"
_SEQUENCE_ATTRS: dict[str, Any] = {
    **dict.fromkeys(("Ncontext_sparse", "Ncontext_dense", "Nfeature_list_sparse", "Nfeature_list_dense"), 0),
    **{key: [] for key in (*_CONTEXT, *_STEPS)},
}
_SEQUENCE_TYPES = dict.fromkeys((*_CONTEXT[:2], *_STEPS[:2]), VALUES)
_SEQUENCE_OUTPUTS = (
    "context_sparse_indices: Ncontext_sparse*int64, context_sparse_values: *context_sparse_types, "
    "context_sparse_shapes: Ncontext_sparse*int64, context_dense_values: *Tcontext_dense, "
    "feature_list_sparse_indices: Nfeature_list_sparse*int64, "
    "feature_list_sparse_values: *feature_list_sparse_types, "
    "feature_list_sparse_shapes: Nfeature_list_sparse*int64, "
    "feature_list_dense_values: *feature_list_dense_types"
)


def _sequence_shapes(
    serialized: Tensor, missing: Any, cs: Any, cd: Any, fs: Any, fd: Any, defaults: Any, name: Any, *,
    Ncontext_sparse: int, Nfeature_list_sparse: int, context_dense_shapes: list[Any],
    feature_list_dense_shapes: list[Any],
) -> list[RawShape]:  # fmt: skip
    shape_rules.with_rank(serialized, 0)
    n, m = Ncontext_sparse, Nfeature_list_sparse
    shapes: list[RawShape] = [(None, 1)] * n + [(None,)] * n + [(1,)] * n
    shapes += [raw_dims(s) for s in context_dense_shapes]
    shapes += [(None, 2)] * m + [(None,)] * m + [(2,)] * m
    for shape in feature_list_dense_shapes:
        dims = raw_dims(shape)
        shapes.append(None if dims is None else (None, *dims))
    return shapes


def _parse_single_sequence(
    xp: Any, serialized: Any, missing: Any, cs: list[Any], cd: list[Any], fs: list[Any], fd: list[Any],
    defaults: list[Any], name: Any, *, context_sparse_types: list[DType], Tcontext_dense: list[DType],
    feature_list_sparse_types: list[DType], feature_list_dense_types: list[DType], context_dense_shapes: list[Any],
    feature_list_dense_shapes: list[Any],
) -> list[Any]:  # fmt: skip
    example = decoded("SequenceExample", _texts(serialized)[0])
    label = (_texts(name) or [b""])[0].decode(errors="replace")
    may_miss = {_word(text) for text in _texts(missing)}
    context, lists = example.context.feature, example.feature_lists.feature_list

    def complain(words: str) -> InvalidArgumentError:
        return invalid(f"Name: {label}, {words}")

    dense = [
        _context_value(context, key, dtype, raw_dims(shape), np.asarray(default), complain)
        for key, dtype, shape, default in zip(_keys(cd), Tcontext_dense, context_dense_shapes, defaults, strict=True)
    ]
    sparse = []
    for key, dtype in zip(_keys(cs), context_sparse_types, strict=True):
        row = _context_row(context, key, dtype, complain)
        sparse.append((np.arange(len(row))[:, None], row, np.array([len(row)], np.int64)))
    steps = []
    for key, dtype, shape in zip(_keys(fd), feature_list_dense_types, feature_list_dense_shapes, strict=True):
        if key not in lists and key not in may_miss:
            raise complain(
                f"Feature list '{key}' is required but could not be found.  Did you mean to include it in "
                "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
            )
        features = lists[key].feature if key in lists else ()
        steps.append(steps_of(features, key, dtype, raw_dims(shape), complain))
    ragged = []
    for key, dtype in zip(_keys(fs), feature_list_sparse_types, strict=True):
        rows = ragged_steps(lists[key].feature if key in lists else (), key, dtype, complain)
        ragged.append(sparse_column(rows, dtype))
    return _parts(sparse) + dense + _parts(ragged) + steps


def _context_row(context: Any, key: str, dtype: DType, complain: Any) -> np.ndarray:
    feature = context.get(key)
    found = None if feature is None else dtype_of(feature)
    if found is None:
        return np.empty(0, dtype.np)
    _check_context(feature, found, key, dtype, complain)
    return values_of(feature, dtype)


def _check_context(feature: Any, found: DType, key: str, dtype: DType, complain: Any) -> None:
    if found is not dtype:
        word = {"float32": "float"}.get(dtype.name, dtype.name)
        raise complain(f"Context feature: {key}.  Data types don't match. Expected type: {word}  Feature is: {feature}")


def _context_value(
    context: Any, key: str, dtype: DType, dims: RawShape, default: np.ndarray, complain: Any
) -> np.ndarray:
    feature = context.get(key)
    found = None if feature is None else dtype_of(feature)
    shape = tuple(n or 0 for n in dims or ())
    if found is None:
        if default.size == 0 and math.prod(shape) != 0:
            raise complain(f"Context feature '{key}' is required but could not be found.")
        return default.reshape(shape)
    _check_context(feature, found, key, dtype, complain)
    values = values_of(feature, dtype)
    if len(values) != math.prod(shape):
        kind = {"float32": "float", "string": "bytes"}.get(dtype.name, dtype.name)
        words = f"Number of {kind} values != expected.  values size: {len(values)} but output shape: "
        raise complain(f"Key: {key}, Index: 0.  {words}{shape_text(shape)}")
    return values.reshape(shape)


PARSE_SINGLE_SEQUENCE_EXAMPLE = define(
    "ParseSingleSequenceExample",
    "serialized: string, feature_list_dense_missing_assumed_empty: string, "
    "context_sparse_keys: Ncontext_sparse*string, context_dense_keys: Ncontext_dense*string, "
    "feature_list_sparse_keys: Nfeature_list_sparse*string, feature_list_dense_keys: Nfeature_list_dense*string, "
    "context_dense_defaults: *Tcontext_dense, debug_name: string",
    _SEQUENCE_OUTPUTS, attrs=_SEQUENCE_ATTRS, types=_SEQUENCE_TYPES, shape=_sequence_shapes,
    kernel=_parse_single_sequence, gradient=not_differentiable,
)  # fmt: skip


def parse_single_sequence_example(
    serialized: Any, context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None, example_name: Any = None, name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """The features of one serialized ``tf.train.SequenceExample``: those of its context, and those of its steps.

    Args:
      context_features: ``FixedLenFeature`` or ``VarLenFeature``, by key.
      sequence_features: ``FixedLenSequenceFeature`` (``[steps, ...]``) or ``VarLenFeature``, by key.

    Raises:
      ValueError: there are no features, or one is not well defined.
    """
    context, steps = _wanted_of_sequence(context_features, sequence_features)
    with name_scope(name, "ParseSingleSequenceExample", [serialized]):
        context_shapes = [TensorShape(s) for s in context.dense_shapes]
        defaults = defaults_as_tensors(context.dense_keys, context.dense_types, context_shapes, context.dense_defaults)
        outputs = apply(
            PARSE_SINGLE_SEQUENCE_EXAMPLE, serialized, _may_miss(steps), context.sparse_keys, context.dense_keys,
            steps.sparse_keys, steps.dense_keys, defaults, "" if example_name is None else example_name,
            name=name, feature_list_dense_shapes=_step_shapes(steps), context_dense_shapes=context_shapes,
            **_sequence_types(context, steps),
        )  # fmt: skip
        first = 3 * len(context.sparse_keys) + len(context.dense_keys)
        return _by_key(context, outputs[:first]), _by_key(steps, outputs[first:])


def _wanted_of_sequence(
    context_features: Mapping[str, Any] | None, sequence_features: Mapping[str, Any] | None
) -> tuple[Expected, Expected]:
    if not (context_features or sequence_features):
        raise ValueError("Missing features.")
    context = sorted_features(context_features, [VarLenFeature, FixedLenFeature])
    steps = sorted_features(sequence_features, [VarLenFeature, FixedLenSequenceFeature])
    return context, steps


def _may_miss(steps: Expected) -> list[str]:
    """The keys of steps that may be missing; a step's value has no default."""
    for key, default in steps.dense_defaults.items():
        if default is not None:
            raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")
    return sorted(steps.dense_defaults)


def _step_shapes(steps: Expected) -> list[TensorShape]:
    """The shape of one step."""
    dims = [TensorShape(s)._raw for s in steps.dense_shapes]
    return [TensorShape(d[1:] if d and d[0] is None else d) for d in dims]


def _sequence_types(context: Expected, steps: Expected) -> dict[str, list[DType]]:
    lists = context.sparse_types, context.dense_types, steps.sparse_types, steps.dense_types
    keys = _CONTEXT[0], _CONTEXT[1], _STEPS[0], _STEPS[1]
    return {key: [as_dtype(t) for t in types] for key, types in zip(keys, lists, strict=True)}


# -- ParseSequenceExample ----------------------------------------------------------------------


def _sequences_shapes(
    serialized: Tensor, name: Any, defaults: Any, *, Ncontext_sparse: int, Nfeature_list_sparse: int,
    context_dense_shapes: list[Any], feature_list_dense_shapes: list[Any],
) -> list[RawShape]:  # fmt: skip
    rows = _rows(serialized)
    n, m = Ncontext_sparse, Nfeature_list_sparse
    shapes: list[RawShape] = [(None, 2)] * n + [(None,)] * n + [(2,)] * n
    shapes += [(*rows, *(raw_dims(s) or ())) for s in context_dense_shapes]
    shapes += [(None, 3)] * m + [(None,)] * m + [(3,)] * m
    shapes += [(*rows, None, *(raw_dims(s) or ())) for s in feature_list_dense_shapes]
    return shapes + [rows] * len(feature_list_dense_shapes)


def _parse_sequences(
    xp: Any, serialized: Any, names: Any, defaults: list[Any], *,
    feature_list_dense_missing_assumed_empty: list[Any], context_sparse_keys: list[Any],
    context_dense_keys: list[Any], feature_list_sparse_keys: list[Any], feature_list_dense_keys: list[Any],
    context_sparse_types: list[DType], Tcontext_dense: list[DType], feature_list_sparse_types: list[DType],
    feature_list_dense_types: list[DType], context_dense_shapes: list[Any], feature_list_dense_shapes: list[Any],
) -> list[Any]:  # fmt: skip
    """A batch is parsed one by one and put together."""
    texts, labels = _texts(serialized), _texts(names)
    if labels and len(labels) != len(texts):
        raise invalid(f"Expected len(debug_name) == len(serialized), got: {len(labels)} vs. {len(texts)}")
    keys: Any = [
        _as_words(k)
        for k in (context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys)
    ]
    may_miss: Any = _as_words(feature_list_dense_missing_assumed_empty)
    counts = [len(context_sparse_types)] * 3 + [len(Tcontext_dense)] + [len(feature_list_sparse_types)] * 3
    results = [
        _parse_single_sequence(
            np, text, [k.encode(errors="surrogateescape") for k in may_miss], keys[0], keys[1], keys[2], keys[3],
            defaults, labels[i] if labels else b"<unknown>", context_sparse_types=context_sparse_types,
            Tcontext_dense=Tcontext_dense, feature_list_sparse_types=feature_list_sparse_types,
            feature_list_dense_types=feature_list_dense_types, context_dense_shapes=context_dense_shapes,
            feature_list_dense_shapes=feature_list_dense_shapes,
        )
        for i, text in enumerate(texts)
    ]  # fmt: skip
    ends = np.cumsum([0, *counts]).tolist()
    group = [[r[ends[i] : ends[i + 1]] for r in results] for i in range(len(counts))]
    last = [r[ends[-1] :] for r in results]
    sparse = [sparse_column([row[i] for row in group[1]], dtype) for i, dtype in enumerate(context_sparse_types)]
    dense = [
        stacked([row[i] for row in group[3]], dtype, raw_dims(shape), np.zeros(0))
        for i, (dtype, shape) in enumerate(zip(Tcontext_dense, context_dense_shapes, strict=True))
    ]
    ragged = [
        _batch_of_ragged([[part[i] for part in parts] for parts in zip(*group[4:7], strict=True)], dtype)
        for i, dtype in enumerate(feature_list_sparse_types)
    ]
    steps = [
        stacked([row[i] for row in last], dtype, (None, *(raw_dims(shape) or ())), np.zeros(0))
        for i, (dtype, shape) in enumerate(zip(feature_list_dense_types, feature_list_dense_shapes, strict=True))
    ]
    lengths = [np.array([len(row[i]) for row in last], np.int64) for i in range(len(feature_list_dense_types))]
    return _parts(sparse) + dense + _parts(ragged) + steps + lengths


def _batch_of_ragged(parts: list[list[np.ndarray]], dtype: DType) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sparse matrices, one for each example, as one sparse tensor of three dimensions."""
    indices = [np.concatenate([np.full((len(places), 1), i), places], axis=1) for i, (places, _, _) in enumerate(parts)]
    shapes = np.array([shape for _, _, shape in parts], np.int64).reshape(-1, 2)
    whole = np.concatenate(indices).astype(np.int64) if indices else np.empty((0, 3), np.int64)
    return (
        whole,
        joined([values for _, values, _ in parts], dtype),
        np.array([len(parts), *shapes.max(0, initial=0)], np.int64),
    )


PARSE_SEQUENCE_EXAMPLE = define(
    "ParseSequenceExample", "serialized: string, debug_name: string, context_dense_defaults: *Tcontext_dense",
    _SEQUENCE_OUTPUTS + ", feature_list_dense_lengths: Nfeature_list_dense*int64",
    attrs={
        **dict.fromkeys(
            (
                "feature_list_dense_missing_assumed_empty", "context_sparse_keys", "context_dense_keys",
                "feature_list_sparse_keys", "feature_list_dense_keys",
            ),
            REQUIRED,
        ),
        **_SEQUENCE_ATTRS,
    },
    types=_SEQUENCE_TYPES, shape=_sequences_shapes, kernel=_parse_sequences, gradient=not_differentiable,
)  # fmt: skip


def parse_sequence_example(
    serialized: Any, context_features: Mapping[str, Any] | None = None,
    sequence_features: Mapping[str, Any] | None = None, example_names: Any = None, name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:  # fmt: skip
    """The features of a vector of serialized ``tf.train.SequenceExample``s: of contexts, of steps, numbers of steps."""
    context, steps = _wanted_of_sequence(context_features, sequence_features)
    with name_scope(name, "ParseSequenceExample", [serialized]):
        context_shapes = [TensorShape(s) for s in context.dense_shapes]
        defaults = defaults_as_tensors(
            context.dense_keys, context.dense_types, context_shapes, context.dense_defaults, False
        )
        outputs = apply(
            PARSE_SEQUENCE_EXAMPLE, serialized, [] if example_names is None else example_names, defaults,
            Ncontext_sparse=len(context.sparse_keys), Ncontext_dense=len(context.dense_keys),
            Nfeature_list_sparse=len(steps.sparse_keys), Nfeature_list_dense=len(steps.dense_keys),
            feature_list_dense_missing_assumed_empty=_may_miss(steps), context_sparse_keys=context.sparse_keys,
            context_dense_keys=context.dense_keys, feature_list_sparse_keys=steps.sparse_keys,
            feature_list_dense_keys=steps.dense_keys, feature_list_dense_shapes=_step_shapes(steps),
            context_dense_shapes=context_shapes, name=name, **_sequence_types(context, steps),
        )  # fmt: skip
        first = 3 * len(context.sparse_keys) + len(context.dense_keys)
        last = len(outputs) - len(steps.dense_keys)
        lengths = dict(zip(steps.dense_keys, outputs[last:], strict=True))
        return _by_key(context, outputs[:first]), _by_key(steps, outputs[first:last]), lengths
