"""A jaxpr whose LSTMs are calls of a library (``recurrences.py`` finds them)."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.ops.onednn_recurrent_forms import Lstm, lstm
from retrograd.run.equations import evaluate, value_of, values_at
from retrograd.run.found_recurrences import FoundLayer, Name, Recurrence
from retrograd.run.recurrences import recurrences


def with_recurrences(closed: Any) -> Any:
    """``closed``, a closed jaxpr, with one call for each LSTM and one for its gradient; itself if there is none."""
    from retrograd.ops.jax_start import jax
    from retrograd.run.held import array_kind

    if jax.default_backend() != "cpu":
        return closed
    known = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    found = [(r, [lstm(layer.of) for layer in r.layers]) for r in recurrences(closed.jaxpr, known)]
    calls = [(r, made) for r, made in found if all(made)]
    if not calls:
        return closed
    kinds = [array_kind(a.shape, a.dtype) for a in closed.in_avals]
    return jax.make_jaxpr(lambda *arguments: _results(closed, calls, arguments))(*kinds)


def _results(closed: Any, calls: list[tuple[Recurrence, list[Any]]], arguments: Any) -> list[Any]:
    jaxpr = closed.jaxpr
    values = values_at(jaxpr, closed.consts, arguments)
    made = [_Calls(recurrence, of_layers, values) for recurrence, of_layers in calls]
    instead = {m.of.at: m.forward for m in made}
    gradients = [(g, m.backward) for m in made if (g := m.of.gradient) is not None]
    gone = {place for g, _ in gradients for place in g.gone}
    for place in range(len(jaxpr.eqns) + 1):
        for gradient, backward in gradients:
            if gradient.before == place:
                backward()
        if place in instead:
            instead[place]()
        elif place < len(jaxpr.eqns) and place not in gone:
            evaluate(jaxpr.eqns[place], values)
    return [value_of(values, v) for v in jaxpr.outvars]


class _Calls:
    """The calls of one recurrence, and the variables that they give values to."""

    def __init__(self, of: Recurrence, calls: list[Lstm], values: dict[Any, Any]) -> None:
        self.of = of
        self.calls = calls
        self.values = values
        self.given: list[list[Any]] = []
        self.kept: list[list[Any]] = []

    def forward(self) -> None:
        """Give what the LSTMs make."""
        from retrograd.ops.jax_start import jnp

        values = self.values
        x = value_of(values, self.of.x)
        x = x[::-1] if self.of.is_backward else x
        for layer, call in zip(self.of.layers, self.calls, strict=True):
            h, c = [value_of(values, v) for v in (layer.h, layer.c)]
            self.given.append([x, h, c, *self._weights(layer), self._bias(jnp, layer)])
            self.kept.append((call.inference if self.of.gradient is None else call.forward)(*self.given[-1]))
            x = self.kept[-1][0]
        for v, (n, name) in self.of.made.items():
            value = self.kept[n]["yhc".index(name)]
            values[v] = value[::-1] if name == "y" and self.of.is_backward else value

    def _weights(self, layer: FoundLayer) -> list[Any]:
        """The rows that x and h are multiplied by; the gates of each in the library's order."""
        rows = layer.rows_of(self.values)
        gates = np.array(layer.gates)
        return [rows[part].reshape(layer.rows(part), 4, layer.of.units)[:, gates] for part in ("x", "h")]

    def _bias(self, jnp: Any, layer: FoundLayer) -> Any:
        units = layer.of.units
        total = sum([self.values[v].reshape(4, units) for v in layer.biases], jnp.zeros((4, units), np.float32))
        return total[np.array(layer.gates)] + np.array([[0], [layer.forget], [0], [0]], np.float32)

    def backward(self) -> None:
        """Give the gradients."""
        gradient = self.of.gradient
        assert gradient is not None
        slopes: list[dict[str, Any]] = []
        dx: Any = None
        for n in reversed(range(len(self.calls))):
            made = self.calls[n].backward(*self.given[n], *self.kept[n], *self._outside(n, dx))
            slopes.insert(0, dict(zip(("dx", "dh", "dc", "wx", "wh", "db"), made, strict=True)))
            dx = made[0]
        for v, name in gradient.made.items():
            value = self._named(slopes[name.layer], name).reshape(v.aval.shape)
            self.values[v] = value if name.plus is None else value + self.values[name.plus]

    def _outside(self, n: int, dx: Any) -> list[Any]:
        """The gradients of h of all steps, of the last h and c of an LSTM; the one after it has given ``dx``."""
        from retrograd.ops.jax_start import jnp

        steps, batch, _, units = self.of.layers[n].of
        ends = [jnp.zeros((batch, units), np.float32)] * 2
        of_gradient = self.of.gradient
        assert of_gradient is not None
        for variable, layer, places in of_gradient.given:
            value = self.values[variable]
            if layer != n:
                continue
            if isinstance(places, tuple):
                is_all = places == tuple(range(steps))
                zeros = jnp.zeros((steps, batch, units), np.float32)
                every = value if is_all else zeros.at[np.array(places)].set(value)
                dx = every if dx is None else dx + every
            elif places in (None, steps - 1):
                end = 1 if places is None else 0
                ends[end] = ends[end] + value
            else:
                dx = (jnp.zeros((steps, batch, units), np.float32) if dx is None else dx).at[places].add(value)
        return [jnp.zeros((steps, batch, units), np.float32) if dx is None else dx, *ends]

    def _named(self, slopes: dict[str, Any], name: Name) -> Any:
        if name.what == "dx":
            dx, steps = slopes["dx"], name.steps
            return dx if steps == tuple(range(len(dx))) else dx[np.array(steps)]
        if name.what not in ("dw", "dwt", "db"):
            return slopes[name.what]
        back = np.argsort(self.of.layers[name.layer].gates)
        if name.what == "db":
            return slopes["db"][back]
        rows = [slopes[f"w{part}"][:, back] for part in name.parts]
        product = _stacked(rows)
        return product.T if name.what == "dwt" else product


def _stacked(rows: list[Any]) -> Any:
    """Rows of four gates each, as a matrix."""
    from retrograd.ops.jax_start import jnp

    return jnp.concatenate([x.reshape(len(x), -1) for x in rows])
