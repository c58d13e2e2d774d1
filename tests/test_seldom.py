"""Names that hardly a program uses, where nodes are our own or nothing of TensorFlow's can be recorded."""

import numpy as np
import pytest

from retrograd import tf


def test_a_map_over_rows_is_one_op_with_gradients():
    x, w = tf.constant(np.arange(6.0).reshape(2, 3)), tf.Variable(np.eye(3))
    squares, products = tf.vectorized_map(
        lambda t: (tf.reduce_sum(t[0] * t[0]), tf.matmul(t[0][None], w) + t[1]), (x, tf.constant([1.0, 2.0], "float64"))
    )
    assert squares.op.type == "Vectorized"
    assert (squares.shape, products.shape) == ((2,), (2, 1, 3))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(sess.run(squares), [5, 50])
        np.testing.assert_array_equal(sess.run(products), [[[1, 2, 3]], [[5, 6, 7]]])
        np.testing.assert_array_equal(sess.run(tf.gradients(products, w)[0]), [[3] * 3, [5] * 3, [7] * 3])
    with pytest.raises(ValueError, match="goes over rows"):
        tf.vectorized_map(lambda t: t, 1.0)


def test_rings_of_filters_have_the_numbers_of_the_diagonal():
    w = tf.constant(np.arange(50.0, dtype="f").reshape(5, 5, 1, 2))
    even = tf.constant(np.arange(16.0, dtype="f").reshape(4, 4, 1, 1))
    with tf.Session() as sess:
        odd, four = sess.run([tf.keras.constraints.RadialConstraint()(made) for made in (w, even)])
    assert odd[:, :, 0, 0].tolist() == [[36] * 5, [36, 24, 24, 24, 36], [36, 24, 12, 24, 36], [36, 24, 24, 24, 36],
                                        [36] * 5]  # fmt: skip
    assert four[:, :, 0, 0].tolist() == [[15] * 4, [15, 5, 5, 15], [15, 5, 5, 15], [15] * 4]
