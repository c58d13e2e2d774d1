"""``tf.contrib.losses``, ``.layers`` and ``slim.nets`` against TensorFlow 1.15.5: ``golden/contrib.json.gz``."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from golden import contrib_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("contrib")


@pytest.mark.parametrize("name", contrib_cases.CASES)
def test_as_recorded(name):
    check(contrib_cases, name, GOLDEN[name], nodes=True)


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def test_weights_whose_last_size_is_unknown_are_one_for_each_loss() -> None:
    logits, labels = 10.0 * tf.eye(3), tf.constant([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    weights = tf.placeholder(tf.float32, [None, None])
    loss = tf.contrib.losses.softmax_cross_entropy(logits, labels, weights)
    assert tf.Session().run(loss, {weights: [[2.3], [2.4], [2.5]]}) == pytest.approx(24.0, rel=1e-4)


def test_a_bag_of_words_takes_dense_ids_whose_zeros_name_nothing() -> None:
    table = np.arange(8.0).reshape(4, 2)
    ids = tf.constant([[0, 1], [2, 3], [0, 0]])
    rows = tf.constant_initializer(table)
    words = tf.contrib.layers.bow_encoder(ids, 4, 2, initializer=rows)
    dense = tf.contrib.layers.bow_encoder(ids, 4, 2, sparse_lookup=False, initializer=rows)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    np.testing.assert_array_equal(sess.run(words), [[2.0, 3.0], [5.0, 6.0], [0.0, 1.0]])
    np.testing.assert_array_equal(sess.run(dense), [[1.0, 2.0], [5.0, 6.0], [0.0, 1.0]])


def test_shapes_of_grid_states_have_the_names_of_tensorflow() -> None:
    cell = tf.contrib.rnn.GridLSTMCell(3, feature_size=2, frequency_skip=1, num_frequency_blocks=[2])
    assert cell.state_size._fields == ("state_f00_b00_c", "state_f00_b00_m", "state_f01_b00_c", "state_f01_b00_m")


def test_a_phased_cell_takes_times_of_more_digits() -> None:
    state = tf.nn.rnn_cell.LSTMStateTuple(tf.zeros([1, 2]), tf.zeros([1, 2]))
    y, _ = tf.contrib.rnn.PhasedLSTMCell(2)((tf.zeros([1, 1], tf.float64), tf.zeros([1, 4])), state)
    assert y.dtype == tf.float32


def test_scopes_of_arguments_are_of_the_program_and_not_of_a_graph() -> None:
    slim = tf.contrib.slim
    with slim.arg_scope([slim.fully_connected], num_outputs=5), tf.Graph().as_default():
        assert slim.fully_connected(tf.zeros([2, 3])).shape.as_list() == [2, 5]


def test_a_saver_swaps_the_parts_of_a_variable(tmp_path: Path) -> None:
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0, 3.0]), partitioner=tf.fixed_size_partitioner(2))
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), average_decay=0.5)
    step = optimizer.minimize(tf.reduce_sum(tf.constant([2.0, 2.0, 2.0]) * v))
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    sess.run(step)
    reader = tf.train.load_checkpoint(optimizer.swapping_saver().save(sess, str(tmp_path / "swapped")))
    assert reader.get_tensor("v").tolist() == [0.0, 1.0, 2.0]
    assert reader.get_tensor("v/ExponentialMovingAverage").tolist() == [-1.0, 0.0, 1.0]
