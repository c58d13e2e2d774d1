"""What holds of any graph: properties, tried on graphs that nobody wrote."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrograd import tf
from retrograd.graph import shapes

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

UNARY = [tf.tanh, tf.sigmoid, tf.square, tf.negative, lambda t: tf.exp(-tf.square(t)), tf.nn.softplus, tf.identity]
BINARY = [tf.add, tf.subtract, tf.multiply, lambda a, b: a / (1.0 + tf.square(b))]


@st.composite
def programs(draw: Any) -> list[tuple[int, int, int]]:
    """A recipe: each line names a function and the two earlier results that it takes."""
    length = draw(st.integers(1, 8))
    functions = st.integers(0, len(UNARY) + len(BINARY) - 1)
    return [(draw(functions), draw(st.integers(0, i + 1)), draw(st.integers(0, i + 1))) for i in range(length)]


def built(recipe: list[tuple[int, int, int]], leaves: list[Any]) -> Any:
    """The last result of a recipe, as a graph or whatever the functions make of ``leaves``."""
    values = list(leaves)
    for function, i, j in recipe:
        if function < len(UNARY):
            values.append(UNARY[function](values[i]))
        else:
            values.append(BINARY[function - len(UNARY)](values[i], values[j]))
    return values[-1]


@quick
@given(programs(), st.floats(-2, 2), st.floats(-2, 2))
def test_gradients_are_linear_in_grad_ys(recipe: Any, a: float, b: float) -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.constant(np.linspace(-1.0, 1.0, 6).reshape(2, 3))
        bias = tf.constant([0.3, -0.2, 0.5], tf.float64)
        y = built(recipe, [x, bias])
        u, v = (tf.constant(np.random.RandomState(s).randn(*y.shape.as_list())) for s in (0, 1))

        def pulled(dy: Any) -> Any:
            return tf.gradients(y, [x], grad_ys=dy, unconnected_gradients="zero")[0]

        both, one, other = sess.run([pulled(a * u + b * v), pulled(u), pulled(v)])
    np.testing.assert_allclose(both, a * one + b * other, atol=1e-9)


@quick
@given(programs(), st.booleans())
def test_less_known_shapes_contain_better_known_ones(recipe: Any, rank_known: bool) -> None:
    with tf.Graph().as_default():
        known = built(recipe, [tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [3])])
        less = [None, 3] if rank_known else None
        vague = built(recipe, [tf.placeholder(tf.float32, less), tf.placeholder(tf.float32, [3])])
        assert known.shape.is_fully_defined()
        assert vague.shape.is_compatible_with(known.shape)


@quick
@given(programs())
def test_a_plan_gives_the_same_whenever_it_is_run(recipe: Any) -> None:
    """The general interpreter, and the one specialised for the shapes of the feeds."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x, bias = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        y = built(recipe, [x, bias])
        fetches = [y, *tf.gradients(y, [x, bias], unconnected_gradients="zero")]
        feeds = {x: np.linspace(-1, 1, 6).reshape(2, 3), bias: [0.1, 0.2, 0.3]}
        first = sess.run(fetches, feeds)
        for _ in range(5):
            for mine, theirs in zip(sess.run(fetches, feeds), first, strict=True):
                np.testing.assert_array_equal(mine, theirs)


@quick
@given(programs())
def test_graph_def_names_every_edge(recipe: Any) -> None:
    with tf.Graph().as_default() as graph:
        y = built(recipe, [tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [3])])
        tf.gradients(y, graph.get_operations()[0].outputs[0])
        nodes = graph.as_graph_def().node
        names = [node.name for node in nodes]
        assert names == [op.name for op in graph.get_operations()]
        for node in nodes:
            for edge in node.input:
                assert edge.lstrip("^").split(":")[0] in names


dims = st.none() | st.lists(st.none() | st.integers(0, 3), max_size=4).map(tuple)


@quick
@given(dims, dims)
def test_broadcast_is_symmetric_and_right_where_all_is_known(a: Any, b: Any) -> None:
    def attempt(x: Any, y: Any) -> Any:
        try:
            return shapes.broadcast(x, y)
        except ValueError:
            return "incompatible"

    result = attempt(a, b)
    assert result == attempt(b, a)
    if shapes.is_known(a) and shapes.is_known(b):
        try:
            want: Any = np.broadcast_shapes(a, b)
        except ValueError:
            want = "incompatible"
        assert result == want
