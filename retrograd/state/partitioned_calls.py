"""Ops that do nothing but call the function which they name: ``PartitionedCall``, ``StatefulPartitionedCall``.

A call that is differentiated gets further outputs: what its derivative reads of it.  So nothing happens twice, and
what was drawn or read once is what the derivative goes on from.  Source: TensorFlow 1.15.5, observed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from retrograd.grad.functions import gradient_of_call
from retrograd.grad.gradients import carries_gradient, gradients
from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.functions import Body, FunctionGraph, GraphFunction, as_attribute, named_function
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.order import in_order
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.ops import constants, dataflow, resources
from retrograd.state.function_calls import check_arguments, function_named, output_types

# -- the derivative of a body ------------------------------------------------------------------


class _Derived(NamedTuple):
    """A function that also gives what its derivative reads, and the derivative."""

    forward: GraphFunction
    backward: GraphFunction
    seeds: list[int]  # the places of the outputs whose gradients the derivative takes
    read: list[Tensor]  # what it takes besides: outputs of ``forward``, or inputs
    gradients: list[tuple[int, int]]  # of which inputs it gives the gradients, in how many tensors each


def _derived(function: GraphFunction) -> _Derived:
    """The derivative of ``function``, which is built once."""
    known: dict[Body, _Derived] = function.body.graph.notes.setdefault("derived functions", {})
    if function.body not in known:
        known[function.body] = _newly_derived(function)
    return known[function.body]


def _newly_derived(function: GraphFunction) -> _Derived:
    body = function.body
    graph, outputs = body.graph, list(body.outputs)
    seeds = [i for i, y in enumerate(outputs) if carries_gradient(y.dtype) and y.dtype not in _HANDLES]
    xs = [x for x in body.inputs if carries_gradient(x.dtype) and (x.dtype not in _HANDLES or resources.dtype_of(x))]
    with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
        dys = [constants.placeholder(outputs[i].dtype.base_dtype, outputs[i].shape) for i in seeds]
        found = gradients([outputs[i] for i in seeds], xs, dys, stop_gradients=body.inputs) if seeds and xs else []
    places = {x: i for i, x in enumerate(body.inputs)}
    by_input = [(places[x], _parts(dx)) for x, dx in zip(xs, found, strict=True) if dx is not None]
    dxs = [part for _, parts in by_input for part in parts]
    ops, read = _behind(dxs, dys, body)
    outputs += [t for t in read if t not in outputs and t.dtype not in _HANDLES]
    base = re.sub(r"^__(inference|forward)_|_\d+$", "", function.name)
    forward = function
    if len(outputs) > len(body.outputs):
        whole = Body(graph, body.inputs, outputs, body.ops)
        forward = named_function(whole, f"__forward_{base}_{uid()}", "", gradient_of_call)
    derivative = Body(graph, [*dys, *read], dxs, [*(t.op for t in dys), *ops])
    backward = named_function(derivative, f"__inference___backward_{base}_{uid()}_{uid()}", "", gradient_of_call)
    return _Derived(forward, backward, seeds, read, [(i, len(parts)) for i, parts in by_input])


def _parts(dx: Any) -> list[Tensor]:
    if isinstance(dx, IndexedSlices):
        return [as_tensor(dx.values), as_tensor(dx.indices), *([] if dx.dense_shape is None else [dx.dense_shape])]
    return [as_tensor(dx)]


def _behind(dxs: Sequence[Tensor], dys: Sequence[Tensor], body: Body) -> tuple[list[Operation], list[Tensor]]:
    """The ops of the derivative, in order, and what they read of the function itself.

    What stands in branches and loops cannot leave them: the derivative does it again, as it does constants.
    """
    own, given = set(body.ops), {*dys, *body.inputs}
    gives_all = _makes_nothing(body)

    def is_given(t: Tensor) -> bool:
        if t in given:
            return True
        if t.op not in own or t.op.type == "Const" or t.op.context is not None or t.dtype in _HANDLES:
            return False
        is_of_branch = any(op.type in dataflow.SWITCHES for op in (t.op, *(x.op for x in t.op.inputs)))
        return (gives_all and not is_of_branch) or t.op.definition.effect is Effect.READ

    needed: set[Operation] = set()
    stack = [t.op for t in dxs if not is_given(t)]
    while stack:
        op = stack.pop()
        if op in needed:
            continue
        needed.add(op)
        stack += [t.op for t in op.inputs if not is_given(t)]
        if op not in own:
            waits = [x for x in op.control_inputs if x not in own or x.definition.effect not in _DONE_ONCE]
            if len(waits) < len(op.control_inputs):  # for what the call itself does
                op._rewire(op.inputs, waits)
        stack += op.control_inputs
    ops = in_order(needed)
    read = dict.fromkeys([t for op in ops for t in op.inputs if is_given(t)] + [t for t in dxs if is_given(t)])
    return ops, [t for t in read if t not in dys]


def _makes_nothing(body: Body) -> bool:
    """Whether all that stands outside of its branches and loops can be given to its derivative."""
    return all(
        op.definition.effect is not Effect.MAKE and not any(y.dtype is dtypes.variant for y in op.outputs)
        for op in body.ops
    )


def has_derivative_apart(body: Body) -> bool:
    """Whether a call's derivative can be one more call, which does nothing again that is to happen once."""
    effects = {op: set(_effects(op)) for op in body.ops}
    happening = {op for op, found in effects.items() if not found.isdisjoint(_DONE_ONCE)}
    if not happening:
        return True
    changes = any(Effect.WRITE in found for found in effects.values())
    inside = [op for op in body.ops if op.context is not None]
    return _makes_nothing(body) and not any(
        op in happening or not happening.isdisjoint(op.control_inputs) or (changes and Effect.READ in effects[op])
        for op in inside
    )


def _effects(op: Operation) -> Iterator[Effect]:
    """What an op does; of a call what the function does."""
    if op.definition in (PARTITIONED_CALL, STATEFUL_PARTITIONED_CALL):
        for inner in function_named(op.attrs["f"].name, op.graph).body.ops:
            yield from _effects(inner)
    elif op.definition.effect is not None:
        yield op.definition.effect


_DONE_ONCE = frozenset((Effect.RANDOM, Effect.WRITE, Effect.HOST))
_HANDLES = (dtypes.resource, dtypes.variant)


def _gradient_of_call(op: Operation, *dys: Any) -> list[Any]:
    """The derivative of the function, which is one more call; the op gives what that reads."""
    derived = _derived(function_named(op.attrs["f"].name, op.graph))
    found: list[Any] = [None] * len(op.inputs)
    if not derived.gradients:
        return found
    body = derived.forward.body
    derived.forward.add_to_graph(op.graph)
    further = body.outputs[len(op.outputs) :]
    op.attrs.update(f=as_attribute(derived.forward), Tout=[y.dtype.base_dtype for y in body.outputs])
    op._add_outputs([y.dtype.base_dtype for y in further], [y.dims for y in further])
    here = dict(zip([*body.inputs, *body.outputs], [*op.inputs, *op.outputs], strict=True))
    seeds = [as_tensor(dys[i]) for i in derived.seeds]
    results = iter(partitioned_call([*seeds, *(here[t] for t in derived.read)], derived.backward))
    for i, count in derived.gradients:
        parts = [next(results) for _ in range(count)]
        found[i] = parts[0] if count == 1 else IndexedSlices(*parts)
    return found


# -- PartitionedCall ---------------------------------------------------------------------------


def _called_at_once(op: Operation, library: Graph) -> Body:
    """The body of the function that ``op`` names."""
    executor = op.attrs["executor_type"]
    executor = executor.decode() if isinstance(executor, bytes) else executor
    if executor not in ("", "DEFAULT"):
        raise errors.NotFoundError(None, None, f"No executor factory registered for the executor type {executor}")
    function = function_named(op.attrs["f"].name, library, op.graph)
    check_arguments(function, op.inputs)
    body: Body = function.body
    return body


def _shapes_of_call(inputs: list[Tensor], *, f: Any, Tout: Any) -> list[Any]:
    """The shapes that follow from those of the inputs, op by op; they are unknown where the function has loops."""
    function = default_graph()._get_function(f.name)
    if (
        function is None
        or len(inputs) != len(function.body.inputs)
        or any(op.context is not None or op.type in dataflow.IS_FLOW for op in function.body.ops)
    ):
        return [None] * len(Tout)
    body: Body = function.body
    graph = FunctionGraph(f.name)
    graph._functions.update(body.graph._functions)
    twins: dict[Tensor, Tensor] = {}
    with graph.as_default():
        for inside, x in zip(body.inputs, inputs, strict=True):
            twins[inside] = constants.placeholder(x.dtype.base_dtype, x.shape)
            graph.notes["captured from"][twins[inside]] = x
        for op in body.ops:
            if not all(t in twins for t in op.outputs):
                twin = graph.create_op(op.type, [twins[t] for t in op.inputs], name=op.name, attrs=dict(op.attrs))
                twins.update(zip(op.outputs, twin.outputs, strict=True))
    return [twins[y].dims for y in body.outputs]


PARTITIONED_CALL, STATEFUL_PARTITIONED_CALL = (
    define(
        name, "args: *Tin", "output: *Tout",
        attrs={"Tin": REQUIRED, "Tout": REQUIRED, "f": REQUIRED, "config": "", "config_proto": "", "executor_type": ""},
        shape=_shapes_of_call, kernel=lambda xp, call, inputs: call(inputs), gradient=_gradient_of_call, effect=effect,
        body=_called_at_once,
    )
    for name, effect in (("PartitionedCall", None), ("StatefulPartitionedCall", Effect.WRITE))
)  # fmt: skip

_NOTHING_REWRITTEN = b"R\x05R\x03\x98\x01\x01"  # the ConfigProto in which no graph is optimized


def partitioned_call(
    args: Any, f: Any, tout: Any = None, executing_eagerly: bool | None = None, config: Any = None,
    executor_type: str | None = None,
) -> Any:  # fmt: skip
    """The list of what ``f(*args)`` gives, or the op if it gives nothing; ``f`` is a function of the graph.

    Args:
      tout: the dtypes of its outputs, by default those that ``f`` declares.
      executing_eagerly: nothing is; for callers that ask TensorFlow's way.
      config, executor_type: written into the graph; there is one executor.
    """
    definition = STATEFUL_PARTITIONED_CALL if f.stateful_ops else PARTITIONED_CALL
    types = output_types(f) if tout is None else [dtypes.as_dtype(t) for t in tout]
    attrs: dict[str, Any] = {"Tout": types, "f": as_attribute(f), "executor_type": executor_type or ""}
    attrs["config_proto"] = _NOTHING_REWRITTEN if config is None else config
    if types:
        return apply(definition, list(args), **attrs)
    return apply_op(definition, [as_tensor(x) for x in args], name="PartitionedFunctionCall", **attrs)
