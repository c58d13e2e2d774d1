"""Layers and models by the name of their class."""

from __future__ import annotations

from typing import Any

from retrograd.keras import inner_layers, inputs, models, network, sequential, wrappers
from retrograd.keras.layers import (
    attention,
    cell_wrappers,
    convolutional_recurrent,
    core,
    functions,
    local,
    merging,
    noise,
    normalizing,
    recurrent,
    spatial,
)
from retrograd.keras.utils import get_custom_objects
from retrograd.nn.keras.lookup import described, made_from
from retrograd.nn.layers.engine import Layer

_MODULES = (
    attention, convolutional_recurrent, local, core, functions, merging, noise, normalizing, recurrent, spatial,
    cell_wrappers, wrappers, inputs, inner_layers, network, models, sequential,
)  # fmt: skip
_BY_NAME: dict[str, Any] = {
    name: kind
    for module in _MODULES
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, Layer) and not name.startswith("_")
}
_BY_NAME["BatchNormalizationV1"] = normalizing.BatchNormalization  # as TensorFlow 1.13 and 1.14 called it


def add_layers(*kinds: type[Layer]) -> None:
    """Let configurations name these classes, which other parts define."""
    _BY_NAME.update({kind.__name__: kind for kind in kinds})


def layer_of(config: Any, custom_objects: Any = None) -> Any:
    """The layer or the model of ``{"class_name": ..., "config": ...}``.

    Raises:
      ValueError: there is no such class.
    """
    table = {**_BY_NAME, **get_custom_objects(), **(custom_objects or {})}
    kind = table.get(config["class_name"])
    if kind is None:
        error = ValueError("Unknown layer: " + config["class_name"])
        error.add_note(f"  Fix:   custom_objects={{{config['class_name']!r}: {config['class_name']}}}")
        raise error
    own = dict(config["config"]) if isinstance(config["config"], dict) else config["config"]
    return made_from(kind, own, custom_objects)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The layer of a configuration."""
    return layer_of(config, custom_objects)


def serialize(layer: Any) -> Any:
    """The configuration of a layer."""
    return described(layer)
