"""Loops and their bodies that XLA computes while the interpreter goes through the rest: runs that differ in length."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

from retrograd import tf
from retrograd.run import bodies, program, whole_loops
from retrograd.run.program import Program

LENGTHS = [5, 8, 3, 11, 6, 9]  # of which none comes twice, so that the plan as a whole stays interpreted


@pytest.fixture(autouse=True, params=["bodies", "wholes"])
def soon(request: pytest.FixtureRequest) -> Iterator[str]:
    """Computations take over from the third call of a body on, or from the second of a loop."""
    with (
        mock.patch.object(program, "BODY", program.Role(0.0, 0.0, 0, waits=False)),
        mock.patch.multiple(whole_loops, _PATIENCE=0, _PATIENCE_OF_OP=0, _SOONEST=2),
    ):
        if request.param == "wholes":
            yield request.param
        else:
            with mock.patch.object(program, "whole_loop", return_value=None):
                yield request.param


def runs(mode: str, build: Callable[[], tuple[Any, Callable[[int], dict[Any, Any]]]]) -> list[Any]:
    with tf.Graph().as_default(), mock.patch.dict(os.environ, RETROGRAD_JIT=mode):
        tf.set_random_seed(3)
        fetches, feeds = build()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            results = [sess.run(fetches, feeds(n)) for n in LENGTHS]
            return [*results, sess.run(tf.trainable_variables())]


def computed_bodies() -> int:
    """How many bodies, and how many loops, have computations by now."""
    programs = [x for x in gc.get_objects() if isinstance(x, Program) and x.role is program.BODY]
    loops = [x for x in gc.get_objects() if isinstance(x, whole_loops.ComputedLoop)]
    return sum(x.tier == "XLA" for x in programs) + len(loops)


def same(build: Callable[[], Any]) -> None:
    gc.collect()
    before = computed_bodies()
    one = runs("auto", build)
    assert computed_bodies() > before
    again, other = runs("auto", build), runs("never", build)
    for a, b, c in zip(*map(tf.contrib.framework.nest.flatten, (one, again, other)), strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_allclose(a, c, rtol=2e-5, atol=1e-6)


def batch(n: int) -> np.ndarray:
    return np.random.RandomState(n).randint(0, 20, (4, n)).astype(np.int32)


def test_a_network_is_trained_on_sentences_of_any_length() -> None:
    def build() -> Any:
        words, lengths = tf.placeholder(tf.int32, [None, None]), tf.placeholder(tf.int32, [None])
        embedded = tf.nn.embedding_lookup(tf.get_variable("words", [20, 6]), words)
        cells = [tf.nn.rnn_cell.BasicLSTMCell(5), tf.nn.rnn_cell.GRUCell(5)]
        outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), embedded, lengths, dtype=tf.float32)
        logits = tf.layers.dense(outputs, 20)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
        step = tf.train.AdamOptimizer(0.01).minimize(loss)
        with tf.control_dependencies([step]):
            done = tf.constant(True)
        return [loss, state, done], lambda n: {words: batch(n), lengths: [n, n - 1, n - 2, 1]}

    same(build)


def test_noise_in_a_loop() -> None:
    def build() -> Any:
        words = tf.placeholder(tf.int32, [None, None])
        cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(5), 0.7, 0.8, 0.9)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.one_hot(words, 20), dtype=tf.float32)
        loss = tf.reduce_sum(tf.square(outputs))
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.01).minimize(loss)]):
            return [loss, tf.constant(True)], lambda n: {words: batch(n)}

    same(build)


def test_a_decoder_that_reads_what_it_wrote() -> None:
    def build() -> Any:
        cell, first = tf.nn.rnn_cell.GRUCell(6), tf.placeholder(tf.int32, [None, None])
        table, scores = tf.get_variable("words", [20, 6]), tf.layers.Dense(20)
        length = tf.shape(first)[1]
        scores.build(tf.TensorShape([None, 6]))

        def step(i: Any, word: Any, state: Any, said: Any) -> Any:
            output, state = cell(tf.nn.embedding_lookup(table, word), state)
            word = tf.argmax(scores(tf.tanh(output) * 0.5 + output), 1, output_type=tf.int32)
            state = tf.cond(tf.equal(i % 3, 0), lambda: state * 0.5, lambda: state)
            return i + 1, word, state, said.write(i, word)

        start = (0, first[:, 0], cell.zero_state(4, tf.float32), tf.TensorArray(tf.int32, length))
        _, _, state, said = tf.while_loop(lambda i, *_: i < length, step, start)
        return [state, said.stack()], lambda n: {first: batch(n)}

    same(build)


def test_what_fails_in_a_loop_changes_nothing() -> None:
    with tf.Graph().as_default(), mock.patch.dict(os.environ, RETROGRAD_JIT="auto"):
        x, last = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32)
        total = tf.Variable(tf.zeros([3]))

        def step(i: Any, value: Any) -> Any:
            value = tf.tanh(value * 2.0 + tf.sin(value) - tf.cos(value) * 0.25)
            return i + 1, value + tf.gather(x, i)

        _, value = tf.while_loop(lambda i, _: i < last, step, (0, total + 0.0))
        added = total.assign_add(value)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for n in LENGTHS:
                sess.run(added, {x: np.ones((n, 3)), last: n})
            before = sess.run(total)
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[?\]? = 2 is not in \[0, 2\)"):
                sess.run(added, {x: np.ones((2, 3)), last: 7})
            np.testing.assert_array_equal(sess.run(total), before)


def test_a_choice_of_constants_waits_for_its_predicate() -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder_with_default([1.0, -2.0, 3.0], [3])

        def body(i, total):
            skipped = tf.cond(x[i] < 0, lambda: True, lambda: False)
            return i + 1, tf.cond(skipped, lambda: total, lambda: total + x[i])

        assert session.run(tf.while_loop(lambda i, _: i < 3, body, (0, 0.0))) == (3, 4.0)


def test_a_loop_goes_on_for_longer_than_it_was_compiled_for() -> None:
    def build() -> Any:
        x, weights = tf.placeholder(tf.float32, [None, 3]), tf.get_variable("w", [3, 3])

        def step(i: Any, state: Any, said: Any) -> Any:
            state = tf.tanh(tf.matmul(state, weights) + x[0]) * 0.9 + state * tf.sigmoid(state)
            return i + 1, state, said.write(i, state)

        said = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[1, 3])
        _, state, said = tf.while_loop(lambda i, *_: i < 8 * tf.shape(x)[0], step, (0, tf.zeros([1, 3]), said))
        rows = said.stack()
        loss = tf.reduce_sum(tf.square(rows)) + tf.reduce_sum(state)
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.001).minimize(loss)]):
            return [loss, rows, tf.constant(True)], lambda n: {x: np.linspace(-1, 1, 3 * n).reshape(n, 3)}

    same(build)


def test_a_loop_writes_no_more_elements_than_there_are() -> None:
    with tf.Graph().as_default(), mock.patch.dict(os.environ, RETROGRAD_JIT="auto"):
        x, bound = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.int32, [])
        given = tf.TensorArray(tf.float32, tf.shape(x)[0], clear_after_read=False).unstack(x)

        def step(i: Any, made: Any) -> Any:
            row = given.read(tf.minimum(i, tf.shape(x)[0] - 1))
            return i + 1, made.write(i, tf.tanh(row * 2.0 + tf.sin(row) - tf.cos(row) * 0.25))

        _, made = tf.while_loop(lambda i, _: i < bound, step, (0, tf.TensorArray(tf.float32, tf.shape(x)[0])))
        rows = made.stack()
        with tf.Session() as sess:
            for n in LENGTHS:
                assert sess.run(rows, {x: np.ones((n, 3)), bound: n}).shape == (n, 3)
            message = "Tried to write to index 6 but array is not resizeable and size is: 6"
            with pytest.raises(tf.errors.InvalidArgumentError, match=message):
                sess.run(rows, {x: np.ones((6, 3)), bound: 7})


def test_what_a_gradient_loop_computes_inside_cannot_be_fetched_of_an_imported_graph():
    """TensorFlow has contexts to say so of a graph that was built, and none of one that was imported."""
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [None, 2], "x")
        tf.gradients(tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), [0, x])[1], x)
    with tf.Graph().as_default() as imported, tf.Session() as sess:
        tf.import_graph_def(graph.as_graph_def(), name="")
        inside = [op for op in imported.get_operations() if op.name.startswith("gradients/while/mul_grad/Sum")]
        assert inside
        for op in inside:
            with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
                sess.run(op.outputs[0], {"x:0": [[1.0, 2.0]]})


def test_a_loop_in_a_loop() -> None:
    def build() -> Any:
        x, weights = tf.placeholder(tf.float32, [None, 3]), tf.get_variable("w", [3, 3])

        def step(i: Any, state: Any) -> Any:
            start = (0, state)
            _, inner = tf.while_loop(
                lambda j, _: j < 2, lambda j, u: (j + 1, tf.tanh(tf.matmul(u, weights)) + u), start
            )
            return i + 1, inner * tf.sigmoid(inner) + tf.gather(x, [i]) * 0.1

        _, state = tf.while_loop(lambda i, _: i < tf.shape(x)[0], step, (0, tf.ones([1, 3])))
        loss = tf.reduce_sum(tf.square(state))
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.001).minimize(loss)]):
            return [loss, tf.constant(True)], lambda n: {x: np.linspace(-1, 1, 3 * n).reshape(n, 3)}

    runs("auto", build)
    for one, other in zip(runs("auto", build), runs("never", build), strict=True):
        np.testing.assert_allclose(one[0], other[0], rtol=2e-5, atol=1e-6)


def test_a_body_knows_what_follows_from_constants() -> None:
    """A size that is looked up in the loop shapes a result, as in the gradient of ``top_k``."""

    def build() -> Any:
        x = tf.placeholder(tf.float32, [3, None, 4])
        w = tf.get_variable("w", [4])

        def body(i: Any, s: Any) -> Any:
            zero = tf.constant(0)
            for _ in range(40):  # each is read twice
                zero = zero + zero
            size = tf.gather(tf.constant([2, 4]), tf.constant(2) - tf.constant(1) + zero)
            return i + 1, tf.tanh(s * tf.sigmoid(x[:, i] * w) + tf.cast(tf.range(size), tf.float32))

        _, s = tf.while_loop(lambda i, _: i < tf.shape(x)[1], body, [0, tf.zeros([3, 4])])
        loss = tf.reduce_sum(s * s)
        return [loss, tf.gradients(loss, w)[0]], lambda n: {x: np.random.RandomState(n).randn(3, n, 4)}

    made: list[bodies.Body] = []
    make = bodies.Bodies._body

    def kept(*given: Any) -> bodies.Body:
        made.append(make(*given))
        return made[-1]

    with mock.patch.object(bodies.Bodies, "_body", kept):
        same(build)
    assert made
    assert not any(t.name == "while/sub:0" for body in made for t in body.plan.feeds)
