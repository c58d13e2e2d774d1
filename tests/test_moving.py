"""Steps that take more than static shapes: slices at traced places, reads that a branch leaves out, ops of the host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from test_tiers import session

from retrograd import tf
from retrograd.run.compiled import Compiled
from retrograd.run.program import Parts

X = np.arange(24.0).reshape(4, 6)


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield


def tiers(sess: Any, fetch: Any) -> list[type]:
    """What runs ``fetch`` by now, for each kind of feeds."""
    programs = [program for _, program in sess._prepared.values() if fetch in program.plan.fetches]
    return [type(kind.compiled) for program in programs for kind in program.kinds.values()]


SLICES: list[Callable[..., Any]] = [
    lambda x, i, j: x[i],
    lambda x, i, j: x[i, j],
    lambda x, i, j: x[:, j],
    lambda x, i, j: x[..., j],
    lambda x, i, j: x[i, 1:3],
    lambda x, i, j: x[-1 - i, ::-2],
    lambda x, i, j: x[i, tf.newaxis, 1:],
    lambda x, i, j: tf.slice(x, [i, 0], [2, -1]),
    lambda x, i, j: tf.slice(x, tf.stack([i, j]), [1, 3]),
    lambda x, i, j: tf.convert_to_tensor(tf.gradients(x[i] ** 2, x)[0]),
    lambda x, i, j: tf.gradients(x[:, j] ** 3, x)[0],
    lambda x, i, j: tf.slice(x, [0, j], [tf.shape(x)[0] - 1, 2]),
]


@pytest.mark.parametrize("take", SLICES)
def test_one_computation_slices_anywhere(take: Callable[..., Any]) -> None:
    x = tf.Variable(X)
    i, j = (tf.placeholder(tf.int32, []) for _ in "ij")
    y = take(x, i, j) * 1.0
    seen, errors = [], []
    for mode in ("never", "always"):
        with session(mode) as sess:
            sess.run(x.initializer)
            seen.append([sess.run(y, {i: a, j: b}) for a, b in ((0, 1), (1, 3), (2, 2))])
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                sess.run(y, {i: 8, j: 8})
            errors.append(str(caught.value).split("\n")[0])
            assert mode == "never" or tiers(sess, y) == [Compiled]
    for one, two in zip(*seen, strict=True):
        np.testing.assert_array_equal(one, two)
    assert errors[0] == errors[1]


def test_a_length_that_follows_from_a_value_is_a_kind_of_its_own() -> None:
    n = tf.placeholder(tf.int32, [])
    y = tf.constant(X)[:n] * 2.0
    with session("always") as sess:
        for k in (1, 3, 2):
            np.testing.assert_array_equal(sess.run(y, {n: k}), 2 * X[:k])


def test_a_decoder_that_is_fed_its_targets_is_one_computation() -> None:
    """Its last step would read an input behind the last one, in a branch that is not taken."""
    from retrograd.tf.contrib import seq2seq

    tokens = tf.placeholder(tf.int32, [None, 5])
    table = tf.get_variable("table", [11, 4], initializer=tf.random_uniform_initializer(-1, 1, seed=3))
    cell = tf.nn.rnn_cell.GRUCell(4, kernel_initializer=tf.random_uniform_initializer(-1, 1, seed=4))
    helper = seq2seq.TrainingHelper(tf.nn.embedding_lookup(table, tokens), tf.fill([3], 5))
    decoder = seq2seq.BasicDecoder(cell, helper, cell.zero_state(3, tf.float32))
    outputs = seq2seq.dynamic_decode(decoder)[0].rnn_output
    loss = tf.reduce_mean(outputs**2)
    step = tf.train.AdamOptimizer(0.1).minimize(loss)
    fed = {tokens: np.arange(15).reshape(3, 5) % 11}
    seen = []
    for mode in ("never", "always"):
        with session(mode) as sess:
            sess.run(tf.global_variables_initializer())
            seen.append([sess.run([step, loss], fed)[1] for _ in range(4)])
            assert mode == "never" or tiers(sess, loss) == [Compiled]
    np.testing.assert_allclose(*seen, rtol=1e-5)


def masked(x: Any) -> Any:
    return tf.reduce_sum(tf.boolean_mask(x, x[:, 0] > 0.1) ** 2)


def sampled(x: Any) -> Any:
    table, bias = tf.get_variable("table", [50, 4]), tf.get_variable("bias", [50])
    labels = tf.constant([[1], [2], [3]], tf.int64)
    draws = tf.nn.log_uniform_candidate_sampler(labels, 1, 8, True, 50, seed=5)
    return tf.reduce_mean(tf.nn.nce_loss(table, bias, labels, x, 8, 50, sampled_values=draws))


def doubled(x: Any) -> Any:
    (y,) = tf.py_func(lambda a: [2 * a], [tf.tanh(x)], [tf.float32])
    return tf.reduce_sum((x - tf.reshape(y, [3, 4])) ** 2)


@pytest.mark.parametrize("loss_of", [masked, sampled, doubled])
def test_an_op_of_the_interpreter_splits_a_step_of_adam(loss_of: Callable[[Any], Any]) -> None:
    with tf.variable_scope("net", initializer=tf.random_uniform_initializer(-1, 1, seed=2)):
        x = tf.get_variable("x", [3, 4])
        loss = loss_of(x)
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    seen = []
    for mode in ("never", "always"):
        with session(mode) as sess:
            sess.run(tf.global_variables_initializer())
            losses = [sess.run([step, loss])[1] for _ in range(5)]
            seen.append([*losses, *np.ravel(sess.run(x))])
            assert mode == "never" or tiers(sess, loss) == [Parts]
    np.testing.assert_allclose(*seen, rtol=1e-4)


@pytest.mark.parametrize("name", ["uniform", "log_uniform", "learned_unigram", "fixed_unigram"])
def test_a_range_of_classes_holds_all_that_are_to_be_different(name):
    more = {"unigrams": [5.0, 4.0, 3.0]} if name == "fixed_unigram" else {}
    sampler = getattr(tf.nn, f"{name}_candidate_sampler")
    with tf.Graph().as_default(), tf.Session() as running:
        labels = tf.constant([[1]], tf.int64)
        assert sorted(running.run(sampler(labels, 1, 3, True, 3, **more)).sampled_candidates) == [0, 1, 2]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Sampler's range is too small"):
            running.run(sampler(labels, 1, 4, True, 3, **more))


def test_a_class_beyond_the_counted_ones_is_never_expected():
    with tf.Graph().as_default(), tf.Session() as running:
        labels = tf.constant([[0], [2], [7], [-1]], tf.int64)
        drawn = tf.nn.fixed_unigram_candidate_sampler(labels, 1, 3, False, 4, unigrams=[1.0, 2.0, 3.0, 4.0], seed=3)
        np.testing.assert_allclose(running.run(drawn)[1].ravel(), [0.3, 0.9, 0, 0], rtol=1e-6)
