"""Cells of recurrent layers made of another cell: with dropout, with a bypass, on a device."""

from __future__ import annotations

from typing import Any, Self

from retrograd.keras.layers.functions import described, undescribed
from retrograd.keras.layers.recurrent_cells import AbstractRNNCell
from retrograd.nn.rnn_wrappers import DeviceWrapperBase, DropoutWrapperBase, ResidualWrapperBase, WrapperBase


class _CellWrapper(WrapperBase, AbstractRNNCell):  # type: ignore[misc]
    """A Keras layer that calls the cell that it was given, which it builds."""

    def __init__(self, cell: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cell = cell

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        """The wrapper and its cell of what ``get_config`` gave."""
        from retrograd.keras.layer_table import deserialize  # the table has these cells

        config = dict(config)
        return cls(deserialize(config.pop("cell"), custom_objects=custom_objects), **config)


class _HoldsFunction:
    """What wrappers share that were given a function: a configuration holds it as its code, its kind and its module."""

    _function: tuple[str, tuple[str, str, str]]  # the argument, and what configurations call the three

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()  # type: ignore[misc]
        argument, keys = self._function
        function = config.pop(argument, None)
        return config if function is None else {**config, **dict(zip(keys, described(function), strict=True))}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Self:
        argument, (code, kind, module) = cls._function
        config = dict(config)
        if code in config:
            parts = config.pop(code), config.pop(kind), config.pop(module, None)
            config[argument] = undescribed(*parts, custom_objects, "layer")
        return super().from_config(config, custom_objects)  # type: ignore[misc, no-any-return]


class DropoutWrapper(_HoldsFunction, DropoutWrapperBase, _CellWrapper):  # type: ignore[misc]
    __doc__ = DropoutWrapperBase.__doc__
    _function = "dropout_state_filter_visitor", ("dropout_fn", "dropout_fn_type", "dropout_fn_module")


class ResidualWrapper(_HoldsFunction, ResidualWrapperBase, _CellWrapper):  # type: ignore[misc]
    __doc__ = ResidualWrapperBase.__doc__
    _function = "residual_fn", ("residual_fn", "residual_fn_type", "residule_fn_module")  # the key that files have


class DeviceWrapper(DeviceWrapperBase, _CellWrapper):  # type: ignore[misc]
    __doc__ = DeviceWrapperBase.__doc__
