"""Which function differentiates which op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.grad.vjp import has_vjp, vjp_gradient
from retrograd.graph import source
from retrograd.graph.definition import REGISTRY, no_derivative, not_differentiable
from retrograd.graph.operation import Operation

GradientFunction = Callable[..., Any]

_REGISTERED: dict[str, tuple[GradientFunction | None, str | None]] = {}


class RegisterGradient:
    """Register the decorated ``gradient(op, *output_gradients)`` for ops of a type.

    The type may be one of TensorFlow's, or a name of your own that ``gradient_override_map`` maps to.

    Raises:
      KeyError: the type has a gradient already.

    >>> @RegisterGradient("DoubledForDoctest")
    ... def _doubled(op, dy):
    ...     return 2.0 * dy
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: GradientFunction) -> GradientFunction:
        """Register ``f`` and return it."""
        _register(self._op_type, f)
        return f


def _register(op_type: str, function: GradientFunction | None) -> None:
    definition = REGISTRY.get(op_type)
    known = _REGISTERED.get(op_type)
    if known is not None or (definition is not None and definition.gradient not in (None, no_derivative)):
        where = f"(The previous registration came from {known[1]})" if known and known[1] else "(retrograd defines it)"
        raise KeyError(f"Registering two gradient with name '{op_type}'! {where}")
    _REGISTERED[op_type] = (function, source.location(source.user_frames()))


def NotDifferentiable(op_type: str) -> None:
    """Say that ops of a type have no derivative: ``tf.gradients`` gives None through them."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _register(op_type, None)


NoGradient = NotDifferentiable


def gradient_of(op: Operation) -> GradientFunction | None:
    """The function that differentiates ``op``; None if no derivative flows through it.

    Raises:
      LookupError: no gradient is known for its type.
    """
    if not op.inputs:
        return None
    override = op.attrs.get("_gradient_op_type")
    op_type = op.type if override is None else override.decode()
    if op_type in _REGISTERED:
        return _REGISTERED[op_type][0]
    definition = op.definition if override is None else REGISTRY.get(op_type)
    rule = None if definition is None else definition.gradient
    if rule is None and override is None and has_vjp(op):
        return vjp_gradient
    if rule is None or rule is no_derivative:
        raise LookupError(f"gradient registry has no entry for: {op_type}")
    return None if rule is not_differentiable else rule
