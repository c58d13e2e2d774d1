"""The Kumaraswamy distribution: P[X <= x] = 1 - (1 - x^a)^b for x from [0, 1].

Source: Kumaraswamy, "A generalized probability density function", 1980; order of nodes: TensorFlow 1.15.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.distributions.continuous import Uniform
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED
from retrograd.nn.distributions.skewed import broadcast_shape
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.ops import checks, comparison, constants, exponentials, joining, powers, special
from retrograd.ops.control import with_dependencies


class KumaraswamyBijector(Bijector):
    """``(1 - (1 - x)^(1/b))^(1/a)``: the inverse of the distribution's function."""

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
        name: str = "kumaraswamy",
    ) -> None:  # fmt: skip
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args

        def positive(x: Tensor) -> Tensor:
            if not validate_args:
                return x
            message = "Concentration parameter must be positive."
            return with_dependencies([checks.assert_positive(x, message=message)], x)

        with self._name_scope("init", values=[concentration1, concentration0]):
            self._concentration1 = positive(as_tensor(concentration1, name="concentration1"))
            self._concentration0 = positive(as_tensor(concentration0, name="concentration0"))
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def concentration1(self) -> Tensor:
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        return self._concentration0

    def _forward(self, x: Any) -> Any:
        inner = exponentials.exp(exponentials.log1p(-self._between(x)) / self.concentration0)
        return exponentials.exp(exponentials.log1p(-inner) / self.concentration1)

    def _inverse(self, y: Any) -> Any:
        y = self._between(y)
        return exponentials.exp(exponentials.log1p(-((1 - y**self.concentration1) ** self.concentration0)))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y, a, b = self._between(y), self.concentration1, self.concentration0
        return (
            exponentials.log(a)
            + exponentials.log(b)
            + (a - 1) * exponentials.log(y)
            + (b - 1) * exponentials.log1p(-(y**a))
        )

    def _between(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        one = constants.ones([], self.concentration0.dtype)
        conditions = [
            checks.assert_non_negative(x, message="sample must be non-negative"),
            checks.assert_less_equal(x, one, message="sample must be no larger than `1`."),
        ]
        return with_dependencies(conditions, x)


def _harmonic_number(x: Any) -> Any:
    one = constants.ones([], dtype=x.dtype)
    return special.digamma(x + one) - special.digamma(one)


class Kumaraswamy(TransformedDistribution):
    """``p(x) = a b x^(a-1) (1 - x^a)^(b-1)`` with a = ``concentration1`` and b = ``concentration0``."""

    def __init__(
        self, concentration1: Any = None, concentration0: Any = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Kumaraswamy",
    ) -> None:  # fmt: skip
        with name_scope(name, values=[concentration1, concentration0]) as name:
            concentration1 = as_tensor(concentration1, name="concentration1")
            concentration0 = as_tensor(concentration0, name="concentration0")
        dtype = concentration1.dtype
        zero, one = constants.zeros([], dtype=dtype), constants.ones([], dtype=dtype)
        super().__init__(
            Uniform(zero, one, allow_nan_stats=allow_nan_stats),
            KumaraswamyBijector(concentration1, concentration0, validate_args),
            broadcast_shape(concentration1, concentration0), name=name,
        )  # fmt: skip
        self._reparameterization_type = FULLY_REPARAMETERIZED

    @property
    def concentration1(self) -> Tensor:
        return self.bijector.concentration1  # type: ignore[no-any-return]

    @property
    def concentration0(self) -> Tensor:
        return self.bijector.concentration0  # type: ignore[no-any-return]

    def _entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        less = 1 - 1.0 / a
        return less + (1 - 1.0 / b) * _harmonic_number(b) + exponentials.log(a) + exponentials.log(b)

    def _moment(self, n: int) -> Any:
        """``E[X^n] = b B(1 + n/a, b)``."""
        total = self.concentration1 + self.concentration0
        a = constants.ones_like(total, dtype=self.dtype) * self.concentration1
        b = constants.ones_like(total, dtype=self.dtype) * self.concentration0
        arguments = joining.stack([1 + n / a, b], -1)
        return exponentials.exp(exponentials.log(b) + special.lbeta(arguments))

    def _mean(self) -> Any:
        return self._moment(1)

    def _variance(self) -> Any:
        return self._moment(2) - powers.square(self._moment(1))

    def _mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        mode = ((a - 1) / (a * b - 1)) ** (1.0 / a)
        if self.allow_nan_stats:
            value = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
            nan = constants.fill(self.batch_shape_tensor(), value, name="nan")
            return comparison.where_v2((a > 1.0) & (b > 1.0), mode, nan)
        conditions = [
            checks.assert_less(constants.ones([], dtype=x.dtype), x, message=f"Mode undefined for {word} <= 1.")
            for word, x in (("concentration1", a), ("concentration0", b))
        ]
        return with_dependencies(conditions, mode)
