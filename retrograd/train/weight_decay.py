"""Weight decay beside the gradient, not through it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import control, indexing, scatters
from retrograd.train.adam import AdamOptimizer
from retrograd.train.momentum import MomentumOptimizer
from retrograd.train.optimizer import Optimizer


class DecoupledWeightDecayExtension:
    """Before an optimizer's own step: ``var -= weight_decay * var`` for ``decay_var_list``, or all; a sparse
    gradient decays its rows alone.

    To be inherited from before an optimizer, as ``extend_with_decoupled_weight_decay`` does.
    """

    def __init__(self, weight_decay: Any, **kwargs: Any) -> None:
        self._decay_var_list: list[Any] = []  # none stands for all
        self._weight_decay = weight_decay
        self._weight_decay_tensor: Any = None
        super().__init__(**kwargs)

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Any:
        """The optimizer's ``minimize``, which decays ``decay_var_list`` (None: all)."""
        self._decay_var_list = list(decay_var_list or ())
        grads_and_vars = self.compute_gradients(  # type: ignore[attr-defined]
            loss, var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss,
        )  # fmt: skip
        return self.apply_gradients(grads_and_vars, global_step, name)

    def apply_gradients(
        self,
        grads_and_vars: Any,
        global_step: Any = None,
        name: str | None = None,
        decay_var_list: Iterable[Any] | None = None,
    ) -> Any:
        """The optimizer's ``apply_gradients``, which decays ``decay_var_list`` (None: all)."""
        self._decay_var_list = list(decay_var_list or ())
        return super().apply_gradients(grads_and_vars, global_step, name)  # type: ignore[misc]

    def _prepare(self) -> None:
        decay = self._weight_decay() if callable(self._weight_decay) else self._weight_decay
        self._weight_decay_tensor = as_tensor(decay, name="weight_decay")
        super()._prepare()  # type: ignore[misc]

    def _decays(self, var: Any) -> bool:
        return not self._decay_var_list or any(v is var for v in self._decay_var_list)

    def _decay(self, var: Any) -> Any:
        if self._decays(var):
            return var.assign_sub(self._weight_decay * var, self._use_locking)  # type: ignore[attr-defined]
        return control.no_op()

    def _decay_rows(self, var: Any, indices: Tensor, scatter_add: Callable[..., Any]) -> Any:
        if self._decays(var):
            rows = -self._weight_decay * indexing.gather(var, indices)
            return scatter_add(var, indices, rows, self._use_locking)  # type: ignore[attr-defined]
        return control.no_op()

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        with control_dependencies([self._decay(var)]):
            return super()._apply_dense(grad, var)  # type: ignore[misc]

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        with control_dependencies([self._decay(handle)]):
            return super()._resource_apply_dense(grad, handle)  # type: ignore[misc]

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        with control_dependencies([self._decay_rows(var, grad.indices, scatters.scatter_add)]):
            return super()._apply_sparse(grad, var)  # type: ignore[misc]

    def _resource_scatter_add(self, x: Any, i: Tensor, v: Any, use_locking: bool = False) -> Any:
        return scatters.scattered("ResourceScatterAdd", x, i, v)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        with control_dependencies([self._decay_rows(handle, indices, self._resource_scatter_add)]):
            return super()._resource_apply_sparse(grad, handle, indices)  # type: ignore[misc]


def extend_with_decoupled_weight_decay(base_optimizer: type) -> type:
    """The class of an optimizer with weight decay: its first argument is ``weight_decay``, the others are as before."""

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):  # type: ignore[misc]
        def __init__(self, weight_decay: Any, *args: Any, **kwargs: Any) -> None:
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """Momentum with weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "MomentumW",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(
            weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking, name=name,
            use_nesterov=use_nesterov,
        )  # fmt: skip


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """Adam with weight decay."""

    def __init__(
        self,
        weight_decay: Any,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdamW",
    ) -> None:
        super().__init__(
            weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon,
            use_locking=use_locking, name=name,
        )  # fmt: skip
