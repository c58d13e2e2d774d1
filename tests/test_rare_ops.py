"""Ops that only graphs in files hold, against what TensorFlow gives: ``golden/rare_op.json.gz``."""

import numpy as np
import pytest
from golden import rare_op_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("rare_op")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", rare_op_cases.CASES)
def test_as_recorded(name):
    check(rare_op_cases, name, GOLDEN[name], nodes=False)


def test_a_slice_gets_another_value():
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    bounds = {"begin": [1], "end": [3], "strides": [1]}
    with tf.Session() as sess:
        y = tf.raw_ops.TensorStridedSliceUpdate(input=x, value=-x[:2], **bounds)
        assert sess.run(y).tolist() == [[0, 1], [0, -1], [-2, -3]]
        wrong = tf.raw_ops.TensorStridedSliceUpdate(input=x, value=-x, **bounds)
        with pytest.raises(tf.errors.UnimplementedError):
            sess.run(wrong)


def test_what_needs_other_machines_says_so():
    with pytest.raises(AttributeError, match="drives Cloud TPUs"):
        _ = tf.raw_ops.ConfigureDistributedTPU
