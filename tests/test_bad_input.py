"""Bad input: TensorFlow's class and first line, then why, where and how to mend it; nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf

HERE = __file__


class Model:
    """A small graph with one trained variable, and the session that runs it."""

    def __init__(self) -> None:
        self.x = tf.placeholder(tf.float32, [None, 3], name="x")
        self.w = tf.Variable([[1.0], [2.0], [3.0]], name="w")
        self.y = tf.matmul(self.x, self.w, name="y")
        self.loss = tf.reduce_mean(tf.square(self.y))
        self.sess = tf.Session()
        self.sess.run(tf.global_variables_initializer())


@pytest.fixture
def m() -> Iterator[Model]:
    with tf.Graph().as_default():
        model = Model()
        yield model
        if not model.sess._closed:  # whatever went wrong, the session goes on and nothing has changed
            assert model.sess.run(model.w).tolist() == [[1.0], [2.0], [3.0]]
            assert model.sess.run(model.y, {model.x: np.ones((1, 3))}).tolist() == [[6.0]]


def told(kind: type[BaseException], act: Callable[[], Any]) -> tuple[str, str]:
    """The first line of the error that ``act`` ends in, and all that a person is shown."""
    with pytest.raises(kind) as caught:
        act()
    text = str(caught.value)
    shown = "\n".join([text, *getattr(caught.value, "__notes__", ())])
    return text.splitlines()[0], shown


@pytest.mark.smoke
def test_feed_of_the_wrong_shape(m: Model) -> None:
    first, shown = told(ValueError, lambda: m.sess.run(m.y, {m.x: np.ones(3)}))
    assert first == "Cannot feed value of shape (3,) for Tensor 'x:0', which has shape '(?, 3)'"
    assert re.search(rf"Where: +{re.escape(HERE)}:\d+", shown)
    assert "Fix:   np.reshape(value, [-1, 3])" in shown
    m.sess.run(m.y, {m.x: np.reshape(np.ones(3), [-1, 3])})


@pytest.mark.smoke
def test_feed_of_the_wrong_kind(m: Model) -> None:
    first, shown = told(ValueError, lambda: m.sess.run(m.y, {m.x: [["a", "b", "c"]]}))
    assert first == "could not convert string to float: 'a'"
    assert "x:0 (float32)" in shown
    first, shown = told(TypeError, lambda: m.sess.run(m.y, {m.x: m.y}))
    assert first.startswith("The value of a feed cannot be a tf.Tensor object.")
    assert "sess.run(" in shown


def test_feed_of_a_foreign_graph(m: Model) -> None:
    with tf.Graph().as_default():
        other = tf.placeholder(tf.float32, [2], name="other")
    first, shown = told(TypeError, lambda: m.sess.run(m.y, {other: [1.0, 2.0]}))
    assert first.startswith("Cannot interpret feed_dict key as Tensor: Tensor Tensor(")
    assert "is not an element of this graph" in first
    assert f"{HERE}:" in shown
    assert "Fix:" in shown


@pytest.mark.smoke
def test_placeholder_not_fed(m: Model) -> None:
    first, shown = told(tf.errors.InvalidArgumentError, lambda: m.sess.run(m.y))
    assert first == "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]"
    assert f"{HERE}:" in shown
    assert "feed_dict={x: ...}" in shown


@pytest.mark.smoke
def test_variable_not_initialized(m: Model) -> None:
    late = tf.Variable(1.0, name="late")
    first, shown = told(tf.errors.FailedPreconditionError, lambda: m.sess.run(late * 2.0))
    assert first == "Attempting to use uninitialized value late"
    assert "sess.run(tf.global_variables_initializer())" in shown
    m.sess.run(late.initializer)
    assert m.sess.run(late * 2.0) == 2.0


@pytest.mark.smoke
def test_fetching_none(m: Model) -> None:
    first, shown = told(TypeError, lambda: m.sess.run([m.w, None]))
    assert first == "Fetch argument None has invalid type <class 'NoneType'>"
    assert "unconnected_gradients='zero'" in shown


@pytest.mark.smoke
def test_shapes_that_do_not_fit(m: Model) -> None:
    first, shown = told(ValueError, lambda: tf.add(tf.ones([2]), tf.ones([3]), name="bad"))
    assert first == "Dimensions must be equal, but are 2 and 3 for 'bad' (op: 'Add') with input shapes: [2], [3]."
    assert "ones:0 has shape [2]" in shown
    first, _ = told(ValueError, lambda: tf.matmul(m.w, m.w))
    assert first.startswith("Dimensions must be equal, but are 1 and 3 for")


@pytest.mark.smoke
def test_dtypes_that_do_not_fit(m: Model) -> None:
    first, shown = told(TypeError, lambda: m.w * tf.constant(2))
    assert first == "Input 'y' of 'Mul' Op has type int32 that does not match type float32 of argument 'x'."
    assert "tf.cast(..., tf.float32)" in shown


def test_shapes_that_do_not_fit_in_a_run(m: Model) -> None:
    x = tf.placeholder(tf.float32, name="left")
    total = x + tf.constant([1.0, 2.0])
    first, shown = told(tf.errors.InvalidArgumentError, lambda: m.sess.run(total, {x: [1.0, 2.0, 3.0]}))
    assert first == "Incompatible shapes: [3] vs. [2]"
    assert "left:0" in shown
    assert f"{HERE}:" in shown


@pytest.mark.parametrize("build", [lambda d: tf.fill(d, 1.0), lambda d: tf.ones([d[0], 1]) * tf.ones([1, d[1]])])
def test_arrays_that_memory_cannot_hold(m: Model, build: Callable[[Any], Any]) -> None:
    shape = tf.placeholder(tf.int32, [2])
    y = tf.reduce_sum(build(shape))
    first, _ = told(tf.errors.ResourceExhaustedError, lambda: m.sess.run(y, {shape: [2**24, 2**24]}))
    what = "shape[16777216,16777216] and type float on /job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu"
    assert first == f"OOM when allocating tensor with {what}"


def test_loss_without_a_path_to_any_variable(m: Model) -> None:
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    first, shown = told(ValueError, lambda: optimizer.minimize(tf.reduce_sum(m.x)))
    assert first.startswith("No gradients provided for any variable, check your graph for ops that do not support")
    assert "Why:" in shown
    assert "Fix:" in shown


@pytest.mark.smoke
def test_two_graphs_mixed(m: Model) -> None:
    with tf.Graph().as_default():
        other = tf.ones([3], name="elsewhere")
    first, shown = told(ValueError, lambda: tf.add(m.y, other))
    assert "must be from the same graph as" in first
    assert shown.count(f"{HERE}:") >= 2
    assert "with graph.as_default()" in shown


def test_closed_session(m: Model) -> None:
    m.sess.close()
    first, shown = told(RuntimeError, lambda: m.sess.run(m.w))
    assert first == "Attempted to use a closed Session."
    assert "Fix:" in shown


def test_finalized_graph(m: Model) -> None:
    m.w.graph.finalize()
    first, shown = told(RuntimeError, lambda: tf.ones([2]))
    assert first == "Graph is finalized and cannot be modified."
    assert "Fix:" in shown
    m.w.graph._unsafe_unfinalize()


def test_duplicate_variable(m: Model) -> None:
    with tf.variable_scope("net"):
        tf.get_variable("kernel", [2])
    with tf.variable_scope("net"):
        first, shown = told(ValueError, lambda: tf.get_variable("kernel", [2]))
    assert first.startswith("Variable net/kernel already exists, disallowed. Did you mean to set reuse=True")
    assert f"{HERE}:" in shown or HERE in shown
    with tf.variable_scope("net", reuse=True):
        first, shown = told(ValueError, lambda: tf.get_variable("kernle", [2]))
    assert first.startswith("Variable net/kernle does not exist")
    assert "net/kernel" in shown


def test_name_that_does_not_exist(m: Model) -> None:
    graph = m.w.graph
    first, shown = told(KeyError, lambda: graph.get_tensor_by_name("z:0"))
    assert "The name 'z:0' refers to a Tensor which does not exist" in first
    _, shown = told(KeyError, lambda: graph.get_operation_by_name("Squar"))
    assert "did you mean 'Square'?" in shown
    first, shown = told(ValueError, lambda: m.sess.run("yy:0"))
    assert first.startswith("Fetch argument 'yy:0' cannot be interpreted as a Tensor.")


@pytest.mark.smoke
def test_nan_found_by_check_numerics(m: Model) -> None:
    checked = tf.check_numerics(tf.log(m.x - 1.0), "the logarithm")
    update = m.w.assign_add(tf.ones([3, 1]))
    with tf.control_dependencies([update]):
        after = tf.identity(checked)
    first, shown = told(tf.errors.InvalidArgumentError, lambda: m.sess.run([after, update], {m.x: np.zeros((1, 3))}))
    assert first == "the logarithm : Tensor had NaN values"
    assert f"{HERE}:" in shown


def test_exception_inside_py_func(m: Model) -> None:
    def divide(v: Any) -> Any:
        return v / [][0]

    out = tf.py_func(divide, [m.y], tf.float32)
    first, _ = told(tf.errors.UnknownError, lambda: m.sess.run(out, {m.x: np.ones((1, 3))}))
    assert first.startswith("IndexError: list index out of range")


@pytest.mark.smoke
def test_failed_run_takes_its_writes_back(m: Model) -> None:
    update = m.w.assign(m.w * 100.0)
    with tf.control_dependencies([update]):
        broken = tf.reshape(m.x, tf.stack([tf.shape(m.x)[0] + 1]))
    told(tf.errors.InvalidArgumentError, lambda: m.sess.run(broken, {m.x: np.ones((2, 3))}))


@pytest.mark.smoke
def test_misspelt_and_unbuilt_symbols() -> None:
    _, shown = told(AttributeError, lambda: tf.reduce_summ)
    assert "reduce_sum" in shown
    _, shown = told(AttributeError, lambda: tf.nn.softmaxx)
    assert "softmax" in shown
