"""Layers that disturb their inputs in training."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.keras import backend as K
from retrograd.nn.layers.engine import Layer
from retrograd.ops import arrays, casts, comparison


class _Noise(Layer):
    """In training the disturbed inputs, else the inputs."""

    def _disturbed(self, inputs: Any) -> Any:
        raise NotImplementedError

    def call(self, inputs: Any, training: Any = None) -> Any:
        return K.in_train_phase(lambda: self._disturbed(inputs), inputs, training=training)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape


class GaussianNoise(_Noise):
    """``x`` plus normal noise."""

    def __init__(self, stddev: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.stddev = True, stddev

    def _disturbed(self, inputs: Any) -> Any:
        return inputs + K.random_normal(shape=arrays.shape(inputs), mean=0.0, stddev=self.stddev)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "stddev": self.stddev}


class GaussianDropout(_Noise):
    """``x`` times normal noise around 1, of standard deviation ``sqrt(rate / (1 - rate))``."""

    def __init__(self, rate: float, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.rate = True, rate

    def call(self, inputs: Any, training: Any = None) -> Any:
        return super().call(inputs, training) if 0 < self.rate < 1 else inputs

    def _disturbed(self, inputs: Any) -> Any:
        deviation = np.sqrt(self.rate / (1.0 - self.rate))
        return inputs * K.random_normal(shape=arrays.shape(inputs), mean=1.0, stddev=deviation)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate}


class AlphaDropout(_Noise):
    """Dropout that keeps mean and variance of self-normalizing networks."""

    def __init__(self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed, self.supports_masking = rate, noise_shape, seed, True

    def call(self, inputs: Any, training: Any = None) -> Any:
        if not 0.0 < self.rate < 1.0:
            return inputs
        shape = self.noise_shape if self.noise_shape else arrays.shape(inputs)
        return K.in_train_phase(lambda: self._dropped(inputs, shape), inputs, training=training)

    def _dropped(self, inputs: Any, shape: Any) -> Any:
        low = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
        kept = casts.cast(comparison.greater_equal(K.random_uniform(shape, seed=self.seed), self.rate), K.floatx())
        a = ((1 - self.rate) * (1 + self.rate * low**2)) ** -0.5
        b = -a * low * self.rate
        return a * (inputs * kept + low * (1 - kept)) + b

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate}
