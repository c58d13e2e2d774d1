"""What a program expects in an example: features by their keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants


class VarLenFeature(NamedTuple):
    """A feature of any length, which comes as a sparse tensor."""

    dtype: Any


class SparseFeature(NamedTuple):
    """A sparse tensor whose indices (of each of ``size``) and values are features of their own."""

    index_key: Any
    value_key: Any
    dtype: Any
    size: Any
    already_sorted: bool = False


class FixedLenFeature(NamedTuple):
    """A feature of one shape; without a default value every example must have it."""

    shape: Any
    dtype: Any
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """A feature of any number of entries of one shape; the shorter ones are filled up with the default value.

    ``allow_missing`` lets it be absent, which is the same as empty.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


_KINDS = (VarLenFeature, SparseFeature, FixedLenFeature, FixedLenSequenceFeature)


class Expected(NamedTuple):
    """Features sorted by kind."""

    sparse_keys: list[str]
    sparse_types: list[Any]
    dense_keys: list[str]
    dense_types: list[Any]
    dense_defaults: dict[str, Any]
    dense_shapes: list[Any]


def sorted_features(features: Mapping[str, Any] | None, types: Sequence[type]) -> Expected:
    """The keys, dtypes, shapes and defaults of features, each of one of ``types``.

    Raises:
      ValueError: a feature is of another type, lacks a dtype or a shape, or its shape is not known.
    """
    found = Expected([], [], [], [], {}, [])
    for key in sorted(features or {}):
        assert features is not None
        feature = features[key]
        kind = type(feature)
        if kind not in types:
            if kind in _KINDS:
                raise ValueError(f"Unsupported {kind.__name__} {feature}.")
            raise ValueError(f"Invalid feature {key}:{feature}.")
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}.")
        if kind is VarLenFeature:
            _add_sparse(found, key, feature.dtype, False)
        elif kind is SparseFeature:
            _add_sparse_parts(found, key, feature)
        elif kind is FixedLenFeature:
            _check_fixed(key, feature)
            _add_dense(found, key, feature, feature.shape)
        else:
            if feature.shape is None:
                raise ValueError(f"Missing shape for feature {key}.")
            _add_dense(found, key, feature, feature.shape)
            if feature.allow_missing and FixedLenFeature not in types:
                found.dense_defaults[key] = None
            elif not feature.allow_missing and FixedLenFeature in types:
                raise ValueError("Unsupported: FixedLenSequenceFeature requires allow_missing to be True.")
    return found


def _add_sparse(found: Expected, key: str, dtype: Any, shared: bool = True) -> None:
    if shared and key in found.sparse_keys:
        before = found.sparse_types[found.sparse_keys.index(key)]
        if as_dtype(before) != as_dtype(dtype):
            raise ValueError(f"Conflicting type {dtype} vs {before} for feature {key}.")
        return
    found.sparse_keys.append(key)
    found.sparse_types.append(dtype)


def _add_sparse_parts(found: Expected, key: str, feature: SparseFeature) -> None:
    index_keys = feature.index_key
    if not index_keys:
        raise ValueError(f"Missing index_key for SparseFeature {feature}.")
    if not feature.value_key:
        raise ValueError(f"Missing value_key for SparseFeature {feature}.")
    if isinstance(index_keys, str):
        index_keys = [index_keys]
    elif len(index_keys) > 1:
        from retrograd.graph.log import warning

        warning("SparseFeature is a complicated feature config and should only be used after careful consideration.")
    for index_key in sorted(index_keys):
        _add_sparse(found, index_key, dtypes.int64)
    _add_sparse(found, feature.value_key, feature.dtype)


def _check_fixed(key: str, feature: FixedLenFeature) -> None:
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}.")
    dims = TensorShape(feature.shape)._raw
    if dims and dims[0] is None:
        raise ValueError(f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature.")
    if dims is None or any(n is None for n in dims):
        raise ValueError(f"All dimensions of shape for feature {key} need to be known but received {feature.shape}.")


def _add_dense(found: Expected, key: str, feature: Any, shape: Any) -> None:
    found.dense_keys.append(key)
    found.dense_types.append(feature.dtype)
    whole = TensorShape(shape)
    if isinstance(feature, FixedLenSequenceFeature) and feature.allow_missing:
        whole = TensorShape([None]).concatenate(whole)
    found.dense_shapes.append(whole if isinstance(feature, FixedLenSequenceFeature) else feature.shape)
    if feature.default_value is not None:
        found.dense_defaults[key] = feature.default_value


def defaults_as_tensors(
    keys: Sequence[str], types: Sequence[Any], shapes: Sequence[TensorShape], defaults: Mapping[str, Any],
    reshaped: bool = True,
) -> list[Tensor]:  # fmt: skip
    """For each dense feature the default value as a tensor; an empty one where there is none."""
    tensors = []
    for key, dtype, shape in zip(keys, map(as_dtype, types), shapes, strict=True):
        default, dims = defaults.get(key), shape._raw
        if dims and dims[0] is None:
            if default is None:
                default = as_tensor("" if dtype is dtypes.string else 0, dtype)
            else:
                default = as_tensor(default, dtype, name="padding_" + _plain(key))
                default = arrays.reshape(default, []) if reshaped else default
        elif default is None:
            default = constants.constant([], dtype)
        elif not isinstance(default, Tensor):
            default = as_tensor(default, dtype, name="key_" + _plain(key))
            default = arrays.reshape(default, shape) if reshaped else default
        tensors.append(default)
    return tensors


def _plain(key: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)
