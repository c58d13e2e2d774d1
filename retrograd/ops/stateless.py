"""Random tensors that follow from a seed given as a tensor: the same seed, the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import draws, kinds, philox, shape_rules
from retrograd.ops.random import (
    check_bounds,
    check_samples,
    check_uniform,
    of_samples,
    of_shape,
    of_shape_between,
    scaled,
    shape_tensor,
    wanted_dims,
)


def _check_seed(seed: Tensor) -> None:
    (length,) = shape_rules.with_rank(seed, 1)
    if length not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {length}")


def _filled(shape: Tensor, seed: Tensor) -> RawShape:
    _check_seed(seed)
    return of_shape(shape)


def _filling(name: str, draw: Callable[..., Any]) -> OpDef:
    """An op that fills ``shape`` with standard variates: ``draw(xp, key, counter, dims, dtype)``."""

    def kernel(xp: Any, shape: Any, seed: Any, *, dtype: DType) -> Any:
        return draw(xp, *philox.stateless_stream(xp, seed), wanted_dims(shape), dtype.np)

    return define(
        name, "shape: T, seed: Tseed", "output: dtype",
        attrs={"dtype": dtypes.float32, "T": dtypes.int32, "Tseed": dtypes.int64},
        types={"T": kinds.INDEX, "Tseed": kinds.INDEX, "dtype": kinds.FLOATING}, static=("shape",),
        shape=_filled, kernel=kernel, gradient=not_differentiable,
        ranks={"seed": "[2]: seed must have shape [2], not {}"},
    )  # fmt: skip


STATELESS_RANDOM_UNIFORM = _filling("StatelessRandomUniform", draws.uniform)
STATELESS_RANDOM_NORMAL = _filling("StatelessRandomNormal", draws.normal)
STATELESS_TRUNCATED_NORMAL = _filling("StatelessTruncatedNormal", draws.truncated_normal)


def _filled_between(shape: Tensor, seed: Tensor, minval: Tensor, maxval: Tensor) -> RawShape:
    _check_seed(seed)
    return of_shape_between(shape, minval, maxval)


def _uniform_int(xp: Any, shape: Any, seed: Any, minval: Any, maxval: Any, *, dtype: DType) -> Any:
    dims = wanted_dims(shape)
    check_bounds(xp, dims, minval, maxval)
    return draws.uniform_int(xp, *philox.stateless_stream(xp, seed), dims, dtype.np, minval, maxval)


STATELESS_RANDOM_UNIFORM_INT = define(
    "StatelessRandomUniformInt", "shape: T, seed: Tseed, minval: dtype, maxval: dtype", "output: dtype",
    attrs={"T": dtypes.int32, "Tseed": dtypes.int64},
    types={"T": kinds.INDEX, "Tseed": kinds.INDEX, "dtype": kinds.INDEX}, static=("shape",),
    shape=_filled_between, kernel=_uniform_int, gradient=not_differentiable,
)  # fmt: skip


def stateless_random_uniform(
    shape: Any, seed: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Uniform numbers in [minval, maxval) that follow from ``seed``, two integers."""
    dtype = as_dtype(dtype)
    check_uniform(dtype, maxval)
    with name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as name:
        shape = shape_tensor(shape)
        minval = as_tensor(minval, dtype, name="min")
        maxval = as_tensor(1 if maxval is None else maxval, dtype, name="max")
        if dtype.is_integer:
            return apply(STATELESS_RANDOM_UNIFORM_INT, shape, seed, minval, maxval, name=name)
        draws = apply(STATELESS_RANDOM_UNIFORM, shape, seed, dtype=dtype)
        return scaled(draws, maxval - minval, minval, name)


def _normal(
    definition: OpDef, default_name: str, shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any,
    name: str | None,
) -> Tensor:  # fmt: skip
    with name_scope(name, default_name, [shape, seed, mean, stddev]) as name:
        shape = shape_tensor(shape)
        mean = as_tensor(mean, dtype, name="mean")
        stddev = as_tensor(stddev, dtype, name="stddev")
        return scaled(apply(definition, shape, seed, dtype=as_dtype(dtype)), stddev, mean, name)


def stateless_random_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal numbers that follow from ``seed``, two integers."""
    return _normal(STATELESS_RANDOM_NORMAL, "stateless_random_normal", shape, seed, mean, stddev, dtype, name)


def stateless_truncated_normal(
    shape: Any, seed: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal numbers within two deviations of the mean that follow from ``seed``, two integers."""
    return _normal(STATELESS_TRUNCATED_NORMAL, "stateless_truncated_normal", shape, seed, mean, stddev, dtype, name)


def _samples_shape(logits: Tensor, num_samples: Tensor, seed: Tensor) -> RawShape:
    _check_seed(seed)
    return of_samples(logits, num_samples)


def _multinomial(xp: Any, logits: Any, num_samples: Any, seed: Any, *, output_dtype: DType) -> Any:
    count = check_samples(logits, num_samples)
    key, counter = philox.stateless_stream(xp, seed)
    return draws.multinomial(xp, key, counter, logits, count, output_dtype.np)


STATELESS_MULTINOMIAL = define(
    "StatelessMultinomial", "logits: T, num_samples: int32, seed: Tseed", "output: output_dtype",
    attrs={"output_dtype": dtypes.int64, "Tseed": dtypes.int64},
    ranks={"seed": "[2]: seed must have shape [2], not {}"},
    types={"T": kinds.REAL, "Tseed": kinds.INDEX, "output_dtype": kinds.INDEX}, static=("num_samples",),
    shape=_samples_shape, kernel=_multinomial, gradient=not_differentiable,
)  # fmt: skip


def _samples(logits: Any, num_samples: Any, seed: Any, dtype: Any) -> Tensor:
    dtype = dtypes.int64 if dtype is None else as_dtype(dtype)
    logits = as_tensor(logits, name="logits")
    return apply(STATELESS_MULTINOMIAL, logits, num_samples, seed, output_dtype=dtype)


def stateless_multinomial(
    logits: Any, num_samples: Any, seed: Any, output_dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """``num_samples`` classes for each row of ``logits`` that follow from ``seed``, two integers."""
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        return _samples(logits, num_samples, seed, output_dtype)


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """``num_samples`` classes for each row of ``logits`` that follow from ``seed``, two integers."""
    with name_scope(name, "stateless_categorical", [logits, seed]):
        return _samples(logits, num_samples, seed, dtype)
