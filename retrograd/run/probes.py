"""What equations compute of some numbers, in float64 with NumPy.

Two analytic functions that agree on numbers drawn at random are the same function, but for a chance of zero.  So
equations can be known by what they compute, in whichever way they are written.  What is not analytic has no probe;
integers are no probes: they are what they are.
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
    """What a step makes of the values of what it reads; None for what has no probe.

    Raises:
      NoProbe: it is not analytic, or a value is not there.
    """
    rule = RULES.get(step.primitive)
    if rule is None or any(not is_literal(v) and v not in values for v in step.read):
        raise NoProbe
    try:
        made = rule(step.params, *[np.asarray(v.val) if is_literal(v) else values[v] for v in step.read])
    except (TypeError, ValueError, IndexError) as refused:  # NumPy has no such form of it
        raise NoProbe from refused
    return made if isinstance(made, list) else [made]


def made_of(eqn: Any, inputs: Sequence[Any]) -> list[Any]:
    """What ``eqn`` makes of ``inputs``; None for what has no probe.

    Raises:
      NoProbe: nothing of it has one.
    """
    if eqn.primitive.name in _CALLS:
        return _Body(eqn.params["jaxpr"]).outputs_of(inputs)
    made = [None if v is None else np.asarray(v) for v in inputs]
    return results(Step(eqn.primitive.name, eqn.params, range(len(made)), eqn.outvars), dict(enumerate(made)))


class _Body:
    """A function's equations."""

    def __init__(self, closed: Any) -> None:
        if closed.consts:
            raise NoProbe
        names: dict[Any, Any] = {}
        self.steps = list(steps_of(closed.jaxpr.eqns, names))
        self.inputs = closed.jaxpr.invars
        self.outputs = [v if is_literal(v) else names.get(v, v) for v in closed.jaxpr.outvars]

    def outputs_of(self, inputs: Sequence[Any]) -> list[Any]:
        """Its results; None for what has no probe."""
        values = {v: x for v, x in zip(self.inputs, inputs, strict=True) if x is not None}
        for step in self.steps:
            try:
                values.update((v, x) for v, x in zip(step.made, results(step, values), strict=True) if x is not None)
            except NoProbe:
                continue
        return [np.asarray(v.val) if is_literal(v) else values.get(v) for v in self.outputs]


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
    kind = np.dtype(params["new_dtype"]).kind
    if kind not in "iuf" or (x.dtype.kind == "f") != (kind == "f"):
        raise NoProbe
    return x.astype(int) if x.dtype.kind == "b" else x


def _divided(params: Mapping[str, Any], x: Any, y: Any) -> Any:
    if np.asarray(x).dtype.kind != "f" and np.asarray(y).dtype.kind != "f":
        raise NoProbe
    return x / y


def _pad(params: Mapping[str, Any], x: Any, value: Any) -> Any:
    if any(low < 0 or high < 0 or between for low, high, between in params["padding_config"]):
        raise NoProbe
    widths = [(low, high) for low, high, _ in params["padding_config"]]
    return np.pad(x, widths, constant_values=value[()])


def _begins(x: Any, sizes: Sequence[int], starts: Sequence[Any]) -> tuple[slice, ...]:
    begins = [min(max(int(s), 0), n - k) for s, n, k in zip(starts, np.shape(x), sizes, strict=True)]
    return tuple([slice(s, s + k) for s, k in zip(begins, sizes, strict=True)])


def _updated(params: Mapping[str, Any], x: Any, part: Any, *starts: Any) -> Any:
    x = np.array(x, np.result_type(x, part))
    x[_begins(x, np.shape(part), starts)] = part
    return x


def _of_integers(rule: Callable[..., Any]) -> Rule:
    """What is not analytic has no probe."""

    def checked(params: Mapping[str, Any], *arrays: Any) -> Any:
        if any(np.asarray(x).dtype.kind == "f" for x in arrays):
            raise NoProbe
        return rule(*arrays)

    return checked


def _scan(params: Mapping[str, Any], *arrays: Any) -> list[Any]:
    body, length = _Body(params["jaxpr"]), params["length"]
    first, last = params["num_consts"], params["num_consts"] + params["num_carry"]
    consts, state, rows = arrays[:first], list(arrays[first:last]), arrays[last:]
    stacks: list[Any] = []
    for t in reversed(range(length)) if params["reverse"] else range(length):
        made = body.outputs_of([*consts, *state, *[x[t] for x in rows]])
        state, made = made[: len(state)], made[len(state) :]
        stacks = stacks or [None if x is None else np.empty((length, *np.shape(x)), _widest(x)) for x in made]
        for i, x in enumerate(made):
            if x is None:
                stacks[i] = None
            elif stacks[i] is not None:
                stacks[i][t] = x
    return [*state, *stacks]


def _widest(x: Any) -> Any:
    """The dtype that holds ``x`` in all iterations: the first one may read literals of float32."""
    dtype = np.asarray(x).dtype
    return np.dtype(np.float64) if dtype.kind == "f" else dtype


_INTEGERS: dict[str, Callable[..., Any]] = {
    "and": np.logical_and,
    "eq": np.equal,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
    "max": np.maximum,
    "min": np.minimum,
    "ne": np.not_equal,
    "not": np.logical_not,
    "or": np.logical_or,
    "sign": np.sign,
}

RULES: dict[str, Rule] = {
    "add": lambda p, x, y: x + y,
    "add_any": lambda p, x, y: x + y,
    "broadcast_in_dim": _broadcast,
    "concatenate": lambda p, *xs: np.concatenate(xs, p["dimension"]),
    "convert_element_type": _converted,
    "copy": lambda p, x: x,
    "div": _divided,
    "dot_general": _dot,
    "dynamic_slice": lambda p, x, *starts: x[_begins(x, p["slice_sizes"], starts)],
    "dynamic_update_slice": _updated,
    "exp": lambda p, x: np.exp(x),
    "integer_pow": lambda p, x: x ** p["y"],
    "logistic": lambda p, x: 1 / (1 + np.exp(-x)),
    "mul": lambda p, x, y: x * y,
    "neg": lambda p, x: -x,
    "optimization_barrier": lambda p, *xs: [*xs],
    "pad": _pad,
    "reduce_sum": lambda p, x: np.sum(x, tuple(p["axes"])) if p["axes"] else x,
    "reshape": _reshape,
    "rev": lambda p, x: np.flip(x, p["dimensions"]),
    "scan": _scan,
    "select_n": lambda p, which, *xs: np.choose(np.asarray(which, int), xs) if np.ndim(which) else xs[int(which)],
    "slice": _slice,
    "split": lambda p, x: np.split(x, np.cumsum(p["sizes"])[:-1], p["axis"]),
    "square": lambda p, x: x * x,
    "squeeze": lambda p, x: np.squeeze(x, p["dimensions"]),
    "sub": lambda p, x, y: x - y,
    "tanh": lambda p, x: np.tanh(x),
    "transpose": lambda p, x: np.transpose(x, p["permutation"]),
    **{name: _of_integers(rule) for name, rule in _INTEGERS.items()},
}  # fmt: skip


def are_same(x: Any, y: Any) -> bool:
    """Whether two probes come to the same numbers, up to the rounding of float64 and of float32's literals."""
    if np.shape(x) != np.shape(y):
        return False
    x, y = np.asarray(x), np.asarray(y)
    first = (0,) * x.ndim  # most probes that differ do so there
    if x.size and not abs(x[first] - y[first]) <= 1e-9 + 1e-9 * abs(y[first]):
        return False
    return bool(np.allclose(x, y, rtol=1e-9, atol=1e-9))
