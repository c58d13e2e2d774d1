"""The nodes that branches and loops are made of.

========================  ==============================================================
``Switch(x, p)``          x on output 1 if p holds, on output 0 if not
``Merge(xs)``             the one of xs that was computed, and its number
``Enter(x)``              x inside of a loop: a loop variable's first value, or an invariant
``NextIteration(x)``      what the loop variable is in the next iteration
``LoopCond(p)``           whether there is a next iteration
``Exit(x)``               what the loop variable is in the end
``LoopHistory(x)``        the values of x in all iterations, outside of the loop
``LoopRecall(h)``         in the k-th iteration from the first, the k-th value of h from the last
========================  ==============================================================

What is computed from an output that a ``Switch`` does not give is not computed.  A plan finds branches
and loops in this; the kernels are for what can be said of one node alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.apply import apply, apply_named, apply_op
from retrograd.graph.contexts import output_context
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, OpDef, define
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import comparison, shape_rules
from retrograd.ops.arrays import identity, ref_identity
from retrograd.ops.slices import as_indexed_slices_list


class History:
    """The values of a tensor in the iterations of a loop, None where an iteration did not compute it."""

    shape = ()

    def __init__(self, values: Iterable[Any]) -> None:
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, i: int) -> Any:
        return self.values[i]

    def __add__(self, other: History) -> History:
        """The sums, iteration by iteration."""
        pairs = zip(self.values, other.values, strict=True)
        return History(y if x is None else x if y is None else x + y for x, y in pairs)


def _merged(inputs: list[Tensor]) -> list[RawShape]:
    """A dimension that all inputs have in common."""
    shapes = [t.dims for t in inputs]
    first = shapes[0]
    if first is None or any(s is None or len(s) != len(first) for s in shapes):
        return [None, ()]
    return [tuple(n if all(s is not None and s[i] == n for s in shapes) else None for i, n in enumerate(first)), ()]


def _pair(name: str, ref: str, inputs: str, outputs: str, **facts: Any) -> tuple[OpDef, OpDef]:
    """A node type for values, and its twin for references to variables."""
    value = define(name, inputs.replace("@", ""), outputs.replace("@", ""), **facts)
    return value, define(ref, inputs.replace("@", "ref "), outputs.replace("@", "ref "), **facts)


def _switch_gradient(op: Operation, false: Any, true: Any) -> list[Any]:
    """The gradient of the branch that was chosen."""
    context = op.context
    if context is not None and context.IsCondContext():
        false, true = (_rows_of_branch(dy, op.inputs[1], bool(i)) for i, dy in enumerate((false, true)))
        mine, other = (true, false) if context.branch else (false, true)
        if other is None:
            is_handle = op.inputs[0].dtype is dtypes.resource
            return [merge([mine, mine], name="cond_resource_grad")[0] if is_handle else mine, None]
        return [merge([false, true], name="cond_grad")[0], None]
    if false is None or true is None:  # the value exists in one branch only, and so does its gradient
        return [true if false is None else false, None]
    parts = [switch(dy, op.inputs[1])[i] for i, dy in enumerate((false, true))]
    return [merge(parts)[0], None]


def _rows_of_branch(dy: Any, pred: Tensor, branch: bool) -> Any:
    """The gradient of a branch: slices name rows where it is taken, though a loop's constants know of no branch."""
    if not isinstance(dy, IndexedSlices):
        return dy
    context = dy.indices.op.context
    if context is None or not context.IsWhileContext() or static_value(dy.indices) is None:
        return dy
    return IndexedSlices(dy.values, of_branch(dy.indices, pred, branch), dy.dense_shape)


def _switched(data: Any, pred: Any) -> list[RawShape]:
    shape_rules.with_rank(pred, 0)
    return [data.dims, data.dims]


def _merge_gradient(op: Operation, dy: Any, _: Any) -> list[Any]:
    """The gradient goes to the input that was taken."""
    context = output_context(op.inputs[0].op)
    if context is not None and context.IsCondContext() and len(op.inputs) == 2:
        parts = switch_beside(dy, context.pred, name="cond_grad")
        return list(reversed(parts)) if context.branch else list(parts)
    taken = [comparison.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [switch_beside(dy, pred)[1] for pred in taken]


def gives_half(op: Operation) -> bool:
    """Whether a switch is there for one branch only: nothing was computed that it could give to the other."""
    return op.type == "Switch" and (op.inputs[0].dtype is dtypes.variant or "_of_branch" in op.attrs)


_FRAME = {"frame_name": REQUIRED, "is_constant": False, "parallel_iterations": 10}

SWITCH, REF_SWITCH = _pair(
    "Switch", "RefSwitch", "data: @T, pred: bool", "output_false: @T, output_true: @T",
    shape=_switched, gradient=_switch_gradient,
)  # fmt: skip
MERGE, REF_MERGE = _pair(
    "Merge", "RefMerge", "inputs: @N*T", "output: @T, value_index: int32", shape=_merged, gradient=_merge_gradient,
)  # fmt: skip
ENTER, REF_ENTER = _pair(
    "Enter", "RefEnter", "data: @T", "output: @T", attrs=_FRAME,
    shape=lambda data, *, is_constant: data.dims if is_constant else None,
    gradient=lambda op, dy: [dy],  # of a gradient that is taken inside, where the tensor outside is the same
)  # fmt: skip
NEXT_ITERATION, REF_NEXT_ITERATION = _pair(
    "NextIteration", "RefNextIteration", "data: @T", "output: @T", shape=shape_rules.same,
)  # fmt: skip
EXIT, REF_EXIT = _pair("Exit", "RefExit", "data: @T", "output: @T", shape=shape_rules.same)
LOOP_COND = define("LoopCond", "input: bool", "output: bool", shape=lambda x: shape_rules.with_rank(x, 0))
LOOP_HISTORY = define("LoopHistory", "value: T", "history: variant", shape=lambda value: ())
LOOP_RECALL = define(
    "LoopRecall", "history: variant", "value: T", attrs={"T": REQUIRED, "frame_name": REQUIRED},
    shape=lambda history: None,
)  # fmt: skip


def _joined(xp: Any, history: Any, *, T: Any, row_shape: Any) -> Any:
    if not isinstance(history, History):  # of a pure function
        return history.joined()
    rows = [x for x in history if x is not None]
    return xp.concatenate(rows) if rows else xp.zeros((0, *row_shape), T.np)


def _split(xp: Any, rows: Any, history: Any) -> Any:
    if not isinstance(history, History):
        return history.split(rows)
    parts, first = [], 0
    for x in history:
        length = 0 if x is None else len(x)
        parts.append(None if x is None else rows[first : first + length])
        first += length
    return History(parts)


JOIN_HISTORY = define(
    "JoinHistory", "history: variant", "rows: T", attrs={"T": REQUIRED, "row_shape": REQUIRED},
    shape=lambda history, *, row_shape: (None, *row_shape), kernel=_joined,
    gradient=lambda op, dy: [apply(SPLIT_HISTORY, dy, op.inputs[0])],
)  # fmt: skip
SPLIT_HISTORY: OpDef = define(
    "SplitHistory", "rows: T, history: variant", "parts: variant", shape=lambda rows, history: (), kernel=_split,
    gradient=lambda op, dy: [join_history(dy, op.inputs[0]), None],
)  # fmt: skip

MERGES = frozenset(("Merge", "RefMerge"))
SWITCHES = frozenset(("Switch", "RefSwitch"))
ENTERS = frozenset(("Enter", "RefEnter", "LoopRecall"))
EXITS = frozenset(("Exit", "RefExit", "LoopHistory"))
NEXT_ITERATIONS = frozenset(("NextIteration", "RefNextIteration"))
IS_FLOW = SWITCHES | MERGES | ENTERS | EXITS | NEXT_ITERATIONS | {"LoopCond", "RefIdentity"}


def is_loop_merge(op: Operation) -> bool:
    """Whether a merge holds a loop variable: it takes the first value or the next one."""
    return op.type in MERGES and any(t.op.type in NEXT_ITERATIONS or t.op.type in ENTERS for t in op.inputs)


def is_invariant(op: Operation) -> bool:
    """Whether an op brings a value that stays the same into a loop."""
    return op.type in ENTERS and op.attrs.get("is_constant", False)


def _by_kind(value: Any, plain: OpDef, ref: OpDef) -> OpDef:
    return ref if value.dtype.is_ref else plain


# -- public ------------------------------------------------------------------------------------


def switch(data: Any, pred: Any, dtype: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """(``data`` if not ``pred``, ``data`` if ``pred``): one of them is not computed."""
    with name_scope(name, "Switch", [data, pred]) as name:
        if isinstance(data, IndexedSlices):
            return _switched_slices(data, pred, name)
        if isinstance(data, SparseTensor):
            sides = [apply(SWITCH, part, pred) for part in nest.flatten(data, expand_composites=True)]
            false, true = (nest.pack_sequence_as(data, s, True) for s in zip(*sides, strict=True))
            return false, true
        data = as_tensor(data, dtype, name="data", as_ref=False)
        found: tuple[Any, Any] = apply_named(SWITCH, data, as_tensor(pred, name="pred"), name=name)
        return found


def _switched_slices(data: IndexedSlices, pred: Any, name: str) -> tuple[IndexedSlices, IndexedSlices]:
    values = apply(SWITCH, data.values, pred, name=name)
    indices = apply(SWITCH, data.indices, pred, name="indices")
    shapes: Any = (None, None)
    if data.dense_shape is not None:
        shapes = apply(SWITCH, data.dense_shape, pred, name="dense_shape")
    false, true = (IndexedSlices(values[i], indices[i], shapes[i]) for i in (0, 1))
    return false, true


def ref_merge(inputs: Any, name: str | None = None) -> tuple[Any, Tensor]:
    """``merge`` of references."""
    return merge(inputs, name)


def ref_switch(data: Any, pred: Any, name: str = "ref_switch") -> tuple[Tensor, Tensor]:
    """``switch`` of a reference to a variable."""
    outputs: tuple[Tensor, Tensor] = apply_named(REF_SWITCH, data, pred, name=name)
    return outputs


def switch_beside(data: Any, pred: Any, name: str = "Switch") -> Any:
    """``switch`` placed with ``data``, which may be a reference."""
    with colocate_with(data, ignore_existing=True):
        if isinstance(data, Tensor):
            return apply_named(_by_kind(data, SWITCH, REF_SWITCH), data, pred, name=name)
        return switch(data, pred, name=name)


def merge(inputs: Any, name: str | None = None) -> tuple[Any, Tensor]:
    """(the one of ``inputs`` that was computed, its number in the list).

    Raises:
      ValueError: an input is None.
      TypeError: they are not all tensors, all ``SparseTensor`` or all ``IndexedSlices``.
    """
    if any(x is None for x in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with name_scope(name, "Merge", inputs) as name:
        items = [x if isinstance(x, IndexedSlices | SparseTensor) else as_tensor(x, as_ref=True) for x in inputs]
        if all(isinstance(x, Tensor) for x in items):
            kind = REF_MERGE if all(x.dtype.is_ref for x in items) else MERGE
            outputs: tuple[Any, Tensor] = apply_named(kind, items, name=name)
            return outputs
        if any(isinstance(x, SparseTensor) for x in items):
            return _merged_sparse(items)
        slices = as_indexed_slices_list(items, optimize=False)
        values, chosen = apply(MERGE, [x.values for x in slices])
        indices, _ = apply(MERGE, [x.indices for x in slices])
        shape = None
        if all(x.dense_shape is not None for x in slices):
            shape, _ = apply(MERGE, [x.dense_shape for x in slices])
        return IndexedSlices(values, indices, shape), chosen


def _merged_sparse(items: list[Any]) -> tuple[SparseTensor, Tensor]:
    other = next((x for x in items if not isinstance(x, SparseTensor)), None)
    if other is not None:
        raise TypeError(f"Type {type(other)} not supported")
    columns = zip(*(nest.flatten(x, expand_composites=True) for x in items), strict=True)
    merged = [apply(MERGE, list(parts)) for parts in columns]
    return nest.pack_sequence_as(items[0], [values for values, _ in merged], True), merged[0][1]


def _part_by_part(data: Any, build: Callable[[Tensor], Any]) -> Any:
    """``build`` of a tensor, or of each tensor that a ``SparseTensor`` or ``IndexedSlices`` is made of."""
    if isinstance(data, IndexedSlices | SparseTensor):
        return nest.map_structure(build, data, expand_composites=True)
    return build(as_tensor(data, as_ref=True))


def passed(data: Any, name: str | None = None) -> Any:
    """``data``, as it is; of a reference to a variable, the reference."""
    return _part_by_part(data, lambda x: (ref_identity if x.dtype.is_ref else identity)(x, name))


def enter(
    data: Any,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    use_ref: bool = True,
    use_input_shape: bool = True,
    name: str | None = None,
) -> Any:
    """``data`` inside of the loop called ``frame_name``, in its first iteration or, ``is_constant``, in all."""

    def entered(x: Tensor) -> Tensor:
        result: Tensor = apply(
            REF_ENTER if x.dtype.is_ref and use_ref else ENTER, x, name=name, frame_name=frame_name,
            is_constant=is_constant, parallel_iterations=parallel_iterations,
        )  # fmt: skip
        if use_input_shape:
            result.dims = x.dims
        return result

    return _part_by_part(data, entered)


def exit(data: Any, name: str | None = None) -> Any:
    """``data`` outside of its loop, once there is no next iteration."""
    return _part_by_part(data, lambda x: apply(_by_kind(x, EXIT, REF_EXIT), x, name=name))


def next_iteration(data: Any, name: str | None = None) -> Any:
    """``data`` in the next iteration."""
    return _part_by_part(data, lambda x: apply(_by_kind(x, NEXT_ITERATION, REF_NEXT_ITERATION), x, name=name))


def of_branch(data: Tensor, pred: Tensor, branch: bool) -> Tensor:
    """``data``, which has a value only where ``pred`` is ``branch``, as the output of a switch that says so."""
    op = apply_op(SWITCH, data, pred, name="Switch")
    op.attrs["_of_branch"] = branch
    return op.outputs[branch]


def loop_cond(input: Any, name: str | None = None) -> Tensor:
    """``input``, marked as what decides whether a loop goes on."""
    result: Tensor = apply(LOOP_COND, input, name=name)
    return result


def history(value: Tensor) -> Tensor:
    """The values that ``value`` has in the iterations of its loop, as one object outside of the loop."""
    graph = default_graph()
    context = output_context(value.op)
    assert context is not None
    assert context.loop is not None
    with graph.control_dependencies(None), context.loop.entered():
        result: Tensor = apply(LOOP_HISTORY, value, name="f_acc")
    return result


def join_history(kept: Tensor, like: Tensor) -> Tensor:
    """The rows that a history ``kept`` of ``like`` holds, those of the first iteration first."""
    row_shape = tuple(n or 0 for n in (like.dims or (None,))[1:])
    result: Tensor = apply(JOIN_HISTORY, kept, T=like.dtype.base_dtype, row_shape=row_shape)
    return result


def recall(kept: Tensor, like: Tensor, frame_name: str) -> Tensor:
    """What a history ``kept`` of ``like`` holds for an iteration of a loop that goes backwards."""
    result: Tensor = apply(LOOP_RECALL, kept, T=like.dtype.base_dtype, frame_name=frame_name, name="Recall")
    result.dims = like.dims
    return result
