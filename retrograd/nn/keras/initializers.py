"""The initializers that layers accept by name; Keras has smaller random ones."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.nn.keras import lookup
from retrograd.nn.keras.lookup import described, found, named
from retrograd.state import initializers, orthogonal


class RandomNormal(initializers.RandomNormal):
    """Normal, by default with a standard deviation of 0.05."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


class TruncatedNormal(initializers.TruncatedNormal):
    """Normal within two standard deviations, by default of 0.05."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


class RandomUniform(initializers.RandomUniform):
    """Uniform, by default in [-0.05, 0.05)."""

    def __init__(
        self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(minval, maxval, seed, dtype)


_BY_NAME = {
    **{kind.__name__: kind for kind in (
        initializers.Constant, initializers.GlorotNormal, initializers.GlorotUniform, initializers.Ones,
        initializers.VarianceScaling, initializers.Zeros, orthogonal.Identity, orthogonal.Orthogonal, RandomNormal,
        RandomUniform, TruncatedNormal, initializers.he_normal, initializers.he_uniform, initializers.lecun_normal,
        initializers.lecun_uniform,
    )},
    "constant": initializers.Constant, "glorot_normal": initializers.GlorotNormal,
    "glorot_uniform": initializers.GlorotUniform, "identity": orthogonal.Identity, "one": initializers.Ones,
    "ones": initializers.Ones, "orthogonal": orthogonal.Orthogonal, "zero": initializers.Zeros,
    "zeros": initializers.Zeros, "normal": RandomNormal, "random_normal": RandomNormal, "uniform": RandomUniform,
    "random_uniform": RandomUniform, "truncated_normal": TruncatedNormal,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The initializer of this name or configuration, or the one given.

    Raises:
      ValueError: there is no initializer of this name, or it is none.
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        return named(identifier, _BY_NAME, "initializer")
    if isinstance(identifier, dict):
        return found(identifier, _BY_NAME, "initializer")
    raise ValueError(f"Could not interpret initializer identifier: {identifier}")


def serialize(initializer: Any) -> Any:
    """What makes the initializer again: its name, or its class and arguments."""
    return described(initializer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The initializer of a name or a configuration."""
    with lookup.custom_object_scope(custom_objects):
        return get(config)
