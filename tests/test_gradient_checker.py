"""``tf.test.compute_gradient`` with each of its arguments, against what TensorFlow 1.15.5 printed for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf

check = tf.test.compute_gradient


@pytest.fixture(autouse=True)
def session() -> Iterator[Any]:
    np.random.seed(3)
    with tf.Graph().as_default(), tf.Session() as session:
        yield session


def rounded(pair: Any) -> list[Any]:
    theoretical, numerical = pair
    assert theoretical.dtype == numerical.dtype
    np.testing.assert_allclose(theoretical, numerical, atol=1e-3)
    return np.round(theoretical.astype(np.float64), 4).tolist()


def test_where_is_random_by_default() -> None:
    x = tf.placeholder(tf.float32, [2])
    assert rounded(check(x, [2], tf.square(x), [2])) == [[1.1016, 0.0], [0.0, 1.4163]]
    assert rounded(check(x, x.shape, tf.square(x), x.shape)) == [[0.5818, 0.0], [0.0, 1.0217]]


def test_where_it_is_told() -> None:
    x = tf.placeholder(tf.float32, [2])
    at = np.array([1.0, 2.0], np.float32)
    theoretical, numerical = check(x, [2], x**3, [2], x_init_value=at, delta=0.1)
    assert np.diag(theoretical).tolist() == [3.0, 12.0]
    np.testing.assert_allclose(np.diag(numerical), [3.01, 12.01], rtol=1e-5)
    assert tf.test.compute_gradient_error(x, [2], x**3, [2], at, 0.1) == pytest.approx(0.01, rel=1e-3)


def test_complex_numbers_are_pairs() -> None:
    z, x = tf.placeholder(tf.complex64, [1]), tf.placeholder(tf.float32, [2])
    assert rounded(check(z, [1], z * z, [1])) == [[1.1016, 1.4163], [-1.4163, 1.1016]]
    assert rounded(check(z, [1], tf.abs(z), [1])) == [[0.4949], [0.8690]]
    jacobian = rounded(check(x, [2], tf.complex(x, x * x), [2]))
    assert jacobian == [[1.0, 1.7859, 0.0, 0.0], [0.0, 0.0, 1.0, 1.7926]]


def test_lists() -> None:
    """A constant keeps its own value while others are checked; a placeholder has none, and takes what is given."""
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    ones, fives = np.ones(2, np.float32), np.full(2, 5, np.float32)
    by_a, by_b = check([a, b], [[2], [2]], a * b, [2], x_init_value=[ones, fives])
    assert rounded(by_a) == [[3.0, 0.0], [0.0, 4.0]]
    assert rounded(by_b) == [[1.0, 0.0], [0.0, 2.0]]
    assert tf.test.compute_gradient_error([a, b], [[2], [2]], a * b, [2]) < 1e-3
    c, d = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [2])
    by_c, _ = check([c, d], [[2], [2]], c * d, [2], x_init_value=[ones, fives])
    assert rounded(by_c) == [[5.0, 0.0], [0.0, 5.0]]


def test_what_is_run_before_and_what_is_fed() -> None:
    a, p, v = tf.constant([1.0, 2.0]), tf.placeholder(tf.float32, [2]), tf.Variable([2.0, 3.0])
    assert rounded(check(a, [2], a * v, [2], init_targets=[v.initializer])) == [[2.0, 0.0], [0.0, 3.0]]
    fed = {p: [5.0, 6.0], a: [9.0, 9.0]}
    assert rounded(check(a, [2], a * p, [2], extra_feed_dict=fed)) == [[5.0, 0.0], [0.0, 6.0]]
    assert list(fed) == [p, a]


def test_rows_of_a_sparse_gradient() -> None:
    x = tf.placeholder(tf.float32, [2, 2])
    jacobian = rounded(check(x, [2, 2], tf.gather(x, [1, 1]), [2, 2]))
    assert jacobian == [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]


def test_nothing() -> None:
    x, empty = tf.placeholder(tf.float32, [2, 2]), tf.placeholder(tf.float32, [2, 0])
    assert check(empty, [2, 0], tf.reduce_sum(empty, 1), [2])[0].shape == (0, 2)
    assert check(x, [2, 2], x[:0], [0, 2])[0].shape == (4, 0)
    assert tf.test.compute_gradient_error(empty, [2, 0], tf.reduce_sum(empty, 1), [2]) == 0
    tf.RegisterGradient("OnesOfNothing")(lambda op, dy: tf.ones_like(op.inputs[0]))
    with tf.get_default_graph().gradient_override_map({"Identity": "OnesOfNothing"}):
        y = tf.identity(x)
    with pytest.raises(ValueError, match="Empty tensor with nonzero gradients"):
        check(x, [2, 2], y[:0], [0, 2])


def test_errors() -> None:
    x, i = tf.constant([1.0, 2.0]), tf.constant([1, 2])
    with pytest.raises(AssertionError, match=r"x_shape = \[2\], init_data shape = \[3\]"):
        check(x, [2], x, [2], x_init_value=np.zeros(3))
    with pytest.raises(AssertionError, match="dx = None"):
        check(x, [2], tf.constant([3.0]), [1])
    with pytest.raises(TypeError, match=r"Expected int32, got 1\.0 of type 'float' instead"):
        check(i, [2], i * 2, [2])
    with pytest.raises(AssertionError, match="Don't support type int32 for x"):
        check(i, [2], tf.cast(i, tf.float32), [2])


def test_a_wrong_gradient_shows() -> None:
    x = tf.constant([1.0, 2.0])
    assert tf.test.compute_gradient_error(x, [2], tf.stop_gradient(x) + 0.0 * x, [2]) > 0.9
