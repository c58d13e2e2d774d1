"""Initializers: ``initializer(shape, dtype, partition_info)`` makes the initial value of a variable."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, random


class Initializer:
    """What all initializers share: a configuration that rebuilds them."""

    dtype: DType
    _options: ClassVar[tuple[str, ...]] = ()

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        """The initial value of a variable of this shape, or of a part of the one in ``partition_info``."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same initializer."""
        return {**{name: getattr(self, name) for name in self._options}, "dtype": self.dtype.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """The initializer with these arguments."""
        return cls(**config)


def floating(dtype: Any) -> DType:
    """``dtype``, which must be a floating type.

    Raises:
      ValueError: it is not.
    """
    dtype = as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class Zeros(Initializer):
    """Zeros."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return constants.zeros(shape, dtype or self.dtype)


class Ones(Initializer):
    """Ones."""

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return constants.ones(shape, dtype or self.dtype)


class Constant(Initializer):
    """``value``, filled up with its last element; with ``verify_shape`` nothing may be missing."""

    _options = ("value",)

    def __init__(self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of "
                "values, "
                "or numpy.ndarray)."
            )
        self.value = value
        self.dtype = as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: bool | None = None
    ) -> Tensor:
        verify = self._verify_shape if verify_shape is None else verify_shape
        return constants.constant(self.value, dtype or self.dtype, shape, verify_shape=verify)


class RandomUniform(Initializer):
    """Uniform in ``[minval, maxval)``; for floats, ``maxval`` is 1 by default."""

    _options = ("minval", "maxval", "seed")

    def __init__(
        self, minval: Any = 0, maxval: Any = None, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, as_dtype(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random.random_uniform(shape, self.minval, self.maxval, dtype or self.dtype, seed=self.seed)


class _Normal(Initializer):
    _options = ("mean", "stddev", "seed")

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, floating(dtype)


class RandomNormal(_Normal):
    """Normal with ``mean`` and ``stddev``."""

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random.random_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


class TruncatedNormal(_Normal):
    """Normal, drawn again where it is more than two ``stddev`` from ``mean``."""

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        return random.truncated_normal(shape, self.mean, self.stddev, dtype or self.dtype, seed=self.seed)


class UniformUnitScaling(Initializer):
    """Uniform in ``±factor * sqrt(3 / n)``, n the product of all dimensions but the last."""

    _options = ("factor", "seed")

    def __init__(self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        self.factor, self.seed, self.dtype = factor, seed, floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = shape if partition_info is None else partition_info.full_shape
        limit = math.sqrt(3 / max(math.prod(float(n) for n in whole[:-1]), 1.0)) * self.factor
        return random.random_uniform(shape, -limit, limit, dtype or self.dtype, seed=self.seed)


class Draws(NamedTuple):
    """How random numbers are drawn: of a shape, between limits or with a mean and a deviation, of a dtype."""

    normal: Callable[..., Tensor]
    truncated_normal: Callable[..., Tensor]
    uniform: Callable[..., Tensor]


def draws(seed: int | None) -> Draws:
    """Numbers of the graph's streams."""
    functions = (random.random_normal, random.truncated_normal, random.random_uniform)
    return Draws(*(partial(function, seed=seed) for function in functions))


_TRUNCATED_STDDEV = 0.87962566103423978  # of a standard normal that is cut at two standard deviations


class VarianceScaling(Initializer):
    """Variance ``scale / n``, n by ``mode``: inputs (``fan_in``), outputs (``fan_out``) or their mean.

    ``distribution`` is ``truncated_normal`` (or ``normal``), ``untruncated_normal`` or ``uniform``.
    """

    _options: ClassVar[tuple[str, ...]] = ("scale", "mode", "distribution", "seed")

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError("`scale` must be positive float.")
        if mode not in {"fan_in", "fan_out", "fan_avg"}:
            raise ValueError("Invalid `mode` argument:", mode)
        distribution = distribution.lower()
        if distribution not in {"normal", "uniform", "truncated_normal", "untruncated_normal"}:
            raise ValueError("Invalid `distribution` argument:", distribution)
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed
        self.dtype = floating(dtype)

    def __call__(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
        whole = shape if partition_info is None else partition_info.full_shape
        return self.drawn(draws(self.seed), shape, whole, dtype or self.dtype)

    def drawn(self, draws: Draws, shape: Any, whole: Any, dtype: Any) -> Tensor:
        """A part of a variable whose shape is ``whole``."""
        fan_in, fan_out = fans(whole)
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[self.mode]
        variance = self.scale / max(1.0, count)
        if self.distribution in ("normal", "truncated_normal"):
            stddev = math.sqrt(variance) / _TRUNCATED_STDDEV
            return draws.truncated_normal(shape, 0.0, stddev, dtype)
        if self.distribution == "untruncated_normal":
            return draws.normal(shape, 0.0, math.sqrt(variance), dtype)
        limit = math.sqrt(3.0 * variance)
        return draws.uniform(shape, -limit, limit, dtype)


def fans(shape: Any) -> tuple[int, int]:
    """The number of inputs and of outputs of one unit of a layer whose weights have this shape."""
    sizes = [int(n) for n in shape]
    if len(sizes) < 2:
        return (sizes[0], sizes[0]) if sizes else (1, 1)
    field = math.prod(sizes[:-2])
    return sizes[-2] * field, sizes[-1] * field


class GlorotUniform(VarianceScaling):
    """Uniform with variance ``2 / (inputs + outputs)`` (Glorot and Bengio, 2010); also known as Xavier's."""

    _options: ClassVar[tuple[str, ...]] = ("seed",)

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed)


class GlorotNormal(VarianceScaling):
    """Truncated normal with variance ``2 / (inputs + outputs)``."""

    _options: ClassVar[tuple[str, ...]] = ("seed",)

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed)


def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal with variance ``1 / inputs``."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform with variance ``1 / inputs``."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


def he_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal with variance ``2 / inputs`` (He et al., 2015)."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform with variance ``2 / inputs``."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


zeros_initializer = Zeros
ones_initializer = Ones
constant_initializer = Constant
random_uniform_initializer = RandomUniform
random_normal_initializer = RandomNormal
truncated_normal_initializer = TruncatedNormal
uniform_unit_scaling_initializer = UniformUnitScaling
variance_scaling_initializer = VarianceScaling
glorot_uniform_initializer = GlorotUniform
glorot_normal_initializer = GlorotNormal
