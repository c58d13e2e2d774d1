"""Chains of cheap ops of which several computations read a link are computed once."""

import numpy as np

from retrograd.ops.jax_start import jax, jnp
from retrograd.run.chains import done_once
from retrograd.run.guards import guarded_results

ROWS = np.full((8, 8), 0.1, np.float32)


def states(steps):
    """A function that gives what each of ``steps`` sums of products comes to in a product of matrices."""

    def function(rows, state):
        found = []
        for k in range(steps):
            state = state * rows[k % 8] + rows[(k + 1) % 8]
            found.append(state @ rows)
        return [*found, jnp.bool_(True)]

    return function


def compiled(steps, is_cut):
    """XLA's program for ``states(steps)``, and what it gives."""
    closed = jax.make_jaxpr(states(steps))(ROWS, ROWS)
    once = done_once(closed.jaxpr) if is_cut else ()

    def function(one, *arguments):
        return guarded_results(closed.jaxpr, closed.consts, arguments, [], once, one)

    made = jax.jit(function).lower(jnp.float32(1), ROWS, ROWS).compile()
    return made.as_text().count(" multiply("), made(jnp.float32(1), ROWS, ROWS)


def test_a_chain_is_computed_once_and_gives_the_same_numbers():
    (many, expected), (few, found) = compiled(48, False), compiled(48, True)
    assert many > 10 * 48 > few
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_a_short_chain_is_left_to_xla():
    assert not done_once(jax.make_jaxpr(states(8))(ROWS, ROWS).jaxpr)


def test_numbers_that_are_not_floating_are_left():
    rows = np.ones((8, 8), np.int32)
    assert not done_once(jax.make_jaxpr(states(48))(rows, rows).jaxpr)
