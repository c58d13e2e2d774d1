"""One iteration of a ``scan``, read: what it takes from the rows of arrays, what it carries, what it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from retrograd.run.equations import is_literal
from retrograd.run.probes import NoProbe, Step, results, steps_of

_INDEXING = frozenset(("add", "convert_element_type", "ge", "gt", "lt", "max", "min", "mul", "neg", "select_n", "sub"))
Places = tuple[int, ...]
Row = tuple[Any, Places]  # an array outside, and which of its rows each iteration takes


class Scanned:
    """The iterations of ``eqn``, a scan, that ``is_used`` outputs of it need.

    Iterations are numbered as the rows of what the scan stacks, which is from the last one if it is reversed.

    Args:
      known: the value of a variable outside, if it is known.

    Raises:
      NoProbe: it is more than arithmetic on rows, on what is carried, and on what is the same in all iterations.
    """

    def __init__(self, eqn: Any, known: Callable[[Any], Any], is_used: Callable[[Any], bool]) -> None:
        params = eqn.params
        inner, self.length, self.is_reversed = params["jaxpr"], params["length"], params["reverse"]
        if inner.consts or eqn.effects:
            raise NoProbe
        names: dict[Any, Any] = {}
        steps = list(steps_of(inner.jaxpr.eqns, names))
        first, last = params["num_consts"], params["num_consts"] + params["num_carry"]
        self.eqn = eqn
        self.outer = dict(zip(inner.jaxpr.invars, eqn.invars, strict=True))
        self.consts, self.states, numbers = self._divided(inner.jaxpr.invars, first, last)
        self.outputs = [v if is_literal(v) else names.get(v, v) for v in inner.jaxpr.outvars]
        self.used = [i for i, v in enumerate(eqn.outvars) if is_used(v)]
        self.indices: dict[Any, Any] = {}
        self.rows: dict[Any, Row] = {}
        for v in numbers:
            places = known(self.outer[v])
            if places is not None and np.shape(places) == (self.length,):
                self.indices[v] = np.asarray(places)
            else:
                self.rows[v] = self.outer[v], tuple(range(self.length))
        self.steps: list[Step] = []
        self.written: dict[int, tuple[Any, Places]] = {}  # states whose rows are written: what with, and which
        needed = self._needed(steps)
        for step in steps:
            if not needed.isdisjoint(step.made):
                self._read(step)
        self.needed = needed

    @staticmethod
    def _divided(values: Sequence[Any], first: int, last: int) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any]]:
        return values[:first], values[first:last], values[last:]

    def _needed(self, steps: Sequence[Step]) -> set[Any]:
        """The names that what is used follows from."""
        needed = {self.outputs[i] for i in self.used if not is_literal(self.outputs[i])}
        size = -1
        while len(needed) > size:
            size = len(needed)
            for step in reversed(steps):
                if not needed.isdisjoint(step.made):
                    needed.update(v for v in step.read if not is_literal(v))
            needed.update(
                x for v, x in zip(self.states, self.outputs, strict=False) if v in needed and not is_literal(x)
            )
        return needed

    def _read(self, step: Step) -> None:
        read = [np.asarray(v.val) if is_literal(v) else self.indices.get(v) for v in step.read]
        if step.primitive in _INDEXING and all(x is not None and x.dtype.kind in "ib" for x in read):
            (self.indices[step.made[0]],) = results(step, self.indices)
            return
        if step.primitive == "dynamic_slice":
            self._take_row(step)
        elif step.primitive == "dynamic_update_slice":
            self._write_row(step)
        else:
            self.steps.append(step)

    def _places(self, starts: Sequence[Any]) -> Places:
        """The row that each iteration begins at."""
        values: list[Any] = [np.asarray(v.val) if is_literal(v) else self.indices.get(v) for v in starts]
        if any(v is None for v in values) or any(np.any(v) for v in values[1:]):
            raise NoProbe
        return tuple(np.broadcast_to(values[0], self.length).tolist())

    def _take_row(self, step: Step) -> None:
        array, *starts = step.read
        if array not in self.consts or is_literal(self.outer[array]):
            raise NoProbe
        if tuple(step.params["slice_sizes"]) != (1, *array.aval.shape[1:]):
            raise NoProbe
        self.rows[step.made[0]] = self.outer[array], self._places(starts)

    def _write_row(self, step: Step) -> None:
        array, value, *starts = step.read
        place = next((i for i, v in enumerate(self.states) if v is array), None)
        if place is None or self.outputs[place] is not step.made[0]:
            raise NoProbe
        self.written[place] = value, self._places(starts)

    @property
    def carried(self) -> list[int]:
        """The states that an iteration reads, but for those whose rows are written."""
        return [i for i, v in enumerate(self.states) if v in self.needed and i not in self.written]

    def fixed(self) -> list[Any]:
        """The variables outside that every iteration sees whole."""
        read = {v for step in self.steps for v in step.read if not is_literal(v)}
        return [self.outer[v] for v in self.consts if v in read and not is_literal(self.outer[v])]

    def behind(self, i: int) -> set[Any]:
        """The names that output ``i`` follows from within an iteration."""
        found = set() if is_literal(self.outputs[i]) else {self.outputs[i]}
        for step in reversed(self.steps):
            if not found.isdisjoint(step.made):
                found.update(v for v in step.read if not is_literal(v))
        return found

    def probed(
        self, rows: Callable[[Any, Places], Any], fixed: Mapping[Any, Any], states: Mapping[int, Any]
    ) -> dict[Any, Any]:
        """The values of all names in an iteration that sees such rows, such arrays, and such states.

        Raises:
          NoProbe: an equation is not analytic, or reads what is not there.
        """
        values: dict[Any, Any] = {}
        for v in self.consts:
            array = self.outer[v]
            if is_literal(array):
                values[v] = np.asarray(array.val)
            elif array in fixed:
                values[v] = fixed[array]
        values.update({self.states[i]: x for i, x in states.items()})
        for name, (array, places) in self.rows.items():
            row = rows(array, places)
            values[name] = row if name in self.outer else row[None]
        for step in self.steps:
            values.update(zip(step.made, results(step, values), strict=True))
        return values

    def output(self, i: int, values: Mapping[Any, Any]) -> Any:
        """The value of an output where names have ``values``."""
        name = self.outputs[i]
        return np.asarray(name.val) if is_literal(name) else values[name]
