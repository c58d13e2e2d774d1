"""Moving averages of variables and tensors."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import (
    add_to_collection,
    control_dependencies,
    get_collection,
    name_scope,
)
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.moving_averages import assign_moving_average
from retrograd.ops import arithmetic, casts, control
from retrograd.state import variables
from retrograd.train import slot_creator


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
