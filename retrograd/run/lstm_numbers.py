"""An LSTM and its gradient on numbers, to hold equations against.

    i, f, g, o = x wx + h wh + b,    c' = sigmoid(f) c + sigmoid(i) tanh(g),    h' = sigmoid(o) tanh(c')

The columns of the matrices, and b, are those of i, f, g and o, in this order.
"""

from __future__ import annotations

from dataclasses import dataclass
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

    def slopes(self, dh: Any, dc: Any) -> tuple[Any, Any]:
        """The gradients of what goes into the gates, and of c, from those of h' and c'."""
        i, f, g, o = self.gates
        tanh = np.tanh(self.next_c)
        dc = dc + dh * o * (1 - tanh * tanh)
        parts = [dc * g * i * (1 - i), dc * self.c * f * (1 - f), dc * i * (1 - g * g), dh * tanh * o * (1 - o)]
        return np.concatenate(parts, -1), dc * f


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

    def some(self) -> Slopes:
        """Those of the first sequence, and the first rows of the matrices: enough to tell most others from them."""
        x, h, c, wx, wh, b = self
        return Slopes(x[:, :1].copy(), h[:1].copy(), c[:1].copy(), wx[:1].copy(), wh[:1].copy(), b)


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

    @property
    def y(self) -> Any:
        """h of all steps."""
        return np.stack(self.hs[1:])

    @property
    def last_c(self) -> Any:
        """c after all steps."""
        return self.steps[-1].next_c

    def slopes(self, dy: Any, dc: Any) -> Slopes:
        """The gradients from those of h of all steps and of the last c."""
        dh: Any = 0.0
        dz = []
        for step, slope in zip(self.steps[::-1], dy[::-1], strict=True):
            of_gates, dc = step.slopes(slope + dh, dc)
            dh = of_gates @ self.wh.T
            dz.append(of_gates)
        of_all = np.stack(dz[::-1])
        wx, wh = [np.tensordot(rows, of_all, ((0, 1), (0, 1))) for rows in (self.x, np.stack(self.hs[:-1]))]
        return Slopes(of_all @ self.wx.T, dh, dc, wx, wh, of_all.sum((0, 1)))
