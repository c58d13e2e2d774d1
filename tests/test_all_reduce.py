"""Sums over the GPUs of several machines, which stand on one here."""

import numpy as np
import pytest

from retrograd import tf
from retrograd.tf.contrib.all_reduce.python import all_reduce
from retrograd.tf.python.ops import nccl_ops


def _placed(workers, gpus, *shape):
    rng = np.random.RandomState(0)
    for name in (f"/job:worker/task:{w}/device:GPU:{g}" for w in range(workers) for g in range(gpus)):
        with tf.device(name):
            yield tf.constant(rng.randint(1, 9, shape).astype("f"))


WAYS = {
    "alone": lambda xs: all_reduce.build_nccl_all_reduce(xs, tf.add, tf.negative),
    "ring": lambda xs: all_reduce.build_nccl_then_ring(xs, 1, tf.add, tf.negative),
    "pairs": lambda xs: all_reduce.build_nccl_then_recursive_hd(xs, tf.add, tf.negative),
    "shards": lambda xs: all_reduce.build_nccl_then_shuffle(xs, ["/job:ps/task:0"], tf.add, tf.add_n, tf.negative),
}


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("way", WAYS)
def test_what_gpus_reduce_together(way, workers):
    xs = list(_placed(workers, 3, 2, 8))
    ys = WAYS[way](xs)
    assert [y.device for y in ys] == [x.device for x in xs]
    dxs = tf.gradients(ys[0] * 2.0, xs)
    with tf.Session() as sess:
        for y in sess.run(ys):
            np.testing.assert_array_equal(y, -sum(sess.run(xs)))
        for dx in sess.run(dxs):
            np.testing.assert_array_equal(dx, np.full((2, 8), -2.0, "f"))


def test_the_functions_of_nccl():
    xs = list(_placed(1, 3, 4))
    with tf.device(xs[1].device):
        total = nccl_ops.reduce_sum(xs)
    copy = nccl_ops.broadcast(xs[2])
    with tf.Session() as sess:
        values = sess.run(xs)
        for found, expected in (
            (nccl_ops.all_prod(xs), np.prod(values, 0)),
            (nccl_ops.all_min(xs), np.min(values, 0)),
            (nccl_ops.all_max(xs), np.max(values, 0)),
            ([total], np.sum(values, 0)),
            ([copy], values[2]),
        ):
            for y in sess.run(found):
                np.testing.assert_array_equal(y, expected)
    with pytest.raises(ValueError, match="One input tensor must be assigned to current device"):
        nccl_ops.reduce_sum(xs)
    with pytest.raises(ValueError, match="Must pass >0 tensors to all reduce operations"):
        nccl_ops.all_sum([])
    with pytest.raises(ValueError, match="Must pass >0 tensors to reduce operations"):
        nccl_ops.reduce_sum([])
    with pytest.raises(ValueError, match="Device assignment required"):
        nccl_ops.broadcast(tf.constant(1.0))
