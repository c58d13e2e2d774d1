"""What oneDNN does for sequences that go through an LSTM, and for the gradient of that.

i, f, g, o = x_t wx + h wh + b,    c' = sigmoid(f) c + sigmoid(i) tanh(g),    h' = sigmoid(o) tanh(c')
"""

from __future__ import annotations

import ctypes
from math import prod
from typing import NamedTuple

from retrograd.ops.onednn_library import (
    BACKWARD,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FORWARD,
    INFERENCE,
    SRC,
    WEIGHTS,
    Argument,
    Calls,
    Dims,
    Handle,
    Library,
)

_BIAS, _WORKSPACE, _DIFF_BIAS = 41, 64, 169  # arguments
_LEFT_TO_RIGHT = 1
_OVERWRITES = ctypes.c_uint(1)  # gradients of weights, in place of adding them to what is there
_WORKSPACE_MD = 135  # what to ask a primitive for
_BYTES = 4  # of a number


class Sequences(NamedTuple):
    """So many sequences of ``steps`` rows of ``inputs`` numbers, for an LSTM of so many units."""

    steps: int
    batch: int
    inputs: int
    units: int


class Part(NamedTuple):
    """Of all sequences those of a range; ``number`` counts the parts."""

    whole: Sequences
    number: int
    begin: int
    end: int


class _Recurrence(Calls):
    """What both directions read: x, h, c, wx, wh and b, in this order, the first three of all sequences."""

    kind = FORWARD

    def __init__(self, dnnl: Library, part: Part, results: int) -> None:
        super().__init__(dnnl, results + part.number)
        self.part = part
        (steps, batch, inputs, units), (*_, begin, end) = part.whole, part
        rows = end - begin

        def of_rows(steps: tuple[int, ...], size: int) -> Handle:
            """Of arrays over all sequences."""
            dims = (*steps, rows, size)
            return self.layout(dims, [batch * size] * len(steps) + [size, 1])

        states = [of_rows((1, 1), units)] * 2
        self.inputs = [of_rows((steps,), inputs), *states]
        self.outputs = [of_rows((steps,), units), *states]
        self.bias = self._dense(1, 1, 4, units)
        self.weights = [self._dense(1, 1, n, 4, units) for n in (inputs, units)]
        self.chosen = [self.layout([1, 1, n, 4, units], None) for n in (inputs, units)]
        self.forward = self.form(
            "dnnl_lstm_forward_primitive_desc_create", dnnl.engine, self.kind, _LEFT_TO_RIGHT, *self.layouts,
            _OVERWRITES, dnnl.attr,
        )  # fmt: skip

    @property
    def layouts(self) -> list[Handle]:
        """As the library lists them: without peepholes and projections."""
        return [*self.inputs, *self.chosen, Handle(), Handle(), self.bias, *self.outputs]

    def _dense(self, *dims: int) -> Handle:
        return self.layout(dims, [prod(dims[i + 1 :]) for i in range(len(dims))])

    def of_part(self, which: int, layouts: list[Handle], sizes: Dims, kind: str, first: int) -> list[Argument]:
        """The rows of this part in arrays that have so many numbers for each sequence."""
        begins = [self.part.begin * size * _BYTES for size in sizes]
        return [
            Argument(which + i, layout, (kind, first + i), begin)
            for i, (layout, begin) in enumerate(zip(layouts, begins, strict=True))
        ]

    @property
    def input_sizes(self) -> Dims:
        """How many numbers x, h and c have for each sequence, in each step."""
        return self.part.whole.inputs, self.part.whole.units, self.part.whole.units

    @property
    def output_sizes(self) -> Dims:
        """The same of what comes out."""
        return (self.part.whole.units,) * 3

    def read(self, form: Handle) -> list[Argument]:
        """What ``form`` reads: weights in the layout of its choice."""
        ordered = []
        for i, plain in enumerate(self.weights):
            chosen = self.dnnl.argument(form, WEIGHTS + i)
            ordered.append(Argument(WEIGHTS + i, chosen, self.memory, self.reserve(chosen)))
            self.reorder(Argument(SRC, plain, ("argument", 3 + i)), ordered[-1])
        arrays = self.of_part(SRC, self.inputs, self.input_sizes, "argument", 0)
        return [*arrays, *ordered, Argument(_BIAS, self.bias, ("argument", 5))]


class Inference(_Recurrence):
    """h of all steps, the last h and c."""

    kind = INFERENCE

    def __init__(self, dnnl: Library, part: Part) -> None:
        super().__init__(dnnl, part, 3)
        self.add(
            self.forward, *self.read(self.forward), *self.of_part(DST, self.outputs, self.output_sizes, "result", 0)
        )


class _Trained(_Recurrence):
    """What the gradient reads is kept."""

    def __init__(self, dnnl: Library, part: Part, results: int) -> None:
        super().__init__(dnnl, part, results)
        self.workspace = dnnl.of(self.forward, _WORKSPACE_MD)
        self.kept = self.aligned(self.workspace)


class Forward(_Trained):
    """h of all steps, the last h and c, and what the gradient reads."""

    def __init__(self, dnnl: Library, part: Part) -> None:
        super().__init__(dnnl, part, 4)
        self.add(
            self.forward, *self.read(self.forward),
            *self.of_part(DST, self.outputs, self.output_sizes, "result", 0),
            Argument(_WORKSPACE, self.workspace, ("result", 3), part.number * self.kept),
        )  # fmt: skip


class Backward(_Trained):
    """The gradients of x, h and c; of wx, wh and b by parts, which are to be added up.

    It reads behind these what ``Forward`` has given, and the gradients of h of all steps, of the last h and of the last
    c.
    """

    def __init__(self, dnnl: Library, part: Part) -> None:
        super().__init__(dnnl, part, 6)
        form = self.form(
            "dnnl_lstm_backward_primitive_desc_create", dnnl.engine, BACKWARD, _LEFT_TO_RIGHT, *self.layouts,
            *self.layouts, _OVERWRITES, self.forward, dnnl.attr,
        )  # fmt: skip
        slopes = []
        for i in range(2):
            chosen = dnnl.argument(form, DIFF_WEIGHTS + i)
            slopes.append(Argument(DIFF_WEIGHTS + i, chosen, self.memory, self.reserve(chosen)))
        self.add(
            form, *self.read(form), *self.of_part(DST, self.outputs, self.output_sizes, "argument", 6),
            Argument(_WORKSPACE, self.workspace, ("argument", 9), part.number * self.kept),
            *self.of_part(DIFF_DST, self.outputs, self.output_sizes, "argument", 10),
            *self.of_part(DIFF_SRC, self.inputs, self.input_sizes, "result", 0),
            *slopes, self._mine(_DIFF_BIAS, self.bias, 5),
        )  # fmt: skip
        for i, plain in enumerate(self.weights):
            self.reorder(slopes[i], self._mine(DST, plain, 3 + i))

    def _mine(self, which: int, layout: Handle, result: int) -> Argument:
        return Argument(which, layout, ("result", result), self.part.number * self.dnnl.size(layout))
