"""LARS: a rate of learning for each layer, after the lengths of its weights and their gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.ops import casts, comparison, norms, training
from retrograd.train.momentum import MomentumOptimizer


class LARSOptimizer(MomentumOptimizer):
    """Momentum on ``rate * (g + weight_decay * w)``, ``rate = lr * eeta |w| / (|g| + weight_decay |w| + epsilon)``.

    Variables whose name holds one of ``skip_list`` learn with ``lr``, without decay.

    Source: You, Gitman, Ginsburg, 2017, arXiv:1708.03888.

    Raises:
      ValueError: ``momentum`` or ``weight_decay`` is negative.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: float = 0.9,
        weight_decay: float = 0.0001,
        eeta: float = 0.001,
        epsilon: float = 0.0,
        name: str = "LARSOptimizer",
        skip_list: Sequence[str] | None = None,
        use_nesterov: bool = False,
    ) -> None:
        if momentum < 0.0:
            raise ValueError(f"momentum should be positive: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"weight_decay should be positive: {weight_decay}")
        super().__init__(learning_rate, momentum, name=name, use_nesterov=use_nesterov)
        self._weight_decay = weight_decay
        self._eeta = eeta
        self._epsilon = epsilon
        self._skip_list = skip_list

    def compute_lr(self, grad: Tensor, var: Any) -> tuple[Any, Tensor]:
        """The rate of a variable, and its gradient with the decay of weights."""
        if self._skip_list is not None and any(part in var.name for part in self._skip_list):
            return self._learning_rate, grad
        w = norms.norm(var, ord=2)
        g = norms.norm(grad, ord=2)
        trust = comparison.where(
            comparison.greater(w, 0),
            comparison.where(
                comparison.greater(g, 0), self._eeta * w / (g + self._weight_decay * w + self._epsilon), 1.0
            ),
            1.0,
        )
        return self._learning_rate * trust, grad + self._weight_decay * var

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        rate, grad = self.compute_lr(grad, var)
        accum = self.get_slot(var, "momentum")._ref()
        one = casts.cast(1.0, var.dtype.base_dtype)
        return training.apply_momentum(
            var._ref(), accum, one, grad * rate, self._momentum, use_locking=False, use_nesterov=self._use_nesterov
        )

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        rate, grad = self.compute_lr(grad, handle)
        accum = self.get_slot(handle, "momentum").handle
        one = casts.cast(1.0, handle.dtype.base_dtype)
        return training.resource_apply_momentum(
            handle.handle, accum, one, grad * rate, self._momentum, use_locking=False, use_nesterov=self._use_nesterov
        )
