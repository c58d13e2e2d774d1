"""Loops that are computed as wholes, while the interpreter goes through the rest of the plan.

Where batches differ in length, so do the arrays that a loop goes through and what it keeps for its gradient, but not
the arrays of an iteration.  A computation of the loop alone is made for more elements and iterations than there
are, for the next power of two; how many there are is an argument.  What a loop keeps for its gradient stays on
the device until the gradient's loop reads it there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from retrograd.flow.guards import ALWAYS
from retrograd.graph import dtypes
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.ops.dense_elements import DenseArray, DenseElements
from retrograd.ops.elements import Array, Elements
from retrograd.ops.tensor_arrays import is_by_hand
from retrograd.run import costs, xla
from retrograd.run.bounded import NotBounded
from retrograd.run.computed_loops import ComputedLoop, SizeRange, Unlike, path_of
from retrograd.run.histories import Same
from retrograd.run.loop_arguments import Given, Left, Rows, Unfit, cut, given, left, room_for
from retrograd.run.lowering import Lowered, NotLowered, is_read_by_shape
from retrograd.run.plan import Loop, Plan
from retrograd.run.specialise import Facts
from retrograd.run.store import Store
from retrograd.run.varying import Sizes

_KINDS_KEPT = 16
_PATIENCE = 0.05  # seconds of work, as estimated, before a computation takes over
_PATIENCE_OF_OP = 0.0015  # seconds more for each op, a third of what it takes to compile
_SOONEST, _MOST = 4, 200  # the runs with which it may, and has to
_LONG = (Elements, dataflow.History)
_WRITING = ("TensorArrayWriteV3", "TensorArrayScatterV3")
_READING = ("TensorArrayReadV3", "TensorArrayGatherV3")
_OF_ALL = ("TensorArraySizeV3", "TensorArrayConcatV3", "TensorArraySplitV3")  # how many elements there are is not known
_FEW_KINDS = 4
_MISSES = 8
_ALLOWED = (Effect.CHECK, Effect.READ, Effect.RANDOM)


class WholeLoop:
    """One loop of a plan: for what it is given, computations that give what leaves it.

    ``is_wanted`` tells whether runs differ, so that the plan as a whole is no computation soon; ``compiling`` makes
    something in another thread, and ``whole`` is what there is of this kind for another loop.
    """

    def __init__(
        self,
        plan: Plan,
        loop: Loop,
        store: Store,
        is_wanted: Callable[[], bool],
        compiling: Callable[[Any], Any],
        whole: Callable[[Loop], WholeLoop | None],
    ) -> None:
        inside = {*loop.ops}
        inside |= {t.op for op in inside for t in op.inputs if t.op.type == "Const"}
        feeds = dict.fromkeys(t for op in loop.ops for t in op.inputs if t.op not in inside)
        fetches = [t for op in loop.exits for t in op.outputs if t in plan.fetches or not inside.issuperset(t.readers)]
        self.part = Plan(fetches, loop.exits, tuple(feeds), inside)  # some exits are waited for alone
        waited_for = (x for op in inside for x in op.control_inputs if x not in inside)
        self.part.guards.known.update(dict.fromkeys(waited_for, ALWAYS))  # where the loop runs they have run
        self.loop = loop
        self.store = store
        self.is_wanted = is_wanted
        self.compiling = compiling
        self.kinds: dict[Any, _Kind] = {}
        self.sizes: dict[Any, Sizes] = {}
        self.follows_longest = False  # whether there may be more iterations than there are rows of what is given
        self.has_failed = False
        self.by_shape = [t for t in fetches if t.op.type == "LoopHistory" and is_read_by_shape(t, plan)]
        self.lowered = Lowered(self.part, with_checks=True, by_shape=self.by_shape)
        if self.lowered.calls or self.lowered.variables:
            raise NotLowered(loop.enters[0], "its loop calls functions")
        read = {_handle_of(op, loop, _NAMES) for op in loop.ops if op.type in _READING}
        self.how = [(t in self.lowered.static, t in read) for t in self.part.feeds]
        self.origins: dict[Tensor, Any] = {t: _origin(t, loop) for t in fetches}
        self.streams = self.lowered.streams(store)
        makers = {plan.loop_of[t.op] for t in feeds if t.op.type == "LoopHistory"}
        self.forward = [x for x in map(whole, makers) if x is not None]  # what keeps what this loop reads

    @property
    def keeps_bodies_waiting(self) -> bool:
        """Whether it is likely that computations of the loop soon do what those of its bodies would."""
        is_likely = self.is_wanted() and not self.has_failed and len(self.kinds) <= _FEW_KINDS
        return is_likely and all(x.keeps_bodies_waiting for x in self.forward)

    def run(self, values: Sequence[Any], longest: int) -> list[Any] | None:
        """What leaves the loop, if a computation is there: for ``longest`` iterations, where values alone tell."""
        if self.has_failed or not self.is_wanted() or (self.forward and not self._is_forward_done(values)):
            return None
        try:
            room = self._room(values, longest)
            arguments = [given(v, room, *how) for v, how in zip(values, self.how, strict=True)]
        except Unfit:
            return None
        cleared = [a.clears for a in arguments if a.clears is not None]
        if len({*map(id, cleared)}) < len(cleared):  # two names of an array would not know of each other's reads
            return None
        form = (room, *[a.kind for a in arguments])
        sizes = self.sizes.setdefault(form, Sizes())
        range_ = SizeRange.of(sizes, tuple([n for a in arguments for n in a.sizes]))
        key = (form, range_.sizes, range_.places)
        found = self.kinds.get(key)
        if found is None:
            if len(self.kinds) == _KINDS_KEPT:
                return None
            found = self.kinds[key] = _Kind(self._patience(room, values))
        found.runs += 1
        takeover = found.takeover * (1 if range_.places else max(1, len(self.kinds) - _FEW_KINDS))
        runs = found.runs
        if range_.places:
            count = sizes.count(range_.sizes, range_.places)
            runs = count if runs >= _SOONEST else runs  # a size that varies comes from each of the ranges again
        if found.compiling is None and runs * 2 >= takeover:
            found.compiling = self.compiling(partial(self._built, arguments, room, range_))
        if found.compiled is None and runs >= takeover:
            found.compiled = found.compiling.result()
            if found.compiled is None and range_.places:
                sizes.are_bounded = False
            else:
                self.has_failed = found.compiled is None
        if found.compiled is None:
            return None
        try:
            homes = self._homes(found.compiled.results(range_.size), values)
            results, read = found.compiled.run(arguments, range_.size)
        except Unlike:  # it may have been too few iterations
            self.follows_longest = True
            found.missed += 1
            self.has_failed = found.missed > _MISSES
            return None
        for array, places in zip(cleared, read, strict=True):
            array.cleared.update(np.flatnonzero(places).tolist())
        return [_result(*pair, home) for pair, home in zip(results, homes, strict=True)]

    def _room(self, values: Sequence[Any], longest: int) -> int:
        rows = [len(v) if isinstance(v, dataflow.History) else v.length for v in values if isinstance(v, _LONG)]
        return room_for(max([*rows, longest] if self.follows_longest or not rows else rows))

    def _is_forward_done(self, values: Sequence[Any]) -> bool:
        """Whether what other loops have kept has the form that it is going to have."""
        return any(isinstance(v, Rows | Left) for v in values) or all(x.has_failed for x in self.forward)

    def _patience(self, room: int, values: Sequence[Any]) -> int:
        """The number of the run from which on a computation is run."""
        given_ = [
            n
            for t, v in zip(self.part.feeds, values, strict=True)
            if t.dims is not None and isinstance(v, np.ndarray) and v.ndim == len(t.dims)
            for n, dim in zip(v.shape, t.dims, strict=True)
            if dim is None
        ]
        work = costs.seconds(self.part, Facts(), room, sorted(given_)[len(given_) // 2] if given_ else room)
        patience = _PATIENCE + _PATIENCE_OF_OP * len(self.part.ops)
        return round(min(max(patience / max(work, 1e-6), _SOONEST), _MOST))

    def _built(self, arguments: list[Given], room: int, range_: SizeRange) -> ComputedLoop | None:
        with suppress(NotLowered, NotImplementedError, NotBounded):
            lowered = Lowered(self.part, with_checks=True, capacity=room, by_shape=self.by_shape)
            xla.start()
            return ComputedLoop(lowered, self.streams, arguments, self.origins, range_)
        return None

    # -- what leaves the loop ------------------------------------------------------------------

    def _homes(self, kinds: Sequence[Any], values: Sequence[Any]) -> list[Any]:
        """For what leaves the loop, the array that it belongs to, or the elements that it passes on.

        Raises:
          Unlike: there is no such array.
        """
        of_feed = dict(zip(self.part.feeds, values, strict=True))
        homes: list[Any] = []
        for tensor, like in zip(self.part.fetches, kinds, strict=False):
            source = of_feed.get(self.origins[tensor])
            is_history = isinstance(like, Same)
            kept = like.value if is_history else like
            if not isinstance(kept, DenseElements | DenseArray):
                homes.append(None)
                continue
            home = source.values[0] if isinstance(source, dataflow.History) else source
            may_be_passed_on = isinstance(kept, DenseElements) and isinstance(home, Elements)
            if not may_be_passed_on and (type(home) is not Array or (is_history and isinstance(kept, DenseElements))):
                raise Unlike
            homes.append(home)
        return homes


def _result(value: Any, sizes: Mapping[tuple[int, int], int], home: Any) -> Any:
    if isinstance(value, DenseElements):
        return home if isinstance(home, Elements) else _elements(value, sizes, home)
    if home is None:
        return left(value, sizes)
    for step in path_of(value):
        home = home.derivative(*step)
    return Left([home] * int(value.count))


def _elements(value: DenseElements, sizes: Mapping[tuple[int, int], int], array: Array) -> Elements:
    """What was written, and what the array is to know of it."""
    if value.is_empty:
        return Elements(array.length, value.order)
    rows = cut(value.rows, 0, sizes)
    count = min(array.length, len(rows))
    places = [*range(count)] if value.written is None else np.flatnonzero(np.asarray(value.written)).tolist()
    length = max([array.length, *[i + 1 for i in places[-1:]]])
    if not value.order:
        array.length = length
        if array.identical:
            array.element_shape = rows.shape[1:]
        array.shapes.update(dict.fromkeys(places, rows.shape[1:]))
    return Elements(length, value.order).changed({i: rows[i] for i in places}, length)


class _Kind:
    """The runs that give a loop values of one kind."""

    def __init__(self, takeover: int) -> None:
        self.runs = 0
        self.missed = 0  # of these, with computations that were not to be used
        self.takeover = takeover
        self.compiling: Any = None
        self.compiled: ComputedLoop | None = None


def whole_loop(
    plan: Plan,
    loop: Loop,
    store: Store,
    is_wanted: Callable[[], bool],
    compiling: Callable[[Any], Any],
    whole: Callable[[Loop], WholeLoop | None],
) -> WholeLoop | None:
    """``loop`` of ``plan`` to be computed as a whole; None if that cannot be."""
    if loop.condition is None or any(not _is_allowed(op, plan) for op in loop.ops):
        return None
    with suppress(NotLowered):
        return WholeLoop(plan, loop, store, is_wanted, compiling, whole)
    return None


def _is_allowed(op: Operation, plan: Plan) -> bool:
    """Whether ``op`` may be in a loop: it changes nothing, makes no array, and does not ask for all of one.

    An array that an iteration makes is another in each; how many elements one has is not known to a computation.
    """
    effect = op.definition.effect
    if (effect is not None and effect not in _ALLOWED) or op in plan.written or op.type in _OF_ALL:
        return False
    if op.type.startswith("TensorArray") and _is_shared(op.inputs[0]):
        return False
    return not any(t.dtype.is_ref for t in (*op.inputs, *op.outputs))


def _is_shared(handle: Tensor) -> bool:
    """Whether an array of gradients, named by the program, is behind ``handle``: who writes to it changes its state."""
    while handle.op.inputs:
        if handle.op.type in _DERIVING and is_by_hand(handle.op.attrs["source"]):
            return True
        handle = handle.op.inputs[0]
    return False


def _origin(exit_: Tensor, loop: Loop) -> Tensor | None:
    """What the loop is given of an array that it has written, or passed on: a handle, or the elements themselves.

    None if what leaves at ``exit_`` has nothing to do with an array; of what is kept of every iteration, if the loop
    has made it.
    """
    is_history = exit_.op.type == "LoopHistory"
    if is_history and exit_.op.inputs[0].dtype == dtypes.resource:
        return _handle_of(exit_.op, loop)
    members = {*loop.ops}
    waiting = [exit_.op.inputs[0]]
    seen: set[Operation] = set()
    outside: set[Tensor] = set()
    while waiting:
        tensor = waiting.pop()
        op = tensor.op
        if op in members and is_history and op.type not in _PASSING:
            return None
        if op.type in _WRITING and op in members:
            return _handle_of(op, loop)
        if op not in members:
            outside.add(tensor)
        elif op not in seen:
            seen.add(op)
            waiting += _states_read(op)
    return outside.pop() if len(outside) == 1 else None


def _states_read(op: Operation) -> Sequence[Tensor]:
    """The inputs of ``op`` that tell the state of an array, if its output does."""
    if op.type == "TensorArrayGradV3":
        return op.inputs[1:2]
    if op.type in dataflow.SWITCHES or op.type == "LoopRecall":
        return op.inputs[:1]
    return op.inputs if op.type in ("Identity", "Add", "AddV2", "AddN") or op.type in dataflow.IS_FLOW else ()


_NAMES = frozenset(("Enter", "LoopRecall", "Identity", "Switch"))
_PASSING = dataflow.IS_FLOW | {"LoopRecall", "Identity", "TensorArrayGradV3"}
_DERIVING = frozenset(("TensorArrayGradV3", "TensorArrayGradWithShape"))


def _handle_of(op: Operation, loop: Loop, through: Collection[str] = _NAMES | _DERIVING) -> Tensor:
    """The handle, outside of ``loop``, of the array that ``op`` works on, or that it is the gradient of."""
    handle = op.inputs[0]
    while handle.op.type in through and handle.op in loop.ops:
        handle = handle.op.inputs[0]
    return handle
