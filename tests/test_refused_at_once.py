"""Arguments that TensorFlow 1.15.5 refuses where ops run at once, in its words."""

import numpy as np
import pytest

from retrograd import tf

pytestmark = pytest.mark.usefixtures("eager")


@pytest.mark.parametrize("key", ["foo", 1.5, (0, "foo"), np.array([1, 0])])
def test_a_row_is_named_by_one_number(key):
    with pytest.raises(TypeError, match="Only integers, slices"):
        tf.ragged.constant([[1], [2, 3]])[key]


def test_gradients_of_filled_rows_are_vectors():
    grad = tf.raw_ops.SparseFillEmptyRowsGrad
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"grad_values must be a vector, saw: \[2,2\]"):
        grad(reverse_index_map=[0, 1], grad_values=[[0, 1], [2, 3]])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"reverse_index_map must be a vector, saw: \[1,2\]"):
        grad(reverse_index_map=[[0, 1]], grad_values=[0, 1])


def test_nothing_is_repeated():
    assert tf.repeat([], [], axis=0).shape == (0,)


@pytest.mark.parametrize("key", [np.array([1]), np.array([1, 0]), slice(np.array([1]), None)])
def test_a_vector_is_no_index(key):
    with pytest.raises(TypeError, match="Only integers, slices"):
        tf.zeros([3, 3])[key]
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Only integers, slices"):
        tf.zeros([3, 3])[tf.constant([1])]
    assert tf.zeros([3, 2])[np.array(1)].shape == (2,)
