"""The distribution of a bijector's values."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, static
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.bijectors import Identity
from retrograd.nn.distributions.distribution import Distribution
from retrograd.nn.distributions.vectors import maybe_get_static_value, pick_vector
from retrograd.ops import (
    arrays,
    casts,
    checks,
    comparison,
    constants,
    exponentials,
    joining,
    permuting,
    reductions,
    repeating,
    shape_checks,
)
from retrograd.ops.control import with_dependencies


def _value(x: Any) -> Any:
    return constant_value(as_tensor(x))


def _all_of(*args: Any) -> Tensor:
    values = [_value(x) for x in args]
    if any(x is not None and not bool(x) for x in values):
        return constants.constant(False)
    if all(x is not None and bool(x) for x in values):
        return constants.constant(True)
    return comparison.logical_and(*args) if len(args) == 2 else reductions.reduce_all(args)


def _equal(x: Any, y: Any) -> Tensor:
    known = _value(x), _value(y)
    return (
        comparison.equal(x, y) if known[0] is None or known[1] is None else constants.constant(np.array_equal(*known))
    )


def _not(x: Any) -> Tensor:
    known = _value(x)
    return comparison.logical_not(x) if known is None else constants.constant(np.logical_not(known))


def _joined(*args: Any) -> Tensor:
    values = [_value(x) for x in args]
    if any(x is None for x in values):
        return joining.concat(args, 0)
    return constants.constant([x for vector in values for x in vector])


def _ones_like(x: Tensor) -> Tensor:
    return constants.ones(x.shape.as_list(), dtype=x.dtype) if x.shape.is_fully_defined() else constants.ones_like(x)


def _rank_of(shape: Tensor) -> Tensor:
    if shape.shape.ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    if not shape.dtype.is_integer:
        raise TypeError("input is not a valid shape: wrong dtype")
    if shape.shape.is_fully_defined():
        return constants.constant(shape.shape.as_list()[0])
    return arrays.shape(shape)[0]


class TransformedDistribution(Distribution):
    """``bijector(X)`` for X of ``distribution``, whose batch or event, if it is one number, may get another shape.

    ``log p(y) = log p_X(x) + log|det dx/dy|`` with ``x = bijector.inverse(y)``.

    Raises:
      ValueError: a shape is given, and what it replaces is none of one number.
    """

    def __init__(
        self,
        distribution: Any,
        bijector: Any = None,
        batch_shape: Any = None,
        event_shape: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        name = name or ("" if bijector is None else bijector.name) + distribution.name
        with name_scope(name, values=[event_shape, batch_shape]) as name:
            self._zero = constants.constant(0, dtype=dtypes.int32, name="zero")
            self._empty = constants.constant([], dtype=dtypes.int32, name="empty")
            if bijector is None:
                bijector = Identity(validate_args=validate_args)
            self._override_batch_shape = self._checked_shape(
                batch_shape, distribution.is_scalar_batch(), validate_args, "batch_shape"
            )
            self._is_batch_override = _not(_equal(_rank_of(self._override_batch_shape), self._zero))
            self._is_maybe_batch_override = _may_hold_some(self._override_batch_shape)
            self._override_event_shape = self._checked_shape(
                event_shape, distribution.is_scalar_event(), validate_args, "event_shape"
            )
            self._is_event_override = _not(_equal(_rank_of(self._override_event_shape), self._zero))
            self._is_maybe_event_override = _may_hold_some(self._override_event_shape)
            # draws of a batch get the axes of the event first: these are moved behind the batch
            self._needs_rotation = _all_of(
                self._is_event_override, _not(self._is_batch_override), _not(distribution.is_scalar_batch())
            )
            rank = _rank_of(self._override_event_shape)
            rotates = _value(self._needs_rotation)
            self._rotate_ndims = (
                comparison.where_v2(self._needs_rotation, rank, 0) if rotates is None else rank if rotates else 0
            )
            self._reduce_event_indices = constants.range_(self._rotate_ndims - rank, self._rotate_ndims)
        self._distribution = distribution
        self._bijector = bijector
        super().__init__(
            distribution.dtype, distribution.reparameterization_type, validate_args, distribution.allow_nan_stats,
            parameters, distribution._graph_parents + bijector.graph_parents, name,
        )  # fmt: skip

    @property
    def distribution(self) -> Any:
        """The distribution of what is mapped."""
        return self._distribution

    @property
    def bijector(self) -> Any:
        return self._bijector

    def _event_shape_tensor(self) -> Any:
        before = pick_vector(
            self._is_event_override, self._override_event_shape, self.distribution.event_shape_tensor()
        )
        return self.bijector.forward_event_shape_tensor(before)

    def _event_shape(self) -> Any:
        override = static.constant_value_as_shape(self._override_event_shape)
        return self.bijector.forward_event_shape(
            override if self._is_maybe_event_override else self.distribution.event_shape
        )

    def _batch_shape_tensor(self) -> Any:
        return pick_vector(self._is_batch_override, self._override_batch_shape, self.distribution.batch_shape_tensor())

    def _batch_shape(self) -> Any:
        override = static.constant_value_as_shape(self._override_batch_shape)
        return override if self._is_maybe_batch_override else self.distribution.batch_shape

    def _sample_n(self, n: Any, seed: int | None = None, **kwargs: Any) -> Any:
        sample_shape = _joined(
            pick_vector(self._needs_rotation, self._empty, [n]),
            self._override_batch_shape,
            self._override_event_shape,
            pick_vector(self._needs_rotation, [n], self._empty),
        )
        x = self.distribution.sample(sample_shape=sample_shape, seed=seed, **kwargs)
        return self._rotated(x)

    def _call_sample_n(self, sample_shape: Any, seed: int | None, name: str, **kwargs: Any) -> Any:
        """The bijector comes last, so that it remembers the draws and ``log_prob`` needs no inverse."""
        with self._name_scope(name, [sample_shape]):
            sample_shape = as_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            sample_shape, n = self._expand_sample_shape_to_vector(sample_shape, "sample_shape")
            x = self._sample_n(n, seed, **kwargs)
            batch_event_shape = arrays.shape(x)[1:]
            final_shape = joining.concat([sample_shape, batch_event_shape], 0)
            y = self._mapped(arrays.reshape(x, final_shape), **kwargs)
            return self._set_sample_static_shape(y, sample_shape)

    def _mapped(self, x: Any, **kwargs: Any) -> Any:
        return self.bijector.forward(x, **kwargs)

    def _fibers(self, y: Any) -> tuple[Any, Any, Any]:
        """Every ``x`` of ``y``, the log-determinants there, and the rank of an event."""
        x = self.bijector.inverse(y)
        event_ndims = self._event_ndims()
        return x, self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims), event_ndims

    def _log_prob(self, y: Any) -> Any:
        x, ildj, event_ndims = self._fibers(y)
        if self.bijector._is_injective:
            return self._log_prob_of_fiber(y, x, ildj, event_ndims)
        terms = [self._log_prob_of_fiber(y, a, b, event_ndims) for a, b in zip(x, ildj, strict=True)]
        return reductions.reduce_logsumexp(joining.stack(terms), axis=0)

    def _log_prob_of_fiber(self, y: Any, x: Any, ildj: Any, event_ndims: Any) -> Any:
        log_prob = self.distribution.log_prob(self._rotated(x, to_the_right=True))
        if self._is_maybe_event_override:
            log_prob = reductions.reduce_sum(log_prob, self._reduce_event_indices)
        log_prob += casts.cast(ildj, log_prob.dtype)
        return self._with_batch_shape(log_prob, y, event_ndims)

    def _prob(self, y: Any) -> Any:
        x, ildj, event_ndims = self._fibers(y)
        if self.bijector._is_injective:
            return self._prob_of_fiber(y, x, ildj, event_ndims)
        return sum(self._prob_of_fiber(y, a, b, event_ndims) for a, b in zip(x, ildj, strict=True))

    def _prob_of_fiber(self, y: Any, x: Any, ildj: Any, event_ndims: Any) -> Any:
        prob = self.distribution.prob(self._rotated(x, to_the_right=True))
        if self._is_maybe_event_override:
            prob = reductions.reduce_prod(prob, self._reduce_event_indices)
        prob *= exponentials.exp(casts.cast(ildj, prob.dtype))
        return self._with_batch_shape(prob, y, event_ndims)

    def _with_batch_shape(self, x: Any, y: Any, event_ndims: Any) -> Any:
        if self._is_maybe_event_override and isinstance(event_ndims, int):
            x.set_shape(
                repeating.broadcast_static_shape(y.shape.with_rank_at_least(1)[:-event_ndims], self.batch_shape)
            )
        return x

    def _log_cdf(self, y: Any) -> Any:
        self._require_same_events("log_cdf")
        return self.distribution.log_cdf(self.bijector.inverse(y))

    def _cdf(self, y: Any) -> Any:
        self._require_same_events("cdf")
        return self.distribution.cdf(self.bijector.inverse(y))

    def _log_survival_function(self, y: Any) -> Any:
        self._require_same_events("log_survival_function")
        return self.distribution.log_survival_function(self.bijector.inverse(y))

    def _survival_function(self, y: Any) -> Any:
        self._require_same_events("survival_function")
        return self.distribution.survival_function(self.bijector.inverse(y))

    def _quantile(self, value: Any) -> Any:
        self._require_same_events("quantile")
        return self.bijector.forward(self.distribution.quantile(value))

    def _require_same_events(self, method: str) -> None:
        if self._is_maybe_event_override:
            raise NotImplementedError(f"{method} is not implemented when overriding event_shape")
        if not self.bijector._is_injective:
            raise NotImplementedError(f"{method} is not implemented when bijector is not injective.")

    def _entropy(self) -> Any:
        """``entropy(X) - log|det dx/dy|``, for a constant determinant."""
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        if not self.bijector._is_injective:
            raise NotImplementedError("entropy is not implemented when bijector is not injective.")
        entropy = self.distribution.entropy()
        if self._is_maybe_event_override:
            entropy *= casts.cast(reductions.reduce_prod(self._override_event_shape), dtype=entropy.dtype.base_dtype)
        if self._is_maybe_batch_override:
            shape = joining.concat([_ones_like(self._override_batch_shape), self.distribution.batch_shape_tensor()], 0)
            entropy = arrays.reshape(entropy, shape)
            multiples = joining.concat(
                [self._override_batch_shape, _ones_like(self.distribution.batch_shape_tensor())], 0
            )
            entropy = repeating.tile(entropy, multiples)
        somewhere = constants.zeros(
            joining.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), self.dtype
        )
        rank = self.event_shape.ndims
        event_ndims = rank if rank is not None else arrays.size(self.event_shape_tensor())
        ildj = self.bijector.inverse_log_det_jacobian(somewhere, event_ndims=event_ndims)
        entropy -= casts.cast(ildj, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy

    def _checked_shape(self, shape: Any, is_scalar: Any, validate_args: bool, name: str) -> Tensor:
        """A shape that replaces one of rank 0; ``_empty`` for none."""
        shape = as_tensor([] if shape is None else shape, dtype=dtypes.int32, name=name)
        replaces_nothing = _equal(_rank_of(shape), 0)
        if constant_value(replaces_nothing):
            return self._empty
        conditions = []
        if shape.shape.ndims is not None:
            if shape.shape.ndims != 1:
                raise ValueError("shape override must be a vector")
        elif validate_args:
            conditions.append(shape_checks.assert_rank(shape, 1, message="shape override must be a vector"))
        known = constant_value(shape)
        if known is not None:
            if any(s <= 0 for s in known):
                raise ValueError("shape override must have positive elements")
        elif validate_args:
            conditions.append(checks.assert_positive(shape, message="shape override must have positive elements"))
        both = _all_of(_not(is_scalar), _not(replaces_nothing))
        if constant_value(both) is not None:
            if constant_value(both):
                raise ValueError("base distribution not scalar")
        elif validate_args:
            conditions.append(checks.assert_equal(both, False, message="base distribution not scalar"))
        return with_dependencies(conditions, shape) if conditions else shape

    def _rotated(self, x: Any, to_the_right: bool = False) -> Any:
        rotates = constant_value(self._needs_rotation)
        if rotates is not None and not rotates:
            return x
        rank = arrays.rank(x)
        n = rank - self._rotate_ndims if to_the_right else self._rotate_ndims
        return permuting.transpose(x, _joined(constants.range_(n, rank), constants.range_(0, n)))

    def _event_ndims(self) -> Any:
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        rank = arrays.size(self.event_shape_tensor())
        known = maybe_get_static_value(rank)
        return rank if known is None else known


def _may_hold_some(shape: Tensor) -> bool:
    known = constant_value(shape)
    return bool(known is None or known.size != 0)
