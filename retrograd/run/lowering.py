"""Lowering: what a plan computes, as a pure function that JAX can trace.

The plan is walked once per trace with the same kernels that the interpreter calls, on ``jax.numpy``.
Whatever shapes a result (axes, sizes, shapes) has to be known then: it follows from constants, from the shapes
of what is traced, or from feeds that are given as NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph.apply import grouped
from retrograd.graph.definition import Effect
from retrograd.graph.errors import explain
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow, resources
from retrograd.ops.streams import Stream
from retrograd.run.plan import Plan

_BY_SHAPE = frozenset(("Shape", "ShapeN", "Size", "Rank", "VariableShape"))


class NotLowered(NotImplementedError):
    """A plan holds an op that cannot be part of a pure function of arrays."""

    def __init__(self, op: Operation, why: str) -> None:
        words = f"Operation '{op.name}' (op type: {op.type}) cannot be lowered: {why}"
        super().__init__(explain(words, where=op.place, fix="fetch it with sess.run(...), which interprets the graph"))
        self.op = op


class GivenValue:
    """A variable inside of a pure function: the value that it was given."""

    is_initialized = True

    def __init__(self, value: Any) -> None:
        self.value = value

    def read(self) -> Any:
        """The value."""
        return self.value

    @property
    def shape_now(self) -> tuple[int, ...]:
        """The shape of the value."""
        return np.shape(self.value)


class Lowered:
    """``plan`` as a function of the values of its feeds and ``variables``, and of the streams of its ``random`` ops.

    Feeds in ``static`` must be NumPy arrays.  A random op draws from the stream that it is given and moves
    its counter on, so the caller learns from the stream how to go on.

    Raises:
      NotLowered: an op writes a variable, runs on the host, or belongs to a loop.
    """

    def __init__(self, plan: Plan, library: Graph | None = None) -> None:
        """``library`` is the graph whose functions the ops may call, if that is not their own."""
        self.plan = plan
        self.ops = _in_need(plan)
        for op in self.ops:
            obstacle = _obstacle(op)
            if obstacle is not None:
                raise NotLowered(op, obstacle)
        self.calls = {op: _lowered_call(op, library or op.graph) for op in self.ops if op.definition.body is not None}
        self.variables = [op for op in self.ops if _is_variable(op)]
        self.random = [op for op in self.ops if op.definition.effect is Effect.RANDOM]
        self.static = shaping(self.ops).intersection(plan.feeds)

    def __call__(
        self, feeds: Sequence[Any], variables: Sequence[Any] = (), streams: Sequence[Stream] = ()
    ) -> list[Any]:
        """The values of the plan's fetches; to be called while JAX traces."""
        known = {t: as_held(t, v) for t, v in zip(self.plan.feeds, feeds, strict=True)}
        for op, value in zip(self.variables, variables, strict=True):
            known[op.outputs[0]] = GivenValue(value)
        stream_of = dict(zip(self.random, streams, strict=True))
        for op in self.ops:
            if not all(t in known for t in op.outputs):
                results = self._results(op, known, stream_of.get(op))
                for tensor, value in zip(op.outputs, results, strict=True):
                    known.setdefault(tensor, value)
        values = [_read(known[t]) for t in self.plan.fetches]
        for tensor, value in zip(self.plan.fetches, values, strict=True):
            if value is _ABSENT:
                raise NotLowered(tensor.op, "it is in a branch that is not taken")
        return values

    def _results(self, op: Operation, known: dict[Tensor, Any], stream: Stream | None) -> list[Any]:
        values = [known[t] for t in op.inputs]
        waits = [known[t] for source in op.control_inputs for t in source.outputs if t in known]
        absent = any(v is _ABSENT for v in waits)
        if op.type in dataflow.MERGES:
            present = [(v, np.int32(i)) for i, v in enumerate(values) if v is not _ABSENT]
            return list(present[0]) if present and not absent else [_ABSENT] * 2
        if absent or any(v is _ABSENT for v in values):
            return [_ABSENT] * len(op.outputs)
        if op.type in dataflow.SWITCHES:
            data, pred = values
            _check_known(op, are_static(op), values)
            return [_ABSENT, data] if pred else [data, _ABSENT]
        return _computed(op, values, stream or self.calls.get(op))


_ABSENT = object()  # the value of what is in a branch that is not taken


def _lowered_call(op: Operation, library: Graph) -> Lowered:
    """What ``op`` calls, as a part of the pure function that it is in."""
    assert op.definition.body is not None
    body = op.definition.body(op, library)
    lowered = Lowered(Plan(body.outputs, body.effects, body.inputs), library)
    if lowered.random:
        raise NotLowered(lowered.random[0], "it draws random numbers in a function")
    return lowered


def shaping(ops: Sequence[Operation]) -> set[Tensor]:
    """The tensors whose values shape the result of one of ``ops``, which are in order."""
    found: set[Tensor] = set()
    for op in reversed(ops):
        follows = op.type not in _BY_SHAPE and not found.isdisjoint(op.outputs)
        found.update(t for t, static in zip(op.inputs, are_static(op), strict=True) if static or follows)
    return found


def are_static(op: Operation) -> list[bool]:
    """For each input of ``op``, whether its value shapes the result."""
    if op.type in dataflow.SWITCHES:
        return [False, True]
    definition = op.definition
    return [a.name in definition.static for a in definition.inputs for _ in range(a.count(op.attrs))]


def kernel_on(op: Operation, xp: Any, values: Sequence[Any], before: Any = None) -> list[Any]:
    """What the kernel of ``op`` makes of ``values`` with the array module ``xp``, one item for each output.

    ``before`` is what it takes before them: the stream of a random op, what runs the function that is called.
    """
    definition = op.definition
    assert definition.kernel is not None
    values = [np.asarray(v) if static else v for v, static in zip(values, are_static(op), strict=True)]
    attrs = {k: op.attrs[k] for k in definition.kernel_attrs}
    first = () if before is None else (before,)
    return definition.listed(definition.kernel(xp, *first, *grouped(definition, op.attrs, values), **attrs))


def _in_need(plan: Plan) -> list[Operation]:
    """The ops of ``plan`` that what it computes or does follows from; control inputs order effects alone."""
    fed = set(plan.feeds)
    wanted = {t.op for t in plan.fetches if t not in fed}.union(plan.targets)
    wanted.update(op for op in plan.ops if op.definition.effect in (Effect.WRITE, Effect.HOST))
    for op in reversed(plan.ops):
        if op in wanted:
            wanted.update(t.op for t in op.inputs if t not in fed)
            wanted.update(source for source in op.control_inputs if op.context is not None)
    return [op for op in plan.ops if op in wanted and not (op.outputs and fed.issuperset(op.outputs))]


def _is_variable(op: Operation) -> bool:
    return op.definition.effect is Effect.READ and op.definition.kernel is None


def _obstacle(op: Operation) -> str | None:
    effect = op.definition.effect
    if op.type == "Placeholder":
        return "it is not fed"
    if op.definition.body is not None:
        return None  # what it calls will be asked
    if effect not in (None, Effect.READ, Effect.RANDOM, Effect.CHECK):
        return f"it {effect.value}"
    if op.type in dataflow.SWITCHES | dataflow.MERGES and not dataflow.is_loop_merge(op):
        return None
    if op.type in dataflow.IS_FLOW:
        return "it is part of a loop"
    if op.definition.kernel is None and not _is_variable(op):
        return "it has no kernel"
    return None


def as_held(tensor: Tensor, value: Any) -> Any:
    """A feed as its readers find it: a handle leads to the value of a variable."""
    is_variable = tensor.dtype == "resource" and resources.dtype_of(tensor) is not None
    return GivenValue(value) if is_variable and not isinstance(value, GivenValue) else value


def _read(value: Any) -> Any:
    return value.read() if isinstance(value, GivenValue) else value


def _computed(op: Operation, values: list[Any], before: Any) -> list[Any]:
    import jax.numpy as jnp

    takes_cell = [a.is_ref or t.dtype == "resource" for a, t in _arguments(op)]
    values = [v if cell else _read(v) for v, cell in zip(values, takes_cell, strict=True)]
    if op.definition.is_pure and not any(map(_is_traced, values)):  # what follows from constants is one
        with np.errstate(all="ignore"):
            return kernel_on(op, np, values)
    static = are_static(op)
    _check_known(op, static, values)
    values = [
        v if is_static or isinstance(v, GivenValue) else jnp.asarray(v)
        for v, is_static in zip(values, static, strict=True)
    ]
    try:
        return kernel_on(op, jnp, values, before)
    except NotLowered:
        raise
    except Exception as error:
        raise NotLowered(op, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}") from error


def _check_known(op: Operation, static: Sequence[bool], values: Sequence[Any]) -> None:
    for t, v, is_static in zip(op.inputs, values, static, strict=True):
        if is_static and _is_traced(v):
            raise NotLowered(op, f"the value of {t.name} shapes its result, and follows from what is traced")


def _arguments(op: Operation) -> list[tuple[Any, Tensor]]:
    arguments = [a for a in op.definition.inputs for _ in range(a.count(op.attrs))]
    return list(zip(arguments, op.inputs, strict=True))


def _is_traced(value: Any) -> bool:
    return not isinstance(value, np.ndarray | np.generic | bytes)
