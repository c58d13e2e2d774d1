"""Chains of cheap ops of which several computations read a link are computed once."""

import numpy as np
import pytest

from retrograd.ops.jax_start import jax, jnp
from retrograd.run.chains import done_once
from retrograd.run.guards import guarded_results

ROWS = np.full((8, 8), 0.1, np.float32)
WIDE = np.random.RandomState(0).standard_normal((512, 256)).astype(np.float32)


def states(steps):
    """A function that gives what each of ``steps`` sums of products comes to in a product of matrices."""

    def function(rows, state):
        found = []
        for k in range(steps):
            state = state * rows[k % 8] + rows[(k + 1) % 8]
            found.append(state @ rows)
        return [*found, jnp.bool_(True)]

    return function


def residuals(rows, state):
    """The gradient of layers that are added to what goes into them, and normalized then."""

    def loss(biases):
        x = state
        for bias in biases:
            x = x + x @ rows.T @ rows + bias
            x = x - jnp.mean(x, 1, keepdims=True)
            x = x * jax.lax.rsqrt(jnp.mean(x * x, 1, keepdims=True) + 1e-3)
        return jnp.sum(x * rows)

    return [*jax.grad(loss)([np.full(WIDE.shape[1], 0.1, np.float32)] * 4), jnp.bool_(True)]


def compiled(source, rows, is_cut):
    """How many sums and products there are in XLA's program for ``source``, and what it gives."""
    closed = jax.make_jaxpr(source)(rows, rows)
    once = done_once(closed.jaxpr) if is_cut else ()

    def function(one, *arguments):
        return guarded_results(closed.jaxpr, closed.consts, arguments, [], once, one)

    made = jax.jit(function).lower(jnp.float32(1), rows, rows).compile()
    return sum(made.as_text().count(name) for name in (" multiply(", " add(")), made(jnp.float32(1), rows, rows)


@pytest.mark.parametrize(("source", "rows"), [(states(48), ROWS), (residuals, WIDE)])
def test_a_chain_is_computed_once_and_gives_the_same_numbers(source, rows):
    (many, expected), (few, found) = compiled(source, rows, False), compiled(source, rows, True)
    assert many > 2 * few
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-5 * np.max(np.abs(b)))


def test_a_short_chain_is_left_to_xla():
    assert not done_once(jax.make_jaxpr(states(8))(ROWS, ROWS).jaxpr)
    assert not done_once(jax.make_jaxpr(residuals)(WIDE[:8], WIDE[:8]).jaxpr)


def test_numbers_that_are_not_floating_are_left():
    rows = np.ones((8, 8), np.int32)
    assert not done_once(jax.make_jaxpr(states(48))(rows, rows).jaxpr)
