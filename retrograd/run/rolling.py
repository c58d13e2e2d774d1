"""Repeated equations, rolled up into loops before XLA compiles them.

A network that a program unrolls is the same equations for every step, and XLA would compile each step anew: a minute
for 50 steps of two LSTM layers, forwards and backwards, and code that no cache holds.  As a ``scan`` a step is
compiled once.  Equations are repeated where the same operations stand in the same order, and each input comes from
the same place: from one repetition, from some repetitions before it, or from before the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count as numbers
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from retrograd.run.equations import is_literal, needed_for
from retrograd.run.lowered_sums import pays
from retrograd.run.repeats import FEWEST, Stretch, stretches_in

LEAST_SAVED = 200  # equations that a loop has to save
_MANY = 4000  # that it has to save if they are elementwise
_ADDS = frozenset(("add", "add_any"))
_HEAVY = 3  # what a repetition weighs that XLA makes no few kernels of, together with others
_KERNELS = {
    **dict.fromkeys(("dot_general", "conv_general_dilated", "ffi_call", "sort", "while", "scan"), _HEAVY),
    **dict.fromkeys(("reduce_sum", "reduce_max", "reduce_min", "argmax", "gather", "scatter", "scatter-add"), 1),
}
_TAKING = frozenset(("slice", "squeeze", "reshape"))
_ALIKE = 1 << 12  # bytes of what may be stacked again and again, since it is small
_STACKED = 0.25  # bytes that may be stacked for a loop, of those that it makes


Output = tuple[int, int]  # the place of an equation among those of a repetition, and that of its output


class Made(NamedTuple):
    """An output of a repetition that was run so many before the one that reads it."""

    output: Output
    distance: int


class Same(NamedTuple):
    """What is the same in all repetitions."""

    variable: Any


class Each(NamedTuple):
    """What is another variable in each."""

    variables: tuple[Any, ...]


Source = Made | Same | Each


@dataclass(eq=False)
class Repeat:
    """A stretch of equations that can be a loop."""

    stretch: Stretch
    sources: list[list[Source]]  # of each input of each equation
    firsts: dict[tuple[int, int], tuple[Any, ...]]  # of an input that was made before: what it is at first
    stacked: dict[Output, None] = field(default_factory=dict)  # outputs that others read of all repetitions
    last: dict[Output, None] = field(default_factory=dict)  # outputs that others read of the last one
    added: dict[Output, None] = field(default_factory=dict)  # outputs of which others read the sum
    products: dict[Output, None] = field(default_factory=dict)  # of those, products of stacks behind the loop


class Row(NamedTuple):
    """A variable that is an output of one repetition."""

    repeat: Repeat
    output: Output
    number: int


class Total(NamedTuple):
    """Additions that come to sums over repetitions, and to other terms."""

    outputs: list[tuple[Repeat, Output]]
    others: list[Any]


class Rolling:
    """The equations of one jaxpr and the loops that are found in it."""

    def __init__(self, jaxpr: Any) -> None:
        self.jaxpr = jaxpr
        self.repeats: list[Repeat] = []
        if len(jaxpr.eqns) < LEAST_SAVED:
            return
        self.eqns = _reordered([jaxpr.eqns[i] for i in sorted(needed_for(jaxpr.outvars, jaxpr.eqns))])
        self.made = {v: (i, k) for i, eqn in enumerate(self.eqns) for k, v in enumerate(eqn.outvars)}
        self.readers: dict[Any, list[int]] = {}
        for i, eqn in enumerate(self.eqns):
            for v in eqn.invars:
                if not is_literal(v):
                    self.readers.setdefault(v, []).append(i)
        for v in jaxpr.outvars:
            if not is_literal(v):
                self.readers.setdefault(v, []).append(len(self.eqns))
        self.letters = _letters(self.eqns)
        self.rows: dict[Any, Row] = {}
        self.repeats += sorted(self._find(0, len(self.eqns)), key=lambda r: r.stretch.start)
        for repeat in self.repeats:
            self._name_rows(repeat)
        self.totals: dict[int, Total] = {}  # by the place of the last addition
        self.gone: set[int] = set()  # places of equations that loops have made needless
        if self.repeats:
            self._find_totals()
        for repeat in self.repeats:
            self._find_outputs(repeat)

    # -- what is repeated ------------------------------------------------------------------------

    def _find(self, begin: int, end: int) -> Iterator[Repeat]:
        """The loops among the equations of these places."""
        if end - begin < LEAST_SAVED:
            return
        for stretch in stretches_in(self.letters[begin:end]):
            if stretch.period * (stretch.times - 1) < LEAST_SAVED:
                return
            repeat = self._repeat(stretch._replace(start=begin + stretch.start))
            if repeat is not None:
                yield repeat
                yield from self._find(begin, repeat.stretch.start)
                yield from self._find(repeat.stretch.end, end)
                return

    def _repeat(self, stretch: Stretch) -> Repeat | None:
        """The longest loop in ``stretch``."""
        start, period, count = stretch
        steady: dict[tuple[int, int], Any] = {}
        fits = np.ones(count, bool)
        for j in range(period):
            for m in range(len(self.eqns[start + j].invars)):
                variables = [self.eqns[start + j + t * period].invars[m] for t in range(count)]
                steady[j, m] = source = self._source(stretch, variables)
                fits &= [self._is_from(source, v, stretch, t) for t, v in enumerate(variables)]
        first, end = _longest(fits)
        first = self._earlier(stretch, steady, first)
        if end - first < FEWEST or not self._is_worth_it(Stretch(start + first * period, period, end - first)):
            return None
        return self._checked(Stretch(start + first * period, period, end - first), steady)

    def _is_worth_it(self, stretch: Stretch) -> bool:
        """Whether a loop saves many equations, and XLA does not make a few kernels of them all."""
        saved = stretch.period * (stretch.times - 1)
        eqns = self.eqns[stretch.start : stretch.start + stretch.period]
        weight = sum(_KERNELS.get(eqn.primitive.name, 0) for eqn in eqns)
        return saved >= (LEAST_SAVED if weight >= _HEAVY else _MANY)

    def _source(self, stretch: Stretch, variables: list[Any]) -> Source:
        """Where an input comes from in most repetitions, in which it is one of ``variables``."""
        names = Counter(name_of(v) for v in variables)
        name, times = names.most_common(1)[0]
        if 2 * times > len(variables):
            return Same(next(v for v in variables if name_of(v) == name))
        made = Counter(self._made(stretch, v, t) for t, v in enumerate(variables))
        return made.most_common(1)[0][0] or Each(())

    def _made(self, stretch: Stretch, v: Any, t: int) -> Made | None:
        """``v`` as repetition ``t`` sees it; None if it comes from outside."""
        place = self._place(v)
        if place < stretch.start:
            return None
        repetition, equation = divmod(place - stretch.start, stretch.period)
        return Made((equation, self.made[v][1]), t - repetition)

    def _place(self, v: Any) -> int:
        place: int = -1 if is_literal(v) else self.made.get(v, (-1, 0))[0]
        return place

    def _is_from(self, source: Source, v: Any, stretch: Stretch, t: int) -> bool:
        if isinstance(source, Same):
            return bool(name_of(v) == name_of(source.variable))
        return self._made(stretch, v, t) == (source if isinstance(source, Made) else None)

    def _earlier(self, stretch: Stretch, steady: dict[tuple[int, int], Source], first: int) -> int:
        """The repetition up to ``first`` from which on whatever is not made by those before it comes from outside."""

        def begins(begin: int) -> bool:
            for (j, m), source in steady.items():
                for t in range(begin, first):
                    v = self.eqns[stretch.start + j + t * stretch.period].invars[m]
                    is_first = isinstance(source, Made) and t - begin < source.distance
                    if not self._is_from(source, v, stretch, t) and not (is_first and self._place(v) < stretch.start):
                        return False
            return True

        farthest = max((s.distance for s in steady.values() if isinstance(s, Made)), default=0)
        return next((t for t in range(max(0, first - farthest), first) if begins(t)), first)

    def _checked(self, stretch: Stretch, steady: dict[tuple[int, int], Source]) -> Repeat | None:
        """The loop, if what it reads is there before it and little of that has to be stacked."""
        start, period, count = stretch
        sources: list[list[Source]] = [[] for _ in range(period)]
        firsts = {}
        stacked: dict[tuple[Any, ...], int] = {}
        for (j, m), source in steady.items():
            variables = tuple([self.eqns[start + j + t * period].invars[m] for t in range(count)])
            names = tuple(map(name_of, variables))
            if isinstance(source, Each):
                source = Each(variables) if len({*names}) > 1 else Same(variables[0])
            if isinstance(source, Same) and self._place(source.variable) >= start:
                return None
            if isinstance(source, Made) and source.distance:
                firsts[j, m] = variables[: source.distance]
            if isinstance(source, Each):
                size = _bytes(variables[0].aval)
                if len({*names}) <= count // 2 and size > _ALIKE:
                    return None
                stacked[names] = 0 if self._is_in_step(variables) else size
            sources[j].append(source)
        made = sum(_bytes(v.aval) for eqn in self.eqns[start : start + period] for v in eqn.outvars)
        if sum(stacked.values()) > _STACKED * made:
            return None
        return Repeat(stretch, sources, firsts)

    def _is_in_step(self, variables: Sequence[Any]) -> bool:
        """Whether ``variables`` are made one after the other at one distance, as another loop makes them."""
        places = [self._place(v) for v in variables]
        return len({b - a for a, b in pairwise(places)}) == 1 and places[0] != places[1]

    # -- what others read of it ------------------------------------------------------------------

    def _name_rows(self, repeat: Repeat) -> None:
        start, period, _ = repeat.stretch
        for i in range(start, repeat.stretch.end):
            for k, v in enumerate(self.eqns[i].outvars):
                self.rows[v] = Row(repeat, ((i - start) % period, k), (i - start) // period)

    def _find_totals(self) -> None:
        """Find additions of what all repetitions of a loop make: they are done in the loop."""
        plain = [i for i, eqn in enumerate(self.eqns) if eqn.primitive.name in _ADDS and not self._is_repeated(i)]
        inner: set[int] = set()
        for root in reversed(plain):
            if root in inner:
                continue
            terms, additions = self._terms(root)
            inner |= additions
            total = self._total(terms)
            if total is not None:
                self.totals[root] = total
                self.gone |= additions - {root}

    def _is_repeated(self, place: int) -> bool:
        return any(r.stretch.start <= place < r.stretch.end for r in self.repeats)

    def _terms(self, root: int) -> tuple[list[Any], set[int]]:
        """What the addition at ``root`` adds up, through additions that nobody else reads, and their places."""
        additions = {root}
        terms = []
        rest = [*reversed(self.eqns[root].invars)]
        while rest:
            v = rest.pop()
            place = self._place(v)
            is_addition = place >= 0 and self.eqns[place].primitive.name in _ADDS and not self._is_repeated(place)
            if is_addition and len(self.readers[v]) == 1:
                additions.add(place)
                rest += reversed(self.eqns[place].invars)
            else:
                terms.append(v)
        return terms, additions

    def _total(self, terms: Sequence[Any]) -> Total | None:
        rows: dict[tuple[Repeat, Output], list[Any]] = {}
        for v in terms:
            row = None if is_literal(v) else self.rows.get(v)
            if row is not None and len(self.readers[v]) == 1:
                rows.setdefault((row.repeat, row.output), []).append(v)
        whole = {key: of for key, of in rows.items() if len(of) == key[0].stretch.times}
        if not whole:
            return None
        for repeat, output in whole:
            self._add_up(repeat, output)
        summed = {v for of in whole.values() for v in of}
        return Total([*whole], [v for v in terms if is_literal(v) or v not in summed])

    def _add_up(self, repeat: Repeat, output: Output) -> None:
        """Let others read the sum of ``output``: the loop adds it up, or stacks the factors of one product."""
        eqn = self.eqns[repeat.stretch.start + output[0]]
        factors = repeat.sources[output[0]]
        made = [s for s in factors if isinstance(s, Made) and not s.distance]
        if eqn.primitive.name == "dot_general" and all(s in made or isinstance(s, Each) for s in factors):
            _, (batch, _) = eqn.params["dimension_numbers"]
            sizes = [v.aval.size for v, s in zip(eqn.invars, factors, strict=True) if s in made]
            if not batch and pays(eqn.outvars[0].aval.size, sizes):
                repeat.products[output] = None
                repeat.stacked.update(dict.fromkeys(s.output for s in made))
                return
        repeat.added[output] = None

    def _find_outputs(self, repeat: Repeat) -> None:
        start, period, count = repeat.stretch
        for j in range(period):
            for k in range(len(self.eqns[start + j].outvars)):
                read = [
                    t
                    for t in range(count)
                    if self._is_read_behind(repeat, self.eqns[start + j + t * period].outvars[k])
                ]
                if (j, k) in repeat.added or (j, k) in repeat.products or not read:
                    continue
                if read == [count - 1]:
                    repeat.last[j, k] = None
                else:
                    repeat.stacked[j, k] = None

    def _is_read_behind(self, repeat: Repeat, v: Any) -> bool:
        return any(i >= repeat.stretch.end for i in self.readers.get(v, ()))


def name_of(v: Any) -> Any:
    """What says whether two variables or literals are the same."""
    if not is_literal(v):
        return v
    value = np.asarray(v.val)
    return value.dtype, value.shape, value.tobytes()


def _bytes(aval: Any) -> int:
    return int(prod(aval.shape) * aval.dtype.itemsize)


def _longest(fits: np.ndarray) -> tuple[int, int]:
    """Where the longest stretch of truth begins, and where it has ended."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], fits, [0])).astype(np.int8)))
    return max(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True), key=lambda e: e[1] - e[0], default=(0, 0))


def _reordered(eqns: Sequence[Any]) -> list[Any]:
    """``eqns`` with slices right behind what they are taken of, and padding right before who reads it.

    A step that takes its own slice of a sequence differs from the others in that; its slice is of what was there
    before the first step, and the gradient of the slice is read behind the last.
    """
    made = {v: i for i, eqn in enumerate(eqns) for v in eqn.outvars}
    readers: dict[Any, int] = {}
    for i, eqn in enumerate(eqns):
        for v in eqn.invars:
            if not is_literal(v):
                readers.setdefault(v, i)
    behind: dict[int, list[int]] = {}
    before: dict[int, list[int]] = {}
    moved: set[int] = set()
    for i, eqn in enumerate(eqns):
        name = eqn.primitive.name
        if name in _TAKING and len(eqn.invars) == 1 and not is_literal(eqn.invars[0]):
            place = made.get(eqn.invars[0], -1)
            if name == "slice" or place in moved:
                behind.setdefault(place, []).append(i)
                moved.add(i)
        elif name == "pad" and eqn.outvars[0] in readers:
            before.setdefault(readers[eqn.outvars[0]], []).append(i)
            moved.add(i)
    order: list[Any] = []

    def put(i: int) -> None:
        for k in before.get(i, ()):
            put(k)
        if i >= 0:
            order.append(eqns[i])
        for k in behind.get(i, ()):
            put(k)

    for i in range(-1, len(eqns)):
        if i not in moved:
            put(i)
    return order


def _letters(eqns: Sequence[Any]) -> list[int]:
    """A number for each equation, the same for those that differ in what they read alone."""
    known: dict[Any, int] = {}
    fresh = numbers(1 << 40)
    letters = []
    for eqn in eqns:
        if eqn.effects:
            letters.append(next(fresh))
            continue
        kinds = tuple([(v.aval.shape, getattr(v.aval, "dtype", None)) for v in (*eqn.invars, *eqn.outvars)])
        letters.append(known.setdefault((eqn.primitive, _frozen(eqn.params), len(eqn.invars), kinds), len(known)))
    return letters


def _frozen(value: Any) -> Any:
    """``value``, of an equation's parameters, as what can be looked up."""
    if isinstance(value, dict):
        return tuple([(k, _frozen(x)) for k, x in value.items()])
    if isinstance(value, tuple | list):
        return tuple([_frozen(x) for x in value])
    if hasattr(value, "jaxpr") and not value.consts:  # of a loop or a branch, that was traced once for each
        return str(value.jaxpr)
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
