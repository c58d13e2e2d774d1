"""RMSProp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, training
from retrograd.state import initializers
from retrograd.train.optimizer import Optimizer, cast, fused


@fused
class RMSPropOptimizer(Optimizer):
    """``mom = momentum * mom + learning_rate * gradient / sqrt(ms + epsilon);  var -= mom``.

    ``ms`` is a mean of squared gradients that decays by ``decay``; with ``centered`` it is their variance.
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._decay = decay
        self._momentum = momentum
        self._epsilon = epsilon
        self._centered = centered
        self._learning_rate_tensor: Any = None
        self._decay_tensor: Any = None
        self._momentum_tensor: Any = None
        self._epsilon_tensor: Any = None

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            shape, dtype = v.get_shape(), v.dtype.base_dtype
            fixed = shape.is_fully_defined()
            ones: Any = initializers.ones_initializer(dtype=dtype) if fixed else constants.ones_like(v)
            self._get_or_make_slot_with_initializer(v, ones, shape, dtype, "rms", self._name)
            if self._centered:
                self._zeros_slot(v, "mg", self._name)
            self._zeros_slot(v, "momentum", self._name)

    def _prepare(self) -> None:
        given = (self._learning_rate, self._decay, self._momentum, self._epsilon)
        learning_rate, decay, momentum, epsilon = map(self._call_if_callable, given)
        self._learning_rate_tensor = as_tensor(learning_rate, name="learning_rate")
        self._decay_tensor = as_tensor(decay, name="decay")
        self._momentum_tensor = as_tensor(momentum, name="momentum")
        self._epsilon_tensor = as_tensor(epsilon, name="epsilon")

    def _ops(self) -> Any:
        if self._centered:
            return (
                training.apply_centered_rms_prop,
                training.sparse_apply_centered_rms_prop,
                training.resource_apply_centered_rms_prop,
                training.resource_sparse_apply_centered_rms_prop,
            )
        return (
            training.apply_rms_prop,
            training.sparse_apply_rms_prop,
            training.resource_apply_rms_prop,
            training.resource_sparse_apply_rms_prop,
        )

    def _cells(self, var: Any) -> list[Any]:
        return [self.get_slot(var, name) for name in (["mg"] if self._centered else []) + ["rms", "momentum"]]

    def _inputs(self, dtype: DType, *grad: Tensor, var: Any) -> list[Any]:
        tensors = (
            self._learning_rate_tensor,
            self._decay_tensor,
            self._momentum_tensor,
            self._epsilon_tensor,
        )
        return [*(cast(x, dtype) for x in tensors), *grad]
