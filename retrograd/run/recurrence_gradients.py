"""The gradient of LSTMs among the equations of a jaxpr.

It begins where somebody reads what a loop keeps of its steps.  What follows from that is computed of numbers drawn at
random, over all steps, until it is what the gradient is (``lstm_numbers.py``): in whichever order a program computes
it, in loops or without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from retrograd.run.equations import variables_of
from retrograd.run.found_recurrences import ROWS, FoundLayer, Given, Gradient, Name, Recurrence
from retrograd.run.lstm_numbers import Run, Slopes
from retrograd.run.probes import are_same, made_of
from retrograd.run.reading import Equations, Unlike

_MOST_WAYS = 500  # to take gradients from outside for those of steps


def gradient(of: Equations, loop: Recurrence, kept: Sequence[Any], numbers: dict[Any, Any]) -> Gradient:
    """The gradient of ``loop``, which keeps ``kept`` for it and whose weights are ``numbers``.

    Raises:
      Unlike, NoProbe: what is computed of it is something else.
    """
    return _Reading(of, loop, kept, numbers).gradient()


class _Reading:
    """What follows from the variables ``kept``."""

    def __init__(self, of: Equations, loop: Recurrence, kept: Sequence[Any], numbers: dict[Any, Any]) -> None:
        self.of = of
        self.loop = loop
        self.random = np.random.RandomState(1)
        self.values = numbers
        for v in (loop.x, *[state for layer in loop.layers for state in (layer.h, layer.c)]):
            of.drawn(v, numbers, self._drawn)
        eqn = of.eqns[loop.at]
        made = made_of(eqn, [of.laid_out(v, numbers) for v in eqn.invars])
        self.values.update((v, x) for v, x in zip(eqn.outvars, made, strict=True) if x is not None)
        self.unnamed = set(kept)
        self.runs = list(self._runs())
        self.slopes: dict[Given, dict[int, Slopes]] = {}
        self.others: list[Any] = []  # variables from outside that are no gradients of steps
        self.ways = [_Way(self)]
        self.found = Gradient([], {}, set(), len(of.eqns))

    def _drawn(self, *shape: int) -> Any:
        return self.random.standard_normal(shape)

    def _runs(self) -> Iterator[Run]:
        x = self.of.laid_out(self.loop.x, self.values)
        x = x[::-1] if self.loop.is_backward else x
        for layer in self.loop.layers:
            rows = layer.rows_of(self.values)
            b = sum([np.reshape(self.values[v], -1) for v in layer.biases], np.zeros(4 * layer.of.units))
            b = b[layer.columns] + layer.forget * np.repeat([0, 1, 0, 0], layer.of.units)
            h, c = [self.of.laid_out(v, self.values) for v in (layer.h, layer.c)]
            run = Run(x, h, c, rows["x"][:, layer.columns], rows["h"][:, layer.columns], b)
            yield run
            x = run.y

    def gradient(self) -> Gradient:
        """What it is."""
        of, found = self.of, self.found
        for place in range(self.loop.at + 1, len(of.eqns)):
            eqn = of.eqns[place]
            is_needed = eqn.effects or any(map(of.is_used, eqn.outvars))
            read = [v for v in variables_of(eqn) if v in self.unnamed]
            if is_needed and read:
                self._follow(place)
            for v in read:
                if max(of.readers[v]) <= place:
                    self.values.pop(v, None)
        if not found.made:
            raise Unlike
        way = self.ways[0]
        slopes = self.slopes_from(way.given, is_whole=True)
        if any(way.name_of(self.values[v], slopes) != name for v, name in found.made.items()):
            raise Unlike
        found.given.extend(way.given)
        readers = {place for v in found.made for place in of.readers.get(v, ())} - found.gone
        found.before = min(readers, default=found.before)
        outside = [given.variable for given in found.given] + [name.plus for name in found.made.values() if name.plus]
        if any(of.makers.get(v, -1) >= found.before for v in outside):
            raise Unlike
        return found

    def _follow(self, place: int) -> None:
        """Name what an equation makes, or go on with what reads it."""
        eqn = self.of.eqns[place]
        if eqn.effects:
            raise Unlike
        made = made_of(eqn, [self._input(v) for v in eqn.invars])
        self.found.gone.add(place)
        for v, value in zip(eqn.outvars, made, strict=True):
            if not self.of.is_used(v):
                continue
            if value is None:
                raise Unlike
            self.values[v] = value
            state = self._state(value)
            if state is not None:
                self.loop.made[v] = state
                continue
            named = [(way, name) for way in self.ways if (name := way.name_of(value)) is not None]
            if named:
                self.ways = [way for way, _ in named]
                self.found.made[v] = named[0][1]
            elif v in self.of.results:
                raise Unlike
            else:
                self.unnamed.add(v)

    def _state(self, value: Any) -> tuple[int, str] | None:
        """Which last state ``value`` is."""
        for n, run in enumerate(self.runs):
            for name, state in (("h", run.hs[-1]), ("c", run.last_c)):
                if are_same(value, state):
                    return n, name
        return None

    def slopes_of(self, given: Given) -> dict[int, Slopes]:
        """Some numbers of the gradients of each LSTM that follow from one that comes from outside."""
        if given not in self.slopes:
            self.slopes[given] = self.slopes_from([given], is_whole=False)
        return self.slopes[given]

    def slopes_from(self, all_given: Sequence[Given], is_whole: bool) -> dict[int, Slopes]:
        """The gradients of each LSTM that follow from those that come from outside, or some of their numbers."""
        found: dict[int, Slopes] = {}
        for n in reversed(range(1 + max((given.layer for given in all_given), default=-1))):
            run = self.runs[n]
            dy, dc = np.zeros_like(run.y), np.zeros_like(run.c)
            if n + 1 in found:
                dy += found[n + 1].x
            for variable, layer, steps in all_given:
                if layer == n and steps is None:
                    dc = dc + self.values[variable]
                elif layer == n:
                    dy[np.array(steps)] += self.values[variable]
            found[n] = run.slopes(dy, dc, is_whole, is_first=n == 0)
        return found

    def _input(self, v: Any) -> Any:
        value = self.of.laid_out(v, self.values)
        if value is None:
            if v.aval.dtype != np.float32:
                raise Unlike
            self.values[v] = value = self._drawn(*v.aval.shape)
            ways = [_Way(self, way, given) for way in self.ways for given in way.options(v)]
            if ways:
                self.ways = ways
            else:
                self.others.append(v)
            if len(ways) > _MOST_WAYS:
                raise Unlike
        return value


class _Way:
    """Gradients from outside, taken for those of certain steps: those of another way, and one more."""

    def __init__(self, reading: _Reading, before: _Way | None = None, last: Given | None = None) -> None:
        self.reading = reading
        self.before = before
        self.given: list[Given] = [*(before.given if before else ()), *([last] if last else ())]

    def options(self, v: Any) -> Iterator[Given]:
        """What another gradient from outside may be: the later steps come first, and h of all steps but once."""
        shape = v.aval.shape
        for n, layer in reversed(list(enumerate(self.reading.loop.layers))):
            steps, batch, _, units = layer.of
            if shape[-2:] != (batch, units) or len(shape) not in (2, 3):
                continue
            taken = [given.steps for given in self.given if given.layer == n]
            next_one = min([x if isinstance(x, int) else min(x) for x in taken if x is not None], default=steps) - 1
            if len(shape) == 3:
                last = steps - 1 if shape[0] == steps else next_one
                if last >= shape[0] - 1:
                    ascending = tuple(range(last - shape[0] + 1, last + 1))
                    yield Given(v, n, ascending)
                    yield Given(v, n, ascending[::-1])
                continue
            for step in {steps - 1, next_one} - {-1, *[x for x in taken if isinstance(x, int)]}:
                yield Given(v, n, step)
            if None not in taken:
                yield Given(v, n, None)

    @cached_property
    def slopes(self) -> dict[int, Slopes]:
        """Some numbers of the gradients of the LSTMs that any reaches."""
        found = dict(self.before.slopes) if self.before else {}
        for n, slopes in self.reading.slopes_of(self.given[-1]).items() if self.given else ():
            found[n] = Slopes(*map(sum, zip(found[n], slopes, strict=True))) if n in found else slopes
        self.before = None
        return found

    def name_of(self, value: Any, whole: Mapping[int, Slopes] | None = None) -> Name | None:
        """What ``value`` is by some of its numbers, or by all of them if the ``whole`` gradients are given."""
        layers = self.reading.loop.layers
        others = [v for v in self.reading.others if v.aval.shape == np.shape(value)]
        value = layers[0].by_sequence(value)
        if not any(layer.has_gradient_like(np.shape(value)) for layer in layers):
            return None
        for plus in (None, *others):
            rest = value if plus is None else value - np.reshape(self.reading.values[plus], np.shape(value))
            for n, slopes in (self.slopes if whole is None else whole).items():
                name = _name(n, layers[n], slopes, rest)
                if name is not None:
                    return name._replace(plus=plus)
        return None


def _name(n: int, layer: FoundLayer, slopes: Slopes, value: Any) -> Name | None:
    """What ``value`` is; ``slopes`` may be those of the first sequences, and have the first rows of matrices."""
    _, batch, inputs, units = layer.of
    back = np.argsort(layer.columns)
    if np.size(value) == 4 * units and are_same(np.reshape(value, -1), slopes.b[back]):
        return Name(n, "db")
    of_rows = {"x": slopes.wx[:, back], "h": slopes.wh[:, back]}
    for parts, (what, rows) in product(ROWS, (("dw", value), ("dwt", np.transpose(value)))):
        sizes = [layer.rows(part) for part in parts]
        if np.shape(rows) == (sum(sizes), 4 * units):
            begins = np.cumsum([0, *sizes])
            if all(are_same(rows[i : i + len(of_rows[p])], of_rows[p]) for i, p in zip(begins, parts, strict=False)):
                return Name(n, what, parts)
    for what, of_state in (("dh", slopes.h), ("dc", slopes.c)):
        if np.shape(value) == (batch, units) and are_same(value[: len(of_state)], of_state):
            return Name(n, what)
    if n or np.shape(value)[-2:] != (batch, inputs):
        return None
    steps = _steps(slopes.x, value[..., : slopes.x.shape[1], :])
    return None if steps is None else Name(n, "dx", steps=steps)


def _steps(dx: Any, value: Any) -> int | tuple[int, ...] | None:
    """The steps of which ``value`` holds the gradients of x."""
    if np.shape(value) == dx.shape[1:]:
        return _row(dx, value)
    if np.ndim(value) != 3 or np.shape(value)[1:] != dx.shape[1:] or len(value) > len(dx):
        return None
    first = _row(dx, value[0])
    if first is None:
        return None
    for steps in (range(first, first + len(value)), range(first, first - len(value), -1)):
        if min(steps) >= 0 and max(steps) < len(dx) and are_same(dx[list(steps)], value):
            return tuple(steps)
    return None


def _row(dx: Any, value: Any) -> int | None:
    """The step of which ``value`` is the gradient of x."""
    first = (slice(None), *(0,) * value.ndim)
    likely = np.flatnonzero(np.isclose(dx[first], value[first[1:]], rtol=1e-8, atol=1e-8)) if value.size else ()
    return next((t for t in map(int, likely) if are_same(dx[t], value)), None)
