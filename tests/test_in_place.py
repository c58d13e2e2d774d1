"""Large variables are updated where they lie: what reads the old value comes before the update."""

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops.jax_start import jax, jnp
from retrograd.run.guards import guarded_results
from retrograd.run.in_place import in_place

N = 1024
X = np.random.RandomState(0).randn(8, N).astype(np.float32)
W = (np.random.RandomState(1).randn(N, N) / 32).astype(np.float32)


def trained(w, x):
    """An update, what the gradient of a layer before it would be, and whether all holds."""
    y = jnp.tanh(x @ w)
    return w - 0.1 * (x.T @ y), (y @ w.T).sum(), True


def regularized(w, x):
    y = jnp.tanh(x @ w)
    return w - 0.1 * (x.T @ y), (y @ w.T).sum() + (w * w).sum(), True


def without_other_readers(w, x):
    return w - 0.1 * (x.T @ (x @ w)), x.sum(), True


def read_as_it_was(w, x):
    y = jnp.tanh(x @ w)
    return w - 0.1 * (x.T @ y), w.T, True


def read_behind_the_update(w, x):
    new = w - 0.1 * (x.T @ (x @ w))
    return new, (x @ new) @ w.T, True


@pytest.mark.parametrize(
    ("program", "waits_for"),
    [(trained, 1), (regularized, 2), (without_other_readers, 0), (read_as_it_was, 0), (read_behind_the_update, 0)],
)
def test_gradients_wait_for_those_who_read_the_old_value(program, waits_for):
    closed = jax.make_jaxpr(program)(W, X)
    jaxpr, awaited = in_place(closed.jaxpr, [0])
    assert sum(map(len, awaited.values())) == waits_for

    def results(w, x):
        return guarded_results(jaxpr, closed.consts, [w, x], [True], awaited=awaited)

    compiled = jax.jit(results, donate_argnums=0).lower(W, X).compile()
    copies = compiled.as_text().count("copy(%arg")
    for got, want in zip(compiled(jnp.array(W), X), program(W, X), strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-4, atol=1e-4)
    if waits_for:
        assert copies == 0


def test_small_variables_wait_for_nothing():
    closed = jax.make_jaxpr(trained)(W[:9, :9], X[:, :9])
    assert in_place(closed.jaxpr, [0]) == (closed.jaxpr, {})


def test_updates_that_would_wait_for_each_other_do_not_wait():
    def program(v, w, x):
        g, h = x.T @ (x @ v), x.T @ (x @ w)
        return v - g, w - h, ((x @ (v @ h)).sum(), (x @ (w @ g)).sum())

    closed = jax.make_jaxpr(program)(W, W.T, X)
    assert in_place(closed.jaxpr, [0, 1]) == (closed.jaxpr, {})


@pytest.mark.parametrize("optimizer", [tf.train.AdamOptimizer, tf.train.GradientDescentOptimizer])
def test_both_tiers_train_wide_layers_alike(optimizer, monkeypatch):
    losses = {}
    for tier in ("never", "always"):
        monkeypatch.setenv("RETROGRAD_JIT", tier)
        with tf.Graph().as_default(), tf.Session() as sess:
            v, w = tf.Variable(W), tf.Variable(W.T.copy())
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.tanh(tf.matmul(X, v)), w)))
            norm = tf.reduce_sum(tf.square(v))
            train = optimizer(0.01).minimize(loss)
            sess.run(tf.global_variables_initializer())
            losses[tier] = [sess.run([loss, norm, train])[:2] for _ in range(5)]
    np.testing.assert_allclose(losses["always"], losses["never"], rtol=1e-4)
