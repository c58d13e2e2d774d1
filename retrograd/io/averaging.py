"""An optimizer whose saver writes averages of the variables in their place."""

from __future__ import annotations

from typing import Any

from retrograd.graph.scopes import control_dependencies
from retrograd.io.saveables import op_list_to_dict
from retrograd.io.saver import Saver
from retrograd.ops import control
from retrograd.state import initialization
from retrograd.state.partitioned import PartitionedVariable
from retrograd.train.averages import ExponentialMovingAverage
from retrograd.train.optimizer import Optimizer


class MovingAverageOptimizer(Optimizer):
    """Another optimizer, with moving averages of what it trains; ``swapping_saver`` saves these as the variables."""

    def __init__(
        self, opt: Optimizer, average_decay: Any = 0.9999, num_updates: Any = None, sequential_update: bool = True
    ) -> None:
        self._optimizer = opt
        self._ema = ExponentialMovingAverage(average_decay, num_updates=num_updates)
        self._swapped: dict[str, str] | None = None
        self._sequential_update = sequential_update

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The other optimizer's."""
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """A step, and behind it the averages of what it moved."""
        pairs = list(grads_and_vars)
        step = self._optimizer.apply_gradients(pairs, global_step=global_step, name=name)
        moved = [var for grad, var in pairs if grad is not None]
        with control_dependencies([step] if self._sequential_update else []):
            average = self._ema.apply(moved)
        self._swapped = {}
        for var in moved:
            ours, theirs = var.op.name, self._ema.average(var).op.name
            self._swapped.update({ours: theirs, theirs: ours})
        return control.group(step, average, name="train_with_avg")

    def swapping_saver(self, var_list: Any = None, name: str = "swapping_saver", **kwargs: Any) -> Saver:
        """A saver that writes each average under its variable's name, and each variable under its average's.

        Raises:
          RuntimeError: there are no averages yet.
          ValueError: a variable is to be saved, and its average is not.
        """
        if self._swapped is None:
            raise RuntimeError("Must call apply_gradients or minimize before creating the swapping_saver")
        swapped = self._swapped
        variables = initialization.global_variables() if var_list is None else var_list
        if not isinstance(variables, dict):
            variables = op_list_to_dict(variables)
        by_name = {}
        for key, value in variables.items():
            if isinstance(value, list | PartitionedVariable):
                by_name.update({part.op.name: part for part in value})
            else:
                by_name[key] = value

        def other(var_name: str, var: Any) -> Any:
            if var_name not in swapped:
                return var
            if swapped[var_name] not in by_name:
                raise ValueError(
                    f"Variable to swap {swapped[var_name]} is not part of variables to save. "
                    "This breaks MovingAverageOptimizer."
                )
            return by_name[swapped[var_name]]

        to_save = {
            key: [other(part.op.name, part) for part in value] if isinstance(value, list) else other(key, value)
            for key, value in variables.items()
        }
        return Saver(to_save, name=name, **kwargs)
