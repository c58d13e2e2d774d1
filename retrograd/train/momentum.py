"""Momentum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.tensor import Tensor
from retrograd.ops import training
from retrograd.train.optimizer import Optimizer, cast, fused


@fused
class MomentumOptimizer(Optimizer):
    """``accum = momentum * accum + gradient;  var -= learning_rate * accum``.

    With ``use_nesterov`` the variable moves by ``learning_rate * (gradient + momentum * accum)``.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._momentum = momentum
        self._use_nesterov = use_nesterov

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        self._learning_rate_tensor = as_tensor(self._call_if_callable(self._learning_rate), name="learning_rate")
        self._momentum_tensor = as_tensor(self._call_if_callable(self._momentum), name="momentum")

    def _ops(self) -> Any:
        return (
            training.apply_momentum,
            training.sparse_apply_momentum,
            training.resource_apply_momentum,
            training.resource_sparse_apply_momentum,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [self.get_slot(var, "momentum")]

    def _inputs(self, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
        return [cast(self._learning_rate_tensor, dtype), *grad, cast(self._momentum_tensor, dtype)]

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}
