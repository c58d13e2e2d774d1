"""The activations that layers accept by name."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.keras import lookup
from retrograd.nn.keras.lookup import described, found
from retrograd.ops import activations, arithmetic, casts, clipping, comparison, constants, exponentials, reductions
from retrograd.ops import softmax as softmaxes
from retrograd.ops.trigonometry import tanh

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


def linear(x: Any) -> Any:
    """``x`` itself."""
    return x


def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Tensor:
    """``x`` from ``threshold`` up, at most ``max_value``; below, ``alpha * (x - threshold)``."""
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return activations.leaky_relu(x, alpha=alpha)
        below = activations.relu(-x + threshold) if threshold != 0 else activations.relu(-x)
    clips = max_value is not None
    if threshold != 0:
        x = x * casts.cast(comparison.greater(x, threshold), x.dtype.base_dtype)
    elif max_value == 6:
        x, clips = activations.relu6(x), False
    else:
        x = activations.relu(x)
    if clips:
        highest = constants.constant(max_value, dtype=x.dtype.base_dtype)
        x = clipping.clip_by_value(x, constants.constant(0.0, dtype=x.dtype.base_dtype), highest)
    if alpha != 0.0:
        x = x - constants.constant(alpha, dtype=x.dtype.base_dtype) * below
    return x


def softmax(x: Any, axis: int = -1) -> Tensor:
    """``exp(x) / sum(exp(x))`` along ``axis``.

    Raises:
      ValueError: ``x`` is a vector.
    """
    x = as_tensor(x)
    if x.rank == 2:
        return softmaxes.softmax(x)
    if x.rank is None or x.rank < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    e = exponentials.exp(x - reductions.reduce_max(x, axis=axis, keepdims=True))
    return e / reductions.reduce_sum(e, axis=axis, keepdims=True)


def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""
    y = activations.elu(x)
    return y if alpha == 1 else comparison.where(comparison.greater(x, 0), y, alpha * y)


def selu(x: Any) -> Tensor:
    """``elu`` with the slope and floor that keep mean 0 and variance 1 (Klambauer et al., 2017)."""
    return _SELU_SCALE * elu(x, _SELU_ALPHA)


def softplus(x: Any) -> Tensor:
    """``log(1 + exp(x))``."""
    return activations.softplus(x)


def softsign(x: Any) -> Tensor:
    """``x / (1 + |x|)``."""
    return activations.softsign(x)


def sigmoid(x: Any) -> Tensor:
    """``1 / (1 + exp(-x))``."""
    return exponentials.sigmoid(x)


def exponential(x: Any) -> Tensor:
    """``exp(x)``."""
    return exponentials.exp(x)


def hard_sigmoid(x: Any) -> Tensor:
    """``0.2 x + 0.5``, cut to [0, 1]."""
    slope = constants.constant(0.2, dtype=x.dtype.base_dtype)
    middle = constants.constant(0.5, dtype=x.dtype.base_dtype)
    line = arithmetic.add(arithmetic.multiply(x, slope, name="Mul"), middle)
    return clipping.clip_by_value(line, 0.0, 1.0)


_BY_NAME = {
    "softmax": softmax, "elu": elu, "selu": selu, "softplus": softplus, "softsign": softsign, "relu": relu,
    "tanh": tanh, "sigmoid": sigmoid, "exponential": exponential, "hard_sigmoid": hard_sigmoid, "linear": linear,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The activation of this name, or the function given; ``linear`` for None.

    Raises:
      ValueError: there is no activation of this name.
      TypeError: it is neither a name nor a function.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str | dict):
        return found(identifier, _BY_NAME, "activation function")
    if callable(identifier):
        return identifier
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")


def serialize(activation: Any) -> Any:
    """What makes the activation again: its name, or its class and arguments."""
    return described(activation)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The activation of a name or a configuration."""
    with lookup.custom_object_scope(custom_objects):
        return get(name)
