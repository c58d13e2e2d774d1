"""Losses that published methods differentiate more than once, against JAX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from retrograd import tf

RANDOM = np.random.RandomState(3)
X = RANDOM.randn(5, 3).astype(np.float32)
Y = RANDOM.randn(5, 2).astype(np.float32)
W1, B1 = RANDOM.randn(3, 4).astype(np.float32) * 0.5, RANDOM.randn(4).astype(np.float32) * 0.1
W2 = RANDOM.randn(4, 2).astype(np.float32) * 0.5


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    """Each test builds a graph of its own, and JAX computes in float64."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    with tf.Graph().as_default():
        yield
    jax.config.update("jax_enable_x64", before)


def agree(mine: Any, theirs: Any) -> None:
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(5):
            values = sess.run(mine)
    for a, b in zip(values, theirs, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-5)


def network(xp: Any, x: Any, w1: Any, b1: Any, w2: Any) -> Any:
    return xp.matmul(xp.tanh(xp.matmul(x, w1) + b1), w2)


def variables() -> list[Any]:
    return [tf.Variable(v) for v in (W1, B1, W2)]


def test_gradient_penalty() -> None:
    """WGAN-GP: the critic's gradient with respect to its input has norm one."""
    ws = variables()
    x = tf.constant(X)
    slopes = tf.gradients(network(tf, x, *ws), x)[0]
    penalty = tf.reduce_mean(tf.square(tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=1)) - 1.0))

    def in_jax(ws: Any) -> Any:
        slopes = jax.grad(lambda x: network(jnp, x, *ws).sum())(jnp.asarray(X))
        return jnp.mean((jnp.sqrt(jnp.sum(slopes**2, 1)) - 1) ** 2)

    agree([penalty, *tf.gradients(penalty, ws)], [in_jax([W1, B1, W2]), *jax.grad(in_jax)([W1, B1, W2])])


@pytest.mark.parametrize("in_a_loop", [False, True])
def test_update_inside_of_a_loss(in_a_loop: bool) -> None:
    """MAML: the loss after three steps of gradient descent, differentiated with respect to where they began."""
    ws = variables()
    x, y = tf.constant(X), tf.constant(Y)

    def loss(ws: Any) -> Any:
        return tf.reduce_mean(tf.square(network(tf, x, *ws) - y))

    def step(ws: Any) -> list[Any]:
        return [w - 0.3 * dw for w, dw in zip(ws, tf.gradients(loss(ws), list(ws)), strict=True)]

    fast = [tf.identity(w) for w in ws]
    if in_a_loop:
        fast = tf.while_loop(lambda i, *ws: i < 3, lambda i, *ws: [i + 1, *step(ws)], [0, *fast])[1:]
    else:
        for _ in range(3):
            fast = step(fast)
    outer = loss(fast)

    def in_jax(ws: Any) -> Any:
        def inner(ws: Any) -> Any:
            return jnp.mean((network(jnp, X, *ws) - Y) ** 2)

        for _ in range(3):
            ws = [w - 0.3 * dw for w, dw in zip(ws, jax.grad(inner)(ws), strict=True)]
        return inner(ws)

    agree([outer, *tf.gradients(outer, ws)], [in_jax([W1, B1, W2]), *jax.grad(in_jax)([W1, B1, W2])])


def test_third_derivative_of_a_network() -> None:
    """A physics-informed network: u''' + u u' = 0, differentiated with respect to the weights."""
    w1, b1, w2 = (tf.Variable(v) for v in (W1[:1], B1, W2[:, :1]))
    t = tf.constant(np.linspace(-1, 1, 7, dtype=np.float32)[:, None])
    u = network(tf, t, w1, b1, w2)
    du = tf.gradients(u, t)[0]
    dddu = tf.gradients(tf.gradients(du, t)[0], t)[0]
    residual = tf.reduce_mean(tf.square(dddu + u * du))

    def in_jax(ws: Any) -> Any:
        def u(t: Any) -> Any:
            return network(jnp, t[None, None], *ws)[0, 0]

        def one(t: Any) -> Any:
            return (jax.grad(jax.grad(jax.grad(u)))(t) + u(t) * jax.grad(u)(t)) ** 2

        return jnp.mean(jax.vmap(one)(jnp.linspace(-1, 1, 7)))

    ws = [W1[:1], B1, W2[:, :1]]
    agree([residual, *tf.gradients(residual, [w1, b1, w2])], [in_jax(ws), *jax.grad(in_jax)(ws)])


def test_product_with_the_hessian_of_a_divergence() -> None:
    """TRPO: the curvature of the divergence from the policy that acted, times a direction."""
    ws = variables()
    logits = network(tf, tf.constant(X), *ws)
    old = tf.stop_gradient(tf.nn.softmax(logits))
    divergence = tf.reduce_mean(tf.reduce_sum(old * (tf.log(old) - tf.nn.log_softmax(logits)), axis=1))
    direction = [np.ones_like(w) * 0.1 for w in (W1, B1, W2)]
    slope = tf.add_n([tf.reduce_sum(g * v) for g, v in zip(tf.gradients(divergence, ws), direction, strict=True)])
    product = tf.gradients(slope, ws)

    def in_jax(ws: Any) -> Any:
        old = jax.nn.softmax(network(jnp, X, W1, B1, W2))
        return jnp.mean(jnp.sum(old * (jnp.log(old) - jax.nn.log_softmax(network(jnp, X, *ws))), 1))

    point = [jnp.asarray(w, jnp.float64) for w in (W1, B1, W2)]
    tangents = [jnp.asarray(v, jnp.float64) for v in direction]
    agree(product, jax.jvp(jax.grad(in_jax), (point,), (tangents,))[1])
