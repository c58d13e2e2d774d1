"""Adagrad, and Adagrad by dual averaging."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import colocate_with, device
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, training
from retrograd.state import initializers
from retrograd.train.optimizer import Optimizer, cast, fused


@fused
class AdagradOptimizer(Optimizer):
    """``accum += gradient^2;  var -= learning_rate * gradient / sqrt(accum)``.

    Raises:
      ValueError: ``initial_accumulator_value`` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_accumulator_value = initial_accumulator_value
        self._learning_rate_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            shape, dtype = v.get_shape(), v.dtype.base_dtype
            if shape.is_fully_defined():
                initial: Any = initializers.constant_initializer(self._initial_accumulator_value, dtype=dtype)
            else:
                initial = self._filled_like(v)
            self._get_or_make_slot_with_initializer(v, initial, shape, dtype, "accumulator", self._name)

    def _filled_like(self, v: Any) -> Any:
        def initial() -> Any:
            return casts.cast(constants.fill(arrays.shape(v), self._initial_accumulator_value), v.dtype.base_dtype)

        return initial

    def _prepare(self) -> None:
        self._learning_rate_tensor = as_tensor(self._call_if_callable(self._learning_rate), name="learning_rate")

    def _ops(self) -> Any:
        return (
            training.apply_adagrad,
            training.sparse_apply_adagrad,
            training.resource_apply_adagrad,
            training.resource_sparse_apply_adagrad,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [self.get_slot(var, "accumulator")]

    def _inputs(self, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
        return [cast(self._learning_rate_tensor, dtype), *grad]


class RegAdagradOptimizer(AdagradOptimizer):
    """Adagrad whose accumulators stay as they are in a block of ``avoid_updating_slots``."""

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "RegAdagrad",
    ) -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._should_update_slots = True

    @contextmanager
    def avoid_updating_slots(self) -> Iterator[None]:
        """Steps that are built in the block leave the accumulators alone."""
        outer, self._should_update_slots = self._should_update_slots, False
        try:
            yield
        finally:
            self._should_update_slots = outer

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking, "update_slots": self._should_update_slots}


@fused
class AdagradDAOptimizer(Optimizer):
    """Adagrad by dual averaging, which keeps the weights of linear models sparse.

    With G the sum of the gradients, S that of their squares and t the step,
    ``var = -learning_rate * shrink(G, l1 * t) / (l2 * t * learning_rate + sqrt(S))``.

    Raises:
      ValueError: ``initial_gradient_squared_accumulator_value`` is not positive.
    """

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        if initial_gradient_squared_accumulator_value <= 0.0:
            raise ValueError(
                "initial_gradient_squared_accumulator_value must be positive: "
                f"{initial_gradient_squared_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._initial_gradient_squared_accumulator_value = initial_gradient_squared_accumulator_value
        self._l1_regularization_strength = l1_regularization_strength
        self._l2_regularization_strength = l2_regularization_strength
        self._global_step = global_step
        self._learning_rate_tensor: Any = None
        self._global_step_on_worker: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            shape, dtype = v.get_shape(), v.dtype.base_dtype
            with colocate_with(v):
                total = constants.constant(0.0, shape=shape, dtype=dtype)
                squares = constants.constant(self._initial_gradient_squared_accumulator_value, shape=shape, dtype=dtype)
            self._get_or_make_slot(v, total, "gradient_accumulator", self._name)
            self._get_or_make_slot(v, squares, "gradient_squared_accumulator", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = as_tensor(self._learning_rate, name="learning_rate")
        with colocate_with(self._learning_rate_tensor):  # the updates may stand on other devices
            self._global_step_on_worker = arrays.identity(self._global_step) + 1

    def _ops(self) -> Any:
        return (
            training.apply_adagrad_da,
            training.sparse_apply_adagrad_da,
            training.resource_apply_adagrad_da,
            training.resource_sparse_apply_adagrad_da,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [
            self.get_slot(var, "gradient_accumulator"),
            self.get_slot(var, "gradient_squared_accumulator"),
        ]

    def _inputs(self, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
        with device(var.device):
            step = arrays.identity(self._global_step_on_worker)
        strengths = (
            self._learning_rate_tensor,
            self._l1_regularization_strength,
            self._l2_regularization_strength,
        )
        return [*grad, *(cast(x, dtype) for x in strengths), step]
