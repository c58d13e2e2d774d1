"""``tf.keras.mixed_precision.experimental.LossScaleOptimizer``: gradients of a scaled loss, scaled back.

Source: Micikevicius et al., 2017, arXiv:1710.03740; order of nodes: TensorFlow 1.15.5.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph.sparse import IndexedSlices
from retrograd.keras import backend as K
from retrograd.keras.optimizer_v2 import OptimizerV2
from retrograd.ops import casts, control
from retrograd.state import strategies
from retrograd.state.loss_scales import LossScale, get_loss_scale_weights, loss_scale_of
from retrograd.train.loss_scale import step_if_finite


class LossScaleOptimizer(OptimizerV2):
    """An optimizer of the loss times a scale; with a dynamic scale, steps that are not finite change nothing else.

    Args:
      loss_scale: a ``LossScale``, a number, or ``"dynamic"``.

    Raises:
      ValueError: ``opt`` is no optimizer of Keras, or one that clips gradients.
    """

    def __init__(self, opt: Any, loss_scale: Any) -> None:
        if not isinstance(opt, OptimizerV2):
            raise ValueError(f'"opt" must be an instance of OptimizerV2, but got: {opt}')
        for name in ("clipnorm", "clipvalue"):
            if hasattr(opt, name):
                raise ValueError(
                    f"LossScaleOptimizer does not support wrapping optimizers with a {name}. Optimizer {opt} has "
                    f"{name} {getattr(opt, name)}"
                )
        super().__init__(opt._name)
        self._optimizer = opt
        self._loss_scale: LossScale = loss_scale_of(loss_scale)  # type: ignore[assignment]
        for weight in get_loss_scale_weights(self._loss_scale):
            K.track_variable(weight)

    @property
    def loss_scale(self) -> LossScale:
        """The scale."""
        return self._loss_scale

    def get_scaled_loss(self, loss: Any) -> Any:
        """The loss times the scale; of a function, a function that gives that."""
        scale = self._loss_scale()
        if not callable(loss):
            return loss * casts.cast(scale, loss.dtype)

        def scaled() -> Any:
            value = loss()
            return value * casts.cast(scale, value.dtype)

        return scaled

    def get_unscaled_gradients(self, grads: Any) -> list[Any]:
        """The gradients over the scale; None stays None."""
        inverse = 1.0 / self._loss_scale()
        return [None if g is None else _times(g, inverse) for g in grads]

    def _compute_gradients(self, loss: Any, var_list: Any, grad_loss: Any = None) -> list[tuple[Any, Any]]:
        pairs = self._optimizer._compute_gradients(self.get_scaled_loss(loss), var_list, grad_loss)
        return list(zip(self.get_unscaled_gradients([g for g, _ in pairs]), [v for _, v in pairs], strict=True))

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        return self.get_unscaled_gradients(self._optimizer.get_gradients(self.get_scaled_loss(loss), params))

    def apply_gradients(self, grads_and_vars: Any, name: str | None = None) -> Any:
        """The optimizer's step, and that of the scale.

        Raises:
          ValueError: called in the context of all replicas.
        """
        mode = strategies.current_mode()
        if mode is not None and mode.replica is None:
            raise ValueError("apply_gradients() must be called in a replica context.")
        pairs = tuple(grads_and_vars)
        if mode is None:
            return self._on_all_replicas(None, pairs, name)
        return mode.replica.merge_call(self._on_all_replicas, args=(pairs, name))

    def _on_all_replicas(self, distribution: Any, pairs: Any, name: str | None) -> Any:
        update, finite = self._loss_scale.update([g for g, _ in pairs])
        step = step_if_finite(self._optimizer, (list(pairs), name), finite, distribution)
        return control.group(step, update)

    # -- what the optimizer has ----------------------------------------------------------------

    @property
    def iterations(self) -> Any:
        """The number of steps of the optimizer so far."""
        return self._optimizer.iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        self._optimizer.iterations = variable

    @property
    def learning_rate(self) -> Any:
        """The optimizer's learning rate."""
        return self._optimizer.learning_rate

    @learning_rate.setter
    def learning_rate(self, rate: Any) -> None:
        self._optimizer.learning_rate = rate

    @property
    def lr(self) -> Any:
        """The same."""
        return self._optimizer.lr

    @lr.setter
    def lr(self, rate: Any) -> None:
        self._optimizer.lr = rate

    def get_slot_names(self) -> list[str]:
        """The names of the optimizer's slots."""
        return self._optimizer.get_slot_names()  # type: ignore[no-any-return]

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return [("base_optimizer", self._optimizer), ("loss_scale", self._loss_scale)]

    def get_config(self) -> dict[str, Any]:
        raise NotImplementedError("get_config() is not yet implemented for LossScaleOptimizers")

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        raise NotImplementedError("from_config() is not yet implemented for LossScaleOptimizers")


def _times(grad: Any, factor: Any) -> Any:
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * casts.cast(factor, grad.dtype), grad.indices, grad.dense_shape)
    return grad * casts.cast(factor, grad.dtype)
