"""TensorFlow 2's initializers (``tf.compat.v2.initializers``), which get their dtype at the call.

Unlike TensorFlow 1's, a constant is not filled up, a standard deviation is 0.05 and a uniform range ±0.05.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, stateless
from retrograd.state import initializers, orthogonal
from retrograd.state.initializers import Draws, floating


class Initializer:
    """What all initializers share: a configuration that rebuilds them."""

    _options: ClassVar[tuple[str, ...]] = ()

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        """The initial value of a variable of this shape."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same initializer."""
        return {name: getattr(self, name) for name in self._options}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """The initializer with these arguments; a ``dtype`` among them says nothing."""
        return cls(**{name: value for name, value in config.items() if name != "dtype"})


def _numeric(dtype: Any) -> DType:
    dtype = as_dtype(dtype)
    if dtype in (dtypes.string, dtypes.resource, dtypes.variant):
        raise ValueError(f"Expected numeric or boolean dtype, got {dtype}.")
    return dtype


class Zeros(Initializer):
    """Zeros."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return constants.zeros(shape, as_dtype(dtype))


class Ones(Initializer):
    """Ones."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return constants.ones(shape, _numeric(dtype))


class Constant(Initializer):
    """``value`` everywhere, or as many values as there are elements.

    Raises:
      TypeError: at the call, if the values are more or fewer.
    """

    _options = ("value",)

    def __init__(self, value: Any = 0) -> None:
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, "
                "or numpy.ndarray)."
            )
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        values = np.asarray(self.value)
        count = TensorShape(shape).num_elements()
        if values.size not in (1, count):
            raise TypeError(f"Expected Tensor's shape: {TensorShape(shape)}, got {TensorShape(values.shape)}.")
        return constants.constant(self.value, dtype if dtype is None else as_dtype(dtype), shape)


def _draws(seed: int | None) -> Draws:
    """Numbers of the graph's streams, or with a seed those that follow from it alone."""
    if seed is None:
        return initializers.draws(seed)

    def following(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
        return lambda shape, *args, **kwargs: function(shape, [seed, 0], *args, **kwargs)

    functions = (
        stateless.stateless_random_normal,
        stateless.stateless_truncated_normal,
        stateless.stateless_random_uniform,
    )
    return Draws(*map(following, functions))


class RandomUniform(Initializer):
    """Uniform in ``[minval, maxval)``."""

    _options = ("minval", "maxval", "seed")

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = as_dtype(dtype)
        if not dtype.is_floating and not dtype.is_integer:
            raise ValueError(f"Expected float or integer dtype, got {dtype}.")
        return _draws(self.seed).uniform(shape, self.minval, self.maxval, dtype)


class _Normal(Initializer):
    _options = ("mean", "stddev", "seed")

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed


class RandomNormal(_Normal):
    """Normal with ``mean`` and ``stddev``."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return _draws(self.seed).normal(shape, self.mean, self.stddev, floating(dtype))


class TruncatedNormal(_Normal):
    """Normal, drawn again where it is more than two ``stddev`` from ``mean``."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return _draws(self.seed).truncated_normal(shape, self.mean, self.stddev, floating(dtype))


class VarianceScaling(Initializer):
    """Variance ``scale / n``, n by ``mode``: inputs (``fan_in``), outputs (``fan_out``) or their mean."""

    _options: ClassVar[tuple[str, ...]] = ("scale", "mode", "distribution", "seed")

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        self._scaling = initializers.VarianceScaling(scale, mode, distribution, seed)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, self._scaling.distribution, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return self._scaling.drawn(_draws(self.seed), shape, shape, floating(dtype))


class GlorotUniform(VarianceScaling):
    """Uniform with variance ``2 / (inputs + outputs)``."""

    _options: ClassVar[tuple[str, ...]] = ("seed",)

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)


class GlorotNormal(VarianceScaling):
    """Truncated normal with variance ``2 / (inputs + outputs)``."""

    _options: ClassVar[tuple[str, ...]] = ("seed",)

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)


class Orthogonal(Initializer):
    """``gain`` times a matrix with orthonormal rows or columns."""

    _options = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return orthogonal.Orthogonal(self.gain).drawn(_draws(self.seed), shape, floating(dtype))


class Identity(Initializer):
    """``gain`` times the identity matrix."""

    _options = ("gain",)

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return orthogonal.Identity(self.gain)(shape, floating(dtype))


def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal with variance ``1 / inputs``."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform with variance ``1 / inputs``."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


def he_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal with variance ``2 / inputs``."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform with variance ``2 / inputs``."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)
