"""Sizes that follow from values: what is seen of them in a run decides how soon XLA computes, and what it computes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.run.program import Kind, Parts


@pytest.fixture(autouse=True)
def graph(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RETROGRAD_CACHE", "off")
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        yield


def only_kind(sess: tf.Session) -> Kind:
    """The only kind of feeds of the last plan of a session."""
    _, program = [*sess._prepared.values()][-1]
    (kind,) = program.kinds.values()
    return kind  # type: ignore[no-any-return]


def test_a_plan_that_makes_large_arrays_of_a_number_is_compiled_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETROGRAD_JIT", "auto")
    places = tf.where(tf.placeholder(tf.bool, [None], name="marks"))
    y = tf.reduce_sum(tf.tanh(tf.sin(tf.cast(places, tf.float32) * 2.0) + 1.0))

    def takeover(count: int) -> int:
        marks = np.arange(100_000) < count
        with tf.Session() as sess:
            for _ in range(3):
                sess.run(y, {"marks:0": marks})
            return only_kind(sess).takeover

    assert takeover(5) > 4 * takeover(100_000)


def test_arrays_of_another_length_in_each_run_keep_nothing_else_from_xla(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which elements of a sparse matrix are kept follows from values; what it is multiplied to has a fed shape."""
    features = tf.sparse_placeholder(tf.float32)
    kept = tf.sparse_retain(features, tf.random_uniform([12]) < 0.5) * 2.0
    w = tf.Variable(tf.ones([6, 3]))
    hidden = tf.nn.relu(tf.sparse_tensor_dense_matmul(kept, w))
    dense = tf.sparse_tensor_to_dense(features)
    loss = tf.reduce_mean(tf.square(tf.matmul(hidden, hidden, transpose_b=True) - tf.matmul(dense, dense, False, True)))
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    matrix = np.random.RandomState(0).rand(8, 6).astype(np.float32)
    places = np.argwhere(matrix >= np.sort(matrix.ravel())[-12])
    value = tf.SparseTensorValue(places, matrix[tuple(places.T)], matrix.shape)

    def losses(mode: str) -> list[Any]:
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            results = [sess.run([loss, step], {features: value})[0] for _ in range(6)]
            if mode == "always":
                made = only_kind(sess).compiled
                assert isinstance(made, Parts)
                numeric = [program for part, program in made.programs if part.is_numeric]
                assert numeric
                assert {len(program.kinds) for program in numeric} == {1}
            return results

    np.testing.assert_allclose(losses("always"), losses("never"), rtol=2e-5)
