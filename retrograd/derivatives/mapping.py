"""``Vectorized``: a piece of graph, computed for many rows at once.

The piece is written on placeholders that stand for one row each.  It is lowered to a function of arrays,
mapped over the rows by ``jax.vmap`` and compiled.  What it reads from the graph around it is captured:
those tensors are inputs of the op, so feeds, variables and further differentiation reach them.  The gradient
of the op is the gradient of the piece, built by the ops' own rules and mapped over the rows again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import add
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from retrograd.derivatives.capturing import always_there, behind, reached, read_from_around, value_of
from retrograd.grad.gradients import gradients, is_trainable
from retrograd.graph.apply import apply_op
from retrograd.graph.contexts import control_inputs_cleared
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, dataflow
from retrograd.run.interpreter import Interpreter
from retrograd.run.lowering import Lowered, NotLowered, as_held, shaping
from retrograd.run.plan import Plan
from retrograd.run.store import Store

_COMPILED_KEPT = 16  # forms of one piece, by the values that shape it


class Piece:
    """Tensors ``outputs`` as a function of placeholders ``rows`` and of tensors ``captured`` from around.

    ``summed`` says which outputs are added up over the rows.  Captured tensors whose values shape a result
    are ``fixed``.
    """

    def __init__(
        self, outputs: Sequence[Tensor], rows: Sequence[Tensor], around: Sequence[Tensor], summed: Sequence[bool]
    ) -> None:
        self.outputs = tuple(outputs)
        self.rows = tuple(rows)
        self.summed = tuple(summed)
        self.is_closed = False  # whether all that it reads is placeholders of its own
        self.plan = Plan(self.outputs, (), (*self.rows, *around))
        by_value = shaping(self.plan.ops, self.plan.feeds)
        self.captured = tuple(t for t in around if t not in by_value)
        self.fixed = tuple(t for t in around if t in by_value)
        self.plan = Plan(self.outputs, (), (*self.rows, *self.captured, *self.fixed))
        self.compiled: dict[Any, Callable[..., Any]] = {}
        try:
            self.lowered: Lowered | None = Lowered(self.plan)
        except NotLowered:
            self.lowered = None
        self.token = f"piece_{next(_numbers)}"
        _pieces[self.token] = self
        default_graph().notes.setdefault("pieces", []).append(self)  # it lives as long as the graph

    def mapped(self, xp: Any, rows: Sequence[Any], captured: Sequence[Any], fixed: Sequence[Any]) -> list[Any]:
        """The outputs for all rows."""
        if xp is not np:
            return self._together(fixed)(rows, captured)
        if self.lowered is not None:
            from retrograd.ops.jax_start import jax

            try:
                with jax.enable_x64(True):
                    return [np.asarray(y) for y in self._jitted(fixed)(rows, captured)]
            except Exception:  # of what cannot be traced; the interpreter says what else is wrong
                self.lowered = None
        return self._one_by_one(rows, captured, fixed)

    def _jitted(self, fixed: Sequence[Any]) -> Callable[..., Any]:
        from retrograd.ops.jax_start import jax

        key = tuple((v.dtype.str, np.shape(v), v.tobytes()) for v in fixed)
        if key not in self.compiled:
            if len(self.compiled) == _COMPILED_KEPT:
                self.compiled.pop(next(iter(self.compiled)))
            self.compiled[key] = jax.jit(self._together(fixed))
        return self.compiled[key]

    def _together(self, fixed: Sequence[Any]) -> Callable[[Sequence[Any], Sequence[Any]], list[Any]]:
        from retrograd.ops.jax_start import jax, jnp

        lowered = self.lowered
        if lowered is None:
            raise NotLowered(self.outputs[0].op, "it runs row by row")

        def together(rows: Sequence[Any], captured: Sequence[Any]) -> list[Any]:
            def of_one_row(*row: Any) -> list[Any]:
                return [jnp.asarray(y) for y in lowered([*row, *captured, *fixed])]

            results = jax.vmap(of_one_row)(*map(jnp.asarray, rows))
            return [y.sum(0, dtype=y.dtype) if s else y for y, s in zip(results, self.summed, strict=True)]

        return together

    def _one_by_one(self, rows: Sequence[Any], captured: Sequence[Any], fixed: Sequence[Any]) -> list[Any]:
        """The outputs by the interpreter, which can run everything."""
        interpreter = Interpreter(self.plan, Store())
        around = [as_held(t, v) for t, v in zip(self.plan.feeds[len(rows) :], [*captured, *fixed], strict=True)]
        results = [interpreter.run([*row, *around]) for row in zip(*rows, strict=True)]
        columns = list(zip(*results, strict=True)) or [()] * len(self.outputs)
        return [_joined(*each) for each in zip(self.outputs, columns, self.summed, strict=True)]


def _joined(tensor: Tensor, column: Sequence[Any], is_summed: bool) -> Any:
    """The values of ``tensor`` for all rows, stacked or added up."""
    if column and is_summed:
        return reduce(add, column)
    if column:
        return np.stack(column)
    dims = tuple(n or 0 for n in tensor.dims or ())
    return np.zeros(dims if is_summed else (0, *dims), tensor.dtype.base_dtype.np)


_numbers = itertools.count()
_pieces: WeakValueDictionary[str, Piece] = WeakValueDictionary()


def _shapes(
    rows: Sequence[Tensor], captured: Sequence[Tensor], fixed: Sequence[Tensor], *, token: str
) -> list[RawShape]:
    piece = _pieces[token]
    count = next((t.dims[0] for t in rows if t.dims), None)
    return [
        t.dims if summed else None if t.dims is None else (count, *t.dims)
        for t, summed in zip(piece.outputs, piece.summed, strict=True)
    ]


def _mapped(xp: Any, rows: list[Any], captured: list[Any], fixed: list[Any], *, token: str) -> list[Any]:
    return _pieces[token].mapped(xp, rows, captured, fixed)


def _pulled_back(op: Operation, *dys: Any) -> list[Any]:
    """The gradient of the piece, mapped over the rows; added up over them for what all rows read."""
    piece = _pieces[op.attrs["token"]]
    graph = default_graph()
    if not piece.is_closed and (op.context is not None or graph._scopes.context is not None):
        raise _inside(op)
    inner = (*piece.rows, *piece.captured, *piece.fixed)
    values = dict(zip(inner, op.inputs, strict=True))  # of the placeholders
    rows, ys, us = list(piece.rows), [], []
    with the_piece_built("pulled_back", outside=piece.is_closed):
        for y, dy, summed in zip(piece.outputs, dys, piece.summed, strict=True):
            if dy is not None and is_trainable(y.dtype):
                ys.append(y)
                us.append(constants.placeholder(y.dtype.base_dtype, y.dims, name="dy"))
                values[us[-1]] = dy
                graph.notes.setdefault("given", set()).add(us[-1])
                rows += [] if summed else [us[-1]]
        smooth = [x for x in inner if is_trainable(x.dtype)]
        found = zip(smooth, gradients(ys, smooth, us, stop_gradients=smooth), strict=True)
        dxs = {x: always_there(as_tensor(dx), x) for x, dx in found if dx is not None}
    if dxs:
        pairs = [(row, as_tensor(values.pop(row))) for row in rows]
        results = vectorized(
            list(dxs.values()), pairs, [x not in piece.rows for x in dxs], None, values, piece.is_closed
        )
        dxs = dict(zip(dxs, results, strict=True))
    return list(map(dxs.get, inner))


def _inside(op: Operation) -> LookupError:
    error = LookupError(
        f"No gradient defined for operation '{op.name}' (op type: {op.type}) inside of a branch or a loop"
    )
    error.add_note(
        "  Why:   its rows would have to be computed anew for each iteration\n"
        "  Fix:   take the Jacobian and its gradient outside of tf.while_loop and tf.cond\n"
        "         or tf.stop_gradient(...) what is not to be differentiated again"
    )
    return error


VECTORIZED = define(
    "Vectorized", "rows: *Trows, captured: *Tcaptured, fixed: *Tfixed", "outputs: *Tout",
    attrs={"token": REQUIRED, "Tout": REQUIRED}, static=("fixed",), shape=_shapes, kernel=_mapped,
    gradient=_pulled_back,
)  # fmt: skip


@contextmanager
def the_piece_built(name: str, outside: bool = False) -> Iterator[None]:
    """Build a piece: ops that only a ``Vectorized`` ever runs, so they wait for nothing around them.

    With ``outside`` they are built outside of all branches and loops.
    """
    graph = default_graph()
    here = graph._scopes.context
    try:
        with graph.name_scope(name), control_inputs_cleared(graph):
            if outside:
                graph._scopes.context = None
            yield
    finally:
        graph._scopes.context = here


def vectorized(
    outputs: Sequence[Tensor],
    rows: Sequence[tuple[Tensor, Tensor]],
    summed: Sequence[bool] | None = None,
    name: str | None = None,
    given: Mapping[Tensor, Any] | None = None,
    is_closed: bool = False,
) -> list[Tensor]:
    """``outputs`` for each row: ``rows`` pairs placeholders that they depend on with the rows to be put there.

    A result has one more dimension in front than its output, or if ``summed`` the same ones.  Other placeholders
    that they depend on are ``given`` values that hold for all rows; if it ``is_closed`` there is nothing else.
    """
    given = given or {}
    read = behind(outputs)
    rows = [pair for pair in rows if pair[0] in read] or rows[:1]
    placeholders = [row for row, _ in rows]
    own = [t for t in given if t in default_graph().notes.get("given", ())]
    around = read_from_around(outputs, reached([*placeholders, *own]), own)
    value = {t: as_tensor(given[t]) if t in given else value_of(t) for t in around}
    if default_graph()._scopes.context is not None and not is_closed:
        closed = _closed(outputs, placeholders, value)
        if closed is not None:
            outputs, placeholders, value = closed
            is_closed = True
    piece = Piece(outputs, placeholders, list(value), summed or [False] * len(outputs))
    piece.is_closed = is_closed
    op = apply_op(
        VECTORIZED, [stacked for _, stacked in rows], [value[t] for t in piece.captured],
        [value[t] for t in piece.fixed], token=piece.token, Tout=[t.dtype.base_dtype for t in outputs], name=name,
    )  # fmt: skip
    return op.outputs


def _closed(
    outputs: Sequence[Tensor], rows: Sequence[Tensor], value: Mapping[Tensor, Tensor]
) -> tuple[list[Tensor], list[Tensor], dict[Tensor, Tensor]] | None:
    """The piece copied to where there are no branches and loops, with placeholders for all that it is given.

    None if it has branches or loops of its own, or reads variables.
    """
    graph = default_graph()
    ops = [op for op in Plan(outputs, (), (*rows, *value)).ops if not set(op.outputs) <= {*rows, *value}]
    if any(op.type in dataflow.IS_FLOW for op in ops) or any(t.dtype == "resource" for t in value):
        return None
    seen: dict[Tensor, Tensor] = {}
    with the_piece_built("closed", outside=True):
        for t in (*rows, *value):
            seen[t] = constants.placeholder(t.dtype.base_dtype, t.dims, name="given")
            graph.notes.setdefault("given", set()).add(seen[t])
        for op in ops:
            inputs = tuple(seen[t] for t in op.inputs)
            name = graph.unique_name(op.name)
            copy = graph.add_op(op.definition, name, inputs, dict(op.attrs), [t.dtype for t in op.outputs])
            for mine, theirs in zip(op.outputs, copy.outputs, strict=True):
                theirs.dims = mine.dims
                seen[mine] = theirs
    return [seen[t] for t in outputs], [seen[t] for t in rows], {seen[t]: v for t, v in value.items()}
