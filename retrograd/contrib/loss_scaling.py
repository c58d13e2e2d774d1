"""``tf.contrib.mixed_precision``: losses scaled up before their gradients are taken, and these scaled back.

Source: Micikevicius et al., 2017, arXiv:1710.03740; order of nodes: TensorFlow 1.15.5.
"""

from __future__ import annotations

import abc
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, casts, powers, reductions, rounding, state
from retrograd.ops.conditions import cond
from retrograd.ops.control import group, no_op
from retrograd.state.variables import VariableV1
from retrograd.train.optimizer import Optimizer


class LossScaleManager(abc.ABC):
    """Says what a loss is multiplied by, and changes it after steps."""

    @abc.abstractmethod
    def get_loss_scale(self) -> Any:
        """The scale, a scalar of float32."""

    @abc.abstractmethod
    def update_loss_scale(self, finite_grads: Any) -> Any:
        """The op that changes the scale after a step whose gradients were finite, or not."""


class FixedLossScaleManager(LossScaleManager):
    """The same scale in every step.

    Raises:
      ValueError: it is below 1.
    """

    def __init__(self, loss_scale: float) -> None:
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = as_tensor(loss_scale, dtype=dtypes.float32)

    def get_loss_scale(self) -> Tensor:
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        return no_op()


class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A scale that grows by ``incr_ratio`` after good steps in a row, and shrinks by ``decr_ratio`` after bad ones."""

    def __init__(
        self,
        init_loss_scale: float,
        incr_every_n_steps: int,
        decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2,
        decr_ratio: float = 0.8,
    ) -> None:
        self._incr_every_n_steps = incr_every_n_steps
        self._decr_every_n_nan_or_inf = decr_every_n_nan_or_inf
        self._incr_ratio = incr_ratio
        self._decr_ratio = decr_ratio
        scale = as_tensor(init_loss_scale, dtypes.float32)
        self._loss_scale: Any = VariableV1(
            initial_value=scale, name="loss_scale", dtype=dtypes.float32, trainable=False
        )
        self._num_good_steps: Any = VariableV1(initial_value=0, name="good_steps", dtype=dtypes.int32, trainable=False)
        self._num_bad_steps: Any = VariableV1(initial_value=0, name="bad_steps", dtype=dtypes.int32, trainable=False)

    def _reset_stats(self) -> Any:
        return group(state.assign(self._num_good_steps, 0), state.assign(self._num_bad_steps, 0))

    def get_loss_scale(self) -> Any:
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        scale = self._loss_scale

        def grow() -> Any:
            new = cond(
                rounding.is_finite(scale * self._incr_ratio), lambda: scale * self._incr_ratio, lambda: scale
            )  # fmt: skip
            return group(state.assign(scale, new), self._reset_stats())

        def shrink() -> Any:
            new = arithmetic.maximum(1.0, scale * self._decr_ratio)
            return group(state.assign(scale, new), self._reset_stats())

        def count_bad() -> Any:
            return group(state.assign_add(self._num_bad_steps, 1), state.assign(self._num_good_steps, 0))

        def after_good() -> Any:
            is_due = self._num_good_steps + 1 >= self._incr_every_n_steps
            return cond(is_due, grow, lambda: state.assign_add(self._num_good_steps, 1).op)

        def after_bad() -> Any:
            return cond(self._num_bad_steps + 1 >= self._decr_every_n_nan_or_inf, shrink, count_bad)

        return cond(finite_grads, after_good, after_bad)


class LossScaleOptimizer(Optimizer):
    """An optimizer of a scaled loss; a step whose gradients are not finite changes nothing but the scale."""

    def __init__(self, opt: Optimizer, loss_scale_manager: LossScaleManager) -> None:
        self._opt = opt
        self._loss_scale_manager = loss_scale_manager

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[Any]:
        """The gradients of the loss: those of the scaled one, divided by the scale."""
        scale = self._loss_scale_manager.get_loss_scale()

        def scaled() -> Any:
            value = loss() if callable(loss) else loss
            return value * casts.cast(scale, value.dtype.base_dtype)

        pairs = self._opt.compute_gradients(
            scaled if executing_eagerly() else scaled(), var_list, gate_gradients, aggregation_method,
            colocate_gradients_with_ops, grad_loss,
        )  # fmt: skip
        inverse = powers.reciprocal(scale)
        return [(g if g is None else g * casts.cast(inverse, g.dtype.base_dtype), v) for g, v in pairs]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """The step if every gradient is finite, and then the change of the scale."""
        pairs = list(grads_and_vars)
        is_finite = reductions.reduce_all([reductions.reduce_all(rounding.is_finite(g)) for g, _ in pairs])
        step = cond(is_finite, lambda: self._opt.apply_gradients(pairs, global_step, name), no_op)
        return group(step, self._loss_scale_manager.update_loss_scale(is_finite))
