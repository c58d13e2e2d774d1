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


def test_types_of_outputs_may_be_numbers():
    @tf.python.framework.function.Defun(tf.int32)
    def twice(x):
        return x + x

    call = tf.python.ops.gen_batch_ops.batch_function(
        in_tensors=[tf.constant([3])], captured_tensors=[], f=twice, num_batch_threads=1, max_batch_size=2,
        batch_timeout_micros=0, Tout=[o.type for o in twice.definition.signature.output_arg],
    )  # fmt: skip
    assert call[0].dtype is tf.int32
    with tf.Session() as sess:
        assert sess.run(call)[0].tolist() == [6]


@pytest.mark.parametrize(
    ("xs", "words"),
    [
        ([[1]], "Expects 2 arguments, but 1 is provided"),
        ([[1], [2], [3]], "Expects 2 arguments, but 3 are provided"),
        ([[1], [2.0]], r"Expects arg\[1\] to be int32 but float is provided"),
    ],
)
def test_what_a_function_does_not_take(xs, words):
    @tf.python.framework.function.Defun(tf.int32, tf.int32)
    def added(x, y):
        return x + y

    inputs = [tf.constant(x) for x in xs]
    calls = tf.python.ops.gen_functional_ops
    for y in (
        calls.remote_call("/cpu:0", inputs, [tf.int32], added),
        calls.partitioned_call(inputs, f=added, Tout=[tf.int32]),
    ):  # fmt: skip
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=words):
            sess.run(y)
