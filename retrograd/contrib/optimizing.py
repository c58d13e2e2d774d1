"""``tf.contrib.layers.optimize_loss``: one call from a loss to a step, with its summaries.

Source: TensorFlow 1.15.5's names, order of nodes and messages of ``tf.contrib.layers``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries as summary
from retrograd.nn.moving_averages import assign_moving_average
from retrograd.ops import arithmetic, casts, clipping, comparison, constants, exponentials, powers, random
from retrograd.ops.control import with_dependencies
from retrograd.ops.shape_checks import assert_scalar
from retrograd.state.initialization import trainable_variables
from retrograd.state.initializers import constant_initializer, zeros_initializer
from retrograd.state.scopes import get_variable, variable_scope
from retrograd.train.adagrad import AdagradOptimizer
from retrograd.train.adam import AdamOptimizer
from retrograd.train.ftrl import FtrlOptimizer
from retrograd.train.gradient_descent import GradientDescentOptimizer
from retrograd.train.momentum import MomentumOptimizer
from retrograd.train.optimizer import Optimizer
from retrograd.train.rmsprop import RMSPropOptimizer
from retrograd.train.training_util import assert_global_step, get_global_step

Pairs = list[tuple[Any, Any]]

OPTIMIZER_CLS_NAMES: dict[str, Callable[..., Optimizer]] = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = ["learning_rate", "loss", "gradients", "gradient_norm", "global_gradient_norm"]


def optimize_loss(
    loss: Any,
    global_step: Any,
    learning_rate: Any,
    optimizer: Any,
    gradient_noise_scale: float | None = None,
    gradient_multipliers: dict[Any, Any] | None = None,
    clip_gradients: Any = None,
    learning_rate_decay_fn: Callable[[Any, Any], Any] | None = None,
    update_ops: Any = None,
    variables: Any = None,
    name: str | None = None,
    summaries: Any = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Tensor:
    """The loss, as a tensor that makes one step when it is run.

    Args:
      optimizer: a name out of ``OPTIMIZER_CLS_NAMES``, a class, an optimizer, or a function of the learning rate.
      gradient_noise_scale: how far normal noise on the gradients reaches.
      gradient_multipliers: factors of gradients, by variable or its name.
      clip_gradients: the largest global norm, or a function of the pairs of gradients and variables.
      summaries: those of ``OPTIMIZER_SUMMARIES`` that are wanted.

    Raises:
      ValueError: an argument of a kind that is not known.
    """
    loss = as_tensor(loss)
    assert_scalar(loss)
    if global_step is None:
        global_step = get_global_step()
    else:
        assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        updates = scopes.get_collection(GraphKeys.UPDATE_OPS) if update_ops is None else update_ops
        if updates:
            loss = with_dependencies(list(dict.fromkeys(updates)), loss)
        rate = None if learning_rate is None else _rate(learning_rate)
        shown = _checked_summaries(summaries)
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in shown:
                summary.scalar("learning_rate", rate)
        made = _optimizer(optimizer, rate)
        if variables is None:
            variables = trainable_variables()
        pairs = made.compute_gradients(loss, variables, colocate_gradients_with_ops=colocate_gradients_with_ops)
        if gradient_noise_scale is not None:
            pairs = _noisy(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = _multiplied(pairs, gradient_multipliers)
            if not pairs:
                raise ValueError(
                    "Empty list of (gradient, var) pairs encountered. This is most likely to be caused by an "
                    "improper value of gradient_multipliers."
                )
        norms = "global_gradient_norm" in shown or "gradient_norm" in shown
        if norms:
            summary.scalar("global_norm/gradient_norm", clipping.global_norm([g for g, _ in pairs]))
        pairs = _clipped(pairs, clip_gradients)
        _summarize(loss, pairs, shown)
        if clip_gradients is not None and norms:
            summary.scalar("global_norm/clipped_gradient_norm", clipping.global_norm([g for g, _ in pairs]))
        counter = global_step if increment_global_step else None
        step = made.apply_gradients(pairs, global_step=counter, name="train")
        return with_dependencies([step], loss)


def _rate(learning_rate: Any) -> Any:
    """The learning rate: a scalar tensor, or a float, which becomes a variable."""
    if isinstance(learning_rate, Tensor) and learning_rate.rank == 0:
        return learning_rate
    if isinstance(learning_rate, float):
        if learning_rate < 0.0:
            raise ValueError("Invalid learning_rate %s.", learning_rate)
        start = constant_initializer(learning_rate)
        return get_variable("learning_rate", [], trainable=False, initializer=start)
    raise ValueError(
        f"Learning rate should be 0d Tensor or float. Got {learning_rate!s} of type {type(learning_rate)!s}"
    )


def _checked_summaries(summaries: Any) -> Any:
    if summaries is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for word in summaries:
        if word not in OPTIMIZER_SUMMARIES:
            raise ValueError(f"Summaries should be one of [{', '.join(OPTIMIZER_SUMMARIES)}], you provided {word}.")
    return summaries


def _optimizer(optimizer: Any, rate: Any) -> Optimizer:
    if isinstance(optimizer, str):
        if rate is None:
            raise ValueError(f"Learning rate is None, but should be specified if optimizer is string ({optimizer}).")
        if optimizer not in OPTIMIZER_CLS_NAMES:
            known = ", ".join(OPTIMIZER_CLS_NAMES)
            raise ValueError(f"Optimizer name should be one of [{known}], you provided {optimizer}.")
        return OPTIMIZER_CLS_NAMES[optimizer](learning_rate=rate)
    if isinstance(optimizer, type) and issubclass(optimizer, Optimizer):
        if rate is None:
            raise ValueError(f"Learning rate is None, but should be specified if optimizer is class ({optimizer}).")
        of_rate: Callable[..., Optimizer] = optimizer
        return of_rate(learning_rate=rate)
    if isinstance(optimizer, Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer() if rate is None else optimizer(rate)
        if not isinstance(made, Optimizer):
            raise ValueError(f"Unrecognized optimizer: function should return subclass of Optimizer. Got {made!s}.")
        return made
    raise ValueError(
        "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass of Optimizer or "
        f"function with one argument. Got {optimizer!s}."
    )


def _times(grad: Any, factor: Callable[[Any], Any]) -> Any:
    """``grad * factor(values)``, of slices or of a tensor."""
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(grad.values * factor(grad.values), grad.indices, grad.dense_shape)
    return grad * factor(grad)


def _noisy(pairs: Pairs, scale: float) -> Pairs:
    noisy = []
    for grad, variable in pairs:
        if grad is not None:
            shape = grad.dense_shape if isinstance(grad, IndexedSlices) else grad.shape
            grad = grad + random.truncated_normal(shape) * scale
        noisy.append((grad, variable))
    return noisy


def _multiplied(pairs: Pairs, multipliers: dict[Any, Any]) -> Pairs:
    multiplied = []
    for grad, variable in pairs:
        key = variable if variable in multipliers else variable.name
        if grad is not None and key in multipliers:
            factor = multipliers[key]
            if isinstance(grad, IndexedSlices):
                grad = IndexedSlices(grad.values * factor, grad.indices, grad.dense_shape)
            else:
                grad = grad * casts.cast(factor, grad.dtype)
        multiplied.append((grad, variable))
    return multiplied


def _clipped(pairs: Pairs, clip: Any) -> Pairs:
    if isinstance(clip, float):
        clipped, _ = clipping.clip_by_global_norm([g for g, _ in pairs], clip)
        return list(zip(clipped, [v for _, v in pairs], strict=True))
    if callable(clip):
        changed: Pairs = clip(pairs)
        return changed
    if clip is not None:
        raise ValueError(f"Unknown type {type(clip)} for clip_gradients")
    return pairs


def _summarize(loss: Any, pairs: Pairs, shown: Any) -> None:
    if "loss" in shown:
        summary.scalar("loss", loss)
    for grad, variable in pairs:
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        if values is None:
            continue
        word = variable.name.replace(":", "_")
        if "gradients" in shown:
            summary.histogram(f"gradients/{word}", values)
        if "gradient_norm" in shown:
            summary.scalar(f"gradient_norm/{word}", clipping.global_norm([values]))


# -- a bound that follows the norms seen so far --------------------------------------------------


def adaptive_clipping_fn(
    std_factor: float = 2.0,
    decay: Any = 0.95,
    static_max_norm: float | None = None,
    global_step: Any = None,
    report_summary: bool = False,
    epsilon: float = 1e-8,
    name: str | None = None,
) -> Callable[[Pairs], Pairs]:
    """A function that scales gradients to the mean norm so far when theirs is ``std_factor`` deviations above it.

    Means and deviations are those of the logarithm of the norm, moving with ``decay``.
    """

    def clip(grads_and_vars: Pairs) -> Pairs:
        grads = [g for g, _ in grads_and_vars]
        norm = clipping.global_norm(grads)
        limit, log_mean = _adaptive_limit(norm, std_factor, decay, global_step, epsilon, name)
        if report_summary:
            summary.scalar("global_norm/adaptive_max_gradient_norm", limit)
        factor = comparison.where(norm < limit, constants.ones_like(norm), exponentials.exp(log_mean) / norm)
        if static_max_norm is not None:
            factor = arithmetic.minimum(static_max_norm / norm, factor)
        scaled = [None if g is None else _times(g, lambda _: factor) for g in grads]
        return list(zip(scaled, [v for _, v in grads_and_vars], strict=True))

    return clip


def _adaptive_limit(
    norm: Any, std_factor: float, decay: Any, global_step: Any, epsilon: float, name: str | None
) -> tuple[Any, Any]:
    """``exp(mean + std_factor * deviation)`` of the logarithms so far, and their mean."""
    with variable_scope(name, "AdaptiveMaxNorm", [norm]):
        log_norm = exponentials.log(norm + epsilon)
        if global_step is not None:
            n = casts.cast(global_step, dtypes.float32)
            decay = arithmetic.minimum(decay, n / (n + 1.0))

        def averaged(word: str, value: Any) -> Any:
            kept = get_variable(
                word, shape=value.shape, dtype=value.dtype, initializer=zeros_initializer(), trainable=False
            )
            return assign_moving_average(kept, value, decay, zero_debias=False)

        mean = averaged("mean", log_norm)
        squares = averaged("sq_mean", powers.square(log_norm))
        variance = squares - powers.square(mean)
        deviation = powers.sqrt(arithmetic.maximum(epsilon, variance))
        return exponentials.exp(mean + std_factor * deviation), mean
