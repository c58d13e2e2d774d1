"""The regularizers that layers accept by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.tensor import Tensor
from retrograd.nn.keras import lookup
from retrograd.nn.keras.lookup import described, found, named
from retrograd.ops import constants, powers, reductions, rounding


class Regularizer:
    """A penalty of weights: called with them, gives a loss."""

    def __call__(self, x: Any) -> Tensor | float:
        return 0.0

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Regularizer:
        """The regularizer with these arguments."""
        return cls(**config)


class L1L2(Regularizer):
    """``l1 * sum(|x|) + l2 * sum(x * x)``."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = np.float32(l1), np.float32(l2)

    def __call__(self, x: Any) -> Tensor:
        if not self.l1 and not self.l2:
            return constants.constant(0.0)
        penalty: Any = 0.0
        if self.l1:
            penalty += self.l1 * reductions.reduce_sum(rounding.abs_(x))
        if self.l2:
            penalty += self.l2 * reductions.reduce_sum(powers.square(x))
        return penalty

    def get_config(self) -> dict[str, float]:
        """The arguments that make the same regularizer."""
        return {"l1": float(self.l1), "l2": float(self.l2)}


def l1(l: float = 0.01) -> L1L2:  # noqa: E741
    """``l * sum(|x|)``."""
    return L1L2(l1=l)


def l2(l: float = 0.01) -> L1L2:  # noqa: E741
    """``l * sum(x * x)``."""
    return L1L2(l2=l)


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """The sum of the two."""
    return L1L2(l1=l1, l2=l2)


_BY_NAME = {"L1L2": L1L2, "Regularizer": Regularizer, "l1": l1, "l2": l2, "l1_l2": l1_l2}


def get(identifier: Any) -> Any:
    """The regularizer of this name or configuration, or the one given.

    Raises:
      ValueError: there is no regularizer of this name, or it is none.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        return named(identifier, _BY_NAME, "regularizer")
    if isinstance(identifier, dict):
        return found(identifier, _BY_NAME, "regularizer")
    raise ValueError("Could not interpret regularizer identifier:", identifier)


def serialize(regularizer: Any) -> Any:
    """What makes the regularizer again: its name, or its class and arguments."""
    return described(regularizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The regularizer of a name or a configuration."""
    with lookup.custom_object_scope(custom_objects):
        return get(config)
