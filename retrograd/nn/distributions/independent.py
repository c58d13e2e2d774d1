"""A batch of independent distributions as one distribution of a larger event."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape, dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.distribution import Distribution
from retrograd.nn.distributions.divergences import RegisterKL, kl_divergence
from retrograd.ops import arithmetic, arrays, checks, constants, joining, reductions


class Independent(Distribution):
    """``distribution`` with its last ``reinterpreted_batch_ndims`` axes of the batch counted to the event.

    ``log p(x)`` is the sum of the logarithms along these axes; by default they are all but the first.
    """

    def __init__(
        self,
        distribution: Any,
        reinterpreted_batch_ndims: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        self._distribution = distribution
        with name_scope(name or "Independent" + distribution.name) as name:
            if reinterpreted_batch_ndims is None:
                reinterpreted_batch_ndims = _all_but_one(distribution)
            moved = as_tensor(reinterpreted_batch_ndims, dtype=dtypes.int32, name="reinterpreted_batch_ndims")
            known = constant_value(moved)
            self._known = known
            self._reinterpreted_batch_ndims = moved if known is None else known
            super().__init__(
                distribution.dtype, distribution.reparameterization_type, validate_args,
                distribution.allow_nan_stats, parameters, [moved, *distribution._graph_parents], name,
            )  # fmt: skip
            self._runtime_assertions = self._enough_axes(moved)

    def _enough_axes(self, moved: Tensor) -> list[Any]:
        rank = self.distribution.batch_shape.ndims
        if rank is not None and self._known is not None:
            if self._known > rank:
                raise ValueError(
                    f"reinterpreted_batch_ndims({self._known}) cannot exceed distribution.batch_ndims({rank})"
                )
            return []
        if not self.validate_args:
            return []
        message = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
        rank = _length(self.distribution.batch_shape_tensor())
        return [checks.assert_less_equal(moved, rank, message=message)]

    @property
    def distribution(self) -> Any:
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> Any:
        return self._reinterpreted_batch_ndims

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            shape = self.distribution.batch_shape_tensor()
            return shape[: _length(shape) - self.reinterpreted_batch_ndims]

    def _batch_shape(self) -> TensorShape:
        shape = self.distribution.batch_shape
        if self._known is None or shape.ndims is None:
            return TensorShape(None)
        return shape[: shape.ndims - self._known]

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            shape = self.distribution.batch_shape_tensor()
            moved = shape[_length(shape) - self.reinterpreted_batch_ndims :]
            return joining.concat([moved, self.distribution.event_shape_tensor()], axis=0)

    def _event_shape(self) -> TensorShape:
        shape = self.distribution.batch_shape
        if self._known is None or shape.ndims is None:
            return TensorShape(None)
        return shape[shape.ndims - self._known :].concatenate(self.distribution.event_shape)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x: Any) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self._sum(self.distribution.log_prob(x))

    def _entropy(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self._sum(self.distribution.entropy())

    def _mean(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.mean()

    def _variance(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.variance()

    def _stddev(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.stddev()

    def _mode(self) -> Tensor:
        with control_dependencies(self._runtime_assertions):
            return self.distribution.mode()

    def _sum(self, statistic: Tensor) -> Tensor:
        if self._known is None:
            return reductions.reduce_sum(statistic, axis=-1 - constants.range_(self._reinterpreted_batch_ndims))
        return reductions.reduce_sum(statistic, axis=-1 - np.arange(self._known))


def _length(shape: Any) -> Any:
    known = dimension_value(shape.shape.with_rank_at_least(1)[0])
    return arrays.shape(shape)[0] if known is None else known


def _all_but_one(distribution: Any) -> Any:
    rank = distribution.batch_shape.ndims
    if rank is None:
        return arithmetic.maximum(0, arrays.shape(distribution.batch_shape_tensor())[0] - 1)
    return np.maximum(0, rank - 1)


@RegisterKL(Independent, Independent)
def _kl_independent(a: Independent, b: Independent, name: str = "kl_independent") -> Tensor:
    """The sum of the divergences along the axes that count to the event."""
    p, q = a.distribution, b.distribution
    if a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined():
        if a.event_shape != b.event_shape:
            raise ValueError("Event shapes do not match.")
        if p.event_shape != q.event_shape:
            raise NotImplementedError("KL between Independents with different event shapes not supported.")
        axes: Any = [-i - 1 for i in range(a.event_shape.ndims - p.event_shape.ndims)]
        return reductions.reduce_sum(kl_divergence(p, q, name=name), axis=axes)
    same = [
        checks.assert_equal(a.event_shape_tensor(), b.event_shape_tensor()),
        checks.assert_equal(p.event_shape_tensor(), q.event_shape_tensor()),
    ]
    with control_dependencies(same):
        count = arrays.shape(a.event_shape_tensor())[0] - arrays.shape(p.event_shape_tensor())[0]
        axes = constants.range_(-count, 0, 1)
        return reductions.reduce_sum(kl_divergence(p, q, name=name), axis=axes)
