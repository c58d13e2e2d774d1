"""Layers whose configuration holds those of other layers."""

from __future__ import annotations

from typing import Any


class Nesting:
    """A class whose arguments ``layer``, ``cell``, ``backward_layer`` and ``cells`` are layers."""

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer with these arguments; the layers in them are made from their configurations."""
        from retrograd.keras.layer_table import layer_of

        config = dict(config)
        for key in ("layer", "cell", "backward_layer"):
            if isinstance(config.get(key), dict):
                config[key] = layer_of(config[key], custom_objects)
        if "cells" in config:
            config["cells"] = [layer_of(c, custom_objects) for c in config["cells"]]
        return cls(**config)
