"""Plans as straight-line Python: what the interpreter would do, step by step, as one function without a loop.

Two kinds of plans run so, since a call of XLA would take longer than all else in them.  Those over **numbers** (the
chain rule by hand, a line fitted one example at a time): a sum of two NumPy scalars takes a twentieth of such a call.
And those that bring a row or two through large matrices, where NumPy's products are as fast.  The function leaves out
what nobody reads or was computed before; its numbers are those of the interpreter.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import blas
from retrograd.run.compiled import Unmet
from retrograd.run.feeds import not_to_be_changed
from retrograd.run.interpreter import Interpreter
from retrograd.run.plan import Plan
from retrograd.run.specialise import Facts
from retrograd.run.steps import Step, read_reference
from retrograd.run.store import Cell

_MOST = 6.0  # microseconds that a function may take, as estimated; XLA takes about as long for nothing
_MOST_OPS = 500  # of a plan, those that shape arithmetic takes among them
_FORM, _CALL = 0.08, 1.0  # microseconds that a form and a call of a kernel take

# What ops compute, exactly as their kernels do: of numbers and arrays, of numbers, of floats.
_FORMS = {
    "Add": "{0} + {1}", "AddV2": "{0} + {1}", "Sub": "{0} - {1}", "Mul": "{0} * {1}", "Neg": "-{0}",
    "Square": "{0} * {0}", "Greater": "{0} > {1}", "GreaterEqual": "{0} >= {1}", "Less": "{0} < {1}",
    "LessEqual": "{0} <= {1}",
}  # fmt: skip
_FORMS_OF_NUMBERS = {"Select": "{1} if {0} else {2}", "SelectV2": "{1} if {0} else {2}"}
_FORMS_OF_FLOATS = {"RealDiv": "{0} / {1}", "Div": "{0} / {1}"}
_POWERS = {1.0: "{0}", 2.0: "{0} * {0}"}

# Ops that give back their input, and the input that others do if it is a single number, as is what they make of it.
_SAME = frozenset(("Identity", "StopGradient", "PreventGradient", "Snapshot"))
_SAME_NUMBER = {
    "Reshape": 0, "Sum": 0, "Mean": 0, "Max": 0, "Min": 0, "Prod": 0, "Tile": 0, "Squeeze": 0, "BroadcastTo": 0,
    "Fill": 1,
}  # fmt: skip

# The new value of a variable, whose old one is {0}.
_UPDATES = {
    "Assign": "{1}", "AssignAdd": "{0} + {1}", "AssignSub": "{0} - {1}", "ApplyGradientDescent": "{0} - {2} * {1}",
    "AssignVariableOp": "{1}", "AssignAddVariableOp": "{0} + {1}", "AssignSubVariableOp": "{0} - {1}",
    "ResourceApplyGradientDescent": "{0} - {2} * {1}",
}  # fmt: skip

_VARIABLES = frozenset(("Variable", "VariableV2"))

# Ops of floats that never fail: what they compute need not be computed if nobody reads it.
_HARMLESS = frozenset((
    "Abs", "Cos", "Erf", "Exp", "Expm1", "Floor", "Inv", "Log", "Log1p", "Maximum", "Minimum", "OnesLike", "Pow",
    "Reciprocal", "Relu", "ReluGrad", "Rsqrt", "RsqrtGrad", "Sigmoid", "SigmoidGrad", "Sign", "Sin", "Softplus",
    "SoftplusGrad", "Sqrt", "SqrtGrad", "SquaredDifference", "Tan", "Tanh", "TanhGrad", "ZerosLike", "Equal",
    "NotEqual",
))  # fmt: skip


_FREE = frozenset((*_FORMS, *_FORMS_OF_NUMBERS, *_FORMS_OF_FLOATS, *_SAME, *_SAME_NUMBER, *_HARMLESS))


class NotStraight(Exception):
    """The function of a plan cannot be written, or is not worth it."""


class Straight:
    """The plan of ``interpreter`` as a function of numbers, or, with ``of_arrays``, of arrays.

    Raises:
      NotStraight: it cannot be written as one, or is not worth it.
    """

    def __init__(self, interpreter: Interpreter, facts: Facts, of_arrays: bool = False) -> None:
        self.store = interpreter.store
        self.of_arrays = of_arrays
        written = _Writer(interpreter, facts, of_arrays).written()
        self._function: Callable[[Sequence[Any]], list[Any]] = written
        self._context = contextvars.copy_context()  # one in which NumPy does not warn of infinities
        self._context.run(np.seterr, all="ignore")

    def run(self, feeds: Sequence[Any]) -> list[Any]:
        """The values of the plan's fetches.

        Raises:
          Unmet: a variable has no value, or another than expected, or an op fails; nothing is changed.
        """
        with self.store.lock:
            try:
                return self._context.run(self._function, feeds)
            except Exception as error:
                raise Unmet from error
            finally:
                if self.of_arrays:  # numbers have no products of matrices
                    blas.restore()


def is_of_numbers(plan: Plan, facts: Facts) -> bool:
    """Whether what comes in and goes out of ``plan`` is a few single numbers."""
    ends = [*plan.feeds, *plan.fetches, *(t for op in plan.ops if op.type in _VARIABLES for t in op.outputs)]
    return len(plan.ops) <= _MOST_OPS and all(facts.dims.get(t, t.dims) == () for t in ends)


class _Writer:
    """The text of the function, line by line, and the names that it knows."""

    def __init__(self, interpreter: Interpreter, facts: Facts, of_arrays: bool) -> None:
        self.interpreter = interpreter
        self.facts = facts
        self.of_arrays = of_arrays
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "_number": _number, "_write": _write, "_fed": not_to_be_changed, "_store": interpreter.store,
        }  # fmt: skip
        self.of_slot: dict[int, str] = {}  # the name of what a slot holds
        self.made: dict[str, str] = {}  # the name of what an expression gave
        self.cells: dict[Cell, str] = {}
        self.cell_at: dict[int, Cell] = {}  # the variables that references point to which ops gave
        self.now: dict[Cell, str] = {}  # the name of the value that a variable has by now
        self.changed: set[Cell] = set()
        self.cost = 0.0

    def written(self) -> Callable[[Sequence[Any]], list[Any]]:
        for i, (slot, tensor) in enumerate(zip(self.interpreter.feed_slots, self.interpreter.plan.feeds, strict=True)):
            self._check(self._is_wanted(tensor))
            self.of_slot[slot] = self._new(f"feeds[{i}][()]" if self._is_number(tensor) else f"_fed(feeds[{i}])")
        for step in self._read_ones(self.interpreter.steps):
            self._add(*step)
            self._check(self.of_arrays or self.cost <= _MOST)
        results = [self._value(slot) for slot in self.interpreter.result_slots]
        text = "\n    ".join(["def function(feeds):", *self.lines, *self._ending(), f"return [{', '.join(results)}]"])
        exec(compile(text, "<a plan>", "exec"), self.names)
        function: Callable[[Sequence[Any]], list[Any]] = self.names["function"]
        return function

    def _check(self, holds: bool) -> None:
        if not holds:
            raise NotStraight

    # -- what is computed --------------------------------------------------------------------------

    def _read_ones(self, steps: Iterable[Step]) -> list[Step]:
        """The steps that somebody needs: their value, their effect, or the error that they may raise."""
        wanted = set(self.interpreter.result_slots)
        kept = []
        for step in reversed(list(steps)):
            function, sources, result, _, op = step
            self._check(function is not None and isinstance(result, int | tuple))
            is_free = op.type in _FREE and not self.of_arrays  # an array may have a shape that is wrong
            if not is_free or function is read_reference or result in wanted:
                wanted.update(sources)
                kept.append(step)
        return kept[::-1]

    def _add(self, function: Any, sources: tuple[int, ...], result: Any, dead: Any, op: Operation) -> None:
        if function is read_reference or op.type == "ReadVariableOp":
            self.of_slot[result] = self._read(self._cell(sources[0]))
        elif op.type in _UPDATES:
            self._update(op, sources, result)
        else:
            self._check(op.definition.effect is None and isinstance(result, int))
            self._check(self._is_wanted(op.outputs[0]))
            self.of_slot[result] = self._computed(function, sources, op)

    def _computed(self, function: Any, sources: tuple[int, ...], op: Operation) -> str:
        is_float = op.outputs[0].dtype.np.kind == "f"
        are_numbers = all(map(self._is_number, (*op.inputs, *op.outputs)))
        if op.type in _SAME:
            return self._value(sources[0])
        same = _SAME_NUMBER.get(op.type)
        if same is not None and self._is_number(op.outputs[0]) and self._is_number(op.inputs[same]):
            return self._value(sources[same])
        values = [self._value(slot) for slot in sources]
        form = _FORMS.get(op.type)
        if are_numbers and form is None:
            form = _FORMS_OF_NUMBERS.get(op.type)
        if is_float and form is None:
            form = _FORMS_OF_FLOATS.get(op.type)
        if op.type == "Pow" and is_float and are_numbers:
            form = _POWERS.get(float(self._known(sources[1])))
        if form:
            self.cost += _FORM
            return self._new(form.format(*values))
        self.cost += _CALL
        kernel = f"k_{op.type}_{len(self.names)}"
        self.names[kernel] = function
        return self._new(f"{kernel}({', '.join(values)})" + ("[()]" if self._is_number(op.outputs[0]) else ""))

    def _known(self, slot: int) -> Any:
        return self.interpreter.initial[slot] if slot in self.interpreter.constant else np.nan

    def _is_number(self, tensor: Tensor) -> bool:
        return self.facts.dims.get(tensor, tensor.dims) == () and tensor.dtype.base_dtype.np.kind in "fib"

    def _is_wanted(self, tensor: Tensor) -> bool:
        return self._is_number(tensor) or (self.of_arrays and tensor.dtype.base_dtype.np.kind in "fib")

    def _value(self, slot: int) -> str:
        """The name of what a slot holds."""
        if slot not in self.of_slot:
            self._check(slot in self.interpreter.constant)
            value, name = self.interpreter.initial[slot], f"c{slot}"
            if not self.of_arrays:
                value = np.asarray(value)
                self._check(not value.ndim and value.dtype.kind in "fib")
                value, name = value[()], f"{value.dtype.name}_{value.tobytes().hex()}"  # equal ones are one
            self.of_slot[slot] = name
            self.names[name] = value
        return self.of_slot[slot]

    def _new(self, expression: str) -> str:
        """The name of the value of ``expression``."""
        if expression.isidentifier():
            return expression
        if expression not in self.made:
            self.made[expression] = name = f"v{len(self.made)}"
            self.lines.append(f"{name} = {expression}")
        return self.made[expression]

    # -- variables ---------------------------------------------------------------------------------

    def _cell(self, slot: int) -> Cell:
        cell = self.cell_at.get(slot, self.interpreter.initial[slot])
        if not isinstance(cell, Cell) or cell.home is not None or not cell.is_initialized:
            raise NotStraight
        if cell not in self.cells:
            self.cells[cell] = f"cell{len(self.cells)}"
            self.names[self.cells[cell]] = cell
        return cell

    def _read(self, cell: Cell) -> str:
        if cell not in self.now:
            name = f"old{len(self.cells)}_{len(self.now)}"
            of = self.cells[cell]
            self.now[cell] = name
            self.lines.append(f"{name} = {of}._value")
            if self.of_arrays:
                self.lines.append(f"if {name} is None: {name} = {of}.read()")
                return name
            value = np.asarray(cell.value)
            self._check(not value.ndim and value.dtype.kind in "fib")
            kind = f"kind_{value.dtype.name}"
            self.names[kind] = value.dtype.type
            self.lines.append(f"if type({name}) is not {kind}: {name} = _number({of}, {kind})")
        return self.now[cell]

    def _update(self, op: Operation, sources: tuple[int, ...], result: Any) -> None:
        cell = self._cell(sources[0])
        self._check(not self.of_arrays and all(map(self._is_number, op.inputs[1:])))
        old = self._read(cell)
        self.cost += _FORM
        self.now[cell] = self._new(_UPDATES[op.type].format(old, *map(self._value, sources[1:])))
        self.changed.add(cell)
        if isinstance(result, int):
            self.cell_at[result] = cell

    def _ending(self) -> list[str]:
        """The lines that let the variables have their new values, where nothing can come between two of them."""
        if not self.changed:
            return []
        cells = [(self.cells[cell], self.now[cell]) for cell in self.cells if cell in self.changed]
        special = " or ".join(["_store.is_in_transaction", *[f"{cell}.home is not None" for cell, _ in cells]])
        pairs = ", ".join(f"({cell}, {value})" for cell, value in cells)
        stores = "; ".join(f"{cell}._value = {value}" for cell, value in cells)
        return [f"if {special}: _write(_store, [{pairs}])", f"else: {stores}"]


def _number(cell: Cell, kind: Any) -> Any:
    """The value of a variable, if it is a single number of this kind.

    Raises:
      FailedPreconditionError: there is none.
      Unmet: it is another.
    """
    value = np.asarray(cell.read())
    if value.ndim or value.dtype.type is not kind:
        raise Unmet
    return value[()]


def _write(store: Any, values: Iterable[tuple[Cell, Any]]) -> None:
    with store.transaction():
        for cell, value in values:
            cell.write(value)
