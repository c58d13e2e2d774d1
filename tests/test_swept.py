"""What TensorFlow's own tests of ops look at, against what it gives: ``golden/swept.json.gz``."""

import pickle
import re

import pytest
from golden import swept_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.eager.context import eager_mode

GOLDEN = golden("swept")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", swept_cases.CASES)
def test_as_recorded(name):
    check(swept_cases, name, GOLDEN[name], nodes=False)


def test_rows_of_any_op_are_computed_and_sparse_ones_refused():
    from retrograd.tf.python.ops.parallel_for.control_flow_ops import pfor

    x = tf.constant([[1.0, 3.0, 2.0], [6.0, 5.0, 4.0]])
    with tf.Session() as sess:
        best = sess.run(pfor(lambda i: tf.nn.top_k(tf.gather(x, i)).indices, 2))
    assert best.tolist() == [[1], [0]]
    with pytest.raises(ValueError, match="No converter defined for the SparseTensor"):
        pfor(lambda i: tf.SparseTensor([[0]], [i], [1]), 2)
    with eager_mode():
        assert pfor(lambda i: (i * i, None), 3)[0].numpy().tolist() == [0, 1, 4]
        assert tf.vectorized_map(
            lambda t: t[0] + t[1], (tf.constant([1, 2]), tf.constant([3, 4]))
        ).numpy().tolist() == [4, 6]
        with pytest.raises(NotImplementedError, match="in graphs alone"):
            pfor(lambda i, pfor_config: pfor_config.reduce_sum(i), 3)


def test_every_row_makes_its_own_array():
    from retrograd.tf.python.ops.parallel_for.control_flow_ops import pfor

    def sums(i):
        array = tf.TensorArray(tf.int32, size=6).unstack(i + list(range(6)))
        return tf.while_loop(lambda j, _: j < i, lambda j, s: (j + 1, s + array.read(j)), (0, 0))[1]

    with tf.Session() as sess:
        assert sess.run(pfor(sums, 4)).tolist() == [0, 1, 5, 12]


def test_what_a_section_reads_the_section_before_it_has_written():
    lock, v = tf.CriticalSection(), tf.Variable(0.0, use_resource=True)

    def counted():
        seen = v.read_value()
        with tf.control_dependencies([seen]), tf.control_dependencies([v.assign_add(2.0)]):
            return tf.identity(seen)

    counts = [lock.execute(counted) for _ in range(4)]
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert [sess.run(counts), sess.run(counts)] == [[0, 2, 4, 6], [8, 10, 12, 14]]


def test_slices_of_a_branch_in_a_loop_name_a_row_for_each_value():
    first, second = (tf.Variable(x, use_resource=True) for x in ([1.0, 2.0, 3.0], [4.0, 5.0]))

    def body(i, x):
        picked = tf.cond(tf.equal(i % 2, 0), lambda: first.sparse_read([1])[0], lambda: 3 * second.sparse_read([1])[0])
        return i + 1, x + picked

    _, total = tf.while_loop(lambda i, _: i < 4, body, [0, 0.0])
    dense = [tf.convert_to_tensor(dx) for dx in tf.gradients(total, [first, second])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [dx.tolist() for dx in sess.run(dense)] == [[0, 2, 0], [0, 6]]


def test_a_function_without_results_is_an_op_that_runs():
    seen = []
    op = tf.py_function(lambda x: seen.append(float(x)), [2.0], [])
    assert isinstance(op, tf.Operation)
    with tf.Session() as sess:
        assert sess.run(op) is None
    with eager_mode():
        assert tf.py_function(lambda x: seen.append(float(x)), [3.0], []) == []
    assert seen == [2, 3]


def test_functions_that_fail_fail_alike_wherever_they_run():
    def failing(x):
        raise StopIteration("done")

    functions = (
        (failing, tf.errors.OutOfRangeError, "StopIteration: done"),
        (lambda x: None, tf.errors.InvalidArgumentError, "returns 0 values, but expects to see 1 values."),
        (lambda x: tf.Variable(1.0, use_resource=True), tf.errors.UnknownError, "Attempting to return a variable"),
    )
    for function, kind, text in functions:
        with tf.Session() as sess, pytest.raises(kind, match=text):
            sess.run(tf.py_function(function, [1.0], tf.float32))
        with eager_mode(), pytest.raises(kind, match=text):
            tf.py_function(function, [1.0], tf.float32)


def test_rows_of_a_ragged_tensor_end_a_loop():
    with eager_mode():
        rows = tf.ragged.constant([[1, 2], [], [3]])
        assert [row.numpy().tolist() for row in rows] == [[1, 2], [], [3]]
        with pytest.raises(IndexError, match="Row key -4 out of bounds"):
            rows[-4]


def test_raw_ops_take_positions_too():
    with tf.Session() as sess:
        assert sess.run(tf.raw_ops.Add(1.0, 2.0)) == 3


@pytest.mark.parametrize(
    ("op", "given", "words"),
    [
        (
            "Bucketize",
            {"input": [1.0], "boundaries": 0},
            "Expected list for 'boundaries' argument to 'bucketize' Op, not 0.",
        ),
        ("Bucketize", {"input": [1.0], "boundaries": ["a"]}, "Expected float for argument 'boundaries' not 'a'."),
        ("Squeeze", {"input": [[1]], "axis": 0}, "Expected list for 'axis' argument to 'squeeze' Op, not 0."),
        ("Unpack", {"value": [1, 2], "num": [2]}, "Expected int for argument 'num' not [2]."),
        ("MatMul", {"a": [[1]], "b": [[1]], "transpose_a": 3}, "Expected bool for argument 'transpose_a' not 3."),
        ("LeakyRelu", {"features": [1.0], "alpha": "a"}, "Expected float for argument 'alpha' not 'a'."),
    ],
)  # fmt: skip
def test_raw_ops_hold_attributes_to_their_kinds(op, given, words):
    with pytest.raises(TypeError, match=f"^{re.escape(words)}$"):
        getattr(tf.raw_ops, op)(**given)


def test_variables_of_eager_execution_are_pickled_and_give_nothing_for_no_value():
    with eager_mode():
        v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
        assert [f([1.0, 1.0], read_value=False) for f in (v.assign_add, v.assign_sub)] == [None, None]
        assert v.assign([3.0, 4.0], read_value=False) is None
        copy = pickle.loads(pickle.dumps(v))
        assert (copy.name, copy.numpy().tolist(), v.numpy().tolist()) == (v.name, [3, 4], [3, 4])
    with pytest.raises(NotImplementedError, match="numpy"):
        pickle.dumps(tf.Variable(1.0, use_resource=True))
