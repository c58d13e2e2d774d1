"""``to_jax``: what a session computes as a pure function of JAX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.graph import errors, nest
from retrograd.graph.dtypes import DType
from retrograd.graph.stack import default_session
from retrograd.graph.tensor import Tensor
from retrograd.ops.forms import of_xla_alone
from retrograd.ops.streams import Stream
from retrograd.run.feeds import listed_feeds
from retrograd.run.fetches import Fetches
from retrograd.run.lowering import GivenValue, Lowered
from retrograd.run.plan import Plan
from retrograd.run.store import Cell

Parameters = dict[str, Any]


class JaxFunction:
    """``function(parameters, inputs)``: the values of fetches, from those of variables and of feeds.

    It is pure: ``jax.jit``, ``jax.grad``, ``jax.vmap`` and ``jax.export`` take it.  ``jax.grad`` differentiates
    the kernels; gradients as the graph defines them, with their overrides, are had by fetching them.
    """

    def __init__(self, fetches: Any, feeds: Any, session: Any, updates: bool) -> None:
        self.structure = feeds
        self.feeds: list[Tensor] = listed_feeds(session.graph, nest.flatten(feeds))
        self.fetches = Fetches(session.graph, fetches)
        self.updates = updates
        plan = Plan(self.fetches.tensors, self.fetches.targets, self.feeds)
        if plan.writes and not updates:
            raise _of_writes(plan)
        self.lowered = Lowered(plan)
        self.cells: list[Cell] = self.lowered.cells(session._store)
        self.name_of = _names(self.cells)
        self._streams = [(s.key, s.value) for s in self.lowered.streams(session._store)]

    def parameters(self) -> Parameters:
        """The values that the variables have now, by their names.

        Raises:
          FailedPreconditionError: one has none.
        """
        return {name: np.asarray(cell.read()) for cell, name in self.name_of.items()}

    def __call__(self, parameters: Mapping[str, Any], inputs: Any = (), draw: Any = 0) -> Any:
        """The values of the fetches, in their structure; with ``updates`` also what the parameters have become.

        ``draw`` numbers the runs: each has random numbers of its own, the first those of the session's next run.
        """
        self._check(parameters)
        nest.assert_same_structure(self.structure, inputs)
        given: dict[Cell, GivenValue] = {}
        with of_xla_alone(), _wide() as jnp:
            for cell, name in self.name_of.items():
                given[cell] = GivenValue(_array(jnp, parameters[name]), name)
            values = nest.flatten(inputs)
            feeds = [self._fed(jnp, t, v) for t, v in zip(self.feeds, values, strict=True)]
            streams = [Stream(key, _moved(jnp, counter, draw)) for key, counter in self._streams]
            results = self.lowered(feeds, [given[cell] for cell in self.cells], streams)
            arrays = [_array(jnp, value) for value in results]
        result = self.fetches.rebuild(arrays)
        if not self.updates:
            return result
        with _wide() as jnp:
            return result, {n: _like(jnp, given[cell].value, parameters[n]) for cell, n in self.name_of.items()}

    def _fed(self, jnp: Any, tensor: Tensor, value: Any) -> Any:
        if tensor in self.lowered.static or tensor.dtype == "string":
            return np.asarray(value, tensor.dtype.np) if isinstance(value, int | float | list | tuple) else value
        array = jnp.asarray(value, _kept_dtype(tensor.dtype))
        sizes = [n if isinstance(n, int) else None for n in array.shape]  # a program may be for all sizes
        if not tensor.shape.is_compatible_with(sizes):
            raise ValueError(
                f"Cannot feed value of shape {array.shape} for Tensor {tensor.name!r}, which has shape {tensor.shape}"
            )
        return array

    def _check(self, parameters: Mapping[str, Any]) -> None:
        for name in self.name_of.values():
            if name not in parameters:
                near = errors.nearest(name, list(parameters))
                hint = f"; the nearest name is {near!r}" if near is not None else ""
                raise KeyError(f"no parameter {name!r}{hint}")


def to_jax(
    fetches: Any, feeds: Any = (), session: Any = None, *, updates: bool = False
) -> tuple[JaxFunction, Parameters]:
    """``fetches`` as a pure function of JAX and its parameters: ``function(parameters, inputs)``.

    JAX differentiates a loop whose number of iterations follows from values forwards alone, by ``jax.jvp``; backwards,
    ``fetches`` has to hold the gradient: ``tf.gradients(y, x)``.

    Args:
      fetches: tensors in any structure, as ``session.run`` takes them.
      feeds: the tensors that are given: one, or a list, tuple or dict of them; ``inputs`` has the same form.
      session: where the variables have their values, by default the default session.
      updates: whether the fetches may write variables, as an op that trains does; the function then gives
        ``(values, parameters)``.

    Returns:
      The function, and the variables' values now, by their names.

    Raises:
      NotLowered: an op cannot be part of a pure function: it runs on the host, or reads files.
      FailedPreconditionError: a variable has no value.
      ValueError: the fetches write variables, and ``updates`` is False; or there is no session.
    """
    session = default_session() if session is None else session
    if session is None:
        error = ValueError("Cannot read variables: No default session is registered.")
        error.add_note("  Fix:   to_jax(..., session=sess), or inside of  with sess.as_default():")
        raise error
    function = JaxFunction(fetches, feeds, session, updates)
    return function, function.parameters()


@contextmanager
def _wide() -> Iterator[Any]:
    """``jax.numpy``, with 64-bit numbers in the block."""
    from retrograd.ops.jax_start import jax, jnp

    with jax.enable_x64(True):
        yield jnp


def _array(jnp: Any, value: Any) -> Any:
    is_text = isinstance(value, np.ndarray) and value.dtype == object
    return value if is_text or isinstance(value, bytes) else jnp.asarray(value)


def _like(jnp: Any, value: Any, given: Any) -> Any:
    """``value`` in the dtype that it came in: without 64-bit numbers JAX hands an int64 in as an int32."""
    dtype: Any = getattr(given, "dtype", None)
    return value if dtype is None or dtype.kind == "O" else jnp.asarray(value, dtype)


def _kept_dtype(dtype: DType) -> Any:
    return dtype.base_dtype.np


def _moved(jnp: Any, counter: Any, draw: Any) -> Any:
    """The counter of a stream for the run ``draw``: far from those of all other runs."""
    counter = jnp.asarray(counter)
    return counter.at[-1].add(jnp.asarray(draw).astype(counter.dtype))


def _names(cells: list[Cell]) -> dict[Cell, str]:
    """A name for each variable: its own, with a number where two have the same."""
    names: dict[Cell, str] = {}
    for cell in cells:
        if cell not in names:
            free, count = cell.name, 0
            while free in names.values():
                count += 1
                free = f"{cell.name}_{count}"
            names[cell] = free
    return names


def _of_writes(plan: Plan) -> ValueError:
    from retrograd.graph.definition import Effect

    op = next(op for op in plan.ops if op.definition.effect is Effect.WRITE)
    error = ValueError(f"Operation '{op.name}' (op type: {op.type}) writes a variable")
    error.add_note(
        "  Why:   a pure function changes nothing; what is written has to be a result\n"
        + (f"  Where: {op.place}\n" if op.place else "")
        + "  Fix:   to_jax(..., updates=True), whose function gives (values, parameters)"
    )
    return error
