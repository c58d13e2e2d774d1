"""Names that one program in thousands imports, against TensorFlow 1.15.5: ``golden/last_name.json.gz``."""

import numpy as np
import pytest
from golden import last_name_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.tf.python.framework import kernels
from retrograd.tf.python.keras.layers.preprocessing import normalization
from retrograd.tf.python.ops import collective_ops, gen_nccl_ops

GOLDEN = golden("last_name")


@pytest.mark.parametrize("name", last_name_cases.CASES)
def test_as_recorded(name):
    check(last_name_cases, name, GOLDEN[name], nodes=name.startswith("collectives"))


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def _on_each(devices, made):
    results = []
    for i, name in enumerate(devices):
        with tf.device(name):
            results.append(made(i))
    return results


def test_a_group_that_is_not_run_as_a_whole_fails():
    x, y = tf.constant([1.0]), tf.placeholder(tf.float32, [1])
    sums = _on_each(["/cpu:0", "/cpu:1"], lambda i: collective_ops.all_reduce([x, y][i] * 1.0, 2, 1, 1, "Add", "Id"))
    with tf.Session() as sess:
        assert sess.run(sums, {y: [2.0]}) == [[3.0], [3.0]]
        text = "CollectiveReduce waits for ever: its group has 2 members, and 1 of them are run"
        with pytest.raises(tf.errors.FailedPreconditionError, match=text) as caught:
            sess.run(sums[0])
        assert "sess.run([y0, y1, ...])" in str(caught.value)
        with tf.device("/cpu:2"):
            third = collective_ops.all_reduce(x * 1.0, 2, 1, 1, "Add", "Id")
        assert sess.run([sums[0], third]) == [[2.0], [2.0]]
        with pytest.raises(tf.errors.InternalError, match="of a group of 2, and 3 members of the group are run"):
            sess.run([*sums, third], {y: [2.0]})


def test_members_that_wait_for_each_other_are_a_cycle():
    x = tf.constant([1.0])
    with tf.device("/cpu:0"):
        first = collective_ops.all_reduce(x * 1.0, 2, 1, 1, "Add", "Id")
    with tf.device("/cpu:1"):
        second = collective_ops.all_reduce(first * 1.0, 2, 1, 1, "Add", "Id")
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="contains a cycle"):
        sess.run([first, second])


def test_statistics_over_devices_have_gradients():
    xs = [tf.constant(np.arange(3.0) + i) for i in range(2)]
    devices = ["/gpu:0", "/gpu:1"]

    def normalized(i):
        mean = gen_nccl_ops.nccl_all_reduce(tf.identity(xs[i]), "sum", 2, "mean") / 2
        return tf.reduce_sum((xs[i] - mean) ** 3 * (i + 1.0)), mean

    losses, means = zip(*_on_each(devices, normalized), strict=True)
    y = [tf.cast(x, tf.float64) for x in xs]
    mean = (y[0] + y[1]) / 2
    wanted = tf.reduce_sum((y[0] - mean) ** 3) + 2 * tf.reduce_sum((y[1] - mean) ** 3)
    got, want = tf.gradients(losses, xs, colocate_gradients_with_ops=True), tf.gradients(wanted, xs)
    with tf.Session() as sess:
        for _ in range(30):  # long enough that others would be compiled
            a, b, middle = sess.run([got, want, means])
        np.testing.assert_allclose(a, b)
        np.testing.assert_array_equal(middle, [[0.5, 1.5, 2.5]] * 2)


def test_reductions_and_copies_over_devices_have_gradients():
    xs = [tf.constant(np.arange(3.0) + i) for i in range(2)]
    with tf.device("/gpu:0"):
        total = gen_nccl_ops.nccl_reduce([xs[0], xs[1], xs[0]], "sum")
        squares = tf.reduce_sum(total**2)
        sent = gen_nccl_ops.nccl_broadcast(xs[0], [3])
        cubes = tf.reduce_sum(sent**3 + 2.0 * sent)
        got = [*tf.gradients(squares, xs), *tf.gradients(cubes, xs[0])]
    with tf.Session() as sess:
        x, y = np.arange(3.0), np.arange(3.0) + 1
        np.testing.assert_allclose(sess.run(got), [4 * (2 * x + y), 2 * (2 * x + y), 3 * x**2 + 2])
        least = [gen_nccl_ops.nccl_reduce(xs, kind) for kind in ("min", "max", "prod")]
        np.testing.assert_array_equal(sess.run(least), [x, y, x * y])


def test_a_layer_adapts_in_a_graph():
    layer, x = normalization.Normalization(), np.float32([[1, 2], [3, 4], [5, 9]])
    layer.adapt(x)
    with tf.keras.backend.get_session().as_default():
        np.testing.assert_allclose(layer(tf.constant(x)).eval(), (x - x.mean(0)) / x.var(0), rtol=1e-6)


def test_ops_have_kernels():
    (kernel,) = kernels.get_registered_kernels_for_op("CollectiveReduce").kernel
    assert (kernel.op, kernel.device_type, kernel.constraint[0].name) == ("CollectiveReduce", "CPU", "T")
    assert tf.int64.as_datatype_enum in kernel.constraint[0].allowed_values.list.type
    assert not kernels.get_registered_kernels_for_op("NoSuchOp").kernel
    assert len(kernels.get_all_registered_kernels().kernel) > 1000
