"""``tf.contrib.receptive_field``: numbers of TensorFlow 1.15.5 (``golden/receptive.json.gz``), and a definition."""

import numpy as np
import pytest
from golden import receptive_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("receptive")


@pytest.mark.parametrize("name", receptive_cases.CASES)
def test_as_recorded(name):
    with tf.Graph().as_default():
        check(receptive_cases, name, GOLDEN[name], nodes=False)


def test_an_element_depends_on_its_window_alone():
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.placeholder(tf.float32, [1, 40, 30, 1], name="x")
        y = tf.layers.conv2d(x, 2, (3, 5), 2, "valid", kernel_initializer=tf.ones_initializer(), name="a")
        y = tf.layers.conv2d(y, 1, (5, 3), 1, "valid", kernel_initializer=tf.ones_initializer(), name="b")
        field = tf.contrib.receptive_field.compute_receptive_field_from_graph_def(graph, x, y)
        sess.run(tf.global_variables_initializer())
        slope = sess.run(tf.gradients(y[0, 4, 3, 0], x)[0], {x: np.zeros(x.shape)})[0, :, :, 0]
    rows, columns = (np.flatnonzero(slope.any(axis=a)) for a in (1, 0))
    assert [len(columns), len(rows)] == field.size.tolist()
    centre = [(columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2]
    assert field.compute_input_center_coordinates([3, 4]).tolist() == centre
    assert field.compute_feature_coordinates(centre).tolist() == [3, 4]
