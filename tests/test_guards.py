"""Variables that stay as they are where a value breaks what an op requires."""

import numpy as np
import pytest

from retrograd.ops.jax_start import jax, jnp
from retrograd.run.guards import guarded_results


def results_of(function, guarded, *arguments):
    """What ``guarded_results`` makes of ``function``, under ``jit``."""
    closed = jax.make_jaxpr(function)(*arguments)
    return jax.jit(lambda *a: guarded_results(closed.jaxpr, closed.consts, a, guarded))(*arguments)


def momentum(m, w, g):
    """A step of momentum that requires gradients below 10."""
    m = 0.5 * m + g
    return m, w - m, 2.0 * m, jnp.all(g < 10.0)


@pytest.mark.parametrize(("g", "expected"), [(1.0, [2.0, 3.0, 4.0, True]), (20.0, [2.0, 5.0, 4.0, False])])
def test_arguments_stay_where_the_requirement_does_not_hold(g, expected):
    found = results_of(momentum, [True, True], 2.0, 5.0, g)
    np.testing.assert_array_equal(found, expected)


def test_what_is_not_guarded_changes():
    found = results_of(momentum, [False, True], 2.0, 5.0, 20.0)
    np.testing.assert_array_equal(found[:2], [21.0, 5.0])


def test_a_requirement_of_a_new_value():
    def step(m, g):
        m = m + g
        return m, m < 10.0

    assert [float(x) for x in results_of(step, [True], 2.0, 20.0)] == [2.0, 0.0]
    assert [float(x) for x in results_of(step, [True], 2.0, 1.0)] == [3.0, 1.0]


def test_one_value_for_two_arguments_and_a_constant():
    def step(a, b, c, ok):
        new = a + 1.0
        return new, new, 7.0, ok > 0

    assert [float(x) for x in results_of(step, [True] * 3, 1.0, 2.0, 3.0, 1.0)[:3]] == [2.0, 2.0, 7.0]
    assert [float(x) for x in results_of(step, [True] * 3, 1.0, 2.0, 3.0, -1.0)[:3]] == [1.0, 2.0, 3.0]


def test_xla_writes_in_place_without_a_copy():
    closed = jax.make_jaxpr(momentum)(*[jax.ShapeDtypeStruct((64, 64), np.float32)] * 3)

    def step(*arguments):
        return guarded_results(closed.jaxpr, closed.consts, arguments, [True, True])[:2]

    kinds = [jax.ShapeDtypeStruct((64, 64), np.float32)] * 3
    text = jax.jit(step, donate_argnums=(0, 1)).lower(*kinds).compile().as_text()
    assert " copy(" not in text.split("ENTRY")[1]
