"""Moving averages of variables and tensors."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import (
    add_to_collection,
    colocate_with,
    control_dependencies,
    get_collection,
    name_scope,
)
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, casts, control, powers, state
from retrograd.state import initializers, scopes, variables
from retrograd.train import slot_creator


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


class ExponentialMovingAverage:
    """Averages of variables: each run of ``apply``'s op does ``average -= (1 - decay) * (average - value)``.

    Args:
      decay: how much of the average stays.
      num_updates: a count of updates; the decay is then at most ``(1 + num_updates) / (10 + num_updates)``.
      zero_debias: whether averages of tensors, which start at 0, are corrected for it.
      name: the averages are called ``<variable>/<name>``.
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """The last part of the averages' names."""
        return self._name

    def apply(self, var_list: Any = None) -> Operation:
        """An op that brings the averages of ``var_list`` up to date, made where they are not there.

        The average of a variable starts at its initial value, that of a tensor at 0.

        Raises:
          TypeError: a variable is not half, float or double.
        """
        var_list = get_collection(GraphKeys.TRAINABLE_VARIABLES) if var_list is None else var_list
        starting_at_zero = set()
        for var in var_list:
            if var.dtype.base_dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            if var not in self._averages:
                with control_dependencies(None):
                    self._averages[var] = self._new_average(var)
                if self._zero_debias and isinstance(var, Tensor):
                    starting_at_zero.add(var)
        with name_scope(self._name) as scope:
            decay = self._decay_now()
            updates = [
                assign_moving_average(self._averages[var], var, decay, var in starting_at_zero) for var in var_list
            ]
            return control.group(*updates, name=scope)

    def _new_average(self, var: Any) -> Any:
        if isinstance(var, variables.Variable):
            average = slot_creator.create_slot(var, var.initialized_value(), self._name, colocate_with_primary=True)
            add_to_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, var)
            return average
        is_variable = var.op.type in ("Variable", "VariableV2", "VarHandleOp")
        return slot_creator.create_zeros_slot(var, self._name, colocate_with_primary=is_variable)

    def _decay_now(self) -> Tensor:
        decay = as_tensor(self._decay, name="decay")
        if self._num_updates is None:
            return decay
        count = casts.cast(self._num_updates, dtypes.float32, name="num_updates")
        return arithmetic.minimum(decay, (1.0 + count) / (10.0 + count))

    def average(self, var: Any) -> Any:
        """The variable that holds the average of ``var``, or None."""
        return self._averages.get(var)

    def average_name(self, var: Any) -> str:
        """The name of the average of ``var``, made already or not: what a checkpoint lists it under."""
        if var in self._averages:
            return str(self._averages[var].op.name)
        return default_graph().unique_name(f"{var.op.name}/{self._name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Names in a checkpoint to variables: an averaged variable is read from its average.

        Args:
          moving_avg_variables: the averaged variables, by default the trainable and the averaged ones.
        """
        if moving_avg_variables is None:
            averaged = get_collection(GraphKeys.TRAINABLE_VARIABLES) + get_collection(
                GraphKeys.MOVING_AVERAGE_VARIABLES
            )
        else:
            averaged = list(moving_avg_variables)
        named = {self.average_name(v): v for v in dict.fromkeys(averaged)}
        names = {v.name for v in averaged}
        for v in get_collection(GraphKeys.GLOBAL_VARIABLES):
            if v.name not in names and v.op.name not in named:
                named[v.op.name] = v
        return named
