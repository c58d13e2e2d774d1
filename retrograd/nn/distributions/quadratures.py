"""Mixtures over a grid: what weighs the grid follows from a normal distribution behind ``exp`` or a softmax.

The integral of f over a distribution is nearly the sum of ``probs[d] f(grid[d])``.  The grid lies between quantiles of
equal distance, or where the rule of Gauss and Hermite has it.
Source: TensorFlow 1.15.5's grids (which leave out quantiles 0 and 1), seeds, names and messages.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape, dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import gen_new_seed
from retrograd.nn.distributions.bijectors import SoftmaxCentered
from retrograd.nn.distributions.discrete import Categorical
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from retrograd.nn.distributions.normal import Normal
from retrograd.nn.distributions.trials import Poisson
from retrograd.nn.distributions.vectors import pad, pick_vector
from retrograd.ops import (
    arrays,
    casts,
    checks,
    constants,
    exponentials,
    grids,
    indexing,
    joining,
    permuting,
    reductions,
    repeating,
    rounding,
    shape_checks,
    softmax,
)
from retrograd.ops.control import with_dependencies
from retrograd.ops.variates import random_poisson


def joined(*vectors: Any) -> Any:
    """Vectors behind each other: a list where all of them are known."""
    known = [constant_value(as_tensor(v, dtypes.int32)) for v in vectors]
    if any(v is None for v in known):
        return joining.concat(vectors, axis=0)
    return [int(n) for v in known for n in v]


# -- grids -------------------------------------------------------------------------------------


def _gauss_hermite(dtype: Any, size: int) -> tuple[np.ndarray, Tensor]:
    """The points of the rule for a standard normal, and their weights, which add up to 1."""
    points, weights = np.polynomial.hermite.hermgauss(deg=size)
    weights = weights.astype(dtype.as_numpy_dtype)
    probs = as_tensor(weights / np.sum(weights), name="probs", dtype=dtype)
    return points.astype(dtype.as_numpy_dtype), probs


def _edges(normal: Normal, size: int) -> tuple[Tensor, Any]:
    """The quantiles of the normal that bound ``size`` cells, along a first axis, and how many axes are behind it."""
    rank: Any = normal.batch_shape.ndims
    if rank is None:
        rank = arrays.shape(normal.batch_shape_tensor())[0]
    levels = grids.linspace(constants.zeros([], dtype=normal.dtype), 1.0, size + 3)[1:-1]
    shape = joining.concat([[-1], constants.ones([rank], dtype=dtypes.int32)], axis=0)
    return normal.quantile(arrays.reshape(levels, shape)), rank


def _between(edges: Tensor, rank: Any) -> Tensor:
    """The middles of the cells, along the last axis."""
    edges = permuting.transpose(edges, joining.concat([constants.range_(1, 1 + rank), [0]], axis=0))
    return (edges[..., :-1] + edges[..., 1:]) / 2.0


def _equal_weights(size: int, dtype: Any) -> Tensor:
    return constants.fill([size], 1.0 / casts.cast(size, dtype))


def quadrature_scheme_lognormal_gauss_hermite(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(grid [..., d], probs [d]) of the rule of Gauss and Hermite for the logarithm of a log-normal number."""
    with name_scope(name, "vector_diffeomixture_quadrature_gauss_hermite", [loc, scale]):
        points, probs = _gauss_hermite(loc.dtype, quadrature_size)
        return loc[..., None] + np.sqrt(2.0) * scale[..., None] * points, probs


def quadrature_scheme_lognormal_quantiles(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(grid [..., d], probs [d]) between quantiles of a log-normal distribution."""
    with name_scope(name, "quadrature_scheme_lognormal_quantiles", [loc, scale]):
        normal = Normal(loc=loc, scale=scale)
        edges, rank = _edges(normal, quadrature_size)
        grid = _between(exponentials.exp(edges), rank)
        grid.set_shape(normal.batch_shape.concatenate([quadrature_size]))
        return grid, _equal_weights(quadrature_size, normal.dtype)


def _checked_parameter(param: Tensor, name: str, validate_args: bool) -> Tensor:
    """A parameter of a mixture of two: [..., 1]."""
    with name_scope(f"check_{name}", values=[param]):
        rank, needed = param.shape.ndims, []
        message = f"Mixing params must be a (batch of) vector; {name}.rank"
        if rank == 0:
            raise ValueError(f"{message}={rank} is not at least one.")
        if rank is None and validate_args:
            needed.append(shape_checks.assert_rank_at_least(param, 1, message=f"{message} is not at least one."))
        size = None if rank is None else dimension_value(param.shape[-1])
        message = f"Currently only bimixtures are supported; {name}.shape[-1]"
        if rank is not None and size != 1:
            raise NotImplementedError(f"{message}={size} is not 1.")
        if rank is None and validate_args:
            needed.append(checks.assert_equal(arrays.shape(param)[-1], 1, message=f"{message} is not 1."))
        return with_dependencies(needed, param) if needed else param


def _parameters(loc: Any, scale: Any, validate_args: bool) -> tuple[Tensor, Tensor]:
    loc = as_tensor(loc, name="normal_loc")
    scale = as_tensor(scale, dtype=loc.dtype.base_dtype, name="normal_scale")
    return loc, _checked_parameter(scale, "normal_scale", validate_args)


def quadrature_scheme_softmaxnormal_gauss_hermite(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(grid [..., 2, d], probs [d]) of the rule of Gauss and Hermite for the softmax of a normal number and 0.

    Raises:
      ValueError: the scale is a scalar.
      NotImplementedError: its last axis has another size than 1.
    """
    with name_scope(name, "quadrature_scheme_softmaxnormal_gauss_hermite", [normal_loc, normal_scale]):
        loc, scale = _parameters(normal_loc, normal_scale, validate_args)
        points, probs = _gauss_hermite(loc.dtype.base_dtype, quadrature_size)
        x = loc[..., None] + np.sqrt(2.0) * scale[..., None] * points
        return softmax.softmax(-pad(x, axis=-2, front=True), axis=-2), probs


def quadrature_scheme_softmaxnormal_quantiles(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """(grid [..., 2, d], probs [d]) between the softmax of quantiles of a normal number and 0.

    Raises:
      ValueError: the scale is a scalar.
      NotImplementedError: its last axis has another size than 1.
    """
    with name_scope(name, "softmax_normal_grid_and_probs", [normal_loc, normal_scale]):
        loc, scale = _parameters(normal_loc, normal_scale, validate_args)
        normal = Normal(loc=loc, scale=scale)
        edges, rank = _edges(normal, quadrature_size)
        grid = _between(SoftmaxCentered().forward(edges), rank)
        batch = normal.batch_shape.with_rank_at_least(1)
        before = dimension_value(batch[-1])
        grid.set_shape(batch[:-1].concatenate([None if before is None else before + 1, quadrature_size]))
        return grid, _equal_weights(quadrature_size, normal.dtype)


_EMPTY, _ALL = np.array([], np.int32), np.array([-1], np.int32)

# -- counts ------------------------------------------------------------------------------------


def flat_choices(choice: Categorical, n: Any, copies: Any, is_scalar_batch: Any, seed: Any) -> Tensor:
    """n draws of a choice for each member of a batch: [n], or [n, batch]."""
    ids = choice.sample(joined([n], copies), seed=seed)
    return arrays.reshape(ids, joined([n], pick_vector(is_scalar_batch, _EMPTY, _ALL)))


class PoissonLogNormalQuadratureCompound(Distribution):
    """Counts with a rate that is itself drawn: ``p(k) = sum(probs[d] Poisson(k | log_rate=grid[d]))``.

    Args:
      loc, scale: of the normal distribution behind the rate; scalars or batches.
      quadrature_size: how many points the grid has.
      quadrature_fn: a function of (loc, scale, quadrature_size, validate_args) that gives (grid, probs).

    Raises:
      TypeError: grid and probs have different dtypes.
    """

    def __init__(
        self, loc: Any, scale: Any, quadrature_size: int = 8,
        quadrature_fn: Any = quadrature_scheme_lognormal_quantiles, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "PoissonLogNormalQuadratureCompound",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            if loc is not None:
                loc = as_tensor(loc, name="loc")
            if scale is not None:
                scale = as_tensor(scale, dtype=None if loc is None else loc.dtype, name="scale")
            grid, probs = quadrature_fn(loc, scale, quadrature_size, validate_args)
            if grid.dtype.base_dtype != probs.dtype.base_dtype:
                raise TypeError(
                    f"Quadrature grid dtype ({grid.dtype.name}) does not match quadrature probs dtype "
                    f"({probs.dtype.name})."
                )
            shared: dict[str, Any] = {"validate_args": validate_args, "allow_nan_stats": allow_nan_stats}
            self._distribution = Poisson(log_rate=grid, **shared)
            self._mixture_distribution = Categorical(logits=exponentials.log(probs), **shared)
            self._loc, self._scale, self._quadrature_size = loc, scale, quadrature_size
            super().__init__(
                grid.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [loc, scale], name
            )

    mixture_distribution = property(lambda self: self._mixture_distribution, doc="Which point of the grid is chosen.")
    distribution = property(lambda self: self._distribution, doc="The Poisson distributions of the grid.")
    loc = property(lambda self: self._loc, doc="The mean of the rate's logarithm.")
    scale = property(lambda self: self._scale, doc="The deviation of the rate's logarithm.")
    quadrature_size = property(lambda self: self._quadrature_size, doc="How many points the grid has.")

    def _batch_shape_tensor(self) -> Any:
        logits = arrays.shape(self.mixture_distribution.logits)
        return repeating.broadcast_dynamic_shape(self.distribution.batch_shape_tensor(), logits)[:-1]

    def _batch_shape(self) -> TensorShape:
        return repeating.broadcast_static_shape(self.distribution.batch_shape, self.mixture_distribution.logits.shape)[
            :-1
        ]

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        size: Any = self.batch_shape.num_elements()
        if size is None:
            size = reductions.reduce_prod(self.batch_shape_tensor())
        choice = self.mixture_distribution
        copies = pick_vector(choice.is_scalar_batch(), [size], _EMPTY)
        drawn = gen_new_seed(seed, "poisson_lognormal_quadrature_compound")
        ids = flat_choices(choice, n, copies, self.is_scalar_batch(), drawn)
        ids += constants.range_(0, size * self._quadrature_size, self._quadrature_size, dtype=ids.dtype)
        rate = indexing.gather(arrays.reshape(self.distribution.rate, [-1]), ids)
        rate = arrays.reshape(rate, joined([n], self.batch_shape_tensor()))
        return random_poisson(rate, shape=[], dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Tensor:
        terms = self.mixture_distribution.logits + self.distribution.log_prob(x[..., None])
        return reductions.reduce_logsumexp(terms, axis=-1)

    def _mean(self) -> Tensor:
        terms = self.mixture_distribution.logits + self.distribution.log_rate
        return exponentials.exp(reductions.reduce_logsumexp(terms, axis=-1))

    def _log_variance(self) -> Tensor:
        """log of the sum of p (rate + (rate - mean)^2)."""
        off = exponentials.log(rounding.abs_(self.distribution.mean() - self._mean()[..., None]))
        terms = joining.stack([self.distribution.log_rate, 2.0 * off], axis=-1)
        return reductions.reduce_logsumexp(self.mixture_distribution.logits[..., None] + terms, axis=[-2, -1])

    def _variance(self) -> Tensor:
        return exponentials.exp(self._log_variance())

    def _stddev(self) -> Tensor:
        return exponentials.exp(0.5 * self._log_variance())
