"""Recomputation: the same gradients to the last bit, in less memory."""

from __future__ import annotations

import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_properties import built, programs, quick

import retrograd
from retrograd import tf


def same(
    sess: Any, ys: Any, xs: list[Any], checkpoints: Any = "memory", feeds: Any = None, **options: Any
) -> list[Any]:
    """Check that recomputing changes no bit; gives the gradients."""
    mine = retrograd.checkpointed_gradients(ys, xs, checkpoints, **options)
    plain = tf.gradients(ys, xs, **options)
    assert [m is None for m in mine] == [p is None for p in plain]
    known = [(m, p) for m, p in zip(mine, plain, strict=True) if m is not None]
    for _ in range(5):  # also in the form that is specialised for the shapes of the feeds
        for m, p in sess.run(known, feeds):
            np.testing.assert_array_equal(m, p)
    return mine


@quick
@given(programs(), st.sampled_from(["memory", "speed", "some"]), st.data())
def test_no_bit_changes(recipe: Any, checkpoints: str, data: Any) -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x, bias = tf.placeholder(tf.float32, [2, 3]), tf.placeholder(tf.float32, [3])
        y = built(recipe, [x, bias])
        chosen: Any = checkpoints
        if checkpoints == "some":
            tensors = [t for op in graph.get_operations() for t in op.outputs if t.dtype.is_floating]
            chosen = data.draw(st.lists(st.sampled_from(tensors), max_size=4))
        feeds = {x: np.linspace(-1, 1, 6).reshape(2, 3), bias: [0.1, 0.2, 0.3]}
        same(sess, y, [x, bias], chosen, feeds)


def chain(layers: int, features: Any, width: int) -> tuple[Any, list[Any]]:
    """Layers of ``tanh``, as deep as is asked."""
    variables = []
    for i in range(layers):
        w = tf.Variable(np.random.RandomState(i).randn(width, width).astype(np.float32) / width**0.5)
        variables.append(w)
        features = tf.tanh(tf.matmul(features, w) + 0.1)
    return tf.reduce_mean(features**2), variables


def peak(sess: Any, target: Any, feeds: Any) -> int:
    """The most bytes that were alive at once in a run."""
    sess.run(target, feeds)
    tracemalloc.start()
    try:
        sess.run(target, feeds)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_of_a_deep_chain_grows_with_its_root() -> None:
    activation = 4 * 2000 * 16
    peaks = {}
    for layers in (50, 200):
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [2000, 16])
            loss, variables = chain(layers, x, 16)
            feeds = {x: np.random.RandomState(0).randn(2000, 16)}
            for name, dxs in (
                ("plain", tf.gradients(loss, variables)),
                ("kept", retrograd.checkpointed_gradients(loss, variables)),
            ):
                sess.run(tf.global_variables_initializer())
                peaks[name, layers] = peak(sess, tf.group(*dxs), feeds) / activation
    assert peaks["plain", 200] > 200
    assert peaks["kept", 200] < 2.5 * (3 * 200) ** 0.5  # three ops a layer
    assert peaks["kept", 200] < 2.5 * peaks["kept", 50]
    assert peaks["plain", 200] > 3.5 * peaks["plain", 50]


def test_every_op_runs_at_most_twice() -> None:
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [4, 8])
        loss, variables = chain(40, x, 8)
        before = sum(op.type == "MatMul" for op in graph.get_operations())
        tf.gradients(loss, variables)
        plain = sum(op.type == "MatMul" for op in graph.get_operations()) - before
        retrograd.checkpointed_gradients(loss, variables)
        mine = sum(op.type == "MatMul" for op in graph.get_operations()) - before - plain
        assert mine - plain <= before


def test_shared_weights_and_several_states() -> None:
    """An unrolled LSTM: two tensors cross every step."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [3, 20, 4])
        w = tf.get_variable(
            "w", initializer=np.random.RandomState(0).randn(9, 20).astype(np.float32), use_resource=True
        )
        h = c = tf.zeros([3, 5])
        for step in tf.unstack(x, axis=1):
            i, j, f, o = tf.split(tf.matmul(tf.concat([step, h], 1), w), 4, 1)
            c = c * tf.sigmoid(f) + tf.sigmoid(i) * tf.tanh(j)
            h = tf.tanh(c) * tf.sigmoid(o)
        sess.run(tf.global_variables_initializer())
        feeds = {x: np.random.RandomState(1).randn(3, 20, 4)}
        for checkpoints in ("memory", "speed"):
            same(sess, [h, c], [w, x], checkpoints, feeds, grad_ys=[tf.ones([3, 5]), 2.0 * tf.ones([3, 5])])


def test_random_numbers_are_drawn_once() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = y = tf.placeholder(tf.float32, [64])
        for _ in range(12):
            y = tf.nn.dropout(tf.sin(y) + x, rate=0.5)
        before = sum(op.type == "RandomUniform" for op in graph.get_operations())
        same(sess, y, [x], feeds={x: np.linspace(0, 1, 64)})
        assert sum(op.type == "RandomUniform" for op in graph.get_operations()) == before


def test_copies_wait_for_the_gradient() -> None:
    with tf.Graph().as_default() as graph:
        x = y = tf.placeholder(tf.float32, [4])
        for _ in range(50):
            y = tf.sin(y)
        retrograd.checkpointed_gradients(y, [x])
        copies = [op for op in graph.get_operations() if "recomputed/" in op.name and op.type == "Sin"]
        first = [op for op in copies if "recomputed/" not in op.inputs[0].op.name]
        assert len(first) >= 5
        assert all("Cos" in op.control_inputs[0].type or "_grad" in op.control_inputs[0].name for op in first)


def test_they_are_differentiable_again_and_can_be_applied() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [5, 3])
        loss, variables = chain(9, x, 3)
        mine = retrograd.checkpointed_gradients(loss, variables)
        plain = tf.gradients(loss, variables)
        again, wanted = (tf.gradients([tf.reduce_sum(g**2) for g in dxs], variables) for dxs in (mine, plain))
        train = tf.train.MomentumOptimizer(0.5, 0.9).apply_gradients(zip(mine, variables, strict=True))
        sess.run(tf.global_variables_initializer())
        feeds = {x: np.random.RandomState(0).randn(5, 3)}
        for m, p in zip(*sess.run([again, wanted], feeds), strict=True):
            np.testing.assert_allclose(m, p, rtol=1e-4, atol=1e-7)
        before = sess.run(loss, feeds)
        for _ in range(3):
            sess.run(train, feeds)
        assert sess.run(loss, feeds) < before


def test_options_of_gradients() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x, apart = tf.placeholder(tf.float32, [4]), tf.constant(1.0)
        middle = tf.sin(x)
        y = middle
        for _ in range(10):
            y = tf.sin(y) * middle
        dx, zero = same(
            sess, y, [x, apart], feeds={x: np.ones(4)}, stop_gradients=[middle], unconnected_gradients="zero",
            gate_gradients=True, name="backwards",
        )  # fmt: skip
        assert zero.shape == []
        assert dx is not None


def test_unknown_checkpoints() -> None:
    x = tf.constant(1.0)
    with pytest.raises(ValueError, match="must be 'memory', 'speed' or a list of tensors, got 'fast'") as caught:
        retrograd.checkpointed_gradients(x * x, [x], "fast")
    assert "checkpoints='memory'" in caught.value.__notes__[0]


def test_loops_are_kept_as_they_are() -> None:
    with tf.Graph().as_default(), tf.Session() as sess:
        x = y = tf.placeholder(tf.float32, [4])
        for _ in range(6):
            y = tf.while_loop(lambda i, _: i < 3, lambda i, h: (i + 1, tf.sin(h) * x), [0, tf.sin(y)])[1]
            y = tf.cond(y[0] > 0.1, lambda y=y: tf.tanh(y), lambda y=y: y + x) * 1.5
        same(sess, y, [x], feeds={x: np.linspace(0.1, 1, 4)})


def calls_of(function: Any) -> int:
    """How many Python functions ``function`` calls."""
    count = 0

    def counted(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    outer = sys.getprofile()
    sys.setprofile(counted)
    try:
        function()
    finally:
        sys.setprofile(outer)
    return count


@pytest.mark.parametrize("gradients", [tf.gradients, retrograd.checkpointed_gradients])
def test_a_graph_of_twice_the_length_takes_twice_as_long(gradients: Any) -> None:
    counts = []
    for length in (200, 400):
        with tf.Graph().as_default():
            x = y = tf.placeholder(tf.float32, [])
            for _ in range(length):
                y = tf.tanh(y * 1.01)
            counts.append(calls_of(lambda y=y, x=x: gradients(y, [x])))
    assert counts[1] < 2.1 * counts[0]
