"""Loops of a pure function: ``lax.scan`` where the number of iterations is known, else ``lax.while_loop``.

Loop variables that follow from known values alone, such as counters, are computed for all iterations with NumPy.
What is invariant is computed before the loop.  What is kept for the gradient is stacked by a ``scan``; a
``while_loop`` writes it into buffers for so many iterations as the caller allows, and it is required that they suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.flow.guards import within_iteration
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow
from retrograd.ops.dense_elements import DenseElements
from retrograd.ops.requirements import require
from retrograd.run.held import (
    ABSENT,
    NotLowered,
    Traced,
    array_kind,
    as_array,
    common,
    is_array,
    is_known,
    kind,
    leaves,
    traced,
    turned,
    with_leaves,
    zeros_like,
)
from retrograd.run.histories import Same, Stack, Steps, recalled, stepped
from retrograd.run.known_steps import steps_of
from retrograd.run.lowered_products import prepare_products
from retrograd.run.lowered_sums import Sum, behind_names, behind_switches, pays, sums_in
from retrograd.run.plan import Item, Loop, flat
from retrograd.run.walking import Scope, Walk

_BY_THEMSELVES = dataflow.ENTERS | dataflow.EXITS | dataflow.MERGES
_TRIES = 6  # how often a body is traced until what it carries keeps its kind


@dataclass(eq=False)
class Variable:
    """One value that a loop carries."""

    merge: Operation
    first: Tensor
    following: Tensor

    @property
    def tensor(self) -> Tensor:
        """Its value in an iteration."""
        return self.merge.outputs[0]


def variables_of(walk: Walk, loop: Loop) -> list[Variable]:
    """The variables of ``loop`` that there is a need for."""
    found = []
    for merge in loop.merges:
        if merge in walk.needed:
            first = [t for t in merge.inputs if t.op.type not in dataflow.NEXT_ITERATIONS]
            following = [t.op.inputs[0] for t in merge.inputs if t.op.type in dataflow.NEXT_ITERATIONS]
            if len(first) != 1 or len(following) != 1:
                raise NotLowered(merge, "it is not the start of a loop variable")
            found.append(Variable(merge, first[0], following[0]))
    return found


def run_loop(walk: Walk, loop: Loop, scope: Scope) -> None:
    """Compute ``loop``: what leaves it gets its values in ``scope``."""
    if loop.condition is None:
        raise NotLowered(loop.enters[0], "its loop has no condition")
    inner = Scope(scope)
    recalls = []
    for op in loop.enters:
        if op not in walk.needed:
            continue
        if op.type == "LoopRecall":
            recalls.append(op)
            continue
        value = walk.see(op, op.inputs[0], scope)
        if op.inputs[0].dtype.is_ref and not op.outputs[0].dtype.is_ref:
            value = value.read()
        inner[op.outputs[0]] = value
    lowered = LoweredLoop(walk, loop, scope, inner, recalls)
    lowered.run()


class LoweredLoop:
    """One loop, in one walk."""

    def __init__(self, walk: Walk, loop: Loop, scope: Scope, inner: Scope, recalls: list[Operation]) -> None:
        assert loop.condition is not None
        self.walk = walk
        self.loop = loop
        self.scope = scope
        self.inner = inner  # what is the same in every iteration
        self.recalls = recalls
        self.condition = loop.condition
        self.variables = [v for v in variables_of(walk, loop) if not self._passed_on(v)]
        items = [x for x in loop.items if walk.is_needed(x)]
        behind = {x for x in items if self._is_behind(x)}
        self.before = [x for x in items if x not in behind]
        self.behind = [x for x in items if x in behind]
        self.wanted_before: list[Callable[[], None]] = []  # what a trace of the body would have had computed before
        self._hoist()
        prepare_products(self)
        self.histories = [op for op in loop.exits if op.type == "LoopHistory" and op in walk.needed]
        self.steps = steps_of(walk, self, {op: scope[op.inputs[0]] for op in recalls})
        self.carried = [v for v in self.variables if v.tensor not in self.steps.final]
        self.is_backward = bool(recalls)
        self.sums = [] if self.steps.count is None else sums_in(self)
        self._add_up_behind(self.sums)

    def _add_up_behind(self, sums: list[Sum]) -> None:
        """Let these variables be added up behind the loop, from stacks of their factors."""
        self.sums = sums
        away = {s.variable for s in sums}
        self.carried = [v for v in self.variables if v.tensor not in self.steps.final and v not in away]
        factors = dict.fromkeys(t for s in sums for t in s.factors)
        self.stacked = [t for t in factors if self._rows_recalled(t) is None]

    def _rows_recalled(self, tensor: Tensor) -> Any:
        """The stack that ``tensor`` is recalled from, in the order in which this loop stacks; None if it is not."""
        if tensor.op not in self.recalls:
            return None
        kept = self.scope[tensor.op.inputs[0]]
        if not isinstance(kept, Stack) or len(kept.rows) != 1 or len(kept.rows[0]) != self.steps.count:
            return None
        return kept.rows[0][::-1] if kept.is_backward else kept.rows[0]

    def _is_behind(self, item: Item) -> bool:
        guards = self.walk.plan.guards
        guard = guards.of_loop(item.enters) if isinstance(item, Loop) else guards.of(item)
        return any(x.pred.op.type == "LoopCond" and x.branch for x in guard)

    def _passed_on(self, variable: Variable) -> bool:
        """Whether every iteration leaves a variable as it is; then it is invariant."""
        tensor = variable.following
        while tensor.op.type in ("Identity", "Switch") and tensor not in self.walk.fed:
            tensor = tensor.op.inputs[0]
        if tensor is not variable.tensor:
            return False
        self.inner[variable.tensor] = self.inner[variable.first]
        return True

    def _hoist(self) -> None:
        """Compute what is the same in every iteration."""
        for item in [*self.before, *self.behind]:
            if isinstance(item, Loop) or item.type in _BY_THEMSELVES or item in self.walk.plan.written:
                continue
            is_name = item.type in ("Identity", "Switch") and not item.inputs[0].dtype.is_ref
            is_pure = item.definition.is_pure and item.definition.kernel is not None and not self.walk.guard_of(item)
            if (is_name or (is_pure and not self._clears(item))) and all(
                t in self.inner for t in item.inputs if not is_name or t is item.inputs[0]
            ):
                self.walk.run(item, self.inner)

    def _clears(self, op: Operation) -> bool:
        """Whether ``op`` reads what is not to be read again."""
        if op.type not in ("TensorArrayReadV3", "TensorArrayGatherV3"):
            return False
        handle = op.inputs[0]
        while handle not in self.inner and handle.op.type == "Enter":  # of a loop inside this one
            handle = handle.op.inputs[0]
        return getattr(self.inner.found(handle), "cleared", None) is not None

    # -- iterations ----------------------------------------------------------------------------

    def run(self) -> None:
        """Run all iterations."""
        if self.steps.count is None:
            self._run_while()
        else:
            self._run_scan(self.steps.count)

    def _firsts(self) -> list[Any]:
        """What the loop carries into its first iteration."""
        return [self._unasked(v, _carryable(v.merge, self.inner[v.first])) for v in self.carried]

    def _begun(self, values: list[Any], k: Any, count: Any) -> Scope:
        """The scope of an iteration at its start."""
        from retrograd.ops.jax_start import jnp

        scope = Scope(self.inner)
        for variable, value in zip(self.carried, values, strict=True):
            scope[variable.tensor] = value
        for each in self.sums:  # nobody reads what is made of these
            scope[each.variable.tensor] = zeros_like(as_array(self.inner[each.variable.first]))
        for variable in self.variables:
            number = variable.merge.outputs[1]
            if any(r in self.walk.needed for r in number.readers):
                scope[number] = jnp.where(k > 0, jnp.int32(1), jnp.int32(0))
        if is_known(count):
            for tensor, sequence in self.steps.sequences.items():
                if tensor not in self.inner:
                    scope[tensor] = stepped(sequence, k)
        return scope

    def _recall(self, scope: Scope, k: Any, count: Any) -> None:
        for op in self.recalls:
            tensor = op.outputs[0]
            if not scope.is_own(tensor):
                value = recalled(self.scope[op.inputs[0]], k, count)
                scope[tensor] = value

    def _one(self, values: list[Any], k: Any, count: Any) -> tuple[Scope, list[Any]]:
        """One iteration: its scope, and what the variables are in the next."""
        scope = self._begun(values, k, count)
        self.walk.through(self.before, scope)
        self._recall(scope, k, count)
        self.walk.through(self.behind, scope)
        return scope, [_carryable(v.merge, scope[v.following]) for v in self.carried]

    def _kept(self, scope: Scope) -> list[Any]:
        """What an iteration keeps of the values that there are histories of; ABSENT of what it has not computed."""
        return [self._of_history(op, scope.get(op.inputs[0], ABSENT)) for op in self.histories] + [
            scope[t] for t in self.stacked
        ]

    def _of_history(self, op: Operation, value: Any) -> Any:
        """What an iteration keeps of ``value``: of one that is read by its shape alone, that."""
        if op.outputs[0] in self.walk.by_value:
            return value
        if isinstance(value, DenseElements):  # to others a flow is a number
            return np.float32(0)
        return np.broadcast_to(np.zeros((), value.dtype), value.shape) if is_array(value) else value

    def _traced(self, firsts: list[Any], count: Any) -> tuple[Traced, list[Any], list[Any]]:
        """An iteration as a function of the variables, the places and the number of the iteration."""
        counter = array_kind((), np.dtype(np.int32))
        places: list[Any] = []

        def body(arguments: list[Any]) -> list[Any]:
            *values, k = arguments
            scope, following = self._one(values, k, count)
            following = [_like(x, like) for x, like in zip(following, values, strict=True)]
            return [*following, *self._kept(scope)]

        for _ in range(_TRIES):
            trace = traced(body, [*firsts, counter], self.walk.places, places)
            if self.wanted_before:
                for make in self.wanted_before:
                    make()
                self.wanted_before = []
                continue
            following = trace.results[: len(firsts)]
            wanted = [self._common(v, x, y) for v, x, y in zip(self.carried, firsts, following, strict=True)]
            is_stable = all(kind(x) == kind(y) == kind(w) for x, y, w in zip(firsts, following, wanted, strict=True))
            firsts = [turned(x, like) for x, like in zip(firsts, wanted, strict=True)]
            if is_stable and len(trace.changed) == len(places):
                return trace, firsts, places
            places = trace.changed
        raise NotLowered(self.condition, "the kinds of its loop variables do not settle")

    def _common(self, variable: Variable, first: Any, following: Any) -> Any:
        try:
            return common(first, following)
        except ValueError:
            raise NotLowered(variable.merge, "the loop variable changes its shape") from None

    # -- a known number of iterations ----------------------------------------------------------

    def _run_scan(self, count: int) -> None:
        from retrograd.ops.jax_start import jnp, lax

        trace, firsts, places = self._traced(self._firsts(), np.int32(count))
        factors = dict(zip(self.stacked, trace.results[len(firsts) + len(self.histories) :], strict=True))
        made = {t for s in self.sums if self._pays(s, factors) for t in s.factors}  # and then there are their stacks
        paying = [s for s in self.sums if made.issuperset(s.factors)]
        if len(paying) < len(self.sums):
            self._add_up_behind(paying)
            trace, firsts, places = self._traced(self._firsts(), np.int32(count))
        sizes = [len(leaves(v)) for v in trace.results]
        n = sum(sizes[: len(firsts)])
        first_of_kept = n
        n_kept = sum(sizes[len(firsts) :])
        contents = [as_array(p.value) for p in places]
        init = [*[leaf for v in firsts for leaf in leaves(v)], *contents]
        checked = trace.checks

        def step(carry: Any, k: Any) -> Any:
            state, holds = carry
            out = trace([*state[:n], k, *state[n:]])
            kept = out[first_of_kept : first_of_kept + n_kept]
            rest = out[first_of_kept + n_kept :]
            after = rest[: len(places)]
            if checked:
                holds = holds & rest[len(places)]
            return ([*out[:n], *after], holds), kept

        numbers = np.arange(count, dtype=np.int32)
        xs = numbers[::-1].copy() if self.is_backward else numbers
        (last, holds), stacks = lax.scan(
            step, (init, jnp.bool_(True)), xs, length=count, reverse=self.is_backward, unroll=1
        )
        if checked:
            require(holds)
        values = self._taken(trace.results[: len(firsts)], last)
        for place, value in zip(places, last[n:], strict=True):
            place.value = value
        stacks = list(stacks)
        for op, value in zip(self.histories, trace.results[len(firsts) :], strict=False):
            self.scope[op.outputs[0]] = self._history(op, value, stacks, count)
        rows = dict(zip(self.stacked, stacks, strict=True))
        totals = {}
        for each in self.sums:
            factor_rows = [rows[t] if t in rows else self._rows_recalled(t) for t in each.factors]
            totals[each.variable.tensor] = each.total(as_array(self.inner[each.variable.first]), factor_rows)
        self._finish(values, np.int32(count), totals)

    def _pays(self, each: Sum, stacked: Mapping[Tensor, Any]) -> bool:
        factors = [stacked[t] for t in each.factors if t in stacked]
        return all(map(is_array, factors)) and pays(self.inner[each.variable.first].size, [x.size for x in factors])

    def _taken(self, kinds: list[Any], arrays: Iterable[Any]) -> list[Any]:
        rest = list(arrays)
        return [with_leaves(v, rest) for v in kinds]

    def _history(self, op: Operation, value: Any, stacks: list[Any], count: Any) -> Any:
        """The history of a value of which an iteration keeps ``value`` in kind; ``stacks`` are what is left of all."""
        mine = [stacks.pop(0) for _ in leaves(value)]
        (source,) = op.inputs
        if source in self.steps.sequences and is_known(count):
            return Steps(self.steps.sequences[source][: int(count)])
        if source in self.inner:
            return Same(self._of_history(op, self.inner[source]), count)
        if value is ABSENT or not leaves(value):
            return Same(value, count)
        if op.outputs[0] not in self.walk.by_value:
            return Same(zeros_like(value), count)
        guard = within_iteration(self.walk.plan.guards.of_tensor(source)) if self.walk.plan.has_branches else ()
        return Stack(value, mine, count, self.is_backward and is_known(count), not guard)

    def _does_more(self) -> bool:
        """Whether what decides about the next iteration does more than compute."""
        is_more = [op.definition.effect not in (None, Effect.READ) or self._clears(op) for op in flat(self.before)]
        return any(is_more)

    def _finish(self, values: list[Any], count: Any, totals: Mapping[Tensor, Any], is_asked_last: bool = False) -> None:
        """Let what leaves the loop have its values; ``is_asked_last``: the last condition requires something."""
        scope = Scope(self.inner, dict(totals))
        for variable, value in zip(self.carried, values, strict=True):
            scope[variable.tensor] = self._asked(variable, value)
        for tensor, final in self.steps.final.items():
            if is_known(count):
                scope[tensor] = final
        exits = [op for op in self.loop.exits if op in self.walk.needed and op.type != "LoopHistory"]
        sources = [behind_switches(op.inputs[0]) for op in exits]
        if is_asked_last or self._does_more() or not all(t in scope for t in sources):
            self.walk.through(self.before, scope)
        for op, source in zip(exits, sources, strict=True):
            self.scope[op.outputs[0]] = scope[source]

    # -- an unknown number ---------------------------------------------------------------------

    def _run_while(self) -> None:
        from retrograd.ops.jax_start import jnp, lax

        if self._does_more():
            raise NotLowered(self.condition, "the condition of its loop does more than compute")
        trace, firsts, places = self._traced(self._firsts(), None)
        capacity = self._capacity()
        sizes = [len(leaves(v)) for v in trace.results]
        n = sum(sizes[: len(firsts)])
        n_kept = sum(sizes[len(firsts) :])
        kept_kinds = [leaf for v in trace.results[len(firsts) :] for leaf in leaves(v)]
        buffers = [jnp.zeros((capacity, *x.shape), x.dtype) for x in kept_kinds] if self.histories else []
        contents = [as_array(p.value) for p in places]
        init = [leaf for v in firsts for leaf in leaves(v)]

        def going_on(values: list[Any]) -> list[Any]:
            *rest, k = values
            scope = self._begun(rest, k, None)
            self.walk.through(self.before, scope)
            return [as_array(scope[self.condition.outputs[0]])]

        counter = jnp.int32(0)
        condition = traced(going_on, [*firsts, counter], self.walk.places, places)

        def goes_on(carry: Any) -> Any:
            state, after, _, holds, k = carry
            is_next, *asked = condition([*state, k, *after])
            if jnp.ndim(is_next):
                raise NotLowered(self.condition, "what decides whether there is a next iteration is no scalar")
            for required in [holds] * trace.checks + asked[-1:] * condition.checks:  # else it may go on for ever
                is_next = is_next & required
            return is_next

        def step(carry: Any) -> Any:
            state, after, kept, holds, k = carry
            out = trace([*state, k, *after])
            values = out[n : n + n_kept]
            kept = [lax.dynamic_update_index_in_dim(b, x, k, 0) for b, x in zip(kept, values, strict=True)]
            rest = out[n + n_kept :]
            if trace.checks:
                holds = holds & rest[len(places)]
            return out[:n], rest[: len(places)], kept, holds, k + 1

        last, after, kept, holds, count = lax.while_loop(
            goes_on, step, (init, contents, buffers, jnp.bool_(True), counter)
        )
        if trace.checks:
            require(holds)
        is_kept = any(op.outputs[0] in self.walk.by_value for op in self.histories)
        if is_kept and self.steps.bound is None and not self.recalls:
            self.walk.is_bounded = True
            require(count <= capacity)
        for place, value in zip(places, after, strict=True):
            place.value = value
        self._finish(self._taken(trace.results[: len(firsts)], last), count, {}, condition.checks)
        for op, value in zip(self.histories, trace.results[len(firsts) :], strict=True):
            self.scope[op.outputs[0]] = self._history(op, value, kept, count)

    def _capacity(self) -> int:
        if self.steps.bound is not None:
            return max(self.steps.bound, 1)
        kept = [self.scope[op.inputs[0]] for op in self.recalls]
        rows = [len(h.rows[0]) for h in kept if isinstance(h, Stack) and h.rows]
        return max(rows) if rows else self.walk.capacity

    # -- arrays that are written once in each iteration ------------------------------------------

    def _unasked(self, variable: Variable, value: Any) -> Any:
        """Elements that are seen to be written once need not be asked whether they were written."""
        is_asked = isinstance(value, DenseElements) and isinstance(value.written, np.ndarray) and not value.order
        if not is_asked or self._written_places(variable, value) is None:
            return value
        return DenseElements(value.length, 0, value.rows, None, value.growing)

    def _asked(self, variable: Variable, value: Any) -> Any:
        first = self.inner[variable.first]
        if isinstance(value, DenseElements):
            value = DenseElements(value.length, value.order, value.rows, value.written)
            if isinstance(first, DenseElements) and isinstance(first.written, np.ndarray) and value.written is None:
                places = self._written_places(variable, first)
                if places is not None:
                    value.written = first.long(value.length).written.copy()
                    value.written[places] = True
        return value

    def _written_places(self, variable: Variable, first: DenseElements) -> list[int] | None:
        """The places that the one write of an array in the loop goes to, if they are known and all are free."""
        write = behind_names(variable.following).op
        if write.type != "TensorArrayWriteV3" or self.walk.guard_of(write) or write not in self.loop.items:
            return None
        if behind_switches(write.inputs[3]) is not variable.tensor or self.steps.count is None:
            return None
        index = self.steps.sequences.get(behind_names(write.inputs[1]))
        if index is None:
            return None
        places = [int(i) for i in index[: self.steps.count]]
        is_free = len(set(places)) == len(places) and not any(
            p < 0 or (p < first.length and first.written[p]) for p in places
        )
        return places if is_free else None


def _like(value: Any, like: Any) -> Any:
    """The next value of a variable in the kind of the one before, if it can be."""
    try:
        if kind(common(value, like)) == kind(like):
            return turned(value, like)
    except ValueError:
        pass
    return value


def _carryable(op: Operation, value: Any) -> Any:
    """A value as a loop can carry it."""
    if is_known(value):
        value = np.asarray(value)
        if value.dtype.kind in "OSU":
            raise NotLowered(op, "the loop carries text")
        return as_array(value)
    if leaves(value) or isinstance(value, DenseElements):
        return value
    raise NotLowered(op, "what the loop carries is no array")
