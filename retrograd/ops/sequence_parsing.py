"""Ops that read ``SequenceExample`` records."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, TensorShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.example_features import (
    Expected,
    FixedLenFeature,
    FixedLenSequenceFeature,
    VarLenFeature,
    defaults_as_tensors,
    sorted_features,
)
from retrograd.ops.example_values import (
    decoded,
    dtype_of,
    joined,
    ragged_steps,
    raw_dims,
    sparse_column,
    stacked,
    steps_of,
    values_of,
)
from retrograd.ops.parsing import VALUES, as_keys, as_texts, as_word, as_words, by_key, parts_of, rows_of

# -- ParseSingleSequenceExample ----------------------------------------------------------------

_CONTEXT = "context_sparse_types", "Tcontext_dense", "context_dense_shapes"
_STEPS = "feature_list_sparse_types", "feature_list_dense_types", "feature_list_dense_shapes"
_SEQUENCE_ATTRS: dict[str, Any] = {
    **dict.fromkeys(("Ncontext_sparse", "Ncontext_dense", "Nfeature_list_sparse", "Nfeature_list_dense"), 0),
    "context_sparse_types": [],
    "feature_list_dense_types": [],  # in the order of the bare function's arguments
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
    example = decoded("SequenceExample", as_texts(serialized)[0])
    label = (as_texts(name) or [b""])[0].decode(errors="replace")
    may_miss = {as_word(text) for text in as_texts(missing)}
    context, lists = example.context.feature, example.feature_lists.feature_list

    def complain(words: str) -> InvalidArgumentError:
        return invalid(f"Name: {label}, {words}")

    dense = [
        _context_value(context, key, dtype, raw_dims(shape), np.asarray(default), complain)
        for key, dtype, shape, default in zip(as_keys(cd), Tcontext_dense, context_dense_shapes, defaults, strict=True)
    ]
    sparse = []
    for key, dtype in zip(as_keys(cs), context_sparse_types, strict=True):
        row = _context_row(context, key, dtype, complain)
        sparse.append((np.arange(len(row))[:, None], row, np.array([len(row)], np.int64)))
    steps = []
    for key, dtype, shape in zip(as_keys(fd), feature_list_dense_types, feature_list_dense_shapes, strict=True):
        if key not in lists and key not in may_miss:
            raise complain(
                f"Feature list '{key}' is required but could not be found.  Did you mean to include it in "
                "feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
            )
        features = lists[key].feature if key in lists else ()
        steps.append(steps_of(features, key, dtype, raw_dims(shape), complain))
    ragged = []
    for key, dtype in zip(as_keys(fs), feature_list_sparse_types, strict=True):
        rows = ragged_steps(lists[key].feature if key in lists else (), key, dtype, complain)
        ragged.append(sparse_column(rows, dtype))
    return parts_of(sparse) + dense + parts_of(ragged) + steps


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
        return by_key(context, outputs[:first]), by_key(steps, outputs[first:])


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
    rows = rows_of(serialized)
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
    texts, labels = as_texts(serialized), as_texts(names)
    if labels and len(labels) != len(texts):
        raise invalid(f"Expected len(debug_name) == len(serialized), got: {len(labels)} vs. {len(texts)}")
    keys: Any = [
        as_words(k)
        for k in (context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys)
    ]
    may_miss: Any = as_words(feature_list_dense_missing_assumed_empty)
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
    return parts_of(sparse) + dense + parts_of(ragged) + steps + lengths


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
        return by_key(context, outputs[:first]), by_key(steps, outputs[first:last]), lengths
