"""Follow the regularized leader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import colocate_with
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, training
from retrograd.train.optimizer import Optimizer, cast, fused


@fused
class FtrlOptimizer(Optimizer):
    """The weights that would have been best so far, with L1 and L2 penalties on them.

    With n the sum of squared gradients and p = ``-learning_rate_power``,
    ``linear += gradient - (n_new^p - n^p) / learning_rate * var;
    var = (sign(linear) * l1 - linear) / (n^p / learning_rate + 2 * l2)`` where ``|linear| > l1``, else 0.
    ``l2_shrinkage_regularization_strength`` s adds ``2 * s * var`` to the gradient of the linear term.

    Raises:
      ValueError: a strength or the initial accumulator is negative, or the power is positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
    ) -> None:
        super().__init__(use_locking, name)
        _check_not_negative("initial_accumulator_value", initial_accumulator_value)
        if learning_rate_power > 0.0:
            raise ValueError(f"learning_rate_power {learning_rate_power:f} needs to be negative or zero")
        _check_not_negative("l1_regularization_strength", l1_regularization_strength)
        _check_not_negative("l2_regularization_strength", l2_regularization_strength)
        _check_not_negative("l2_shrinkage_regularization_strength", l2_shrinkage_regularization_strength)
        self._learning_rate = learning_rate
        self._learning_rate_power = learning_rate_power
        self._initial_accumulator_value = initial_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._l2_shrinkage_regularization_strength = l2_shrinkage_regularization_strength
        self._accum_name = accum_name
        self._linear_name = linear_name
        self._learning_rate_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            with colocate_with(v):
                accum = constants.constant(
                    self._initial_accumulator_value, dtype=v.dtype.base_dtype, shape=v.get_shape()
                )
            self._get_or_make_slot(v, accum, "accum", self._accum_name or self._name)
            self._zeros_slot(v, "linear", self._linear_name or self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = as_tensor(self._learning_rate, name="learning_rate")
        self._l1_regularization_strength_tensor = as_tensor(
            self._l1_regularization_strength, name="l1_regularization_strength"
        )
        self._l2_regularization_strength_tensor = as_tensor(
            self._l2_regularization_strength, name="l2_regularization_strength"
        )
        self._l2_shrinkage_regularization_strength_tensor = as_tensor(
            self._l2_shrinkage_regularization_strength, name="l2_shrinkage_regularization_strength"
        )
        self._learning_rate_power_tensor = as_tensor(self._learning_rate_power, name="learning_rate_power")

    def _shrinks(self) -> bool:
        return self._l2_shrinkage_regularization_strength > 0.0

    def _ops(self) -> Any:
        if self._shrinks():
            return (
                training.apply_ftrl_v2,
                training.sparse_apply_ftrl_v2,
                training.resource_apply_ftrl_v2,
                training.resource_sparse_apply_ftrl_v2,
            )
        return (
            training.apply_ftrl,
            training.sparse_apply_ftrl,
            training.resource_apply_ftrl,
            training.resource_sparse_apply_ftrl,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [self.get_slot(var, "accum"), self.get_slot(var, "linear")]

    def _inputs(self, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
        tensors = [
            self._learning_rate_tensor,
            self._l1_regularization_strength_tensor,
            self._l2_regularization_strength_tensor,
            *([self._l2_shrinkage_regularization_strength_tensor] if self._shrinks() else []),
            self._learning_rate_power_tensor,
        ]
        return [*grad, *(cast(x, dtype) for x in tensors)]


def _check_not_negative(name: str, value: float) -> None:
    if value < 0.0:
        raise ValueError(f"{name} {value:f} needs to be positive or zero")
