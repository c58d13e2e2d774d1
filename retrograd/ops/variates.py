"""Random tensors of the gamma, Poisson and bounded normal distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    constants,
    draws,
    joining,
    kinds,
    reductions,
    rejection,
    shape_rules,
    special_values,
)
from retrograd.ops.random import SEEDS, of_shape, seed_attrs, shape_tensor, wanted_dims


def _of_shape_and(shape: Tensor, parameter: Tensor) -> RawShape:
    """``shape`` samples of each parameter: the shapes one after the other."""
    samples = of_shape(shape)
    return None if samples is None or parameter.dims is None else (*samples, *parameter.dims)


# -- gamma -------------------------------------------------------------------------------------


def _gamma(xp: Any, stream: Any, shape: Any, alpha: Any) -> Any:
    dims, alpha = wanted_dims(shape), np.asarray(alpha)
    key, counter = stream.take(xp, draws.blocks_per_fill(math.prod(dims) * alpha.size))
    return rejection.gamma(key, counter, dims, alpha)


def add_leading_unit_dimensions(x: Any, num_dimensions: Any) -> Tensor:
    """``x`` with ``num_dimensions`` dimensions of size 1 put in front."""
    ones = constants.ones([num_dimensions], dtypes.int32)
    return arrays.reshape(x, joining.concat([ones, arrays.shape(x)], axis=0))


def _gamma_gradient(op: Any, dy: Any) -> list[Any]:
    """dalpha = sum over the samples of dy * dy/dalpha."""
    shape, alpha = op.inputs
    with control_dependencies([dy]):
        n_sample_dims = arrays.shape(shape)[0]
        slope = apply(RANDOM_GAMMA_GRAD, add_leading_unit_dimensions(alpha, n_sample_dims), op.outputs[0])
        return [None, reductions.reduce_sum(dy * slope, axis=constants.range_(n_sample_dims))]


RANDOM_GAMMA = define(
    "RandomGamma", "shape: S, alpha: T", "output: T", attrs=SEEDS,
    types={"S": kinds.INDEX, "T": (dtypes.float16, dtypes.float32, dtypes.float64)}, static=("shape",),
    shape=_of_shape_and, kernel=_gamma, effect=Effect.RANDOM, gradient=_gamma_gradient,
)  # fmt: skip


def _gamma_slope(xp: Any, alpha: Any, sample: Any) -> Any:
    """dx/da = -(dP(a, x)/da) / p(a, x), P the distribution and p = x^(a-1) e^-x / gamma(a) its density."""
    if xp is not np:
        from jax.scipy.special import gammaln

        from retrograd.ops import incomplete_gamma

        a, x = xp.broadcast_arrays(alpha, sample)
        return -incomplete_gamma.grad_a(a, x) * xp.exp(x + gammaln(a) - (a - 1) * xp.log(x))
    a, x = np.broadcast_arrays(np.float64(alpha), np.float64(sample))
    log_density = (a - 1) * np.log(x) - x - special_values.lgamma(a)
    slope = -special_values.igamma_grad_a(a, x) * np.exp(-log_density)
    return slope.astype(np.asarray(sample).dtype)


RANDOM_GAMMA_GRAD = define(
    "RandomGammaGrad", "alpha: T, sample: T", "output: T", types={"T": (dtypes.float32, dtypes.float64)},
    shape=shape_rules.broadcast, kernel=_gamma_slope,
)  # fmt: skip


def random_gamma(
    shape: Any, alpha: Any, beta: Any = None, dtype: Any = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """``shape`` samples of the gamma distribution for each pair of ``alpha`` and inverse scale ``beta`` (1).

    Derivatives flow to both parameters.
    """
    with name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = as_tensor(shape, dtypes.int32, name="shape")
        alpha = as_tensor(alpha, dtype, name="alpha")
        beta = as_tensor(1 if beta is None else beta, dtype, name="beta")
        alpha = alpha + constants.zeros_like(beta)
        smallest = np.finfo(alpha.dtype.np).tiny
        draws = apply(RANDOM_GAMMA, shape, alpha, **seed_attrs(seed))
        return arithmetic.maximum(smallest, draws / beta)


# -- Poisson -----------------------------------------------------------------------------------


def _poisson(xp: Any, stream: Any, shape: Any, rate: Any, *, dtype: DType) -> Any:
    dims, rate = wanted_dims(shape), np.asarray(rate)
    key, counter = stream.take(xp, draws.blocks_per_fill(math.prod(dims) * rate.size))
    return rejection.poisson(key, counter, dims, rate, dtype.np)


_POISSON_TYPES = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)

RANDOM_POISSON = define(
    "RandomPoissonV2", "shape: S, rate: R", "output: dtype",
    attrs={"R": dtypes.float64, **SEEDS, "dtype": dtypes.int64},
    types={"S": kinds.INDEX, "R": _POISSON_TYPES, "dtype": _POISSON_TYPES}, static=("shape",),
    shape=_of_shape_and, kernel=_poisson, effect=Effect.RANDOM,
)  # fmt: skip


def random_poisson_v2(
    shape: Any, lam: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None
) -> Tensor:
    """``shape`` samples of the Poisson distribution for each rate ``lam``."""
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = as_tensor(shape, dtypes.int32, name="shape")
        return apply(RANDOM_POISSON, shape, lam, dtype=as_dtype(dtype), **seed_attrs(seed))


def random_poisson(
    lam: Any, shape: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None
) -> Tensor:
    """``random_poisson_v2`` with the arguments in the old order."""
    return random_poisson_v2(shape, lam, dtype, seed, name)


# -- normal within bounds ----------------------------------------------------------------------


def _of_shape_within(shape: Tensor, *parameters: Tensor) -> RawShape:
    dims = of_shape(shape)
    for parameter in parameters:
        if parameter.dims is not None and len(parameter.dims) > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {len(parameter.dims)}")
    return dims


_PARAMETERS = ("means", "stddevs", "minvals", "maxvals")


def _bounded_normal(xp: Any, stream: Any, shape: Any, *parameters: Any) -> Any:
    dims = wanted_dims(shape)
    arrays_ = [np.asarray(p) for p in parameters]
    for name, array in zip(_PARAMETERS, arrays_, strict=True):
        if array.ndim and array.size != 1 and array.shape != dims[:1]:
            raise errors.InvalidArgumentError(
                None, None,
                f"Input {name} should have length 1 or shape[0], got shape: {shapes.shape_text(array.shape)}",
            )  # fmt: skip
    if not math.prod(dims):
        return np.zeros(dims, arrays_[0].dtype)
    mean, stddev, low, high = arrays_
    finite = np.isfinite(low) | np.isfinite(high)
    if not np.all((stddev > 0) & (low < high) & finite):
        raise errors.InvalidArgumentError(None, None, "Invalid parameters")
    key, counter = stream.take(xp, rejection.blocks_per_parameterized(dims, mean, stddev, low, high))
    values = rejection.parameterized_truncated_normal(key, counter, dims, mean, stddev, low, high)
    if np.isnan(values).any():
        raise errors.InternalError(
            None,
            None,
            "TruncatedNormal exponential distribution rejection sampler failed to accept a sample.",
        )
    return values


PARAMETERIZED_TRUNCATED_NORMAL = define(
    "ParameterizedTruncatedNormal",
    "shape: T, means: dtype, stdevs: dtype, minvals: dtype, maxvals: dtype", "output: dtype",
    attrs={"dtype": REQUIRED, **SEEDS}, types={"T": kinds.INDEX, "dtype": kinds.FLOATING}, static=("shape",),
    shape=_of_shape_within, kernel=_bounded_normal, effect=Effect.RANDOM, gradient=not_differentiable,
)  # fmt: skip


def parameterized_truncated_normal(
    shape: Any, means: Any = 0.0, stddevs: Any = 1.0, minvals: Any = -2.0, maxvals: Any = 2.0,
    dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal numbers within ``[minvals, maxvals]``; the parameters are scalars, or one for each row."""
    with name_scope(name, "parameterized_truncated_normal", [shape, means, stddevs, minvals, maxvals]):
        shape = shape_tensor(shape)
        values = (means, stddevs, minvals, maxvals)
        tensors = [as_tensor(v, dtype, name=n) for v, n in zip(values, _PARAMETERS, strict=True)]
        return apply(PARAMETERIZED_TRUNCATED_NORMAL, shape, *tensors, dtype=as_dtype(dtype), **seed_attrs(seed))
