"""``retrograd.check_gradients`` names the op whose gradient is wrong, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import retrograd
from retrograd import tf


@pytest.fixture
def graph() -> Iterator[Any]:
    with tf.Graph().as_default() as graph, tf.Session():
        yield graph


def registered(name: str, rule: Any) -> str:
    """``rule`` as the gradient called ``name``."""
    tf.RegisterGradient(name)(rule)
    return name


def verdicts(report: Any) -> dict[str, str]:
    return {check.op.name: check.verdict for check in report.checks}


def wrong(report: Any) -> list[str]:
    return [check.op.name for check in report.wrong]


POINTS = np.random.RandomState(0).randn(4, 3)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_right_gradients_are_right(graph: Any, dtype: Any, capsys: Any) -> None:
    x = tf.placeholder(dtype, [4, 3], name="x")
    w = tf.Variable(tf.constant(POINTS.T[:, :2], dtype), name="w", use_resource=True)
    h = tf.nn.sigmoid(tf.matmul(x, w), name="h")
    rows = tf.gather(h, [1, 0, 1])
    y = tf.reduce_sum(tf.nn.softmax(rows) * tf.log(rows), name="y")
    tf.get_default_session().run(w.initializer)
    report = retrograd.check_gradients(y, [x, w], {x: POINTS})
    assert report.ok
    assert {"MatMul", "h", "y"} <= verdicts(report).keys()
    assert set(verdicts(report).values()) == {"ok"}
    assert all(check.error < 1e-5 for check in report.checks)
    printed = capsys.readouterr().out
    assert re.search(r"^h +Sigmoid +\S*test_checking.py:\d+\S* .* ok$", printed, re.MULTILINE)
    assert printed.endswith(f"{len(report.checks)} ops, none wrong\n")


def test_a_wrong_override_is_named(graph: Any, capsys: Any) -> None:
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    with graph.gradient_override_map(
        {"Tanh": registered("TanhTooLarge", lambda op, dy: 1.02 * dy * (1 - op.outputs[0] ** 2))}
    ):
        h = tf.tanh(x, name="culprit")
    y = tf.reduce_sum(tf.square(h * tf.exp(h)))
    report = retrograd.check_gradients(y, x, {x: POINTS})
    assert wrong(report) == ["culprit"]
    (check,) = report.wrong
    assert 0.01 < check.error < 0.03
    assert re.search(r"culprit +Tanh by TanhTooLarge .* WRONG", capsys.readouterr().out)


def test_a_wrong_gradient_of_py_func_is_named(graph: Any) -> None:
    x = tf.placeholder(tf.float32, [4, 3])
    right = registered("PyFuncCosine", lambda op, dy: dy * tf.cos(op.inputs[0]))
    left = registered("PyFuncMinusCosine", lambda op, dy: -dy * tf.cos(op.inputs[0]))
    h = x
    for rule, name in ((right, "right"), (left, "left")):
        with graph.gradient_override_map({"PyFunc": rule}):
            h = tf.py_func(np.sin, [h], tf.float32, name=name)
            h.set_shape([4, 3])
    assert wrong(retrograd.check_gradients(h, x, {x: POINTS})) == ["left"]


def test_the_function_of_a_custom_gradient_is_what_counts(graph: Any) -> None:
    @tf.custom_gradient
    def right(a: Any, b: Any) -> Any:
        e = tf.exp(a)
        return e * b, lambda dy: (dy * e * b, dy * e)

    @tf.custom_gradient
    def swapped(a: Any, b: Any) -> Any:
        e = tf.exp(a)
        return e * b, lambda dy: (dy * e, dy * e * b)

    @tf.custom_gradient
    def reversed_(a: Any) -> Any:
        return a, lambda dy: -dy

    x = tf.placeholder(tf.float64, [4, 3])
    y = right(x, tf.sin(x)) + swapped(x, tf.cos(x)) + reversed_(x)
    report = retrograd.check_gradients(y, x, {x: POINTS})
    assert wrong(report) == ["IdentityN_1", "IdentityN_2"]
    assert verdicts(report)["IdentityN"] == "ok"


def test_a_rule_that_fails_is_wrong(graph: Any) -> None:
    x = tf.placeholder(tf.float64, [4, 3])
    with graph.gradient_override_map({"Exp": registered("ExpOfOtherShape", lambda op, dy: tf.reduce_sum(dy, 0))}):
        y = tf.exp(tf.placeholder_with_default(x, None), name="y")
    (check,) = retrograd.check_gradients(y, x, {x: POINTS}).wrong
    assert check.op.name == "y"
    assert "shape (3,)" in check.why


def test_nan_is_wrong_where_there_is_a_derivative(graph: Any) -> None:
    x = tf.placeholder(tf.float64, [3])
    with graph.gradient_override_map(
        {"Square": registered("SquareByDivision", lambda op, dy: dy * 2 * op.outputs[0] / op.inputs[0])}
    ):
        y = tf.square(x, name="y")
    assert wrong(retrograd.check_gradients(y, x, {x: [0.0, 1.0, 2.0]})) == ["y"]


def test_kinks_are_left_out(graph: Any) -> None:
    x = tf.placeholder(tf.float64, [4])
    doubled = registered("ReluDoubled", lambda op, dy: 2 * dy * tf.cast(op.inputs[0] > 0, dy.dtype))
    right, left = tf.nn.relu(x, name="right"), tf.abs(0.0 * x, name="at_the_kink")
    with graph.gradient_override_map({"Relu": doubled}):
        worse = tf.nn.relu(x, name="worse")
    report = retrograd.check_gradients(
        [right, left, worse, tf.sqrt(tf.nn.relu(x), name="root")], x, {x: [0.0, 1.0, -1.0, 2.0]}
    )
    found = verdicts(report)
    assert found["right"] == "ok"
    assert found["worse"] == "WRONG"
    assert found["at_the_kink"] == "not differentiable here"
    assert found["root"] == "ok"


def test_what_lets_nothing_flow(graph: Any) -> None:
    x = tf.placeholder(tf.float64, [4])
    y = (
        x * tf.stop_gradient(x, name="stopped")
        + tf.round(x, name="rounded")
        + tf.cast(tf.cast(x, tf.int32), tf.float64)
    )
    found = verdicts(retrograd.check_gradients(y, x, {x: POINTS.ravel()[:4]}))
    assert found["stopped"] == found["rounded"] == "none flows"
    assert found["mul"] == "ok"


def test_complex_and_several_outputs(graph: Any) -> None:
    x, y = tf.placeholder(tf.float64, [3, 3]), tf.placeholder(tf.float64, [3, 3])
    z = tf.complex(x, y)
    product = tf.matmul(z, tf.conj(z), adjoint_b=True)
    first, second = tf.split(product * tf.exp(z), [1, 2])
    values, _ = tf.nn.top_k(tf.abs(tf.concat([second, first], 0)), 2)
    feeds = {x: POINTS[:3], y: POINTS[1:]}
    assert retrograd.check_gradients([values, tf.svd(x)[0]], [x, y], feeds).ok


def test_ops_without_a_rule_of_their_own(graph: Any) -> None:
    x = tf.placeholder(tf.float32, [4, 3])
    (dx,) = tf.gradients(tf.nn.softsign(x), x)
    (second,) = tf.gradients(dx, x)
    report = retrograd.check_gradients(second, x, {x: POINTS})
    assert "VJP" in {check.op.type for check in report.checks}
    assert report.ok


def test_it_needs_a_session() -> None:
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        with pytest.raises(ValueError, match="needs a session") as raised:
            retrograd.check_gradients(x * x, x)
        assert "with tf.Session()" in raised.value.__notes__[0]
        assert retrograd.check_gradients(x * x, x, session=tf.Session()).ok


@pytest.mark.parametrize("wrong_inside", [False, True])
def test_loops_and_conditionals_are_checked_as_wholes(graph: Any, wrong_inside: bool) -> None:
    x = tf.placeholder(tf.float32, [2], name="x")
    rule = registered(f"SinIn{wrong_inside}", lambda op, dy: dy * (1.0 + 0.1 * wrong_inside) * tf.cos(op.inputs[0]))
    with graph.gradient_override_map({"Sin": rule}):
        looped = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.sin(a) * x), (0, x * x), name="loop")[1]
    branched = tf.cond(looped[0] > 0, lambda: tf.exp(looped) * x, lambda: tf.tanh(looped), name="branch")
    with graph.gradient_override_map({"Sin": rule}):
        other = tf.cond(looped[0] > 0, lambda: tf.sin(looped), lambda: tf.tanh(looped), name="other")
    report = retrograd.check_gradients([branched, other], x, {x: [0.3, 0.5]})
    names = [check.op.name for check in report.checks]
    assert names == ["mul", "loop/Exit_1", "branch/Merge", "other/Merge"]
    assert wrong(report) == (["loop/Exit_1", "other/Merge"] if wrong_inside else [])


def test_second_order_through_a_loop(graph: Any) -> None:
    x = tf.placeholder(tf.float64, [2], name="x")
    y = tf.while_loop(lambda a: tf.reduce_sum(a) < 40, lambda a: a * a * x, [x])
    (slope,) = tf.gradients(y, x)
    report = retrograd.check_gradients(slope, x, {x: [1.5, 1.7]})
    assert report.ok
    assert "Exit" in {check.op.type for check in report.checks}
    assert all(check.verdict == "ok" for check in report.checks)


def test_arrays_are_checked_by_what_reads_them(graph: Any) -> None:
    x = tf.placeholder(tf.float64, [4, 3], name="x")
    with graph.gradient_override_map({"Tanh": registered("TanhInMap", lambda op, dy: 1.5 * dy)}):
        mapped = tf.map_fn(lambda row: tf.tanh(row) * x[0], x)
    folded = tf.foldl(lambda a, row: a * row + tf.sin(row), x)
    report = retrograd.check_gradients([mapped, folded], x, {x: POINTS})
    assert wrong(report) == ["map/TensorArrayStack/TensorArrayGatherV3"]
    assert list(verdicts(report).values()).count("ok") == len(report.checks) - 1
