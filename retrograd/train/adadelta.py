"""Adadelta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.tensor import Tensor
from retrograd.ops import training
from retrograd.train.optimizer import Optimizer, cast, fused


@fused
class AdadeltaOptimizer(Optimizer):
    """``u = gradient * rms(steps) / rms(gradients);  var -= learning_rate * u``: steps as large as the last.

    The two root mean squares decay by ``rho`` and have ``epsilon`` under the root.
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._rho = rho
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._rho_t: Any = None
        self._epsilon_t: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "accum", self._name)
            self._zeros_slot(v, "accum_update", self._name)

    def _prepare(self) -> None:
        lr, rho, epsilon = map(self._call_if_callable, (self._lr, self._rho, self._epsilon))
        self._lr_t = as_tensor(lr, name="lr")
        self._rho_t = as_tensor(rho, name="rho")
        self._epsilon_t = as_tensor(epsilon, name="epsilon")

    def _ops(self) -> Any:
        return (
            training.apply_adadelta,
            training.sparse_apply_adadelta,
            training.resource_apply_adadelta,
            training.resource_sparse_apply_adadelta,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [self.get_slot(var, "accum"), self.get_slot(var, "accum_update")]

    def _inputs(self, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
        return [*(cast(x, dtype) for x in (self._lr_t, self._rho_t, self._epsilon_t)), *grad]
