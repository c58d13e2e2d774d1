"""Learning rates of Keras' optimizers that follow the number of steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.nn.keras.lookup import found
from retrograd.ops import casts
from retrograd.train import learning_rates


class LearningRateSchedule:
    """A learning rate that follows from the count of steps."""

    def __call__(self, step: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same schedule."""
        raise NotImplementedError("Learning rate schedule must override get_config")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The schedule with these arguments."""
        return cls(**config)


class _Scheduled(LearningRateSchedule):
    """A schedule of ``tf.train``."""

    _rule: Callable[..., Any]
    _first: str

    def _arguments(self, **arguments: Any) -> None:
        self._config = arguments

    def __call__(self, step: Any) -> Any:
        rate = self._config["initial_learning_rate"]
        rest = {k: v for k, v in self._config.items() if k != "initial_learning_rate"}
        made = type(self)._rule(rate, step, **rest)
        return made() if callable(made) else made

    def get_config(self) -> dict[str, Any]:
        return dict(self._config)


class ExponentialDecay(_Scheduled):
    """``rate * decay_rate ** (step / decay_steps)``."""

    _rule = staticmethod(learning_rates.exponential_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate,
            staircase=staircase, name=name,
        )  # fmt: skip


class InverseTimeDecay(_Scheduled):
    """``rate / (1 + decay_rate * step / decay_steps)``."""

    _rule = staticmethod(learning_rates.inverse_time_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, decay_rate=decay_rate,
            staircase=staircase, name=name,
        )  # fmt: skip


class PolynomialDecay(_Scheduled):
    """From the first rate to the last in so many steps."""

    _rule = staticmethod(learning_rates.polynomial_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, end_learning_rate: Any = 0.0001, power: float = 1.0,
        cycle: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps,
            end_learning_rate=end_learning_rate, power=power, cycle=cycle, name=name,
        )  # fmt: skip


class CosineDecay(_Scheduled):
    """``rate * ((1 - alpha) * (1 + cos(pi * t)) / 2 + alpha)`` with ``t = step / decay_steps``, at most 1."""

    _rule = staticmethod(learning_rates.cosine_decay)

    def __init__(self, initial_learning_rate: Any, decay_steps: Any, alpha: Any = 0.0, name: str | None = None) -> None:
        self._arguments(initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, alpha=alpha, name=name)


class CosineDecayRestarts(_Scheduled):
    """``CosineDecay`` again and again: each time over ``t_mul`` as many steps, from ``m_mul`` times the rate."""

    _rule = staticmethod(learning_rates.cosine_decay_restarts)

    def __init__(
        self, initial_learning_rate: Any, first_decay_steps: Any, t_mul: Any = 2.0, m_mul: Any = 1.0,
        alpha: Any = 0.0, name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, first_decay_steps=first_decay_steps, t_mul=t_mul,
            m_mul=m_mul, alpha=alpha, name=name,
        )  # fmt: skip


class LinearCosineDecay(_Scheduled):
    """``rate * ((alpha + 1 - t) * (1 + cos(2 pi * num_periods * t)) / 2 + beta)`` with ``t = step / decay_steps``."""

    _rule = staticmethod(learning_rates.linear_cosine_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, num_periods: Any = 0.5, alpha: Any = 0.0,
        beta: Any = 0.001, name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, num_periods=num_periods,
            alpha=alpha, beta=beta, name=name,
        )  # fmt: skip


class NoisyLinearCosineDecay(_Scheduled):
    """``LinearCosineDecay`` with noise of variance ``initial_variance / (1 + step)^variance_decay`` on ``1 - t``."""

    _rule = staticmethod(learning_rates.noisy_linear_cosine_decay)

    def __init__(
        self, initial_learning_rate: Any, decay_steps: Any, initial_variance: Any = 1.0, variance_decay: Any = 0.55,
        num_periods: Any = 0.5, alpha: Any = 0.0, beta: Any = 0.001, name: str | None = None,
    ) -> None:  # fmt: skip
        self._arguments(
            initial_learning_rate=initial_learning_rate, decay_steps=decay_steps, initial_variance=initial_variance,
            variance_decay=variance_decay, num_periods=num_periods, alpha=alpha, beta=beta, name=name,
        )  # fmt: skip


class PiecewiseConstantDecay(LearningRateSchedule):
    """One rate up to each boundary."""

    def __init__(self, boundaries: Any, values: Any, name: str | None = None) -> None:
        if len(boundaries) != len(values) - 1:
            raise ValueError("The length of boundaries should be 1 less than the length of values")
        self.boundaries, self.values, self.name = boundaries, values, name

    def __call__(self, step: Any) -> Any:
        step = as_tensor(step)
        boundaries = [casts.cast(as_tensor(b), step.dtype.base_dtype) for b in self.boundaries]
        made = learning_rates.piecewise_constant(step, boundaries, self.values, name=self.name)
        return made() if callable(made) else made

    def get_config(self) -> dict[str, Any]:
        return {"boundaries": self.boundaries, "values": self.values, "name": self.name}


_SCHEDULES: dict[str, Any] = {s.__name__: s for s in (*_Scheduled.__subclasses__(), PiecewiseConstantDecay)}


def schedule_of(config: Any, custom_objects: Any = None) -> Any:
    """The schedule of a configuration."""
    return found(config, {**_SCHEDULES, **(custom_objects or {})}, "decay")


def described_schedule(learning_rate_schedule: Any) -> Any:
    """The configuration of a schedule."""
    return {"class_name": type(learning_rate_schedule).__name__, "config": learning_rate_schedule.get_config()}
