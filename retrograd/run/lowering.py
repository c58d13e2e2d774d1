"""Lowering: what a plan computes, as a pure function that JAX can trace.

The plan is walked once per trace with the same kernels that the interpreter calls, on ``jax.numpy``.
Whatever shapes a result (axes, sizes, shapes) has to be known then: it follows from constants, from the shapes
of what is traced, or from feeds that are given as NumPy arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import grouped
from retrograd.graph.definition import Effect
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow, moving, resources
from retrograd.ops.dense_elements import DenseElements, Stepped
from retrograd.ops.streams import Stream
from retrograd.ops.training import WHOLE_UPDATES
from retrograd.run.distinct import Distinct, are_first
from retrograd.run.held import NotLowered as NotLowered
from retrograd.run.held import is_known
from retrograd.run.plan import Plan, variable_of
from retrograd.run.rectified import Rectified
from retrograd.run.store import Cell, Store
from retrograd.run.together import Together, Waiting, places_of
from retrograd.run.walking import Scope, Walk

_COUNTS = (dtypes.int32, dtypes.int64, dtypes.bool)
_BY_SHAPE = frozenset(("Shape", "ShapeN", "Size", "Rank", "VariableShape"))


class GivenValue:
    """A variable inside of a pure function: the value that it was given, or has been given since.

    With ``allowed``, a traced truth, changes take place only where it holds.
    """

    is_initialized = True

    def __init__(self, value: Any, name: str = "", allowed: Any = None) -> None:
        self.due: Waiting | None = None  # a change that is done when the value is read
        self._value = value
        self.name = name
        self.allowed = allowed
        self.has_changed_rows = False
        self.present: Any = None  # which of the rows that an op changes count, each of them once; None: all do

    @property
    def value(self) -> Any:
        """The value."""
        if self.due is not None:
            self.due.settle()
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        if self.due is not None:
            self.due.settle()
        self._value = value

    def read(self) -> Any:
        """The value."""
        return self.value

    @property
    def shape_now(self) -> tuple[int, ...]:
        """The shape of the value."""
        return np.shape(self._value)

    def write(self, value: Any) -> None:
        """Let the value be ``value``.

        Raises:
          ValueError: it has another shape than the one before it.
        """
        from retrograd.ops.jax_start import jnp

        if value is None or np.shape(value) != self.shape_now:
            raise ValueError(f"the variable {self.name} changes its shape")
        self.value = value if self.allowed is None else jnp.where(self.allowed, value, self.value)

    def change_rows(self, rows: Any, change: Callable[[Any, Any], Any]) -> None:
        """Let the value be ``change(value, rows)``, which drops rows that the variable does not have."""
        from retrograd.ops.jax_start import jnp

        for condition in (self.allowed, self.present):
            if condition is not None:
                rows = jnp.where(condition, rows, self.shape_now[0])
        self.value = change(self.value, rows)
        self.has_changed_rows = True


class Lowered:
    """``plan`` as a function of the values of its feeds and ``variables``, and of the streams of its random ops.

    Feeds in ``static`` must be NumPy arrays.  A random op draws from the stream that it is given and moves
    its counter on, and an op that writes a variable changes the ``GivenValue`` that it is given; so the caller
    learns from both how to go on.  ``with_checks`` keeps the ops that fail on bad values: what they ask for
    is required (see ``ops/requirements.py``).

    Raises:
      NotLowered: an op runs on the host; when called, a shape follows from a traced value.
    """

    def __init__(
        self,
        plan: Plan,
        library: Graph | None = None,
        with_checks: bool = False,
        capacity: int = 32,
        by_shape: Collection[Tensor] = (),
    ) -> None:
        """The pure function of ``plan``.

        Args:
          library: the graph whose functions the ops may call, if that is not their own.
          capacity: of how many iterations a loop keeps what its gradient reads, where the number of iterations
            follows from values.  Whether there is such a loop a call leaves in ``is_bounded``; that its
            iterations are not more is required.
          by_shape: the fetches that the caller asks for their shapes alone.
        """
        self.plan = plan
        self.capacity = capacity
        self.is_bounded = False
        self.ops = _in_need(plan, with_checks)
        for op in self.ops:
            obstacle = obstacle_of(op)
            if obstacle is not None:
                raise NotLowered(op, obstacle)
        self.calls = {
            op: _lowered_call(op, library or op.graph, with_checks, capacity)
            for op in self.ops
            if op.definition.body is not None
        }
        places = places_of(self.ops, variable_of)
        self.variables = sorted(filter(_is_variable, self.ops), key=lambda op: places.get(op, (len(self.ops), 0)))
        self.random = [op for op in self.ops if op.definition.effect is Effect.RANDOM and op not in self.calls]
        self.static = shaping(self.ops, plan.feeds).intersection(plan.feeds)
        self.by_value = _read_by_value(self.ops, plan, by_shape)
        self.views = _views(self.ops, plan)
        self.distinct = Distinct(self.ops, plan)
        self.rectified = Rectified(self.ops, plan.feeds, plan.fetches)

    def cells(self, store: Store) -> list[Cell]:
        """The places in ``store`` of the variables that a call takes, in order; one may come twice."""
        inner = [cell for op, call in self.calls.items() for cell in call.cells(store.part_of(op))]
        return [store.cell_of(op) for op in self.variables] + inner

    def streams(self, store: Store) -> list[Stream]:
        """The random streams in ``store`` that a call takes, in order."""
        inner = [stream for op, call in self.calls.items() for stream in call.streams(store.part_of(op))]
        return [store.stream_of(op) for op in self.random] + inner

    def __call__(
        self,
        feeds: Sequence[Any],
        variables: Iterable[Any] = (),
        streams: Iterable[Stream] = (),
        places: Iterable[Any] = (),
    ) -> list[Any]:
        """The values of the plan's fetches; to be called while JAX traces.  Ops may change ``places`` too."""
        variables, streams = [_held(v) for v in variables], list(streams)
        given, drawn = iter(variables), iter(streams)
        scope = Scope(values={t: as_held(t, v) for t, v in zip(self.plan.feeds, feeds, strict=True)})
        for op in self.variables:
            scope[op.outputs[0]] = next(given)
        before: dict[Operation, Any] = {op: next(drawn) for op in self.random}
        for op, call in self.calls.items():
            before[op] = call.given([*islice(given, call.variable_count)], [*islice(drawn, call.stream_count)])
        together = Together(lambda op, values: _computed(op, values, None, scope), GivenValue)
        walk = Walk(
            self.plan, frozenset(self.ops), [*variables, *streams, *places], self._seen_by,
            lambda op, scope: self._results(op, scope, before.get(op), together),
            self.by_value, self.capacity,
        )  # fmt: skip
        walk.through(self.plan.items, scope)
        together.settle()
        self.is_bounded = walk.is_bounded or any(call.is_bounded for call in self.calls.values())
        return [_read(walk.fetched(tensor, scope)) for tensor in self.plan.fetches]

    @property
    def variable_count(self) -> int:
        """How many variables a call takes."""
        return len(self.variables) + sum(call.variable_count for call in self.calls.values())

    @property
    def stream_count(self) -> int:
        """How many random streams a call takes."""
        return len(self.random) + sum(call.stream_count for call in self.calls.values())

    def given(self, variables: list[Any], streams: list[Stream]) -> Callable[[Sequence[Any]], list[Any]]:
        """The function of the feeds that remains when the rest is given."""
        return lambda feeds: self(feeds, variables, streams)

    def _seen_by(self, op: Operation, tensor: Tensor, scope: Scope) -> Any:
        """What ``op`` finds in ``tensor``: behind a write of the variable that it was read from, what was written."""
        reader = self.views.get(tensor)
        if reader is not None and variable_of(reader.inputs[0]) in self.plan.written.get(op, ()):
            value, seen = _read(scope[reader.inputs[0]]), scope[tensor]
            return value if np.size(value) == np.size(seen) else seen  # of another size it is elsewhere in memory
        return scope[tensor]

    def _results(self, op: Operation, scope: Scope, before: Any, together: Together) -> list[Any]:
        values = [self._input(op, t, scope) for t in op.inputs]
        if op.type in WHOLE_UPDATES and scope.around is None:
            values = _arguments(op, values)
            if together.take(op, values):
                return [values[0]] * len(op.outputs)
        elif op in self.calls:
            together.settle()
        if op in self.distinct.uniques:
            return self.distinct.results(op, values[0])
        if op in self.rectified.rules:
            return values[:1]
        if op in self.rectified.by_pooling:
            from retrograd.ops.jax_start import jnp

            x, y, dy = _arguments(op, values)
            values = [x, y, self.rectified.let_through(jnp, op, y, dy)]
        if op in self.distinct.unique_of:
            present = are_first(scope[self.distinct.unique_of[op].outputs[1]])
        elif op in self.distinct.alone:
            present = np.True_
        else:
            return _computed(op, values, before, scope)
        cells = [value for value in values if isinstance(value, GivenValue)]
        try:
            for cell in cells:
                cell.present = present
            return _computed(op, values, before, scope)
        finally:
            for cell in cells:
                cell.present = None

    def _input(self, op: Operation, tensor: Tensor, scope: Scope) -> Any:
        """The argument of an op: to one of a ``TensorArray``, with all that is known of it."""
        value = scope.found(tensor) if op.type.startswith("TensorArray") else None
        return value if isinstance(value, Stepped) else self._seen_by(op, tensor, scope)


def _lowered_call(op: Operation, library: Graph, with_checks: bool, capacity: int) -> Lowered:
    """What ``op`` calls, as a part of the pure function that it is in."""
    assert op.definition.body is not None
    body = op.definition.body(op, library)
    return Lowered(Plan(body.outputs, body.effects, body.inputs), library, with_checks, capacity)


# a merge or an exit has a value of its own: that of the branch, or of the last iteration
_OTHER_NAMES = {"Identity", *dataflow.IS_FLOW} - dataflow.MERGES - dataflow.EXITS


def _views(ops: Sequence[Operation], plan: Plan) -> dict[Tensor, Operation]:
    """The tensors that share the memory of a reference variable, with what read it; none where nothing is written."""
    views: dict[Tensor, Operation] = {}
    for op in ops if plan.written else ():
        if op.type not in _OTHER_NAMES:
            continue
        source = op.inputs[0]
        for tensor in op.outputs:
            if source in views:
                views[tensor] = views[source]
            elif op.type == "Identity" and source.dtype.is_ref and source not in plan.feeds:
                views[tensor] = op
    return views


def shaping(ops: Sequence[Operation], feeds: Collection[Tensor]) -> set[Tensor]:
    """The tensors whose values shape the result of one of ``ops``, which are in order and given ``feeds``."""
    found: set[Tensor] = set()
    for op in reversed(ops):
        is_shape = op.type in _BY_SHAPE or op.type == "TensorArraySizeV3"  # an array is as long as it was made
        follows = not is_shape and not found.isdisjoint(op.outputs)
        fixed = static_inputs(op)
        found.update(t for t, is_fixed in zip(op.inputs, fixed, strict=True) if is_fixed or follows)
    return found | _lengths(ops, feeds)


def _lengths(ops: Sequence[Operation], feeds: Collection[Tensor]) -> set[Tensor]:
    """What decides how often loops go round that make arrays longer, if that is integers alone, such as lengths."""
    if not any(
        op.type == "TensorArrayV3" and op.attrs["dynamic_size"] and not static_value(op.inputs[0]) for op in ops
    ):
        return set()
    found: set[Tensor] = {t for op in ops if op.type == "LoopCond" for t in op.inputs}
    fed = set(feeds)
    waiting = [*found]
    while waiting:
        tensor = waiting.pop()
        op = tensor.op
        if tensor in fed:
            if tensor.dtype.base_dtype not in _COUNTS or len(tensor.dims or ()) > 1:
                return set()
            continue
        if op.type in _BY_SHAPE or op.type == "TensorArraySizeV3" or op.type == "Const":
            continue
        if not op.inputs or op.definition.effect not in (None, Effect.CHECK):
            return set()
        fresh = [t for t in op.inputs if t not in found]
        found.update(fresh)
        waiting += fresh
    return found


def static_inputs(op: Operation, fold: Callable[[Tensor], Any] = static_value) -> list[bool]:
    """For each input of ``op``, whether its value shapes the result; ``fold`` gives the values that are known."""
    fixed = op.definition.are_static(op.attrs)
    if op.type in moving.BOUNDS and moving.may_move(op, fold):
        return [is_fixed and i not in moving.BOUNDS[op.type] for i, is_fixed in enumerate(fixed)]
    return fixed


def kernel_on(op: Operation, xp: Any, values: Sequence[Any], before: Any = None) -> list[Any]:
    """What the kernel of ``op`` makes of ``values`` with the array module ``xp``, one item for each output.

    ``before`` is what it takes before them: the stream of a random op, what runs the function that is called.
    """
    definition = op.definition
    assert definition.kernel is not None
    values = [np.asarray(v) if static else v for v, static in zip(values, definition.are_static(op.attrs), strict=True)]
    attrs = {k: op.attrs[k] for k in definition.kernel_attrs}
    first = () if before is None else (before,)
    return definition.listed(definition.kernel(xp, *first, *grouped(definition, op.attrs, values), **attrs))


def _in_need(plan: Plan, with_checks: bool) -> list[Operation]:
    """The ops of ``plan`` that what it computes or does follows from; control inputs order effects alone."""
    done = (Effect.WRITE, Effect.HOST, Effect.CHECK) if with_checks else (Effect.WRITE, Effect.HOST)
    fed = set(plan.feeds)
    waiting = [t.op for t in plan.fetches if t not in fed] + list(plan.targets)
    waiting += [op for op in plan.ops if op.definition.effect in done]
    members, wanted = set(plan.ops), set(waiting)
    while waiting:
        op = waiting.pop()
        sources = [t.op for t in op.inputs if t not in fed]
        if plan.has_branches:
            sources += [literal.pred.op for literal in plan.guards.of(op) if literal.pred not in fed]
        if op in plan.loop_of and (condition := plan.loop_of[op].condition) is not None:
            sources.append(condition)
        fresh = wanted.symmetric_difference(wanted.union(x for x in sources if x in members))
        wanted |= fresh
        waiting += fresh
    return [op for op in plan.ops if op in wanted and not (op.outputs and fed.issuperset(op.outputs))]


def _read_by_value(ops: Sequence[Operation], plan: Plan, by_shape: Collection[Tensor]) -> frozenset[Tensor]:
    """The tensors of which more than the shape is read."""
    found = set(plan.fetches).difference(by_shape)
    while True:
        before = len(found)
        for op in reversed(ops):
            if op.type in _BY_SHAPE:
                continue
            is_name = op.type in _PASSING
            for i, tensor in enumerate(op.inputs):
                if (is_name and i == 0) or op.type in dataflow.MERGES:
                    if not found.isdisjoint(op.outputs):
                        found.add(tensor)
                else:
                    found.add(tensor)
        if len(found) == before or not plan.loop_of:
            return frozenset(found)


_PASSING = frozenset(("Identity", "LoopHistory", "LoopRecall", "Enter", "Exit", "NextIteration", "Switch"))


def is_read_by_shape(tensor: Tensor, plan: Plan) -> bool:
    """Whether nothing in ``plan`` reads more of ``tensor`` than its shape."""
    members = set(plan.ops)
    waiting, seen = [tensor], {tensor}
    while waiting:
        found = waiting.pop()
        if found in plan.fetches:
            return False
        for op in members.intersection(found.readers):
            if op.type in _PASSING and op.inputs[0] is found:
                waiting += [t for t in op.outputs if t not in seen]
                seen.update(op.outputs)
            elif op.type not in _BY_SHAPE:
                return False
    return True


def _is_variable(op: Operation) -> bool:
    return op.definition.effect is Effect.READ and op.definition.kernel is None


def obstacle_of(op: Operation) -> str | None:
    """Why ``op`` cannot be part of a pure function; None if it perhaps can."""
    effect = op.definition.effect
    if op.type == "Placeholder":
        return "it is not fed"
    if op.definition.body is not None:
        return None  # what it calls will be asked
    if effect is Effect.HOST:
        return f"it {effect.value}"
    if op.type in dataflow.IS_FLOW:
        return None
    if op.definition.kernel is None and not _is_variable(op):
        return "it has no kernel"
    return None


def as_held(tensor: Tensor, value: Any) -> Any:
    """A feed as its readers find it: a handle leads to the value of a variable."""
    is_variable = tensor.dtype == "resource" and resources.dtype_of(tensor) is not None
    return _held(value) if is_variable else value


def _held(value: Any) -> Any:
    return value if isinstance(value, GivenValue) else GivenValue(value)


def _read(value: Any) -> Any:
    return value.read() if isinstance(value, GivenValue) else value


def _arguments(op: Operation, values: list[Any]) -> list[Any]:
    """What the kernel of ``op`` takes: a variable where it changes one, elsewhere its value."""
    arguments = op.definition.of_inputs(op.attrs)
    takes_cell = [a.is_ref or t.dtype == "resource" for a, t in zip(arguments, op.inputs, strict=True)]
    return [v if cell else _read(v) for v, cell in zip(values, takes_cell, strict=True)]


def _computed(op: Operation, values: list[Any], before: Any, scope: Scope) -> list[Any]:
    values = _arguments(op, values)
    if not op.type.startswith(("TensorArray", "Add")):  # to others a flow is a number
        values = [np.float32(0) if isinstance(v, DenseElements) else v for v in values]
    try:
        if op.definition.is_pure and not any(map(_is_traced, values)):  # what follows from constants is one
            with np.errstate(all="ignore"):
                return kernel_on(op, np, values)
        return _traced_results(op, values, before, scope)
    except NotLowered:
        raise
    except Exception as error:
        raise NotLowered(op, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}") from error


def _traced_results(op: Operation, values: list[Any], before: Any, scope: Scope) -> list[Any]:
    from retrograd.ops.jax_start import jnp

    known = partial(_known_in, scope)
    static = static_inputs(op, known)
    _check_known(op, static, values)
    bounds = moving.BOUNDS.get(op.type, ())
    is_of_arrays = op.type.startswith("TensorArray")
    values = [
        jnp.asarray(v) if is_known(v) and not (is_static or i in bounds or is_of_arrays or _is_text(v)) else v
        for i, (v, is_static) in enumerate(zip(values, static, strict=True))
    ]
    if any(_is_traced(values[i]) for i in bounds):
        return [moving.moved(op, jnp, values, known)]
    return kernel_on(op, jnp, values, before)


def _known_in(scope: Scope, tensor: Tensor) -> Any:
    """The value of ``tensor`` if that is known while JAX traces."""
    value = scope.found(tensor)
    return static_value(tensor) if value is None or _is_traced(value) else value


def _check_known(op: Operation, static: Sequence[bool], values: Sequence[Any]) -> None:
    for t, v, is_static in zip(op.inputs, values, static, strict=True):
        if is_static and _is_traced(v):
            raise NotLowered(op, f"the value of {t.name} shapes its result, and follows from what is traced")


def _is_text(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "OSU"


def _is_traced(value: Any) -> bool:
    return not isinstance(value, np.ndarray | np.generic | bytes)
