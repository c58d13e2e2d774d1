"""Runs in parts: feed some, fetch some, go on from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.run.failures import not_fed
from retrograd.run.feeds import not_to_be_changed
from retrograd.run.interpreter import Interpreter
from retrograd.run.plan import Plan, flat
from retrograd.run.steps import Step
from retrograd.run.store import Store


class PartialRun:
    """A plan that runs in parts: each runs every op whose feeds have all come, once."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self.plan = plan
        self.interpreter = Interpreter(plan, store)
        self.values = self.interpreter.initial
        self.waiting: list[Step] = [
            (f, sources, results, (), op) for f, sources, results, _, op in self.interpreter.steps
        ]
        self.feeds_of = _feeds_behind(plan)
        self.fed: set[Tensor] = set()
        self.fetched: set[Tensor] = set()

    def again(self) -> PartialRun:
        """A copy of a run that has not begun."""
        run = copy(self)
        run.fetched = set()
        return run

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to feed or to fetch."""
        return self.fed.issuperset(self.plan.feeds) and self.fetched.issuperset(self.plan.fetches)

    def advance(
        self,
        feeds: Mapping[Tensor, Any],
        fetches: Sequence[Tensor],
        watched: Callable[[Interpreter], Interpreter] | None = None,
        deadline: float | None = None,
    ) -> list[Any]:
        """Take in ``feeds``, run what can be run, and give the values of ``fetches``.

        Args:
          watched, deadline: as of ``Program.run``.

        Raises:
          InvalidArgumentError: a tensor was not named at setup, comes a second time, or cannot be computed yet.
          OpError: an op fails; everything is then as it was before.
        """
        _check("feed", feeds, self.plan.feeds, self.fed)
        _check("fetch", fetches, self.plan.fetches, self.fetched)
        fed = self.fed.union(feeds)
        for tensor in fetches:
            for missing in self.feeds_of[tensor] - fed:
                raise InvalidArgumentError(
                    None, None, f"Fetch {missing.name} can't be computed from the feeds that have been fed so far."
                )
        if self.plan.unfed:
            raise not_fed(self.plan.unfed[0])
        part = copy(self.interpreter)
        part.initial = self.values
        part.feed_slots = [part.slots[t] for t in feeds]
        part.steps = [step for step in self.waiting if self._may_run(step, fed)]
        part.result_slots = list(range(len(self.values)))
        part = watched(part) if watched else part
        self.values = part.run([*map(not_to_be_changed, feeds.values())], deadline)
        self.waiting = [step for step in self.waiting if not self._may_run(step, fed)]
        self.fed = fed
        self.fetched.update(fetches)
        return [self.values[part.fetch_slots[t]] for t in fetches]

    def _may_run(self, step: Step, fed: set[Tensor]) -> bool:
        return all(self.feeds_of[op] <= fed for op in (step[-1].ops() if step[0] is None else [step[-1]]))


def _feeds_behind(plan: Plan) -> dict[Tensor | Operation, frozenset[Tensor]]:
    """For each op of the plan and each of its tensors, the feeds that it waits for."""
    behind: dict[Tensor | Operation, frozenset[Tensor]] = {t: frozenset([t]) for t in plan.feeds}
    for item in plan.items:
        ops = flat([item])  # those of a loop run together
        inside = set(ops)
        sources: set[Any] = {x for op in ops for x in (*op.inputs, *op.control_inputs)}
        outside = [x for x in sources if x in behind or (x.op if isinstance(x, Tensor) else x) not in inside]
        feeds = frozenset().union(*[behind[x] for x in outside])
        for op in ops:
            behind[op] = feeds
            for tensor in op.outputs:
                behind.setdefault(tensor, feeds)
    return behind


def _check(word: str, given: Any, known: Sequence[Tensor], gone: set[Tensor]) -> None:
    for tensor in given:
        if tensor not in known:
            raise InvalidArgumentError(None, None, f"The {word} {tensor.name} was not specified in partial_run_setup.")
        if tensor in gone:
            past = "fed" if word == "feed" else "fetched"
            raise InvalidArgumentError(None, None, f"The {word} {tensor.name} has already been {past}.")
