"""A function of one element, computed for many elements at once.

A dataset's function is called for each element, and for small elements most of the time goes into calling.  Here its
ops run on arrays with one more axis in front, the elements': an op with a rule runs once for all of them, any other
op once for each.  Rows of different shapes are a list.  Every bit stays as it is: sums, products and functions whose
last digit depends on where in an array a number stands have no rule, and random ops draw for one row after the other.

Behind a ``Switch`` an op runs for some of the rows, those that took its branch; ``Merge`` brings them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph.apply import grouped
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import run_as
from retrograd.ops import blas, dataflow
from retrograd.ops.dataset_states import as_value, rows_together
from retrograd.ops.streams import Stream
from retrograd.run.plan import Plan
from retrograd.run.row_draws import DRAWS, Drawn
from retrograd.run.row_rules import RULES, RULES_OF_LISTS, Kernel
from retrograd.run.store import Store

_BRANCHES = frozenset(("Switch", "Merge"))
_GIVEN = frozenset(("Const", "Placeholder"))
_OF_SHAPES = frozenset(("Shape", "Rank", "Size"))  # the same for all rows of an array
_EFFECTS = (None, Effect.CHECK, Effect.RANDOM)
_OF_TABLES = frozenset(("LookupTableFindV2", "LookupTableSizeV2"))
_OF_VARIANTS = frozenset(("SerializeSparse", "Identity"))  # a variant that is a row of arrays


class _Step(NamedTuple):
    """An op, what computes it, and the stream that it draws from."""

    op: Operation
    kernel: Kernel
    stream: Stream | None


class Rows:
    """``plan`` for the rows of arrays: ``columns`` for its first feeds, then what a function captured.

    ``store`` has the random streams, which are those of the runs for single elements.
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        self.inputs, self.outputs = plan.feeds, plan.fetches
        self.steps = [_step(op, store) for op in plan.ops]

    @property
    def draws(self) -> bool:
        """Whether there are random numbers in it."""
        return any(step.stream is not None for step in self.steps)

    def __call__(self, columns: Sequence[np.ndarray], captured: Sequence[Any]) -> list[Any]:
        """The outputs for all rows: for each output an array, or where their shapes differ a list of its values."""
        return self.with_draws(columns, captured)[0]

    def with_draws(self, columns: Sequence[np.ndarray], captured: Sequence[Any]) -> tuple[list[Any], list[Drawn]]:
        """The outputs, and which random numbers went into them; none, if an op fails."""
        walk = _Walk(len(columns[0]), zip(self.inputs, columns, strict=False))
        walk.values.update(zip(self.inputs[len(columns) :], captured, strict=True))
        try:
            with np.errstate(all="ignore"):
                for step in self.steps:
                    walk.take(step)
            return [walk.result(t) for t in self.outputs], walk.drawn
        except BaseException:
            for drawn in walk.drawn:
                drawn.take_back(0)
            raise
        finally:
            blas.restore()


class _Walk:
    """The values of tensors for ``count`` rows, and for which of the rows there is one.

    ``alive`` has the numbers of the rows, ascending, of tensors that not all rows have; ``with_rows`` the tensors
    whose rows are not all the same.
    """

    def __init__(self, count: int, columns: Any) -> None:
        self.count = count
        self.values: dict[Tensor, Any] = dict(columns)
        self.with_rows: set[Tensor] = set(self.values)
        self.alive: dict[Any, np.ndarray] = {}  # also of ops, for what waits for them
        self.drawn: list[Drawn] = []

    def take(self, step: _Step) -> None:
        """Compute an op."""
        op = step.op
        if op.type == "Merge":
            self._merge(op)
            return
        alive = self._alive_for(op)
        inputs = [self._seen(t, alive) for t in op.inputs]
        are_rows = [t in self.with_rows for t in op.inputs]
        if op.type == "Switch":
            self._switch(op, inputs, are_rows, alive)
            return
        if alive is not None:
            self.alive.update(dict.fromkeys([op, *op.outputs], alive))
        count = self.count if alive is None else len(alive)
        if count == 0:
            return
        if step.stream is not None:
            outputs = self._draw(step, inputs, are_rows, alive)
        elif op.type in _OF_SHAPES and isinstance(inputs[0], np.ndarray) and are_rows[0]:
            self.values.update(zip(op.outputs, step.kernel(inputs[0][0]), strict=True))
            return
        elif any(are_rows):
            outputs = _computed(step, inputs, are_rows, count)
        else:
            self.values.update(zip(op.outputs, step.kernel(*inputs), strict=True))
            return
        self.with_rows.update(op.outputs)
        self.values.update(zip(op.outputs, outputs, strict=True))

    def result(self, tensor: Tensor) -> Any:
        """What the function gives for all rows."""
        if tensor in self.alive:
            raise ValueError("some rows have no value")
        return self.values[tensor] if tensor in self.with_rows else [self.values[tensor]] * self.count

    def _alive_for(self, op: Operation) -> np.ndarray | None:
        """The rows for which all is there that ``op`` reads and waits for."""
        places = [x for x in (*op.inputs, *op.control_inputs) if x in self.alive]
        found = {id(x): x for x in (self.alive[place] for place in places)}
        return reduce(_in_both, found.values()) if found else None

    def _seen(self, tensor: Tensor, alive: np.ndarray | None) -> Any:
        """The value of a tensor for the rows ``alive`` alone."""
        value = self.values.get(tensor)
        own = self.alive.get(tensor)
        if own is alive or tensor not in self.with_rows or alive is None or value is None:
            return value
        places = alive if own is None else np.searchsorted(own, alive)
        return _chosen(value, places)

    def _draw(self, step: _Step, inputs: list[Any], are_rows: list[bool], alive: np.ndarray | None) -> list[Any]:
        assert step.stream is not None
        drawn = Drawn(step.stream, alive)
        self.drawn.append(drawn)
        count = self.count if alive is None else len(alive)
        rule = None if any(are_rows) else DRAWS.get(step.op.type)
        if rule is not None:
            return [rule(step.op, drawn, inputs, count)]

        def kernel(*values: Any) -> list[Any]:
            drawn.before_row()
            return step.kernel(*values)

        return _one_by_one(kernel, inputs, are_rows, count)

    def _switch(self, op: Operation, inputs: list[Any], are_rows: list[bool], alive: np.ndarray | None) -> None:
        data, pred = inputs
        rows = np.arange(self.count) if alive is None else alive
        if len(rows) == 0:
            chosen = np.zeros(0, bool)
        elif are_rows[1]:
            chosen = np.asarray(pred)
        else:
            chosen = np.full(len(rows), bool(pred))
        for tensor, places in zip(op.outputs, (np.flatnonzero(~chosen), np.flatnonzero(chosen)), strict=True):
            self.alive[tensor] = rows[places]
            self.values[tensor] = _chosen(data, places) if are_rows[0] and len(rows) else data
        if are_rows[0]:
            self.with_rows.update(op.outputs)

    def _merge(self, op: Operation) -> None:
        """For each row what the input gives that it has."""
        value, index = op.outputs
        parts = []
        for i, tensor in enumerate(op.inputs):
            rows = self.alive.get(tensor, np.arange(self.count))
            if len(rows):
                parts.append((i, tensor, rows))
        rows = np.concatenate([rows for _, _, rows in parts]) if parts else np.zeros(0, np.intp)
        order = np.argsort(rows, kind="stable")
        if len(rows) < self.count:
            self.alive.update(dict.fromkeys([op, value, index], rows[order]))
        self.values[value] = _joined([(self.values[t], t in self.with_rows, len(r)) for _, t, r in parts], order)
        self.values[index] = np.repeat([i for i, _, _ in parts], [len(r) for _, _, r in parts]).astype(np.int32)[order]
        self.with_rows.update((value, index))


def _joined(parts: Sequence[tuple[Any, bool, int]], order: np.ndarray) -> Any:
    """Rows of several values in another order; a value without rows stands for as many as are told."""
    arrays = [x for x, is_row, _ in parts if is_row and isinstance(x, np.ndarray)]
    if len(arrays) == len(parts) > 0 and len({x.shape[1:] for x in arrays}) == 1:
        return np.concatenate(arrays)[order]
    rows = [as_value(row) for x, is_row, count in parts for row in (x if is_row else [x] * count)]
    return rows_together([rows[i] for i in order]) if rows else rows


def _in_both(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.intersect1d(first, second, assume_unique=True)


def _chosen(value: Any, places: np.ndarray) -> Any:
    return [value[i] for i in places] if isinstance(value, list) else value[places]


def _computed(step: _Step, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    is_ragged = any(isinstance(x, list) for x in inputs)
    rule = (RULES_OF_LISTS if is_ragged else RULES).get(step.op.type)
    found = rule(step.op, step.kernel, inputs, are_rows, count) if rule else None
    return _one_by_one(step.kernel, inputs, are_rows, count) if found is None else found


def rows_of(plan: Plan, store: Store) -> Rows | None:
    """What runs ``plan`` for many elements; None if it does more than compute, check and draw."""
    for op in plan.ops:
        definition = op.definition
        is_plain = (definition.effect in _EFFECTS or op.type in _OF_TABLES) and definition.body is None
        if not is_plain or (op.type in dataflow.IS_FLOW and op.type not in _BRANCHES):
            return None
        if definition.kernel is None and op.type not in _GIVEN and op.type not in _BRANCHES:
            return None
        is_sparse = op.type in _OF_VARIANTS
        if any((not t.dtype.is_numpy_compatible and not is_sparse) or t.dtype.is_ref for t in op.outputs):
            return None
    return Rows(plan, store)


def _step(op: Operation, store: Store) -> _Step:
    """An op and its kernel, with its attributes."""
    definition = op.definition
    if op.type == "Const":
        return _Step(op, lambda: [run_as(op.attrs["value"])], None)
    if definition.kernel is None:  # an input, or a branch
        return _Step(op, lambda *inputs: [], None)
    stream = store.stream_of(op) if definition.effect is Effect.RANDOM else None
    attrs = {name: op.attrs[name] for name in definition.kernel_attrs}
    if op.type in _OF_TABLES:
        kernel = partial(_looked_up, partial(definition.kernel, np, store.memory_of(op), **attrs))
    else:
        kernel = partial(definition.kernel, np, *[] if stream is None else [stream], **attrs)
    if definition.has_lists:
        places = grouped(definition, op.attrs, range(len(op.inputs)))
        return _Step(
            op,
            lambda *inputs: definition.listed(
                kernel(*[[inputs[i] for i in p] if isinstance(p, list | range) else inputs[p] for p in places])
            ),
            stream,
        )
    if not op.outputs:
        return _Step(op, lambda *inputs: list(kernel(*inputs) or ()), stream)
    return _Step(op, lambda *inputs: definition.listed(kernel(*inputs)), stream)


def _looked_up(kernel: Kernel, table: Any, *inputs: Any) -> Any:
    if not table.is_fixed:
        raise ValueError("the table may change before the element's turn comes")
    return kernel(table, *inputs)


def _one_by_one(kernel: Kernel, inputs: list[Any], are_rows: list[bool], count: int) -> list[Any]:
    """The op for each row alone."""
    rows = []
    for i in range(count):
        rows.append(kernel(*[as_value(x[i]) if is_row else x for x, is_row in zip(inputs, are_rows, strict=True)]))
    return [rows_together(column) for column in zip(*rows, strict=True)]
