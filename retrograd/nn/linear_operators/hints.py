"""What is known of a linear operator that is made of others."""

from __future__ import annotations

from typing import Any

from retrograd.nn.linear_operators import broadcasting
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
)

HINTS = {
    "is_square": "square",
    "is_non_singular": "non-singular",
    "is_self_adjoint": "self-adjoint",
    "is_positive_definite": "positive-definite",
}


def hints_beside(operator: LinearOperator, what: str, given: dict[str, bool | None]) -> dict[str, bool | None]:
    """The hints of an operator that has all properties of another one."""
    return {
        hint: broadcasting.use_operator_or_provided_hint_unless_contradicting(
            operator, hint, given[hint], f"An operator is {word} if and only if its {what} is {word}."
        )
        for hint, word in HINTS.items()
    }


def hints_of(operator: LinearOperator) -> dict[str, Any]:
    """The hints of an operator, by name."""
    return {hint: getattr(operator, hint) for hint in HINTS}


def both_are(hint: str, a: LinearOperator, b: LinearOperator) -> bool | None:
    """Whether both of two operators that commute, and so their product, are what a hint says."""
    values = (getattr(a, hint), getattr(b, hint))
    if values == (True, True):
        return True
    return False if set(values) == {True, False} else None


def product_is_non_singular(a: LinearOperator, b: LinearOperator) -> bool | None:
    """Whether the product of two operators has an inverse."""
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    return a.is_non_singular and b.is_non_singular


def product_is_positive(a: LinearOperator, b: LinearOperator) -> bool | None:
    """Whether the product of two that commute is known to be positive definite."""
    hints = (a.is_positive_definite, a.is_self_adjoint, b.is_positive_definite, b.is_self_adjoint)
    return True if all(hint is True for hint in hints) else None
