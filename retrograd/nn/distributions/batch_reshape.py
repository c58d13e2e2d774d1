"""A distribution whose batch has another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value_as_shape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.distribution import Distribution
from retrograd.ops import arithmetic, arrays, checks, comparison, constants, joining, reductions, shape_checks


def _check_static(distribution: Distribution, batch_shape: Tensor) -> None:
    """Raise a ValueError for a shape that cannot be, as far as it is known."""
    if batch_shape.shape.ndims not in (None, 1):
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {batch_shape.shape.ndims}).")
    static = constant_value_as_shape(batch_shape)
    size, given = static.num_elements(), distribution.batch_shape.num_elements()
    if size is not None and given is not None and size != given:
        raise ValueError(f"`batch_shape` size ({size}) must match `distribution.batch_shape` size ({given}).")
    if static.ndims is not None and any(n is not None and n < 1 for n in static.as_list()):
        raise ValueError("`batch_shape` elements must be >=-1.")


def calculate_reshape(
    original_shape: Any, new_shape: Tensor, validate: bool = False, name: str | None = None
) -> tuple[Any, TensorShape, list[Any]]:
    """The new shape with its -1 worked out, what is known of it, and what must hold in a run."""
    static = constant_value_as_shape(new_shape)
    if static.is_fully_defined():
        return np.array(static.as_list(), np.int32), static, []
    with name_scope(name, "calculate_reshape", [original_shape, new_shape]):
        size = reductions.reduce_prod(original_shape)
        is_open = comparison.equal(new_shape, -1)
        rest = size // arithmetic.maximum(1, -reductions.reduce_prod(new_shape))
        expanded = comparison.where_v2(is_open, constants.fill(arrays.shape(new_shape), rest), new_shape)
        if not validate:
            return expanded, static, []
        conditions = [
            shape_checks.assert_rank(original_shape, 1, message="Original shape must be a vector."),
            shape_checks.assert_rank(new_shape, 1, message="New shape must be a vector."),
            checks.assert_less_equal(
                reductions.count_nonzero(is_open, dtype=dtypes.int32),
                1,
                message="At most one dimension can be unknown.",
            ),
            checks.assert_positive(expanded, message="Shape elements must be >=-1."),
            checks.assert_equal(reductions.reduce_prod(expanded), size, message="Shape sizes do not match."),
        ]
        return expanded, static, conditions


class BatchReshape(Distribution):
    """``distribution`` with its batch laid out as ``batch_shape``, of which one number may be -1.

    Raises:
      ValueError: the shapes hold different numbers of elements.
      NotImplementedError: by a function of a value that would have to be broadcast.
    """

    def __init__(
        self, distribution: Distribution, batch_shape: Any, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name or "BatchReshape" + distribution.name, values=[batch_shape]) as name:
            self._given = as_tensor(batch_shape, dtype=dtypes.int32, name="batch_shape")
            _check_static(distribution, self._given)
            self._expanded, self._static, self._conditions = calculate_reshape(
                distribution.batch_shape_tensor(), self._given, validate_args
            )
            self._distribution = distribution
            super().__init__(
                distribution.dtype, distribution.reparameterization_type, validate_args, allow_nan_stats, parameters,
                [self._given, *distribution._graph_parents], name,
            )  # fmt: skip

    @property
    def distribution(self) -> Distribution:
        return self._distribution

    def _batch_shape_tensor(self) -> Any:
        with control_dependencies(self._conditions):
            return arrays.identity(self._expanded)

    def _batch_shape(self) -> TensorShape:
        return self._static

    def _event_shape_tensor(self) -> Any:
        with control_dependencies(self._conditions):
            return arrays.identity(self.distribution.event_shape_tensor())

    def _event_shape(self) -> TensorShape:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        with control_dependencies(self._conditions):
            x = self.distribution.sample(sample_shape=n, seed=seed)
            return arrays.reshape(x, joining.concat([[n], self._given, self.event_shape_tensor()], axis=0))

    def _log_prob(self, x: Any) -> Any:
        return self._of_value(self.distribution.log_prob, x)

    def _prob(self, x: Any) -> Any:
        return self._of_value(self.distribution.prob, x)

    def _log_cdf(self, x: Any) -> Any:
        return self._of_value(self.distribution.log_cdf, x)

    def _cdf(self, x: Any) -> Any:
        return self._of_value(self.distribution.cdf, x)

    def _log_survival_function(self, x: Any) -> Any:
        return self._of_value(self.distribution.log_survival_function, x)

    def _survival_function(self, x: Any) -> Any:
        return self._of_value(self.distribution.survival_function, x)

    def _entropy(self) -> Any:
        return self._statistic(self.distribution.entropy, [], [TensorShape([])])

    def _mean(self) -> Any:
        return self._statistic(self.distribution.mean)

    def _mode(self) -> Any:
        return self._statistic(self.distribution.mode)

    def _stddev(self) -> Any:
        return self._statistic(self.distribution.stddev)

    def _variance(self) -> Any:
        return self._statistic(self.distribution.variance)

    def _covariance(self) -> Any:
        return self._statistic(self.distribution.covariance, [self.event_shape_tensor()] * 2, [self.event_shape] * 2)

    def _ranks(self, x: Any) -> tuple[Any, Any]:
        """The rank of ``x``, and that of a batch of events."""
        of_x = arrays.rank(x) if x.shape.ndims is None else x.shape.ndims
        known = self.event_shape.ndims
        of_event = arrays.size(self.event_shape_tensor()) if known is None else known
        known = self.batch_shape.ndims
        return of_x, (arrays.size(self._given) if known is None else known, of_event)

    def _sample_shape(self, x: Any) -> tuple[Any, TensorShape]:
        of_x, (of_batch, of_event) = self._ranks(x)
        rank = of_x - of_batch - of_event
        static = x.shape[:rank] if isinstance(rank, int) else TensorShape(None)
        return np.array(static.as_list(), np.int32) if static.is_fully_defined() else arrays.shape(x)[:rank], static

    def _of_value(self, rule: Callable[[Any], Any], x: Any) -> Any:
        """A function of a value, which gets the shape that the inner distribution knows."""
        with control_dependencies(self._conditions + self._value_conditions(x)):
            sample_shape, static = self._sample_shape(x)
            before = joining.concat(
                [sample_shape, self.distribution.batch_shape_tensor(), self.event_shape_tensor()], axis=0
            )  # fmt: skip
            result = rule(arrays.reshape(x, before))
            result = arrays.reshape(result, joining.concat([sample_shape, self._given], axis=0))
            if static.ndims is not None and self.batch_shape.ndims is not None:
                result.set_shape(result.shape.merge_with(static.concatenate(self.batch_shape)))
            return result

    def _statistic(self, rule: Callable[[], Any], events: Any = None, static_events: Any = None) -> Any:
        with control_dependencies(self._conditions):
            events = [self._event_shape_tensor()] if events is None else events
            static_events = [self.event_shape] if static_events is None else static_events
            shape = joining.concat([self._given, *events], axis=0)
            result = arrays.reshape(rule(), shape)
            if self.batch_shape.ndims is not None and self.event_shape.ndims is not None:
                static = self.batch_shape
                for event in static_events:
                    static = static.concatenate(event)
                result.set_shape(result.shape.merge_with(static))
            return result

    def _value_conditions(self, x: Any) -> list[Any]:
        """What must hold of the shape of ``x``, which is not broadcast."""
        wrong = "Broadcasting is not supported;"
        with name_scope("validate_sample_arg", values=[x]):
            of_x, (of_batch, of_event) = self._ranks(x)
            least = of_batch + of_event
            conditions = []
            if isinstance(of_x, int) and isinstance(least, int):
                if of_x < least:
                    few = f"{wrong} too few batch and event dims (expected at least {least}, saw {of_x})."
                    raise NotImplementedError(few)
            elif self.validate_args:
                conditions = [checks.assert_greater_equal(
                    of_x, least, message=f"{wrong} too few batch and event dims.",
                    name="assert_batch_and_event_ndims_large_enough",
                )]  # fmt: skip
            static = self.batch_shape.concatenate(self.event_shape)
            expected: Any = np.array(static.as_list(), np.int32) if static.is_fully_defined() else joining.concat(
                [self.batch_shape_tensor(), self.event_shape_tensor()], axis=0
            )  # fmt: skip
            rank = of_x - least
            if isinstance(rank, int):
                rank = max(rank, 0)
            if isinstance(rank, int) and x.shape[rank:].is_fully_defined():
                actual: Any = np.array(x.shape[rank:].as_list(), np.int32)
            else:
                rank = arithmetic.maximum(rank, 0)
                actual = arrays.shape(x)[rank:]
            if isinstance(expected, np.ndarray) and isinstance(actual, np.ndarray):
                if any(expected != actual):
                    unlike = f"{wrong} unexpected batch and event shape (expected {expected}, saw {actual})."
                    raise NotImplementedError(unlike)
                return conditions
            if not self.validate_args:
                return []
            with control_dependencies(conditions):
                return [checks.assert_equal(
                    expected, actual, message=f"{wrong} unexpected batch and event shape.",
                    name="assert_batch_and_event_shape_same",
                )]  # fmt: skip
