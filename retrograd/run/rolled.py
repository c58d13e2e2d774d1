"""A jaxpr with loops for what is repeated in it (``rolling.py`` finds that)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.run.equations import evaluate, is_literal, run, value_of
from retrograd.run.rolling import Each, Made, Output, Repeat, Rolling, Row, Same, Source, name_of


def rolled(closed: Any) -> Any:
    """``closed``, a closed jaxpr, with loops for what is repeated in it; itself if nothing is."""
    from retrograd.ops.jax_start import jax
    from retrograd.run.held import array_kind

    rolling = Rolling(closed.jaxpr)
    if not rolling.repeats:
        return closed
    kinds = [array_kind(a.shape, a.dtype) for a in closed.in_avals]
    return jax.make_jaxpr(lambda *arguments: _results(rolling, [*closed.consts, *arguments]))(*kinds)


def _results(rolling: Rolling, arguments: Sequence[Any]) -> list[Any]:
    """The results of the jaxpr from its constants and arguments."""
    jaxpr, eqns = rolling.jaxpr, rolling.eqns
    values = _Values(rolling, dict(zip([*jaxpr.constvars, *jaxpr.invars], arguments, strict=True)))
    loops = {r.stretch.start: r for r in rolling.repeats}
    i = 0
    while i < len(eqns):
        if i in loops:
            _Loop(loops[i], values).run()
            i = loops[i].stretch.end
            continue
        total = rolling.totals.get(i)
        if total is not None:
            first, *terms = [values.sums[x] for x in total.outputs] + [value_of(values, v) for v in total.others]
            values[eqns[i].outvars[0]] = sum(terms, first)
        elif i not in rolling.gone:
            evaluate(eqns[i], values)
        i += 1
    return [value_of(values, v) for v in jaxpr.outvars]


class _Values(dict[Any, Any]):
    """The values of variables; those that a loop stacks are taken out of their stack when somebody asks."""

    def __init__(self, rolling: Rolling, values: dict[Any, Any]) -> None:
        super().__init__(values)
        self.rolling = rolling
        self.stacks: dict[tuple[Repeat, Output], Any] = {}
        self.sums: dict[tuple[Repeat, Output], Any] = {}
        self.known: dict[tuple[Any, ...], tuple[Any, int, int]] = {}

    def __missing__(self, v: Any) -> Any:
        row = self.rolling.rows[v]
        self[v] = value = self.stacks[row.repeat, row.output][row.number]
        return value

    def stacked(self, variables: tuple[Any, ...]) -> tuple[Any, int, int]:
        """An array with the values of ``variables`` as rows; in which row the first is, and how far the next."""
        from retrograd.ops.jax_start import jnp

        key = tuple(map(name_of, variables))
        if key not in self.known:
            rows = self._rows_of([None if is_literal(v) else self.rolling.rows.get(v) for v in variables])
            if rows is None:
                is_known = all(map(is_literal, variables))
                stack: Any = np.stack if is_known else jnp.stack
                rows = stack([value_of(self, v) for v in variables], dtype=variables[0].aval.dtype), 0, 1
            self.known[key] = rows
        return self.known[key]

    def _rows_of(self, rows: Sequence[Row | None]) -> tuple[Any, int, int] | None:
        """The stack that has these rows, one next to the other, if one has."""
        first, second = rows[:2]
        if first is None or second is None or (first.repeat, first.output) not in self.stacks:
            return None
        by = second.number - first.number
        expected = [first._replace(number=first.number + by * t) for t in range(len(rows))]
        return (self.stacks[first.repeat, first.output], first.number, by) if rows == expected else None


class _Loop:
    """``repeat`` as a loop."""

    def __init__(self, repeat: Repeat, values: _Values) -> None:
        self.repeat = repeat
        self.values = values
        self.start, self.period, self.times = repeat.stretch
        self.eqns = values.rolling.eqns[self.start : self.start + self.period]
        self.same: dict[tuple[int, int], Any] = {}  # by equation and input
        self.rows: dict[tuple[int, int], tuple[Any, int, int]] = {}
        self.carrying: dict[tuple[int, int], int] = {}  # the place among what is carried
        self.carried: list[Output] = []
        self.firsts: list[list[Any]] = []
        self._read()

    def _read(self) -> None:
        """Look at what comes from outside."""
        carried: dict[Any, int] = {}
        for j, sources in enumerate(self.repeat.sources):
            for m, source in enumerate(sources):
                if isinstance(source, Same):
                    self.same[j, m] = value_of(self.values, source.variable)
                elif isinstance(source, Each):
                    self.rows[j, m] = self.values.stacked(source.variables)
                elif source.distance:
                    firsts = self.repeat.firsts[j, m]
                    place = carried.setdefault((source.output, *map(name_of, firsts)), len(carried))
                    self.carrying[j, m] = place
                    if place == len(self.carried):
                        self.carried.append(source.output)
                        self.firsts.append([_strong(value_of(self.values, v)) for v in firsts])

    def run(self) -> None:
        """Run it, and leave what others read of it."""
        from retrograd.ops.jax_start import lax

        repeat, values = self.repeat, self.values
        zeros = [[self._zeros(x) for x in outputs] for outputs in (repeat.added, repeat.last)]
        numbers = np.arange(self.times, dtype=np.int32)
        (_, sums, last), stacks = lax.scan(self._step, (self.firsts, *zeros), numbers, length=self.times)
        values.stacks.update({(repeat, x): stack for x, stack in zip(repeat.stacked, stacks, strict=True)})
        values.sums.update({(repeat, x): value for x, value in zip(repeat.added, sums, strict=True)})
        for x in repeat.products:
            values.sums[repeat, x] = self._product(x)
        for (j, k), value in zip(repeat.last, last, strict=True):
            values[values.rolling.eqns[repeat.stretch.end - self.period + j].outvars[k]] = value

    def _step(self, state: Any, t: Any) -> tuple[Any, list[Any]]:
        """Repetition ``t``: what is carried on, and what is stacked."""
        latest, sums, _ = state
        made: dict[Output, Any] = {}
        for j, eqn in enumerate(self.eqns):
            inputs = [self._input((j, m), x, latest, made, t) for m, x in enumerate(self.repeat.sources[j])]
            made.update({(j, k): _strong(x) for k, x in enumerate(run(eqn, inputs))})
        latest = [[*old[1:], made[x]] for x, old in zip(self.carried, latest, strict=True)]
        sums = [old + made[x] for x, old in zip(self.repeat.added, sums, strict=True)]
        return (latest, sums, [made[x] for x in self.repeat.last]), [made[x] for x in self.repeat.stacked]

    def _input(self, place: tuple[int, int], source: Source, latest: Any, made: dict[Output, Any], t: Any) -> Any:
        from retrograd.ops.jax_start import lax

        if isinstance(source, Same):
            return self.same[place]
        if isinstance(source, Each):
            array, begin, by = self.rows[place]
            return lax.dynamic_index_in_dim(array, begin + by * t, 0, keepdims=False)
        return latest[self.carrying[place]][0] if source.distance else made[source.output]

    def _product(self, output: Output) -> Any:
        """The sum over all repetitions of a product, as one product."""
        from retrograd.ops.jax_start import lax

        params = self.eqns[output[0]].params
        by, _ = params["dimension_numbers"]
        by = tuple([(0, *(d + 1 for d in dims)) for dims in by])
        a, b = [self._all_rows((output[0], m), x) for m, x in enumerate(self.repeat.sources[output[0]])]
        kind = params["preferred_element_type"]
        return lax.dot_general(a, b, (by, ((), ())), precision=params["precision"], preferred_element_type=kind)

    def _all_rows(self, place: tuple[int, int], source: Source) -> Any:
        if isinstance(source, Made):
            return self.values.stacks[self.repeat, source.output]
        array, begin, by = self.rows[place]
        return array[begin:][::by][: self.times] if by > 0 else array[: begin + 1][::by][: self.times]

    def _zeros(self, output: Output) -> Any:
        from retrograd.ops.jax_start import jnp

        kind = self.eqns[output[0]].outvars[output[1]].aval
        return jnp.zeros(kind.shape, kind.dtype)


def _strong(value: Any) -> Any:
    """``value`` with a dtype that holds against others."""
    from retrograd.ops.jax_start import jnp

    return jnp.asarray(value, dtype=np.result_type(value))
