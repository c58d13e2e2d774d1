"""LSTMs and their gradients among the loops of a jaxpr, for a library that computes all steps in one call.

A ``scan`` is an LSTM if an iteration computes of numbers drawn at random what an LSTM computes (``probes.py``),
whichever way a program, or the gradient pass, writes it:

    i, f, g, o = x_t wx + h wh + b,    c' = sigmoid(f) c + sigmoid(i) tanh(g),    h' = sigmoid(o) tanh(c')

Another scan is its gradient if an iteration makes of what the first has kept, and of dc and dh, what follows from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import numpy as np

from retrograd.ops import onednn_library
from retrograd.ops.onednn_recurrence import Sequences
from retrograd.ops.onednn_recurrent_forms import is_worth_it
from retrograd.run.equations import is_literal
from retrograd.run.probes import NoProbe, Step, are_same, results
from retrograd.run.scanned import Places, Scanned

_X, _H = "x", "h"
_ROWS = ((_X,), (_H,), (_X, _H), (_H, _X))  # what a matrix may be multiplied by


class _Unlike(Exception):
    """It is no such loop."""


# -- what is found -----------------------------------------------------------------------------


@dataclass(eq=False)
class Recurrence:
    """An LSTM over all steps of a sequence, and its gradient if that is computed.

    ``made`` names what variables are: of the first scan's outputs ``y`` (h of all steps), ``h`` and ``c`` (the last),
    of the second's, and of what is computed of them, ``dx`` (of the steps, or ``dx by row`` of x), ``dh``, ``dc``,
    ``db``, and ``dw`` or ``dwt`` with what the matrix is multiplied by.
    """

    at: Any  # the equation
    x: Any
    h: Any
    c: Any
    weights: list[tuple[Any, tuple[str, ...]]]  # matrices, and what their rows are multiplied by
    biases: list[Any]
    gates: tuple[int, ...]  # which columns of the matrices, of four parts, are i, f, g and o
    forget: float  # what is added to f
    is_backward: bool  # whether the last step comes first
    of: Sequences
    made: dict[Any, tuple[str, ...]] = field(default_factory=dict)
    gradient: Gradient | None = None


@dataclass(eq=False)
class Gradient:
    """The gradient of an LSTM: from those of h of all steps, if anybody reads them, and of the last h and c."""

    at: Any
    dy: Any
    dh: Any
    dc: Any
    made: dict[Any, tuple[str, ...]] = field(default_factory=dict)
    gone: list[Any] = field(default_factory=list)  # equations between it and what they make
    totals: dict[Any, Any] = field(default_factory=dict)  # of what is added up, by what it is: where the sum begins


def recurrences(jaxpr: Any, consts: Mapping[Any, Any]) -> list[Recurrence]:
    """The LSTMs in ``jaxpr``; ``consts`` are the values of its constants."""
    scans = [eqn for eqn in jaxpr.eqns if eqn.primitive.name == "scan"]
    if not scans or onednn_library.library() is None:
        return []
    of = _Equations(jaxpr, consts)
    found: list[Recurrence] = []
    for eqn in scans:
        if not any(r.gradient is not None and r.gradient.at is eqn for r in found):
            try:
                found.append(_Reading(of, eqn).recurrence())
            except (_Unlike, NoProbe):
                continue
    return found


class _Equations:
    """Who makes and who reads the variables of a jaxpr."""

    def __init__(self, jaxpr: Any, consts: Mapping[Any, Any]) -> None:
        self.consts = consts
        self.makers = {v: eqn for eqn in jaxpr.eqns for v in eqn.outvars}
        self.readers: dict[Any, list[Any]] = {}
        needed = {v for v in jaxpr.outvars if not is_literal(v)}
        self.results = frozenset(needed)
        for eqn in reversed(jaxpr.eqns):
            if eqn.effects or not needed.isdisjoint(eqn.outvars):
                read = {v for v in eqn.invars if not is_literal(v)}
                needed |= read
                for v in read:
                    self.readers.setdefault(v, []).append(eqn)
        self.needed = needed

    def is_used(self, v: Any) -> bool:
        """Whether anybody reads a variable."""
        return v in self.needed

    def known(self, v: Any) -> Any:
        """The value of a constant."""
        return v.val if is_literal(v) else self.consts.get(v)

    def probe(self, v: Any, values: dict[Any, Any]) -> Any:
        """What ``v`` is where others are ``values``.

        Raises:
          NoProbe: it does not follow from these.
        """
        if is_literal(v):
            return np.asarray(v.val, np.float64)
        if v not in values:
            eqn = self.makers.get(v)
            if eqn is None:
                raise NoProbe
            for x in eqn.invars:
                self.probe(x, values)
            values.update(zip(eqn.outvars, _made(eqn, values), strict=True))
        return values[v]


def _made(eqn: Any, values: Mapping[Any, Any]) -> list[Any]:
    return results(Step(eqn.primitive.name, eqn.params, eqn.invars, eqn.outvars), values)


# -- an LSTM -----------------------------------------------------------------------------------


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


@dataclass
class _Numbers:
    """An LSTM's step on numbers: from ``c``, with what comes through the gates i, f, g and o."""

    c: Any
    gates: list[Any]

    @property
    def next_c(self) -> Any:
        i, f, g, _ = self.gates
        return f * self.c + i * g

    @property
    def next_h(self) -> Any:
        return self.gates[3] * np.tanh(self.next_c)

    def slopes(self, dh: Any, dc: Any) -> tuple[list[Any], Any]:
        """The gradients of what goes into the gates, and of c, from those of h' and c'."""
        i, f, g, o = self.gates
        tanh = np.tanh(self.next_c)
        dc = dc + dh * o * (1 - tanh * tanh)
        return [dc * g * i * (1 - i), dc * self.c * f * (1 - f), dc * i * (1 - g * g), dh * tanh * o * (1 - o)], dc * f


class _Reading:
    """A scan, read as an LSTM."""

    def __init__(self, of: _Equations, eqn: Any) -> None:
        self.of = of
        self.random = np.random.RandomState(0)
        self.scan = scan = Scanned(eqn, of.known, of.is_used)
        rows = {*scan.rows.values()}
        if scan.is_reversed or len(rows) != 1 or len(scan.carried) != 2:
            raise _Unlike
        ((self.x, self.places),) = rows
        self.is_backward = _order(self.places, self.x.aval.shape[0], scan.length)
        kinds = [scan.states[i].aval for i in scan.carried]
        if self.x.aval.ndim != 3 or any(k.shape != kinds[0].shape or len(k.shape) != 2 for k in kinds):
            raise _Unlike
        (self.count, self.units), self.inputs = kinds[0].shape, self.x.aval.shape[2]
        self.of_all = Sequences(scan.length, self.count, self.inputs, self.units)
        arrays = [self.x, *(scan.states[i] for i in scan.carried), *scan.fixed()]
        if self.x.aval.shape[1] != self.count or any(v.aval.dtype != np.float32 for v in arrays):
            raise _Unlike
        if not is_worth_it(self.of_all):
            raise _Unlike

    def drawn(self, *shape: int) -> Any:
        """Numbers for which no gate is nearly shut."""
        return self.random.standard_normal(shape) / np.sqrt(shape[0] if len(shape) == 2 else 4)

    def recurrence(self) -> Recurrence:
        """What it is.

        Raises:
          _Unlike, NoProbe: something else.
        """
        scan, of = self.scan, self.of
        self.fixed = {v: self.drawn(*v.aval.shape) for v in scan.fixed()}
        self.row = self.random.standard_normal((self.count, self.inputs))
        states = {i: self.random.standard_normal((self.count, self.units)) for i in scan.carried}
        self.values = scan.probed(lambda array, places: self.row, self.fixed, states)
        self.weights, h_at = self._weights(states)
        (c_at,) = [i for i in scan.carried if i != h_at]
        self.h, self.c = states[h_at], states[c_at]
        biases = [v for v in self.fixed if all(v is not w for w, _ in self.weights)]
        if any(np.size(self.fixed[v]) != 4 * self.units for v in biases):
            raise _Unlike
        self.gates, forget = self._gates(biases, self._output(h_at), self._output(c_at))
        first = scan.eqn.invars[scan.eqn.params["num_consts"] :]
        found = Recurrence(
            scan.eqn, self.x, first[h_at], first[c_at], self.weights, biases, self.gates, forget, self.is_backward,
            self.of_all,
        )  # fmt: skip
        kept = self._outputs(found)
        if not of.results.isdisjoint(kept):
            raise _Unlike
        readers = list({id(eqn): eqn for v in kept for eqn in of.readers[v]}.values())
        behind = [eqn for eqn in readers if eqn.primitive.name == "scan"]
        if kept:
            if len(behind) != 1:
                raise _Unlike
            found.gradient = _GradientReading(self, behind[0]).gradient()
            if any(found.gradient.made.keys().isdisjoint(eqn.outvars) for eqn in readers if eqn is not behind[0]):
                raise _Unlike
        return found

    def _weights(self, states: Mapping[int, Any]) -> tuple[list[tuple[Any, tuple[str, ...]]], int]:
        """The matrices with what they are multiplied by, and which state is h."""
        found: list[tuple[Any, tuple[str, ...], int]] = []
        outer = {v: self.scan.outer[v] for v in self.scan.consts}
        for step in self.scan.steps:
            if step.primitive != "dot_general":
                continue
            left, right = step.read
            ((by, onto), _) = step.params["dimension_numbers"]
            if right not in outer or tuple(by) != (1,) or tuple(onto) != (0,):
                raise _Unlike
            options = [
                (parts, i)
                for i, h in states.items()
                for parts in _ROWS
                if are_same(self.values[left], self.joined(parts, h))
            ]
            if not options:
                raise _Unlike
            found.append((outer[right], *options[0]))
        places = {i for _, parts, i in found if _H in parts}
        read = [part for _, parts, _ in found for part in parts]
        if len(places) != 1 or sorted(read) != [_H, _X] or len({v for v, *_ in found}) != len(found):
            raise _Unlike
        return [(v, parts) for v, parts, _ in found], places.pop()

    def joined(self, parts: tuple[str, ...], h: Any = None) -> Any:
        """What a matrix is multiplied by."""
        return np.concatenate([{_X: self.row, _H: self.h if h is None else h}[part] for part in parts], 1)

    def by_part(self, arrays: list[Any]) -> dict[str, Any]:
        """Arrays over the rows of the matrices, by what these are multiplied by."""
        found: dict[str, Any] = {}
        sizes = {_X: self.inputs, _H: self.units}
        for array, (_, parts) in zip(arrays, self.weights, strict=True):
            edges = np.cumsum([sizes[part] for part in parts])[:-1]
            found.update(zip(parts, np.split(array, edges, 1), strict=True))
        return found

    def _gates(self, biases: list[Any], next_h: Any, next_c: Any) -> tuple[tuple[int, ...], float]:
        """Which columns are i, f, g and o, and what is added to f."""
        z = sum(self.joined(parts) @ self.fixed[v] for v, parts in self.weights)
        z = z + sum(np.reshape(self.fixed[v], -1) for v in biases)
        literals = {float(v.val) for step in self.scan.steps for v in step.read if is_literal(v) and not np.ndim(v.val)}
        few = slice(2)  # rows, of which most are known not to be it
        for forget in (0.0, *sorted(literals - {0.0})):
            for gates in permutations(range(4)):
                some = self._numbers(z, gates, forget, few)
                if are_same(some.next_c, next_c[few]) and are_same(some.next_h, next_h[few]):
                    self.numbers = self._numbers(z, gates, forget, slice(None))
                    if are_same(self.numbers.next_c, next_c) and are_same(self.numbers.next_h, next_h):
                        return gates, forget
        raise _Unlike

    def _numbers(self, z: Any, gates: tuple[int, ...], forget: float, rows: slice) -> _Numbers:
        i, f, g, o = [np.split(z[rows], 4, 1)[k] for k in gates]
        return _Numbers(self.c[rows], [_sigmoid(i), _sigmoid(f + forget), np.tanh(g), _sigmoid(o)])

    def _outputs(self, found: Recurrence) -> list[Any]:
        """Name what comes out of the scan; what has no name is kept for the gradient."""
        scan, kept = self.scan, []
        for i in scan.used:
            v, is_state = scan.eqn.outvars[i], i < len(scan.states)
            if i in scan.written:
                name, places = scan.written[i]
                is_all = scan.states[i].aval.shape[0] == scan.length and self._is_next_h(self.values[name][0])
                if not is_all or _order(places, scan.length, scan.length) != self.is_backward:
                    raise _Unlike
                found.made[v] = ("y",)
            elif self._is_next_h(self._output(i)):
                if not is_state and self.is_backward:
                    raise _Unlike
                found.made[v] = ("h",) if is_state else ("y",)
            elif is_state and are_same(self._output(i), self.numbers.next_c):
                found.made[v] = ("c",)
            elif is_state:
                raise _Unlike
            else:
                kept.append(v)
        return kept

    def _output(self, i: int) -> Any:
        return self.scan.output(i, self.values)

    def _is_next_h(self, value: Any) -> bool:
        return are_same(value, self.numbers.next_h)

    def row_of(self, v: Any, places: Places) -> Any:
        """What a row of ``v`` is in the step of the same number; None if it has nothing to do with this loop."""
        if v is self.x and places == self.places:
            return self.row
        outputs = [i for i, made in enumerate(self.scan.eqn.outvars) if made is v]
        if not outputs:
            return None
        if places != tuple(range(self.scan.length)) or outputs[0] not in self.scan.used:
            raise _Unlike
        (i,) = outputs
        if i in self.scan.written:
            raise _Unlike
        return self._output(i)


def _order(places: Places, rows: int, length: int) -> bool:
    """Whether all rows are taken from the last to the first."""
    if rows != length or length < 2 or places not in (tuple(range(length)), tuple(range(length))[::-1]):
        raise _Unlike
    return places[0] != 0


# -- its gradient ------------------------------------------------------------------------------


class _GradientReading:
    """A scan, read as the gradient of the LSTM that ``forward`` reads."""

    def __init__(self, forward: _Reading, eqn: Any) -> None:
        self.forward = forward
        self.of = forward.of
        self.scan = scan = Scanned(eqn, self.of.known, self.of.is_used)
        if not scan.is_reversed or scan.length != forward.scan.length:
            raise _Unlike
        self.state = forward.count, forward.units
        self.dy: Any = None
        self.dy_row = forward.random.standard_normal(self.state)
        self.before: dict[Any, Any] = {}  # rows of states, to which something is added

    def _row(self, v: Any, places: Places) -> Any:
        if any(v is state for state in self.scan.states):
            if places != self.forward.places or v.aval.shape[0] != self.scan.length:
                raise _Unlike
            return self.before.setdefault(v, self.forward.random.standard_normal(v.aval.shape[1:]))
        row = self.forward.row_of(v, places)
        if row is not None:
            return row
        # a gradient of h of all steps stands in the order of x
        is_dy = places == self.forward.places and v.aval.shape == (self.scan.length, *self.state)
        if not is_dy or self.dy not in (None, v) or v.aval.dtype != np.float32:
            raise _Unlike
        self.dy = v
        return self.dy_row

    def gradient(self) -> Gradient:
        """What it is.

        Raises:
          _Unlike, NoProbe: something else.
        """
        scan, forward = self.scan, self.forward
        known = dict(forward.fixed)
        fixed = {v: self.of.probe(v, known) for v in scan.fixed()}
        self.states = {i: forward.random.standard_normal(scan.states[i].aval.shape) for i in scan.carried}
        self.values = scan.probed(self._row, fixed, self.states)
        first = scan.eqn.invars[scan.eqn.params["num_consts"] :]
        for dh, dc in permutations([i for i in scan.carried if scan.states[i].aval.shape == self.state], 2):
            slope = self.states[dh] + (0 if self.dy is None else self.dy_row)
            of_gates, dc_before = forward.numbers.slopes(slope, self.states[dc])
            self.dz = np.concatenate([of_gates[forward.gates.index(k)] for k in range(4)], 1)
            before = forward.by_part([self.dz @ forward.fixed[v].T for v, _ in forward.weights])
            if are_same(self._output(dh), before[_H]) and are_same(self._output(dc), dc_before):
                found = Gradient(scan.eqn, self.dy, first[dh], first[dc])
                found.made.update({scan.eqn.outvars[i]: (name,) for i, name in ((dh, "dh"), (dc, "dc"))})
                for i in scan.used:
                    if i not in (dh, dc):
                        self._name(found, i, before[_X])
                return found
        raise _Unlike

    def _output(self, i: int) -> Any:
        return self.scan.output(i, self.values)

    def _name(self, found: Gradient, i: int, dx: Any) -> None:
        """Name an output, or what others make of it."""
        v = self.scan.eqn.outvars[i]
        if i < len(self.scan.states):  # it is added up
            found.made[v] = (
                self._added(i, dx) if i in self.scan.written else self._total(self._output(i) - self.states[i])
            )
            found.totals[v] = self.scan.eqn.invars[self.scan.eqn.params["num_consts"] + i]
        elif are_same(self._output(i), dx):
            found.made[v] = ("dx",)
        elif are_same(self._output(i), self.dz) and v not in self.of.results:
            for eqn in self.of.readers[v]:
                self._behind(found, v, eqn)
        else:
            raise _Unlike

    def _added(self, i: int, dx: Any) -> tuple[str, ...]:
        """What a state is to whose rows an iteration adds something, each to another."""
        value, places = self.scan.written[i]
        before = self.before.get(self.scan.states[i])
        if before is None or places != self.forward.places or not are_same(self.values[value][0], before + dx):
            raise _Unlike
        return ("dx by row",)

    def _total(self, term: Any) -> tuple[str, ...]:
        """What a variable is to which an iteration adds ``term``."""
        if are_same(term, self.dz.sum(0)):
            return ("db",)
        for parts in _ROWS:
            product = self.forward.joined(parts).T @ self.dz
            for name, value in (("dw", product), ("dwt", product.T)):
                if are_same(term, value):
                    return name, *parts
        raise _Unlike

    def _behind(self, found: Gradient, dz: Any, eqn: Any) -> None:
        """Name what ``eqn`` makes of the gradients of z of all steps: a product, or the beginning of a sum."""
        if eqn.primitive.name == "dot_general":
            found.made[eqn.outvars[0]] = self._product(dz, eqn)
            found.gone.append(eqn)
            return
        values = {dz: self.forward.random.standard_normal(dz.aval.shape)}
        total = values[dz].sum((0, 1))
        while True:
            found.gone.append(eqn)
            values = dict(zip(eqn.outvars, _made(eqn, values), strict=True))
            if len(values) != 1:
                raise _Unlike
            ((v, value),) = values.items()
            if np.size(value) == np.size(total):
                break
            readers = self.of.readers.get(v, [])
            if len(readers) != 1 or v in self.of.results:
                raise _Unlike
            (eqn,) = readers
        if not are_same(np.reshape(value, -1), total):
            raise _Unlike
        found.made[v] = ("db",)

    def _product(self, dz: Any, eqn: Any) -> tuple[str, ...]:
        """The name of a product with ``dz`` over all steps and rows."""
        (by, onto), batch = eqn.params["dimension_numbers"]
        left, right = eqn.invars
        if batch != ((), ()) or sorted(zip(by, onto, strict=True)) != [(0, 0), (1, 1)] or (left is dz) == (right is dz):
            raise _Unlike
        other = self.forward.row_of(right if left is dz else left, tuple(range(self.scan.length)))
        for parts in _ROWS:
            if other is not None and are_same(other, self.forward.joined(parts)):
                return ("dwt" if left is dz else "dw", *parts)
        raise _Unlike
