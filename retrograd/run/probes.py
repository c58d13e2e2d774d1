"""What equations compute of some numbers, in float64 with NumPy.

Two analytic functions that agree on numbers drawn at random are the same function, but for a chance of zero.  So
equations can be known by what they compute, in whichever way they are written.  What is not analytic has no probe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from retrograd.run.equations import is_literal

_CALLS = frozenset(("jit", "pjit", "closed_call"))


class NoProbe(Exception):
    """An equation is not analytic, or none of those that are known here."""


class Step(NamedTuple):
    """An equation, with names of what it reads and makes: those of one that stands in a function are its own."""

    primitive: str
    params: Mapping[str, Any]
    read: Sequence[Any]
    made: Sequence[Any]


def steps_of(eqns: Iterable[Any], names: dict[Any, Any] | None = None) -> Iterator[Step]:
    """The equations, with those of functions in place of their calls; ``names`` gets the names of variables."""
    is_inner = names is not None
    names = {} if names is None else names
    for eqn in eqns:
        read = [v if is_literal(v) else names.get(v, v) for v in eqn.invars]
        inner = eqn.params.get("jaxpr") if eqn.primitive.name in _CALLS else None
        if inner is None:
            if is_inner:
                names.update((v, object()) for v in eqn.outvars)
            yield Step(eqn.primitive.name, eqn.params, read, [names.get(v, v) for v in eqn.outvars])
            continue
        if inner.consts:
            raise NoProbe
        own: dict[Any, Any] = dict(zip(inner.jaxpr.invars, read, strict=True))
        yield from steps_of(inner.jaxpr.eqns, own)
        names.update((v, own.get(x, x)) for v, x in zip(eqn.outvars, inner.jaxpr.outvars, strict=True))


def results(step: Step, values: Mapping[Any, Any]) -> list[Any]:
    """What a step makes of the values of what it reads.

    Raises:
      NoProbe: it is not analytic, or a value is not there.
    """
    rule = RULES.get(step.primitive)
    if rule is None or any(not is_literal(v) and v not in values for v in step.read):
        raise NoProbe
    made = rule(step.params, *[np.asarray(v.val) if is_literal(v) else values[v] for v in step.read])
    return made if isinstance(made, list) else [made]


Rule = Callable[..., Any]


def _dot(params: Mapping[str, Any], a: Any, b: Any) -> Any:
    (by, (batch, _)) = params["dimension_numbers"]
    if batch:
        raise NoProbe
    return np.tensordot(a, b, by)


def _broadcast(params: Mapping[str, Any], x: Any) -> Any:
    shape = [1] * len(params["shape"])
    for place, size in zip(params["broadcast_dimensions"], np.shape(x), strict=True):
        shape[place] = size
    return np.broadcast_to(np.reshape(x, shape), params["shape"])


def _slice(params: Mapping[str, Any], x: Any) -> Any:
    strides = params["strides"] or [1] * x.ndim
    parts = zip(params["start_indices"], params["limit_indices"], strides, strict=True)
    return x[tuple([slice(*part) for part in parts])]


def _reshape(params: Mapping[str, Any], x: Any) -> Any:
    if params["dimensions"] is not None:
        raise NoProbe
    return np.reshape(x, params["new_sizes"])


def _converted(params: Mapping[str, Any], x: Any) -> Any:
    if x.dtype.kind != "f" or np.dtype(params["new_dtype"]).kind != "f":
        raise NoProbe
    return x


RULES: dict[str, Rule] = {
    "add": lambda p, x, y: x + y,
    "add_any": lambda p, x, y: x + y,
    "broadcast_in_dim": _broadcast,
    "concatenate": lambda p, *xs: np.concatenate(xs, p["dimension"]),
    "convert_element_type": _converted,
    "copy": lambda p, x: x,
    "div": lambda p, x, y: x / y,
    "dot_general": _dot,
    "exp": lambda p, x: np.exp(x),
    "integer_pow": lambda p, x: x ** p["y"],
    "logistic": lambda p, x: 1 / (1 + np.exp(-x)),
    "mul": lambda p, x, y: x * y,
    "neg": lambda p, x: -x,
    "optimization_barrier": lambda p, *xs: [*xs],
    "reduce_sum": lambda p, x: np.sum(x, tuple(p["axes"])) if p["axes"] else x,
    "reshape": _reshape,
    "slice": _slice,
    "split": lambda p, x: np.split(x, np.cumsum(p["sizes"])[:-1], p["axis"]),
    "square": lambda p, x: x * x,
    "squeeze": lambda p, x: np.squeeze(x, p["dimensions"]),
    "sub": lambda p, x, y: x - y,
    "tanh": lambda p, x: np.tanh(x),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
}  # fmt: skip


def are_same(x: Any, y: Any) -> bool:
    """Whether two probes come to the same numbers, up to the rounding of float64 and of float32's literals."""
    return np.shape(x) == np.shape(y) and bool(np.allclose(x, y, rtol=1e-9, atol=1e-9))
