"""Adam."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, control_dependencies
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import control, powers, scatters, state, training
from retrograd.train.optimizer import Optimizer, cast

Scatter = Callable[[Any, Tensor, Any], Any]  # scatter(variable, indices, values)


class AdamOptimizer(Optimizer):
    """Means of the gradient and of its square set the step, each corrected for its start at zero.

    ``m = beta1 * m + (1 - beta1) * g;  v = beta2 * v + (1 - beta2) * g^2;
    var -= learning_rate * sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) + epsilon)``.

    A sparse gradient decays ``m`` and ``v`` of all rows and moves all of them: only its sums are sparse.
    """

    _DENSE: ClassVar[tuple[Callable[..., Any], ...]] = training.apply_adam, training.resource_apply_adam

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta1 = beta1
        self._beta2 = beta2
        self._epsilon = epsilon
        self._lr_t: Any = None
        self._beta1_t: Any = None
        self._beta2_t: Any = None
        self._epsilon_t: Any = None

    def _get_beta_accumulators(self) -> tuple[Any, Any]:
        """The variables that hold beta1^t and beta2^t."""
        graph = default_graph()
        return self._get_non_slot_variable("beta1_power", graph), self._get_non_slot_variable("beta2_power", graph)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        first = min(var_list, key=lambda v: v.name)
        self._create_non_slot_variable(self._beta1, name="beta1_power", colocate_with=first)
        self._create_non_slot_variable(self._beta2, name="beta2_power", colocate_with=first)
        for v in var_list:
            self._zeros_slot(v, "m", self._name)
            self._zeros_slot(v, "v", self._name)

    def _prepare(self) -> None:
        lr, beta1, beta2, epsilon = map(self._call_if_callable, (self._lr, self._beta1, self._beta2, self._epsilon))
        self._lr_t = as_tensor(lr, name="learning_rate")
        self._beta1_t = as_tensor(beta1, name="beta1")
        self._beta2_t = as_tensor(beta2, name="beta2")
        self._epsilon_t = as_tensor(epsilon, name="epsilon")

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking}

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        places, inputs = [cell._ref() for cell in self._cells(var)], self._inputs(var.dtype.base_dtype)
        return self._DENSE[0](*places, *inputs, grad, **self._attrs()).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        places, inputs = [cell.handle for cell in self._cells(handle)], self._inputs(grad.dtype.base_dtype)
        return self._DENSE[1](*places, *inputs, grad, **self._attrs())

    def _cells(self, var: Any) -> list[Any]:
        return [var, self.get_slot(var, "m"), self.get_slot(var, "v")]

    def _inputs(self, dtype: Any) -> list[Tensor]:
        beta1_power, beta2_power = self._get_beta_accumulators()
        inputs = (beta1_power, beta2_power, self._lr_t, self._beta1_t, self._beta2_t, self._epsilon_t)
        return [cast(x, dtype) for x in inputs]

    def _apply_sparse_shared(self, grad: Tensor, var: Any, indices: Tensor, scatter_add: Scatter) -> Any:
        inputs = self._inputs(var.dtype.base_dtype)
        return moved_rows(grad, indices, self._cells(var), inputs, scatter_add, self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        scatter_add = functools.partial(scatters.scatter_add, use_locking=self._use_locking)
        return self._apply_sparse_shared(grad.values, var, grad.indices, scatter_add)

    def _resource_scatter_add(self, x: Any, i: Tensor, v: Tensor) -> Tensor:
        return scatters.scattered("ResourceScatterAdd", x, i, v)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        return self._apply_sparse_shared(grad, handle, indices, self._resource_scatter_add)

    def _finish(self, update_ops: list[Any], name_scope: str | None) -> Any:
        """After all updates, beta1^t and beta2^t become those of the next step."""
        with control_dependencies(update_ops):
            beta1_power, beta2_power = self._get_beta_accumulators()
            with colocate_with(beta1_power):
                next_beta1 = beta1_power.assign(beta1_power * self._beta1_t, use_locking=self._use_locking)
                next_beta2 = beta2_power.assign(beta2_power * self._beta2_t, use_locking=self._use_locking)
        return control.group(*update_ops, next_beta1, next_beta2, name=name_scope)


def moved_rows(
    grad: Tensor, indices: Tensor, cells: Sequence[Any], inputs: Sequence[Tensor], scatter_add: Scatter,
    use_locking: bool,
) -> Any:  # fmt: skip
    """The step of Adam where the gradient has some rows alone.

    Args:
      grad: the rows ``indices`` of the gradient; no index comes twice.
      cells: the variable, ``m`` and ``v``.
      inputs: ``beta1^t, beta2^t, learning_rate, beta1, beta2, epsilon``.
      scatter_add: adds rows to a variable and gives its value.
    """
    var, m, v = cells
    beta1_power, beta2_power, lr, beta1, beta2, epsilon = inputs
    rate = lr * powers.sqrt(1 - beta2_power) / (1 - beta1_power)
    m_t = faded(m, beta1, grad, indices, scatter_add, use_locking)
    v_t = faded(v, beta2, grad * grad, indices, scatter_add, use_locking)
    v_sqrt = powers.sqrt(v_t)
    step = state.assign_sub(var, rate * m_t / (v_sqrt + epsilon), use_locking=use_locking)
    return control.group(step, m_t, v_t)


def faded(mean: Any, beta: Any, rows: Tensor, indices: Tensor, scatter_add: Scatter, use_locking: bool) -> Any:
    """``mean = beta * mean``, and ``(1 - beta) * rows`` added to the rows ``indices``."""
    scaled = rows * (1 - beta)
    with control_dependencies([state.assign(mean, mean * beta, use_locking=use_locking)]):
        return scatter_add(mean, indices, scaled)
