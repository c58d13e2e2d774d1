"""Optimizers of ready models: by name, by a function, or as given."""

from __future__ import annotations

from typing import Any

from retrograd.train.adagrad import AdagradOptimizer
from retrograd.train.adam import AdamOptimizer
from retrograd.train.ftrl import FtrlOptimizer
from retrograd.train.gradient_descent import GradientDescentOptimizer
from retrograd.train.optimizer import Optimizer
from retrograd.train.rmsprop import RMSPropOptimizer

_BY_NAME: dict[str, Any] = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}


def get_optimizer_instance(opt: Any, learning_rate: float | None = None) -> Optimizer:
    """The optimizer of a name, with ``learning_rate``; the one that a function makes; or ``opt`` itself.

    Raises:
      ValueError: there is no such name, or it is no optimizer.
    """
    if isinstance(opt, str):
        if opt not in _BY_NAME:
            raise ValueError(f"Unsupported optimizer name: {opt}. Supported names are: {tuple(sorted(_BY_NAME))}")
        if not learning_rate:
            raise ValueError("learning_rate must be specified when opt is string.")
        return _BY_NAME[opt](learning_rate=learning_rate)  # type: ignore[no-any-return]
    if callable(opt):
        opt = opt()
    if not isinstance(opt, Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {opt}")
    return opt
