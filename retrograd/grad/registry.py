"""Which function differentiates which op."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from retrograd.grad.vjp import has_vjp, vjp_gradient
from retrograd.graph import source
from retrograd.graph.definition import REGISTRY, no_derivative, not_differentiable
from retrograd.graph.operation import Operation

GradientFunction = Callable[..., Any]

REGISTERED: dict[str, tuple[GradientFunction | None, str | None]] = {}


@cache
def recorded() -> Mapping[str, frozenset[str]]:
    """Under ``*`` the types that TensorFlow 1.15.5 has registered, under a path the functions that the module holds."""
    lines = (Path(__file__).parent / "recorded.txt").read_text().splitlines()
    return {path: frozenset(words.split()) for path, _, words in (line.partition(": ") for line in lines)}


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
        register(self._op_type, f)
        return f


def register(op_type: str, function: GradientFunction | None) -> None:
    """Let ``function`` differentiate ops of a type; it may take the place of ours where TensorFlow has none.

    Raises:
      KeyError: the type has a gradient already.
    """
    definition = REGISTRY.get(op_type)
    known = REGISTERED.get(op_type)
    if known is None:
        is_known = definition is not None and definition.gradient not in (None, no_derivative)
        is_known = is_known and op_type in recorded()["*"]
    else:
        is_known = known[0] is not no_derivative
    if is_known:
        where = f"(The previous registration came from {known[1]})" if known and known[1] else "(retrograd defines it)"
        raise KeyError(f"Registering two gradient with name '{op_type}'! {where}")
    REGISTERED[op_type] = (function, source.location(source.user_frames()))


def NotDifferentiable(op_type: str) -> None:
    """Say that ops of a type have no derivative: ``tf.gradients`` gives None through them."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    register(op_type, None)


NoGradient = NotDifferentiable


def type_of_rule(op: Operation) -> str:
    """The type, or the name that a ``gradient_override_map`` gave, under which the rule of ``op`` is known."""
    override = op.attrs.get("_gradient_op_type")
    return op.type if override is None else str(override.decode())


def is_own(op: Operation) -> bool:
    """Whether no program has registered the rule of ``op``."""
    return type_of_rule(op) not in REGISTERED


def gradient_of(op: Operation) -> GradientFunction | None:
    """The function that differentiates ``op``; None if no derivative flows through it.

    Raises:
      LookupError: no gradient is known for its type.
    """
    if not op.inputs:
        return None
    op_type = type_of_rule(op)
    if op_type in REGISTERED:
        rule = REGISTERED[op_type][0]
        if rule is no_derivative:
            raise _no_entry(op_type)
        return rule
    return own_rule(op, op_type)


def own_rule(op: Operation, op_type: str) -> GradientFunction | None:
    """This library's rule of a type, for ``op``; None if no derivative flows through such ops.

    Raises:
      LookupError: there is none.
    """
    is_its_own = op.type == op_type
    definition = op.definition if is_its_own else REGISTRY.get(op_type)
    rule = None if definition is None else definition.gradient
    if rule is None and is_its_own and has_vjp(op):
        return vjp_gradient
    if rule is None or rule is no_derivative:
        raise _no_entry(op_type)
    return None if rule is not_differentiable else rule


def _no_entry(op_type: str) -> LookupError:
    return LookupError(f"gradient registry has no entry for: {op_type}")
