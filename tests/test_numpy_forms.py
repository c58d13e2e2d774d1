"""Kernels with NumPy that take another form for many elements: each gives what the plain form gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from retrograd.ops import placing, ranking, single
from retrograd.ops.choosing import chosen

RANDOM = np.random.RandomState(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.int8, np.complex64])
def test_chosen(dtype: Any) -> None:
    x, y = (RANDOM.standard_normal((90, 100)).astype(dtype) for _ in range(2))
    if x.dtype.kind == "f":
        x[0, :2], y[0, 1:3] = np.nan, -0.0
    condition = RANDOM.rand(90, 100) > 0.5
    cases = [(x, y), (x, dtype(0)), (np.asarray(dtype(0)), y), (x.T.copy().T, y), (x[:1], y)]
    for a, b in cases:
        got, want = chosen(np, condition, a, b), np.where(condition, a, b)
        assert got.dtype == want.dtype
        assert got.tobytes() == want.tobytes()


def test_error_functions_of_many_numbers() -> None:
    x = np.linspace(-6, 6, single.MANY, dtype=np.float32).reshape(64, -1)
    want = [math.erf(v) for v in x.ravel().tolist()]
    np.testing.assert_allclose(single.erf(x).ravel(), want, atol=5e-7, rtol=0)
    special = np.array([np.nan, np.inf, -np.inf, 0], np.float32)
    np.testing.assert_array_equal(single.erf(special), np.array([np.nan, 1, -1, 0], np.float32))


@pytest.mark.parametrize("operation", [np.add, np.multiply, np.maximum])
@pytest.mark.parametrize("index", [np.array([3, 1, 3, 0]), (np.array([1, 1, 4, 1]), np.array([2, 2, 0, 1]))])
def test_rows_are_joined_in_turn(operation: np.ufunc, index: Any) -> None:
    shape = (5, 3, 4) if isinstance(index, tuple) else (5, 4)
    got, want = np.ones(shape, np.float32), np.ones(shape, np.float32)
    values = RANDOM.standard_normal((4, 4)).astype(np.float32)
    placing.join_at(operation, got, index, values)
    operation.at(want, index, values)
    np.testing.assert_array_equal(got, want)
    with pytest.raises(IndexError):
        placing.join_at(operation, got, np.array([7]), values[:1])


def test_the_largest_one() -> None:
    x = np.array([[1, 3, 3, -2], [0.0, -0.0, -1, -5], [np.nan, 9, np.nan, 1], [-np.inf] * 4], np.float32)
    for dtype in (np.float32, np.float64, np.float16):
        values, places = ranking._top_k(np, x.astype(dtype), np.int32(1))
        assert places.ravel().tolist() == [1, 0, 0, 0]
        np.testing.assert_array_equal(values.ravel(), np.array([3, 0, np.nan, -np.inf], dtype))
