"""Rows written by their numbers; recorded from TensorFlow 1.15.5."""

from __future__ import annotations

from typing import Any

import pytest

from retrograd import tf
from retrograd.ops import inplace


def run(tensor: Any) -> Any:
    with tf.Session() as sess:
        return sess.run(tensor).tolist()


@pytest.mark.parametrize(
    ("change", "i", "v", "rows"),
    [
        (inplace.inplace_update, [0, 2], [[1.0, 2.0], [3.0, 4.0]], [[1, 2], [0, 0], [3, 4]]),
        (inplace.inplace_update, 1, [1.0, 2.0], [[0, 0], [1, 2], [0, 0]]),
        (inplace.inplace_update, [0, 0], [[1.0, 2.0], [3.0, 4.0]], [[3, 4], [0, 0], [0, 0]]),
        (inplace.inplace_add, [0, 0], [[1.0, 2.0], [3.0, 4.0]], [[4, 6], [0, 0], [0, 0]]),
        (inplace.inplace_add, [-1], [[1.0, 2.0]], [[0, 0], [0, 0], [1, 2]]),
        (inplace.inplace_add, [5], [[1.0, 2.0]], [[0, 0], [0, 0], [1, 2]]),
        (inplace.inplace_sub, None, [[1.0, 1.0]] * 3, [[-1, -1]] * 3),
    ],
)
def test_rows_are_changed(change: Any, i: Any, v: Any, rows: Any) -> None:
    assert run(change(tf.zeros([3, 2]), i, v)) == rows


@pytest.mark.parametrize(
    ("i", "v", "message"),
    [
        ([[1]], [[1.0, 2.0]], r"i must be a vector. \[1,1\]"),
        ([1], [1.0, 2.0], r"x and v shape doesn't match \(ranks differ\): \[3,2\] vs. \[2\]"),
        ([1], [[1.0, 2.0, 3.0]], r"x and v shape doesn't match at index 1 : \[3,2\] vs. \[1,3\]"),
        ([1, 2], [[1.0, 2.0]], r"i and x shape doesn't match at index 0: \[2\] vs. \[1,2\]"),
    ],
)
def test_rows_that_do_not_fit_are_refused(i: Any, v: Any, message: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        run(inplace.inplace_update(tf.zeros([3, 2]), i, v))


def test_an_empty_tensor_has_a_shape_and_a_dtype() -> None:
    assert run(inplace.empty([2, 3], tf.float32, init=True)) == [[0, 0, 0], [0, 0, 0]]
    assert inplace.empty([2], tf.string).dtype == tf.string
    assert inplace.empty_like(tf.ones([4, 0], tf.int64)).shape.as_list() == [4, 0]


def test_what_rows_are_written_to_stays_as_it_is() -> None:
    x = tf.ones([2, 3])
    y = inplace.alias_inplace_add(x, [0], [[1.0, 2.0, 3.0]])
    with tf.control_dependencies([y]):
        assert run(tf.identity(x)) == [[1, 1, 1], [1, 1, 1]]
    assert run(y) == [[2, 3, 4], [1, 1, 1]]
