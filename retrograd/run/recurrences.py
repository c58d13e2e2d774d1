"""LSTMs and their gradients among the equations of a jaxpr, for a library that computes all steps in one call.

A ``scan`` is an LSTM, or several one above the other, if an iteration computes of numbers drawn at random what LSTMs
compute (``lstm_numbers.py``), whichever way a program writes it.  ``recurrence_gradients.py`` finds their gradient.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations, product
from typing import Any

import numpy as np

from retrograd.ops import onednn_library
from retrograd.ops.onednn_recurrence import Sequences
from retrograd.ops.onednn_recurrent_forms import is_worth_it
from retrograd.run.equations import is_literal
from retrograd.run.found_recurrences import ROWS, FoundLayer, Parts, Recurrence, Weights
from retrograd.run.lstm_numbers import step_of
from retrograd.run.probes import NoProbe, are_same
from retrograd.run.reading import Equations, Unlike
from retrograd.run.recurrence_gradients import gradient
from retrograd.run.scanned import Places, Scanned


def recurrences(jaxpr: Any, consts: Mapping[Any, Any]) -> list[Recurrence]:
    """The LSTMs in ``jaxpr``; ``consts`` are the values of its constants."""
    scans = [place for place, eqn in enumerate(jaxpr.eqns) if eqn.primitive.name == "scan"]
    if not scans or onednn_library.library() is None:
        return []
    of = Equations(jaxpr, consts)
    found: list[Recurrence] = []
    gone: set[int] = set()
    for place in scans:
        if place not in gone:
            try:
                found.append(_Reading(of, place).recurrence())
            except (Unlike, NoProbe):
                continue
            gone.update(found[-1].gradient.gone if found[-1].gradient else ())
    return found


class _Reading:
    """A scan, read as LSTMs."""

    def __init__(self, of: Equations, place: int) -> None:
        self.of = of
        self.place = place
        self.random = np.random.RandomState(0)
        self.scan = scan = Scanned(of.eqns[place], of.known, of.is_used)
        rows = {*scan.rows.values()}
        if scan.is_reversed or len(rows) != 1:
            raise Unlike
        ((self.x, places),) = rows
        self.is_backward = _order(places, self.x.aval.shape[0], scan.length)
        arrays = [self.x, *(scan.states[i] for i in scan.carried), *scan.fixed()]
        if self.x.aval.ndim != 3 or any(v.aval.dtype != np.float32 for v in arrays):
            raise Unlike

    def drawn(self, *shape: int) -> Any:
        """Numbers for which no gate is nearly shut."""
        return self.random.standard_normal(shape) / np.sqrt(shape[0] if len(shape) == 2 else 4)

    def recurrence(self) -> Recurrence:
        """What it is.

        Raises:
          Unlike, NoProbe: something else.
        """
        scan, of = self.scan, self.of
        self.sources: dict[Any, Any] = {}
        self.fixed = {v: of.drawn(v, self.sources, self.drawn) for v in scan.fixed()}
        _, batch, inputs = self.x.aval.shape
        row = self.random.standard_normal((batch, inputs))
        self.states = {i: self.random.standard_normal(scan.states[i].aval.shape) for i in scan.carried}
        self.values = scan.probed(lambda array, places: row, self.fixed, self.states)
        found = Recurrence(self.place, self.x, [], self.is_backward)
        self.read: list[_LayerReading] = []
        below: set[Any] = set()
        for places in self._pairs():
            behind = set().union(*(scan.behind(i) for i in places))
            self.read.append(_LayerReading(self, row, places, behind - below))
            below, row = below | behind, self.read[-1].next_h
            found.layers.append(self.read[-1].layer)
        kept = self._outputs(found)
        if not of.results.isdisjoint(kept):
            raise Unlike
        if kept:
            found.gradient = gradient(of, found, kept, {**self.sources, **self.fixed})
        return found

    def _pairs(self) -> list[tuple[int, int]]:
        """The states of each LSTM: those of the first follow from these alone, those of the next from these and its."""
        carried = self.scan.carried
        behind = {i: self.scan.behind(i) for i in carried}
        of_each = {i: frozenset(j for j in carried if self.scan.states[j] in behind[i]) for i in carried}
        ordered = sorted(carried, key=lambda i: len(of_each[i]))
        pairs = list(zip(ordered[::2], ordered[1::2], strict=False))
        for n, pair in enumerate(pairs):
            if any(of_each[i] != frozenset(ordered[: 2 * n + 2]) for i in pair):
                raise Unlike
        if not pairs or len(carried) % 2:
            raise Unlike
        return pairs

    def _outputs(self, found: Recurrence) -> list[Any]:
        """Name what comes out of the scan; what has no name is kept for the gradient."""
        scan, kept = self.scan, []
        for i in scan.used:
            v, is_state = scan.eqn.outvars[i], i < len(scan.states)
            value = self.values[scan.written[i][0]][0] if i in scan.written else scan.output(i, self.values)
            names = [
                (n, name)
                for n, layer in enumerate(self.read)
                for name, of_step in (("h", layer.next_h), ("c", layer.next_c))
                if are_same(value, of_step)
            ]
            if i in scan.written:
                is_all = scan.states[i].aval.shape[0] == scan.length
                if not is_all or _order(scan.written[i][1], scan.length, scan.length) != self.is_backward:
                    raise Unlike
            elif not is_state and self.is_backward:
                names = []
            if names and is_state and i not in scan.written:
                found.made[v] = names[0]
            elif names and names[0][1] == "h":
                found.made[v] = names[0][0], "y"
            elif is_state:
                raise Unlike
            else:
                kept.append(v)
        return kept


class _LayerReading:
    """An LSTM of ``whole``, which sees ``row``: what its two states are made of, ``names``, is its own."""

    def __init__(self, whole: _Reading, row: Any, places: tuple[int, int], names: set[Any]) -> None:
        self.whole = whole
        self.row = row
        scan, states = whole.scan, {i: whole.states[i] for i in places}
        kinds = [np.shape(state) for state in states.values()]
        if len(kinds[0]) != 2 or kinds[0] != kinds[1] or kinds[0][0] != len(row):
            raise Unlike
        batch, units = kinds[0]
        of = Sequences(scan.length, batch, row.shape[1], units)
        if not is_worth_it(of):
            raise Unlike
        weights, h_at = self._weights(states, names)
        (c_at,) = [i for i in places if i != h_at]
        own = [scan.outer[v] for v in scan.consts if v in names and scan.outer[v] in whole.fixed]
        biases = [v for v in own if all(v is not w for w, _ in weights)]
        if any(np.size(whole.fixed[v]) != 4 * units for v in biases):
            raise Unlike
        z = sum(_joined(parts, row, states[h_at]) @ whole.fixed[v] for v, parts in weights)
        z = z + sum(np.reshape(whole.fixed[v], -1) for v in biases)
        self.next_h, self.next_c = [scan.output(i, whole.values) for i in (h_at, c_at)]
        gates, forget = self._gates(z, states[c_at])
        first = scan.eqn.invars[scan.eqn.params["num_consts"] :]
        self.layer = FoundLayer(of, first[h_at], first[c_at], weights, biases, gates, forget)

    def _weights(self, states: Mapping[int, Any], names: set[Any]) -> tuple[Weights, int]:
        """The matrices with what they are multiplied by, and which state is h."""
        scan, found = self.whole.scan, []
        outer = {v: scan.outer[v] for v in scan.consts}
        for step in scan.steps:
            if step.primitive != "dot_general" or names.isdisjoint(step.made):
                continue
            left, right = step.read
            ((by, onto), _) = step.params["dimension_numbers"]
            if right not in outer or tuple(by) != (1,) or tuple(onto) != (0,):
                raise Unlike
            options = [
                (parts, i)
                for i, h in states.items()
                for parts in ROWS
                if are_same(self.whole.values[left], _joined(parts, self.row, h))
            ]
            if not options:
                raise Unlike
            found.append((outer[right], *options[0]))
        places = {i for _, parts, i in found if "h" in parts}
        read = [part for _, parts, _ in found for part in parts]
        if len(places) != 1 or sorted(read) != ["h", "x"] or len({v for v, *_ in found}) != len(found):
            raise Unlike
        return [(v, parts) for v, parts, _ in found], places.pop()

    def _gates(self, z: Any, c: Any) -> tuple[tuple[int, ...], float]:
        """Which columns are i, f, g and o, and what is added to f."""
        steps = self.whole.scan.steps
        literals = {float(v.val) for step in steps for v in step.read if is_literal(v) and not np.ndim(v.val)}
        parts = np.split(z, 4, 1)
        ways = list(product(permutations(range(4)), sorted(literals | {0.0})))
        for rows in (slice(2), slice(None)):  # of few rows most are known not to be it
            ways = [way for way in ways if self._is_step(parts, c, *way, rows)]
        if not ways:
            raise Unlike
        return ways[0]

    def _is_step(self, parts: Any, c: Any, gates: tuple[int, ...], forget: float, rows: slice) -> bool:
        i, f, g, o = [parts[k][rows] for k in gates]
        step = step_of(np.concatenate([i, f + forget, g, o], 1), c[rows])
        return are_same(step.next_c, self.next_c[rows]) and are_same(step.next_h, self.next_h[rows])


def _joined(parts: Parts, x: Any, h: Any) -> Any:
    """What a matrix is multiplied by."""
    return np.concatenate([{"x": x, "h": h}[part] for part in parts], 1)


def _order(places: Places, rows: int, length: int) -> bool:
    """Whether all rows are taken from the last to the first."""
    if rows != length or length < 2 or places not in (tuple(range(length)), tuple(range(length))[::-1]):
        raise Unlike
    return places[0] != 0
