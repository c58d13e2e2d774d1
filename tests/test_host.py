"""Python functions, printing and assertions in a run."""

import gc
import logging
import weakref

import numpy as np
import pytest

from retrograd import tf
from retrograd.graph import errors
from retrograd.ops import sparse_maps


@pytest.fixture(autouse=True)
def sess():
    with tf.Graph().as_default(), tf.Session() as sess:
        yield sess


# -- py_func -----------------------------------------------------------------------------------


def test_user_exception_keeps_its_traceback_and_the_session_goes_on(sess):
    def divide(x):
        return np.float32(1 / int(x))

    x = tf.placeholder(tf.float32, [])
    v = tf.Variable(1.0)
    sess.run(v.initializer)
    with tf.control_dependencies([tf.assign_add(v, 1.0)]):
        y = tf.py_func(divide, [x], tf.float32)
    with pytest.raises(errors.UnknownError) as caught:
        sess.run(y, {x: 0.0})
    lines = str(caught.value).split("\n")
    assert lines[0] == "ZeroDivisionError: division by zero"
    assert "in divide" in str(caught.value)
    assert "[[node PyFunc (defined at " in str(caught.value)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.__cause__.__traceback__.tb_next.tb_frame.f_code.co_name == "divide"
    assert sess.run(v) == 1.0
    assert sess.run(y, {x: 2.0}) == 0.5


@pytest.mark.parametrize(
    ("raised", "reported"),
    [
        (ValueError("x"), errors.InvalidArgumentError),
        (TypeError("x"), errors.InvalidArgumentError),
        (StopIteration("x"), errors.OutOfRangeError),
        (MemoryError("x"), errors.ResourceExhaustedError),
        (NotImplementedError("x"), errors.UnimplementedError),
        (UnicodeError("x"), errors.InvalidArgumentError),
        (RuntimeError("x"), errors.UnknownError),
        (errors.OutOfRangeError(None, None, "x"), errors.UnknownError),
    ],
)
def test_classes_of_user_exceptions(sess, raised, reported):
    def fail():
        raise raised

    with pytest.raises(reported) as caught:
        sess.run(tf.py_func(fail, [], tf.float32))
    assert type(caught.value) is reported
    assert str(caught.value).startswith(f"{type(raised).__name__}: x\n")


@pytest.mark.parametrize(
    ("function", "types", "words"),
    [
        (lambda: (1.0, 2.0), tf.float32, "{token} returns 2 values, but expects to see 1 values."),
        (lambda: 1.0, [tf.float64] * 2, "{token} returns 1 values, but expects to see 2 values."),
        (lambda: None, tf.float32, "{token} returns 0 values, but expects to see 1 values."),
        (lambda: 1.0, tf.float32, "0-th value returned by {token} is double, but expects float"),
        (
            lambda: (np.float32(1), 2),
            [tf.float32] * 2,
            "1-th value returned by {token} is int64, but expects float",
        ),
    ],
)
def test_results_that_do_not_fit(sess, function, types, words):
    y = tf.py_func(function, [], types)
    op = (y[0] if isinstance(y, list) else y).op
    with pytest.raises(errors.InvalidArgumentError) as caught:
        sess.run(y)
    assert str(caught.value).split("\n")[0] == words.format(token=op.get_attr("token").decode())


def test_the_function_may_change_its_arguments(sess):
    def negate(x):
        x *= -1
        return x

    x = tf.constant([1.0, 2.0])
    y = tf.py_func(negate, [x], tf.float32)
    assert [v.tolist() for v in sess.run([x, y, x])] == [[1.0, 2.0], [-1.0, -2.0], [1.0, 2.0]]


def test_stateless_functions_are_not_called_while_building(sess):
    calls = []
    y = tf.py_func(lambda: calls.append(0) or np.int32(2), [], tf.int32, stateful=False)
    tf.zeros(tf.stack([y, y]))
    assert not calls
    sess.run(y)
    assert calls == [0]


def test_gradient_override(sess):
    @tf.RegisterGradient("TwentyTimes")
    def _twenty_times(op, dy):
        return dy * 20 * op.inputs[0]

    x = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"PyFunc": "TwentyTimes"}):
        y = tf.py_func(np.square, [x], tf.float32)
    assert sess.run(tf.gradients(y, x)[0]).tolist() == [20.0, 40.0]
    assert tf.gradients(tf.py_func(np.square, [x], tf.float32), x) == [None]


def test_functions_die_with_their_graph():
    def function():
        return np.float32(0)

    with tf.Graph().as_default() as graph:
        tf.py_func(function, [], tf.float32)
    alive = weakref.ref(function)
    del function, graph
    gc.collect()
    assert alive() is None


# -- printing ----------------------------------------------------------------------------------


def test_print_counts_per_session(sess, capfd):
    x = tf.Print(tf.constant(1.0), [tf.constant([1.0, 2.5, 3.0, 4.0]), "s"], "x = ", first_n=2)
    for _ in range(3):
        sess.run(x)
    tf.Session().run(x)
    assert capfd.readouterr() == ("", "x = [1 2.5 3...][s]\n" * 3)


def test_print_v2(sess, capfd, tmp_path):
    import sys

    path = tmp_path / "out"
    x = tf.constant([[1, 2], [3, 4]])
    sess.run(tf.print("x =", x, {"b": tf.constant(0.5), "a": 1}, sep=" ", end="|\n"))
    sess.run(tf.print(x, output_stream=sys.stdout))
    sess.run([tf.print(i, output_stream=f"file://{path}") for i in range(2)])
    assert capfd.readouterr() == ("[[1 2]\n [3 4]]\n", "x = [[1 2]\n [3 4]] {'a': 1, 'b': 0.5}|\n")
    assert path.read_text() == "0\n1\n"


def test_print_to_the_log(sess, caplog):
    with caplog.at_level(logging.INFO, "tensorflow"):
        sess.run(tf.print("word", output_stream=tf.logging.info))
    assert caplog.messages == ["word"]


def test_unknown_stream():
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print("x", output_stream="nowhere")
    with pytest.raises(ValueError, match=r"Unrecognized keyword arguments for tf.print: \{'color': 1\}"):
        tf.print("x", color=1)


# -- assertions --------------------------------------------------------------------------------


def test_nan_is_named_and_variables_stay(sess):
    v = tf.Variable([1.0, 2.0])
    sess.run(v.initializer)
    bad = tf.log(v - 2.0)
    with tf.control_dependencies([tf.verify_tensor_all_finite(bad, "loss")]):
        step = tf.assign_sub(v, bad)
    with pytest.raises(errors.InvalidArgumentError, match=r"^loss : Tensor had Inf and NaN values\n"):
        sess.run(step)
    assert sess.run(v).tolist() == [1.0, 2.0]


def test_a_check_that_nobody_reads_still_runs(sess):
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.check_numerics(x, "x")]):
        y = tf.constant(1.0) + 1.0
    assert sess.run(y, {x: 0.0}) == 2.0
    with pytest.raises(errors.InvalidArgumentError, match=r"^x : Tensor had NaN values"):
        sess.run(y, {x: np.nan})


def test_sparse_tensors_of_another_rank_are_not_taken_together():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.sparse_placeholder(tf.float32)
        number = sparse_maps.add_sparse_to_tensors_map(x, "place", "map")
        kept = [
            sess.run(number, {x: tf.SparseTensorValue(np.zeros((1, n), np.int64), [1.0], [2] * n)}) for n in (2, 2, 3)
        ]
        taken = sparse_maps.take_many_sparse_from_tensors_map(number.op, kept)
        words = r"^Inconsistent rank .* prior to SparseTensor\[2\] was: 3 but rank of SparseTensor\[2\] is: 4"
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            sess.run(taken)
    assert (number.op.get_attr("container"), number.op.get_attr("shared_name")) == (b"place", b"map")
