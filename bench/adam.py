"""Adam as JAX users write it by hand: a pure function over a tree of arrays."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    """Parameters, the running means of their gradients and of the squares of these, and the number of steps."""

    params: Any
    m: Any
    v: Any
    t: Any


def start(params: Any) -> State:
    """The state before the first step."""
    return State(params, jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params), jnp.float32(0))


def update(state: State, gradients: Any, rate: float) -> State:
    """The state after one step."""
    t = state.t + 1
    scale = rate * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.m, gradients)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state.v, gradients)
    params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8), state.params, m, v)
    return State(params, m, v, t)
