"""Learning-rate schedules: functions of the step that give the rate of that step."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from retrograd.graph.convert import as_tensor, convert_n_to_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    cases,
    casts,
    comparison,
    conditions,
    constants,
    exponentials,
    powers,
    random,
    rounding,
    trigonometry,
)


def _of_the_step(schedule: Callable[..., Tensor]) -> Callable[..., Any]:
    """``schedule``; where ops run at once it gives a function, which reads the step whenever it is called."""

    @functools.wraps(schedule)
    def decayed(*args: Any, **kwargs: Any) -> Any:
        if default_graph().is_eager:
            return functools.partial(schedule, *args, **kwargs)
        return schedule(*args, **kwargs)

    return decayed


@_of_the_step
def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """``learning_rate * decay_rate ^ (global_step / decay_steps)``, the exponent floored if ``staircase``.

    >>> exponential_decay(0.1, constants.constant(20), decay_steps=10, decay_rate=0.5).shape
    TensorShape([])
    """
    with name_scope(name, "ExponentialDecay") as name:
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        steps, factor = _cast(rate, decay_steps, decay_rate)
        exponent = _elapsed(rate, global_step, steps, staircase)
        return arithmetic.multiply(rate, powers.pow_(factor, exponent), name=name)


@_of_the_step
def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """``learning_rate * e ^ (-decay_rate * t)``, t = global_step / decay_steps, floored if ``staircase``."""
    factor = exponentials.exp(arithmetic.negative(decay_rate))
    rate = exponential_decay(learning_rate, global_step, decay_steps, factor, staircase, name)
    return rate() if callable(rate) else rate


@_of_the_step
def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """``learning_rate / (1 + decay_rate * t)``, t = global_step / decay_steps, floored if ``staircase``."""
    with name_scope(name, "InverseTimeDecay") as name:
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        steps, factor = _cast(rate, decay_steps, decay_rate)
        elapsed = _elapsed(rate, global_step, steps, staircase)
        one = casts.cast(constants.constant(1), rate.dtype)
        return arithmetic.truediv(rate, arithmetic.add(one, arithmetic.multiply(factor, elapsed)), name=name)


def _cast(rate: Tensor, *values: Any) -> list[Tensor]:
    return [casts.cast(value, rate.dtype) for value in values]


def _elapsed(rate: Tensor, global_step: Any, steps: Tensor, staircase: bool) -> Tensor:
    elapsed = casts.cast(global_step, rate.dtype) / steps
    return rounding.floor(elapsed) if staircase else elapsed


@_of_the_step
def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Tensor:
    """``(learning_rate - end_learning_rate) * (1 - t) ^ power + end_learning_rate``, t = step / decay_steps.

    The step stops at ``decay_steps``; with ``cycle`` it is instead divided by the next multiple of it.
    """
    with name_scope(name, "PolynomialDecay") as name:
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        end, exponent, step, steps = _cast(rate, end_learning_rate, power, global_step, decay_steps)
        if cycle:
            at_start = comparison.equal(step, 0)
            cycles = conditions.cond(
                at_start,
                lambda: constants.constant(1.0, rate.dtype),
                lambda: rounding.ceil(step / decay_steps),
            )
            steps = arithmetic.multiply(steps, cycles)
        else:
            step = arithmetic.minimum(step, decay_steps)
        done = step / steps
        fall = arithmetic.multiply(rate - end, powers.pow_(1 - done, exponent))
        return arithmetic.add(fall, end, name=name)


@_of_the_step
def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: Any = 0.0, name: str | None = None
) -> Tensor:
    """``learning_rate * ((1 - alpha) * (1 + cos(pi t)) / 2 + alpha)``, t = step / decay_steps, at most 1."""
    with name_scope(name, "CosineDecay"):
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        steps, step = _cast(rate, decay_steps, global_step)
        done = arithmetic.minimum(step, steps) / steps
        fall = 0.5 * (1.0 + trigonometry.cos(constants.constant(math.pi) * done))
        return arithmetic.multiply(rate, (1 - alpha) * fall + alpha)


@_of_the_step
def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: Any = 0.0,
    name: str | None = None,
) -> Tensor:
    """Cosine decay that starts again: each fall is ``t_mul`` times as long, ``m_mul`` times as high."""
    with name_scope(name, "SGDRDecay") as name:
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        first, least, longer, higher, step = _cast(rate, first_decay_steps, alpha, t_mul, m_mul, global_step)
        elapsed = step / first
        is_equal = comparison.equal(longer, 1.0)
        restarts, done = conditions.cond(
            is_equal, lambda: _equal_restarts(elapsed), lambda: _geometric_restarts(elapsed, longer)
        )
        height = 0.5 * higher**restarts
        fall = height * (1.0 + trigonometry.cos(constants.constant(math.pi) * done))
        return arithmetic.multiply(rate, (1 - least) * fall + least, name=name)


def _equal_restarts(elapsed: Tensor) -> tuple[Tensor, Tensor]:
    """How many falls of length 1 are over, and how much of the next is done."""
    over = rounding.floor(elapsed)
    return over, elapsed - over


def _geometric_restarts(elapsed: Tensor, ratio: Tensor) -> tuple[Tensor, Tensor]:
    """How many falls of lengths 1, r, r^2, ... are over, and how much of the next is done."""
    over = rounding.floor(exponentials.log(1.0 - elapsed * (1.0 - ratio)) / exponentials.log(ratio))
    before = (1.0 - ratio**over) / (1.0 - ratio)
    return over, (elapsed - before) / ratio**over


@_of_the_step
def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """``learning_rate * ((alpha + 1 - t) * wave + beta)``, t = step / decay_steps, at most 1.

    The wave is ``(1 + cos(2 pi * num_periods * t)) / 2``.
    """
    with name_scope(name, "LinearCosineDecay") as name:
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        steps, periods, shift, least, step = _cast(rate, decay_steps, num_periods, alpha, beta, global_step)
        step = arithmetic.minimum(step, steps)
        linear = (steps - step) / steps
        wave = _cosine_wave(step / steps, periods)
        return arithmetic.multiply(rate, (shift + linear) * wave + least, name=name)


@_of_the_step
def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: Any = 1.0,
    variance_decay: Any = 0.55,
    num_periods: Any = 0.5,
    alpha: Any = 0.0,
    beta: Any = 0.001,
    name: str | None = None,
) -> Tensor:
    """Linear cosine decay with normal noise on ``1 - t``.

    Its variance is ``initial_variance / (1 + step) ^ variance_decay``.
    """
    with name_scope(name, "NoisyLinearCosineDecay") as name:
        rate = as_tensor(learning_rate, name="initial_learning_rate")
        steps, variance, power, periods, shift, least, step = _cast(
            rate, decay_steps, initial_variance, variance_decay, num_periods, alpha, beta, global_step
        )
        step = arithmetic.minimum(step, steps)
        linear = (steps - step) / steps
        deviation = powers.sqrt(variance / powers.pow_(1.0 + step, power))
        noisy = linear + random.random_normal(linear.shape, stddev=deviation)
        wave = _cosine_wave(step / steps, periods)
        return arithmetic.multiply(rate, (shift + noisy) * wave + least, name=name)


def _cosine_wave(done: Tensor, periods: Tensor) -> Tensor:
    """(1 + cos(2 pi * periods * done)) / 2."""
    turns = 2.0 * periods * done
    return 0.5 * (1.0 + trigonometry.cos(constants.constant(math.pi) * turns))


@_of_the_step
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Tensor:
    """``values[i]`` where x is in (``boundaries[i - 1]``, ``boundaries[i]``]; the outer two are open-ended.

    Raises:
      ValueError: there is not one value more than boundaries, or dtypes differ.

    >>> piecewise_constant(constants.constant(7), [5, 10], [0.1, 0.01, 0.001]).dtype
    tf.float32
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    x = as_tensor(x)
    limits = convert_n_to_tensor(boundaries)
    rates = convert_n_to_tensor(values)
    limits = [_of_dtype(limit, x) for limit in limits]
    for rate in rates[1:]:
        if rate.dtype.base_dtype != rates[0].dtype.base_dtype:
            raise ValueError(
                f"Values must have elements all with the same dtype ({rates[0].dtype.base_dtype} vs "
                f"{rate.dtype.base_dtype})."
            )
    with name_scope(name, "PiecewiseConstant"):
        ranges = [(x <= limits[0], rates[0]), (x > limits[-1], rates[-1])]
        for low, high, rate in zip(limits[:-1], limits[1:], rates[1:-1], strict=True):
            ranges.append(((x > low) & (x <= high), rate))
        pairs = [(holds, partial(_given, rate)) for holds, rate in ranges]
        result: Tensor = cases.case(pairs, lambda: rates[0], exclusive=True)
        return result


def _given(rate: Tensor) -> Tensor:
    return rate


def _of_dtype(limit: Tensor, x: Tensor) -> Tensor:
    wanted, found = x.dtype.base_dtype, limit.dtype.base_dtype
    if found == wanted:
        return limit
    if found == "int32" and wanted == "int64":
        return casts.cast(limit, wanted)
    error = ValueError(f"Boundaries ({found}) must have the same dtype as x ({wanted}).")
    error.add_note(
        f"  Fix:   write the boundaries as {'floats: 3.0 for 3' if wanted.is_floating else 'whole numbers'}, "
        "or tf.cast(x, ...)"
    )
    raise error


piecewise_constant_decay = piecewise_constant
