"""One step of a moving average."""

from __future__ import annotations

from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, control_dependencies, get_collection, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, casts, powers, state
from retrograd.state import initializers, scopes


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """``variable -= (1 - decay) * (variable - value)``.

    With ``zero_debias`` the average of a variable that starts at 0 is divided by ``1 - decay^t``,
    which makes the first values count as they should; t is kept beside the variable.
    """
    with name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        share = as_tensor(1.0 - decay, name="decay")
        share = casts.cast(share, variable.dtype.base_dtype)
        if zero_debias:
            return _zero_debias(variable, value, share)
        return state.assign_sub(variable, (variable - value) * share, name=scope)


def _zero_debias(unbiased: Any, value: Any, share: Tensor) -> Any:
    """The average a of the values from 0 on, corrected: unbiased = a / (1 - (1 - share)^t)."""
    dtype = unbiased.dtype.base_dtype
    scope = scopes.variable_scope(unbiased.op.name, values=[unbiased, value, share])
    with scope, colocate_with(unbiased), control_dependencies(None):
        zeros = initializers.zeros_initializer(dtype=dtype)
        shape = unbiased.get_shape()
        biased = scopes.get_variable(_free_name("biased"), shape, dtype, initializer=zeros, trainable=False)
        step_name = _free_name("local_step")
        local_step = scopes.get_variable(step_name, [], dtype, initializer=zeros, trainable=False)
    average = state.assign_sub(biased, (biased - value) * share)
    step = local_step.assign_add(1)
    correction = 1 - powers.pow_(1.0 - share, step)
    return state.assign(unbiased, average / correction, name=default_graph().get_name_scope() + "/")


def _free_name(name: str) -> str:
    """``name``, or if it is taken and the scope does not reuse variables, the first free ``name_i``."""
    scope = scopes.get_variable_scope()
    if scope.reuse:
        return name
    taken = {v.op.name for v in get_collection(GraphKeys.GLOBAL_VARIABLES, scope.name)}
    free, i = name, 0
    while f"{scope.name}/{free}" in taken:
        i += 1
        free = f"{name}_{i}"
    return free


def weighted_moving_average(
    value: Any,
    decay: Any,
    weight: Any,
    truediv: bool = True,
    collections: Any = None,
    name: str | None = None,
) -> Tensor:
    """The moving average of ``value * weight`` over that of ``weight``."""
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    with scopes.variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        numerator_var, denominator_var = (
            scopes.get_variable(
                key, shape=x.get_shape(), dtype=x.dtype, initializer=initializers.zeros_initializer(),
                trainable=False, collections=collections,
            )
            for key, x in (("value_x_weight", value), ("weight", weight))
        )  # fmt: skip
        numerator = assign_moving_average(numerator_var, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(denominator_var, weight, decay, zero_debias=False)
        divide = arithmetic.truediv if truediv else arithmetic.divide
        return divide(numerator, denominator, name=scope.name)
