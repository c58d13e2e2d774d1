"""``Plan``: which ops a run needs, in which order, and which of them are repeated."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from retrograd.flow.guards import Guards
from retrograd.graph.definition import Argument, Effect
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors, in_order
from retrograd.graph.tensor import Tensor
from retrograd.ops import collectives, dataflow


@dataclass(eq=False)
class Loop:
    """The ops of one loop, found by the frame that values enter and leave.

    Each iteration goes through ``items`` in their order; those that wait for the loop's condition only if
    it holds.
    """

    name: str
    parent: Loop | None
    depth: int
    enters: list[Operation] = field(default_factory=list)
    merges: list[Operation] = field(default_factory=list)
    exits: list[Operation] = field(default_factory=list)
    condition: Operation | None = None
    items: list[Item] = field(default_factory=list)

    @property
    def ops(self) -> list[Operation]:
        """The ops of the loop, and of those inside it."""
        return flat(self.items)

    def around(self) -> Iterator[Loop]:
        """The loop and those that it is in."""
        loop: Loop | None = self
        while loop is not None:
            yield loop
            loop = loop.parent


Item = Operation | Loop


def flat(items: Iterable[Item]) -> list[Operation]:
    """The ops of ``items``, those of loops in their place."""
    ops: list[Operation] = []
    for item in items:
        if isinstance(item, Loop):
            ops += item.ops
        else:
            ops.append(item)
    return ops


class Plan:
    """The ops that compute ``fetches`` and run ``targets`` when ``feeds`` are given, in order.

    Ops stand in the order of their creation, except that those of a loop stand together, and that whatever
    waits for a write of a variable stands behind all that does not: reads come before writes unless a
    dependency says otherwise.
    """

    def __init__(
        self,
        fetches: Iterable[Tensor],
        targets: Iterable[Operation],
        feeds: Collection[Tensor],
        among: Collection[Operation] | None = None,
        handed: Collection[Tensor] = (),
    ) -> None:
        """A plan, or a part of one.

        Args:
          among: the ops that the plan may hold: all it needs, but for what runs before it; None: any.
          handed: the feeds that are what their ops computed in another part of the run.
        """
        self.fetches = tuple(fetches)
        self.targets = tuple(targets)
        self.feeds = tuple(feeds)
        self.handed = frozenset(handed)
        fed = frozenset(feeds)
        needed = ancestors([t.op for t in self.fetches if t not in fed] + list(self.targets), fed)
        if among is not None:
            needed &= set(among)
        needed -= _unread_gradients(needed, {*self.fetches, *feeds}, self.targets)
        self.loop_of = _loops(needed, fed)
        self.meetings = collectives.meetings(needed, self.loop_of)
        waits = partial(_waits_for, fed=fed, meetings=self.meetings)
        self.items = _arranged(needed, None, self.loop_of, waits)
        self.ops = flat(self.items)
        self.has_branches = any(op.type in dataflow.SWITCHES for op in self.ops)
        self.guards = Guards(lambda op: self.loop_of[op].enters, fed)
        self.writes = any(op.definition.effect is Effect.WRITE for op in self.ops)
        self.written = written_before(self.ops, fed, self.loop_of) if self.writes else {}
        self.unfed = [op for op in self.ops if op.type == "Placeholder" and op.outputs[0] not in fed]
        if self.has_branches:  # those of a branch are missed where it is chosen
            self.unfed = [op for op in self.unfed if not self.guards.of(op)]

    def arguments_of(self, op: Operation) -> Iterator[tuple[Tensor, Argument]]:
        """What ``op`` reads: its inputs, or those of all that it meets, with the arguments that they are."""
        for member in self.meetings.get(op, (op,)):
            yield from zip(member.inputs, member.definition.of_inputs(member.attrs), strict=True)

    def meeting_of(self, op: Operation) -> Callable[..., Any] | None:
        """What ``op`` does with all that it reads, if it meets others."""
        members = self.meetings.get(op)
        return partial(collectives.met, op, members) if members else None


_PRODUCTS = frozenset(
    (
        "MatMul", "BatchMatMul", "BatchMatMulV2", "Conv2DBackpropInput", "Conv2DBackpropFilter",
        "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", "DepthwiseConv2dNativeBackpropInput",
        "DepthwiseConv2dNativeBackpropFilter",
    )
)  # fmt: skip


def _unread_gradients(
    needed: Collection[Operation], kept: Collection[Tensor], targets: Sequence[Operation]
) -> set[Operation]:
    """Products that a gradient's gate waits for, and nothing reads: with respect to the images of a first layer, say.

    They can fail only where what they are the gradients of has failed.
    """
    products = {op for op in needed if op.type in _PRODUCTS and op.original is not None and not op.control_inputs}
    if not products:
        return products
    products -= {t.op for op in needed for t in op.inputs}
    return products.difference((t.op for t in kept), targets)


Waits = Callable[[Operation], list[Operation]]  # what must run before an op


def _waits_for(
    op: Operation, fed: Collection[Tensor], meetings: Mapping[Operation, Sequence[Operation]] | None = None
) -> list[Operation]:
    """What must run before ``op``: what a loop variable is at first, what is read by all whom ``op`` meets."""
    if meetings and op in meetings:
        return [source for member in meetings[op] for source in _waits_for(member, fed)]
    sources = [t.op for t in op.inputs if t not in fed]
    if op.type in dataflow.MERGES:
        sources = [x for x in sources if x.type not in dataflow.NEXT_ITERATIONS]
    return sources + op.control_inputs


def written_before(
    order: list[Operation], fed: Collection[Tensor], loop_of: Mapping[Operation, Loop]
) -> dict[Operation, frozenset[Operation]]:
    """For each op that waits for a write of reference variables, the ops of those variables.

    What the next iteration of a loop waits for was written before all of the loop's ops, the first time aside.
    """
    before, after = _written(order, fed, {})
    carried: dict[Loop, set[Operation]] = {}
    for op in order:
        if op.type in dataflow.NEXT_ITERATIONS and after.get(op):
            for loop in loop_of[op].around():
                carried.setdefault(loop, set()).update(after[op])
    if carried:
        inside = {op: frozenset().union(*[carried.get(x, ()) for x in loop.around()]) for op, loop in loop_of.items()}
        before, _ = _written(order, fed, inside)
    return before


Written = dict[Operation, frozenset[Operation]]


def _written(order: list[Operation], fed: Collection[Tensor], inside: Written) -> tuple[Written, Written]:
    """The variables that were written before each op, and before what waits for it."""
    before: Written = {}
    after: Written = {}
    for op in order:
        sources = {after[source] for source in _waits_for(op, fed) if source in after}
        written = inside.get(op, frozenset()).union(*sources)
        if written:
            before[op] = after[op] = written
        if op.definition.effect is Effect.WRITE and op.outputs and op.outputs[0].dtype.is_ref:
            after[op] = written | {variable_of(op.outputs[0])}
    return before, after


def variable_of(reference: Tensor) -> Operation:
    """The op of the variable that ``reference`` refers to."""
    while reference.op.inputs:
        reference = reference.op.inputs[0]
    return reference.op


# -- loops -------------------------------------------------------------------------------------


def _loops(needed: set[Operation], fed: Collection[Tensor]) -> dict[Operation, Loop]:
    """The innermost loop of each op that is in one."""
    loop_of: dict[Operation, Loop] = {}
    if not any(op.type in dataflow.ENTERS for op in needed):
        return loop_of
    loops: dict[tuple[Loop | None, str, Any], Loop] = {}
    for op in in_order(needed):
        inner: Loop | None = None
        for source in _waits_for(op, fed):
            loop = loop_of.get(source)
            if loop is not None and source.type in dataflow.EXITS:
                loop = loop.parent
            if loop is not None and (inner is None or loop.depth > inner.depth):
                inner = loop
            elif loop is not None and inner is not None and loop.depth == inner.depth and loop is not inner:
                raise InvalidArgumentError(None, None, f"{{{{node {op.name}}}}} has inputs from different frames.")
        if op.type in dataflow.ENTERS:
            key = (inner, op.attrs["frame_name"], op.context)  # a graph imported twice has two frames of one name
            if key not in loops:
                loops[key] = Loop(key[1], inner, inner.depth + 1 if inner else 0)
            inner = loops[key]
        if inner is not None:
            loop_of[op] = inner
            _take_part(inner, op)
    return loop_of


def _take_part(loop: Loop, op: Operation) -> None:
    if op.type in dataflow.ENTERS:
        loop.enters.append(op)
    elif op.type in dataflow.EXITS:
        loop.exits.append(op)
    elif op.type == "LoopCond":
        loop.condition = op
    elif dataflow.is_loop_merge(op):
        loop.merges.append(op)


# -- order -------------------------------------------------------------------------------------


def _age(item: Item) -> int:
    return item.index if isinstance(item, Operation) else min(op.index for op in item.enters)


def _arranged(
    ops: Iterable[Operation], around: Loop | None, loop_of: dict[Operation, Loop], waits_for: Waits
) -> list[Item]:
    """The ops and loops that stand directly in ``around``, in order; the loops' own items are put in order too."""
    item_of: dict[Operation, Item] = {}
    members: dict[Loop, list[Operation]] = {}
    for op in ops:
        loop = loop_of.get(op)
        while loop is not None and loop is not around and loop.parent is not around:
            loop = loop.parent
        if loop is None or loop is around:
            item_of[op] = op
        else:
            item_of[op] = loop
            members.setdefault(loop, []).append(op)
    for loop, inside in members.items():
        loop.items = _arranged(inside, loop, loop_of, waits_for)
    return _reads_first(_in_order(item_of, waits_for), item_of, waits_for)


def _in_order(item_of: dict[Operation, Item], waits_for: Waits) -> list[Item]:
    """The items in the order of creation; where edges were rewired or ops meet, the nearest order that they allow."""
    if not item_of:
        return []
    items = dict.fromkeys(item_of.values())
    in_place = len(items) == len(item_of) and not next(iter(item_of)).graph.version_of_edges
    if in_place and not any(collectives.is_member(op) for op in item_of):
        return sorted(items, key=_age)
    return _topological(_waits(item_of, waits_for))


def _waits(item_of: dict[Operation, Item], waits_for: Waits) -> dict[Item, list[Item]]:
    waits: dict[Item, list[Item]] = {}
    for op, item in item_of.items():
        sources = [item_of[x] for x in waits_for(op) if x in item_of]
        waits.setdefault(item, []).extend(x for x in sources if x is not item)
    return waits


def _topological(waits: Mapping[Item, list[Item]]) -> list[Item]:
    """The keys of ``waits``, each behind those that it waits for, and otherwise the oldest first."""
    left = {item: len(set(sources)) for item, sources in waits.items()}
    readers: dict[Item, list[Item]] = {item: [] for item in waits}
    for item, sources in waits.items():
        for source in set(sources):
            readers[source].append(item)
    ready = [(_age(item), item) for item in waits if not left[item]]
    heapq.heapify(ready)
    result: list[Item] = []
    while ready:
        _, item = heapq.heappop(ready)
        result.append(item)
        for reader in readers[item]:
            left[reader] -= 1
            if not left[reader]:
                heapq.heappush(ready, (_age(reader), reader))
    if len(result) < len(waits):
        raise _cycle([item for item in waits if left[item]])
    return result


def _cycle(items: Sequence[Item]) -> InvalidArgumentError:
    error = InvalidArgumentError(None, None, f"Graph is invalid, contains a cycle with {len(items)} nodes")
    error.add_note("  Where: through " + items[0].name)
    return error


def _reads_first(order: list[Item], item_of: dict[Operation, Item], waits_for: Waits) -> list[Item]:
    """What waits for a write behind the rest; then what waits for an element of a queue, which another op may bring."""
    order = _moved_behind(order, item_of, waits_for, lambda op: op.definition.effect is Effect.WRITE)
    return _moved_behind(order, item_of, waits_for, lambda op: op.type in _TAKING)


_TAKING = frozenset(
    ("QueueDequeue", "QueueDequeueMany", "QueueDequeueUpTo", "ReaderRead", "ReaderReadUpTo", "BarrierTakeMany")
)
_TAKING |= {f"{name}V2" for name in _TAKING} | {"Unstage", "StagePeek", "MapUnstage", "OrderedMapUnstage"}
_TAKING |= {"AccumulatorTakeGradient", "ResourceAccumulatorTakeGradient", "SparseAccumulatorTakeGradient"}


def _moved_behind(
    order: list[Item], item_of: dict[Operation, Item], waits_for: Waits, moves: Callable[[Operation], bool]
) -> list[Item]:
    """``order`` with the items in which an op ``moves``, and all that wait for them, at its end.

    Who takes a lock waits for those who took it before.
    """
    after: set[Item] = set()
    let_go: set[Any] = set()
    for item in order:
        ops = flat([item])
        if (
            any(moves(op) for op in ops)
            or (after and any(item_of.get(source) in after for op in ops for source in waits_for(op)))
            or (let_go and any(op.type == "MutexLock" and _mutex_of(op) in let_go for op in ops))
        ):
            after.add(item)
            let_go.update(_mutex_of(op.inputs[0].op) for op in ops if op.type == "ConsumeMutexLock")
    return [x for x in order if x not in after] + [x for x in order if x in after] if after else order


def _mutex_of(lock: Operation) -> Any:
    """Which mutex a ``MutexLock`` takes."""
    mutex = lock.inputs[0].op
    while mutex.type != "MutexV2" and mutex.inputs:  # it is brought into a branch or a loop
        mutex = mutex.inputs[0].op
    return mutex.attrs.get("container"), mutex.attrs.get("shared_name") or mutex.name
