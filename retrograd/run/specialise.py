"""What follows from the shapes of a run's feeds.

Gradients carry much shape arithmetic (``Shape``, ``BroadcastGradientArgs``, ``Prod``, ...).  Once the
shapes of the feeds are known all of it is constant: this module works those constants out, and an
interpreter built with them does only what depends on the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import computed, grouped
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import run_as
from retrograd.ops import dataflow
from retrograd.run.plan import Plan

_LARGEST_KEPT = 1 << 16  # elements of a value that is worth keeping between runs
_BY_SHAPE = frozenset(("Shape", "ShapeN", "Size", "Rank"))


def depends_on_shapes(plan: Plan) -> bool:
    """Whether anything in ``plan`` reads a shape that is not known while building."""
    return any(op.type in _BY_SHAPE for op in plan.ops)


def facts_by_shape(
    plan: Plan, feed_shapes: Sequence[tuple[int, ...]], values: Mapping[Tensor, Any] | None = None
) -> Facts:
    """What follows from the shapes of the feeds, and from the ``values`` of those that are the same in each run."""
    facts = Facts()
    for tensor, dims in zip(plan.feeds, feed_shapes, strict=True):
        facts.dims[tensor] = dims
    facts.values.update(values or {})
    with np.errstate(all="ignore"):
        for op in plan.ops:
            facts.learn(op)
    return facts


class Facts:
    """What is known of tensors: whole shapes, and values."""

    def __init__(self) -> None:
        self.dims: dict[Tensor, RawShape] = {}
        self.values: dict[Tensor, Any] = {}

    def known(self) -> dict[Tensor, Any]:
        """The values of tensors that are no constants."""
        return {t: v for t, v in self.values.items() if t.op.type != "Const"}

    def of_shapes(self) -> Facts:
        """The shapes alone."""
        facts = Facts()
        facts.dims.update(self.dims)
        return facts

    def is_known(self, tensor: Tensor) -> bool:
        """Whether the whole shape of ``tensor`` is known."""
        return shapes.is_known(self.dims.get(tensor, tensor.dims))

    def seen(self, op: Operation, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, which ``op`` calls, and which notes the shapes of its results that were not known."""
        if all(map(self.is_known, op.outputs)):
            return function

        def noted(*values: Any) -> Any:
            result = function(*values)
            results = result if isinstance(result, tuple | list) else (result,)
            for tensor, value in zip(op.outputs, results, strict=False):
                dims = getattr(value, "shape", None)
                if isinstance(dims, tuple) and not self.is_known(tensor):
                    self.dims[tensor] = dims
            return result

        return noted

    def learn(self, op: Operation) -> None:
        if op.type == "Const":
            value = run_as(op.attrs["value"])
            self.values.setdefault(op.outputs[0], value)
            self.dims.setdefault(op.outputs[0], value.shape)
            return
        results = self._results(op)
        for tensor, value in zip(op.outputs, results or (), strict=False):
            if np.size(value) <= _LARGEST_KEPT and self.dims.setdefault(tensor, np.shape(value)) == np.shape(value):
                self.values.setdefault(tensor, value)
        for tensor, dims in zip(op.outputs, self._shapes(op), strict=True):
            if shapes.is_known(dims):
                self.dims.setdefault(tensor, dims)

    def _results(self, op: Operation) -> Sequence[Any] | None:
        definition = op.definition
        if dataflow.is_invariant(op) and op.inputs[0] in self.values:
            return [self.values[op.inputs[0]]]
        if not definition.is_pure or definition.kernel is None or not op.inputs:
            return None
        if op.type in _BY_SHAPE:
            inputs: list[Any] = [self.dims.get(t) for t in op.inputs]
            if any(dims is None for dims in inputs):
                return None
            inputs = [np.broadcast_to(np.zeros((), bool), dims) for dims in inputs]
        else:
            inputs = [self.values.get(t) for t in op.inputs]
            if any(v is None for v in inputs):
                return None
        try:
            return computed(definition, op.attrs, inputs)
        except Exception:  # the run will say what is wrong
            return None

    def _shapes(self, op: Operation) -> Sequence[RawShape]:
        static = [t.dims for t in op.outputs]
        rule = op.definition.shape
        if rule is None or all(map(shapes.is_known, static)):
            return static
        attrs = {k: op.attrs[k] for k in op.definition.shape_attrs}
        inputs = [
            t if t.dtype == dtypes.resource  # a handle leads to its variable
            else _StandIn(t, self.dims.get(t, t.dims), self.values.get(t))
            for t in op.inputs
        ]  # fmt: skip
        try:
            result = rule(*grouped(op.definition, op.attrs, inputs), **attrs)
        except ValueError:  # the run will say what is wrong
            return static
        return [dims if shapes.is_known(dims) else None for dims in op.definition.listed(result)]


class _StandIn(Tensor):
    """A tensor as a shape rule sees it: a dtype, a shape, and a value if one is known."""

    def __init__(self, tensor: Tensor, dims: RawShape, value: Any) -> None:
        super().__init__(_Source(value), 0, tensor.dtype)  # type: ignore[arg-type]
        self.dims = dims


class _Source:
    """The op of a stand-in: a constant, or something of unknown value."""

    inputs = ()

    def __init__(self, value: Any) -> None:
        self.type = "" if value is None else "Const"
        self.attrs = {} if value is None else {"value": np.asarray(value)}
