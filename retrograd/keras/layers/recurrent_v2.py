"""Recurrent layers with the defaults of ``tf.compat.v2``: sigmoid gates computed at once, the reset behind the product.

In a graph TensorFlow 1.15.5 builds the loop of the older layers, and a constant that says what ran it. Weights of
these layers are those of cuDNN's, but for their biases.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph.modes import executing_eagerly
from retrograd.keras.layers import recurrent, recurrent_cells
from retrograd.nn.keras import activations
from retrograd.nn.layers.parameters import taking
from retrograd.ops import constants

_GATED = {**recurrent_cells.GATED, "recurrent_activation": "sigmoid"}


@taking("units", **_GATED, **recurrent_cells.PARTS, implementation=2, reset_after=True)
class GRUCell(recurrent_cells.GRUCell):
    """Cho et al., 2014: ``h = z * h + (1 - z) * tanh(x W + r * (h U))`` with gates z and r."""

    _is_in_version_2 = True


@taking("units", **_GATED, **recurrent_cells.with_forget_bias(recurrent_cells.PARTS), implementation=2)
class LSTMCell(recurrent_cells.LSTMCell):
    """Hochreiter and Schmidhuber, 1997: ``c = f * c + i * tanh(x W + h U)``, ``h = o * tanh(c)``."""

    _is_in_version_2 = True


class _OverTime(recurrent.WithCell):
    """A layer that may have been computed by cuDNN, and says that it was not."""

    _limits_steps = True

    @property
    def could_use_cudnn(self) -> bool:
        """Whether cuDNN has such a layer: of its activations, with a bias, without dropout between the steps."""
        own = activations.serialize(self.activation), activations.serialize(self.recurrent_activation)
        parts = self.use_bias and not self.unroll and not self.recurrent_dropout
        return bool(own == ("tanh", "sigmoid") and parts and getattr(self, "reset_after", True))

    def __init__(self, **kwargs: Any) -> None:
        self._returns_runtime = kwargs.pop("return_runtime", False)
        super().__init__(**kwargs)

    def call(self, inputs: Any, mask: Any = None, *args: Any, **kwargs: Any) -> Any:
        outputs = super().call(inputs, mask, *args, **kwargs)
        if not executing_eagerly() or self._returns_runtime:
            runtime = constants.constant(0.0, dtype="float32", name="runtime")
            if self._returns_runtime:
                return [*(outputs if isinstance(outputs, list) else [outputs]), runtime]
        return outputs


@taking(
    "units", **_GATED, **recurrent.OF_LAYER, implementation=2, **recurrent.OVER_TIME, unroll=False, time_major=False,
    reset_after=True,
)  # fmt: skip
class GRU(_OverTime, recurrent.GRU):
    """Gated recurrent units over time."""

    _is_in_version_2 = True
    _cell = GRUCell


@taking(
    "units", **_GATED, **recurrent_cells.with_forget_bias(recurrent.OF_LAYER), implementation=2, **recurrent.OVER_TIME,
    time_major=False, unroll=False,
)  # fmt: skip
class LSTM(_OverTime, recurrent.LSTM):
    """Long short-term memory over time."""

    _is_in_version_2 = True
    _cell = LSTMCell
