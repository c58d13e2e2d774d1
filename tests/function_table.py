"""Rows of public functions: their form, and which public functions a row puts through its checks.

A row names the public functions that it is about, and builds them together on the same inputs.  Which functions
were really differentiated is watched: those that returned a tensor that moves with an input of the row, through ops
that have a derivative.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy as np
from case_table import Row

# Of what computes in float32, differences say less.
SINGLE: dict[str, Any] = {"orders": 1, "tolerance": 5e-3, "step": 1e-2, "rounding": 1e-4}


@dataclass(frozen=True)
class FunctionRow(Row):
    """How to build public functions, whose names stand in ``op`` with blanks between, and on what."""

    starts: bool = True
    stepped: bool = True  # False where differences of its values cross edges: the record alone holds the slopes
    traced: bool = False  # the rows of the ops hold their kernels to both tiers

    def __str__(self) -> str:
        return f"{self.op.split()[0]}{'-' + self.label if self.label else ''}"

    @property
    def types(self) -> set[str]:
        return set()


def code_of(function: Any) -> CodeType | None:
    """The code of a public function, under whatever is wrapped around it."""
    function = inspect.unwrap(function)
    while hasattr(function, "func"):
        function = function.func
    return getattr(function, "__code__", None)


class Watcher:
    """Which of some functions, ``known`` by their codes, bring what is moved to what they return."""

    def __init__(self, known: set[CodeType], has_derivative: Callable[[Any], bool]) -> None:
        self.known, self.has_derivative = known, has_derivative
        self.codes: set[CodeType] = set()
        self._roots: set[Any] = set()
        self._still: set[Any] = set()
        self._open: dict[int, CodeType] = {}

    @contextmanager
    def watching(self, roots: set[Any]) -> Iterator[None]:
        """Watch what is called while ``roots`` are what is moved."""
        self._roots, self._still = roots, set()
        sys.setprofile(self._event)
        try:
            yield
        finally:
            sys.setprofile(None)
            self._open.clear()

    def _event(self, frame: FrameType, event: str, result: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code in self.known and code not in self.codes:
                self._open[id(frame)] = code
        elif event == "return" and id(frame) in self._open:
            found = self._open.pop(id(frame))
            if self._moves(result):
                self.codes.add(found)

    def _moves(self, value: Any, depth: int = 0) -> bool:
        if isinstance(value, list | tuple):
            return depth < 4 and any(self._moves(v, depth + 1) for v in value)
        if isinstance(value, dict):
            return depth < 4 and any(self._moves(v, depth + 1) for v in value.values())
        held = [getattr(value, name, None) for name in ("values", "tensor")]
        if any(hasattr(part, "op") for part in held):
            return any(self._moves(part, depth + 1) for part in held)
        return hasattr(value, "op") and hasattr(value, "dtype") and self._tensor_moves(value)

    def _tensor_moves(self, tensor: Any) -> bool:
        """Whether something moved leads there; what was found stays so, but a Merge may yet be reached by more."""
        queue, seen, may_change = [tensor], set(), False
        while queue:
            x = queue.pop()
            if not (x.dtype.is_floating or x.dtype.is_complex) or x in seen or x in self._still:
                continue
            may_change |= x.op.type == "Merge"
            seen.add(x)
            if x in self._roots:
                self._roots.add(tensor)
                return True
            if self.has_derivative(x.op):
                queue += x.op.inputs
        if not may_change:
            self._still |= seen
        return False


def inputs_of(tf: Any, row: FunctionRow, known: str) -> list[Any]:
    """Placeholders for the row's inputs, of which everything is known, the rank or nothing."""
    dims = {"all": lambda a: a.shape, "rank": lambda a: [None] * a.ndim, "nothing": lambda a: None}[known]
    return [tf.compat.v1.placeholder(np.asarray(a).dtype, dims(np.asarray(a))) for a in row.inputs]


def measured(tf: Any, row: FunctionRow) -> dict[str, Any]:
    """What a row's functions give, the gradients of a weighted sum, and what they say of unknown shapes."""
    found: dict[str, Any] = {"refused": [_refusal(tf, row, known) for known in ("rank", "nothing")]}
    with tf.Graph().as_default():
        tf.compat.v1.set_random_seed(5)
        xs = inputs_of(tf, row, "all")
        ys = row.build(*xs)
        ys = list(ys) if isinstance(ys, (list, tuple)) else [ys]
        smooth = [x for i, x in enumerate(xs) if x.dtype.is_floating and i not in row.still]
        feeds = dict(zip(xs, row.inputs))  # noqa: B905 - read by Python 3.7 too
        first = [tf.compat.v1.global_variables_initializer(), tf.compat.v1.local_variables_initializer()]
        values = _run(tf, first, ys, feeds)
        moving = [i for i, y in enumerate(ys) if y.dtype.is_floating]
        weights = [np.cos(np.arange(values[i].size)).reshape(values[i].shape).astype(values[i].dtype) for i in moving]
        try:
            slopes = tf.gradients([ys[i] for i in moving], smooth, weights) if row.orders else []
        except (LookupError, ValueError):  # TensorFlow has no gradient, or none that fits
            slopes = []
        dense = [tf.zeros_like(x) if d is None else tf.convert_to_tensor(d) for d, x in zip(slopes, smooth)]  # noqa: B905
        found["values"] = [plain(v) for v in values]
        found["slopes"] = [plain(v) for v in _run(tf, first, dense, feeds)]
        found["none"] = [d is None for d in slopes]
    return found


def _refusal(tf: Any, row: FunctionRow, known: str) -> str:
    with tf.Graph().as_default():
        try:
            row.build(*inputs_of(tf, row, known))
        except Exception as error:
            return type(error).__name__
    return ""


def _run(tf: Any, first: list[Any], fetches: list[Any], feeds: Any) -> list[Any]:
    """In a session of its own, so that what is drawn begins anew."""
    with tf.compat.v1.Session() as sess:
        sess.run(first)
        return [np.asarray(v) for v in sess.run(fetches, feeds)]


def plain(array: np.ndarray) -> Any:
    """Shape and numbers, to ten digits."""
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    digits = [float(f"{v:.10g}") for v in array.ravel().tolist()] if array.dtype.kind in "fiub" else []
    return [list(array.shape), digits]
