"""``tf.function`` where ops run at once: a graph of the function for each kind of arguments, run as one plan.

A function that cannot be traced, because its Python looks at values, is called as it is; so is any function
while a tape records, for the tape sees the ops themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.eager import tapes
from retrograd.eager.configuration import functions_run_eagerly
from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import TracedGraph
from retrograd.eager.tensor import EagerTensor, refuse_symbolic
from retrograd.graph import nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import symbolic_input
from retrograd.graph.functions import Body
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants
from retrograd.state.resource import NeedsValue

_KINDS = 64  # of arguments, for which a function is traced; what takes more is called as it is

Built = Callable[[tuple[Any, ...], dict[str, Any]], Any]  # builds the function into the default graph


class Traces:
    """The graphs of one function."""

    def __init__(self, built: Built, called: Callable[..., Any], name: str, signature: Any = None) -> None:
        """``signature``: of the last arguments, which are no others' then."""
        self._built, self._called, self._name = built, called, name
        self._specs = [] if signature is None else _leaf_specs(signature)
        self._known: dict[Any, _Trace | None] = {}

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the function gives.

        Raises:
          TypeError: an argument is a tensor of a graph.
        """
        if tapes.stack.active or functions_run_eagerly():
            return self._called(*args, **kwargs)
        flat = nest.flatten((args, kwargs), expand_composites=True)
        for x in flat:
            if isinstance(x, Tensor) and not isinstance(x, EagerTensor):
                raise symbolic_input(x)
        try:
            told = [_kind(x) for x in flat[: len(flat) - len(self._specs)]]
            key = (nesting((args, kwargs)), *told)
            trace = self._known.get(key, _UNKNOWN)
        except TypeError:  # an argument that is no key
            return self._called(*args, **kwargs)
        if trace is _UNKNOWN:
            try:
                trace = None if len(self._known) >= _KINDS else self._traced(args, kwargs, flat)
            except NeedsValue:  # the first call makes the variable, and the next one is traced
                return self._called(*args, **kwargs)
            self._known[key] = trace
        if trace is None:
            return self._called(*args, **kwargs)
        return trace.run([x for x in flat if isinstance(x, EagerTensor)])

    def forget(self) -> None:
        """Trace everything anew."""
        self._known.clear()

    def _traced(self, args: tuple[Any, ...], kwargs: dict[str, Any], flat: list[Any]) -> _Trace | None:
        """The graph for arguments like these; None if there is none."""
        graph = TracedGraph(self._name)
        graph.seed = eager_graph().seed
        try:
            with graph.as_default():
                specs = [None] * (len(flat) - len(self._specs)) + self._specs
                inside = [
                    _placeholder(graph, x, spec) if isinstance(x, EagerTensor) else x
                    for x, spec in zip(flat, specs, strict=True)
                ]
                own_args, own_kwargs = nest.pack_sequence_as((args, kwargs), inside, expand_composites=True)
                result = self._built(own_args, own_kwargs)
                leaves = nest.flatten(result, expand_composites=True)
                if not all(x is None or isinstance(x, Tensor | Operation) for x in leaves):
                    return None
                graph.outputs = [graph.capture(_as_output(x)) for x in leaves if x is not None]
        except NeedsValue:
            raise
        except Exception:  # it looks at values: Python's own call says what is wrong, if anything is
            return None
        return _Trace(graph.body(), result, leaves, list(graph.extra_inputs), flat)


class _Unknown:
    """Stands for a kind of arguments that has not been seen."""


_UNKNOWN: Any = _Unknown()


def _as_output(x: Any) -> Tensor:
    """A result as a tensor; of an op a number that is there when the op has run."""
    if isinstance(x, Tensor):
        return x
    with control_dependencies([x]):
        return constants.constant(0)


class _Trace:
    """A body, and how its outputs become what the function gives."""

    def __init__(self, body: Body, result: Any, leaves: list[Any], captured: list[Any], kept: list[Any]) -> None:
        self._body, self._result, self._leaves = body, result, leaves
        refuse_symbolic(captured)
        self._captured = [x.value_now for x in captured]
        self._kept = [x for x in kept if not isinstance(x, EagerTensor)]  # so that no other object takes their place
        self._call = eager_graph().call(body)

    def run(self, tensors: list[EagerTensor]) -> Any:
        """What the function gives for these."""
        values = self._call([*(np.asarray(t.value_now) for t in tensors), *self._captured])
        made = iter([EagerTensor(v, y.dtype.base_dtype) for v, y in zip(values, self._body.outputs, strict=True)])
        given = [None if x is None else next(made) for x in self._leaves]
        flat = [y if isinstance(x, Tensor) else None for x, y in zip(self._leaves, given, strict=True)]
        return nest.pack_sequence_as(self._result, flat, expand_composites=True)


def _placeholder(graph: TracedGraph, x: EagerTensor, spec: Any) -> Tensor:
    tensor = constants.placeholder(x.dtype, x.shape if spec is None else spec.shape)
    graph.inputs.append(tensor)
    return tensor


def _leaf_specs(signature: Any) -> list[Any]:
    """The specs of the tensors that arguments of a signature consist of."""
    of_parts = (getattr(spec, "_component_specs", spec) for spec in nest.flatten(signature))
    return [leaf for parts in of_parts for leaf in nest.flatten(parts)]


def _kind(x: Any) -> Any:
    """What arguments have in common for which one graph serves."""
    if isinstance(x, EagerTensor):
        return x.dtype.name, x.dims
    if x is None or isinstance(x, bool | int | float | complex | str | bytes):
        return type(x), x
    return id(x)


def nesting(x: Any) -> Any:
    """The nesting of arguments as a key."""
    if isinstance(x, dict):  # a wrapper says the class of what it wraps
        return (x.__class__, *((key, nesting(item)) for key, item in x.items()))
    if isinstance(x, list | tuple):
        return (type(x) if isinstance(x, tuple) else list, *map(nesting, x))
    return x._type_spec if isinstance(x, CompositeTensor) else None
