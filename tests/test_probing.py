"""``periodic_resample`` and ``hyperplane_lsh_probes``, against TensorFlow 1.15.5: ``golden/probing.json.gz``."""

import pytest
from golden import probing_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("probing")


@pytest.mark.parametrize("name", probing_cases.CASES)
def test_as_recorded(name):
    with tf.Graph().as_default():
        check(probing_cases, name, GOLDEN[name], nodes=False)


def test_no_more_probes_than_cells():
    with tf.Graph().as_default(), tf.Session() as sess:
        probes, _ = tf.contrib.nearest_neighbor.hyperplane_lsh_probes([[1.0, 2.0]], 1, 2, 5)
        with pytest.raises(tf.errors.InvalidArgumentError, match="num_probes is 5, and there are 4 cells"):
            sess.run(probes)


def test_nothing_is_read_from_outside():
    """TensorFlow 1.15.5 reads beyond its memory."""
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.contrib.periodic_resample.periodic_resample(tf.zeros([2, 6, 3]), [3, None, 4])
        with pytest.raises(tf.errors.InvalidArgumentError, match="takes elements from outside of"):
            sess.run(y)


def test_a_gradient_needs_the_shape():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2, 2, None])
        y = tf.contrib.periodic_resample.periodic_resample(x, [4, 4, None])
        with pytest.raises(ValueError, match="needs the whole shape of its input"):
            tf.gradients(y, x)
