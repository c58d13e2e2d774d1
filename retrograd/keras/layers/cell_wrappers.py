"""Cells of recurrent layers made of another cell: with dropout, with a bypass, on a device."""

from __future__ import annotations

from typing import Any, Self

from retrograd.keras.layers.functions import described, undescribed
from retrograd.keras.layers.recurrent_cells import AbstractRNNCell
from retrograd.nn.layers.engine import Layer
from retrograd.nn.rnn_wrappers import DeviceWrapperBase, DropoutWrapperBase, ResidualWrapperBase, WrapperBase


class _CellWrapper(WrapperBase, AbstractRNNCell):  # type: ignore[misc]
    """A Keras layer that calls the cell that it was given, which it builds."""

    def __init__(self, cell: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cell = cell

    def _take_dtype(self, outer: Layer) -> None:
        """Have no dtype: the wrapper has no variables, and the cell chooses that of its own."""

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """The wrapper and its cell of what ``get_config`` gave."""
        from retrograd.keras.layer_table import deserialize  # the table has these cells

        config = dict(config)
        return cls(deserialize(config.pop("cell"), custom_objects=custom_objects), **config)


def _with_function(config: dict[str, Any], argument: str, keys: tuple[str, str, str]) -> dict[str, Any]:
    """The configuration with the function of ``argument``, if any, as its code, its kind and its module."""
    function = config.pop(argument, None)
    return config if function is None else {**config, **dict(zip(keys, described(function), strict=True))}


def _with_argument(
    config: dict[str, Any], argument: str, keys: tuple[str, str, str], custom_objects: Any
) -> dict[str, Any]:
    """The configuration that ``_with_function`` was given."""
    if keys[0] not in config:
        return config
    config = dict(config)
    value, kind, module = config.pop(keys[0]), config.pop(keys[1]), config.pop(keys[2], None)
    return {**config, argument: undescribed(value, kind, module, custom_objects, "layer")}


class DropoutWrapper(DropoutWrapperBase, _CellWrapper):  # type: ignore[misc]
    __doc__ = DropoutWrapperBase.__doc__
    _filter = "dropout_state_filter_visitor", ("dropout_fn", "dropout_fn_type", "dropout_fn_module")

    def get_config(self) -> dict[str, Any]:
        return _with_function(super().get_config(), *self._filter)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        return super().from_config(_with_argument(config, *cls._filter, custom_objects), custom_objects)


class ResidualWrapper(ResidualWrapperBase, _CellWrapper):  # type: ignore[misc]
    __doc__ = ResidualWrapperBase.__doc__
    _residual = "residual_fn", ("residual_fn", "residual_fn_type", "residule_fn_module")  # the key that files have

    def get_config(self) -> dict[str, Any]:
        return _with_function(super().get_config(), *self._residual)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        return super().from_config(_with_argument(config, *cls._residual, custom_objects), custom_objects)


class DeviceWrapper(DeviceWrapperBase, _CellWrapper):  # type: ignore[misc]
    __doc__ = DeviceWrapperBase.__doc__
