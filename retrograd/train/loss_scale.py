"""Optimizers of scaled losses, and the request for half precision: ``tf.train.experimental``.

Source: Micikevicius et al., 2017, arXiv:1710.03740.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.eager.configuration import set_experimental_options
from retrograd.graph import log
from retrograd.graph.sparse import IndexedSlices
from retrograd.nn.layers.policies import halved
from retrograd.ops import constants, control
from retrograd.ops.conditions import smart_cond
from retrograd.state import strategies
from retrograd.state.loss_scales import DynamicLossScale, LossScale, loss_scale_of
from retrograd.train.optimizer import Optimizer


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
        scale = loss_scale_of(loss_scale)
        if scale is None:
            raise ValueError("loss_scale cannot be None.")
        self._loss_scale: LossScale = scale

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The optimizer, which has the slots, and the scale."""
        return [("base_optimizer", self._optimizer), ("loss_scale", self._loss_scale)]

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
        step = step_if_finite(self._optimizer, arguments, finite, distribution)
        return control.group(step, update, name=name)


def step_if_finite(optimizer: Any, arguments: tuple[Any, ...], finite: Any, distribution: Any) -> Any:
    """``optimizer.apply_gradients(*arguments)`` on all replicas, if the gradients are ``finite``."""

    def apply() -> Any:
        if distribution is None:
            constants.constant(0, "int32")  # the number of the only replica, which TensorFlow makes, too
            step = optimizer.apply_gradients(*arguments)
            return getattr(step, "op", step)
        return distribution.group(distribution.extended.call_for_each_replica(optimizer.apply_gradients, arguments))

    return smart_cond(finite, apply, control.no_op)


def _scaled(grad: Any, factor: Any) -> Any:
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
    return grad * factor


# by class: what wraps an optimizer that is none of ``tf.train``; Keras says how its own are wrapped
wrappers: dict[type, Callable[[Any, Any], Any]] = {}


def enable_mixed_precision_graph_rewrite(opt: Any, loss_scale: Any = "dynamic") -> Any:
    """The optimizer with a scaled loss; TensorFlow's rewriter computes in half precision on GPUs alone.

    Raises:
      ValueError: ``opt`` is no optimizer, or scales its loss already, or Keras has a policy of half precision.
    """
    if halved["policy"]:
        raise ValueError(
            "The mixed precision graph rewrite cannot be enabled, because a keras mixed precision Policy has been set. "
            "At most, one of the following functions can be called:\n\n"
            "  1. tf.keras.mixed_precision.experimental.set_policy() (You called this first)\n"
            "  2. tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called this second)\n\n"
            "You called both functions, which is an error, because both functions enable you to use mixed precision. "
            "If in doubt which function to use, use the second, as it is currently more complete and easy to use. The "
            "second function enables mixed precision in the graph with a graph rewrite. However it is currently not "
            "very customizable, and does not support eager."
        )
    wrapped = _wrapped(opt, loss_scale)
    set_experimental_options({"auto_mixed_precision": True})
    halved["rewrite"] = True
    return wrapped


def _wrapped(opt: Any, loss_scale: Any) -> Any:
    name = type(opt).__name__
    if name in ("MixedPrecisionLossScaleOptimizer", "LossScaleOptimizer"):
        raise ValueError(
            f'"opt" must not already be an instance of a {name}. `enable_mixed_precision_graph_rewrite` will '
            f"automatically wrap the optimizer with a {name}."
        )
    if isinstance(opt, Optimizer):
        return MixedPrecisionLossScaleOptimizer(opt, loss_scale)
    for kind, wrapper in wrappers.items():
        if isinstance(opt, kind):
            return wrapper(opt, loss_scale)
    raise ValueError(
        f'"opt" must be an instance of a tf.train.Optimizer or a tf.keras.optimizers.Optimizer, but got: {opt}'
    )


def disable_mixed_precision_graph_rewrite() -> None:
    """Take the request for half precision back."""
    if not halved["rewrite"]:
        log.warning("disable_mixed_precision_graph_rewrite() called when mixed precision is already disabled.")
    set_experimental_options({"auto_mixed_precision": False})
    halved["rewrite"] = False
