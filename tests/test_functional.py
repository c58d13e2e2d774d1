"""``map_fn``, ``scan``, the folds and arrays in loops: values against NumPy, three derivatives against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from retrograd import tf

X = np.random.RandomState(3).uniform(0.5, 1.5, (4, 3))


def _mapped(x: Any) -> Any:
    return tf.map_fn(lambda v: tf.sin(v) * tf.reduce_sum(v**3), x)


def _mapped_in_numpy(x: Any) -> Any:
    return np.sin(x) * np.sum(x**3, 1, keepdims=True)


def _mapped_twice(x: Any) -> Any:
    return tf.map_fn(lambda v: tf.map_fn(lambda w: w**3 * v[0], v * v[1]), x)


def _mapped_twice_in_numpy(x: Any) -> Any:
    return (x * x[:, 1:2]) ** 3 * x[:, :1]


def _mapped_pairs(x: Any) -> Any:
    a, b = tf.map_fn(lambda v: (v[0] * v[1][0], v[0] ** 2), (x, x[:, ::-1]))
    return a * b


def _mapped_pairs_in_numpy(x: Any) -> Any:
    return x * x[:, 2:] * x**2


def _mapped_outside(x: Any) -> Any:
    return tf.map_fn(lambda v: v * tf.reduce_mean(x**2), x)


def _mapped_outside_in_numpy(x: Any) -> Any:
    return x * np.mean(x**2)


def _scanned(x: Any) -> Any:
    return tf.scan(lambda a, v: tf.sin(a) * v + a * v**2, x)


def _scanned_in_numpy(x: Any) -> Any:
    rows = [x[0]]
    for v in x[1:]:
        rows.append(np.sin(rows[-1]) * v + rows[-1] * v**2)
    return np.stack(rows)


def _scanned_backwards(x: Any) -> Any:
    return tf.scan(lambda a, v: a * tf.cos(v) + v**3, x, reverse=True)


def _scanned_backwards_in_numpy(x: Any) -> Any:
    rows = [x[-1]]
    for v in x[-2::-1]:
        rows.append(rows[-1] * np.cos(v) + v**3)
    return np.stack(rows[::-1])


def _scanned_from(x: Any) -> Any:
    a, b = tf.scan(lambda a, v: (a[0] * v, a[1] + tf.reduce_sum(a[0] ** 2)), x, (x[1] ** 2, tf.reduce_sum(x)))
    return tf.reduce_sum(a) * b


def _scanned_from_in_numpy(x: Any) -> Any:
    a, b, rows, sums = x[1] ** 2, np.sum(x), [], []
    for v in x:
        a, b = a * v, b + np.sum(a**2)
        rows.append(a)
        sums.append(b)
    return np.sum(np.stack(rows)) * np.stack(sums)


def _folded(x: Any) -> Any:
    return tf.foldl(lambda a, v: a * v + tf.sin(a), x) * tf.foldr(lambda a, v: a * v**2, x, tf.reduce_sum(x, 0))


def _folded_in_numpy(x: Any) -> Any:
    left, right = x[0], np.sum(x, 0)
    for v in x[1:]:
        left = left * v + np.sin(left)
    for v in x[::-1]:
        right = right * v**2
    return left * right


def _powers(x: Any) -> Any:
    """An array that is read and written in one loop."""
    array = tf.TensorArray(x.dtype, 4, clear_after_read=False).write(0, x)

    def body(i: Any, array: Any) -> Any:
        return i + 1, array.write(i, array.read(i - 1) * tf.sin(x))

    _, array = tf.while_loop(lambda i, _: i < 4, body, (1, array))
    return array.stack()


def _powers_in_numpy(x: Any) -> Any:
    return np.stack([x * np.sin(x) ** k for k in range(4)])


def _convolved(x: Any) -> Any:
    """An array of which a loop reads elements several times; one of unequal pieces."""
    array = tf.TensorArray(x.dtype, 4, clear_after_read=False).unstack(x)

    def body(i: Any, total: Any) -> Any:
        return i + 1, total * array.read(i) + array.read(3 - i) * array.read(0)

    _, total = tf.while_loop(lambda i, _: i < 4, body, (0, tf.ones_like(x[0])))
    pieces = tf.TensorArray(x.dtype, 2, infer_shape=False).split(x, [1, 3])
    return total * tf.reduce_sum(pieces.read(1) ** 3, 0)


def _convolved_in_numpy(x: Any) -> Any:
    total = np.ones(3)
    for i in range(4):
        total = total * x[i] + x[3 - i] * x[0]
    return total * np.sum(x[1:] ** 3, 0)


def _grown(x: Any) -> Any:
    """A list that grows as the data says, with elements that nobody wrote."""
    array = tf.TensorArray(x.dtype, 0, dynamic_size=True, infer_shape=True)

    def body(i: Any, array: Any) -> Any:
        return i + 1, tf.cond(x[i, 0] > 0.9, lambda: array.write(2 * i, x[i] ** 3), lambda: array.write(2 * i, x[i]))

    _, array = tf.while_loop(lambda i, _: i < 4, body, (0, array))
    return array.stack() ** 2


def _grown_in_numpy(x: Any) -> Any:
    rows = [row for v in x for row in (np.where(v[0] > 0.9, v**3, v), np.zeros(3))]
    return np.stack(rows[:-1]) ** 2


PAIRS = {
    f.__name__: (f, g)
    for f, g in [
        (_mapped, _mapped_in_numpy),
        (_mapped_twice, _mapped_twice_in_numpy),
        (_mapped_pairs, _mapped_pairs_in_numpy),
        (_mapped_outside, _mapped_outside_in_numpy),
        (_scanned, _scanned_in_numpy),
        (_scanned_backwards, _scanned_backwards_in_numpy),
        (_scanned_from, _scanned_from_in_numpy),
        (_folded, _folded_in_numpy),
        (_powers, _powers_in_numpy),
        (_convolved, _convolved_in_numpy),
        (_grown, _grown_in_numpy),
    ]
}


@pytest.mark.parametrize("name", PAIRS)
def test_three_derivatives_are_right(name: str) -> None:
    ours, theirs = PAIRS[name]
    direction = np.random.RandomState(5).standard_normal(X.shape)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float64, X.shape)
        y = ours(x)
        values = [y**2]
        for k in range(3):
            values.append(tf.gradients(values[-1], x)[0] * np.random.RandomState(k).uniform(0.5, 1.5, X.shape))
        sums = [tf.reduce_sum(v) for v in values[:-1]]

        def at(step: float) -> list[Any]:
            return sess.run(sums, {x: X + step * direction})

        dxs = [tf.gradients(v, x)[0] for v in sums]
        slopes = [np.sum(dx * direction) for dx in sess.run(dxs, {x: X})]
        got = sess.run(y, {x: X})
        h = 1e-4
        near = [8 * (b - a) for a, b in zip(at(-h), at(h), strict=True)]
        wanted = [(n + a - b) / (12 * h) for n, a, b in zip(near, at(-2 * h), at(2 * h), strict=True)]
    np.testing.assert_allclose(slopes, wanted, rtol=1e-6)
    np.testing.assert_allclose(got, theirs(X), rtol=1e-9, atol=1e-9)
