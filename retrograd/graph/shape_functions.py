"""Shape functions as programs of TensorFlow's first releases registered them; ops know their shapes without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.operation import Operation
from retrograd.graph.shapes import TensorShape


class RegisterShape:
    """A decorator that changes nothing: the shapes of ``op_type`` follow from the op's own rule."""

    def __init__(self, op_type: str) -> None:
        self.op_type = op_type

    def __call__(self, f: Callable[..., Any] | None) -> Callable[..., Any] | None:
        return f


def unknown_shape(op: Operation) -> list[TensorShape]:
    """Nothing is known of the outputs."""
    return [TensorShape(None) for _ in op.outputs]


def scalar_shape(unused_op: Operation) -> list[TensorShape]:
    """The one output is a scalar."""
    return [TensorShape([])]


def unchanged_shape(op: Operation) -> list[TensorShape]:
    """The one output has the shape of the first input."""
    return [op.inputs[0].shape]


def no_outputs(unused_op: Operation) -> list[TensorShape]:
    """There are no outputs."""
    return []


def call_cpp_shape_fn(op: Operation, require_shape_fn: bool = True) -> list[TensorShape]:
    """The shapes of the outputs: they are inferred when ``op`` is built."""
    return [t.shape for t in op.outputs]


def _set_call_cpp_shape_fn(call_cpp_shape_fn: Callable[..., Any]) -> None:
    """Ops know their shapes without."""
