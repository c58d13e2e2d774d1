"""A jaxpr whose LSTMs are calls of a library (``recurrences.py`` finds them)."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.ops.onednn_recurrent_forms import Lstm, lstm
from retrograd.run.equations import evaluate, value_of, values_at
from retrograd.run.recurrences import Recurrence, recurrences


def with_recurrences(closed: Any) -> Any:
    """``closed``, a closed jaxpr, with one call for each LSTM and one for its gradient; itself if there is none."""
    from retrograd.ops.jax_start import jax
    from retrograd.run.held import array_kind

    if jax.default_backend() != "cpu":
        return closed
    known = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    calls = [(r, call) for r in recurrences(closed.jaxpr, known) if (call := lstm(r.of)) is not None]
    if not calls:
        return closed
    kinds = [array_kind(a.shape, a.dtype) for a in closed.in_avals]
    return jax.make_jaxpr(lambda *arguments: _results(closed, calls, arguments))(*kinds)


def _results(closed: Any, calls: list[tuple[Recurrence, Lstm]], arguments: Any) -> list[Any]:
    jaxpr = closed.jaxpr
    values = values_at(jaxpr, closed.consts, arguments)
    made = [_Calls(recurrence, call, values) for recurrence, call in calls]
    instead = {id(m.of.at): m.forward for m in made}
    instead.update((id(g.at), m.backward) for m in made if (g := m.of.gradient) is not None)
    gone = {id(eqn) for m in made if (g := m.of.gradient) is not None for eqn in g.gone}
    for eqn in jaxpr.eqns:
        if id(eqn) in instead:
            instead[id(eqn)]()
        elif id(eqn) not in gone:
            evaluate(eqn, values)
    return [value_of(values, v) for v in jaxpr.outvars]


class _Calls:
    """The calls of one LSTM, and the variables that they give values to."""

    def __init__(self, of: Recurrence, call: Lstm, values: dict[Any, Any]) -> None:
        self.of = of
        self.call = call
        self.values = values

    def _in_order(self, sequence: Any) -> Any:
        """The steps of ``sequence`` in the order in which the LSTM sees them, or back."""
        return sequence[::-1] if self.of.is_backward else sequence

    def forward(self) -> None:
        """Give what the LSTM makes."""
        from retrograd.ops.jax_start import jnp

        of, values = self.of, self.values
        x, h, c = [value_of(values, v) for v in (of.x, of.h, of.c)]
        self.given = [self._in_order(x), h, c, *self._weights(), self._bias(jnp)]
        call = self.call.inference if of.gradient is None else self.call.forward
        self.kept = call(*self.given)
        y, *last = self.kept[:3]
        named = dict(zip(("y", "h", "c"), (self._in_order(y), *last), strict=True))
        values.update((v, named[name]) for v, (name,) in of.made.items())

    def _weights(self) -> list[Any]:
        """The rows that x and h are multiplied by; the gates of each in the library's order."""
        rows: dict[str, Any] = {}
        sizes = {"x": self.of.of.inputs, "h": self.of.of.units}
        for v, parts in self.of.weights:
            matrix, begin = self.values[v], 0
            for part in parts:
                rows[part] = matrix[begin : begin + sizes[part]]
                begin += sizes[part]
        gates = np.array(self.of.gates)
        return [rows[part].reshape(sizes[part], 4, self.of.of.units)[:, gates] for part in ("x", "h")]

    def _bias(self, jnp: Any) -> Any:
        units = self.of.of.units
        total = sum([self.values[v].reshape(4, units) for v in self.of.biases], jnp.zeros((4, units), np.float32))
        return total[np.array(self.of.gates)] + np.array([[0], [self.of.forget], [0], [0]], np.float32)

    def backward(self) -> None:
        """Give the gradients."""
        from retrograd.ops.jax_start import jnp

        found, values = self.of.gradient, self.values
        assert found is not None
        steps, batch, _, units = self.of.of
        dy = jnp.zeros((steps, batch, units), np.float32) if found.dy is None else self._in_order(values[found.dy])
        dh, dc = [value_of(values, v) for v in (found.dh, found.dc)]
        slopes = self.call.backward(*self.given, *self.kept, dy, dh, dc)
        named: dict[str, Any] = dict(zip(("dx", "dh", "dc"), slopes[:3], strict=True))
        named["dx by row"] = self._in_order(named["dx"])
        gates = np.argsort(self.of.gates)
        *rows, named["db"] = [s[..., gates, :].reshape(*s.shape[:-2], 4 * units) for s in slopes[3:]]
        of_part = dict(zip(("x", "h"), rows, strict=True))
        for v, (name, *parts) in found.made.items():
            if parts:
                total = jnp.concatenate([of_part[part] for part in parts])
                total = total.T if name == "dwt" else total
            else:
                total = named[name].reshape(v.aval.shape)
            values[v] = total + value_of(values, found.totals[v]) if v in found.totals else total
