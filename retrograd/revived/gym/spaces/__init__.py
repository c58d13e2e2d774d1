"""Gymnasium's spaces, and the modules in which Gym had them."""

import importlib
import sys
from typing import Any

from gymnasium import spaces as modern
from gymnasium.spaces import *
from gymnasium.spaces import (
    Box,
    Dict,
    MultiBinary,
    MultiDiscrete,
    Space,
    Tuple,
    flatdim,
    flatten,
    flatten_space,
    unflatten,
)

__all__ = [
    "Box", "Dict", "Discrete", "MultiBinary", "MultiDiscrete", "Space", "Tuple", "flatdim", "flatten",
    "flatten_space", "unflatten",
]  # fmt: skip

for _name in ("box", "dict", "discrete", "multi_binary", "multi_discrete", "space", "tuple", "utils"):
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = importlib.import_module(f"gymnasium.spaces.{_name}")


class _AnyDiscrete(type(modern.Discrete)):  # type: ignore[misc]
    """Gymnasium's own spaces are instances too: those of its environments."""

    def __instancecheck__(cls, space: Any) -> bool:
        return isinstance(space, modern.Discrete)


class Discrete(modern.Discrete, metaclass=_AnyDiscrete):
    """The numbers from 0 to n - 1; n is Python's own number, as Gym had it, and so may count units of a layer."""

    def __init__(self, n: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(n, *args, **kwargs)
        self.n = int(n)  # type: ignore[assignment, has-type]
