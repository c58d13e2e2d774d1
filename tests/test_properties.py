"""What holds of any graph: properties, tried on graphs that nobody wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from retrograd import tf
from retrograd.graph import shapes

quick = settings(max_examples=40)

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


# -- against JAX, and against themselves -------------------------------------------------------

MATRIX = np.random.RandomState(5).randn(3, 3)


def rows(n: int) -> list[int]:
    return [(3 * i + 1) % n for i in range(n)]


def size(t: Any) -> int:
    return int(t.shape[0])


def looped(n: int, step: Callable[[Any], Any], first: Any) -> Any:
    return tf.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, step(h)), (0, first))[1]


def repeated(n: int, step: Callable[[Any], Any], h: Any) -> Any:
    for _ in range(n):
        h = step(h)
    return h


def branched(t: Any, one: Callable[[Any], Any], other: Callable[[Any], Any]) -> Any:
    return tf.cond(tf.reduce_sum(t) > 0.0, lambda: one(t), lambda: other(t))


# The same function of a tensor, or of two that broadcast, in TensorFlow's words and in JAX's; the last dimension is 3.
PAIRS: list[tuple[int, Callable[..., Any], Callable[..., Any]]] = [
    (1, tf.tanh, lambda j, t: j.tanh(t)),
    (1, tf.nn.softsign, lambda j, t: t / (1 + j.abs(t))),
    (1, tf.nn.relu, lambda j, t: j.maximum(t, 0)),
    (1, lambda t: tf.exp(-tf.square(t)), lambda j, t: j.exp(-j.square(t))),
    (1, lambda t: tf.log(1.5 + tf.sin(t)), lambda j, t: j.log(1.5 + j.sin(t))),
    (1, lambda t: tf.sqrt(1.0 + tf.square(t)), lambda j, t: j.sqrt(1 + t * t)),
    (1, lambda t: tf.nn.softmax(t), lambda j, t: j.exp(t) / j.exp(t).sum(-1, keepdims=True)),
    (1, lambda t: tf.cumsum(t, -1), lambda j, t: j.cumsum(t, -1)),
    (1, lambda t: tf.reverse(t, [-1]), lambda j, t: t[..., ::-1]),
    (1, lambda t: tf.gather(t, rows(size(t))), lambda j, t: t[j.array(rows(size(t)))]),
    (1, lambda t: tf.gather(t, [2, 0, 2], axis=-1), lambda j, t: t[..., j.array([2, 0, 2])]),
    (1, lambda t: tf.concat([t[..., 1:], t[..., :1]], -1), lambda j, t: j.concatenate([t[..., 1:], t[..., :1]], -1)),
    (1, lambda t: tf.tensordot(t, MATRIX, 1), lambda j, t: j.tensordot(t, MATRIX, 1)),
    (1, lambda t: t - tf.reduce_mean(t, -1, keepdims=True), lambda j, t: t - t.mean(-1, keepdims=True)),
    (1, lambda t: t * tf.reduce_max(t, -1, keepdims=True), lambda j, t: t * t.max(-1, keepdims=True)),
    (1, lambda t: t * tf.stop_gradient(tf.sigmoid(t)), lambda j, t: t * constant(1 / (1 + j.exp(-t)))),
    (2, tf.add, lambda j, a, b: a + b),
    (2, tf.multiply, lambda j, a, b: a * b),
    (2, lambda a, b: a / (1.0 + tf.square(b)), lambda j, a, b: a / (1 + b * b)),
    (2, lambda a, b: tf.where_v2(a > b, tf.sin(a), b), lambda j, a, b: j.where(a > b, j.sin(a), b)),
    (2, lambda a, b: tf.pow(tf.abs(a) + 1.0, b), lambda j, a, b: (j.abs(a) + 1) ** b),
    (2, lambda a, b: tf.squared_difference(a, b), lambda j, a, b: (a - b) ** 2),
    (
        1,
        lambda t: looped(3, lambda h: tf.tanh(h + t), t),
        lambda j, t: repeated(3, lambda h: j.tanh(h + t), t),
    ),
    (
        1,
        lambda t: branched(t, tf.sin, lambda u: u * tf.square(u)),
        lambda j, t: j.where(t.sum() > 0, j.sin(t), t**3),
    ),
    (
        1,
        lambda t: looped(2, lambda h: branched(h, lambda u: tf.sin(u) - 1.0, lambda u: u * t + 0.5), t),
        lambda j, t: repeated(2, lambda h: j.where(h.sum() > 0, j.sin(h) - 1, h * t + 0.5), t),
    ),
    (1, lambda t: tf.scan(lambda a, u: tf.sin(a) + u, t), lambda j, t: scanned(j, t)),
    (
        2,
        lambda a, b: tf.while_loop(lambda c: tf.reduce_sum(c * c) < 50, lambda c: c + 1.0 + b * b, [a + b]),
        lambda j, a, b: grown(j, a, b),
    ),
]


def scanned(j: Any, t: Any) -> Any:
    rows = [t[0]]
    for row in t[1:]:
        rows.append(j.sin(rows[-1]) + row)
    return j.stack(rows)


def grown(j: Any, a: Any, b: Any) -> Any:
    c = a + b
    while j.sum(constant(c * c)) < 50:
        c = c + 1 + b * b
    return c


def constant(value: Any) -> Any:
    from jax import lax

    return lax.stop_gradient(value)


@st.composite
def functions(draw: Any) -> list[tuple[int, int, int]]:
    """A recipe over ``PAIRS``."""
    length = draw(st.integers(1, 7))
    return [(draw(st.integers(0, len(PAIRS) - 1)), *(draw(st.integers(0, i + 1)) for _ in "ij")) for i in range(length)]


def in_tensorflow(recipe: Any, leaves: list[Any], seen: Callable[[int, Any], Any] = lambda i, t: t) -> list[Any]:
    """The leaves and the results of a recipe, each as ``seen(place, tensor)``."""
    values = [seen(i, leaf) for i, leaf in enumerate(leaves)]
    for function, *places in recipe:
        count, make, _ = PAIRS[function]
        values.append(seen(len(values), make(*(values[i] for i in places[:count]))))
    return values


def in_jax(recipe: Any, *leaves: Any) -> Any:
    """A number that depends on all results of a recipe."""
    import jax.numpy as jnp

    values = list(leaves)
    for function, *places in recipe:
        count, _, make = PAIRS[function]
        values.append(make(jnp, *(values[i] for i in places[:count])))
    return sum(jnp.sum(value * (1 + 0.1 * i)) for i, value in enumerate(values[2:]))


def summed(values: list[Any]) -> Any:
    return tf.add_n([tf.reduce_sum(value * (1 + 0.1 * i)) for i, value in enumerate(values[2:])])


LEAVES = [np.random.RandomState(1).randn(2, 3), np.random.RandomState(2).randn(3)]


@settings(quick, max_examples=25)
@given(functions())
def test_gradients_are_those_of_jax(recipe: Any) -> None:
    import jax

    with tf.Graph().as_default(), tf.Session() as sess, jax.enable_x64(True):
        xs = [tf.constant(leaf) for leaf in LEAVES]
        got = sess.run(dense(tf.gradients(summed(in_tensorflow(recipe, xs)), xs, unconnected_gradients="zero")))
        want = jax.grad(lambda *leaves: in_jax(recipe, *leaves), (0, 1))(*LEAVES)
    for mine, theirs in zip(got, want, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-8)


@settings(quick, max_examples=10)
@given(functions())
def test_second_derivatives_are_those_of_jax(recipe: Any) -> None:
    """Of the product of the gradient and a constant: one row's worth of the Hessian."""
    import jax

    vs = [np.cos(leaf) for leaf in LEAVES]

    def along(*leaves: Any) -> Any:
        slopes = jax.grad(lambda *at: in_jax(recipe, *at), (0, 1))(*leaves)
        return sum((slope * v).sum() for slope, v in zip(slopes, vs, strict=True))

    with tf.Graph().as_default(), tf.Session() as sess, jax.enable_x64(True):
        xs = [tf.constant(leaf) for leaf in LEAVES]
        slopes = dense(tf.gradients(summed(in_tensorflow(recipe, xs)), xs, unconnected_gradients="zero"))
        y = tf.add_n([tf.reduce_sum(slope * v) for slope, v in zip(slopes, vs, strict=True)])
        got = sess.run(dense(tf.gradients(y, xs, unconnected_gradients="zero")))
        want = jax.grad(along, (0, 1))(*LEAVES)
    for mine, theirs in zip(got, want, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-7)


@quick
@given(functions(), st.sets(st.integers(0, 8), max_size=4))
def test_stop_gradients_is_stop_gradient_at_each(recipe: Any, places: set[int]) -> None:
    """With respect to the leaves and to whatever is in between."""
    with tf.Graph().as_default(), tf.Session() as sess:
        leaves = [tf.constant(leaf) for leaf in LEAVES]
        values = in_tensorflow(recipe, leaves)
        stops = [value for i, value in enumerate(values) if i in places]
        by_argument = tf.gradients(summed(values), values, stop_gradients=stops, unconnected_gradients="zero")
        stopped = in_tensorflow(recipe, leaves, lambda i, t: tf.stop_gradient(t) if i in places else t)
        by_op = tf.gradients(summed(stopped), stopped, unconnected_gradients="zero")
        for mine, theirs in zip(sess.run(dense(by_argument)), sess.run(dense(by_op)), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


def dense(gradients: list[Any]) -> list[Any]:
    return [tf.convert_to_tensor(g) for g in gradients]


@quick
@given(functions())
def test_aggregation_methods_agree(recipe: Any) -> None:
    methods = tf.AggregationMethod
    with tf.Graph().as_default(), tf.Session() as sess:
        xs = [tf.constant(leaf) for leaf in LEAVES]
        y = summed(in_tensorflow(recipe, xs))
        found = [
            tf.gradients(y, xs, aggregation_method=method, unconnected_gradients="zero")
            for method in (methods.ADD_N, methods.EXPERIMENTAL_TREE, methods.EXPERIMENTAL_ACCUMULATE_N, None)
        ]
        first, *others = sess.run([dense(each) for each in found])
    for other in others:
        for mine, theirs in zip(other, first, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


# -- of graphs and plans -----------------------------------------------------------------------


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
