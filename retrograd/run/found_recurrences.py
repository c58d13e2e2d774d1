"""What is known of LSTMs among the equations of a jaxpr, and of their gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from retrograd.ops.onednn_recurrence import Sequences

Parts = tuple[str, ...]
Weights = list[tuple[Any, Parts]]  # matrices, and what their rows are multiplied by
ROWS: tuple[Parts, ...] = (("x",), ("h",), ("x", "h"), ("h", "x"))  # what that may be


@dataclass(eq=False)
class FoundLayer:
    """An LSTM."""

    of: Sequences
    h: Any  # variables: the first states
    c: Any
    weights: Weights
    biases: list[Any]
    gates: tuple[int, ...]  # which columns of the matrices, of four parts, are i, f, g and o
    forget: float  # what is added to f

    @property
    def columns(self) -> Any:
        """The columns of the matrices in the order of the gates."""
        return np.concatenate([np.arange(self.of.units) + k * self.of.units for k in self.gates])

    def rows(self, part: str) -> int:
        """How many rows x, or h, are multiplied by."""
        return self.of.inputs if part == "x" else self.of.units

    def rows_of(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        """The rows that x, and those that h are multiplied by, where the matrices have ``values``."""
        found: dict[str, Any] = {}
        for v, parts in self.weights:
            begin = 0
            for part in parts:
                found[part] = values[v][begin : begin + self.rows(part)]
                begin += self.rows(part)
        return found

    def by_sequence(self, value: Any) -> Any:
        """``value`` without the dimension of the one step that each sequence has in it, such as that of a slice."""
        _, batch, inputs, _ = self.of
        return np.squeeze(value, -2) if np.shape(value)[-3:] == (batch, 1, inputs) else value

    def has_gradient_like(self, shape: Sequence[int]) -> bool:
        """Whether any gradient of it has such a shape."""
        _, batch, inputs, units = self.of
        if len(shape) == 2:
            sizes = [(n, 4 * units) for n in (inputs, units, inputs + units)]
            return {tuple(shape), tuple(shape[::-1])} & {
                *sizes,
                (1, 4 * units),
                (batch, units),
                (batch, inputs),
            } != set()
        return tuple(shape) == (4 * units,) or (len(shape) == 3 and tuple(shape[1:]) == (batch, inputs))


@dataclass(eq=False)
class Recurrence:
    """LSTMs over all steps of a sequence, each of which sees h of the one before, and their gradient if it is computed.

    ``made`` names what variables are: the number of an LSTM, and ``y`` (its h of all steps), ``h`` or ``c`` (the last).
    """

    at: int  # the place of the equation
    x: Any
    layers: list[FoundLayer]
    is_backward: bool  # whether the last step comes first
    made: dict[Any, tuple[int, str]] = field(default_factory=dict)
    gradient: Gradient | None = None


class Given(NamedTuple):
    """A gradient that comes from outside: of an LSTM's h after some steps, or of its last c."""

    variable: Any
    layer: int
    steps: int | tuple[int, ...] | None  # of the variable, or of each of its rows; None: of c


class Name(NamedTuple):
    """What a variable is.

    ``dw`` and its transpose ``dwt`` are of rows that ``parts`` are multiplied by, ``dx`` is of ``steps``; there are
    ``dh`` and ``dc`` (of the first states), and ``db``.
    """

    layer: int
    what: str
    parts: Parts = ()
    steps: int | tuple[int, ...] | None = None
    plus: Any = None  # a variable that is added


@dataclass(eq=False)
class Gradient:
    """The gradient of LSTMs."""

    given: list[Given]
    made: dict[Any, Name]
    gone: set[int]  # the places of the equations that it takes the place of
    before: int  # the place of the first other equation that reads what is made
