"""What a program unrolls is rolled up for XLA, and computes the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops.jax_start import jax, jnp
from retrograd.run import rolling
from retrograd.run.repeats import count_repeated, stretches_in
from retrograd.run.rolled import rolled

STEPS, BATCH, UNITS = 12, 3, 5
RNG = np.random.RandomState(0)


def matrix(*dims: int) -> np.ndarray:
    return (RNG.randn(*dims) * 0.4).astype(np.float32)


XS, W, V, B = matrix(STEPS, BATCH, UNITS), matrix(UNITS, UNITS), matrix(UNITS, UNITS), matrix(STEPS, UNITS)


def cell(x: Any, h: Any, w: Any) -> Any:
    return jnp.tanh(x @ w + h) * jax.lax.logistic(h @ w)


def chain(xs: Any, w: Any, v: Any, b: Any) -> Any:
    h = jnp.zeros((BATCH, UNITS))
    for t in range(STEPS):
        h = cell(xs[t], h, w)
    return h


def all_outputs(xs: Any, w: Any, v: Any, b: Any) -> Any:
    h, kept = jnp.zeros((BATCH, UNITS)), []
    for t in range(STEPS):
        h = cell(xs[t], h, w) + b[t]
        kept.append(h)
    return jnp.stack(kept), kept[3], kept[-2]


def two_layers(xs: Any, w: Any, v: Any, b: Any) -> Any:
    g = h = jnp.zeros((BATCH, UNITS))
    for t in range(STEPS):
        g = cell(xs[t], g, w)
        h = cell(g, h, v)
    return h


def there_and_back(xs: Any, w: Any, v: Any, b: Any) -> Any:
    g = h = jnp.zeros((BATCH, UNITS))
    for t in range(STEPS):
        g = cell(xs[t], g, w)
    for t in reversed(range(STEPS)):
        h = cell(xs[t], h, v)
    return g, h


def from_two_before(xs: Any, w: Any, v: Any, b: Any) -> Any:
    g, h = xs[0], xs[1] * 2.0
    for t in range(STEPS):
        g, h = h, cell(g, h, w) * (0.5 + t)
    return g, h


def with_sums(xs: Any, w: Any, v: Any, b: Any) -> Any:
    h, total, products = xs[0], jnp.ones((BATCH, UNITS)), []
    for t in range(STEPS):
        h = cell(xs[t], h, w)
        products.append(h.T @ xs[t])
    total = total + h
    return sum(products[1:], products[0]) + v, total


def with_branches(xs: Any, w: Any, v: Any, b: Any) -> Any:
    h = xs[0]
    for t in range(STEPS):
        h = cell(xs[t], h, w)
        h = jax.lax.cond(h[0, 0] > 0, lambda h: h * 0.5, jnp.sin, h)
    return h


def irregular(xs: Any, w: Any, v: Any, b: Any) -> Any:
    h, kept = xs[0], []
    for t in range(2 * STEPS):
        h = cell(xs[t % STEPS], h, v if t == STEPS else w)
        if t == 5:
            h = jnp.sort(h, axis=0)
        kept.append(h)
    return kept


def gradients(of: Callable[..., Any]) -> Callable[..., Any]:
    def total(*args: Any) -> Any:
        return sum(jnp.sum(jnp.sin(x)) for x in jax.tree.leaves(of(*args)))

    return jax.grad(total, (1, 2))


PROGRAMS = [chain, all_outputs, two_layers, there_and_back, from_two_before, with_sums, with_branches, irregular]


def count_of_tanh(closed: Any) -> int:
    return sum(eqn.primitive.name == "tanh" for eqn in closed.jaxpr.eqns)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that save few equations are worth it."""
    monkeypatch.setattr(rolling, "LEAST_SAVED", 20)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("of", [*PROGRAMS, *map(gradients, PROGRAMS)], ids=lambda f: getattr(f, "__name__", "gradient"))
def test_rolled_is_equal(of: Callable[..., Any]) -> None:
    closed = jax.make_jaxpr(of)(XS, W, V, B)
    loops = rolled(closed)
    assert any(eqn.primitive.name == "scan" for eqn in loops.jaxpr.eqns)
    assert 2 * count_of_tanh(loops) < count_of_tanh(closed) + STEPS
    expected = jax.jit(of)(XS, W, V, B)
    results = jax.jit(jax.extend.core.jaxpr_as_fun(loops))(XS, W, V, B)
    for a, b in zip(results, jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


def test_nothing_repeated_stays() -> None:
    closed = jax.make_jaxpr(lambda x: jnp.tanh(x) @ x)(W)
    assert rolled(closed) is closed


def test_weights_of_their_own_are_not_stacked() -> None:
    ws = [matrix(64, 64) for _ in range(70)]

    def deep(x: Any, *ws: Any) -> Any:
        for w in ws:
            x = jnp.tanh(x @ w) * 0.5 + jnp.sin(x) - jnp.cos(x) * jnp.exp(-x) + jnp.tanh(x * x)
        return x

    closed = jax.make_jaxpr(deep)(matrix(2, 64), *ws)
    assert rolled(closed) is closed


def test_stretches() -> None:
    letters = [9, 8, *[1, 2, 3] * 10, 7, 1, 2, 3]
    first = next(stretches_in(letters))
    assert tuple(first) == (2, 3, 10)
    assert first.end == 32
    assert count_repeated(letters) == 27
    assert next(stretches_in([*[5, 5, 6, 7, 6, 7, 7] * 8])).period == 7
    assert count_repeated(range(100)) == 0


@pytest.mark.usefixtures("few")
def test_slices_of_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that slice their input and write their output, and the gradient of that, are rolled up."""
    results = {}
    for mode in ("never", "always"):
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        with tf.Graph().as_default(), tf.Session() as session:
            xs = tf.constant(XS)
            w = tf.constant(W)
            h, kept = tf.zeros([BATCH, UNITS]), []
            for t in range(STEPS):
                x = xs[t]
                update = tf.sigmoid(tf.matmul(x, w) + h)
                h = update * h + (1.0 - update) * tf.tanh(tf.matmul(x * h, w)) + tf.sin(h) * tf.cos(x)
                kept.append(h)
            total = tf.reduce_sum(tf.square(tf.stack(kept)))
            results[mode] = session.run(tf.gradients(total, [xs, w]))
    for a, b in zip(results["always"], results["never"], strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=1e-5)


@pytest.mark.usefixtures("few")
def test_unrolled_network_learns_the_same_in_both_tiers(monkeypatch: pytest.MonkeyPatch) -> None:
    losses = {}
    for mode in ("never", "always"):
        monkeypatch.setenv("RETROGRAD_JIT", mode)
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            x = tf.placeholder(tf.float32, [None, 10, 4])
            cells = [tf.nn.rnn_cell.BasicLSTMCell(6) for _ in range(2)]
            outputs, _ = tf.nn.static_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), tf.unstack(x, axis=1), dtype=tf.float32)
            dropped = [tf.nn.dropout(h, 0.7, seed=3) for h in outputs]
            loss = tf.add_n([tf.reduce_sum(tf.square(h)) for h in dropped])
            variables = tf.trainable_variables()
            clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
            train = tf.train.AdamOptimizer(0.01).apply_gradients(zip(clipped, variables, strict=True))
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                feed = {x: np.linspace(-1, 1, 2 * 10 * 4).reshape(2, 10, 4)}
                losses[mode] = [session.run([loss, norm, train], feed)[:2] for _ in range(4)]
    np.testing.assert_allclose(losses["always"], losses["never"], rtol=1e-5)
