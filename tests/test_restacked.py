"""Rows that are taken out of arrays and put together again: the same values, by fewer equations."""

from collections import Counter

import numpy as np
import pytest

from retrograd import tf
from retrograd.ops.jax_start import jax, jnp
from retrograd.run.restacked import restacked

X = np.arange(6 * 4 * 5, dtype=np.float32).reshape(6, 4, 5)


def rows(x, axis=0):
    return [jnp.squeeze(part, axis) for part in jnp.split(x, x.shape[axis], axis)]


def slices(x, size, axis):
    return [jax.lax.slice_in_dim(x, i, i + size, axis=axis) for i in range(0, x.shape[axis], size)]


PROGRAMS = {
    "stacked": lambda x: jnp.stack([x[i] for i in range(6)]),
    "stacked elsewhere": lambda x: jnp.stack(rows(x), 2),
    "stacked backwards": lambda x: jnp.stack(rows(x)[::-1], 1),
    "side by side": lambda x: jnp.concatenate([x[i] for i in range(6)], 1),
    "one below the other": lambda x: jnp.concatenate(rows(x)[::-1], 0),
    "parts of another axis": lambda x: jnp.stack(jnp.split(x.reshape(4, 30), 6, 1)),
    "parts of two": lambda x: jnp.concatenate(slices(x.reshape(12, 10), 2, 0), 1),
    "parts of their own axis": lambda x: jnp.concatenate(slices(x.reshape(12, 10), 2, 0)[::-1], 0),
    "parts, stacked": lambda x: jnp.stack(slices(x.reshape(10, 12), 2, 1), 1),
    "others among them": lambda x: jnp.concatenate([x[0] * 2, *rows(x)[1:], x[0], *rows(x)[4::-1]], 1),
}


def kinds(closed):
    return Counter(eqn.primitive.name for eqn in closed.jaxpr.eqns)


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows_are_put_together_at_once(name):
    closed = jax.make_jaxpr(PROGRAMS[name])(X)
    found = restacked(closed)
    put_together = [e for e in found.jaxpr.eqns if e.primitive.name in ("concatenate", "stack")]
    assert all(len(e.invars) < 5 for e in put_together)
    (want,) = jax.core.eval_jaxpr(closed.jaxpr, closed.consts, X)
    (got,) = jax.core.eval_jaxpr(found.jaxpr, found.consts, X)
    np.testing.assert_array_equal(got, want)
    assert got.dtype == want.dtype


@pytest.mark.parametrize(
    "program",
    [
        lambda x: jnp.stack([x[i] for i in (0, 2, 1, 4, 3, 5)]),
        lambda x: jnp.stack([x[0], x[0], x[0], x[0], x[0]]),
        lambda x: jnp.stack([x[i] * 2 for i in range(6)]),
        lambda x: jnp.concatenate([x[0:1], x[1:3], x[3:6], x[0:1]]),
        lambda x: jnp.stack(rows(x)[:3]),
        lambda x: jnp.concatenate([x[i:i] for i in range(1, 6)]),
    ],
)
def test_what_is_no_run_of_rows_stays(program):
    closed = jax.make_jaxpr(program)(X)
    assert restacked(closed) is closed


def test_an_unrolled_network_computes_the_same_in_both_tiers(monkeypatch):
    def losses(jit):
        monkeypatch.setenv("RETROGRAD_JIT", jit)
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.placeholder(tf.float32, [3, 8, 5])
            cell = tf.nn.rnn_cell.GRUCell(6, kernel_initializer=tf.constant_initializer(0.1))
            outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
            loss = tf.reduce_sum(tf.square(tf.concat(outputs, 1)))
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
            sess.run(tf.global_variables_initializer())
            given = np.linspace(-1, 1, 120, dtype=np.float32).reshape(3, 8, 5)
            return [sess.run([loss, train], {x: given})[0] for _ in range(4)]

    np.testing.assert_allclose(losses("always"), losses("never"), rtol=1e-5)
