"""``retrograd.why_none`` names what a derivative does not pass, where it was built, and the mend."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrograd
from retrograd import tf
from retrograd.grad import registry


@pytest.fixture(autouse=True)
def graph(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(registry, "REGISTERED", dict(registry.REGISTERED))
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def x() -> Any:
    return tf.placeholder(tf.float32, [3], name="x")


def answer(y: Any, x: Any, **kwargs: Any) -> str:
    """What is said, after making sure that it is true, and that asking built nothing."""
    before = len(tf.get_default_graph().get_operations())
    text = retrograd.why_none(y, x, **kwargs)
    assert len(tf.get_default_graph().get_operations()) == before
    assert (tf.gradients(y, x, **kwargs)[0] is None) == ("is None" in text)
    return text


def built_here(text: str) -> list[int]:
    """The lines of this file that are named."""
    return [int(n) for n in re.findall(rf"Where: {re.escape(str(Path(__file__)))}:(\d+)", text)]


BLOCKED = {
    "stop_gradient": (tf.stop_gradient, "StopGradient", "where its derivative is wanted"),
    "round": (tf.round, "Round", "straight through it"),
    "floor": (tf.floor, "Floor", "x + tf.stop_gradient("),
    "cast": (lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), "Cast", "stay in floats"),
    "argmax": (lambda x: tf.gather([1.0, 2.0, 3.0], tf.argmax(x)), "ArgMax", "tf.nn.softmax"),
    "comparison": (lambda x: tf.cast(x > 1.0, tf.float32), "Greater", "tf.sigmoid"),
    "py_func": (lambda x: tf.py_func(np.cos, [x], tf.float32), "PyFunc", "gradient_override_map"),
    "size": (lambda x: tf.cast(tf.size(tf.boolean_mask(x, [True, False, True])), tf.float32), "Size", "use the values"),
}


@pytest.mark.parametrize("name", BLOCKED)
def test_an_obstacle_is_named(x: Any, name: str) -> None:
    build, op_type, mend = BLOCKED[name]
    h = tf.multiply(x, 2.0, name="h")
    y = tf.reduce_sum(build(h), name="y")
    text = answer(y, x)
    assert text.startswith("tf.gradients(y, x) is None\n  Why:   'y' depends on 'x' by  x -> h -> ")
    assert f"(op type: {op_type})" in text
    assert mend in text
    assert built_here(text)


def test_it_is_printed(x: Any, capsys: pytest.CaptureFixture[str]) -> None:
    text = retrograd.why_none(tf.round(x), x)
    assert capsys.readouterr().out == text + "\n"


def test_the_line_is_the_users(x: Any) -> None:
    h = tf.round(x)  # this line
    text = answer(h * 2.0, x)
    lines = Path(__file__).read_text().splitlines()
    assert [lines[n - 1].strip() for n in built_here(text)] == ["h = tf.round(x)  # this line"]


def test_stop_gradients(x: Any) -> None:
    h = tf.identity(x, name="h")
    text = answer(h * 2.0, x, stop_gradients=[h])
    assert "no derivative passes 'h' (op type: Identity): it is in stop_gradients" in text
    assert "leave 'h' out of stop_gradients=[...]" in text


def test_what_a_program_says_is_not_differentiable(x: Any) -> None:
    tf.NotDifferentiable("NothingForWhyNone")
    with tf.get_default_graph().gradient_override_map({"Square": "NothingForWhyNone"}):
        y = tf.square(x)
    assert f'tf.NotDifferentiable("Square") says so at {__file__}:' in answer(y, x)


def test_a_custom_gradient_that_gives_none(x: Any) -> None:
    y = tf.custom_gradient(lambda x: (x * 2.0, lambda dy: None))(x)
    assert "its gradient function gives None for 'x'" in answer(y, x)


def test_the_way_with_the_fewest_obstacles_is_told(x: Any) -> None:
    y = tf.floor(tf.round(tf.sign(x))) + tf.ceil(x, name="only")
    text = answer(y, x)
    assert "'only' (op type: Ceil)" in text
    assert "Round" not in text


def test_all_obstacles_of_a_way_are_told(x: Any) -> None:
    text = answer(tf.floor(tf.stop_gradient(tf.round(x))), x)
    assert re.findall(r"op type: (\w+)", text) == ["Floor", "StopGradient", "Round"]


def test_integers() -> None:
    i = tf.placeholder(tf.int32, name="i")
    assert "'i' (op type: Placeholder): it is int32, and only floating numbers vary" in answer(tf.to_float(i), i)


def test_no_way(x: Any) -> None:
    sine, cosine = tf.sin(x), tf.cos(x)
    text = answer(sine, cosine)
    assert "'Sin' does not depend on 'Cos'; the nearest op that both come from is 'x' (op type: Placeholder)" in text
    assert "tf.gradients(Sin, x)" in text
    assert tf.gradients(sine, x)[0] is not None


def test_nothing_in_common(x: Any) -> None:
    assert "they have no op in common" in answer(tf.constant(2.0), x)


def test_the_other_way_round(x: Any) -> None:
    y = tf.exp(x)
    text = answer(x, y)
    assert "it is the other way round:  x -> Exp" in text
    assert "Fix:   tf.gradients(Exp, x)" in text


def test_another_output() -> None:
    a, b = tf.split(tf.placeholder(tf.float32, [2]), 2)
    assert "the nearest op that both come from is 'split'" in answer(a * 2.0, b)


def test_control_dependencies_carry_nothing(x: Any) -> None:
    with tf.control_dependencies([x * 3.0]):
        y = tf.identity(2.0)
    assert "it only waits for it" in answer(y, x)


@pytest.mark.parametrize("use_resource", [False, True])
def test_values_of_variables_carry_nothing(x: Any, use_resource: bool) -> None:
    v = tf.get_variable("v", [3], use_resource=use_resource)
    write = v.assign(x * 2.0, name="keep")
    assert "through the variable 'v', which 'keep' writes" in answer(v * 1.0, x)
    assert write is not None


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables(use_resource: bool) -> None:
    v = tf.get_variable("v", [3], use_resource=use_resource)
    assert "'Round' depends on 'v' by  v -> " in answer(tf.round(v), v)


def test_graphs_apart(x: Any) -> None:
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")
    assert "'x' and 'other' are of different graphs" in retrograd.why_none(x, other)


def test_a_gradient_that_is_there(x: Any) -> None:
    text = answer(tf.sin(x) + tf.round(x), x)
    assert text == "tf.gradients(add, x) is not None\n  Why:   the derivative passes  x -> Sin -> add"


def test_a_long_way_is_cut(x: Any) -> None:
    y = x
    for i in range(60):
        y = tf.floor(y) if i == 30 else tf.sin(y)
    text = answer(y, x)
    assert "x -> Sin -> ... -> Sin_29 -> Floor -> Sin_30 -> ... -> Sin_57 -> Sin_58" in text


def test_the_straight_through_mend_mends(x: Any) -> None:
    y = x + tf.stop_gradient(tf.round(x) - x)
    with tf.Session() as sess:
        value, (dx,) = sess.run([y, tf.gradients(y, x)], {x: [0.2, 0.7, 1.6]})
    assert value.tolist() == pytest.approx([0.0, 1.0, 2.0])
    assert dx.tolist() == [1.0, 1.0, 1.0]


def test_minimize_tells_of_the_nearest_variable() -> None:
    a, b = tf.Variable(1.0, name="a"), tf.Variable(1.0, name="b")
    loss = tf.round(tf.floor(a)) + tf.stop_gradient(b, name="stopped")
    with pytest.raises(ValueError, match="No gradients provided") as caught:
        tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    (note,) = caught.value.__notes__
    assert "b -> b/read -> stopped -> add" in note
    assert "Floor" not in note
    assert built_here(note)


def test_the_answer_through_branches_and_loops(x: Any) -> None:
    y = tf.cond(x[0] > 0.0, lambda: tf.round(x, name="rounded"), lambda: tf.stop_gradient(x))
    assert "/rounded" in answer(y, x) or "StopGradient" in answer(y, x)
    loop = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.floor(v)), [0, x])[1]
    assert "is not None" in answer(loop, x)  # no derivative passes Floor, but there may be no iteration


def test_the_error_of_a_missing_gradient_tells_the_way(x: Any) -> None:
    bits = tf.bitcast(tf.identity(x, name="h"), tf.float32, name="bits")
    y = tf.reduce_sum(bits, name="y")
    with pytest.raises(LookupError, match="No gradient defined for operation 'bits'") as caught:
        tf.gradients([tf.sin(x), y], [tf.constant(1.0), x])
    (note,) = caught.value.__notes__
    assert "'y' depends on 'x' through it:  x -> h -> bits -> y\n" in note
    rows = re.findall(r"(\w+) +(\S+):(\d+), in", note)
    assert [row[0] for row in rows] == ["x", "h", "bits", "y"]
    assert {row[1] for row in rows} == {__file__}
    assert '@tf.RegisterGradient("Bitcast")' in note
