"""An LSTM and its gradient on numbers, to hold equations against.

    i, f, g, o = x wx + h wh + b,    c' = sigmoid(f) c + sigmoid(i) tanh(g),    h' = sigmoid(o) tanh(c')

The columns of the matrices, and b, are those of i, f, g and o, in this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np


class Step(NamedTuple):
    """An LSTM's step from ``c``, with what comes through the gates i, f, g and o."""

    c: Any
    gates: list[Any]

    @property
    def next_c(self) -> Any:
        i, f, g, _ = self.gates
        return f * self.c + i * g

    @property
    def next_h(self) -> Any:
        return self.gates[3] * np.tanh(self.next_c)

    def factors(self) -> Factors:
        """What the gradients of h' and c' are multiplied by."""
        i, f, g, o = self.gates
        tanh = np.tanh(self.next_c)
        of_gates = np.stack([g * i * (1 - i), self.c * f * (1 - f), i * (1 - g * g)], -2)
        return Factors(o * (1 - tanh * tanh), of_gates, tanh * o * (1 - o), f)


class Factors(NamedTuple):
    """What gradients are multiplied by in a step: that of h' for c' and for o, that of c' for i, f and g, and for c."""

    to_c: Any
    to_gates: Any
    to_o: Any
    to_before: Any

    def slopes(self, dh: Any, dc: Any) -> tuple[Any, Any]:
        """The gradients of what goes into the gates, and of c, from those of h' and c'."""
        dc = dc + dh * self.to_c
        parts = np.concatenate([dc[:, None] * self.to_gates, (dh * self.to_o)[:, None]], -2)
        return parts.reshape(len(parts), -1), dc * self.to_before


def step_of(z: Any, c: Any) -> Step:
    """The step in which ``z``, four parts, goes into the gates."""
    i, f, g, o = np.split(z, 4, -1)
    return Step(c, [_sigmoid(i), _sigmoid(f), np.tanh(g), _sigmoid(o)])


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


class Slopes(NamedTuple):
    """Gradients of an LSTM over all steps."""

    x: Any  # of all steps
    h: Any
    c: Any
    wx: Any
    wh: Any
    b: Any


@dataclass
class Run:
    """An LSTM that has gone through all steps of ``x`` (steps, batch, inputs)."""

    x: Any
    h: Any
    c: Any
    wx: Any
    wh: Any
    b: Any

    def __post_init__(self) -> None:
        self.steps: list[Step] = []
        self.hs = [self.h]
        c = self.c
        for row in self.x:
            self.steps.append(step_of(row @ self.wx + self.hs[-1] @ self.wh + self.b, c))
            self.hs.append(self.steps[-1].next_h)
            c = self.steps[-1].next_c

    @cached_property
    def y(self) -> Any:
        """h of all steps."""
        return np.stack(self.hs[1:])

    @cached_property
    def _hs_before(self) -> Any:
        return np.stack(self.hs[:-1])

    @property
    def last_c(self) -> Any:
        """c after all steps."""
        return self.steps[-1].next_c

    @cached_property
    def _factors(self) -> list[Factors]:
        return [step.factors() for step in self.steps]

    def slopes(self, dy: Any, dc: Any, is_whole: bool = True, is_first: bool = True) -> Slopes:
        """The gradients from those of h of all steps and of the last c.

        Of those that are not ``is_whole`` the first sequence and the first rows of the matrices are enough to tell
        most others from them; an LSTM that is not ``is_first`` hands the gradient of all its x on.
        """
        dh: Any = 0.0
        dz = []
        for factors, slope in zip(self._factors[::-1], dy[::-1], strict=True):
            of_gates, dc = factors.slopes(slope + dh, dc)
            dh = of_gates @ self.wh.T
            dz.append(of_gates)
        of_all = np.stack(dz[::-1])
        some = slice(None if is_whole else 1)
        both = self.x[..., some], self._hs_before[..., some]
        wx, wh = [np.tensordot(rows, of_all, ((0, 1), (0, 1))) for rows in both]
        x = (of_all[:, some] if is_first else of_all) @ self.wx.T
        return Slopes(x, dh[some].copy(), dc[some].copy(), wx, wh, of_all.sum((0, 1)))
