"""``Program``: how a session executes one plan, run after run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.run.failures import not_fed
from retrograd.run.interpreter import Interpreter
from retrograd.run.plan import Plan
from retrograd.run.specialise import depends_on_shapes, values_by_shape
from retrograd.run.store import Store

_KINDS_KEPT = 8  # sets of feed shapes that a plan is specialised for
_RUNS_FIRST = 3  # runs with the same feed shapes before specialising pays


class Program:
    """A plan with the interpreters made for it.

    The first runs with given feed shapes walk the whole plan; later ones a form of it that was
    specialised for those shapes.  Which is used depends on the runs alone, never on the clock.
    """

    def __init__(self, plan: Plan, store: Store) -> None:
        self.plan = plan
        self.general = Interpreter(plan, store)
        self.store = store
        self.by_shape: dict[Any, int | Interpreter] = {}  # feed shapes -> runs so far, or an interpreter
        self.may_specialise = depends_on_shapes(plan)

    def run(
        self,
        feeds: Sequence[Any],
        watched: Callable[[Interpreter], Interpreter] | None = None,
        deadline: float | None = None,
    ) -> list[Any]:
        """The values of the plan's fetches.

        Args:
          watched: gives the interpreter that runs in the place of another.
          deadline: when to give up, in monotonic seconds.

        Raises:
          InvalidArgumentError: a placeholder that they need is not fed.
          FailedPreconditionError: a variable that they need has no value.
        """
        if self.plan.unfed:
            self.general.check_variables()
            raise not_fed(self.plan.unfed[0])
        interpreter = self._specialised(tuple(map(np.shape, feeds))) if self.may_specialise else self.general
        if watched is not None:
            interpreter = watched(interpreter)
        return interpreter.run(feeds, deadline)

    def _specialised(self, dims: tuple[tuple[int, ...], ...]) -> Interpreter:
        found = self.by_shape.get(dims, 0)
        if isinstance(found, Interpreter):
            return found
        if found < _RUNS_FIRST:
            if found or len(self.by_shape) < _KINDS_KEPT:
                self.by_shape[dims] = found + 1
            return self.general
        interpreter = Interpreter(self.plan, self.store, values_by_shape(self.plan, dims))
        self.by_shape[dims] = interpreter
        return interpreter
