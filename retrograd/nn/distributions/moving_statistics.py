"""Mean, variance and log of the mean of exponentials, moving along with values; seeds that follow from one."""

from __future__ import annotations

import hashlib
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, exponentials, joining, powers, reductions, state
from retrograd.state import scopes
from retrograd.state.initializers import zeros_initializer


class SeedStream:
    """Seeds without end, which follow from one seed and a text that tells streams apart; None from None."""

    def __init__(self, seed: Any, salt: str) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt = salt
        self._counter = 0

    def __call__(self) -> int | None:
        """The next seed."""
        self._counter += 1
        if self._seed is None:
            return None
        return int(hashlib.sha512(str((self._seed, self._counter, self._salt)).encode()).hexdigest(), 16)

    @property
    def original_seed(self) -> Any:
        """The seed that it was made with."""
        return self._seed

    @property
    def salt(self) -> str:
        """The text."""
        return self._salt


def _check_floating(dtype: Any, what: str) -> None:
    if not dtype.is_floating:
        raise TypeError(f"{what}.base_dtype({dtype.name}) does not have float type `dtype`.")


def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: Any, decay: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """``d = value - mean;  mean += (1 - decay) d;  variance -= (1 - decay) (variance - decay d ** 2)``.

    Source: Finch, 2009.

    Raises:
      TypeError: the variables are not floating, or differ in dtype.
    """
    with (
        name_scope(name, "assign_moving_mean_variance", [variance_var, mean_var, value, decay]),
        colocate_with(variance_var),
        colocate_with(mean_var),
    ):
        dtype = mean_var.dtype.base_dtype
        _check_floating(dtype, "mean_var")
        if dtype != variance_var.dtype.base_dtype:
            raise TypeError(
                f"mean_var.base_dtype({dtype.name}) != variance_var.base_dtype({variance_var.dtype.base_dtype.name})"
            )
        value = as_tensor(value, dtype=dtype, name="value")
        decay = as_tensor(decay, dtype=dtype, name="decay")
        delta = value - mean_var
        with control_dependencies([delta]):
            mean = state.assign_add(mean_var, (1.0 - decay) * delta)
            step = (1.0 - decay) * (variance_var - decay * powers.square(delta))
            return mean, state.assign_sub(variance_var, step)


def assign_log_moving_mean_exp(log_mean_exp_var: Any, log_value: Any, decay: Any, name: str | None = None) -> Tensor:
    """``m = log(decay exp(m) + (1 - decay) exp(log_value))``, as TensorFlow adds it to the variable.

    Raises:
      TypeError: the variable is not floating.
    """
    with (
        name_scope(name, "assign_log_moving_mean_exp", [log_mean_exp_var, log_value, decay]),
        colocate_with(log_mean_exp_var),
    ):
        dtype = log_mean_exp_var.dtype.base_dtype
        _check_floating(dtype, "log_mean_exp_var")
        log_value = as_tensor(log_value, dtype=dtype, name="log_value")
        decay = as_tensor(decay, dtype=dtype, name="decay")
        delta = (log_value - log_mean_exp_var)[None, ...]
        kept = exponentials.log(decay) * constants.ones_like(delta)
        both = joining.concat([kept, delta + exponentials.log1p(-decay)], axis=0)
        updated: Tensor = log_mean_exp_var.assign_add(reductions.reduce_logsumexp(both, axis=0))
        return updated


def moving_mean_variance(
    value: Any, decay: Any, collections: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The same in two new variables, of zeros at first.

    Raises:
      TypeError: the value is not floating.
    """
    with scopes.variable_scope(name, "moving_mean_variance", [value, decay]):
        value = as_tensor(value, name="value")
        _check_floating(value.dtype.base_dtype, "value")
        decay = as_tensor(decay, dtype=value.dtype.base_dtype, name="decay")
        variance, mean = (
            scopes.get_variable(
                each, shape=value.shape, dtype=value.dtype, initializer=zeros_initializer(), trainable=False,
                collections=[GraphKeys.GLOBAL_VARIABLES] if collections is None else collections,
            )
            for each in ("moving_variance", "moving_mean")
        )  # fmt: skip
        return assign_moving_mean_variance(mean, variance, value, decay)
