"""Variants of Adam: by the largest gradient, with Nesterov's momentum, and lazy on sparse gradients."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from retrograd.graph.definition import REGISTRY
from retrograd.graph.scopes import colocate_with, control_dependencies
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, casts, control, indexing, powers, rounding, scatters, state, training
from retrograd.train.adam import AdamOptimizer, Scatter, faded
from retrograd.train.optimizer import Optimizer, cast

_scatter_update = functools.partial(scatters.scattered, "ResourceScatterUpdate")


class AdaMaxOptimizer(AdamOptimizer):
    """Adam with the largest gradient so far in the place of the mean of squares.

    ``m = beta1 * m + (1 - beta1) * g;  v = max(beta2 * v, |g|);
    var -= learning_rate / (1 - beta1^t) * m / (v + epsilon)``. A sparse gradient moves its rows alone.
    """

    _DENSE = training.apply_ada_max, training.resource_apply_ada_max

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "AdaMax",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)

    def _get_beta_accumulators(self) -> Any:
        return self._get_non_slot_variable("beta1_power", default_graph())

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, name="beta1_power", colocate_with=first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _inputs(self, dtype: Any) -> list[Tensor]:
        inputs = (self._get_beta_accumulators(), self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return [cast(x, dtype) for x in inputs]

    def _move_rows(self, grad: Tensor, var: Any, indices: Tensor, add: Scatter, update: Scatter) -> Any:
        beta1_power, lr, beta1, beta2, epsilon = self._inputs(var.dtype.base_dtype)
        m = self.get_slot(var, "m")
        m_rows = indexing.gather(m, indices) * beta1 + grad * (1 - beta1)
        with control_dependencies([m_rows]):
            m_t = update(m, indices, m_rows)
        v = self.get_slot(var, "v")
        v_rows = arithmetic.maximum(indexing.gather(v, indices) * beta2, rounding.abs_(grad))
        with control_dependencies([v_rows]):
            v_t = update(v, indices, v_rows)
        rows = -lr / (1 - beta1_power) * (m_rows / (v_rows + epsilon))
        with control_dependencies([rows]):
            step = add(var, indices, rows)
        return control.group(step, m_t, v_t)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        locking = self._use_locking
        add = functools.partial(scatters.scatter_add, use_locking=locking)
        update = functools.partial(scatters.scatter_update, use_locking=locking)
        return self._move_rows(grad.values, var, grad.indices, add, update)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        return self._move_rows(grad, handle, indices, self._resource_scatter_add, _scatter_update)

    def _finish(self, update_ops: list[Any], name_scope: str | None) -> Any:
        with control_dependencies(update_ops):
            beta1_power = self._get_beta_accumulators()
            with colocate_with(beta1_power):
                next_beta1 = beta1_power.assign(beta1_power * self._beta1_t, use_locking=self._use_locking)
        return control.group(*update_ops, next_beta1, name=name_scope)


class NadamOptimizer(AdamOptimizer):
    """Adam that looks ahead: ``beta1 * m + (1 - beta1) * g`` in the place of ``m``."""

    def _attrs(self) -> dict[str, Any]:
        return {**super()._attrs(), "use_nesterov": True}

    def _apply_sparse_shared(self, grad: Tensor, var: Any, indices: Tensor, scatter_add: Scatter) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._inputs(var.dtype.base_dtype)
        lr = rate * powers.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(var, "m")
        m_scaled = grad * (1 - beta1)
        m_t = state.assign(m, m * beta1, use_locking=self._use_locking)
        with control_dependencies([m_t]):
            m_t = scatter_add(m, indices, m_scaled)
            m_bar = m_scaled + beta1 * indexing.gather(m_t, indices)
        v = self.get_slot(var, "v")
        v_t = faded(v, beta2, grad * grad, indices, scatter_add, self._use_locking)
        v_sqrt = powers.sqrt(indexing.gather(v_t, indices))
        step = scatter_add(var, indices, -lr * m_bar / (v_sqrt + epsilon))
        return control.group(step, m_bar, v_t)


class LazyAdamOptimizer(AdamOptimizer):
    """Adam that leaves rows without a gradient as they are, ``m`` and ``v`` included."""

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._inputs(var.dtype.base_dtype)
        locking, indices = self._use_locking, grad.indices
        lr = rate * powers.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(var, "m")
        rows = beta1 * indexing.gather(m, indices) + (1 - beta1) * grad.values
        m_t = scatters.scatter_update(m, indices, rows, use_locking=locking)
        v = self.get_slot(var, "v")
        rows = beta2 * indexing.gather(v, indices) + (1 - beta2) * powers.square(grad.values)
        v_t = scatters.scatter_update(v, indices, rows, use_locking=locking)
        m_rows, v_rows = indexing.gather(m_t, indices), indexing.gather(v_t, indices)
        denominator = powers.sqrt(v_rows) + epsilon
        step = scatters.scatter_sub(var, indices, lr * m_rows / denominator, use_locking=locking)
        return control.group(step, m_t, v_t)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        beta1_power, beta2_power, rate, beta1, beta2, epsilon = self._inputs(handle.dtype.base_dtype)
        lr = rate * powers.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = self.get_slot(handle, "m")
        m_rows = beta1 * indexing.gather(m, indices) + (1 - beta1) * grad
        m_t = scatters.resource_scatter(REGISTRY["ResourceScatterUpdate"], m, indices, m_rows)
        v = self.get_slot(handle, "v")
        v_rows = beta2 * indexing.gather(v, indices) + (1 - beta2) * powers.square(grad)
        v_t = scatters.resource_scatter(REGISTRY["ResourceScatterUpdate"], v, indices, v_rows)
        rows = lr * m_rows / (powers.sqrt(v_rows) + epsilon)
        step = scatters.resource_scatter(REGISTRY["ResourceScatterSub"], handle, indices, rows)
        return control.group(step, m_t, v_t)


class AdamGSOptimizer(AdamOptimizer):
    """Adam whose ``beta ** t`` follow from the global step, in the place of two variables."""

    def __init__(
        self,
        global_step: Any = 0,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, use_locking, name)
        self._global_step = global_step
        self._global_step_on_worker: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        step = self._global_step_on_worker
        return powers.pow_(self._beta1_t, step), powers.pow_(self._beta2_t, step)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self) -> None:
        super()._prepare()
        self._global_step_on_worker = casts.cast(arrays.identity(self._global_step) + 1, "float32")

    def _finish(self, update_ops: list[Any], name_scope: str | None) -> Any:
        return Optimizer._finish(self, update_ops, name_scope)


class LazyAdamGSOptimizer(AdamGSOptimizer):
    """``LazyAdamOptimizer`` with the powers of ``AdamGSOptimizer``."""

    _apply_sparse = LazyAdamOptimizer._apply_sparse
    _resource_apply_sparse = LazyAdamOptimizer._resource_apply_sparse
