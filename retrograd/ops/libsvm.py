"""``tf.contrib.libsvm``: lines of labels and sparse features, ``1 3:0.5 7:2``.

Source: the format of C.-C. Chang and C.-J. Lin, "LIBSVM: a library for support vector machines" (2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops.string_numbers import _number


def _shown(text: bytes) -> str:
    return text.decode(errors="replace")


def _read(text: bytes, dtype: DType, wrong: str) -> Any:
    try:
        return _number(text, dtype)
    except InvalidArgumentError:
        raise InvalidArgumentError(None, None, wrong) from None


def _decode(xp: Any, input: Any, *, dtype: DType, label_dtype: DType, num_features: int) -> list[Any]:
    labels, indices, values = [], [], []
    for i, line in enumerate(np.ravel(input)):
        line = line if isinstance(line, bytes) else line.encode()
        label, *features = line.split() or [None]
        if label is None:
            raise InvalidArgumentError(None, None, f'No label found for input[{i}]: "{_shown(line)}"')
        labels.append(_read(label, label_dtype, f"Label format incorrect: {_shown(label)}"))
        at = np.unravel_index(i, np.shape(input))
        for feature in features:
            index, colon, value = feature.partition(b":")
            if not colon:
                raise InvalidArgumentError(None, None, f'Invalid feature "{_shown(feature)}"')
            wrong = f"Feature format incorrect: {_shown(feature)}"
            number = _read(index, dtypes.int64, wrong)
            if number < 0:
                raise InvalidArgumentError(None, None, f"Feature index should be >= 0, got {number}")
            values.append(_read(value, dtype, wrong))
            indices.append([*at, number])
    shape = np.shape(input)
    return [
        np.array(labels, label_dtype.np).reshape(shape),
        np.array(indices, np.int64).reshape(len(indices), len(shape) + 1),
        np.array(values, dtype.np),
        np.array([*shape, num_features], np.int64),
    ]


def _shapes(input: Tensor) -> list[RawShape]:
    rank = None if input.dims is None else len(input.dims) + 1
    return [input.dims, (None, rank), (None,), (rank,)]


_NUMBERS = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
DECODE = define(
    "DecodeLibsvm", "input: string",
    "label: label_dtype, feature_indices: int64, feature_values: dtype, feature_shape: int64",
    attrs={"dtype": dtypes.float32, "label_dtype": dtypes.int64, "num_features": REQUIRED},
    types={"dtype": _NUMBERS, "label_dtype": _NUMBERS}, shape=_shapes, kernel=_decode, gradient=not_differentiable,
)  # fmt: skip


def decode_libsvm(
    content: Any, num_features: int, dtype: Any = None, label_dtype: Any = None
) -> tuple[SparseTensor, Tensor]:
    """The features of lines, [..., num_features] (float32), and their labels, [...] (int64).

    Raises:
      InvalidArgumentError: when run, a line has no label, or something is no number.
    """
    labels, indices, values, shape = apply(
        DECODE,
        content,
        num_features=num_features,
        dtype=dtype or dtypes.float32,
        label_dtype=label_dtype or dtypes.int64,
    )  # fmt: skip
    return SparseTensor(indices, values, shape), labels
