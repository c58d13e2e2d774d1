"""Functions of batches, against what TensorFlow gives: ``golden/batched_call.json.gz``."""

import pytest
from golden import batched_call_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("batched_call")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", batched_call_cases.CASES)
def test_as_recorded(name):
    check(batched_call_cases, name, GOLDEN[name], nodes=False)


def test_a_function_sees_as_many_rows_as_the_batch_gets():
    sized = tf.nondifferentiable_batch_function(1, 8, 0, [4, 8])(lambda a: tf.shape(a)[0] + tf.zeros_like(a))
    x = tf.placeholder(tf.int32, [None])
    y, node = sized(x)[0], tf.get_default_graph().get_operations()[-1]
    assert (node.type, node.get_attr("allowed_batch_sizes"), node.get_attr("shared_name")) == (
        "BatchFunction", [4, 8], b"batch/",
    )  # fmt: skip
    with tf.Session() as sess:
        assert sess.run(y, {x: [0, 0, 0]}).tolist() == [4, 4, 4]
        assert sess.run(y, {x: [0] * 5}).tolist() == [8] * 5
        assert sess.run(y, {x: []}).tolist() == []
