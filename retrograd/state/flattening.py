"""Bodies of functions built again op by op where they are called.

A function that draws random numbers or changes variables is called so: its derivative then goes on from what the
call has drawn and read, and nothing happens twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from retrograd.graph import dtypes
from retrograd.graph.definition import Effect
from retrograd.graph.functions import CALLS, Body, FunctionGraph, called_body
from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants

_HAPPENING = frozenset((Effect.RANDOM, Effect.WRITE))


def happens_once(body: Body) -> bool:
    """Whether a body draws random numbers or changes variables, and can be built again op by op."""
    ops = list(_every_op(body))
    has_effects = any(op.definition.effect in _HAPPENING for op in ops if op.type not in CALLS)
    return has_effects and all(op.context is None for op in ops)


def _every_op(body: Body) -> Iterator[Operation]:
    for op in body.ops:
        yield op
        if op.type in CALLS:
            yield from _every_op(called_body(op))


def built_again(body: Body, inputs: Sequence[Tensor]) -> tuple[list[Tensor], list[Operation]]:
    """The outputs of a body for ``inputs`` in the current graph, and the ops that are to run in any case.

    Only ops with effects wait for each other, and those that read for what changes the same variable.
    """
    graph = default_graph()
    for function in body.graph._functions.values():
        function.add_to_graph(graph)
    twins = dict(zip(body.inputs, inputs, strict=True))
    waited: dict[Operation, list[Operation]] = {}  # what is waited for instead of an op of the body
    effects: list[Operation] = []
    for op in body.ops:
        if op.outputs and all(y in twins for y in op.outputs):
            continue
        given = [twins[x] for x in op.inputs]
        waits = [twin for before in op.control_inputs for twin in waited.get(before, ())]
        effect = op.definition.effect
        if op.type in CALLS:
            with graph.control_dependencies(waits):
                outputs, own = built_again(called_body(op), given)
            waited[op] = own or waits
            effects += own
        else:
            attrs = {key: value for key, value in op.attrs.items() if key != "_class"}
            if effect is Effect.READ:
                waits = [before for before in waits if set(before.inputs) & set(given)]
            with graph.control_dependencies(waits if effect is not None else []):
                twin = graph.create_op(op.type, given, name=op.name, attrs=attrs)
            outputs = list(twin.outputs)
            waited[op] = waits if effect is None else [twin]
            effects += [twin] if effect in (Effect.WRITE, Effect.HOST, Effect.CHECK) else []
        twins.update(zip(op.outputs, outputs, strict=True))
    return [twins[y] for y in body.outputs], effects


def with_what_happens(body: Body, graph: FunctionGraph) -> Body:
    """A body like this one in ``graph``, whose outputs are followed by what it draws, and reads of what it changes."""
    outside = body.graph.notes.get("captured from", {})
    with graph.as_default():
        for x in body.inputs:
            inside = constants.placeholder(x.dtype.base_dtype, x.shape)
            graph.inputs.append(inside)
            if x in outside:
                graph.notes["captured from"][inside] = outside[x]
        outputs, _ = built_again(body, graph.inputs)
    ops = graph.get_operations()
    changed = {op.inputs[0] for op in ops if op.definition.effect is Effect.WRITE and op.inputs}
    kept = [
        y
        for op in ops
        if op.definition.effect in _HAPPENING or (op.definition.effect is Effect.READ and changed & set(op.inputs))
        for y in op.outputs
        if y.dtype not in (dtypes.resource, dtypes.variant)
    ]
    graph.outputs = [*outputs, *kept]
    return graph.body()
