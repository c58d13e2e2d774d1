"""Scales of losses, so that gradients of half precision do not vanish: ``tf.train.experimental``'s loss scales.

Source: Micikevicius et al., 2017, arXiv:1710.03740.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, casts, comparison, control, reductions, rounding
from retrograd.ops.conditions import cond
from retrograd.state import strategies
from retrograd.state.variables import VariableV1


class LossScale:
    """What a loss is multiplied by, and its gradients divided by."""

    def __call__(self) -> Tensor:
        """The scale of this step."""
        raise NotImplementedError()

    def update(self, grads: Any) -> tuple[Any, Any]:
        """The op that changes the scale after gradients, and whether these are to be applied."""
        raise NotImplementedError()

    def _add_weight(self, name: str, initial_value: Any, dtype: Any = None) -> Any:
        """A variable of this scale, which checkpoints keep by its name.

        Raises:
          RuntimeError: the scale has one of this name in this graph.
        """
        made: Any = VariableV1(initial_value, name=name, dtype=dtype, trainable=False, use_resource=True)
        if any(known == name and v.handle.graph is made.handle.graph for known, v in self._checkpoint_children()):
            raise RuntimeError(f"Duplicate variables detected. {name}")
        self.__dict__.setdefault("_made_weights", []).append((name, made))
        return made

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The variables under the names that checkpoints have for them."""
        return sorted(self.__dict__.get("_made_weights", []), key=lambda pair: str(pair[0]))

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
        now = ""
        if executing_eagerly():
            scale, steps = self._current_loss_scale.numpy(), self._num_good_steps.numpy()
            now = f"current_loss_scale={scale}, num_good_steps={steps}, "
        return (
            f"DynamicLossScale({now}initial_loss_scale={self.initial_loss_scale}, "
            f"increment_period={self.increment_period}, multiplier={self.multiplier})"
        )

    def get_config(self) -> dict[str, Any]:
        return {
            "initial_loss_scale": self.initial_loss_scale,
            "increment_period": self.increment_period,
            "multiplier": self.multiplier,
        }


def loss_scale_of(identifier: Any) -> LossScale | None:
    """The scale of a number, of ``"dynamic"``, or the one given; None of None.

    Raises:
      ValueError: it is none of these.
    """
    if identifier is None or isinstance(identifier, LossScale):
        return identifier
    if isinstance(identifier, int | float):
        return FixedLossScale(identifier)
    if identifier == "dynamic":
        return DynamicLossScale()
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


def get_loss_scale_weights(loss_scale: LossScale) -> list[Any]:
    """The variables of a scale."""
    return [variable for _, variable in loss_scale._checkpoint_children()]
