"""Which parts of a plan XLA can compute, where it cannot compute all of it.

Host ops (files, strings, printing, Python) and ops whose results have shapes that depend on values stay
with the interpreter.  Parts run one after the other, and values go from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from retrograd.graph import dtypes
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors
from retrograd.graph.shapes import is_known
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.run.lowering import obstacle_of
from retrograd.run.plan import Plan, flat, variable_of
from retrograd.run.specialise import Facts

_FEWEST = 4  # ops that a part for XLA has to have
_FEW, _SHARE = 16, 4  # so many ops, or one in so many, are few

_HISTORIES = ("LoopHistory", "LoopRecall")  # the variants that XLA knows, as stacks of numbers


@dataclass(eq=False)
class Part:
    """Some ops of a plan as a plan of their own."""

    plan: Plan
    is_numeric: bool


def parts_of(plan: Plan, refused: Operation, facts: Facts) -> list[Part] | None:
    """``plan`` in parts, where ``refused`` and its like are left to the interpreter.

    None where nothing is gained, or where branches or references go from one part to another.

    Args:
      facts: what is known of the plan's tensors.
    """
    if _is_free(refused, set(plan.feeds)):
        return None
    alike = {op for op in plan.ops if op.type == refused.type}
    numbers = _numbered(plan, refused, alike | _of_any_length(plan, alike, facts))
    if numbers is None:
        return None
    ops_of: dict[int, list[Operation]] = {}
    for op in plan.ops:
        if op in numbers:
            ops_of.setdefault(numbers[op], []).append(op)
    parts = [_part(plan, number, ops, numbers) for number, ops in sorted(ops_of.items())]
    if any(t not in plan.feeds and _is_place(t, part) for part in parts for t in part.plan.feeds):
        return None
    gains = [part for part in parts if part.is_numeric and len(part.plan.ops) >= _FEWEST]
    return parts if gains else None


_HANDLES = (dtypes.resource, dtypes.variant)


def in_how_many(plan: Plan) -> int:
    """In how many pieces XLA could compute ``plan``: all of it, several parts beside what it cannot, or none."""
    fed = set(plan.feeds)
    numeric = [_is_numeric(op, fed) for op in plan.ops if not _is_free(op, fed)]
    return 1 if all(numeric) else 2 if sum(numeric) >= _FEWEST else 0


def _is_place(tensor: Tensor, part: Part) -> bool:
    """Whether ``part`` needs what ``tensor`` refers to, and not its value alone."""
    if tensor.dtype in _HANDLES:
        return True
    return tensor.dtype.is_ref and any(
        argument.is_ref and t is tensor
        for op in part.plan.ops
        for argument, t in zip(op.definition.of_inputs(op.attrs), op.inputs, strict=True)
    )


def _part(plan: Plan, number: int, ops: list[Operation], numbers: dict[Operation, int]) -> Part:
    own = set(ops)
    free = {op for op in plan.ops if op not in numbers}
    fed = set(plan.feeds)
    inputs = dict.fromkeys(
        t for op in (*ops, *free) for t in op.inputs if t in fed or (t.op not in own and t.op not in free)
    )
    wanted = set(plan.fetches)
    read = {t for op in plan.ops if op not in own and op not in free for t in op.inputs}
    outputs = [t for op in ops for t in op.outputs if (t in wanted or t in read) and t not in fed]
    if number == max(numbers.values()):
        outputs += [t for t in plan.fetches if t.op in free and t not in fed and t not in outputs]
    effects = [op for op in ops if op.definition.effect not in (None, Effect.READ) or op in plan.targets]
    inside = own | free
    needed = ancestors([t.op for t in outputs] + effects, set(inputs)) & inside
    feeds = [t for t in inputs if any(t in op.inputs for op in needed)]
    handed = [t for t in feeds if t not in fed or t in plan.handed]
    return Part(Plan(outputs, effects, feeds, inside, handed), bool(number % 2))


def _of_any_length(plan: Plan, refused: set[Operation], facts: Facts) -> set[Operation]:
    """Ops on what has another length in each run, for which XLA would compile again; none if there are many."""
    found: set[Operation] = set()
    varying: set[Tensor] = set()
    for op in plan.ops:
        if op in refused or not varying.isdisjoint(op.inputs):
            found.add(op)
            varying.update(t for t in op.outputs if not is_known(facts.dims.get(t, t.dims)))
    return found if len(found) <= max(_FEW, len(plan.ops) // _SHARE) else set()


def _numbered(plan: Plan, refused: Operation, left: set[Operation]) -> dict[Operation, int] | None:
    """The number of the part of each op: even for the interpreter's, to which ops are ``left``, odd for XLA's.

    Constants, variables, and handles have none: they belong to every part that reads them.
    """
    fed = set(plan.feeds)
    last: dict[Operation, int] = {}  # of ops that are in no part: of what they wait for
    numbers: dict[Operation, int] = {}
    has_branches = plan.has_branches
    written, accessed = 0, 0  # parts that have written, and that have read, variables so far
    for item in plan.items:
        ops = flat([item])
        if isinstance(item, Operation) and _is_free(item, fed):
            last[item] = max((_number(x, numbers, last) for x in _sources(ops, fed)), default=0)
            continue
        is_numeric = all(op not in left and (_is_free(op, fed) or _is_numeric(op, fed)) for op in ops)
        if has_branches and not is_numeric and any(plan.guards.of(op) for op in ops):
            return None
        number = max((_number(x, numbers, last) for x in _sources(ops, fed)), default=0)
        effects = {op.definition.effect for op in ops}
        writes = Effect.WRITE in effects
        reads = Effect.READ in effects or any(t.dtype.is_ref for op in ops for t in op.inputs)
        if writes:
            number = max(number, accessed)
        if reads:
            number = max(number, written)
        number += number % 2 != is_numeric
        for op in ops:
            numbers[op] = number
        if writes:
            written = accessed = max(accessed, number)
        elif reads:
            accessed = max(accessed, number)
    # the result of what has no effect perhaps has another shape each time: then little should wait for it
    _put_off(plan, numbers, fed, set(plan.ops) if refused.definition.effect is not None else _of_updates(plan))
    if has_branches and len({numbers[op] for op in plan.ops if op in numbers and _is_branching(plan, op)}) > 1:
        return None
    if any(_sees_late(op, numbers, plan) for op in plan.written):
        return None
    return numbers


def _of_updates(plan: Plan) -> set[Operation]:
    """What follows from the different rows that an update of an embedding changes: it stays with the update."""
    found: set[Operation] = set()
    for op in plan.ops:
        if op.type == "Unique" or any(t.op in found for t in op.inputs):
            found.add(op)
    return found


def _put_off(plan: Plan, numbers: dict[Operation, int], fed: set[Tensor], among: set[Operation]) -> None:
    """Let those ``among`` the ops that only a later part for XLA reads be computed there, not handed over."""
    reader: dict[Operation, int] = {}  # the first part that reads what an op gives, or waits for it
    wanted = {*plan.targets, *(t.op for t in plan.fetches)}
    for op in reversed(plan.ops):
        if op not in numbers:
            continue
        later = reader.get(op, 0)
        is_movable = op.definition.is_pure and op not in wanted and op not in plan.loop_of and not _guarded(plan, op)
        if is_movable and op in among and numbers[op] % 2 and later % 2 and later > numbers[op]:
            numbers[op] = later
        for source in _sources([op], fed):
            reader[source] = min(reader.get(source, numbers[op]), numbers[op])


def _number(op: Operation, numbers: dict[Operation, int], last: dict[Operation, int]) -> int:
    return numbers[op] if op in numbers else last.get(op, 0)


def _sources(ops: Iterable[Operation], fed: set[Tensor]) -> list[Operation]:
    return [x for op in ops for x in [*(t.op for t in op.inputs if t not in fed), *op.control_inputs]]


def _is_free(op: Operation, fed: set[Tensor]) -> bool:
    """Whether an op may stand in several parts: it is the same in each, and does nothing."""
    if op.type in ("Const", "NoOp") or (op.outputs and fed.issuperset(op.outputs)):
        return True
    if op.definition.effect is Effect.READ and op.definition.kernel is None:
        return True
    return op.type == "Identity" and op.inputs[0].dtype in _HANDLES


def _is_numeric(op: Operation, fed: set[Tensor]) -> bool:
    if obstacle_of(op) is not None:
        return False
    tensors = [*op.inputs, *(t for t in op.outputs if t not in fed)]
    if op.type == "Assert":  # whose message alone has strings
        tensors = tensors[:1]
    return not any(_is_unknown_to_xla(t) for t in tensors)


def _is_unknown_to_xla(tensor: Tensor) -> bool:
    dtype = tensor.dtype.base_dtype
    return dtype is dtypes.string or (dtype is dtypes.variant and tensor.op.type not in _HISTORIES)


def _is_branching(plan: Plan, op: Operation) -> bool:
    return op.type in dataflow.SWITCHES | dataflow.MERGES or bool(plan.guards.of(op))


def _guarded(plan: Plan, op: Operation) -> bool:
    return plan.has_branches and _is_branching(plan, op)


def _sees_late(op: Operation, numbers: dict[Operation, int], plan: Plan) -> bool:
    """Whether ``op`` may find in a tensor what was written since another part has read it."""
    return any(
        t.op.type == "Identity"
        and t.op.inputs[0].dtype.is_ref
        and numbers.get(t.op) != numbers.get(op)
        and t not in plan.feeds
        and variable_of(t.op.inputs[0]) in plan.written[op]
        for t in op.inputs
    )
