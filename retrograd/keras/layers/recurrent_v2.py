"""Recurrent layers with the defaults of ``tf.compat.v2``: sigmoid gates computed at once, the reset behind the product.

In a graph TensorFlow 1.15.5 builds the loop of the older layers, and a constant that says what ran it. Weights of
these layers are those of cuDNN's, but for their biases.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph.modes import executing_eagerly
from retrograd.keras.layers import recurrent
from retrograd.ops import constants


class GRUCell(recurrent.GRUCell):
    """Cho et al., 2014: ``h = z * h + (1 - z) * tanh(x W + r * (h U))`` with gates z and r."""

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        *args: Any,
        implementation: int = 2,
        reset_after: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            units, activation, recurrent_activation, *args, implementation=implementation, reset_after=reset_after,
            **kwargs,
        )  # fmt: skip


class LSTMCell(recurrent.LSTMCell):
    """Hochreiter and Schmidhuber, 1997: ``c = f * c + i * tanh(x W + h U)``, ``h = o * tanh(c)``."""

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        *args: Any,
        implementation: int = 2,
        **kwargs: Any,
    ) -> None:
        super().__init__(units, activation, recurrent_activation, *args, implementation=implementation, **kwargs)


class _OverTime(recurrent.WithCell):
    """A layer that may have been computed by cuDNN, and says that it was not."""

    _limits_steps = True

    def __init__(self, units: int, *args: Any, **kwargs: Any) -> None:
        self._returns_runtime = kwargs.pop("return_runtime", False)
        super().__init__(units, *args, **kwargs)

    def call(self, inputs: Any, mask: Any = None, *args: Any, **kwargs: Any) -> Any:
        outputs = super().call(inputs, mask, *args, **kwargs)
        if not executing_eagerly() or self._returns_runtime:
            runtime = constants.constant(0.0, dtype="float32", name="runtime")
            if self._returns_runtime:
                return [*(outputs if isinstance(outputs, list) else [outputs]), runtime]
        return outputs


class GRU(_OverTime, recurrent.GRU):
    """Gated recurrent units over time."""

    _cell = GRUCell


class LSTM(_OverTime, recurrent.LSTM):
    """Long short-term memory over time."""

    _cell = LSTMCell
