"""Distributions whose draws are all the same: one number, or one vector."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from retrograd.ops import (
    arrays,
    casts,
    checks,
    constants,
    indexing,
    joining,
    reductions,
    repeating,
    rounding,
    shape_checks,
)
from retrograd.ops.control import with_dependencies


class _Always(Distribution):
    """Every draw is ``loc``; a value counts as it within ``atol + rtol * |loc|``."""

    def __init__(
        self, loc: Any, atol: Any, rtol: Any, is_vector: bool, validate_args: bool, allow_nan_stats: bool, name: str
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[loc, atol, rtol]) as name:
            loc = as_tensor(loc, name="loc")
            if is_vector and validate_args:
                message = "Argument loc must be at least rank 1."
                if loc.shape.ndims is None:
                    loc = with_dependencies([shape_checks.assert_rank_at_least(loc, 1, message=message)], loc)
                elif loc.shape.ndims < 1:
                    raise ValueError(message)
            self._loc = loc
            super().__init__(loc.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [loc], name)
            self._atol = self._tolerance(atol)
            self._rtol = self._tolerance(rtol)
            self._slack = self.atol if rtol is None else self.atol + self.rtol * rounding.abs_(self.loc)

    def _tolerance(self, tolerance: Any) -> Tensor:
        if tolerance is None:
            return as_tensor(0, dtype=self.loc.dtype)
        tolerance = as_tensor(tolerance, dtype=self.loc.dtype)
        if self.validate_args:
            message = "Argument 'tol' must be non-negative"
            tolerance = with_dependencies([checks.assert_non_negative(tolerance, message=message)], tolerance)
        return tolerance

    @property
    def loc(self) -> Tensor:
        return self._loc

    @property
    def atol(self) -> Tensor:
        return self._atol

    @property
    def rtol(self) -> Tensor:
        return self._rtol

    def _entropy(self) -> Tensor:
        return constants.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self) -> Tensor:
        return arrays.identity(self.loc)

    def _variance(self) -> Tensor:
        return constants.zeros_like(self.loc)

    def _mode(self) -> Tensor:
        return self.mean()

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        known = constant_value(as_tensor(n))
        multiples: Any
        if known is not None and self.loc.shape.ndims is not None:
            multiples = [known, *[1] * self.loc.shape.ndims]
        else:
            multiples = joining.concat(([n], constants.ones_like(arrays.shape(self.loc))), axis=0)
        return repeating.tile(self.loc[None, ...], multiples=multiples)


class Deterministic(_Always):
    """Every draw is the number ``loc``; a value counts as it within ``atol + rtol * |loc|``."""

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:
        super().__init__(loc, atol, rtol, False, validate_args, allow_nan_stats, name)

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.loc)

    def _batch_shape(self) -> TensorShape:
        return self.loc.shape

    def _event_shape_tensor(self) -> Tensor:
        return constants.constant([], dtype=dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])

    def _prob(self, x: Any) -> Tensor:
        return casts.cast(rounding.abs_(x - self.loc) <= self._slack, dtype=self.dtype)

    def _cdf(self, x: Any) -> Tensor:
        return casts.cast(x >= self.loc - self._slack, dtype=self.dtype)


class VectorDeterministic(_Always):
    """Every draw is the vector ``loc``; a value counts as it if every element does."""

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorDeterministic",
    ) -> None:
        super().__init__(loc, atol, rtol, True, validate_args, allow_nan_stats, name)

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.loc)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.loc.shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return arrays.shape(self.loc)[-1]

    def _event_shape(self) -> TensorShape:
        return self.loc.shape[-1:]

    def _prob(self, x: Any) -> Tensor:
        if self.validate_args:
            is_vector = shape_checks.assert_rank_at_least(x, 1)
            fits = checks.assert_equal(
                self.event_shape_tensor(),
                indexing.gather(arrays.shape(x), arrays.rank(x) - 1),
                message="Argument 'x' not defined in the same space R^k as this distribution",
            )
            with control_dependencies([is_vector]), control_dependencies([fits]):
                x = arrays.identity(x)
        is_near = rounding.abs_(x - self.loc) <= self._slack
        return casts.cast(reductions.reduce_all(is_near, axis=-1), dtype=self.dtype)
