"""Edit distances of many sequences at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from retrograd import tf


def fewest(a: Sequence[int], b: Sequence[int]) -> int:
    """Wagner and Fischer's algorithm, number by number."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def sparse(rows: Sequence[np.ndarray], dtype: Any) -> tf.SparseTensorValue:
    indices = [(0, b, j) for b, row in enumerate(rows) for j in range(len(row))]
    values = np.concatenate(rows).astype(dtype)
    return tf.SparseTensorValue(np.array(indices, np.int64).reshape(-1, 3), values, np.array([1, len(rows), 7]))


@pytest.mark.parametrize("dtype", [np.int64, object])
@pytest.mark.parametrize("seed", range(5))
def test_edit_distances(dtype: Any, seed: int) -> None:
    random = np.random.RandomState(seed)
    guesses, truths = [[random.randint(0, 4, random.randint(0, 7)) for _ in range(6)] for _ in range(2)]
    if dtype is object:
        guesses, truths = [[row.astype("S1") for row in rows] for rows in (guesses, truths)]
    wanted = np.array([fewest([*a], [*b]) for a, b in zip(guesses, truths, strict=True)], np.float32)
    lengths = np.array([len(row) for row in truths], np.float32)
    with np.errstate(divide="ignore"):
        normalized = np.where(lengths > 0, wanted / np.maximum(lengths, 1), np.where(wanted > 0, np.inf, 0))
    a, b = sparse(guesses, dtype), sparse(truths, dtype)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.edit_distance(a, b, normalize=False))[0], wanted)
        np.testing.assert_allclose(session.run(tf.edit_distance(a, b))[0], normalized, rtol=1e-6)


def test_single_sequences_have_no_edit_distance() -> None:
    one = tf.SparseTensor([[0]], [1], [2])
    distance = tf.edit_distance(one, one)
    words = "Input SparseTensors must have rank at least 2, but truth_shape rank is: 1"
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=words):
        session.run(distance)
