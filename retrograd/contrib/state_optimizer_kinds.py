"""The optimizers of ``tf.contrib.optimizer_v2``, and GGT."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.contrib.state_optimizers import OptimizerState, OptimizerV2
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    constants,
    control,
    diagonals,
    grids,
    matrices,
    permuting,
    powers,
    reductions,
    scatters,
    spectra,
    training,
)
from retrograd.ops.conditions import cond
from retrograd.ops.state import assign_add, assign_sub
from retrograd.state.initializers import constant_initializer
from retrograd.train.adam import Scatter, moved_rows


class _Fused(OptimizerV2):
    """An optimizer whose step is one op per variable, the same in all four forms."""

    def _ops(self) -> Sequence[Callable[..., Any]]:
        """The op on references, on rows of them, on handles, and on rows behind handles."""
        raise NotImplementedError

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        """The names of the slots that the op changes."""
        raise NotImplementedError

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        """The op's other inputs."""
        raise NotImplementedError

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking}

    def _step(self, form: int, var: Any, now: OptimizerState, *grad: Tensor) -> Any:
        cells = [var, *(now.get_slot(var, name) for name in self._slots())]
        places = [cell.handle if form >= 2 else cell._ref() for cell in cells]
        dtype = var.dtype.base_dtype
        return self._ops()[form](
            *places, *self._inputs(lambda name: now.get_hyper(name, dtype), *grad), **self._attrs()
        )

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        return self._step(0, var, state, grad).op

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        return self._step(1, var, state, grad.values, grad.indices).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        return self._step(2, handle, state, grad)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None) -> Any:
        return self._step(3, handle, state, grad, indices)


class GradientDescentOptimizer(OptimizerV2):
    """``var -= learning_rate * g``."""

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        rate = state.get_hyper("learning_rate", var.dtype.base_dtype)
        return training.apply_gradient_descent(var._ref(), rate, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        rate = state.get_hyper("learning_rate", grad.dtype.base_dtype)
        return training.resource_apply_gradient_descent(handle.handle, rate, grad, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None
    ) -> Any:
        rate = state.get_hyper("learning_rate", grad.dtype.base_dtype)
        return scatters.resource_scatter(REGISTRY["ResourceScatterAdd"], handle, indices, -grad * rate)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        rows = grad.values * state.get_hyper("learning_rate", var.dtype.base_dtype)
        return var.scatter_sub(IndexedSlices(rows, grad.indices, grad.dense_shape), use_locking=self._use_locking)


class MomentumOptimizer(_Fused):
    """``a = momentum * a + g``; ``var -= learning_rate * a``."""

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("momentum", momentum)
        self._use_nesterov = use_nesterov

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            state.zeros_slot(v, "momentum")

    def _ops(self) -> Any:
        return (training.apply_momentum, training.sparse_apply_momentum, training.resource_apply_momentum,
                training.resource_sparse_apply_momentum)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("momentum",)

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), *grad, hyper("momentum")]

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}


class AdagradOptimizer(_Fused):
    """``a += g^2``; ``var -= learning_rate * g / sqrt(a)``.

    Raises:
      ValueError: the accumulators do not begin above 0.
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:  # fmt: skip
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            dtype = v.dtype.base_dtype

            def filled(v: Any = v, dtype: Any = dtype) -> Tensor:
                return casts.cast(constants.fill(arrays.shape(v), self._initial_accumulator_value), dtype)

            known = v.get_shape().is_fully_defined()
            init = constant_initializer(self._initial_accumulator_value, dtype=dtype) if known else filled
            state.create_slot_with_initializer(v, init, v.get_shape(), dtype, "accumulator")

    def _ops(self) -> Any:
        return (training.apply_adagrad, training.sparse_apply_adagrad, training.resource_apply_adagrad,
                training.resource_sparse_apply_adagrad)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("accumulator",)

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), *grad]


class AdadeltaOptimizer(_Fused):
    """Zeiler, 2012, arXiv:1212.5701."""

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8, use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        for key, value in (("learning_rate", learning_rate), ("rho", rho), ("epsilon", epsilon)):
            self._set_hyper(key, value)

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            state.zeros_slot(v, "accum")
            state.zeros_slot(v, "accum_update")

    def _ops(self) -> Any:
        return (training.apply_adadelta, training.sparse_apply_adadelta, training.resource_apply_adadelta,
                training.resource_sparse_apply_adadelta)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("accum", "accum_update")

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), hyper("rho"), hyper("epsilon"), *grad]


class RMSPropOptimizer(_Fused):
    """``rms`` begins at ``epsilon``, which is not added to it later."""

    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = "RMSProp",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = {"learning_rate": learning_rate, "decay": decay, "momentum": momentum, "epsilon": epsilon}
        for key, value in given.items():
            self._set_hyper(key, value)
        self._centered = centered

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            first = state.get_hyper("epsilon", v.dtype.base_dtype) * constants.ones_like(v)
            state.create_slot_with_initializer(v, first, v.get_shape(), v.dtype.base_dtype, "rms")
            if self._centered:
                state.zeros_slot(v, "mg")
            state.zeros_slot(v, "momentum")

    def _ops(self) -> Any:
        if self._centered:
            return (training.apply_centered_rms_prop, training.sparse_apply_centered_rms_prop,
                    training.resource_apply_centered_rms_prop,
                    training.resource_sparse_apply_centered_rms_prop)  # fmt: skip
        return (training.apply_rms_prop, training.sparse_apply_rms_prop, training.resource_apply_rms_prop,
                training.resource_sparse_apply_rms_prop)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("mg", "rms", "momentum") if self._centered else ("rms", "momentum")

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), hyper("decay"), hyper("momentum"), 0, *grad]


class AdamOptimizer(OptimizerV2):
    """Kingma and Ba, 2014, arXiv:1412.6980."""

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adam",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = {"learning_rate": learning_rate, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        for key, value in given.items():
            self._set_hyper(key, value)

    def _get_beta_accumulators(self, state: Any = None) -> tuple[Any, Any]:
        state = self._per_graph(default_graph()) if state is None else state
        return state.get_non_slot("beta1_power"), state.get_non_slot("beta2_power")

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        state.create_non_slot(lambda: state.get_hyper("beta1"), "beta1_power")
        state.create_non_slot(lambda: state.get_hyper("beta2"), "beta2_power")
        for v in var_list:
            state.zeros_slot(v, "m")
            state.zeros_slot(v, "v")

    def _cells(self, var: Any, now: OptimizerState) -> list[Any]:
        return [var, now.get_slot(var, "m"), now.get_slot(var, "v")]

    def _inputs(self, now: OptimizerState, dtype: Any) -> list[Tensor]:
        grown = [casts.cast(power, dtype) for power in self._get_beta_accumulators(now)]
        return grown + [now.get_hyper(name, dtype) for name in ("learning_rate", "beta1", "beta2", "epsilon")]

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        places = [cell._ref() for cell in self._cells(var, state)]
        inputs = self._inputs(state, var.dtype.base_dtype)
        return training.apply_adam(*places, *inputs, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        places = [cell.handle for cell in self._cells(handle, state)]
        inputs = self._inputs(state, grad.dtype.base_dtype)
        return training.resource_apply_adam(*places, *inputs, grad, use_locking=self._use_locking)

    def _moved(self, grad: Tensor, var: Any, indices: Tensor, scatter_add: Scatter, now: Any) -> Any:
        inputs = self._inputs(now, var.dtype.base_dtype)
        return moved_rows(grad, indices, self._cells(var, now), inputs, scatter_add, self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        scatter_add = functools.partial(scatters.scatter_add, use_locking=self._use_locking)
        return self._moved(grad.values, var, grad.indices, scatter_add, state)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None) -> Any:
        scatter_add = functools.partial(scatters.scattered, "ResourceScatterAdd")
        return self._moved(grad, handle, indices, scatter_add, state)

    def _finish(self, state: Any, name_scope: str | None = None) -> Any:
        power1, power2 = self._get_beta_accumulators(state)
        next1 = power1.assign(power1 * state.get_hyper("beta1"), use_locking=self._use_locking)
        next2 = power2.assign(power2 * state.get_hyper("beta2"), use_locking=self._use_locking)
        return control.group(next1, next2)


class GGTOptimizer(OptimizerV2):
    """Full-matrix AdaGrad over the last ``window`` means of the gradients.

    With the rows of ``M`` those means over the root of their number, and ``U S U^T = M M^T + svd_eps``:

        step = M^T U (sqrt(S) + sigma_eps)^-3 U^T M m + (m - M^T U S^-1 U^T M m) / min(sqrt(S))

    the second term only where ``min(sqrt(S))`` is above ``eps``.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False, name: str = "GGT",
        window: int = 10, eps: Any = 1e-4, svd_eps: Any = 1e-6, sigma_eps: Any = 1e-2,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = {"lr": learning_rate, "beta1": beta1, "window": window, "eps": eps, "svd_eps": svd_eps,
                 "sigma_eps": sigma_eps}  # fmt: skip
        for key, value in given.items():
            self._set_hyper(key, value)
        self.shape_dict: dict[str, int] = {}
        self.index_dict: dict[str, int] = {}
        self._variables: list[Any] = []

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        self.shape_dict = dict(sorted((v.name, math.prod(v.get_shape().as_list())) for v in var_list))
        count = 0
        for name, size in self.shape_dict.items():
            self.index_dict[name] = count
            count += size
        dtype = var_list[0].dtype.base_dtype
        state.create_non_slot(casts.cast(0.0, dtype), "global_step")
        state.create_non_slot(constants.zeros([state.get_hyper("window"), count], dtype), "grad_buffer")
        state.create_non_slot(constants.zeros((count,), dtype), "moment1")
        state.create_non_slot(constants.zeros((count,), dtype), "flat_grad")

    def _prepare(self, state: OptimizerState | None = None) -> None:
        self._variables = []

    def _place(self, var: Any) -> tuple[int, int]:
        first = self.index_dict[var.name]
        return first, first + self.shape_dict[var.name]

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        self._variables.append(var)
        flat = arrays.reshape(grad, [-1])
        return scatters.scatter_update(state.get_non_slot("flat_grad"), constants.range_(*self._place(var)), flat)

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        return self._apply_dense(grad, handle, state)

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _finish(self, state: Any, name_scope: str | None = None) -> Any:
        dtype = self._variables[0].dtype.base_dtype
        step = assign_add(state.get_non_slot("global_step"), 1.0)
        beta1, mean, flat = (
            state.get_hyper("beta1", dtype),
            state.get_non_slot("moment1"),
            state.get_non_slot("flat_grad"),
        )
        moved = mean.assign(beta1 * mean + (1.0 - beta1) * flat)
        window = state.get_hyper("window")
        row = arithmetic.floormod(casts.cast(step - 1.0, "int32"), window)
        buffer = scatters.scatter_update(state.get_non_slot("grad_buffer"), row, moved)
        eps, svd_eps, sigma_eps, rate = (state.get_hyper(key, dtype) for key in ("eps", "svd_eps", "sigma_eps", "lr"))
        count = powers.sqrt(arithmetic.minimum(as_tensor(step), as_tensor(casts.cast(window, dtype))))
        column = arrays.expand_dims(moved, -1)
        m = permuting.transpose(arithmetic.divide(buffer, count))
        mm = matrices.matmul(m, m, transpose_a=True)
        damping = casts.cast(grids.eye(window), dtype) * svd_eps
        sigma, u, _ = spectra.svd(mm + damping)
        root = powers.sqrt(sigma)
        least = reductions.reduce_min(root)
        cubes = arithmetic.divide(casts.cast(1.0, dtype), powers.pow_(root + sigma_eps, 3))
        none = arrays.expand_dims(constants.zeros(flat.get_shape(), dtype), -1)

        def through(factors: Callable[[], Tensor]) -> Tensor:
            scaled = diagonals.diag(factors())
            inner = matrices.matmul(u, matrices.matmul(m, column, transpose_a=True), transpose_a=True)
            return matrices.matmul(m, matrices.matmul(u, matrices.matmul(scaled, inner)))

        head = through(lambda: cubes)
        tail = column - through(lambda: arithmetic.divide(casts.cast(1.0, dtype), sigma))
        scaled_tail = arithmetic.divide(tail, least)
        change = cond(least > eps, lambda: arithmetic.add(head, scaled_tail), lambda: arithmetic.add(none, head))
        updates = []
        for v in self._variables:
            first, end = self._place(v)
            own = arrays.reshape(change[first:end], v.get_shape())
            updates.append(assign_sub(v, rate * own))
        return control.group(updates)
