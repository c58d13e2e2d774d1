"""AddSign and PowerSign: steps that grow where gradient and its mean agree in sign.

Source: Bello, Zoph, Vasudevan, Le, 2017, arXiv:1709.07417.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    casts,
    comparison,
    constants,
    control,
    indexing,
    powers,
    rounding,
    scatters,
    state,
    training,
    trigonometry,
)
from retrograd.train.optimizer import Optimizer, cast

Decay = Callable[[Any], Any]


class _SignOptimizer(Optimizer):
    """What both share: the mean ``m`` of the gradient, and how much its sign counts."""

    def __init__(
        self, learning_rate: Any, beta: Any, sign_decay_fn: Decay | None, use_locking: bool, name: str
    ) -> None:
        super().__init__(use_locking, name)
        self._lr = learning_rate
        self._beta = beta
        self._sign_decay_fn = sign_decay_fn
        self._sign_decay_t: Any = None

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        if self._sign_decay_fn is not None:
            self._sign_decay_t = as_tensor(self._sign_decay_fn(global_step), name="sign_decay")
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            self._zeros_slot(v, "m", self._name)

    def _prepare(self) -> None:
        self._lr_t = as_tensor(self._lr, name="learning_rate")
        self._beta_t = as_tensor(self._beta, name="beta")
        self._prepare_scale()
        if self._sign_decay_fn is None:
            self._sign_decay_t = as_tensor(1.0, name="sign_decay")

    def _prepare_scale(self) -> None:
        """Make the tensor of the hyperparameter that the two do not share."""
        raise NotImplementedError()

    def _inputs(self, dtype: Any, scale: Tensor) -> list[Any]:
        return [cast(x, dtype) for x in (self._lr_t, scale, self._sign_decay_t, self._beta_t)]

    def _agreement(self, grad: IndexedSlices, m: Any, beta: Any) -> tuple[Any, Any]:
        """The new mean, and ``sign(g) * sign(m)`` of the rows that have a gradient."""
        m_t = state.assign(m, m * beta + grad * (1 - beta), use_locking=self._use_locking)
        signs = rounding.sign(grad.values)
        return m_t, indexing.gather(rounding.sign(m_t), grad.indices) * signs


class AddSignOptimizer(_SignOptimizer):
    """``m = beta * m + (1 - beta) * g;  var -= lr * (alpha + f * sign(g) * sign(m)) * g``, f the decay of the sign."""

    def __init__(
        self,
        learning_rate: Any = 0.1,
        alpha: Any = 1.0,
        beta: Any = 0.9,
        sign_decay_fn: Decay | None = None,
        use_locking: bool = False,
        name: str = "AddSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._alpha = alpha

    def _prepare_scale(self) -> None:
        self._alpha_t = as_tensor(self._alpha, name="alpha")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        inputs = self._inputs(var.dtype.base_dtype, self._alpha_t)
        cells = (var._ref(), self.get_slot(var, "m")._ref())
        return training.apply_add_sign(*cells, *inputs, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        inputs = self._inputs(handle.dtype.base_dtype, self._alpha_t)
        cells = (handle.handle, self.get_slot(handle, "m").handle)
        return training.resource_apply_add_sign(*cells, *inputs, grad, use_locking=self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        lr, alpha, beta = (cast(x, dtype) for x in (self._lr_t, self._alpha_t, self._beta_t))
        m_t, agree = self._agreement(grad, self.get_slot(var, "m"), beta)
        rows = lr * (alpha + cast(self._sign_decay_t, dtype) * agree) * grad.values
        step = scatters.scatter_sub(var, grad.indices, rows, use_locking=self._use_locking)
        return control.group(step, m_t)


class PowerSignOptimizer(_SignOptimizer):
    """``m = beta * m + (1 - beta) * g;  var -= lr * base ** (f * sign(g) * sign(m)) * g``, f the decay of the sign."""

    def __init__(
        self,
        learning_rate: Any = 0.1,
        base: float = math.e,
        beta: Any = 0.9,
        sign_decay_fn: Decay | None = None,
        use_locking: bool = False,
        name: str = "PowerSignOptimizer",
    ) -> None:
        super().__init__(learning_rate, beta, sign_decay_fn, use_locking, name)
        self._logbase = math.log(base)

    def _prepare_scale(self) -> None:
        self._logbase_t = as_tensor(self._logbase, name="logbase")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        inputs = self._inputs(var.dtype.base_dtype, self._logbase_t)
        cells = (var._ref(), self.get_slot(var, "m")._ref())
        return training.apply_power_sign(*cells, *inputs, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        inputs = self._inputs(handle.dtype.base_dtype, self._logbase_t)
        cells = (handle.handle, self.get_slot(handle, "m").handle)
        return training.resource_apply_power_sign(*cells, *inputs, grad, use_locking=self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        dtype = var.dtype.base_dtype
        lr, beta, logbase = (cast(x, dtype) for x in (self._lr_t, self._beta_t, self._logbase_t))
        e = casts.cast(math.e, dtype)
        m_t, agree = self._agreement(grad, self.get_slot(var, "m"), beta)
        rows = lr * powers.pow_(e, logbase * cast(self._sign_decay_t, dtype) * agree) * grad.values
        step = scatters.scatter_sub(var, grad.indices, rows, use_locking=self._use_locking)
        return control.group(step, m_t)


# -- how the sign counts less and less -----------------------------------------------------------


def get_linear_decay_fn(decay_steps: int) -> Decay:
    """A function of the step: from 1 down to 0, in a line."""

    def linear_decay_fn(global_step: Any) -> Tensor:
        if global_step is None:
            raise ValueError("global_step is required for linear_decay.")
        step = arithmetic.minimum(global_step, decay_steps)
        remaining = casts.cast(decay_steps, "int32") - casts.cast(step, "int32")
        decayed = casts.cast(remaining, "float32") / casts.cast(decay_steps, "float32")
        return arithmetic.maximum(0.0, decayed)

    return linear_decay_fn


def get_cosine_decay_fn(decay_steps: int, num_periods: float = 0.5, zero_after: float | None = None) -> Decay:
    """A function of the step: ``(1 + cos(2 pi num_periods step / decay_steps)) / 2``, and 0 after some periods."""

    def cosine_decay_fn(global_step: Any) -> Any:
        if global_step is None:
            raise ValueError("global_step is required for cosine_decay.")
        step = arithmetic.minimum(global_step, decay_steps)
        completed = casts.cast(step, "float32") / casts.cast(decay_steps, "float32")
        fraction = 2.0 * num_periods * completed
        decayed = 0.5 * (1.0 + trigonometry.cos(constants.constant(math.pi) * fraction))
        if zero_after is not None:
            decayed = comparison.where(comparison.greater_equal(fraction, 2 * zero_after), 0.0, decayed)
        return decayed

    return cosine_decay_fn


def get_restart_decay_fn(decay_steps: int, num_periods: int = 1, zero_after: float | None = None) -> Decay:
    """A function of the step: half a cosine from 1 to 0, again and again; 0 after some periods."""

    def restart_decay_fn(global_step: Any) -> Any:
        if global_step is None:
            raise ValueError("global_step is required for cosine_decay.")
        step = arithmetic.minimum(global_step, decay_steps)
        done = arithmetic.floormod(num_periods * casts.cast(step, "float32"), decay_steps)
        fraction = done / casts.cast(decay_steps, "float32")
        decayed = 0.5 * (1.0 + trigonometry.cos(constants.constant(math.pi) * fraction))
        if zero_after is not None:
            periods = casts.cast(num_periods * step, "float32") / casts.cast(decay_steps, "float32")
            decayed = comparison.where(comparison.greater_equal(periods, zero_after), 0.0, decayed)
        return decayed

    return restart_decay_fn
