"""``tf.gradients``: reverse-mode differentiation of a graph, as more graph."""

from __future__ import annotations

import contextlib
import gc
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from enum import Enum
from typing import Any, NamedTuple

from retrograd.flow.contexts import WhileContext
from retrograd.grad.aggregation import total
from retrograd.grad.loops import loop_gradients, outermost_loop
from retrograd.grad.registry import gradient_of
from retrograd.grad.ways import in_words, shortest_way, with_places
from retrograd.graph import dtypes
from retrograd.graph.contexts import ControlFlowContext
from retrograd.graph.convert import as_tensor_or_slices
from retrograd.graph.errors import taught
from retrograd.graph.functions import FunctionGraph, captured_from
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.source import user_frames
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, control, dataflow, resources


class UnconnectedGradients(Enum):
    """What ``tf.gradients`` gives for an x that no y depends on: None, or zeros."""

    NONE = "none"
    ZERO = "zero"


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
) -> list[Any]:
    """Add to the graph the derivative of ``sum(ys)`` with respect to each of ``xs``.

    Args:
      ys, xs: tensors or lists of them; ``xs`` may be variables.
      grad_ys: the gradient with respect to each y, of its shape and dtype; None stands for ones.
      name: the name scope of the ops that are added.
      colocate_gradients_with_ops: place the gradient of each op on the op's device.
      gate_gradients: let the gradients of one op's inputs become available together.
      aggregation_method: how the terms of a sum are added, one of ``AggregationMethod``.
      stop_gradients: tensors to be taken as constants: no derivative passes through them.
      unconnected_gradients: ``"none"`` or ``"zero"``, the result for an x that no y depends on.

    Returns:
      A list like ``xs``: tensors, ``IndexedSlices`` where only some rows have a gradient, or None.

    Raises:
      LookupError: an op on the way has no gradient.
      ValueError: the arguments do not fit together.

    >>> x = constants.constant(3.0)
    >>> gradients(x * x, [x])[0].shape
    TensorShape([])
    """
    if default_graph().is_eager:
        error = RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
        error.add_note("  Fix:   with tf.GradientTape() as tape: y = ...\n         tape.gradient(y, xs)")
        raise error
    unconnected = checked_unconnected(unconnected_gradients)
    ys, xs, stops = _listed(ys), _listed(xs), [] if stop_gradients is None else _listed(stop_gradients)
    _check_no_none(ys, xs, stops)
    grad_ys = [None] * len(ys) if grad_ys is None else _listed(grad_ys)
    with name_scope(name, "gradients", [v for v in (*ys, *xs, *stops, *grad_ys) if v is not None]):
        graph = default_graph()
        graph.unique_name("uid")
        ys = [_converted(y, f"y_{i}") for i, y in enumerate(ys)]
        xs = [_converted(getattr(x, "handle", x), f"x_{i}", as_ref=True) for i, x in enumerate(xs)]
        if graph.captures:  # a variable that was made where ops run at once has a handle of its own in here
            xs = [graph.capture(x) if isinstance(x, Tensor) and x.graph.is_eager else x for x in xs]
        grad_ys = initial_gradients(ys, grad_ys, colocate_gradients_with_ops)
        with graph.built_at(user_frames()), _without_collections():
            of_tensors: dict[Tensor, Any] | None = {} if _readers_of_passes else None
            placing = _Placing(colocate_gradients_with_ops)
            rules = _Rules(placing, gate_gradients, aggregation_method, xs, stops, of_tensors)
            try:
                arrived = _through_functions(graph, ys, grad_ys, rules)
            except LookupError as error:
                if hasattr(error, "op"):
                    error.add_note(_how_it_is_reached(error.op, ys, xs))
                raise
    dxs = [_result(x, arrived, unconnected) for x in xs]
    if of_tensors is not None:
        for read in _readers_of_passes:
            read(Pass(ys, xs, dxs, of_tensors, stops))
    return dxs


class Pass(NamedTuple):
    """What one call of ``gradients`` has built."""

    ys: list[Any]
    xs: list[Any]
    dxs: list[Any]  # the results
    of_tensors: dict[Tensor, Any]  # the gradient of each tensor on the way, None where none has arrived
    stops: list[Any]


_readers_of_passes: list[Callable[[Pass], None]] = []


@contextlib.contextmanager
def passes_read_by(read: Callable[[Pass], None]) -> Iterator[None]:
    """Let ``read`` be told of each pass that is made in the block, by any thread."""
    _readers_of_passes.append(read)
    try:
        yield
    finally:
        _readers_of_passes.remove(read)


class _Rules(NamedTuple):
    """What was asked for with one call of ``gradients``."""

    place: _Placing
    gate: bool
    method: int | None
    xs: list[Any]
    stops: list[Any]
    of_tensors: dict[Tensor, Any] | None  # where the gradient of each tensor is noted, if anybody asks


def _through_functions(graph: Graph, ys: list[Any], grad_ys: list[Any], rules: _Rules) -> dict[Tensor, list[Any]]:
    """The gradient terms, also of tensors outside of a function that is being built and uses them."""
    context = graph._scopes.context
    region = None if context is None else context.loop
    entries: dict[Tensor, Tensor] = {}
    xs, beyond = rules.xs, []
    if isinstance(graph, FunctionGraph):
        entries = captured_from(graph, [_tensor_of(x) for x in xs])
        around = set(graph.outer_graphs)
        xs = [x for x in xs if _tensor_of(x).graph not in around] + list(entries.values())
        beyond = [i for i, y in enumerate(ys) if _tensor_of(y).graph in around]
    own = [i for i in range(len(ys)) if i not in beyond]
    own_ys = [ys[i] for i in own]
    arrived = _backpropagated(own_ys, [grad_ys[i] for i in own], ops_between(xs, own_ys), region, rules._replace(xs=xs))
    found = [(ys[i], grad_ys[i]) for i in beyond]
    found += [(outside, arrived[inside][0]) for outside, inside in entries.items() if arrived.get(inside)]
    found = [(outside, dx) for outside, dx in found if dx is not None]
    if found:
        assert isinstance(graph, FunctionGraph)
        outer = _through_functions(graph.outer_graph, [t for t, _ in found], [dx for _, dx in found], rules)
        arrived.update(outer)
    return arrived


Unit = Operation | WhileContext  # what is differentiated at once: an op, or a loop


def _backpropagated(
    ys: list[Any],
    grad_ys: list[Any],
    path: Collection[Operation],
    region: ControlFlowContext | None,
    rules: _Rules,
) -> dict[Tensor, list[Any]]:
    """The gradient terms of each tensor between the xs and the ys, summed where an op was passed.

    An op is differentiated once every reader of its outputs has been: only then have all
    the terms of its output gradients arrived.  A loop inside of ``region`` is passed as one.
    """
    loops = _loops_on(path, region)
    inside: dict[WhileContext, dict[Operation, None]] = defaultdict(dict)
    for op, loop in loops.items():
        inside[loop][op] = None
    pending = _readers_within(path, loops)
    last = stopping_ops(rules.xs, rules.stops, pending, loops)
    arrived: dict[Tensor, list[Any]] = defaultdict(list)
    for y, dy in zip(ys, grad_ys, strict=True):
        arrived[_tensor_of(y)].append(dy)
    units = dict.fromkeys(loops.get(y.op, y.op) for y in ys if y.op in path)
    ready: deque[Unit] = deque(unit for unit in units if not pending[unit])
    while ready:
        unit = ready.popleft()  # first in, first out: the order of arrival is AddN's input order
        if isinstance(unit, Operation):
            with rules.place.beside(unit):
                _pass_op(unit, unit in last, arrived, rules)
            members: Collection[Operation] = (unit,)
        else:
            members = inside[unit]
            _pass_loop(unit, members, last, arrived, rules)
        for op in members:
            for x in op.inputs:
                behind = loops.get(x.op, x.op)
                if behind is not unit:
                    pending[behind] -= 1
                    if not pending[behind] and x.op in path:
                        ready.append(behind)
    return arrived


def _pass_op(op: Operation, is_last: bool, arrived: dict[Tensor, list[Any]], rules: _Rules) -> None:
    dys = []
    for y in op.outputs:
        arrived[y] = [total(arrived[y], op.name, rules.method)]
        dys += arrived[y]
        if rules.of_tensors is not None:
            (rules.of_tensors[y],) = arrived[y]
    if is_last or all(dy is None for dy in dys):
        return
    if dataflow.is_loop_merge(op):
        raise _through_first_value(rules)
    for x, dx in zip(op.inputs, input_gradients(_stand_in.get()(op, dys), dys, rules.gate), strict=True):
        if dx is not None:
            arrived[x].append(dx)


StandIn = Callable[[Operation, Sequence[Any]], Operation]
_stand_in: ContextVar[StandIn] = ContextVar("stand_in", default=lambda op, dys: op)


@contextlib.contextmanager
def differentiating(stand_in: StandIn) -> Iterator[None]:
    """Differentiate in the block ``stand_in(op, dys)`` in the place of each ``op``, to which ``dys`` have arrived."""
    token = _stand_in.set(stand_in)
    try:
        yield
    finally:
        _stand_in.reset(token)


def _pass_loop(
    loop: WhileContext,
    members: Collection[Operation],
    last: set[Operation],
    arrived: dict[Tensor, list[Any]],
    rules: _Rules,
) -> None:
    dys = {}
    for op in members:
        if op.type in dataflow.EXITS and op.context is loop:
            for y in op.outputs:
                arrived[y] = [total(arrived[y], op.name, rules.method)]
                if arrived[y][0] is not None and op not in last:
                    (dys[y],) = arrived[y]

    def inner(ys: list[Any], grad_ys: list[Any], ops: Collection[Operation]) -> dict[Tensor, list[Any]]:
        path = _behind(ys, set(ops))  # nothing arrives at the others, so nobody must wait for them
        return _backpropagated(ys, grad_ys, path, loop, rules)

    for x, dx in loop_gradients(loop, members, dys, inner):
        arrived[x].append(dx)


def _behind(ys: Iterable[Any], ops: set[Operation]) -> dict[Operation, None]:
    """Those of ``ops`` that a y depends on through them, from ys backwards."""
    behind: dict[Operation, None] = {}
    queue = deque(y.op for y in ys)
    while queue:
        op = queue.popleft()
        if op in ops and op not in behind:
            behind[op] = None
            queue.extend(x.op for x in op.inputs)
    return behind


def _through_first_value(rules: _Rules) -> ValueError:
    names = ", ".join(f"'{_tensor_of(x).op.name}'" for x in rules.xs)
    return ValueError(
        f"Cannot compute gradient inside while loop with respect to op {names}. We do not support taking the gradient "
        "wrt or through the initial value of a loop variable. Gradients can be computed through loop invariants or "
        "wrt the input parameters to the loop body."
    )


@contextlib.contextmanager
def _without_collections() -> Iterator[None]:
    """The pass allocates what the graph keeps: the garbage collector would search all of it for nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def input_gradients(op: Operation, dys: list[Any], gate: bool) -> Sequence[Any]:
    """The gradient of each input of ``op`` from those of its outputs, as its rule builds them."""
    try:
        rule = gradient_of(op)
    except LookupError:
        raise _no_gradient_defined(op) from None
    if rule is None:
        return [None] * len(op.inputs)
    is_whole = op.definition.body is not None and not _is_of_the_user(rule)  # the derivative of a function
    for i, y in enumerate(op.outputs):
        if dys[i] is None and (is_whole or is_trainable(y.dtype)) and not dataflow.gives_half(op):
            dys[i] = _zeros_of(op, i)
    graph = op.graph
    if graph.is_eager and not _is_of_the_user(rule):
        dxs = _one_per_input(op, rule(op, *dys))
    else:
        with name_scope(op.name + "_grad"), graph._original_op(op):
            if _is_of_the_user(rule):  # and builds at lines of its own
                with graph.built_at(None):
                    dxs = rule(op, *dys)
            else:
                dxs = rule(op, *dys)
            dxs = _one_per_input(op, dxs)
            if gate and sum(dx is not None for dx in dxs) > 1:
                with graph.device(None), graph.colocate_with(None, ignore_existing=True):
                    dxs = control.tuple_(dxs)
    for i, (x, dx) in enumerate(zip(op.inputs, dxs, strict=True)):
        if not isinstance(dx, Tensor | IndexedSlices | None):
            raise _no_tensor(op, i, dx)
        if isinstance(dx, Tensor) and x.dtype is not dtypes.resource and dx.dims != x.dims:
            _merge_shape(op, i, x, dx)
    return dxs


def _one_per_input(op: Operation, dxs: Any) -> list[Any]:
    """What a rule gave, as a list."""
    listed = list(dxs) if isinstance(dxs, list | tuple) else [dxs]
    if len(listed) != len(op.inputs):
        raise ValueError(
            f"Num gradients {len(listed)} generated for op {op.node_def} do not match num inputs {len(op.inputs)}"
        )
    return listed


def _zeros_of(op: Operation, i: int) -> Any:
    """The gradient of output ``i`` where none has arrived.

    In a branch that was not chosen there is nothing of its shape: that comes from the other side of the switch.
    """
    y, context = op.outputs[i], op.context
    if op.type not in dataflow.SWITCHES or context is None or not context.IsCondContext():
        if y.dtype is dtypes.resource:
            return constants.zeros(resources.variable_shape(y), resources.dtype_of(y))
        return constants.zeros_like(y, optimize=False)
    other = dataflow.switch(op.inputs[0], context.pred)[1 - context.branch]
    pivot = arrays.identity(other)
    if y.dtype is dtypes.resource:
        with control_dependencies([pivot]):
            return constants.zeros(resources.variable_shape(other), resources.dtype_of(y))
    shape = arrays.shape_internal(other, optimize=False)
    with control_dependencies([pivot]):
        return constants.zeros(shape, y.dtype.base_dtype)


def _is_of_the_user(rule: Any) -> bool:
    return not getattr(rule, "__module__", "").startswith("retrograd.")


def _merge_shape(op: Operation, i: int, x: Tensor, dx: Tensor) -> None:
    try:
        dx.set_shape(x.dims)
    except ValueError:
        raise ValueError(
            "Incompatible shapes between op input and calculated input gradient.  Forward operation: "
            f"{op.name}.  Input index: {i}. Original input shape: {x.shape}.  "
            f"Calculated input gradient shape: {dx.shape}"
        ) from None


def _no_tensor(op: Operation, i: int, dx: Any) -> AttributeError:
    error = AttributeError(f"'{type(dx).__name__}' object has no attribute 'name'")
    error.add_note(
        f"  Why:   the gradient of '{op.name}' (op type: {op.type}) gave for input {i} something that is no tensor: "
        f"{dx!r}\n  Fix:   return tf.convert_to_tensor(...)"
    )
    return error


def _no_gradient_defined(op: Operation) -> LookupError:
    error = LookupError(f"No gradient defined for operation '{op.name}' (op type: {op.type})")
    error.op = op  # type: ignore[attr-defined]
    return error


def _how_it_is_reached(op: Operation, ys: list[Any], xs: list[Any]) -> str:
    """The note of that error: the way from an x by ``op`` to a y, with the line that built each op of it."""
    goals, sources = {_tensor_of(y).op for y in ys}, {_tensor_of(x).op for x in xs}
    up = shortest_way(op, lambda o: o in goals, lambda o: [r for t in o.outputs for r in t.readers]) or [op]
    down = shortest_way(op, lambda o: o in sources, lambda o: [t.op for t in o.inputs]) or [op]
    way = [*reversed(down), *up[1:]]
    return (
        f"  Why:   '{way[-1].name}' depends on '{way[0].name}' through it:  {in_words(way, [op])}\n"
        f"  Where: {with_places(way)}\n"
        "  Fix:   no derivative wanted there?  tf.stop_gradient(...) on its input\n"
        f'         otherwise register one:      @tf.RegisterGradient("{op.type}")'
    )


# -- which ops ---------------------------------------------------------------------------------


def ops_between(xs: Iterable[Any], ys: Iterable[Any]) -> dict[Operation, None]:
    """The ops that depend on an x through differentiable tensors and that a y depends on, from ys backwards."""
    reached: set[Operation] = set()
    queue = deque(x.op for x in xs)
    while queue:
        op = queue.popleft()
        if op not in reached:
            reached.add(op)
            queue.extend(reader for y in op.outputs if carries_gradient(y.dtype) for reader in y.readers)
    return _behind(ys, reached)


def _loops_on(path: Collection[Operation], region: ControlFlowContext | None) -> dict[Operation, WhileContext]:
    """The loop inside of ``region`` that each op is passed with, for those that are."""
    loops = {op: outermost_loop(op, region) for op in path if op.context is not None}
    return {op: loop for op, loop in loops.items() if isinstance(loop, WhileContext)}


def _readers_within(path: Collection[Operation], loops: dict[Operation, WhileContext]) -> dict[Unit, int]:
    pending: dict[Unit, int] = defaultdict(int)
    for op in path:
        unit = loops.get(op, op)
        for x in op.inputs:
            if x.op in path:
                behind = loops.get(x.op, x.op)
                if behind is not unit:
                    pending[behind] += 1
    return pending


def stopping_ops(
    xs: Iterable[Any], stops: Iterable[Any], pending: dict[Unit, int], loops: dict[Operation, WhileContext]
) -> set[Operation]:
    """The ops behind which nothing is asked for: those of xs with no other x behind them, and ``stops``."""
    stopping = {x.op for x in xs if not any(pending[loops.get(t.op, t.op)] > 0 for t in x.op.inputs)}
    return stopping.union(t.op for t in stops)


_TRAINABLE = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128, dtypes.resource,
    dtypes.variant, dtypes.bfloat16,
)  # fmt: skip


_MOVING = frozenset(id(x) for d in _TRAINABLE for x in (d, d._as_ref))  # there is one object per dtype


def is_trainable(dtype: dtypes.DType) -> bool:
    """Whether values of ``dtype`` vary smoothly."""
    return id(dtype) in _MOVING


carries_gradient = is_trainable


# -- arguments and results ---------------------------------------------------------------------


def checked_unconnected(value: Any) -> UnconnectedGradients:
    """The member that ``value`` is or names.

    Raises:
      ValueError: it is none.
    """
    try:
        return UnconnectedGradients(value)
    except ValueError:
        error = ValueError(f"Unknown value for unconnected_gradients: {value!r}")
        error.add_note("  Fix:   unconnected_gradients='none' or 'zero'")
        raise error from None


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


def _converted(value: Any, name: str, as_ref: bool = False) -> Any:
    return as_tensor_or_slices(value, name=name, as_ref=as_ref)


def _check_no_none(*arguments: list[Any]) -> None:
    for what, values in zip(("ys", "xs", "stop_gradients"), arguments, strict=True):
        if any(v is None for v in values):
            error = AttributeError("'NoneType' object has no attribute 'op'")
            error.add_note(f"  Why:   {what} holds None\n  Fix:   [v for v in {what} if v is not None]")
            raise error


def _tensor_of(value: Any) -> Tensor:
    return value.values if isinstance(value, IndexedSlices) else value


class _Placing:
    """Where the gradient of an op goes: with the op if asked for, else anywhere."""

    def __init__(self, colocate: bool) -> None:
        self.colocate = colocate

    def beside(self, op: Operation) -> AbstractContextManager[None]:
        if self.colocate:
            return default_graph()._colocate_with_for_gradient(op, None)
        return contextlib.nullcontext()


def initial_gradients(ys: list[Any], grad_ys: list[Any], colocate: bool) -> list[Any]:
    """The gradient of each y: ones, or what is given for it, checked.

    Raises:
      ValueError: there are not as many of them as ys.
      TypeError: one is of another kind of number than its y.
    """
    if len(grad_ys) != len(ys):
        error = ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
        raise taught(error, fix="grad_ys=[...] with one for each y, of its shape; None stands for ones")
    place = _Placing(colocate)
    given = [None if dy is None else _converted(dy, f"grad_y_{i}") for i, dy in enumerate(grad_ys)]
    result = []
    for i, (y, dy) in enumerate(zip(ys, given, strict=True)):
        with place.beside(y.op):
            result.append(_ones(y, i) if dy is None else _named(_checked_kind(y, dy), i))
    return result


def _ones(y: Any, i: int) -> Tensor:
    if y.dtype.is_complex:
        raise TypeError(f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})")
    return constants.fill(arrays.shape(_tensor_of(y)), constants.constant(1, dtype=y.dtype, name=f"grad_ys_{i}"))


def _checked_kind(y: Any, dy: Any) -> Any:
    def is_real(dtype: dtypes.DType) -> bool:
        return dtype.is_floating or dtype.is_integer

    dtype = y.dtype.base_dtype
    if is_real(dtype) and not is_real(dy.dtype):
        raise TypeError(
            f"Gradient type {dy.dtype.name} generated for real or integer-valued tensor {y} with type "
            f"{y.dtype.name} must be real or integer"
        )
    if dtype.is_complex and not dy.dtype.is_complex:
        raise TypeError(
            f"Gradient type {dy.dtype.name} generated for complex-valued tensor {y} with type {y.dtype.name} "
            "must be real"
        )
    if dtype == dtypes.variant and dy.dtype != dtypes.variant:
        raise TypeError(
            f"Gradient type {dy.dtype.name} generated for variant tensor {y} with type {dtype.name} must be variant"
        )
    if dtype == dtypes.resource and dy.dtype == dtypes.resource:
        raise TypeError(f"Input gradient {dy} for resource tensor {y} should not be a resource")
    if not is_real(dtype) and not dtype.is_complex and dtype not in (dtypes.variant, dtypes.resource):
        raise TypeError(f"Tensor {y} with type {dtype.name} must be numeric to obtain a default gradient")
    return dy


def _named(dy: Any, i: int) -> Any:
    if isinstance(dy, IndexedSlices):
        shape = dy.dense_shape
        return IndexedSlices(
            indices=arrays.identity(dy.indices, name=f"grad_ys_{i}_indices"),
            values=arrays.identity(dy.values, name=f"grad_ys_{i}_values"),
            dense_shape=None if shape is None else arrays.identity(shape, name=f"grad_ys_{i}_shape"),
        )
    return arrays.identity(dy, name=f"grad_ys_{i}")


def _result(x: Any, arrived: dict[Tensor, list[Any]], unconnected: UnconnectedGradients) -> Any:
    terms = arrived.get(_tensor_of(x))
    dx = terms[0] if terms else None
    if dx is None and unconnected is UnconnectedGradients.ZERO:
        if x.dtype == dtypes.resource:
            return constants.zeros(resources.variable_shape(x), resources.dtype_of(x))
        return constants.zeros_like(x)
    return dx
