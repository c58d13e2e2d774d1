"""Gymnasium's spaces, and the modules in which Gym had them."""

import importlib
import sys

from gymnasium.spaces import *
from gymnasium.spaces import (
    Box,
    Dict,
    Discrete,
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
