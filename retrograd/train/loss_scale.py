"""Losses scaled up, so that gradients of half precision do not vanish: ``tf.train.experimental``'s loss scales.

Source: Micikevicius et al., 2017, arXiv:1710.03740.
"""

from __future__ import annotations

from typing import Any

from retrograd.eager.configuration import set_experimental_options
from retrograd.graph import log, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, casts, comparison, constants, control, reductions, rounding
from retrograd.ops.conditions import cond, smart_cond
from retrograd.state import strategies
from retrograd.state.variables import VariableV1
from retrograd.train.optimizer import Optimizer


class LossScale:
    """What a loss is multiplied by, and its gradients divided by."""

    def __call__(self) -> Tensor:
        """The scale of this step."""
        raise NotImplementedError()

    def update(self, grads: Any) -> tuple[Any, Any]:
        """The op that changes the scale after gradients, and whether these are to be applied."""
        raise NotImplementedError()

    def _add_weight(self, name: str, initial_value: Any, dtype: Any = None) -> Any:
        return VariableV1(initial_value, name=name, dtype=dtype, trainable=False, use_resource=True)

    def get_config(self) -> dict[str, Any]:
        """The arguments that it was made with."""
        raise NotImplementedError()

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> LossScale:
        """A scale made with these arguments."""
        return cls(**config)


class FixedLossScale(LossScale):
    """The same scale in every step.

    Raises:
      ValueError: it is no number, or below 1.
    """

    def __init__(self, loss_scale_value: float) -> None:
        if not isinstance(loss_scale_value, int | float):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self) -> Tensor:
        return as_tensor(self._loss_scale_value)

    def update(self, grads: Any) -> tuple[Any, Any]:
        return control.no_op(), True

    def __repr__(self) -> str:
        return f"FixedLossScale({self._loss_scale_value})"

    def get_config(self) -> dict[str, Any]:
        return {"loss_scale_value": self._loss_scale_value}


def _all_finite(grads: Any) -> Tensor:
    return reductions.reduce_all([reductions.reduce_all(rounding.is_finite(g)) for g in grads if g is not None])


def _op(step: Any) -> Any:
    return step if executing_eagerly() else step.op


class DynamicLossScale(LossScale):
    """A scale that grows by ``multiplier`` after so many steps with finite gradients, and shrinks after one without."""

    def __init__(
        self, initial_loss_scale: float = 2**15, increment_period: int = 2000, multiplier: float = 2.0
    ) -> None:
        self._initial_loss_scale = float(initial_loss_scale)
        self._increment_period = int(increment_period)
        self._multiplier = float(multiplier)
        self._current_loss_scale = self._add_weight(
            name="current_loss_scale", dtype="float32", initial_value=self._initial_loss_scale
        )
        self._num_good_steps = self._add_weight(name="good_steps", dtype="int64", initial_value=0)

    @property
    def initial_loss_scale(self) -> float:
        return self._initial_loss_scale

    @property
    def increment_period(self) -> int:
        return self._increment_period

    @property
    def multiplier(self) -> float:
        return self._multiplier

    def __call__(self) -> Tensor:
        return as_tensor(self._current_loss_scale)

    def update(self, grads: Any) -> tuple[Any, Any]:
        finite = self._is_finite(nest.flatten(grads))

        def grow() -> Any:
            grown = self._current_loss_scale * self._multiplier
            return control.group(
                cond(rounding.is_finite(grown), lambda: _op(self._current_loss_scale.assign(grown)), control.no_op),
                self._num_good_steps.assign(0),
            )

        def after_good() -> Any:
            is_due = self._num_good_steps + 1 >= self._increment_period
            return cond(is_due, grow, lambda: _op(self._num_good_steps.assign_add(1)))

        def after_bad() -> Any:
            shrunk = arithmetic.maximum(self._current_loss_scale / self._multiplier, 1)
            return control.group(self._num_good_steps.assign(0), self._current_loss_scale.assign(shrunk))

        return cond(finite, after_good, after_bad), finite

    def _is_finite(self, grads: Any) -> Tensor:
        mode = strategies.current_mode()
        if mode is None or mode.strategy._is_default:
            return _all_finite(grads)
        strategy = mode.strategy
        count = strategy.extended.call_for_each_replica(lambda g: casts.cast(_all_finite(g), "float32"), args=(grads,))
        return comparison.equal(strategy.reduce("sum", count, axis=None), strategy.num_replicas_in_sync)

    def __repr__(self) -> str:
        return (
            f"DynamicLossScale(initial_loss_scale={self.initial_loss_scale}, "
            f"increment_period={self.increment_period}, multiplier={self.multiplier})"
        )

    def get_config(self) -> dict[str, Any]:
        return {
            "initial_loss_scale": self.initial_loss_scale,
            "increment_period": self.increment_period,
            "multiplier": self.multiplier,
        }


def _scale_of(identifier: Any) -> LossScale:
    if isinstance(identifier, int | float):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    if isinstance(identifier, LossScale):
        return identifier
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


class MixedPrecisionLossScaleOptimizer(Optimizer):
    """An optimizer of a scaled loss, whose gradients are scaled back.

    With a dynamic scale, a step whose gradients are not finite changes nothing but the scale.

    Args:
      loss_scale: a ``LossScale``, a number, or ``"dynamic"``.

    Raises:
      ValueError: ``opt`` is no optimizer.
    """

    def __init__(self, opt: Optimizer, loss_scale: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise ValueError(f'"opt" must be an instance of Optimizer, but got: {type(opt)}')
        self._optimizer = opt
        super().__init__(opt._use_locking, opt.get_name())
        self._loss_scale = _scale_of(loss_scale)

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """The gradients of the loss, through the scaled one."""
        scale = self._loss_scale()
        scaled = (lambda: loss() * scale) if callable(loss) else loss * scale
        pairs = self._optimizer.compute_gradients(scaled, *args, **kwargs)
        inverse = 1 / self._loss_scale()
        return [(None if g is None else _scaled(g, inverse), v) for g, v in pairs]

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """The optimizer's step; with a dynamic scale, only after finite gradients.

        Raises:
          ValueError: called in the context of all replicas.
        """
        mode = strategies.current_mode()
        if mode is not None and mode.replica is None:
            raise ValueError("apply_gradients() must be called in a replica context.")
        if not isinstance(self._loss_scale, DynamicLossScale):
            return self._optimizer.apply_gradients(grads_and_vars, global_step, name)
        pairs = tuple(grads_and_vars)
        if mode is None:
            return self._distributed_apply(None, pairs, global_step, name)
        return mode.replica.merge_call(self._distributed_apply, args=(pairs, global_step, name))

    def _distributed_apply(
        self, distribution: Any, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        name = self.get_name() if name is None else name
        update, finite = self._loss_scale.update([g for g, _ in grads_and_vars])
        arguments = (grads_and_vars, global_step, f"{name}-wrapped")

        def apply() -> Any:
            if distribution is None:
                constants.constant(0, "int32")  # the number of the only replica, which TensorFlow makes, too
                step = self._optimizer.apply_gradients(*arguments)
                return getattr(step, "op", step)
            replicas = distribution.extended
            return distribution.group(replicas.call_for_each_replica(self._optimizer.apply_gradients, args=arguments))

        return control.group(smart_cond(finite, apply, control.no_op), update, name=name)


def _scaled(grad: Any, factor: Any) -> Any:
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor


_REWRITE = {"enabled": False}


def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """The optimizer with a scaled loss; TensorFlow's rewriter computes in half precision on GPUs alone.

    Raises:
      ValueError: ``opt`` is no optimizer, or scales its loss already.
    """
    if isinstance(opt, MixedPrecisionLossScaleOptimizer):
        raise ValueError(
            '"opt" must not already be an instance of a MixedPrecisionLossScaleOptimizer. '
            "`enable_mixed_precision_graph_rewrite` will automatically wrap the optimizer with a "
            "MixedPrecisionLossScaleOptimizer."
        )
    if not isinstance(opt, Optimizer):
        raise ValueError(
            f'"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, but got: {opt}'
        )
    wrapped = MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    set_experimental_options({"auto_mixed_precision": True})
    _REWRITE["enabled"] = True
    return wrapped


def disable_mixed_precision_graph_rewrite() -> None:
    """Take the request for half precision back."""
    if not _REWRITE["enabled"]:
        log.warning("disable_mixed_precision_graph_rewrite() called when mixed precision is already disabled.")
    set_experimental_options({"auto_mixed_precision": False})
    _REWRITE["enabled"] = False
