"""Gradient descent and Adagrad with proximal L1 and L2 penalties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import colocate_with
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, training
from retrograd.train.optimizer import Optimizer, cast, fused


def _prepare_strengths(self: Any) -> None:
    self._learning_rate_tensor = as_tensor(self._learning_rate, name="learning_rate")
    self._l1_regularization_strength_tensor = as_tensor(
        self._l1_regularization_strength, name="l1_regularization_strength"
    )
    self._l2_regularization_strength_tensor = as_tensor(
        self._l2_regularization_strength, name="l2_regularization_strength"
    )


def _strengths_behind_rate(self: Any, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
    strengths = (self._l1_regularization_strength_tensor, self._l2_regularization_strength_tensor)
    return [*(cast(x, dtype) for x in (self._learning_rate_tensor, *strengths)), *grad]


@fused
class ProximalGradientDescentOptimizer(Optimizer):
    """``var = shrink(var - r * gradient, r * l1) / (1 + r * l2)`` with r the learning rate."""

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    _prepare, _inputs = _prepare_strengths, _strengths_behind_rate

    def _ops(self) -> Any:
        return (
            training.apply_proximal_gradient_descent,
            training.sparse_apply_proximal_gradient_descent,
            training.resource_apply_proximal_gradient_descent,
            training.resource_sparse_apply_proximal_gradient_descent,
        )

    def _cells(self, var: Any) -> list[Any]:
        return []


@fused
class ProximalAdagradOptimizer(Optimizer):
    """``accum += gradient^2``, then the proximal step with r = learning_rate / sqrt(accum).

    Raises:
      ValueError: ``initial_accumulator_value`` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            with colocate_with(v):
                value = constants.constant(
                    self._initial_accumulator_value, shape=v.get_shape(), dtype=v.dtype.base_dtype
                )
            self._get_or_make_slot(v, value, "accumulator", self._name)

    _prepare, _inputs = _prepare_strengths, _strengths_behind_rate

    def _ops(self) -> Any:
        return (
            training.apply_proximal_adagrad,
            training.sparse_apply_proximal_adagrad,
            training.resource_apply_proximal_adagrad,
            training.resource_sparse_apply_proximal_adagrad,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [self.get_slot(var, "accumulator")]
